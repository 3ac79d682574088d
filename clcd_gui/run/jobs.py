"""The work that is given to threads; nothing in here knows of Qt."""

from __future__ import annotations

import time
from dataclasses import replace

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


def discover(
    analysis: Analysis, reading: Reading, searcher: Searcher, progress: SharedProgress
) -> DiscoveryResult:
    """Prepare a table and search it; return what was found, after a stop what is finished."""
    session = searcher.session(reading, analysis, progress)
    known = knowledge_of(analysis, session)
    return session.discover(analysis.discovery, progress, known, analysis.split)


def look_ahead(
    analysis: Analysis,
    reading: Reading,
    searcher: Searcher,
    levels: tuple[float, ...],
    progress: SharedProgress,
) -> float | None:
    """Search ahead at levels, for the session to keep; return the seconds of the first; None if all known."""
    session = searcher.session(reading, analysis, progress)
    began, first = time.monotonic(), None
    for level in levels:
        # Here, one search at a time: a core is left for the window, and the cluster for what was asked.
        settings = replace(analysis.discovery, alpha=level, automatic_alpha=False, workers=1, cluster=None)
        if progress.should_stop() or time.monotonic() - began > _MOST_SECONDS_AHEAD:
            break
        asked = knowledge_of(analysis, session), analysis.split
        if session.remembered(settings, *asked) is None:
            found = session.discover(settings, progress, *asked)
            first = found.seconds if first is None else first
    return first


def select_features(result: DiscoveryResult, kernels: Kernels, progress: SharedProgress) -> FeatureSelection:
    """Select features from a result, without another search."""
    _prepare_kernels(result, kernels, progress)
    return engine.selection_of(result, progress)


def repeat(
    result: DiscoveryResult, settings: StabilitySettings, kernels: Kernels, progress: SharedProgress
) -> StabilityResult:
    """Search parts of the rows of a result again, and return how often findings came back."""
    _prepare_kernels(result, kernels, progress)
    dataset, knowledge = result.dataset, result.knowledge
    return engine.stability(
        dataset, result.settings, **settings.as_dict(), progress=progress, knowledge=knowledge
    )


def _prepare_kernels(result: DiscoveryResult, kernels: Kernels, progress: SharedProgress) -> None:
    progress.report(PREPARING)
    kernels.ensure(result.settings, traits_of(result.dataset), progress)


def measure_findings(
    result: DiscoveryResult,
    searched: Analysis,
    reading: Reading,
    searcher: Searcher,
    progress: SharedProgress,
) -> Effects:
    """Measure how large the findings of a result are; what is quick is given out before effects of causes."""
    # Results that follow a slider come quicker than this, and only the last of them is worth measuring.
    waits_until = time.monotonic() + _SECONDS_BEFORE_MEASURING
    while time.monotonic() < waits_until:
        if progress.should_stop():
            raise Cancelled()
        time.sleep(0.01)
    kept = searcher.measured(reading, searched, progress)
    # It may have been kept since before another level was chosen as the event.
    table = with_events_of(kept, searched.dataset)
    quick = engine.effects(table, result, estimands=_QUICK_ESTIMANDS, progress=progress)
    progress.give_early(quick)
    return engine.effects(table, result, estimands=[Estimand.EFFECT], progress=progress, besides=quick)
