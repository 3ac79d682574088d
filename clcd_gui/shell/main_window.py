"""The window: the steps at the left, the page of the chosen step, "Why?" at the right, the strip below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QDate, QDateTime, QLocale, QObject, QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPalette
from PySide6.QtWidgets import QFrame, QMainWindow, QPushButton, QSplitter, QStyle, QWidget

from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.columns import feature_figures
from clcd_gui.document.navigation import Navigation
from clcd_gui.document.recovery import Recovery
from clcd_gui.evidence.panel import EvidencePanel
from clcd_gui.plots.beside import PictureThread
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.kernels import COMPILING
from clcd_gui.run.lane import Standing, WritingLane
from clcd_gui.run.session import Session
from clcd_gui.run.table_reading import OpenedTable
from clcd_gui.run.table_steps import MAKING_STEPS
from clcd_gui.shell.commands import WindowCommands
from clcd_gui.shell.pages import FIRST_ROWS, IMPORT, START, Pages
from clcd_gui.shell.steps import STEPS, StepDescription, StepRail
from clcd_gui.shell.tour import Tour, TourPlaces
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import caption, muted, set_tooltip, title, window_title
from clcd_gui.style.themes import ThemeSwitcher, follow_theme
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.controls import push_button
from clcd_gui.widgets.dialogs import SAVE_FOLDER, Dialogs, ExportDialogs
from clcd_gui.widgets.file_drop import FileDrop
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, delete_widgets, row
from clcd_gui.widgets.notices import Notice, show_written
from clcd_gui.widgets.run_bar import RunBar
from clcd_gui.widgets.window_page import WindowPage, Workspace
from clcd_gui.wording.text import count_text, counted, duration_text
from engine.atomic import write_text
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import StabilityResult
from engine.errors import UnwritableFile
from engine.translation import N_, _, for_count

if TYPE_CHECKING:
    from clcd_gui.data.data_page import DataPage
    from clcd_gui.data.import_page import ImportPage
    from clcd_gui.start.start_page import StartPage


def _compiling_text() -> str:
    return f"{_(COMPILING.stage)}: {_(COMPILING.detail)}"


class Activity(QObject):
    """Shows the foremost lane at work in a run bar, or else that searches are being compiled."""

    def __init__(self, session: Session, bar: RunBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._bar = session, bar
        controller, opening = session.controller, session.opening
        self._files, self._steps, self._selection = controller.files, controller.steps, controller.selection
        self._discovery, self._live = controller.discovery, controller.live
        self._repetition = controller.repetition
        self._searches = (self._discovery, self._live, self._repetition)
        self._shows_steps = False
        self._is_compiling = False
        # A table that is read in a moment needs no progress: the bar would only flicker.
        self._files.noticed.connect(self._on_reading_noticed)
        self._files.progressed.connect(bar.set_standing)
        self._files.ended.connect(self._rest)
        self._steps.noticed.connect(self._on_steps_noticed)
        self._steps.progressed.connect(self._on_making_steps)
        self._steps.ended.connect(self._on_steps_made)
        self._discovery.noticed.connect(self._on_noticed)
        self._discovery.progressed.connect(self._on_searching)
        self._discovery.stopping.connect(bar.set_stopping)
        self._discovery.succeeded.connect(self._on_found)
        self._discovery.failed.connect(self._on_failed)
        self._discovery.stopped.connect(self._on_stopped)
        self._live.noticed.connect(self._on_noticed)
        self._live.progressed.connect(self._on_following)
        self._live.succeeded.connect(self._on_found)
        self._live.failed.connect(self._on_failed)
        session.live.changed.connect(self._rest)
        self._repetition.started.connect(self._on_noticed)
        self._repetition.progressed.connect(self._on_repeating)
        self._repetition.stopping.connect(bar.set_stopping)
        self._repetition.succeeded.connect(self._on_counted)
        self._repetition.failed.connect(self._on_not_counted)
        self._repetition.stopped.connect(self._on_not_counted)
        self._selection.noticed.connect(self._on_selecting_noticed)
        self._selection.progressed.connect(self._on_selecting)
        self._selection.ended.connect(self._on_selected)
        bar.stop_requested.connect(session.stop)
        session.document.opened.connect(self._rest)
        of_opening = (opening.previewed, opening.given_up, opening.opened)
        for signal in (session.changed, session.checking.changed, *of_opening):
            signal.connect(self._show_size)
        self._show_size()
        controller.warming.progressed.connect(self._on_warming)
        controller.warming.ended.connect(self._on_warm)

    def _show_size(self) -> None:
        """Say how large the table is; nothing while its beginning is there alone, or another is looked at."""
        analysis, opening = self._session.document.analysis, self._session.opening
        if analysis is None or opening.first_rows is not None or opening.preview is not None:
            self._bar.set_figures("")
            return
        dataset = analysis.dataset
        features = feature_figures(dataset.features, self._session.checking.left_out)
        rows, labels = counted(dataset.row_count, "row"), counted(len(dataset.labels), "label")
        self._bar.set_figures(" · ".join((rows, *features, labels)))

    def _rest(self) -> None:
        is_noticed = self._selection.is_noticed or self._steps.is_noticed
        if not is_noticed and not any(lane.is_busy for lane in self._searches):
            self._bar.set_idle(_compiling_text() if self._is_compiling else "")

    def _on_reading_noticed(self) -> None:
        # A preview that is read again after a choice tells no progress.
        if self._bar.stop.isHidden():
            self._bar.set_working(_("Reading"))

    def _on_steps_noticed(self) -> None:
        if not self._files.is_busy:
            self._shows_steps = True
            self._bar.set_working(_(MAKING_STEPS))

    def _on_making_steps(self, standing: Standing) -> None:
        if self._shows_steps and not self._files.is_busy:
            self._bar.set_standing(standing)

    def _on_steps_made(self) -> None:
        if self._shows_steps:
            self._shows_steps = False
            self._rest()

    def _on_warming(self, standing: Standing) -> None:
        if (standing.stage, standing.detail) != (COMPILING.stage, COMPILING.detail):
            self._on_warm()
        elif not self._is_compiling:
            self._is_compiling = True
            if not self._files.is_busy:
                self._rest()

    def _on_warm(self) -> None:
        self._is_compiling = False
        if self._bar.activity.text() == _compiling_text():
            self._rest()

    def _on_noticed(self) -> None:
        self._bar.set_working(_("Preparing"))

    def _on_following(self, standing: Standing) -> None:
        if self._live.is_noticed and not self._is_before_searching:
            self._bar.set_standing(standing)

    def _on_searching(self, standing: Standing) -> None:
        is_told = self._discovery.is_noticed and not self._discovery.is_stopping
        if is_told and not self._is_before_searching:
            self._bar.set_standing(standing)

    def _on_repeating(self, standing: Standing) -> None:
        if not (self._is_before_searching or self._repetition.is_stopping):
            self._bar.set_standing(standing)

    def _on_selecting_noticed(self) -> None:
        if not self._is_searching:
            self._bar.set_working(_("Preparing"))

    def _on_selecting(self, standing: Standing) -> None:
        if self._selection.is_noticed and not self._is_searching:
            self._bar.set_standing(standing)

    def _on_selected(self) -> None:
        if not self._bar.stop.isHidden() and not self._is_searching:
            self._bar.set_idle()

    @property
    def _is_before_searching(self) -> bool:
        """Whether something is shown that comes before searching."""
        return self._files.is_busy or self._shows_steps

    @property
    def _is_searching(self) -> bool:
        return self._is_before_searching or any(lane.is_busy for lane in self._searches)

    def _on_counted(self, stability: StabilityResult) -> None:
        finished, total = count_text(stability.finished), count_text(stability.settings.resamples)
        if stability.is_partial:
            self._bar.set_idle(
                _("Stopped; {finished} of {total} parts searched again", finished=finished, total=total)
            )
        else:
            self._bar.set_idle(
                _(
                    "{total} parts searched again in {seconds}",
                    total=total,
                    seconds=duration_text(stability.seconds),
                )
            )

    def _on_not_counted(self) -> None:
        # A new run says for itself what is going on.
        if not self._discovery.is_busy:
            self._bar.set_idle(_("No part was searched again"))

    def _on_found(self, result: DiscoveryResult) -> None:
        tests = counted(result.tests_made, "test")
        if not result.boundaries:
            self._on_stopped()
        elif not result.directions_finished and not result.unfinished_labels:
            self._bar.set_idle(
                _("Stopped; all labels finished, but not the directions; {tests}", tests=tests)
            )
        elif result.is_partial:
            done = len(result.boundaries)
            labels = counted(len(result.dataset.labels), "label")
            self._bar.set_idle(
                _("Stopped; {done:,} of {labels} finished, {tests}", done=done, labels=labels, tests=tests)
            )
        else:
            self._bar.set_idle(
                _("Done in {seconds}, {tests}", seconds=duration_text(result.seconds), tests=tests)
            )

    def _on_failed(self) -> None:
        self._bar.set_idle(_("The run ended without a result"))

    def _on_stopped(self) -> None:
        self._bar.set_idle(_("Stopped before any label was finished"))


_MOST_ROWS = 3
_CRASHED = N_(
    "CLCD crashed the last time. A report names the functions of the program where it happened, and "
    "contains none of your data. Please send it to the authors. CLCD does not send it."
)


class CrashNotice(Notice):
    """Offers a report where the program ended by a fault of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.dialogs = ExportDialogs()
        self._report = ""

    def offer(self, reports: Sequence[str]) -> None:
        """Offer reports; nothing is said where there is none."""
        if not reports:
            return
        self._report = "\n".join(reports)
        self.show_text(_(_CRASHED), "warning")
        self.add_action(_("Copy the report"), lambda: QGuiApplication.clipboard().setText(self._report))
        self.add_action(_("Save the report…"), self._save)

    def _save(self) -> None:
        path = self.dialogs.choose_file(self, _("Save the report"), SAVE_FOLDER.path / "CLCD report.txt")
        if path is not None:
            try:
                write_text(path, self._report)
                show_written(self, [path])
            except UnwritableFile as error:
                self.show_failure(failure_of(error))


