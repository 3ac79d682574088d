"""Nodes with names, and lines: Qt's own items, as painting a thousand in Python takes five times as long."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QGraphicsEllipseItem,
    QGraphicsItem,
    QGraphicsPathItem,
    QGraphicsPolygonItem,
    QGraphicsRectItem,
    QGraphicsSimpleTextItem,
)

from clcd_gui.plots.grid_data import way_of
from clcd_gui.plots.marks import arrowhead, line_pen, on_box, on_circle, ring
from clcd_gui.style import tokens
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.tokens import Colours, Line
from clcd_gui.wording.text import NUMBERS, strength_text
from engine.discovery.effects.estimates import AssociationSign
from engine.discovery.effects.size_words import association_text
from engine.discovery.finding_words import words_of_test
from engine.reporting.figures.graph import BESIDE, DIAMETER, NAME_GAP, Edge, EdgeKind, Node, NodeKind, Way
from engine.translation import N_, _
from engine.wording.phrases import names_listing
from engine.wording.shown_names import shown_name, whole_name

_RING_WIDTH = 4.0
# Of the disc that tells the direction of association, and how far its arrow reaches in it.
_BADGE, _BADGE_REACH = 6.5, 0.5
_OUTLINE = 1.5
_LABEL_HEIGHT = 32.0
_LABEL_PADDING = 12.0
# In letters of average width, so that larger text is not cut off sooner.
_WIDEST_NAME = 23
_WIDEST_LABEL = 28
_WIDEST_LINE = 19
_OF_TWO_LINES = 1.8
_WORD_END = re.compile(r"(?<=\S)(?: +|(?<=[_\-/.,;:…])|(?<=\w)(?=\())(?=\S)")
_HALO = 4.0
# A name that is set back is still read, in either theme.
_FADED = 0.62
_FADED_LINE = 0.3
_LISTED_LABELS = 8
_CLICKABLE = 7.0
_HALF_GAP = 2.6
_LINES = {
    EdgeKind.NEIGHBOUR: (tokens.NEIGHBOUR, N_("direct neighbour of {end}")),
    EdgeKind.SPOUSE: (tokens.SPOUSE, N_("spouse of {end}")),
    EdgeKind.INTERCHANGEABLE: (tokens.INTERCHANGEABLE, N_("interchangeable with {end}")),
    EdgeKind.LABEL_RELATION: (tokens.LABEL_RELATION, N_("each in the Markov boundary of the other: {end}")),
    EdgeKind.THROUGH_LABELS: (tokens.THROUGH_LABELS, N_("linked to {end}")),
    EdgeKind.CAME: (tokens.CAME, N_("appeared, linked to {end}")),
    EdgeKind.WENT: (tokens.WENT, N_("disappeared, was linked to {end}")),
    EdgeKind.SAID_OTHERWISE: (tokens.SAID_OTHERWISE, N_("differs in the second run, linked to {end}")),
    EdgeKind.SAME: (tokens.SAME, N_("in both runs linked to {end}")),
    EdgeKind.NOT_COMPARED: (tokens.NOT_COMPARED, N_("not compared, linked to {end}")),
}
"""How each kind of line looks, and what it says of its start."""
_SPOUSE_THROUGH = N_("spouse of {end}, through {through}")


def lines_of_names(nodes: Sequence[Node], font: QFont) -> dict[str, tuple[str, ...]]:
    """Return the lines in which names are shown: long ones in two, none like another."""
    metrics = QFontMetricsF(font)
    letter = metrics.averageCharWidth()
    short = ShortNames((shown_name(node.name) for node in nodes), metrics.horizontalAdvance)
    shown: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        room = (_WIDEST_LABEL if node.kind is NodeKind.LABEL else _WIDEST_NAME) * letter
        name = shown_name(node.name)
        if metrics.horizontalAdvance(name) <= _WIDEST_LINE * letter:
            shown[node.name] = (name,)
            continue
        both = _in_two_lines(short.shown(name, _OF_TWO_LINES * room), room, metrics)
        shown[node.name] = both or (short.shown(name, room),)
    return shown


def _in_two_lines(name: str, room: float, metrics: QFontMetricsF) -> tuple[str, str] | None:
    """Break a name where a word ends, as evenly as it goes; None where a line would not fit."""
    breaks = [(name[: match.end()].rstrip(), name[match.end() :]) for match in _WORD_END.finditer(name)]
    widths = [max(map(metrics.horizontalAdvance, lines)) for lines in breaks]
    if not widths or min(widths) > room:
        return None
    return breaks[widths.index(min(widths))]


def node_sizes(nodes: Sequence[Node], font: QFont) -> dict[str, tuple[float, float]]:
    """Return the room that each node needs with its name, centred on the node's position."""
    metrics = QFontMetricsF(font)
    sizes = {}
    for name, node in zip(lines_of_names(nodes, font).values(), nodes, strict=True):
        width, height = max(map(metrics.horizontalAdvance, name)), len(name) * metrics.height()
        if node.kind is NodeKind.LABEL:
            sizes[node.name] = width + 2 * _LABEL_PADDING, _label_height(name, metrics)
        else:
            # The name is below the disc; the box is centred on it, so it reaches as far up as down.
            sizes[node.name] = max(width, DIAMETER), DIAMETER + 2 * (NAME_GAP + height)
    return sizes


