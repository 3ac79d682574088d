"""The steps in the open table, each with a switch; here rows are filtered and columns computed as well."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.run.failure import failure_of
from clcd_gui.run.session import Session
from clcd_gui.run.table_steps import RowCount
from clcd_gui.style.text import literal, muted, plain, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.wording.text import OwnKeys, count_text
from engine.errors import EngineError
from engine.recipe import RECIPE, Recipe
from engine.recipe.evaluation import check_expression
from engine.recipe.expression import quoted
from engine.recipe.table_steps import Compute, Filter
from engine.wording.phrases import for_count

_HELP = (
    'Compare columns with numbers and texts: age >= 65 and sex = "female". There are + - * / ^, '
    "and, or, not, is missing, is in [1, 2], and log, sqrt, abs, min, max, round, count, if."
)


class ExpressionBox(QLineEdit):
    """A line for a condition or a formula, which knows the names of the columns.

    Parameters
    ----------
    names : QStringListModel
        Names as an expression writes them.
    """

    def __init__(self, names: QStringListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._completer = QCompleter(names, self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setWidget(self)
        self._completer.activated.connect(self._complete)
        self.textEdited.connect(self._offer)
        set_tooltip(self, _HELP)

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


class StepsList(QListWidget):
    """The steps, one a line, each with a switch.

    Signals
    -------
    removal_wanted
        Delete was pressed.
    """

    OWN_KEYS = OwnKeys("In the list of steps", (("Del", "Remove the step"),))

    removal_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave out a step by Delete."""
        if event.key() == Qt.Key.Key_Delete and self.currentRow() >= 0:
            self.removal_wanted.emit()
            return
        super().keyPressEvent(event)


