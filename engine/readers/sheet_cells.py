"""What the cells of a workbook's sheet tell before it is read: hidden rows, and how far the table reaches.

The library that reads a sheet makes a rectangle of all cells up to the last row and column that hold one. A
single stray cell in the far corner makes it ask for hundreds of gigabytes, which ends the program.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from io import BytesIO
from zipfile import ZipFile

from engine.errors import UnreadableFile
from engine.readers.binary_sheets import HiddenParts, hidden_in_binary
from engine.table.zip_damage import DAMAGED_ENTRY
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.phrases import plain_listing
from engine.wording.sentences import DAMAGED_WORKBOOK, FETCH_AGAIN

FAR_CELLS = "far-cells"
"""Topic of the note about cells that are left out because they stand far from the table."""

# So many cells fit into memory as a rectangle, whatever they hold.
_MOST_CELLS = 50_000_000
# A rectangle that is larger is a table if at least one cell in so many is filled.
_LEAST_FILLED = 20
_BYTES_OF_CELL = 8
_LETTERS = 26
_ROW_OF_XML = re.compile(rb"<(?:\w+:)?row\s[^>]*?\br\s*=\s*[\"'](\d{1,7})[\"']")
# Cells whose columns have so many letters; that nothing else stands before the name makes the search fast.
_WIDE_CELLS = {letters: re.compile(rb"r\s*=\s*[\"']([A-Z]{%d})\d" % letters) for letters in (3, 2)}
# A name that no row and no cell has: the library takes longer ones for columns further and further away.
_ODD_NAME = re.compile(
    rb"<(?:\w+:)?(?:c|row)(?=\s)[^>]*?\sr\s*=\s*[\"'](?!\s*(?:[A-Z]{1,3})?\d{1,7}\s*[\"'])"
)
_ODD_NAME_AS_USUAL = re.compile(rb' r="(?![A-Z]{0,3}\d{1,7}")')
_UNUSUAL_STARTS = (b" r ", b"\tr", b"\nr", b"\rr")
_ROWS_OF_ODS = re.compile(rb'number-rows-repeated="(\d{1,9})"')
_COLUMNS_OF_ODS = re.compile(
    rb'number-columns-repeated="(\d{3,9})"[^>]*/>\s*<[\w-]+:table-cell[^>]*value-type='
)
_SHEETS_OF_ODS = "content.xml"
_VALUE_OF_ODS = b"value-type="
# Empty rows and columns between a table and a cell that belongs to something else.
_ROWS_BETWEEN, _COLUMNS_BETWEEN = 3, 1
_FEWEST_COLUMNS = 3
# Number of the record that says which rows and columns of a binary sheet are used, and its length.
_EXTENT_OF_BINARY = b"\x94\x01\x10"


def check_extent(archive: ZipFile, place: str) -> None:
    """Refuse a workbook with a sheet of nearly nothing but empty cells, too many to be laid out."""
    for member in archive.namelist():
        errors = None
        if member.startswith("xl/worksheets/") and member.endswith(".xml"):
            sheet = archive.read(member)
            if _may_hold_odd_names(sheet) and _ODD_NAME.search(sheet):
                raise UnreadableFile(_(DAMAGED_WORKBOOK), place=place, remedy=_(FETCH_AGAIN))
            errors = _of_xml(sheet)
        elif member.startswith("xl/worksheets/") and member.endswith(".bin"):
            errors = _of_binary(archive.read(member))
        elif member == _SHEETS_OF_ODS:
            sheets = archive.read(member)
            _require_whole(sheets, place)
            errors = _of_ods(sheets)
        if errors is not None:
            _require_table(*errors, place)


def _may_hold_odd_names(sheet: bytes) -> bool:
    """Tell soon whether it is worth the time to look for names that no row and no cell has."""
    return (
        _ODD_NAME_AS_USUAL.search(sheet) is not None
        or sheet.count(b" r=") != sheet.count(b' r="')
        or any(start in sheet for start in _UNUSUAL_STARTS)
    )


def _require_whole(sheets: bytes, place: str) -> None:
    """Refuse sheets whose XML does not end as it begins: the library would look for its end for ever."""
    from xml.parsers.expat import ExpatError, ParserCreate

    try:
        ParserCreate().Parse(sheets, True)
    except (ExpatError, ValueError, LookupError) as error:
        raise UnreadableFile(_(DAMAGED_WORKBOOK), place=place, remedy=_(FETCH_AGAIN)) from error


def _require_table(rows: int, columns: int, filled: int, place: str) -> None:
    if rows * columns <= max(_MOST_CELLS, _LEAST_FILLED * filled):
        return
    raise UnreadableFile(
        _(
            "a cell in row {rows:,} or column {columns:,} lies far from the table, so the sheet would"
            " fill the memory with empty cells.",
            rows=rows,
            columns=columns,
        ),
        place=place,
        remedy=_("Delete the rows below the table and the columns right of it, and save the workbook."),
    )


def _of_xml(sheet: bytes) -> tuple[int, int, int] | None:
    """Return the last row and column of an Excel sheet, and about how many cells are filled."""
    start = sheet.rfind(b"row ")
    last = _ROW_OF_XML.match(sheet, sheet.rfind(b"<", 0, start)) if start > 0 else None
    # Rows without a number follow one another.
    rows = int(last[1]) if last is not None else sheet.count(b"row>")
    columns = _LETTERS
    for letters, cells in _WIDE_CELLS.items():
        if rows * _LETTERS**letters * 2 <= _MOST_CELLS:
            return None
        if references := set(cells.findall(sheet)):
            columns = max(map(column_number, references))
            break
    return rows, columns, sheet.count(b"<c ") or len(sheet) // _BYTES_OF_CELL


def column_number(letters: bytes) -> int:
    """Return the number of a column, counted from 1, that spreadsheets call by letters."""
    position = 0
    for letter in letters:
        position = _LETTERS * position + letter - ord("A") + 1
    return position


def column_letters(position: int) -> str:
    """Return what spreadsheets call a column, counted from 0: A to Z, then AA."""
    letters = ""
    position += 1
    while position:
        position, letter = divmod(position - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _of_binary(sheet: bytes) -> tuple[int, int, int] | None:
    """Return the same of a binary Excel sheet, which says it at its beginning."""
    start = sheet.find(_EXTENT_OF_BINARY, 0, 1 << 12)
    if start < 0 or len(sheet) < start + 19:
        return None
    _, last_row, _, last_column = struct.unpack_from("<4I", sheet, start + 3)
    return last_row + 1, last_column + 1, len(sheet) // _BYTES_OF_CELL


def _of_ods(sheets: bytes) -> tuple[int, int, int]:
    """Return the same of sheets of LibreOffice, in which empty rows and cells are counted."""
    last = sheets.rfind(_VALUE_OF_ODS)
    used = sheets[: max(last, 0)]
    rows = used.count(b":table-row") + sum(map(int, _ROWS_OF_ODS.findall(used)))
    columns = max(map(int, _COLUMNS_OF_ODS.findall(sheets)), default=0) + _LETTERS
    return rows, columns, sheets.count(_VALUE_OF_ODS)


def without_far_cells(
    rows: Sequence[Sequence[object]],
) -> tuple[Sequence[Sequence[object]], list[tuple[int, int]]]:
    """Leave out cells that stand alone below empty rows, or alone in a column right of an empty one.

    >>> table = [["age", "sex", "ill", "", ""], [31, "f", 0, "", "x"], [64, "m", 1, "", ""]]
    >>> without_far_cells(table)
    ([['age', 'sex', 'ill'], [31, 'f', 0], [64, 'm', 1]], [(1, 4)])
    """
    far = []
    ends = [_end(row, len(row)) for row in rows]
    while ends:
        row, column = len(ends) - 1, ends[-1] - 1
        above = next((place + 1 for place in range(row - 1, -1, -1) if ends[place]), 0)
        is_alone = column >= 0 and not _end(rows[row], column)
        if not is_alone or row - above < _ROWS_BETWEEN or max(ends[:above], default=0) < _FEWEST_COLUMNS:
            break
        far.append((row, column))
        del ends[above:]
    while ends:
        width = max(ends)
        row = ends.index(width)
        before = _end(rows[row], width - 1)
        others = max(before, max(ends[:row], default=0), max(ends[row + 1 :], default=0))
        if others < _FEWEST_COLUMNS or width - 1 - others < _COLUMNS_BETWEEN:
            break
        far.append((row, width - 1))
        ends[row] = before
    width = max(ends, default=0)
    return ([row[:width] for row in rows[: len(ends)]], far) if far else (rows, [])


def _end(cells: Sequence[object], end: int) -> int:
    """Return the position behind the last cell before `end` that is filled; 0 where there is none."""
    # Most rows between a table and a far cell hold nothing, which is counted fast.
    if end == len(cells) and end and cells[-1] == "" and cells.count("") == end:
        return 0
    while end and cells[end - 1] in ("", None):
        end -= 1
    return end


FILLED_CELLS = "filled-cells"
"""Topic of the note about empty cells that are filled because they are part of merged ones."""

MergedRange = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last row and column of merged cells, counted from 0."""


