"""A chart of the engine on the screen: it fills the width, and its marks answer the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from clcd_gui.graphs.chart_painter import paint_chart
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE
from engine.evaluation.drawing.chart import Chart, Mark

_SMALLEST_SCALE, _LARGEST_SCALE = 0.9, 1.3
_NEAR = 9.0


class ChartView(QWidget):
    """Fills the width it is given; the height follows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chart = Chart("", 1.0, 1.0, (), (), ())
        self.setMouseTracking(True)

    @property
    def chart(self) -> Chart:
        """What is shown."""
        return self._chart

    def set_chart(self, chart: Chart) -> None:
        """Show another chart."""
        self._chart = chart
        self.setAccessibleName(chart.title)
        self.setAccessibleDescription("The same figures are in the table.")
        self._fit()
        self.update()

    def mark_at(self, place: QPointF) -> Mark | None:
        """Give the mark nearest to a place, if one is near."""
        scale = self._scale()
        x, y = (place.x() - SPACE) / scale, (place.y() - SPACE) / scale
        near = [(abs(mark.x - x) + abs(mark.y - y), mark) for mark in self._chart.marks]
        distance, mark = min(near, key=lambda each: each[0], default=(_NEAR, None))
        return mark if distance < _NEAR else None

    def place_of(self, mark: Mark) -> QPointF:
        """Give where a mark is in the widget."""
        return QPointF(mark.x, mark.y) * self._scale() + QPointF(SPACE, SPACE)

    def sizeHint(self) -> QSize:
        """Give the size that it would like to have."""
        return QSize(round(self._chart.width) + 2 * SPACE, round(self._chart.height) + 2 * SPACE)

    def resizeEvent(self, event: QEvent) -> None:
        """Follow the width."""
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Answer with a tooltip where the pointer rests on a mark."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            mark = self.mark_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), mark.words if mark is not None else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint everything."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(SPACE, SPACE)
        painter.scale(self._scale(), self._scale())
        paint_chart(painter, self._chart, colours(self.palette()), self.font())
        painter.end()

    def _scale(self) -> float:
        wanted = (self.width() - 2 * SPACE) / self._chart.width
        return min(max(wanted, _SMALLEST_SCALE), _LARGEST_SCALE)

    def _fit(self) -> None:
        self.setMinimumWidth(round(self._chart.width * _SMALLEST_SCALE) + 2 * SPACE)
        self.setFixedHeight(round(self._chart.height * self._scale()) + 2 * SPACE)
