"""A table of figures that is only read, in cells of one line or two."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics, QGuiApplication, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from clcd_gui.style.text import scaled, tabular
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import ROW_HEIGHT, SPACE, SPACE_SMALL, TEXT_SMALL
from engine.translation import _

_Index = QModelIndex | QPersistentModelIndex


class TwoLines(QStyledItemDelegate):
    """Draws texts that hold a line break; others as usual."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Ask for the width of the longer line."""
        usual = super().sizeHint(option, index)
        first, broken, second = str(index.data() or "").partition("\n")
        if not broken:
            return usual
        filled = QStyleOptionViewItem(option)
        self.initStyleOption(filled, index)
        widths = [
            QFontMetrics(font).horizontalAdvance(text)
            for text, font in ((first, filled.font), (second, scaled(option.font, TEXT_SMALL)))
        ]
        return QSize(max(widths) + 2 * SPACE, usual.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw the ground of the cell, then both lines."""
        first, broken, second = str(index.data() or "").partition("\n")
        if not broken:
            super().paint(painter, option, index)
            return
        filled = draw_ground(self, painter, option, index)
        chosen = colours(option.palette)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        strong, quiet = (
            (chosen.selection_text, chosen.selection_text) if is_selected else (chosen.text, chosen.muted)
        )
        painter.save()
        side = Qt.AlignmentFlag(filled.displayAlignment) & Qt.AlignmentFlag.AlignHorizontal_Mask
        box = option.rect.adjusted(SPACE_SMALL, SPACE, -SPACE_SMALL, -SPACE)
        small = scaled(option.font, TEXT_SMALL)
        for text, font, colour, edge in (
            (first, filled.font, strong, Qt.AlignmentFlag.AlignTop),
            (second, small, quiet, Qt.AlignmentFlag.AlignBottom),
        ):
            painter.setFont(QFont(font))
            painter.setPen(QColor(colour))
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, side | edge, shown)
        painter.restore()


_SECOND_LINE = 14


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A cell or a heading: its text, what a tooltip adds, and what is copied where that is not the text."""

    text: str
    help: str = ""
    is_bold: bool = False
    copied: str = ""


class FigureModel(QAbstractTableModel):
    """Shows figures; the first `name_columns` say what a row is about."""

    def __init__(self, parent: QObject | None = None, name_columns: int = 1) -> None:
        super().__init__(parent)
        self.name_columns = name_columns
        self._headings: tuple[FigureCell, ...] = ()
        self._rows: tuple[tuple[FigureCell, ...], ...] = ()

    def set_figures(self, headings: tuple[FigureCell, ...], rows: tuple[tuple[FigureCell, ...], ...]) -> None:
        """Show other figures; a table of the same shape keeps its place."""
        if rows and headings == self._headings and len(rows) == len(self._rows):
            self._rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(headings) - 1))
            return
        self.beginResetModel()
        self._headings, self._rows = headings, rows
        self.endResetModel()

    def as_text(self, positions: list[int]) -> str:
        """Write rows with the headings, cells separated by tabs, for other programs."""
        lines = (self._headings, *(self._rows[number] for number in positions))
        return "\n".join("\t".join(cell.copied or cell.text for cell in line) for line in lines)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the columns."""
        return 0 if parent.isValid() else len(self._headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the heading of a column."""
        is_across = orientation is Qt.Orientation.Horizontal
        return self._shown(self._headings[section], section, role) if is_across else None

    def data(self, index: _Index, role: int = 0) -> Any:
        """Return the text of a cell, its tooltip, its side or its font."""
        if not index.isValid():
            return None
        return self._shown(self._rows[index.row()][index.column()], index.column(), role)

    def _shown(self, figure: FigureCell, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return figure.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return figure.help or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            is_name = column < self.name_columns
            side = Qt.AlignmentFlag.AlignLeft if is_name else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and figure.is_bold:
            font = QFont()
            font.setBold(True)
            return font
        return None


def draw_ground(
    delegate: QStyledItemDelegate, painter: QPainter, option: QStyleOptionViewItem, index: _Index
) -> QStyleOptionViewItem:
    """Draw a cell without its text, as its style does; return what was drawn."""
    ground = QStyleOptionViewItem(option)
    delegate.initStyleOption(ground, index)
    ground.text = ""
    style = option.widget.style() if option.widget is not None else QApplication.style()
    style.drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, option.widget)
    return ground


class RowTable(FollowsLook, QTableView):
    """A table whose rows are chosen whole, each as high as the text asks for, with figures of equal width."""

    def __init__(self, model: QAbstractItemModel, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setFont(tabular(self.font()))
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self._follow_font()

    @property
    def height_of_all(self) -> int:
        """How high it is with all of its rows."""
        rows = self.model().rowCount() * self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth()

    def _follow_font(self) -> None:
        self.verticalHeader().setDefaultSectionSize(max(ROW_HEIGHT, self.fontMetrics().height() + 12))


class FigureTable(RowTable):
    """Shows figures; shown whole, it is as high as its rows, and the page around it scrolls."""

    def __init__(
        self,
        model: FigureModel,
        name: str,
        two_lines: bool = False,
        is_whole: bool = False,
    ) -> None:
        # It is given its font while it is being made.
        self._is_whole, self._has_two_lines = is_whole, two_lines
        super().__init__(model, name)
        if two_lines:
            self.setItemDelegate(TwoLines(self))
        self._figures = model
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        if is_whole:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        copy = QAction(_("Copy"), self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._on_copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def fit(self, stretched: Collection[int] | None = None) -> None:
        """Give equal shares of the width to some columns, and to the others what they need."""
        header = self.horizontalHeader()
        for column in range(self.model().columnCount()):
            takes_share = column > 0 if stretched is None else column in stretched
            mode = QHeaderView.ResizeMode.Stretch if takes_share else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        if self._is_whole:
            self.setFixedHeight(self.height_of_all)

    def _follow_font(self) -> None:
        height, least = self.fontMetrics().height() + 2 * SPACE, ROW_HEIGHT
        if self._has_two_lines:
            height += QFontMetrics(scaled(self.font(), TEXT_SMALL)).height()
            least += _SECOND_LINE
        self.verticalHeader().setDefaultSectionSize(max(least, height))
        if self._is_whole:
            self.setFixedHeight(self.height_of_all)

    def _on_copy(self) -> None:
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        rows = rows or list(range(self._figures.rowCount()))
        QGuiApplication.clipboard().setText(self._figures.as_text(rows))
