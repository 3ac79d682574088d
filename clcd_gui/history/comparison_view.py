"""Any two runs side by side: in sentences, as a table, a grid and a graph, filtered by what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QToolButton, QWidget

from clcd_gui.document.document import PreferredVariables
from clcd_gui.document.history import KeptRun
from clcd_gui.document.navigation import Highlight
from clcd_gui.document.templates import filled
from clcd_gui.plots.beside import PictureThread
from clcd_gui.plots.figure import FIGURE_FORMATS, Figure
from clcd_gui.plots.graph_items import node_sizes
from clcd_gui.plots.graph_view import graph_figure, layouts
from clcd_gui.plots.grid_data import GridContent, orders
from clcd_gui.plots.legend import LegendStrip, changes_legend
from clcd_gui.plots.marks import draw_change_mark
from clcd_gui.run.failure import failure_of
from clcd_gui.run.writing import write_run_comparison
from clcd_gui.style import icons
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.text import plain, set_tooltip
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import CAME, NOT_COMPARED, SAID_OTHERWISE, SAME, WENT, Colours, Meaning
from clcd_gui.widgets.controls import Menu, add_menu, choice_box, offer
from clcd_gui.widgets.file_writer import FileWriter
from clcd_gui.widgets.finding_table_model import FindingTableModel
from clcd_gui.widgets.findings_panel import FindingsPanel
from clcd_gui.widgets.graph_frame import GraphFrame
from clcd_gui.widgets.grid_panel import GridPanel
from clcd_gui.widgets.labels import LinkedText
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.page import GradualFilling, Tabs, add_zoom_buttons
from clcd_gui.wording.text import NUMBERS, count_text
from engine.discovery.columns import ContentKind, FindingColumn
from engine.discovery.finding_words import statement
from engine.discovery.orientation.direction import Direction, leading_to
from engine.discovery.run_comparison import Change, FeatureChange, LinkChange, RunComparison, compare_runs
from engine.errors import EngineError, InvalidParameter
from engine.reporting.figures.graph import Edge, EdgeKind, GraphContent, GraphLayout, Node, NodeKind
from engine.reporting.run_comparison import (
    CHANGE_HELP,
    change_phrases,
    change_text,
    circumstance_phrases,
    link_text,
)
from engine.translation import N_, _
from engine.wording.shown_names import shown_name

_MEANINGS = {
    Change.CAME: CAME,
    Change.WENT: WENT,
    Change.NOT_COMPARED: NOT_COMPARED,
    Change.SAME: SAME,
}
_KINDS = {
    CAME: EdgeKind.CAME,
    WENT: EdgeKind.WENT,
    SAID_OTHERWISE: EdgeKind.SAID_OTHERWISE,
    SAME: EdgeKind.SAME,
    NOT_COMPARED: EdgeKind.NOT_COMPARED,
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
    noun=N_("variable"),
    title=N_("Two runs side by side"),
    orders=orders(N_("What changed first")),
    legend=changes_legend(in_graph=False),
    nothing=N_("The two runs do not differ in this."),
    absence=lambda _listing, _feature, _label: _("linked in neither run"),
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
    served = {label for change in chosen for label in change.labels}
    shown = [label for label in labels if label in served]
    hidden_labels = max(len(shown) - _MOST_LABELS, 0)
    shown = shown[:_MOST_LABELS]
    chosen = [change for change in chosen if set(change.labels) & set(shown)]
    nodes = [Node(label, NodeKind.LABEL) for label in shown]
    nodes += [_node(change) for change in chosen]
    edges = [_edge(link) for change in chosen for link in change.links if link.label in shown]
    return GraphContent(tuple(nodes), tuple(edges), len(changes) - len(chosen), hidden_labels)


def _node(change: FeatureChange) -> Node:
    kind = NodeKind.COMMON if change.is_common else NodeKind.LABEL_SPECIFIC
    return Node(change.feature, kind, change.strength, change.labels)


def _edge(change: LinkChange) -> Edge:
    effects = {Direction.CAUSE: change.label, Direction.EFFECT: change.feature}
    told = change.latest.direction, change.latest.grade
    return Edge(
        _KINDS[meaning_of(change)],
        change.feature,
        change.label,
        change.strength,
        label=change.label,
        effect=effects.get(leading_to(*told), ""),
        grade=told[1],
        statement=statement(*told),
    )


class ChangesGraph(GraphFrame):
    """Shows two runs as a graph."""

    def __init__(self, highlight: Highlight, parent: QWidget | None = None) -> None:
        super().__init__(highlight, _(COMPARED.nothing), parent)
        self._layout = GraphLayout({}, ())
        self.view.setAccessibleName(_("Graph of two runs side by side"))
        head = row((self._status, 1))
        add_zoom_buttons(head, self.view.zoom, (_("Fit"), _("Show everything"), self.view.fit))
        self._place_around(head, legend=LegendStrip(changes_legend(in_graph=True), self))

    def set_changes(self, changes: Sequence[FeatureChange], labels: Sequence[str]) -> None:
        """Show what differs between two runs."""
        self.content = compared_graph(changes, labels)
        self._request += 1
        self._draw_anew()

    def figure(self) -> Figure | None:
        """Return the graph as a picture; None when it is empty."""
        if not self._is_drawn or not self._layout.positions:
            for layout in self._computation()():
                self._layout = layout
        if not self.content.edges:
            return None
        return graph_figure(self.content, self._layout, self.font(), changes_legend(in_graph=True))

    def _draw(self) -> None:
        super()._draw()
        self._lay_out_beside(self._computation())

    def _computation(self) -> Callable[[], Iterable[GraphLayout]]:
        """Return what lays the graph out, and touches no widget when it does."""
        sizes = node_sizes(self.content.nodes, self.view.font())
        return partial(layouts, self.content, sizes, {}, {}, self._shape, self.view.room())

    def _on_laid_out(self, request: int, layout: GraphLayout) -> None:
        if request == self._request:
            self._layout = layout
            self.view.show_graph(self.content, layout, False)


_LONGEST_NAME = 40
_CHANGED = "changed"
_TITLES = {
    Change.CAME: N_("Appeared"),
    Change.WENT: N_("Disappeared"),
    Change.TYPE: N_("Common or label-specific"),
    Change.LABELS: N_("Other labels"),
    Change.KIND: N_("Other kind of link"),
    Change.SIGN: N_("Other direction of association"),
    Change.GRADE: N_("Other causal direction"),
    Change.NOT_COMPARED: N_("Not compared"),
    Change.SAME: N_("Same"),
}


# Few enough that all that stands beside it has room in larger text.
_FEWEST_LETTERS = 5


def _offer_runs(box: QComboBox, runs: Sequence[KeptRun], number: int | None) -> None:
    """Offer runs, and choose the one of a number."""
    offer(box, [(run.name, run.number) for run in runs], number)
    set_tooltip(box, box.currentText())


class ComparisonView(FileWriter):
    """Shows what differs between two runs."""

    chosen = Signal(int, int)
    """Two runs are to be compared; with their numbers."""

    def __init__(
        self, highlight: Highlight, preferred: PreferredVariables, parent: QWidget | None = None
    ) -> None:
        super().__init__("run comparison", parent)
        self._highlight, self._preferred = highlight, preferred
        self.comparison: RunComparison | None = None
        self._request = 0
        # Of the runs that were to be compared last.
        self._numbers = 0, 0
        self.first, self.second = (
            choice_box(name, self, _FEWEST_LETTERS) for name in (_("First run"), _("Second run"))
        )
        for box in (self.first, self.second):
            box.activated.connect(self._on_chosen)
        self.swap = QToolButton(self)
        self.swap.setText("⇄")
        self.swap.setAccessibleName(_("Swap the runs"))
        set_tooltip(self.swap, _("Swap the two runs"))
        self.swap.clicked.connect(self._on_swap)
        self.filter = choice_box(_("What changed"), self)
        self.filter.activated.connect(self._begin)
        self.export_button = QPushButton(_("Export…"), self)
        icons.assign(self.export_button, "export", colours(), "text")
        self._make_views()
        self.export_button.setMenu(self._export_menu())
        between, boxes = plain(_("and"), self), (self.swap, self.filter, self.export_button)
        column(row((self.first, 1), between, (self.second, 1), *boxes), (self.tabs, 1), on=self)

    @property
    def is_filled(self) -> bool:
        """Whether every view shows the comparison."""
        return self.comparison is not None and self._filling.is_done

    def set_runs(self, runs: Sequence[KeptRun], first: KeptRun, second: KeptRun) -> None:
        """Compare two of the runs; what is shown stays until it is done."""
        self._numbers = first.number, second.number
        _offer_runs(self.first, runs, first.number)
        _offer_runs(self.second, runs, second.number)
        self._request += 1
        # Rows are looked through to tell whether they are the same, which may take a while.
        thread = PictureThread(partial(_compared, first, second), self._request)
        thread.answered.connect(self._show)
        thread.start()

    def clear(self) -> None:
        """Compare nothing, and hold no run."""
        self._request += 1
        for box in (self.first, self.second):
            _offer_runs(box, (), None)
        self.filter.clear()
        if self.comparison is not None:
            self.comparison = None
            self._begin()

    def find_text(self) -> None:
        """Put the keyboard where something is looked for in the current view."""
        current = self.tabs.currentWidget()
        if isinstance(current, GridPanel):
            current.find_text()
        else:
            self.tabs.setCurrentWidget(self.table)
            self.table.find_text()

    def _make_views(self) -> None:
        self.overview = LinkedText(self._html, "card", self)
        self.overview.setAccessibleName(_("What differs between the two runs"))
        self.overview.followed.connect(lambda pair: self._highlight.select(pair.feature, pair.label))
        self.tabs = Tabs(self, documentMode=True)
        self.tabs.setAccessibleName(_("Views of the comparison of runs"))
        # Its headings name the runs once they are there.
        model = FindingTableModel(_columns((_("first"), _("second"))), essential_columns=4)
        self.table = FindingsPanel(model, self._highlight, self._preferred, _("Variables of two runs"), self)
        self.grid = GridPanel(self._highlight, self, COMPARED)
        self.graph = ChangesGraph(self._highlight, self)
        for panel, title in (
            (self.overview, _("What differs")),
            (self.table, _("Table")),
            (self.grid, _("Grid")),
            (self.graph, _("Graph")),
        ):
            self.tabs.addTab(panel, title)
        self._filling = GradualFilling(self.tabs, self._fill)

    def _on_chosen(self) -> None:
        first, second = self.first.currentData(), self.second.currentData()
        if first is None or second is None:
            return
        if first == second:
            # Whichever box was turned to the run of the other one: the two change places.
            second, first = self._numbers
        self.chosen.emit(first, second)

    def _on_swap(self) -> None:
        first, second = self.first.currentData(), self.second.currentData()
        if first is not None and second is not None:
            self.chosen.emit(second, first)

    def _show(self, request: int, comparison: RunComparison | EngineError) -> None:
        if request != self._request:
            return
        if isinstance(comparison, EngineError):
            self.failed.emit(failure_of(comparison))
            return
        if self.comparison is None or self.comparison.names != comparison.names:
            self.table.model.set_columns(_columns(comparison.names))
        self.comparison = comparison
        self._offer_changes(comparison)
        self._begin()

    def _offer_changes(self, comparison: RunComparison) -> None:
        """Offer what changed, with counts; what was chosen stays while there is any of it."""
        chosen = self.filter.currentData()
        total = len(comparison.feature_changes)
        changed = total - comparison.count(Change.SAME)
        with QSignalBlocker(self.filter):
            self.filter.clear()
            self.filter.addItem(_("Everything ({count})", count=count_text(total)), "")
            self.filter.addItem(_("What changed ({count})", count=count_text(changed)), _CHANGED)
            for change, title in _TITLES.items():
                count = comparison.count(change)
                if count:
                    self.filter.addItem(f"{_(title)} ({count_text(count)})", str(change))
                    self.filter.setItemData(
                        self.filter.count() - 1, _(CHANGE_HELP[change]), Qt.ItemDataRole.ToolTipRole
                    )
            self.filter.setCurrentIndex(max(self.filter.findData(chosen), 0))

    def show_names_anew(self) -> None:
        """Call variables as they are shown now."""
        if self.comparison is not None:
            self._begin()

    def _begin(self) -> None:
        self._filling.begin([self.overview, self.table, self.grid, self.graph])

    @property
    def _changes(self) -> tuple[FeatureChange, ...]:
        if self.comparison is None:
            return ()
        wanted = self.filter.currentData()
        return tuple(
            change
            for change in self.comparison.feature_changes
            if not wanted
            or (change.changes != (Change.SAME,) if wanted == _CHANGED else wanted in change.changes)
        )

    def _fill(self, panel: QWidget) -> None:
        comparison, changes = self.comparison, self._changes
        labels = () if comparison is None else _labels(comparison)
        if panel is self.overview:
            self.overview.refresh()
        elif panel is self.table:
            self.table.set_findings(changes, _(COMPARED.nothing))
        elif panel is self.grid:
            columns = () if comparison is None else comparison.columns
            self.grid.set_findings(ComparedListing(changes, labels, columns))
        else:
            self.graph.set_changes(changes, labels)

    def _html(self) -> str:
        comparison = self.comparison
        if comparison is None:
            return ""
        names = ShortNames(map(shown_name, comparison.columns))
        return filled(
            "run_comparison.html",
            shown=partial(names.shown, room=_LONGEST_NAME),
            changes=change_phrases(comparison, NUMBERS),
            circumstances=circumstance_phrases(comparison, NUMBERS),
        )

    def _export_menu(self) -> QMenu:
        menu = Menu(_("Export the comparison"), self)
        menu.addAction(_("Tables into a folder…")).triggered.connect(self._export_tables)
        for title, name, panel in (
            (_("Grid"), "comparison grid", self.grid),
            (_("Graph"), "comparison graph", self.graph),
        ):
            pictures = add_menu(title, menu)
            for ending, (kind, _draw) in FIGURE_FORMATS.items():
                export = partial(self._export_figure, panel, name, ending)
                pictures.addAction(f"{_(kind)}…").triggered.connect(export)
        menu.addSeparator()
        self.into_report = QAction(_("Put into the report"), menu)
        self.into_report.setCheckable(True)
        set_tooltip(self.into_report, _("Add a part to the report with these two runs side by side"))
        menu.addAction(self.into_report)
        return menu

    def _export_tables(self) -> None:
        if self.comparison is None:
            return
        folder = self._choose_folder(_("Comparison of runs into a folder"))
        if folder is not None:
            self._lane.start(partial(write_run_comparison, self.comparison, folder))

    def _export_figure(
        self, panel: GridPanel | ChangesGraph, name: str, ending: str, _checked: bool = False
    ) -> None:
        self._filling.fill(panel)
        nothing = EngineError(_(COMPARED.nothing), remedy=_("Choose other runs, or show everything."))
        self._write_figure(panel.figure(), name, ending, nothing)


def _compared(first: KeptRun, second: KeptRun) -> Iterator[RunComparison | EngineError]:
    """Compare two runs; all that takes a while is done here."""
    try:
        comparison = compare_runs(
            first.result,
            second.result,
            (first.name, second.name),
            (first.searched.preparation, second.searched.preparation),
        )
        _computed = comparison.feature_changes, comparison.is_same_rows, circumstance_phrases(comparison)
    except InvalidParameter as error:
        yield error
    else:
        yield comparison


def _labels(comparison: RunComparison) -> tuple[str, ...]:
    """Return the labels of either run, in column order."""
    labels = {*comparison.first.dataset.labels, *comparison.second.dataset.labels}
    return tuple(name for name in comparison.columns if name in labels)


_LINKED_BY = (
    N_("The labels that the first run links it to."),
    N_("The labels that the second run links it to."),
)


def _columns(names: tuple[str, str]) -> tuple[FindingColumn[FeatureChange], ...]:
    return (
        FindingColumn(
            "feature",
            lambda change: change.feature,
            ContentKind.NAME,
            title=N_("Variable"),
            help=N_("Its name."),
        ),
        FindingColumn(
            "changes", change_text, title=N_("What differs"), help=N_("What differs between the two runs.")
        ),
        *(
            FindingColumn(
                f"labels_{place}",
                attrgetter(f"labels_{place}"),
                ContentKind.NAMES,
                title=_("In “{name}”", name=name),
                help=help_text,
            )
            for place, help_text, name in zip(("first", "second"), _LINKED_BY, names, strict=True)
        ),
    )
