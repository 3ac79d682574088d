"""ARFF files, dense and sparse, as Weka, Mulan and MEKA write them."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import StringIO

import numpy as np
import pandas

from engine.errors import InvalidData, UnreadableFile
from engine.readers.arff_header import (
    QUOTED,
    Attribute,
    RowTexts,
    date_notes,
    level_codes,
    level_table,
    parse_header,
    parse_number,
    parsed_number,
    refuse_infinite,
    split_rows,
    typed_column,
    undeclared_level,
    unquote,
)
from engine.readers.case_rows import find_other_rows
from engine.readers.cell_text import is_long_code
from engine.readers.encodings import decode
from engine.readers.labels import declared_labels
from engine.readers.options import ReadingOptions
from engine.readers.reading import Table, usable_names
from engine.readers.records import Cells
from engine.readers.source import Source, refuse_unusual_lines
from engine.table.column_kinds import LARGEST_EXACT, digit_codes_note
from engine.table.variable import MISSING_CODE
from engine.wording.notes import Note
from engine.wording.numbers import counted
from engine.wording.sentences import CHOOSE_ONE_WITH_DATA, ROW_OF_OTHER_LENGTH


def with_codes_as_text(
    attributes: Sequence[Attribute],
    values: Sequence[np.ndarray],
    read_again: Callable[[Sequence[Attribute]], Sequence[np.ndarray]],
) -> tuple[list[Attribute], list[np.ndarray], list[int]]:
    """Keep whole numbers beyond 2**53 as text: a float64 would make one of two neighbours."""
    new_attributes, columns = list(attributes), list(values)
    positions: list[int] = []
    suspects = {
        position
        for position, attribute in enumerate(attributes)
        if attribute.type == "numeric"
        and np.fmax.reduce(np.abs(values[position]), initial=0.0) >= LARGEST_EXACT
    }
    if not suspects:
        return new_attributes, columns, positions
    as_text = [
        replace(attribute, type="string") if position in suspects else attribute
        for position, attribute in enumerate(attributes)
    ]
    written = read_again(as_text)
    for position in sorted(suspects):
        texts = _filled(written[position], values[position])
        if any(is_long_code(text) for text in set(texts.tolist()) - {None}):
            new_attributes[position], columns[position] = as_text[position], texts
            positions.append(position)
    return new_attributes, columns, positions


def _filled(texts: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Write the zeros that a sparse row leaves out, where text that is left out would be missing."""
    filled = texts.copy()
    filled[pandas.isna(texts) & ~np.isnan(numbers)] = "0"
    return filled


_MISSING = "?"
_WIDE = 1000
_TOKENS = {
    "comma": re.compile(rf"[ \t]*+(?:({QUOTED})[ \t]*+(?=,|\Z)|([^,]*+))(,|\Z)"),
    "tab": re.compile(rf"[ ]*+(?:({QUOTED})[ ]*+(?=\t|\Z)|([^\t]*+))(\t|\Z)"),
    "blank": re.compile(rf"(?:({QUOTED})(?=\s|\Z)|(\S++))(\s++|\Z)"),
}
"""A value in quotes or as it is, and what separates it; nothing that was taken is given back."""


def read_dense(rows: RowTexts, attributes: Sequence[Attribute]) -> tuple[list[np.ndarray], list[Note]]:
    """Read the values of dense rows, as :func:`~engine.readers.arff_header.typed_column` takes them."""
    text = "\n".join(rows.lines)
    if not any(mark in text for mark in "'\"\t") and "," in rows.lines[0]:
        is_wide = len(attributes) > _WIDE and len(attributes) > len(rows.lines)
        read = read_wide_dense if is_wide else read_plain_dense
        values = read(text, rows, attributes)
        if values is not None:
            return values, []
    return read_dense_tokens(rows, attributes)


def read_plain_dense(text: str, rows: RowTexts, attributes: Sequence[Attribute]) -> list[np.ndarray] | None:
    """Let pandas parse rows without quotes; give None where only the careful way can say more."""
    commas = len(attributes) - 1
    if any(line.count(",") != commas for line in rows.lines):
        return None
    types = {
        position: "float64" if attribute.type == "numeric" else "category"
        for position, attribute in enumerate(attributes)
    }
    try:
        frame = pandas.read_csv(
            StringIO(text),
            header=None,
            names=range(len(attributes)),
            dtype=types,
            na_values=[_MISSING],
            keep_default_na=False,
            skipinitialspace=True,
            quoting=csv.QUOTE_NONE,
            index_col=False,
        )
    except ValueError:
        return None
    values: list[np.ndarray] = []
    for position, attribute in enumerate(attributes):
        series = frame.iloc[:, position]
        if attribute.type == "numeric":
            values.append(series.to_numpy())
            continue
        texts = [str(category).strip() for category in series.cat.categories]
        if _MISSING in texts or "" in texts:
            return None
        codes = series.cat.codes.to_numpy()
        if attribute.type == "nominal":
            values.append(level_codes(codes, texts, attribute, rows))
        else:
            values.append(np.array([*texts, None], dtype=object)[codes])
    return values


