"""From a result to how sure it is: searches parts of its rows again on a thread, and keeps what came back."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.core.document import Document
from clcd_gui.run.controller import Controller
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.jobs import Repeat
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import StabilityResult
from engine.discovery.stability.settings import StabilitySettings


class Repeating(QObject):
    """Repeats the search behind the result that the document holds.

    What is repeated is the result that is shown, with its own table and settings, whatever was changed since.
    Another result, another table and a new run end it.

    Parameters
    ----------
    document : Document
    controller : Controller
        Whose repetition lane does it.
    """

    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, document: Document, controller: Controller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._kernels = controller.kernels
        self._lane = controller.repetition
        self._discovery = controller.discovery
        self._repeated: DiscoveryResult | None = None
        document.result_changed.connect(self._lane.abandon)
        self._discovery.started.connect(self._lane.abandon)
        self._lane.succeeded.connect(self._on_counted)
        self._lane.failed.connect(self._on_failed)

    @property
    def hindrance(self) -> str:
        """Why nothing can be repeated now, in a few words; empty when it can."""
        if self._document.result is None:
            return "Run an analysis first"
        if self._discovery.is_busy:
            return "An analysis is running"
        return "It is being repeated" if self._lane.is_busy else ""

    @Slot(object)
    def start(self, settings: StabilitySettings) -> None:
        """Repeat the search, unless something stands in the way."""
        result = self._document.result
        if result is None or self.hindrance:
            return
        self._repeated = result
        self._lane.start(Repeat(result, settings, self._kernels))

    @Slot(object)
    def _on_counted(self, stability: StabilityResult) -> None:
        if self._repeated is None:
            return
        self._document.set_repeated(self._repeated.with_stability(stability))
        self.finished.emit(stability)

    @Slot(object)
    def _on_failed(self, failure: RunFailure) -> None:
        self.failed.emit(failure)
