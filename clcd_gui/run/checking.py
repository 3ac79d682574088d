"""Looks in the background for what a person should check before a search."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from clcd_gui.document.checks import Check, block_check, event_check, row_checks
from clcd_gui.document.document import Document
from clcd_gui.run.lane import Lane
from clcd_gui.run.progress import SharedProgress
from clcd_gui.run.table_steps import TableSteps
from engine.errors import EngineError
from engine.independence.reflective import ReflectiveBlock, reflective_blocks
from engine.preparation.dependence import DependentRows, RowOffer, dependent_rows
from engine.table.dataset import Dataset
from engine.table.variable import Role

_REST_MILLISECONDS = 200
# Of more features only those that were found are looked at, by the search: all of them would take long.
_MOST_FEATURES = 500


@dataclass(frozen=True, slots=True)
class TableChecks:
    """What was seen in a table.

    Attributes
    ----------
    dataset : Dataset
    rows : DependentRows
    blocks : tuple of ReflectiveBlock
    """

    dataset: Dataset
    rows: DependentRows = field(default_factory=DependentRows)
    blocks: tuple[ReflectiveBlock, ...] = ()

    @property
    def checks(self) -> tuple[Check, ...]:
        """What a person should check."""
        of_blocks = block_check(self.blocks)
        return (*row_checks(self.rows.dependences), *(() if of_blocks is None else (of_blocks,)))


@dataclass(frozen=True, slots=True)
class LookAtTable:
    """Look whether rows depend on each other, and whether columns reflect one thing.

    Attributes
    ----------
    dataset : Dataset
    """

    dataset: Dataset

    def __call__(self, _progress: SharedProgress) -> TableChecks:
        """Look, and return what was found."""
        dataset = self.dataset
        try:
            is_narrow = len(dataset.features) <= _MOST_FEATURES
            blocks = reflective_blocks(dataset, outcomes=dataset.labels) if is_narrow else ()
            return TableChecks(dataset, dependent_rows(dataset), blocks)
        except EngineError:
            # A search says what is wrong with such a table.
            return TableChecks(dataset)


class Checking(QObject):
    """Holds what is to be checked in the table that a run would use.

    Parameters
    ----------
    document : Document
    steps : TableSteps
        Makes the step that an offer names.
    lane : Lane
        Where it is looked at the table, once that rests.

    Attributes
    ----------
    checks : tuple of Check
    """

    changed = Signal()

    def __init__(
        self, document: Document, steps: TableSteps, lane: Lane, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._steps, self._lane = document, steps, lane
        self.checks: tuple[Check, ...] = ()
        self._seen: tuple[Check, ...] = ()
        self._looked_at: tuple[object, ...] = ()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MILLISECONDS)
        self._rest.timeout.connect(self._look)
        document.analysis_changed.connect(self._on_analysis)
        document.closed.connect(self._on_closed)
        lane.succeeded.connect(self._on_looked)

    def choose_event(self, names: list[str], level: str) -> None:
        """Count a level as the event of some columns."""
        self._document.set_events(names, level)

    def take(self, offer: RowOffer) -> None:
        """Do what an offer says, as one step that can be undone."""
        analysis = self._document.analysis
        if analysis is None:
            return
        if offer.step is None:
            self._document.set_roles([offer.groups], Role.GROUPS)
        else:
            self._steps.change(analysis.recipe.with_step(offer.step), offer.title)

    @Slot()
    def _on_analysis(self) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        dataset = analysis.dataset
        # Only values, kinds and roles say whether rows depend on each other and columns reflect one thing.
        if self._looked_at != _about(dataset):
            self._lane.abandon()
            self._seen, self._looked_at = (), ()
            if dataset.labels:
                self._rest.start()
        self._tell(dataset)

    @Slot()
    def _look(self) -> None:
        analysis = self._document.analysis
        if analysis is not None and not self._lane.is_shut_down:
            self._lane.start(LookAtTable(analysis.dataset))

    @Slot(object)
    def _on_looked(self, seen: TableChecks) -> None:
        analysis = self._document.analysis
        if analysis is not None and _about(seen.dataset) == _about(analysis.dataset):
            self._looked_at, self._seen = _about(seen.dataset), seen.checks
            self._tell(analysis.dataset)

    @Slot()
    def _on_closed(self) -> None:
        self._rest.stop()
        self._lane.abandon()
        self.checks, self._seen, self._looked_at = (), (), ()
        self.changed.emit()

    def _tell(self, dataset: Dataset) -> None:
        # Before there is a label, which columns matter is not known.
        events = event_check(dataset) if dataset.labels else None
        checks = (*self._seen, *(() if events is None else (events,)))
        if checks != self.checks:
            self.checks = checks
            self.changed.emit()


def _about(dataset: Dataset) -> tuple[object, ...]:
    return dataset.variables, tuple(map(id, dataset.columns))
