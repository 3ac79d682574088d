"""Text tables: CSV, TSV and their kin, with everything found out that such files leave unsaid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.readers.case_rows import find_other_rows
from engine.readers.column_types import TypedColumns, codes_in, type_columns
from engine.readers.dialect import sniff_dialect
from engine.readers.encodings import Content, HeldText, as_utf8, left_in_file, parts_of, refuse_binary
from engine.readers.layout import MOST_ROWS_KEPT, TextLayout, beginning_of, shown_rows, sniff_layout
from engine.readers.missing_codes import MissingCodes, may_hold_na
from engine.readers.options import ReadingOptions
from engine.readers.orange_header import as_declared
from engine.readers.reading import Beginning, Guess, Record, Table, of_names_alone
from engine.readers.records import (
    Cells,
    Dialect,
    has_gaps,
    is_empty,
    parse_as_text,
    parse_cells,
    split_records,
    unclosed_quote,
)
from engine.readers.row_lengths import Body, BodyText, check_rows
from engine.readers.source import LONGEST_LINE, Source, line_too_long
from engine.readers.written_codes import codes_among_numbers, codes_in_sample, mixed_places_in_sample
from engine.table.variable import has_infinite
from engine.translation import _
from engine.wording.notes import Note
from engine.wording.numbers import counted
from engine.wording.sentences import CHOOSE_ONE_WITH_DATA, CORRECT_CELL, INFINITE
from engine.wording.setting_names import the_setting

_SAMPLE_LINES = 500
_SAMPLE_CHARACTERS = 1 << 19
_LEAST_SAMPLE_LINES = 20
_MOST_SAMPLE_CHARACTERS = 1 << 20
_FIRST_LOOK = 4 << 20
_BLOCK = 8 << 20
_LEAST_WIDE_LINES = 8
"""Lines that are looked at where each is so long that twenty take a second."""

_LINES_BESIDE_ROWS = 200
"""Lines of titles and headers that a preview reads in addition to its rows."""


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read a text table."""
    left = left_in_file(source, options.encoding) if row_limit is None else None
    complete, head = True, b""
    content: Content
    if left is not None:
        content, encoding_guesses = left
    else:
        raw, complete = source.read(None if row_limit is None else row_limit + _LINES_BESIDE_ROWS)
        text, encoding_guesses = as_utf8(raw, options.encoding, source.place, complete)
        held = _unified(text)
        content, head = HeldText(held), held if row_limit is not None else b""
        del raw, text, held
    dialect, layout, records, guesses = _sniff(content, options, source.place)
    rows = content.behind(_line_offset(content, layout.first_data_line))
    body = check_rows(
        BodyText(rows, layout.first_data_line, dialect, source.place, complete),
        len(layout.names),
        layout.least_cells,
        options,
    )
    told = MissingCodes.of(options)
    codes = told.everywhere
    rows_seen = [record for record in records if record.line >= layout.first_data_line]
    texts = codes_in_sample(rows_seen, len(layout.names))
    mixed = mixed_places_in_sample(rows_seen, len(layout.names)) - texts
    del records, rows_seen
    if row_limit is not None:
        shown = body.first(shown_rows(row_limit, body.width))
        body, complete = shown, complete and shown is body
    cells = parse_cells(body, dialect, codes, texts, source.place)
    no_cases: list[Note] = []
    left_out: list[int] = []
    if options.other_rows != "keep":
        other_rows = find_other_rows(
            cells,
            layout.header,
            dialect.decimal_mark,
            complete,
            keeps_repeats=options.shape in ("long", "wide"),
        )
        if other_rows:
            no_cases = other_rows.notes(body.line_numbers, "line")
            left_out = other_rows.values_left_out(cells)
            body = body.keep(other_rows.is_case(len(body.rows)))
            cells = parse_cells(body, dialect, codes, texts, source.place)
    for position, written in codes_among_numbers(body, cells, dialect, codes, source.place).items():
        cells[position] = written
        texts |= {position}
    numbers = [position for position in sorted(mixed) if isinstance(cells[position], np.ndarray)]
    if numbers:
        for position, written in parse_as_text(body, dialect, codes, numbers, source.place).items():
            cells[position] = written
    kept_in = {layout.names.index(name) for name in told.names_kept_in_one(layout.names)}
    if told.only is None:
        # Rows with an empty cell more than names make columns without any.
        named = enumerate(zip(layout.names, cells, strict=False))
        kept_in |= {place for place, (name, column) in named if _may_lack_na(name, column)}
    if kept_in:
        kept = {"NA"}.union(*(told.kept(layout.names[place]) for place in kept_in))
        usual = [code for code in codes if code not in kept]
        for position, written in parse_as_text(body, dialect, usual, sorted(kept_in), source.place).items():
            cells[position] = written
    _check_values(cells, layout, body, source.place)
    seen: frozenset[str] = frozenset()
    if options.missing_codes is None and any(map(has_gaps, cells)):
        seen = frozenset().union(*(codes_in(text, dialect) for text in body.blocks(_BLOCK)))
    typed = type_columns(
        cells,
        layout.names,
        layout.has_header,
        dialect,
        told,
        texts,
        seen,
        options.categories or (),
        left_out=left_out,
    )
    table = Table(
        tuple(
            replace(variable, description=layout.question(position))
            for variable, position in zip(typed.variables, typed.positions, strict=True)
        )
        if layout.questions
        else typed.variables,
        typed.columns,
        guesses=(*encoding_guesses, *guesses, *typed.guesses),
        issues=(*_header_notes(layout), *layout.notes, *body.issues, *no_cases, *typed.issues),
        complete=complete,
        beginning=None
        if row_limit is None
        else _beginning(
            head, dialect, layout, body.line_numbers[: min(len(cells[0]), MOST_ROWS_KEPT)], typed
        ),
    )

    return as_declared(table, typed.positions, layout.declared, in_names=layout.declares_in_names)


