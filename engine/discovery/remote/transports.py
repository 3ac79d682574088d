"""How an order reaches the workers of an executor: a file on this machine, or a cluster."""

from __future__ import annotations

import math
import mmap
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np

from engine.discovery.remote.worker import FoundLabel, SearchOrder, search_labels, stop_run
from engine.errors import Cancelled, ClusterUnavailable, WorkersLost
from engine.progress import Progress
from engine.temporary import TemporaryFolder, no_temporary_file


class Transport(Protocol):
    """An order that workers have, or will have with their tasks.

    Attributes
    ----------
    stops_workers : bool
        Whether :meth:`ask_to_stop` reaches what runs already.
    carries_table : bool
        Every task carries the table anew, so that there should be few.
    """

    stops_workers: bool
    carries_table: bool

    @property
    def capacity(self) -> int:
        """Groups of labels that the workers search at once; 0 while they have not got the order yet."""

    def submit(self, positions: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""

    def ask_to_stop(self) -> None:
        """Tell the workers to end what they do for this run; return at once."""

    def abandon(self, futures: Sequence[Future[list[FoundLabel]]]) -> None:
        """Let tasks go that nobody waits for any more, and end them where that can be done."""

    def check(self) -> None:
        """Raise WorkersLost when no worker can be expected to answer any more."""

    def repair(self) -> None:
        """Have the order sent again, because workers that had it were lost."""

    def explained(self, error: BaseException) -> BaseException:
        """Return an error of a task in words that a person can act on, or as it is."""


@contextmanager
def transport_to(executor: Executor, order: SearchOrder) -> Iterator[Transport]:
    """Bring an order to the workers of an executor, and take it back at the end."""
    if isinstance(executor, ProcessPoolExecutor):
        with file_transport(executor, order) as by_file:
            yield by_file
    elif type(executor).__module__.partition(".")[0] == "distributed":
        with cluster_transport(executor, order) as by_network:
            yield by_network
    else:
        yield _ValueTransport(executor, order)


@dataclass(frozen=True)
class LoadedParcel:
    """An order that travels with the task, or that the worker was sent before."""

    order: SearchOrder

    @property
    def token(self) -> str:
        """Which run it belongs to."""
        return self.order.token

    def open(self) -> tuple[SearchOrder, np.ndarray | None]:
        """Return the order; the sender shares no stop mark."""
        return self.order, None


class _ValueTransport:
    """For any executor: every task carries the table. What runs far away ends by itself after a stop."""

    stops_workers = False
    carries_table = True

    def __init__(self, executor: Executor, order: SearchOrder) -> None:
        self._executor = executor
        self._parcel = LoadedParcel(order)
        # Most executors, but not all, say how many workers they have in this way.
        self.capacity = int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)

    def submit(self, positions: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        return self._executor.submit(search_labels, self._parcel, positions)

    def ask_to_stop(self) -> None:
        """Do nothing: there is no way to tell them."""

    def abandon(self, futures: Sequence[Future[list[FoundLabel]]]) -> None:
        """Take back the tasks that have not begun."""
        for future in futures:
            future.cancel()

    def check(self) -> None:
        """Trust the executor, which says of each task how it ended."""

    def repair(self) -> None:
        """Do nothing: the next task carries the table."""

    def explained(self, error: BaseException) -> BaseException:
        """Return the error as it is."""
        return error


_ARRAYS, _STOP = "arrays", "stop"
_ALIGNMENT = 64


@contextmanager
def file_transport(executor: ProcessPoolExecutor, order: SearchOrder) -> Iterator[FileTransport]:
    """Write an order to a folder of its own, and remove it at the end, whatever happened."""
    with TemporaryFolder() as folder:
        try:
            transport = FileTransport(executor, write_order(order, folder))
        except OSError as error:
            raise no_temporary_file(error) from error
        yield transport


class FileTransport:
    """For processes on this machine: they share the pages of one file, and a stop mark in another."""

    stops_workers = True
    carries_table = False

    def __init__(self, executor: ProcessPoolExecutor, parcel: FileParcel) -> None:
        self._executor = executor
        self._parcel = parcel
        self._stop = _mapped(Path(parcel.folder) / _STOP, mmap.ACCESS_WRITE)
        self.capacity = int(executor._max_workers)  # type: ignore[attr-defined]

    def submit(self, positions: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        return self._executor.submit(search_labels, self._parcel, positions)

    def ask_to_stop(self) -> None:
        """Set the mark that the searches look at."""
        self._stop[0] = 1

    def abandon(self, futures: Sequence[Future[list[FoundLabel]]]) -> None:
        """End what runs and take back what has not begun."""
        self.ask_to_stop()
        for future in futures:
            future.cancel()

    def check(self) -> None:
        """Trust the pool, which says when one of its processes ends."""

    def repair(self) -> None:
        """Do nothing: a pool that lost a process takes no more tasks."""

    def explained(self, error: BaseException) -> BaseException:
        """Return the error as it is."""
        return error


@dataclass(frozen=True)
class _Extent:
    """Where in the file an array stands."""

    start: int
    dtype: str
    shape: tuple[int, ...]
    is_writable: bool

    def read(self, file: np.ndarray) -> np.ndarray:
        """Return the array, without copying it."""
        dtype = np.dtype(self.dtype)
        size = dtype.itemsize * math.prod(self.shape)
        array = file[self.start : self.start + size].view(dtype).reshape(self.shape)
        array.setflags(write=self.is_writable)
        return array


@dataclass(frozen=True)
class FileParcel:
    """An order whose arrays are in a folder of this machine that only this user can enter.

    Attributes
    ----------
    order : SearchOrder
        Its table is a tuple of values and of places in the file.
    table_class : type
        What the table is made again of.
    folder : str
    """

    order: SearchOrder
    table_class: type
    folder: str

    @property
    def token(self) -> str:
        """Which run it belongs to."""
        return self.order.token

    def open(self) -> tuple[SearchOrder, np.ndarray | None]:
        """Map the files.

        Raises
        ------
        Cancelled
            When they are gone, which they are once the run has ended.
        """
        folder = Path(self.folder)
        try:
            # Kernels are compiled for arrays that are writable or not as they were in the run itself; a
            # page that is written to becomes a private copy.
            file = _mapped(folder / _ARRAYS, mmap.ACCESS_COPY)
            stop = _mapped(folder / _STOP, mmap.ACCESS_WRITE)
        except FileNotFoundError:
            raise Cancelled("the run has ended.") from None
        values = (each.read(file) if isinstance(each, _Extent) else each for each in self.order.data.table)
        data = replace(self.order.data, table=self.table_class(*values))
        return replace(self.order, data=data), stop


def write_order(order: SearchOrder, folder: Path) -> FileParcel:
    """Write the arrays of an order one after the other; all else travels with the tasks."""
    values: list[Any] = []
    with (folder / _ARRAYS).open("wb") as file:
        for value in order.data.table:
            if isinstance(value, np.ndarray) and value.flags.c_contiguous:
                file.write(b"\0" * (-file.tell() % _ALIGNMENT))
                values.append(_Extent(file.tell(), value.dtype.str, value.shape, value.flags.writeable))
                file.write(value.data)
            else:
                values.append(value)
        # An empty file cannot be mapped.
        file.write(b"\0")
    (folder / _STOP).write_bytes(b"\0")
    placed = replace(order, data=replace(order.data, table=tuple(values)))
    return FileParcel(placed, type(order.data.table), str(folder))


def _mapped(path: Path, access: int) -> np.ndarray:
    with path.open("r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=access), dtype=np.uint8)


_SECONDS_TO_ANSWER, _SECONDS_BETWEEN_LOOKS = 5.0, 0.1
_LENGTH_BYTES, _SHORT_GREETING = 8, 1 << 20


def wait_for_scheduler(address: str, progress: Progress) -> None:
    """Return when what listens at an address greets as a scheduler does: dask waits for ever for others.

    A web server waits for a request, and other servers greet in words; a scheduler begins with the length of
    its greeting. Addresses of other kinds than ``tcp`` are left to dask.

    Raises
    ------
    ClusterUnavailable
        When something else listens there. Where nothing does, dask says so.
    Cancelled
        When the run was stopped.
    """
    found = urlsplit(address if "://" in address else f"tcp://{address}")
    try:
        if found.scheme != "tcp" or not found.hostname or not found.port:
            return
        line = socket.create_connection((found.hostname, found.port), _SECONDS_TO_ANSWER)
    except (OSError, ValueError):
        return
    said, deadline = b"", time.monotonic() + _SECONDS_TO_ANSWER
    with line:
        line.settimeout(_SECONDS_BETWEEN_LOOKS)
        while len(said) < _LENGTH_BYTES and time.monotonic() < deadline:
            if progress.should_stop():
                raise Cancelled
            with suppress(TimeoutError):
                heard = line.recv(_LENGTH_BYTES - len(said))
                if not heard:
                    break
                said += heard
    if len(said) < _LENGTH_BYTES or int.from_bytes(said, "little") > _SHORT_GREETING:
        raise ClusterUnavailable(
            "what listens at this address is no scheduler of dask.distributed.",
            place=f"cluster {address}",
            remedy="Check the port: a scheduler says which one it listens at when it starts.",
        )


_SECONDS_BETWEEN = 1.0


class ClusterWatch:
    """Asks the scheduler for its workers, again and again, on a thread of its own.

    Parameters
    ----------
    client : distributed.Client
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._ended = Event()
        self._answered = time.monotonic()
        self._threads = 0
        Thread(target=self._ask_on, name="clcd-cluster-watch", daemon=True).start()

    @property
    def threads(self) -> int:
        """Tasks that the workers can do at once, as far as is known."""
        return self._threads

    @property
    def seconds_alone(self) -> float:
        """For how long there has been no scheduler, or one without workers."""
        return time.monotonic() - self._answered

    def end(self) -> None:
        """Ask no more."""
        self._ended.set()

    def _ask_on(self) -> None:
        while not self._ended.is_set():
            threads = self._ask()
            if threads:
                self._threads = threads
                self._answered = time.monotonic()
            self._ended.wait(_SECONDS_BETWEEN)

    def _ask(self) -> int:
        if self._client.status != "running":
            return 0
        try:
            return sum(self._client.nthreads().values())
        except Exception:  # noqa: BLE001 - whatever went wrong, it did not answer
            return 0


# A worker that ended may be started again by its nanny, and a scheduler may come back.
_MOST_SECONDS_ALONE = 20.0
_SECONDS_TO_SEND = 120.0


@contextmanager
def cluster_transport(executor: Executor, order: SearchOrder) -> Iterator[ClusterTransport]:
    """Send an order to every worker, and watch over the cluster meanwhile.

    Parameters
    ----------
    executor : distributed.cfexecutor.ClientExecutor
        What ``Client.get_executor()`` gives.
    order : SearchOrder
    """
    client = executor._client  # type: ignore[attr-defined]
    watch = ClusterWatch(client)
    try:
        yield ClusterTransport(executor, client, watch, order)
    finally:
        watch.end()


class ClusterTransport:
    """For a cluster of dask.distributed, which gives the tasks of a lost worker to another one."""

    stops_workers = True
    carries_table = False

    def __init__(self, executor: Executor, client: Any, watch: ClusterWatch, order: SearchOrder) -> None:
        self._executor = executor
        self._client = client
        self._watch = watch
        self._parcel = LoadedParcel(order)
        self._sent: Any = None
        self._unsent: Exception | None = None
        self.repair()

    @property
    def capacity(self) -> int:
        """Groups of labels that the workers search at once, once they have the order; more when some join."""
        return 0 if self._sent is None else self._watch.threads

    def submit(self, positions: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        # Not pure: a group that was lost must not be answered by its lost predecessor.
        return self._executor.submit(search_labels, self._sent, positions, pure=False)  # type: ignore[call-arg]

    def ask_to_stop(self) -> None:
        """Call every worker outside its tasks, which are too busy to listen."""
        _beside(self._tell_all)

    def abandon(self, futures: Sequence[Future[list[FoundLabel]]]) -> None:
        """End what runs and take back what has not begun, without waiting for a cluster that may be gone."""
        self.ask_to_stop()
        for future in futures:
            _beside(future.cancel)

    def check(self) -> None:
        """Raise WorkersLost when scheduler or workers have been away for too long."""
        if self._unsent is not None or self._watch.seconds_alone > _MOST_SECONDS_ALONE:
            raise _nobody_left() from self._unsent

    def repair(self) -> None:
        """Send the order to every worker, beside the run, which may be stopped meanwhile."""
        self._sent = None
        _beside(self._send)

    def explained(self, error: BaseException) -> BaseException:
        """Say of a task that ended one worker after another what that means."""
        from distributed import KilledWorker

        if not isinstance(error, KilledWorker):
            return error
        return WorkersLost(
            "one worker after another ended while it searched around the same labels.",
            place="cluster",
            remedy="They may lack memory for the table: give them more, or fewer threads each.",
        )

    def _send(self) -> None:
        try:
            self._sent = self._client.scatter(
                self._parcel, broadcast=True, hash=False, timeout=_SECONDS_TO_SEND
            )
        except Exception as error:  # noqa: BLE001 - handed to the run, which raises it
            self._unsent = error

    def _tell_all(self) -> None:
        try:
            self._client.run(stop_run, self._parcel.token, on_error="ignore")
        except Exception:  # noqa: BLE001 - who cannot be told has ended, or what it finds is dropped
            return


def _beside(work: Callable[[], object]) -> None:
    Thread(target=work, name="clcd-cluster", daemon=True).start()


def _nobody_left() -> WorkersLost:
    return WorkersLost(
        "the cluster does not answer any more, or has no worker left.",
        place="cluster",
        remedy="Start its scheduler and workers again, or search on this machine.",
    )
