"""Cells measured in several processes, or in a thread of this one, and stopped at any time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from ctypes import c_uint8
from typing import Any

import numpy as np

from engine.comparison.selectors.measuring import Cell, measure
from engine.comparison.selectors.result import SelectionOutcome
from engine.errors import WorkersLost
from engine.execution.workers import run_all
from engine.progress import Progress

# Of a process that measures: shared memory, which the process that waits sets to 1 to stop it.
_stop = np.zeros(1, dtype=np.uint8)


class Measuring:
    """Workers that measure cells; a context manager, which ends them.

    Parameters
    ----------
    workers : int
        Number of processes; a single worker is a thread of this process.
    progress : Progress
        Asked whether to stop.
    """

    def __init__(self, workers: int, progress: Progress) -> None:
        context = multiprocessing.get_context("spawn")
        shared: Any = context.RawArray(c_uint8, 1)
        self._workers = workers
        self._progress = progress
        self._stop = np.frombuffer(shared, dtype=np.uint8)
        self._executor: Executor
        if workers == 1:
            self._executor = ThreadPoolExecutor(1, thread_name_prefix="clcd")
        else:
            self._executor = ProcessPoolExecutor(workers, context, _begin, (shared,))

    def __enter__(self) -> Measuring:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop[0] = 1
        self._executor.shutdown(cancel_futures=True)

    def outcomes(self, cells: Sequence[Cell]) -> Iterator[tuple[Cell, SelectionOutcome]]:
        """Measure cells and give each outcome when it is there.

        Yields
        ------
        (Cell, SelectionOutcome)
            As they come in. After a stop, unfinished ones are left out.

        Raises
        ------
        WorkersLost
            When a process ended unasked, as one without memory does.
        """
        work = _MeasureHere(self._stop) if self._workers == 1 else _measure_there
        try:
            for place, outcome in run_all(
                work,
                cells,
                workers=self._workers,
                progress=self._progress,
                stop=self._stop,
                executor=self._executor,
            ):
                yield cells[place], outcome
        except BrokenExecutor as error:
            raise WorkersLost(
                "a process that measured ended unexpectedly; perhaps memory ran out.",
                remedy="Give the same command with fewer workers: what is finished is kept.",
            ) from error


class _MeasureHere:
    """Measures in this process."""

    def __init__(self, stop: np.ndarray) -> None:
        self._stop = stop

    def __call__(self, cell: Cell) -> SelectionOutcome:
        return measure(cell, self._stop)


def _measure_there(cell: Cell) -> SelectionOutcome:
    return measure(cell, _stop)


def _begin(shared: Any) -> None:
    """Prepare a process that measures: Ctrl+C is for the one that waits."""
    global _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop = np.frombuffer(shared, dtype=np.uint8)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End when the process that waits was killed: nobody takes the results then, nor stops this one."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
