"""A text with a chart in it, which is scrolled with the text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QResizeEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QWidget

from clcd_gui.plots.chart_view import ChartView
from clcd_gui.widgets.linked_text import LinkedText
from clcd_gui.wording.text import BREAK
from engine.reporting.figures.chart import Chart

PLACE = BREAK
"""All that the paragraph holds below which the chart stands; it is not seen, and not copied."""


class PicturedText(LinkedText):
    """A text that has a chart where it names its place, if there is one.

    Parameters
    ----------
    write : callable
        Gives the HTML of the body. A paragraph of :data:`PLACE` alone takes the chart.
    look : str
        Its look in the stylesheet.
    """

    # The text is written while it is being made.
    chart: ChartView | None = None

    def __init__(self, write: Callable[[], str], look: str = "card", parent: QWidget | None = None) -> None:
        super().__init__(write, look, parent)
        self.chart = ChartView(self.viewport(), is_narrow=True)
        self.chart.hide()
        self._has_chart = False
        self.chart.installEventFilter(self)
        self.verticalScrollBar().valueChanged.connect(self._put_chart)
        self.document().documentLayout().documentSizeChanged.connect(self._put_chart)

    def set_chart(self, chart: Chart | None) -> None:
        """Show another chart; None shows none."""
        assert self.chart is not None
        self._has_chart = chart is not None
        if chart is not None:
            self.chart.set_chart(chart)
        self._make_room()

    def refresh(self, stays: bool = False) -> None:
        """Write the text anew."""
        super().refresh(stays)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the chart the new width."""
        super().resizeEvent(event)
        self._make_room()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make room when the chart has become higher or lower."""
        if watched is self.chart and event.type() == QEvent.Type.LayoutRequest:
            self._make_room()
        return super().eventFilter(watched, event)

    def _make_room(self) -> None:
        """Leave as much room in the text as the chart is high."""
        if self.chart is None:
            return
        block = self._place()
        is_shown = self._has_chart and block is not None
        self.chart.setVisible(is_shown)
        if not is_shown or block is None:
            return
        width = self.viewport().width() - round(2 * self.document().documentMargin())
        height = self.chart.height_for(width)
        self.chart.resize(width, height)
        if block.blockFormat().bottomMargin() != height:
            cursor = QTextCursor(block)
            changed = block.blockFormat()
            changed.setBottomMargin(height)
            cursor.setBlockFormat(changed)
        self._put_chart()

    def _put_chart(self) -> None:
        """Move the chart to where the text leaves room."""
        if self.chart is None or not self.chart.isVisibleTo(self):
            return
        block = self._place()
        if block is not None:
            room = self.document().documentLayout().blockBoundingRect(block)
            scrolled = self.verticalScrollBar().value()
            self.chart.move(round(self.document().documentMargin()), round(room.bottom()) - scrolled)

    def _place(self) -> QTextBlock | None:
        """Return the paragraph below which the chart stands; None where the text has none."""
        block = self.document().begin()
        while block.isValid():
            if block.text() == PLACE:
                return block
            block = block.next()
        return None
