"""What is known of causes and effects before the data are looked at: order in time, and single statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from clcd_gui.document.document import Document
from clcd_gui.run.failure import failure_of
from clcd_gui.style.text import literal, muted, plain, set_tooltip
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.turns import WhenSeen
from clcd_gui.widgets.controls import choice, name_completer, push_button
from clcd_gui.widgets.dialogs import KnowledgeDialogs
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.window_page import ForTable
from clcd_gui.wording.text import OwnKeys
from engine.errors import EngineError
from engine.knowledge.knowledge import Knowledge, Pair, names_like
from engine.knowledge.knowledge_files import read_knowledge, write_knowledge
from engine.translation import N_, _
from engine.wording.shown_names import name_of, shown_name, whole_name

_INTRODUCTION = N_(
    "Put variables into tiers, earliest first. Nothing in a later tier causes anything in an "
    "earlier tier. This settles directions and effects. Drag variables, or type a name or a pattern "
    "such as visit1_* below a tier."
)
_STEERS_HELP = N_(
    "The Markov boundary of a label is searched among variables that are not later than the label. "
    "No test conditions on a variable that is later than both variables tested. If this is off, "
    "tiers do not change which variables are found."
)
_TIER = N_("Tier {number}")
_EARLIEST = N_("Tier 1, earliest")
_PATTERN = N_("Name or pattern")
_UNKNOWN = N_("No label or feature is called “{pattern}” or matches this pattern.")
_LIST_LETTERS = 28
_LONG_NAME = 20
_MOST_UNSEEN = 1000
_STATEMENTS_SEEN = 5


@dataclass(frozen=True, slots=True)
class StatementKind:
    """A kind of thing that can be said of one variable or of two."""

    part: str  # field of :class:`Knowledge <engine.knowledge.knowledge.Knowledge>` that holds it
    words: str  # what is chosen to say so, between the two names or behind the one
    sentence: str  # with places for the names

    @property
    def is_of_two(self) -> bool:
        """Whether it speaks of two variables."""
        return "{second}" in self.sentence

    def text(self, statement: str | Pair) -> str:
        """Write one statement."""
        first, second = (statement, "") if isinstance(statement, str) else statement
        return _(self.sentence, first=shown_name(first), second=shown_name(second))


STATEMENT_KINDS = (
    StatementKind("not_effects", N_("cannot be an effect"), N_("{first} cannot be an effect")),
    StatementKind("required", N_("is a direct cause of"), N_("{first} is a direct cause of {second}")),
    StatementKind(
        "forbidden", N_("is not a direct cause of"), N_("{first} is not a direct cause of {second}")
    ),
    StatementKind(
        "unconfounded",
        N_("has no unmeasured common cause with"),
        N_("{first} has no unmeasured common cause with {second}"),
    ),
)


_NAME_ROLE = Qt.ItemDataRole.UserRole


class _InRoomThereIs(QStyledItemDelegate):
    """Asks for no width of its own."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a line."""
        return QSize(0, super().sizeHint(option, index).height())


