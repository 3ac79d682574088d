"""How an order reaches the workers of an executor: one way for each kind of executor."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.discovery.remote.order import FoundLabel, SearchOrder
from engine.discovery.remote.station import search_labels


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

    def submit(self, places: tuple[int, ...]) -> Future[list[FoundLabel]]:
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
        """Give an error of a task in words that a person can act on, or as it is."""


@contextmanager
def transport_to(executor: Executor, order: SearchOrder) -> Iterator[Transport]:
    """Bring an order to the workers of an executor, and take it back at the end."""
    if isinstance(executor, ProcessPoolExecutor):
        from engine.discovery.remote.file_transport import file_transport

        with file_transport(executor, order) as by_file:
            yield by_file
    elif type(executor).__module__.partition(".")[0] == "distributed":
        from engine.discovery.remote.cluster_transport import cluster_transport

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
        """Give the order; the sender shares no stop mark."""
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

    def submit(self, places: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        return self._executor.submit(search_labels, self._parcel, places)

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
        """Give the error as it is."""
        return error