def first_rows(source: Source, options: ReadingOptions) -> Beginning:
    """Cut the first lines into cells without making anything of them, for a table that cannot be read."""
    raw, complete = source.read(_LINES_BESIDE_ROWS)
    try:
        content = _unified(as_utf8(raw, options.encoding, source.place, complete)[0])
    except UnreadableFile:
        refuse_binary(raw, source.place)
        content = _unified(raw.decode(errors="replace").encode())
    lines, _ = _sample(HeldText(content), 0, source.place)
    dialect, _, _ = sniff_dialect(lines, options)
    return Beginning(_cut(lines, dialect))


def _beginning(
    content: bytes, dialect: Dialect, layout: TextLayout, data_lines: np.ndarray, typed: TypedColumns
) -> Beginning:
    """Keep the first lines of the file as they are written."""
    columns: list[str | None] = [None] * len(layout.names)
    for position, variable in zip(typed.positions, typed.variables, strict=True):
        columns[position] = variable.name
    shown = content.split(b"\n", int(data_lines[-1]))[: int(data_lines[-1])]
    lines = [line.decode() for line in shown]
    head = _cut(lines[: layout.first_line - 1], dialect)
    body = split_records(lines[layout.first_line - 1 :], dialect, layout.first_line)
    return beginning_of([*head, *body], layout, columns, data_lines.tolist())


def _cut(lines: Sequence[str], dialect: Dialect) -> tuple[Record, ...]:
    """Cut lines into cells; remarks need not keep to the rules for quotation marks."""
    try:
        return tuple(split_records(lines, dialect))
    except UnreadableFile:
        return tuple(Record(number, (line,)) for number, line in enumerate(lines, start=1))


