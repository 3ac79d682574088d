"""The search against a plain row-scanning one in the same process: ratios only, never seconds."""

from __future__ import annotations

import pytest

import engine
from engine.boundaries.arranged import arranged
from engine.dataset import Dataset
from tests.benchmarks.label_boundaries import PUBLISHED, label_boundaries
from tests.benchmarks.row_scanning import row_scanning_data
from tests.benchmarks.side_by_side import time_in_turn

# Much less than measured, so that a busy machine does not fail it and a lost bit set does.
_AT_LEAST = 2.5


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return engine.simulate(labels=20, features=400, rows=5000, multiple_boundaries=0.5, seed=3).dataset


def test_search_beats_row_scanning_and_finds_the_same(dataset: Dataset) -> None:
    quick, plain = arranged(dataset, PUBLISHED), row_scanning_data(dataset, PUBLISHED)
    searches = {
        "quick": lambda: label_boundaries(quick, dataset.labels, workers=1),
        "plain": lambda: label_boundaries(plain, dataset.labels, workers=1),
    }
    assert searches["quick"]() == searches["plain"]()
    times = time_in_turn(searches, repeats=5)
    assert times["plain"].best_processor > _AT_LEAST * times["quick"].best_processor
