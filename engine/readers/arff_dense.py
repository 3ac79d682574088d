"""Dense ARFF rows: values separated by commas (or tabs or blanks)."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO

import numpy as np
import pandas

from engine.errors import InvalidData
from engine.notes import Note
from engine.readers.arff_columns import level_codes, parse_number
from engine.readers.arff_header import QUOTED, Attribute, unquote
from engine.readers.arff_rows import Rows
from engine.readers.words import counted

_MISSING = "?"
_TOKENS = {
    "comma": re.compile(rf"[ \t]*({QUOTED}|[^,]*?)[ \t]*(,|\Z)"),
    "tab": re.compile(rf"[ ]*({QUOTED}|[^\t]*?)[ ]*(\t|\Z)"),
    "blank": re.compile(rf"({QUOTED}|\S+)(\s+|\Z)"),
}


def read_dense(rows: Rows, attributes: Sequence[Attribute], file: str) -> tuple[list[np.ndarray], list[Note]]:
    """Read the values of dense rows.

    Parameters
    ----------
    rows : Rows
    attributes : sequence of Attribute
    file : str
        The file as error messages name it.

    Returns
    -------
    values : list of ndarray, each of shape (rows,)
        As :func:`~engine.readers.arff_columns.typed_column` takes them.
    issues : list of Note

    Raises
    ------
    InvalidData
        When a row has another number of values than there are attributes, or a value does not fit
        its attribute; names the line.
    """
    text = "\n".join(rows.lines)
    if not any(mark in text for mark in "'\"\t") and "," in rows.lines[0]:
        values = _read_plain(text, rows, attributes, file)
        if values is not None:
            return values, []
    return _read_tokens(rows, attributes, file)


def _read_plain(text: str, rows: Rows, attributes: Sequence[Attribute], file: str) -> list[np.ndarray] | None:
    """Let pandas parse rows without quotes; give None where only the careful way can say more."""
    commas = len(attributes) - 1
    if any(line.count(",") != commas for line in rows.lines):
        return None
    types = {
        place: "float64" if attribute.type == "numeric" else "category"
        for place, attribute in enumerate(attributes)
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
    for place, attribute in enumerate(attributes):
        series = frame.iloc[:, place]
        if attribute.type == "numeric":
            values.append(series.to_numpy())
            continue
        texts = [str(category).strip() for category in series.cat.categories]
        if _MISSING in texts or "" in texts:
            return None
        codes = series.cat.codes.to_numpy()
        if attribute.type == "nominal":
            values.append(level_codes(codes, texts, attribute, rows, file))
        else:
            values.append(np.array([*texts, None], dtype=object)[codes])
    return values


def _read_tokens(
    rows: Rows, attributes: Sequence[Attribute], file: str
) -> tuple[list[np.ndarray], list[Note]]:
    """Read value by value: quotes and escapes are resolved, every fault has its line."""
    token = _TOKENS[_separator(rows.lines[0], len(attributes))]
    table: list[list[str | None]] = []
    empty = 0
    for row, line in enumerate(rows.lines):
        texts = _split(line, token)
        if len(texts) != len(attributes):
            raise InvalidData(
                f"the row has {counted(len(texts), 'value')}, expected {len(attributes)}.",
                place=rows.place(row, file),
                remedy="Correct the row; if it is the last one, the file may be cut off.",
            )
        empty += texts.count("")
        table.append([None if text in (_MISSING, "") else unquote(text) for text in texts])
    values = [
        _values_of(column, attribute, rows, file)
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
        texts.append(match.group(1))
        position = match.end()
        if position == len(line) and match.group(2).strip() != ",":
            return texts


def _values_of(column: tuple[str | None, ...], attribute: Attribute, rows: Rows, file: str) -> np.ndarray:
    if attribute.type == "numeric":
        return np.array(
            [
                np.nan if text is None else parse_number(text, attribute, rows.place(row, file))
                for row, text in enumerate(column)
            ]
        )
    texts = np.array(column, dtype=object)
    if attribute.type == "nominal":
        codes, distinct = pandas.factorize(texts)
        return level_codes(codes, list(distinct), attribute, rows, file)
    return texts
