"""Lays the panels of a chart out on the screen, and answers the pointer."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QGraphicsScene, QToolTip, QWidget

from clcd_gui.plots.panels import PAINTERS, PanelPainter
from clcd_gui.plots.pens import Pens
from clcd_gui.style.text import literal, read_from_the_left
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, Colours
from engine.reporting.figures.chart import Chart, Panel
from engine.wording.scripts import in_order

# Neither OpenGL nor kernels compiled for drawing, and no way of its own to end the program.
pyqtgraph.setConfigOptions(antialias=True, useOpenGL=False, useNumba=False, useCupy=False, exitCleanup=False)

_NEAR = 12.0
# Places in the grid that a row of panels takes: heading, title, scale above, panel, scale beneath.
_HEADING, _TITLE, _ABOVE, _PANEL, _BELOW, _ROWS_EACH = range(6)
_NARROWEST = 90.0
_LEAST_NAME = 14
_OF_PLOTS = 0.4


@dataclass(frozen=True, slots=True)
class Spot:
    """A mark where the pointer is."""

    words: str
    x: float
    y: float


def _escaped(text: str) -> str:
    return html.escape(in_order(text))


class _Title(pyqtgraph.LabelItem):  # type: ignore[misc]  # it comes without types
    """A title that is as wide as there is room, and shortened where that is too little."""

    # Asked for while it is being made.
    _whole = ""

    def __init__(self, text: str, font: QFont, **options: Any) -> None:
        super().__init__(_escaped(text), **options)
        self._whole, self._metrics = text, QFontMetricsF(font)
        read_from_the_left(self.item.document())

    def updateMin(self) -> None:
        """Ask for no width: the column that it stands in is the panel's."""
        super().updateMin()
        self.setMinimumWidth(0.0)

    def sizeHint(self, hint: Qt.SizeHint, constraint: QSizeF) -> QSizeF:
        """Ask for no width here either."""
        size: QSizeF = super().sizeHint(hint, constraint)
        return size if hint is Qt.SizeHint.MaximumSize else QSizeF(0.0, size.height())

    def resizeEvent(self, event: QEvent | None) -> None:
        """Show as much as there is room for."""
        if self._whole and event is not None:
            shown = self._metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
            if self.text != _escaped(shown):
                self.setText(_escaped(shown))
                self.setToolTip("" if shown == self._whole else literal(self._whole))
        super().resizeEvent(event)


