"""What the graph is made of: nodes with their names, and lines."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from clcd_gui.core.number_format import strength_text
from clcd_gui.graphs.graph_content import Edge, EdgeKind, Node, NodeKind
from clcd_gui.graphs.marks import draw_feature_mark, line_pen
from clcd_gui.style.tokens import (
    INTERCHANGEABLE,
    LABEL_RELATION,
    NEIGHBOUR,
    SPOUSE,
    Colours,
)

DIAMETER = 20.0
_LABEL_HEIGHT = 32.0
_LABEL_PADDING = 12.0
_WIDEST_NAME = 136.0
_WIDEST_LABEL = 170.0
_NAME_GAP = 3.0
_HALO = 5.0
_FADED = 0.16
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
    """Give the name of a node, shortened in the middle when it is long."""
    widest = _WIDEST_LABEL if node.kind is NodeKind.LABEL else _WIDEST_NAME
    return QFontMetricsF(font).elidedText(node.name, Qt.TextElideMode.ElideMiddle, widest)


def node_size(node: Node, font: QFont) -> tuple[float, float]:
    """Give the room that a node needs with its name, centred on the node's position."""
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(shown_name(node, font))
    if node.kind is NodeKind.LABEL:
        return width + 2 * _LABEL_PADDING, _LABEL_HEIGHT
    # The name is below the disc; the box is centred on the disc, so it reaches as far up as down.
    return max(width, DIAMETER), DIAMETER + 2 * (_NAME_GAP + metrics.height()) - metrics.height() * 0.5


