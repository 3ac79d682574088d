"""Between pandas DataFrames and the typed columns of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas

from engine.errors import InvalidData
from engine.parameters import require_type
from engine.table.column_kinds import LARGEST_EXACT, TypedColumn, level_name, typed_numbers
from engine.table.variable import MISSING_CODE, Kind, Variable, code_dtype
from engine.translation import N_, _


def columns_from_frame(frame: pandas.DataFrame) -> list[TypedColumn]:
    """Type every column of a DataFrame."""
    require_type(frame, pandas.DataFrame, "frame", _(_MAKE_A_FRAME))
    return [
        column_from_series(str(name), frame.iloc[:, position]) for position, name in enumerate(frame.columns)
    ]


_MAKE_A_FRAME = N_("Make one with `pandas.DataFrame`; a table of polars or Arrow has `to_pandas()`.")


def column_from_series(name: str, series: pandas.Series) -> TypedColumn:
    """Type one column: numbers as :func:`~engine.table.column_kinds.typed_numbers` says, all else nominal.

    So are whole numbers beyond 2**53, as identifiers are: a float64 would make one of two neighbours.
    """
    series = _with_plain_type(series)
    problem, remedy = _UNSUITABLE.get(pandas.api.types.infer_dtype(series, skipna=True), ("", ""))
    if problem:
        raise InvalidData(_(problem), place=_("column '{name}'", name=name), remedy=_(remedy))
    if isinstance(series.dtype, pandas.CategoricalDtype):
        levels = list(series.cat.categories)
        return _nominal(name, series.cat.codes.to_numpy(), levels, bool(series.cat.ordered))
    is_number = pandas.api.types.is_numeric_dtype(series.dtype)
    is_of_long_codes = are_long_codes(series)
    if is_number and not is_of_long_codes and not pandas.api.types.is_bool_dtype(series.dtype):
        return typed_numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    return replace(_nominal(name, *_coded(name, series)), is_of_long_codes=is_of_long_codes)


def levels_of_texts(texts: Sequence[str]) -> TypedColumn:
    """Make the levels of texts that all differ, with the code of each; numbers in their order come first."""
    levels = sorted(texts, key=_sort_key)
    position = {level: index for index, level in enumerate(levels)}
    codes = np.fromiter(map(position.__getitem__, texts), np.int64, len(texts))
    variable = Variable("levels", Kind.NOMINAL, levels=tuple(levels))
    return TypedColumn(variable, codes.astype(code_dtype(len(levels))))


def are_long_codes(series: pandas.Series) -> bool:
    """Tell whether a column holds whole numbers, of any type, some of them beyond 2**53: identifiers."""
    if series.dtype == np.dtype(object):
        if pandas.api.types.infer_dtype(series, skipna=True) != "integer":
            return False
    elif not pandas.api.types.is_integer_dtype(series.dtype):
        return False
    return _reach_beyond_exact(series)


def _reach_beyond_exact(series: pandas.Series) -> bool:
    present = series.dropna()
    return len(present) > 0 and max(int(present.max()), -int(present.min())) > LARGEST_EXACT


def _with_plain_type(series: pandas.Series) -> pandas.Series:
    """Give a column of Python objects the type that its values have in common."""
    if series.dtype != np.dtype(object):
        return series
    kind = pandas.api.types.infer_dtype(series, skipna=True)
    if kind == "integer" and _reach_beyond_exact(series):
        return series
    if kind == "decimal":
        return series.astype(np.float64)
    return series.infer_objects()


_OF_TIME = (
    N_("dates and times cannot be analysed as they are."),
    N_("Turn them into a number, such as days since a start, or leave the column out."),
)
_UNSUITABLE = {
    "complex": (
        N_("complex numbers cannot be analysed."),
        N_("Give real and imaginary part, or size and angle, a column each."),
    ),
    "interval": (
        N_("intervals cannot be analysed as they are."),
        N_("Make them categories: `frame[name].astype(str)`, or take their middle."),
    ),
} | dict.fromkeys(("datetime64", "datetime", "date", "timedelta64", "timedelta", "time", "period"), _OF_TIME)


def frame_from_columns(variables: Sequence[Variable], columns: Sequence[np.ndarray]) -> pandas.DataFrame:
    """Make a DataFrame: nominal columns become categories, continuous ones floats."""
    data = {
        variable.name: column
        if variable.kind is Kind.CONTINUOUS
        else pandas.Categorical.from_codes(
            column.astype(np.int64), categories=list(variable.levels), ordered=variable.ordered
        )
        for variable, column in zip(variables, columns, strict=True)
    }
    return pandas.DataFrame(data)


def _coded(name: str, series: pandas.Series) -> tuple[np.ndarray, list[str]]:
    """Give each value a code; those that are written alike, such as 1 and 1.0, are the same level."""
    try:
        first_codes, values = pandas.factorize(series, sort=False, use_na_sentinel=True)
    except (TypeError, NotImplementedError):
        raise InvalidData(
            _("it holds values that are made of parts, such as lists."),
            place=_("column '{name}'", name=name),
            remedy=_("Give each part a column of its own, or leave the column out."),
        ) from None
    names = [level_name(value) for value in values]
    levels = sorted(set(names), key=_sort_key)
    position = {level: index for index, level in enumerate(levels)}
    # The place behind the last is -1, the code for missing.
    code_of = np.array([*(position[level] for level in names), MISSING_CODE], dtype=np.int64)
    return code_of[first_codes], levels


def _sort_key(level: str) -> tuple[int, float, str]:
    """Order numbers by size, then texts by letter."""
    try:
        number = float(level)
    except ValueError:
        return (1, 0.0, level)
    return (0, number, level) if np.isfinite(number) else (1, 0.0, level)


def _nominal(name: str, codes: np.ndarray, levels: Sequence[object], ordered: bool = False) -> TypedColumn:
    names = tuple(level_name(level) for level in levels)
    variable = Variable(name, Kind.NOMINAL, levels=names, ordered=ordered)
    return TypedColumn(variable, codes.astype(code_dtype(len(levels))))
