"""From a result to the features selected from it: on a thread, once somebody looks, and the latest wins."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.document import Document
from clcd_gui.run.controller import Controller
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.jobs import select_features
from engine.selection.result import Selection as FeatureSelection


class SelectingState(StrEnum):
    """How the selection of the result that is shown stands."""

    NO_RESULT = "no result"
    NOT_BEGUN = "not begun"
    WORKING = "working"
    STOPPED = "stopped"
    FAILED = "failed"
    DONE = "done"


class Selecting(QObject):
    """Selects features from each result once somebody looks; after Stop or an error only when asked."""

    changed = Signal()
    failed = Signal(RunFailure)

    def __init__(self, document: Document, controller: Controller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._kernels = controller.kernels
        self._lane = controller.selection
        self._is_wanted = False
        self._ended_as: SelectingState | None = None
        self._is_overtaken = False
        for signal in (document.result_changed, document.rearranged):
            signal.connect(self._on_result)
        self._lane.succeeded.connect(self._on_selected)
        self._lane.failed.connect(self._on_failed)
        self._lane.stopped.connect(self._on_stopped)

    @property
    def state(self) -> SelectingState:
        """How the selection of the present result stands."""
        if self._document.result is None:
            return SelectingState.NO_RESULT
        if self._document.feature_selection is not None:
            return SelectingState.DONE
        if self._lane.is_busy:
            return SelectingState.WORKING
        return self._ended_as or SelectingState.NOT_BEGUN

    def set_wanted(self, wanted: bool) -> None:
        """Say whether somebody looks; what was begun is finished even if nobody does any more."""
        self._is_wanted = wanted
        if wanted and self.state is SelectingState.NOT_BEGUN:
            self.start()

    @Slot()
    def start(self) -> None:
        """Select features from the present result, unless that was done or is being done."""
        result = self._document.result
        if result is None or self.state in (SelectingState.WORKING, SelectingState.DONE):
            return
        self._ended_as = None
        self._lane.start(partial(select_features, result, self._kernels))
        self.changed.emit()

    @Slot()
    def _on_result(self) -> None:
        self._is_overtaken = True
        self._lane.abandon()
        self._is_overtaken = False
        self._ended_as = None
        if self._is_wanted and self._document.result is not None:
            self.start()
        else:
            self.changed.emit()

    @Slot(object)
    def _on_selected(self, selection: FeatureSelection) -> None:
        self._document.set_feature_selection(selection)
        self.changed.emit()

    @Slot(object)
    def _on_failed(self, failure: RunFailure) -> None:
        self._ended_as = SelectingState.FAILED
        self.changed.emit()
        self.failed.emit(failure)

    @Slot()
    def _on_stopped(self) -> None:
        if not self._is_overtaken:
            self._ended_as = SelectingState.STOPPED
            self.changed.emit()
