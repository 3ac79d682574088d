"""Blocks of rows that follow each other: groups where neighbours in time, or in the file, are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.recipe.step import Applied, StepOfColumn, name_of_column, number, stated, text, texts
from engine.recipe.table_steps import dates_of
from engine.table.dataset import Dataset
from engine.table.row_weights import FEWEST_GROUPS
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.wording.numbers import count_text, counted
from engine.wording.phrases import plain_listing

BLOCK_OF_ROWS = "block of rows"
"""What the column of blocks is called."""


@dataclass(frozen=True, eq=False)
class RowOrder:
    """An order of the rows.

    Attributes
    ----------
    rows : ndarray of int64, shape (rows,)
        Positions of the rows, series by series, the earliest first.
    series : ndarray of int64, shape (rows,)
        Series of each row in that order, ascending.
    """

    rows: np.ndarray
    series: np.ndarray


def row_order(dataset: Dataset, along: str = "", series: Sequence[str] = ()) -> RowOrder:
    """Order the rows by a column, within series of rows.

    Rows with equal values keep the order in which they stand; those without come last.

    Parameters
    ----------
    dataset : Dataset
    along : str
        Dates or numbers; the order in which the rows stand when left out.
    series : sequence of str
        Columns that separate the series together; rows that miss one are a series each.
    """
    rows = dataset.row_count
    places = np.arange(rows) if not along else places_of(dataset.variable(along), dataset.column(along))
    if not series:
        return RowOrder(np.argsort(places, kind="stable"), np.zeros(rows, dtype=np.int64))
    codes, missing = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.bool_)
    for name in series:
        values, own = np.unique(dataset.column(name), return_inverse=True)
        codes = np.unique(codes * len(values) + own, return_inverse=True)[1].astype(np.int64)
        missing |= missing_mask(dataset.variable(name), dataset.column(name))
    codes[missing] = codes.max(initial=0) + 1 + np.arange(int(missing.sum()))
    order = np.lexsort((places, codes))
    return RowOrder(order, codes[order])


def places_of(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Return numbers in the order of a column: of categories, that of their dates, or of the levels."""
    if variable.kind is Kind.CONTINUOUS:
        return np.where(np.isnan(column), np.inf, column)
    days = dates_of(variable.levels).days
    known = ~np.isnat(days)
    if known.sum() * 2 > len(days):
        # Of one day, texts of an hour sort as they are written.
        keys = zip(~known, days.astype(np.int64), variable.levels, range(len(days)), strict=True)
        order = [position for *_, position in sorted(keys)]
        rank = np.empty(len(days) + 1)
        rank[order] = np.arange(len(days))
    else:
        rank = np.arange(len(days) + 1, dtype=np.float64)
    rank[-1] = np.inf
    places: np.ndarray = rank[np.where(missing_mask(variable, column), -1, column)]
    return places


def _rows_of_block(value: Any) -> int:
    rows = number(value)
    if rows < 0 or rows % 1:
        raise InvalidParameter("a whole number of rows is needed.", remedy="0 leaves each series whole.")
    return int(rows)


@dataclass(frozen=True)
class RowBlocks(StepOfColumn):
    """Group rows that follow each other, so that blocks and not rows count as independent.

    Attributes
    ----------
    rows : int
        Rows of a block, at least; 0 makes each series one block.
    along : str
        Column of dates or numbers along which rows follow each other; the order in which they stand when
        left out.
    series : tuple of str
        Columns that separate series together; a block holds rows of one.
    column : str
        What the column of blocks is called.

    Examples
    --------
    >>> import pandas
    >>> dataset = Dataset.from_frame(pandas.DataFrame({"day": [5.0, 1, 2, 4, 3, 6, 7]}))
    >>> RowBlocks(rows=3, along="day").apply(dataset).dataset.row_groups.tolist()
    [1, 0, 0, 0, 0, 1, 1]
    """

    kind: ClassVar[str] = "row-blocks"
    rows: int = stated(_rows_of_block)
    along: str = stated(text, "")
    series: tuple[str, ...] = stated(texts, ())
    column: str = stated(name_of_column, BLOCK_OF_ROWS)

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        return tuple(name for name in (self.along, *self.series) if name)

    @property
    def sentence(self) -> str:
        """What it does."""
        series = plain_listing([f"“{name}”" for name in self.series])
        if not self.rows and self.series:
            return _BY_SERIES.format(series=series)
        order = _ALONG.format(along=self.along) if self.along else _AS_THEY_STAND
        blocks = _BLOCKS.format(rows=counted(self.rows, "row"), order=order)
        return f"{blocks} {_WITHIN.format(series=series)}" if self.series else blocks

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        order = row_order(dataset, self.along, self.series)
        blocks = np.empty(dataset.row_count, dtype=np.float64)
        blocks[order.rows] = _blocks(order.series, self.rows) + 1.0
        count = int(blocks.max(initial=0.0))
        if count < FEWEST_GROUPS:
            raise InvalidData(
                f"the table has {counted(dataset.row_count, 'row')}, which make one block only.",
                remedy="Choose fewer rows for a block.",
            )
        variable = Variable(self.column, Kind.CONTINUOUS, Role.GROUPS)
        if dataset.groups is not None:
            dataset = dataset.with_roles({dataset.groups: Role.IGNORED})
        made = dataset.with_columns({}, [(variable, blocks)])
        remarks = (_COUNTED.format(count=count_text(count)), *([COURSE_REMAINS] if self.rows else []))
        return Applied(made, (self.column,), remarks=remarks)


_ALONG = "in the order of “{along}”"
_AS_THEY_STAND = "in the order of the table"
_BLOCKS = "Rows are grouped in blocks of about {rows}, {order}."
_WITHIN = "Each block holds rows of one {series}."
_BY_SERIES = "Rows are grouped by {series}; a row without a value is a group of its own."
COURSE_REMAINS = "Blocks do not remove a season or a trend that columns share."
"""What is left when rows are grouped in blocks."""
_COUNTED = "There are {count} blocks."


def _blocks(series: np.ndarray, rows: int) -> np.ndarray:
    """Return the block of each row in order; blocks of one series are as equal in size as can be."""
    if not len(series):
        return np.zeros(0)
    starts = np.flatnonzero(np.append(True, series[1:] != series[:-1]))
    sizes = np.diff(np.append(starts, len(series)))
    # A block of more rows than there are is one of all of them.
    least = min(rows, len(series))
    counts = np.maximum(sizes // least, 1) if rows else np.ones(len(sizes), dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(counts[:-1])])
    within = np.arange(len(series)) - np.repeat(starts, sizes)
    blocks: np.ndarray = np.repeat(first, sizes) + within * np.repeat(counts, sizes) // np.repeat(
        sizes, sizes
    )
    return blocks
