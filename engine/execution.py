"""Independent pieces of work on several threads, stoppable at any time, or on a cluster of dask.distributed.

Work that several threads need is done by one of them, and results are remembered within a bound.

Whoever can reach a scheduler can run anything on its workers, and its answers are unpickled here: connect
only to a cluster that you trust, by ``tls://`` where others share the network. Certificates are those of
dask's own configuration (``distributed.comm.tls``).
"""

from __future__ import annotations

import functools
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from engine.errors import Cancelled, ClusterUnavailable
from engine.progress import Progress
from engine.wording.setting_names import the_setting

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class ComputedOnce(Generic[Key, Value]):
    """A cache that computes each key once; who asks for a key in the making waits for it.

    Parameters
    ----------
    compute : callable
        Gives the value of a key. An error it raises is raised for everyone who asks.
    measure : callable, optional
        Gives two whole numbers about a value, which are added up over all values.
    """

    def __init__(
        self,
        compute: Callable[[Key], Value],
        measure: Callable[[Value], tuple[int, int]] = lambda value: (0, 0),
    ) -> None:
        self._compute = compute
        self._measure = measure
        self._sums = (0, 0)
        self._futures: dict[Key, Future[Value]] = {}
        self._finished: dict[Key, Value] = {}
        self._lock = Lock()

    def __call__(self, key: Key) -> Value:
        """Return the value of a key."""
        with self._lock:
            future = self._futures.get(key)
            mine = future is None
            if future is None:
                future = self._futures[key] = Future()
        if mine:
            try:
                value = self._compute(key)
            except BaseException as error:  # noqa: BLE001 - handed on to everyone who waits
                future.set_exception(error)
            else:
                first, second = self._measure(value)
                with self._lock:
                    self._finished[key] = value
                    self._sums = (self._sums[0] + first, self._sums[1] + second)
                future.set_result(value)
        return future.result()

    @property
    def sums(self) -> tuple[int, int]:
        """The measures of all values that were computed, added up."""
        return self._sums

    def finished_by_key(self) -> dict[Key, Value]:
        """Return every value that was computed, by its key."""
        with self._lock:
            return self._finished.copy()


class BoundedMemory(Generic[Key, Value]):
    """A bounded memory that several threads may use at once.

    Parameters
    ----------
    limit : float
        How much is remembered, all values together.
    weight : callable, optional
        How much of that a value takes up; 1 when left out, so that `limit` is a number of values.

    Examples
    --------
    >>> memory = BoundedMemory(limit=2)
    >>> for number in (1, 2, 3):
    ...     memory.put(number, str(number))
    >>> memory.get(1), memory.get(3)
    (None, '3')
    """

    def __init__(self, limit: float, weight: Callable[[Value], float] = lambda value: 1.0) -> None:
        self._limit = limit
        self._weight = weight
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._total = 0.0
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key; None when it is not kept, or not any more."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def items(self) -> list[tuple[Key, Value]]:
        """Return every value that is kept, with its key, those that were asked for last at the end."""
        with self._lock:
            return list(self._values.items())

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; one that takes up more than everything may is not kept."""
        weight = self._weight(value)
        if weight > self._limit:
            return
        with self._lock:
            previous = self._values.pop(key, None)
            if previous is not None:
                self._total -= self._weight(previous)
            self._values[key] = value
            self._total += weight
            while self._total > self._limit:
                _, forgotten = self._values.popitem(last=False)
                self._total -= self._weight(forgotten)


Item = TypeVar("Item")

_POLL_SECONDS = 0.02


def worker_count(workers: int | None) -> int:
    """Return the number of threads: as asked, or one a core that this process may use."""
    if workers is not None:
        return workers
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def single_threaded_algebra() -> Iterator[None]:
    """Have libraries of linear algebra use one thread each for the time of a block.

    In thousands of small products and systems their threads spend more time waiting for one another, and for
    those of a search, than they save: half of what it took to measure sizes. Sums that several threads share
    come out otherwise in the last digit, and so would a result on a machine with other cores.
    """
    _ALGEBRA.enter()
    try:
        yield
    finally:
        _ALGEBRA.leave()


class _SingleThread:
    """One limit for all blocks under way on any thread: the first sets it, the last takes it away."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._blocks = 0
        self._limit: Any = None

    def enter(self) -> None:
        """Begin a block."""
        with self._lock:
            if self._blocks == 0:
                self._limit = _linear_algebra("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas")
            self._blocks += 1

    def leave(self) -> None:
        """End a block."""
        with self._lock:
            self._blocks -= 1
            if self._blocks == 0:
                self._limit.restore_original_limits()


