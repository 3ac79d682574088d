"""A million rows: statistics against sums in fifty digits, made from the same counts."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import engine
from engine.independence.discrete.contingency import entropy_terms
from engine.table.variable import Kind, Variable

ROWS = 1_000_000
NAMES = ("x", "y", "s", "t")


def table(strength: float, levels: int) -> engine.Dataset:
    """Give x and y that depend on s and, with a strength, on each other, and t that depends on nothing."""
    random = np.random.default_rng(7)
    s, t = random.integers(0, 2, ROWS), random.integers(0, levels, ROWS)
    x = (random.integers(0, levels, ROWS) + s) % levels
    follows = random.random(ROWS) < strength
    y = np.where(follows, x, (random.integers(0, levels, ROWS) + s) % levels)
    variables = tuple(
        Variable(name, Kind.NOMINAL, levels=tuple(str(level) for level in range(count)))
        for name, count in zip(NAMES, (levels, levels, 2, levels), strict=True)
    )
    return engine.Dataset(variables, (x, y, s, t))


def exact(dataset: engine.Dataset, given: list[str]) -> mpmath.mpf:
    """Add up 2 n log(n · total / (row · column)) of all cells with fifty digits."""
    columns = [dataset.column(name).astype(np.int64) for name in (*given, "x", "y")]
    shape = [dataset.variable(name).level_count for name in (*given, "x", "y")]
    counts = np.bincount(np.ravel_multi_index(columns, shape), minlength=int(np.prod(shape)))
    total = mpmath.mpf(0)
    with mpmath.workdps(50):
        for stratum in counts.reshape(-1, *shape[-2:]):
            row_sums, column_sums, everything = stratum.sum(1), stratum.sum(0), int(stratum.sum())
            for (row, column), count in np.ndenumerate(stratum):
                if count:
                    expected = mpmath.mpf(int(row_sums[row])) * int(column_sums[column]) / everything
                    total += 2 * int(count) * mpmath.log(int(count) / expected)
    return total


@pytest.mark.parametrize("strength", [0.0, 0.001, 0.3])
@pytest.mark.parametrize("levels", [2, 3])
def test_statistics_keep_their_digits(strength: float, levels: int) -> None:
    dataset = table(strength, levels)
    for given in ([], ["s"], ["s", "t"]):
        wanted = exact(dataset, given)
        result = engine.ci_test("g2", dataset, "x", "y", given=given)
        # What is left of numbers of this size, when their sums are of the order of rows · log rows.
        assert abs(result.statistic - wanted) <= 1e-9 * wanted + 1e-8
        tail = mpmath.gammainc(result.dof / 2, wanted / 2, regularized=True)
        assert result.log_p == pytest.approx(float(mpmath.log(tail)), rel=1e-7, abs=1e-9)


def test_a_long_table_needs_no_table_of_logarithms() -> None:
    assert entropy_terms(ROWS).size == 0
