"""The records of a text table: cut one by one, or parsed in bulk with pandas."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Protocol, TypeAlias

import numpy as np
import pandas

from engine.errors import UnreadableFile
from engine.readers.options import DECIMAL_MARKS, DELIMITERS, QUOTES
from engine.readers.reading import Record
from engine.table.column_kinds import LARGEST_NUMBER
from engine.translation import _
from engine.wording.setting_names import SettingName, naming_settings

# What Python's own reader allows.
_MOST_LETTERS = 131_072
_NEVER = "\x1f"
"""Stands for "no separator": a control character that no text table holds."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are written."""

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


def split_records(
    lines: Iterable[str], dialect: Dialect, first_line: int = 1, file: str = ""
) -> Iterator[Record]:
    """Cut lines into records; a quoted cell may span several lines."""
    if dialect.delimiter == "space":
        lines = (line.replace("\t", " ").strip() for line in lines)
    # For the whole process, and other libraries change it.
    csv.field_size_limit(_MOST_LETTERS)
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
        is_in_one_line = first_line + reader.line_num - line <= 1
        raise (_long_cell if is_in_one_line else unclosed_quote)(line, file) from error


def _long_cell(line: int, file: str) -> UnreadableFile:
    return UnreadableFile(
        _("a cell is longer than {most_letters:,} characters.", most_letters=_MOST_LETTERS),
        place=_place_of(line, file),
        remedy=_("Shorten the text, or leave its column out of the file."),
    )


def _place_of(line: int, file: str) -> str:
    return _("{file}, line {line}", file=file, line=line) if file else _("line {line}", line=line)


def unclosed_quote(line: int, file: str) -> UnreadableFile:
    """Make the error for a quotation mark that is never closed."""
    return UnreadableFile(
        _("a quotation mark that opens here is never closed."),
        place=_place_of(line, file),
        remedy=naming_settings(
            _("Close it, or set {setting} where quotation marks are ordinary characters."),
            setting=SettingName("quote", "none"),
        ),
    )


Cells: TypeAlias = np.ndarray | pandas.Series
"""A column as parsed: float64 with NaN for missing, or text."""

_MANY_COLUMNS = 100
_BLOCK = 8 << 20
_BYTES_A_COLUMN = 1 << 13
"""What a column of a block costs beside its cells is worth so many bytes of these."""

_TOGETHER = 4 << 20
"""Bytes of numbers that are one array: they are let go together."""


class EvenRows(Protocol):
    """Rows of which none is blank or longer than the width."""

    @property
    def width(self) -> int:
        """Cells of the longest row."""

    @property
    def rows(self) -> Sized:
        """One entry a row."""

    @property
    def is_even(self) -> bool:
        """Whether every row has as many cells."""

    def blocks(self, size: int) -> Iterator[bytes]:
        """Give the rows in UTF-8, some whole rows of about so many bytes at a time."""


def parse_cells(
    body: EvenRows, dialect: Dialect, missing_codes: Sequence[str], as_text: Iterable[int], file: str
) -> list[Cells]:
    """Parse rows into columns, some rows at a time, so that text and values are never held both.

    Only columns of numbers alone are float64, and none of 16 digits and more, which may be codes. pandas
    rounds fractions correctly from 3.1 on.
    """
    texts = frozenset(as_text)
    with _naming(file):
        if body.is_even and body.width >= _MANY_COLUMNS and not texts and dialect.delimiter != "space":
            numbers = _all_numbers(body, dialect, missing_codes)
            if numbers is not None:
                return numbers
        columns = _parse_all(body, dialect, missing_codes, texts)
        altered = [position for position, cells in columns.items() if _loses_its_writing(cells)]
        if altered:
            columns |= _parse_all(body, dialect, missing_codes, texts.union(altered), altered)
    return [columns[position] for position in range(body.width)]


def parse_as_text(
    body: EvenRows, dialect: Dialect, missing_codes: Sequence[str], positions: Sequence[int], file: str
) -> dict[int, pandas.Series]:
    """Parse some columns as they are written, by position; parameters as of :func:`parse_cells`."""
    with _naming(file):
        columns = _parse_all(body, dialect, missing_codes, frozenset(positions), positions)
    return {position: column for position, column in columns.items() if isinstance(column, pandas.Series)}