def _label_height(name: tuple[str, ...], metrics: QFontMetricsF) -> float:
    return _LABEL_HEIGHT + (len(name) - 1) * metrics.height()


class NodeItem(QGraphicsPathItem):
    """A label as a rounded box, a common feature as a disc, a label-specific one as a ring."""

    def __init__(self, node: Node, name: tuple[str, ...], font: QFont, chosen: Colours) -> None:
        super().__init__()
        self.node = node
        self.edges: list[EdgeItem] = []
        is_label = node.kind is NodeKind.LABEL
        self._lines = [QGraphicsSimpleTextItem(line, self) for line in name]
        for line in self._lines:
            line.setFont(font)
        metrics = QFontMetricsF(font)
        box = QRectF(0, 0, max(line.boundingRect().width() for line in self._lines), 0)
        box.setHeight(len(name) * metrics.height())
        self._ground = None if is_label else QGraphicsRectItem(self)
        self._halo = QGraphicsPathItem(self)
        self._halo.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent)
        self._halo.hide()
        outline, halo = QPainterPath(), QPainterPath()
        if is_label:
            shape = QRectF(0, 0, box.width() + 2 * _LABEL_PADDING, _label_height(name, metrics))
            shape.moveCenter(QPointF())
            outline.addRoundedRect(shape, 8, 8)
            halo.addRoundedRect(shape.adjusted(-_HALO, -_HALO, _HALO, _HALO), 11, 11)
            box.moveCenter(QPointF())
        else:
            inset = 0.0 if node.kind is NodeKind.COMMON else _RING_WIDTH / 2
            radius = DIAMETER / 2 - inset
            outline.addEllipse(QPointF(), radius, radius)
            halo.addEllipse(QPointF(), DIAMETER / 2 + _HALO, DIAMETER / 2 + _HALO)
            box.moveTo(-box.width() / 2, DIAMETER / 2 + NAME_GAP)
        for number, line in enumerate(self._lines):
            line.setPos(-line.boundingRect().width() / 2, box.top() + number * metrics.height())
            line.setZValue(1.0)
        self.setPath(outline)
        self._halo.setPath(halo)
        if self._ground is not None:
            self._ground.setRect(box.adjusted(-1, 1, 1, -1))
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges)
        self.setZValue(2.0 if is_label else 1.0)
        set_tooltip(self, _node_words(node))
        self.set_colours(chosen)

    def border_towards(self, outside: QPointF) -> QPointF:
        """Return the place on the border of the node that faces another place."""
        if self.node.kind is NodeKind.LABEL:
            return on_box(self.path().boundingRect().translated(self.pos()), outside)
        if self._ground is not None:
            # A line from below ends at the name instead of running through it.
            below = _way_out(self._ground.rect().translated(self.pos()), self.pos(), outside)
            if below is not None:
                return below
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
        for line in self._lines:
            line.setBrush(QColor(chosen.text))
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


class WayBadge(QGraphicsEllipseItem):
    """A disc on a line with an arrow that rises or falls, as in cells of the grid; hidden where unclear."""

    def __init__(self, line: QGraphicsItem) -> None:
        super().__init__(QRectF(-_BADGE, -_BADGE, 2 * _BADGE, 2 * _BADGE), line)
        self._arrow = QGraphicsPathItem(self)
        self.way = 0

    def set_association(self, association: AssociationSign | None) -> None:
        """Show a direction; what shows only when adjusted has none, as in the grid."""
        self.way = way_of(association)
        self.setVisible(self.way != 0)
        reach = _BADGE * _BADGE_REACH
        rise = -reach * self.way
        tip = QPointF(reach, rise)
        path = _path([QPointF(-reach, -rise), tip])
        path.addPolygon(QPolygonF([tip - QPointF(reach * 1.1, 0), tip, tip - QPointF(0, rise * 1.1)]))
        self._arrow.setPath(path)

    def set_colours(self, chosen: Colours, line: QColor) -> None:
        """Follow a theme."""
        self.setPen(QPen(line, 1.0))
        self.setBrush(QColor(chosen.base))
        self._arrow.setPen(QPen(QColor(chosen.text), 1.4))


