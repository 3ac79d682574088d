"""A chart of the engine on the screen: lines, marks and texts as in its files, in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, Colours
from engine.evaluation.drawing.chart import LETTER_SIZE, Chart, Mark, Text
from engine.evaluation.drawing.looks import looks

_SMALLEST_SCALE, _LARGEST_SCALE = 0.9, 1.5
_NEAR = 9.0
_COLOURS = {
    "default": "common",
    "as-published": "label",
    "paper": "muted",
    "grid": "border",
    "ink": "text",
    "strong": "text",
    "quiet": "muted",
}
_CUT = "-cut"
_LOOKS = looks()
_MIDDLE_LIGHTNESS = 128
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


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
        chosen = colours(self.palette())
        for line in self._chart.lines:
            painter.setPen(_pen(line.look, chosen))
            painter.drawLine(QLineF(line.x1, line.y1, line.x2, line.y2))
        for mark in self._chart.marks:
            _paint_mark(painter, mark, chosen, self.font())
        for text in self._chart.texts:
            _paint_text(painter, text, chosen, self.font())
        painter.end()

    def _scale(self) -> float:
        wanted = (self.width() - 2 * SPACE) / self._chart.width
        return min(max(wanted, _SMALLEST_SCALE), _LARGEST_SCALE)

    def _fit(self) -> None:
        self.setMinimumWidth(round(self._chart.width * _SMALLEST_SCALE) + 2 * SPACE)
        self.setFixedHeight(round(self._chart.height * self._scale()) + 2 * SPACE)


def _colour(look: str, chosen: Colours) -> QColor:
    series = _LOOKS.get(look)
    if series is not None:
        is_dark = QColor(chosen.base).lightness() < _MIDDLE_LIGHTNESS
        return QColor(series.colour_on_dark if is_dark else series.colour)
    return QColor(getattr(chosen, _COLOURS[look.removesuffix(_CUT)]))


def _pen(look: str, chosen: Colours) -> QPen:
    series = _LOOKS.get(look)
    if series is None:
        return QPen(_colour(look, chosen), 1.0 if look == "grid" else 1.6)
    pen = QPen(_colour(look, chosen), series.width)
    if series.dash:
        # Qt counts dashes in widths of the pen.
        pen.setDashPattern([length / series.width for length in series.dash])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _paint_mark(painter: QPainter, mark: Mark, chosen: Colours, font: QFont) -> None:
    colour, place = _colour(mark.look, chosen), QPointF(mark.x, mark.y)
    if mark.look.endswith(_CUT):
        small = _sized(font, 10.0)
        small.setItalic(True)
        painter.setFont(small)
        painter.setPen(colour)
        painter.drawText(place + QPointF(4.0, 3.5), "cut")
    elif mark.look in _LOOKS:
        painter.setPen(QPen(colour, 1.3))
        painter.setBrush(colour if _LOOKS[mark.look].filled else QColor(chosen.base))
        painter.drawPolygon([place + QPointF(*corner) for corner in _LOOKS[mark.look].outline])
    elif mark.look == "paper":
        painter.setPen(QPen(colour, 1.8))
        reach = 3.5
        painter.drawLine(place + QPointF(-reach, -reach), place + QPointF(reach, reach))
        painter.drawLine(place + QPointF(-reach, reach), place + QPointF(reach, -reach))
    else:
        is_filled = mark.look == "default"
        painter.setPen(Qt.PenStyle.NoPen if is_filled else QPen(colour, 2.0))
        painter.setBrush(colour if is_filled else QColor(chosen.base))
        painter.drawEllipse(place, 4.0 if is_filled else 3.5, 4.0 if is_filled else 3.5)


def _paint_text(painter: QPainter, text: Text, chosen: Colours, font: QFont) -> None:
    sized = _sized(font, LETTER_SIZE)
    sized.setBold(text.look == "strong")
    width = QFontMetricsF(sized).horizontalAdvance(text.text)
    painter.setFont(sized)
    painter.setPen(_colour(text.look, chosen))
    left = text.x - _ANCHORS[text.anchor] * width
    box = QRectF(left, text.y - LETTER_SIZE, width + 1.0, LETTER_SIZE)
    painter.drawText(box.bottomLeft(), text.text)


def _sized(font: QFont, pixels: float) -> QFont:
    other = QFont(font)
    other.setPixelSize(round(pixels))
    return other
