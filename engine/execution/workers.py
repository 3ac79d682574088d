"""Independent pieces of work on several threads, stoppable at any time, or on a cluster of dask.distributed.

Whoever can reach a scheduler can run anything on its workers, and its answers are unpickled here: connect
only to a cluster that you trust, by ``tls://`` where others share the network. Certificates are those of
dask's own configuration (``distributed.comm.tls``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np

from engine.errors import Cancelled, ClusterUnavailable
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
    try:
        import distributed
    except ImportError as error:
        raise ClusterUnavailable(
            "dask.distributed is not installed, and a cluster is reached by it.",
            place="setting 'cluster'",
            remedy='Install it: pip install "clcd[cluster]"',
        ) from error
    connect: Any = distributed.Client
    try:
        return connect(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False, name="clcd")
    # What is said of an address that cannot be, or of a wrong certificate, is no OSError.
    except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
        raise ClusterUnavailable(
            "no scheduler of dask.distributed answers at this address.",
            place=f"cluster {address}",
            remedy="Check the address, that the scheduler runs a version of dask near "
            f"{version('distributed')}, and that no firewall is between.",
        ) from error


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
