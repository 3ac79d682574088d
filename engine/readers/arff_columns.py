"""From the values of ARFF attributes to typed columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas

from engine.codes import MISSING_CODE, code_dtype
from engine.column_kinds import typed_numbers
from engine.errors import InvalidData
from engine.frames import column_from_series
from engine.readers.arff_header import Attribute
from engine.readers.arff_rows import Rows
from engine.variable import Kind, Variable


def typed_column(name: str, attribute: Attribute, values: np.ndarray) -> tuple[Variable, np.ndarray]:
    """Make a variable of an attribute's values.

    Parameters
    ----------
    name : str
        Name of the variable.
    attribute : Attribute
    values : ndarray of shape (rows,)
        Nominal: level codes. Numeric: float64. String and date: str, None for missing.

    Returns
    -------
    variable : Variable
    column : ndarray of shape (rows,)
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


def level_codes(
    codes: np.ndarray, texts: Sequence[str], attribute: Attribute, rows: Rows, file: str
) -> np.ndarray:
    """Translate codes of distinct texts into codes of the declared levels.

    Parameters
    ----------
    codes : ndarray of int, shape (rows,)
        Position in `texts` of each row's value, -1 for missing.
    texts : sequence of str
        The distinct values.
    attribute : Attribute
        A nominal attribute.
    rows : Rows
    file : str
        The file as error messages name it.

    Returns
    -------
    ndarray of int, shape (rows,)

    Raises
    ------
    InvalidData
        When a value is no declared level; names the first line where it stands.
    """
    table = level_table(texts, attribute)
    result = np.where(codes == MISSING_CODE, MISSING_CODE, table[codes])
    wrong = np.flatnonzero((result == MISSING_CODE) & (codes != MISSING_CODE))
    if len(wrong):
        row = int(wrong[0])
        raise undeclared_level(texts[int(codes[row])], attribute, rows.place(row, file))
    return result


def level_table(texts: Sequence[str], attribute: Attribute) -> np.ndarray:
    """Give the level code of each text, -1 for a text that is no declared level."""
    code_of = {level: code for code, level in enumerate(attribute.levels)}
    by_number = {number: code for level, code in code_of.items() if (number := _number(level)) is not None}
    table = np.full(len(texts) + 1, MISSING_CODE, dtype=np.int64)
    for position, text in enumerate(texts):
        code = code_of.get(text)
        if code is None:
            # Some writers declare {0,1} and write 1.0.
            number = _number(text)
            code = by_number.get(number, MISSING_CODE) if number is not None else MISSING_CODE
        table[position] = code
    return table


def undeclared_level(text: str, attribute: Attribute, place: str) -> InvalidData:
    """Make the error for a value that a nominal attribute does not declare."""
    shown = ", ".join(attribute.levels[:8]) + (", …" if len(attribute.levels) > 8 else "")
    return InvalidData(
        f"'{text}' is no level of attribute '{attribute.name}', which declares {{{shown}}}.",
        place=place,
        remedy="Correct the value or declare the level.",
    )


def parse_number(text: str, attribute: Attribute, place: str) -> float:
    """Read a number, or raise InvalidData with its place."""
    number = _number(text)
    if number is None:
        raise InvalidData(
            f"'{text}' is no number, but attribute '{attribute.name}' is numeric.",
            place=place,
            remedy="Correct the value; a missing one is written as a question mark.",
        )
    return number


def _number(text: str) -> float | None:
    if "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None
