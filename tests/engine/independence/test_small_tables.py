"""Few rows: false findings, Fisher's test and its power, in the short form of a benchmark."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine
from tests.benchmarks.small_tables import LABELS, drawn_cells, fisher_ratio, null_share, power
from tests.engine.independence.calibration import most_rejections


@pytest.mark.parametrize(("kind", "rows"), [("both", 6), ("both", 12), ("categories", 8), ("numbers", 8)])
def test_independent_columns_of_few_rows_have_hardly_a_finding(kind: str, rows: int) -> None:
    tables = 12
    share = null_share(kind, rows, 50, tables, seed=42)
    assert share.with_findings <= most_rejections(LABELS * tables, 2.0 * engine.DiscoverySettings().alpha)


def test_a_pair_of_yes_no_columns_has_fishers_p_alone_and_beside_a_number() -> None:
    generator = np.random.default_rng(43)
    for cells in [drawn_cells(generator) for _ in range(25)]:
        for beside in (False, True):
            ratio, fisher = fisher_ratio(cells, beside)
            assert fisher < 1e-12 or abs(math.log(ratio)) <= math.log(3.0)


def test_a_strong_cause_in_forty_rows_is_found_as_often_as_by_fishers_test() -> None:
    for ours, theirs in power(10, seed=44).values():
        assert ours >= theirs - 1
