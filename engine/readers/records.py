"""The records of a text table: cut one by one, or parsed in bulk with pandas."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TypeAlias

import numpy as np
import pandas

from engine.errors import UnreadableFile
from engine.readers.reading import Record
from engine.readers.registry import DECIMAL_MARKS, DELIMITERS, QUOTES

_NEVER = "\x1f"
"""Stands for "no separator": a control character that no text table holds."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are written.

    Attributes
    ----------
    delimiter, quote, decimal : str
        Names of choices of :class:`~engine.readers.registry.ReadingOptions`.
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


Cells: TypeAlias = np.ndarray | pandas.Series
"""A column as parsed: float64 with NaN for missing, or text."""

_MOST_COLUMNS_IN_PARTS = 1000
_LARGEST_EXACT = 2**53
"""Up to here every whole number is a float64."""


def parse_cells(
    content: bytes,
    width: int,
    dialect: Dialect,
    missing_codes: Sequence[str],
    as_text: Iterable[int],
    row_limit: int | None,
    file: str,
) -> list[Cells]:
    """Parse rows of equal length.

    Parameters
    ----------
    content : bytes
        The rows in UTF-8; none is blank or longer than `width`.
    width : int
        Number of columns.
    dialect : Dialect
    missing_codes : sequence of str
        Cells read as missing, besides empty ones.
    as_text : iterable of int
        Columns that are not to be read as numbers.
    row_limit : int or None
        Read only the first rows.
    file : str
        The file as error messages name it.

    Returns
    -------
    list of Cells
        One entry a column. A column whose every cell is a number is float64; all others are text,
        so words such as TRUE stay as they are written. So do numbers beyond 2**53, which may be
        codes that a float64 would merge.

    Raises
    ------
    UnreadableFile
        When the rows cannot be parsed after all.

    Notes
    -----
    pandas reads fractions correctly rounded from 3.1 on, which makes a written table read back equal.
    """
    texts = frozenset(as_text)
    try:
        columns = _columns_of(_parse(content, width, dialect, missing_codes, texts, row_limit))
        altered = [position for position in range(width) if _loses_its_writing(columns[position])]
        if altered:
            columns = _columns_of(
                _parse(content, width, dialect, missing_codes, texts.union(altered), row_limit)
            )
    except pandas.errors.ParserError as error:
        raise UnreadableFile(
            f"the rows cannot be taken apart ({error}).",
            place=file,
            remedy="Check the separator and the quotation marks.",
        ) from error
    return columns


def is_empty(cells: Cells) -> bool:
    """Tell whether every cell of a column is missing."""
    if isinstance(cells, np.ndarray):
        return bool(np.isnan(cells).all())
    return bool(cells.isna().all())


def has_gaps(cells: Cells) -> bool:
    """Tell whether any cell of a column is missing."""
    if isinstance(cells, np.ndarray):
        return bool(np.isnan(cells).any())
    return bool(cells.isna().any())


def _parse(
    content: bytes,
    width: int,
    dialect: Dialect,
    missing_codes: Sequence[str],
    texts: frozenset[int],
    row_limit: int | None,
) -> pandas.DataFrame:
    quote = dialect.quote_character
    return pandas.read_csv(
        BytesIO(content),
        sep=r"\s+" if dialect.delimiter == "space" else dialect.separator,
        header=None,
        names=range(width),
        nrows=row_limit,
        index_col=False,
        dtype=dict.fromkeys(texts, "str"),
        decimal=dialect.decimal_mark,
        quotechar=quote or '"',
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        na_values=["", *missing_codes],
        keep_default_na=False,
        skip_blank_lines=False,
        # In parts, unless their many columns cost more than they hold; what a part reads as numbers and
        # another as text is found by its type, and read again.
        low_memory=width <= _MOST_COLUMNS_IN_PARTS,
    )


def _columns_of(frame: pandas.DataFrame) -> list[Cells]:
    """Take a frame apart, which is let go afterwards."""
    return [_numbers(series) if series.dtype.kind in "iuf" else series for _, series in frame.items()]


def _numbers(series: pandas.Series) -> np.ndarray:
    """Give the numbers of a column, without a copy where the frame, which is let go, has them so."""
    if series.dtype != np.float64:
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    values = series.to_numpy()
    owner = values if values.base is None else values.base
    if isinstance(owner, np.ndarray) and owner.base is None and owner.size == values.size:
        owner.flags.writeable = False
    return np.asarray(values)


def _loses_its_writing(cells: Cells) -> bool:
    """Tell whether a parsed column no longer says what was written: TRUE, long whole numbers."""
    if isinstance(cells, np.ndarray):
        largest = max(np.fmax.reduce(cells, initial=0.0), -np.fmin.reduce(cells, initial=0.0))
        if np.isinf(largest):
            finite = cells[np.isfinite(cells)]
            largest = np.abs(finite).max(initial=0.0)
        return bool(largest > _LARGEST_EXACT)
    return not isinstance(cells.dtype, pandas.StringDtype)
