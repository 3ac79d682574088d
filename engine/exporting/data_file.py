"""The columns of the selected features and of the labels, with their values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from engine.exporting.analysis import Analysis
from engine.exporting.csv_file import write_rows
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role

_LARGEST_EXACT_INTEGER = 2.0**53
Value = str | int | float | None


def write_data_csv(analysis: Analysis, path: Path) -> None:
    """Write the values of the causal features and the labels as CSV; missing ones are empty."""
    write_csv(selected_columns(analysis), path)


def write_data_arff(analysis: Analysis, path: Path) -> None:
    """Write the values of the causal features and the labels as ARFF, with types and labels declared."""
    from engine.exporting.arff_file import write_arff

    table, result = selected_columns(analysis), analysis.result
    features = dict.fromkeys(result.label_sets, Role.FEATURE)
    write_arff(table.with_roles(features | dict.fromkeys(result.dataset.labels, Role.LABEL)), path)


def write_data_workbook(analysis: Analysis, path: Path) -> None:
    """Write the values of the causal features and the labels as an Excel file."""
    from engine.exporting.workbook import write_workbook

    table = selected_columns(analysis)
    rows: Iterator[tuple[Value, ...]] = zip(*(values(table, name) for name in table.names), strict=True)
    write_workbook(path, [("Data", chain([table.names], rows))])


def write_csv(table: Dataset, path: Path) -> None:
    """Write every column of a table as CSV; missing values are empty."""
    columns = [["" if value is None else str(value) for value in values(table, name)] for name in table.names]
    write_rows(path, table.names, zip(*columns, strict=True))


def selected_columns(analysis: Analysis) -> Dataset:
    """Give the table with the causal features, in column order, and then the labels."""
    chosen = [*analysis.result.label_sets, *analysis.result.dataset.labels]
    return analysis.table.select_variables(chosen)


def values(table: Dataset, name: str) -> list[Value]:
    """Give the values of a variable as texts and numbers; whole numbers without a decimal point.

    Parameters
    ----------
    table : Dataset
    name : str
        A column of it.

    Returns
    -------
    list
        One value a row, None where it is missing.
    """
    variable, column = table.variable(name), table.column(name)
    if variable.kind is Kind.NOMINAL:
        return [variable.levels[code] if code >= 0 else None for code in column.tolist()]
    known = column[~np.isnan(column)]
    whole = bool(np.all((known == np.floor(known)) & (np.abs(known) < _LARGEST_EXACT_INTEGER)))
    return [None if number != number else int(number) if whole else number for number in column.tolist()]
