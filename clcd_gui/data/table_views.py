"""A table in two ways, the list of its columns above its rows; alone on the page of its first rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSplitter, QStyle, QTableView, QWidget

from clcd_gui.data.columns_model import ColumnsModel
from clcd_gui.data.columns_view import ColumnsView, RoleBar
from clcd_gui.document.column_summary import ColumnSummary
from clcd_gui.document.columns import role_text, value_text
from clcd_gui.document.document import NO_TABLE
from clcd_gui.run.table_reading import FirstRows
from clcd_gui.style import icons, themes
from clcd_gui.style.text import literal, set_tooltip
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import LIGHT, Colours
from clcd_gui.widgets.finding_table import show_no_selection
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.page import Page
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.text import count_text, counted, spaced_once
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.translation import _
from engine.wording.shown_names import whole_name

_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class PreviewModel(QAbstractTableModel):
    """Shows a dataset of any length; a missing value is an empty cell."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dataset = NO_TABLE
        self._colours: Colours | None = None
        self._label_icon: Any = None
        self.set_colours(LIGHT)

    def set_dataset(self, dataset: Dataset) -> None:
        """Show another table."""
        self.beginResetModel()
        self._dataset = dataset
        self.endResetModel()

    def update_dataset(self, dataset: Dataset) -> None:
        """Show the same table with other roles or kinds, without losing the place."""
        if dataset is self._dataset:
            return
        shapes = [(table.names, table.row_count) for table in (self._dataset, dataset)]
        if shapes[0] != shapes[1]:
            self.set_dataset(dataset)
            return
        self._dataset = dataset
        if dataset.row_count and dataset.variables:
            last = self.index(dataset.row_count - 1, len(dataset.variables) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(dataset.variables) - 1)

    def set_colours(self, colours: Colours) -> None:
        """Tint the mark of labels in the headings, unless it has the colour already."""
        if colours == self._colours:
            return
        self._colours = colours
        self._label_icon = icons.icon("label", colours.label)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the rows."""
        return 0 if parent.isValid() else self._dataset.row_count

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the columns."""
        return 0 if parent.isValid() else len(self._dataset.variables)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the name of a column or the number of a row."""
        if orientation is Qt.Orientation.Vertical:
            if role == Qt.ItemDataRole.DisplayRole:
                return count_text(section + 1)
            return None
        variable = self._dataset.variables[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return spaced_once(variable.name)
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal(f"{whole_name(variable.name)} ({role_text(variable.role).lower()})")
        if role == Qt.ItemDataRole.DecorationRole and variable.role is Role.LABEL:
            return self._label_icon
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT
        return None

    def data(self, index: _Index, role: int = 0) -> Any:
        """Return the text of a cell."""
        if not index.isValid():
            return None
        variable = self._dataset.variables[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if variable.kind is Kind.CONTINUOUS else _LEFT
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        text = self._text(variable, self._dataset.columns[index.column()][index.row()])
        return literal(text) if role == Qt.ItemDataRole.ToolTipRole else text

    def first_texts(self, column: int, count: int) -> list[str]:
        """Return the texts of the first cells of a column, sooner than Qt asks for them one by one."""
        variable, values = self._dataset.variables[column], self._dataset.columns[column]
        return [self._text(variable, value) for value in values[:count].tolist()]

    def _text(self, variable: Variable, value: Any) -> str:
        if variable.kind is Kind.NOMINAL:
            return variable.levels[value] if value >= 0 else ""
        return "" if value != value else value_text(variable, float(value))


class EvenHeader(QHeaderView):
    """A header as large as its last section needs: Qt would ask two hundred sections at each change."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Return the room for the last section."""
        model = self.model()
        if model is None:
            return super().sizeHint()
        is_across = self.orientation() is Qt.Orientation.Horizontal
        # While a model is reset, one header has as many sections as before when the other asks for its room.
        count = min(self.count(), model.columnCount() if is_across else model.rowCount())
        return self.sectionSizeFromContents(count - 1) if count else super().sizeHint()


_FITTED_COLUMNS = 40
_FITTED_ROWS = 20
_NARROWEST, _WIDEST = 8, 26
_BOLD = 1.12


