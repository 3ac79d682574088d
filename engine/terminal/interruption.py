"""Ctrl+C and other requests to stop: what is finished is kept."""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from engine.translation import N_, _

if TYPE_CHECKING:
    from engine.terminal.console import Console, TerminalProgress

INTERRUPTED = 130
STOPPED_EARLY = N_("stopped; nothing was written.")

# The last is sent when the terminal is closed, or the connection to it is lost; Windows has none.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_ANNOUNCEMENT = N_("\nclcd: stopping; what is finished is kept. Ctrl+C again ends at once.\n")
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
        for signal_number in _SIGNALS:
            signal.signal(signal_number, signal.SIG_IGN)
        if sys.stderr is not None:
            # Straight to the terminal: a stream that is being written to cannot be used in a handler.
            _announce(sys.__stderr__.fileno() if sys.__stderr__ else 2)
        # Some programs send a signal to the process and at once to its group: that is one request.
        time.sleep(_ONE_REQUEST_SECONDS)
        for signal_number in _SIGNALS:
            signal.signal(signal_number, signal.SIG_DFL)


def _announce(stream: int) -> None:
    """Say that the program is stopping; where the terminal was closed, let all that is said be lost."""
    try:
        os.write(stream, _(_ANNOUNCEMENT).encode())
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for output in (sys.__stdout__, sys.__stderr__):
            if output is not None and _is_of_a_terminal(output.fileno()):
                os.dup2(nowhere, output.fileno())
        os.close(nowhere)


def _is_of_a_terminal(stream: int) -> bool:
    """Tell whether a stream goes to a terminal, also to one that was closed."""
    return stat.S_ISCHR(os.fstat(stream).st_mode)


@contextmanager
def stop_on_request() -> Iterator[Interruption]:
    """Turn Ctrl+C, a request to terminate and a closed terminal into a wish to stop, for the time of a block.

    Signals that the program was started to ignore stay ignored.
    """
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before = {signal_number: signal.getsignal(signal_number) for signal_number in _SIGNALS}
    for signal_number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(signal_number, interruption.take)
    try:
        yield interruption
    finally:
        for signal_number, handler in before.items():
            signal.signal(signal_number, handler)


@contextmanager
def shown_progress(console: Console, interruption: Interruption) -> Iterator[TerminalProgress]:
    """Draw how far the work of a block is, and let it be interrupted."""
    # Until Ctrl+C is heeded nothing but the standard library is loaded.
    from engine.terminal.console import TerminalProgress

    with closing(TerminalProgress(console.is_watched, interruption.is_requested)) as progress:
        yield progress
