"""Workbooks: Excel and LibreOffice, with the sheet, the range and the header row found out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import compress
from typing import TYPE_CHECKING
from zipfile import ZipFile

import numpy as np
from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.readers.binary_sheets import HiddenParts
from engine.readers.case_rows import OtherRows, find_other_rows
from engine.readers.cell_text import is_grouped, is_number
from engine.readers.code_book import MOST_COLUMNS, MOST_ROWS, read_code_book, with_code_book
from engine.readers.dialect import BEHIND_POINT
from engine.readers.empty_cells import (
    ErrorCell,
    error_cells,
    notes_about_errors,
    notes_about_formulas,
    sheet_text,
    without_errors,
)
from engine.readers.joining import note_about_same_cases
from engine.readers.layout import TextLayout, beginning_of, shown_rows, sniff_layout
from engine.readers.limits import first_line, is_panic
from engine.readers.lone_texts import is_remark, rows_above_remark
from engine.readers.options import DECIMAL_MARKS, ReadingOptions
from engine.readers.orange_header import as_declared
from engine.readers.reading import DOUBTFUL_FOOTER, FOOTER, Beginning, Guess, Record, Table, of_names_alone
from engine.readers.sheet_cells import (
    BELOW_RANGE,
    FAR_CELLS,
    FILLED_CELLS,
    MergedRange,
    check_extent,
    column_letters,
    column_number,
    hidden_parts,
    note_about_hidden,
    note_about_hidden_columns,
    with_merged_filled,
    without_far_cells,
)
from engine.readers.source import MAX_BYTES, Source
from engine.readers.statistics_process import WORKBOOK, Question, ask
from engine.readers.summary_words import names_summary
from engine.readers.typed_files import (
    GivenColumn,
    cells_of,
    check_size,
    raising_as_damaged,
    require_one_of,
    table_of,
    text_of,
)
from engine.table.zip_damage import DAMAGED_ENTRY
from engine.translation import N_, _, for_count
from engine.wording.notes import Note
from engine.wording.numbers import count_text, counted
from engine.wording.phrases import ended, plain_listing
from engine.wording.sentences import (
    CHOOSE_ONE_WITH_DATA,
    DAMAGED_WORKBOOK,
    FETCH_AGAIN,
    OPEN_SMALLER_TABLE,
)
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_RANGE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6}):([A-Z]{1,3})([1-9][0-9]{0,6})")
_DAMAGED = N_("the workbook is damaged or of another kind ({reason}).")
_SAVE_AGAIN = N_("Open it where it was made and save it again, or save the sheet as CSV.")
_BINARY_BOOK = "xl/workbook.bin"
_LARGEST_SHEET, _LARGEST_OLD_SHEET = (1 << 20, 1 << 14), (1 << 16, 1 << 8)
_LOOKED_AT = 200
_MOST_NAMED = 5
_MOST_FOOTER_ROWS = 20

Row = Sequence[object]


@dataclass(frozen=True, slots=True)
class CellRange:
    """A rectangle of a sheet; rows and columns are counted from 0, and the last ones are part of it."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int