def read_wide_dense(text: str, rows: RowTexts, attributes: Sequence[Attribute]) -> list[np.ndarray] | None:
    """Read thousands of columns of few rows as :func:`read_plain_dense` does: for pandas each is a world."""
    cells = [line.split(",") for line in rows.lines]
    if "_" in text or any(len(row) != len(attributes) for row in cells):
        return None
    table = np.array([[cell.strip() for cell in row] for row in cells], dtype=object).T
    alike: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for position, attribute in enumerate(attributes):
        alike.setdefault((attribute.type, attribute.levels), []).append(position)
    values: list[np.ndarray | None] = [None] * len(attributes)
    for (kind, _), positions in alike.items():
        codes, found = pandas.factorize(table[positions].ravel())
        texts = [str(each) for each in found]
        if "" in texts:
            return None
        if kind == "nominal":
            given = level_table(texts, attributes[positions[0]])[:-1]
            given[found == _MISSING] = MISSING_CODE
            is_unknown = (given == MISSING_CODE) & (found != _MISSING)
        else:
            numbers = [parsed_number(each) for each in texts]
            is_unknown = np.array([each is None for each in numbers]) & (found != _MISSING)
            given = np.array(numbers, dtype=np.float64)
            if kind != "numeric":
                given = np.array([None if each == _MISSING else each for each in texts], dtype=object)
                is_unknown[:] = False
        if is_unknown.any():
            return None
        block = given[codes].reshape(len(positions), len(cells))
        for place, position in enumerate(positions):
            values[position] = block[place]
    return [each for each in values if each is not None]


def read_dense_tokens(rows: RowTexts, attributes: Sequence[Attribute]) -> tuple[list[np.ndarray], list[Note]]:
    """Read value by value: quotes and escapes are resolved, every fault has its line."""
    token = _TOKENS[_separator(rows.lines[0], len(attributes))]
    table: list[list[str | None]] = []
    empty = 0
    for row, line in enumerate(rows.lines):
        texts = _split(line, token)
        if len(texts) != len(attributes):
            raise InvalidData(
                ROW_OF_OTHER_LENGTH.format(found=counted(len(texts), "value"), expected=len(attributes)),
                place=rows.place(row),
                remedy="Correct the row; if it is the last one, the file may be cut off.",
            )
        empty += texts.count("")
        table.append([None if text in (_MISSING, "") else unquote(text) for text in texts])
    values = [
        _values_of(column, attribute, rows)
        for column, attribute in zip(zip(*table, strict=True), attributes, strict=True)
    ]
    message = f"Read as missing: {counted(empty, 'value')} left empty where ARFF expects '?'."
    return values, [Note("empty-values", message)] if empty else []


def _separator(line: str, count: int) -> str:
    """Commas separate; Weka takes tabs and blanks as well."""
    if "," in line or count == 1:
        return "comma"
    return "tab" if "\t" in line else "blank"


def _split(line: str, token: re.Pattern[str]) -> list[str]:
    texts: list[str] = []
    position = 0
    while True:
        match = token.match(line, position)
        if match is None:
            return [*texts, line[position:]]
        quoted, plain, mark = match.groups()
        texts.append(plain.rstrip(" \t") if quoted is None else quoted)
        position = match.end()
        if position == len(line) and mark != ",":
            return texts


def _values_of(column: tuple[str | None, ...], attribute: Attribute, rows: RowTexts) -> np.ndarray:
    if attribute.type == "numeric":
        return np.array(
            [
                np.nan if text is None else parse_number(text, attribute, rows.place(row))
                for row, text in enumerate(column)
            ]
        )
    texts = np.array(column, dtype=object)
    if attribute.type == "nominal":
        codes, distinct = pandas.factorize(texts)
        return level_codes(codes, list(distinct), attribute, rows)
    return texts


_ENTRY = re.compile(rf"\s*+(\d++)\s++(?:({QUOTED})(?=\s|,|\Z)|([^\s,]++))\s*+(?:,|\Z)")
_LONGEST_INDEX = 9
"""Digits of an index: no table has a thousand million columns."""


