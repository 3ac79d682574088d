"""Labels and features arranged for the likelihood ratio with basis functions, and fits of sets of them.

Blocks of columns that are jointly Gaussian have the likelihood of a determinant (the degenerate Gaussian
score: Andrews, Ramsey and Cooper 2019, Learning high-dimensional directed acyclic graphs with mixed
data-types, PMLR 104:4-21). As in the test, what concerns the variables themselves counts in full and the rest
half.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from engine.independence.arranging import TestColumns
from engine.independence.basis.combined import DataWithCategories
from engine.independence.basis.kernel import pairs_compared
from engine.independence.basis.products import test_with_products
from engine.independence.basis.ratio import CLEARLY_LESS, WEIGHT
from engine.independence.basis.table import BasisTable
from engine.independence.block_fits import BlockFits
from engine.independence.chi_squared import chi2_critical_values
from engine.independence.data import Answers, SharesLeft
from engine.independence.linear_systems import products_at
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits

# With more columns, as categories of many levels have, all sets would take longer than the search.
_MOST_COLUMNS = 65


def borne_variables(table: BasisTable, variables: np.ndarray, rows: float) -> int:
    """Say how many of some variables, from the first on, fit into one model of so many rows."""
    columns = np.cumsum(np.diff(table.tested)[variables])
    return int((columns <= min(rows / ROWS_PER_COLUMN, _MOST_COLUMNS)).sum())


def basis_fits(
    table: BasisTable, variables: np.ndarray, complete: np.ndarray | None, times: np.ndarray | None
) -> SetFits:
    """Return the fits of all sets.

    Parameters
    ----------
    table : BasisTable
    variables : ndarray of int64, shape (n,)
        Positions.
    complete : ndarray of bool, shape (rows,), optional
        Rows without gaps in the variables; all when left out.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.
    """
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
        from engine.independence.basis.screen import marginal_tests

        one = np.full(len(others), x)
        is_counted = self.categories.are_counted(one, others)
        modelled = marginal_tests(self.counted, x, others[~is_counted], stop)
        return self.answers_of(self.categories.put_among(modelled, one, others, is_counted, stop), stop)

    def _table_at_level(self, alpha: float) -> Any:
        critical = chi2_critical_values(alpha, len(self.counted.critical) - 1)
        counted = self.counted._replace(critical=critical)
        if self.table is self.counted:
            return counted
        if "log_alpha" in self.table._fields:
            return self.table._replace(counted=counted, log_alpha=math.log(alpha))
        return self.table._replace(counted=counted)


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
            alpha=self.alpha,
            traits=self.traits,
            present=self.present,
            weights=weights,
            source=self.source,
            categories=self.categories,
        )
