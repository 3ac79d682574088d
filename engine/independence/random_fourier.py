"""RCoT on a table: features of all variables, drawn once, and the screen for what acts only together.

Two variables that act on a label only together (a product, an exclusive-or) are independent of it one by one,
so that no marginal test lets them in. The screen looks at pairs: those whose products go with the label are
tested with each other held fixed, and those that pass by Benjamini and Hochberg (1995) over all pairs of one
that is not found alone are *partners* about that label: tests of either with the label hold the other fixed
too, and take its features times those of the other beside its own, as the authors' RCIT does, since a
covariance averaged over the other is zero for a product. What is given out for such a test is then about the
two together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.independence.arranging import TestColumns
from engine.independence.chi_squared import log_chi2_sf
from engine.independence.data import TestData
from engine.independence.false_discovery import discoveries
from engine.independence.interface import PlacedTest, placed_test, run_tests
from engine.independence.options import TestOptions
from engine.independence.random_fourier_kernel import ENDS, FIXED_FEATURES, RandomFourierTable
from engine.independence.tails import bounded
from engine.table.variable import Kind, Role

_PAIRS_PER_VARIABLE = 3
NO_PARTNER = -1


@dataclass(frozen=True)
class LowOrders:
    """Columns whose products the screen looks at: indicators, and numbers with their squares.

    Attributes
    ----------
    columns : ndarray of float64, shape (columns, rows)
        Of mean 0 and variance 1.
    variable : ndarray of int64, shape (columns,)
        To which variable each belongs.
    """

    columns: np.ndarray
    variable: np.ndarray


def low_orders(columns: TestColumns) -> LowOrders:
    """Return the columns whose products the screen looks at."""
    blocks = []
    for variable, values in zip(columns.variables, columns.values, strict=True):
        if variable.kind is Kind.NOMINAL:
            blocks.append(standardised(indicators(values)))
        else:
            line = np.clip(standardised(values[None])[0], -ENDS, ENDS)
            blocks.append(standardised(np.array([line, line**2])))
    owners = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    return LowOrders(np.concatenate(blocks), owners)


class Partner(NamedTuple):
    """A pair that acts on a label together: `variable`, which is not found alone, and its partner."""

    log_p: float
    label: int
    variable: int
    partner: int


def enter_partners(table: RandomFourierTable, labels: Sequence[int], low: LowOrders, alpha: float) -> None:
    """Enter the pairs that act on labels together: all are looked for before any is entered."""
    found = [partner for label in labels for partner in _partners(table, label, low, alpha)]
    # The surest partner of a variable is entered last.
    for pair in sorted(found, key=lambda pair: -pair.log_p):
        _enter(table, pair.label, pair.variable, pair.partner)


def _partners(table: RandomFourierTable, label: int, low: LowOrders, alpha: float) -> list[Partner]:
    """List the pairs that act on a label together, where one of them does nothing alone."""
    others = np.array([position for position in range(len(table.partners)) if position != label])
    single = placed_test(table, 1)
    alone = discoveries(np.array([_log_p(single, label, position) for position in others]), alpha, "bh")
    hidden = np.ones(len(table.partners), dtype=np.bool_)
    hidden[others[alone]] = False
    one, other = _promising(table, label, low, hidden)
    tested = np.concatenate([one, other])
    given = np.concatenate([other, one])
    # Not those that are found alone: being found again, they would lower the bar for all others.
    tested, given = tested[hidden[tested]], given[hidden[tested]]
    log_p = np.zeros(int(hidden[others].sum()) * (len(others) - 1))
    test = placed_test(table, 1)
    for position, (variable, partner) in enumerate(zip(tested, given, strict=True)):
        _enter(table, label, variable, partner)
        log_p[position] = _log_p(test, label, variable)
        _enter(table, label, variable, NO_PARTNER)
    return [
        Partner(float(log_p[position]), label, int(tested[position]), int(given[position]))
        for position in np.flatnonzero(discoveries(log_p, alpha, "bh"))
    ]


def _enter(table: RandomFourierTable, label: int, variable: int, partner: int) -> None:
    table.partners[label, variable] = table.partners[variable, label] = partner


def _promising(
    table: RandomFourierTable, label: int, low: LowOrders, hidden: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs whose products go best with the label: a few for each variable."""
    count, rows = len(hidden), low.columns.shape[1]
    strength = np.zeros((count, count))
    for feature in table.features[table.first_feature[label] : table.first_feature[label + 1]]:
        together = (low.columns * feature) @ low.columns.T
        spread = np.sqrt((low.columns**2 * feature**2) @ (low.columns**2).T)
        score = np.abs(together) / np.maximum(spread, math.sqrt(rows) * 1e-6)
        np.maximum.at(strength, (low.variable[:, None], low.variable[None, :]), score)
    strength[label] = strength[:, label] = 0.0
    strength[~hidden[:, None] & ~hidden[None, :]] = 0.0
    one, other = np.triu_indices(count, 1)
    best = np.argsort(-strength[one, other], kind="stable")[: _PAIRS_PER_VARIABLE * count]
    best = best[strength[one[best], other[best]] > 0.0]
    return one[best], other[best]


