"""Labels and features arranged for the likelihood ratio with basis functions, and fits of sets of them.

Blocks of columns that are jointly Gaussian have the likelihood of a determinant (the degenerate Gaussian
score: Andrews, Ramsey and Cooper 2019, Learning high-dimensional directed acyclic graphs with mixed
data-types, PMLR 104:4-21). As in the test, what concerns the variables themselves counts in full and the rest
half.

The screen of one variable against many with nothing held fixed.

Nearly all pairs of a screen are plain: all of their columns are compared, and sums of their products are as
good as normal. Columns of one variable are orthonormal, so that what x leaves of y is the identity less
products of products: the same as :func:`engine.independence.basis.ratio.likelihood_ratio` in a tenth of the
time, as many pairs go through each step side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.independence.basis.combined import DataWithCategories
from engine.independence.basis.kernel import find_offsets, pairs_compared, test_members
from engine.independence.basis.products import test_with_products
from engine.independence.basis.ratio import (
    CLEARLY_LESS,
    MANY_SHARED,
    SMALLEST_SHARE,
    WEIGHT,
    is_remarkable,
    likelihood_ratio,
    weighed,
)
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    new_basis_workspace,
    tested_width,
)
from engine.independence.chi_squared import CriticalValues, critical_ratio
from engine.independence.columns import TestColumns
from engine.independence.data import Answers, BlockFits, SharesLeft
from engine.independence.linear_systems import products_at
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits

_SMALLEST_NUMBER = float(np.finfo(float).tiny)
# So many pairs go side by side; of wide ones as many as stay near the processor, in numbers of each array.
_MOST_PAIRS, _FEWEST_PAIRS = 64, 4
_NEAR = 2**14


class _Outcomes(NamedTuple):
    """Outcomes of tests, as arrays of shape (tests,)."""

    statistic: np.ndarray
    dof: np.ndarray
    ratio: np.ndarray
    reliable: np.ndarray


class _Abreast(NamedTuple):
    """Pairs of one variable with others of equally many columns, and room for their products."""

    places: np.ndarray  # (pairs,): where each of the others stands among all that are asked about
    leading: np.ndarray  # (pairs,): columns of each other that stand for the variable itself
    widths: np.ndarray  # (pairs,): all of them
    products: np.ndarray  # (widest, widest, pairs), of the one with each other
    left: np.ndarray  # alike: of each other, above the diagonal, as far as the one leaves them
    copy: np.ndarray  # the same, for a determinant
    whole: np.ndarray  # (pairs,): determinants of all columns
    first: np.ndarray  # (pairs,): of those that stand for the variable itself


def marginal_tests(
    data: BasisTable, critical: CriticalValues, x: int, others: np.ndarray, stop: np.ndarray
) -> Any:
    """Test one variable against others with nothing held fixed, over complete rows; `stop` as of `run_tests`.

    Return statistic, dof, ratio and reliable as of tests one by one; to four digits where products are there
    in single precision and nothing is remarkable about them.
    """
    mine = slice(data.tested[x], data.tested[x + 1])
    is_single = data.screened.size > 0
    if is_single:
        products = data.screened[mine].astype(np.float64)
    else:
        products = data.columns[mine] @ data.columns[: data.tested[-1]].T
    count, widest = len(others), data.widest
    outcomes = _Outcomes(np.empty(count), np.empty(count), np.empty(count), np.empty(count, np.bool_))
    pairs = max(_FEWEST_PAIRS, min(_MOST_PAIRS, _NEAR // widest**2))
    abreast = _Abreast(
        *np.empty((3, pairs), np.int64),
        *np.empty((3, widest, widest, pairs)),
        *np.empty((2, pairs)),
    )
    workspace = new_basis_workspace(data, 0)
    _test_each(data, workspace, critical, abreast, x, products, is_single, others, stop, outcomes)
    return tuple(outcomes)


@counting_kernel
def _test_each(
    data: BasisTable,
    workspace: BasisWorkspace,
    critical: CriticalValues,
    abreast: _Abreast,
    x: int,
    products: np.ndarray,
    is_single: bool,
    others: np.ndarray,
    stop: np.ndarray,
    outcomes: _Outcomes,
) -> None:
    if is_single:
        _test_plain_pairs(data, critical, abreast, x, products, others, stop, outcomes)
    for position in range(others.shape[0]):
        if stop[0]:
            break
        other = others[position]
        is_plain = is_single and _is_plain(data, x, other)
        if not is_plain:
            workspace.members[0], workspace.members[1] = x, other
            find_offsets(data, workspace, START)
            p = workspace.offsets[1]
            for row in range(workspace.offsets[2]):
                for column in range(row, workspace.offsets[2]):
                    workspace.matrix[row, column] = 1.0 if row == column else 0.0
            for row in range(p):
                for column in range(workspace.offsets[2] - p):
                    workspace.matrix[row, p + column] = products[row, data.tested[other] + column]
            rows = np.float64(data.columns.shape[1])
            _write(outcomes, position, likelihood_ratio(data, workspace, critical, START, rows))
        statistic, dof = outcomes.statistic[position], outcomes.dof[position]
        if is_single and is_remarkable(statistic, dof):
            workspace.members[0], workspace.members[1] = min(x, other), max(x, other)
            _write(outcomes, position, test_members(data, workspace, critical, START))


@merged_part
def _write(outcomes: _Outcomes, place: int, outcome: Any) -> None:
    """Write the outcome of a test."""
    outcomes.statistic[place], outcomes.dof[place] = outcome[0], outcome[1]
    outcomes.ratio[place], outcomes.reliable[place] = outcome[2], outcome[3]


@merged_part
def _is_plain(data: BasisTable, x: int, y: int) -> bool:
    """Tell whether all columns of two variables are compared, and their products are as good as normal."""
    p, q = tested_width(data, x), tested_width(data, y)
    if min(p, q) == 0:
        return False
    carrying = data.carrying[data.tested[x + 1] - 1] * data.carrying[data.tested[y + 1] - 1]
    rows = np.float64(data.columns.shape[1])
    is_borne = rows >= data.min_rows_per_dof * np.float64(p * q)
    return bool(carrying >= MANY_SHARED * rows and is_borne and rows - 1.0 - 0.5 * (p + q + 1.0) > 0.0)


@counting_part
def _test_plain_pairs(
    data: BasisTable,
    critical: CriticalValues,
    abreast: _Abreast,
    x: int,
    products: np.ndarray,
    others: np.ndarray,
    stop: np.ndarray,
    outcomes: _Outcomes,
) -> None:
    """Test those of the pairs that are plain, by how many columns the others have."""
    for width in range(1, data.widest + 1):
        count = 0
        for position in range(others.shape[0]):
            if stop[0]:
                return
            other = others[position]
            if tested_width(data, other) == width and _is_plain(data, x, other):
                abreast.places[count] = position
                abreast.leading[count], abreast.widths[count] = min(width, data.leading[other]), width
                for row in range(products.shape[0]):
                    for column in range(width):
                        abreast.products[row, column, count] = products[row, data.tested[other] + column]
                count += 1
            if count == abreast.places.shape[0] or (count > 0 and position == others.shape[0] - 1):
                _test_abreast(data, critical, abreast, count, x, width, outcomes)
                count = 0


@counting_part
def _test_abreast(
    data: BasisTable,
    critical: CriticalValues,
    abreast: _Abreast,
    count: int,
    x: int,
    width: int,
    outcomes: _Outcomes,
) -> None:
    """Test some pairs of which the others have equally many columns."""
    rows, p = np.float64(data.columns.shape[1]), tested_width(data, x)
    leading_x, leading = min(p, data.leading[x]), abreast.leading
    most_leading = 0
    for pair in range(count):
        most_leading = max(most_leading, leading[pair])
    for row in range(width):
        for column in range(row, width):
            for pair in range(count):
                abreast.left[row, column, pair] = 1.0 if row == column else 0.0
    _take_off(abreast, 0, leading_x, width, count)
    for row in range(most_leading):
        for column in range(row, most_leading):
            for pair in range(count):
                abreast.copy[row, column, pair] = abreast.left[row, column, pair]
    _determinants(abreast.copy, leading, most_leading, count, abreast.first)
    _take_off(abreast, leading_x, p, width, count)
    _determinants(abreast.left, abreast.widths, width, count, abreast.whole)
    dof, scale = np.float64(p * width), rows - 1.0 - 0.5 * (p + width + 1.0)
    for pair in range(count):
        leading_scale = rows - 1.0 - 0.5 * (leading_x + leading[pair] + 1.0)
        whole = max(0.0, -scale * math.log(abreast.whole[pair]))
        first = max(0.0, -leading_scale * math.log(abreast.first[pair]))
        statistic = weighed(data, whole, first, dof, np.float64(leading_x * leading[pair]))
        outcome = statistic, dof, critical_ratio(critical, statistic, dof), True
        _write(outcomes, abreast.places[pair], outcome)


@merged_part
def _take_off(abreast: _Abreast, start: int, end: int, width: int, count: int) -> None:
    """Take the columns from `start` to `end` of the one off what is left of each other."""
    for number in range(start, end):
        for row in range(width):
            factors = abreast.products[number, row]
            for column in range(row, width):
                beside, left = abreast.products[number, column], abreast.left[row, column]
                for pair in range(count):
                    left[pair] -= factors[pair] * beside[pair]


@counting_part
def _determinants(
    matrices: np.ndarray, sizes: np.ndarray, width: int, count: int, determinants: np.ndarray
) -> None:
    """Write the determinants of matrices that are given above their diagonals, and are overwritten.

    Of each the first columns count, as many as its size says.
    """
    for pair in range(count):
        determinants[pair] = 1.0
    for pivot in range(width):
        diagonal = matrices[pivot, pivot]
        for pair in range(count):
            diagonal[pair] = max(diagonal[pair], SMALLEST_SHARE)
            determinants[pair] *= diagonal[pair] if pivot < sizes[pair] else 1.0
        for row in range(pivot + 1, width):
            across = matrices[pivot, row]
            for column in range(row, width):
                beside, left = matrices[pivot, column], matrices[row, column]
                for pair in range(count):
                    left[pair] -= across[pair] / diagonal[pair] * beside[pair]
    for pair in range(count):
        determinants[pair] = max(determinants[pair], _SMALLEST_NUMBER)


# With more columns, as categories of many levels have, all sets would take longer than the search.
_MOST_COLUMNS = 65


def borne_variables(table: BasisTable, variables: np.ndarray, rows: float) -> int:
    """Say how many of some variables, from the first on, fit into one model of so many rows."""
    columns = np.cumsum(np.diff(table.tested)[variables])
    return int((columns <= min(rows / ROWS_PER_COLUMN, _MOST_COLUMNS)).sum())


def basis_fits(
    table: BasisTable, variables: np.ndarray, complete: np.ndarray | None, times: np.ndarray | None
) -> SetFits:
    """Return the fits of all sets of variables, over `complete` rows, each as often as it occurred."""
    columns = [np.arange(table.tested[each], table.tested[each + 1]) for each in variables]
    widths = [len(each) for each in columns]
    products, rows = _products(table, np.concatenate(columns), complete, times)
    leading = [min(int(table.leading[each]), width) for each, width in zip(variables, widths, strict=True)]
    starts = np.cumsum([0, *widths[:-1]])
    first = np.concatenate(
        [np.arange(start, start + count) for start, count in zip(starts, leading, strict=True)]
    )
    whole = gaussian_fits(products, widths, rows)
    itself = gaussian_fits(products[np.ix_(first, first)], leading, rows)
    return SetFits(
        WEIGHT * whole.statistic + (1.0 - WEIGHT) * itself.statistic,
        WEIGHT * whole.dof + (1.0 - WEIGHT) * itself.dof,
    )


def _products(
    table: BasisTable, columns: np.ndarray, complete: np.ndarray | None, times: np.ndarray | None
) -> tuple[np.ndarray, float]:
    """Return the products of some columns over complete rows, and how many rows these are."""
    if complete is None and times is None:
        rows = float(table.columns.shape[1])
        if table.products.size:
            return table.products[np.ix_(columns, columns)], rows
        return products_at(table.columns, columns), rows
    chosen = np.ones(table.columns.shape[1]) if times is None else times
    chosen = chosen if complete is None else chosen * complete
    rows = float(chosen.sum())
    values = table.columns[columns]
    values = values - (values @ chosen / rows)[:, None]
    products = (values * chosen) @ values.T
    lengths = np.sqrt(np.diag(products))
    # What does not vary over these rows stays of length 0 and tells nothing.
    lengths[lengths == 0.0] = 1.0
    return products / np.outer(lengths, lengths), rows


@dataclass(frozen=True, eq=False)
class BasisData(DataWithCategories):
    """Blocks of basis functions whose likelihood ratios are tested, and categories that are counted."""

    source: TestColumns = field(kw_only=True)

    @property
    def groups(self) -> np.ndarray | None:
        """Which rows belong together."""
        return self.source.groups

    @property
    def regresses(self) -> bool:
        """The columns of linear and logistic models are at hand."""
        return True

    def outcome_of(self, variable: int) -> tuple[np.ndarray, int] | None:
        """Return the numbers or the codes of a variable."""
        return self.source.values[variable], self.source.levels[variable]

    def predictors_of(self, variable: int, most: int | None = None) -> np.ndarray | None:
        """Return the basis functions of a variable, those that are tested first, scaled to variance 1."""
        columns, tested, further = self.counted.columns, self.counted.tested, self.counted.further
        first = columns[tested[variable] : tested[variable + 1]][:most]
        rest = columns[further[variable] : further[variable + 1]]
        rest = rest if most is None else rest[: most - len(first)]
        scaled, scale = np.empty((len(first) + len(rest), columns.shape[1])), math.sqrt(self.observations)
        np.multiply(first, scale, out=scaled[: len(first)])
        np.multiply(rest, scale, out=scaled[len(first) :])
        return scaled

    def predictors_of_each(
        self, variables: Sequence[int], most: Sequence[int]
    ) -> tuple[np.ndarray, list[int]]:
        """Return the first tested columns of each variable, fetched at once."""
        places = np.array(variables, dtype=np.int64)
        starts = self.counted.tested[places]
        counts = np.minimum(most, self.counted.tested[places + 1] - starts)
        before = np.cumsum(counts) - counts
        positions = np.repeat(starts - before, counts) + np.arange(counts.sum())
        columns: np.ndarray = self.counted.columns[positions]
        columns *= math.sqrt(self.observations)
        return columns, counts.tolist()

    def itself_in_predictors(self, variable: int, predictors: int, shares_left: SharesLeft) -> np.ndarray:
        """Return indicators; of a number its own scale, unless others explain clearly more of its ranks."""
        first = super().itself_in_predictors(variable, predictors, shares_left)
        itself = self.counted.itself[variable]
        places = np.array((0, 1, self.counted.tested[variable + 1] - self.counted.tested[variable]))
        written = np.zeros(predictors)
        written[places[itself != 0.0]] = itself[itself != 0.0]
        if not written.any():
            return first
        left_of_itself, left_of_first = shares_left(np.array((written, first[0])))
        return written[np.newaxis] if left_of_itself * CLEARLY_LESS < left_of_first else first

    @cached_property
    def block_fits(self) -> BlockFits | None:
        """Blocks of basis functions where rows are complete, independent, and not weighted but counted."""
        if not self.fits_sets or self.present is not None:
            return None
        # What is kept here must not hold the data itself, which would stay in memory.
        table, weights = self.counted, self.weights
        first = np.asarray(table.tested, dtype=np.int64)
        return BlockFits(
            first,
            np.minimum(table.leading, np.diff(first)),
            float(table.columns.shape[1] if weights is None else weights.sum()),
            lambda columns: _products(table, columns, None, weights)[0],
            WEIGHT,
        )

    @property
    def bears_products(self) -> bool:
        """Sets have products where rows are complete and independent, and none stands for a population."""
        return self.present is None and self.fits_sets

    def test_with_products(self, x: int, y: int, given: Sequence[int]) -> tuple[float, float] | None:
        """Test two variables given a set and the products of columns of its members."""
        return test_with_products(self.counted, x, y, given, self.weights)

    @property
    def fits_sets(self) -> bool:
        """Sets of variables have models where rows are independent and worth the same."""
        return self.source.groups is None and (self.weights is None or not self.is_sample)

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return the fits of sets of variables over the rows that are complete in all of them."""
        complete = None if self.present is None else self.complete_rows(variables.tolist())
        rows = self.observations_of(variables.tolist())
        borne = variables[: borne_variables(self.counted, variables, rows)]
        return basis_fits(self.counted, borne, complete, self.weights) if len(borne) > 1 else None

    @property
    def counted(self) -> BasisTable:
        """The columns: a table itself, or what it has inside where rows have gaps, weights or groups."""
        counted: BasisTable = getattr(self.table, "counted", self.table)
        return counted

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test: strata of what is counted, none of what is modelled."""
        places = self.categories.positions((x, y), given)
        if places is not None:
            return self.categories.data.nominal_dof(places[0], places[1], places[2:])
        return pairs_compared(self.counted, x, y, len(given))

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength of an association; of what is counted as in a table of categories."""
        places = self.categories.positions(tested, given)
        if places is not None:
            count = len(tested)
            return self.categories.data.effect(statistic, places[:count], places[count:])
        return self._effect_of_modelled(statistic, tested, given)

    def _effect_of_modelled(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        return super().effect(statistic, tested, given)

    def ask_marginal(self, x: int, others: np.ndarray, stop: np.ndarray) -> Answers:
        """Test one variable against others with nothing held fixed: products of numbers all at once."""
        if self.table is not self.counted or self.counted.products.size:
            return super().ask_marginal(x, others, stop)
        one = np.full(len(others), x)
        is_counted = self.categories.are_counted(one, others)
        modelled = marginal_tests(self.counted, self.critical, x, others[~is_counted], stop)
        return self.answers_of(self.categories.put_among(modelled, one, others, is_counted, stop), stop)


@dataclass(frozen=True, eq=False)
class ClusteredBasisData(BasisData):
    """Blocks of basis functions of rows that come in groups, or stand for unlike many."""

    def _effect_of_modelled(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength in the population that the rows stand for, whatever they are worth.

        It is that of independent rows with these weights: how much rows of a group are alike makes a finding
        less sure, and not weaker.
        """
        from engine.independence.batch import ask_joint

        x, *others = tested
        independent = self._as_independent
        answers = ask_joint(independent, [(x, tuple(others), given)], np.zeros(1, np.uint8))
        return independent._effect_of_modelled(float(answers.statistic[0]), tested, given)

    @cached_property
    def _as_independent(self) -> BasisData:
        from engine.independence.basis.incomplete import IncompleteBasisTable

        weights = self.table.weights * (self.rows / self.table.weights.sum())
        return BasisData(
            IncompleteBasisTable(self.counted, self.table.present, weights),
            names=self.names,
            rows=self.rows,
            critical=self.critical,
            traits=self.traits,
            present=self.present,
            weights=weights,
            source=self.source,
            categories=self.categories,
        )
