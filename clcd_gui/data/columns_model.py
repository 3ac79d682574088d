"""The columns of the open table as rows: name, role, type, values, missing share, spread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from clcd_gui.document.column_summary import ColumnSummary
from clcd_gui.document.columns import (
    LEFT_OUT,
    kind_text,
    missing_text,
    role_text,
    values_text,
    values_tooltip,
)
from clcd_gui.style import icons
from clcd_gui.style.text import literal
from clcd_gui.style.tokens import LABEL, LIGHT, Colours
from clcd_gui.widgets.finding_table_model import WITH_NOTE
from clcd_gui.wording.text import in_curved_marks
from engine.table.variable import Kind, Role, Variable
from engine.translation import N_, _
from engine.wording.shown_names import shown_name

BARS_ROLE = Qt.ItemDataRole.UserRole + 1
NAME_ROLE = Qt.ItemDataRole.UserRole + 2
VARIABLE_ROLE = Qt.ItemDataRole.UserRole + 3

_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ROLE_ICONS = {
    Role.LABEL: "label",
    Role.FEATURE: "feature",
    Role.IGNORED: "ignored",
    Role.WEIGHT: "weight",
    Role.GROUPS: "groups",
}
_ROLE_ORDER = {role: place for place, role in enumerate(_ROLE_ICONS)}


class Field(IntEnum):
    """What each column of the list shows."""

    NAME = 0
    ROLE = 1
    KIND = 2
    VALUES = 3
    MISSING = 4
    SPREAD = 5


_TITLES = {
    Field.NAME: (N_("Column"), N_("Name of the column; click a heading to sort.")),
    Field.ROLE: (
        N_("Role"),
        N_(
            "Label: {label} Feature: may explain the labels. Ignored: takes no part. Left out: a "
            "feature that the search leaves out; point at it to see why. Weight: how many cases "
            "each row stands for. Groups: which rows belong together, such as several rows of one "
            "person."
        ),
    ),
    Field.KIND: (N_("Type"), N_("Categories or numbers.")),
    Field.VALUES: (N_("Values"), N_("The categories, or the smallest and the largest number.")),
    Field.MISSING: (N_("Missing"), N_("Share of rows without a value.")),
    Field.SPREAD: (N_("Distribution"), N_("How often each category or each range of numbers occurs.")),
}


class ColumnsModel(QAbstractTableModel):
    """Shows the variables of a dataset; sorts and filters by numpy order arrays."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._variables: tuple[Variable, ...] = ()
        self._summaries: tuple[ColumnSummary, ...] = ()
        self._notes: Mapping[str, str] = {}
        self._left_out: Mapping[str, str] = {}
        # Names and descriptions as they are searched, made when they first are: many take a moment.
        self._haystacks: list[str] | None = None
        self._order = np.empty(0, dtype=np.int64)
        self._filter = ""
        self._sorted: tuple[Field, Qt.SortOrder] | None = None
        self._colours: Colours | None = None
        self._role_icons: dict[Role, Any] = {}
        self.set_colours(LIGHT)

    def set_table(self, variables: Sequence[Variable], summaries: Sequence[ColumnSummary]) -> None:
        """Show another table, in column order and unfiltered."""
        self.beginResetModel()
        self._variables, self._summaries = tuple(variables), tuple(summaries)
        self._haystacks = None
        self._filter, self._sorted = "", None
        self._order = self._wanted_order()
        self.endResetModel()

    def update_table(self, variables: Sequence[Variable], summaries: Sequence[ColumnSummary]) -> None:
        """Take over other roles or kinds; with the same columns the order of rows stays, so nothing jumps."""
        if variables is self._variables and summaries is self._summaries:
            return
        self._haystacks = None
        if [variable.name for variable in self._variables] == [variable.name for variable in variables]:
            self._variables, self._summaries = tuple(variables), tuple(summaries)
            self._tell_changed(0, len(Field) - 1)
            return
        self.beginResetModel()
        self._variables, self._summaries = tuple(variables), tuple(summaries)
        self._order = self._wanted_order()
        self.endResetModel()

    def set_notes(self, notes: Mapping[str, str]) -> None:
        """Mark the columns on which something was written, or on a finding of which."""
        if notes != self._notes:
            self._notes = dict(notes)
            self._tell_changed(Field.NAME, Field.NAME)

    def show_names_anew(self) -> None:
        """Call the columns as they are shown now."""
        self._rearrange()
        self._tell_changed(Field.NAME, Field.NAME)

    def set_left_out(self, reasons: Mapping[str, str]) -> None:
        """Mark the features that a search leaves out; each has its reason."""
        if reasons != self._left_out:
            self._left_out = dict(reasons)
            self._tell_changed(Field.ROLE, Field.ROLE)

    def _tell_changed(self, first: int, last: int) -> None:
        """Tell that the fields from one to another show something else, in every row."""
        if len(self._order):
            self.dataChanged.emit(self.index(0, first), self.index(len(self._order) - 1, last))

    def set_filter(self, text: str) -> None:
        """Show only columns whose name or description (such as a question) holds all words of a text."""
        if text != self._filter:
            self._filter = text
            self._rearrange()

    def set_colours(self, colours: Colours) -> None:
        """Tint the marks of the roles; a widget asks for it many times while the window is put together."""
        if colours == self._colours:
            return
        self._colours = colours
        self._note_icon = icons.icon("note", colours.muted)
        tints = {role: colours.label if role is Role.LABEL else colours.muted for role in _ROLE_ICONS}
        self._role_icons = {role: icons.icon(name, tints[role]) for role, name in _ROLE_ICONS.items()}
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Field) - 1)

    def names(self, rows: Sequence[int]) -> list[str]:
        """Return the names of the variables in some rows, in column order."""
        numbers = sorted(int(self._order[row]) for row in rows)
        return [self._variables[number].name for number in numbers]

    def row_of(self, name: str) -> int | None:
        """Return the row that shows a variable, or None when it is filtered away."""
        names = (self._variables[number].name for number in self._order)
        return next((row for row, shown in enumerate(names) if shown == name), None)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the variables shown."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count what is shown about each."""
        return 0 if parent.isValid() else len(Field)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return a heading and its explanation."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        heading, help_text = _TITLES[Field(section)]
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        shown: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: _(heading),
            Qt.ItemDataRole.ToolTipRole: _(help_text, label=_(LABEL.help)),
            Qt.ItemDataRole.TextAlignmentRole: _RIGHT if section == Field.MISSING else left,
        }
        return shown.get(role)

    def data(self, index: _Index, role: int = 0) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        number = int(self._order[index.row()])
        variable, summary = self._variables[number], self._summaries[number]
        field = Field(index.column())
        note = self._notes.get(variable.name, "") if field is Field.NAME else ""
        is_left_out = variable.role is Role.FEATURE and variable.name in self._left_out
        if field is Field.ROLE and is_left_out:
            if role == Qt.ItemDataRole.DisplayRole:
                return _(LEFT_OUT)
            if role == Qt.ItemDataRole.ToolTipRole:
                return literal(in_curved_marks(self._left_out[variable.name]))
            if role == Qt.ItemDataRole.DecorationRole:
                return self._role_icons[Role.IGNORED]
        if role == Qt.ItemDataRole.DisplayRole:
            return _TEXTS[field](variable, summary)
        if role == Qt.ItemDataRole.ToolTipRole:
            tooltip = _tooltip(field, variable, summary)
            noted = _("Note: {note}", note=note) if note else ""
            return literal(f"{tooltip}\n\n{noted}" if note else tooltip)
        if role == Qt.ItemDataRole.DecorationRole and note:
            return self._note_icon
        if role == Qt.ItemDataRole.AccessibleTextRole and note:
            return f"{shown_name(variable.name)}, {_(WITH_NOTE)}"
        if role == Qt.ItemDataRole.DecorationRole and field is Field.ROLE:
            return self._role_icons[variable.role]
        if role == Qt.ItemDataRole.TextAlignmentRole and field is Field.MISSING:
            return _RIGHT
        if role == Qt.ItemDataRole.AccessibleTextRole and field is Field.SPREAD:
            return values_text(variable, summary)
        if role == BARS_ROLE:
            return summary.bars
        if role == NAME_ROLE:
            return variable.name
        if role == VARIABLE_ROLE:
            return variable
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by what a column shows; -1 goes back to the order of the table."""
        self._sorted = (Field(column), order) if column >= 0 else None
        self._rearrange()

    def _rearrange(self) -> None:
        order = self._wanted_order()
        if np.array_equal(order, self._order):
            return
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        numbers = [int(self._order[index.row()]) for index in held]
        self._order = order
        rows = {int(number): row for row, number in enumerate(self._order)} if held else {}
        moved = [
            self.index(rows[number], index.column()) if number in rows else QModelIndex()
            for number, index in zip(numbers, held, strict=True)
        ]
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()

    def _wanted_order(self) -> np.ndarray:
        words = self._filter.casefold().split()
        shown: Sequence[int] = range(len(self._variables))
        if words:
            if self._haystacks is None:
                self._haystacks = [
                    f"{variable.name} {variable.description}".casefold() for variable in self._variables
                ]
            texts = enumerate(self._haystacks)
            shown = [number for number, text in texts if all(word in text for word in words)]
        order = np.array(shown, dtype=np.int64)
        if self._sorted is None or not len(order):
            return order
        field, direction = self._sorted
        keys = [_KEYS[field](self._variables[number], self._summaries[number]) for number in shown]
        _, ranks = np.unique(np.array(keys), return_inverse=True)
        if direction is Qt.SortOrder.DescendingOrder:
            ranks = -ranks
        return order[np.argsort(ranks, kind="stable")]


def _tooltip(field: Field, variable: Variable, summary: ColumnSummary) -> str:
    if field is Field.NAME:
        return "\n".join(filter(None, (variable.name, variable.description)))
    if field in (Field.VALUES, Field.SPREAD):
        return values_tooltip(variable, summary)
    if field is Field.MISSING:
        return _("{missing:,} of {rows:,} rows", missing=summary.missing, rows=summary.rows)
    return ""


_TEXTS: dict[Field, Callable[[Variable, ColumnSummary], str]] = {
    Field.NAME: lambda variable, summary: shown_name(variable.name),
    Field.ROLE: lambda variable, summary: role_text(variable.role),
    Field.KIND: lambda variable, summary: kind_text(variable.kind),
    Field.VALUES: values_text,
    Field.MISSING: lambda variable, summary: missing_text(summary),
    Field.SPREAD: lambda variable, summary: "",
}

_KEYS: dict[Field, Callable[[Variable, ColumnSummary], str | float]] = {
    Field.NAME: lambda variable, summary: shown_name(variable.name).casefold(),
    Field.ROLE: lambda variable, summary: _ROLE_ORDER[variable.role],
    Field.KIND: lambda variable, summary: variable.kind is Kind.CONTINUOUS,
    Field.VALUES: lambda variable, summary: summary.distinct,
    Field.MISSING: lambda variable, summary: summary.missing,
    Field.SPREAD: lambda variable, summary: summary.distinct,
}
