"""Fisher's z: which kind of table suits the numbers, complete or not, and where rows are a sample.

Where each row stands for some of a population, the partial correlation is that of the population: of
residuals of weighted least squares. How much it varies hangs on what the weights go with, as a row counts by
the square of its weight in the variance and by its weight in the mean. So the rows are worth the sum of the
weights over a design effect: the mean weight of the squared products of the two residuals (Fuller 1975,
Regression analysis for sample survey, Sankhyā C 37:117-132; Binder 1983, On the variances of asymptotically
normal estimators from complex surveys, International Statistical Review 51:279-292). For equal weights that
is their number; for weights that go with nothing it is Kish's effective number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import kernel_part
from engine.independence.arranging import TestColumns, numbers_of
from engine.independence.counting.table import find_complete, present_sets
from engine.independence.data import TestData, chi_squared_effect, links_of_chain
from engine.independence.gaussian.fisher_z import (
    LARGEST_CORRELATION,
    NO_VARIANCE,
    GaussianWorkspace,
    IncompleteGaussianWorkspace,
    centre,
    critical_z,
    gaussian_table,
    incomplete_gaussian_table,
    standardised,
    sum_of_products,
    unpack_weights,
    weighted_gaussian_table,
    workspace_of_rows,
    z_of,
)
from engine.independence.interface import register_test
from engine.independence.options import TestOptions
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits
from engine.independence.tails import bounded, check_tails, normal_scores
from engine.table.variable import Role


@dataclass(frozen=True, eq=False)
class GaussianData(TestData):
    """Numbers whose correlations are tested: the statistic is z, and has no degrees of freedom."""

    def as_chi_squared(self, statistic: np.ndarray, dof: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Square z, which is then chi-squared with one degree of freedom."""
        return statistic**2, np.ones(len(statistic))

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the absolute partial correlation; of a joint test what its chi-squared stands for."""
        observations = self.observations_of((*tested[:2], *given))
        if len(tested) > 2:
            return chi_squared_effect(statistic, observations)
        return correlation_effect(statistic, observations - len(given) - 3)

    @property
    def fits_sets(self) -> bool:
        """Pairs without gaps rest on the same rows, so that there is one model of all."""
        return True

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return the fits of a Gaussian model to sets of as many variables as the rows bear."""
        rows: float = self.table.rows
        borne = variables[: int(rows / ROWS_PER_COLUMN)]
        if len(borne) < 2:
            return None
        return gaussian_fits(self.table.correlation[np.ix_(borne, borne)], [1] * len(borne), rows)

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(critical=critical_z(alpha))


@dataclass(frozen=True, eq=False)
class IncompleteGaussianData(GaussianData):
    """Numbers with gaps: the table holds the one for pairs without."""

    @property
    def fits_sets(self) -> bool:
        """Each pair rests on rows of its own."""
        return False

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(counted=self.table.counted._replace(critical=critical_z(alpha)))


def correlation_effect(z: float, scale: float) -> float:
    """Absolute partial correlation behind z = artanh(r) sqrt(scale).

    Examples
    --------
    >>> round(correlation_effect(5.0, 100), 3)
    0.462
    """
    return math.tanh(abs(z) / math.sqrt(max(scale, 1)))


class SampledGaussianTable(NamedTuple):
    """Numbers, with gaps or without, and a sampling weight for each row.

    Attributes
    ----------
    values : ndarray of float64, shape (variables, rows)
        Standardised; 0 where missing.
    present : ndarray of uint64, shape (variables, words)
        Rows in which each variable has a value, as bits.
    weights, roots : ndarray of float64, shape (rows,)
        Weights of mean 1, and their square roots.
    critical : float
        Critical value of |z|.
    """

    values: np.ndarray
    present: np.ndarray
    weights: np.ndarray
    roots: np.ndarray
    critical: float


