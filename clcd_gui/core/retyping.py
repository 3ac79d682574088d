"""Numbers read as categories, and categories read as numbers."""

from __future__ import annotations

import numpy as np

from engine.codes import MISSING_CODE, code_dtype
from engine.dataset import Dataset
from engine.errors import InvalidData
from engine.variable import Kind, Variable

MOST_CATEGORIES = 1000


def retyped(dataset: Dataset, name: str, kind: Kind) -> Dataset:
    """Give a dataset in which one variable is of another kind.

    Parameters
    ----------
    dataset : Dataset
    name : str
        The variable; nothing happens when it is of that kind already.
    kind : Kind

    Returns
    -------
    Dataset

    Raises
    ------
    InvalidData
        When a level is no number, or there are too many different numbers to be categories.
    """
    variable = dataset.variable(name)
    if variable.kind is kind:
        return dataset
    if kind is Kind.NOMINAL:
        return _as_categories(dataset, variable)
    return _as_numbers(dataset, variable)


def _as_categories(dataset: Dataset, variable: Variable) -> Dataset:
    column = dataset.column(variable.name)
    known = ~np.isnan(column)
    values, codes = np.unique(column[known], return_inverse=True)
    if len(values) > MOST_CATEGORIES:
        raise InvalidData(
            f"{len(values):,} different numbers are too many to be categories.",
            place=f"column '{variable.name}'",
            remedy="Leave it as numbers: they are cut into bins where a test needs categories.",
        )
    coded = np.full(len(column), MISSING_CODE, dtype=code_dtype(max(len(values), 1)))
    coded[known] = codes
    # Imported late: it brings pandas along, which the first sight of the window does not need.
    from engine.frames import level_name

    levels = tuple(level_name(value) for value in values.tolist())
    made = Variable(variable.name, Kind.NOMINAL, variable.role, levels, ordered=True)
    return dataset.with_column(made, coded)


def _as_numbers(dataset: Dataset, variable: Variable) -> Dataset:
    numbers = np.array([_number(variable, level) for level in variable.levels] + [np.nan])
    # The code for missing, -1, picks the NaN at the end.
    column = numbers[dataset.column(variable.name)]
    return dataset.with_column(Variable(variable.name, Kind.CONTINUOUS, variable.role), column)


def _number(variable: Variable, level: str) -> float:
    try:
        number = float(level)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise InvalidData(
            f"the category {level!r} is no number.",
            place=f"column '{variable.name}'",
            remedy="Leave it as categories.",
        )
    return number
