"""The page of runs: all of them in a list, and any two of them side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from clcd_gui.document.history import KeptRun
from clcd_gui.history.comparison_view import ComparisonView
from clcd_gui.history.run_list import RunTable, RunTableModel
from clcd_gui.run.failure import RunFailure
from clcd_gui.style.text import muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.empty_page import EmptyPage
from clcd_gui.widgets.menus import Menu
from clcd_gui.widgets.note_editor import NoteEditor
from clcd_gui.widgets.notices import Notice, show_written
from clcd_gui.widgets.page import Page
from clcd_gui.widgets.window_page import WindowPage, Workspace

_WHAT = (
    "This page will list every run: each stays, named by what sets it apart. Any two of them can be put side "
    "by side: what came, what went, and what is said otherwise."
)
_ONE_RUN = (
    "There is one run so far. Change a setting, roles, or what is known, and run again: then this shows what "
    "came, what went, and what is said otherwise."
)
_MOST_OF_LIST = 170


class RunsPage(WindowPage):
    """Shows the history of the document."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._document = workspace.session, workspace.session.document
        self._history, self._navigation = self._document.history, workspace.navigation
        self._compared: tuple[int, int] | None = None
        self._deletion = ""
        self.empty = EmptyPage("No runs yet", _WHAT, self)
        self.empty.requested.connect(self._session.running.start)
        self.model = RunTableModel(self._history, self)
        self.menu = Menu("Runs", self)
        self.list = RunTable(self.model, self.menu, self)
        self.notice = Notice(self)
        self.comparison = ComparisonView(workspace.highlight, workspace.preferred, parent=self)
        self._make_actions()
        self._filled = self._make_filled()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._filled)
        self.model.refused.connect(self._on_refused)
        self.list.chosen.connect(self._on_chosen)
        self.list.opened.connect(self._show_results)
        self.list.deleted.connect(self._delete)
        # Which has another size of text after the list has it, and the page before.
        self.list.horizontalHeader().installEventFilter(self)
        self.comparison.chosen.connect(self._compare)
        self.comparison.written.connect(self._on_written)
        self.comparison.failed.connect(self.show_failure)
        self.comparison.into_report.triggered.connect(self._on_into_report)
        self._document.presentation.changed.connect(self._tell_reported)
        self._history.changed.connect(self._refresh)
        self._document.undo_stack.indexChanged.connect(self._forget_deletion)
        for left in (self._document.opened, self._document.closed):
            left.connect(self.notice.hide_text)
        for changed in (self._document.analysis_changed, self._history.changed):
            changed.connect(self.empty.notice.hide_text)
        self._document.result_changed.connect(self._refresh)
        self._document.notes.changed.connect(self._show_notes)
        self._history.refined.connect(self._on_refined)
        self._session.changed.connect(self._on_session)
        self._refresh()
        self._tell_reported()
        self._on_session()

    @property
    def can_find(self) -> bool:  # type: ignore[override]
        """Whether two runs are shown."""
        return self._compared is not None

    @property
    def can_export(self) -> bool:
        """Whether two runs are compared."""
        return self._compared is not None

    @property
    def menu_entries(self) -> Mapping[str, Sequence[QAction | Menu]]:
        """What can be done with the chosen run."""
        return {"Run": [self.menu]}

    def find_text(self) -> None:
        """Look for something in the comparison."""
        self.comparison.find_text()

    def ask_export(self) -> None:
        """Open the menu of what can be exported."""
        self.comparison.export_button.showMenu()

    def show_failure(self, failure: RunFailure) -> None:
        """Say why something did not work."""
        notice = self.notice if self._history.runs else self.empty.notice
        notice.show_failure(failure)

    def shut_down(self) -> None:
        """Wait until a file that is being written is whole."""
        self.comparison.shut_down()

    def showEvent(self, event: QShowEvent) -> None:
        """Compare what was run since one looked last."""
        super().showEvent(event)
        self._compare_anew()

    def _make_actions(self) -> None:
        self.actions_by_name: dict[str, QAction] = {}
        for name, title, key, slot in (
            ("show", "Show in Results", None, self._show_chosen),
            ("start", "Start from this run", None, self._start_from),
            ("rename", "Rename…", "F2", self.list.rename),
            ("pin", "Pin", None, self._pin),
            ("note", "Note…", None, self._write_note),
            ("delete", "Delete", None, self._delete),
        ):
            action = QAction(title, self)
            action.triggered.connect(partial(_call, slot))
            if key is not None:
                action.setShortcut(QKeySequence(key))
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.list.addAction(action)
            self.menu.addAction(action)
            self.actions_by_name[name] = action

    def _make_filled(self) -> QWidget:
        self._page = Page("Runs", self)
        self.more_button = QPushButton("More", self)
        self.more_button.setMenu(self.menu)
        self.show_button = QPushButton("Show in Results", self)
        self.show_button.clicked.connect(self._show_chosen)
        for button in (self.more_button, self.show_button):
            self._page.add_secondary(button)
        self._one_run = muted(_ONE_RUN, self)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self._page)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.list)
        lower = QWidget()
        self._splitter.addWidget(lower)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([_MOST_OF_LIST, 3 * _MOST_OF_LIST])
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, SPACE, 0, 0)
        below.addWidget(self._one_run)
        below.addWidget(self.comparison, 1)
        self._page.body.addWidget(self.notice)
        self._page.body.addWidget(self._splitter, 1)
        return self._page

    def _refresh(self) -> None:
        """List the runs as they are now, with the same ones chosen."""
        runs = self._history.runs
        numbers = {each.number for each in runs}
        chosen = tuple(number for number in self.list.numbers if number in numbers)
        self.model.refresh()
        self._stack.setCurrentWidget(self._filled if runs else self.empty)
        if len(runs) < 2:
            self._compared = None
            self.comparison.clear()
        elif self._compared is None or not set(self._compared) <= numbers or self._is_new_shown():
            # The list may have just these two chosen already, and says nothing then.
            chosen = self._compared = self._usual_pair(runs)
            self._tell_reported()
        shown = self._history.shown
        self._fit_list()
        self.list.choose(chosen or self._compared or ((shown.number,) if shown else ()))
        self.comparison.setVisible(len(runs) > 1)
        self._one_run.setVisible(len(runs) == 1)
        self._page.set_subtitle(_subtitle(runs))
        self._show_notes()
        self._allow()
        self._compare_anew()

    def _fit_list(self) -> None:
        """Leave the comparison what room the list does not need; what a person dragged stays."""
        wanted = self.list.sizeHint().height()
        if wanted != self.list.maximumHeight():
            self.list.setMaximumHeight(wanted)
            upper = min(wanted, _MOST_OF_LIST)
            self._splitter.setSizes([upper, max(self._splitter.height() - upper, 1)])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the text size, once the heading and its list are laid out anew."""
        if event.type() == QEvent.Type.FontChange:
            QTimer.singleShot(0, self, self._fit_list)
        return super().eventFilter(watched, event)

    def _show_notes(self) -> None:
        self.comparison.table.set_notes(self._document.notes.beside_names)

    def _is_new_shown(self) -> bool:
        """Tell whether a run was made since the two were chosen."""
        latest = max((each.number for each in self._history.runs), default=0)
        is_new, self._latest = latest != self._latest, latest
        return is_new

    _latest = 0

    def _usual_pair(self, runs: Sequence[KeptRun]) -> tuple[int, int]:
        """Return the run that is shown and the one before it, or else after it."""
        numbers = [each.number for each in runs]
        shown = self._history.shown
        place = numbers.index(shown.number) if shown is not None else len(numbers) - 1
        return (numbers[place - 1], numbers[place]) if place else (numbers[0], numbers[1])

    def _on_chosen(self, numbers: tuple[int, ...]) -> None:
        self._allow()
        if len(numbers) == 2:
            self._compare(numbers[0], numbers[1], chooses=False)

    def _compare(self, first: int, second: int, chooses: bool = True) -> None:
        if self._compared == (first, second):
            return
        self._compared = first, second
        self._tell_reported()
        if chooses:
            self.list.choose((first, second))
        self._session.measuring.measure_also((first, second))
        self._compare_anew()

    def _compare_anew(self) -> None:
        """Put the two runs side by side; nobody looking, it waits until somebody does."""
        if self._compared is not None and self.isVisible():
            first, second = map(self._history.run, self._compared)
            self._session.measuring.measure_also(self._compared)
            self.comparison.set_runs(self._history.runs, first, second)

    def _on_into_report(self, wanted: bool) -> None:
        self._document.presentation.compare_in_report(self._compared if wanted else None)

    def _tell_reported(self) -> None:
        """Show whether the two runs stand in the report."""
        reported = self._document.presentation.compared
        self.comparison.into_report.setChecked(reported is not None and reported == self._compared)

    def _on_refined(self, number: int) -> None:
        if self._compared is not None and number in self._compared:
            self._compare_anew()

    def _on_session(self) -> None:
        hindrance = self._session.running.hindrance
        self.empty.set_possible(not hindrance, hindrance)

    def _allow(self) -> None:
        """Allow what is possible with the chosen run."""
        run = self._chosen_run
        for action in self.actions_by_name.values():
            action.setEnabled(run is not None)
        is_pinned = run is not None and run.is_pinned
        self.actions_by_name["pin"].setText("Unpin" if is_pinned else "Pin")
        for button in (self.more_button, self.show_button):
            button.setEnabled(run is not None)

    @property
    def _chosen_run(self) -> KeptRun | None:
        row = self.list.currentIndex().row()
        return self.model.run_at(row) if 0 <= row < self.model.rowCount() else None

    def _show_chosen(self) -> None:
        if (run := self._chosen_run) is not None:
            self._show_results(run.number)

    def _show_results(self, number: int) -> None:
        self._history.show(number)
        self._navigation.go("results")

    def _start_from(self) -> None:
        if (run := self._chosen_run) is not None:
            self._document.start_from(run.number)
            self._navigation.go("method")

    def _pin(self) -> None:
        if (run := self._chosen_run) is not None:
            self._history.pin(run.number, not run.is_pinned)

    def _write_note(self) -> None:
        if (run := self._chosen_run) is not None:
            self._history.keep(run.number)
            self.note_editor = NoteEditor(
                f"“{run.name}”",
                run.note,
                partial(self._history.set_note, run.number),
                self.window(),
                self._document.notes.cleared,
            )
            self.note_editor.open()

    def _delete(self) -> None:
        if (run := self._chosen_run) is not None:
            self._history.delete(run.number)
            self._deletion = f"“{run.name}” is deleted."
            self.notice.show_text(self._deletion)
            self.notice.add_action("Undo", self._document.undo_stack.undo)

    def _forget_deletion(self) -> None:
        """Offer to undo a deletion only while it is what was done last."""
        if self._deletion and self.notice.text == self._deletion:
            self.notice.hide_text()

    def _on_refused(self, reason: str) -> None:
        self.notice.show_text(reason, "warning")

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        show_written(self.notice, paths)


def _call(slot: object, _checked: bool = False) -> None:
    if callable(slot):
        slot()


def _subtitle(runs: Sequence[KeptRun]) -> str:
    # Two that there are stand side by side already.
    return "Choose two runs to put them side by side." if len(runs) > 2 else ""
