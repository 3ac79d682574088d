"""The graph with its choice of what is shown, zoom and legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from clcd_gui.document.listing import is_of_same_table
from clcd_gui.document.navigation import Highlight
from clcd_gui.plots.figure import Figure
from clcd_gui.plots.graph_items import node_sizes
from clcd_gui.plots.graph_view import graph_figure, layouts, routed
from clcd_gui.plots.grid_data import labels_with_columns
from clcd_gui.plots.legend import LegendStrip, graph_legend
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import literal
from clcd_gui.widgets.controls import FilterBox, choice_box, name_completer
from clcd_gui.widgets.graph_frame import GraphFrame
from clcd_gui.widgets.layouts import row
from clcd_gui.widgets.page import add_zoom_buttons
from clcd_gui.widgets.window_page import ForTable
from clcd_gui.wording.text import NUMBERS
from engine.discovery.findings import Findings
from engine.reporting.figures.graph import (
    GraphContent,
    GraphLayout,
    Positions,
    Way,
    graph_content,
    hidden_words,
    with_associations,
)
from engine.translation import N_, _
from engine.wording.sentences import NO_COUNTED_LINK
from engine.wording.shown_names import shown_name, whole_name

_ARRANGING = N_("Arranging the graph…")
_PIXELS_A_FEATURE = 13_000
_PIXELS_A_LABEL = 34_000
_FEWEST_FEATURES, _MOST_FEATURES = 16, 48
_FEWEST_LABELS, _MOST_LABELS = 8, 24
_LAID_OUT_AT_ONCE = 10
_MOST_GROWTH = 1.4
_LEGEND_ROWS = 2


class GraphPanel(GraphFrame, ForTable):
    """Shows the findings as a graph."""

    moved = Signal(dict)  # a person put nodes elsewhere: where they are
    arranged = Signal()  # a person wants the graph arranged anew
    drawn = Signal(dict)  # the graph of all labels stands; the place of every node

    def __init__(self, highlight: Highlight, parent: QWidget | None = None) -> None:
        super().__init__(highlight, _(NO_COUNTED_LINK), parent)
        self._highlight = highlight
        self._findings: Findings | None = None
        self._more_pages = 0
        self._placed: Positions = {}
        self._where_drawn: Positions = {}
        # Where nodes were before a person put them elsewhere, and those that go back there.
        self._unplaced: Positions = {}
        self._returning: Positions = {}
        # Whether nodes keep their places at the next drawing, and how many there were when all were placed.
        self._stays = False
        self._arranged = 0
        self._drawn: GraphContent | None = None
        self._ways: tuple[tuple[Way, ...], ...] = ()
        self._in_the_making: Callable[[], Iterable[GraphLayout]] | None = None
        self.view.moved.connect(self._on_moved)
        self.find_box = FilterBox(
            _("Find a variable or label"), _("Find a variable or label in the graph"), self, 260
        )
        self.find_box.returnPressed.connect(self._on_find)
        self.label_box = choice_box(_("Labels shown"), self, letters=6)
        self.find_box.setMinimumWidth(self.fontMetrics().averageCharWidth() * 9)
        self.label_box.currentIndexChanged.connect(self._on_label)
        self.more_button = QPushButton(_("Show more"), self)
        set_look(self.more_button, "quiet")
        self.more_button.clicked.connect(self._show_more)
        self._legend = LegendStrip(graph_legend(), self, _LEGEND_ROWS)
        self.legend_button = QPushButton(self)
        set_look(self.legend_button, "link")
        policy = self.legend_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.legend_button.setSizePolicy(policy)
        self.legend_button.setCheckable(True)
        self.legend_button.toggled.connect(self._on_legend)
        self._legend.is_long.connect(self.legend_button.setVisible)
        self._on_legend(False)
        head = row((self.find_box, 1), self.label_box, 0)
        foot = row(self._status, self.more_button, 1, self.legend_button)
        add_zoom_buttons(
            head,
            self.view.zoom,
            (_("Fit"), _("Show everything"), self.view.fit),
            (
                _("Arrange"),
                _("Arrange the graph again, without the positions of nodes that you dragged"),
                self._arrange_anew,
            ),
        )
        self._place_around(head, foot, legend=self._legend)

    def set_findings(self, findings: Findings | None) -> None:
        """Show another result."""
        self._stays = is_of_same_table(self._findings, findings)
        self._findings = findings
        # What is laid out beside the window is of the result before.
        self._request += 1
        self._in_the_making = None
        if not self._stays:
            self._more_pages = 0
            self._offer_labels()
            # It may be laid out beside: nothing of another table is seen till then.
            self.view.show_graph(GraphContent(), GraphLayout({}))
            self._drawn = None
        self._offer_names()
        self._draw_anew()

    def show_associations(self, findings: Findings | None) -> None:
        """Show which way labels go with variables, once that is measured; nothing moves."""
        if findings is None or self._findings is None:
            return
        self._findings = findings
        is_drawn = self._drawn is self.content
        self.content = replace(self.content, edges=with_associations(self.content.edges, findings))
        if is_drawn:
            self._drawn = self.content
            for line, edge in zip(self.view.graph.edges, self.content.edges, strict=True):
                line.set_edge(edge)

    def place(self, places: Mapping[str, tuple[float, float]]) -> None:
        """Put nodes where a person wants them, and others where they would be without a person."""
        if places == self._placed:
            return
        released = self._placed.keys() - places.keys()
        self._returning = {name: self._unplaced[name] for name in released if name in self._unplaced}
        self._placed = dict(places)
        if self._findings is not None:
            self._stays = self._returning.keys() == released
            self._draw_anew()

    def show_names_anew(self) -> None:
        """Call variables as they are shown now; what is chosen stays."""
        chosen = self.label_box.currentData()
        self._offer_labels()
        with QSignalBlocker(self.label_box):
            self.label_box.setCurrentIndex(max(self.label_box.findData(chosen), 0))
        self.set_findings(self._findings)

    def find_text(self) -> None:
        """Put the keyboard where something is looked for."""
        self.find_box.take_focus()

    def forget_table(self) -> None:
        """Look for nothing."""
        self.find_box.clear()

    def figure(self) -> Figure | None:
        """Return the graph as a picture, as it is arranged now; None when it is empty."""
        self._draw_when_due()
        if self._in_the_making is not None:
            self._lay_out_now(self._in_the_making)
        if not self.view.graph.nodes:
            return None
        return graph_figure(self.content, GraphLayout(self.view.graph.positions(), self._ways), self.font())

    def _follow_font(self) -> None:
        if self._findings is not None:
            self._draw_anew()

    def _draw(self) -> None:
        if self._findings is None:
            self.content = GraphContent()
        else:
            label = str(self.label_box.currentData() or "")
            self.content = graph_content(self._findings, *self._room(), label)
        super()._draw()
        content = self.content
        self._legend.set_entries(graph_legend(content))
        sizes = node_sizes(content.nodes, self.view.font())
        self._stays = self._stays and len(content.nodes) <= _MOST_GROWTH * self._arranged
        if not self._stays:
            self._arranged = len(content.nodes)
        previous = self.view.graph.positions() | self._returning if self._stays else {}
        self._returning = {}
        compute = partial(
            layouts, content, sizes, previous, dict(self._placed), self._shape, self.view.room()
        )
        # Results that follow one another quickly must not hold up what makes them follow.
        if len(content.nodes) <= _LAID_OUT_AT_ONCE and not self._stays:
            self._lay_out_now(compute)
        else:
            self._lay_out_beside(compute)

    def _lay_out_now(self, compute: Callable[[], Iterable[GraphLayout]]) -> None:
        for layout in compute():
            self._show(layout)

    def _lay_out_beside(self, compute: Callable[[], Iterable[GraphLayout]]) -> None:
        self._in_the_making = compute
        if self.content.edges and not self.view.graph.nodes:
            # On a machine that does much else this may take a second or two, in which nothing is seen.
            self._status.setText(_(_ARRANGING))
        super()._lay_out_beside(compute)

    def _room(self) -> tuple[int, int]:
        """Return how many features and labels can be read in the room that there is."""
        area = self._stack.currentWidget().size()
        pixels = area.width() * area.height()
        features = min(max(pixels // _PIXELS_A_FEATURE, _FEWEST_FEATURES), _MOST_FEATURES)
        labels = min(max(pixels // _PIXELS_A_LABEL, _FEWEST_LABELS), _MOST_LABELS)
        return features * (1 + self._more_pages), labels * (1 + self._more_pages)

    def _on_laid_out(self, request: int, layout: GraphLayout) -> None:
        if request == self._request and self._in_the_making is not None:
            self._show(layout)

    def _show(self, layout: GraphLayout) -> None:
        """Show nodes at their places; where they are there already, only the ways of the lines."""
        self._ways = layout.ways
        if layout.ways or not self.content.edges:
            self._in_the_making = None
        if self._drawn is self.content and layout.positions == self.view.graph.positions():
            self.view.graph.take_ways(layout.ways)
            return
        self._drawn, self._where_drawn = self.content, dict(layout.positions)
        self.view.show_graph(self.content, layout, self._stays)
        self._tell_hidden()
        if not self.label_box.currentData():
            self.drawn.emit(self._where_drawn)
        self._stays = False

    def _on_moved(self, moved: Positions) -> None:
        before = {name: self._where_drawn[name] for name in moved}
        self._where_drawn |= moved
        self._unplaced |= {name: place for name, place in before.items() if name not in self._placed}
        self._placed |= moved
        self.moved.emit(moved)
        self._request += 1
        content, positions = self.content, self.view.graph.positions()
        self._lay_out_beside(partial(routed, content, positions, node_sizes(content.nodes, self.view.font())))

    def _arrange_anew(self) -> None:
        self._placed.clear()
        self.arranged.emit()
        self._draw()

    def _on_legend(self, unfolded: bool) -> None:
        self._legend.unfold(unfolded)
        self.legend_button.setText(_("Shorten legend") if unfolded else _("Show whole legend"))

    def _on_label(self) -> None:
        self._more_pages = 0
        self._draw()

    def _show_more(self) -> None:
        self._more_pages += 1
        self._draw()

    def _on_find(self) -> None:
        wanted = self.find_box.text().casefold().strip()
        if not wanted or self._findings is None:
            return
        names = [*self._findings.labels, *(finding.feature for finding in self._findings.all)]
        exact = [name for name in names if wanted in (name.casefold(), shown_name(name).casefold())]
        matches = exact or [name for name in names if wanted in whole_name(name).casefold()]
        if not matches:
            self._status.setText(_("No variable or label is called “{text}”.", text=self.find_box.text()))
            return
        self._reveal(matches[0])

    def _reveal(self, name: str) -> None:
        assert self._findings is not None
        if name not in self.view.graph.nodes:
            finding = self._findings.finding(name)
            label = name if finding is None else finding.labels[0]
            self.label_box.setCurrentIndex(max(self.label_box.findData(label), 0))
        is_label = self._findings.is_label(name)
        self._highlight.select(None if is_label else name, name if is_label else None)

    def _offer_labels(self) -> None:
        findings = self._findings
        box, labels = self.label_box, () if findings is None else labels_with_columns(findings)
        with QSignalBlocker(box):
            box.clear()
            box.addItem(_("All labels"), "")
            for label in labels:
                box.addItem(shown_name(label), label)
                box.setItemData(box.count() - 1, literal(whole_name(label)), Qt.ItemDataRole.ToolTipRole)
        self.label_box.setVisible(findings is not None and len(findings.labels) > 1)

    def _offer_names(self) -> None:
        findings = self._findings
        names = [] if findings is None else [*findings.labels, *(finding.feature for finding in findings.all)]
        completer = name_completer(list(map(shown_name, names)), self.find_box)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.activated.connect(self._on_find, Qt.ConnectionType.QueuedConnection)
        self.find_box.setCompleter(completer)

    def _tell_hidden(self) -> None:
        super()._tell_hidden()
        self.more_button.setVisible(bool(hidden_words(self.content, NUMBERS)))
