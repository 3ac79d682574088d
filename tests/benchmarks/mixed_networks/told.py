"""A yardstick for recall: tests that are told every other member of the true boundary.

For a label with true members M, each member X is tested by the likelihood ratio of the label's own regression
(logistic for two levels, linear for numbers) on all of M, against that on all of M but X. A true pair counts
as found when X is significant by Benjamini and Hochberg (1995) over all features, at the level of the search;
features outside M are tested given all of M, by the score test, which is the same with many rows and needs no
further fit. No search is told M, and none holds so many variables fixed without a loss.

A number enters as it is ("line"), or also by square and cube, for which what lies beyond four robust standard
deviations is pulled in ("cubic"); a category by indicators. The first is the right form for causes in linear
networks, the second follows any smooth curve; the better of the two on a kind of networks is what a search is
compared with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from engine.independence.false_discovery import discoveries
from engine.simulation import SimulatedNetwork
from engine.table.dataset import Dataset
from engine.table.variable import Kind

LEVEL = 0.01
FORMS = ("line", "cubic")
_WINSOR = 4.0
_STEPS = 25
_CONVERGED = 1e-8


def told_recall(simulated: SimulatedNetwork, form: str) -> tuple[int, int]:
    """Count the true (feature, label) pairs, and those that tests told all other members find."""
    dataset, truth = simulated.dataset, simulated.truth
    columns = {name: _columns(dataset, name, form) for name in dataset.names}
    discovered_count = 0
    for label in truth.labels:
        members = sorted(truth.boundaries[label].members)
        y = dataset.column(label).astype(np.float64)
        fit = _linear if dataset.variable(label).kind is Kind.CONTINUOUS else _logistic
        whole = fit(_design(columns, members, len(y)), y)
        log_p = []
        for feature in dataset.features:
            if feature in members:
                others = [name for name in members if name != feature]
                statistic = fit(_design(columns, others, len(y)), y).deviance - whole.deviance
            else:
                statistic = whole.score_statistic(columns[feature])
            log_p.append(stats.chi2.logsf(max(statistic, 0.0), columns[feature].shape[1]))
        discovered = discoveries(np.array(log_p), LEVEL, "bh")
        discovered_count += sum(
            discovered[place] for place, name in enumerate(dataset.features) if name in members
        )
    return sum(map(len, truth.label_sets.values())), int(discovered_count)


@dataclass(frozen=True)
class _Fit:
    """A regression at its maximum: -2 log likelihood, and what a score test of further columns needs."""

    deviance: float
    design: np.ndarray
    rest: np.ndarray
    weights: np.ndarray

    def score_statistic(self, block: np.ndarray) -> float:
        """Give the score statistic of further columns, χ² with as many degrees of freedom."""
        weighted = self.design * self.weights[:, None]
        through = np.linalg.solve(weighted.T @ self.design, weighted.T @ block)
        beyond = block - self.design @ through
        score = beyond.T @ self.rest
        return float(score @ np.linalg.solve((beyond * self.weights[:, None]).T @ beyond, score))


def _design(columns: dict[str, np.ndarray], names: list[str], rows: int) -> np.ndarray:
    return np.column_stack([np.ones(rows), *(columns[name] for name in names)])


def _linear(design: np.ndarray, y: np.ndarray) -> _Fit:
    rest = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    variance = rest @ rest / len(y)
    return _Fit(len(y) * np.log(variance), design, rest / variance, np.full(len(y), 1 / variance))


def _logistic(design: np.ndarray, y: np.ndarray) -> _Fit:
    """Fit by Newton's method, halving steps that do not help."""
    coefficients = np.zeros(design.shape[1])
    deviance = 2 * len(y) * np.log(2.0)
    for _ in range(_STEPS):
        shares, weights = _shares(design @ coefficients)
        step = np.linalg.solve((design * weights[:, None]).T @ design, design.T @ (y - shares))
        tried = next(
            (
                t
                for t in (coefficients + step / 2**h for h in range(6))
                if _deviance(design @ t, y) < deviance
            ),
            coefficients,
        )
        gain = deviance - _deviance(design @ tried, y)
        coefficients, deviance = tried, deviance - gain
        if gain < _CONVERGED * deviance:
            break
    shares, weights = _shares(design @ coefficients)
    return _Fit(deviance, design, y - shares, weights)


def _shares(log_odds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    shares = 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    return shares, np.maximum(shares * (1 - shares), 1e-12)


def _deviance(log_odds: np.ndarray, y: np.ndarray) -> float:
    return float(2 * (np.logaddexp(0, log_odds) - y * log_odds).sum())


def _columns(dataset: Dataset, name: str, form: str) -> np.ndarray:
    variable, column = dataset.variable(name), dataset.column(name)
    if variable.kind is Kind.NOMINAL:
        return (column[:, None] == np.arange(1, variable.level_count)).astype(np.float64)
    middle = np.median(column)
    spread = 1.4826 * np.median(np.abs(column - middle))
    values = (column - middle) / spread
    if form == "line":
        return values[:, None]
    inside = np.clip(values, -_WINSOR, _WINSOR)
    return np.column_stack([values, inside**2, inside**3])
