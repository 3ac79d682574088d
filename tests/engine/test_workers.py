"""Independent pieces of work: each is done once, and after a stop none begins."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import numpy as np

from engine.errors import Cancelled
from engine.execution import run_all
from engine.progress import SilentProgress


class StoppedBefore(SilentProgress):
    """Was asked to stop before the work began."""

    def should_stop(self) -> bool:
        return True


def begun_of_100(progress: SilentProgress) -> tuple[list[int], list[int]]:
    """Begin pieces that take a moment, and give those that were begun, and the results."""
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        time.sleep(0.002)
        return item

    stop = np.zeros(1, np.uint8)
    results = [value for _, value in run_all(work, range(100), workers=2, progress=progress, stop=stop)]
    return begun, results


def test_every_piece_is_done_once() -> None:
    begun, results = begun_of_100(SilentProgress())
    assert sorted(begun) == sorted(results) == list(range(100))


def test_a_stop_before_the_work_begins_leaves_nearly_all_of_it() -> None:
    # While pieces are handed out, the first ones may begin.
    begun, results = begun_of_100(StoppedBefore())
    assert len(begun) < 20 and set(results) <= set(begun)


def test_what_an_executor_cancels_at_its_end_is_not_waited_for() -> None:
    """Nobody hears of work that is cancelled by shutting an executor down."""
    stop = np.zeros(1, dtype=np.uint8)
    begun = Event()

    def work(number: int) -> int:
        begun.set()
        while not stop[0]:
            time.sleep(0.01)
        raise Cancelled()

    class StopsOnceBegun(SilentProgress):
        def should_stop(self) -> bool:
            return begun.is_set()

    executor = ThreadPoolExecutor(1)
    found: list[tuple[int, int]] = []

    def run() -> None:
        found.extend(
            run_all(
                work,
                range(5),
                workers=1,
                progress=StopsOnceBegun(),
                stop=stop,
                executor=executor,
                cancel=lambda: executor.shutdown(cancel_futures=True),
            )
        )

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive() and found == []
