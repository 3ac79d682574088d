"""What is compared: the defaults, other settings, and yardsticks."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import stats

import engine
from engine.independence.false_discovery import discoveries
from engine.independence.logistic_regression import LogisticRegression
from tests.benchmarks.bic_climbing import BicClimb
from tests.benchmarks.mixed_networks.methods import Found, searched
from tests.benchmarks.odd_categories.tables import Drawn

Method = Callable[[Drawn], Found | None]
_LEVEL = 0.01


def _by(**settings: Any) -> Method:
    def find(table: Drawn) -> Found | None:
        dataset = engine.Dataset.from_frame(table.frame, labels=list(table.labels))
        return searched(engine.prepare(dataset), **settings)

    return find


def by_bic(table: Drawn) -> Found | None:
    """Climb over the whole network by BIC; None where there are numbers."""
    if any(table.frame[name].dtype.kind == "f" for name in table.frame):
        return None
    started = time.process_time()
    codes = [np.unique(table.frame[name], return_inverse=True)[1] for name in table.frame]
    arrows = BicClimb(np.array(codes)).network()
    names = list(table.frame)
    causes = {
        names[to]: tuple(names[cause] for cause in np.flatnonzero(arrows[:, to])) for to in range(len(names))
    }
    graph = Drawn(table.frame, table.labels, causes)
    stated = {edge for edge in graph.edges if set(edge) & set(table.labels)}
    return Found(graph.label_sets, stated, time.process_time() - started)


def by_true_members(table: Drawn) -> Found:
    """Test each member of the true boundary given all others, by a multinomial regression of the label.

    A number enters by its first three powers; a spouse by itself, or with its products with the children that
    connect it, whichever tells more, at twice the p-value. What is found is significant by Benjamini and
    Hochberg among all features; nothing false is counted.
    """
    labels_of: dict[str, set[str]] = {}
    columns = {name: _columns(table.frame[name].to_numpy()) for name in table.frame}
    for label in table.labels:
        for member in _members_found(table, label, columns):
            labels_of.setdefault(member, set()).add(label)
    return Found({name: frozenset(labels) for name, labels in labels_of.items()}, set(), 0.0)


def _members_found(table: Drawn, label: str, columns: Mapping[str, np.ndarray]) -> list[str]:
    members = table.boundary(label)
    by_itself = _log_p(table, label, columns, False)
    with_products = _log_p(table, label, columns, True)
    log_p = np.minimum(np.minimum(by_itself, with_products) + np.log(2.0), 0.0)
    discovered = discoveries(log_p, _LEVEL, "bh")
    return [name for place, name in enumerate(table.features) if discovered[place] and name in members]


def _log_p(table: Drawn, label: str, columns: Mapping[str, np.ndarray], has_products: bool) -> np.ndarray:
    """Test all features: members given the others, and what is none given all members."""
    levels, codes = np.unique(table.frame[label], return_inverse=True)
    regression = LogisticRegression(codes, len(levels))
    members = sorted(table.boundary(label))
    blocks: list[tuple[set[str], np.ndarray]] = [(set(), np.ones((1, len(codes))))]
    blocks += [({member}, columns[member]) for member in members]
    if has_products:
        children = table.children(label)
        blocks += [
            ({child, spouse}, _products(columns[spouse], columns[child]))
            for child in children
            for spouse in table.causes[child]
            if spouse != label and spouse not in children
        ]
    whole = regression.fit(np.vstack([block for _, block in blocks]))
    owners_of_columns = [owners for owners, block in blocks for _ in block]
    log_p = []
    for feature in table.features:
        if feature in members:
            smaller = regression.fit(np.vstack([block for owners, block in blocks if feature not in owners]))
            chosen = np.array([feature in owners for owners in owners_of_columns])
            tested = regression.ratio(whole, smaller, chosen)
        elif len(columns[feature]):
            tested = regression.score(whole, columns[feature])
        else:
            tested = 0.0, 1
        log_p.append(stats.chi2.logsf(*tested))
    return np.array(log_p)


def _columns(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "f":
        value = np.clip((values - values.mean()) / values.std(), -4.0, 4.0)
        return np.vstack([value, value**2, value**3])
    levels = np.unique(values)
    return (values == levels[1:, np.newaxis]).astype(np.float64)


def _products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (left[:, np.newaxis] * right).reshape(-1, left.shape[1])


METHODS: Mapping[str, Method] = {
    "defaults": _by(),
    "as published": _by(procedure="as published"),
    "plain level": _by(false_discovery="none"),
    "Pearson": _by(test="x2"),
    "regressions": _by(test="basis"),
    "BIC": by_bic,
    "told": by_true_members,
}
