"""The search against a plain row-scanning one in the same process: ratios only, never seconds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from scipy.stats.contingency import crosstab

import engine
from engine.boundaries.discovery_settings import arranged
from engine.independence.data import TestData
from engine.independence.interface import placed_test, run_tests
from engine.table.dataset import Dataset
from tests.benchmarks.label_boundaries import PUBLISHED, label_boundaries
from tests.benchmarks.row_scanning import row_scanning_data
from tests.benchmarks.side_by_side import time_in_turn

# Much less than measured, so that a busy machine does not fail it and a lost bit set does.
_AT_LEAST = 2.5


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return engine.simulate(labels=20, features=400, rows=5000, multiple_boundaries=0.5, seed=3).dataset


@pytest.fixture(scope="module")
def plain(dataset: Dataset) -> TestData:
    return row_scanning_data(dataset, PUBLISHED)


def test_yardstick_is_g_squared(dataset: Dataset, plain: TestData) -> None:
    x, y, z = (dataset.column(name) for name in plain.names[:3])
    strata = [crosstab(x[z == level], y[z == level]).count for level in np.unique(z)]
    expected = [chi2_contingency(stratum, correction=False, lambda_="log-likelihood") for stratum in strata]
    one, given = np.array([0]), np.array([[2]])
    statistic, dof, _, _ = run_tests(
        placed_test(plain.table, 1), one, one + 1, given, one + 1, np.zeros(1, dtype=np.uint8)
    )
    assert statistic[0] == pytest.approx(sum(result.statistic for result in expected), rel=1e-9)
    assert dof[0] == sum(result.dof for result in expected)


def test_search_beats_row_scanning_and_finds_the_same(dataset: Dataset, plain: TestData) -> None:
    quick = arranged(dataset, PUBLISHED)
    assert label_boundaries(quick, dataset.labels, workers=1) == label_boundaries(
        plain, dataset.labels, workers=1
    )
    # Of a ratio a quarter of the labels tells as much.
    some = dataset.labels[::4]
    searches = {
        "quick": lambda: label_boundaries(quick, some, workers=1),
        "plain": lambda: label_boundaries(plain, some, workers=1),
    }
    times = time_in_turn(searches, repeats=3)
    assert times["plain"].best_processor > _AT_LEAST * times["quick"].best_processor
