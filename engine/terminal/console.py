"""Standard output and error, and lines that stand there."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from engine.errors import UnwritableFile
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


def written_lines(paths: Sequence[Path]) -> Iterator[str]:
    """Name the files, a picture in several formats once."""
    endings: dict[str, list[str]] = {}
    for path in paths:
        endings.setdefault(path.stem, []).append(path.suffix)
    names = ", ".join(f"{stem}{'/'.join(found)}" for stem, found in endings.items())
    yield f"Written to {paths[0].parent}: {names}."


_GAP = "  "
_WIDEST_COLUMN = 60


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """Lay out rows as lines.

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
