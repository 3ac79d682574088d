"""Standard output and error, progress where somebody watches, and Ctrl+C."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import FrameType
from typing import Any, NoReturn, TextIO

from engine.errors import InvalidParameter, UnwritableFile
from engine.progress import ProgressEvent
from engine.wording.phrases import visible

ERROR_PREFIX = "clcd: "


class Console:
    """Where the command speaks to: results to standard output, messages to standard error.

    Letters that the terminal cannot show are replaced. When the program that reads the output goes away
    (``clcd inspect … | head``), the rest is dropped without a word.
    """

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")

    @property
    def is_watched(self) -> bool:
        """Whether a person sees standard error, so that progress is worth drawing."""
        return sys.stderr is not None and sys.stderr.isatty()

    def say(self, text: str = "") -> None:
        """Write a line to standard output."""
        if sys.stdout is None:
            return
        try:
            sys.stdout.write(text + "\n")
        except BrokenPipeError:
            _discard(sys.stdout)
        except OSError as error:
            raise _cannot_print(error) from error

    def message(self, text: str) -> None:
        """Write one line to standard error."""
        if sys.stderr is None:
            return
        line = ERROR_PREFIX + visible(" ".join(text.split())) + "\n"
        try:
            sys.stderr.write(line)
            sys.stderr.flush()
        except BrokenPipeError:
            _discard(sys.stderr)

    def finish(self) -> None:
        """Send everything on its way, while errors can still be reported."""
        if sys.stdout is None:
            return
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _discard(sys.stdout)
        except OSError as error:
            _discard(sys.stdout)
            raise _cannot_print(error) from error


def _discard(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that nothing complains when the program ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _cannot_print(error: OSError) -> UnwritableFile:
    return UnwritableFile(
        f"cannot be written ({error.strerror or error}).",
        place="standard output",
        remedy="Files that were asked for are there.",
    )


_GAP = "  "
_WIDEST_COLUMN = 60


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """Lay out rows as lines.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        Their cells; long ones are shortened, control characters made visible.
    right : sequence of str
        Names of columns that are aligned at the right.

    Returns
    -------
    list of str
        One line a row, after one for the header.

    Examples
    --------
    >>> text_table(["name", "rows"], [["a", "10"], ["long", "5"]], right=["rows"])
    ['name  rows', 'a       10', 'long     5']
    """
    lines = [list(header), *([shortened(visible(cell)) for cell in row] for row in rows)]
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    positions = {header.index(name) for name in right}
    return [
        _GAP.join(
            _padded(cell, width, position in positions)
            for position, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def display_width(text: str) -> int:
    """Count the places that a text takes on a terminal: two for a Chinese letter, none for an accent.

    Examples
    --------
    >>> display_width("abc"), display_width("高血压")
    (3, 6)
    """
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def shortened(text: str, most: int = _WIDEST_COLUMN) -> str:
    """Cut a text that takes more than `most` places."""
    if display_width(text) <= most:
        return text
    last_line = ""
    width = 1
    for letter in text:
        width += display_width(letter)
        if width > most:
            break
        last_line += letter
    return last_line + "…"


def _padded(cell: str, width: int, at_right: bool) -> str:
    space = " " * (width - display_width(cell))
    return space + cell if at_right else cell + space


_BAR = "{percentage:3.0f} % |{bar:24}| {elapsed}, about {remaining} left  {desc}"
_USUAL_SIZE = {"ncols": 100, "nrows": 24}


class TerminalProgress:
    """Draws one bar on standard error when a person watches, and passes on the wish to stop.

    Parameters
    ----------
    is_drawn : bool
        Whether to draw.
    should_stop : callable
        Tells whether the person asked to stop.
    """

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
        with self._lock:
            if self._bar is None or self._bar.total != event.total:
                self._close()
                self._bar = _new_bar(event.total, words)
            self._bar.set_description_str(words, refresh=False)
            self._bar.update(max(event.done - self._bar.n, 0))

    def should_stop(self) -> bool:
        """Tell whether the person asked to stop."""
        return self._should_stop()

    def close(self) -> None:
        """Take the bar away."""
        with self._lock:
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


def written_lines(paths: Sequence[Path]) -> Iterator[str]:
    """Name the files, a picture in several formats once."""
    endings: dict[str, list[str]] = {}
    for path in paths:
        endings.setdefault(path.stem, []).append(path.suffix)
    names = ", ".join(f"{stem}{'/'.join(found)}" for stem, found in endings.items())
    yield f"Written to {paths[0].parent}: {names}."


class Parser(argparse.ArgumentParser):
    """Parser that raises InvalidParameter instead of printing how it is used and ending the program."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )

    @property
    def options(self) -> dict[str, str]:
        """The option that sets each argument, by the name of the argument."""
        return {each.dest: each.option_strings[0] for each in self._actions if each.option_strings}

    def error(self, message: str) -> NoReturn:
        """Raise the error that `message` describes."""
        sentence = message.removeprefix("argument ").rstrip(".")
        raise InvalidParameter(f"{sentence}.", remedy=f"See '{self.prog} --help'.")


def given_path(text: str) -> Path:
    """Return the file or folder that a word names.

    Raises
    ------
    argparse.ArgumentTypeError
        When it names none, as a variable of the shell without a value does; it would be the current folder.
    """
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)
