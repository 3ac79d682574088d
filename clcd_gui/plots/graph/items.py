"""What the graph is made of: nodes with their names, and lines.

All of it is drawn by Qt's own items: painting a thousand items in Python takes five times as long.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainterPath, QPen
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsLineItem,
    QGraphicsPathItem,
    QGraphicsPolygonItem,
    QGraphicsRectItem,
    QGraphicsSimpleTextItem,
)

from clcd_gui.plots.graph.content import Edge, EdgeKind, Node, NodeKind
from clcd_gui.plots.marks import arrowhead, line_pen, on_box, on_circle
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.tokens import INTERCHANGEABLE, LABEL_RELATION, NEIGHBOUR, SPOUSE, Colours
from clcd_gui.wording.text import strength_text

DIAMETER = 20.0
_RING_WIDTH = 4.0
_LABEL_HEIGHT = 32.0
_LABEL_PADDING = 12.0
# In letters of average width, so that larger text is not cut off sooner.
_WIDEST_NAME = 23
_WIDEST_LABEL = 28
_NAME_GAP = 3.0
_HALO = 4.0
_BESIDE = 5.0
_FADED = 0.3
_FADED_LINE = 0.18
_LISTED_LABELS = 8
_MEANINGS = {
    EdgeKind.NEIGHBOUR: NEIGHBOUR,
    EdgeKind.SPOUSE: SPOUSE,
    EdgeKind.INTERCHANGEABLE: INTERCHANGEABLE,
    EdgeKind.LABEL_RELATION: LABEL_RELATION,
}
_WORDS = {
    EdgeKind.NEIGHBOUR: "direct neighbour of",
    EdgeKind.SPOUSE: "spouse of",
    EdgeKind.INTERCHANGEABLE: "interchangeable with",
    EdgeKind.LABEL_RELATION: "in one another's boundary:",
}


def shown_name(node: Node, font: QFont) -> str:
    """Return the name of a node, shortened in the middle when it is long."""
    metrics = QFontMetricsF(font)
    letters = _WIDEST_LABEL if node.kind is NodeKind.LABEL else _WIDEST_NAME
    room = letters * metrics.averageCharWidth()
    return metrics.elidedText(node.name, Qt.TextElideMode.ElideMiddle, room)


def node_size(node: Node, font: QFont) -> tuple[float, float]:
    """Return the room that a node needs with its name, centred on the node's position."""
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(shown_name(node, font))
    if node.kind is NodeKind.LABEL:
        return width + 2 * _LABEL_PADDING, _LABEL_HEIGHT
    # The name is below the disc; the box is centred on the disc, so it reaches as far up as down.
    return max(width, DIAMETER), DIAMETER + 2 * (_NAME_GAP + metrics.height())


class NodeItem(QGraphicsPathItem):
    """A label as a rounded box, a common feature as a disc, a label-specific one as a ring."""

    def __init__(self, node: Node, font: QFont, chosen: Colours) -> None:
        super().__init__()
        self.node = node
        self.edges: list[EdgeItem] = []
        is_label = node.kind is NodeKind.LABEL
        self._name = QGraphicsSimpleTextItem(shown_name(node, font), self)
        self._name.setFont(font)
        box = self._name.boundingRect()
        self._ground = None if is_label else QGraphicsRectItem(self)
        self._halo = QGraphicsPathItem(self)
        self._halo.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent)
        self._halo.hide()
        outline, halo = QPainterPath(), QPainterPath()
        if is_label:
            shape = QRectF(0, 0, box.width() + 2 * _LABEL_PADDING, _LABEL_HEIGHT)
            shape.moveCenter(QPointF())
            outline.addRoundedRect(shape, 8, 8)
            halo.addRoundedRect(shape.adjusted(-_HALO, -_HALO, _HALO, _HALO), 11, 11)
            self._name.setPos(-box.width() / 2, -box.height() / 2)
        else:
            inset = 0.0 if node.kind is NodeKind.COMMON else _RING_WIDTH / 2
            radius = DIAMETER / 2 - inset
            outline.addEllipse(QPointF(), radius, radius)
            halo.addEllipse(QPointF(), DIAMETER / 2 + _HALO, DIAMETER / 2 + _HALO)
            self._name.setPos(-box.width() / 2, DIAMETER / 2 + _NAME_GAP)
        self.setPath(outline)
        self._halo.setPath(halo)
        if self._ground is not None:
            self._ground.setRect(box.translated(self._name.pos()).adjusted(-1, 1, 1, -1))
            self._name.setZValue(1.0)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges)
        self.setZValue(2.0 if is_label else 1.0)
        set_tooltip(self, _node_words(node))
        self.set_colours(chosen)

    def border_towards(self, outside: QPointF) -> QPointF:
        """Return the place on the border of the node that faces another place."""
        if self.node.kind is NodeKind.LABEL:
            return on_box(self.path().boundingRect().translated(self.pos()), outside)
        return on_circle(self.pos(), DIAMETER / 2, outside)

    def set_state(self, selected: bool, faded: bool) -> None:
        """Show the node as selected, usual, or in the background."""
        self._halo.setVisible(selected)
        self.setOpacity(_FADED if faded else 1.0)

    def set_colours(self, chosen: Colours) -> None:
        """Follow a theme."""
        if self.node.kind is NodeKind.COMMON:
            self.setPen(QPen(Qt.PenStyle.NoPen))
            self.setBrush(QColor(chosen.common))
        elif self.node.kind is NodeKind.LABEL:
            self.setPen(QPen(QColor(chosen.label), 2.0))
            self.setBrush(QColor(chosen.base))
        else:
            self.setPen(QPen(QColor(chosen.label_specific), _RING_WIDTH))
            self.setBrush(QColor(chosen.base))
        self._name.setBrush(QColor(chosen.text))
        self._halo.setPen(QPen(QColor(chosen.accent), 2.5))
        self._halo.setBrush(QColor(chosen.selection))
        if self._ground is not None:
            ground = QColor(chosen.base)
            ground.setAlpha(215)
            self._ground.setPen(QPen(Qt.PenStyle.NoPen))
            self._ground.setBrush(ground)

    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        """Take the lines along when the node is moved."""
        if change is QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged:
            for edge in self.edges:
                edge.follow()
        return super().itemChange(change, value)


