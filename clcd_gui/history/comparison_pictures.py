"""Two runs as one grid and one graph: the signs and lines say what came, what went, what is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from clcd_gui.document.navigation import Highlight
from clcd_gui.plots.beside import PictureThread
from clcd_gui.plots.figure import Figure
from clcd_gui.plots.graph.items import node_sizes
from clcd_gui.plots.graph.layout import layouts
from clcd_gui.plots.graph.view import GraphView, graph_figure
from clcd_gui.plots.grid.data import BLOCKS, GridContent
from clcd_gui.plots.legend import LegendStrip, changes_legend
from clcd_gui.plots.marks import draw_change_mark
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain
from clcd_gui.style.tokens import CAME, NOT_COMPARED, SAID_OTHERWISE, SAME, SPACE, WENT, Colours, Meaning
from clcd_gui.widgets.focus import lead_focus
from clcd_gui.widgets.page import add_zoom_buttons
from clcd_gui.wording.text import NUMBERS, counted
from engine.discovery.finding_words import statement
from engine.discovery.orientation.direction import Direction, leading_to
from engine.discovery.run_changes import Change, FeatureChange, LinkChange
from engine.reporting.figures.graph import Edge, EdgeKind, GraphContent, Layout, Node, NodeKind, hidden_words
from engine.reporting.run_comparison import link_text

_MEANINGS = {
    Change.CAME: CAME,
    Change.WENT: WENT,
    Change.NOT_COMPARED: NOT_COMPARED,
    Change.SAME: SAME,
}
_LINES = {
    CAME: EdgeKind.CAME,
    WENT: EdgeKind.WENT,
    SAID_OTHERWISE: EdgeKind.SAID_OTHERWISE,
    NOT_COMPARED: EdgeKind.NOT_COMPARED,
    SAME: EdgeKind.SAME,
}
_MOST_FEATURES, _MOST_LABELS = 40, 20


def meaning_of(change: LinkChange) -> Meaning:
    """Return how a link of two runs looks."""
    return _MEANINGS.get(change.changes[0], SAID_OTHERWISE)


class ChangeLook:
    """Lets the cells of the grid say what differs."""

    def paint(self, painter: QPainter, box: QRectF, row: FeatureChange, label: str, chosen: Colours) -> None:
        """Paint the cell of a feature and a label."""
        change = row.links[row.labels.index(label)]
        draw_change_mark(painter, box, meaning_of(change), change.strength, chosen)

    def words(self, row: FeatureChange, label: str) -> str:
        """Say what differs."""
        return link_text(row.links[row.labels.index(label)])


COMPARED = GridContent(
    noun="variable",
    title="Two runs side by side",
    orders=(
        ("What changed first", "given"),
        ("Alike side by side", BLOCKS),
        ("Strongest first", "strength"),
        ("As in the table", "name"),
    ),
    legend=changes_legend(in_graph=False),
    nothing="Nothing of the kind differs between the two runs.",
    absence=lambda _listing, _feature, _label: "linked in neither run",
    look=ChangeLook(),
)


@dataclass(frozen=True, slots=True)
class ComparedListing:
    """What the grid lists of two runs."""

    all: tuple[FeatureChange, ...]
    finished_labels: tuple[str, ...]
    columns: tuple[str, ...]

    def in_column_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Sort names of variables as the columns of the tables are."""
        order = {name: number for number, name in enumerate(self.columns)}
        return tuple(sorted(names, key=lambda name: order.get(name, len(order))))


def compared_graph(changes: Sequence[FeatureChange], labels: Sequence[str]) -> GraphContent:
    """Choose what is drawn: what changed most first, and only so much as can be read."""
    chosen = list(changes[:_MOST_FEATURES])
    served = {label for each in chosen for label in each.labels}
    shown = [label for label in labels if label in served]
    hidden_labels = max(len(shown) - _MOST_LABELS, 0)
    shown = shown[:_MOST_LABELS]
    chosen = [each for each in chosen if set(each.labels) & set(shown)]
    nodes = [Node(label, NodeKind.LABEL) for label in shown]
    nodes += [_node(each) for each in chosen]
    edges = [_edge(link) for each in chosen for link in each.links if link.label in shown]
    return GraphContent(tuple(nodes), tuple(edges), len(changes) - len(chosen), hidden_labels)


