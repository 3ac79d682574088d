"""A table of findings that sorts and filters thousands of rows at once, by numpy order arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from clcd_gui.document.listing import Listed
from clcd_gui.style.text import literal
from clcd_gui.wording.text import NUMBERS, counted
from engine.discovery.columns import ContentKind, FindingColumn, Output, ResultTable
from engine.discovery.evidence import Relation
from engine.translation import N_, _
from engine.wording.shown_names import shown_name, whole_name

FINDING_ROLE = Qt.ItemDataRole.UserRole + 1
LABELS_ROLE = Qt.ItemDataRole.UserRole + 2
BAR_ROLE = Qt.ItemDataRole.UserRole + 3
FOLD_ROLE = Qt.ItemDataRole.UserRole + 4
NOTE_ROLE = Qt.ItemDataRole.UserRole + 5
THROUGH_ROLE = Qt.ItemDataRole.UserRole + 6
LINES_ROLE = Qt.ItemDataRole.UserRole + 7
DETAILS_ROLE = Qt.ItemDataRole.UserRole + 8
MOST_LINES = 8
"""So many labels of a finding have a line each; of the others their number is told."""

WITH_NOTE = N_("with a note")
"""What a person hears of a row on which something was written."""

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar beside the text of a cell: how full it is, and the longest text of its column."""

    share: float
    longest_text: str
    line_shares: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """How a row stands to those that are interchangeable with it."""

    led: int
    is_open: bool
    is_led: bool


