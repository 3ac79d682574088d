"""The variable × label grid: what is visible is painted, the rest costs nothing."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.plots.grid.data import NO_RELATION, GridData, describe
from clcd_gui.plots.grid.painter import GridGeometry, GridPainter
from clcd_gui.plots.spoken import make_spoken, tell_selected
from clcd_gui.style.text import show_tooltip
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.wording.text import OwnKeys

Cell = tuple[int, int]
_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)


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
LARGE_CELL = 31
_SMALL_GRID = 20
_OF_NAMES, _LEAST_NAMES, _NEARLY = 0.4, 120.0, 0.2
_EMPTY = GridData((), ())


@make_spoken
class HeatGrid(FollowsLook, QAbstractScrollArea):
    """Shows which variable counts for which label, how, and how strongly."""

    OWN_KEYS = OwnKeys(
        "In the grid",
        (
            ("Left, Right, Up, Down", "The next cell"),
            ("Ctrl+Left, Ctrl+Right, Ctrl+Up, Ctrl+Down", "The next filled cell"),
            ("PgUp, PgDown, Home, End", "A page on, the first and the last one"),
            ("Space, Return", "Why?"),
            ("+, -, 0", "Larger, smaller and usual cells"),
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
        self.setAccessibleName("Grid of variables and labels")
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
            self.set_cell(DEFAULT_CELL)
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
        data = self.grid
        # Beside a scroll bar, be there one or not: larger cells that need it, and smaller ones in the room
        # beside it that do not, would change for ever.
        room = self.maximumViewportSize().width() - self.verticalScrollBar().sizeHint().width()
        if self._is_usual:
            is_small = max(data.row_count, data.column_count) <= _SMALL_GRID
            self.cell = LARGE_CELL if is_small else DEFAULT_CELL
        self._painter, width = self._made_in_cells()
        if self._is_usual and self.cell == LARGE_CELL and self._painter.names_width() + width > room:
            self.cell = DEFAULT_CELL
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

    def _made_in_cells(self) -> tuple[GridPainter, float]:
        """Return a painter for the cells as they are now, and how wide cells and heads are together."""
        painter = GridPainter(self.grid, self.cell, self.font(), colours(self.palette()))
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
