"""A table of findings that sorts and filters thousands of rows at once, by numpy order arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from clcd_gui.document.listing import Listed
from clcd_gui.style.text import literal
from clcd_gui.wording.text import NUMBERS
from engine.discovery.columns import Column, Kind

FINDING_ROLE = Qt.ItemDataRole.UserRole + 1
LABELS_ROLE = Qt.ItemDataRole.UserRole + 2
BAR_ROLE = Qt.ItemDataRole.UserRole + 3

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar beside the text of a cell: how full it is, and the longest text of its column."""

    share: float
    longest_text: str


class FindingTableModel(QAbstractTableModel):
    """Findings as rows.

    Parameters
    ----------
    columns : sequence of Column
        What is shown, as :mod:`engine.discovery.tables` declares it; the first one is the name.
    essential_columns : int
        How many of them a person should see without scrolling.
    """

    def __init__(
        self, columns: Sequence[Column[Any]], essential_columns: int, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.essential_columns = essential_columns
        self.columns = tuple(columns)
        self._findings: tuple[Listed, ...] = ()
        self._haystacks: list[str] = []
        self._rows = np.empty(0, dtype=np.int64)
        self._row_of: dict[str, int] = {}
        self._filter = ""
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None
        self._orders: dict[int, np.ndarray] = {}

    def set_findings(self, findings: Sequence[Listed]) -> None:
        """Show other findings, in the order in which they are given until a column is sorted by."""
        self.beginResetModel()
        self._findings = tuple(findings)
        self._orders.clear()
        self._haystacks = ["\n".join(each.names).casefold() for each in findings]
        self._arrange()
        self.endResetModel()

    @property
    def findings(self) -> tuple[Listed, ...]:
        """All of them, before filtering."""
        return self._findings

    @property
    def total(self) -> int:
        """Number of findings before filtering."""
        return len(self._findings)

    def finding_at(self, row: int) -> Listed:
        """Return the finding that is shown in a row."""
        return self._findings[int(self._rows[row])]

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
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.cell_text(finding, NUMBERS)
            case Qt.ItemDataRole.ToolTipRole:
                return literal(column.cell_tooltip(finding, NUMBERS))
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if column.kind.is_number else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{column.title}: {column.cell_text(finding, NUMBERS)}"
            case _ if role == FINDING_ROLE:
                return finding
            case _ if role == LABELS_ROLE:
                return finding.labels if column.kind is Kind.LABELS else None
            case _ if role == BAR_ROLE:
                return _bar(column, finding)
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
                return column.title
            case Qt.ItemDataRole.ToolTipRole:
                return literal(column.help)
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if column.kind.is_number else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def as_text(self, rows: Sequence[int]) -> str:
        """Write rows as tab-separated text with a heading, as spreadsheets take it."""
        lines = ["\t".join(column.title for column in self.columns)]
        for row in rows:
            finding = self.finding_at(row)
            lines.append("\t".join(column.cell_text(finding, NUMBERS) for column in self.columns))
        return "\n".join(lines)

    def _arrange(self) -> None:
        rows = np.arange(len(self._findings))
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
        self._rows = rows
        self._row_of = {self._findings[int(number)].feature: row for row, number in enumerate(rows)}

    def _order(self, column: int) -> np.ndarray:
        if column not in self._orders:
            keys = [self.columns[column].cell_order(finding) for finding in self._findings]
            if keys and isinstance(keys[0], str):
                ranks = {text: rank for rank, text in enumerate(sorted(set(keys), key=natural_key))}
                keys = [ranks[key] for key in keys]
            self._orders[column] = np.array(keys, dtype=np.float64)
        return self._orders[column]


def _bar(column: Column[Any], finding: Listed) -> Bar | None:
    share = column.cell_share(finding)
    return None if share is None else Bar(share, column.longest_text(finding, NUMBERS))


def natural_key(text: object) -> list[tuple[int, int, str]]:
    """Return a key by which texts sort as a person expects, ``x2`` before ``x10``.

    Examples
    --------
    >>> sorted(["x10", "x2", "X1"], key=natural_key)
    ['X1', 'x2', 'x10']
    """
    parts = _DIGITS.split(str(text).casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]
