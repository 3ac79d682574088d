"""Cutting a text table into records: which line each begins on, and its cells."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.errors import UnreadableFile
from engine.readers.options import DECIMAL_MARKS, DELIMITERS, QUOTES

_NEVER = "\x1f"
"""Stands for "no separator": a control character that no text table holds."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are written.

    Attributes
    ----------
    delimiter, quote, decimal : str
        Names of choices of :class:`~engine.readers.options.ReadingOptions`.
    """

    delimiter: str
    quote: str = "double"
    decimal: str = "point"

    @property
    def separator(self) -> str:
        """The character between two cells."""
        return DELIMITERS[self.delimiter] or _NEVER

    @property
    def quote_character(self) -> str:
        """The quotation mark, empty where there is none."""
        return QUOTES[self.quote]

    @property
    def decimal_mark(self) -> str:
        """The decimal mark."""
        return DECIMAL_MARKS[self.decimal]


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a text table.

    Attributes
    ----------
    line : int
        Line in the file on which it begins, counted from 1.
    cells : tuple of str
        Without quotes.
    """

    line: int
    cells: tuple[str, ...]

    @property
    def is_blank(self) -> bool:
        """Whether nothing but blanks stands on the line."""
        return len(self.cells) == 0 or (len(self.cells) == 1 and not self.cells[0].strip())

    @property
    def filled(self) -> int:
        """Number of cells that hold anything."""
        return sum(bool(cell.strip()) for cell in self.cells)


def split_records(
    lines: Iterable[str], dialect: Dialect, first_line: int = 1, file: str = ""
) -> Iterator[Record]:
    """Cut lines into records; a quoted cell may span several lines.

    Parameters
    ----------
    lines : iterable of str
        Without line ends.
    dialect : Dialect
    first_line : int
        Number of the first line in the file.
    file : str
        The file as error messages name it.

    Yields
    ------
    Record

    Raises
    ------
    UnreadableFile
        When a cell is absurdly long, as happens when a quotation mark is never closed.
    """
    if dialect.delimiter == "space":
        lines = (line.replace("\t", " ").strip() for line in lines)
    reader = csv.reader(
        (f"{line}\n" for line in lines),
        delimiter=dialect.separator,
        quotechar=dialect.quote_character or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote_character else csv.QUOTE_NONE,
        skipinitialspace=dialect.delimiter == "space",
    )
    line = first_line
    try:
        for cells in reader:
            yield Record(line, tuple(cells))
            line = first_line + reader.line_num
    except csv.Error as error:
        raise unclosed_quote(line, file) from error


def unclosed_quote(line: int, file: str) -> UnreadableFile:
    """Make the error for a quotation mark that is never closed."""
    place = f"{file}, line {line}" if file else f"line {line}"
    return UnreadableFile(
        "a quotation mark that opens here is never closed.",
        place=place,
        remedy="Close it, or read the file with quotation marks as ordinary characters (quote: none).",
    )
