"""A number is cut into categories: typed, dragged in the picture, or at usual places, with their rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from clcd_gui.document.column_summary import ColumnDistribution
from clcd_gui.style.text import muted, plain, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.controls import choice, line_edit, push_button
from clcd_gui.widgets.help_links import explain_columns
from clcd_gui.widgets.layouts import column, form_grid, row
from clcd_gui.wording.text import CHANGE_STEP, count_text
from engine.errors import EngineError
from engine.recipe.column_steps import ABOVE, BELOW, Cut
from engine.table.variable import Role
from engine.translation import N_, _
from engine.wording.numbers import MINUS, number_text

_PARTS = ((N_("Halves"), 2), (N_("Thirds"), 3), (N_("Quarters"), 4))
_MOST_POINTS = 50
_NAME, _ROWS = range(2)
_FEWEST_ROWS = 4
_COLUMNS = {
    N_("Category"): N_("Name of the category between two cuts; double-click to change it."),
    N_("Rows"): N_("Number of rows with a value between the two cuts."),
}


def points_of(text: str) -> tuple[float, ...] | None:
    """Read numbers with semicolons or blanks between them, with either sign of minus; None where one is none.

    >>> points_of("40; 65"), points_of("−40 65.5"), points_of("forty")
    ((40.0, 65.0), (-40.0, 65.5), None)
    """
    points = set()
    for part in re.split(r"[;\s]+", text.strip()):
        try:
            # A comma between digits is a decimal mark; numbers are told apart by semicolons.
            points.add(float(part.replace(",", ".").replace(MINUS, "-")))
        except ValueError:
            return None
    ordered = tuple(sorted(points))
    return ordered if all(np.isfinite(ordered)) and len(ordered) <= _MOST_POINTS else None


class PlaceChoice(QWidget):
    """Where a column that is made is put: in the place of the one it is made of, or beside it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        places = {_("In its place"): False, _("As a new column"): True}
        self.where = choice(_("Where the new column goes"), places)
        self.name = line_edit(_("Name of the new column"), _("Name of the new column"))
        self.name.setMinimumWidth(self.name.fontMetrics().averageCharWidth() * 12)
        self.name.setVisible(False)
        row(self.where, (self.name, 1), 1, on=self, spacing=SPACE_SMALL)
        self.where.currentIndexChanged.connect(self._on_where)
        self.name.textChanged.connect(self.changed)

    @property
    def into(self) -> str:
        """Name of the new column; empty in place of the old one."""
        return self.name.text().strip() if self.where.currentIndex() else ""

    @property
    def is_complete(self) -> bool:
        """Whether a new column has a name."""
        return not self.where.currentIndex() or bool(self.into)

    def begin(self, suggested: str) -> None:
        """Start with the place of the column itself."""
        self.where.setCurrentIndex(0)
        self.name.setText(suggested)

    def take(self, into: str) -> None:
        """Show where a column was put that is made already."""
        self.where.setCurrentIndex(1 if into else 0)
        if into:
            self.name.setText(into)

    def _on_where(self, index: int) -> None:
        self.name.setVisible(index == 1)
        self.changed.emit()


class CategoryTable(QTableWidget):
    """Categories, what is said of each, and in the last column their rows."""

    def __init__(self, name: str, columns: Mapping[str, str]) -> None:
        super().__init__(0, len(columns))
        self.heading_help = explain_columns(self, columns)
        self.setAccessibleName(name)
        self.verticalHeader().setVisible(False)
        for section in range(len(columns) - 1):
            self.horizontalHeader().setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.setMinimumHeight(_FEWEST_ROWS * self.verticalHeader().defaultSectionSize())


