"""The legend of a chart: a sample and the name of each series, in as many columns as find room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from clcd_gui.plots.pens import Pens
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL, Colours
from engine.reporting.figures.chart import Series


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