@dataclass(frozen=True, eq=False)
class SampledGaussianData(GaussianData):
    """Numbers, with gaps or without, whose rows have sampling weights."""

    @property
    def fits_sets(self) -> bool:
        """Rows that stand for unlike many have no likelihood."""
        return False

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the absolute partial correlation; of a joint test the multiple one."""
        x, *others = tested
        unexplained = 1.0
        for link in links_of_chain(others, given):
            unexplained *= 1.0 - self._correlation(x, *link) ** 2
        return math.sqrt(max(1.0 - unexplained, 0.0))

    def _correlation(self, x: int, y: int, given: tuple[int, ...]) -> float:
        table: SampledGaussianTable = self.table
        used = self.complete_rows((x, y, *given))
        roots = table.roots[used]
        held = np.vstack((np.ones(len(roots)), table.values[list(given)][:, used])) * roots
        pair = table.values[[x, y]][:, used] * roots
        left = pair - (held.T @ np.linalg.lstsq(held.T, pair.T, rcond=None)[0]).T
        lengths = np.linalg.norm(left, axis=1).prod()
        return float(left[0] @ left[1] / lengths) if lengths > NO_VARIANCE else 0.0


def sampled_gaussian_table(values: np.ndarray, weights: np.ndarray, critical: float) -> SampledGaussianTable:
    """Arrange numbers with sampling weights.

    Parameters
    ----------
    values : ndarray of float64, shape (variables, rows)
        NaN where missing; no column constant.
    weights : ndarray of float64, shape (rows,)
        Above 0; only their ratios count.
    critical : float
        Critical value of |z|.

    Returns
    -------
    SampledGaussianTable
    """
    scaled = weights / weights.mean()
    present = present_sets(np.isnan(values))
    return SampledGaussianTable(standardised(values), present, scaled, np.sqrt(scaled), critical)


def new_sampled_gaussian_workspace(
    data: SampledGaussianTable, max_conditioning: int
) -> IncompleteGaussianWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    lengths = GaussianWorkspace(np.empty((max_conditioning + 2, 1)))
    return workspace_of_rows(data, max_conditioning, lengths)


@kernel_part
def test_sampled_gaussian(
    data: SampledGaussianTable,
    workspace: IncompleteGaussianWorkspace,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
) -> Any:
    """Test two continuous variables given a set, on the rows that are complete in all of them.

    Returns
    -------
    statistic : float
        z = artanh(r) sqrt(worth - size - 3), where worth is what the rows are worth.
    dof : float
        Always 0: z has none.
    ratio : float
        |z| over its critical value.
    reliable : bool
        Whether worth - size - 3 is above 0.
    """
    find_complete(data.present, x, y, given, size, workspace.complete)
    unpack_weights(data, workspace)
    _take_out(data, workspace, x, y, given, size)
    first, second = workspace.columns[size], workspace.columns[size + 1]
    lengths = math.sqrt(sum_of_products(first, first) * sum_of_products(second, second))
    scale = _worth(workspace, first, second) - size - 3.0
    if scale <= 0.0:
        return 0.0, 0.0, 0.0, False
    correlation = sum_of_products(first, second) / lengths if lengths > 0.0 else 0.0
    correlation = min(max(correlation, -LARGEST_CORRELATION), LARGEST_CORRELATION)
    return z_of(correlation, scale, data.critical)


test_sampled_gaussian.__test__ = False  # type: ignore[attr-defined]


@kernel_part
def _take_out(
    data: SampledGaussianTable,
    workspace: IncompleteGaussianWorkspace,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
) -> None:
    """Write what the conditioning set leaves of the tested variables, times the roots of the weights.

    What is determined by variables before it is 0: it adds nothing, or has nothing left to correlate.
    """
    columns, lengths = workspace.columns, workspace.elimination.matrix
    total = sum_of_products(workspace.roots, workspace.roots)
    for position in range(size + 2):
        variable = given[position] if position < size else (x if position == size else y)
        centre(data.values[variable], workspace, total, columns[position])
        before = sum_of_products(columns[position], columns[position])
        for other in range(min(position, size)):
            if lengths[other, 0] > 0.0:
                share = sum_of_products(columns[position], columns[other]) / lengths[other, 0]
                for row in range(columns.shape[1]):
                    columns[position, row] -= share * columns[other, row]
        lengths[position, 0] = sum_of_products(columns[position], columns[position])
        if lengths[position, 0] < NO_VARIANCE * before:
            lengths[position, 0] = 0.0
            columns[position, :] = 0.0


@kernel_part
def _worth(workspace: IncompleteGaussianWorkspace, first: np.ndarray, second: np.ndarray) -> float:
    """Tell how many rows of equal weight the rows are worth."""
    total, products, weighted = 0.0, 0.0, 0.0
    for row in range(first.shape[0]):
        weight = workspace.weights[row]
        if weight > 0.0:
            product = first[row] * second[row]
            total += weight
            products += product * product / weight
            weighted += product * product
    return total * products / weighted if weighted > 0.0 else total


register_test(SampledGaussianTable, new_sampled_gaussian_workspace, test_sampled_gaussian)


def arrange(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange numbers, and categories with two levels, for Fisher's z."""
    values = bounded(numbers_of(columns))
    remedy = "Use the test 'fisher-z-rank' or 'basis', or set them to ignored."
    _check_tails(columns, values, remedy, options)
    return _arranged(columns, values, options)


def arrange_ranks(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange normal scores of numbers, and of categories with two levels, for Fisher's z."""
    values = normal_scores(numbers_of(columns), _times(columns, options))
    remedy = "Use the test 'basis', or 'g2' with the columns as categories, or set them to ignored."
    _check_tails(columns, values, remedy, options)
    return _arranged(columns, values, options)


def _check_tails(columns: TestColumns, values: np.ndarray, remedy: str, options: TestOptions) -> None:
    if columns.is_part:
        return
    check_tails(
        columns.names,
        values,
        remedy,
        alpha=options.alpha,
        times=_times(columns, options),
        are_labels=[each.role is Role.LABEL for each in columns.variables],
    )


def _times(columns: TestColumns, options: TestOptions) -> np.ndarray | None:
    """Tell how often each row occurred; None where weights say something else."""
    return None if options.weights_are_of_a_sample else columns.weights


def _arranged(columns: TestColumns, values: np.ndarray, options: TestOptions) -> GaussianData:
    weights, is_sample = columns.weights, options.weights_are_of_a_sample
    about: dict[str, Any] = {
        "names": columns.names,
        "rows": columns.rows,
        "alpha": options.alpha,
        "traits": columns.traits,
        "weights": weights,
        "is_sample": is_sample,
    }
    has_gaps = bool(np.isnan(values).any())
    if weights is not None and is_sample:
        sampled = sampled_gaussian_table(values, weights, critical_z(options.alpha))
        return SampledGaussianData(sampled, **about, present=sampled.present if has_gaps else None)
    if has_gaps:
        incomplete = incomplete_gaussian_table(values, weights, alpha=options.alpha)
        return IncompleteGaussianData(incomplete, **about, present=incomplete.present)
    if weights is None:
        return GaussianData(gaussian_table(values, alpha=options.alpha), **about)
    worth = float(weights.sum())
    return GaussianData(weighted_gaussian_table(values, weights, worth, alpha=options.alpha), **about)
