"""Finding out where a text table begins, whether it has a header, and what its columns are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.readers.cells import is_missing, is_number
from engine.readers.dialect import usual_width
from engine.readers.names import numbered_names
from engine.readers.options import ReadingOptions
from engine.readers.reading import Guess
from engine.readers.records import Record

_MOST_HEADER_ROWS = 5
_ROWS_COMPARED = 200
_LONGEST_COUNT = 9
"""Digits beyond which a cell is no number of a column; also keeps the conversion cheap."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand in a text table.

    Attributes
    ----------
    names : tuple of str
        Column names, possibly empty or repeated.
    first_data_line : int
        Line in the file on which the first row of data begins; 0 when there is none.
    has_header : bool
    least_cells : int
        Cells that a row must have; those beyond hold nothing in the rows looked at.
    row_names : bool
        The first column has no name because it holds names of rows, as R writes them.
    """

    names: tuple[str, ...]
    first_data_line: int
    has_header: bool
    least_cells: int
    row_names: bool = False


def sniff_layout(records: Sequence[Record], options: ReadingOptions) -> tuple[Layout, tuple[Guess, ...]]:
    """Find the beginning of the table and its header.

    Parameters
    ----------
    records : sequence of Record
        The first records, none of them blank; never empty.
    options : ReadingOptions
        What is given there is taken as it is.

    Returns
    -------
    layout : Layout
    guesses : tuple of Guess
    """
    full_width = usual_width(records)
    width = _used_width(records, full_width)
    start = 0 if options.skip_lines is not None else _first_row(records, width)
    start, row_names = _include_short_header(records, start, width)
    table = records[start : start + _ROWS_COMPARED]
    guesses: list[Guess] = []
    if start > 0:
        skipped = table[0].line - 1
        what = (
            "The first line is a title or remark"
            if skipped == 1
            else f"The first {skipped} lines are remarks"
        )
        reason = f"{what}: the table begins on line {skipped + 1}."
        guesses.append(Guess("skip_lines", str(skipped), reason, certain=False))
    if options.header is None:
        has_header, reason, certain = (True, "", True) if row_names else _judge_header(table, width)
        reason = reason or "The first row is one cell shorter, so the first column holds row names."
        guesses.append(Guess("header", "yes" if has_header else "no", reason, certain))
    else:
        has_header = options.header
    if not has_header:
        return Layout(numbered_names(full_width), table[0].line, False, width), tuple(guesses)
    rows = _header_row_count(table, width)
    names = _join_names(table[:rows], full_width)
    if row_names:
        names = ("row names", *names[: full_width - 1])
    first_line = table[rows].line if len(table) > rows else 0
    return Layout(names, first_line, True, width, row_names), tuple(guesses)


def _used_width(records: Sequence[Record], width: int) -> int:
    """Leave out columns at the end that hold nothing: some programs end every row in separators."""
    rows = [record.cells for record in records if len(record.cells) >= width]
    while width > 1 and not any(row[width - 1].strip() for row in rows):
        width -= 1
    return width


def _first_row(records: Sequence[Record], width: int) -> int:
    """Skip titles: rows of another width, or with little but their first cells."""
    for position, record in enumerate(records):
        surplus = record.cells[width:]
        if len(record.cells) >= width and not any(map(str.strip, surplus)) and not _is_title(record, width):
            return position
    return 0


def _is_title(record: Record, width: int) -> bool:
    """Tell whether a row of the right width is text that a spreadsheet filled up with separators."""
    if width == 1:
        return record.cells[0].startswith("#")
    filled = [bool(cell.strip()) for cell in record.cells[:width]]
    count = sum(filled)
    return count < max(2, (width + 1) // 2) and all(filled[:count]) and not is_number(record.cells[0])


def _include_short_header(records: Sequence[Record], start: int, width: int) -> tuple[int, bool]:
    """Take in a header that is one cell short because, as R writes it, the column of row names has none.

    Returns the first row of the table and whether it is such a header.
    """
    if start == 0 or width < 3:
        return start, False
    cells = records[start - 1].cells
    if len(cells) != width - 1 or not all(cell.strip() and not is_number(cell) for cell in cells):
        return start, False
    return start - 1, True


def _judge_header(table: Sequence[Record], width: int) -> tuple[bool, str, bool]:
    """Compare the first row with the rows below: (has a header, reason, certain)."""
    first = [cell.strip() for cell in table[0].cells[:width]]
    first += [""] * (width - len(first))
    body = [record.cells for record in table[1:] if len(record.cells) >= width]
    if not body:
        has_numbers = any(is_number(cell) for cell in first)
        return not has_numbers, "There is a single row to judge by.", False
    if _is_numbering(first) and not _continues_numbering(first, body):
        return True, "The first row counts up, as names of columns do.", len(first) > 5
    votes = [_column_vote(first[place], [row[place] for row in body]) for place in range(width)]
    in_favour, against = votes.count(1), votes.count(-1)
    if against == 0 and in_favour > 0:
        return True, f"The first row has text above {in_favour} columns of numbers.", True
    if against > 0 and in_favour == 0:
        return False, "The first row looks like the rows below it.", True
    if in_favour or against:
        reason = f"{in_favour} columns speak for names in the first row, {against} against."
        return in_favour >= against, reason, False
    if len(set(first)) < len(first) or not all(first):
        return False, "The cells of the first row are no distinct names.", False
    return True, "The cells of the first row are distinct and do not recur below.", False


def _column_vote(name: str, cells: Sequence[str]) -> int:
    """1 when the first cell cannot be a value of its column, -1 when it looks like one, else 0."""
    present = [cell for cell in cells if not is_missing(cell)]
    if not present:
        return 0
    if all(is_number(cell) for cell in present):
        if is_number(name):
            whole = name.lstrip("+-").isdecimal()
            return 0 if whole and not any(cell.strip().isdecimal() for cell in present) else -1
        return 0 if is_missing(name) else 1
    return -1 if name in {cell.strip() for cell in present} else 0


def _is_numbering(cells: Sequence[str]) -> bool:
    """Whether the cells are 0, 1, 2, 3 … or 1, 2, 3, 4 …, or names followed by years."""
    digits = [cell for cell in cells if cell.isdecimal()]
    if len(digits) < len(cells):
        others_named = all(cell and not is_number(cell) for cell in cells if not cell.isdecimal())
        return others_named and len(digits) >= 2 and _counts_up(digits) and _are_years(digits)
    return len(cells) >= 4 and cells[0] in ("0", "1") and _counts_up(cells)


def _continues_numbering(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether rows below are such numbers as well, as in a table that is itself a numbering."""
    places = [place for place, cell in enumerate(first) if cell.isdecimal()]
    rows = [[row[place].strip() for place in places] for row in body]
    if _are_years([first[place] for place in places]):
        return any(_are_years(row) for row in rows)
    return any(_counts_up(row) for row in rows)


