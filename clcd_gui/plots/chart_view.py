"""A chart on the screen with its legend: marks answer the pointer, parts can be looked at closely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from clcd_gui.plots.pens import Pens
from clcd_gui.style.text import muted
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL, Colours
from engine.reporting.figures.chart import Chart, Series

if TYPE_CHECKING:
    from clcd_gui.plots.canvas import ChartCanvas


_HELP = "Show the whole again after looking closer: drag to move, Ctrl and the wheel to zoom"


class ChartView(QWidget):
    """Fills the width it is given; the height follows from what the chart holds.

    pyqtgraph takes a moment to load, so that it is loaded with the first chart.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chart = Chart("", ())
        self.canvas: ChartCanvas | None = None
        self.legend: SeriesLegend | None = None
        self.note = muted("")
        self.whole = QPushButton("Whole")
        self.whole.setToolTip(_HELP)
        self.whole.setAccessibleDescription(_HELP)
        self.whole.setEnabled(False)
        self._head = QHBoxLayout()
        self._head.setSpacing(SPACE)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE)
        self._column.addLayout(self._head)
        self._column.addWidget(self.note)
        # Theme and text size change in several steps, of which only the last is worth drawing.
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(0)
        self._due.timeout.connect(self._draw)

    @property
    def chart(self) -> Chart:
        """What is shown."""
        return self._chart

    def set_chart(self, chart: Chart) -> None:
        """Show another chart."""
        self._chart = chart
        self.setAccessibleName(chart.title)
        self.setAccessibleDescription("The same figures are in the table.")
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self.canvas is not None:
            self._due.start()

    def _draw(self) -> None:
        self._due.stop()
        if self.canvas is None or self.legend is None:
            self._load()
        assert self.canvas is not None and self.legend is not None
        chosen = colours(self.palette())
        self.legend.set_series(self._chart.legend, chosen, self.font())
        self.canvas.set_chart(self._chart, chosen, self.font())
        self.note.setText(self._chart.note)
        self.note.setVisible(bool(self._chart.note))
        self.whole.setVisible(self.canvas.can_zoom)

    def _load(self) -> None:
        from clcd_gui.plots.canvas import ChartCanvas

        self.canvas, self.legend = ChartCanvas(self), SeriesLegend(self)
        self._head.addWidget(self.legend, 1)
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        self._head.addWidget(self.whole, 0, corner)
        self._column.insertWidget(1, self.canvas)
        self.whole.clicked.connect(self.canvas.show_whole)
        self.canvas.zoomed.connect(self.whole.setEnabled)


class SeriesLegend(QWidget):
    """Shows which colour, mark and dash stand for what."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[QWidget] = []
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setVerticalSpacing(SPACE_SMALL)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        # As narrow as a single column, so that it never makes the page wider.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def set_series(self, series: Sequence[Series], chosen: Colours, font: QFont) -> None:
        """Show other series, or the same in another theme."""
        for entry in self.entries:
            self._grid.removeWidget(entry)
            entry.hide()
            entry.deleteLater()
        pens = Pens(chosen, font)
        self.entries = [_Entry(each, pens, self) for each in series]
        self._columns = 0
        self.setVisible(bool(self.entries))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        widths = [entry.sizeHint().width() for entry in self.entries]
        columns = next(
            (count for count in range(len(widths), 1, -1) if _width(widths, count) <= self.width()), 1
        )
        if columns == self._columns:
            return
        self._columns = columns
        for place, entry in enumerate(self.entries):
            self._grid.addWidget(entry, place // columns, place % columns, Qt.AlignmentFlag.AlignLeft)
        self.setMinimumHeight(self._grid.sizeHint().height())


def _width(widths: Sequence[int], columns: int) -> int:
    """Return how wide so many columns are."""
    return sum(max(widths[column::columns]) for column in range(columns)) + SPACE_LARGE * (columns - 1)


class _Entry(QWidget):
    def __init__(self, series: Series, pens: Pens, parent: QWidget) -> None:
        super().__init__(parent)
        name = QLabel(series.name, self)
        name.setTextFormat(Qt.TextFormat.PlainText)
        font = pens.strong_font if series.is_strong else pens.font
        name.setFont(font)
        sample = QLabel(self)
        sample.setPixmap(pens.sample(series.look, self.devicePixelRatioF()))
        row = QGridLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(SPACE)
        row.addWidget(sample, 0, 0)
        row.addWidget(name, 0, 1)
        name.setMinimumWidth(QFontMetrics(font).horizontalAdvance(series.name))
