"""The steps in the open table, each with a switch; here rows are filtered and columns computed as well."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListWidget, QListWidgetItem, QWidget

from clcd_gui.run.failure import failure_of
from clcd_gui.run.session import Session
from clcd_gui.run.table_steps import RowCount
from clcd_gui.style.text import literal, muted, plain, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.controls import line_edit, name_completer, push_button
from clcd_gui.widgets.layouts import column, form_grid, row
from clcd_gui.widgets.notices import capital
from clcd_gui.wording.text import CHANGE_STEP, OwnKeys, count_text
from engine.errors import EngineError
from engine.recipe import RECIPE, Recipe
from engine.recipe.column_steps import ReadAs
from engine.recipe.evaluation import check_expression
from engine.recipe.expression import quoted
from engine.recipe.step import Step, plain_values
from engine.recipe.table_steps import Compute, Filter, RowBlocks, Score
from engine.table.variable import Variable
from engine.translation import N_, _, for_count

_KEEP, _ADD = N_("Keep these rows"), N_("Add the column")
_HELP = N_(
    'Compare columns with numbers and texts, as in age >= 65 and sex = "female". You can use + - * '
    "/ ^, and, or, not, is missing, is in [1, 2], and log, sqrt, abs, min, max, round, count, if."
)


class ExpressionBox(QLineEdit):
    """A line for a condition or a formula, which knows the names of the columns."""

    def __init__(self, names: QStringListModel) -> None:
        super().__init__()
        self._completer = name_completer(names, self)
        self._completer.setWidget(self)
        self._completer.activated.connect(self._complete)
        self.textEdited.connect(self._offer)
        set_tooltip(self, _(_HELP))

    def _beginning(self) -> str:
        """Return the word that is being typed."""
        text = self.text()[: self.cursorPosition()]
        start = len(text)
        while start and (text[start - 1].isalnum() or text[start - 1] in "_.`"):
            start -= 1
        return text[start:]

    def _offer(self) -> None:
        beginning = self._beginning()
        self._completer.setCompletionPrefix(beginning)
        is_whole = self._completer.currentCompletion() == beginning
        if len(beginning) < 2 or is_whole or not self._completer.completionCount():
            popup = self._completer.popup()
            if popup is not None:
                popup.hide()
        else:
            self._completer.complete()

    def _complete(self, name: str) -> None:
        position, beginning = self.cursorPosition(), self._beginning()
        text = self.text()
        start = position - len(beginning)
        self.setText(f"{text[:start]}{name}{text[position:]}")
        self.setCursorPosition(start + len(name))
        self.textEdited.emit(self.text())


_WITHOUT_FORM = (ReadAs.kind, RowBlocks.kind, Score.kind)


class StepsList(QListWidget):
    """The steps, one a line, each with a switch."""

    OWN_KEYS = OwnKeys(
        N_("In the list of steps"), (("Del", N_("Remove the step")), ("Return", N_("Edit the step")))
    )

    removal_wanted = Signal()
    edit_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave out a step by Delete, edit it by Enter."""
        keys = {
            Qt.Key.Key_Delete: self.removal_wanted,
            Qt.Key.Key_Return: self.edit_wanted,
            Qt.Key.Key_Enter: self.edit_wanted,
        }
        wanted = keys.get(Qt.Key(event.key()))
        if wanted is not None and self.currentRow() >= 0:
            wanted.emit()
            return
        super().keyPressEvent(event)


