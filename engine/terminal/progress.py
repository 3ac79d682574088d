"""Progress, drawn where somebody watches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from engine.progress import ProgressEvent
from engine.wording.phrases import visible

_BAR = "{percentage:3.0f} % |{bar:24}| {elapsed}, about {remaining} left  {desc}"
_USUAL_SIZE = {"ncols": 100, "nrows": 24}


class TerminalProgress:
    """Draws one bar on standard error when a person watches, and passes on the wish to stop."""

    def __init__(self, is_drawn: bool, should_stop: Callable[[], bool]) -> None:
        self._is_drawn = is_drawn
        self._should_stop = should_stop
        self._lock = Lock()
        self._bar: Any = None

    def report(self, event: ProgressEvent) -> None:
        """Draw how far the work is."""
        if not self._is_drawn:
            return
        words = f"{event.stage}: {event.detail}" if event.detail else event.stage
        words = visible(" ".join(words.split()))
        with self._lock, self._while_it_is_there():
            if self._bar is None or self._bar.total != event.total:
                self._close()
                self._bar = _new_bar(event.total, words)
            self._bar.set_description_str(words, refresh=False)
            self._bar.update(max(event.done - self._bar.n, 0))

    @contextmanager
    def _while_it_is_there(self) -> Iterator[None]:
        """Draw no more once the terminal was closed."""
        try:
            yield
        except OSError:
            self._is_drawn = False
            self._bar = None

    def should_stop(self) -> bool:
        """Tell whether the person asked to stop."""
        return self._should_stop()

    def close(self) -> None:
        """Take the bar away."""
        with self._lock, self._while_it_is_there():
            self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _new_bar(total: int, words: str) -> Any:
    from tqdm import tqdm

    # tqdm's watching thread is of no use here and would outlive the bar.
    tqdm.monitor_interval = 0
    size: dict[str, Any] = {"dynamic_ncols": True} if _knows_size() else _USUAL_SIZE
    return tqdm(desc=words, total=total, leave=False, bar_format=_BAR, mininterval=0.1, **size)


def _knows_size() -> bool:
    """Tell whether the terminal says how large it is; some say 0, and nothing would be drawn."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns > 0
    except (OSError, ValueError):
        return False
