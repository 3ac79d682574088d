"""The first rows of a file as they are written, with what becomes of each cell, column and row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QBrush, QColor, QContextMenuEvent, QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyleOptionHeader, QTableView

from clcd_gui.data.columns_view import KIND_ACTIONS, ROLE_ACTIONS, ROLE_KEYS
from clcd_gui.document.columns import event_heading, event_tooltip, kind_text, role_text, value_text
from clcd_gui.document.doubts import CellPlace
from clcd_gui.document.events import with_given_events
from clcd_gui.run.table_reading import TablePreview
from clcd_gui.style import icons, themes
from clcd_gui.style.text import caption, literal
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import LIGHT, SPACE, Colours
from clcd_gui.widgets.controls import Menu
from clcd_gui.wording.text import OwnKeys, count_text, spaced_once
from engine.readers.reading import Beginning, Record
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.translation import N_, _

_Index = QModelIndex | QPersistentModelIndex
MOST_ROWS = 200
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_ROLE_ICONS = {Role.LABEL: "label", Role.IGNORED: "ignored"}


class ImportRowsModel(QAbstractTableModel):
    """Shows rows as they are written: what is skipped, what names the columns, what is missing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._beginning = Beginning(())
        self._dataset: Dataset | None = None
        self._roles: Mapping[str, Role] = {}
        self._is_sheet = False
        self._row_of: dict[int, int] = {}
        self._width = 0
        self._colours = LIGHT
        self._bold, self._struck, self._slanted = QFont(), QFont(), QFont()
        self._bold.setBold(True)
        self._struck.setStrikeOut(True)
        self._slanted.setItalic(True)

    def set_preview(self, preview: TablePreview) -> None:
        """Show the beginning of another file, or of the same file read in another way."""
        self.beginResetModel()
        self._dataset = None if preview.reading is None else preview.reading.dataset
        written = preview.beginning
        if written is None:
            written = Beginning(()) if self._dataset is None else _written(self._dataset)
        self._beginning = written
        self._is_sheet = preview.format == "spreadsheet"
        self._row_of = {place: row for row, place in enumerate(written.data_rows)}
        self._width = max((len(record.cells) for record in written.rows), default=0)
        self._missing: dict[str, Any] = {}
        self.endResetModel()

    def set_roles(self, roles: Mapping[str, Role]) -> None:
        """Mark the columns that were given a role."""
        self._roles = roles
        if self._width:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._width - 1)

    def set_events(self, events: Mapping[str, str]) -> None:
        """Show which levels a person chose as events."""
        if self._dataset is not None:
            self._dataset = with_given_events(self._dataset, events)
            if self._width:
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._width - 1)

    def levels_of(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the two levels that some columns have in common; none where they have others."""
        if self._dataset is None or not names:
            return ()
        variables = map(self._variable, names)
        first, *others = {() if variable is None else variable.levels for variable in variables}
        return first if not others and len(first) == 2 else ()

    def set_colours(self, colours: Colours) -> None:
        """Follow the theme."""
        self._colours = colours

    def name(self, column: int) -> str | None:
        """Return the variable that is made of a column; None where none is."""
        names = self._beginning.columns
        return names[column] if column < len(names) else None

    def column_of(self, name: str) -> int | None:
        """Return where a variable stands."""
        names = self._beginning.columns
        return names.index(name) if name in names else None

    @property
    def first_row(self) -> int:
        """The row with which the table begins."""
        first = self._beginning.first_line
        return next((row for row, file_row in enumerate(self._beginning.rows) if file_row.line == first), 0)

    def first_data_row(self) -> int:
        """Return the first row that is read."""
        return next(iter(self._row_of), 0)

    def remarks(self) -> list[int]:
        """Return the rows before the table of which only the first cell holds anything."""
        rows = self._beginning.rows[: self.first_row]
        return [row for row, line_before in enumerate(rows) if not any(map(str.strip, line_before.cells[1:]))]

    def line(self, row: int) -> int:
        """Return the line of the file, or the row of the sheet, on which a row stands."""
        return self._beginning.rows[row].line

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._beginning.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the cells of the longest row."""
        return 0 if parent.isValid() else self._width

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the name and the type of a column, or the line of a row."""
        if orientation is Qt.Orientation.Vertical:
            if role == Qt.ItemDataRole.DisplayRole:
                return count_text(self.line(section))
            return None
        name = self.name(section)
        if role == Qt.ItemDataRole.DisplayRole:
            heading = self._letters(section) if name is None else spaced_once(name)
            return f"{heading}\n{self._fate(name)}"
        if role == Qt.ItemDataRole.ToolTipRole and name is not None:
            return self._tooltip(name)
        if role == Qt.ItemDataRole.DecorationRole and name is not None:
            given = self._roles.get(name)
            if given in _ROLE_ICONS:
                tone = self._colours.label if given is Role.LABEL else self._colours.muted
                return icons.icon(_ROLE_ICONS[given], tone)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT
        return None

    def data(self, index: _Index, role: int = 0) -> Any:
        """Return the text of a cell, and how it looks."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        cells = self._beginning.rows[row].cells
        text = cells[column] if column < len(cells) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        place = self._row_of.get(row)
        if role == Qt.ItemDataRole.FontRole:
            if place is None:
                return self._slanted if self._is_skipped(row) else self._bold
            return self._struck if text and self._is_missing(place, column) else None
        if role == Qt.ItemDataRole.ForegroundRole:
            is_faint = self._is_skipped(row) if place is None else self._is_missing(place, column)
            return QBrush(QColor(self._colours.muted)) if is_faint else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            variable = self._variable(self.name(column))
            is_number = place is not None and variable is not None and variable.kind is Kind.CONTINUOUS
            return _RIGHT if is_number else _LEFT
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self._explained(text, row, column)
        return None

    def first_texts(self, column: int, count: int) -> list[str]:
        """Return the texts of a column's first cells, without a title in the first one, which is wider."""
        rows = self._beginning.rows[:count]
        return [
            table_row.cells[column]
            for row, table_row in enumerate(rows)
            if column < len(table_row.cells) and (column or row in self._row_of)
        ]

    def _explained(self, text: str, row: int, column: int) -> str:
        """Say what becomes of a cell."""
        place = self._row_of.get(row)
        if place is None:
            words = _("Skipped") if self._is_skipped(row) else _("Names of columns")
        elif self.name(column) is None:
            words = _("Left out")
        elif self._is_missing(place, column):
            words = _("Read as missing")
        else:
            words = ""
        shown = literal(text)
        return f"{shown}<br>{words}" if words and shown else words or shown

    def _letters(self, column: int) -> str:
        from engine.readers.sheet_cells import column_letters

        return column_letters(self._beginning.first_column + column) if self._is_sheet else str(column + 1)

    def _fate(self, name: str | None) -> str:
        """Say what becomes of a column."""
        if self._dataset is None:
            return ""
        if name is None:
            return _("left out")
        variable, role = self._variable(name), self._roles.get(name)
        if variable is None:
            # Its answers were made columns of their own.
            return _("other columns")
        given = "" if role is None else role_text(role).lower()
        # Whatever has an event holds categories.
        return ", ".join(filter(None, (event_heading(variable) or kind_text(variable.kind).lower(), given)))

    def _tooltip(self, name: str) -> str:
        shown, variable = literal(f"{name} ({self._fate(name)})"), self._variable(name)
        event = "" if variable is None else event_tooltip(variable)
        return f"{shown}<br>{literal(event)}" if event else shown

    def _variable(self, name: str | None) -> Variable | None:
        """Return what was made of a column of a name; None where none was, or others were."""
        if name is None or self._dataset is None or name not in self._dataset.names:
            return None
        return self._dataset.variable(name)

    def _is_skipped(self, row: int) -> bool:
        record = self._beginning.rows[row]
        if record.line < self._beginning.first_line or self._dataset is None:
            return True
        below_header = self._beginning.first_data_line
        if below_header:
            return record.line >= below_header
        return bool(self._beginning.data_rows) and row > self._beginning.data_rows[0]

    def _is_missing(self, place: int, column: int) -> bool:
        name = self.name(column)
        if name is None or self._dataset is None:
            return True
        if name not in self._dataset.names:
            return False
        if name not in self._missing:
            shown = self._dataset.column(name)[: len(self._beginning.data_rows)]
            self._missing[name] = missing_mask(self._dataset.variable(name), shown)
        return bool(self._missing[name][place])


def _written(dataset: Dataset) -> Beginning:
    """Write the first rows of a table that stands in no text file."""
    shown = min(dataset.row_count, MOST_ROWS)
    columns = []
    for variable, column in zip(dataset.variables, dataset.columns, strict=True):
        values = column[:shown].tolist()
        if variable.kind is Kind.NOMINAL:
            columns.append([variable.levels[value] if value >= 0 else "" for value in values])
        else:
            columns.append(["" if value != value else value_text(variable, value) for value in values])
    rows = [Record(line, cells) for line, cells in enumerate(zip(*columns, strict=True), start=1)]
    return Beginning(tuple(rows), 1, dataset.names, tuple(range(shown)))


class _TwoLineHeader(QHeaderView):
    """Shortens each line of a heading by itself."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setDefaultAlignment(_LEFT)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """Shorten what does not fit."""
        super().initStyleOptionForIndex(option, section)
        room = self.sectionSize(section) - 2 * SPACE
        metrics = self.fontMetrics()
        elide = Qt.TextElideMode.ElideMiddle
        lines = option.text.split("\n")
        option.text = "\n".join(metrics.elidedText(line, elide, room) for line in lines)


class ImportRowsView(FollowsLook, QTableView):
    """Shows an :class:`ImportRowsModel`; columns are given roles and types here, by key or menu."""

    OWN_KEYS = OwnKeys(
        N_("In the first rows of a file"),
        (
            ("L", N_("Label")),
            ("F", N_("Feature")),
            ("I", N_("Ignore")),
            (N_("Return, Menu"), N_("Menu of the selected cells")),
        ),
    )

    role_requested = Signal(list, Role)
    kind_requested = Signal(list, Kind)
    event_requested = Signal(list, str)
    begins_here = Signal(int)

    def __init__(self, model: ImportRowsModel) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self.setAccessibleName(_("First rows of the file, unchanged"))
        self.setAccessibleDescription(
            _("L makes the columns of the selected cells labels, F features, I ignored; Enter opens a menu.")
        )
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalHeader(_TwoLineHeader())
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setDefaultAlignment(_RIGHT)
        self._follow_font()

    def selected_names(self) -> list[str]:
        """Return the variables whose columns hold a selected cell, in the order of the file."""
        columns = sorted({index.column() for index in self.selectionModel().selectedIndexes()})
        names = (self._model.name(column) for column in columns)
        return [name for name in names if name is not None]

    def show_beginning(self) -> None:
        """Bring the first row of the table into view, with the last lines before it."""
        self.verticalScrollBar().setValue(0)
        row = max(self._model.first_row - _REMARKS_SHOWN, 0)
        self.scrollTo(self._model.index(row, 0), QAbstractItemView.ScrollHint.PositionAtTop)

    def show_cell(self, cell: CellPlace) -> None:
        """Select a cell, a row, or the values of a column, and bring it into view."""
        row = self._model.first_data_row() if cell.row is None else cell.row
        index = self._model.index(row, cell.column or 0)
        # Titles above the names reach across columns, and are none of their cells.
        last = index if cell.row is not None else index.siblingAtRow(self._model.rowCount() - 1)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        if cell.column is None:
            flags |= QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(QItemSelection(index, last), flags)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def select_names(self, names: list[str]) -> None:
        """Select the columns of some variables, and bring the first into view."""
        columns = [column for name in names if (column := self._model.column_of(name)) is not None]
        selection = self.selectionModel()
        selection.clear()
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Columns
        for column in columns:
            selection.select(self._model.index(0, column), flags)
        if columns:
            self.scrollTo(self._model.index(max(self.rowAt(0), 0), columns[0]))

    def fit_columns(self) -> None:
        """Give the first columns the width that their names and first values need, and remarks the whole."""
        self.clearSpans()
        for row in self._model.remarks():
            if self._model.columnCount() > 1:
                self.setSpan(row, 0, 1, self._model.columnCount())
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        letter = metrics.averageCharWidth()
        for column in range(min(self._model.columnCount(), _FITTED_COLUMNS)):
            heading = self._model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            name, _, fate = heading.partition("\n")
            texts = (name, *self._model.first_texts(column, _FITTED_ROWS))
            widest = max(metrics.horizontalAdvance(text) for text in texts) + 4 * letter
            of_fate = metrics.horizontalAdvance(fate) + 4 * letter
            needed = max(min(widest, _WIDEST * letter), min(of_fate, _WIDEST_FATE * letter))
            header.resizeSection(column, max(needed, _NARROWEST * letter))

    def menu(self) -> QMenu:
        """Make the menu of what can be done with the selected cells."""
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        names = self.selected_names()
        chosen = themes.colours(self.palette())
        for role, title, key, icon in ROLE_ACTIONS:
            action = menu.addAction(f"{_(title)}\t{key}")
            icons.assign(action, icon, chosen, "label" if role is Role.LABEL else "muted")
            action.triggered.connect(lambda _checked=False, given=role: self._ask_for_role(given))
            action.setEnabled(bool(names))
        menu.addSeparator()
        for kind, title in KIND_ACTIONS:
            action = menu.addAction(_(title))
            action.triggered.connect(lambda _checked, given=kind: self.kind_requested.emit(names, given))
            action.setEnabled(bool(names))
        if levels := self._model.levels_of(names):
            menu.addSeparator()
        for level in levels:
            action = menu.addAction(caption(_("Count “{level}” as the event", level=level)))
            action.triggered.connect(lambda _checked, given=level: self.event_requested.emit(names, given))
        menu.addSeparator()
        begins: QAction = menu.addAction(_("The table begins on this row"))
        begins.triggered.connect(lambda: self.begins_here.emit(self._model.line(self.currentIndex().row())))
        begins.setEnabled(self.currentIndex().isValid())
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Set roles by L, F and I; the rest is for the table."""
        key = Qt.Key(event.key())
        is_plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if is_plain and key in ROLE_KEYS and ROLE_KEYS[key] in (Role.LABEL, Role.FEATURE, Role.IGNORED):
            self._ask_for_role(ROLE_KEYS[key])
            return
        if key in (Qt.Key.Key_Menu, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            cell = self.visualRect(self.currentIndex())
            self.menu().popup(self.viewport().mapToGlobal(cell.bottomLeft()))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the selected cells."""
        index = self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
        if index.isValid() and not self.selectionModel().isSelected(index):
            self.show_cell(CellPlace(index.row(), index.column()))
        if self.currentIndex().isValid():
            self.menu().popup(event.globalPos() + QPoint(1, 1))

    def _follow_colours(self) -> None:
        self._model.set_colours(themes.colours(self.palette()))

    def _follow_font(self) -> None:
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 8)
        self.horizontalHeader().setDefaultSectionSize(metrics.averageCharWidth() * 16)
        self.fit_columns()

    def _ask_for_role(self, role: Role) -> None:
        names = self.selected_names()
        if names:
            self.role_requested.emit(names, role)


_REMARKS_SHOWN = 3
_FITTED_COLUMNS = 40
_FITTED_ROWS = 30
_NARROWEST, _WIDEST, _WIDEST_FATE = 8, 22, 30
