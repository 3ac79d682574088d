"""What an export speaks of, and its tables as plain cells: what CSV files and spreadsheets hold.

:mod:`engine.discovery.tables` says which columns they have. Several names in one cell
are separated by ``"; "``. A name that itself holds a semicolon, a double quote
or a line break, begins or ends with a space, or is empty, stands between double quotes, and a double
quote inside it is doubled, as RFC 4180 does for cells. :func:`split_names` reads such a cell back.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.discovery.columns import Column, Kind, Output, ResultTable, Row, Source
from engine.wording.numbers import exact_p

if TYPE_CHECKING:
    from engine.discovery.effects.size_table import Effects
    from engine.discovery.result import DiscoveryResult
    from engine.preparation.settings import PreparationSettings
    from engine.table.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Analysis:
    """A result, and what it does not hold itself.

    Attributes
    ----------
    result : DiscoveryResult
        What was found.
    preparation : PreparationSettings, optional
        How the table was made ready; left out of the files when it is not known.
    source : Dataset, optional
        The table as it was read, whose values go into data files; without it the prepared table's do.
    report_parts : tuple of str
        Names of the parts of a report, in their order; empty for the usual ones.
    """

    result: DiscoveryResult
    preparation: PreparationSettings | None = None
    source: Dataset | None = None
    report_parts: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the table is called."""
        return self.result.dataset.name or "unnamed table"

    @property
    def table(self) -> Dataset:
        """The table whose values go into data files."""
        return self.source or self.result.dataset


Cell = str | int | float | bool | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table ready to be written.

    Attributes
    ----------
    title : str
        What a sheet or a section that shows it is called.
    columns : tuple of str
        Names of the columns.
    rows : tuple of tuple of Cell
        Texts, numbers, flags, or several names in one cell; None is an empty cell.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def file_table(table: ResultTable[Source, Row], source: Source) -> Table:
    """Return a table of a result as it stands in files, in full precision."""
    columns = table.columns_in(Output.FILE, source)
    rows = tuple(tuple(file_cell(column, row) for column in columns) for row in table.rows(source))
    return Table(table.title, tuple(column.key for column in columns), rows)


def file_cell(column: Column[Row], row: Row) -> Cell:
    """Return what a cell of a file holds: a p-value that underflowed as decimal text."""
    value: Any = column.value(row)
    return exact_p(*value) if column.kind is Kind.P_VALUE and value is not None else value


def stability_table(result: DiscoveryResult) -> Table:
    """One row for each feature and label found, and for each near miss, with how often they came back."""
    frame = result.found_again
    rows = frame.astype(object).itertuples(index=False, name=None)
    return Table("Found again", tuple(frame.columns), tuple(rows))


def effect_table(effects: Effects) -> Table:
    """One row for each finding, estimand and measure: how large it is, with its interval."""
    frame = effects.table().astype(object)
    rows = frame.where(frame.notna(), None).itertuples(index=False, name=None)
    return Table("Sizes", tuple(frame.columns), tuple(rows))


SEPARATOR = "; "

_NEEDS_QUOTES = re.compile(r'[;"\r\n]|^\s|\s$|^$')


def join_names(names: Iterable[str]) -> str:
    """Put several names into one cell.

    Examples
    --------
    >>> join_names(["happy", "quiet; still"])
    'happy; "quiet; still"'
    """
    return SEPARATOR.join(_quoted(name) for name in names)


def split_names(cell: str) -> tuple[str, ...]:
    """Read the names of a cell that :func:`join_names` wrote.

    Examples
    --------
    >>> split_names('happy; "quiet; still"')
    ('happy', 'quiet; still')
    """
    if not cell:
        return ()
    (names,) = csv.reader([cell], delimiter=";", skipinitialspace=True, strict=True)
    return tuple(names)


def _quoted(name: str) -> str:
    if not _NEEDS_QUOTES.search(name):
        return name
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
