"""The categories of a column: renamed, merged by one name for several, emptied, and put in an order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.document.column_distribution import ColumnDistribution
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.help_links import explain_columns
from clcd_gui.wording.text import CHANGE_STEP, count_text
from engine.recipe.column_steps import OrderLevels, Recode
from engine.recipe.step import Step

_OLD, _NEW, _ROWS = range(3)
_MOST_LEVELS = 1000
_FEWEST_ROWS = 4
_APPLY = "Change categories"
_COLUMNS = {
    "Category": "A category of the column as it is now.",
    "Becomes": "What the category is called from now on: one name for two merges them, none means missing.",
    "Rows": "How many rows of the table have this category.",
}


class LevelsEditor(QWidget):
    """Edits the categories of a column in a small table.

    Signals
    -------
    steps_wanted
        With the steps, what the menu calls them, and no roles.
    """

    steps_wanted = Signal(list, str, dict)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: ColumnDistribution | None = None
        self._was_applied = False
        # What a step that is edited says of categories that are not in the table.
        self._others: dict[str, str | None] = {}
        self.table = QTableWidget(0, 3)
        self.heading_help = explain_columns(self.table, _COLUMNS)
        self.table.setAccessibleName("Categories, and what they become")
        self.table.setAccessibleDescription("Two with the same name are merged; an empty name is missing.")
        self.table.verticalHeader().setVisible(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        for column in (_OLD, _NEW):
            self.table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.table.setMinimumHeight(_FEWEST_ROWS * self.table.verticalHeader().defaultSectionSize())
        self.merge = QPushButton("Merge")
        set_tooltip(self.merge, "Give all selected categories the name of the first one")
        self.empty = QPushButton("Missing")
        set_tooltip(self.empty, "Rows of the selected categories have no value")
        self.up, self.down = QPushButton("Up"), QPushButton("Down")
        set_tooltip(self.up, "Put the selected category before the one above it")
        set_tooltip(self.down, "Put the selected category behind the one below it")
        self.ordered = QCheckBox("The order means something")
        set_tooltip(self.ordered, "As of grades or stages: the first category is the lowest")
        self.apply = QPushButton(_APPLY)
        set_look(self.apply, "primary")
        self.hint = muted("Two categories that become the same are merged; an empty name means missing.")
        self._lay_out()
        self.merge.clicked.connect(self._on_merge)
        self.empty.clicked.connect(self._on_empty)
        self.up.clicked.connect(self._on_up)
        self.down.clicked.connect(self._on_down)
        self.apply.clicked.connect(self._on_apply)
        self.table.itemChanged.connect(self._check)
        self.ordered.toggled.connect(self._check)
        self.table.itemSelectionChanged.connect(self._check)

    def set_distribution(self, found: ColumnDistribution) -> None:
        """Edit the categories of another column, or of the same with other values."""
        is_same = self._found is not None and self._found.variable == found.variable
        # Whatever came of what was applied, also after it is taken back, the table begins anew.
        is_same = is_same and not self._was_applied
        self._found, self._was_applied = found, False
        if is_same and self.table.rowCount() == min(found.variable.level_count, _MOST_LEVELS):
            return
        self.table.blockSignals(True)
        levels = found.variable.levels[:_MOST_LEVELS]
        self.table.setRowCount(len(levels))
        for row, (level, count) in enumerate(zip(levels, found.counts.tolist(), strict=False)):
            self._put(row, level, level, count_text(count))
        self.table.blockSignals(False)
        self.ordered.setChecked(found.variable.ordered)
        self._check()

    def go_on(self) -> None:
        """Keep what was edited, as it could not be made or was stopped."""
        self._was_applied = False

    def take(self, step: Recode | OrderLevels) -> None:
        """Edit a step that was made: its values are shown, and put in their place."""
        self.apply.setText(CHANGE_STEP)
        _TAKEN[step.kind](self, step)
        self._check()

    def leave_step(self) -> None:
        """Make new steps again."""
        self._found, self._others, self._was_applied = None, {}, False
        self.apply.setText(_APPLY)

    def _take_recoded(self, step: Recode) -> None:
        shown = {self._text(row, _OLD): row for row in range(self.table.rowCount())}
        self._others = {old: new for old, new in step.levels.items() if old not in shown}
        for old, new in step.levels.items():
            if old in shown:
                self._set_new(shown[old], new or "")

    def _take_order(self, step: OrderLevels) -> None:
        rows = [[self._text(row, column) for column in range(3)] for row in range(self.table.rowCount())]
        place = {level: number for number, level in enumerate(step.levels)}
        rows.sort(key=lambda texts: place.get(texts[_OLD], len(place)))
        self.table.blockSignals(True)
        for row, texts in enumerate(rows):
            self._put(row, *texts)
        self.table.blockSignals(False)
        self.ordered.setChecked(step.ordered)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_SMALL)
        for button in (self.merge, self.empty, self.up, self.down):
            buttons.addWidget(button)
        buttons.addStretch(1)
        last = QHBoxLayout()
        last.setSpacing(SPACE)
        last.addWidget(self.ordered)
        last.addStretch(1)
        last.addWidget(self.apply)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE, 0, 0)
        column.setSpacing(SPACE_SMALL)
        column.addWidget(self.hint)
        column.addWidget(self.table, 1)
        column.addLayout(buttons)
        column.addLayout(last)

    def _put(self, row: int, old: str, new: str, rows: str) -> None:
        fixed = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        for column, text in ((_OLD, old), (_NEW, new), (_ROWS, rows)):
            item = QTableWidgetItem(text)
            if column != _NEW:
                item.setFlags(fixed)
            if column == _ROWS:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, column, item)

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return "" if item is None else item.text()

    def _selected(self) -> list[int]:
        return sorted({index.row() for index in self.table.selectionModel().selectedRows()})

    def _steps(self) -> list[Step]:
        """Return the steps that lead from the categories of the column to those of the table."""
        if self._found is None:
            return []
        variable, rows = self._found.variable, range(self.table.rowCount())
        becomes = {self._text(row, _OLD): self._text(row, _NEW).strip() or None for row in rows}
        changed = self._others | {old: new for old, new in becomes.items() if new != old}
        steps: list[Step] = []
        if changed:
            steps.append(Recode(variable.name, changed))
        wanted = tuple(dict.fromkeys(new for new in becomes.values() if new is not None))
        given = tuple(dict.fromkeys(new for level in variable.levels if (new := becomes.get(level, level))))
        is_ordered = self.ordered.isChecked()
        if wanted and (wanted != given[: len(wanted)] or is_ordered != variable.ordered):
            steps.append(OrderLevels(variable.name, wanted, is_ordered))
        return steps

    def _check(self) -> None:
        selected = self._selected()
        self.merge.setEnabled(len(selected) > 1)
        self.empty.setEnabled(bool(selected))
        self.up.setEnabled(len(selected) == 1 and selected[0] > 0)
        self.down.setEnabled(len(selected) == 1 and selected[0] < self.table.rowCount() - 1)
        self.apply.setEnabled(bool(self._steps()))

    def _on_merge(self) -> None:
        rows = self._selected()
        name = self._text(rows[0], _NEW)
        for row in rows:
            self._set_new(row, name)

    def _on_empty(self) -> None:
        for row in self._selected():
            self._set_new(row, "")

    def _set_new(self, row: int, name: str) -> None:
        item = self.table.item(row, _NEW)
        if item is not None:
            item.setText(name)

    def _on_up(self) -> None:
        self._move(-1)

    def _on_down(self) -> None:
        self._move(1)

    def _move(self, step: int) -> None:
        row = self._selected()[0]
        texts = [[self._text(each, column) for column in range(3)] for each in (row, row + step)]
        self.table.blockSignals(True)
        self._put(row, *texts[1])
        self._put(row + step, *texts[0])
        self.table.blockSignals(False)
        self.table.selectRow(row + step)
        # Who moves a category means its order.
        self.ordered.setChecked(True)
        self._check()

    def _on_apply(self) -> None:
        steps = self._steps()
        if steps and self._found is not None:
            name = self._found.variable.name
            self._was_applied = True
            self.steps_wanted.emit(steps, f"change categories of “{name}”", {})


_TAKEN: dict[str, Callable[[LevelsEditor, Any], None]] = {
    Recode.kind: LevelsEditor._take_recoded,
    OrderLevels.kind: LevelsEditor._take_order,
}