class StepsPanel(QWidget):
    """Shows the recipe of the document and changes it.

    Parameters
    ----------
    session : Session

    Signals
    -------
    count_changed
        With the number of steps.
    """

    count_changed = Signal(int)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._document = session, session.document
        self._shown: Recipe | None = None
        self._names = QStringListModel(self)
        self.condition = ExpressionBox(self._names)
        self.condition.setPlaceholderText('age >= 65 and sex = "female"')
        self.condition.setAccessibleName("Keep only rows where")
        self.rows_left = muted("")
        self.keep = QPushButton("Keep these rows")
        self.made_name = QLineEdit()
        self.made_name.setPlaceholderText("Name")
        self.made_name.setAccessibleName("Name of the computed column")
        self.formula = ExpressionBox(self._names)
        self.formula.setPlaceholderText("weight / height ^ 2")
        self.formula.setAccessibleName("Formula of the computed column")
        self.compute = QPushButton("Add the column")
        self.formula_problem = muted("")
        self.list = StepsList()
        self.list.setAccessibleName("Steps in the table")
        self.list.setAccessibleDescription("Space switches a step on or off, Delete leaves it out.")
        self.list.setWordWrap(True)
        self.list.setSpacing(SPACE_SMALL)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.empty = muted(
            "No step yet: the table is as it was read. Open a column by a double click or Enter to cut or "
            "recode it, keep some rows, or compute a column."
        )
        self.up, self.down, self.remove = QPushButton("Earlier"), QPushButton("Later"), QPushButton("Remove")
        self._lay_out()
        self._connect()
        self._check()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE)
        grid.setVerticalSpacing(SPACE_SMALL)
        grid.setColumnStretch(2, 1)
        grid.addWidget(plain("Only rows where"), 0, 0)
        grid.addWidget(self.condition, 0, 1, 1, 2)
        grid.addWidget(self.keep, 0, 3)
        grid.addWidget(self.rows_left, 1, 1, 1, 3)
        grid.addWidget(plain("New column"), 2, 0)
        grid.addWidget(self.made_name, 2, 1)
        grid.addWidget(self.formula, 2, 2)
        grid.addWidget(self.compute, 2, 3)
        grid.addWidget(self.formula_problem, 3, 1, 1, 3)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_SMALL)
        for button in (self.up, self.down, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE, 0, 0)
        column.setSpacing(SPACE)
        column.addLayout(grid)
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        column.addStretch(0)

    def _connect(self) -> None:
        self.condition.textChanged.connect(self._on_condition)
        self.condition.returnPressed.connect(self._on_keep)
        self.keep.clicked.connect(self._on_keep)
        self.formula.textChanged.connect(self._check)
        self.formula.returnPressed.connect(self._on_compute)
        self.made_name.textChanged.connect(self._check)
        self.compute.clicked.connect(self._on_compute)
        self.list.itemChanged.connect(self._on_switched)
        self.list.currentRowChanged.connect(self._check)
        self.list.removal_wanted.connect(self._on_remove)
        self.up.clicked.connect(self._on_up)
        self.down.clicked.connect(self._on_down)
        self.remove.clicked.connect(self._on_remove)
        self._session.steps.counted.connect(self._on_counted)
        # The list shows what holds, not what was wanted.
        self._session.steps.failed.connect(self._fill)
        self._document.opened.connect(self._on_opened)
        self._document.analysis_changed.connect(self._show)

    @property
    def _recipe(self) -> Recipe:
        analysis = self._document.analysis
        return Recipe() if analysis is None else analysis.recipe

    def _on_opened(self) -> None:
        for box in (self.condition, self.made_name, self.formula):
            box.clear()

    def _show(self) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        self._names.setStringList([quoted(name) for name in analysis.dataset.names])
        if self._shown is not analysis.recipe:
            self._shown = analysis.recipe
            self._fill()
        if self.condition.text().strip():
            self._session.steps.count(self.condition.text())
        self._check()

    def _fill(self) -> None:
        row, recipe = self.list.currentRow(), self._recipe
        self.list.blockSignals(True)
        self.list.clear()
        analysis = self._document.analysis
        did = iter(
            [] if analysis is None else [each for each in analysis.dataset.notes if each.topic == RECIPE]
        )
        for position, step in enumerate(recipe.steps):
            note = next(did, None) if recipe.is_on(position) else None
            item = QListWidgetItem(step.sentence if note is None else note.message)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_on = recipe.is_on(position)
            item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
            item.setToolTip(literal(step.sentence))
            self.list.addItem(item)
        self.list.setCurrentRow(min(max(row, 0), len(recipe.steps) - 1))
        self.list.blockSignals(False)
        has_steps = bool(recipe.steps)
        self.empty.setVisible(not has_steps)
        self.list.setVisible(has_steps)
        for button in (self.up, self.down, self.remove):
            button.setVisible(has_steps)
        self.count_changed.emit(len(recipe.steps))

    def _check(self) -> None:
        row, count = self.list.currentRow(), self.list.count()
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.remove.setEnabled(row >= 0)
        problem, analysis = "", self._document.analysis
        formula = self.formula.text().strip()
        if formula and analysis is not None:
            try:
                check_expression(formula, analysis.dataset)
            except EngineError as error:
                problem = _capital(failure_of(error).sentence)
        self.formula_problem.setText(problem)
        self.formula_problem.setVisible(bool(problem))
        self.compute.setEnabled(bool(formula and self.made_name.text().strip() and not problem))

    def _on_condition(self, text: str) -> None:
        self.keep.setEnabled(False)
        if text.strip():
            self._session.steps.count(text)
        else:
            self.rows_left.setText("")

    def _on_counted(self, count: RowCount) -> None:
        if count.expression != self.condition.text():
            return
        self.keep.setEnabled(count.failure is None and count.rows > 0)
        if count.failure is not None:
            self.rows_left.setText(_capital(count.failure.sentence))
            return
        said = [
            for_count(count.rows, "{rows} of {all} rows is left.", "{rows} of {all} rows are left.").format(
                rows=count_text(count.rows), all=count_text(count.of)
            )
        ]
        if count.unknown:
            unknown = for_count(
                count.unknown,
                "In {count} row something is missing for it, so that is left out.",
                "In {count} rows something is missing for it, so these are left out.",
            )
            said.append(unknown.format(count=count_text(count.unknown)))
        self.rows_left.setText(" ".join(said))

    def _on_keep(self) -> None:
        if self.keep.isEnabled():
            text = self.condition.text().strip()
            self._session.steps.change(self._recipe.with_step(Filter(text)), "keep some rows")
            self.condition.clear()

    def _on_compute(self) -> None:
        if self.compute.isEnabled():
            name = self.made_name.text().strip()
            step = Compute(name, self.formula.text().strip())
            self._session.steps.change(self._recipe.with_step(step), f"compute “{name}”")
            self.made_name.clear()
            self.formula.clear()

    def _on_switched(self, item: QListWidgetItem) -> None:
        position, is_on = self.list.row(item), item.checkState() is Qt.CheckState.Checked
        text = "switch a step on" if is_on else "switch a step off"
        self._session.steps.change(self._recipe.switched(position, is_on), text)

    def _on_up(self) -> None:
        self._move(-1)

    def _on_down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        recipe = self._recipe.moved(row, row + by)
        self._session.steps.change(recipe, "move a step")
        if self._recipe == recipe:
            self.list.setCurrentRow(row + by)

    def _on_remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            self._session.steps.change(self._recipe.without(row), "leave out a step")


def _capital(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"