def _log_p(test: PlacedTest, label: int, variable: int) -> float:
    """Return log p of a label and a variable with nothing held fixed but their partner."""
    nothing, size, stop = np.zeros((1, 1), dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1, np.uint8)
    one, other = np.array([label]), np.array([variable])
    statistic, dof, _, _ = run_tests(test, one, other, nothing, size, stop)
    return float(log_chi2_sf(statistic[0], dof[0]))


def indicators(codes: np.ndarray) -> np.ndarray:
    """Return an indicator of every level that occurs but the first."""
    return np.array([codes == level for level in np.unique(codes)[1:]], dtype=np.float64).reshape(
        -1, len(codes)
    )


def standardised(block: np.ndarray) -> np.ndarray:
    """Give each column mean 0 and, if it varies, variance 1."""
    deviations = block.std(axis=1, keepdims=True)
    found: np.ndarray = (block - block.mean(axis=1, keepdims=True)) / np.where(
        deviations > 0, deviations, 1.0
    )
    return found


_TESTED_FEATURES = 5
# Waves of each number that is held fixed, in radians a width: they follow any smooth curve.
_WAVES = (0.6, 1.2, 1.8, 2.4)
# The width of the kernel is the median distance of so many rows.
_WIDTH_ROWS = 500
# Beyond so many widths from the median numbers are far: of a normal law one in eighteen.
_FAR = 2.0
_SEED = 20190017
# Where a column's values in their order are looked at, and how coarsely, to draw its random numbers.
_PLACES = (0.0, 0.07, 0.23, 0.41, 0.5, 0.62, 0.79, 0.94, 1.0)
_COARSE = 1e-3


@dataclass(frozen=True, eq=False)
class RandomFourierData(TestData):
    """Features whose residuals' covariances are tested."""

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(log_alpha=math.log(alpha))


