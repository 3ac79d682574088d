"""Paints parts of the grid on the screen or into a file: cells, names at the left, slanted names on top."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from clcd_gui.plots.figure import Figure, device_font
from clcd_gui.plots.grid.data import RELATIONS, GridContent, GridData
from clcd_gui.plots.legend import legend_height, paint_legend
from clcd_gui.plots.marks import draw_cell_mark, draw_feature_mark, draw_label_mark, relation_colour
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.text import scaled
from clcd_gui.style.tokens import LIGHT, Colours
from clcd_gui.wording.text import count_text, counted

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GridGeometry:
    """A scrolled grid of square cells."""

    plot: QRect  # part of the viewport that shows cells; the names stand left of it and above it
    cell: int  # side of a cell in pixels
    scrolled: QPoint  # to the right and down
    rows: int
    columns: int

    @property
    def origin(self) -> QPoint:
        """Where the first cell begins; outside the plot when scrolled."""
        return self.plot.topLeft() - self.scrolled

    def cell_at(self, position: QPoint) -> Cell:
        """Return row and column at a position; -1 for a name's strip or beyond the grid."""
        place = position - self.origin
        row, column = place.y() // self.cell, place.x() // self.cell
        if position.x() < self.plot.left() or column >= self.columns:
            column = -1
        if position.y() < self.plot.top() or row >= self.rows:
            row = -1
        return row, column

    def cell_rect(self, row: int, column: int) -> QRect:
        """Return where a cell is."""
        corner = self.origin + QPoint(column * self.cell, row * self.cell)
        return QRect(corner.x(), corner.y(), self.cell, self.cell)

    def visible(self) -> tuple[slice, slice]:
        """Return the rows and the columns of which something is seen."""
        return (
            self._seen(self.scrolled.y(), self.plot.height(), self.rows),
            self._seen(self.scrolled.x(), self.plot.width(), self.columns),
        )

    def page(self) -> int:
        """Return how many rows a page key moves."""
        return max(self.plot.height() // self.cell - 1, 1)

    def _seen(self, start: int, length: int, count: int) -> slice:
        return slice(min(start // self.cell, count), min((start + length) // self.cell + 1, count))


_MARK = 11.0
_SPACE = 8.0
_SLANT = math.radians(50)
# In letters of average width, so that larger text is not cut off sooner.
_LONGEST_LABEL = 22
_LONGEST_NAME = 38
_SMALLEST_NAMED = 11.0


@dataclass(frozen=True)
class GridPainter:
    """Measures and paints a grid at one size of cell."""

    data: GridData
    cell: float
    font: QFont
    chosen: Colours

    @property
    def is_named(self) -> bool:
        """Whether cells are large enough for names beside them."""
        return self.cell >= _SMALLEST_NAMED

    def names_width(self, most: float = math.inf, free: float = 0.0) -> float:
        """Return the width of the column of names."""
        if not self.is_named:
            return 2 * _SPACE
        # That of the selected row is bold.
        metrics = QFontMetricsF(_bold(self._fitting_font))
        names = (finding.feature for finding in self.data.findings[:400])
        longest = max((metrics.horizontalAdvance(name) for name in names), default=0.0)
        usual = min(most, _LONGEST_NAME * metrics.averageCharWidth())
        return math.ceil(min(longest, max(usual, free))) + _MARK + 3.5 * _SPACE

    def heads_height(self) -> float:
        """Return the height of the row of slanted names."""
        if not self.is_named:
            return 2 * _SPACE
        return self._head_length * math.sin(_SLANT) + _MARK + 2.5 * _SPACE

    def heads_overhang(self) -> float:
        """Return how far slanted names reach beyond the last column."""
        if not self.is_named:
            return 0.0
        last = len(self._head_lengths) - 1
        reaches = (
            length * math.cos(_SLANT) - (last - column) * self.cell
            for column, length in enumerate(self._head_lengths)
        )
        return max(reaches, default=0.0) + _SPACE

    def paint_bands(self, painter: QPainter, geometry: GridGeometry, row: int, column: int) -> None:
        """Paint the row and the column that are selected; -1 for none."""
        band = QColor(self.chosen.selection)
        if row >= 0:
            across = geometry.cell_rect(row, 0)
            across.setWidth(geometry.columns * geometry.cell)
            painter.fillRect(across, band)
        if column >= 0:
            down = geometry.cell_rect(0, column)
            down.setHeight(geometry.rows * geometry.cell)
            painter.fillRect(down, band)

    def paint_current(self, painter: QPainter, cell: QRect, has_focus: bool) -> None:
        """Frame the selected cell, more firmly where the keyboard is."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.chosen.accent), 2.5 if has_focus else 1.5))
        painter.drawRoundedRect(QRectF(cell).adjusted(1, 1, 0, 0), 3, 3)

    def paint_ground(self, painter: QPainter, rows: slice, columns: slice, origin: QPointF) -> None:
        """Paint the lines between the cells of a part."""
        left, top = origin.x() + columns.start * self.cell, origin.y() + rows.start * self.cell
        right, bottom = origin.x() + columns.stop * self.cell, origin.y() + rows.stop * self.cell
        if not self.is_named:
            return
        lines = [
            QLineF(left, origin.y() + row * self.cell, right, origin.y() + row * self.cell)
            for row in range(rows.start, rows.stop + 1)
        ]
        lines += [
            QLineF(origin.x() + column * self.cell, top, origin.x() + column * self.cell, bottom)
            for column in range(columns.start, columns.stop + 1)
        ]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.chosen.hover), 1))
        painter.drawLines(lines)

    def paint_cells(self, painter: QPainter, rows: slice, columns: slice, origin: QPointF) -> None:
        """Paint the cells of a part that hold something."""
        data, cell = self.data, self.cell
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, column in data.ticks(rows, columns).tolist():
            box = QRectF(origin.x() + column * cell, origin.y() + row * cell, cell, cell)
            if data.look is not None:
                data.look.paint(painter, box, data.findings[row], data.labels[column], self.chosen)
                continue
            relation = RELATIONS[data.relations[row, column]]
            colour = relation_colour(relation, data.findings[row].is_common, self.chosen)
            draw_cell_mark(painter, box, relation, float(data.strengths[row, column]), colour)

    def paint_names(
        self, painter: QPainter, rows: slice, area: QRectF, top: float, selected: int = -1
    ) -> None:
        """Paint names of variables; `top` is where row 0 begins."""
        if not self.is_named:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._fitting_font
        mark = min(_MARK, self.cell * 0.5)
        for row in range(rows.start, rows.stop):
            finding = self.data.findings[row]
            middle = top + (row + 0.5) * self.cell
            right = area.right() - _SPACE
            draw_feature_mark(
                painter, QRectF(right - mark, middle - mark / 2, mark, mark), finding.is_common, self.chosen
            )
            room = right - mark - _SPACE - area.left() - _SPACE
            painter.setFont(_bold(font) if row == selected else font)
            names = self._bold_features if row == selected else self._features
            text = names.shown(finding.feature, room)
            painter.setPen(QColor(self.chosen.text))
            box = QRectF(area.left() + _SPACE, middle - self.cell / 2, room, self.cell)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)

    def paint_heads(
        self, painter: QPainter, columns: slice, area: QRectF, left: float, selected: int = -1
    ) -> None:
        """Paint slanted names of labels; `left` is where column 0 begins."""
        if not self.is_named:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._fitting_font
        metrics = QFontMetricsF(font)
        mark = min(_MARK, self.cell * 0.5)
        for column in range(columns.start, columns.stop):
            middle = left + (column + 0.5) * self.cell
            bottom = area.bottom() - _SPACE / 2
            draw_label_mark(painter, QRectF(middle - mark / 2, bottom - mark, mark, mark), self.chosen)
            text = self._labels.shown(self.data.labels[column], self._head_length)
            painter.save()
            painter.translate(middle, bottom - mark - _SPACE / 2)
            painter.rotate(-math.degrees(_SLANT))
            painter.setFont(_bold(font) if column == selected else font)
            painter.setPen(QColor(self.chosen.text))
            painter.drawText(QPointF(0, metrics.ascent() / 3), text)
            painter.restore()

    @cached_property
    def _features(self) -> ShortNames:
        return _short_names(self.data.row_of, self._fitting_font)

    @cached_property
    def _bold_features(self) -> ShortNames:
        return _short_names(self.data.row_of, _bold(self._fitting_font))

    @cached_property
    def _labels(self) -> ShortNames:
        return _short_names(self.data.labels, _bold(self._fitting_font))

    @cached_property
    def _head_length(self) -> float:
        return max(self._head_lengths, default=0.0)

    @cached_property
    def _head_lengths(self) -> list[float]:
        # That of the selected column is bold.
        metrics = QFontMetricsF(_bold(self._fitting_font))
        longest = _LONGEST_LABEL * metrics.averageCharWidth()
        return [min(metrics.horizontalAdvance(label), longest) for label in self.data.labels]

    @cached_property
    def _fitting_font(self) -> QFont:
        return scaled(self.font, min(1.0, max(self.cell * 0.86 / QFontMetricsF(self.font).height(), 0.55)))


def _short_names(names: Iterable[str], font: QFont) -> ShortNames:
    return ShortNames(names, QFontMetricsF(font).horizontalAdvance)


def _bold(font: QFont) -> QFont:
    heavy = QFont(font)
    heavy.setBold(True)
    return heavy


_CELL = 24.0
_MARGIN = 16.0
_MOST_ROWS = 400
_NARROWEST = 420.0


def grid_figure(data: GridData, content: GridContent, font: QFont) -> Figure:
    """Make the picture of a grid; of a very long one, of its first rows, and it says so."""
    font = device_font(font)
    shown = min(data.row_count, _MOST_ROWS)
    grid = GridPainter(data, _CELL, font, LIGHT)
    names, heads = grid.names_width(), grid.heads_height()
    width = max(names + data.column_count * _CELL + grid.heads_overhang(), _NARROWEST)
    bottom = heads + shown * _CELL
    note_height = 24.0 if shown < data.row_count else 0.0
    legend = content.legend
    legend_space = legend_height(legend, font, width)
    size = QSizeF(width + 2 * _MARGIN, bottom + note_height + legend_space + 3 * _MARGIN)

    def paint(painter: QPainter) -> None:
        painter.translate(_MARGIN, _MARGIN)
        rows, columns = slice(0, shown), slice(0, data.column_count)
        origin = QPointF(names, heads)
        grid.paint_ground(painter, rows, columns, origin)
        grid.paint_cells(painter, rows, columns, origin)
        grid.paint_names(painter, rows, QRectF(0, heads, names, shown * _CELL), heads)
        grid.paint_heads(painter, columns, QRectF(names, 0, width - names, heads), names)
        if note_height:
            painter.setFont(font)
            painter.setPen(QColor(LIGHT.muted))
            text = f"The first {count_text(shown)} of {counted(data.row_count, content.noun)}."
            painter.drawText(QPointF(names, bottom + note_height - 6), text)
        area = QRectF(0, bottom + note_height + _MARGIN, width, legend_space)
        paint_legend(painter, area, legend, font, LIGHT)

    return Figure(content.title, size, paint)
