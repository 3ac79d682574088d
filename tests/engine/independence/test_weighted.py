"""Weights count as that many rows."""

from __future__ import annotations

import numpy as np
import pytest

from engine.independence.discrete import discrete_table
from engine.independence.interface import new_workspace, run_tests
from engine.independence.weighted import weighted_table


@pytest.mark.parametrize("seed", range(6))
def test_whole_weights_are_repeated_rows(seed: int) -> None:
    generator = np.random.default_rng(seed)
    levels = [2, 3, 2, 4]
    columns = [generator.integers(0, count, 80) for count in levels]
    weights = generator.integers(0, 5, 80)
    repeated = discrete_table([np.repeat(column, weights) for column in columns], levels, alpha=0.05)
    weighted = weighted_table(columns, levels, weights.astype(float), alpha=0.05)
    questions = (
        np.array([0, 0, 1]),
        np.array([1, 1, 3]),
        np.array([[2, 3], [2, 3], [0, 2]]),
        np.array([0, 1, 2]),
    )
    stop = np.zeros(1, dtype=np.uint8)
    expected = run_tests(repeated, new_workspace(repeated, 2), *questions, stop)
    found = run_tests(weighted, new_workspace(weighted, 2), *questions, stop)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