def with_merged_filled(
    rows: Sequence[Sequence[object]], ranges: Sequence[MergedRange]
) -> tuple[Sequence[Sequence[object]], list[MergedRange], int]:
    """Give all merged cells the value of the first; return the ranges and the number of filled cells, too.

    A single text across a row is a heading, and a row without any other value stays empty. Ranges are counted
    from the first of `rows`, which are cases.

    >>> with_merged_filled([["P1", 3], ["", 4], ["P2", 5]], [((0, 0), (1, 0))])
    ([['P1', 3], ['P1', 4], ['P2', 5]], [((0, 0), (1, 0))], 1)
    """
    filled_rows = list(rows)
    filled, count = [], 0
    for merged in ranges:
        (top, left), (bottom, right) = merged
        value = rows[top][left] if 0 <= top < len(rows) and 0 <= left < len(rows[top]) else ""
        if value in ("", None):
            continue
        before = count
        for place in range(top, min(bottom + 1, len(rows))):
            cells = filled_rows[place]
            inside = [at for at in range(left, min(right + 1, len(cells))) if cells[at] in ("", None)]
            if inside and any(cell not in ("", None) for cell in (*cells[:left], *cells[right + 1 :])):
                filled_rows[place] = [value if at in inside else cell for at, cell in enumerate(cells)]
                count += len(inside)
        if count > before:
            filled.append(merged)
    return filled_rows, filled, count


