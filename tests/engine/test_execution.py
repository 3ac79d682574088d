"""Work on several threads: what it does to the threads of libraries of linear algebra."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

import engine
from engine.discovery.effects import measuring
from engine.execution.workers import run_all, single_threaded_algebra
from engine.independence import arranging
from engine.progress import SilentProgress


@pytest.fixture(autouse=True)
def several_threads():
    """Two threads of linear algebra, as on a machine with two cores."""
    import scipy.linalg  # noqa: F401 - only libraries that are there already are limited

    with threadpool_limits(limits=2, user_api="blas"):
        yield


def threads_of_algebra(_: object = None) -> set[int]:
    return {pool["num_threads"] for pool in ThreadpoolController().select(user_api="blas").info()}


def test_blocks_on_several_threads_share_one_limit() -> None:
    """The block that began first may end first, and what was before comes back all the same."""
    assert threads_of_algebra() == {2}
    first, second = contextlib.ExitStack(), contextlib.ExitStack()
    first.enter_context(single_threaded_algebra())
    second.enter_context(single_threaded_algebra())
    first.close()
    assert threads_of_algebra() == {1}
    second.close()
    assert threads_of_algebra() == {2}


_LIBRARY_THAT_COMES_LATER = """
import sys
from threadpoolctl import ThreadpoolController, threadpool_limits
from engine.execution.workers import single_threaded_algebra

def threads():
    return [each["num_threads"] for each in ThreadpoolController().select(user_api="blas").info()]

threadpool_limits(limits=2, user_api="blas")
assert "scipy.linalg" not in sys.modules
with single_threaded_algebra():
    import scipy.linalg
    came = max(threads())
    with single_threaded_algebra():
        print(*set(threads()))
    print(*set(threads()))
print(sorted(threads()) == sorted([2, came]))
"""


def test_a_library_that_comes_while_a_block_is_under_way_is_limited_by_the_next() -> None:
    """What arranges a table is loaded when the first table is."""
    finished = subprocess.run(
        [sys.executable, "-c", _LIBRARY_THAT_COMES_LATER], capture_output=True, text=True, check=True
    )
    assert finished.stdout.split() == ["1", "1", "True"]


def test_work_on_threads_has_the_cores_for_itself() -> None:
    run_options = {"workers": 2, "progress": SilentProgress(), "stop": np.zeros(1, dtype=np.uint8)}
    assert [thread_counts for _, thread_counts in run_all(threads_of_algebra, range(3), **run_options)] == [
        {1}
    ] * 3
    assert threads_of_algebra() == {2}
    # Also where nobody waits for the rest.
    next(run_all(threads_of_algebra, range(3), **run_options))
    assert threads_of_algebra() == {2}


def test_sizes_are_measured_by_one_thread_of_algebra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else they took twice as long, and came out otherwise in the last digit on other machines."""
    network = engine.simulate(labels=2, features=8, rows=300, seed=0)
    result = engine.discover(network.dataset)
    seen: list[set[int]] = []
    usual = measuring.SuitedPair.measure

    def measured(*given, **named):
        seen.append(threads_of_algebra())
        return usual(*given, **named)

    monkeypatch.setattr(measuring.SuitedPair, "measure", measured)
    assert result.evidence and engine.effects(network.dataset, result).sizes
    assert set(map(frozenset, seen)) == {frozenset({1})}
    assert threads_of_algebra() == {2}


@pytest.mark.parametrize(("workers", "threads"), [(1, {1}), (2, {2}), (None, {2})])
def test_who_asks_for_one_thread_gets_one_from_the_start(
    monkeypatch: pytest.MonkeyPatch, workers: int | None, threads: set[int]
) -> None:
    """Threads of libraries that had nothing more to do kept turning, a twentieth of the processor's time."""
    network = engine.simulate(labels=2, features=8, rows=300, variables="numbers", seed=0)
    seen: list[set[int]] = []
    usual = arranging.make_test_data

    def arranged(*given, **named):
        seen.append(threads_of_algebra())
        return usual(*given, **named)

    monkeypatch.setattr(arranging, "make_test_data", arranged)
    engine.discover(network.dataset, engine.DiscoverySettings(workers=workers))
    assert seen == [threads]
    assert threads_of_algebra() == {2}