class EdgeItem(QGraphicsPathItem):
    """A line: solid, dotted, dashed or double; the wider the stronger."""

    def __init__(
        self, edge: Edge, start: NodeItem, end: NodeItem, through: NodeItem | None, chosen: Colours
    ) -> None:
        super().__init__()
        self.edge = edge
        self._start, self._end, self._through = start, end, through
        for node in (start, end, through):
            if node is not None:
                node.edges.append(self)
        # Two items are painted five times faster than one path with both legs.
        self._second_leg = QGraphicsPathItem(self) if through is not None else None
        # Heads of the arrow and the ring, by the node that they stand at.
        self.ends = {name: QGraphicsPolygonItem(self) for name in (*edge.heads, edge.ring) if name}
        # The direction of association, in the middle of the line.
        self.badge = WayBadge(self)
        self.setBrush(QBrush(Qt.BrushStyle.NoBrush))
        self.set_edge(edge)
        self.set_colours(chosen)
        self.follow()

    @property
    def names(self) -> set[str]:
        """Nodes that the line touches."""
        return {self.edge.start, self.edge.end} | ({self.edge.through} if self.edge.through else set())

    def set_edge(self, edge: Edge) -> None:
        """Tell more of the same line: which way the label goes with the variable."""
        self.edge = edge
        set_tooltip(self, _edge_words(edge))
        self.badge.set_association(edge.association)

    def set_state(self, faded: bool) -> None:
        """Show the line as usual or in the background."""
        self.setOpacity(_FADED_LINE if faded else 1.0)

    def set_colours(self, chosen: Colours) -> None:
        """Follow a theme."""
        pen = line_pen(_LINES[self.edge.kind][0], chosen, _width(self.edge))
        self.setPen(pen)
        if self._second_leg is not None:
            self._second_leg.setPen(pen)
        self.badge.set_colours(chosen, pen.color())
        for name, mark in self.ends.items():
            is_empty = name == self.edge.ring or self.edge.is_assumed
            mark.setPen(QPen(pen.color(), _OUTLINE))
            mark.setBrush(QColor(chosen.base) if is_empty else pen.color())

    def follow(self) -> None:
        """Draw straight lines to where the nodes are now."""
        start, end = self._start.pos(), self._end.pos()
        if self._through is None:
            self._draw([[start, end]])
            return
        child = self._through.pos()
        aside = _sideways(child, end) * BESIDE
        is_beside = self.edge.kind is EdgeKind.THROUGH_LABELS
        before = _sideways(start, child) * BESIDE if is_beside else QPointF()
        self._draw([[start + before, child + before], [child + aside, end + aside]])

    def take_ways(self, ways: Iterable[Way]) -> None:
        """Draw along ways that pass no other node."""
        self._draw([[QPointF(*place) for place in way] for way in ways])

    def shape(self) -> QPainterPath:
        """Return where a click means the line: beside it, not between a bent line and its ends."""
        stroker = QPainterPathStroker()
        stroker.setWidth(max(_CLICKABLE, self.pen().widthF()))
        return stroker.createStroke(self.path())

    def _draw(self, legs: list[list[QPointF]]) -> None:
        first, *second = legs
        passed = self._end if self._through is None else self._through
        first = self._from_end(self._start, first)
        first = self._from_end(passed, first[::-1])[::-1]
        self.setPath(_double(first) if _is_double(self.edge) else _path(first))
        self.badge.setPos(_path(first).pointAtPercent(0.5))
        if self._second_leg is not None and second:
            whole = _from_border(passed, second[0])
            self._second_leg.setPath(_path(_from_border(self._end, whole[::-1])[::-1]))

    def _from_end(self, node: NodeItem, way: list[QPointF]) -> list[QPointF]:
        """Let a way begin at the border of its first node, behind the head or ring that is drawn there."""
        mark = self.ends.get(node.node.name)
        if mark is None:
            return _from_border(node, way)
        shape_of = ring if node.node.name == self.edge.ring else arrowhead
        # The places inside the node and under the mark are left out; the first is the node's own.
        for number, place in enumerate(way[1:], 1):
            tip = node.border_towards(place)
            shape, base = shape_of(tip, place, _width(self.edge))
            if _is_behind(place, base, tip) or number == len(way) - 1:
                mark.setPolygon(shape)
                break
        return [base, *way[number:]]