def _node(change: FeatureChange) -> Node:
    kind = NodeKind.COMMON if change.is_common else NodeKind.LABEL_SPECIFIC
    return Node(change.feature, kind, change.strength, change.labels)


def _edge(change: LinkChange) -> Edge:
    effects = {Direction.CAUSE: change.label, Direction.EFFECT: change.feature}
    told = change.latest.direction, change.latest.grade
    return Edge(
        _LINES[meaning_of(change)],
        change.feature,
        change.label,
        change.strength,
        label=change.label,
        effect=effects.get(leading_to(*told), ""),
        statement=statement(*told),
    )


class ChangesGraph(QWidget):
    """Shows two runs as a graph."""

    def __init__(self, highlight: Highlight, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = GraphContent()
        self._layout = Layout({}, ())
        self._request = 0
        self._is_drawn = True
        self.view = GraphView(highlight, self)
        self.view.setAccessibleName("Graph of two runs side by side")
        set_look(self.view, "card")
        self._empty = plain(COMPARED.nothing, self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._status = muted("", self)
        self._status.setWordWrap(False)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        head = QHBoxLayout()
        head.addWidget(self._status, 1)
        add_zoom_buttons(head, self.view.zoom, ("Fit", "Show everything", self.view.fit))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(head)
        layout.addLayout(self._stack, 1)
        layout.addWidget(LegendStrip(changes_legend(in_graph=True), self))
        lead_focus(self, self.view)

    def set_changes(self, changes: Sequence[FeatureChange], labels: Sequence[str]) -> None:
        """Show what differs between two runs."""
        self._content = compared_graph(changes, labels)
        self._is_drawn = False
        self._request += 1
        if self.isVisible():
            self._draw()

    def figure(self) -> Figure | None:
        """Return the graph as a picture; None when it is empty."""
        if not self._is_drawn or not self._layout.positions:
            for layout in self._computation()():
                self._layout = layout
        if not self._content.edges:
            return None
        return graph_figure(self._content, self._layout, self.font(), changes_legend(in_graph=True))

    def showEvent(self, event: QShowEvent) -> None:
        """Draw when the graph is first looked at, when it is known how much room there is."""
        super().showEvent(event)
        # Tabs give a page its size only after they have shown it.
        QTimer.singleShot(0, self, self._draw_when_due)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._is_drawn = False
            if self.isVisible():
                self._draw()

    def _draw_when_due(self) -> None:
        if not self._is_drawn:
            self._draw()

    def _draw(self) -> None:
        self._is_drawn = True
        self._request += 1
        content = self._content
        hidden = hidden_words(content, NUMBERS)
        shown = counted(sum(1 for node in content.nodes if node.labels), "variable")
        self._status.setText(f"{shown} shown; {hidden} not shown" if hidden else f"{shown} shown")
        self._stack.setCurrentWidget(self.view if content.edges else self._empty)
        self.view.graph.set_font(self.view.font())
        thread = PictureThread(self._computation(), self._request)
        thread.answered.connect(self._on_laid_out)
        thread.start()

    def _computation(self) -> Callable[[], Iterable[Layout]]:
        """Return what lays the graph out, and touches no widget when it does."""
        content, area = self._content, self._stack.currentWidget().size()
        shape = 0.95 * area.height() / max(area.width(), 1)
        return partial(layouts, content, node_sizes(content.nodes, self.view.font()), {}, {}, shape)

    def _on_laid_out(self, request: int, layout: Layout) -> None:
        if request == self._request:
            self._layout = layout
            self.view.show_graph(self._content, layout, False)