@dataclass(frozen=True, slots=True)
class _Entries:
    """All written values of a file."""

    row: np.ndarray  # as `attribute`: where each value belongs
    attribute: np.ndarray
    code: np.ndarray  # position of the value in `texts`, -1 for missing
    texts: list[str]  # the distinct values


def read_sparse(rows: RowTexts, attributes: Sequence[Attribute]) -> tuple[list[np.ndarray], list[Note]]:
    """Read the values of sparse rows, as :func:`~engine.readers.arff_header.typed_column` takes them."""
    insides = [_inside(line, rows, row) for row, line in enumerate(rows.lines)]
    plain = not any(mark in line for line in insides for mark in "'\"")
    entries = read_plain_sparse(insides) if plain else None
    if entries is None:
        entries = read_sparse_tokens(insides, rows)
    _check_positions(entries, rows, len(attributes))
    by_attribute = np.argsort(entries.attribute, kind="stable")
    bounds = np.searchsorted(entries.attribute[by_attribute], np.arange(len(attributes) + 1))
    values = [
        _column(attribute, entries, by_attribute[bounds[position] : bounds[position + 1]], rows)
        for position, attribute in enumerate(attributes)
    ]
    notes = [
        Note(
            "sparse-text",
            f"Column '{attribute.name}' holds text in a sparse file; values not written are missing.",
            attribute.name,
        )
        for attribute in attributes
        if attribute.type in ("string", "date")
    ]
    return values, notes


def _inside(line: str, rows: RowTexts, row: int) -> str:
    if line.startswith("{") and line.endswith("}"):
        return line[1:-1]
    raise UnreadableFile(
        "this row is not closed in braces as the other rows are.",
        place=rows.place(row),
        remedy="Correct the row; if it is the last one, the file is cut off.",
    )


def read_plain_sparse(insides: Sequence[str]) -> _Entries | None:
    """Read rows without quotes in one go; None where something is not as it should be."""
    counts = np.array([line.count(",") + 1 if line.strip() else 0 for line in insides])
    words = " ".join(insides).replace(",", " ").split()
    indices = words[0::2]
    if len(words) != 2 * counts.sum() or not all(
        word.isdecimal() and len(word) <= _LONGEST_INDEX for word in indices
    ):
        return None
    code, texts = pandas.factorize(np.array(words[1::2], dtype=object))
    distinct = [str(text) for text in texts]
    if _MISSING in distinct:
        code = np.where(code == distinct.index(_MISSING), MISSING_CODE, code)
    attribute = np.array(indices, dtype=np.int64)
    return _Entries(np.repeat(np.arange(len(insides)), counts), attribute, code, distinct)


def read_sparse_tokens(insides: Sequence[str], rows: RowTexts) -> _Entries:
    """Read entry by entry: quotes and escapes are resolved, every fault has its line."""
    positions: list[int] = []
    attributes: list[int] = []
    texts: list[str | None] = []
    for row, line in enumerate(insides):
        position, end = 0, len(line.rstrip())
        while position < end:
            match = _ENTRY.match(line, position)
            if match is None:
                raise InvalidData(
                    f"'{line[position : position + 20].strip()}' is no pair of index and value.",
                    place=rows.place(row),
                    remedy="A sparse row is written {index value, index value}.",
                )
            index, quoted, plain = match.groups()
            if len(index) > _LONGEST_INDEX:
                raise InvalidData(
                    f"an index of {len(index)} digits is too large.",
                    place=rows.place(row),
                    remedy="Correct the index.",
                )
            positions.append(row)
            attributes.append(int(index))
            texts.append(None if plain == _MISSING else unquote(plain if quoted is None else quoted))
            position = match.end()
    code, distinct = pandas.factorize(np.array(texts, dtype=object))
    return _Entries(
        np.array(positions, dtype=np.int64), np.array(attributes, dtype=np.int64), code, list(distinct)
    )


def _check_positions(entries: _Entries, rows: RowTexts, count: int) -> None:
    outside = np.flatnonzero(entries.attribute >= count)
    if len(outside):
        first = outside[0]
        raise InvalidData(
            f"index {entries.attribute[first]} is too large; the {count} attributes are counted from 0.",
            place=rows.place(int(entries.row[first])),
            remedy="Correct the index or declare the attribute.",
        )
    cell = entries.row * count + entries.attribute
    _, first_of, repeats = np.unique(cell, return_index=True, return_counts=True)
    if (repeats > 1).any():
        first = first_of[repeats > 1][0]
        raise InvalidData(
            f"index {entries.attribute[first]} stands twice in one row.",
            place=rows.place(int(entries.row[first])),
            remedy="Remove one of the two values.",
        )


