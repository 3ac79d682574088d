"""From the open document to its result, its stability, sizes and selected features: work on threads."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.compatibility import problems
from clcd_gui.document.document import Document
from clcd_gui.document.history import KeptRun
from clcd_gui.run.controller import Controller
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.opening import Opening
from clcd_gui.run.searcher import discover, measure_findings, repeat, select_features
from engine.discovery.effects.size_table import Effects
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import StabilityResult, StabilitySettings
from engine.selection.result import Selection as FeatureSelection
from engine.translation import _


class Running(QObject):
    """Runs the analysis that the document holds, once the whole of a table is read."""

    finished = Signal(DiscoveryResult)
    failed = Signal(RunFailure)

    def __init__(
        self, document: Document, controller: Controller, opening: Opening, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._searcher = controller.searcher
        self._lane = controller.discovery
        self._opening = opening
        self._searched: Analysis | None = None
        document.opened.connect(self._lane.abandon)
        document.closed.connect(self._let_go)
        self._lane.succeeded.connect(self._on_found)
        self._lane.failed.connect(self.failed)

    @property
    def hindrance(self) -> str:
        """Why a run cannot start, in a few words; empty when it can."""
        analysis = self._document.analysis
        if self._opening.first_rows is not None:
            return _("Waits for the rest of the table")
        if analysis is None:
            return _("Open a table first")
        if self._lane.is_busy:
            return _("An analysis is running")
        open_problems = problems(analysis)
        return open_problems[0].short if open_problems else ""

    @Slot()
    def start(self) -> None:
        """Run, unless something stands in the way."""
        analysis, reading = self._document.analysis, self._document.reading
        if analysis is None or reading is None or self.hindrance:
            return
        self._searched = analysis
        self._lane.start(partial(discover, analysis, reading, self._searcher))

    @Slot()
    def _let_go(self) -> None:
        """Hold no table that is closed."""
        self._searched = None

    @Slot(object)
    def _on_found(self, result: DiscoveryResult) -> None:
        if self._searched is None or not result.boundaries:
            # Stopped before the first label was finished: what was found earlier stays.
            return
        self._document.set_result(result, self._searched)
        self.finished.emit(result)


class Repeating(QObject):
    """Repeats the search behind the shown result until another result, table or run ends that."""

    finished = Signal(StabilityResult)
    failed = Signal(RunFailure)

    def __init__(self, document: Document, controller: Controller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._kernels = controller.kernels
        self._lane = controller.repetition
        self._discovery = controller.discovery
        document.result_changed.connect(self._lane.abandon)
        self._discovery.started.connect(self._lane.abandon)
        self._lane.succeeded.connect(self._on_counted)
        self._lane.failed.connect(self.failed)

    @property
    def hindrance(self) -> str:
        """Why nothing can be repeated now, in a few words; empty when it can."""
        if self._document.result is None:
            return _("Run an analysis first")
        if self._discovery.is_busy:
            return _("An analysis is running")
        return _("It is being repeated") if self._lane.is_busy else ""

    @Slot(object)
    def start(self, settings: StabilitySettings) -> None:
        """Repeat the search, unless something stands in the way."""
        result = self._document.result
        if result is not None and not self.hindrance:
            self._lane.start(partial(repeat, result, settings, self._kernels))

    @Slot(object)
    def _on_counted(self, stability: StabilityResult) -> None:
        result = self._document.result
        if result is not None:
            self._document.refine_result(result.with_stability(stability))
            self.finished.emit(stability)


class Measuring(QObject):
    """Measures how large the findings of the document are, once somebody has looked at a result.

    Searches go first: each that begins ends what is being measured. Runs that are compared come last.
    """

    failed = Signal(RunFailure)

    def __init__(self, document: Document, controller: Controller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._lane = controller.sizes
        self._searcher = controller.searcher
        self._searches = controller.discovery, controller.live
        self._is_wanted = False
        self._also: tuple[int, ...] = ()
        self._measured: KeptRun | None = None
        # What cannot be measured is not tried again and again.
        self._given_up: set[int] = set()
        document.result_changed.connect(self._on_result)
        document.history.retold.connect(self._on_result)
        for search in self._searches:
            search.started.connect(self._lane.abandon)
            search.ended.connect(self._start)
        self._lane.ended.connect(self._start)
        self._lane.given_early.connect(self._on_measured)
        self._lane.succeeded.connect(self._on_measured)
        self._lane.failed.connect(self._on_failed)
        for signal in (document.opened, document.closed):
            signal.connect(self._on_another_table)

    def set_wanted(self, wanted: bool) -> None:
        """Say whether it is visible; what was begun is finished even when it is hidden again."""
        self._is_wanted = wanted
        self._start()

    def measure_also(self, numbers: tuple[int, ...]) -> None:
        """Measure these runs too, as somebody compares them."""
        self._also = numbers
        self._start()

    @Slot()
    def _on_result(self) -> None:
        self._lane.abandon()
        self._start()

    @Slot()
    def _start(self) -> None:
        reading, run = self._document.reading, self._next
        is_busy = self._lane.is_busy or any(search.is_busy for search in self._searches)
        if not is_busy and run is not None and reading is not None:
            self._measured = run
            self._lane.start(partial(measure_findings, run.result, run.searched, reading, self._searcher))

    @property
    def _next(self) -> KeptRun | None:
        """The run that is to be measured next; None where none is."""
        history = self._document.history
        listed = {run.number: run for run in history.runs}
        wanted = [history.shown] if self._is_wanted else []
        wanted += [listed.get(number) for number in self._also]
        runs = (run for run in wanted if run is not None and run.number not in self._given_up)
        return next((run for run in runs if run.result.effects is None), None)

    @Slot(object)
    def _on_measured(self, effects: Effects) -> None:
        if self._measured is not None:
            run = self._document.history.run(self._measured.number)
            self._document.history.refine(run.number, run.result.with_effects(effects))

    @Slot(object)
    def _on_failed(self, failure: RunFailure) -> None:
        if self._measured is not None:
            self._given_up.add(self._measured.number)
        self.failed.emit(failure)

    @Slot()
    def _on_another_table(self) -> None:
        self._also, self._measured = (), None
        self._given_up.clear()


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
        """Say whether it is visible; what was begun is finished even when it is hidden again."""
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
