"""The variable × label grid on screen and in files: what is visible is painted, the rest costs nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.plots.figure import Figure, device_font
from clcd_gui.plots.grid_data import NO_RELATION, NO_WAY, RELATIONS, UP, GridContent, GridData, describe
from clcd_gui.plots.legend import legend_height, paint_legend
from clcd_gui.plots.marks import (
    draw_cell_mark,
    draw_feature_mark,
    draw_label_mark,
    draw_way,
    relation_colour,
)
from clcd_gui.plots.spoken import make_spoken, tell_selected
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.text import scaled, show_tooltip
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import LIGHT, Colours
from clcd_gui.wording.text import OwnKeys, count_text, counted
from engine.translation import N_, _
from engine.wording.shown_names import shown_name

Cell = tuple[int, int]
_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)


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
        """Return the rows and columns that are at least partly visible."""
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
_SMALLEST_WITH_WAY = 15.0


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
        names = (shown_name(finding.feature) for finding in self.data.findings[:400])
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
            strength, way = float(data.strengths[row, column]), data.ways[row, column]
            draw_cell_mark(painter, box, relation, strength, colour)
            if way != NO_WAY and cell >= _SMALLEST_WITH_WAY:
                draw_way(painter, box, relation, strength, colour, way == UP, self.chosen)

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
            text = names.shown(shown_name(finding.feature), room)
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
            text = self._labels.shown(shown_name(self.data.labels[column]), self._head_length)
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
        return [min(metrics.horizontalAdvance(shown_name(label)), longest) for label in self.data.labels]

    @cached_property
    def _fitting_font(self) -> QFont:
        return scaled(self.font, min(1.0, max(self.cell * 0.86 / QFontMetricsF(self.font).height(), 0.55)))


def _short_names(names: Iterable[str], font: QFont) -> ShortNames:
    return ShortNames(map(shown_name, names), QFontMetricsF(font).horizontalAdvance)


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
            text = _(
                "The first {shown} of {total}.",
                shown=count_text(shown),
                total=counted(data.row_count, content.noun),
            )
            painter.drawText(QPointF(names, bottom + note_height - 6), text)
        area = QRectF(0, bottom + note_height + _MARGIN, width, legend_space)
        paint_legend(painter, area, legend, font, LIGHT)

    return Figure(_(content.title), size, paint)


def leads_somewhere(key: Qt.Key) -> bool:
    """Tell whether a key moves the cursor."""
    return key in _STEPS or key in _PAGES or key in _ENDS


def cell_after(data: GridData, cell: Cell, key: Qt.Key, has_control: bool, page: int) -> Cell | None:
    """Return the cell that a key leads to; with Ctrl, the next filled one by an arrow, or a corner."""
    if not data.row_count or not data.column_count:
        return None
    row, column = cell
    if key in _ENDS:
        at_end = key is Qt.Key.Key_End
        if has_control:
            row = data.row_count - 1 if at_end else 0
        return max(row, 0), data.column_count - 1 if at_end else 0
    if row < 0 or column < 0:
        return max(row, 0), max(column, 0)
    down, right = _STEPS.get(key, (0, 0))
    if key in _PAGES:
        down = _PAGES[key] * page
    elif has_control:
        return data.next_tick(row, column, down, right) or cell
    row = min(max(row + down, 0), data.row_count - 1)
    return row, min(max(column + right, 0), data.column_count - 1)


CELL_SIZES = (5, 7, 9, 12, 15, 18, 22, 26, 31, 37, 44, 52)
DEFAULT_CELL = 26
SMALLEST_FITTED, LARGEST_CELL = 20, 44
_OF_NAMES, _LEAST_NAMES, _NEARLY = 0.4, 120.0, 0.2
_EMPTY = GridData((), ())


@make_spoken
class HeatGrid(FollowsLook, QAbstractScrollArea):
    """Shows which variable counts for which label, how, and how strongly."""

    OWN_KEYS = OwnKeys(
        N_("In the grid"),
        (
            (N_("Left, Right, Up, Down"), N_("The next cell")),
            (N_("Ctrl+Left, Ctrl+Right, Ctrl+Up, Ctrl+Down"), N_("The next filled cell")),
            (N_("PgUp, PgDown, Home, End"), N_("Next page, first and last page")),
            (N_("Space, Return"), N_("Why?")),
            ("+, -, 0", N_("Larger cells, smaller cells, default size")),
        ),
    )

    zoomed = Signal(int)

    def __init__(self, highlight: Highlight, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highlight = highlight
        self.grid = _EMPTY
        self._filled: list[Cell] = []
        self.cell = DEFAULT_CELL
        self._is_usual = True
        self._painter: GridPainter | None = None
        self._names_width = self._heads_height = 0
        self._heads: tuple[tuple[float, ...], QPixmap] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Grid of variables and labels"))
        self.viewport().setMouseTracking(False)
        highlight.changed.connect(self._on_selection)

    def set_data(self, data: GridData) -> None:
        """Show another grid; a small one with larger cells."""
        self.grid = data
        self._filled = [(int(row), int(column)) for row, column in np.argwhere(data.relations != NO_RELATION)]
        self._follow_look()
        self._describe_current()

    def set_cell(self, size: int) -> None:
        """Zoom to a size of cell, keeping what is in the middle."""
        size = min(max(size, CELL_SIZES[0]), CELL_SIZES[-1])
        if size == self.cell:
            return
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        middle_x, middle_y = self._plot().width() / 2, self._plot().height() / 2
        column = (across.value() + middle_x) / self.cell
        row = (down.value() + middle_y) / self.cell
        self.cell = size
        self._is_usual = False
        self._follow_look()
        across.setValue(round(column * size - self._plot().width() / 2))
        down.setValue(round(row * size - self._plot().height() / 2))
        self.zoomed.emit(size)

    def fit(self) -> None:
        """Let the cells take the room that there is, as they do until somebody zooms."""
        self._is_usual = True
        self._follow_look()
        self._bring_into_view(*self._current())
        self.zoomed.emit(self.cell)

    def zoom(self, steps: int) -> None:
        """Zoom in (positive) or out by steps."""
        nearest = min(range(len(CELL_SIZES)), key=lambda number: abs(CELL_SIZES[number] - self.cell))
        self.set_cell(CELL_SIZES[min(max(nearest + steps, 0), len(CELL_SIZES) - 1)])

    def cell_at(self, position: QPoint) -> tuple[int, int]:
        """Return row and column at a position of the viewport; -1 for a name's strip or beyond."""
        return self._geometry().cell_at(position)

    def cell_rect(self, row: int, column: int) -> QRect:
        """Return where a cell is in the viewport."""
        return self._geometry().cell_rect(row, column)

    def describe(self, row: int, column: int) -> str:
        """Say what a cell, a variable (column -1) or a label (row -1) is about."""
        return describe(self.grid, row, column)

    # Qt's own hooks from here on.

    def sizeHint(self) -> QSize:
        """Return the size that it would like to have."""
        return QSize(640, 420)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is visible."""
        grid = self._painter
        if grid is None or not self.grid.row_count:
            return
        painter = QPainter(self.viewport())
        geometry, (row, column) = self._geometry(), self._current()
        plot, origin = geometry.plot, QPointF(geometry.origin)
        rows, columns = geometry.visible()
        painter.setClipRect(plot)
        grid.paint_bands(painter, geometry, row, column)
        grid.paint_ground(painter, rows, columns, origin)
        grid.paint_cells(painter, rows, columns, origin)
        if row >= 0 and column >= 0:
            grid.paint_current(painter, geometry.cell_rect(row, column), self.hasFocus())
        names = QRectF(0, plot.top(), plot.left(), plot.height())
        painter.setClipRect(names)
        grid.paint_names(painter, rows, names, origin.y(), row)
        painter.setClipping(False)
        painter.drawPixmap(plot.left(), 0, self._heads_picture(grid, columns, column))
        painter.end()

    def _heads_picture(self, grid: GridPainter, columns: slice, selected: int) -> QPixmap:
        """Give the slanted names, drawn once for a place: slanted text is slow, and scrolling down is not."""
        plot = self._plot()
        offset, ratio = self.horizontalScrollBar().value(), self.devicePixelRatioF()
        key = (offset, plot.width(), plot.top(), selected, ratio)
        if self._heads is None or self._heads[0] != key:
            picture = QPixmap(round(plot.width() * ratio), round(plot.top() * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            area = QRectF(0, 0, plot.width(), plot.top())
            grid.paint_heads(painter, columns, area, -offset, selected)
            painter.end()
            self._heads = (key, picture)
        return self._heads[1]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the scroll bars to the new size."""
        super().resizeEvent(event)
        self._follow_look()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin where the selection is."""
        super().showEvent(event)
        self._follow_look()
        self._bring_into_view(*self._current())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the cell, the variable or the label that is clicked."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._select(*self.cell_at(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep the click to itself."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Bring the evidence into view."""
        self._highlight.ask_why()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Answer with a tooltip where the pointer rests."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tooltip(event, self.describe(*self.cell_at(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the keyboard is elsewhere."""
        super().focusOutEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, ask why, zoom."""
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        key = Qt.Key(event.key())
        if leads_somewhere(key):
            page = self._geometry().page()
            cell = cell_after(self.grid, self._current(), key, has_control, page)
            if cell is not None:
                self._select(*cell)
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._highlight.ask_why()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(-1 if key is Qt.Key.Key_Minus else 1)
        elif key is Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)

    # What a screen reader asks.

    def spoken_count(self) -> int:
        """Count the cells that hold something."""
        return len(self._filled)

    def spoken_name(self, place: int) -> str:
        """Say which variable and label a cell is about, and how they are linked."""
        return self.describe(*self._filled[place]).replace("\n", ", ")

    def spoken_rect(self, place: int) -> QRect:
        """Return where a cell is."""
        return self.cell_rect(*self._filled[place])

    def spoken_selected(self) -> int:
        """Return the place of the selected cell, -1 where it is empty."""
        current = self._current()
        return self._filled.index(current) if current in self._filled else -1

    # Inner workings.

    def _follow_look(self) -> None:
        """Measure cells and names anew."""
        if self._is_usual:
            self.cell = self._fitted_cell(self.maximumViewportSize())
        self._painter, width = self._made_in_cells()
        self._heads = None
        self._names_width = round(self._room_for_names(self._painter, width))
        self._heads_height = round(self._painter.heads_height())
        plot = self._plot()
        height = self.grid.row_count * self.cell + 2
        for bar, content, page in (
            (self.horizontalScrollBar(), round(width), plot.width()),
            (self.verticalScrollBar(), height, plot.height()),
        ):
            bar.setRange(0, max(content - page, 0))
            bar.setPageStep(max(page, 1))
            bar.setSingleStep(self.cell)
        self.viewport().update()

    def fit_within(self, width: int, height: int) -> None:
        """Take the height that all cells need in a width, but no more than there is."""
        frame = self.size() - self.maximumViewportSize()
        cell = self._fitted_cell(QSize(width, height) - frame)
        heads = math.ceil(self._painter_of(cell).heads_height())
        needed = heads + self.grid.row_count * cell + self._beside_cells + frame.height()
        self.setFixedHeight(max(min(needed, height), 0))

    def rows_within(self, height: int) -> int:
        """Count the rows of the smallest fitted cells that a height has room for; one in any case."""
        frame = self.height() - self.maximumViewportSize().height()
        heads = math.ceil(self._painter_of(SMALLEST_FITTED).heads_height())
        return max((height - frame - heads - self._beside_cells) // SMALLEST_FITTED, 1)

    @property
    def _beside_cells(self) -> int:
        """What a bar below the cells takes, be it there or not, and their last line."""
        return self.horizontalScrollBar().sizeHint().height() + 2

    def _fitted_cell(self, room: QSize) -> int:
        """Return the side of cells that fill a room; a usual one where all cells would be too small."""
        # Beside scroll bars, be there any or not: larger cells that need them, and smaller ones in the room
        # beside them that do not, would change for ever.
        across = room.width() - self.verticalScrollBar().sizeHint().width()
        down = room.height() - self._beside_cells
        rows, columns = self.grid.row_count, self.grid.column_count
        for cell in range(LARGEST_CELL, SMALLEST_FITTED - 1, -1):
            if rows * cell > down or columns * cell > across:
                continue
            painter = self._painter_of(cell)
            width = painter.names_width() + columns * cell + painter.heads_overhang()
            if width <= across and math.ceil(painter.heads_height()) + rows * cell <= down:
                return cell
        return DEFAULT_CELL

    def _painter_of(self, cell: int) -> GridPainter:
        return GridPainter(self.grid, cell, self.font(), colours(self.palette()))

    def _made_in_cells(self) -> tuple[GridPainter, float]:
        """Return a painter for the cells as they are now, and how wide cells and heads are together."""
        painter = self._painter_of(self.cell)
        return painter, self.grid.column_count * self.cell + painter.heads_overhang()

    def _room_for_names(self, painter: GridPainter, width: float) -> float:
        """Return how wide the names are: they have what cells leave over, and give a little to show all."""
        room, marks = self.viewport().width(), painter.names_width(0.0)
        names = painter.names_width(max(_OF_NAMES * room, _LEAST_NAMES), room - width - marks)
        excess = names + width - room
        if not 0 < excess < _NEARLY * names:
            return names
        return painter.names_width(names - marks - excess - 1)

    def _plot(self) -> QRect:
        return self.viewport().rect().adjusted(self._names_width, self._heads_height, 0, 0)

    def _geometry(self) -> GridGeometry:
        scrolled = QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        return GridGeometry(self._plot(), self.cell, scrolled, self.grid.row_count, self.grid.column_count)

    def _current(self) -> tuple[int, int]:
        pair = self._highlight.pair
        row = self.grid.row_of.get(pair.feature, -1) if pair.feature is not None else -1
        column = self.grid.column_of.get(pair.label, -1) if pair.label is not None else -1
        return row, column

    def _select(self, row: int, column: int) -> None:
        feature = self.grid.findings[row].feature if row >= 0 else None
        label = self.grid.labels[column] if column >= 0 else None
        self._highlight.select(feature, label)

    def _on_selection(self, _pair: SelectedPair) -> None:
        self._describe_current()
        self._bring_into_view(*self._current())
        self.viewport().update()

    def _describe_current(self) -> None:
        self.setAccessibleDescription(self.describe(*self._current()).replace("\n", ", "))
        tell_selected(self)

    def _bring_into_view(self, row: int, column: int) -> None:
        plot, size = self._plot(), self.cell
        for bar, index, page in (
            (self.verticalScrollBar(), row, plot.height()),
            (self.horizontalScrollBar(), column, plot.width()),
        ):
            if index < 0 or page < size:
                continue
            start = index * size
            if start < bar.value():
                bar.setValue(start)
            elif start + size > bar.value() + page:
                bar.setValue(start + size - page)
