"""Rows that are not independent of each other: found before a search, with what can be done about it."""

from __future__ import annotations

import weakref
from collections.abc import Iterator

from engine.parameters import require_type
from engine.preparation.dependence.along_order import chosen_blocks, find_along_order
from engine.preparation.dependence.by_group import find_by_group
from engine.preparation.dependence.likeness import FEWEST_ROWS, ScoredTable
from engine.preparation.dependence.values import (
    DEPENDENT_ROWS,
    DependenceKind,
    DependentRows,
    RowDependence,
    RowOffer,
)
from engine.table.dataset import Dataset
from engine.table.repeated_rows import find_repeated_rows, repeated_rows_message
from engine.translation import N_, _
from engine.wording.sentences import MAKE_A_DATASET

__all__ = [
    "DEPENDENT_ROWS",
    "DependenceKind",
    "DependentRows",
    "RowDependence",
    "RowOffer",
    "chosen_blocks",
    "dependent_rows",
    "with_notes_on_dependent_rows",
]


def dependent_rows(dataset: Dataset) -> DependentRows:
    """Find dependence between rows that could make unrelated columns look linked.

    CLCD looks for three kinds of dependence. Rows with the same value of a column with many levels may be
    similar, such as several rows of one person. Rows may resemble their neighbours along a column of dates or
    in the order of the file, beyond what sorting by the columns explains. Rows may also be copies of each
    other. Only dependence in both a label and a feature counts, because only this makes independent columns
    look linked more often.

    Parameters
    ----------
    dataset : Dataset
        A table with labels and features. Columns of all roles are examined.

    Returns
    -------
    DependentRows
        All dependence that was found. It is false if there is none, or if a column already marks groups of
        rows.

    Raises
    ------
    InvalidParameter
        If `dataset` is not a dataset.

    Examples
    --------
    >>> import numpy as np, pandas
    >>> generator = np.random.default_rng(0)
    >>> person = np.repeat(np.arange(100), 5)
    >>> columns = {name: (generator.normal(size=100)[person] + generator.normal(size=500)) for name in "xyz"}
    >>> table = Dataset.from_frame(pandas.DataFrame({"person": person, **columns}), labels=["y"])
    >>> (found,) = dependent_rows(table)
    >>> str(found.kind), found.columns, found.offers[0].title
    ('groups', ('person',), 'Group rows by “person”')
    """
    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    dependent = _LOOKED_AT.get(dataset)
    if dependent is None:
        dependent = _LOOKED_AT[dataset] = DependentRows(tuple(_found(dataset)))
    return dependent


# Window, terminal and search ask about the same table.
_LOOKED_AT: weakref.WeakKeyDictionary[Dataset, DependentRows] = weakref.WeakKeyDictionary()


def with_notes_on_dependent_rows(dataset: Dataset) -> Dataset:
    """Say in notes that rows depend on each other, once."""
    if dataset.groups is not None:
        return dataset.without_notes(DEPENDENT_ROWS)
    if any(note.topic == DEPENDENT_ROWS for note in dataset.notes):
        return dataset
    dependent = dependent_rows(dataset)
    if not dependent.notes:
        return dataset
    noted = dataset.with_notes(dependent.notes)
    _LOOKED_AT[noted] = dependent
    return noted


def _found(dataset: Dataset) -> Iterator[RowDependence]:
    if dataset.groups is not None or dataset.coded is not None:
        return
    if dataset.labels and dataset.features and dataset.row_count >= FEWEST_ROWS:
        table = ScoredTable(dataset)
        if len(table.labels.owner) and len(table.features.owner):
            dependence = find_by_group(table) or find_along_order(table)
            if dependence is not None:
                yield dependence
    repeated = find_repeated_rows(dataset)
    if not repeated.copies or repeated.by_chance:
        return
    concerned = tuple(
        (variable.name, str(variable.role), 1.0) for variable in dataset.variables if variable.role.takes_part
    )
    yield RowDependence(
        DependenceKind.COPIES,
        (),
        repeated.copies / dataset.row_count,
        1.0 + repeated.copies / dataset.row_count,
        concerned,
        _(_COPIED),
        repeated_rows_message(repeated, dataset.row_count),
    )


_COPIED = N_("Rows are copies of others")
