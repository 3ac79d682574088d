"""The marks by which pictures and tables tell kinds of variables and relations apart, heads of arrows too."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from clcd_gui.style.tokens import CAME, NOT_COMPARED, SAID_OTHERWISE, WENT, Colours, Line, Meaning
from engine.discovery.evidence import Relation
from engine.reporting.figures.graph import RING_RADIUS

FAINTEST = 0.14
_PEN_STYLES = {
    Line.SOLID: Qt.PenStyle.SolidLine,
    Line.DASHED: Qt.PenStyle.DashLine,
    Line.DOTTED: Qt.PenStyle.DotLine,
    Line.DOUBLE: Qt.PenStyle.SolidLine,
    Line.DOT_AND_DASH: Qt.PenStyle.DashDotLine,
}
_SMALL_CELL = 13.0
_WAY_REACH, _TOWARDS_BASE = 0.14, 0.1
_INSET = 0.13
_DOUBLE_LINE_ALPHA = 150


def line_pen(meaning: Meaning, chosen: Colours, width: float) -> QPen:
    """Return the pen that draws a relation."""
    colour = QColor(chosen.of(meaning))
    if meaning.line is Line.DOUBLE:
        # Labels are often all connected; what they have in common is what matters.
        colour.setAlpha(_DOUBLE_LINE_ALPHA)
    pen = QPen(colour, width, _PEN_STYLES[meaning.line or Line.SOLID])
    # Square dots: round ones take four times as long to paint.
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if meaning.line is Line.DOTTED:
        pen.setDashPattern([1.0, 1.8])
    elif meaning.line is Line.DASHED:
        pen.setDashPattern([max(5.0 / width, 1.0), max(3.5 / width, 1.0)])
    return pen


def draw_line_sample(painter: QPainter, box: QRectF, meaning: Meaning, chosen: Colours) -> None:
    """Draw a short piece of the line that stands for a relation."""
    middle = box.center().y()
    painter.setPen(line_pen(meaning, chosen, 2.4 if meaning.line is Line.DOTTED else 2.0))
    if meaning.line is Line.DOUBLE:
        painter.drawLine(QLineF(box.left(), middle - 2.5, box.right(), middle - 2.5))
        painter.drawLine(QLineF(box.left(), middle + 2.5, box.right(), middle + 2.5))
    else:
        painter.drawLine(QLineF(box.left(), middle, box.right(), middle))


def draw_label_mark(painter: QPainter, box: QRectF, chosen: Colours) -> None:
    """Draw a label as a rounded box."""
    width = max(1.4, box.width() / 7)
    inner = box.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter.setPen(QPen(QColor(chosen.label), width))
    painter.setBrush(QColor(chosen.base))
    painter.drawRoundedRect(inner, box.width() / 4, box.width() / 4)


def draw_feature_mark(painter: QPainter, box: QRectF, is_common: bool, chosen: Colours) -> None:
    """Draw a common feature as a disc, a label-specific one as a ring."""
    if is_common:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(chosen.common))
        painter.drawEllipse(box)
        return
    width = max(2.0, box.width() / 5)
    painter.setPen(QPen(QColor(chosen.label_specific), width))
    painter.setBrush(QColor(chosen.base))
    painter.drawEllipse(box.adjusted(width / 2, width / 2, -width / 2, -width / 2))


def relation_colour(relation: Relation, is_common: bool, chosen: Colours) -> QColor:
    """Give the colour of a relation in the grid: that of the feature's kind, or grey when interchangeable."""
    if relation is Relation.INTERCHANGEABLE:
        return QColor(chosen.interchangeable)
    return QColor(chosen.common if is_common else chosen.label_specific)


def draw_cell_mark(
    painter: QPainter, cell: QRectF, relation: Relation, strength: float, colour: QColor
) -> None:
    """Draw a relation into a cell of the grid: the shape says which, the depth how strong."""
    size, box = cell.width(), _inside(cell)
    ground = QColor(colour)
    ground.setAlphaF(_depth(strength))
    painter.setBrush(ground)
    painter.setPen(_edge(relation, colour, size))
    if relation is Relation.NEIGHBOUR:
        painter.drawRoundedRect(box, size / 12, size / 12)
    elif relation is Relation.IN_PLACE:
        inset = size * _INSET
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), size / 12, size / 12)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, size / 12, size / 12)
    elif relation is Relation.SPOUSE:
        across, down = QPointF(box.width() / 2 * 1.1, 0), QPointF(0, box.width() / 2 * 1.1)
        middle = box.center()
        painter.drawConvexPolygon([middle - down, middle + across, middle + down, middle - across])
    elif relation is Relation.THROUGH_LABELS:
        tip = QPointF(box.right(), box.center().y())
        painter.drawConvexPolygon([box.topLeft(), tip, box.bottomLeft()])
    elif relation is Relation.PREFERRED:
        inset = size * _INSET
        painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(box)
    else:
        painter.drawEllipse(box)


def draw_way(
    painter: QPainter,
    cell: QRectF,
    relation: Relation,
    strength: float,
    colour: QColor,
    up: bool,
    on: Colours,
) -> None:
    """Draw the direction of association onto the mark of a cell: an arrow that rises or falls."""
    size, middle = cell.width(), cell.center()
    if relation is Relation.THROUGH_LABELS:
        # The middle of its triangle, not of the cell.
        middle -= QPointF(size * _TOWARDS_BASE, 0)
    reach = size * _WAY_REACH
    rise = -reach if up else reach
    tail, tip = middle + QPointF(-reach, -rise), middle + QPointF(reach, rise)
    ground = _over(colour, QColor(on.base), _depth(strength))
    # Whichever is the farther from the ground.
    ink = max((QColor(on.text), QColor(on.base)), key=lambda tone: abs(_lightness(tone) - _lightness(ground)))
    painter.setPen(QPen(ink, max(1.4, size / 16)))
    painter.drawLine(QLineF(tail, tip))
    painter.drawPolyline([tip - QPointF(reach * 1.1, 0), tip, tip - QPointF(0, rise * 1.1)])