class FindingTableModel(QAbstractTableModel):
    """Findings as rows, the essential columns first; those that another leads are folded under it."""

    def __init__(self, columns: Sequence[FindingColumn[Any]], essential_columns: int) -> None:
        super().__init__()
        self.essential_columns = essential_columns
        self.columns = tuple(columns)
        self.findings: tuple[Listed, ...] = ()
        self.notes: Mapping[str, str] = {}
        self.fitting = 0
        self._haystacks: list[str] = []
        self._rows = np.empty(0, dtype=np.int64)
        self._row_of: dict[str, int] = {}
        self._leader_of: dict[int, int] = {}
        self._led: dict[int, list[int]] = {}
        self._open: set[str] = set()
        self._filter = ""
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None
        self._orders: dict[int, np.ndarray] = {}

    def set_findings(self, findings: Sequence[Listed]) -> None:
        """Show other findings, in the order in which they are given until a column is sorted by."""
        self.beginResetModel()
        self.findings = tuple(findings)
        self._orders.clear()
        self._haystacks = ["\n".join(map(whole_name, finding.names)).casefold() for finding in findings]
        numbers = {finding.feature: number for number, finding in enumerate(self.findings)}
        self._leader_of = {
            number: numbers[finding.led_by]
            for number, finding in enumerate(self.findings)
            if finding.led_by is not None and finding.led_by in numbers
        }
        self._arrange()
        self.endResetModel()

    def set_columns(self, columns: Sequence[FindingColumn[Any]]) -> None:
        """Give the columns other headings; they hold what they held before."""
        self.columns = tuple(columns)
        self._orders.clear()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def set_notes(self, notes: Mapping[str, str]) -> None:
        """Mark the features on which something was written, or on a finding of which."""
        if notes != self.notes:
            self.notes = dict(notes)
            if len(self._rows):
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, 0))

    @property
    def folded(self) -> int:
        """Number of findings that fit the filter and are folded under others."""
        return self.fitting - len(self._rows)

    @property
    def has_folds(self) -> bool:
        """Whether any finding leads another one."""
        return bool(self._leader_of)

    def fold_at(self, row: int) -> Fold:
        """Tell how a row stands to those that are interchangeable with it."""
        number = int(self._rows[row])
        return Fold(len(self._led.get(number, ())), self._is_open(number), self._is_led(row))

    def toggle(self, row: int) -> None:
        """Show the rows that a row leads, or fold them."""
        number = int(self._rows[row])
        led = self._led.get(number, [])
        if not led or self._filter:
            return
        feature = self.findings[number].feature
        first = row + 1
        if feature in self._open:
            self.beginRemoveRows(_ROOT, first, row + len(led))
            self._open.discard(feature)
            self._set_rows(np.delete(self._rows, slice(first, first + len(led))))
            self.endRemoveRows()
        else:
            self.beginInsertRows(_ROOT, first, row + len(led))
            self._open.add(feature)
            self._set_rows(np.insert(self._rows, first, led))
            self.endInsertRows()

    def unfold(self, feature: str) -> None:
        """Show a feature that is folded under another one; nothing happens when it is shown, or unknown."""
        led_by = next((finding.led_by for finding in self.findings if finding.feature == feature), None)
        row = self.row_of(led_by)
        if self.row_of(feature) < 0 and row >= 0 and not self.fold_at(row).is_open:
            self.toggle(row)

    def finding_at(self, row: int) -> Listed:
        """Return the finding that is shown in a row."""
        return self.findings[int(self._rows[row])]

    def row_of(self, feature: str | None) -> int:
        """Return the row in which a feature is shown, -1 when it is not."""
        return -1 if feature is None else self._row_of.get(feature, -1)

    def set_filter(self, text: str) -> None:
        """Show only findings of which a name holds the text; when none does, those that hold its words."""
        wanted = text.casefold().strip()
        if wanted == self._filter:
            return
        self.beginResetModel()
        self._filter = wanted
        self._arrange()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 brings back the given order."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        persistent = [(self._rows[index.row()], index.column()) for index in before]
        self._sorted_by = None if column < 0 else (column, order)
        self._arrange()
        row_of = {int(number): row for row, number in enumerate(self._rows)}
        after = [self.index(row_of[int(number)], column_) for number, column_ in persistent]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Count the rows that are shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Count the columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        finding = self.finding_at(index.row())
        column = self.columns[index.column()]
        note = "" if index.column() else self.notes.get(finding.feature, "")
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.cell_text(finding, NUMBERS)
            case Qt.ItemDataRole.ToolTipRole:
                tooltip = column.cell_tooltip(finding, NUMBERS)
                noted = _("Note: {note}", note=note) if note else ""
                return literal(f"{tooltip}\n\n{noted}".strip())
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.AccessibleTextRole:
                text = f"{column.heading}: {_spoken(column, finding)}"
                fold = "" if index.column() else _fold_words(self.fold_at(index.row()))
                return ", ".join(filter(None, (text, fold, _(WITH_NOTE) if note else "")))
            case _ if role == NOTE_ROLE:
                return bool(note)
            case _ if role == FOLD_ROLE:
                return self.fold_at(index.row()) if self.has_folds and not index.column() else None
            case _ if role == FINDING_ROLE:
                return finding
            case _ if role == LABELS_ROLE:
                return finding.labels if column.kind is ContentKind.LABELS else None
            case _ if role == LINES_ROLE:
                return column.cell_lines(finding, NUMBERS)
            case _ if role == DETAILS_ROLE:
                return column.cell_details(finding, NUMBERS)
            case _ if role == THROUGH_ROLE:
                kinds = zip(finding.labels, finding.relations, strict=True)
                return frozenset(label for label, kind in kinds if kind is Relation.THROUGH_LABELS)
            case _ if role == BAR_ROLE:
                share = column.cell_share(finding)
                if share is None:
                    return None
                return Bar(share, column.longest_text(finding, NUMBERS), column.line_shares(finding))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return what a heading shows."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.heading
            case Qt.ItemDataRole.ToolTipRole:
                return literal(column.meaning)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def as_text(self, rows: Sequence[int]) -> str:
        """Write rows as tab-separated text with a heading, as spreadsheets take it."""
        lines = ["\t".join(column.heading for column in self.columns)]
        for row in rows:
            finding = self.finding_at(row)
            lines.append("\t".join(column.copied_text(finding, NUMBERS) for column in self.columns))
        return "\n".join(lines)

    def _arrange(self) -> None:
        rows = np.arange(len(self.findings))
        if self._sorted_by is not None:
            column, direction = self._sorted_by
            keys = self._order(column)
            rows = np.argsort(keys if direction is Qt.SortOrder.AscendingOrder else -keys, kind="stable")
        if self._filter:
            fits = [self._filter in text for text in self._haystacks]
            if not any(fits):
                words = self._filter.split()
                fits = [all(word in text for word in words) for text in self._haystacks]
            rows = rows[np.array(fits, dtype=bool)[rows]]
        self.fitting = len(rows)
        self._set_rows(self._folded(rows))

    def _folded(self, rows: np.ndarray) -> np.ndarray:
        """Put rows that another one leads directly after that, as far as they are to be shown."""
        self._led = {}
        if not self._leader_of:
            return rows
        listed = rows.tolist()
        fitting = set(listed)
        leading = []
        for number in listed:
            leader = self._leader_of.get(number, -1)
            if leader in fitting:
                self._led.setdefault(leader, []).append(number)
            else:
                leading.append(number)
        arranged = []
        for number in leading:
            arranged.append(number)
            if self._is_open(number):
                arranged += self._led.get(number, [])
        return np.array(arranged, dtype=np.int64)

    def _is_open(self, number: int) -> bool:
        # Whoever filters wants to see what fits.
        return bool(self._filter) or self.findings[number].feature in self._open

    def _is_led(self, row: int) -> bool:
        number = int(self._rows[row])
        return number in self._led.get(self._leader_of.get(number, -1), ())

    def _set_rows(self, rows: np.ndarray) -> None:
        self._rows = rows
        self._row_of = {self.findings[int(number)].feature: row for row, number in enumerate(rows)}

    def _order(self, column: int) -> np.ndarray:
        if column not in self._orders:
            keys = [self.columns[column].cell_order(finding) for finding in self.findings]
            if keys and isinstance(keys[0], str):
                ranks = {text: rank for rank, text in enumerate(sorted(set(keys), key=natural_key))}
                keys = [ranks[key] for key in keys]
            self._orders[column] = np.array(keys, dtype=np.float64)
        return self._orders[column]


