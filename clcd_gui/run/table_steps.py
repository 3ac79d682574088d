"""Steps in the open table: made at once in a small one, on a thread in a large one; counts while typing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.column_summary import ColumnDistribution, ColumnSummary, distribution_of, summarise_all
from clcd_gui.document.document import Document
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.lane import Lane
from clcd_gui.turns import single_shot
from clcd_gui.wording.text import counted
from engine.errors import Cancelled, EngineError
from engine.progress import ProgressEvent, SharedProgress
from engine.recipe import Recipe
from engine.recipe.evaluation import rows_where
from engine.table.variable import Kind, Role
from engine.translation import N_, _

# So many cells are gone through in some hundredths of a second; a column costs as much as a thousand of them.
_MOST_CELLS_AT_ONCE = 300_000
_CELLS_OF_A_COLUMN = 1000
_TYPING_MILLISECONDS = 150
MAKING_STEPS = N_("Applying the steps")
_READ_AS = {
    Kind.NOMINAL: N_("read {columns} as categories"),
    Kind.CONTINUOUS: N_("read {columns} as numbers"),
}


def _left_out(text: str, why: str) -> RunFailure:
    return RunFailure(f"{why}: {text}.", remedy=_("Ask for it again."))


@dataclass(frozen=True, slots=True)
class RowCount:
    """In how many rows a condition holds."""

    expression: str
    rows: int = 0
    unknown: int = 0
    of: int = 0
    failure: RunFailure | None = None


def count_rows(analysis: Analysis, expression: str, step: int | None, _progress: SharedProgress) -> RowCount:
    """Count the rows in which a condition holds, now or before a step, or say what is wrong with it."""
    try:
        dataset = analysis.table_before(step)
        matching = rows_where(expression, dataset)
    except EngineError as error:
        return RowCount(expression, failure=failure_of(error))
    return RowCount(expression, int(matching.holds.sum()), int(matching.missing.sum()), dataset.row_count)


@dataclass(frozen=True, slots=True)
class _StepsMade:
    wanted: MakeSteps
    analysis: Analysis
    summaries: Mapping[str, ColumnSummary]


@dataclass(frozen=True, slots=True)
class MakeSteps:
    """Make steps in the table that was read, and describe the columns that they changed."""

    analysis: Analysis
    recipe: Recipe
    text: str
    roles: Mapping[str, Role] = field(default_factory=dict)

    def __call__(self, progress: SharedProgress) -> _StepsMade:
        """Make the steps and return what came of them."""
        progress.report(ProgressEvent(_(MAKING_STEPS), 0, 1))
        analysis = self.analysis.with_recipe(self.recipe, self.roles)
        columns_before = {id(column) for column in self.analysis.dataset.columns}
        pairs = zip(analysis.dataset.names, analysis.dataset.columns, strict=True)
        changed = analysis.dataset.select_variables(
            name for name, column in pairs if id(column) not in columns_before
        )

        def heed_stop(_done: int, _columns: int) -> None:
            if progress.should_stop():
                raise Cancelled(_("the steps were stopped."))

        described = summarise_all(changed, heed_stop)
        return _StepsMade(self, analysis, dict(zip(changed.names, described, strict=True)))


class TableSteps(QObject):
    """Changes the recipe of the document, and answers what pages ask about its columns."""

    changed = Signal()
    """The steps that were asked for are made, all of them."""

    failed = Signal(RunFailure)
    """The steps could not be made, or what was asked about columns could not be answered."""

    stopped = Signal()
    """What was asked for is not made: a person stopped it, or opened another table."""

    counted = Signal(RowCount)
    described = Signal(ColumnDistribution)

    def __init__(
        self,
        document: Document,
        making: Lane,
        counting: Lane,
        describing: Lane,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._making, self._counting, self._describing = making, counting, describing
        self._was_refused = False
        self._expression = ""
        self._step: int | None = None
        # Nobody reads a number that follows every letter.
        self._typing = single_shot(self, _TYPING_MILLISECONDS, self._count)
        making.succeeded.connect(self._on_made)
        making.failed.connect(self.failed)
        making.stopped.connect(self.stopped)
        for answering in (counting, describing):
            answering.failed.connect(self.failed)
        counting.succeeded.connect(self.counted)
        describing.succeeded.connect(self.described)
        document.opened.connect(self._on_another_table)
        document.closed.connect(self._on_another_table)

    def change(self, recipe: Recipe, text: str, roles: Mapping[str, Role] | None = None) -> None:
        """Make other steps in the table that was read, as one to undo; refused while others are made."""
        analysis = self._document.analysis
        if analysis is None:
            return
        if self._making.is_busy:
            self._was_refused = True
            self.failed.emit(_left_out(text, _("Another step is still being applied, so this one was not")))
            return
        job = MakeSteps(analysis, recipe, text, roles or {})
        read = analysis.table_read
        if (read.row_count + _CELLS_OF_A_COLUMN) * len(read.variables) > _MOST_CELLS_AT_ONCE:
            self._was_refused = False
            self._making.start(job)
            return
        try:
            self._document.change_recipe(recipe, text, job.roles)
        except EngineError as error:
            self.failed.emit(failure_of(error))
        else:
            self.changed.emit()

    def read_as(self, names: Sequence[str], kind: Kind) -> None:
        """Read some columns as categories or as numbers, as one step that can be undone."""
        analysis = self._document.analysis
        if analysis is None:
            return
        recipe = analysis.recipe_with_kind(names, kind)
        if recipe != analysis.recipe:
            what = f"“{names[0]}”" if len(names) == 1 else counted(len(names), "column")
            self.change(recipe, _(_READ_AS[kind], columns=what))

    def count(self, expression: str, step: int | None = None) -> None:
        """Count the rows in which a condition holds, now or before a step, after a pause in typing."""
        self._expression, self._step = expression, step
        self._typing.start()

    def describe(self, name: str, label: str = "", step: int | None = None) -> None:
        """Describe how the values of a column are spread, now or before an edited step."""
        analysis = self._document.analysis
        if analysis is not None:
            self._describing.start(
                lambda _progress: distribution_of(analysis.table_before(step), name, label)
            )

    @Slot()
    def _count(self) -> None:
        analysis = self._document.analysis
        if analysis is not None:
            self._counting.start(partial(count_rows, analysis, self._expression, self._step))

    @Slot(object)
    def _on_made(self, steps_made: _StepsMade) -> None:
        now, wanted = self._document.analysis, steps_made.wanted
        if now is not None and now.recipe != wanted.analysis.recipe:
            self.failed.emit(
                _left_out(wanted.text, _("The steps changed in the meantime, so this one was not applied"))
            )
            return
        if now is not wanted.analysis:
            # Roles or settings were changed meanwhile.
            self.change(wanted.recipe, wanted.text, wanted.roles)
            return
        self._document.take_summaries(steps_made.analysis.dataset, steps_made.summaries)
        self._document.change(steps_made.analysis, wanted.text)
        if not self._was_refused:
            self.changed.emit()

    @Slot()
    def _on_another_table(self) -> None:
        self._typing.stop()
        for lane in (self._making, self._counting, self._describing):
            lane.abandon()
