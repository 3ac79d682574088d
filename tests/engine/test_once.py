"""A cache that several threads share: each key is computed once, and errors reach everyone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from engine.execution.remembering import ComputedOnce


def test_threads_that_ask_at_once_share_one_computation() -> None:
    keys_computed: list[int] = []
    together = Barrier(4)

    def compute(key: int) -> int:
        keys_computed.append(key)
        return key * key

    once: ComputedOnce[int, int] = ComputedOnce()

    def ask(key: int) -> int:
        together.wait(60)
        return once.value(key, compute)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, [7] * 4)) == [49] * 4
    assert keys_computed == [7]
    assert once.finished_by_key() == {7: 49}


def test_what_failed_is_not_finished() -> None:
    def compute(key: int) -> int:
        if key == 0:
            raise ZeroDivisionError
        return key

    once: ComputedOnce[int, int] = ComputedOnce()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            once.value(0, compute)
    assert once.value(1, compute) == once.value(1, compute) == 1
    assert once.value(2, compute) == 2
    finished = once.finished_by_key()
    assert finished == {1: 1, 2: 2}
    finished.clear()
    assert once.finished_by_key() == {1: 1, 2: 2}


def test_measures_are_added_up_once_a_key() -> None:
    once: ComputedOnce[int, int] = ComputedOnce(measure=lambda value: (1, value))
    assert once.sums == (0, 0)
    for key in (5, 7, 5):
        once.value(key, lambda value: value)
    assert once.sums == (2, 12)
