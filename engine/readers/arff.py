"""ARFF files, dense and sparse, as Weka, Mulan and MEKA write them.

The format is described in the Weka manual (Attribute-Relation File Format). Names and values may be
quoted with ``'`` or ``"``; a backslash protects the character behind it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import StringIO

import numpy as np
import pandas

from engine.errors import InvalidData, UnreadableFile
from engine.readers.case_rows import find_other_rows
from engine.readers.cell_text import is_long_code
from engine.readers.encodings import decode, whole_letters
from engine.readers.labels import declared_labels
from engine.readers.options import ReadingOptions
from engine.readers.reading import Table, usable_names
from engine.readers.records import Cells
from engine.readers.source import Source, refuse_unusual_lines
from engine.table.column_kinds import LARGEST_EXACT, digit_codes_note, typed_numbers
from engine.table.frames import column_from_series
from engine.table.variable import MISSING_CODE, Kind, Variable, code_dtype
from engine.translation import _
from engine.wording.notes import Note
from engine.wording.numbers import counted
from engine.wording.sentences import (
    CHOOSE_ONE_WITH_DATA,
    CORRECT_CELL,
    FETCH_AGAIN,
    INFINITE,
    ROW_OF_OTHER_LENGTH,
)

QUOTED = r"""'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+\""""

