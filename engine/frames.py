"""Between pandas DataFrames and the typed columns of a dataset."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas

from engine.dataset import MISSING_CODE, code_dtype
from engine.errors import InvalidData
from engine.variable import Kind, Variable


def columns_from_frame(
    frame: pandas.DataFrame,
) -> tuple[tuple[Variable, ...], tuple[np.ndarray, ...]]:
    """Type every column of a DataFrame.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame; a row index is ignored.

    Returns
    -------
    variables : tuple of Variable
    columns : tuple of ndarray, each of shape (rows,)

    Raises
    ------
    InvalidData
        When column names repeat or a column holds dates.
    """
    names = [str(name) for name in frame.columns]
    typed = [column_from_series(name, frame.iloc[:, place]) for place, name in enumerate(names)]
    return tuple(variable for variable, _ in typed), tuple(column for _, column in typed)


def column_from_series(name: str, series: pandas.Series) -> tuple[Variable, np.ndarray]:
    """Type one column: continuous when numeric with more than two distinct values, else nominal."""
    if pandas.api.types.is_datetime64_any_dtype(series.dtype):
        raise InvalidData(
            "dates cannot be analysed as they are.",
            place=f"column '{name}'",
            remedy="Turn them into a number, such as days since a start, or leave the column out.",
        )
    if isinstance(series.dtype, pandas.CategoricalDtype):
        return _nominal(name, series.cat.codes.to_numpy(), list(series.cat.categories))
    if pandas.api.types.is_bool_dtype(series.dtype):
        return _nominal(name, *_coded(series))
    if pandas.api.types.is_numeric_dtype(series.dtype):
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
        if len(np.unique(values[~np.isnan(values)])) > 2:
            return Variable(name, Kind.CONTINUOUS), values
    return _nominal(name, *_coded(series))


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


def _coded(series: pandas.Series) -> tuple[np.ndarray, list[object]]:
    codes, levels = pandas.factorize(series, sort=False, use_na_sentinel=True)
    if len(levels) == 0:
        return codes, []
    order = sorted(range(len(levels)), key=lambda place: _sort_key(levels[place]))
    rank = np.empty(len(levels), dtype=np.int64)
    rank[order] = np.arange(len(levels))
    sorted_codes = np.where(codes == MISSING_CODE, MISSING_CODE, rank[codes])
    return sorted_codes, [levels[place] for place in order]


def _sort_key(level: object) -> tuple[int, float, str]:
    """Numbers by size first, then texts by letter."""
    if isinstance(level, (bool, np.bool_)):
        return (0, float(level), "")
    try:
        return (0, float(str(level)), "")
    except ValueError:
        return (1, 0.0, str(level))


def level_name(level: object) -> str:
    """Write a level as a person would: 1 rather than 1.0."""
    if isinstance(level, (float, np.floating)) and float(level).is_integer():
        return str(int(level))
    return str(level)


def _nominal(name: str, codes: np.ndarray, levels: Sequence[object]) -> tuple[Variable, np.ndarray]:
    variable = Variable(name, Kind.NOMINAL, levels=tuple(level_name(level) for level in levels))
    return variable, codes.astype(code_dtype(len(levels)))
