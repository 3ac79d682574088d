"""The search around all labels by workers that share no memory with this process."""

from __future__ import annotations

import io
import math
import mmap
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

import numpy as np

from engine.atomic import TemporaryFolder, no_temporary_file
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.label_outcome import STEPS_PER_LABEL, LabelOutcome
from engine.discovery.remote.cluster import cluster_transport
from engine.discovery.remote.worker import (
    FoundLabel,
    LoadedParcel,
    OrderMissing,
    SearchOrder,
    Tally,
    Transport,
)
from engine.errors import Cancelled, WorkersLost
from engine.independence.data import TestData
from engine.progress import Progress, Steps
from engine.translation import N_, _


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
        yield Transport(executor, LoadedParcel(order))


_ARRAYS, _STOP = "arrays", "stop"
_ALIGNMENT = 64
# With which arrays are handed over apart from all else.
_PROTOCOL = 5


@contextmanager
def file_transport(executor: ProcessPoolExecutor, order: SearchOrder) -> Iterator[FileTransport]:
    """Write an order to a folder of its own, and remove it at the end, whatever happened."""
    with TemporaryFolder() as folder:
        try:
            transport = FileTransport(executor, write_order(order, folder))
        except OSError as error:
            raise no_temporary_file(error) from error
        yield transport


class FileTransport(Transport):
    """For processes on this machine: they share the pages of one file, and a stop mark in another."""

    stops_workers = True
    carries_table = False

    def __init__(self, executor: ProcessPoolExecutor, parcel: FileParcel) -> None:
        super().__init__(executor, parcel)
        self._stop = _mapped(Path(parcel.folder) / _STOP, mmap.ACCESS_WRITE)

    def ask_to_stop(self) -> None:
        """Set the mark that the searches look at."""
        self._stop[0] = 1


@dataclass(frozen=True)
class FileParcel:
    """An order whose arrays are in a folder of this machine that only this user can enter."""

    token: str  # which run it belongs to
    folder: str
    order: bytes  # without the bytes of its arrays, as processes hand things over to each other
    places: tuple[tuple[int, int], ...]  # where in the file each array begins and ends

    def open(self) -> tuple[SearchOrder, np.ndarray | None]:
        """Map the files."""
        folder = Path(self.folder)
        try:
            # Kernels are compiled for arrays that are writable or not as they were in the run itself; a
            # page that is written to becomes a private copy.
            arrays = _mapped(folder / _ARRAYS, mmap.ACCESS_COPY)
            stop = _mapped(folder / _STOP, mmap.ACCESS_WRITE)
        except FileNotFoundError:
            raise Cancelled(_("the run has ended.")) from None
        buffers = (arrays[start:end] for start, end in self.places)
        return ForkingPickler.loads(self.order, buffers=buffers), stop


def write_order(order: SearchOrder, folder: Path) -> FileParcel:
    """Write the arrays of an order one after the other; all else travels with the tasks."""
    buffers: list[Any] = []
    all_else = io.BytesIO()
    ForkingPickler(all_else, _PROTOCOL, True, buffers.append).dump(order)
    places: list[tuple[int, int]] = []
    with (folder / _ARRAYS).open("wb") as file:
        for buffer in buffers:
            file.write(b"\0" * (-file.tell() % _ALIGNMENT))
            start = file.tell()
            file.write(buffer.raw())
            places.append((start, file.tell()))
        # An empty file cannot be mapped.
        file.write(b"\0")
    (folder / _STOP).write_bytes(b"\0")
    return FileParcel(order.token, str(folder), all_else.getvalue(), tuple(places))


