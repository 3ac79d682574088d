"""The list of runs: which is shown, its name, what it found, when, and what sets it apart."""

from __future__ import annotations

from datetime import datetime
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
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from clcd_gui.document.history import KeptRun, RunHistory
from clcd_gui.style import icons
from clcd_gui.style.text import literal, tabular
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import ROW_HEIGHT
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.wording.settings import rests_on, search_details
from clcd_gui.wording.text import OwnKeys, count_text, counted
from engine.errors import InvalidParameter

NAME, FOUND, WHEN, HOW = range(4)
_HEADINGS = (
    ("Run", "What it is called: by what sets it apart from the first run, unless somebody named it."),
    ("Found", "How many variables are linked to a label, and how many of them to several."),
    ("When", "When it began."),
    ("How", "On how many rows it rests, and how was searched."),
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
        if [each.number for each in runs] == [each.number for each in self._runs]:
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
        return next((row for row, each in enumerate(self._runs) if each.number == number), -1)

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
                return title
            case Qt.ItemDataRole.ToolTipRole:
                return help_text
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
                words += ["shown"] if is_shown else []
                words += ["pinned"] if run.is_pinned else []
                words += ["with a note"] if run.note else []
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
        found = run.result.counted_findings
        return f"{count_text(len(found.by_feature))} ({count_text(len(found.common))} common)"
    if column == WHEN:
        return when_text(run.started)
    return rests_on(run.result)


def _tooltip(run: KeptRun, column: int) -> str:
    if column == HOW:
        return search_details(run.result.settings_used)
    if column == NAME and run.note:
        return f"{run.name}\n\n{run.note}"
    if column == FOUND:
        return f"{counted(len(run.result.counted_findings.by_feature), 'variable')} linked to a label"
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


class RunTable(QTableView):
    """Shows the runs; one or two of them are chosen."""

    OWN_KEYS = OwnKeys(
        "In the list of runs",
        (("Return", "Show among the results"), ("Del", "Delete"), ("F2", "Rename")),
    )

    chosen = Signal(tuple)
    """Other runs are chosen; with their numbers, the earliest first."""

    opened = Signal(int)
    deleted = Signal()

    def __init__(self, model: RunTableModel, menu: QMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._menu = model, menu
        self.setModel(model)
        self.setFont(tabular(self.font()))
        self.setAccessibleName("Runs")
        self.heading_help = HeadingHelp(self.horizontalHeader())
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setIconSize(QSize(16, 16))
        self.verticalHeader().hide()
        self._set_row_height()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
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
        hint = super().sizeHint()
        rows = self._model.rowCount() * self.verticalHeader().defaultSectionSize()
        hint.setHeight(self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth() + 2)
        return hint

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_row_height()

    def _set_row_height(self) -> None:
        self.verticalHeader().setDefaultSectionSize(max(ROW_HEIGHT, self.fontMetrics().height() + 12))

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
