"""What is asked of workers that share no memory with this process, and what they do."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.neighbourhoods import Ledger, Neighbourhoods
from engine.boundaries.warm_up import compile_searches
from engine.discovery.label_outcome import LabelOutcome, announce_nothing, search_label
from engine.errors import Cancelled
from engine.execution.remembering import BoundedMemory
from engine.execution.workers import single_threaded_algebra
from engine.independence.data import TestData


@dataclass(frozen=True)
class SearchOrder:
    """Everything that a worker must know to search around any of the labels."""

    data: TestData
    settings: DiscoverySettings
    labels: tuple[int, ...]
    token: str = field(default_factory=lambda: uuid.uuid4().hex)


@dataclass(frozen=True)
class FoundLabel:
    """What came of one label."""

    place: int
    outcome: LabelOutcome
    ledger: Ledger
    seconds: float


class Tally:
    """Adds the tests of labels up, those of one screen or search once, whoever made it."""

    def __init__(self) -> None:
        self._ledger: Ledger = {}
        self._tests = 0
        self._unreliable = 0

    def add(self, ledger: Ledger) -> None:
        """Take in what a label needed."""
        for key in ledger.keys() - self._ledger.keys():
            self._ledger[key] = ledger[key]
            self._tests += ledger[key][0]
            self._unreliable += ledger[key][1]

    @property
    def total(self) -> tuple[int, int]:
        """Tests, and the unreliable ones among them."""
        return self._tests, self._unreliable


# Tables are large; the marks of runs that were stopped are not.
_MOST_SEARCHES = 2
_MOST_MARKS = 256


class Parcel(Protocol):
    """An order on its way; it is opened where it is needed."""

    @property
    def token(self) -> str:
        """Which run it belongs to."""

    def open(self) -> tuple[SearchOrder, np.ndarray | None]:
        """Return the order, and the stop mark of the run where the sender shares one."""


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


class OrderMissing(Exception):
    """A worker has no order of this run: it joined after the others took theirs, or has had others since."""


class _WorkerSearch:
    """One run as one worker sees it."""

    def __init__(self, order: SearchOrder, stop: np.ndarray) -> None:
        self.order = order
        self.search = Neighbourhoods(order.data, order.settings, stop)
        compile_searches(order.data, order.settings)

    def find(self, position: int) -> FoundLabel:
        """Search around a label."""
        started = time.perf_counter()
        search = self.search.noted()
        labels = self.order.labels
        outcome = search_label(search, labels, announce_nothing, labels[position])
        return FoundLabel(position, outcome, search.ledger, time.perf_counter() - started)


def search_labels(parcel: Parcel, positions: tuple[int, ...]) -> list[FoundLabel]:
    """Search around some labels of an order, in the worker, where the first task of a run opens it."""
    labels: list[FoundLabel] = []
    with suppress(Cancelled), single_threaded_algebra():
        worker_search = _search_of(parcel)
        for position in positions:
            worker_search.search.check_stop()
            labels.append(worker_search.find(position))
    return labels


class Transport:
    """How workers get an order: once each, or with every task; without `stops_workers`, tasks finish."""

    stops_workers = False
    carries_table = True

    def __init__(self, executor: Executor, parcel: Parcel) -> None:
        self._executor = executor
        self._parcel = parcel

    @property
    def capacity(self) -> int:
        """Groups of labels that the workers search at once; 0 while they have not got the order yet."""
        # Most executors, but not all, say how many workers they have in this way.
        return int(getattr(self._executor, "_max_workers", None) or os.cpu_count() or 1)

    def submit(self, positions: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        return self._executor.submit(search_labels, self._parcel, positions)

    def ask_to_stop(self) -> None:
        """Tell the workers to end what they do for this run, where they can be told; return at once."""

    def abandon(self, futures: Iterable[Future[list[FoundLabel]]]) -> None:
        """End what runs, where that can be done, and take back what has not begun."""
        self.ask_to_stop()
        for future in futures:
            future.cancel()

    def check(self) -> None:
        """Raise WorkersLost when no worker can be expected to answer any more; others say so themselves."""

    def repair(self) -> None:
        """Have the order sent again, because workers that had it were lost, where tasks do not carry it."""

    def explained(self, error: BaseException) -> BaseException:
        """Return an error of a task in words that a person can act on, or as it is."""
        return error


def take_order(parcel: Parcel) -> None:
    """Open an order before the first task of its run, and keep it."""
    with suppress(Cancelled):
        _search_of(parcel)


def has_order(token: str) -> bool:
    """Tell whether this worker keeps the order of a run; called from outside its tasks."""
    return _searches.get(token) is not None


def stop_run(token: str) -> None:
    """Stop what this worker does for a run, now and later; called from outside its tasks."""
    _stop_mark(token)[0] = 1


_searches: BoundedMemory[str, _WorkerSearch] = BoundedMemory(_MOST_SEARCHES)
_marks: BoundedMemory[str, np.ndarray] = BoundedMemory(_MOST_MARKS)
_making = Lock()
_marking = Lock()


def _search_of(parcel: Parcel) -> _WorkerSearch:
    # One thread of the worker makes it, and the others wait.
    with _making:
        worker_search = _searches.get(parcel.token)
        if worker_search is None:
            own = _stop_mark(parcel.token)
            if own[0]:
                raise Cancelled()
            order, shared = parcel.open()
            worker_search = _WorkerSearch(order, own if shared is None else shared)
            _searches.put(parcel.token, worker_search)
        return worker_search


def _stop_mark(token: str) -> np.ndarray:
    with _marking:
        mark = _marks.get(token)
        if mark is None:
            mark = np.zeros(1, dtype=np.uint8)
            _marks.put(token, mark)
        return mark
