"""The window: the steps at the left, the page of the chosen step, "Why?" at the right, the strip below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSplitter, QStyle, QVBoxLayout, QWidget

from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.navigation import Navigation
from clcd_gui.evidence.panel import EvidencePanel
from clcd_gui.plots.beside import PictureThread
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import WritingLane
from clcd_gui.run.session import Session
from clcd_gui.run.table_reading import OpenedTable
from clcd_gui.shell.activity import Activity
from clcd_gui.shell.commands import WindowCommands
from clcd_gui.shell.pages import FIRST_ROWS, IMPORT, START, Pages
from clcd_gui.shell.recovery_bar import CrashNotice, RecoveryBar
from clcd_gui.shell.steps import STEPS, StepDescription, StepRail
from clcd_gui.shell.tour import Tour, TourPlaces
from clcd_gui.style.text import window_title
from clcd_gui.style.themes import ThemeSwitcher, follow_theme
from clcd_gui.widgets.dialogs import Dialogs
from clcd_gui.widgets.file_drop import FileDrop
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.run_bar import RunBar
from clcd_gui.widgets.window_page import WindowPage, Workspace

if TYPE_CHECKING:
    from clcd_gui.data.first_rows_page import FirstRowsPage
    from clcd_gui.data.import_page import ImportPage
    from clcd_gui.start.start_page import StartPage

SMALLEST = QSize(900, 600)
USUAL = QSize(1280, 820)
_WHY_WIDTH = 330


class MainWindow(QMainWindow):
    """Lays the pages out and shows that of the step; pages observe the workspace themselves."""

    def __init__(
        self,
        session: Session,
        settings: AppSettings,
        theme: ThemeSwitcher,
        dialogs: Dialogs | None = None,
        steps: Sequence[StepDescription] = STEPS,
    ) -> None:
        super().__init__()
        self.session, self.settings, self.theme = session, settings, theme
        self._dialogs = dialogs or Dialogs()
        self.workspace = workspace = Workspace(session, settings, self._dialogs, self)
        self.highlight, self.navigation = workspace.highlight, workspace.navigation
        self._steps = {step.name for step in steps}
        self._step_at_start = self._step_before_reading = Navigation.FIRST
        self.pages = Pages(workspace, steps)
        self.why = EvidencePanel(workspace)
        self.rail = StepRail(steps, workspace)
        self.run_bar = RunBar()
        self.recovery_bar = RecoveryBar(workspace)
        self.crash_notice, self.source_notice = CrashNotice(), Notice()
        self.setMinimumSize(SMALLEST)
        self._lay_out()
        self.file_drop = FileDrop(self, self.pages, workspace)
        self.activity = Activity(session, self.run_bar, self)
        self.commands = WindowCommands(workspace, theme, steps, self.pages, self)
        self.tour = Tour(self, TourPlaces(workspace, self.pages, self.why))
        self._connect()
        if not self.restoreGeometry(settings.geometry):
            title_bar = self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
            self.resize(USUAL.boundedTo(self.screen().availableSize() - QSize(0, title_bar)))
        session.live.set_wanted(settings.live)
        session.live.changed.connect(self._remember_live)
        self.go(Navigation.FIRST)
        self._follow_theme()
        self.start_page.tour_requested.connect(self._take_tour)
        self.start_page.primary.setFocus()

    def page(self, step: str) -> WindowPage:
        """Return the page of a step."""
        return self.pages.page(step)

    @property
    def start_page(self) -> StartPage:
        """The page that is seen before a table is open."""
        return cast("StartPage", self.pages.page(START))

    @property
    def first_rows_page(self) -> FirstRowsPage:
        """The page of a large table that is being read."""
        return cast("FirstRowsPage", self.pages.page(FIRST_ROWS))

    @property
    def import_page(self) -> ImportPage:
        """The page of a file that is looked at before it is opened."""
        return cast("ImportPage", self.pages.page(IMPORT))

    def go(self, step: str) -> None:
        """Show a step; without a table the first one is the start page and the others wait."""
        self.navigation.go(step)

    def open_path(self, path: Path) -> None:
        """Open a table."""
        self.workspace.files.open(path)

    def show_failure(self, failure: RunFailure) -> None:
        """Show what went wrong on the page that is seen; where settings help, on the page that has them."""
        if self.session.document.analysis is None:
            self.start_page.show_failure(failure)
            return
        if failure.changes and self.navigation.step != Navigation.FIRST:
            self.go("method")
        self.page(self.navigation.step).show_failure(failure)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about what is not saved; then vanish, end all searches and write what was asked for.

        What cannot be written is told, as the pages that would say so are gone.
        """
        if not self.workspace.files.may_leave(self.close):
            event.ignore()
            return
        self.workspace.files.release()
        self.settings.geometry = self.saveGeometry()
        self.settings.save()
        self.hide()
        self.session.controller.ask_to_end()
        lanes = self._writing_lanes()
        self.commands.close_windows()
        # Before the process ends that draws what they write.
        self.pages.shut_down()
        self.session.controller.shut_down()
        self.session.autosave.end()
        PictureThread.end_all()
        if untold := [failure for lane in lanes for failure in lane.untold]:
            self._dialogs.tell_not_written(None, untold)
        super().closeEvent(event)

    def _writing_lanes(self) -> list[WritingLane]:
        """List what writes files, here and in the windows beside."""
        owners = (self, self.session.controller, *self.commands.windows.windows)
        return list(dict.fromkeys(lane for owner in owners for lane in owner.findChildren(WritingLane)))

    def _lay_out(self) -> None:
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._splitter.addWidget(self.pages)
        self._splitter.addWidget(self.why)
        line = self._splitter.handle(1)
        line.setAutoFillBackground(True)
        line.setBackgroundRole(QPalette.ColorRole.Mid)
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
        layout.addWidget(self.crash_notice)
        layout.addWidget(self.recovery_bar)
        layout.addWidget(self.source_notice)
        layout.addLayout(upper, 1)
        layout.addWidget(self.run_bar)
        self.setCentralWidget(central)

    def _follow_theme(self) -> None:
        """Have each part follow the theme for itself, so that pages that are not seen need not at once."""
        notices = (self.crash_notice, self.recovery_bar, self.source_notice)
        for part in (self.menuBar(), self.rail, self.why, self.run_bar, *notices):
            follow_theme(part)

    def _connect(self) -> None:
        session = self.session
        self.commands.actions.tour.triggered.connect(self._take_tour)
        self.navigation.changed.connect(self._on_step)
        self.pages.made.connect(self._on_made)
        self.settings.shows_why_changed.connect(self._show_why)
        self.highlight.why_requested.connect(self._on_why_requested)
        session.opening.begun.connect(self._on_begun)
        session.opening.previewed.connect(self._on_previewed)
        session.opening.given_up.connect(self._on_given_up)
        session.opening.opened.connect(self._on_opened)
        session.opening.labelled.connect(self._on_labelled)
        session.opening.failed.connect(self._on_open_failed)
        session.document.closed.connect(self._on_closed)
        session.document.modified_changed.connect(self._tell_title)
        session.saving.saved.connect(self._tell_title)
        session.saving.failed.connect(self.show_failure)
        session.autosave.failed.connect(self.show_failure)
        session.files.source_changed.connect(self._on_source_changed)
        for signal in (session.document.opened, session.document.closed):
            signal.connect(self.source_notice.hide_text)
        session.controller.discovery.started.connect(self._on_run_started)
        session.running.finished.connect(self._on_finished)
        session.running.failed.connect(self.show_failure)
        session.live.failed.connect(self._on_live_failed)

    def _take_tour(self) -> None:
        self.start_page.forget_tour()
        self.tour.start()

    @Slot(WindowPage)
    def _on_made(self, page: WindowPage) -> None:
        page.can_explain_changed.connect(self._show_why)
        page.part_made.connect(self.file_drop.take_from)
        self.file_drop.take_from(page)

    def _on_step(self, step: str) -> None:
        if step == Navigation.FIRST and self.session.opening.first_rows is not None:
            self.pages.show_page(FIRST_ROWS)
        elif step == Navigation.FIRST and self.session.opening.preview is not None:
            self.pages.show_page(IMPORT)
        elif self.session.document.analysis is None:
            self.pages.show_page(START)
        else:
            self.pages.show_page(step)
            self.session.document.presentation.remember("step", step)
        self._show_why()

    def _show_why(self) -> None:
        """Show the panel with the evidence where it can answer, unless it was put away."""
        self.why.setVisible(self.pages.shown.can_explain and self.settings.shows_why)

    def _on_why_requested(self) -> None:
        self.settings.shows_why = True
        self.why.focus_text()

    def _on_begun(self) -> None:
        self._step_before_reading = self.navigation.step
        self.go(Navigation.FIRST)

    def _on_previewed(self) -> None:
        if not self.pages.is_shown(IMPORT):
            self._step_before_reading = self.navigation.step
            self.go(Navigation.FIRST)
            self.import_page.setFocus()

    def _on_given_up(self) -> None:
        # Back to where one was, unless one went elsewhere meanwhile.
        if self.session.opening.preview is not None:
            self.go(Navigation.FIRST)
        elif self.pages.is_shown(FIRST_ROWS) or self.pages.is_shown(IMPORT):
            self.go(self._step_before_reading)

    def _on_opened(self, table: OpenedTable) -> None:
        self._tell_title()
        has_result = table.project is not None and bool(table.project.runs)
        left = self.session.document.presentation.opened("step")
        step = ("results" if left not in self._steps else str(left)) if has_result else Navigation.FIRST
        self.go(step)
        self.page(step).setFocus()
        if table.offer_problem is not None:
            self.page(Navigation.FIRST).show_failure(table.offer_problem)

    def _on_labelled(self) -> None:
        self.go(Navigation.FIRST)
        self.page(Navigation.FIRST).setFocus()

    def _on_source_changed(self, path: Path) -> None:
        self.source_notice.show_text(
            f"“{path.name}” is not what it was when its table was read for this project. The project goes on "
            "with the table as it was.",
            "warning",
        )
        self.source_notice.add_action("Open the file as it is now", partial(self.open_path, path))

    def _tell_title(self) -> None:
        """Name what is open in the title, with a mark while anything is not saved."""
        document = self.session.document
        if document.reading is None:
            self.setWindowTitle("CLCD")
            return
        path = document.project_path or document.reading.path
        name = window_title(path.name)
        self.setWindowTitle(
            f"{name} (read-only)[*] – CLCD" if self.workspace.files.is_read_only else f"{name}[*] – CLCD"
        )
        self.setWindowModified(document.is_modified)

    def _on_closed(self) -> None:
        self._tell_title()
        self.go(Navigation.FIRST)

    def _on_open_failed(self, failure: RunFailure) -> None:
        self.go(Navigation.FIRST)
        if self.session.document.analysis is not None:
            self.show_failure(failure)

    def _on_run_started(self) -> None:
        self._step_at_start = self.navigation.step

    def _on_finished(self) -> None:
        # Someone who went to another page meanwhile is not torn away from it, nor who waits for a selection.
        if self.navigation.step == self._step_at_start != "selection":
            self.go("results")

    def _remember_live(self) -> None:
        wanted = self.session.live.state.wanted
        if wanted != self.settings.live:
            self.settings.live = wanted

    def _on_live_failed(self, failure: RunFailure) -> None:
        if not self.page(self.navigation.step).shows_live_failures:
            self.show_failure(failure)
