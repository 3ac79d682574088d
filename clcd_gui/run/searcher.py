"""What is remembered from search to search: prepared tables, and what comparisons measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import engine
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.templates import SHOWN_WITH_A_RESULT, load_templates
from clcd_gui.run.kernels import PREPARING, Kernels
from engine.discovery.result import DiscoveryResult
from engine.discovery.session import DiscoverySession
from engine.independence.options import traits_of
from engine.knowledge.knowledge import Knowledge
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.prepare import prepared_for_measuring
from engine.progress import ProgressEvent, SharedProgress
from engine.readers.reading import Reading, with_guesses
from engine.table.dataset import Dataset
from engine.temporary import TemporaryFolder

_MOST_TABLES = 2


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
        found = self._prepare(reading, analysis, progress)
        progress.report(PREPARING)
        # Here rather than on the window's thread, which fills them when the result is there.
        load_templates(SHOWN_WITH_A_RESULT)
        self._kernels.ensure(analysis.discovery, traits_of(found.session.dataset), progress)
        return found.session

    def measured(self, reading: Reading, analysis: Analysis, progress: SharedProgress) -> Dataset:
        """Return the table in which sizes are measured: the rows that sessions have, with numbers uncut."""
        found = self._prepare(reading, analysis, progress)
        if found.measured is None:
            noted = with_guesses(reading, analysis.dataset)
            prepared, settings = found.session.dataset, analysis.preparation
            found.measured = prepared_for_measuring(noted, prepared, settings, progress)
        return found.measured

    def known_at_levels(self, reading: Reading, analysis: Analysis) -> dict[float, DiscoveryResult]:
        """Return what was found before at any level, with all other settings of an analysis, by level."""
        found = self._known(reading, analysis)
        if found is None:
            return {}
        known = knowledge_of(analysis, found.session)
        return found.session.at_levels(analysis.discovery, known, analysis.split)

    def forget(self) -> None:
        """Let go of every table, because none of them is open any more."""
        with self._lock:
            self._prepared = ()

    def _prepare(self, reading: Reading, analysis: Analysis, progress: SharedProgress) -> _Prepared:
        found = self._known(reading, analysis)
        if found is None:
            progress.report(ProgressEvent("Preparing the table", 0, 1))
            noted = with_guesses(reading, analysis.dataset)
            table = engine.prepare(noted, analysis.preparation, progress=progress)
            found = _Prepared(reading, analysis.dataset, analysis.preparation, DiscoverySession(table))
            with self._lock:
                # Who was told to stop may do so only now, when nobody has that table open any more.
                if not progress.should_stop():
                    self._prepared = (found, *self._prepared[: _MOST_TABLES - 1])
        return found

    def _known(self, reading: Reading, analysis: Analysis) -> _Prepared | None:
        with self._lock:
            for number, each in enumerate(self._prepared):
                if each.is_of(reading, analysis):
                    others = self._prepared[:number] + self._prepared[number + 1 :]
                    self._prepared = (each, *others)
                    return each
        return None


def knowledge_of(analysis: Analysis, session: DiscoverySession) -> Knowledge | None:
    """Return what is known of the variables that are searched; None where nothing is."""
    known = analysis.knowledge.restricted_to(session.dataset.names)
    return None if known.is_empty else known


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