def parse_block_as_text(
    block: bytes, width: int, dialect: Dialect, missing_codes: Sequence[str], positions: Sequence[int]
) -> pandas.DataFrame:
    """Parse some columns of some whole rows as they are written; columns are called by position."""
    return _parse(block, width, dialect, missing_codes, frozenset(positions), positions)


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Say which file cannot be parsed."""
    try:
        yield
    except pandas.errors.ParserError as error:
        raise UnreadableFile(
            _("the rows cannot be taken apart ({error}).", error=error),
            place=file,
            remedy=_("Check the separator and the quotation marks."),
        ) from error


def _all_numbers(body: EvenRows, dialect: Dialect, missing_codes: Sequence[str]) -> list[Cells] | None:
    """Parse a table of numbers as one long column, which is fast; None if a cell is no number or a code."""
    rows, width = len(body.rows), body.width
    separator, quote = dialect.separator.encode(), dialect.quote_character.encode()
    together = max(_TOGETHER // (8 * rows), 1)
    groups: list[np.ndarray] = []
    done = 0
    for text in body.blocks(_BLOCK // 4):
        if (quote and quote in text) or not (done or _is_of_numbers(text, dialect, missing_codes)):
            return None
        # A line end behind the last cell, which may be empty.
        flat = text.replace(separator, b"\n") + b"\n"
        whole = Dialect("none", "none", dialect.decimal)
        cells = _parse(flat, 1, whole, missing_codes, frozenset())[0]
        if cells.dtype.kind not in "iuf":
            return None
        values = cells.to_numpy(dtype=np.float64).reshape(-1, width)
        sizes = np.abs(values, where=np.isfinite(values), out=np.zeros_like(values))
        if sizes.max(initial=0.0) >= LARGEST_NUMBER:
            return None
        if not groups:
            groups = [np.empty((min(together, width - at), rows)) for at in range(0, width, together)]
        for number, group in enumerate(groups):
            at = number * together
            group[:, done : done + len(values)] = values[:, at : at + len(group)].T
        done += len(values)
    for group in groups:
        group.flags.writeable = False
    return [column for group in groups for column in group]


def _is_of_numbers(text: bytes, dialect: Dialect, missing_codes: Sequence[str]) -> bool:
    """Tell whether the first row holds only numbers and what means missing, as no table of words does."""
    cells = text.split(b"\n", 1)[0].decode().split(dialect.separator)
    missing_texts = {"", *missing_codes}
    return all(cell in missing_texts or _is_number(cell, dialect.decimal_mark) for cell in cells)


def _is_number(cell: str, decimal: str) -> bool:
    try:
        float(cell.replace(decimal, "."))
    except ValueError:
        return False
    return True


def _parse_all(
    body: EvenRows,
    dialect: Dialect,
    missing_codes: Sequence[str],
    texts: frozenset[int],
    only: Sequence[int] | None = None,
) -> dict[int, Cells]:
    """Parse some columns; one of numbers and text, or of truth values, comes as objects."""
    rows = len(body.rows)
    numbers: dict[int, np.ndarray] = {}
    words: dict[int, list[pandas.Series]] = {}
    torn: set[int] = set()
    done = 0
    for text in body.blocks(max(_BLOCK, _BYTES_A_COLUMN * body.width)):
        frame = _parse(text, body.width, dialect, missing_codes, texts, only)
        for position, series in frame.items():
            if position in torn:
                continue
            is_number = series.dtype.kind in "iuf"
            if (is_number and position in words) or (not is_number and position in numbers):
                torn.add(position)
                numbers.pop(position, None)
                words.pop(position, None)
            elif is_number:
                if position not in numbers:
                    numbers[position] = np.empty(rows)
                numbers[position][done : done + len(series)] = series.to_numpy()
            else:
                words.setdefault(position, []).append(series)
        done += len(frame)
    for column in numbers.values():
        column.flags.writeable = False
    joined = {
        position: parts[0] if len(parts) == 1 else pandas.concat(parts, ignore_index=True)
        for position, parts in words.items()
    }
    return {**numbers, **joined, **dict.fromkeys(torn, pandas.Series(dtype=object))}


def are_missing(cells: Cells) -> np.ndarray:
    """Tell of every cell whether it is missing."""
    return np.isnan(cells) if isinstance(cells, np.ndarray) else np.asarray(cells.array.isna())


def is_empty(cells: Cells) -> bool:
    """Tell whether every cell of a column is missing."""
    # Most columns begin with a value; NaN differs from itself.
    if isinstance(cells, np.ndarray) and len(cells) and cells[0] == cells[0]:
        return False
    return bool(are_missing(cells).all())


def has_gaps(cells: Cells) -> bool:
    """Tell whether any cell of a column is missing."""
    return bool(are_missing(cells).any())


def _parse(
    content: bytes,
    width: int,
    dialect: Dialect,
    missing_codes: Sequence[str],
    texts: frozenset[int],
    only: Sequence[int] | None = None,
) -> pandas.DataFrame:
    quote = dialect.quote_character
    parse = partial(
        pandas.read_csv,
        sep=r"\s+" if dialect.delimiter == "space" else dialect.separator,
        header=None,
        names=range(width),
        index_col=False,
        # A mapping, were it empty, makes pandas wrap each column once more.
        dtype=dict.fromkeys(texts, "str") or None,
        decimal=dialect.decimal_mark,
        quotechar=quote or '"',
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        na_values=["", *missing_codes],
        keep_default_na=False,
        skip_blank_lines=False,
        low_memory=False,
    )
    try:
        return parse(BytesIO(content), usecols=only)
    except pandas.errors.ParserError:
        if only is None:
            raise
        # Where no row has all columns, pandas fills the others up, but chooses none among them.
        return parse(BytesIO(content))[list(only)]


def _loses_its_writing(cells: Cells) -> bool:
    """Tell whether a parsed column no longer says what was written: TRUE, long whole numbers."""
    if isinstance(cells, np.ndarray):
        largest = max(np.fmax.reduce(cells, initial=0.0), -np.fmin.reduce(cells, initial=0.0))
        if np.isinf(largest):
            finite = cells[np.isfinite(cells)]
            largest = np.abs(finite).max(initial=0.0)
        return bool(largest >= LARGEST_NUMBER)
    return not isinstance(cells.dtype, pandas.StringDtype)
