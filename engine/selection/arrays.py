"""From the arrays and frames of scikit-learn to a table with labels."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.errors import InvalidData
from engine.table.dataset import Dataset
from engine.table.variable import Role, Variable

Column = tuple[Variable, np.ndarray]


def table_of(values: Any, targets: Any) -> Dataset:
    """Make a table of features and labels.

    Parameters
    ----------
    values : DataFrame, ndarray or sparse matrix, shape (rows, features)
        Columns of a frame keep their names, those of an array are called ``x0``, ``x1`` and so on. Numbers
        with more than two different values are continuous.
    targets : DataFrame, Series or ndarray, shape (rows,) or (rows, labels)
        Labels; a column each, with any two or more values. Unnamed ones are called ``y0``, ``y1`` and so on.

    Returns
    -------
    Dataset
        The features, then the labels. A label that is called like a feature has a prime added to its name.

    Raises
    ------
    InvalidData
        When two features have one name, or a column cannot be understood.

    Examples
    --------
    >>> table = table_of(np.array([[0.1], [0.2], [0.3]]), np.array([[0, 1], [1, 1], [0, 0]]))
    >>> table.features, table.labels
    (('x0',), ('y0', 'y1'))
    """
    features = _columns(values, "x", ())
    names = {variable.name for variable, _ in features}
    labels = _columns(targets, "y", names)
    if not labels:
        raise InvalidData("no label is given.", remedy="Give y at least one column.")
    described = [variable for variable, _ in features]
    described += [replace(variable, role=Role.LABEL) for variable, _ in labels]
    return Dataset(tuple(described), tuple(column for _, column in [*features, *labels]))


def _columns(values: Any, prefix: str, taken: Container[str]) -> list[Column]:
    if hasattr(values, "columns"):
        return _of_frame(values, taken)
    if getattr(values, "name", None) is not None:
        return _of_frame(values.to_frame(), taken)
    array = values.toarray() if hasattr(values, "toarray") else np.asarray(values)
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    names = _free_names([f"{prefix}{place}" for place in range(array.shape[1])], taken)
    return [_of_array(name, array[:, place]) for place, name in enumerate(names)]


def _of_frame(frame: Any, taken: Container[str]) -> list[Column]:
    from engine.table.frames import column_from_series

    names = _free_names([str(name) for name in frame.columns], taken)
    typed = [column_from_series(name, frame.iloc[:, place]) for place, name in enumerate(names)]
    return [(each.variable, each.column) for each in typed]


def _of_array(name: str, column: np.ndarray) -> Column:
    import pandas

    from engine.table.column_kinds import typed_numbers
    from engine.table.frames import column_from_series

    if column.dtype.kind in "fiu":
        typed = typed_numbers(name, column.astype(np.float64))
    else:
        typed = column_from_series(name, pandas.Series(column))
    return typed.variable, typed.column


def _free_names(names: Sequence[str], taken: Container[str]) -> list[str]:
    free = []
    for name in names:
        while name in taken:
            name += "′"
        free.append(name)
    return free
