"""The header of an ARFF file, its lines of data, and the columns that its attributes become.

The format is described in the Weka manual (Attribute-Relation File Format). Names and values may be
quoted with ``'`` or ``"``; a backslash protects the character behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas

from engine.errors import InvalidData, UnreadableFile
from engine.readers.cell_text import is_long_code
from engine.readers.encodings import whole_letters
from engine.table.column_kinds import typed_numbers
from engine.table.frames import column_from_series
from engine.table.variable import MISSING_CODE, Kind, Variable, code_dtype
from engine.wording.notes import Note
from engine.wording.numbers import counted
from engine.wording.sentences import CORRECT_CELL, FETCH_AGAIN, INFINITE

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
            attributes.append(_parse_attribute(line, f"{place}, line {number}"))
        elif keyword.startswith("@relation"):
            match = _RELATION.match(line)
            relation = unquote(match.group(1).strip()) if match else ""
        elif line and not line.startswith("%"):
            raise UnreadableFile(
                "this line belongs to no ARFF header.",
                place=f"{place}, line {number}",
                remedy="A header holds lines that begin with @relation, @attribute, @data or %.",
            )
    if data is None:
        raise UnreadableFile(
            "the line '@data' is missing, so the file is cut off or no ARFF file.",
            place=place,
            remedy=FETCH_AGAIN,
        )
    if not attributes:
        raise UnreadableFile("no attribute is declared.", place=place, remedy="Choose another file.")
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
            "this attribute cannot be understood.",
            place=place,
            remedy="Write it as: @attribute name numeric, or: @attribute name {level, level}.",
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
        f"attributes of type '{word}' cannot be read.",
        place=place,
        remedy="Numeric, nominal, string and date attributes can.",
    )


def _parse_levels(declaration: str, place: str) -> tuple[str, ...]:
    end = declaration.rfind("}")
    if end < 0:
        raise UnreadableFile("the list of levels is not closed.", place=place, remedy="Add a '}'.")
    inner = declaration[1:end]
    levels: list[str] = []
    position = 0
    while position < len(inner):
        match = _LEVEL.match(inner, position)
        if match is None or match.end() == position:
            raise UnreadableFile(
                "the list of levels cannot be understood.",
                place=place,
                remedy="Quote levels that hold commas or quotes.",
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
        return f"{self.file}, line {self.numbers[row]}"


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
    found = _MARK.search(line)
    while found is not None and found[0] != "%":
        end = found.end()
        if found[0] not in unclosed:
            quoted = _QUOTED.match(line, found.start())
            if quoted is None:
                # No mark further on closes it either, so it is not looked for again.
                unclosed.add(found[0])
            else:
                end = quoted.end()
        found = _MARK.search(line, end)
    return line if found is None else line[: found.start()].strip()


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
    message = f"The weights of {counted(count, 'row')} are not used: every row counts the same."
    return result, (Note("weights", message),)


def typed_column(name: str, attribute: Attribute, values: np.ndarray) -> tuple[Variable, np.ndarray]:
    """Make a variable of an attribute's values.

    Nominal values are level codes, numeric ones float64; strings and dates are str, None for missing.
    """
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
        Note("dates", f"Column '{name}' holds dates; each is read as a category of its own.", name)
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
        f"'{text}' is no level of attribute '{attribute.name}', which declares {{{shown}}}.",
        place=place,
        remedy="Correct the value or declare the level.",
    )


def parse_number(text: str, attribute: Attribute, place: str) -> float:
    """Read a number, or raise InvalidData with its place."""
    number = parsed_number(text)
    if number is None:
        raise InvalidData(
            f"'{text}' is no number, but attribute '{attribute.name}' is numeric.",
            place=place,
            remedy="Correct the value; a missing one is written as a question mark.",
        )
    return number


def refuse_infinite(attributes: Sequence[Attribute], values: Sequence[np.ndarray], rows: RowTexts) -> None:
    """Raise InvalidData with the place of the first number of a column that is infinite."""
    for attribute, column in zip(attributes, values, strict=True):
        if column.dtype.kind == "f" and np.isinf(column).any():
            line = rows.place(int(np.isinf(column).argmax()))
            raise InvalidData(INFINITE, place=f"{line}, column '{attribute.name}'", remedy=CORRECT_CELL)


def parsed_number(text: str) -> float | None:
    """Return the number that a text is, None for one that is none."""
    if "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None
