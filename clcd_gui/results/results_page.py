"""The page of results: overview, tables, grid and graph over one selection."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QStackedLayout, QTabWidget, QWidget

from clcd_gui.document.listing import is_of_same_table
from clcd_gui.document.selection import SelectedPair, Selection
from clcd_gui.plots.figure import Figure
from clcd_gui.results.bars import HowSureButton, LevelBar
from clcd_gui.results.graph_panel import GraphPanel
from clcd_gui.results.overview import overview_html
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.live import LiveState
from clcd_gui.style import icons
from clcd_gui.style.themes import colours
from clcd_gui.widgets.empty_page import EmptyPage
from clcd_gui.widgets.export_actions import ExportActions
from clcd_gui.widgets.finding_table import FindingsPanel
from clcd_gui.widgets.finding_table_model import FindingTableModel
from clcd_gui.widgets.grid_panel import GridPanel
from clcd_gui.widgets.labels import LinkedText
from clcd_gui.widgets.notices import Notice, StaleNotice, show_written
from clcd_gui.widgets.page import GradualFilling, Page
from clcd_gui.wording.settings import rests_on
from clcd_gui.wording.text import count_text
from engine.discovery import tables
from engine.discovery.columns import Output, ResultTable
from engine.discovery.findings import Finding, Findings
from engine.discovery.result import DiscoveryResult
from engine.preparation.settings import PreparationSettings
from engine.table.dataset import Dataset

_WHAT = (
    "This page will show which variables bear on several labels at once and which on one label alone: "
    "first in a few sentences, then as tables, as a grid and as a graph. Every finding can be asked “why?”."
)
_NO_COMMON = "No variable bears on two or more labels, as far as these data show."
_NO_COMMON_ONE_LABEL = "There is one label only; a variable can be common to two or more."
_NO_SPECIFIC = "No variable bears on one label alone, as far as these data show."


def window_model(table: ResultTable[Finding]) -> FindingTableModel:
    """Return the model of a table of the result, with the columns that it has in the window."""
    return FindingTableModel(table.columns_in(Output.WINDOW), table.essential)


class ResultsPage(QWidget):
    """Shows one result in five ways.

    Parameters
    ----------
    selection : Selection
        Shared with the evidence panel.
    """

    run_requested = Signal()
    step_requested = Signal(str)
    repeat_requested = Signal(object)
    level_chosen = Signal(float, str)
    live_requested = Signal(bool)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._result: DiscoveryResult | None = None
        self.export_actions = ExportActions(self)
        self.stale_notice = StaleNotice("These results are", self)
        self.stale_notice.run_requested.connect(self.run_requested)
        self.export_notice = Notice(self)
        self.export_actions.written.connect(self._on_written)
        self.export_actions.failed.connect(self.show_failure)
        self.empty = EmptyPage("No results yet", _WHAT, self)
        self.empty.requested.connect(self.run_requested)
        self._stays = False
        self._make_panels()
        self._filled = self._make_filled()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._filled)
        self.export_actions.set_figures(
            {"graph": partial(self._figure, self.graph), "grid": partial(self._figure, self.grid)}
        )

    def set_result(
        self,
        result: DiscoveryResult | None,
        preparation: PreparationSettings | None = None,
        source: Dataset | None = None,
    ) -> None:
        """Show another result, or the empty page.

        Parameters
        ----------
        result : DiscoveryResult or None
            What was found.
        preparation : PreparationSettings, optional
            How the table was made ready; exported files say so.
        source : Dataset, optional
            The table as it was read; exported data files hold its values.
        """
        before = self._findings
        self._result = result
        self._stays = is_of_same_table(before, self._findings)
        self._forget_unknown_selection()
        self.export_actions.set_result(result, preparation, source)
        self.export_notice.hide_text()
        self._filling.begin([self.overview, self.common, self.label_specific, self.grid, self.graph])
        self._tell_counts()
        if self._findings is None:
            self.set_stale(None)
        self._stack.setCurrentWidget(self.empty if self._findings is None else self._filled)

    def set_repeated(
        self,
        result: DiscoveryResult,
        preparation: PreparationSettings | None = None,
        source: Dataset | None = None,
    ) -> None:
        """Show how often the findings that are shown were found again; pictures stay as they are.

        Parameters
        ----------
        result : DiscoveryResult
            The one that is shown, with its stability.
        preparation, source
            As for :meth:`set_result`.
        """
        self._result = result
        self.export_actions.set_result(result, preparation, source)
        pictures = [panel for panel in (self.grid, self.graph) if self._filling.is_due(panel)]
        self._filling.begin([self.overview, self.common, self.label_specific, *pictures])

    @property
    def _findings(self) -> Findings | None:
        return self._result.findings if self._result is not None else None

    @property
    def is_filled(self) -> bool:
        """Whether every view holds the result; those that are not looked at are filled a moment later."""
        return self._filling.is_done

    def set_level(self, level: float) -> None:
        """Show the level that a search would use now."""
        self.level_bar.set_level(level)

    def set_live(self, state: LiveState) -> None:
        """Say whether results follow every change by themselves."""
        self.level_bar.set_live(state)

    def set_stale(self, reason: str | None) -> None:
        """Mark the result as one from earlier settings, and say which; None takes the mark away."""
        self.stale_notice.set_reason(reason if self._findings is not None else None)

    @property
    def run_button(self) -> QPushButton | None:
        """The button that runs again; None while nothing changed."""
        return self.stale_notice.button

    def set_can_run(self, possible: bool, reason: str = "") -> None:
        """Allow Run on this page, or say what it waits for."""
        self.empty.set_possible(possible, reason)
        self.stale_notice.set_can_run(possible, reason)

    def set_repeat_hindrance(self, reason: str) -> None:
        """Allow to ask how sure the findings are, or say what that waits for."""
        self.how_sure.set_hindrance(reason)

    def show_failure(self, failure: RunFailure) -> None:
        """Say why something that was asked for on this page did not work."""
        self.export_notice.show_failure(failure)

    def show_pair(self, pair: SelectedPair) -> None:
        """Select a pair and go to the view that shows it best."""
        findings = self._findings
        if findings is None:
            return
        finding = findings.finding(pair.feature) if pair.feature is not None else None
        if finding is not None:
            panel = self.common if finding.is_common else self.label_specific
            self._filling.fill(panel)
            panel.reveal(finding.feature)
            self.tabs.setCurrentWidget(panel)
        elif pair.label is not None:
            self.tabs.setCurrentWidget(self.grid)
        self._selection.select(pair.feature, pair.label)
        self._selection.ask_why()

    def find_text(self) -> None:
        """Put the keyboard where something is looked for in the current view."""
        current = self.tabs.currentWidget()
        if isinstance(current, FindingsPanel | GridPanel | GraphPanel):
            current.find_text()
        else:
            self.tabs.setCurrentWidget(self.common)
            self.common.find_text()

    def _make_panels(self) -> None:
        self.overview = LinkedText(self._overview_html, "card", self)
        self.overview.setAccessibleName("Overview of the results")
        self.overview.followed.connect(self.show_pair)
        self.overview.step_followed.connect(self.step_requested)
        self.common = FindingsPanel(window_model(tables.COMMON), self._selection, "Common variables", self)
        self.label_specific = FindingsPanel(
            window_model(tables.LABEL_SPECIFIC), self._selection, "Label-specific variables", self
        )
        self.grid = GridPanel(self._selection, self)
        self.graph = GraphPanel(self._selection, self)

    def _make_filled(self) -> QWidget:
        self._page = Page("Results", self)
        self._page.set_primary("Export…", enabled=True)
        self.export_button = self._page.primary
        self.export_button.setMenu(self.export_actions.menu)
        icons.assign(self.export_button, "export", colours(), "accent_text")
        self.how_sure = HowSureButton(self)
        self.how_sure.chosen.connect(self.repeat_requested)
        self._page.add_secondary(self.how_sure)
        self.level_bar = LevelBar(self)
        self.level_bar.chosen.connect(self.level_chosen)
        self.level_bar.live_requested.connect(self.live_requested)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Views of the results")
        for panel, title in (
            (self.overview, "Overview"),
            (self.common, "Common"),
            (self.label_specific, "Label-specific"),
            (self.grid, "Grid"),
            (self.graph, "Graph"),
        ):
            self.tabs.addTab(panel, title)
        self._filling = GradualFilling(self.tabs, self._fill)
        for widget in (self.level_bar, self.stale_notice, self.export_notice):
            self._page.body.addWidget(widget)
        self._page.body.addWidget(self.tabs, 1)
        return self._page

    def _fill(self, panel: QWidget) -> None:
        """Hand the findings to a panel."""
        findings = self._findings
        if panel is self.overview:
            self.overview.refresh(self._stays)
        elif panel is self.common:
            one_label = findings is not None and len(findings.labels) == 1
            empty = _NO_COMMON_ONE_LABEL if one_label else _NO_COMMON
            self.common.set_findings(findings.common if findings else (), empty)
        elif panel is self.label_specific:
            self.label_specific.set_findings(findings.label_specific if findings else (), _NO_SPECIFIC)
        elif panel is self.grid:
            self.grid.set_findings(findings)
        else:
            self.graph.set_findings(findings)

    def _figure(self, panel: GraphPanel | GridPanel) -> Figure | None:
        self._filling.fill(panel)
        return panel.figure()

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        show_written(self.export_notice, paths)

    def _tell_counts(self) -> None:
        findings = self._findings
        if self._result is None or findings is None:
            return
        self._page.subtitle.setText(rests_on(self._result))
        for panel, title, found in (
            (self.common, "Common", findings.common),
            (self.label_specific, "Label-specific", findings.label_specific),
        ):
            self.tabs.setTabText(self.tabs.indexOf(panel), f"{title} ({count_text(len(found))})")

    def _forget_unknown_selection(self) -> None:
        pair, findings = self._selection.pair, self._findings
        known = findings is not None and all(
            name is None or findings.is_known(name) for name in (pair.feature, pair.label)
        )
        if not known:
            self._selection.clear()

    def _overview_html(self) -> str:
        return overview_html(self._result) if self._result is not None else ""
