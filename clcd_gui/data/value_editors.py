"""The smaller changes of a column: another scale, numbers that mean missing, dates, name and unit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from clcd_gui.data.cut_editor import PlaceChoice, points_of
from clcd_gui.document.column_distribution import ColumnDistribution
from clcd_gui.style.text import muted
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.controls import choice, line_edit, push_button
from clcd_gui.widgets.layouts import column, row
from clcd_gui.wording.text import CHANGE_STEP
from engine.recipe.column_steps import Describe, Recode, Rename, Rescale
from engine.recipe.step import Step
from engine.recipe.table_steps import DAY_FIRST, FOUND_OUT, MONTH_FIRST, TakeDate
from engine.wording.numbers import number_text

_SCALES = {
    "Natural logarithm": "log",
    "Logarithm to base 10": "log10",
    "Logarithm of one plus the value": "log1p",
    "Square root": "sqrt",
    "Ranks": "rank",
    "Mean 0, standard deviation 1": "standard",
}
_PARTS = {
    "The year": "year",
    "The month": "month",
    "The day of the week": "weekday",
    "Days since": "days",
    "Weeks since": "weeks",
    "Years since": "years",
}
_ORDERS = {
    "as most dates have it": FOUND_OUT,
    "day, month, year": DAY_FIRST,
    "month, day, year": MONTH_FIRST,
}


class ValueEditor(QWidget):
    """A few controls in a form, with the button that makes the steps."""

    steps_wanted = Signal(list, str, dict)  # the steps, what the menu calls them, and no roles

    def __init__(self, title: str, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: ColumnDistribution | None = None
        self._title = title
        self._form = QGridLayout()
        self._form.setHorizontalSpacing(SPACE)
        self._form.setVerticalSpacing(SPACE_SMALL)
        self._form.setColumnStretch(1, 1)
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

    def set_distribution(self, found: ColumnDistribution) -> None:
        """Edit another column, or the same with other values."""
        is_other = self._found is None or self._found.variable != found.variable
        self._found = found
        if is_other:
            self.begin(found)
        self.check()

    def begin(self, found: ColumnDistribution) -> None:
        """Show what holds for another column."""

    def take(self, step: Any) -> None:
        """Edit a step that was made: its values are shown, and put in their place."""
        self.apply.setText(CHANGE_STEP)
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
            self.steps_wanted.emit(self.steps(name), f"change “{name}”", {})


class ScaleEditor(ValueEditor):
    """Puts a number on another scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Change scale", "Values that the scale does not take become missing.", parent)
        self.scale = choice("Scale", _SCALES)
        self.place = PlaceChoice()
        self.add_row("Scale", self.scale)
        self.add_row("", self.place)
        self.place.changed.connect(self.check)

    def begin(self, found: ColumnDistribution) -> None:
        """Suggest a name."""
        self.place.begin(f"{found.variable.name} (scaled)")

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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Make missing", "", parent)
        self.numbers = line_edit("Numbers that mean missing", "For example −200, or 99; 999")
        self.add_row("These numbers mean missing", self.numbers)
        # Numbers that a step of a recipe replaces by others; it keeps doing so.
        self._others: dict[str, str | None] = {}
        self.numbers.textChanged.connect(self.check)

    def begin(self, found: ColumnDistribution) -> None:
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
        missing: dict[str, str | None] = {number_text(each): None for each in points or ()}
        return [Recode(name, self._others | missing)] if points else []


class DateEditor(ValueEditor):
    """Takes a part of a date, or the time that passed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Take it from the dates", "", parent)
        self.part = choice("What is taken of the date", _PARTS)
        hint = "A date as 2024-01-31, or a column; the earliest date when empty"
        self.since = line_edit("Since", hint)
        self.order = choice("How dates are written", _ORDERS)
        self.place = PlaceChoice()
        self.add_row("Take", self.part)
        self.add_row("Since", self.since)
        self.add_row("Dates are written", self.order)
        self.add_row("", self.place)
        self.part.currentIndexChanged.connect(self._on_part)
        self.place.changed.connect(self.check)
        self._on_part()

    def begin(self, found: ColumnDistribution) -> None:
        """Suggest a name."""
        self.place.begin(f"{found.variable.name} ({self.part.currentData()})")

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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Save", "", parent)
        self.name, self.unit, self.description = QLineEdit(), QLineEdit(), QLineEdit()
        for title, box in (("Name", self.name), ("Unit", self.unit), ("Description", self.description)):
            box.setAccessibleName(title)
            self.add_row(title, box)
            box.textChanged.connect(self.check)
        self.unit.setPlaceholderText("For example mmol/l")

    def begin(self, found: ColumnDistribution) -> None:
        """Show what is said of another column."""
        self.name.setText(found.variable.name)
        self.unit.setText(found.variable.unit)
        self.description.setText(found.variable.description)

    def show_step(self, step: Describe | Rename) -> None:
        """Show the values of a step."""
        for box, name in ((self.name, "name"), (self.unit, "unit"), (self.description, "description")):
            box.setText(getattr(step, name, box.text()))

    def set_distribution(self, found: ColumnDistribution) -> None:
        """Show what is said of the column by now; two columns that differ in this alone count as the same."""
        self._found = None
        super().set_distribution(found)

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