def window_model(table: ResultTable[Any, Any]) -> FindingTableModel:
    """Return the model of a table of a result, with the columns that it has in the window."""
    return FindingTableModel(table.columns_in(Output.WINDOW), table.essential)


def _spoken(column: FindingColumn[Any], finding: Listed) -> str:
    """Say what a cell shows to a person who hears the table: of each line whose it is."""
    lines = column.whole_lines(finding, NUMBERS)
    if not lines or (len(lines) == 1 and column.kind is not ContentKind.LABELS):
        return column.cell_text(finding, NUMBERS)
    if column.kind is ContentKind.LABELS:
        return ", ".join(lines)
    return "; ".join(
        f"{shown_name(label)}: {line}" for label, line in zip(finding.labels, lines, strict=True)
    )


def _alignment(column: FindingColumn[Any]) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.kind.is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _fold_words(fold: Fold) -> str:
    """Say to a person who hears a table what is folded under a row."""
    if fold.is_led:
        return _("interchangeable with the row above")
    if not fold.led:
        return ""
    led = counted(fold.led, "interchangeable variable")
    return _("{led} shown under it", led=led) if fold.is_open else _("{led} folded under it", led=led)


def natural_key(text: object) -> list[tuple[int, int, str]]:
    """Return a key by which texts sort as a person expects, ``x2`` before ``x10``.

    >>> sorted(["x10", "x2", "X1"], key=natural_key)
    ['X1', 'x2', 'x10']
    """
    parts = _DIGITS.split(str(text).casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]
