"""A chart on the screen with its legend: marks answer the pointer, parts can be looked at closely."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.plots.loading import load_charts
from clcd_gui.style.text import muted
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import SPACE
from clcd_gui.turns import Turn
from engine.reporting.figures.chart import Chart
from engine.translation import N_, _

if TYPE_CHECKING:
    from clcd_gui.plots.canvas import ChartCanvas
    from clcd_gui.plots.pens import SeriesLegend


_HELP = N_("Show the whole picture again. Drag to move, Ctrl and the mouse wheel to zoom.")
_WHOLE = object()


class ChartView(FollowsLook, QWidget):
    """Fills the width it is given, as high as the chart needs; nothing is drawn or loaded before it is seen.

    A narrow one gives the legend all of the width, and a double click replaces the button for the whole.
    """

    def __init__(self, parent: QWidget | None = None, *, is_narrow: bool = False) -> None:
        super().__init__(parent)
        self._is_narrow = is_narrow
        self.chart = Chart("", ())
        self.is_drawn = True
        self._is_outdated = False
        self._rows: Iterator[None] | None = None
        self.canvas: ChartCanvas | None = None
        self.legend: SeriesLegend | None = None
        self.note = muted("")
        self.whole = QPushButton(_("Whole"))
        self.whole.setToolTip(_(_HELP))
        self.whole.setAccessibleDescription(_(_HELP))
        self.whole.setEnabled(False)
        self._head = QHBoxLayout()
        self._head.setSpacing(SPACE)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE)
        self._column.addLayout(self._head)
        self._column.addWidget(self.note)
        # Theme and text size change in several steps, of which only the last is worth drawing.
        self._soon = Turn(self)
        self._soon.due.connect(self._draw_more)

    def set_chart(self, chart: Chart) -> None:
        """Show another chart."""
        self.chart = chart
        self.setAccessibleName(chart.title)
        self.setAccessibleDescription(_("The same figures are in the table."))
        # What comes with another chart is much work for one turn, and meanwhile the one before is there.
        if self.canvas is None:
            self.is_drawn = False
            if self.isVisible():
                self._begin_to_draw()
                self._finish()
        else:
            self._draw_anew()

    def _draw_anew(self) -> None:
        """Draw in turns to come; first what is being drawn, or charts in a row would leave none its time."""
        self.is_drawn = False
        self._is_outdated = self._rows is not None
        self._soon.start()

    def height_for(self, width: int) -> int:
        """Return how high it is when it is so wide."""
        if self._column.hasHeightForWidth():
            return self._column.totalHeightForWidth(width)
        return self._column.totalSizeHint().height()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what has changed meanwhile, once the window has shown what it is in."""
        super().showEvent(event)
        self._soon.start()

    def _follow_look(self) -> None:
        if self.canvas is not None:
            self._draw_anew()

    @Slot()
    def _draw_more(self) -> None:
        """Draw a row of panels, and leave the next one to another turn."""
        if self.is_drawn or not self.isVisible():
            return
        if self._rows is None:
            self._begin_to_draw()
        assert self._rows is not None
        if next(self._rows, _WHOLE) is _WHOLE:
            self._finish()
        else:
            self._soon.start()

    def _begin_to_draw(self) -> None:
        if self.canvas is None:
            self._load()
        assert self.canvas is not None
        self._rows = self.canvas.draw(self.chart, colours(self.palette()), self.font())

    def _finish(self) -> None:
        """Draw the rows that are left, and say what belongs to the chart."""
        assert self.canvas is not None and self.legend is not None and self._rows is not None
        for _drawn in self._rows:
            pass
        self._soon.stop()
        self._rows = None
        self.is_drawn = not self._is_outdated
        if self._is_outdated:
            self._draw_anew()
        # Together with the chart: a legend of another height would move the chart that is still there.
        drawn = self.canvas.chart
        self.legend.set_series(drawn.legend, colours(self.palette()), self.font())
        self.note.setText(drawn.note)
        self.note.setVisible(bool(drawn.note))
        self.whole.setVisible(self.canvas.can_zoom and not self._is_narrow)

    def _load(self) -> None:
        load_charts()
        from clcd_gui.plots.canvas import ChartCanvas
        from clcd_gui.plots.pens import SeriesLegend

        self.canvas, self.legend = ChartCanvas(self), SeriesLegend(self)
        self._head.addWidget(self.legend, 1)
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        self._head.addWidget(self.whole, 0, corner)
        self._column.insertWidget(1, self.canvas)
        self.whole.clicked.connect(self.canvas.show_whole)
        self.canvas.zoomed.connect(self.whole.setEnabled)