def _way_out(box: QRectF, start: QPointF, end: QPointF) -> QPointF | None:
    """Return where a straight line leaves a box that it goes through; None where it does not."""
    enters, leaves = 0.0, math.inf
    for low, high, origin, step in (
        (box.left(), box.right(), start.x(), end.x() - start.x()),
        (box.top(), box.bottom(), start.y(), end.y() - start.y()),
    ):
        if not step:
            if not low < origin < high:
                return None
            continue
        shares = (low - origin) / step, (high - origin) / step
        enters, leaves = max(enters, min(shares)), min(leaves, max(shares))
    return start + (end - start) * leaves if enters < leaves < 1.0 else None


def _from_border(node: NodeItem, way: list[QPointF]) -> list[QPointF]:
    """Let a way begin at the border of its first node: a node in the background is seen through."""
    aside = way[0] - node.pos()
    for number, place in enumerate(way[1:], 1):
        border = node.border_towards(place - aside)
        if _is_behind(place - aside, border, node.pos()) or number == len(way) - 1:
            break
    return [border + aside, *way[number:]]


def _node_words(node: Node) -> str:
    if node.kind is NodeKind.LABEL:
        return f"{whole_name(node.name)}\n{_('label')}"
    strength = strength_text(node.strength)
    kind = _("{kind}, strength {strength}", kind=_(node.kind), strength=strength)
    linked = _("linked to {end}", end=names_listing(node.labels, _LISTED_LABELS))
    return f"{whole_name(node.name)}\n{kind}\n{linked}"


def spoken_name(node: Node, edges: Iterable[Edge]) -> str:
    """Say in one line what a node is and what its lines lead to, for those who hear the graph."""
    if node.kind is not NodeKind.LABEL:
        return _(
            "{name}, {kind}, linked to {labels}",
            name=shown_name(node.name),
            kind=_(node.kind),
            labels=names_listing(node.labels, _LISTED_LABELS),
        )
    linked = dict.fromkeys(
        edge.end if edge.start == node.name else edge.start
        for edge in edges
        if node.name in (edge.start, edge.end)
    )
    if not linked:
        return _("{name}, label", name=shown_name(node.name))
    return _(
        "{name}, label, linked to {labels}",
        name=shown_name(node.name),
        labels=names_listing(list(linked), _LISTED_LABELS),
    )


def _edge_words(edge: Edge) -> str:
    _look, words = _LINES[edge.kind]
    if edge.through and edge.kind is EdgeKind.SPOUSE:
        relation = _(_SPOUSE_THROUGH, end=shown_name(edge.end), through=shown_name(edge.through))
    else:
        relation = _(words, end=shown_name(edge.end))
    lines = [
        whole_name(edge.start),
        relation,
        "" if edge.association is None else association_text(edge.association),
        _(edge.statement),
        _("strength {strength}", strength=strength_text(edge.strength)),
    ]
    lines.append("" if edge.deciding is None else words_of_test(edge.deciding, NUMBERS))
    lines.append(_("read with care") if edge.is_doubtful else "")
    return "\n".join(line for line in lines if line)


def _is_double(edge: Edge) -> bool:
    return _LINES[edge.kind][0].line is Line.DOUBLE


def _width(edge: Edge) -> float:
    strength = min(max(edge.strength, 0.0), 1.0)
    if _is_double(edge):
        return 0.9 + 1.6 * strength
    width = 0.9 + 4.2 * strength
    return max(width, 1.8) if edge.kind is EdgeKind.SPOUSE else width


def _is_behind(place: QPointF, base: QPointF, tip: QPointF) -> bool:
    """Tell whether a place is farther from the tip of an arrow than where its head begins."""
    return QPointF.dotProduct(place - base, base - tip) > 0


def _path(way: Sequence[QPointF]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF(list(way)))
    return path


def _double(way: Sequence[QPointF]) -> QPainterPath:
    path = QPainterPath()
    directions = [_sideways(start, end) for start, end in pairwise(way)]
    for side in (_HALF_GAP, -_HALF_GAP):
        beside = [
            place + (before + after) * (side / 2)
            for place, before, after in zip(
                way, [directions[0], *directions], [*directions, directions[-1]], strict=True
            )
        ]
        path.addPolygon(QPolygonF(beside))
    return path


def _sideways(start: QPointF, end: QPointF) -> QPointF:
    length = math.hypot(end.x() - start.x(), end.y() - start.y()) or 1.0
    return QPointF(-(end.y() - start.y()) / length, (end.x() - start.x()) / length)
