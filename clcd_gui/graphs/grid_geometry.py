"""Where the cells of the grid are on the screen, and which cell is where."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GridGeometry:
    """A scrolled grid of square cells.

    Attributes
    ----------
    plot : QRect
        Part of the viewport that shows cells; the names stand left of it and above it.
    cell : int
        Side of a cell in pixels.
    scrolled : QPoint
        How far the grid is scrolled to the right and down.
    rows, columns : int
        Size of the grid.
    """

    plot: QRect
    cell: int
    scrolled: QPoint
    rows: int
    columns: int

    @property
    def origin(self) -> QPoint:
        """Where the first cell begins; outside the plot when scrolled."""
        return self.plot.topLeft() - self.scrolled

    def cell_at(self, position: QPoint) -> Cell:
        """Give row and column at a position; -1 for a name's strip or beyond the grid."""
        place = position - self.origin
        row, column = place.y() // self.cell, place.x() // self.cell
        if position.x() < self.plot.left() or column >= self.columns:
            column = -1
        if position.y() < self.plot.top() or row >= self.rows:
            row = -1
        return row, column

    def cell_rect(self, row: int, column: int) -> QRect:
        """Give where a cell is."""
        corner = self.origin + QPoint(column * self.cell, row * self.cell)
        return QRect(corner.x(), corner.y(), self.cell, self.cell)

    def row_rect(self, row: int) -> QRect:
        """Give where a whole row is."""
        first = self.cell_rect(row, 0)
        first.setWidth(self.columns * self.cell)
        return first

    def column_rect(self, column: int) -> QRect:
        """Give where a whole column is."""
        first = self.cell_rect(0, column)
        first.setHeight(self.rows * self.cell)
        return first

    def visible(self) -> tuple[slice, slice]:
        """Give the rows and the columns of which something is seen."""
        return (
            self._seen(self.scrolled.y(), self.plot.height(), self.rows),
            self._seen(self.scrolled.x(), self.plot.width(), self.columns),
        )

    def page(self) -> int:
        """Give how many rows a page key moves."""
        return max(self.plot.height() // self.cell - 1, 1)

    def _seen(self, start: int, length: int, count: int) -> slice:
        return slice(min(start // self.cell, count), min((start + length) // self.cell + 1, count))
