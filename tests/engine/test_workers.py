"""Independent pieces of work: each is done once, and after a stop none begins."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import numpy as np
import pytest

from engine.errors import Cancelled
from engine.execution.workers import run_all
from engine.progress import Progress, SilentProgress
from tests.progress_watcher import ProgressWatcher


def begun_of_100(progress: Progress, seconds: float = 0.002) -> tuple[list[int], list[int]]:
    """Begin pieces that take a moment each, and give those that were begun, and the results."""
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        time.sleep(seconds)
        return item

    stop = np.zeros(1, np.uint8)
    results = [value for _, value in run_all(work, range(100), workers=2, progress=progress, stop=stop)]
    return begun, results


def test_every_piece_is_done_once() -> None:
    begun, results = begun_of_100(SilentProgress())
    assert sorted(begun) == sorted(results) == list(range(100))


def test_a_stop_before_the_work_begins_leaves_nearly_all_of_it() -> None:
    # While pieces are handed out, the first ones may begin; twenty would need two seconds of that.
    begun, results = begun_of_100(ProgressWatcher(stop_after=0), seconds=0.2)
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
            if begun.is_set():
                executor.shutdown(wait=False, cancel_futures=True)
            return begun.is_set()

    executor = ThreadPoolExecutor(1)
    overlaps: list[tuple[int, int]] = []

    def run() -> None:
        overlaps.extend(
            run_all(
                work,
                range(5),
                workers=1,
                progress=StopsOnceBegun(),
                stop=stop,
                executor=executor,
            )
        )

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive() and overlaps == []


_WITHOUT_MEMORY_FOR_THREADS = """
import resource
from pathlib import Path

import numpy as np

from engine.execution.workers import run_all
from engine.progress import SilentProgress

used = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData"))
allowed = int(used.split()[1]) * 1024 + {stacks} * resource.getrlimit(resource.RLIMIT_STACK)[0] + 2**20
resource.setrlimit(resource.RLIMIT_DATA, (allowed, allowed))
stop = np.zeros(1, np.uint8)


def work(item):
    while not stop[0]:
        pass


try:
    list(run_all(work, range(4), workers=4, progress=SilentProgress(), stop=stop))
except MemoryError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the private memory of a process")
@pytest.mark.parametrize("stacks", [0, 2])
def test_no_memory_for_another_thread_is_said_as_such_and_ends_those_that_run(stacks: int) -> None:
    command = ["sh", "-c", 'ulimit -s 8192; exec "$@"', "sh", sys.executable, "-c"]
    program = _WITHOUT_MEMORY_FOR_THREADS.format(stacks=stacks)
    done = subprocess.run([*command, program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("can't start new thread\n", "")