def cell_range(text: str) -> CellRange:
    """Read a range as spreadsheets write it.

    >>> cell_range("b3:AA20")
    CellRange(first_row=2, first_column=1, last_row=19, last_column=26)
    """
    match = _RANGE.fullmatch(text.strip().upper().replace("$", ""))
    if match is not None:
        first, top, last, bottom = match.groups()
        left, right = (column_number(letters.encode()) - 1 for letters in (first, last))
        chosen = CellRange(int(top) - 1, left, int(bottom) - 1, right)
        if chosen.first_row <= chosen.last_row and chosen.first_column <= chosen.last_column:
            return chosen
    raise InvalidParameter(
        _("{text!r} is not a range of cells.", text=text),
        place=the_setting("cells"),
        remedy=_("Write it like B3:H200."),
    )


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read a sheet of a workbook; options that concern no text table are `sheet` and `cells`."""
    with _workbook(source) as workbook:
        sheet, guesses = _chosen_sheet(workbook, options, source.place)
        place = _("{place}, sheet '{name}'", place=source.place, name=sheet.name)
        content, _is_whole = source.read()
        sheets = _small_sheets(workbook, sheet.name)
        text = sheet_text(content, sheet.name)
        hidden = hidden_parts(content, sheet.name, text)
        error_places = error_cells(content, sheet.name, text)
        table, used = _table(sheet, options, row_limit, place, hidden, error_places, sheets)
    errors = notes_about_errors(error_places, used.names, used.rows)
    formulas = notes_about_formulas(text, used.empty)
    return replace(table, guesses=(*guesses, *table.guesses), issues=(*table.issues, *errors, *formulas))


@dataclass(frozen=True, slots=True)
class _UsedCells:
    """What was read of a sheet: columns by their letters, all and the empty ones, and rows from 1 on."""

    names: dict[str, str]
    empty: dict[str, str]
    rows: frozenset[int]


@contextmanager
def _workbook(source: Source) -> Iterator[CalamineWorkbook]:
    """Open a workbook, and say what is wrong with it as long as it is read."""
    content, _is_whole = source.read()
    if _is_binary(content, source):
        _try_to_lay_out(content, source.place)
    try:
        yield CalamineWorkbook.from_filelike(BytesIO(content))
    except PasswordError as error:
        raise UnreadableFile(
            _("the workbook is protected by a password."),
            place=source.place,
            remedy=_("Open it where it was made and save it without a password."),
        ) from error
    except BaseException as error:
        # All is in memory, so that an error of the system is one of the library as well.
        if not isinstance(error, CalamineError | OSError) and not is_panic(error):
            raise
        problem = _(_DAMAGED, reason=first_line(error))
        raise UnreadableFile(problem, place=source.place, remedy=_(_SAVE_AGAIN)) from error


def _is_binary(content: bytes, source: Source) -> bool:
    """Tell whether a workbook is of the kinds that say nothing of their size; refuse what is too large."""
    if not content.startswith(b"PK"):
        return True
    try:
        with ZipFile(BytesIO(content)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MAX_BYTES:
                raise UnreadableFile(
                    _(
                        "the workbook is larger than {max_bytes} GB once it is unpacked.",
                        max_bytes=MAX_BYTES >> 30,
                    ),
                    place=source.place,
                    remedy=_(OPEN_SMALLER_TABLE),
                )
            source.check_unpacked(size, len(content))
            check_extent(archive, source.place)
            return _BINARY_BOOK in archive.namelist()
    except DAMAGED_ENTRY as error:
        raise UnreadableFile(_(DAMAGED_WORKBOOK), place=source.place, remedy=_(FETCH_AGAIN)) from error


def _try_to_lay_out(content: bytes, place: str) -> None:
    """Let a process of its own lay out the sheets first, as a damaged workbook may end it."""
    most_rows, most_columns = _LARGEST_SHEET if content.startswith(b"PK") else _LARGEST_OLD_SHEET
    with raising_as_damaged(_(_DAMAGED), place, _(_SAVE_AGAIN)):
        answer = ask(Question(WORKBOOK, content, {}, 0, 0, 0))
    if answer.rows > most_rows or answer.columns > most_columns:
        reason = _(
            "a cell is in row {rows:,} or column {columns:,}", rows=answer.rows, columns=answer.columns
        )
        raise UnreadableFile(_(_DAMAGED, reason=reason), place=place, remedy=_(_SAVE_AGAIN))


def _chosen_sheet(
    workbook: CalamineWorkbook, options: ReadingOptions, place: str
) -> tuple[CalamineSheet, tuple[Guess, ...]]:
    names = workbook.sheet_names
    require_one_of(
        options.sheet, names, N_("there is no sheet {name!r}."), N_("Its sheets are: {names}."), place
    )
    if options.sheet is not None:
        return workbook.get_sheet_by_name(options.sheet), ()
    sheets = [workbook.get_sheet_by_name(name) for name in names]
    filled = [sheet for sheet in sheets if sheet.height > 1 or (sheet.height and sheet.width > 1)]
    if not filled:
        raise InvalidData(_("no sheet holds a table."), place=place, remedy=_(CHOOSE_ONE_WITH_DATA))
    hidden = {sheet.name for sheet in workbook.sheets_metadata if sheet.visible != SheetVisibleEnum.Visible}
    # What is hidden is seldom the table: it holds what cells may be chosen from, or what was set aside.
    seen = [sheet for sheet in filled if sheet.name not in hidden] or filled
    # A title page or a short code book often comes first.
    large = [sheet for sheet in seen if sheet.width >= _LEAST_WIDTH and sheet.height >= _LEAST_HEIGHT]
    chosen = (large or seen)[0]
    if len(names) == 1:
        return chosen, ()
    reason = _why_chosen(chosen.name, names, hidden, is_larger=chosen is not seen[0])
    # What a person said is the code book is no other table.
    tables = [sheet for sheet in filled if sheet.name != options.code_book]
    is_certain = len(tables) == 1 and chosen.name not in hidden
    guess = Guess("sheet", chosen.name, reason, is_certain, tuple(sheet.name for sheet in filled))
    return chosen, (guess,)


_LEAST_WIDTH, _LEAST_HEIGHT = 3, 10


def _small_sheets(workbook: CalamineWorkbook, chosen: str) -> dict[str, Sequence[Row]]:
    """Return the rows of the other sheets that may be code books."""
    names = [name for name in workbook.sheet_names if name != chosen][:_MOST_SHEETS]
    sheets = [workbook.get_sheet_by_name(name) for name in names]
    return {
        sheet.name: sheet.to_python()
        for sheet in sheets
        if sheet.height <= MOST_ROWS and sheet.width <= MOST_COLUMNS
    }


_MOST_SHEETS = 10


def _why_chosen(chosen: str, names: Sequence[str], hidden: Container[str], *, is_larger: bool) -> str:
    others = [_("{name} (hidden)", name=name) if name in hidden else name for name in names if name != chosen]
    told = for_count(len(others), "The other one is: {names}.", "The others are: {names}.")
    listed = ended(told.format(names=plain_listing(others, _MOST_NAMED)))
    if chosen in hidden:
        return f"{_(_IS_HIDDEN)} {listed}"
    is_first_visible = any(name in hidden for name in names)
    return f"{_(_WHY_FIRST[is_first_visible, is_larger], count=len(names))} {listed}"


_IS_HIDDEN = N_("It is hidden, but no sheet that can be seen holds a table.")
# By whether other sheets are hidden, and whether a smaller one came before.
_WHY_FIRST = {
    (False, False): N_("It is the first of {count} sheets that holds a table."),
    (False, True): N_("It is the first of {count} sheets that holds more than a few cells."),
    (True, False): N_("It is the first visible one of {count} sheets that holds a table."),
    (True, True): N_("It is the first visible one of {count} sheets that holds more than a few cells."),
}


def _table(
    sheet: CalamineSheet,
    options: ReadingOptions,
    row_limit: int | None,
    place: str,
    hidden: HiddenParts,
    errors: Sequence[ErrorCell],
    others: Mapping[str, Sequence[Row]],
) -> tuple[Table, _UsedCells]:
    """Read the table of a sheet beside others, and say which cells are those of the table."""
    rows, first_row, first_column, below = _rows(sheet, options)
    rows = without_errors(rows, errors, first_row, first_column)
    near, far_notes = _near(rows, first_column, options)
    # A person may keep far cells, which do not say where the table begins.
    records = _records(near, first_row, options)
    if options.other_rows == "keep":
        far_notes = []
    else:
        rows = near
    check_size(len(rows), max(map(len, rows), default=0), place)
    layout, guesses = _layout(records, options, place)
    body = rows[layout.first_data_line - 1 - first_row :]
    footer = _footer_start(body, keeps_filled=options.other_rows == "keep")
    remarks_row = layout.first_data_line + footer if footer < len(body) else 0
    about_footer = FOOTER if _are_remarks(body, footer) else DOUBTFUL_FOOTER
    body = body[:footer]
    below_notes = _about_rows_below(body, below, options)
    # Another note says of headings that they are part of names, or are left out.
    merged = [
        merged_cell_range
        for merged_cell_range in sheet.merged_cell_ranges or []
        if merged_cell_range[1][0] >= layout.first_data_line - 1
    ]
    merged_notes: list[Note] = []
    if options.other_rows != "keep":
        above = layout.first_data_line - 1
        inside = [
            ((top - above, left - first_column), (bottom - above, right - first_column))
            for (top, left), (bottom, right) in merged
        ]
        body, filled, count = with_merged_filled(body, inside)
        rows = [*rows[: above - first_row], *body]
        merged = [
            merged_range for merged_range, moved in zip(merged, inside, strict=True) if moved not in filled
        ]
        merged_notes = _about_filled(filled, count, above, first_column)
    lines = [line for line, row in enumerate(body, start=layout.first_data_line) if _is_filled(row)]
    empty_rows = len(body) - len(lines)
    written = set(lines)
    lines, row_notes = _seen(lines, hidden, options)
    gone = written.difference(lines)
    width = len(layout.names)
    if any(_is_filled(rows[line - 1 - first_row][width:]) for line in lines):
        width = max(len(rows[line - 1 - first_row]) for line in lines)
    shown = lines if row_limit is None else lines[: shown_rows(row_limit, width)]
    complete = len(shown) == len(lines)
    columns = _columns(layout, [rows[line - 1 - first_row] for line in shown], width)
    decimal, decimal_guesses = _decimal(list(columns.values()), options)
    if decimal.other_rows != "keep":
        # Once for all that looks at them.
        mark = DECIMAL_MARKS[decimal.decimal or "point"]
        columns = {
            position: replace(column, cells=cells_of(column, column.name, mark, place))
            for position, column in columns.items()
        }
    no_cases = _other_rows(columns, layout, decimal, complete)
    if no_cases:
        is_case = no_cases.is_case(len(shown))
        row_notes = [*row_notes, *no_cases.notes(np.array(shown), "row")]
        gone.update(compress(shown, ~is_case))
        shown = list(compress(shown, is_case))
        columns = _columns(layout, [rows[line - 1 - first_row] for line in shown], width)
    for position, column in columns.items() if gone else ():
        cells = [rows[line - 1 - first_row][position : position + 1] for line in gone]
        columns[position] = replace(column, values_left_out=sum(map(_is_filled, cells)))
    unseen = frozenset(place - first_column for place in hidden.columns)
    columns, column_notes = _seen_columns(columns, unseen, options)
    given = [column.name for column in columns.values()]
    books = {name: book for name, sheet in others.items() if (book := read_code_book(sheet, given))}
    columns, book_notes = with_code_book(columns, books, options.code_book, place)
    table = table_of(
        list(columns.values()),
        decimal,
        place,
        guesses=(*_as_rows(guesses), *decimal_guesses),
        issues=[
            *layout.notes,
            *far_notes,
            *below_notes,
            *_notes(merged, empty_rows, remarks_row, about_footer, layout.has_header),
            *merged_notes,
            *row_notes,
            *column_notes,
            *book_notes,
        ],
        complete=complete,
        are_cases=True,
    )
    table = as_declared(table, list(columns), layout.declared, in_names=layout.declares_in_names)
    if options.second_sheet is None:
        same = (
            note_about_same_cases(table, name, rows) for name, rows in others.items() if name not in books
        )
        table = replace(table, issues=(*table.issues, *filter(None, same)))
    names = {
        column_letters(first_column + position): variable.name
        for position, variable in zip(columns, table.variables, strict=True)
    }
    empty = {
        letters: name
        for (letters, name), column in zip(names.items(), columns.values(), strict=True)
        if not _is_filled(column.values)
    }
    used = _UsedCells(names, empty, frozenset(shown))
    if row_limit is None:
        return table, used
    given_names: list[str | None] = [None] * width
    for position, variable in zip(columns, table.variables, strict=True):
        given_names[position] = variable.name
    beginning = beginning_of(records, layout, given_names, shown)
    return replace(table, beginning=replace(beginning, first_column=first_column)), used


def _near(
    rows: Sequence[Row], first_column: int, options: ReadingOptions
) -> tuple[Sequence[Row], list[Note]]:
    """Leave out cells far from the table, unless a person says where it is."""
    if options.cells is not None:
        return rows, []
    near, far = without_far_cells(rows)
    if not far:
        return rows, []
    names = plain_listing(
        [f"{column_letters(first_column + place)}{row + 1}" for row, place in far], _MOST_NAMED
    )
    message = for_count(len(far), _FAR_CELL, _FAR_CELLS).format(count=count_text(len(far)), names=names)
    return near, [Note(FAR_CELLS, message)]


_FAR_CELL = N_("Left out: cell {names}, which stands alone and far from the table.")
_FAR_CELLS = N_("Left out: {count} cells, each alone and far from the table ({names}).")


def _seen(lines: Sequence[int], hidden: HiddenParts, options: ReadingOptions) -> tuple[list[int], list[Note]]:
    """Leave out the rows that a filter hides, or all that are hidden, unless none would be left."""
    unseen = [line for line in lines if line in hidden.rows]
    if not unseen:
        return list(lines), []
    drops_filtered = hidden.is_filtered and options.other_rows == "drop"
    drops = options.hidden_rows == "drop" or (options.hidden_rows is None and drops_filtered)
    is_left_out = drops and len(unseen) < len(lines)
    seen = [line for line in lines if line not in hidden.rows] if is_left_out else list(lines)
    return seen, [note_about_hidden(unseen, is_left_out)]


def _seen_columns(
    columns: dict[int, GivenColumn], hidden: frozenset[int], options: ReadingOptions
) -> tuple[dict[int, GivenColumn], list[Note]]:
    """Leave out the columns that are hidden, if a person says so and some would be left."""
    unseen = {place: column for place, column in columns.items() if place in hidden}
    if not unseen:
        return columns, []
    is_left_out = options.hidden_columns == "drop" and len(unseen) < len(columns)
    names = [column.name or column_letters(place) for place, column in unseen.items()]
    if is_left_out:
        columns = {place: column for place, column in columns.items() if place not in hidden}
    return columns, [note_about_hidden_columns(names, is_left_out)]


def _other_rows(
    columns: Mapping[int, GivenColumn], layout: TextLayout, options: ReadingOptions, complete: bool
) -> OtherRows:
    """Find rows that are no cases."""
    cells = [column.cells for column in columns.values() if column.cells is not None]
    if not cells or not columns[min(columns)].values:
        return OtherRows()
    header = [[row[place] if place < len(row) else "" for place in columns] for row in layout.header]
    return find_other_rows(
        cells,
        header,
        DECIMAL_MARKS[options.decimal or "point"],
        complete,
        keeps_repeats=options.shape in ("long", "wide"),
    )


def _layout(
    records: Sequence[Record], options: ReadingOptions, place: str
) -> tuple[TextLayout, tuple[Guess, ...]]:
    """Find out where names and values begin."""
    filled = [record for record in records[options.skip_lines or 0 :] if record.filled]
    if not filled:
        raise InvalidData(
            _("the sheet holds no rows."), place=place, remedy=_("Choose another sheet or range.")
        )
    layout, guesses = sniff_layout(filled, options)
    if layout.first_data_line == 0:
        raise of_names_alone(
            _("the sheet names columns but holds no rows."),
            _("Choose a sheet with data, or set {setting} if the first row does not hold names."),
            place,
        )
    return layout, guesses


def _columns(layout: TextLayout, rows: Sequence[Row], width: int) -> dict[int, GivenColumn]:
    """Return the table's columns by position, without edge columns that have no name and no value."""
    names = layout.names
    columns = {
        position: GivenColumn(
            name,
            [row[position] if position < len(row) else None for row in rows],
            description=layout.question(position),
        )
        for position, name in enumerate([*names, *[""] * (width - len(names))])
    }
    filled = {position: column for position, column in columns.items() if _is_filled(column.values)}
    if not layout.has_header and 2 * len(filled) < len(columns):
        return filled
    return {position: column for position, column in columns.items() if column.name or position in filled}


