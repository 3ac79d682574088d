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
    """

    def __init__(self, compute: Callable[[Key], Value]) -> None:
        self._compute = compute
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
                with self._lock:
                    self._finished[key] = value
                future.set_result(value)
        return future.result()

    def finished(self) -> list[Value]:
        """Give every value that was computed, in no particular order."""
        return list(self.finished_by_key().values())

    def finished_by_key(self) -> dict[Key, Value]:
        """Give every value that was computed, by its key."""
        with self._lock:
            return self._finished.copy()