def _column(attribute: Attribute, entries: _Entries, chosen: np.ndarray, rows: RowTexts) -> np.ndarray:
    row, code = entries.row[chosen], entries.code[chosen]
    if attribute.type in ("string", "date"):
        strings = np.full(len(rows.lines), None, dtype=object)
        strings[row] = np.array([*entries.texts, None], dtype=object)[code]
        return strings
    used, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    texts = [None if each == MISSING_CODE else entries.texts[each] for each in used]
    places = [rows.place(int(row[at])) for at in first]
    if attribute.type == "numeric":
        parsed = [
            np.nan if text is None else parse_number(text, attribute, place)
            for text, place in zip(texts, places, strict=True)
        ]
        numbers = np.zeros(len(rows.lines))
        numbers[row] = np.array(parsed, dtype=np.float64)[inverse]
        return numbers
    levels = level_table([text or "" for text in texts], attribute)
    for text, level, place in zip(texts, levels, places, strict=False):
        if text is not None and level == MISSING_CODE:
            raise undeclared_level(text, attribute, place)
    codes = np.full(len(rows.lines), 0 if attribute.levels else MISSING_CODE, dtype=np.int32)
    codes[row] = levels[inverse]
    return codes


_HEADER_LINES = 5000
"""Lines of header that a preview reads in addition to its rows; longer ones cost a second reading."""


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read an ARFF file, which says all but the encoding and what becomes of rows that are no cases."""
    raw, complete = _read_bytes(source, row_limit)
    refuse_unusual_lines(raw, source.place)
    text, encoding_guesses = decode(raw, options.encoding, source.place, complete)
    content = text.replace("\r\n", "\n").replace("\r", "\n")
    header = parse_header(content, source.place)
    rows = split_rows(content, header, source.place, row_limit)
    if not rows.lines:
        raise InvalidData(
            "the file declares columns but holds no rows.",
            place=source.place,
            remedy=CHOOSE_ONE_WITH_DATA,
        )
    parse = read_sparse if rows.sparse else read_dense
    values, value_notes = parse(rows, header.attributes)
    names, name_notes = usable_names([attribute.name for attribute in header.attributes])
    attributes, values, codes = with_codes_as_text(
        header.attributes, values, lambda others: parse(rows, others)[0]
    )
    refuse_infinite(attributes, values, rows)
    values, row_notes = _of_cases(attributes, values, rows, options, rows.complete and complete)
    typed = [
        typed_column(name, attribute, column)
        for name, attribute, column in zip(names, attributes, values, strict=True)
    ]
    code_notes = [digit_codes_note(names[position], typed[position][0].levels) for position in codes]
    labels, label_guesses, label_notes = declared_labels(header.relation, names)
    return Table(
        tuple(variable for variable, _ in typed),
        tuple(column for _, column in typed),
        labels,
        (*encoding_guesses, *label_guesses),
        (
            *name_notes,
            *rows.issues,
            *value_notes,
            *code_notes,
            *date_notes(names, header),
            *label_notes,
            *row_notes,
        ),
        rows.complete and complete,
    )


_MOST_TEXTS = 200
"""Columns of texts in which words such as "Total" are looked for."""


def _of_cases(
    attributes: Sequence[Attribute],
    values: list[np.ndarray],
    rows: RowTexts,
    options: ReadingOptions,
    complete: bool,
) -> tuple[list[np.ndarray], list[Note]]:
    """Leave out the rows of a dense file that are no cases, such as totals, and say which."""
    if options.other_rows == "keep" or rows.sparse:
        return values, []
    cells: list[Cells] = []
    texts = 0
    for attribute, column in zip(attributes, values, strict=True):
        if attribute.type == "numeric":
            cells.append(column)
        elif texts < _MOST_TEXTS:
            texts += 1
            written = column
            if attribute.type == "nominal":
                written = np.array([*attribute.levels, None], dtype=object)[column]
            cells.append(pandas.Series(written, dtype="str"))
    other_rows = find_other_rows(cells, (), ".", complete)
    if not other_rows:
        return values, []
    is_case = other_rows.is_case(len(values[0]))
    return [column[is_case] for column in values], other_rows.notes(np.array(rows.numbers), "line")


def _read_bytes(source: Source, row_limit: int | None) -> tuple[bytes, bool]:
    """Read the file, or so much of it that the header and the wanted rows are in it."""
    if row_limit is None:
        return source.read()
    raw, complete = source.read(row_limit + _HEADER_LINES)
    data = raw.lower().find(b"@data")
    if complete or (data >= 0 and raw.count(b"\n", data) > row_limit):
        return raw, complete
    return source.read()