def first_rows(source: Source, options: ReadingOptions) -> Beginning:
    """Write the first rows of a sheet without making anything of them, for a table that cannot be read."""
    with _workbook(source) as workbook:
        sheet, _ = _chosen_sheet(workbook, options, source.place)
        rows, first_row, first_column, _ = _rows(sheet, options)
        return Beginning(tuple(_records(rows, first_row, options)), first_column=first_column)


def _records(rows: Sequence[Row], first_row: int, options: ReadingOptions) -> list[Record]:
    """Write the first rows of a sheet as a text table would hold them."""
    looked_at = rows[: _LOOKED_AT + (options.skip_lines or 0)]
    return [
        Record(number, tuple(text_of(value) or "" for value in row))
        for number, row in enumerate(looked_at, start=first_row + 1)
    ]


def _rows(sheet: CalamineSheet, options: ReadingOptions) -> tuple[Sequence[Row], int, int, Sequence[Row]]:
    """Return the rows in question, the row and column of the sheet at which they begin, and rows below."""
    if options.cells is None:
        # Between a table and a stray cell most rows hold nothing, and are not kept.
        rows = [row if row.count("") < len(row) else [] for row in sheet.iter_rows()]
        return rows, 0, (sheet.start or (0, 0))[1], ()
    chosen = cell_range(options.cells)
    part = [
        row[chosen.first_column : chosen.last_column + 1]
        for row in sheet.to_python(skip_empty_area=False)[chosen.first_row :]
    ]
    end = chosen.last_row + 1 - chosen.first_row
    return part[:end], chosen.first_row, chosen.first_column, part[end:]