_ALGEBRA = _SingleThread()


@functools.cache
def _linear_algebra(scipy_is_there: bool) -> ThreadpoolController:
    """Find the libraries of linear algebra that are loaded: that of numpy, and once it is there of scipy.

    To look takes long.
    """
    return ThreadpoolController()


def run_all(
    work: Callable[[Item], Value],
    items: Sequence[Item],
    *,
    workers: int | None,
    progress: Progress,
    stop: np.ndarray,
    executor: Executor | None = None,
    cancel: Callable[[], None] | None = None,
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
    cancel : callable, optional
        Has the executor begin nothing more; without it that is said to each piece of work.

    Yields
    ------
    (int, value)
        Position of the item and its result, as they come in. After a stop, unfinished items are left out.

    Raises
    ------
    MemoryError
        If the system does not give another thread the memory for its stack.
    """
    # Short work would be done before it is asked for the first time below.
    if progress.should_stop():
        stop[0] = 1
    with single_threaded_algebra():
        yield from _results_as_they_come(
            work, items, workers=workers, progress=progress, stop=stop, executor=executor, cancel=cancel
        )


def _results_as_they_come(
    work: Callable[[Item], Value],
    items: Sequence[Item],
    *,
    workers: int | None,
    progress: Progress,
    stop: np.ndarray,
    executor: Executor | None,
    cancel: Callable[[], None] | None,
) -> Iterator[tuple[int, Value]]:
    threads = executor or ThreadPoolExecutor(worker_count(workers), thread_name_prefix="clcd")
    waiting: dict[Future[Value], int] = {}
    # To wait for whatever comes first of many would take a look at all of them each time.
    ended: SimpleQueue[Future[Value]] = SimpleQueue()
    begin_nothing_more = cancel or partial(_cancel, waiting)
    try:
        for position, item in enumerate(items):
            future = _submit(threads, work, item)
            waiting[future] = position
            future.add_done_callback(ended.put)
        if stop[0]:
            begin_nothing_more()
        while waiting:
            one = _next_of(ended)
            if not stop[0] and progress.should_stop():
                stop[0] = 1
                begin_nothing_more()
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
    except BrokenExecutor:
        # It says of all that waits that it failed, and cannot where that is cancelled meanwhile.
        _wait_for_all(waiting)
        waiting.clear()
        raise
    finally:
        if waiting:
            stop[0] = 1
            begin_nothing_more()
            _wait_for_all(waiting)
        if executor is None:
            threads.shutdown()


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


def _wait_for_all(futures: Iterable[Future[Value]]) -> None:
    """Wait until nothing runs; nobody tells of what an executor cancelled when it was shut down."""
    wait([each for each in futures if not each.cancelled()])


def _cancel(futures: Iterable[Future[Value]]) -> None:
    """Begin none of them that has not begun."""
    for future in futures:
        future.cancel()


_CHECK = (
    "Check the address, that the scheduler runs a version of dask near {version}, and the firewalls between."
)
_CHECK_ENCRYPTED = (
    "Check the address, that the scheduler runs a version of dask near {version}, the firewalls between, and "
    "dask's configuration here (distributed.comm.tls): it must name a certificate that the cluster takes "
    "and the authority that signed the cluster's own."
)
_SECONDS_TO_CONNECT = 5.0
_SECONDS_TO_CLOSE = 2.0

Versions = Mapping[str, str]


@contextmanager
def cluster_executor(address: str) -> Iterator[Executor]:
    """Connect to a cluster for the time of a block.

    Parameters
    ----------
    address : str
        Of its scheduler, such as ``"tcp://192.168.1.5:8786"``.

    Yields
    ------
    concurrent.futures.Executor
        For :func:`engine.discover`.

    Raises
    ------
    ClusterUnavailable
        When dask.distributed is not installed, nothing answers within five seconds, there is no worker, or
        other versions run there.
    """
    client = _connected(address)
    try:
        _check_workers(client, address)
        yield client.get_executor()
    finally:
        client.close(timeout=_SECONDS_TO_CLOSE)


def _connected(address: str) -> Any:
    # Both are for clusters alone, and take memory and time where a program starts.
    import asyncio

    try:
        import distributed
    except ImportError as error:
        raise ClusterUnavailable(
            "dask.distributed is not installed, and a cluster is reached by it.",
            place=the_setting("cluster"),
            remedy='Install it: pip install "clcd[cluster]"',
        ) from error
    connect: Any = distributed.Client
    try:
        # On a thread of its own, as whoever calls may be inside of an event loop.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _greeted(address)).result()
        return connect(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False, name="clcd")
    # There is no end to what is raised about addresses that cannot be, certificates, and other servers.
    except Exception as error:
        is_encrypted = address.startswith("tls:")
        raise ClusterUnavailable(
            "no scheduler of dask.distributed answers at this address.",
            place=f"cluster {address}",
            remedy=(_CHECK_ENCRYPTED if is_encrypted else _CHECK).format(version=version("distributed")),
        ) from error


async def _greeted(address: str) -> None:
    """Return when a scheduler has greeted, within the seconds that this may take.

    A client waits for ever where something else listens, and complains once more when it is let go.
    """
    import asyncio

    import dask
    import distributed.comm.core
    import distributed.security

    if dask.config.get("distributed.client.security-loader", None):
        # Certificates come from a function that only the client calls.
        return
    security: Any = distributed.security.Security
    connect: Any = distributed.comm.core.connect
    certificates = security().get_connection_args("client")
    greeting = connect(address, timeout=_SECONDS_TO_CONNECT, **certificates)
    line = await asyncio.wait_for(greeting, _SECONDS_TO_CONNECT)
    await line.close()


def versions_here() -> dict[str, str]:
    """Return the versions that must be alike on every machine of a run."""
    import numba
    import numpy

    from engine.version import __version__

    return {
        "clcd": __version__,
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "dask.distributed": version("distributed"),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
    }


def _check_workers(client: Any, address: str) -> None:
    answers = client.run(versions_here, on_error="return")
    if not answers:
        raise ClusterUnavailable(
            "the cluster has no worker.",
            place=f"cluster {address}",
            remedy=f"Start one on each machine: dask worker {address}",
        )
    for worker, answer in sorted(answers.items()):
        if isinstance(answer, BaseException):
            raise ClusterUnavailable(
                f"this worker cannot run CLCD ({answer}).",
                place=f"worker {worker}",
                remedy='Install it there: pip install "clcd[cluster]"',
            )
        differing = differences(versions_here(), answer)
        if differing:
            raise ClusterUnavailable(
                f"this worker has other versions: {differing}.",
                place=f"worker {worker}",
                remedy="Install the same versions everywhere, so that every machine finds the same.",
            )


def differences(here: Versions, there: Versions) -> str:
    """Say which versions differ; empty when none does.

    Examples
    --------
    >>> differences({"clcd": "1.2", "numpy": "2.3"}, {"clcd": "1.1", "numpy": "2.3"})
    'clcd 1.1 there and 1.2 here'
    """
    return ", ".join(
        f"{name} {there.get(name, 'missing')} there and {here[name]} here"
        for name in here
        if there.get(name) != here[name]
    )
