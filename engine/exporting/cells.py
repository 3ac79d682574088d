"""What a table that is written is made of."""

from __future__ import annotations

from dataclasses import dataclass

Cell = str | int | float | bool | tuple[str, ...] | None
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table ready to be written.

    Attributes
    ----------
    title : str
        What a sheet or a section that shows it is called.
    columns : tuple of str
        Names of the columns.
    rows : tuple of Row
        Texts, numbers, flags, or several names in one cell; None is an empty cell.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