def _about_rows_below(body: Sequence[Row], below: Sequence[Row], options: ReadingOptions) -> list[Note]:
    """Say how many rows follow a chosen range without a gap and look like its cases."""
    if options.cells is None:
        return []
    kinds = [{type(cell) for cell in cells} for cells in zip(*body, strict=True)]

    def is_case(row: Row) -> bool:
        filled = [(place, cell) for place, cell in enumerate(row) if _is_filled([cell])]
        return 2 * len(filled) > len(kinds) and all(
            type(cell) in kinds[place] and not names_summary(text_of(cell) or "") for place, cell in filled
        )

    count = next((place for place, row in enumerate(below) if not is_case(row)), len(below))
    if not count:
        return []
    chosen = cell_range(options.cells)
    first, last = chosen.last_row + 2, chosen.last_row + 1 + count
    left, right = column_letters(chosen.first_column), column_letters(chosen.last_column)
    wider = f"{left}{chosen.first_row + 1}:{right}{last}"
    message = for_count(count, _ROW_BELOW, _ROWS_BELOW)
    message = message.format(count=count_text(count), first=first, last=last)
    return [Note(BELOW_RANGE, message, examples=(wider,))]


_ROW_BELOW = N_(
    "{count} row below the chosen range of cells (row {first}) looks like a case and is not read."
)
_ROWS_BELOW = N_(
    "{count} rows below the chosen range of cells (rows {first} to {last}) look like cases and are not read."
)


