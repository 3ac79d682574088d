"""Independent pieces of work on several threads, stoppable at any time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np

from engine.errors import Cancelled
from engine.progress import Progress

Item = TypeVar("Item")
Value = TypeVar("Value")

_POLL_SECONDS = 0.02


def worker_count(workers: int | None) -> int:
    """Return the number of threads: as asked, or one a core that this process may use."""
    if workers is not None:
        return workers
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_all(
    work: Callable[[Item], Value],
    items: Sequence[Item],
    *,
    workers: int | None,
    progress: Progress,
    stop: np.ndarray,
    executor: Executor | None = None,
) -> Iterator[tuple[int, Value]]:
    """Yield the results of independent pieces of work, each when it is there.

    Parameters
    ----------
    work : callable
        Called once an item; raises Cancelled soon after `stop` is set.
    items : sequence
        What to work on, in the order in which work starts.
    workers : int, optional
        Number of threads; None takes one a core.
    progress : Progress
        Asked often whether to stop.
    stop : ndarray of uint8, shape (1,)
        Set to 1 when `progress` asks to stop.
    executor : Executor, optional
        Threads or processes to use instead of own threads; it is left open.

    Yields
    ------
    (int, value)
        Position of the item and its result, as they come in. After a stop, unfinished items are left out.
    """
    # Short work would be done before it is asked for the first time below.
    if progress.should_stop():
        stop[0] = 1
    threads = executor or ThreadPoolExecutor(worker_count(workers), thread_name_prefix="clcd")
    waiting: dict[Future[Value], int] = {
        threads.submit(work, item): position for position, item in enumerate(items)
    }
    try:
        if stop[0]:
            _cancel(waiting)
        while waiting:
            done, _ = wait(waiting, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            if not stop[0] and progress.should_stop():
                stop[0] = 1
                _cancel(waiting)
            for future in done:
                position = waiting.pop(future)
                if future.cancelled():
                    continue
                error = future.exception()
                if error is None:
                    yield position, future.result()
                elif not isinstance(error, Cancelled):
                    raise error
    finally:
        if waiting:
            stop[0] = 1
            _cancel(waiting)
            wait(waiting)
        if executor is None:
            threads.shutdown()


def _cancel(futures: Iterable[Future[Value]]) -> None:
    """Begin none of them that has not begun."""
    for future in futures:
        future.cancel()
