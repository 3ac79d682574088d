"""The smaller changes of a column: levels, another scale, numbers that mean missing, dates, name and unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QLabel,
    QLineEdit,
    QTableWidgetItem,
    QWidget,
)

from clcd_gui.data.cut_editor import CategoryTable, PlaceChoice, points_of
from clcd_gui.document.column_summary import ColumnDistribution
from clcd_gui.style.text import muted, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.controls import choice, line_edit, push_button
from clcd_gui.widgets.layouts import column, form_grid, row
from clcd_gui.wording.text import CHANGE_STEP, count_text
from engine.recipe.column_steps import Describe, OrderLevels, Recode, Rename, Rescale
from engine.recipe.step import Step
from engine.recipe.table_steps import DAY_FIRST, FOUND_OUT, MONTH_FIRST, TakeDate
from engine.translation import N_, _
from engine.wording.numbers import number_text

_SCALES = {
    N_("Natural logarithm"): "log",
    N_("Logarithm to base 10"): "log10",
    N_("Logarithm of one plus the value"): "log1p",
    N_("Square root"): "sqrt",
    N_("Ranks"): "rank",
    N_("Mean 0, standard deviation 1"): "standard",
}
_PARTS = {
    N_("The year"): "year",
    N_("The month"): "month",
    N_("The day of the week"): "weekday",
    N_("Days since"): "days",
    N_("Weeks since"): "weeks",
    N_("Years since"): "years",
}
_ORDERS = {
    N_("as in most of the dates"): FOUND_OUT,
    N_("day, month, year"): DAY_FIRST,
    N_("month, day, year"): MONTH_FIRST,
}
_OLD, _NEW, _ROWS = range(3)
_MOST_LEVELS = 1000
_APPLY = N_("Change categories")
_COLUMNS = {
    N_("Category"): N_("A category of the column as it is now."),
    N_("Becomes"): N_(
        "New name of the category. Two categories with one name are merged; no name means missing."
    ),
    N_("Rows"): N_("Number of rows with this category."),
}


class ValueEditor(QWidget):
    """A few controls in a form, with the button that makes the steps."""

    steps_wanted = Signal(list, str, dict)  # the steps, what the menu calls them, and no roles

    def __init__(self, title: str, hint: str = "") -> None:
        super().__init__()
        self._found: ColumnDistribution | None = None
        self._title = title
        self._form = form_grid(1)
        self.apply = push_button(title, self._on_apply, look="primary")
        hints = (muted(hint),) if hint else ()
        column(*hints, self._form, 1, row(1, self.apply), on=self, margins=(0, SPACE, 0, 0))

    def add_row(self, caption: str, control: QWidget) -> None:
        """Put a control below the others, beside what it is called."""
        place = self._form.rowCount()
        name = QLabel(caption)
        name.setBuddy(control)
        self._form.addWidget(name, place, 0)
        grows = control.sizePolicy().expandingDirections() & Qt.Orientation.Horizontal
        self._form.addWidget(control, place, 1, Qt.AlignmentFlag(0) if grows else Qt.AlignmentFlag.AlignLeft)

    def set_distribution(self, distribution: ColumnDistribution) -> None:
        """Edit another column, or the same with other values."""
        is_other = self._found is None or self._found.variable != distribution.variable
        self._found = distribution
        if is_other:
            self.begin(distribution)
        self.check()

    def begin(self, distribution: ColumnDistribution) -> None:
        """Show what holds for another column."""

    def take(self, step: Any) -> None:
        """Edit a step that was made: its values are shown, and put in their place."""
        self.apply.setText(_(CHANGE_STEP))
        self.show_step(step)
        self.check()

    def leave_step(self) -> None:
        """Make new steps again."""
        self._found = None
        self.apply.setText(self._title)

    def show_step(self, step: Any) -> None:
        """Show the values of a step."""
        raise NotImplementedError

    def steps(self, name: str) -> list[Step]:
        """Return the steps that the controls stand for; none where there is nothing to do."""
        raise NotImplementedError

    def check(self) -> None:
        """Allow the button where it has something to do."""
        self.apply.setEnabled(self._found is not None and bool(self.steps(self._found.variable.name)))

    def _on_apply(self) -> None:
        if self._found is not None:
            name = self._found.variable.name
            self.steps_wanted.emit(self.steps(name), _("change “{name}”", name=name), {})


class ScaleEditor(ValueEditor):
    """Puts a number on another scale."""

    def __init__(self) -> None:
        super().__init__(_("Change scale"), _("Values that do not fit the scale become missing."))
        self.scale = choice(_("Scale"), {_(title): scale for title, scale in _SCALES.items()})
        self.place = PlaceChoice()
        self.add_row(_("Scale"), self.scale)
        self.add_row("", self.place)
        self.place.changed.connect(self.check)

    def begin(self, distribution: ColumnDistribution) -> None:
        """Suggest a name."""
        self.place.begin(_("{name} (scaled)", name=distribution.variable.name))

    def show_step(self, step: Rescale) -> None:
        """Show the values of a step."""
        self.scale.setCurrentIndex(self.scale.findData(step.scale))
        self.place.take(step.into)

    def steps(self, name: str) -> list[Step]:
        """Return the step."""
        if not self.place.is_complete:
            return []
        return [Rescale(name, str(self.scale.currentData()), self.place.into)]


class MissingNumbersEditor(ValueEditor):
    """Says which numbers mean that a value is missing."""

    def __init__(self) -> None:
        super().__init__(_("Make missing"))
        self.numbers = line_edit(_("Numbers that mean missing"), _("For example −200, or 99; 999"))
        self.add_row(_("These numbers mean missing"), self.numbers)
        # Numbers that a step of a recipe replaces by others; it keeps doing so.
        self._others: dict[str, str | None] = {}
        self.numbers.textChanged.connect(self.check)

    def begin(self, distribution: ColumnDistribution) -> None:
        """Begin anew."""
        self.numbers.setText("")
        self._others = {}

    def show_step(self, step: Recode) -> None:
        """Show the values of a step."""
        self.numbers.setText("; ".join(old for old, new in step.levels.items() if new is None))
        self._others = {old: new for old, new in step.levels.items() if new is not None}

    def steps(self, name: str) -> list[Step]:
        """Return the step."""
        points = points_of(self.numbers.text())
        missing: dict[str, str | None] = {number_text(point): None for point in points or ()}
        return [Recode(name, self._others | missing)] if points else []


class DateEditor(ValueEditor):
    """Takes a part of a date, or the time that passed."""

    def __init__(self) -> None:
        super().__init__(_("Make the column"))
        self.part = choice(
            _("What to take from the date"), {_(title): part for title, part in _PARTS.items()}
        )
        hint = _("A date such as 2024-01-31, or a column; if empty, the earliest date")
        self.since = line_edit(_("Since"), hint)
        self.order = choice(_("How dates are written"), {_(title): order for title, order in _ORDERS.items()})
        self.place = PlaceChoice()
        self.add_row(_("Take"), self.part)
        self.add_row(_("Since"), self.since)
        self.add_row(_("Dates are written"), self.order)
        self.add_row("", self.place)
        self.part.currentIndexChanged.connect(self._on_part)
        self.place.changed.connect(self.check)
        self._on_part()

    def begin(self, distribution: ColumnDistribution) -> None:
        """Suggest a name."""
        self.place.begin(f"{distribution.variable.name} ({self.part.currentData()})")

    def show_step(self, step: TakeDate) -> None:
        """Show the values of a step."""
        self.part.setCurrentIndex(self.part.findData(step.part))
        self.since.setText(step.since)
        self.order.setCurrentIndex(self.order.findData(step.order))
        self.place.take(step.into)

    def steps(self, name: str) -> list[Step]:
        """Return the step."""
        if not self.place.is_complete:
            return []
        since = self.since.text().strip() if self.since.isEnabled() else ""
        part, order = str(self.part.currentData()), str(self.order.currentData())
        return [TakeDate(name, part, since, order, self.place.into)]

    def _on_part(self) -> None:
        self.since.setEnabled(str(self.part.currentData()) in ("days", "weeks", "years"))
        if self._found is not None:
            self.place.name.setText(f"{self._found.variable.name} ({self.part.currentData()})")


class AboutEditor(ValueEditor):
    """Says what a column is called and holds, and in which unit."""

    def __init__(self) -> None:
        super().__init__(_("Save"))
        self.name, self.unit, self.description = QLineEdit(), QLineEdit(), QLineEdit()
        for title, box in (
            (_("Name"), self.name),
            (_("Unit"), self.unit),
            (_("Description"), self.description),
        ):
            box.setAccessibleName(title)
            self.add_row(title, box)
            box.textChanged.connect(self.check)
        self.unit.setPlaceholderText(_("For example mmol/l"))

    def begin(self, distribution: ColumnDistribution) -> None:
        """Show what is said of another column."""
        self.name.setText(distribution.variable.name)
        self.unit.setText(distribution.variable.unit)
        self.description.setText(distribution.variable.description)

    def show_step(self, step: Describe | Rename) -> None:
        """Show the values of a step."""
        for box, name in ((self.name, "name"), (self.unit, "unit"), (self.description, "description")):
            box.setText(getattr(step, name, box.text()))

    def set_distribution(self, distribution: ColumnDistribution) -> None:
        """Show what is said of the column by now; two columns that differ in this alone count as the same."""
        self._found = None
        super().set_distribution(distribution)

    def steps(self, name: str) -> list[Step]:
        """Return the steps."""
        if self._found is None or not self.name.text().strip():
            return []
        variable = self._found.variable
        unit, description = self.unit.text().strip(), self.description.text().strip()
        steps: list[Step] = []
        if (unit, description) != (variable.unit, variable.description):
            steps.append(Describe(name, unit, description))
        if self.name.text().strip() != name:
            steps.append(Rename(name, self.name.text().strip()))
        return steps


class LevelsEditor(QWidget):
    """Edits the categories of a column in a small table."""

    steps_wanted = Signal(list, str, dict)  # the steps, what the menu calls them, and no roles

    def __init__(self) -> None:
        super().__init__()
        self._found: ColumnDistribution | None = None
        self._was_applied = False
        # What a step that is edited says of categories that are not in the table.
        self._others: dict[str, str | None] = {}
        self.table = CategoryTable(_("Categories and their new names"), _COLUMNS)
        self.table.setAccessibleDescription(_("Two with the same name are merged; an empty name is missing."))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        merge = _("Give all selected categories the name of the first one")
        empty = _("The selected categories become missing")
        up = _("Move the selected category up")
        down = _("Move the selected category down")
        self.merge = push_button(_("Merge"), self._on_merge, merge)
        self.empty = push_button(_("Missing"), lambda: self._name_selected(""), empty)
        self.up = push_button(_("Up"), lambda: self._move(-1), up)
        self.down = push_button(_("Down"), lambda: self._move(1), down)
        self.ordered = QCheckBox(_("The categories have an order"))
        set_tooltip(self.ordered, _("For example grades or stages; the first category is the lowest"))
        self.apply = push_button(_(_APPLY), self._on_apply, look="primary")
        self.hint = muted(_("Two categories that become the same are merged; an empty name means missing."))
        self._lay_out()
        self.table.itemChanged.connect(self._check)
        self.ordered.toggled.connect(self._check)
        self.table.itemSelectionChanged.connect(self._check)

    def set_distribution(self, distribution: ColumnDistribution) -> None:
        """Edit the categories of another column, or of the same with other values."""
        is_same = self._found is not None and self._found.variable == distribution.variable
        # Whatever came of what was applied, also after it is taken back, the table begins anew.
        is_same = is_same and not self._was_applied
        self._found, self._was_applied = distribution, False
        # Rows that a step left out may have been the only ones with a category.
        levels = zip(distribution.variable.levels, distribution.counts.tolist(), strict=False)
        rows = [(level, level, count_text(count)) for level, count in levels if count][:_MOST_LEVELS]
        if is_same and self.table.rowCount() == len(rows):
            return
        self._fill(rows)
        self.ordered.setChecked(distribution.variable.ordered)
        self._check()

    def go_on(self) -> None:
        """Keep what was edited, as it could not be made or was stopped."""
        self._was_applied = False

    def take(self, step: Recode | OrderLevels) -> None:
        """Edit a step that was made: its values are shown, and put in their place."""
        self.apply.setText(_(CHANGE_STEP))
        if isinstance(step, Recode):
            shown = {old: place for place, (old, _, _) in enumerate(self._texts())}
            self._others = {old: new for old, new in step.levels.items() if old not in shown}
            for old in shown.keys() & step.levels.keys():
                self._set_new(shown[old], step.levels[old] or "")
        else:
            place = {level: number for number, level in enumerate(step.levels)}
            self._fill(sorted(self._texts(), key=lambda texts: place.get(texts[_OLD], len(place))))
            self.ordered.setChecked(step.ordered)
        self._check()

    def leave_step(self) -> None:
        """Make new steps again."""
        self._found, self._others, self._was_applied = None, {}, False
        self.apply.setText(_(_APPLY))

    def _lay_out(self) -> None:
        buttons = row(self.merge, self.empty, self.up, self.down, 1, spacing=SPACE_SMALL)
        parts = (self.hint, (self.table, 1), buttons, row(self.ordered, 1, self.apply))
        column(*parts, on=self, margins=(0, SPACE, 0, 0), spacing=SPACE_SMALL)

    def _texts(self) -> list[tuple[str, str, str]]:
        """Return what stands in each row: the category, what it becomes, and its rows."""
        places = range(self.table.rowCount())
        return [(self._text(row, _OLD), self._text(row, _NEW), self._text(row, _ROWS)) for row in places]

    def _fill(self, rows: Sequence[tuple[str, str, str]]) -> None:
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(rows))
            for place, texts in enumerate(rows):
                for section, text in enumerate(texts):
                    item = QTableWidgetItem(text)
                    if section != _NEW:
                        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                    if section == _ROWS:
                        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                    self.table.setItem(place, section, item)

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return "" if item is None else item.text()

    def _selected(self) -> list[int]:
        return sorted({index.row() for index in self.table.selectionModel().selectedRows()})

    def _steps(self) -> list[Step]:
        """Return the steps that lead from the categories of the column to those of the table."""
        if self._found is None:
            return []
        variable = self._found.variable
        becomes = {old: new.strip() or None for old, new, _ in self._texts()}
        changed = self._others | {old: new for old, new in becomes.items() if new != old}
        steps: list[Step] = []
        if changed:
            steps.append(Recode(variable.name, changed))
        wanted = tuple(dict.fromkeys(new for new in becomes.values() if new is not None))
        given = tuple(dict.fromkeys(new for level in variable.levels if (new := becomes.get(level))))
        is_ordered = self.ordered.isChecked()
        if wanted and (wanted != given or is_ordered != variable.ordered):
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
        self._name_selected(self._text(self._selected()[0], _NEW))

    def _name_selected(self, name: str) -> None:
        for place in self._selected():
            self._set_new(place, name)

    def _set_new(self, row: int, name: str) -> None:
        item = self.table.item(row, _NEW)
        if item is not None:
            item.setText(name)

    def _move(self, step: int) -> None:
        place, rows = self._selected()[0], self._texts()
        rows[place], rows[place + step] = rows[place + step], rows[place]
        self._fill(rows)
        self.table.selectRow(place + step)
        # Who moves a category means its order.
        self.ordered.setChecked(True)
        self._check()

    def _on_apply(self) -> None:
        steps = self._steps()
        if steps and self._found is not None:
            name = self._found.variable.name
            self._was_applied = True
            self.steps_wanted.emit(steps, _("change categories of “{name}”", name=name), {})