_DATA = re.compile(r"^[ \t]*@data\b[^\n]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_RELATION = re.compile(rf"@relation\s+({QUOTED}|.*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rf"@attribute\s+(?P<name>{QUOTED}|[^\s'\"{{][^\s]*?)(?:\s+|(?=\{{))(?P<type>\S.*)", re.IGNORECASE
)
_LEVEL = re.compile(rf"\s*+(?:({QUOTED})\s*+(?=,|\Z)|([^,]*+))(?:,|\Z)")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_NUMERIC = frozenset({"numeric", "real", "integer"})


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared column."""

    name: str
    type: str
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArffHeader:
    """What stands before the data."""

    relation: str  # its name; MEKA keeps options in it
    attributes: tuple[Attribute, ...]
    data_offset: int  # position in the text of the first character after the @data line
    data_line: int  # number of the line that begins there, counted from 1


def parse_header(text: str, place: str) -> ArffHeader:
    """Read the header."""
    data = _DATA.search(text)
    end = data.start() if data else len(text)
    relation = ""
    attributes: list[Attribute] = []
    for number, line in enumerate(text[:end].split("\n"), start=1):
        line = line.strip()
        keyword = line[:10].lower()
        if keyword.startswith("@attribute"):
            attributes.append(_parse_attribute(line, _("{place}, line {number}", place=place, number=number)))
        elif keyword.startswith("@relation"):
            match = _RELATION.match(line)
            relation = unquote(match.group(1).strip()) if match else ""
        elif line and not line.startswith("%"):
            raise UnreadableFile(
                _("this line belongs to no ARFF header."),
                place=_("{place}, line {number}", place=place, number=number),
                remedy=_("A header holds lines that begin with @relation, @attribute, @data or %."),
            )
    if data is None:
        raise UnreadableFile(
            _("the line '@data' is missing, so the file is cut off or no ARFF file."),
            place=place,
            remedy=_(FETCH_AGAIN),
        )
    if not attributes:
        raise UnreadableFile(_("no attribute is declared."), place=place, remedy=_("Choose another file."))
    line_number = text.count("\n", 0, data.end()) + 1
    return ArffHeader(relation, tuple(attributes), data.end(), line_number)


def unquote(text: str) -> str:
    r"""Remove the quotes around a name or value and resolve its escapes.

    >>> unquote(r"'Stellar\'s Jay'")
    "Stellar's Jay"
    """
    if len(text) >= 2 and text[0] in "'\"" and text[-1] == text[0]:
        return whole_letters(_ESCAPE.sub(_resolve, text[1:-1])) if "\\" in text else text[1:-1]
    return text


def _resolve(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return _ESCAPED.get(code, code)


def _parse_attribute(line: str, place: str) -> Attribute:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise UnreadableFile(
            _("this attribute cannot be understood."),
            place=place,
            remedy=_("Write it as: @attribute name numeric, or: @attribute name {level, level}."),
        )
    name, kind = unquote(match["name"]), match["type"]
    if kind.startswith("{"):
        return Attribute(name, "nominal", _parse_levels(kind, place))
    word = kind.split()[0].lower()
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word in ("string", "date"):
        return Attribute(name, word)
    raise UnreadableFile(
        _("attributes of type '{word}' cannot be read.", word=word),
        place=place,
        remedy=_("Numeric, nominal, string and date attributes can."),
    )


def _parse_levels(declaration: str, place: str) -> tuple[str, ...]:
    end = declaration.rfind("}")
    if end < 0:
        raise UnreadableFile(_("the list of levels is not closed."), place=place, remedy=_("Add a '}'."))
    inner = declaration[1:end]
    levels: list[str] = []
    position = 0
    while position < len(inner):
        match = _LEVEL.match(inner, position)
        if match is None or match.end() == position:
            raise UnreadableFile(
                _("the list of levels cannot be understood."),
                place=place,
                remedy=_("Quote levels that hold commas or quotes."),
            )
        quoted, plain = match.groups()
        levels.append(unquote(plain.rstrip() if quoted is None else quoted))
        position = match.end()
    return tuple(dict.fromkeys(level for level in levels if level != ""))


_MARK = re.compile(r"[%'\"]")
_QUOTED = re.compile(QUOTED)
_OF_A_NUMBER = frozenset("-+.0123456789eE")


@dataclass(frozen=True, slots=True)
class RowTexts:
    """The rows as text."""

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    sparse: bool
    file: str
    issues: tuple[Note, ...] = ()
    complete: bool = True

    def place(self, row: int) -> str:
        """Say where a row is, by its line in the file."""
        return _("{file}, line {line}", file=self.file, line=self.numbers[row])


def split_rows(text: str, header: ArffHeader, file: str, row_limit: int | None = None) -> RowTexts:
    """Cut the data section into rows."""
    body = text[header.data_offset :]
    stripped = [line.strip() for line in body.split("\n")]
    if "%" in body:
        stripped = [_without_comment(line) for line in stripped]
    numbers = [number for number, line in enumerate(stripped, start=header.data_line) if line]
    lines = [line for line in stripped if line]
    complete = row_limit is None or len(lines) <= row_limit
    if not complete:
        lines, numbers = lines[:row_limit], numbers[:row_limit]
    sparse = bool(lines) and lines[0].startswith("{")
    lines, issues = _without_weights(lines, sparse)
    return RowTexts(tuple(lines), tuple(numbers), sparse, file, issues, complete)


def _without_comment(line: str) -> str:
    """Cut a line at the first percent sign that stands in no quotes."""
    unclosed: set[str] = set()
    match = _MARK.search(line)
    while match is not None and match[0] != "%":
        end = match.end()
        if match[0] not in unclosed:
            quoted = _QUOTED.match(line, match.start())
            if quoted is None:
                # No mark further on closes it either, so it is not looked for again.
                unclosed.add(match[0])
            else:
                end = quoted.end()
        match = _MARK.search(line, end)
    return line if match is None else line[: match.start()].strip()


def _without_weight(line: str) -> str:
    """Take a weight in braces from the end of a row."""
    if not line.endswith("}"):
        return line
    before, _, inside = line[:-1].rpartition("{")
    row = before.rstrip()
    is_weight = bool(inside.strip()) and set(inside.strip()) <= _OF_A_NUMBER
    if not is_weight or (len(row) == len(before) and not row.endswith(",")):
        return line
    return row.removesuffix(",")


def _without_weights(lines: list[str], sparse: bool) -> tuple[list[str], tuple[Note, ...]]:
    """Weka allows a weight in braces behind each row; the analysis gives all rows the same weight."""
    braces = 2 if sparse else 1
    if not any(line.endswith("}") and line.count("{") >= braces for line in lines):
        return lines, ()
    result = [_without_weight(line) if line.count("{") >= braces else line for line in lines]
    count = sum(before != after for before, after in zip(lines, result, strict=True))
    if count == 0:
        return lines, ()
    message = _("The weights of {rows} are not used: every row counts the same.", rows=counted(count, "row"))
    return result, (Note("weights", message),)


def typed_column(name: str, attribute: Attribute, values: np.ndarray) -> tuple[Variable, np.ndarray]:
    """Return a variable and its values: level codes, float64, or str with None for missing."""
    if attribute.type == "nominal":
        variable = Variable(name, Kind.NOMINAL, levels=attribute.levels)
        return variable, values.astype(code_dtype(len(attribute.levels)), copy=False)
    if attribute.type == "numeric":
        # ARFF has a way to declare categories, so its numbers are meant as numbers.
        typed = typed_numbers(name, values, declared=True)
    else:
        typed = column_from_series(name, pandas.Series(values))
    return typed.variable, typed.column


def date_notes(names: Sequence[str], header: ArffHeader) -> list[Note]:
    """Say which columns hold dates."""
    return [
        Note(
            "dates", _("Column '{name}' holds dates; each is read as a category of its own.", name=name), name
        )
        for name, attribute in zip(names, header.attributes, strict=True)
        if attribute.type == "date"
    ]


def level_codes(codes: np.ndarray, texts: Sequence[str], attribute: Attribute, rows: RowTexts) -> np.ndarray:
    """Translate positions in distinct `texts` (-1 for missing) into codes of the declared levels."""
    table = level_table(texts, attribute)
    result = np.where(codes == MISSING_CODE, MISSING_CODE, table[codes])
    wrong = np.flatnonzero((result == MISSING_CODE) & (codes != MISSING_CODE))
    if len(wrong):
        row = int(wrong[0])
        raise undeclared_level(texts[int(codes[row])], attribute, rows.place(row))
    return result


def level_table(texts: Sequence[str], attribute: Attribute) -> np.ndarray:
    """Return the level code of each text, -1 for a text that is no declared level."""
    code_of = {level: code for code, level in enumerate(attribute.levels)}
    by_number = {
        number: code for level, code in code_of.items() if (number := parsed_number(level)) is not None
    }
    table = np.full(len(texts) + 1, MISSING_CODE, dtype=np.int64)
    for position, text in enumerate(texts):
        code = code_of.get(text)
        if code is None:
            # Some writers declare {0,1} and write 1.0.
            number = None if is_long_code(text) else parsed_number(text)
            code = by_number.get(number, MISSING_CODE) if number is not None else MISSING_CODE
        table[position] = code
    return table


_LEVELS_NAMED = 8


def undeclared_level(text: str, attribute: Attribute, place: str) -> InvalidData:
    """Make the error for a value that a nominal attribute does not declare."""
    few = attribute.levels[:_LEVELS_NAMED]
    shown = ", ".join(few if len(few) == len(attribute.levels) else (*few, "…"))
    return InvalidData(
        _(
            "'{text}' is not a level of attribute '{name}', which declares {{{shown}}}.",
            text=text,
            name=attribute.name,
            shown=shown,
        ),
        place=place,
        remedy=_("Correct the value or declare the level."),
    )


def parse_number(text: str, attribute: Attribute, place: str) -> float:
    """Read a number, or raise InvalidData with its place."""
    number = parsed_number(text)
    if number is None:
        raise InvalidData(
            _("'{text}' is not a number, but attribute '{name}' is numeric.", text=text, name=attribute.name),
            place=place,
            remedy=_("Correct the value; a missing one is written as a question mark."),
        )
    return number


def refuse_infinite(attributes: Sequence[Attribute], values: Sequence[np.ndarray], rows: RowTexts) -> None:
    """Raise InvalidData with the place of the first number of a column that is infinite."""
    for attribute, column in zip(attributes, values, strict=True):
        if column.dtype.kind == "f" and np.isinf(column).any():
            line = rows.place(int(np.isinf(column).argmax()))
            raise InvalidData(
                _(INFINITE),
                place=_("{line}, column '{name}'", line=line, name=attribute.name),
                remedy=_(CORRECT_CELL),
            )


def parsed_number(text: str) -> float | None:
    """Return the number that a text is, None for one that is none."""
    if "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None


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
    """Read the values of dense rows, as :func:`~engine.readers.arff.typed_column` takes them."""
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
    for (kind, _levels), positions in alike.items():
        codes, distinct = pandas.factorize(table[positions].ravel())
        texts = [str(value) for value in distinct]
        if "" in texts:
            return None
        if kind == "nominal":
            given = level_table(texts, attributes[positions[0]])[:-1]
            given[distinct == _MISSING] = MISSING_CODE
            is_unknown = (given == MISSING_CODE) & (distinct != _MISSING)
        else:
            numbers = [parsed_number(level) for level in texts]
            is_unknown = np.array([number is None for number in numbers]) & (distinct != _MISSING)
            given = np.array(numbers, dtype=np.float64)
            if kind != "numeric":
                given = np.array([None if level == _MISSING else level for level in texts], dtype=object)
                is_unknown[:] = False
        if is_unknown.any():
            return None
        block = given[codes].reshape(len(positions), len(cells))
        for place, position in enumerate(positions):
            values[position] = block[place]
    return [value for value in values if value is not None]


def read_dense_tokens(rows: RowTexts, attributes: Sequence[Attribute]) -> tuple[list[np.ndarray], list[Note]]:
    """Read value by value: quotes and escapes are resolved, every fault has its line."""
    token = _TOKENS[_separator(rows.lines[0], len(attributes))]
    table: list[list[str | None]] = []
    empty = 0
    for row, line in enumerate(rows.lines):
        texts = _split(line, token)
        if len(texts) != len(attributes):
            raise InvalidData(
                _(ROW_OF_OTHER_LENGTH, found=counted(len(texts), "value"), expected=len(attributes)),
                place=rows.place(row),
                remedy=_("Correct the row; if it is the last one, the file may be cut off."),
            )
        empty += texts.count("")
        table.append([None if text in (_MISSING, "") else unquote(text) for text in texts])
    values = [
        _values_of(column, attribute, rows)
        for column, attribute in zip(zip(*table, strict=True), attributes, strict=True)
    ]
    message = _(
        "Read as missing: {values} left empty where ARFF expects '?'.", values=counted(empty, "value")
    )
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
    """Read the values of sparse rows, as :func:`~engine.readers.arff.typed_column` takes them."""
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
            _(
                "Column '{name}' holds text in a sparse file; values not written are missing.",
                name=attribute.name,
            ),
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
        _("this row is not closed in braces as the other rows are."),
        place=rows.place(row),
        remedy=_("Correct the row; if it is the last one, the file is cut off."),
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
                    _(
                        "'{text}' is not a pair of index and value.",
                        text=line[position : position + 20].strip(),
                    ),
                    place=rows.place(row),
                    remedy=_("A sparse row is written {index value, index value}."),
                )
            index, quoted, plain = match.groups()
            if len(index) > _LONGEST_INDEX:
                raise InvalidData(
                    _("an index of {count} digits is too large.", count=len(index)),
                    place=rows.place(row),
                    remedy=_("Correct the index."),
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
            _(
                "index {index} is too large; the {count} attributes are counted from 0.",
                index=entries.attribute[first],
                count=count,
            ),
            place=rows.place(int(entries.row[first])),
            remedy=_("Correct the index or declare the attribute."),
        )
    cell = entries.row * count + entries.attribute
    _cells, first_of, repeats = np.unique(cell, return_index=True, return_counts=True)
    if (repeats > 1).any():
        first = first_of[repeats > 1][0]
        raise InvalidData(
            _("index {index} stands twice in one row.", index=entries.attribute[first]),
            place=rows.place(int(entries.row[first])),
            remedy=_("Remove one of the two values."),
        )


def _column(attribute: Attribute, entries: _Entries, chosen: np.ndarray, rows: RowTexts) -> np.ndarray:
    row, code = entries.row[chosen], entries.code[chosen]
    if attribute.type in ("string", "date"):
        strings = np.full(len(rows.lines), None, dtype=object)
        strings[row] = np.array([*entries.texts, None], dtype=object)[code]
        return strings
    used, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    texts = [None if used_code == MISSING_CODE else entries.texts[used_code] for used_code in used]
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
            _("the file declares columns but holds no rows."),
            place=source.place,
            remedy=_(CHOOSE_ONE_WITH_DATA),
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
