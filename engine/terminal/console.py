"""Standard output and error, and lines that stand there."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TextIO

from engine.errors import UnwritableFile
from engine.progress import ProgressEvent
from engine.translation import N_, _, translated
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
        _("cannot be written ({reason}).", reason=error.strerror or error),
        place=_("standard output"),
        remedy=_("Files that were asked for are there."),
    )


def written_lines(paths: Sequence[Path]) -> Iterator[str]:
    """Name the files, a picture in several formats once."""
    endings: dict[str, list[str]] = {}
    for path in paths:
        endings.setdefault(path.stem, []).append(path.suffix)
    names = ", ".join(f"{stem}{'/'.join(endings_of_stem)}" for stem, endings_of_stem in endings.items())
    yield _("Written to {folder}: {names}.", folder=paths[0].parent, names=names)


_GAP = "  "
_WIDEST_COLUMN = 60


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """Lay out rows as lines.

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


_BAR = N_("{percentage:3.0f} % |{bar:24}| {elapsed}, about {remaining} left  {desc}")
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
        # Another process may have named the stage, in another language.
        stage = translated(event.stage)
        words = f"{stage}: {event.detail}" if event.detail else stage
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
    return tqdm(desc=words, total=total, leave=False, bar_format=_(_BAR), mininterval=0.1, **size)


def _knows_size() -> bool:
    """Tell whether the terminal says how large it is; some say 0, and nothing would be drawn."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns > 0
    except (OSError, ValueError):
        return False
