"""The graph as a scene of native items."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QGraphicsScene

from clcd_gui.core.number_format import counted
from clcd_gui.core.selection import SelectedPair
from clcd_gui.graphs.figure import Figure, device_font
from clcd_gui.graphs.graph_content import GraphContent
from clcd_gui.graphs.graph_items import EdgeItem, NodeItem
from clcd_gui.graphs.graph_layout import Positions
from clcd_gui.graphs.legend import graph_legend, legend_height, paint_legend
from clcd_gui.style.tokens import LIGHT, Colours

_MARGIN = 28.0
_NARROWEST = 480.0
_NOTE_HEIGHT = 22.0


class GraphScene(QGraphicsScene):
    """Nodes and lines at their places.

    Parameters
    ----------
    font : QFont
        Font of the names.
    chosen : Colours
        Colours of the theme.
    """

    def __init__(self, font: QFont, chosen: Colours, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._font = font
        self._chosen = chosen
        self.nodes: dict[str, NodeItem] = {}
        self.edges: list[EdgeItem] = []
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)

    def build(self, content: GraphContent, positions: Positions) -> None:
        """Draw other nodes and lines."""
        self.clear()
        self.nodes = {}
        self.edges = []
        for node in content.nodes:
            item = NodeItem(node, self._font, self._chosen)
            item.setPos(QPointF(*positions[node.name]))
            self.addItem(item)
            self.nodes[node.name] = item
        for edge in content.edges:
            through = self.nodes.get(edge.through)
            line = EdgeItem(edge, self.nodes[edge.start], self.nodes[edge.end], through, self._chosen)
            self.addItem(line)
            self.edges.append(line)
        self.setSceneRect(self.content_rect())

    def content_rect(self) -> QRectF:
        """Give the area of everything that is drawn, with a margin."""
        return self.itemsBoundingRect().adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)

    def positions(self) -> Positions:
        """Give where every node is now."""
        return {name: (item.pos().x(), item.pos().y()) for name, item in self.nodes.items()}

    def set_colours(self, chosen: Colours) -> None:
        """Follow another theme."""
        self._chosen = chosen
        for item in (*self.nodes.values(), *self.edges):
            item.set_colours(chosen)

    def set_font(self, font: QFont) -> None:
        """Write names in another font from the next `build` on."""
        self._font = font

    def highlight(self, pair: SelectedPair) -> None:
        """Bring the selected node and its neighbours forward, and everything else back."""
        selected = {name for name in (pair.feature, pair.label) if name in self.nodes}
        asked = next((name for name in (pair.feature, pair.label) if name in selected), None)
        near = [line for line in self.edges if asked in (line.edge.start, line.edge.end)]
        shown = selected.union(*(line.names for line in near)) if asked is not None else set(self.nodes)
        for name, node in self.nodes.items():
            node.set_state(name in selected, name not in shown)
        for line in self.edges:
            line.set_state(asked is not None and line not in near)


def graph_figure(content: GraphContent, positions: Positions, font: QFont) -> Figure:
    """Make the picture of a graph: in the light theme, nothing highlighted, with its legend."""
    font = device_font(font)
    scene = GraphScene(font, LIGHT)
    scene.build(content, positions)
    area = scene.content_rect()
    width = max(area.width(), _NARROWEST)
    legend = graph_legend()
    legend_space = legend_height(legend, font, width - 2 * _MARGIN)
    note = _left_out(content)
    note_height = _NOTE_HEIGHT if note else 0.0
    size = QSizeF(width, area.height() + note_height + legend_space + _MARGIN / 2)

    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = (width - area.width()) / 2
        scene.render(painter, QRectF(left, 0, area.width(), area.height()), area)
        painter.setFont(font)
        painter.setPen(QColor(LIGHT.muted))
        painter.drawText(QPointF(_MARGIN, area.height() + note_height * 0.6), note)
        strip = QRectF(_MARGIN, area.height() + note_height, width - 2 * _MARGIN, legend_space)
        paint_legend(painter, strip, legend, font, LIGHT)

    return Figure("Variables and labels as a graph", size, paint)


def _left_out(content: GraphContent) -> str:
    """Say in the picture itself what it does not show."""
    counts = (
        (content.hidden_features, "more variable"),
        (content.hidden_labels, "more label"),
    )
    parts = [counted(count, noun) for count, noun in counts if count]
    return f"{' and '.join(parts)} not shown." if parts else ""


def moved_positions(before: Mapping[str, tuple[float, float]], now: Positions) -> Positions:
    """Give the nodes that a person has moved, with their new places."""
    return {
        name: place
        for name, place in now.items()
        if name in before and max(abs(place[0] - before[name][0]), abs(place[1] - before[name][1])) > 0.5
    }
