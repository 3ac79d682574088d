"""Results that may be wanted again, kept within a bound; what was wanted least recently goes first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """A bounded memory that several threads may use at once.

    Parameters
    ----------
    most : float
        How much is kept, all values together.
    weight : callable, optional
        How much of that a value takes up; 1 when left out, so that `most` is a number of values.

    Examples
    --------
    >>> kept = Kept(most=2)
    >>> for number in (1, 2, 3):
    ...     kept.put(number, str(number))
    >>> kept.get(1), kept.get(3)
    (None, '3')
    """

    def __init__(self, most: float, weight: Callable[[Value], float] = lambda value: 1.0) -> None:
        self._most = most
        self._weight = weight
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._total = 0.0
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Give the value of a key; None when it is not kept, or not any more."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; one that takes up more than everything may is not kept."""
        weight = self._weight(value)
        if weight > self._most:
            return
        with self._lock:
            previous = self._values.pop(key, None)
            if previous is not None:
                self._total -= self._weight(previous)
            self._values[key] = value
            self._total += weight
            while self._total > self._most:
                _, forgotten = self._values.popitem(last=False)
                self._total -= self._weight(forgotten)
