"""The graph as a scene of native items, and on the screen: zoom, pan, click, keys."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import (
    QEasingCurve,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSizeF,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontInfo,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QGraphicsView, QStyle, QWidget

from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.plots.figure import Figure, device_font
from clcd_gui.plots.graph_items import EdgeItem, NodeItem, lines_of_names, spoken_name
from clcd_gui.plots.legend import LegendEntry, graph_legend, legend_height, paint_legend
from clcd_gui.plots.spoken import make_spoken, tell_selected
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import LIGHT, MOTION_MILLISECONDS, Colours
from clcd_gui.wording.text import NUMBERS, OwnKeys
from engine.reporting.figures.graph import (
    GraphContent,
    GraphLayout,
    NodeKind,
    Positions,
    Sizes,
    Way,
    hidden_words,
)
from engine.reporting.figures.graph_layout import drawn_together, lay_out, overlap, route_edges
from engine.translation import N_, _

_MANY_EDGES = 150


def lay_out_beside(
    content: GraphContent, sizes: Sizes, previous: Positions, fixed: Positions, shape: float = 0.66
) -> Positions:
    """Place new nodes beside the previous ones, which stay; all anew where that is too tight."""
    places = lay_out(content, sizes, previous | fixed, shape)
    if previous and overlap(content, places, sizes):
        return lay_out(content, sizes, fixed, shape)
    return places


def layouts(
    content: GraphContent,
    sizes: Sizes,
    previous: Positions,
    fixed: Positions,
    shape: float = 0.66,
    room: tuple[float, float] | None = None,
) -> Iterator[GraphLayout]:
    """Place nodes, then lead lines past those that they do not connect; at first straight, if slow.

    Nodes that are all placed anew are drawn together, as far as that helps to have them in a room.
    """
    positions = lay_out_beside(content, sizes, previous, fixed, shape)
    if room is not None and not previous and not fixed:
        positions = drawn_together(content, positions, sizes, room)
    if len(content.edges) > _MANY_EDGES:
        yield GraphLayout(positions)
    yield GraphLayout(positions, route_edges(content, positions, sizes))


def routed(content: GraphContent, positions: Positions, sizes: Sizes) -> Iterator[GraphLayout]:
    """Lead every line past nodes that stay where they are."""
    yield GraphLayout(positions, route_edges(content, positions, sizes))


_MARGIN = 28.0
_NARROWEST = 480.0
_NOTE_HEIGHT = 22.0


class GraphScene(QGraphicsScene):
    """Nodes and lines at their places."""

    def __init__(self, font: QFont, chosen: Colours, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._font = font
        self._chosen = chosen
        self.nodes: dict[str, NodeItem] = {}
        self.edges: list[EdgeItem] = []
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)

    def build(self, content: GraphContent, layout: GraphLayout) -> None:
        """Draw other nodes and lines."""
        self.clear()
        self.nodes = {}
        self.edges = []
        names = lines_of_names(content.nodes, self._font)
        for node in content.nodes:
            item = NodeItem(node, names[node.name], self._font, self._chosen)
            item.setPos(QPointF(*layout.positions[node.name]))
            self.addItem(item)
            self.nodes[node.name] = item
        for edge in content.edges:
            through = self.nodes.get(edge.through)
            line = EdgeItem(edge, self.nodes[edge.start], self.nodes[edge.end], through, self._chosen)
            self.addItem(line)
            self.edges.append(line)
        self.take_ways(layout.ways)
        self.setSceneRect(self.content_rect())

    def take_ways(self, ways: Sequence[Sequence[Way]]) -> None:
        """Draw the lines along these ways; without any they stay as they are."""
        for line, its_ways in zip(self.edges, ways, strict=False):
            line.take_ways(its_ways)

    def content_rect(self) -> QRectF:
        """Return the area of everything that is drawn, with a margin."""
        return self.itemsBoundingRect().adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)

    def positions(self) -> Positions:
        """Return where every node is now."""
        return {name: (item.pos().x(), item.pos().y()) for name, item in self.nodes.items()}

    def set_colours(self, chosen: Colours) -> None:
        """Follow another theme."""
        self._chosen = chosen
        for node in self.nodes.values():
            node.set_colours(chosen)
        for edge in self.edges:
            edge.set_colours(chosen)

    def set_font(self, font: QFont) -> None:
        """Write names in another font from the next `build` on."""
        self._font = font

    def highlight(self, pair: SelectedPair) -> None:
        """Bring the selected node and its neighbours forward, and everything else back."""
        selected = {name for name in (pair.feature, pair.label) if name in self.nodes}
        focus = next((name for name in (pair.feature, pair.label) if name in selected), None)
        near = [line for line in self.edges if focus in (line.edge.start, line.edge.end)]
        shown = selected.union(*(line.names for line in near)) if focus is not None else set(self.nodes)
        for name, node in self.nodes.items():
            node.set_state(name in selected, name not in shown)
        for line in self.edges:
            line.set_state(focus is not None and line not in near)


def graph_figure(
    content: GraphContent, layout: GraphLayout, font: QFont, legend: tuple[LegendEntry, ...] | None = None
) -> Figure:
    """Make the picture of a graph: in the light theme, nothing highlighted, with a legend, its usual one."""
    font = device_font(font)
    scene = GraphScene(font, LIGHT)
    scene.build(content, layout)
    area = scene.content_rect()
    width = max(area.width(), _NARROWEST)
    legend = legend or graph_legend(content)
    legend_space = legend_height(legend, font, width - 2 * _MARGIN)
    hidden = hidden_words(content, NUMBERS)
    note = _("{hidden} not shown.", hidden=hidden) if hidden else ""
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

    return Figure(_("Variables and labels as a graph"), size, paint)


def moved_positions(before: Mapping[str, tuple[float, float]], now: Positions) -> Positions:
    """Return the nodes that a person has moved, with their new places."""
    return {
        name: place
        for name, place in now.items()
        if name in before and max(abs(place[0] - before[name][0]), abs(place[1] - before[name][1])) > 0.5
    }


_ZOOM_STEP = 1.2
_SMALLEST, _LARGEST = 0.08, 6.0
_LARGEST_FIT = 1.3
# In pixels. A graph that would need more than so much more room is shown whole.
_READABLE_NAME, _SMALLEST_NAME, _MOST_CUT = 9.5, 7.0, 2.6


@make_spoken
class GraphView(FollowsLook, QGraphicsView):
    """Shows a graph scene; what is clicked is the shared selection."""

    OWN_KEYS = OwnKeys(
        N_("In the graph"),
        (
            (N_("Left, Right, Up, Down"), N_("The next node in that direction")),
            (N_("PgUp, PgDown, Home, End"), N_("From node to node, so that all are reached")),
            (N_("Space, Return"), N_("Why?")),
            ("+, -, 0", N_("Larger, smaller, whole graph")),
            ("Esc", N_("Clear the selection")),
        ),
    )

    moved = Signal(dict)

    def __init__(self, highlight: Highlight, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highlight = highlight
        self._laid_out: Positions = {}
        self._is_own_click = False
        self._asked_for_all = False
        self._pressed_at = QPointF()
        self.graph = GraphScene(self.font(), colours(self.palette()), self)
        self.setScene(self.graph)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Graph of variables and labels"))
        self._set_fits(True)
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(MOTION_MILLISECONDS)
        self._motion.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._motion.valueChanged.connect(self.centerOn)
        highlight.changed.connect(self._on_selection)

    def show_graph(self, content: GraphContent, layout: GraphLayout, stays: bool = False) -> None:
        """Show other nodes and lines: all of them, or with `stays` the part that a person has zoomed to."""
        self._motion.stop()
        self._laid_out = dict(layout.positions)
        self.graph.build(content, layout)
        self.graph.highlight(self._highlight.pair)
        if self._fits or not stays:
            self.start()

    def start(self) -> None:
        """Show everything, or as much of it as can be read, with what is selected."""
        self._asked_for_all = False
        area = self.graph.content_rect()
        whole, letter = self._whole_scale(area), QFontInfo(self.font()).pixelSize()
        readable = _READABLE_NAME / letter
        if whole * letter >= _SMALLEST_NAME or readable > _MOST_CUT * whole:
            self._show_all()
            return
        self._set_fits(True, is_cut=True)
        node = self._current()
        self._show_at(readable, area, area.center() if node is None else node.pos())

    def room(self) -> tuple[float, float]:
        """Return how wide and high what is drawn may be, so that all of it can be read."""
        readable = _READABLE_NAME / QFontInfo(self.font()).pixelSize()
        port, margins = self.maximumViewportSize(), 2 * _MARGIN
        return max(port.width() / readable - margins, 1.0), max(port.height() / readable - margins, 1.0)

    def fit(self) -> None:
        """Show everything, as large as it can be."""
        self._asked_for_all = True
        self._show_all()

    def _show_all(self) -> None:
        area = self.graph.content_rect()
        scale = self._whole_scale(area)
        if scale:
            self._set_fits(True)
            self._show_at(scale, area, area.center())

    def _whole_scale(self, area: QRectF) -> float:
        """Return the scale at which an area is in view, without scroll bars; 0 where nothing can be."""
        room = self.maximumViewportSize()
        if area.isEmpty() or room.width() < 20:
            return 0.0
        return min(room.width() / area.width(), room.height() / area.height(), _LARGEST_FIT)

    def _show_at(self, scale: float, area: QRectF, centre: QPointF) -> None:
        self.graph.setSceneRect(area)
        self.resetTransform()
        self.scale(scale, scale)
        self.centerOn(centre)

    def zoom(self, steps: float, about: QPoint | None = None) -> None:
        """Zoom in (positive) or out by steps about a place in the view, or its middle."""
        now = self.transform().m11()
        wanted = min(max(now * _ZOOM_STEP**steps, _SMALLEST), _LARGEST)
        if wanted == now:
            return
        place = self.viewport().rect().center() if about is None else about
        content = self.mapToScene(place)
        self.scale(wanted / now, wanted / now)
        self._set_fits(False)
        # Last, as scroll bars that came have moved the picture.
        moved = self.mapFromScene(content) - place
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + moved.x())
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + moved.y())

    # Qt's own hooks from here on.

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom where the pointer is."""
        self.zoom(event.angleDelta().y() / 120.0, event.position().toPoint())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click began; the view may be dragged from there."""
        self._pressed_at = event.position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what was clicked; after a drag, tell which nodes have a new place."""
        super().mouseReleaseEvent(event)
        moved = moved_positions(self._laid_out, self.graph.positions())
        if moved:
            self._laid_out |= moved
            self.moved.emit(moved)
        travelled = (event.position() - self._pressed_at).manhattanLength()
        if event.button() is Qt.MouseButton.LeftButton and travelled < 4:
            self._click(self.itemAt(event.position().toPoint()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Bring the evidence into view."""
        self._highlight.ask_why()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to the next node in a direction or in order, ask why, zoom, fit."""
        key = Qt.Key(event.key())
        moves = {
            Qt.Key.Key_Up: QPointF(0, -1),
            Qt.Key.Key_Down: QPointF(0, 1),
            Qt.Key.Key_Left: QPointF(-1, 0),
            Qt.Key.Key_Right: QPointF(1, 0),
        }
        if key in moves:
            self._move(moves[key])
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Home, Qt.Key.Key_End):
            self._move_in_order(key)
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._highlight.ask_why()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(-1 if key is Qt.Key.Key_Minus else 1)
        elif key is Qt.Key.Key_0:
            self.fit()
        elif key is Qt.Key.Key_Escape and not self._highlight.pair.is_empty:
            self._highlight.clear()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep showing everything until a person zooms."""
        super().resizeEvent(event)
        if self._fits:
            (self._show_all if self._asked_for_all else self.start)()

    def _follow_colours(self) -> None:
        self.graph.set_colours(colours(self.palette()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        super().focusInEvent(event)
        self.viewport().update()

    # What a screen reader asks.

    def spoken_count(self) -> int:
        """Count the nodes."""
        return len(self.graph.nodes)

    def spoken_name(self, place: int) -> str:
        """Name a node and say what it is linked to."""
        item = self._in_order()[place]
        return spoken_name(item.node, (line.edge for line in item.edges))

    def spoken_rect(self, place: int) -> QRect:
        """Return where a node is seen."""
        return self.mapFromScene(self._in_order()[place].sceneBoundingRect()).boundingRect()

    def spoken_selected(self) -> int:
        """Return the place of the selected node, -1 for none."""
        current = self._current()
        return -1 if current is None else self._in_order().index(current)

    # Inner workings.

    def _set_fits(self, fits: bool, is_cut: bool = False) -> None:
        """Tell whether the view follows its room, and whether all is in it then, which needs no scroll bars.

        By a rounding error everything may be larger than its room all the same: a bar would come, make the
        room smaller so that everything is fitted anew, and go for want of need, for ever.
        """
        self._fits, self._is_cut = fits, is_cut
        shows_all = fits and not is_cut
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if shows_all else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(policy)
        self.setVerticalScrollBarPolicy(policy)

    def _in_order(self) -> list[NodeItem]:
        return list(self.graph.nodes.values())

    def _move_in_order(self, key: Qt.Key) -> None:
        """Go to the next node or the one before, so that every node can be reached."""
        nodes, now = self._in_order(), self.spoken_selected()
        if not nodes:
            return
        places = {
            Qt.Key.Key_PageDown: min(now + 1, len(nodes) - 1),
            Qt.Key.Key_PageUp: max(now - 1, 0),
            Qt.Key.Key_Home: 0,
        }
        self._select_node(nodes[places.get(key, len(nodes) - 1)])

    def _click(self, item: QGraphicsItem | None) -> None:
        self._is_own_click = True
        if item is not None and isinstance(item.parentItem(), NodeItem | EdgeItem):
            item = item.parentItem()
        if isinstance(item, NodeItem):
            self._select_node(item)
        elif isinstance(item, EdgeItem):
            self._highlight.select(item.edge.start, item.edge.label)
        else:
            self._highlight.clear()
        self._is_own_click = False

    def _select_node(self, item: NodeItem) -> None:
        node = item.node
        if node.kind is NodeKind.LABEL:
            self._highlight.select(label=node.name)
        else:
            label = node.labels[0] if node.kind is NodeKind.LABEL_SPECIFIC else None
            self._highlight.select(node.name, label)

    def _current(self) -> NodeItem | None:
        pair = self._highlight.pair
        return self.graph.nodes.get(pair.feature or "") or self.graph.nodes.get(pair.label or "")

    def _move(self, direction: QPointF) -> None:
        if not self.graph.nodes:
            return
        current = self._current()
        if current is None:
            self._select_node(next(iter(self.graph.nodes.values())))
            return
        here = current.pos()

        def distance(node: NodeItem) -> float:
            away = node.pos() - here
            ahead = QPointF.dotProduct(away, direction)
            aside = abs(away.x() * direction.y()) + abs(away.y() * direction.x())
            return ahead + 2.5 * aside if ahead > 0 else math.inf

        nearest = min(self.graph.nodes.values(), key=distance)
        if math.isfinite(distance(nearest)):
            self._select_node(nearest)

    def _on_selection(self, pair: SelectedPair) -> None:
        self.graph.highlight(pair)
        place = self.spoken_selected()
        self.setAccessibleDescription(self.spoken_name(place) if place >= 0 else "")
        tell_selected(self)
        node = self._current()
        if node is not None and not self._is_own_click:
            self._bring_into_view(node)

    def _bring_into_view(self, node: NodeItem) -> None:
        port = self.viewport().rect()
        inner = port.adjusted(port.width() // 8, port.height() // 8, -port.width() // 8, -port.height() // 8)
        shows_all = self._fits and not self._is_cut
        if shows_all or inner.contains(self.mapFromScene(node.pos())) or not self.isVisible():
            return
        self._motion.stop()
        if self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) <= 0:
            self.centerOn(node.pos())
            return
        self._motion.setStartValue(self.mapToScene(port.center()))
        self._motion.setEndValue(node.pos())
        self._motion.start()
