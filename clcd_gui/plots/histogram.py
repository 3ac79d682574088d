"""Bars of one column, divided by the categories of a label, with cuts that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QSizePolicy

from clcd_gui.document.column_summary import ColumnDistribution
from clcd_gui.document.columns import number_text
from clcd_gui.plots.axes import NamedAxis
from clcd_gui.plots.pens import Pens
from clcd_gui.style.tokens import SPACE, Colours
from engine.reporting.figures.looks import series_look
from engine.translation import _

_MOST_LEVELS = 25
_LEVEL_LETTERS = 6
_BAR = 0.92
_CUT_WIDTH = 2.0
_DIGITS = 3


class Histogram(pyqtgraph.PlotWidget):  # type: ignore[misc]  # it comes without types
    """Shows a distribution and the cuts in it."""

    cuts_dragged = Signal(tuple)  # all cuts while one is dragged, ascending
    cut_wanted = Signal(float)  # a double click; the number that lies there

    def __init__(self) -> None:
        super().__init__(axisItems={"bottom": NamedAxis("bottom")})
        self.lines: list[Any] = []
        self._found: ColumnDistribution | None = None
        self._pens: Pens | None = None
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(self.Shape.NoFrame)
        # As high as there is room, and no higher.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.getPlotItem().setContentsMargins(0, SPACE, SPACE, 0)

    def set_distribution(self, distribution: ColumnDistribution, chosen: Colours, font: QFont) -> None:
        """Show another distribution, or the same in another theme; cuts stay where they are."""
        cuts = self.cuts
        self._found, self._pens = distribution, Pens(chosen, font)
        self.clear()
        self.lines = []
        self.setBackground(QColor(chosen.base))
        for name in ("bottom", "left"):
            axis = self.getAxis(name)
            axis.setPen(self._pens.ink_pen("grid"))
            axis.setTextPen(self._pens.ink("quiet"))
            axis.setStyle(tickFont=font)
            axis.setTicks(None)
        size = {"font-size": self._pens.font_size}
        self.setLabel("left", _("rows"), color=self._pens.ink("quiet").name(), **size)
        self.getAxis("bottom").setHeight(QFontMetrics(font).height() + 2 * SPACE)
        edges = distribution.edges
        shown = len(distribution.counts)
        if not len(edges):
            shown = min(shown, _MOST_LEVELS)
            edges = np.arange(shown + 1) - 0.5
            levels = distribution.variable.levels[:shown]
            metrics = QFontMetrics(font)
            room = self.width() / max(shown, 1) - SPACE
            # Where there is no room for every name, every second or third is written.
            step = max(1, int(np.ceil(_LEVEL_LETTERS * metrics.averageCharWidth() / max(room, 1.0))))
            ticks = [
                (place, metrics.elidedText(levels[place], Qt.TextElideMode.ElideRight, round(step * room)))
                for place in range(0, shown, step)
            ]
            self.getAxis("bottom").setTicks([ticks])
        self._draw_bars(edges, shown)
        if shown:
            self.setXRange(float(edges[0]), float(edges[-1]), padding=0.02)
            self.setYRange(0.0, float(max(distribution.counts[:shown].max(), 1)) * 1.05, padding=0.0)
        self.set_cuts(cuts if len(distribution.values) else ())

    @property
    def cuts(self) -> tuple[float, ...]:
        """Where the cuts are, ascending."""
        return tuple(sorted(float(line.value()) for line in self.lines))

    def set_cuts(self, points: Sequence[float]) -> None:
        """Show other cuts."""
        for line in self.lines:
            self.removeItem(line)
        self.lines = []
        if self._pens is None:
            return
        inks = {"color": self._pens.ink("ink"), "fill": self._pens.ink("ground")}
        pen = pyqtgraph.mkPen(self._pens.colours.accent, width=_CUT_WIDTH)
        hover = pyqtgraph.mkPen(self._pens.colours.accent, width=2 * _CUT_WIDTH)
        for point in points:
            line = pyqtgraph.InfiniteLine(
                point,
                movable=True,
                pen=pen,
                hoverPen=hover,
                label=number_text(float(point)),
                labelOpts={"position": 0.94, **inks},
            )
            line.label.setFont(self._pens.font)
            line.setCursor(Qt.CursorShape.SizeHorCursor)
            line.sigDragged.connect(self._on_dragged)
            self.addItem(line)
            self.lines.append(line)

    def rounded(self, value: float) -> float:
        """Return a number with as many digits as a pixel tells apart."""
        distribution = self._found
        if distribution is None or not len(distribution.values):
            return value
        reach = float(distribution.values[-1] - distribution.values[0]) or 1.0
        step = 10.0 ** (np.floor(np.log10(reach)) - _DIGITS + 1)
        return float(f"{round(value / step) * step:.12g}") + 0.0

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the page scroll."""
        event.ignore()

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Ask for a cut where the pointer is."""
        place = self.getPlotItem().vb.mapSceneToView(self.mapToScene(event.position().toPoint()))
        self.cut_wanted.emit(self.rounded(place.x()))

    def _draw_bars(self, edges: np.ndarray, shown: int) -> None:
        assert self._found is not None and self._pens is not None
        middles, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges) * _BAR
        base = np.zeros(shown)
        if not self._found.classes:
            colour = QBrush(QColor(self._pens.colours.muted))
            self._add_bars(middles, widths, base, self._found.counts[:shown], colour)
            return
        for place, (_name, counts) in enumerate(self._found.classes):
            for brush in self._pens.fills(series_look(place)):
                self._add_bars(middles, widths, base, counts[:shown], brush)
            base = base + counts[:shown]
        # Rows whose label is missing.
        rest = self._found.counts[:shown] - base
        if rest.any():
            self._add_bars(middles, widths, base, rest, QBrush(QColor(self._pens.colours.border)))

    def _add_bars(
        self, middles: np.ndarray, widths: np.ndarray, base: np.ndarray, heights: np.ndarray, brush: QBrush
    ) -> None:
        bars = pyqtgraph.BarGraphItem(
            x=middles, width=widths, y0=base, height=heights, brush=brush, pen=pyqtgraph.mkPen(None)
        )
        self.addItem(bars)

    def _on_dragged(self, line: Any) -> None:
        line.setValue(self.rounded(float(line.value())))
        line.label.setFormat(number_text(float(line.value())))
        self.cuts_dragged.emit(self.cuts)
