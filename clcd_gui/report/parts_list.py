"""The list of parts of a report: ticked, and moved by dragging, by buttons or by keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import literal, muted, set_tooltip, title
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from engine.reporting.report import ReportPart, chosen_parts, report_parts, standard_parts

_NAME = Qt.ItemDataRole.UserRole
_IS_EMPTY = Qt.ItemDataRole.UserRole + 1
_NOTHING = "Nothing to say here yet"
_ROOM_BETWEEN = 1


def arranged(chosen: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Put what is not chosen behind what it stood behind before.

    Examples
    --------
    >>> arranged(["c", "a"], ["a", "b", "c", "d"])
    ['c', 'd', 'a', 'b']
    """
    order = list(chosen)
    for place, name in enumerate(shown):
        if name not in order:
            before = next((each for each in reversed(shown[:place]) if each in order), None)
            order.insert(0 if before is None else order.index(before) + 1, name)
    return order


class _TitleDelegate(QStyledItemDelegate):
    """Gives a title the lines that it needs beside its tick, and the tick its height: Qt counts neither."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the room that a title would like to have."""
        hint, listing = super().sizeHint(option, index), self.parent()
        assert isinstance(listing, QListWidget)
        asked = QStyleOptionViewItem(option)
        self.initStyleOption(asked, index)
        width = listing.viewport().width() - 2 * listing.spacing()
        asked.rect = QRect(0, 0, width, hint.height())
        style = listing.style()
        title = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, asked, listing)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, listing) + 1
        room = QRect(0, 0, title.width() - 2 * margin, 0)
        lines = asked.fontMetrics.boundingRect(room, Qt.TextFlag.TextWordWrap, asked.text)
        tick = style.subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, asked, listing)
        height = max(lines.height(), tick.height()) + 2 * _ROOM_BETWEEN
        return QSize(hint.width(), max(hint.height(), height))


class PartsList(QWidget):
    """Lets a person choose and order the parts of a report."""

    edited = Signal(tuple)
    """The names of the chosen parts in their order."""

    looked_at = Signal(str)
    """The name of the part that a person points at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_filling = False
        self.list = QListWidget(self)
        self.list.setAccessibleName("Parts of the report")
        self.list.setAccessibleDescription("Space ticks a part, Alt with an arrow key moves it.")
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.list.setWordWrap(True)
        self.list.setItemDelegate(_TitleDelegate(self.list))
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSpacing(_ROOM_BETWEEN)
        self.list.installEventFilter(self)
        self.up = self._move_button("move-up", "Move up", "Alt+Up", -1)
        self.down = self._move_button("move-down", "Move down", "Alt+Down", 1)
        self.usual = QPushButton("Usual parts", self)
        set_look(self.usual, "quiet")
        set_tooltip(self.usual, "Tick what is usually in a report, in the usual order")
        self.usual.clicked.connect(self._on_usual)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_SMALL)
        buttons.addWidget(self.up)
        buttons.addWidget(self.down)
        buttons.addStretch(1)
        buttons.addWidget(self.usual)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(title("What it holds", self))
        column.addWidget(muted("Tick what shall be in it; drag to put it in another order.", self))
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        for name in report_parts():
            self.list.addItem(self._item(report_parts()[name], is_chosen=name in standard_parts()))
        self.list.itemChanged.connect(self._on_edited)
        self.list.model().rowsMoved.connect(self._on_edited)
        self.list.currentItemChanged.connect(self._on_current)
        self.list.setCurrentRow(0)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the parts that are ticked, in order."""
        return tuple(str(each.data(_NAME)) for each in self._items() if self._is_ticked(each))

    def item(self, name: str) -> QListWidgetItem:
        """Return the entry of a part."""
        return next(each for each in self._items() if each.data(_NAME) == name)

    def set_chosen(self, names: Sequence[str]) -> None:
        """Tick these parts, in this order; none means the usual ones."""
        chosen = tuple(each.name for each in chosen_parts(names))
        if chosen == self.chosen:
            return
        self._is_filling = True
        current = self.list.currentItem()
        items = {str(each.data(_NAME)): each for each in self._items()}
        order = arranged(chosen, list(items if names else report_parts()))
        for place, name in enumerate(order):
            if self.list.row(items[name]) != place:
                self.list.insertItem(place, self.list.takeItem(self.list.row(items[name])))
            ticked = Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked
            items[name].setCheckState(ticked)
        self.list.setCurrentItem(current)
        self._is_filling = False

    def set_filled(self, names: Collection[str]) -> None:
        """Say which of the chosen parts the analysis has something for."""
        self._is_filling = True
        for each in self._items():
            part = report_parts()[str(each.data(_NAME))]
            is_empty = self._is_ticked(each) and part.name not in names
            each.setData(_IS_EMPTY, is_empty)
            each.setText(f"{part.title} (nothing yet)" if is_empty else part.title)
            each.setToolTip(literal(f"{_NOTHING}. {part.help}" if is_empty else part.help))
        self._is_filling = False
        self._colour()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the current part with Alt and an arrow key."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
            if step is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._move(step)
                return True
        return super().eventFilter(watched, event)

    def _colour(self) -> None:
        """Write in a muted colour what holds nothing yet; the others follow the theme by themselves."""
        self._is_filling = True
        muted_colour = QColor(themes.colours(self.palette()).muted)
        for each in self._items():
            each.setData(Qt.ItemDataRole.ForegroundRole, muted_colour if each.data(_IS_EMPTY) else None)
        self._is_filling = False

    def _item(self, part: ReportPart, is_chosen: bool) -> QListWidgetItem:
        item = QListWidgetItem(part.title)
        item.setData(_NAME, part.name)
        item.setToolTip(literal(part.help))
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
            | Qt.ItemFlag.ItemIsDragEnabled
        )
        item.setCheckState(Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        return item

    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(row) for row in range(self.list.count())]

    def _is_ticked(self, item: QListWidgetItem) -> bool:
        return item.checkState() == Qt.CheckState.Checked

    def _move_button(self, icon: str, words: str, key: str, step: int) -> QToolButton:
        button = QToolButton(self)
        icons.assign(button, icon, themes.colours(), "text")
        button.setAccessibleName(words)
        set_tooltip(button, f"{words} ({key})")
        button.clicked.connect(lambda: self._move(step))
        return button

    def _move(self, step: int) -> None:
        row = self.list.currentRow()
        if row >= 0 and 0 <= row + step < self.list.count():
            self._is_filling = True
            item = self.list.takeItem(row)
            self.list.insertItem(row + step, item)
            self.list.setCurrentItem(item)
            self._is_filling = False
            self._on_edited()

    def _on_edited(self) -> None:
        if not self._is_filling:
            self.edited.emit(self.chosen)

    def _on_usual(self) -> None:
        self.set_chosen(())
        self.edited.emit(self.chosen)

    def _on_current(self, item: QListWidgetItem | None) -> None:
        row = self.list.row(item) if item is not None else -1
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < self.list.count() - 1)
        if item is not None and not self._is_filling:
            self.looked_at.emit(str(item.data(_NAME)))
