"""A table of figures that is only read: rows are selected and copied, columns share the width."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from PySide6.QtCore import QAbstractItemModel, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from clcd_gui.style.text import tabular
from clcd_gui.style.tokens import ROW_HEIGHT
from clcd_gui.views.two_lines import TwoLines

_SECOND_LINE = 14


class FigureModel(Protocol):
    """What such a table shows."""

    def as_text(self, places: list[int]) -> str:
        """Write rows with the heads, cells separated by tabs."""


class FigureTable(QTableView):
    """Shows figures.

    Parameters
    ----------
    model : QAbstractItemModel
        A :class:`FigureModel` besides.
    name : str
        What it holds, for screen readers.
    two_lines : bool
        Cells may have a second line.
    is_whole : bool
        It is as high as its rows, and whoever holds it scrolls.
    """

    def __init__(
        self,
        model: QAbstractItemModel,
        name: str,
        two_lines: bool = False,
        is_whole: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_whole = is_whole
        if two_lines:
            self.setItemDelegate(TwoLines(self))
        self.setModel(model)
        self.setFont(tabular(self.font()))
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT + (_SECOND_LINE if two_lines else 0))
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        if is_whole:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        copy = QAction("Copy", self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._on_copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def fit(self, stretched: Collection[int] | None = None) -> None:
        """Give equal shares of the width to some columns, and to the others what they need.

        Parameters
        ----------
        stretched : collection of int, optional
            Places of columns; all but the first when left out.
        """
        header = self.horizontalHeader()
        for column in range(self.model().columnCount()):
            takes_share = column > 0 if stretched is None else column in stretched
            mode = QHeaderView.ResizeMode.Stretch if takes_share else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        if self._is_whole:
            self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for all rows where the table is shown whole."""
        usual = super().sizeHint()
        if not self._is_whole:
            return usual
        rows = self.model().rowCount() * self.verticalHeader().defaultSectionSize()
        return QSize(
            usual.width(), self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth()
        )

    def _on_copy(self) -> None:
        model: FigureModel = self.model()
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        QGuiApplication.clipboard().setText(model.as_text(rows or list(range(self.model().rowCount()))))