HIDDEN_ROWS = "hidden-rows"
"""Topic of the note about rows that are left out because they are hidden."""

BELOW_RANGE = "below-range"
"""Topic of the note about rows below the chosen range of cells, with the range that has them in it."""

SEEN_ROWS = "seen-rows"
"""Topic of the note about rows that are read although the workbook hides them."""

SEEN_COLUMNS = "seen-columns"
"""Topic of the note about columns that are read although the workbook hides them."""

HIDDEN_COLUMNS = "hidden-columns"
"""Topic of the note about columns that are left out because they are hidden."""

_MOST_NAMED = 6
_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_HIDDEN = re.compile(rb'\shidden="(?:1|true)"')
_NUMBER = re.compile(rb'\sr="([0-9]{1,7})"')
_HIDDEN_IN_ODS = re.compile(rb'\stable:visibility="(filter|collapse)"')
_ROW_OF_ODS = re.compile(rb"<table:table-row\b([^>]*)>")
_REPEATED = re.compile(rb'number-rows-repeated="([0-9]{1,7})"')
_MOST_ROWS = 1 << 20

_LEFT_OUT = (
    N_("Left out: {count} row that is hidden in the workbook (row {where})."),
    N_("Left out: {count} rows that are hidden in the workbook (rows {where})."),
)
_KEPT = (
    N_("{count} row is hidden in the workbook (row {where}) and read all the same."),
    N_("{count} rows are hidden in the workbook (rows {where}) and read all the same."),
)


def hidden_parts(content: bytes, sheet: str, text: bytes) -> HiddenParts:
    """Find what a sheet hides; `text` is what :func:`~engine.readers.empty_cells.sheet_text` gives of it."""
    if ods := _entries(content, _SHEETS_OF_ODS):
        return HiddenParts(
            *_hidden_in_ods(ods[0], sheet), _columns_hidden_in_ods(sheet_of_ods(ods[0], sheet))
        )
    if not text:
        return hidden_in_binary(content, sheet)
    return HiddenParts(*_hidden_rows(content, text), _hidden_columns(text))


def _hidden_rows(content: bytes, text: bytes) -> tuple[frozenset[int], bool]:
    if b"hidden=" not in text:
        return frozenset(), False
    has_filter = any(b"filterColumn" in table for table in _entries(content, "xl/tables/"))
    hidden = (_NUMBER.search(attributes) for attributes in _ROW.findall(text) if _HIDDEN.search(attributes))
    return frozenset(int(row[1]) for row in hidden if row), has_filter or b"autoFilter" in text


