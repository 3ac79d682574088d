"""Text tables: CSV, TSV and their kin, with everything sniffed that such files leave unsaid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.notes import Note
from engine.readers.bulk import Cells, has_gaps, is_empty, parse_cells
from engine.readers.cells import ALWAYS_MISSING, is_missing
from engine.readers.dialect import sniff_dialect
from engine.readers.encoding import decode
from engine.readers.layout import Layout, sniff_layout
from engine.readers.options import ReadingOptions
from engine.readers.reading import Guess, Table
from engine.readers.records import Dialect, Record, unclosed_quote
from engine.readers.row_extents import BodyText
from engine.readers.row_lengths import Body, check_rows
from engine.readers.source import Source
from engine.readers.table_typing import codes_in, type_columns
from engine.readers.words import counted

_SAMPLE_LINES = 500
_SAMPLE_CHARACTERS = 1 << 19
_LEAST_SAMPLE_LINES = 20

_LINES_BESIDE_ROWS = 200
"""Lines of titles and headers that a preview reads in addition to its rows."""


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read a text table.

    Parameters
    ----------
    source : Source
    options : ReadingOptions
    row_limit : int, optional
        Read only the first rows.

    Returns
    -------
    Table

    Raises
    ------
    UnreadableFile, InvalidData, InvalidParameter
        With the line at fault.
    """
    line_limit = None if row_limit is None else row_limit + _LINES_BESIDE_ROWS
    raw, complete = source.read(line_limit)
    text = decode(raw, options.encoding, source.place, complete)
    content = _unified(text.content)
    dialect, layout, records, guesses = _sniff(content, options, source.place)
    rows = content[_line_offset(content, layout.first_data_line) :].encode()
    body = check_rows(
        BodyText(rows, layout.first_data_line, dialect, source.place, complete),
        len(layout.names),
        layout.least_cells,
        options,
    )
    codes = ALWAYS_MISSING if options.missing_codes is None else options.missing_codes
    texts = _digit_codes(records, layout)
    cells = parse_cells(body.content, body.width, dialect, codes, texts, row_limit, source.place)
    complete = complete and len(cells[0]) == len(body.line_numbers)
    _check_values(cells, layout, body, source.place)
    seen: frozenset[str] = frozenset()
    if options.missing_codes is None and any(map(has_gaps, cells)):
        seen = codes_in(body.content, dialect)
    typed = type_columns(cells, layout.names, layout.has_header, dialect, options.missing_codes, texts, seen)
    return Table(
        typed.variables,
        typed.columns,
        guesses=(*text.guesses, *guesses, *typed.guesses),
        issues=(*_header_notes(layout), *body.issues, *typed.issues),
        complete=complete,
    )


def _unified(content: str) -> str:
    """Bring all line ends into one form; DOS marks the end of a file with character 26."""
    if "\r" in content:
        content = content.replace("\r\n", "\n").replace("\r", "\n")
    return content.rstrip("\n\x1a")


def _line_offset(content: str, line: int) -> int:
    """Give the position at which a line begins; lines are counted from 1."""
    offset = 0
    for _ in range(line - 1):
        offset = content.index("\n", offset) + 1
    return offset


def _sniff(
    content: str, options: ReadingOptions, file: str
) -> tuple[Dialect, Layout, Sequence[Record], tuple[Guess, ...]]:
    skipped = options.skip_lines or 0
    if skipped > content.count("\n"):
        raise InvalidParameter(
            f"skipping {counted(skipped, 'line')} leaves nothing of {file}.",
            place="setting 'skip_lines'",
            remedy="Skip fewer lines.",
        )
    sample, whole = _sample(content, _line_offset(content, skipped + 1))
    dialect, records, dialect_guesses = sniff_dialect(sample, options, skipped + 1)
    if len(records) > 1 and not whole:
        # The sample may end inside a quoted cell.
        records = records[:-1]
    if not records:
        raise unclosed_quote(skipped + 1, file)
    layout, layout_guesses = sniff_layout(records, options)
    if layout.first_data_line == 0:
        raise InvalidData(
            "the file names columns but holds no rows.",
            place=file,
            remedy="Choose a file with data, or say that the first row is no header (header: no).",
        )
    return dialect, layout, records, (*dialect_guesses, *layout_guesses)


def _sample(content: str, offset: int) -> tuple[list[str], bool]:
    """Take the first lines, many but not too much text, and tell whether these are all."""
    end = offset
    for count in range(_SAMPLE_LINES):
        if end - offset > _SAMPLE_CHARACTERS and count >= _LEAST_SAMPLE_LINES:
            break
        feed = content.find("\n", end)
        if feed < 0:
            return content[offset:].split("\n"), True
        end = feed + 1
    return content[offset : end - 1].split("\n"), False


def _digit_codes(records: Sequence[Record], layout: Layout) -> frozenset[int]:
    """Find columns of digits of one length with leading zeros, such as postcodes: no numbers."""
    rows = [record.cells for record in records if record.line >= layout.first_data_line]
    found = set()
    for place in range(len(layout.names)):
        cells = [row[place].strip() for row in rows if place < len(row)]
        present = [cell for cell in cells if not is_missing(cell)]
        zeros = any(cell.startswith("0") and cell != "0" for cell in present)
        if zeros and all(cell.isdecimal() for cell in present) and len(set(map(len, present))) == 1:
            found.add(place)
    return frozenset(found)


def _check_values(cells: Sequence[Cells], layout: Layout, body: Body, file: str) -> None:
    """Refuse a table without any value, and numbers that are infinite."""
    if all(map(is_empty, cells)):
        raise InvalidData("no column holds a value.", place=file, remedy="Choose a file with data.")
    for name, column in zip(layout.names, cells, strict=False):
        if isinstance(column, np.ndarray) and np.isinf(column).any():
            raise InvalidData(
                "the number is infinite, or too large to be one.",
                place=f"{file}, line {body.line_numbers[int(np.isinf(column).argmax())]}, column '{name}'",
                remedy="Correct the cell or empty it.",
            )


def _header_notes(layout: Layout) -> list[Note]:
    if layout.row_names:
        return [Note("row-names", "The first column has no name; it is called 'row names' here.")]
    if not layout.has_header:
        names = " to ".join(dict.fromkeys((layout.names[0], layout.names[-1])))
        return [Note("no-header", f"The file does not name its columns; here they are called {names}.")]
    return []
