"""The page of runs: all of them in a list, and any two of them side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QDate,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTime,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QContextMenuEvent, QFont, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QPushButton, QSplitter, QWidget

from clcd_gui.document.history import KeptRun, RunHistory
from clcd_gui.history.comparison_view import ComparisonView
from clcd_gui.run.failure import RunFailure
from clcd_gui.style import icons
from clcd_gui.style.text import literal, muted
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.controls import Menu, push_button
from clcd_gui.widgets.figure_table import RowTable
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.widgets.layouts import column, stacked
from clcd_gui.widgets.note_editor import NoteEditor
from clcd_gui.widgets.notices import Notice, show_written
from clcd_gui.widgets.page import EmptyPage, Page
from clcd_gui.widgets.window_page import WindowPage, Workspace
from clcd_gui.wording.setting_values import rests_on, search_details
from clcd_gui.wording.text import OwnKeys, count_text, counted
from engine.errors import InvalidParameter
from engine.translation import N_, _

NAME, FOUND, WHEN, HOW = range(4)
_HEADINGS = (
    (
        N_("Run"),
        N_("Name of the run: what distinguishes it from the first run, or the name that you gave it."),
    ),
    (N_("Found"), N_("Number of variables linked to a label, and how many of them are linked to several.")),
    (N_("When"), N_("When it began.")),
    (N_("How"), N_("Number of rows, and how they were searched.")),
)
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class RunTableModel(QAbstractTableModel):
    """The runs of a history, the latest first."""

    refused = Signal(str)
    """A name was not taken; with the reason."""

    def __init__(self, history: RunHistory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._runs: tuple[KeptRun, ...] = ()

    def refresh(self) -> None:
        """Show the runs as they are now."""
        runs = self._history.runs[::-1]
        if [run.number for run in runs] == [run.number for run in self._runs]:
            # A name may be being written, which rows that go away would end.
            self._runs = runs
            self.dataChanged.emit(self.index(0, 0), self.index(len(runs) - 1, len(_HEADINGS) - 1))
            return
        self.beginResetModel()
        self._runs = runs
        self.endResetModel()

    def run_at(self, row: int) -> KeptRun:
        """Return the run in a row."""
        return self._runs[row]

    def row_of(self, number: int) -> int:
        """Return the row of a run, -1 where it is not listed."""
        return next((row for row, run in enumerate(self._runs) if run.number == number), -1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Count the runs."""
        return 0 if parent.isValid() else len(self._runs)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(_HEADINGS)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Let names be written."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == NAME else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return what a heading shows."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        title, help_text = _HEADINGS[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _(title)
            case Qt.ItemDataRole.ToolTipRole:
                return _(help_text)
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        run, column = self._runs[index.row()], index.column()
        shown = self._history.shown
        # Another object once more is known of it.
        is_shown = shown is not None and run.number == shown.number
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return _cell_text(run, column)
            case Qt.ItemDataRole.ToolTipRole:
                return literal(_tooltip(run, column))
            case Qt.ItemDataRole.FontRole if is_shown and column == NAME:
                font = QFont()
                font.setBold(True)
                return font
            case Qt.ItemDataRole.DecorationRole if column == NAME:
                return icons.icon(_mark(run, is_shown), colours().accent if is_shown else colours().muted)
            case Qt.ItemDataRole.AccessibleTextRole if column == NAME:
                words = [run.name]
                words += [_("shown")] if is_shown else []
                words += [_("pinned")] if run.is_pinned else []
                words += [_("with a note")] if run.note else []
                return ", ".join(words)
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Give a run another name, or say why it cannot have it."""
        if role != Qt.ItemDataRole.EditRole:
            return False
        try:
            self._history.rename(self._runs[index.row()].number, str(value))
        except InvalidParameter as error:
            self.refused.emit(error.problem)
            return False
        return True


def _cell_text(run: KeptRun, column: int) -> str:
    if column == NAME:
        return run.name
    if column == FOUND:
        findings = run.result.counted_findings
        count, common = count_text(len(findings.by_feature)), count_text(len(findings.common))
        return _("{count} ({common} common)", count=count, common=common)
    if column == WHEN:
        return when_text(run.started)
    return rests_on(run.result)


def _tooltip(run: KeptRun, column: int) -> str:
    if column == HOW:
        return search_details(run.result.settings_used)
    if column == NAME and run.note:
        return f"{run.name}\n\n{run.note}"
    if column == FOUND:
        return _(
            "{variables} linked to a label",
            variables=counted(len(run.result.counted_findings.by_feature), "variable"),
        )
    return _cell_text(run, column)


def _mark(run: KeptRun, is_shown: bool) -> str:
    """Choose the one mark of a run: pinned goes before a note, and that before what every run has."""
    if run.is_pinned:
        return "pin"
    if run.note:
        return "note"
    return "results" if is_shown else "recent"


def when_text(started: str) -> str:
    """Write when a run began: of today the time, else the day too; empty where that is not known."""
    try:
        began = datetime.fromisoformat(started).astimezone()
    except ValueError:
        return ""
    form = QLocale.FormatType.ShortFormat
    time = QLocale().toString(QTime(began.hour, began.minute), form)
    if began.date() == datetime.now().astimezone().date():
        return str(time)
    return f"{QLocale().toString(QDate(began.year, began.month, began.day), form)} {time}"


class RunTable(RowTable):
    """Shows the runs; one or two of them are chosen."""

    OWN_KEYS = OwnKeys(
        N_("In the list of runs"),
        (("Return", N_("Show in the results")), ("Del", N_("Delete")), ("F2", N_("Rename"))),
    )

    chosen = Signal(tuple)
    """Other runs are chosen; with their numbers, the earliest first."""

    opened = Signal(int)
    deleted = Signal()

    def __init__(self, model: RunTableModel, menu: QMenu, parent: QWidget | None = None) -> None:
        super().__init__(model, _("Runs"), parent)
        self._model, self._menu = model, menu
        self.heading_help = HeadingHelp(self.horizontalHeader())
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setIconSize(QSize(16, 16))
        header = self.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(HOW, QHeaderView.ResizeMode.Stretch)
        header.setMaximumSectionSize(360)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the chosen runs, the earliest first."""
        rows = {index.row() for index in self.selectionModel().selectedRows()}
        return tuple(sorted(self._model.run_at(row).number for row in rows))

    def choose(self, numbers: tuple[int, ...]) -> None:
        """Choose runs, unless they are chosen; those that are not listed are left out."""
        if numbers == self.numbers:
            return
        model, selection = self._model, self.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        wanted = QItemSelection()
        rows = [row for row in map(model.row_of, numbers) if row >= 0]
        for row in rows:
            wanted.select(model.index(row, 0), model.index(row, HOW))
        if rows:
            selection.setCurrentIndex(model.index(rows[-1], NAME), flags.NoUpdate)
        selection.select(wanted, flags.ClearAndSelect)

    def rename(self) -> None:
        """Let the name of the current run be written."""
        index = self._model.index(self.currentIndex().row(), NAME)
        if index.isValid() and self.state() is not QAbstractItemView.State.EditingState:
            self.setCurrentIndex(index)
            self.edit(index)

    def sizeHint(self) -> QSize:
        """Return the size that shows every run."""
        return QSize(super().sizeHint().width(), self.height_of_all + 2)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Tell which runs are chosen."""
        super().selectionChanged(selected, deselected)
        self.chosen.emit(self.numbers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show a run by Enter, delete it by Del; F2 renames it."""
        if self.state() is not QAbstractItemView.State.EditingState:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
                self.opened.emit(self._model.run_at(self.currentIndex().row()).number)
                return
            if event.key() == Qt.Key.Key_Delete:
                self.deleted.emit()
                return
        super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Show a run."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.opened.emit(self._model.run_at(index.row()).number)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the run."""
        if self.indexAt(event.pos()).isValid():
            self._menu.popup(event.globalPos())


_WHAT = N_(
    "This page will list all runs. You can compare any two: what appeared, what disappeared, and "
    "what changed."
)
_ONE_RUN = N_(
    "There is one run so far. Change a setting, roles or background knowledge, and run again. Then this page "
    "shows what appeared, what disappeared, and what changed."
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
        self.empty = EmptyPage(_("No runs yet"), _(_WHAT), self)
        self.empty.requested.connect(self._session.running.start)
        self.model = RunTableModel(self._history, self)
        self.menu = Menu(_("Runs"), self)
        self.list = RunTable(self.model, self.menu, self)
        self.notice = Notice(self)
        self.comparison = ComparisonView(workspace.highlight, workspace.preferred, self)
        self._make_actions()
        self._make_page()
        self._stack = stacked(self.empty, self._page, on=self)
        self.model.refused.connect(partial(self.notice.show_text, tone="warning"))
        self.list.chosen.connect(self._on_chosen)
        self.list.opened.connect(self._show_results)
        self.list.deleted.connect(self._delete)
        # Which has another size of text after the list has it, and the page before.
        self.list.horizontalHeader().installEventFilter(self)
        self.comparison.chosen.connect(self._compare)
        self.comparison.written.connect(partial(show_written, self.notice))
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
        self._document.names_changed.connect(self.comparison.show_names_anew)
        self._document.notes.changed.connect(self._show_notes)
        self._history.refined.connect(self._on_refined)
        self._session.changed.connect(self._on_session)
        self._refresh()
        self._tell_reported()
        self._on_session()

    @property
    def can_export(self) -> bool:
        """Whether two runs are compared."""
        return self._compared is not None

    can_find = can_export

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
            ("show", _("Show in Results"), None, self._show_chosen),
            ("start", _("Start from this run"), None, self._start_from),
            ("rename", _("Rename…"), "F2", self.list.rename),
            ("pin", _("Pin"), None, self._pin),
            ("note", _("Note…"), None, self._write_note),
            ("delete", _("Delete"), None, self._delete),
        ):
            action = QAction(title, self)
            action.triggered.connect(slot)
            if key is not None:
                action.setShortcut(QKeySequence(key))
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.list.addAction(action)
            self.menu.addAction(action)
            self.actions_by_name[name] = action

    def _make_page(self) -> None:
        """Put the list above the comparison, on a page."""
        self._page = Page(_("Runs"), self)
        self.more_button = QPushButton(_("More"), self)
        self.more_button.setMenu(self.menu)
        self.show_button = push_button(_("Show in Results"), self._show_chosen)
        for button in (self.more_button, self.show_button):
            self._page.add_secondary(button)
        self._one_run = muted(_(_ONE_RUN), self)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self._page, childrenCollapsible=False)
        self._splitter.addWidget(self.list)
        lower = QWidget()
        self._splitter.addWidget(lower)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([_MOST_OF_LIST, 3 * _MOST_OF_LIST])
        column(self._one_run, (self.comparison, 1), on=lower, margins=(0, SPACE, 0, 0))
        self._page.body.addWidget(self._splitter, 1)
        # Below all else, so that nothing moves when one comes or goes.
        self._page.body.addWidget(self.notice)

    def _refresh(self) -> None:
        """List the runs as they are now, with the same ones chosen."""
        runs = self._history.runs
        numbers = {run.number for run in runs}
        chosen = tuple(number for number in self.list.numbers if number in numbers)
        self.model.refresh()
        self._stack.setCurrentWidget(self._page if runs else self.empty)
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
        # Two that there are stand side by side already.
        self._page.set_subtitle(_("Choose two runs to put them side by side.") if len(runs) > 2 else "")
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
        latest = max((run.number for run in self._history.runs), default=0)
        is_new, self._latest = latest != self._latest, latest
        return is_new

    _latest = 0

    def _usual_pair(self, runs: Sequence[KeptRun]) -> tuple[int, int]:
        """Return the run that is shown and the one before it, or else after it."""
        numbers = [run.number for run in runs]
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
        self.empty.set_hindrance(self._session.running.hindrance)

    def _allow(self) -> None:
        """Allow what is possible with the chosen run."""
        run = self._chosen_run
        for action in self.actions_by_name.values():
            action.setEnabled(run is not None)
        is_pinned = run is not None and run.is_pinned
        self.actions_by_name["pin"].setText(_("Unpin") if is_pinned else _("Pin"))
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
            self._deletion = _("“{name}” is deleted.", name=run.name)
            self.notice.show_text(self._deletion)
            self.notice.add_action(_("Undo"), self._document.undo_stack.undo)

    def _forget_deletion(self) -> None:
        """Offer to undo a deletion only while it is what was done last."""
        if self._deletion and self.notice.text == self._deletion:
            self.notice.hide_text()