class StepsPanel(QWidget):
    """Shows the recipe of the document and changes it."""

    edit_wanted = Signal(int)  # position of a step of one column, to be edited on the page of the column

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._document = session, session.document
        self._shown: Recipe | None = None
        # The step whose condition or formula stands in the lines, to be changed in its place.
        self._edited: int | None = None
        # A new step that is being made, and the lines that it was written in.
        self._asked: tuple[Step, dict[QLineEdit, str]] | None = None
        self._names = QStringListModel(self)
        self._offered: tuple[Variable, ...] = ()
        self.condition = ExpressionBox(self._names)
        self.condition.setPlaceholderText('age >= 65 and sex = "female"')
        self.condition.setAccessibleName(_("Keep only rows where"))
        self.rows_left = muted("")
        self.keep = push_button(_(_KEEP), self._on_keep)
        self.made_name = line_edit(_("Name of the computed column"), _("Name"))
        self.formula = ExpressionBox(self._names)
        self.formula.setPlaceholderText("weight / height ^ 2")
        self.formula.setAccessibleName(_("Formula of the computed column"))
        self.compute = push_button(_(_ADD), self._on_compute)
        self.cancel_condition, self.cancel_formula = (
            push_button(_("Cancel"), self._leave_step, _("Do not change the step (Esc)"))
            for _line in range(2)
        )
        for button in (self.cancel_condition, self.cancel_formula):
            button.hide()
        self.formula_problem = muted("")
        self.list = StepsList()
        self.list.setAccessibleName(_("Steps in the table"))
        self.list.setAccessibleDescription(
            _("Space switches a step on or off, Enter edits it, Delete removes it.")
        )
        self.list.setWordWrap(True)
        self.list.setSpacing(SPACE_SMALL)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.empty = muted(
            _(
                "There are no steps yet. To cut or recode a column, double-click it or press Enter. "
                "Below, you can keep some rows or compute a column."
            )
        )
        self.edit = push_button(_("Edit…"), self._on_edit)
        self.up = push_button(_("Earlier"), lambda: self._move(-1))
        self.down = push_button(_("Later"), lambda: self._move(1))
        self.remove = push_button(_("Remove"), self._on_remove)
        self._lay_out()
        self._connect()
        self.keep.setEnabled(False)
        self._check()
        self._show()

    def _lay_out(self) -> None:
        grid = form_grid(2)
        grid.addWidget(plain(_("Only rows where")), 0, 0)
        grid.addWidget(self.condition, 0, 1, 1, 2)
        grid.addWidget(self.keep, 0, 3)
        grid.addWidget(self.cancel_condition, 0, 4)
        grid.addWidget(self.rows_left, 1, 1, 1, 4)
        grid.addWidget(plain(_("New column")), 2, 0)
        grid.addWidget(self.made_name, 2, 1)
        grid.addWidget(self.formula, 2, 2)
        grid.addWidget(self.compute, 2, 3)
        grid.addWidget(self.cancel_formula, 2, 4)
        grid.addWidget(self.formula_problem, 3, 1, 1, 4)
        buttons = row(self.edit, self.up, self.down, self.remove, 1, spacing=SPACE_SMALL)
        column(grid, self.empty, (self.list, 1), buttons, 0, on=self, margins=(0, SPACE, 0, 0))

    def _connect(self) -> None:
        self.condition.textChanged.connect(self._on_condition)
        self.condition.returnPressed.connect(self._on_keep)
        self.formula.textChanged.connect(self._check)
        self.formula.returnPressed.connect(self._on_compute)
        self.made_name.textChanged.connect(self._check)
        self.list.itemChanged.connect(self._on_switched)
        self.list.currentRowChanged.connect(self._check)
        self.list.removal_wanted.connect(self._on_remove)
        self.list.edit_wanted.connect(self._on_edit)
        self._session.steps.counted.connect(self._on_counted)
        self._session.steps.changed.connect(self._on_made)
        # The list shows what holds, not what was wanted.
        self._session.steps.failed.connect(self._fill)
        self._session.steps.stopped.connect(self._fill)
        self._document.opened.connect(self._on_opened)
        self._document.analysis_changed.connect(self._show)

    @property
    def _recipe(self) -> Recipe:
        analysis = self._document.analysis
        return Recipe() if analysis is None else analysis.recipe

    def show_step(self, position: int) -> None:
        """Lead to a step in the list."""
        self.list.setCurrentRow(min(position, self.list.count() - 1))
        self.list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the step that is edited as it is by Esc."""
        if event.key() == Qt.Key.Key_Escape and self._edited is not None:
            self._leave_step()
            return
        super().keyPressEvent(event)

    def _on_opened(self) -> None:
        self._edited = self._asked = None
        self._show_edited("")
        self._empty_lines()

    def _empty_lines(self) -> None:
        for box in (self.condition, self.made_name, self.formula):
            box.clear()

    def _show(self) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        self._offer_names()
        if self._shown is not analysis.recipe:
            if self._edited is not None and self._shown != analysis.recipe:
                self._leave_step()
            self._shown = analysis.recipe
            self._fill()
        if self.condition.text().strip():
            self._session.steps.count(self.condition.text(), self._edited)
        self._check()

    def showEvent(self, event: QShowEvent) -> None:
        """Offer the names of the columns, which takes a moment where they are many."""
        super().showEvent(event)
        self._offer_names()

    def _offer_names(self) -> None:
        dataset = self._document.dataset
        if self.isVisible() and self._offered is not dataset.variables:
            self._offered = dataset.variables
            self._names.setStringList([quoted(name) for name in dataset.names])

    def _fill(self) -> None:
        place, recipe = self.list.currentRow(), self._recipe
        did = (note.text for note in self._document.dataset.notes if note.topic == RECIPE)
        with QSignalBlocker(self.list):
            self.list.clear()
            for position, step in enumerate(recipe.steps):
                is_on = recipe.is_on(position)
                item = QListWidgetItem(next(did, step.sentence) if is_on else step.sentence)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
                item.setToolTip(literal(step.sentence))
                self.list.addItem(item)
            self.list.setCurrentRow(min(max(place, 0), len(recipe.steps) - 1))
        has_steps = bool(recipe.steps)
        self.empty.setVisible(not has_steps)
        self.list.setVisible(has_steps)
        for button in (self.edit, self.up, self.down, self.remove):
            button.setVisible(has_steps)

    def _check(self) -> None:
        row, count = self.list.currentRow(), self.list.count()
        self.edit.setEnabled(self._can_edit(row))
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.remove.setEnabled(row >= 0)
        problem, formula = "", self.formula.text().strip()
        # Before a step that is edited, columns may have other names; what does not fit is told once made.
        if formula and self._document.analysis is not None and self._edited is None:
            try:
                check_expression(formula, self._document.dataset)
            except EngineError as error:
                problem = capital(failure_of(error).sentence)
        self.formula_problem.setText(problem)
        self.formula_problem.setVisible(bool(problem))
        self.compute.setEnabled(bool(formula and self.made_name.text().strip() and not problem))

    def _on_condition(self, text: str) -> None:
        self.keep.setEnabled(False)
        if text.strip():
            self._session.steps.count(text, self._edited)
        else:
            self.rows_left.setText("")

    def _on_counted(self, count: RowCount) -> None:
        if count.expression != self.condition.text():
            return
        self.keep.setEnabled(count.failure is None and count.rows > 0)
        if count.failure is not None:
            self.rows_left.setText(capital(count.failure.sentence))
            return
        left = for_count(count.rows, "{rows} of {all} rows is left.", "{rows} of {all} rows are left.")
        text = left.format(rows=count_text(count.rows), all=count_text(count.of))
        if count.unknown:
            unknown = for_count(
                count.unknown,
                "In {count} row an input is missing, so the row is left out.",
                "In {count} rows an input is missing, so these rows are left out.",
            )
            text = f"{text} {unknown.format(count=count_text(count.unknown))}"
        self.rows_left.setText(text)

    def _on_keep(self) -> None:
        if self.keep.isEnabled():
            self._put(Filter(self.condition.text().strip()), _("keep some rows"), self.condition)

    def _on_compute(self) -> None:
        if self.compute.isEnabled():
            name = self.made_name.text().strip()
            step = Compute(name, self.formula.text().strip())
            self._put(step, _("compute “{name}”", name=name), self.made_name, self.formula)

    def _put(self, step: Step, text: str, *boxes: QLineEdit) -> None:
        """Make a new step, or another one in the place of that which is edited."""
        if self._edited is None:
            self._asked = step, {box: box.text() for box in boxes}
            self._session.steps.change(self._recipe.with_step(step), text)
            return
        recipe = self._recipe.with_replaced(self._edited, step)
        if recipe == self._recipe:
            self._leave_step()
        else:
            self._session.steps.change(recipe, _("change a step"))

    def _on_made(self) -> None:
        """Empty the lines of a step that was made; one that cannot be made is left to be mended."""
        if self._asked is None or self._asked[0] not in self._recipe.steps:
            return
        for box, text in self._asked[1].items():
            if box.text() == text:
                box.clear()
        self._asked = None

    def _can_edit(self, row: int) -> bool:
        """Tell whether there is a form for a step; others are removed and made anew."""
        return 0 <= row < len(self._recipe.steps) and self._recipe.steps[row].kind not in _WITHOUT_FORM

    def _on_edit(self) -> None:
        row = self.list.currentRow()
        if not self._can_edit(row):
            return
        kind, values = self._recipe.steps[row].kind, plain_values(self._recipe.steps[row])
        if kind not in (Filter.kind, Compute.kind):
            self.edit_wanted.emit(row)
            return
        self._edited = row
        self._show_edited(kind)
        if kind == Filter.kind:
            self.condition.setText(values["expression"])
            self.condition.setFocus()
        else:
            self.made_name.setText(values["column"])
            self.formula.setText(values["expression"])
            self.formula.setFocus()
        self._check()

    def _leave_step(self) -> None:
        """Make new steps again."""
        position, self._edited = self._edited, None
        self._show_edited("")
        self._empty_lines()
        self.show_step(position or 0)

    def _show_edited(self, kind: str) -> None:
        """Offer what can be done with a step of a kind that is edited; empty where none is."""
        is_filter, is_computed = kind == Filter.kind, kind == Compute.kind
        self.keep.setText(_(CHANGE_STEP if is_filter else _KEEP))
        self.compute.setText(_(CHANGE_STEP if is_computed else _ADD))
        self.cancel_condition.setVisible(is_filter)
        self.cancel_formula.setVisible(is_computed)
        # One step at a time.
        self.condition.setEnabled(not is_computed)
        self.made_name.setEnabled(not is_filter)
        self.formula.setEnabled(not is_filter)

    def _on_switched(self, item: QListWidgetItem) -> None:
        position, is_on = self.list.row(item), item.checkState() is Qt.CheckState.Checked
        text = _("switch a step on") if is_on else _("switch a step off")
        self._session.steps.change(self._recipe.switched(position, is_on), text)

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        recipe = self._recipe.moved(row, row + by)
        self._session.steps.change(recipe, _("move a step"))
        if self._recipe == recipe:
            self.list.setCurrentRow(row + by)

    def _on_remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            self._session.steps.change(self._recipe.without(row), _("remove a step"))