def _unified(content: bytes) -> bytes:
    """Bring all line ends into one form; DOS marks the end of a file with character 26."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return content.rstrip(b"\n\x1a")


def _line_offset(content: Content, line: int) -> int:
    """Return the position at which a line begins; lines are counted from 1."""
    feeds = line - 1
    if not feeds:
        return 0
    for start, part in parts_of(content):
        count = part.count(b"\n")
        if count >= feeds:
            offset = 0
            for _ in range(feeds):
                offset = part.index(b"\n", offset) + 1
            return start + offset
        feeds -= count
    return len(content)


def _sniff(
    content: Content, options: ReadingOptions, file: str
) -> tuple[Dialect, TextLayout, Sequence[Record], tuple[Guess, ...]]:
    skipped = options.skip_lines or 0
    if skipped and skipped > sum(part.count(b"\n") for _, part in parts_of(content)):
        raise InvalidParameter(
            _(
                "after {lines} are skipped, nothing of {file} is left.",
                lines=counted(skipped, "line"),
                file=file,
            ),
            place=the_setting("skip_lines"),
            remedy=_("Skip fewer lines."),
        )
    sample, whole = _sample(content, _line_offset(content, skipped + 1), file)
    dialect, records, dialect_guesses = sniff_dialect(sample, options, skipped + 1)
    if len(records) > 1 and not whole:
        # The sample may end inside a quoted cell.
        records = records[:-1]
    if not records:
        # Cutting the rows with this dialect again says what is wrong with them.
        tuple(split_records(sample, dialect, skipped + 1, file))
        raise unclosed_quote(skipped + 1, file)
    if not any(cell.strip() for record in records for cell in record.cells):
        raise InvalidData(
            _("no cell of the first {rows} holds a value.", rows=counted(len(records), "row")),
            place=file,
            remedy=_("Choose a file with data, or take these rows out of it."),
        )
    layout, layout_guesses = sniff_layout(records, options)
    if layout.first_data_line == 0:
        raise of_names_alone(
            _("the file names columns but holds no rows."),
            _("Choose a file with data, or set {setting} if the first row does not hold names."),
            file,
        )
    return dialect, layout, records, (*dialect_guesses, *layout_guesses)


def _sample(content: Content, offset: int, file: str) -> tuple[list[str], bool]:
    """Take the first lines, many but not too much text, and tell whether these are all."""
    size = _FIRST_LOOK
    while True:
        text = content.slice(offset, min(offset + size, len(content)))
        is_all = offset + len(text) >= len(content)
        end = _end_of_sample(text, is_all, file)
        if end is not None:
            return text[:end].decode().split("\n"), is_all and end == len(text)
        size *= 4


def _end_of_sample(text: bytes, is_all: bool, file: str) -> int | None:
    """Return where a sample ends; None where more text is needed to tell."""
    end = 0
    for count in range(_SAMPLE_LINES):
        least = _LEAST_SAMPLE_LINES if end < _MOST_SAMPLE_CHARACTERS else _LEAST_WIDE_LINES
        if end > _SAMPLE_CHARACTERS and count >= least:
            break
        feed = text.find(b"\n", end)
        if (feed if feed >= 0 else len(text)) - end > LONGEST_LINE:
            raise line_too_long(file)
        if feed < 0:
            return len(text) if is_all else None
        end = feed + 1
    return end - 1


def _may_lack_na(name: str, cells: Cells) -> bool:
    """Tell whether "NA" may have been a value in a column, as among abbreviations."""
    if isinstance(cells, np.ndarray) or not has_gaps(cells):
        return False
    first = cells.iloc[:_FIRST_CELLS].dropna().unique().tolist()
    return may_hold_na(name, first) and may_hold_na(name, cells.dropna().unique().tolist())


_FIRST_CELLS = 100


def _check_values(cells: Sequence[Cells], layout: TextLayout, body: Body, file: str) -> None:
    """Refuse a table without any value, and numbers that are infinite."""
    if all(map(is_empty, cells)):
        raise InvalidData(_("no column holds a value."), place=file, remedy=_(CHOOSE_ONE_WITH_DATA))
    for name, column in zip(layout.names, cells, strict=False):
        if isinstance(column, np.ndarray) and has_infinite(column):
            raise InvalidData(
                _(INFINITE),
                place=_(
                    "{file}, line {line}, column '{name}'",
                    file=file,
                    line=body.line_numbers[int(np.isinf(column).argmax())],
                    name=name,
                ),
                remedy=_(CORRECT_CELL),
            )


def _header_notes(layout: TextLayout) -> Iterator[Note]:
    if layout.row_names:
        yield Note("row-names", _("The first column has no name; it is called 'row names' here."))
    elif not layout.has_header:
        first, last = layout.names[0], layout.names[-1]
        names = first if first == last else _("{first} to {last}", first=first, last=last)
        yield Note(
            "no-header", _("The file does not name its columns; here they are called {names}.", names=names)
        )