def _is_filled(cells: Sequence[object] | np.ndarray) -> bool:
    return any(value not in ("", None) for value in cells)


def _as_rows(guesses: Sequence[Guess]) -> list[Guess]:
    """Speak of rows: a sheet has no lines."""
    return [
        replace(guess, reason=_("The table begins on row {row} of the sheet.", row=int(guess.value) + 1))
        if guess.name == "skip_lines"
        else guess
        for guess in guesses
    ]


def _decimal(
    columns: Sequence[GivenColumn], options: ReadingOptions
) -> tuple[ReadingOptions, tuple[Guess, ...]]:
    """Find out whether numbers that stand as text in cells have a decimal comma."""
    if options.decimal is not None:
        return options, ()
    with_comma: list[str] = []
    with_point: list[str] = []
    in_threes: list[str] = []
    for column in columns:
        texts = [value.strip() for value in column.values[:_LOOKED_AT] if isinstance(value, str)]
        with_comma += [text for text in texts if "," in text and is_number(text.replace(",", ".", 1))]
        points = [text for text in texts if "." in text and is_number(text)]
        (in_threes if all(is_grouped(text, ",") for text in points) else with_point).extend(points)
    # The comma of one column says what the point of another one means.
    decimal_comma = next((text for text in with_comma if not is_grouped(text, ".")), "")
    if in_threes and decimal_comma and not with_point:
        reason = _(_POINT_BESIDE_COMMA, example=in_threes[0], comma=decimal_comma)
        guess = Guess("decimal", "comma", reason, certain=False, example=in_threes[0])
        return replace(options, decimal="comma"), (guess,)
    if in_threes and (decimal_comma or not with_point):
        reason = _(BEHIND_POINT, example=in_threes[0])
        return options, (Guess("decimal", "point", reason, certain=False, example=in_threes[0]),)
    if with_point or not with_comma:
        return options, ()
    reason = _("Numbers that stand as text have a comma, such as {example}.", example=with_comma[0])
    return replace(options, decimal="comma"), (Guess("decimal", "comma", reason, certain=False),)