class EdgeItem(QGraphicsPathItem):
    """A line: solid, dotted, dashed or double; the wider the stronger."""

    def __init__(
        self,
        edge: Edge,
        start: NodeItem,
        end: NodeItem,
        through: NodeItem | None,
        chosen: Colours,
    ) -> None:
        super().__init__()
        self.edge = edge
        self._start, self._end, self._through = start, end, through
        for node in (start, end, through):
            if node is not None:
                node.edges.append(self)
        # Two straight items are painted five times faster than one bent path.
        self._second_leg = QGraphicsLineItem(self) if through is not None else None
        self._head = QGraphicsPolygonItem(self) if edge.effect else None
        self.setBrush(QBrush(Qt.BrushStyle.NoBrush))
        set_tooltip(self, _edge_words(edge))
        self.set_colours(chosen)
        self.follow()

    @property
    def names(self) -> set[str]:
        """Nodes that the line touches."""
        return {self.edge.start, self.edge.end} | ({self.edge.through} if self.edge.through else set())

    def set_state(self, faded: bool) -> None:
        """Show the line as usual or in the background."""
        self.setOpacity(_FADED_LINE if faded else 1.0)

    def set_colours(self, chosen: Colours) -> None:
        """Follow a theme."""
        pen = line_pen(_MEANINGS[self.edge.kind], chosen, _width(self.edge))
        self.setPen(pen)
        if self._second_leg is not None:
            self._second_leg.setPen(pen)
        if self._head is not None:
            self._head.setPen(QPen(Qt.PenStyle.NoPen))
            self._head.setBrush(QColor(pen.color()))

    def _ends(self) -> tuple[QPointF, QPointF]:
        """Return where the line begins and ends: in the nodes, or where the head of its arrow begins."""
        start, end = self._start.pos(), self._end.pos()
        if self._head is None:
            return start, end
        points_at_end = self.edge.effect == self.edge.end
        effect, tail = (self._end, start) if points_at_end else (self._start, end)
        head, base = arrowhead(effect.border_towards(tail), tail, _width(self.edge))
        self._head.setPolygon(head)
        return (start, base) if points_at_end else (base, end)

    def follow(self) -> None:
        """Draw anew after a node has moved."""
        start, end = self._ends()
        if self.edge.kind is EdgeKind.LABEL_RELATION:
            self.setPath(_double(start, end))
            return
        path = QPainterPath(start)
        if self._through is None or self._second_leg is None:
            path.lineTo(end)
        else:
            child = self._through.pos()
            path.lineTo(child)
            # Past the child the line keeps beside the child's own line to the label.
            aside = _sideways(child, end) * _BESIDE
            self._second_leg.setLine(QLineF(child + aside, end + aside))
        self.setPath(path)


def _node_words(node: Node) -> str:
    if node.kind is NodeKind.LABEL:
        return f"{node.name}\nlabel"
    labels = ", ".join(node.labels[:_LISTED_LABELS])
    unlisted = len(node.labels) - _LISTED_LABELS
    rest = f" and {unlisted} more" if unlisted > 0 else ""
    return f"{node.name}\n{node.kind}, strength {strength_text(node.strength)}\nbears on {labels}{rest}"


def _edge_words(edge: Edge) -> str:
    passing = f", through {edge.through}" if edge.through else ""
    words = _WORDS[edge.kind]
    if edge.effect:
        words = "cause of" if edge.effect == edge.end else "effect of"
    return f"{edge.start}\n{words} {edge.end}{passing}\nstrength {strength_text(edge.strength)}"


def _width(edge: Edge) -> float:
    strength = min(max(edge.strength, 0.0), 1.0)
    if edge.kind is EdgeKind.LABEL_RELATION:
        return 0.9 + 1.6 * strength
    width = 0.9 + 4.2 * strength
    return max(width, 1.8) if edge.kind is EdgeKind.SPOUSE else width


def _double(start: QPointF, end: QPointF) -> QPainterPath:
    across = _sideways(start, end) * 2.6
    path = QPainterPath(start + across)
    path.lineTo(end + across)
    path.moveTo(start - across)
    path.lineTo(end - across)
    return path


def _sideways(start: QPointF, end: QPointF) -> QPointF:
    length = math.hypot(end.x() - start.x(), end.y() - start.y()) or 1.0
    return QPointF(-(end.y() - start.y()) / length, (end.x() - start.x()) / length)