def draw_change_mark(
    painter: QPainter, cell: QRectF, meaning: Meaning, strength: float, chosen: Colours
) -> None:
    """Draw into a cell what two runs say of a link: the sign says which, the depth how strong it is."""
    size, box = cell.width(), _inside(cell)
    colour = QColor(chosen.of(meaning))
    ground = QColor(colour)
    ground.setAlphaF(0.0 if meaning is NOT_COMPARED else FAINTEST + 0.4 * min(max(strength, 0.0), 1.0))
    pen = QPen(colour, 1.0 if size < _SMALL_CELL else 1.5)
    if meaning is WENT and size >= _SMALL_CELL:
        pen.setDashPattern([2.6, 2.0])
    painter.setPen(pen)
    painter.setBrush(ground)
    painter.drawRoundedRect(box, size / 12, size / 12)
    painter.setPen(QPen(colour, max(1.2, size / 13)))
    painter.drawLines(_strokes(meaning, box))


def _depth(strength: float) -> float:
    return FAINTEST + (1 - FAINTEST) * min(max(strength, 0.0), 1.0)


def _over(colour: QColor, base: QColor, share: float) -> QColor:
    """Return what is seen of a colour that covers a share of another one."""
    parts = zip(_parts(colour), _parts(base), strict=True)
    return QColor.fromRgbF(*(share * above + (1 - share) * below for above, below in parts))


def _parts(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()


def _lightness(colour: QColor) -> float:
    """Return the lightness that an eye sees, between 0 and 1: CIE L*, without its dark end."""
    red, green, blue = (part**2.2 for part in _parts(colour))
    return float((0.2126 * red + 0.7152 * green + 0.0722 * blue) ** (1 / 3))


def _inside(cell: QRectF) -> QRectF:
    """Leave a gap around what is drawn into a cell."""
    gap = cell.width() * (0.14 if cell.width() >= _SMALL_CELL else 0.08)
    return cell.adjusted(gap, gap, -gap, -gap)


def _strokes(meaning: Meaning, box: QRectF) -> list[QLineF]:
    """Return the sign of a change: plus, minus, not equal, crossed out, or none."""
    middle, reach = box.center(), box.width() * 0.28

    def stroke(x: float, y: float, to_x: float, to_y: float) -> QLineF:
        return QLineF(middle + QPointF(x, y) * reach, middle + QPointF(to_x, to_y) * reach)

    across = stroke(-1, 0, 1, 0)
    signs = {
        CAME: [across, stroke(0, -1, 0, 1)],
        WENT: [across],
        SAID_OTHERWISE: [stroke(-1, -0.4, 1, -0.4), stroke(-1, 0.4, 1, 0.4), stroke(-0.5, 1, 0.5, -1)],
        NOT_COMPARED: [stroke(-1, 1, 1, -1)],
    }
    return signs.get(meaning, [])


def _edge(relation: Relation, colour: QColor, size: float) -> QPen:
    pen = QPen(colour, 1.0 if size < _SMALL_CELL else 1.5)
    if size >= _SMALL_CELL and relation is Relation.SPOUSE:
        pen.setDashPattern([1.2, 1.4])
    elif size >= _SMALL_CELL and relation is Relation.INTERCHANGEABLE:
        pen.setDashPattern([2.6, 2.0])
    return pen


_LENGTH = 11.0
_HALF_WIDTH = 5.0
_GAP = 1.5


def arrowhead(tip: QPointF, tail: QPointF, line_width: float) -> tuple[QPolygonF, QPointF]:
    """Return the triangle that points at `tip`, coming from `tail`, and where the line must end for it."""
    length, half = _LENGTH + 1.2 * line_width, _HALF_WIDTH + 0.7 * line_width
    along = _towards(tail, tip)
    across = QPointF(-along.y(), along.x())
    base = tip - along * length
    return QPolygonF([tip, base + across * half, base - across * half]), base


def ring(tip: QPointF, tail: QPointF, line_width: float) -> tuple[QPolygonF, QPointF]:
    """Return the ring at `tip` of a line from `tail`, and where the line must end for it."""
    radius = RING_RADIUS + 0.5 * line_width
    base = tip - _towards(tail, tip) * 2 * radius
    path = QPainterPath()
    path.addEllipse((tip + base) * 0.5, radius, radius)
    return path.toFillPolygon(), base


def on_circle(centre: QPointF, radius: float, outside: QPointF) -> QPointF:
    """Return the place just before a circle on the way to its centre."""
    return centre - _towards(outside, centre) * (radius + _GAP)


def on_box(box: QRectF, outside: QPointF) -> QPointF:
    """Return the place just before a box on the way to its centre."""
    centre = box.center()
    along = _towards(outside, centre)
    reach = min(
        box.width() / 2 / abs(along.x()) if along.x() else math.inf,
        box.height() / 2 / abs(along.y()) if along.y() else math.inf,
    )
    return centre - along * (reach + _GAP)


def _towards(start: QPointF, end: QPointF) -> QPointF:
    length = math.hypot(end.x() - start.x(), end.y() - start.y()) or 1.0
    return QPointF((end.x() - start.x()) / length, (end.y() - start.y()) / length)
