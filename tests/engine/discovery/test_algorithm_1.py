"""The procedure "as published" is Algorithm 1: it equals a transcription made from the paper alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from tests.benchmarks.as_published import KINDS, case_of, compared, differences
from tests.engine.algorithm_1 import algorithm_1
from tests.examples import first_of


@pytest.mark.parametrize("kind", KINDS)
def test_as_published_equals_the_transcription(kind: str) -> None:
    total = Counter[str]()
    for seed in first_of(range(3000, 3200), 25):
        case = case_of(kind, seed)
        assert differences(case) == [], seed
        total += compared(case)
    assert total["members"] and total["spouses"]
    if kind != "graph":
        assert total["ignored"] and total["equivalents"]


def test_the_transcription_retrieves_what_two_labels_hide() -> None:
    """Theorem 6 (2) by hand: Z depends on both labels, and each of them makes the other superfluous."""
    independent = {("T1", "Z", "T2"), ("T2", "Z", "T1")}

    def log_p(x: str, y: Sequence[str], given: Sequence[str]) -> float:
        return 0.0 if (x, "".join(y), "".join(given)) in independent else -np.inf

    neighbours = {"T1": ["T2"], "T2": ["T1"]}
    outcome = algorithm_1(["T1", "T2"], ["Z"], lambda x: (neighbours[x], {}), log_p, 0.05, 3, 1)
    assert outcome.ccv == {frozenset({"T1", "T2"}): frozenset({"Z"})}