_POINT_BESIDE_COMMA = N_(
    "The point in numbers such as {example} is read as a mark between thousands, as {comma} has a decimal "
    "comma. It may be the decimal mark."
)


def _footer_start(body: Sequence[Row], *, keeps_filled: bool) -> int:
    """Find remarks below the table: texts alone in last rows, below an empty row or unlike what is above."""
    first = count = len(body)
    below_gap = None
    for position in range(count - 1, max(count - _MOST_FOOTER_ROWS, 0) - 1, -1):
        row = body[position]
        if not _is_filled(row):
            if below_gap is not None:
                first, below_gap = below_gap, None
            continue
        texts = [(place, cell) for place, cell in enumerate(row) if _is_filled([cell])]
        place, text = texts[0]
        if len(row) < 3 or len(texts) > 1 or not isinstance(text, str) or is_number(text):
            break
        if not keeps_filled and is_remark(text, _texts_above(body, position, place)):
            first, below_gap = position, None
        elif place:
            break
        else:
            below_gap = position
    return first


def _are_remarks(body: Sequence[Row], footer: int) -> bool:
    """Tell whether no row from one on may begin a case: all are below a gap, or unlike cases."""
    if footer and not _is_filled(body[footer - 1]):
        return True
    filled = (
        (row, place, text_of(cell) or "")
        for row in range(footer, len(body))
        for place, cell in enumerate(body[row])
        if _is_filled([cell])
    )
    return all(is_remark(text, _texts_above(body, row, place)) for row, place, text in filled)


