"""The head of an arrow from a cause to its effect: where it lies, and its shape."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

_LENGTH = 11.0
_HALF_WIDTH = 5.0
_GAP = 1.5


def arrowhead(tip: QPointF, tail: QPointF, line_width: float) -> tuple[QPolygonF, QPointF]:
    """Give the triangle that points at `tip`, coming from `tail`, and where the line must end for it.

    Parameters
    ----------
    tip, tail : QPointF
        Where the arrow points, and any place that it comes from.
    line_width : float
        Width of the line; a wide one gets a larger head.
    """
    length, half = _LENGTH + 1.2 * line_width, _HALF_WIDTH + 0.7 * line_width
    along = _towards(tail, tip)
    across = QPointF(-along.y(), along.x())
    base = tip - along * length
    return QPolygonF([tip, base + across * half, base - across * half]), base


def on_circle(centre: QPointF, radius: float, outside: QPointF) -> QPointF:
    """Give the place just before a circle on the way to its centre."""
    return centre - _towards(outside, centre) * (radius + _GAP)


def on_box(box: QRectF, outside: QPointF) -> QPointF:
    """Give the place just before a box on the way to its centre."""
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
