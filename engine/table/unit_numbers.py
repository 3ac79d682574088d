"""Whole numbers that name units of several rows, as pigs or firms, whatever the column is called.

The columns beside them tell. What a unit is or was at the start, such as sex, treatment and birth weight, is
the same in all of its rows, and differs from one unit to the next without order. Of a number that measures
something, what goes with it follows from it: the age group rises with age. And units have about as many rows
each, where numbers that measure have many near the middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from engine.table.identifier_words import NUMBER, TIME
from engine.table.number_names import counts_something, measures_something, named_as_kinds, words_of
from engine.table.variable import Kind, Role, Variable, missing_mask

# Fewer values are levels of a factor.
_FEWEST_UNITS = 20
# On average there are as many rows of a unit.
FEWEST_ROWS_OF_UNIT, _MOST_ROWS = 1.3, 50.0
# Numbers of years are none of units.
_YEARS = (1800.0, 2100.0)
# So few numbers are left out between the least and the greatest, save for units that dropped out.
_MOST_PLACES = 1.1
# The numbers of units that are drawn from many are spread over their range; fewer may be measured as well.
_LEAST_BETWEEN_QUARTILES, _FEWEST_DRAWN = 0.3, 60
# In so many tables chance lets a column be constant within units.
_LOG_RARE = math.log(1e6)
# So many columns of what units are must be there: one where a further column, as of years, tells the rows of
# each apart; and more where units have unlike numbers of rows.
_FEWEST_TRAITS, _FEWEST_OF_UNEVEN = 2, 3
# So many pairs of rows of one unit would have one value of a further column by chance, and none has.
_FEWEST_PAIRS_EXPECTED = 7.0
# The variance of the number of rows is this share of their mean at most, which it is by chance.
_MOST_UNEVEN = 0.7
# Successive values of units differ by chance twice the variance, squared, and less where they are in order.
_LEAST_DISORDER = 1.0
_PAIRS_LOOKED_AT = 64
_MOST_CANDIDATES = 8
# Of a wide table, so many columns at either side are looked at: what is in between was measured in each row.
_MOST_AT_SIDE = 500


def number_of_units(variables: Sequence[Variable], columns: Sequence[np.ndarray]) -> str | None:
    """Return the feature that names units of which there are several rows; None where there is none."""
    pairs = list(zip(variables, columns, strict=True))
    if len(pairs) > 2 * _MOST_AT_SIDE:
        pairs = pairs[:_MOST_AT_SIDE] + pairs[-_MOST_AT_SIDE:]
    candidates = [pair for pair in pairs if may_number_units(*pair) and _are_spread(np.unique(pair[1]))]
    identifying = []
    for variable, column in candidates[:_MOST_CANDIDATES]:
        units = _Units(column)
        beside = ((candidate, values) for candidate, values in pairs if candidate is not variable)
        traits = list(units.traits(beside, len(pairs)))
        fewest = _FEWEST_TRAITS if units.are_even else _FEWEST_OF_UNEVEN
        if len(traits) == 1 and units.are_even:
            fewest -= any(units.are_told_apart(*pair) for pair in pairs if pair[0] is not variable)
        if len(traits) >= fewest:
            identifying.append((-len(traits), -units.count, variable.name))
    return min(identifying)[-1] if identifying else None


def may_number_units(variable: Variable, column: np.ndarray) -> bool:
    """Tell by its own name and values whether a column may name units."""
    rows = len(column)
    if variable.kind is not Kind.CONTINUOUS or variable.role is not Role.FEATURE:
        return False
    if rows < FEWEST_ROWS_OF_UNIT * _FEWEST_UNITS or column[0] % 1 > 0:
        return False
    least, greatest = column.min(), column.max()
    # False with missing values, too.
    if not (least >= 1 and greatest < 2.0**53 and greatest - least >= _FEWEST_UNITS - 1):
        return False
    if _YEARS[0] <= least and greatest <= _YEARS[1]:
        return False
    if (column[:100] % 1 > 0).any() or (column % 1 > 0).any():
        return False
    values = np.unique(column)
    if not _FEWEST_UNITS <= len(values) <= rows / FEWEST_ROWS_OF_UNIT or rows > _MOST_ROWS * len(values):
        return False
    return not _says_otherwise(variable.name)


def _says_otherwise(name: str) -> bool:
    """Tell whether a name is that of times, measurements, counts or kinds."""
    words = words_of(name)
    if NUMBER.issuperset(words):
        return False
    is_time = words[-1] in TIME or words[0] in TIME
    return is_time or measures_something(name) or counts_something(name) or named_as_kinds(name)


def _are_spread(values: np.ndarray) -> bool:
    """Tell whether numbers leave out hardly any, or are spread over their range."""
    width = values[-1] - values[0]
    if width + 1 <= _MOST_PLACES * len(values):
        return True
    lower, upper = np.quantile(values, (0.25, 0.75))
    return len(values) >= _FEWEST_DRAWN and bool(upper - lower >= _LEAST_BETWEEN_QUARTILES * width)


class _Units:
    """Rows by the unit that a number names, in the order of the numbers."""

    def __init__(self, column: np.ndarray) -> None:
        values, self._of_row = np.unique(column, return_inverse=True)
        self.count = len(values)
        counts = np.bincount(self._of_row)
        self.are_even = bool(counts.var() < _MOST_UNEVEN * counts.mean())
        self._pairs = float((counts * (counts - 1.0)).sum()) / 2
        self._order = np.argsort(self._of_row, kind="stable")
        ordered = self._of_row[self._order]
        self._is_same = ordered[1:] == ordered[:-1]
        later = np.flatnonzero(self._is_same) + 1
        some = later[:: max(1, len(later) // _PAIRS_LOOKED_AT)]
        self._earlier, self._later = self._order[some - 1], self._order[some]
        self._first = self._order[np.flatnonzero(np.append(True, ~self._is_same))]

    def are_told_apart(self, variable: Variable, column: np.ndarray) -> bool:
        """Tell whether a column of few values differs in all rows of each unit, not by chance."""
        if (column[self._earlier] == column[self._later]).any() or missing_mask(variable, column).any():
            return False
        _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
        if self._pairs * float(((counts / len(column)) ** 2).sum()) < _FEWEST_PAIRS_EXPECTED:
            return False
        return len(np.unique(self._of_row * len(counts) + codes)) == len(column)

    def traits(self, beside: Iterator[tuple[Variable, np.ndarray]], count: int) -> Iterator[str]:
        """Give the columns that are the same in all rows of each unit, far from chance and not in order."""
        earlier_units: list[np.ndarray] = []
        for variable, column in beside:
            if not (column[self._earlier] == column[self._later]).all():
                continue
            if missing_mask(variable, column).any():
                continue
            ordered = column[self._order]
            if not (ordered[1:] == ordered[:-1])[self._is_same].all():
                continue
            of_units = np.unique(column[self._first], return_inverse=True)[1]
            if not self._is_trait(variable, of_units, np.bincount(of_units), count):
                continue
            # What another column says already is no further trait.
            if any(_are_recoded(of_units, earlier) for earlier in earlier_units):
                continue
            earlier_units.append(of_units)
            yield variable.name

    def _is_trait(self, variable: Variable, of_units: np.ndarray, units_of: np.ndarray, columns: int) -> bool:
        if len(units_of) < 2 or (variable.kind is Kind.NOMINAL and 2 * len(units_of) > self.count):
            return False
        rows_of = np.bincount(of_units[self._of_row])
        log_chance = _log_orders(units_of) - _log_orders(rows_of)
        if log_chance + math.log(columns) > -_LOG_RARE:
            return False
        if variable.kind is Kind.NOMINAL and len(units_of) > 2:
            by_chance = 1 - float(((units_of / self.count) ** 2).sum())
            return bool((np.diff(of_units) != 0).mean() >= 0.5 * _LEAST_DISORDER * by_chance)
        values = np.cumsum(units_of)[of_units] - units_of[of_units] / 2
        return bool((np.diff(values) ** 2).mean() >= _LEAST_DISORDER * values.var())


def _log_orders(counts: np.ndarray) -> float:
    return math.lgamma(counts.sum() + 1) - sum(math.lgamma(count + 1) for count in counts.tolist())


def _are_recoded(first: np.ndarray, second: np.ndarray) -> bool:
    """Tell whether two columns divide the units in the same way."""
    cells = len(np.unique(first * (int(second.max()) + 1) + second))
    return cells == int(first.max()) + 1 == int(second.max()) + 1
