"""The list of columns: roles and types are set here, singly or for a selection, by key, menu or button."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from clcd_gui.data.columns_model import BARS_ROLE, VARIABLE_ROLE, ColumnsModel, Field
from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.controls import Menu, line_edit, push_button
from clcd_gui.widgets.finding_table import show_no_selection
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.widgets.layouts import row
from clcd_gui.wording.text import OwnKeys
from engine.table.variable import Kind, Role
from engine.translation import N_, _
from engine.wording.shown_names import shown_name

_WIDEST_LEVEL = 18.0
_FEWEST_DESCRIPTION_LETTERS = 8
_LOWEST_BAR = 1.0
_VERTICAL_MARGIN = 5


class NameDelegate(QStyledItemDelegate):
    """Behind the name stand the sign of a note and, as far as there is room, what the file says of it."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Put the sign at the right."""
        super().initStyleOption(option, index)
        option.decorationPosition = QStyleOptionViewItem.Position.Right
        # A label at one end and a name at the other are both seen.
        option.textElideMode = Qt.TextElideMode.ElideMiddle

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the name, and behind it the description, such as a question."""
        super().paint(painter, option, index)
        variable = index.data(VARIABLE_ROLE)
        name = variable.name
        if not variable.description or variable.description == name or shown_name(name) != name:
            return
        taken = self.sizeHint(option, index).width() + SPACE_SMALL
        room = option.rect.adjusted(taken, 0, -SPACE, 0)
        if room.width() < _FEWEST_DESCRIPTION_LETTERS * option.fontMetrics.averageCharWidth():
            return
        text = option.fontMetrics.elidedText(variable.description, Qt.TextElideMode.ElideMiddle, room.width())
        painter.save()
        painter.setPen(QColor(themes.colours(option.palette).muted))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()


class BarsDelegate(QStyledItemDelegate):
    """Bars touch each other for numbers and stand apart for categories."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the ground as for any cell, then the bars."""
        super().paint(painter, option, index)
        bars = index.data(BARS_ROLE)
        if not bars:
            return
        variable = index.data(VARIABLE_ROLE)
        chosen = themes.colours(option.palette)
        colour = QColor(chosen.label if variable.role is Role.LABEL else chosen.muted)
        colour.setAlphaF(0.85 if variable.role.takes_part else 0.35)
        room = QRectF(option.rect).adjusted(SPACE, _VERTICAL_MARGIN, -SPACE, -_VERTICAL_MARGIN)
        gap = 0.0 if variable.kind is Kind.CONTINUOUS else 2.0
        width = room.width() / len(bars)
        if variable.kind is Kind.NOMINAL:
            width = min(width, _WIDEST_LEVEL)
        painter.save()
        for number, share in enumerate(bars):
            if share:
                height = max(share * room.height(), _LOWEST_BAR)
                left = room.left() + number * width
                painter.fillRect(QRectF(left, room.bottom() - height, max(width - gap, 1.0), height), colour)
        painter.restore()


ROLE_KEYS = {
    Qt.Key.Key_L: Role.LABEL,
    Qt.Key.Key_F: Role.FEATURE,
    Qt.Key.Key_I: Role.IGNORED,
    Qt.Key.Key_W: Role.WEIGHT,
    Qt.Key.Key_G: Role.GROUPS,
}
ROLE_ACTIONS = (
    (Role.LABEL, N_("Label"), "L", "label"),
    (Role.FEATURE, N_("Feature"), "F", "feature"),
    (Role.IGNORED, N_("Ignore"), "I", "ignored"),
)
# For a single column, and seldom: these stand in the menu alone.
_SINGLE_ACTIONS = (
    (Role.WEIGHT, N_("Row weight"), "W", "weight"),
    (Role.GROUPS, N_("Groups of rows"), "G", "groups"),
)
_SINGLE_ROLES = tuple(role for role, *_ in _SINGLE_ACTIONS)
_ROLES = {str(role): role for role in Role}
_OPEN = "open"
_LETTERS = {Field.ROLE: 14, Field.KIND: 13, Field.MISSING: 10, Field.SPREAD: 18}
_VALUES_SHARE = 0.4
_FEWEST_LETTERS, _USUAL_LETTERS = 14, 24
_FEWEST_VALUE_LETTERS, _MOST_VALUE_LETTERS = 10, 40
_FEWEST_SPREAD_LETTERS = 9
_FILTER_LETTERS = 18
KIND_ACTIONS = ((Kind.NOMINAL, N_("Read as categories")), (Kind.CONTINUOUS, N_("Read as numbers")))


