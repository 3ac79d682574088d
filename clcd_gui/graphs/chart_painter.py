"""Paints a chart of the engine: lines, marks and texts as in its files, in the colours of a theme."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from clcd_gui.style.tokens import Colours
from engine.evaluation.drawing.chart import LETTER_SIZE, Chart, Mark, Text
from engine.evaluation.drawing.looks import line_width, looks

_INKS = {"grid": "border", "ink": "text", "strong": "text", "quiet": "muted"}
_LOOKS = looks()
_EDGE = 1.3
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def paint_chart(painter: QPainter, chart: Chart, chosen: Colours, font: QFont) -> None:
    """Paint everything with the upper left corner at the origin.

    Parameters
    ----------
    painter : QPainter
    chart : Chart
    chosen : Colours
        Of the theme.
    font : QFont
        Its size is the chart's own.
    """
    for line in chart.lines:
        painter.setPen(_pen(line.look, chosen))
        painter.drawLine(QLineF(line.x1, line.y1, line.x2, line.y2))
    for mark in chart.marks:
        _paint_mark(painter, mark, chosen)
    for text in chart.texts:
        _paint_text(painter, text, chosen, font)


def _colour(look: str, chosen: Colours) -> QColor:
    series = _LOOKS.get(look)
    if series is not None:
        return QColor(series.colour_on_dark if chosen.dark else series.colour)
    return QColor(getattr(chosen, _INKS[look]))


def _pen(look: str, chosen: Colours) -> QPen:
    pen = QPen(_colour(look, chosen), line_width(look))
    dash = _LOOKS[look].dash if look in _LOOKS else ()
    if dash:
        # Qt counts dashes in widths of the pen.
        pen.setDashPattern([length / pen.widthF() for length in dash])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _paint_mark(painter: QPainter, mark: Mark, chosen: Colours) -> None:
    look, place = _LOOKS[mark.look], QPointF(mark.x, mark.y)
    colour = _colour(mark.look, chosen)
    painter.setPen(QPen(colour, _EDGE))
    painter.setBrush(colour if look.filled else QColor(chosen.base))
    painter.drawPolygon([place + QPointF(*corner) for corner in look.outline])


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
