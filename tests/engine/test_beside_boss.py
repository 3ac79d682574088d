"""The comparison with other programs: what it rests on, and a short form of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.benchmarks.beside_boss import (
    boundaries_of_class,
    by_climbing,
    by_this_program,
    compared,
    folder_draws,
)
from tests.benchmarks.few_rows import f1


def test_only_arrows_that_all_graphs_share_connect_causes_of_an_effect() -> None:
    # 0 → 2 ← 1, and an edge of 2 and 3 that leads either way.
    marks = np.zeros((4, 4))
    marks[0, 2] = marks[1, 2] = marks[2, 3] = marks[3, 2] = -1
    marks[2, 0] = marks[2, 1] = 1
    inside = [np.flatnonzero(row).tolist() for row in boundaries_of_class(marks)]
    assert inside == [[1, 2], [0, 2], [0, 1, 3], [2]]


def test_what_is_found_is_compared_with_the_nearest_boundary() -> None:
    true = {"a": [{"b", "c", "d"}, {"e"}], "f": [{"g"}]}
    assert compared({"a": {"e", "b"}, "f": set()}, true) == [1, 1, 1]


def test_more_is_found_than_by_climbing_on_published_networks(shared_data: Path) -> None:
    draws = folder_draws(shared_data / "networks-bnrep", "first")
    ours, theirs = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    for name in ("BOPfailure2", "cardiovascular", "consequenceCovid"):
        table = draws[name](2000, 0)
        ours += compared(by_this_program(table.dataset), table.boundaries)
        theirs += compared(by_climbing(table.dataset), table.boundaries)
    assert f1(ours) > f1(theirs) + 0.1
    assert ours[0] > 0.93 * (ours[0] + ours[1])
