"""Coded tables, which are mapped rather than read."""

from __future__ import annotations

import numpy as np

from engine.readers.reading import Table
from engine.readers.registry import ReadingOptions
from engine.readers.source import Source
from engine.table.coded_files import open_coded


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Open a coded table.

    Parameters
    ----------
    source : Source
    options : ReadingOptions
        None applies: the file says everything itself.
    row_limit : int, optional
        Give only the first rows.

    Returns
    -------
    Table

    Raises
    ------
    UnreadableFile
        When the file is absent, no coded table, or damaged.
    """
    dataset = open_coded(source.path)
    labels = dataset.labels
    if row_limit is not None and row_limit < dataset.row_count:
        first_rows = dataset.select_rows(np.arange(row_limit))
        return Table(first_rows.variables, first_rows.columns, labels, complete=False)
    return Table(dataset.variables, dataset.columns, labels, coded=dataset.coded)
