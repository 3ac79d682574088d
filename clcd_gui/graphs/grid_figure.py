"""The grid as a picture for a file."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QFont, QPainter

from clcd_gui.core.number_format import count_text, counted
from clcd_gui.graphs.figure import Figure, device_font
from clcd_gui.graphs.grid_content import GridContent
from clcd_gui.graphs.grid_data import GridData
from clcd_gui.graphs.grid_painter import GridPainter
from clcd_gui.graphs.legend import legend_height, paint_legend
from clcd_gui.style.tokens import LIGHT

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