def _entries(content: bytes, begin: str) -> list[bytes]:
    """Return the entries of a zip file whose names begin so; none of another or a damaged file."""
    if not content.startswith(b"PK"):
        return []
    try:
        with ZipFile(BytesIO(content)) as archive:
            return [archive.read(name) for name in archive.namelist() if name.startswith(begin)]
    except DAMAGED_ENTRY:
        return []


def sheet_of_ods(text: bytes, sheet: str) -> bytes:
    """Return the part of the sheets of LibreOffice that holds one of them."""
    # It imports what reads addresses, which takes a tenth of the time of reading a small table.
    from xml.sax.saxutils import escape

    start = text.find(b'table:name="%b"' % escape(sheet, {'"': "&quot;"}).encode())
    return text[start : text.find(b"</table:table>", start)]


def _hidden_in_ods(text: bytes, sheet: str) -> tuple[frozenset[int], bool]:
    if _HIDDEN_IN_ODS.search(text) is None:
        return frozenset(), False
    part = sheet_of_ods(text, sheet)
    rows: set[int] = set()
    is_filtered = False
    line = 1
    for attributes in _ROW_OF_ODS.findall(part):
        repeated = _REPEATED.search(attributes)
        count = int(repeated[1]) if repeated else 1
        visibility = _HIDDEN_IN_ODS.search(attributes)
        if visibility is not None and line <= _MOST_ROWS:
            rows.update(range(line, line + min(count, _MOST_ROWS)))
            is_filtered = is_filtered or visibility[1] == b"filter"
        line += count
    return frozenset(rows), is_filtered


_COLUMN = re.compile(rb"<(?:\w+:)?col\b([^>]*)>")
_SPAN = {end: re.compile(rb'\s%b="([0-9]{1,5})"' % end) for end in (b"min", b"max")}
_COLUMN_OF_ODS = re.compile(rb"<table:table-column\b([^>]*)>")
_COLUMNS_REPEATED = re.compile(rb'number-columns-repeated="([0-9]{1,5})"')
_MOST_COLUMNS = 1 << 14


def _hidden_columns(text: bytes) -> frozenset[int]:
    columns: set[int] = set()
    for attributes in _COLUMN.findall(text):
        first, last = (_SPAN[end].search(attributes) for end in (b"min", b"max"))
        if first and last and _HIDDEN.search(attributes):
            columns.update(range(int(first[1]) - 1, min(int(last[1]), _MOST_COLUMNS)))
    return frozenset(columns)


def _columns_hidden_in_ods(sheet: bytes) -> frozenset[int]:
    columns: set[int] = set()
    place = 0
    for attributes in _COLUMN_OF_ODS.findall(sheet):
        repeated = _COLUMNS_REPEATED.search(attributes)
        behind = place + (int(repeated[1]) if repeated else 1)
        if _HIDDEN_IN_ODS.search(attributes):
            columns.update(range(place, min(behind, _MOST_COLUMNS)))
        place = behind
    return frozenset(columns)


def note_about_hidden_columns(names: Sequence[str], is_left_out: bool) -> Note:
    """Say which columns of a table are hidden, and whether they are read."""
    sentence = for_count(len(names), *(_COLUMNS_LEFT_OUT if is_left_out else _COLUMNS_KEPT))
    topic = HIDDEN_COLUMNS if is_left_out else SEEN_COLUMNS
    return Note(topic, sentence.format(names=listed(names, _MOST_NAMED)))


_COLUMNS_LEFT_OUT = (N_("Left out: hidden column {names}."), N_("Left out: hidden columns {names}."))
_COLUMNS_KEPT = (
    N_("Column {names} is hidden in the workbook and read all the same."),
    N_("Columns {names} are hidden in the workbook and read all the same."),
)


def note_about_hidden(rows: Sequence[int], is_left_out: bool) -> Note:
    """Say which rows of a table are hidden, and whether they are read."""
    sentence = for_count(len(rows), *(_LEFT_OUT if is_left_out else _KEPT))
    topic = HIDDEN_ROWS if is_left_out else SEEN_ROWS
    return Note(topic, sentence.format(count=len(rows), where=_listed(rows)))


def _listed(rows: Sequence[int]) -> str:
    """Name rows, ascending, those that follow each other by the first and the last."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    named: list[str] = []
    for run in runs:
        named += [_("{first} to {last}", first=run[0], last=run[-1])] if len(run) > 2 else map(str, run)
    return plain_listing(named, _MOST_NAMED)
