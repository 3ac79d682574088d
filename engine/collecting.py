"""When the garbage collector waits: it stops every thread, and looks through what stays again and again."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Of what libraries, searches and tables make, little is garbage before their end.
_OBJECTS_BEFORE_COLLECTION = 50_000


def collect_seldom() -> None:
    """Let the collector look less often until the process ends.

    >>> before = gc.get_threshold()
    >>> collect_seldom()
    >>> gc.get_threshold()[0]
    50000
    >>> gc.set_threshold(*before)
    """
    young, *older = gc.get_threshold()
    # 0 is for never.
    gc.set_threshold(young and max(young, _OBJECTS_BEFORE_COLLECTION), *older)


class _Seldom:
    """Counts who wants the collector of the process to look less often, so that the last one undoes it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._before = gc.get_threshold()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if not self._holders:
                self._before = gc.get_threshold()
                collect_seldom()
            self._holders += 1
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
                if not self._holders:
                    gc.set_threshold(*self._before)


collecting_seldom = _Seldom()
"""Return what lets the collector look less often inside ``with``, in one thread or in several at once."""


@contextmanager
def without_collecting() -> Iterator[None]:
    """Let the collector wait while much is made that stays: looking through all of it takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
