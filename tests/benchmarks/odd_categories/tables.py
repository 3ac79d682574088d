"""Random graphs with a mechanism for each variable, and the tables drawn from them, kind by kind."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas

from tests.benchmarks.odd_categories.mechanisms import (
    Mechanism,
    cancelling,
    coarser,
    conditional_table,
    curve,
    either,
    few_counts,
    graded,
    line,
    log_odds,
    nearly_decided,
    noisy_and,
    noisy_or,
    rare,
)

LABELS = 5
_MOST_CAUSES, _MEAN_CAUSES = 3, 1.5
_SITES = {"season": 4, "site": 6}


@dataclass(frozen=True)
class Kind:
    """A kind of tables.

    Attributes
    ----------
    feature, label : Mechanism
        How variables follow from their causes.
    features : int
        How many there are.
    has_sites : bool
        Two columns, a season and a site, act on all others.
    has_detours : bool
        The second cause of a variable is an effect of its first one, where there is one before it.
    has_grades : bool
        Every third feature of three and more levels stands there in coarser grades, too.
    """

    feature: Mechanism
    label: Mechanism
    features: int = 60
    has_sites: bool = False
    has_detours: bool = False
    has_grades: bool = False


_ORDERED = either(graded(3), graded(5))
_LOG_ODDS = log_odds(2, 4)
KINDS: Mapping[str, Kind] = {
    "ordered levels": Kind(_ORDERED, _ORDERED),
    "log-odds": Kind(_LOG_ODDS, _LOG_ODDS),
    "noisy or": Kind(noisy_or, noisy_or),
    "noisy and": Kind(noisy_and, noisy_and),
    "sharp tables": Kind(conditional_table(0.4), conditional_table(0.4)),
    "even tables": Kind(conditional_table(3.0), conditional_table(3.0)),
    "cancelling": Kind(_ORDERED, graded(3, cancelling), has_detours=True),
    "rare outcomes": Kind(_ORDERED, rare),
    "rare levels": Kind(log_odds(3, 5, 1.2, 1.5), log_odds(3, 5, 1.2, 1.5)),
    "many levels": Kind(log_odds(6, 10, 1.0), log_odds(2, 4, 1.0)),
    "nearly decided": Kind(nearly_decided, nearly_decided),
    "coarser grades": Kind(graded(5), _ORDERED, has_grades=True),
    "season and site": Kind(_LOG_ODDS, _LOG_ODDS, has_sites=True),
    "wide": Kind(_LOG_ODDS, _LOG_ODDS, features=200),
    "mixed, lines": Kind(either(line, _LOG_ODDS), log_odds(3, 5)),
    "mixed, curves": Kind(either(curve, _ORDERED), _ORDERED),
    "mixed, few counts": Kind(either(few_counts, graded(3)), graded(4)),
    "mixed, cancelling": Kind(either(line, _ORDERED), graded(3, cancelling), has_detours=True),
    "mixed, rare outcomes": Kind(either(line, _LOG_ODDS), rare),
    "mixed, rare levels": Kind(either(line, log_odds(3, 5, 1.2, 1.5)), log_odds(3, 5, 1.2, 1.5)),
    "mixed, season and site": Kind(either(line, _LOG_ODDS), log_odds(2, 3), has_sites=True),
}


@dataclass(frozen=True)
class Drawn:
    """A table with what is true of it.

    Attributes
    ----------
    frame : pandas.DataFrame
    labels : tuple of str
    causes : dict of str to tuple of str
        Direct causes of each variable.
    """

    frame: pandas.DataFrame
    labels: tuple[str, ...]
    causes: Mapping[str, tuple[str, ...]] = field(repr=False)

    @property
    def features(self) -> list[str]:
        """Columns that are no labels."""
        return [name for name in self.frame if name not in self.labels]

    @property
    def edges(self) -> list[tuple[str, str]]:
        """Arrows, from cause to effect."""
        return [(cause, effect) for effect, causes in self.causes.items() for cause in causes]

    def children(self, name: str) -> list[str]:
        """Direct effects of a variable."""
        return [effect for effect, causes in self.causes.items() if name in causes]

    def boundary(self, name: str) -> set[str]:
        """Causes, effects, and other causes of effects."""
        children = self.children(name)
        spouses = {cause for child in children for cause in self.causes[child]}
        return ({*self.causes[name], *children} | spouses) - {name}

    @property
    def label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that have each feature in their boundary."""
        labels_of: dict[str, set[str]] = {}
        for label in self.labels:
            for member in self.boundary(label):
                labels_of.setdefault(member, set()).add(label)
        return {name: frozenset(labels_of[name]) for name in self.features if name in labels_of}


def drawn(name: str, seed: int, rows: int, sample: int = 0) -> Drawn:
    """Draw a network of a kind, and a table of it.

    Parameters
    ----------
    name : str
        One of `KINDS`.
    seed : int
        Which network.
    rows : int
    sample : int
        Which of its tables.
    """
    kind = KINDS[name]
    structure = np.random.default_rng([zlib.crc32(name.encode()), seed])
    chance = np.random.default_rng([zlib.crc32(name.encode()), seed, sample, rows])
    order, causes = _random_graph(structure, kind)
    labels = set(structure.choice(order, LABELS, replace=False).tolist())
    sites = _SITES if kind.has_sites else {}
    columns = {
        site: chance.choice(levels, rows, p=structure.dirichlet(np.full(levels, 4.0)))
        for site, levels in sites.items()
    }
    direct: dict[str, tuple[str, ...]] = dict.fromkeys(sites, ())
    names = {node: f"{'L' if node in labels else 'F'}{node}" for node in order}
    for node in order:
        direct[names[node]] = (*(names[cause] for cause in causes[node]), *sites)
        # A generator of its own, so that how many numbers one variable takes is nothing to the next.
        own = np.random.default_rng(structure.integers(2**32))
        values = [columns[cause] for cause in direct[names[node]]]
        mechanism = kind.label if node in labels else kind.feature
        columns[names[node]] = mechanism(own, chance, values, rows)
    if kind.has_grades:
        for node in [name for name in columns if name[0] == "F"][::3]:
            columns[f"C{node}"], direct[f"C{node}"] = coarser(columns[node]), (node,)
    shown = {column: _as_shown(columns[column]) for column in sorted(columns)}
    return Drawn(pandas.DataFrame(shown), tuple(node for node in shown if node[0] == "L"), direct)


def _as_shown(column: np.ndarray) -> np.ndarray:
    """Name levels; numbers stay."""
    return column if column.dtype.kind == "f" else np.char.add("level ", column.astype(str))


def _random_graph(structure: np.random.Generator, kind: Kind) -> tuple[list[int], dict[int, list[int]]]:
    """Draw an order of the variables, and the causes of each."""
    count = kind.features + LABELS
    order = structure.permutation(count).tolist()
    causes: dict[int, list[int]] = {order[0]: []}
    for position in range(1, count):
        wanted = min(position, int(structure.binomial(_MOST_CAUSES, _MEAN_CAUSES / _MOST_CAUSES)))
        chosen = structure.choice(order[:position], wanted, replace=False).tolist()
        if kind.has_detours and wanted > 1:
            effects = [node for node in order[:position] if chosen[0] in causes[node]]
            if effects and effects[0] not in chosen:
                chosen[1] = effects[0]
        causes[order[position]] = chosen
    return order, causes
