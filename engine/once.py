"""Work that several threads need and one of them does."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Once(Generic[Key, Value]):
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
        """Give the value of a key."""
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
        """Give every value that was computed, by its key."""
        with self._lock:
            return self._finished.copy()
