"""Statistics and p-values far beyond double precision's range, against arithmetic of fifty digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pandas
import pytest

from engine.independence.arranging import ci_test
from engine.table.dataset import Dataset
from tests.with_each import with_each

DIGITS = 50


def _chi_squared_log_p(statistic: mpmath.mpf, dof: int) -> mpmath.mpf:
    return mpmath.log(mpmath.gammainc(mpmath.mpf(dof) / 2, statistic / 2, regularized=True))


def _table_statistic(counts: np.ndarray, pearson: bool) -> mpmath.mpf:
    """G² or X² of one table, by its definition."""
    total = mpmath.mpf(int(counts.sum()))
    statistic = mpmath.mpf(0)
    for (row, column), count in np.ndenumerate(counts):
        expected = mpmath.mpf(int(counts[row].sum())) * int(counts[:, column].sum()) / total
        if pearson:
            statistic += (int(count) - expected) ** 2 / expected
        elif count:
            statistic += 2 * int(count) * mpmath.log(int(count) / expected)
    return statistic


@with_each("noise", [0.5, 0.1, 0.01])
@with_each("rows", [300, 20_000])
@pytest.mark.parametrize("test", ["g2", "x2"])
def test_tables(test: str, rows: int, noise: float) -> None:
    generator = np.random.default_rng(1)
    s, x = generator.integers(0, 2, rows), generator.integers(0, 3, rows)
    y = np.where(generator.random(rows) < noise, generator.integers(0, 4, rows), x)
    frame = pandas.DataFrame({"x": x, "y": y, "s": s})
    outcome = ci_test(test, Dataset.from_frame(frame.astype(str)), "x", "y", ["s"], dof="adjusted")
    with mpmath.workdps(DIGITS):
        strata = [pandas.crosstab(part["x"], part["y"]).to_numpy() for _, part in frame.groupby("s")]
        statistic = sum(_table_statistic(counts, test == "x2") for counts in strata)
        dof = sum((counts.shape[0] - 1) * (counts.shape[1] - 1) for counts in strata)
        assert outcome.dof == dof
        assert outcome.statistic == pytest.approx(float(statistic), abs=1e-9, rel=1e-13)
        assert outcome.log_p == pytest.approx(float(_chi_squared_log_p(statistic, dof)), abs=1e-9, rel=1e-9)
    if rows == 20_000:
        # Far too small for a double, and not a tie with others of its kind.
        assert outcome.p_value == 0.0
        assert outcome.log_p < -2000


def _partial_correlation(values: np.ndarray) -> mpmath.mpf:
    """Partial correlation of the first two columns given the others, from the inverse of the covariance."""
    rows, width = values.shape
    centred = mpmath.matrix(values.tolist())
    for column in range(width):
        mean = sum(centred[row, column] for row in range(rows)) / rows
        for row in range(rows):
            centred[row, column] -= mean
    precision = (centred.T * centred) ** -1
    return -precision[0, 1] / mpmath.sqrt(precision[0, 0] * precision[1, 1])


@with_each("noise", [3.0, 0.3, 0.01])
@with_each("size", [0, 1, 3])
def test_fisher_z(size: int, noise: float) -> None:
    rows = 1500
    generator = np.random.default_rng(size)
    values = generator.normal(size=(rows, 2 + size))
    values[:, 0] += values[:, 2:].sum(axis=1)
    values[:, 1] = values[:, 0] + noise * values[:, 1] - values[:, 2:].sum(axis=1)
    names = [f"v{place}" for place in range(2 + size)]
    outcome = ci_test(
        "fisher-z", Dataset.from_frame(pandas.DataFrame(values, columns=names)), *names[:2], names[2:]
    )
    with mpmath.workdps(DIGITS):
        correlation = _partial_correlation(values)
        z = mpmath.atanh(correlation) * mpmath.sqrt(rows - size - 3)
        log_p = mpmath.log(mpmath.erfc(abs(z) / mpmath.sqrt(2)))
        assert outcome.statistic == pytest.approx(float(z), abs=1e-9, rel=1e-9)
        assert outcome.log_p == pytest.approx(float(log_p), abs=1e-9, rel=1e-9)
        assert outcome.effect == pytest.approx(float(abs(correlation)), abs=1e-9)
    if noise == 0.01:
        assert outcome.p_value == 0.0
        assert outcome.log_p < -5000