class TierList(FollowsLook, QListWidget):
    """The variables of one tier: they are dragged to another one, or moved by Ctrl with an arrow."""

    OWN_KEYS = OwnKeys(
        N_("In a tier of background knowledge"),
        ((N_("Ctrl+Left, Ctrl+Right"), N_("Move the selected variables to the next tier")),),
    )

    dropped = Signal(list)
    moved = Signal(list, int)

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self._follow_font()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUniformItemSizes(True)
        # A long name is cut in its middle, so that its end is seen without scrolling.
        self.setItemDelegate(_InRoomThereIs(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def names(self) -> list[str]:
        """The variables in it, from the top."""
        return [self.item(row).data(_NAME_ROLE) for row in range(self.count())]

    @property
    def selected_names(self) -> list[str]:
        """The variables that are selected."""
        return [item.data(_NAME_ROLE) for item in self.selectedItems()]

    def set_names(self, names: Sequence[str]) -> None:
        """Show other variables, or the same as they are called now."""
        shown = [shown_name(name) for name in names]
        if list(names) != self.names or shown != [self.item(row).text() for row in range(self.count())]:
            self.clear()
            self.addItems(shown)
            for row, name in enumerate(names):
                self.item(row).setData(_NAME_ROLE, name)
                if len(shown[row]) > _LONG_NAME:
                    self.item(row).setToolTip(literal(whole_name(name)))

    def _follow_font(self) -> None:
        # They share what room there is, so that names are cut beside none.
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * _LIST_LETTERS)

    def dropEvent(self, event: QDropEvent) -> None:
        """Take what was dragged here; who holds the tiers arranges them anew."""
        source = event.source()
        names = source.selected_names if isinstance(source, TierList) else []
        # The list it came from would remove it by itself otherwise.
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if names and source is not self:
            self.dropped.emit(names)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move what is selected to the neighbouring tier."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is not None and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.moved.emit(self.selected_names, self.number + step)
        else:
            super().keyPressEvent(event)


class KnowledgePanel(FollowsLook, QWidget, ForTable):
    """Shows and changes what the document says is known; each change can be undone."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.dialogs = KnowledgeDialogs()
        self.notice = Notice()
        self.tiers: list[TierList] = []
        self.patterns: list[QLineEdit] = []
        self._boxes: list[QWidget] = []
        self._entries: list[tuple[StatementKind, str | Pair]] = []
        self.statements = QListWidget()
        self._names = QStringListModel(self)
        self._lay_out()
        self._refresh_when_seen = WhenSeen(self)
        self._refresh_when_seen.due.connect(self._refresh)
        document.analysis_changed.connect(self._on_changed)
        document.closed.connect(self._on_changed)
        document.names_changed.connect(self._on_changed)
        self._on_changed()

    @property
    def knowledge(self) -> Knowledge:
        """What is shown."""
        analysis = self._document.analysis
        return analysis.knowledge if analysis is not None else Knowledge()

    @property
    def _searched(self) -> tuple[str, ...]:
        """The labels and features: of a weight, of groups and of what is ignored, nothing is asked."""
        return tuple(
            variable.name for variable in self._document.dataset.variables if variable.role.takes_part
        )

    def forget_table(self) -> None:
        """Empty what a statement or a tier is typed into."""
        for box in (self.first, self.second, *self.patterns):
            box.clear()
        self.kinds.setCurrentIndex(0)
        self.notice.hide_text()

    def put_into_tier(self, names: Sequence[str], number: int) -> None:
        """Move variables to a tier, counted from 1; 0 takes them out of all. A new last tier is made."""
        tiers = [[name for name in tier if name not in names] for tier in self.knowledge.tiers]
        if number > len(tiers):
            tiers.append([])
        if number > 0:
            tiers[min(number, len(tiers)) - 1] += names
        self._change(tiers=tiers)

    def add_statement(self, kind: StatementKind, first: str, second: str = "") -> None:
        """Add a statement; of one variable, a pattern stands for several."""
        existing: tuple[Any, ...] = getattr(self.knowledge, kind.part)
        if kind.is_of_two:
            self._change(**{kind.part: (*existing, (name_of(first.strip()), name_of(second.strip())))})
            return
        names = names_like(name_of(first.strip()), self._searched)
        if names:
            self._change(**{kind.part: (*existing, *names)})
        else:
            self.notice.show_text(_(_UNKNOWN, pattern=first))

    def read_file(self, path: Path) -> None:
        """Take over what a file says."""
        names = self._document.dataset.names
        self._attempt(lambda: read_knowledge(path, names), _("read background knowledge from a file"))

    def _change(self, **parts: Any) -> None:
        self._attempt(lambda: replace(self.knowledge, **parts), _("change background knowledge"))

    def _attempt(self, make: Callable[[], Knowledge], text: str) -> None:
        self.notice.hide_text()
        try:
            knowledge = make()
            knowledge.check_names(self._document.dataset.names)
            self._document.change_knowledge(knowledge, text)
        except EngineError as error:
            self.notice.show_failure(failure_of(error))

    def _on_changed(self) -> None:
        # A list of many thousands of names takes a moment, which a window that opens them has not.
        if len(self._document.dataset.names) > _MOST_UNSEEN:
            self._refresh_when_seen.request()
        else:
            self._refresh()

    def _refresh(self) -> None:
        self._refresh_when_seen.cancel()
        knowledge = self.knowledge
        searched = self._searched
        self._names.setStringList(list(map(shown_name, searched)))
        ordered = {name for tier in knowledge.tiers for name in tier}
        unordered = [name for name in searched if name not in ordered]
        while len(self.tiers) < len(knowledge.tiers) + 2:
            self._add_column()
        for number, shown in enumerate(self.tiers):
            # Behind the last tier stands an empty one, to begin another.
            tier = knowledge.tiers[number - 1] if 0 < number <= len(knowledge.tiers) else ()
            shown.set_names(unordered if number == 0 else tier)
            self._boxes[number].setVisible(number <= len(knowledge.tiers) + 1)
        self.statements.clear()
        self._entries = [
            (kind, statement) for kind in STATEMENT_KINDS for statement in getattr(knowledge, kind.part)
        ]
        for kind, statement in self._entries:
            self.statements.addItem(kind.text(statement))
        # An empty box would say nothing, and the tiers need the room.
        for part in (self.statements, self.remove):
            part.setVisible(bool(self._entries))
        self.save.setEnabled(not knowledge.is_empty)
        analysis = self._document.analysis
        steers = analysis is not None and analysis.discovery.time_order
        with QSignalBlocker(self.steers):
            self.steers.setChecked(steers)
        # What is chosen can be switched off, whatever became of the tiers.
        self.steers.setEnabled(steers or knowledge.has_order)
        self.why_not.setVisible(not knowledge.has_order)

    def _add_column(self) -> None:
        number = len(self.tiers)
        title = _("No tier") if number == 0 else _(_EARLIEST if number == 1 else _TIER, number=number)
        shown = TierList(number)
        shown.setAccessibleName(title)
        shown.dropped.connect(lambda names: self.put_into_tier(names, number))
        shown.moved.connect(self._on_moved)
        pattern = self._name_box(_(_PATTERN))
        pattern.setAccessibleName(f"{_(_PATTERN)}: {title}")
        pattern.returnPressed.connect(partial(self._on_pattern, number))
        box = QWidget()
        column(plain(title), (shown, 1), pattern, on=box, spacing=SPACE_SMALL)
        self.tiers.append(shown)
        self.patterns.append(pattern)
        self._boxes.append(box)
        self._columns.insertWidget(number, box, 1)

    def _on_moved(self, names: list[str], number: int) -> None:
        if names and number >= 0:
            self.put_into_tier(names, number)
            self.tiers[min(number, len(self.tiers) - 1)].setFocus()

    def _on_pattern(self, number: int) -> None:
        box = self.patterns[number]
        names = names_like(name_of(box.text().strip()), self._searched)
        if names:
            box.clear()
            self.put_into_tier(names, number)
        elif box.text().strip():
            self.notice.show_text(_(_UNKNOWN, pattern=box.text().strip()))

    def _on_say(self) -> None:
        kind: StatementKind = self.kinds.currentData()
        if not self.first.text().strip() or (kind.is_of_two and not self.second.text().strip()):
            return
        before = self.knowledge
        self.add_statement(kind, self.first.text(), self.second.text())
        if self.knowledge is not before:
            self.first.clear()
            self.second.clear()
            self.first.setFocus()

    def _on_remove(self) -> None:
        rows = {index.row() for index in self.statements.selectedIndexes()}
        left: dict[str, list[Any]] = {kind.part: [] for kind in STATEMENT_KINDS}
        for place, (kind, statement) in enumerate(self._entries):
            if place not in rows:
                left[kind.part].append(statement)
        if rows:
            self._change(**left)

    def _on_kind(self) -> None:
        self.second.setVisible(self.kinds.currentData().is_of_two)

    def _on_read(self) -> None:
        path = self.dialogs.choose_to_read(self.window())
        if path is not None:
            self.read_file(path)

    def _on_save(self) -> None:
        path = self.dialogs.choose_to_write(self.window())
        if path is None:
            return
        try:
            write_knowledge(self.knowledge, path)
            self.notice.show_text(_("Saved as {path}.", path=path))
        except EngineError as error:
            self.notice.show_failure(failure_of(error))

    def _name_box(self, hint: str) -> QLineEdit:
        box = QLineEdit()
        box.setPlaceholderText(hint)
        completer = name_completer(self._names, box)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        box.setCompleter(completer)
        return box

    def _lay_out(self) -> None:
        content = QWidget()
        self._columns = row(on=content)
        area = QScrollArea()
        area.setWidget(content)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.steers = QCheckBox(_("Let the time order steer the search"))
        set_tooltip(self.steers, _(_STEERS_HELP))
        self.steers.toggled.connect(partial(self._document.change_discovery, "time_order"))
        self.why_not = muted(_("Put variables into two tiers or more first."))
        self.statements.setAccessibleName(_("Statements"))
        self.statements.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._follow_font()
        column(
            self.notice,
            muted(_(_INTRODUCTION)),
            (area, 1),
            row(self.steers, (self.why_not, 1)),
            self._make_statement_row(),
            self.statements,
            self._make_buttons(),
            on=self,
            margins=(0, SPACE, 0, 0),
        )

    def _make_statement_row(self) -> QHBoxLayout:
        self.first, self.second = self._name_box(_("Variable")), self._name_box(_("Variable"))
        self.first.setAccessibleName(_("First variable of a statement"))
        self.second.setAccessibleName(_("Second variable of a statement"))
        self.kinds = choice(_("Statement"), {_(kind.words): kind for kind in STATEMENT_KINDS})
        self.add = push_button(_("Add"), self._on_say)
        self.kinds.currentIndexChanged.connect(self._on_kind)
        for box in (self.first, self.second):
            box.returnPressed.connect(self._on_say)
        self._on_kind()
        return row((self.first, 1), self.kinds, (self.second, 1), self.add)

    def _follow_font(self) -> None:
        self.statements.setFixedHeight(_STATEMENTS_SEEN * (self.fontMetrics().height() + SPACE_SMALL))

    def _make_buttons(self) -> QHBoxLayout:
        remove = _("Remove the statements that are selected")
        read = _("Read background knowledge from a file: JSON of CLCD, or text of Tetrad")
        save = _("Save background knowledge as JSON, or as text of Tetrad")
        self.remove = push_button(_("Remove"), self._on_remove, remove, "quiet")
        self.read = push_button(_("Read…"), self._on_read, read, "quiet")
        self.save = push_button(_("Save…"), self._on_save, save, "quiet")
        return row(self.remove, 1, self.read, self.save)
