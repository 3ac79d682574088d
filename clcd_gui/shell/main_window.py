"""The window: the steps at the left, the page of the chosen step, "Why?" at the right, the strip below."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from clcd_gui.comparison.panel import ComparisonTab
from clcd_gui.data.data_page import DataPage, FirstRowsPage
from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.examples import examples
from clcd_gui.document.selection import Selection
from clcd_gui.evidence.panel import EvidencePanel
from clcd_gui.method.method_page import MethodPage
from clcd_gui.results.results_page import ResultsPage
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.jobs import FirstRows, OpenedTable
from clcd_gui.run.session import Session
from clcd_gui.selection.selection_page import SelectionPage
from clcd_gui.shell.activity import Activity
from clcd_gui.shell.commands import WindowCommands
from clcd_gui.shell.steps import SelectionStep, Standings, StepDescription, StepRail
from clcd_gui.start.start_page import StartPage
from clcd_gui.style.text import window_title
from clcd_gui.style.themes import ThemeSwitcher
from clcd_gui.widgets.dialogs import Dialogs
from clcd_gui.widgets.file_drop import FileDrop
from clcd_gui.widgets.run_bar import RunBar

SMALLEST = QSize(900, 600)
USUAL = QSize(1280, 820)
_WHY_WIDTH = 330

STEPS = (
    StepDescription("data", "Data", "data"),
    StepDescription("method", "Method", "method"),
    StepDescription("results", "Results", "results"),
    StepDescription("selection", "Selection", "selection"),
)


class MainWindow(QMainWindow):
    """Puts the pages together and passes requests between them.

    Parameters
    ----------
    session : Session
        The document and its threads.
    settings : AppSettings
    theme : ThemeSwitcher
    dialogs : Dialogs, optional
        Asks for files; a test puts its own in place.
    """

    def __init__(
        self,
        session: Session,
        settings: AppSettings,
        theme: ThemeSwitcher,
        dialogs: Dialogs | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.theme = theme
        self.dialogs = dialogs or Dialogs()
        self.selection = Selection(self)
        self._step = self._step_at_start = self._step_before_reading = "data"
        self.start_page = StartPage(examples())
        self.first_rows_page = FirstRowsPage()
        self.data_page = DataPage(session.document)
        self.method_page = MethodPage(session.document)
        self.results_page = ResultsPage(self.selection)
        self.selection_page = SelectionPage(self.selection)
        self.comparison = ComparisonTab(session)
        self.selection_page.add_panel(self.comparison, "Comparison")
        self.why = EvidencePanel(self.selection)
        self.rail = StepRail(STEPS)
        self.run_bar = RunBar()
        self.setMinimumSize(SMALLEST)
        self._lay_out()
        self.file_drop = FileDrop(self, self.pages)
        self.standings = Standings(session, self)
        self.activity = Activity(session, self.run_bar, self)
        self.commands = WindowCommands(self, self)
        self.selection_step = SelectionStep(session, self.selection_page, self.why, self)
        self._connect()
        self._restore()
        self.go("data")
        self.start_page.primary.setFocus()

    @property
    def step_titles(self) -> list[tuple[str, str]]:
        """Name and title of every step, in order."""
        return [(step.name, step.title) for step in STEPS]

    @property
    def current_step(self) -> str:
        """Name of the step that is shown."""
        return self._step

    def go(self, step: str) -> None:
        """Show a step; without a table the first one is the start page and the others wait."""
        if self.session.document.analysis is None:
            step = "data"
        self._step = step
        self.pages.setCurrentWidget(self._page(step))
        self.rail.set_current(step)
        self.selection_step.set_shown(step == "selection")
        self.refresh_why()

    def open_path(self, path: Path) -> None:
        """Open a table."""
        self.session.opening.open(path)

    def take_labels(self, path: Path) -> None:
        """Read the open table again with the labels that a file names or holds."""
        document = self.session.document
        if document.reading is not None:
            self.session.opening.open(document.reading.path, document.options, path)

    def show_failure(self, failure: RunFailure) -> None:
        """Show what went wrong on the page that is seen, with the changes that help."""
        if self.session.document.analysis is None:
            self.start_page.show_failure(failure)
        elif self._step == "data":
            self.data_page.show_failure(failure, self.commands.take_advice)
        else:
            self.go("method")
            self.method_page.show_failure(failure, self.commands.take_advice)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Vanish at once, end all work, remember the window."""
        self.settings.geometry = self.saveGeometry()
        self.settings.save()
        self.commands.close_windows()
        self.hide()
        self.session.controller.shut_down()
        self.results_page.export_actions.shut_down()
        self.selection_page.export.shut_down()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        self.pages = QStackedWidget()
        for page in (
            self.start_page,
            self.first_rows_page,
            self.data_page,
            self.method_page,
            self.results_page,
            self.selection_page,
        ):
            self.pages.addWidget(page)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._splitter.setProperty("look", "divided")
        self._splitter.addWidget(self.pages)
        self._splitter.addWidget(self.why)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setSizes([USUAL.width() - _WHY_WIDTH, _WHY_WIDTH])
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(self.rail)
        upper.addWidget(self._splitter, 1)
        central = QWidget()
        layout = QVBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(upper, 1)
        layout.addWidget(self.run_bar)
        self.setCentralWidget(central)

    def _connect(self) -> None:
        session = self.session
        self.file_drop.dropped.connect(self.open_path)
        self.file_drop.labels_dropped.connect(self.take_labels)
        session.opening.begun.connect(self._on_begun)
        session.opening.given_up.connect(self._on_given_up)
        session.opening.opened.connect(self._on_opened)
        session.opening.failed.connect(self._on_open_failed)
        session.running.finished.connect(self._on_finished)
        session.running.failed.connect(self.show_failure)
        session.live.failed.connect(self._on_live_failed)
        session.live.changed.connect(self._on_live)
        session.document.result_changed.connect(self._on_result)
        session.document.repeated.connect(self._on_repeated)
        session.repeating.failed.connect(self._on_repeat_failed)
        session.document.analysis_changed.connect(self._on_analysis)
        session.controller.discovery.started.connect(self._on_run_started)
        self.standings.changed.connect(self._on_standings)
        self.selection_step.shown.connect(self.refresh_why)
        self.rail.chosen.connect(self.go)
        self.results_page.step_requested.connect(self.go)
        self.results_page.repeat_requested.connect(session.repeating.start)
        self.selection_page.tabs.currentChanged.connect(self.refresh_why)
        self.comparison.step_requested.connect(self.go)
        self.selection.why_requested.connect(self._on_why_requested)
        self.settings.recent_files_changed.connect(self._list_recent)

    def _restore(self) -> None:
        if not self.restoreGeometry(self.settings.geometry):
            self.resize(USUAL)
        self._list_recent()
        self.session.live.set_wanted(self.settings.live)
        self._on_live()
        self.standings.refresh()

    def _page(self, step: str) -> QWidget:
        if step == "data" and self.session.opening.first_rows is not None:
            return self.first_rows_page
        if self.session.document.analysis is None:
            return self.start_page
        pages = {
            "data": self.data_page,
            "method": self.method_page,
            "results": self.results_page,
            "selection": self.selection_page,
        }
        return pages[step]

    def refresh_why(self) -> None:
        """Show the panel with the evidence where it can answer, unless it was put away."""
        document = self.session.document
        can_answer = {"results": document.result, "selection": document.feature_selection}.get(self._step)
        # A comparison needs the width, and has nothing to be asked about.
        compares = self._step == "selection" and self.selection_page.tabs.currentWidget() is self.comparison
        self.why.setVisible(can_answer is not None and self.settings.shows_why and not compares)

    def show_why(self, shown: bool) -> None:
        """Open or close the panel with the evidence, and remember it."""
        self.settings.shows_why = shown
        self.refresh_why()

    def _on_why_requested(self) -> None:
        self.commands.actions.why.setChecked(True)
        self.why.focus_text()

    def _on_begun(self, first_rows: FirstRows) -> None:
        self._step_before_reading = self._step
        self.first_rows_page.set_first_rows(first_rows)
        self.go("data")

    def _on_given_up(self) -> None:
        # Back to where one was, unless one went elsewhere meanwhile.
        if self.pages.currentWidget() is self.first_rows_page:
            self.go(self._step_before_reading)

    def _on_opened(self, table: OpenedTable) -> None:
        if table.reading.path not in {example.path for example in examples()}:
            self.settings.add_recent_file(table.reading.path)
            self.settings.folder = str(table.reading.path.parent)
        self.setWindowTitle(f"{window_title(table.reading.path.name)} – CLCD")
        self.start_page.forget_failure()
        self.go("data")
        if table.offer_problem is not None:
            self.data_page.show_failure(table.offer_problem)
        self.data_page.columns.setFocus()

    def close_table(self) -> None:
        """Go back to the start page."""
        self.session.controller.discovery.abandon()
        self.session.document.close()
        self.setWindowTitle("CLCD")
        self.go("data")

    def _on_open_failed(self, failure: RunFailure) -> None:
        wanted = self.session.opening.wanted
        can_be_read_otherwise = wanted is not None and wanted.path.is_file()
        if wanted is not None and not can_be_read_otherwise:
            self.settings.forget_recent_file(wanted.path)
        self.go("data")
        if self.session.document.analysis is not None:
            self.show_failure(failure)
        elif wanted is not None and can_be_read_otherwise:
            self.start_page.show_failure(failure, wanted.options, self.commands.take_advice)
        else:
            self.start_page.show_failure(failure)

    def _on_run_started(self) -> None:
        self._step_at_start = self._step
        self.method_page.notice.hide_text()
        self.data_page.notice.hide_text()

    def _on_finished(self) -> None:
        # Someone who went to another page meanwhile is not torn away from it, nor who waits for a selection.
        if self._step == self._step_at_start != "selection":
            self.go("results")
        self.refresh_why()

    def _on_result(self) -> None:
        document = self.session.document
        searched = document.searched
        self.results_page.set_result(
            document.result,
            preparation=searched.preparation if searched is not None else None,
            source=searched.dataset if searched is not None else None,
        )
        self.why.set_result(document.result)
        self._show_standing_of_results()
        self.refresh_why()

    def _on_repeated(self) -> None:
        document = self.session.document
        result, searched = document.result, document.searched
        if result is not None and searched is not None:
            self.results_page.set_repeated(result, searched.preparation, searched.dataset)
            self.why.set_result(result)

    def _on_repeat_failed(self, failure: RunFailure) -> None:
        self.go("results")
        self.results_page.show_failure(failure)

    def _on_analysis(self) -> None:
        analysis = self.session.document.analysis
        if analysis is not None:
            self.results_page.set_level(analysis.discovery.alpha)
        self._show_standing_of_results()

    def _on_live(self) -> None:
        self.results_page.set_live(self.session.live.state)
        self._show_standing_of_results()

    def _on_live_failed(self, failure: RunFailure) -> None:
        self._show_standing_of_results()
        if self._step == "results":
            self.results_page.show_failure(failure)
        else:
            self.show_failure(failure)

    def _show_standing_of_results(self) -> None:
        # What is being searched at this moment is not worth a notice that comes and goes.
        reason = None if self.session.live.is_searching else self.session.document.stale_reason
        self.results_page.set_stale(reason)
        self.selection_page.set_stale(reason)

    def _on_standings(self) -> None:
        standings = self.standings
        for step in STEPS:
            standing = standings.of(step.name)
            button = self.rail.button(step.name)
            button.set_standing(standing.text, standing.ready)
            button.setEnabled(standing.reachable)
            self.commands.actions.steps[step.name].setEnabled(standing.reachable)
        hindrance = self.session.running.hindrance
        self.first_rows_page.set_hindrance(hindrance)
        is_live = self.session.live.is_following
        self.data_page.set_hindrance(hindrance, is_live)
        self.method_page.set_hindrance(hindrance, is_live)
        self.results_page.set_can_run(not hindrance, hindrance)
        self.selection_page.set_can_run(not hindrance, hindrance)
        self.results_page.set_repeat_hindrance(self.session.repeating.hindrance)
        self.run_bar.set_figures(standings.figures)
        self.file_drop.takes_labels = self.session.document.reading is not None
        self.commands.refresh()

    def _list_recent(self) -> None:
        recent = self.settings.recent_files
        self.start_page.set_recent(recent)
        self.commands.actions.set_recent(recent)