def arrange(columns: TestColumns, options: TestOptions) -> RandomFourierData:
    """Draw the features of every variable, and look for partners about every label."""
    count = len(columns.variables)
    blocks = [
        standardised(indicators(values))
        if variable.kind is Kind.NOMINAL
        else standardised(bounded(values[None]))
        for variable, values in zip(columns.variables, columns.values, strict=True)
    ]
    generators = _generators(blocks)
    frequencies, phases = np.zeros((2, count, _TESTED_FEATURES))
    ranking = np.array([own[0].random() if own else 0.0 for own in generators])
    features, waves, coordinates, fixed = [], [], [], []
    for position, (variable, block) in enumerate(zip(columns.variables, blocks, strict=True)):
        own = generators[position]
        fixed += [each.standard_normal(FIXED_FEATURES) for each in own]
        if variable.kind is Kind.NOMINAL:
            coordinates.append(block)
            waves.append(block[:0])
            features.append(block)
            continue
        frequencies[position] = own[0].standard_normal(_TESTED_FEATURES)
        phases[position] = own[0].uniform(0.0, 2.0 * np.pi, _TESTED_FEATURES)
        scaled = _pulled_in(block[0])
        coordinates.append(scaled[None])
        angles = np.array(_WAVES)[:, None] * scaled
        waves.append(np.concatenate([np.sin(angles), np.cos(angles)]))
        block = np.cos(frequencies[position][:, None] * scaled + phases[position][:, None])
        features.append(block - block.mean(axis=1, keepdims=True))
    table = RandomFourierTable(
        np.concatenate(features),
        _starts(features),
        frequencies,
        phases,
        np.concatenate(waves),
        _starts(waves),
        np.concatenate(coordinates),
        _starts(coordinates),
        np.array(fixed).reshape(-1, FIXED_FEATURES).T.copy(),
        np.random.default_rng(_SEED).uniform(0.0, 2.0 * np.pi, FIXED_FEATURES),
        np.full((count, count), NO_PARTNER),
        np.array([variable.role is Role.LABEL for variable in columns.variables]),
        ranking,
        math.log(options.alpha),
    )
    labels = [place for place, variable in enumerate(columns.variables) if variable.role is Role.LABEL]
    if labels:
        enter_partners(table, labels, low_orders(columns), options.alpha)
    return RandomFourierData(table, columns.names, columns.rows, options.alpha, columns.traits)


def _generators(blocks: Sequence[np.ndarray]) -> list[list[np.random.Generator]]:
    """Make a source of random numbers for each column, of what stands in it.

    Each hangs on how the values of a column are distributed and on how they go with the sum of all columns:
    neither names, units, nor the order of rows or of columns change it, and columns that are distributed
    alike have others.
    """
    together = sum((block.sum(axis=0) for block in blocks), np.zeros(blocks[0].shape[1]))
    beside = standardised(np.array([together, together * together]))
    places = np.round(np.array(_PLACES) * (len(together) - 1)).astype(np.int64)
    generators = []
    for block in blocks:
        traits = np.concatenate([np.sort(block, axis=1)[:, places], block @ beside.T / len(together)], axis=1)
        # So coarse that rounding errors, as of a unit, hardly ever change a digit.
        digits = np.round(traits / _COARSE).astype(np.int64) & 0xFFFFFFFF
        generators.append([np.random.default_rng([_SEED, *each]) for each in digits.tolist()])
    return generators


def _pulled_in(values: np.ndarray) -> np.ndarray:
    """Return numbers in widths from their median, those beyond a few as the logarithm of what is beyond.

    Else a few far numbers would be strewn over many waves of a cosine while all others share a small part of
    one. Different numbers stay different, so that what is independent given a number is so given what is made
    of it; cutting far ones off would not do that. The others stay as they are, and with them their curves.
    """
    widths = (values - np.median(values)) / _width(values)
    beyond = np.maximum(np.abs(widths) - _FAR, 0.0)
    pulled: np.ndarray = np.sign(widths) * (np.minimum(np.abs(widths), _FAR) + np.log1p(beyond))
    return pulled - float(pulled.mean())


def _width(values: np.ndarray) -> float:
    """Return the median distance of two values that differ, of so many that lie evenly among all."""
    some = np.sort(values)
    if len(some) > _WIDTH_ROWS:
        some = some[np.round(np.linspace(0, len(some) - 1, _WIDTH_ROWS)).astype(np.int64)]
    # Each pair once.
    distances = np.concatenate([some[place:] - some[:-place] for place in range(1, len(some))])
    distances = distances[distances > 0]
    return float(np.median(distances)) if distances.size else float(np.ptp(values))


def _starts(blocks: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(block) for block in blocks])]).astype(np.int64)
