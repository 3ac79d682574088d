"""Ctrl+C and other requests to stop: what is finished is kept."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
STOPPED_EARLY = "stopped; nothing was written."

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_ANNOUNCEMENT = "\nclcd: stopping; what is finished is kept. Ctrl+C again ends at once.\n"
_SIGNAL_STATUS_BASE = 128
_ONE_REQUEST_SECONDS = 0.1


class Interruption:
    """Whether, and by which signal, the person asked to stop."""

    def __init__(self) -> None:
        self._number: int | None = None

    def is_requested(self) -> bool:
        """Tell whether to stop."""
        return self._number is not None

    @property
    def exit_status(self) -> int:
        """Exit status that tells scripts of the signal: 130 for Ctrl+C."""
        return _SIGNAL_STATUS_BASE + (self._number or signal.SIGINT)

    def take(self, number: int, frame: FrameType | None) -> None:
        """Take note of a signal; the next one has its usual, deadly effect."""
        self._number = number
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        if sys.stderr is not None:
            # Straight to the terminal: a stream that is being written to cannot be used in a handler.
            os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, _ANNOUNCEMENT.encode())
        # Some programs send a signal to the process and at once to its group: that is one request.
        time.sleep(_ONE_REQUEST_SECONDS)
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)


@contextmanager
def stop_on_request() -> Iterator[Interruption]:
    """Turn Ctrl+C, and a request to terminate, into a wish to stop for the time of a block.

    Signals that the program was started to ignore stay ignored.
    """
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before = {each: signal.getsignal(each) for each in _SIGNALS}
    for each, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(each, interruption.take)
    try:
        yield interruption
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
