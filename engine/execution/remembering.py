"""What several threads need is made by one of them, and results are remembered within a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class ComputedOnce(Generic[Key, Value]):
    """A cache that computes each key once; threads that need a key being computed wait for it.

    The function is given with each key and not stored, to avoid a reference cycle. `measure` gives two sizes
    of a value to add up.
    """

    def __init__(self, measure: Callable[[Value], tuple[int, int]] = lambda value: (0, 0)) -> None:
        self._measure = measure
        self._sums = (0, 0)
        self._futures: dict[Key, Future[Value]] = {}
        self._finished: dict[Key, Value] = {}
        self._lock = Lock()

    def value(self, key: Key, compute: Callable[[Key], Value]) -> Value:
        """Return the value of a key, computed where it is not there; everyone who asks gets its error."""
        if key in self._finished:
            return self._finished[key]
        with self._lock:
            future = self._futures.get(key)
            mine = future is None
            if future is None:
                future = self._futures[key] = Future()
        if mine:
            try:
                value = compute(key)
            except BaseException as error:  # noqa: BLE001 - handed on to everyone who waits
                future.set_exception(error)
            else:
                first, second = self._measure(value)
                with self._lock:
                    self._finished[key] = value
                    self._sums = (self._sums[0] + first, self._sums[1] + second)
                future.set_result(value)
                return value
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
    """A memory that several threads may use at once, of so many values, or of so much `weight` of all."""

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