class NodeItem(QGraphicsItem):
    """A label as a rounded box, a common feature as a disc, a label-specific one as a ring."""

    def __init__(self, node: Node, font: QFont, chosen: Colours) -> None:
        super().__init__()
        self.node = node
        self.edges: list[EdgeItem] = []
        self._font = font
        self._chosen = chosen
        self._text = shown_name(node, font)
        self._is_selected_here = False
        metrics = QFontMetricsF(font)
        self._text_width = metrics.horizontalAdvance(self._text)
        self._text_height = metrics.height()
        self._shape_box = self._make_shape_box()
        self._text_box = self._make_text_box()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges)
        self.setZValue(2.0 if node.kind is NodeKind.LABEL else 1.0)
        self.setToolTip(self._tooltip())

    def set_state(self, selected: bool, faded: bool) -> None:
        """Show the node as selected, usual, or in the background."""
        self._is_selected_here = selected
        self.setOpacity(_FADED if faded else 1.0)
        self.update()

    def set_colours(self, chosen: Colours) -> None:
        """Follow another theme."""
        self._chosen = chosen
        self.update()

    def boundingRect(self) -> QRectF:
        """Give the area that is painted."""
        return self._shape_box.united(self._text_box).adjusted(-_HALO, -_HALO, _HALO, _HALO)

    def shape(self) -> QPainterPath:
        """Give the area that answers to the pointer."""
        path = QPainterPath()
        path.addRect(self._shape_box.united(self._text_box))
        return path

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint the node and its name."""
        chosen = self._chosen
        if self._is_selected_here:
            painter.setPen(QPen(QColor(chosen.accent), 2.5))
            painter.setBrush(QColor(chosen.selection))
            halo = self._shape_box.adjusted(-4, -4, 4, 4)
            radius = 10.0 if self.node.kind is NodeKind.LABEL else halo.width() / 2
            painter.drawRoundedRect(halo, radius, radius)
        painter.setFont(self._font)
        if self.node.kind is NodeKind.LABEL:
            painter.setPen(QPen(QColor(chosen.label), 2.0))
            painter.setBrush(QColor(chosen.base))
            painter.drawRoundedRect(self._shape_box, 8, 8)
        else:
            draw_feature_mark(painter, self._shape_box, self.node.kind is NodeKind.COMMON, chosen)
            ground = QColor(chosen.base)
            ground.setAlpha(215)
            painter.fillRect(self._text_box.adjusted(-1, 0, 1, 0), ground)
        painter.setPen(QColor(chosen.text))
        painter.drawText(self._text_box, Qt.AlignmentFlag.AlignCenter, self._text)

    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        """Take the lines along when the node is moved."""
        if change is QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged:
            for edge in self.edges:
                edge.follow()
        return super().itemChange(change, value)

    def _make_shape_box(self) -> QRectF:
        if self.node.kind is NodeKind.LABEL:
            width = self._text_width + 2 * _LABEL_PADDING
            return QRectF(-width / 2, -_LABEL_HEIGHT / 2, width, _LABEL_HEIGHT)
        return QRectF(-DIAMETER / 2, -DIAMETER / 2, DIAMETER, DIAMETER)

    def _make_text_box(self) -> QRectF:
        if self.node.kind is NodeKind.LABEL:
            return self._shape_box
        top = DIAMETER / 2 + _NAME_GAP
        return QRectF(-self._text_width / 2, top, self._text_width, self._text_height)

    def _tooltip(self) -> str:
        if self.node.kind is NodeKind.LABEL:
            return f"{self.node.name}\nlabel"
        strength = strength_text(self.node.strength)
        labels = ", ".join(self.node.labels[:8])
        rest = f" and {len(self.node.labels) - 8} more" if len(self.node.labels) > 8 else ""
        return f"{self.node.name}\n{self.node.kind}, strength {strength}\nbears on {labels}{rest}"


class EdgeItem(QGraphicsItem):
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
        self._chosen = chosen
        self._path = QPainterPath()
        self._box = QRectF()
        for node in (start, end, through):
            if node is not None:
                node.edges.append(self)
        passing = f", through {edge.through}" if edge.through else ""
        words = f"{edge.start}\n{_WORDS[edge.kind]} {edge.end}{passing}"
        self.setToolTip(f"{words}\nstrength {strength_text(edge.strength)}")
        self.follow()

    @property
    def names(self) -> set[str]:
        """Nodes that the line touches."""
        return {self.edge.start, self.edge.end} | ({self.edge.through} if self.edge.through else set())

    def set_state(self, faded: bool) -> None:
        """Show the line as usual or in the background."""
        self.setOpacity(_FADED / 2 if faded else 1.0)

    def set_colours(self, chosen: Colours) -> None:
        """Follow another theme."""
        self._chosen = chosen
        self.update()

    def follow(self) -> None:
        """Draw anew after a node has moved."""
        self.prepareGeometryChange()
        start, end = self._start.pos(), self._end.pos()
        path = QPainterPath(start)
        if self.edge.kind is EdgeKind.LABEL_RELATION:
            path = _double(start, end)
        elif self._through is None:
            path.lineTo(end)
        else:
            child = self._through.pos()
            # Past the child the line keeps beside the child's own line to the label.
            path.lineTo(child)
            path.quadTo(_bulge(child, end), end)
        self._path = path
        margin = self._width() + 2.0
        self._box = path.boundingRect().adjusted(-margin, -margin, margin, margin)

    def boundingRect(self) -> QRectF:
        """Give the area that is painted."""
        return self._box

    def shape(self) -> QPainterPath:
        """Give the area that answers to the pointer."""
        stroker = QPainterPathStroker()
        stroker.setWidth(8.0)
        return stroker.createStroke(self._path)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint the line."""
        painter.setPen(line_pen(_MEANINGS[self.edge.kind], self._chosen, self._width()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._through is None and self.edge.kind is not EdgeKind.LABEL_RELATION:
            painter.drawLine(QLineF(self._start.pos(), self._end.pos()))
        else:
            painter.drawPath(self._path)

    def _width(self) -> float:
        width = 0.9 + 4.2 * min(max(self.edge.strength, 0.0), 1.0)
        if self.edge.kind is EdgeKind.LABEL_RELATION:
            return 0.9 + 1.6 * self.edge.strength
        return max(width, 1.8) if self.edge.kind is EdgeKind.SPOUSE else width


def _double(start: QPointF, end: QPointF) -> QPainterPath:
    across = _sideways(start, end) * 2.6
    path = QPainterPath(start + across)
    path.lineTo(end + across)
    path.moveTo(start - across)
    path.lineTo(end - across)
    return path


def _bulge(start: QPointF, end: QPointF) -> QPointF:
    length = math.hypot(end.x() - start.x(), end.y() - start.y())
    return (start + end) / 2 + _sideways(start, end) * min(0.16 * length, 26.0)


def _sideways(start: QPointF, end: QPointF) -> QPointF:
    length = math.hypot(end.x() - start.x(), end.y() - start.y()) or 1.0
    return QPointF(-(end.y() - start.y()) / length, (end.x() - start.x()) / length)