def _texts_above(body: Sequence[Row], row: int, place: int) -> list[str]:
    """Return cells of a column from some rows above one."""
    rows = (body[row_above] for row_above in rows_above_remark(row))
    return [text_of(row[place]) or "" for row in rows if place < len(row)]


def _about_filled(filled: Sequence[MergedRange], count: int, above: int, first_column: int) -> list[Note]:
    if not filled:
        return []
    (top, left), _ = min(filled)
    first = f"{column_letters(first_column + left)}{above + top + 1}"
    return [
        Note(
            FILLED_CELLS, for_count(count, _FILLED, _ALL_FILLED).format(count=count_text(count), first=first)
        )
    ]


_FILLED = N_(
    "Filled: {count} empty cell inside merged cells, with the value that the sheet shows there ({first})."
)
_ALL_FILLED = N_(
    "Filled: {count} empty cells inside merged cells, with the value that the sheet shows there (the first "
    "at {first})."
)


def _notes(
    merged: Sequence[MergedRange], empty_rows: int, remarks_row: int, about_footer: str, has_header: bool
) -> Iterator[Note]:
    if remarks_row:
        message = _(
            "Remarks below the table, from row {remarks_row} of the sheet on, are left out.",
            remarks_row=remarks_row,
        )
        yield Note(about_footer, message)
    if empty_rows:
        yield Note(
            "empty-rows",
            _("Left out: {rows} of the sheet without any value.", rows=counted(empty_rows, "row")),
        )
    if merged:
        (top, left), _last_cell = min(merged)
        example = f"{column_letters(left)}{top + 1}"
        message = _(
            "The sheet has {cells}, the first at {example}. Only the first cell of each has the "
            "value; the others are empty.",
            cells=counted(len(merged), "merged cell"),
            example=example,
        )
        yield Note("merged-cells", message)
    if not has_header:
        yield Note("no-header", _("The sheet does not name its columns; they are numbered here: V1, V2, …"))
