"""Looks in the background for what a person should check before a search."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from clcd_gui.document.checks import Check, event_check, row_checks
from clcd_gui.document.document import Document
from clcd_gui.run.lane import Lane
from clcd_gui.run.progress import SharedProgress
from clcd_gui.run.table_steps import TableSteps
from engine.errors import EngineError
from engine.preparation.dependence import DependentRows, RowOffer, dependent_rows
from engine.table.dataset import Dataset
from engine.table.variable import Role

_REST_MILLISECONDS = 200


@dataclass(frozen=True, slots=True)
class LookAtRows:
    """Look whether the rows of a table depend on each other.

    Attributes
    ----------
    dataset : Dataset
    """

    dataset: Dataset

    def __call__(self, _progress: SharedProgress) -> tuple[Dataset, DependentRows]:
        """Look, and return what was found with the table."""
        try:
            return self.dataset, dependent_rows(self.dataset)
        except EngineError:
            # A search says what is wrong with such a table.
            return self.dataset, DependentRows()


class Checking(QObject):
    """Holds what is to be checked in the table that a run would use.

    Parameters
    ----------
    document : Document
    steps : TableSteps
        Makes the step that an offer names.
    lane : Lane
        Where rows are looked at, once the table rests.

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
        self._rows: tuple[Check, ...] = ()
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
        # Only values, kinds and roles make rows depend on each other.
        if self._looked_at != _about(dataset):
            self._lane.abandon()
            self._rows, self._looked_at = (), ()
            if dataset.labels:
                self._rest.start()
        self._tell(dataset)

    @Slot()
    def _look(self) -> None:
        analysis = self._document.analysis
        if analysis is not None and not self._lane.is_shut_down:
            self._lane.start(LookAtRows(analysis.dataset))

    @Slot(object)
    def _on_looked(self, found: tuple[Dataset, DependentRows]) -> None:
        analysis = self._document.analysis
        if analysis is not None and _about(found[0]) == _about(analysis.dataset):
            self._looked_at, self._rows = _about(found[0]), row_checks(found[1].dependences)
            self._tell(analysis.dataset)

    @Slot()
    def _on_closed(self) -> None:
        self._rest.stop()
        self._lane.abandon()
        self.checks, self._rows, self._looked_at = (), (), ()
        self.changed.emit()

    def _tell(self, dataset: Dataset) -> None:
        # Before there is a label, which columns matter is not known.
        events = event_check(dataset) if dataset.labels else None
        checks = (*self._rows, *(() if events is None else (events,)))
        if checks != self.checks:
            self.checks = checks
            self.changed.emit()


def _about(dataset: Dataset) -> tuple[object, ...]:
    return dataset.variables, tuple(map(id, dataset.columns))
