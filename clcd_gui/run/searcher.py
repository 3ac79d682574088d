"""Searches as threads run them, and what they remember: prepared tables, and what comparisons measured."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

import engine
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.events import with_events_of
from clcd_gui.document.templates import SHOWN_WITH_A_RESULT, load_templates
from clcd_gui.run.kernels import PREPARING, Kernels
from engine.atomic import TemporaryFolder
from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_table import Effects
from engine.discovery.result import DiscoveryResult
from engine.discovery.session import DiscoverySession
from engine.discovery.stability.result import StabilityResult, StabilitySettings
from engine.errors import Cancelled
from engine.independence.options import traits_of
from engine.knowledge.knowledge import Knowledge
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.prepare import prepared_for_measuring
from engine.progress import ProgressEvent, SharedProgress
from engine.readers.reading import Reading, with_guesses
from engine.selection.result import Selection as FeatureSelection
from engine.table.dataset import Dataset
from engine.translation import _

_MOST_TABLES = 2
_MOST_SECONDS_AHEAD = 10.0
# For an effect of changing a cause its own causes are searched for, which may take seconds each.
_SECONDS_BEFORE_MEASURING = 0.2
_QUICK_ESTIMANDS = (Estimand.ASSOCIATION, Estimand.ADJUSTED)


@dataclass(slots=True, eq=False)
class _Prepared:
    reading: Reading
    dataset: Dataset
    preparation: PreparationSettings
    session: DiscoverySession
    measured: Dataset | None = None

    def is_of(self, reading: Reading, analysis: Analysis) -> bool:
        return (
            self.reading is reading
            and self.dataset is analysis.dataset
            and self.preparation == analysis.preparation
        )


class Searcher:
    """Prepares tables and gives sessions that search them; several threads may ask at once."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels
        self._lock = Lock()
        self._prepared: tuple[_Prepared, ...] = ()

    def session(self, reading: Reading, analysis: Analysis, progress: SharedProgress) -> DiscoverySession:
        """Return the session of a prepared table, compiled for its search; at once when known."""
        prepared_table = self._prepare(reading, analysis, progress)
        progress.report(PREPARING)
        # Here rather than on the window's thread, which fills them when the result is there.
        load_templates(SHOWN_WITH_A_RESULT)
        self._kernels.ensure(analysis.discovery, traits_of(prepared_table.session.dataset), progress)
        return prepared_table.session

    def measured(self, reading: Reading, analysis: Analysis, progress: SharedProgress) -> Dataset:
        """Return the table in which sizes are measured: the rows that sessions have, with numbers uncut."""
        prepared_table = self._prepare(reading, analysis, progress)
        if prepared_table.measured is None:
            noted = with_guesses(reading, analysis.dataset)
            prepared, settings = prepared_table.session.dataset, analysis.preparation
            prepared_table.measured = prepared_for_measuring(noted, prepared, settings, progress)
        return prepared_table.measured

    def known_at_levels(self, reading: Reading, analysis: Analysis) -> dict[float, DiscoveryResult]:
        """Return what was found before at any level, with all other settings of an analysis, by level."""
        prepared_table = self._known(reading, analysis)
        if prepared_table is None:
            return {}
        knowledge = knowledge_of(analysis, prepared_table.session)
        return prepared_table.session.at_levels(analysis.discovery, knowledge, analysis.split)

    def forget(self) -> None:
        """Let go of every table, because none of them is open any more."""
        with self._lock:
            self._prepared = ()

    def _prepare(self, reading: Reading, analysis: Analysis, progress: SharedProgress) -> _Prepared:
        prepared_table = self._known(reading, analysis)
        if prepared_table is None:
            progress.report(ProgressEvent(_("Preparing the table"), 0, 1))
            noted = with_guesses(reading, analysis.dataset)
            table = engine.prepare(noted, analysis.preparation, progress=progress)
            prepared_table = _Prepared(
                reading, analysis.dataset, analysis.preparation, DiscoverySession(table)
            )
            with self._lock:
                # Who was told to stop may do so only now, when nobody has that table open any more.
                if not progress.should_stop():
                    self._prepared = (prepared_table, *self._prepared[: _MOST_TABLES - 1])
        return prepared_table

    def _known(self, reading: Reading, analysis: Analysis) -> _Prepared | None:
        with self._lock:
            for number, prepared_table in enumerate(self._prepared):
                if prepared_table.is_of(reading, analysis):
                    others = self._prepared[:number] + self._prepared[number + 1 :]
                    self._prepared = (prepared_table, *others)
                    return prepared_table
        return None


def knowledge_of(analysis: Analysis, session: DiscoverySession) -> Knowledge | None:
    """Return what is known of the variables that are searched; None where nothing is."""
    knowledge = analysis.knowledge.restricted_to(session.dataset.names)
    return None if knowledge.is_empty else knowledge


class MeasurementFolder:
    """A folder that is made when it is needed: whoever asks for more goes on from what is in it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._folder: TemporaryFolder | None = None

    @property
    def folder(self) -> Path:
        """Where; made when it is first asked for."""
        with self._lock:
            if self._folder is None:
                self._folder = TemporaryFolder()
            return self._folder.path

    def clear(self) -> None:
        """Delete it."""
        with self._lock:
            if self._folder is not None:
                self._folder.remove()
            self._folder = None


def discover(
    analysis: Analysis, reading: Reading, searcher: Searcher, progress: SharedProgress
) -> DiscoveryResult:
    """Prepare a table and search it; return what was found, after a stop what is finished."""
    session = searcher.session(reading, analysis, progress)
    knowledge = knowledge_of(analysis, session)
    return session.discover(analysis.discovery, progress, knowledge, analysis.split)


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
        knowledge_and_split = knowledge_of(analysis, session), analysis.split
        if session.remembered(settings, *knowledge_and_split) is None:
            result = session.discover(settings, progress, *knowledge_and_split)
            first = result.seconds if first is None else first
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