def _are_years(cells: Sequence[str]) -> bool:
    return all(len(cell) == 4 and cell.isdecimal() and "1800" <= cell <= "2100" for cell in cells)


def _counts_up(cells: Sequence[str]) -> bool:
    if not all(cell.isdecimal() and len(cell) <= _LONGEST_COUNT for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _header_row_count(table: Sequence[Record], width: int) -> int:
    """Count the rows of the header: units and second lines of names may follow the first row."""
    numeric = _numeric_columns(table, width)
    rows = 1
    while rows < min(_MOST_HEADER_ROWS, len(table) - 1):
        filled = [place for place, cell in enumerate(table[rows].cells[:width]) if cell.strip()]
        texts = [place for place in filled if not is_number(table[rows].cells[place])]
        if len(filled) < 2 or texts != filled or not set(filled) <= numeric:
            break
        if any(is_missing(table[rows].cells[place]) for place in filled):
            break
        rows += 1
    return rows


def _numeric_columns(table: Sequence[Record], width: int) -> set[int]:
    body = [record.cells for record in table[_MOST_HEADER_ROWS:] if len(record.cells) >= width]
    return {
        place
        for place in range(width)
        if body
        and all(is_number(row[place]) or is_missing(row[place]) for row in body)
        and any(is_number(row[place]) for row in body)
    }


def _join_names(rows: Sequence[Record], width: int) -> tuple[str, ...]:
    names = []
    for place in range(width):
        parts = [row.cells[place].strip() for row in rows if place < len(row.cells)]
        names.append(" ".join(part for part in parts if part))
    return tuple(names)