class ChartCanvas(pyqtgraph.GraphicsLayoutWidget):  # type: ignore[misc]  # it comes without types
    """Draws one chart."""

    zoomed = Signal(bool)  # whether any panel shows a part only
    # Asked for while the canvas is being made.
    chart = Chart("", ())
    _is_whole = True
    _columns: Sequence[list[PanelPainter]] = ()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What pyqtgraph draws changes its bounds unsaid, and an index by places then keeps what has gone.
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.plots: list[PanelPainter] = []
        self._pens_font = self.font()
        self.ci.layout.setSpacing(0)
        self.ci.setContentsMargins(0, 0, 0, 0)
        self.setFrameShape(self.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def can_zoom(self) -> bool:
        """Whether any panel can be looked at closely."""
        return any(any(painter.box.state["mouseEnabled"]) for painter in self.plots)

    def set_chart(self, chart: Chart, chosen: Colours, font: QFont) -> None:
        """Show another chart, or the same in another theme."""
        for _ in self.draw(chart, chosen, font):
            pass

    def draw(self, chart: Chart, chosen: Colours, font: QFont) -> Iterator[None]:
        """Show another chart, with a pause after each row of panels; it is painted when all is there."""
        self._is_whole = False
        pens = Pens(chosen, font)
        # What was painted before stays till then, except that it would glare in another theme.
        self.setUpdatesEnabled(pens.ink("ground") != self.backgroundBrush().color())
        self.chart, self._pens_font = chart, font
        for painter in self.plots:
            painter.box.sigRangeChangedManually.disconnect(self._on_zoomed)
        self.ci.clear()
        self.setBackground(pens.ink("ground"))
        self.plots = []
        self._columns = [[] for _ in range(chart.columns)]
        line = QFontMetricsF(font).height()
        height = 0.0
        for row, panels in enumerate(chart.rows):
            height += self._add_heading(row, pens, line)
            parts = [self._add_panel(row, number, panel, pens) for number, panel in enumerate(panels)]
            for number, part in enumerate(map(max, zip(*parts, strict=True)), _TITLE):
                self.ci.layout.setRowFixedHeight(row * _ROWS_EACH + number, part)
                height += part
            yield
        self._is_whole = True
        self.setFixedHeight(round(height))
        self._share_width()
        self.zoomed.emit(False)
        self.setUpdatesEnabled(True)
        self.viewport().update()

    def show_whole(self) -> None:
        """Show every panel from end to end."""
        for painter in self.plots:
            painter.show_whole()
        self.zoomed.emit(False)

    def spot_at(self, position: QPointF) -> Spot | None:
        """Return the mark nearest to a place in the canvas; None where none is near."""
        for painter in self.plots:
            if painter.box.sceneBoundingRect().contains(self.mapToScene(position.toPoint())):
                return self._nearest(painter, position)
        return None

    def spots(self) -> Iterator[Spot]:
        """Yield every mark with its place in the canvas."""
        for painter in self.plots:
            places = self._places(painter)
            for (x, y), words in zip(places.tolist(), painter.words, strict=True):
                yield Spot(words, x, y)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the ground alone where a part of the chart is missing."""
        if self._is_whole:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.backgroundBrush())
        painter.end()

    def resizeEvent(self, event: QEvent) -> None:
        """Use the width."""
        super().resizeEvent(event)
        # What was painted before is lost with the size, and what is not painted would be black.
        self.setUpdatesEnabled(True)
        self._share_width()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the mark under the pointer is."""
        super().mouseMoveEvent(event)
        spot = self.spot_at(event.position()) if event.buttons() == Qt.MouseButton.NoButton else None
        for painter in self.plots:
            painter.highlight(spot.words if spot is not None else "")
        if spot is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), literal(spot.words), self)

    def leaveEvent(self, event: QEvent) -> None:
        """Say nothing any more."""
        super().leaveEvent(event)
        for painter in self.plots:
            painter.highlight("")

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; otherwise the page scrolls."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and self.can_zoom:
            super().wheelEvent(event)
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole again."""
        super().mouseDoubleClickEvent(event)
        self.show_whole()

    def _add_heading(self, row: int, pens: Pens, line: float) -> float:
        """Put a heading above a row of panels; give the height that it takes."""
        top = row * _ROWS_EACH + _HEADING
        height = SPACE_LARGE if row else 0.0
        if self.chart.headings:
            heading = self._label(self.chart.headings[row], pens, "ink", is_strong=True)
            self.ci.addItem(heading, top, 0, 1, 2 * self.chart.columns)
            self.ci.layout.setAlignment(heading, Qt.AlignmentFlag.AlignBottom)
            height += 1.4 * line
        self.ci.layout.setRowFixedHeight(top, height)
        return height

    def _add_panel(self, row: int, column: int, panel: Panel, pens: Pens) -> list[float]:
        """Draw a panel into its place; give how high title, scale above, panel and scale beneath are."""
        top, left, line = row * _ROWS_EACH, 2 * column, QFontMetricsF(pens.font).height()
        painter = PAINTERS[type(panel)](panel, pens, self.chart.has_own_names(row, column))
        painter.box.sigRangeChangedManually.connect(self._on_zoomed)
        self.plots.append(painter)
        self._columns[column].append(painter)
        title_height = 1.5 * line if panel.title else 0.0
        if panel.title:
            is_strong = not self.chart.headings
            label = self._label(panel.title, pens, "ink" if is_strong else "quiet", is_strong)
            if self.chart.columns == 1:
                # The room above the names is free.
                self.ci.addItem(label, top + _TITLE, left, 1, 2)
            else:
                self.ci.addItem(label, top + _TITLE, left + 1)
        for number, across, axis in (
            (_PANEL, left, painter.left),
            (_ABOVE, left + 1, painter.above),
            (_BELOW, left + 1, painter.below),
        ):
            if axis is not None:
                self.ci.addItem(axis, top + number, across)
        self.ci.addItem(painter.box, top + _PANEL, left + 1)
        return [
            title_height,
            painter.above.height() if painter.above is not None else 0.0,
            painter.height,
            painter.below.height() if painter.below is not None else 0.0,
        ]

    def _label(self, text: str, pens: Pens, ink: str, is_strong: bool) -> Any:
        label = _Title(
            text,
            pens.strong_font if is_strong else pens.font,
            justify="left",
            color=pens.ink(ink).name(),
            bold=is_strong,
            size=pens.font_size,
        )
        label.item.setFont(pens.font)
        label.setMaximumHeight(1.5 * QFontMetricsF(pens.font).height())
        return label

    def _share_width(self) -> None:
        """Give every column of panels the same width, beside the names that it has."""
        columns, painters = self.chart.columns, self._columns
        if not columns or not self._is_whole:
            return
        whole = [max(painter.names_width for painter in column) for column in painters]
        needed = [max(painter.width for painter in column) for column in painters]
        plots, gaps = sum(max(width, _NARROWEST) for width in needed), SPACE_LARGE * (columns + 1)
        letter = QFontMetricsF(self._pens_font).averageCharWidth()
        shortest = [min(width, _LEAST_NAME * letter) for width in whole]
        # Names are shortened before anything must be scrolled; the mark of each row says its whole name.
        spare = max(self.width() - gaps - max(plots, _OF_PLOTS * self.width()) - sum(shortest), 0.0)
        wanted = sum(whole) - sum(shortest)
        share = min(spare / wanted, 1.0) if wanted else 1.0
        names = [
            max(painter.fit_names(short + share * (width - short)) for painter in column)
            for column, width, short in zip(painters, whole, shortest, strict=True)
        ]
        room = self.width() - sum(names) - sum(needed) - SPACE_LARGE * columns - SPACE
        share = max(room / max(needed.count(0.0), 1), _NARROWEST)
        for column, width in zip(painters, names, strict=True):
            for painter in column:
                painter.leave_room_before(width)
        for number, width in enumerate(names):
            self.ci.layout.setColumnFixedWidth(2 * number, width + (SPACE_LARGE if number else 0.0))
            self.ci.layout.setColumnFixedWidth(2 * number + 1, needed[number] or share)
        self.setMinimumWidth(round(sum(shortest) + plots + gaps))

    def _nearest(self, painter: PanelPainter, position: QPointF) -> Spot | None:
        places = self._places(painter)
        if not len(places):
            return None
        distances = np.hypot(places[:, 0] - position.x(), places[:, 1] - position.y())
        nearest = int(distances.argmin())
        if distances[nearest] > _NEAR:
            return None
        x, y = places[nearest].tolist()
        return Spot(painter.words[nearest], x, y)

    def _places(self, painter: PanelPainter) -> np.ndarray:
        """Return where the marks of a panel are in the canvas, shape (marks, 2)."""
        transform = painter.box.childGroup.sceneTransform() * self.viewportTransform()
        return np.array([transform.map(x, y) for x, y in painter.places]).reshape(-1, 2)

    def _on_zoomed(self) -> None:
        self.zoomed.emit(True)
