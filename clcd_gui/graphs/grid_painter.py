"""Paints parts of the grid: cells, names of variables at the left, names of labels slanted on top."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from clcd_gui.graphs.grid_data import RELATIONS, GridData
from clcd_gui.graphs.grid_geometry import GridGeometry
from clcd_gui.graphs.marks import draw_cell_mark, draw_feature_mark, draw_label_mark, relation_colour
from clcd_gui.style.tokens import Colours

_MARK = 11.0
_SPACE = 8.0
_SLANT = math.radians(50)
# In letters of average width, so that larger text is not cut off sooner.
_LONGEST_LABEL = 22
_LONGEST_NAME = 38
_SMALLEST_NAMED = 11.0


@dataclass(frozen=True)
class GridPainter:
    """Measures and paints a grid at one size of cell.

    Attributes
    ----------
    data : GridData
        What is painted.
    cell : float
        Side of a cell in pixels.
    font : QFont
        Font of the names at full size.
    chosen : Colours
        Colours of the theme.
    """

    data: GridData
    cell: float
    font: QFont
    chosen: Colours
    _shortened: dict[tuple[str, float], str] = field(default_factory=dict, repr=False)

    @property
    def is_named(self) -> bool:
        """Whether cells are large enough for names beside them."""
        return self.cell >= _SMALLEST_NAMED

    def names_width(self, most: float = math.inf) -> float:
        """Give the width of the column of names; `most` is the room that there is for the letters."""
        if not self.is_named:
            return 2 * _SPACE
        # That of the selected row is bold.
        metrics = QFontMetricsF(_bold(self._fitting_font))
        names = (finding.feature for finding in self.data.findings[:400])
        longest = max((metrics.horizontalAdvance(name) for name in names), default=0.0)
        return (
            math.ceil(min(longest, most, _LONGEST_NAME * metrics.averageCharWidth())) + _MARK + 3.5 * _SPACE
        )

    def heads_height(self) -> float:
        """Give the height of the row of slanted names."""
        if not self.is_named:
            return 2 * _SPACE
        return self._head_length * math.sin(_SLANT) + _MARK + 2.5 * _SPACE

    def heads_overhang(self) -> float:
        """Give how far the last slanted name reaches beyond its column."""
        return self._head_length * math.cos(_SLANT) + _SPACE if self.is_named else 0.0

    def paint_bands(self, painter: QPainter, geometry: GridGeometry, row: int, column: int) -> None:
        """Paint the row and the column that are selected; -1 for none."""
        band = QColor(self.chosen.selection)
        if row >= 0:
            painter.fillRect(geometry.row_rect(row), band)
        if column >= 0:
            painter.fillRect(geometry.column_rect(column), band)

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
            relation = RELATIONS[data.relations[row, column]]
            colour = relation_colour(relation, data.findings[row].is_common, self.chosen)
            box = QRectF(origin.x() + column * cell, origin.y() + row * cell, cell, cell)
            draw_cell_mark(painter, box, relation, float(data.strengths[row, column]), colour)

    def paint_names(
        self, painter: QPainter, rows: slice, area: QRectF, top: float, selected: int = -1
    ) -> None:
        """Paint names of variables; `top` is where row 0 begins."""
        if not self.is_named:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._fitting_font
        metrics = QFontMetricsF(font)
        mark = min(_MARK, self.cell * 0.5)
        for row in range(rows.start, rows.stop):
            finding = self.data.findings[row]
            middle = top + (row + 0.5) * self.cell
            right = area.right() - _SPACE
            draw_feature_mark(
                painter, QRectF(right - mark, middle - mark / 2, mark, mark), finding.is_common, self.chosen
            )
            room = right - mark - _SPACE - area.left() - _SPACE
            if row == selected:
                painter.setFont(_bold(font))
                text = QFontMetricsF(_bold(font)).elidedText(
                    finding.feature, Qt.TextElideMode.ElideMiddle, room
                )
            else:
                painter.setFont(font)
                text = self._fitting(finding.feature, metrics, room)
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
            text = self._fitting(self.data.labels[column], metrics, self._head_length)
            painter.save()
            painter.translate(middle, bottom - mark - _SPACE / 2)
            painter.rotate(-math.degrees(_SLANT))
            painter.setFont(_bold(font) if column == selected else font)
            painter.setPen(QColor(self.chosen.text))
            painter.drawText(QPointF(0, metrics.ascent() / 3), text)
            painter.restore()

    def _fitting(self, name: str, metrics: QFontMetricsF, room: float) -> str:
        """Shorten a name, once; measuring text is what painting would spend most of its time on."""
        key = (name, room)
        if key not in self._shortened:
            self._shortened[key] = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
        return self._shortened[key]

    @cached_property
    def _head_length(self) -> float:
        metrics = QFontMetricsF(self._fitting_font)
        longest = max((metrics.horizontalAdvance(label) for label in self.data.labels), default=0.0)
        return min(longest, _LONGEST_LABEL * metrics.averageCharWidth())

    @cached_property
    def _fitting_font(self) -> QFont:
        font = QFont(self.font)
        largest = QFontMetricsF(font).height()
        share = min(1.0, max(self.cell * 0.86 / largest, 0.55))
        if font.pointSizeF() > 0:
            font.setPointSizeF(font.pointSizeF() * share)
        else:
            font.setPixelSize(max(round(font.pixelSize() * share), 6))
        return font


def _bold(font: QFont) -> QFont:
    heavy = QFont(font)
    heavy.setBold(True)
    return heavy
