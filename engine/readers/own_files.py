"""Tables in files that this program wrote: that of a project, and coded ones, which are mapped, not read."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import numpy as np

from engine.atomic import check_openable
from engine.errors import UnreadableFile
from engine.readers.options import ReadingOptions
from engine.readers.reading import Table
from engine.readers.source import Source
from engine.table.archived import PROJECT, read_json, read_tables
from engine.table.coded_files import open_coded
from engine.table.variable import Role
from engine.table.zip_damage import DAMAGED_ZIP
from engine.translation import _
from engine.wording.sentences import CHOOSE_ANOTHER_FILE, COULD_NOT_BE_READ, NO_PROJECT, OPEN_EARLIER_COPY


def read_project(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read the table of a project, as it was read from its own file and with the roles that it has there."""
    try:
        check_openable(source.path)
        with zipfile.ZipFile(source.path) as archive:
            content = read_json(archive, PROJECT, source.place)
            tables = read_tables(archive, content, source.path, source.place)
            table = tables[content["table"]]
    except OSError as error:
        # Reading it as any file says why it cannot be opened.
        source.read(line_limit=1)
        reason = error.strerror or str(error)
        raise UnreadableFile(
            _(COULD_NOT_BE_READ, reason=reason), place=source.place, remedy=_(CHOOSE_ANOTHER_FILE)
        ) from error
    except (*DAMAGED_ZIP, KeyError, IndexError, TypeError, AttributeError) as error:
        raise UnreadableFile(_(NO_PROJECT), place=source.place, remedy=_(OPEN_EARLIER_COPY)) from error
    part = slice(None) if row_limit is None else slice(row_limit)
    return Table(
        tuple(replace(variable, role=Role.FEATURE) for variable in table.variables),
        tuple(column[part] for column in table.columns),
        declared_labels=table.labels,
        issues=table.notes,
        complete=row_limit is None or table.row_count <= row_limit,
    )


def read_coded(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Open a coded table."""
    dataset = open_coded(source.path)
    labels = dataset.labels
    if row_limit is not None and row_limit < dataset.row_count:
        first_rows = dataset.select_rows(np.arange(row_limit))
        return Table(first_rows.variables, first_rows.columns, labels, complete=False)
    return Table(dataset.variables, dataset.columns, labels, coded=dataset.coded)
