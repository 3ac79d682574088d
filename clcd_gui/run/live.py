"""Results that follow every change by themselves, for tables that are searched in a moment."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.compatibility import problems
from clcd_gui.document.document import Document
from clcd_gui.run.controller import Controller
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.opening import Opening
from clcd_gui.run.searcher import discover, look_ahead
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.result import DiscoveryResult
from engine.parameters import parameter_of

QUICK_SECONDS = 0.5
SLOW_SECONDS = 3.0
# A first search also loads the compiled kernels; up to here another one is worth trying.
TRIAL_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class LiveState:
    """Whether results follow changes."""

    wanted: bool  # the person has not switched it off
    possible: bool  # the table is searched quickly enough
    # How long the search takes where that is too long; None while it is not known to be.
    seconds: float | None

    @property
    def is_on(self) -> bool:
        """Whether every change is searched by itself."""
        return self.wanted and self.possible


def nearest_first(steps: Sequence[float], value: float) -> tuple[float, ...]:
    """List the steps beside a value, those nearest to it first; the value itself is left out.

    >>> nearest_first((0.001, 0.01, 0.02, 0.1), 0.02)
    (0.01, 0.1, 0.001)
    """
    others = [step for step in steps if step != value]
    return tuple(sorted(others, key=lambda step: max(step / value, value / step)))


class Live(QObject):
    """Searches again after every change, while the table is small enough for that.

    The latest change wins: a search that it overtakes is stopped, and what it finds is dropped. When nothing
    changes for a while, results at the neighbouring levels are looked for ahead of being asked for.
    """

    changed = Signal()
    finished = Signal(DiscoveryResult)
    failed = Signal(RunFailure)
    looked_ahead = Signal()
    """More may be known of other levels."""

    def __init__(
        self, document: Document, controller: Controller, opening: Opening, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._opening = opening
        self._searcher = controller.searcher
        self._lane, self._ahead, self._discovery = controller.live, controller.ahead, controller.discovery
        self.state = LiveState(wanted=True, possible=False, seconds=None)
        self._searched: Analysis | None = None
        self._before_run: DiscoveryResult | None = None
        self._began = 0.0
        self._seconds: float | None = None
        self._has_tried = False
        self._is_own_result = False
        document.opened.connect(self._on_another_table)
        document.closed.connect(self._on_another_table)
        document.analysis_changed.connect(self._on_analysis)
        document.result_changed.connect(self._on_result)
        self._discovery.started.connect(self._on_run)
        self._discovery.ended.connect(self._on_run_ended)
        self._lane.succeeded.connect(self._on_found)
        self._lane.noticed.connect(self.changed)
        self._lane.failed.connect(self.failed)
        self._ahead.succeeded.connect(self._on_looked_ahead)
        self._ahead.ended.connect(self.looked_ahead)

    @property
    def is_following(self) -> bool:
        """Whether the next change, or the present one, is searched by itself."""
        return self.state.is_on and self._document.result is not None and not self._hindrance

    @property
    def stale_reason(self) -> str | None:
        """What changed since the last run; None when nothing did, or while a search may still be short."""
        return self._document.stale_reason if self._lane.is_noticed or not self._lane.is_busy else None

    @property
    def at_levels(self) -> dict[float, DiscoveryResult]:
        """What was found at each level that was searched, all else as for the result that is shown."""
        searched, reading = self._document.searched, self._document.reading
        if searched is None or reading is None:
            return {}
        return self._searcher.known_at_levels(reading, searched)

    def set_wanted(self, wanted: bool) -> None:
        """Switch it on or off; what changed meanwhile is searched when it is switched on."""
        if wanted == self.state.wanted:
            return
        self._set(replace(self.state, wanted=wanted))
        if wanted:
            self._on_analysis()
        else:
            self._lane.abandon()
            self._ahead.abandon()

    @property
    def _hindrance(self) -> bool:
        analysis = self._document.analysis
        return analysis is None or self._opening.first_rows is not None or bool(problems(analysis))

    @Slot()
    def _on_analysis(self) -> None:
        self._ahead.abandon()
        self._lane.abandon()
        analysis, reading = self._document.analysis, self._document.reading
        if analysis is None or reading is None or not self.is_following:
            return
        if self._document.stale_reason is None:
            self._look_ahead()
            return
        self._searched = analysis
        self._began = time.monotonic()
        self._lane.start(partial(discover, analysis, reading, self._searcher))

    @Slot()
    def _on_run(self) -> None:
        """Make way for a run that the person started."""
        self._before_run = self._document.result
        self._ahead.abandon()
        self._lane.abandon()

    @Slot()
    def _on_run_ended(self) -> None:
        """Follow what changed while a run was on, unless it was stopped."""
        result = self._document.result
        if result is None or result is self._before_run or result.is_partial:
            return
        if self._document.stale_reason is not None:
            self._on_analysis()

    @Slot()
    def _on_another_table(self) -> None:
        self._on_run()
        self._before_run = None
        self._searcher.forget()
        self._searched = None
        self._seconds, self._has_tried = None, False
        self._set(replace(self.state, possible=False, seconds=None))

    @Slot()
    def _on_result(self) -> None:
        result = self._document.result
        if result is None or result.is_partial:
            return
        if not self._is_own_result:
            self._judge(result.seconds)
        self._look_ahead()

    @Slot(object)
    def _on_found(self, result: DiscoveryResult) -> None:
        if self._searched is None or result.is_partial:
            return
        took = time.monotonic() - self._began
        self._is_own_result = True
        self._document.set_result(result, self._searched, follows=True)
        self._is_own_result = False
        # Not the seconds of the result: it may have been known already.
        self._judge(took)
        self.finished.emit(result)

    @Slot(object)
    def _on_looked_ahead(self, seconds: float | None) -> None:
        if seconds is None or self.state.possible:
            return
        self._has_tried = True
        self._judge(seconds)
        self._look_ahead()

    def _judge(self, seconds: float) -> None:
        if seconds <= QUICK_SECONDS:
            possible = True
        elif seconds > SLOW_SECONDS:
            possible = False
        else:
            # Between the two it stays as it is, so that a slightly slower search does not switch it off.
            possible = self.state.possible
        self._seconds = seconds
        self._set(LiveState(self.state.wanted, possible, None if possible else seconds))

    def _look_ahead(self) -> None:
        analysis, reading, seconds = self._document.analysis, self._document.reading, self._seconds
        if analysis is None or reading is None or seconds is None or seconds > TRIAL_SECONDS:
            return
        if not self.state.wanted or self._discovery.is_busy or self._lane.is_busy or self._hindrance:
            return
        if self._has_tried and not self.state.possible:
            return
        levels = nearest_first(parameter_of(DiscoverySettings, "alpha").steps, analysis.discovery.alpha)
        # One search tells how quick the table is; only where it is quick the rest is worth while.
        some = levels if self.state.possible else levels[:1]
        self._ahead.start(partial(look_ahead, analysis, reading, self._searcher, some))

    def _set(self, state: LiveState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit()
