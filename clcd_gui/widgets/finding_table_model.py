"""A table of findings that sorts and filters thousands of rows at once, by numpy order arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from clcd_gui.document.finding_words import again_text, again_tooltip, direction_tooltip
from clcd_gui.document.findings import Finding, Listed
from clcd_gui.style.text import literal
from clcd_gui.wording.text import NUMBERS, strength_text
from engine.reporting.sentences.stability import range_text

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


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of findings.

    Attributes
    ----------
    title : str
        Its heading.
    help : str
        What it means; the heading's tooltip.
    text : callable
        Gives the text of a cell.
    order : callable
        Gives the number or text that the column is sorted by.
    tooltip : callable
        Gives the tooltip of a cell.
    numeric : bool
        Right-aligned, and the greatest first when sorted by a click.
    bar : callable, optional
        Gives what is drawn as a bar beside the text: a share between 0 and 1 and the longest text of the
        column, so that all bars are of one length. None leaves the bar out.
    chips : bool
        Drawn as the finding's labels.

    The callables are given what the model holds: findings, or selected features.
    """

    title: str
    help: str
    text: Callable[[Any], str]
    order: Callable[[Any], float | str]
    tooltip: Callable[[Any], str]
    numeric: bool = False
    bar: Callable[[Any], Bar | None] | None = None
    chips: bool = False


class FindingTableModel(QAbstractTableModel):
    """Findings as rows.

    Parameters
    ----------
    columns : sequence of Column
        What is shown; the first one is the name.
    essential_columns : int
        How many of them a person should see without scrolling.
    """

    def __init__(
        self, columns: Sequence[Column], essential_columns: int, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.essential_columns = essential_columns
        self.columns = tuple(columns)
        self._findings: tuple[Listed, ...] = ()
        self._haystacks: list[str] = []
        self._rows = np.empty(0, dtype=np.int64)
        self._place_of: dict[str, int] = {}
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
    def total(self) -> int:
        """Number of findings before filtering."""
        return len(self._findings)

    def finding_at(self, row: int) -> Listed:
        """Return the finding that is shown in a row."""
        return self._findings[int(self._rows[row])]

    def row_of(self, feature: str | None) -> int:
        """Return the row in which a feature is shown, -1 when it is not."""
        return -1 if feature is None else self._place_of.get(feature, -1)

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
        kept = [(self._rows[index.row()], index.column()) for index in before]
        self._sorted_by = None if column < 0 else (column, order)
        self._arrange()
        row_of = {int(place): row for row, place in enumerate(self._rows)}
        after = [self.index(row_of[int(place)], column_) for place, column_ in kept]
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
                return column.text(finding)
            case Qt.ItemDataRole.ToolTipRole:
                return literal(column.tooltip(finding))
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{column.title}: {column.text(finding)}"
            case _ if role == FINDING_ROLE:
                return finding
            case _ if role == LABELS_ROLE:
                return finding.labels if column.chips else None
            case _ if role == BAR_ROLE:
                return column.bar(finding) if column.bar is not None else None
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
                side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def as_text(self, rows: Sequence[int]) -> str:
        """Write rows as tab-separated text with a heading, as spreadsheets take it."""
        lines = ["\t".join(column.title for column in self.columns)]
        for row in rows:
            finding = self.finding_at(row)
            lines.append("\t".join(column.text(finding) for column in self.columns))
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
        self._place_of = {self._findings[int(place)].feature: row for row, place in enumerate(rows)}

    def _order(self, column: int) -> np.ndarray:
        if column not in self._orders:
            keys = [self.columns[column].order(finding) for finding in self._findings]
            if keys and isinstance(keys[0], str):
                ranks = {text: rank for rank, text in enumerate(sorted(set(keys), key=natural_key))}
                keys = [ranks[key] for key in keys]
            self._orders[column] = np.array(keys, dtype=np.float64)
        return self._orders[column]


def natural_key(text: object) -> list[tuple[int, int, str]]:
    """Return a key by which texts sort as a person expects, ``x2`` before ``x10``.

    Examples
    --------
    >>> sorted(["x10", "x2", "X1"], key=natural_key)
    ['X1', 'x2', 'x10']
    """
    parts = _DIGITS.split(str(text).casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def name_column(title: str = "Variable") -> Column:
    """Make the first column, the feature's name."""
    return Column(
        title,
        "Its name, as in the table that was analysed.",
        text=lambda finding: finding.feature,
        order=lambda finding: finding.feature,
        tooltip=lambda finding: finding.feature,
    )


def strength_column(help_text: str) -> Column:
    """Make the column that shows the strength as a bar with its number."""
    return Column(
        "Strength",
        help_text,
        text=lambda finding: strength_text(finding.strength),
        order=lambda finding: finding.strength,
        tooltip=lambda finding: f"{help_text}\nHere {strength_text(finding.strength)}.",
        numeric=True,
        bar=lambda finding: Bar(finding.strength, strength_text(0.88)),
    )


def direction_column() -> Column:
    """Make the column that says whether a variable is a cause or an effect."""
    return Column(
        "Direction",
        "Whether the variable is a cause or an effect of its labels, where the tests tell it.",
        text=lambda finding: finding.direction,
        order=lambda finding: finding.direction,
        tooltip=direction_tooltip,
    )


def found_again_column(help_text: str) -> Column:
    """Make the column that shows how often a finding came back; empty where nothing was repeated."""
    return Column(
        "Found again",
        help_text,
        text=lambda finding: again_text(finding.again),
        order=lambda finding: -1.0 if finding.again is None else finding.again.share,
        tooltip=lambda finding: again_tooltip(finding, help_text),
        numeric=True,
        bar=_again_bar,
    )


def _again_bar(finding: Finding) -> Bar | None:
    again = finding.again
    if again is None:
        return None
    most = again.finished
    longest = (most - 1, most) if finding.is_common else (most,)
    return Bar(again.share, range_text(longest, most, NUMBERS))


def interchangeable_column() -> Column:
    """Make the column that names the variables that tell the same."""
    return Column(
        "Interchangeable",
        "Variables that are shown to tell the same (information-equivalent): the data cannot tell which of "
        "them counts.",
        text=lambda finding: ", ".join(finding.interchangeable),
        order=lambda finding: ", ".join(finding.interchangeable),
        tooltip=lambda finding: "\n".join(finding.interchangeable),
    )


def undistinguished_column() -> Column:
    """Make the column that names the variables that the rows do not tell apart from a finding."""
    return Column(
        "Not told apart",
        "Variables that these rows do not tell apart from it, and do not show to be interchangeable: with "
        "more rows one of them may turn out to bear on a label in its place.",
        text=lambda finding: ", ".join(finding.not_told_apart),
        order=lambda finding: ", ".join(finding.not_told_apart),
        tooltip=lambda finding: "\n".join(finding.not_told_apart),
    )
