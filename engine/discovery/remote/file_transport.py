"""The order in a file that every process of this machine maps into its memory."""

from __future__ import annotations

import mmap
import pickle
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.discovery.remote.order import FoundLabel, SearchOrder
from engine.discovery.remote.station import search_labels
from engine.errors import Cancelled

_HEAD, _ARRAYS, _STOP = "order", "arrays", "stop"
_ALIGNMENT = 64


@contextmanager
def file_transport(executor: ProcessPoolExecutor, order: SearchOrder) -> Iterator[FileTransport]:
    """Write an order to a folder of its own, and remove it at the end, whatever happened."""
    folder = Path(tempfile.mkdtemp(prefix="clcd-"))
    try:
        yield FileTransport(executor, write_order(order, folder))
    finally:
        # Where a file that is mapped cannot be removed, the system clears it away with its other
        # temporary files.
        shutil.rmtree(folder, ignore_errors=True)


class FileTransport:
    """For processes on this machine: they share the pages of one file, and a stop mark in another."""

    stops_workers = True
    carries_table = False

    def __init__(self, executor: ProcessPoolExecutor, parcel: FileParcel) -> None:
        self._executor = executor
        self._parcel = parcel
        self._stop = _mapped(Path(parcel.folder) / _STOP, mmap.ACCESS_WRITE)
        self.capacity = int(executor._max_workers)  # type: ignore[attr-defined]

    def submit(self, places: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        return self._executor.submit(search_labels, self._parcel, places)

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
        """Give the error as it is."""
        return error


@dataclass(frozen=True)
class FileParcel:
    """An order in a folder of this machine that only this user can enter."""

    token: str
    folder: str

    def open(self) -> tuple[SearchOrder, np.ndarray | None]:
        """Map the files.

        Raises
        ------
        Cancelled
            When they are gone, which they are once the run has ended.
        """
        folder = Path(self.folder)
        try:
            head = (folder / _HEAD).read_bytes()
            # Writable, as the kernels are compiled for, and a page that is written to becomes a private copy.
            arrays = _mapped(folder / _ARRAYS, mmap.ACCESS_COPY)
            stop = _mapped(folder / _STOP, mmap.ACCESS_WRITE)
        except FileNotFoundError:
            raise Cancelled("the run has ended.") from None
        extents, content = pickle.loads(head)
        order: SearchOrder = pickle.loads(
            content, buffers=[arrays[start : start + size] for start, size in extents]
        )
        return order, stop


def write_order(order: SearchOrder, folder: Path) -> FileParcel:
    """Write the arrays of an order one after the other, and the rest beside them."""
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(order, protocol=5, buffer_callback=buffers.append)
    extents: list[tuple[int, int]] = []
    with (folder / _ARRAYS).open("wb") as file:
        for buffer in buffers:
            file.write(b"\0" * (-file.tell() % _ALIGNMENT))
            extents.append((file.tell(), buffer.raw().nbytes))
            file.write(buffer.raw())
        # An empty file cannot be mapped.
        file.write(b"\0")
    (folder / _HEAD).write_bytes(pickle.dumps((extents, content)))
    (folder / _STOP).write_bytes(b"\0")
    return FileParcel(order.token, str(folder))


def _mapped(path: Path, access: int) -> np.ndarray:
    with path.open("r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=access), dtype=np.uint8)