class RecoveryRow(QWidget):
    """One analysis that was left behind, with what can be done about it."""

    def __init__(self, recovery: Recovery) -> None:
        super().__init__()
        self.recovery = recovery
        name = recovery.name or _("An analysis")
        about = _about(recovery)
        heading, line = ElidedLabel(name), ElidedLabel(about)
        heading.setProperty("look", "title")
        line.setProperty("look", "muted")
        self.recover = QPushButton(caption(_("Recover")))
        self.discard = QPushButton(caption(_("Discard")))
        self.recover.setAccessibleName(_("Recover {name}, {about}", name=name, about=about))
        self.discard.setAccessibleName(_("Discard the unsaved changes of {name}", name=name))
        set_tooltip(self.recover, _("Open the unsaved changes. Your file does not change until you save."))
        set_tooltip(self.discard, _("Delete the unsaved changes. Your file does not change."))
        words = column(heading, line, spacing=0)
        row((words, 1), self.recover, self.discard, on=self, margins=(0, SPACE_SMALL, 0, SPACE_SMALL))


class RecoveryBar(QFrame):
    """Offers what was left behind; it is in nobody's way, and gone when all of it is decided."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._autosave, self._files = workspace.session.autosave, workspace.files
        set_look(self, "notice", tone="warning")
        self._heading = title("")
        self._more = muted("")
        tooltip = _("Keep it. CLCD offers it again at the next start.")
        self.later = push_button(_("Later"), self._autosave.put_off, tooltip, "quiet")
        self.later.setAccessibleName(_("Decide at the next start"))
        head = row((self._heading, 1), (self.later, 0, Qt.AlignmentFlag.AlignTop), spacing=None)
        self._rows = column(spacing=0)
        margins = (SPACE_LARGE, SPACE, SPACE_LARGE, SPACE)
        column(head, self._rows, self._more, on=self, margins=margins, spacing=SPACE_SMALL)
        self.setVisible(False)
        self._autosave.left_behind_changed.connect(self._show)

    @property
    def rows(self) -> list[RecoveryRow]:
        """What is offered, the latest first."""
        items = (self._rows.itemAt(index) for index in range(self._rows.count()))
        widgets = (None if item is None else item.widget() for item in items)
        return [widget for widget in widgets if isinstance(widget, RecoveryRow)]

    def _show(self) -> None:
        offered = self._autosave.left_behind
        delete_widgets(self._rows)
        self._heading.setText(
            for_count(
                len(offered),
                "The program ended before this was saved",
                "The program ended before these were saved",
            )
        )
        for recovery in offered[:_MOST_ROWS]:
            offer = RecoveryRow(recovery)
            offer.recover.clicked.connect(lambda _checked, kept=recovery: self._files.recover(kept))
            offer.discard.clicked.connect(lambda _checked, kept=recovery: self._autosave.discard(kept))
            self._rows.addWidget(offer)
        hidden = len(offered) - _MOST_ROWS
        self._more.setVisible(hidden > 0)
        more = for_count(hidden, "{count} more follows.", "{count} more follow.")
        self._more.setText(more.format(count=hidden))
        self.setAccessibleName(self._heading.text())
        self.setVisible(bool(offered))


def _about(recovery: Recovery) -> str:
    """Say when it was kept, as people of this place write it, and what became of the file."""
    moment = QDateTime.fromSecsSinceEpoch(int(recovery.saved_at.timestamp()))
    is_today = moment.date() == QDate.currentDate()
    short = QLocale.FormatType.ShortFormat
    when = QLocale().toString(moment.time() if is_today else moment, short)
    return _(_KEPT[is_today, recovery.project is not None], when=when)


_KEPT = {
    (True, True): N_("Kept today at {when}; the file is as you last saved it."),
    (True, False): N_("Kept today at {when}; it was never saved."),
    (False, True): N_("Kept on {when}; the file is as you last saved it."),
    (False, False): N_("Kept on {when}; it was never saved."),
}


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
        """Ask about what is not saved; vanish, end searches, write what was asked for, and tell failures."""
        if not self.workspace.files.may_leave(self.close):
            event.ignore()
            return
        self.workspace.files.release()
        self.settings.geometry = self.saveGeometry()
        self.settings.save()
        self.hide()
        self.session.controller.ask_to_end()
        lanes = self._writing_lanes()
        self.commands.windows.close_windows()
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
        upper = row(self.rail, (self._splitter, 1), spacing=0)
        notices = (self.crash_notice, self.recovery_bar, self.source_notice)
        central = QWidget()
        column(*notices, (upper, 1), self.run_bar, on=central, spacing=0)
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
        self.pages.page_made.connect(self._on_made)
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
        if table.is_as_before:
            cast("DataPage", self.page(Navigation.FIRST)).tell_as_before(table)
        if table.offer_problem is not None:
            self.page(Navigation.FIRST).show_failure(table.offer_problem)

    def _on_labelled(self) -> None:
        self.go(Navigation.FIRST)
        self.page(Navigation.FIRST).setFocus()

    def _on_source_changed(self, path: Path) -> None:
        self.source_notice.show_text(
            _(
                "“{name}” has changed since this project read its table. The project continues with "
                "the old table.",
                name=path.name,
            ),
            "warning",
        )
        self.source_notice.add_action(_("Open the file as it is now"), partial(self.open_path, path))

    def _tell_title(self) -> None:
        """Name what is open in the title, with a mark while anything is not saved."""
        document = self.session.document
        if document.reading is None:
            self.setWindowTitle("CLCD")
            return
        name = window_title((document.project_path or document.reading.path).name)
        is_read_only = self.workspace.files.is_read_only
        self.setWindowTitle(
            _("{name} (read-only)[*] – CLCD", name=name) if is_read_only else f"{name}[*] – CLCD"
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
