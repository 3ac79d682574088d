"""Independent pieces of work on several threads or on an executor, stoppable at any time."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from engine.errors import Cancelled
from engine.progress import Progress

Value = TypeVar("Value")
Item = TypeVar("Item")

_POLL_SECONDS = 0.02


def worker_count(workers: int | None) -> int:
    """Return the number of threads: as asked, or one a core that this process may use."""
    if workers is not None:
        return workers
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def single_threaded_algebra() -> AbstractContextManager[None]:
    """Have libraries of linear algebra use one thread each for the time of a block.

    Thousands of small products are faster so, and shared sums would differ in the last digit between
    machines.
    """
    return _ALGEBRA


class _SingleThread(AbstractContextManager[None]):
    """One limit for all blocks on any thread: the first sets it, the last removes it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._blocks = 0
        self._limits: dict[ThreadpoolController, Any] = {}

    def __enter__(self) -> None:
        with self._lock:
            libraries = _linear_algebra("scipy.linalg" in sys.modules)
            if libraries not in self._limits:
                self._limits[libraries] = libraries.limit(limits=1, user_api="blas")
            self._blocks += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._blocks -= 1
            if self._blocks == 0:
                while self._limits:
                    # The last one found the libraries as those before it had left them.
                    self._limits.popitem()[1].restore_original_limits()


_ALGEBRA = _SingleThread()


@functools.cache
def _linear_algebra(scipy_is_there: bool) -> ThreadpoolController:
    """Find the loaded libraries of linear algebra, of numpy and scipy; looking takes long."""
    return ThreadpoolController()


def run_all(
    work: Callable[[Item], Value],
    items: Sequence[Item],
    *,
    workers: int | None,
    progress: Progress,
    stop: np.ndarray,
    executor: Executor | None = None,
) -> Iterator[tuple[int, Value]]:
    """Yield position and result of independent work as it comes; `stop` becomes 1 on request."""
    # Short work would be done before it is asked for the first time below.
    if progress.should_stop():
        stop[0] = 1
    with ExitStack() as ending:
        ending.enter_context(single_threaded_algebra())
        threads = executor or ThreadPoolExecutor(worker_count(workers), thread_name_prefix="clcd")
        if executor is None:
            ending.callback(threads.shutdown)
        waiting: dict[Future[Value], int] = {}
        ending.callback(_give_up, waiting, stop)
        # To wait for whatever comes first of many would take a look at all of them each time.
        ended: SimpleQueue[Future[Value]] = SimpleQueue()
        for position, item in enumerate(items):
            future = _submit(threads, work, item)
            waiting[future] = position
            future.add_done_callback(ended.put)
        if stop[0]:
            _cancel(waiting)
        while waiting:
            one = _next_of(ended)
            if not stop[0] and progress.should_stop():
                stop[0] = 1
                _cancel(waiting)
            if one is None:
                continue
            position = waiting.pop(one)
            if one.cancelled():
                continue
            error = one.exception()
            if error is None:
                yield position, one.result()
            elif not isinstance(error, Cancelled):
                raise error


def _submit(threads: Executor, work: Callable[[Item], Value], item: Item) -> Future[Value]:
    """Return what a piece of work will come to."""
    try:
        return threads.submit(work, item)
    except RuntimeError as error:
        # No type of its own tells this from what else an executor refuses.
        if "start new thread" not in str(error):
            raise
        raise MemoryError(str(error)) from error


def _next_of(ended: SimpleQueue[Future[Value]]) -> Future[Value] | None:
    """Return what came to an end; None where nothing did for a moment."""
    try:
        return ended.get(timeout=_POLL_SECONDS)
    except Empty:
        return None


def _give_up(futures: Collection[Future[Value]], stop: np.ndarray) -> None:
    """Stop what is left, and wait until nothing runs."""
    if futures:
        stop[0] = 1
        _cancel(futures)
        # Nobody tells of what an executor cancelled when it was shut down.
        wait([future for future in futures if not future.cancelled()])


def _cancel(futures: Iterable[Future[Value]]) -> None:
    """Begin none of them that has not begun."""
    for future in futures:
        future.cancel()