def _mapped(path: Path, access: int) -> np.ndarray:
    with path.open("r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=access), dtype=np.uint8)


_POLL_SECONDS = 0.02
# Tasks this long make what it costs to send one count for little.
_TASK_SECONDS = 0.25
_GROUPS_A_WORKER = 2
# After a stop, for workers that can be told of it to hand over what they have finished.
_GRACE_SECONDS = 1.0
_MOST_LOSSES = 5


class LabelBatches:
    """The labels of one run on their way to workers and back."""

    def __init__(self, transport: Transport, labels: int) -> None:
        self._transport = transport
        self._labels = labels
        self._open = deque(range(labels))
        self._running: dict[Future[list[FoundLabel]], tuple[int, ...]] = {}
        self._found = 0
        self._seconds = 0.0
        self._losses = 0

    def finished(self, stops: Callable[[], bool]) -> Iterator[FoundLabel]:
        """Return labels as they come in, until all are there or the run is stopped."""
        try:
            while self._open or self._running:
                if stops():
                    yield from self._last()
                    return
                self._transport.check()
                self._hand_out()
                done, _ = wait(self._running, _POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    yield from self._taken(future, self._running.pop(future))
        finally:
            if self._running:
                self._transport.abandon(list(self._running))

    def _hand_out(self) -> None:
        while self._open and len(self._running) < self._ahead:
            positions = tuple(self._open.popleft() for _ in range(self._group_size()))
            try:
                future = self._transport.submit(positions)
            except BrokenExecutor as error:
                raise _lost() from error
            self._running[future] = positions

    @property
    def _ahead(self) -> int:
        return _GROUPS_A_WORKER * self._transport.capacity

    def _group_size(self) -> int:
        """Choose tasks that are long enough to be worth sending, and enough of them for every worker."""
        if self._transport.carries_table:
            return min(len(self._open), math.ceil(self._labels / self._ahead))
        seconds_each = self._seconds / self._found if self._found else _TASK_SECONDS
        worth_sending = int(_TASK_SECONDS / max(seconds_each, 1e-6))
        return max(1, min(worth_sending, len(self._open) // self._ahead))

    def _taken(self, future: Future[list[FoundLabel]], positions: tuple[int, ...]) -> list[FoundLabel]:
        """Return what a task found; when it was lost with its worker, its labels are open again."""
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenExecutor):
            raise _lost() from error
        if future.cancelled():
            self._losses += 1
            if self._losses > _MOST_LOSSES:
                raise _lost()
        if future.cancelled() or isinstance(error, OrderMissing):
            self._transport.repair()
            self._open.extendleft(reversed(positions))
            return []
        if error is not None:
            raise self._transport.explained(error) from error
        labels = future.result()
        self._found += len(labels)
        self._seconds += sum(label.seconds for label in labels)
        return labels

    def _last(self) -> Iterator[FoundLabel]:
        """Take what is finished at a stop, and what workers that were told of it hand over soon."""
        self._transport.ask_to_stop()
        deadline = time.monotonic() + (_GRACE_SECONDS if self._transport.stops_workers else 0.0)
        while self._running:
            done, _ = wait(self._running, max(0.0, deadline - time.monotonic()), FIRST_COMPLETED)
            if not done:
                return
            for future in done:
                self._running.pop(future)
                if not future.cancelled() and future.exception() is None:
                    yield from future.result()


def _lost() -> WorkersLost:
    return WorkersLost(
        _("workers ended before they had finished."),
        place=_("parallel search"),
        remedy=_("They may lack memory. Use fewer at once, or search without them."),
    )


SEARCHING = N_("Searching around labels")


class RemoteRun:
    """Searches around every label by the workers of an executor."""

    def __init__(
        self,
        data: TestData,
        settings: DiscoverySettings,
        labels: Sequence[int],
        progress: Progress,
        executor: Executor,
    ) -> None:
        # Here it searches around no label; the directions are told with its data, and screens that they need.
        self.search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8))
        self._order = SearchOrder(data, settings, tuple(labels))
        self._progress = progress
        self._executor = executor
        self._tally = Tally()

    @property
    def tests_made(self) -> tuple[int, int]:
        """Tests that screens and searches of finished labels needed, and directions here; unreliable ones."""
        self._tally.add(self.search.ledger)
        return self._tally.total

    def outcomes(self, steps: Steps) -> dict[int, LabelOutcome]:
        """Search around every label, by its place in the list; after a stop, those that were finished."""
        by_place: dict[int, LabelOutcome] = {}
        with transport_to(self._executor, self._order) as transport:
            for label in LabelBatches(transport, len(self._order.labels)).finished(self._stops):
                by_place[label.place] = label.outcome
                self._tally.add(label.ledger)
                name = self.search.data.names[self._order.labels[label.place]]
                steps.finish(_(SEARCHING), STEPS_PER_LABEL, name)
        return by_place

    def _stops(self) -> bool:
        if self._progress.should_stop():
            self.search.stop[0] = 1
        return bool(self.search.stop[0])