class PreviewView(FollowsLook, QTableView):
    """Shows a :class:`PreviewModel`."""

    def __init__(self, model: PreviewModel) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self.setAccessibleName(_("Rows of the table"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalHeader(EvenHeader(Qt.Orientation.Horizontal))
        self.setVerticalHeader(EvenHeader(Qt.Orientation.Vertical))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            show_no_selection(header)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._follow_font()

    def keyboardSearch(self, search: str) -> None:
        """Look for no value that begins with what is typed: Qt would ask for the text of every row."""

    def show_column(self, dataset: Dataset, name: str) -> None:
        """Bring a column into view, without moving the rows."""
        row = max(self.rowAt(0), 0)
        if dataset.row_count:
            self.scrollTo(self._model.index(row, dataset.index(name)))

    def _follow_colours(self) -> None:
        self._model.set_colours(themes.colours(self.palette()))

    def fit_columns(self) -> None:
        """Give the first columns the width that their names and first values need."""
        metrics = self.fontMetrics()
        letter = metrics.averageCharWidth()
        header = self.horizontalHeader()
        # Any column may become a label, which has a sign before its name.
        room_for_sign = self.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize) + letter
        for column in range(min(self._model.columnCount(), _FITTED_COLUMNS)):
            texts = self._model.first_texts(column, _FITTED_ROWS)
            name = self._model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            widest = max((metrics.horizontalAdvance(text) for text in texts if text), default=0)
            titled = round(_BOLD * metrics.horizontalAdvance(name)) + room_for_sign
            needed = max(widest, titled) + 3 * letter
            header.resizeSection(column, min(max(needed, _NARROWEST * letter), _WIDEST * letter))

    def _follow_font(self) -> None:
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 8)
        self.horizontalHeader().setDefaultSectionSize(metrics.averageCharWidth() * 16)
        self.fit_columns()


_HANDLE_WIDTH = 9
# So many columns are seen before the first rows of the table have any room, and so many of those at least.
_FIRST_SEEN, _FEWEST_ROWS_SEEN = 12, 3


class TableViews(QSplitter):
    """Shows a table in two ways, one above the other."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.columns_model = ColumnsModel(self)
        self.columns = ColumnsView(self.columns_model)
        self.preview_model = PreviewModel(self)
        self.preview = PreviewView(self.preview_model)
        self._is_dragged = False
        self.setHandleWidth(_HANDLE_WIDTH)
        self.addWidget(self.columns)
        self.addWidget(self.preview)
        self.setCollapsible(0, False)
        set_tooltip(self.handle(1), _("Drag to see more or fewer of the first rows"))
        self.splitterMoved.connect(self._on_dragged)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the height anew, until a person has shared it."""
        super().resizeEvent(event)
        self._share_height()

    def _on_dragged(self) -> None:
        self._is_dragged = True

    def _share_height(self) -> None:
        """Show columns first; in a low window the rows are folded below the handle."""
        if self._is_dragged:
            return
        room, columns, preview = self.height() - self.handleWidth(), self.columns, self.preview
        wanted = columns.height_of(min(max(columns.model().rowCount(), 1), _FIRST_SEEN))
        fewest = preview.height() - preview.viewport().height()
        fewest += _FEWEST_ROWS_SEEN * preview.verticalHeader().defaultSectionSize()
        if room - wanted < fewest:
            self.setSizes([room, 0])
        else:
            share = max(wanted, 2 * room // 3)
            self.setSizes([share, room - share])

    def set_table(self, dataset: Dataset, summaries: Sequence[ColumnSummary]) -> None:
        """Show another table from its beginning."""
        self.columns_model.set_table(dataset.variables, summaries)
        self.columns.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.preview_model.set_dataset(dataset)
        self.preview.fit_columns()
        self.columns.scrollToTop()
        self.preview.scrollToTop()
        self._share_height()

    def clear(self) -> None:
        """Show no table, and hold none."""
        self.set_table(NO_TABLE, ())

    def update_table(self, dataset: Dataset, summaries: Sequence[ColumnSummary]) -> None:
        """Show the same table with other roles or kinds, without losing the place."""
        self.columns_model.update_table(dataset.variables, summaries)
        self.preview_model.update_dataset(dataset)


class FirstRowsPage(Page):
    """Looks like the page of the open table; nothing can be changed until all of it is there."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(_("Data"), parent)
        session = workspace.session
        self.notice = Notice()
        self.tools = RoleBar()
        self.tools.setEnabled(False)
        self.views = TableViews()
        self.views.columns.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.tools)
        self.body.addWidget(self.views, 1)
        self._running = session.running
        session.changed.connect(self._tell_hindrance)
        session.opening.begun.connect(self._on_begun)
        self._tell_hindrance()
        if session.opening.first_rows is not None:
            self._on_begun(session.opening.first_rows)

    def _tell_hindrance(self) -> None:
        self.set_primary(_("Run"), False, self._running.hindrance)

    def _on_begun(self, first_rows: FirstRows) -> None:
        reading = first_rows.reading
        dataset = reading.dataset
        self.heading.setText(reading.path.name)
        set_tooltip(self.heading, str(reading.path))
        self.subtitle.setText(
            _("{columns} · Reading the rest…", columns=counted(len(dataset.names), "column"))
        )
        self.notice.show_text(
            _(
                "These are the first {count} rows. Types and values may change when the whole table is read.",
                count=count_text(dataset.row_count),
            ),
            closable=False,
        )
        self.views.set_table(dataset, first_rows.summaries)