class ColumnsView(FollowsLook, QTableView):
    """Shows a :class:`ColumnsModel`."""

    OWN_KEYS = OwnKeys(
        N_("In the list of columns"),
        (
            *((key, title) for _, title, key, _ in (*ROLE_ACTIONS, *_SINGLE_ACTIONS)),
            ("Return", N_("Open the column")),
            ("Menu", N_("Roles and types of the selected columns")),
        ),
    )

    role_requested = Signal(list, Role)
    kind_requested = Signal(list, Kind)
    current_changed = Signal(str)
    open_requested = Signal(str)

    def __init__(self, model: ColumnsModel) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self.setItemDelegateForColumn(Field.NAME, NameDelegate(self))
        self.setItemDelegateForColumn(Field.SPREAD, BarsDelegate(self))
        self.setAccessibleName(_("Columns of the table"))
        self.heading_help = HeadingHelp(self.horizontalHeader())
        self.setAccessibleDescription(
            _(
                "Enter opens a column. L makes the selected columns labels, F features, I ignored, W the row "
                "weight, G the groups of rows."
            )
        )
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setVisible(False)
        header = self.horizontalHeader()
        show_no_selection(header)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSectionsClickable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sortIndicatorChanged.connect(model.sort)
        header.setMinimumSectionSize(56)
        self._follow_font()
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._ask_to_open)
        self.selectionModel().currentRowChanged.connect(self._on_current)

    def height_of(self, rows: int) -> int:
        """Return the height in which so many rows are seen below the headings."""
        around = self.frameWidth() * 2 + self.horizontalHeader().sizeHint().height()
        return around + rows * self.verticalHeader().defaultSectionSize()

    def selected_names(self) -> list[str]:
        """Return the names of the selected columns, in the order of the table."""
        return self._model.names([index.row() for index in self.selectionModel().selectedRows()])

    def select_name(self, name: str) -> None:
        """Select one column and bring it into view."""
        place = self._model.row_of(name)
        if place is not None:
            index = self._model.index(place, 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)

    def role_menu(self) -> QMenu:
        """Make the menu of roles and types for the selected columns."""
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if len(self.selected_names()) == 1:
            menu.addAction(_("Open the column\tEnter")).setData(_OPEN)
            menu.addSeparator()
        chosen = themes.colours(self.palette())
        for role, title, key, icon in (*ROLE_ACTIONS, *_SINGLE_ACTIONS):
            action = menu.addAction(f"{_(title)}\t{key}")
            icons.assign(action, icon, chosen, "label" if role is Role.LABEL else "muted")
            action.setData(str(role))
            action.setEnabled(role not in _SINGLE_ROLES or len(self.selected_names()) == 1)
        menu.addSeparator()
        for kind, title in KIND_ACTIONS:
            menu.addAction(_(title)).setData(str(kind))
        menu.triggered.connect(self._on_menu)
        # It offers what suits these columns, and so goes where others are selected, or none.
        model = self._model
        for changed in (self.selectionModel().selectionChanged, model.layoutChanged, model.modelReset):
            changed.connect(menu.close)
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Set roles by L, F, I, W and G; the rest is for the table."""
        key = Qt.Key(event.key())
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if plain and key in ROLE_KEYS:
            self._ask_for_role(ROLE_KEYS[key])
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._ask_to_open(self.currentIndex())
            return
        if key == Qt.Key.Key_Menu and self.selected_names():
            corner = self.visualRect(self.currentIndex()).bottomLeft()
            self._open_menu(self.viewport().mapToGlobal(corner + QPoint(SPACE_LARGE, 0)))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer roles and types for what is selected."""
        if self.selected_names():
            self._open_menu(event.globalPos())

    def _follow_colours(self) -> None:
        self._model.set_colours(themes.colours(self.palette()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width anew."""
        super().resizeEvent(event)
        self._follow_font()

    def _follow_font(self) -> None:
        """Give names and values what the narrow columns leave over."""
        letter = self.fontMetrics().averageCharWidth()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + SPACE + 2)
        header = self.horizontalHeader()
        for field, letters in _LETTERS.items():
            header.resizeSection(field, letters * letter)
        rest = self.viewport().width() - sum(_LETTERS.values()) * letter
        # Of all columns, a distribution can be read best when it is smaller.
        lacking = (_USUAL_LETTERS + _FEWEST_VALUE_LETTERS) * letter - rest
        title = self._model.headerData(Field.SPREAD, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        titled = self.fontMetrics().horizontalAdvance(title) + SPACE_LARGE
        fewest = max(_FEWEST_SPREAD_LETTERS * letter, titled)
        given = min(max(lacking, 0), max(_LETTERS[Field.SPREAD] * letter - fewest, 0))
        header.resizeSection(Field.SPREAD, _LETTERS[Field.SPREAD] * letter - given)
        rest += given
        values = min(max(_VALUES_SHARE * rest, _FEWEST_VALUE_LETTERS * letter), _MOST_VALUE_LETTERS * letter)
        header.resizeSection(Field.VALUES, int(values))
        header.resizeSection(Field.NAME, max(int(rest - values), _FEWEST_LETTERS * letter))

    def _open_menu(self, position: QPoint) -> None:
        self.role_menu().popup(position)

    def _on_menu(self, action: QAction) -> None:
        chosen = str(action.data())
        if chosen == _OPEN:
            self.open_requested.emit(self.selected_names()[0])
        elif chosen in _ROLES:
            self._ask_for_role(_ROLES[chosen])
        else:
            self.kind_requested.emit(self.selected_names(), Kind(chosen))

    def _ask_for_role(self, role: Role) -> None:
        names = self.selected_names()
        if names:
            self.role_requested.emit(names, role)

    def _ask_to_open(self, index: QModelIndex) -> None:
        self.open_requested.emit(self._model.names([index.row()])[0])

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == Field.ROLE and len(self.selected_names()) == 1:
            self._open_menu(self.viewport().mapToGlobal(self.visualRect(index).bottomLeft()))

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.current_changed.emit(self._model.names([current.row()])[0])


def role_button(role: Role, title: str, icon: str) -> QPushButton:
    """Make the button that gives columns a role."""
    button = QPushButton(_(title))
    icons.assign(button, icon, themes.colours(), "label" if role is Role.LABEL else "muted")
    return button


class RoleBar(QWidget):
    """Buttons and the filter; the page connects them with the list."""

    role_requested = Signal(Role)
    labels_file_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.filter = line_edit(_("Find a column"), _("Find a column"))
        self.filter.setClearButtonEnabled(True)
        set_tooltip(
            self.filter, _("Show only columns whose names or descriptions contain these words (Ctrl+F)")
        )
        self.filter.setMinimumWidth(self.filter.fontMetrics().averageCharWidth() * _FILTER_LETTERS)
        layout = row((self.filter, 1), on=self, spacing=SPACE_SMALL)
        layout.addSpacing(SPACE)
        self.buttons: dict[Role, QPushButton] = {}
        for role, title, key, icon in ROLE_ACTIONS:
            button = self.buttons[role] = role_button(role, title, icon)
            set_tooltip(button, _(_MAKE[role], key=key))
            button.clicked.connect(lambda _checked, given=role: self.role_requested.emit(given))
            layout.addWidget(button)
        layout.addSpacing(SPACE)
        self.by_name = QPushButton(_("By name…"))
        self.by_name.setCheckable(True)
        set_look(self.by_name, "link")
        set_tooltip(
            self.by_name, _("Choose columns by names, patterns such as lbl_*, ranges or a pasted list")
        )
        layout.addWidget(self.by_name)
        self.labels_file = push_button(
            _("Labels from another table…"),
            self.labels_file_requested,
            _("Join a second table with the labels, or use an XML file that names them"),
            "link",
        )
        layout.addWidget(self.labels_file)
        self.set_selected(0)

    def set_selected(self, count: int) -> None:
        """Allow the roles only while something is selected."""
        for button in self.buttons.values():
            button.setEnabled(count > 0)


_MAKE = {
    Role.LABEL: N_("Make the selected columns labels ({key})"),
    Role.FEATURE: N_("Make the selected columns features ({key})"),
    Role.IGNORED: N_("Make the selected columns ignored ({key})"),
}
