"""What every graph has around it: a line that says what is left out, what is said of none, and a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLayout, QWidget

from clcd_gui.document.navigation import Highlight
from clcd_gui.plots.beside import PictureThread
from clcd_gui.plots.graph_view import GraphView
from clcd_gui.plots.legend import LegendStrip
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.controls import FocusLeader
from clcd_gui.widgets.layouts import column, stacked
from clcd_gui.wording.text import NUMBERS, counted
from engine.reporting.figures.graph import GraphContent, GraphLayout, hidden_words
from engine.translation import _


class GraphFrame(FollowsLook, QWidget):
    """Draws a graph once it is seen, and lays it out beside the window."""

    def __init__(self, highlight: Highlight, nothing: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = GraphContent()
        self._request = 0
        self._is_drawn = True
        self.view = GraphView(highlight, self)
        set_look(self.view, "card")
        self._status = muted("", self)
        self._status.setWordWrap(False)
        self._empty = plain(nothing, self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._stack = stacked(self.view, self._empty)

    def _place_around(self, head: QLayout, *foot: QLayout, legend: LegendStrip) -> None:
        """Lay out what stands above the graph, the graph, what stands beneath, and the legend."""
        column(head, (self._stack, 1), *foot, legend, on=self, margins=(0, SPACE, 0, 0))
        FocusLeader(self, self.view)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw when the graph is first looked at, when it is known how much room there is."""
        super().showEvent(event)
        # Tabs give a page its size only after they have shown it.
        QTimer.singleShot(0, self, self._draw_when_due)

    def _follow_font(self) -> None:
        self._draw_anew()

    def _draw_anew(self) -> None:
        """Draw now, or once it is seen."""
        self._is_drawn = False
        if self.isVisible():
            self._draw()

    def _draw_when_due(self) -> None:
        if not self._is_drawn:
            self._draw()

    def _draw(self) -> None:
        """Say what is left out of the content, and make the view ready for it."""
        self._is_drawn = True
        self._request += 1
        self._tell_hidden()
        self._stack.setCurrentWidget(self.view if self.content.edges else self._empty)
        self.view.graph.set_font(self.view.font())

    @property
    def _shape(self) -> float:
        """Height by width of the room for the graph."""
        area = self._stack.currentWidget().size()
        return 0.95 * area.height() / max(area.width(), 1)

    def _lay_out_beside(self, compute: Callable[[], Iterable[GraphLayout]]) -> None:
        thread = PictureThread(compute, self._request)
        thread.answered.connect(self._on_laid_out)
        thread.start()

    def _on_laid_out(self, request: int, layout: GraphLayout) -> None:
        raise NotImplementedError

    def _tell_hidden(self) -> None:
        hidden = hidden_words(self.content, NUMBERS)
        shown = counted(sum(1 for node in self.content.nodes if node.labels), "variable")
        self._status.setText(
            _("{shown} shown; {hidden} not shown", shown=shown, hidden=hidden)
            if hidden
            else _("{shown} shown", shown=shown)
        )
