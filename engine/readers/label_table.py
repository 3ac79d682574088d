"""Labels that lie in a second table with the same rows."""

from __future__ import annotations

from dataclasses import replace

from engine.dataset import Dataset
from engine.errors import InvalidData
from engine.readers.names import numbered_names
from engine.readers.reading import Table


def join_label_table(dataset: Dataset, table: Table, place: str) -> Dataset:
    """Append the columns of a second table as labels.

    Parameters
    ----------
    dataset : Dataset
        The features.
    table : Table
        The labels, row by row those of `dataset`.
    place : str
        The second file as error messages name it.

    Returns
    -------
    Dataset
        Columns of `dataset`, then those of `table`. Labels without names are called L1, L2, …

    Raises
    ------
    InvalidData
        When the tables differ in their rows or share a column name.
    """
    names = tuple(variable.name for variable in table.variables)
    rows = len(table.columns[0])
    if rows != dataset.row_count:
        raise InvalidData(
            f"it holds {rows} rows of labels, but the data have {dataset.row_count} rows.",
            place=place,
            remedy="Choose the label table that belongs to these data.",
        )
    if names == numbered_names(len(names)):
        names = tuple(f"L{position}" for position in range(1, len(names) + 1))
    shared = set(names) & set(dataset.names)
    if shared:
        raise InvalidData(
            f"both tables have a column named '{min(shared)}'.",
            place=place,
            remedy="Rename it in one of them.",
        )
    variables = tuple(
        replace(variable, name=name) for variable, name in zip(table.variables, names, strict=True)
    )
    joined = replace(
        dataset,
        variables=(*dataset.variables, *variables),
        columns=(*dataset.columns, *table.columns),
    )
    return joined.with_labels(names).with_notes(table.issues)