class CutEditor(QWidget):
    """Edits the cuts of a number."""

    points_changed = Signal(tuple)  # other cuts were typed or chosen
    steps_wanted = Signal(list, str, dict)  # the steps, what the menu calls them, and the roles of columns

    def __init__(self) -> None:
        super().__init__()
        self._found: ColumnDistribution | None = None
        # What the categories are called where the person names them not.
        self._plain_names: tuple[str, ...] = ()
        self.points = line_edit(_("Cut at"), _("Numbers, as 40; 65, or double-click the picture"))
        sides = {_("equal: below"): BELOW, _("equal: above"): ABOVE}
        self.equal = choice(_("Where a value equal to a cut goes"), sides)
        set_tooltip(self.equal, _("Whether a value equal to a cut goes below or above it"))
        self.table = CategoryTable(_("Categories of the number"), _COLUMNS)
        self.place = PlaceChoice()
        self.as_label = QCheckBox(_("Make it a label"))
        set_tooltip(self.as_label, _("The categories are an outcome that you want to explain"))
        self.apply = push_button(_("Cut"), self._on_apply, look="primary")
        self.problem = muted("")
        self._lay_out()
        self.points.textEdited.connect(self._on_typed)
        self.equal.currentIndexChanged.connect(self._fill)
        self.place.changed.connect(self._check)
        self.table.itemChanged.connect(self._check)

    def set_distribution(self, distribution: ColumnDistribution) -> None:
        """Edit the cuts of another column, or of the same with other values."""
        is_other = self._found is None or self._found.variable.name != distribution.variable.name
        self._found = distribution
        if is_other:
            self.points.setText("")
            self.table.setRowCount(0)
            self.place.begin(_("{name} (cut)", name=distribution.variable.name))
            self.as_label.setChecked(distribution.variable.role is Role.LABEL)
        self._fill()

    def take(self, step: Cut) -> None:
        """Edit a cut that was made: its values are shown, and put in their place."""
        self.apply.setText(_(CHANGE_STEP))
        self.as_label.setChecked(False)
        self.as_label.hide()
        self.equal.setCurrentIndex(self.equal.findData(step.equal))
        self.place.take(step.into)
        self.set_points(step.points)
        for place, name in enumerate(step.names):
            self._item(place).setText(name)
        self.points_changed.emit(step.points)

    def leave_step(self) -> None:
        """Make new cuts again."""
        self._found = None
        self.apply.setText(_("Cut"))
        self.as_label.show()

    def set_points(self, points: Sequence[float]) -> None:
        """Take over cuts that were dragged."""
        self.points.setText("; ".join(number_text(point) for point in points))
        self._fill()

    def add_point(self, point: float) -> None:
        """Cut at one more place."""
        points = tuple(sorted({*(points_of(self.points.text()) or ()), point}))
        self.set_points(points)
        self.points_changed.emit(points)

    def _lay_out(self) -> None:
        grid = form_grid(1)
        usual = row(spacing=SPACE_SMALL)
        for title, count in _PARTS:
            tooltip = _("Cut into {count} parts of about equal numbers of rows", count=count)
            usual.addWidget(push_button(_(title), partial(self._cut_into, count), tooltip, "quiet"))
        grid.addWidget(plain(_("Cut at")), 0, 0)
        grid.addWidget(self.points, 0, 1)
        grid.addWidget(self.equal, 0, 2)
        grid.addLayout(usual, 0, 3)
        last = row((self.place, 1), self.as_label, self.apply)
        parts = (grid, (self.table, 1), self.problem, last)
        column(*parts, on=self, margins=(0, SPACE, 0, 0), spacing=SPACE_SMALL)

    def _step(self) -> Cut | None:
        """Return the step as it stands; None where nothing is cut."""
        points = points_of(self.points.text())
        if not points or self._found is None:
            return None
        equal = str(self.equal.currentData())
        names = self._names()
        own = names if names != self._plain_names and len(names) == len(self._plain_names) else ()
        return Cut(self._found.variable.name, points, own, equal, self.place.into)

    def _names(self) -> tuple[str, ...]:
        return tuple(self._item(row).text().strip() for row in range(self.table.rowCount()))

    def _item(self, row: int) -> QTableWidgetItem:
        item = self.table.item(row, _NAME)
        assert item is not None
        return item

    def _fill(self) -> None:
        """Show the categories with their rows, which follow while a cut is dragged."""
        points, distribution = points_of(self.points.text()) or (), self._found
        names = self._names()
        self.table.blockSignals(True)
        if not points or distribution is None:
            self.table.setRowCount(0)
        else:
            equal = str(self.equal.currentData())
            levels = Cut(distribution.variable.name, points, (), equal).levels
            counts = distribution.counts_between(points, equal == BELOW)
            # Names of the person's own stay while a cut is dragged.
            is_named = len(names) == len(levels) and names != self._plain_names
            self._plain_names = levels
            self.table.setRowCount(len(levels))
            for row, (level, count) in enumerate(zip(levels, counts, strict=True)):
                self.table.setItem(row, _NAME, QTableWidgetItem(names[row] if is_named else level))
                rows = QTableWidgetItem(count_text(count))
                rows.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                rows.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, _ROWS, rows)
        self.table.blockSignals(False)
        self._check()

    def _check(self) -> None:
        """Say what is in the way of cutting."""
        problem = ""
        try:
            step = self._step()
        except EngineError as error:
            step, problem = None, f"{error.problem[:1].upper()}{error.problem[1:]}"
        if points_of(self.points.text()) is None and self.points.text().strip():
            problem = _("Write numbers with semicolons between them, as 40; 65.")
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.apply.setEnabled(step is not None and self.place.is_complete)

    def _on_typed(self) -> None:
        self._fill()
        self.points_changed.emit(points_of(self.points.text()) or ())

    def _cut_into(self, parts: int, _checked: bool = False) -> None:
        """Cut at quantiles."""
        if self._found is None or not len(self._found.values):
            return
        values = self._found.values
        places = [values[len(values) * part // parts - 1] for part in range(1, parts)]
        points = tuple(sorted({float(place) for place in places} - {float(values[-1])}))
        self.set_points(points)
        self.points_changed.emit(points)

    def _on_apply(self) -> None:
        step = self._step()
        if step is None:
            return
        roles: dict[str, Role] = {}
        if self.as_label.isChecked():
            roles[step.into or step.column] = Role.LABEL
            if step.into:
                # What a label was cut from says everything of it, and explains nothing.
                roles[step.column] = Role.IGNORED
        self.steps_wanted.emit([step], _("cut “{column}”", column=step.column), roles)
