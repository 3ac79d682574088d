"""The work that is given to threads; nothing in here knows of Qt."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import engine
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.events import with_events_of
from clcd_gui.run.kernels import PREPARING, Kernels
from clcd_gui.run.searcher import Searcher, knowledge_of
from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_table import Effects
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import StabilityResult, StabilitySettings
from engine.errors import Cancelled
from engine.independence.options import traits_of
from engine.progress import SharedProgress
from engine.readers.reading import Reading
from engine.selection.result import Selection as FeatureSelection

_MOST_SECONDS_AHEAD = 10.0
# For an effect of changing a cause its own causes are searched for, which may take seconds each.
_SECONDS_BEFORE_MEASURING = 0.2
_QUICK_ESTIMANDS = (Estimand.ASSOCIATION, Estimand.ADJUSTED)


@dataclass(frozen=True, slots=True)
class Discover:
    """Prepare a table and search it."""

    analysis: Analysis
    reading: Reading
    searcher: Searcher

    def __call__(self, progress: SharedProgress) -> DiscoveryResult:
        """Search and return what was found; after a stop, what is finished."""
        session = self.searcher.session(self.reading, self.analysis, progress)
        known = knowledge_of(self.analysis, session)
        return session.discover(self.analysis.discovery, progress, known, self.analysis.split)


@dataclass(frozen=True, slots=True)
class LookAhead:
    """Search at levels that may be asked for next; what is found is kept by the session."""

    analysis: Analysis
    reading: Reading
    searcher: Searcher
    levels: tuple[float, ...]

    def __call__(self, progress: SharedProgress) -> float | None:
        """Search at each level, and return the seconds of the first search; None when all were known."""
        session = self.searcher.session(self.reading, self.analysis, progress)
        began, first = time.monotonic(), None
        for level in self.levels:
            # Here, one search at a time: a core is left for the window, and the cluster for what was asked.
            discovery = self.analysis.discovery
            settings = replace(discovery, alpha=level, automatic_alpha=False, workers=1, cluster=None)
            if progress.should_stop() or time.monotonic() - began > _MOST_SECONDS_AHEAD:
                break
            asked = knowledge_of(self.analysis, session), self.analysis.split
            if session.remembered(settings, *asked) is None:
                found = session.discover(settings, progress, *asked)
                first = found.seconds if first is None else first
        return first


@dataclass(frozen=True, slots=True)
class SelectFeatures:
    """Select features from a result, without another search."""

    result: DiscoveryResult
    kernels: Kernels

    def __call__(self, progress: SharedProgress) -> FeatureSelection:
        """Select features and return them."""
        progress.report(PREPARING)
        self.kernels.ensure(self.result.settings, traits_of(self.result.dataset), progress)
        return engine.selection_of(self.result, progress)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Search parts of the rows of a result again."""

    result: DiscoveryResult
    settings: StabilitySettings
    kernels: Kernels

    def __call__(self, progress: SharedProgress) -> StabilityResult:
        """Search parts of the rows and return how often findings came back."""
        progress.report(PREPARING)
        self.kernels.ensure(self.result.settings, traits_of(self.result.dataset), progress)
        return engine.stability(
            self.result.dataset,
            self.result.settings,
            **self.settings.as_dict(),
            progress=progress,
            knowledge=self.result.knowledge,
        )


@dataclass(frozen=True, slots=True)
class MeasureFindings:
    """Measure how large the findings of a result are."""

    result: DiscoveryResult
    searched: Analysis
    reading: Reading
    searcher: Searcher

    def __call__(self, progress: SharedProgress) -> Effects:
        """Measure every finding and return the sizes; what is quick is given out before effects of causes."""
        # Results that follow a slider come quicker than this, and only the last of them is worth measuring.
        waits_until = time.monotonic() + _SECONDS_BEFORE_MEASURING
        while time.monotonic() < waits_until:
            if progress.should_stop():
                raise Cancelled()
            time.sleep(0.01)
        kept = self.searcher.measured(self.reading, self.searched, progress)
        # It may have been kept since before another level was chosen as the event.
        table = with_events_of(kept, self.searched.dataset)
        quick = engine.effects(table, self.result, estimands=_QUICK_ESTIMANDS, progress=progress)
        progress.give_early(quick)
        return engine.effects(
            table, self.result, estimands=[Estimand.EFFECT], progress=progress, besides=quick
        )
