"""The work that is given to threads; nothing in here knows of Qt."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import engine
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.columns import ColumnSummary, summarise_all
from clcd_gui.document.label_offer import LabelOffer
from clcd_gui.document.project import OpenProject, opened_project
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.kernels import PREPARING, Kernels
from clcd_gui.run.progress import SharedProgress
from clcd_gui.run.searcher import Searcher, knowledge_of
from engine.discovery.effects.estimates import Estimand
from engine.discovery.effects.size_table import Effects
from engine.discovery.result import DiscoveryResult
from engine.discovery.stability.result import StabilityResult, StabilitySettings
from engine.errors import Cancelled, EngineError
from engine.independence.options import traits_of
from engine.progress import ProgressEvent
from engine.project.project import EXTENSION
from engine.readers import find_label_file, read_preview, read_table
from engine.readers.labels import choose_labels, read_mulan_labels
from engine.readers.reading import Reading
from engine.readers.registry import ReadingOptions
from engine.readers.source import Source
from engine.selection.result import Selection as FeatureSelection
from engine.table.dataset import Dataset

FIRST_ROWS = 200
LARGE_BYTES = 5_000_000
LARGE_COMPRESSED_BYTES = 1_000_000
_MOST_SECONDS_AHEAD = 10.0
# For an effect of changing a cause its own causes are searched for, which may take seconds each.
_SECONDS_BEFORE_MEASURING = 0.2
_QUICK_ESTIMANDS = (Estimand.ASSOCIATION, Estimand.ADJUSTED)


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A table that was read, ready to be shown.

    Attributes
    ----------
    reading : Reading
        No column of its dataset is a label yet: the person decides.
    options : ReadingOptions
        How it was read.
    summaries : tuple of ColumnSummary
        One a column.
    offer : LabelOffer or None
        Labels that the file or a label file names.
    offer_problem : RunFailure or None
        Why the label file beside the table cannot be used.
    project : OpenProject or None
        The whole analysis, where the file holds one.
    """

    reading: Reading
    options: ReadingOptions
    summaries: tuple[ColumnSummary, ...]
    offer: LabelOffer | None
    offer_problem: RunFailure | None = None
    project: OpenProject | None = None


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The beginning of a large table, shown while the rest is read.

    Attributes
    ----------
    reading : Reading
        Its first rows.
    summaries : tuple of ColumnSummary
        One a column, of these rows.
    """

    reading: Reading
    summaries: tuple[ColumnSummary, ...]


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Read a table, look for its labels, and describe its columns.

    Attributes
    ----------
    path : Path
    options : ReadingOptions
    labels : Path or None
        A label file that the person chose; None looks beside the table.
    gives_first_rows : bool
        Give out the first rows of a large table while the rest is read.
    """

    path: Path
    options: ReadingOptions = field(default_factory=ReadingOptions)
    labels: Path | None = None
    gives_first_rows: bool = False

    def __call__(self, progress: SharedProgress) -> OpenedTable:
        """Read the file and return the table."""
        progress.report(ProgressEvent("Reading", 0, 1, detail=self.path.name))
        if self.path.suffix.lower() == EXTENSION:
            return self._open_project(progress)
        joined = self.labels if self.labels is not None and not is_xml(self.labels) else None
        if self.gives_first_rows and is_large(self.path):
            beginning = read_preview(self.path, joined, self.options, FIRST_ROWS)
            if not beginning.complete:
                progress.give_early(FirstRows(beginning, summarise_all(beginning.dataset)))
        reading = read_table(self.path, joined, self.options)
        offer, problem = self._offer(reading.dataset)
        reading = replace(reading, dataset=reading.dataset.with_labels(()))
        return OpenedTable(reading, self.options, self._summaries(reading, progress), offer, problem)

    def _open_project(self, progress: SharedProgress) -> OpenedTable:
        from engine.project.files import open_project

        saved = open_project(self.path)
        project = opened_project(saved)
        origin = self.path if saved.origin is None else Path(saved.origin.path)
        reading = Reading(saved.dataset, origin, "project", issues=saved.dataset.notes)
        return OpenedTable(
            reading, project.options, self._summaries(reading, progress), None, project=project
        )

    def _summaries(self, reading: Reading, progress: SharedProgress) -> tuple[ColumnSummary, ...]:
        def report(done: int, total: int) -> None:
            if progress.should_stop():
                raise Cancelled("the reading was stopped.")
            progress.report(ProgressEvent("Describing the columns", done, total, detail=self.path.name))

        return summarise_all(reading.dataset, report)

    def _offer(self, dataset: Dataset) -> tuple[LabelOffer | None, RunFailure | None]:
        if self.labels is not None:
            if is_xml(self.labels):
                return offer_from_xml(self.labels, dataset), None
            return LabelOffer(dataset.labels, self.labels.name), None
        found = find_label_file(self.path)
        if found is not None:
            try:
                return offer_from_xml(found, dataset), None
            except EngineError as error:
                # The table itself is fine; the person learns what is wrong with the label file.
                return None, failure_of(error)
        if dataset.labels:
            return LabelOffer(dataset.labels, "the file’s header"), None
        return None, None


@dataclass(frozen=True, slots=True)
class Discover:
    """Prepare a table and search it.

    Attributes
    ----------
    analysis : Analysis
    reading : Reading
        How its table was read.
    searcher : Searcher
        Keeps what the next search can use.
    """

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
    """Search at levels that may be asked for next; what is found is kept by the session.

    Attributes
    ----------
    analysis : Analysis
        What was searched last.
    reading : Reading
        How its table was read.
    searcher : Searcher
        Keeps what is found.
    levels : tuple of float
        The most likely ones first.
    """

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
            settings = replace(self.analysis.discovery, alpha=level, workers=1, cluster=None)
            if progress.should_stop() or time.monotonic() - began > _MOST_SECONDS_AHEAD:
                break
            asked = knowledge_of(self.analysis, session), self.analysis.split
            if session.kept(settings, *asked) is None:
                found = session.discover(settings, progress, *asked)
                first = found.seconds if first is None else first
        return first


@dataclass(frozen=True, slots=True)
class SelectFeatures:
    """Select features from a result, without another search.

    Attributes
    ----------
    result : DiscoveryResult
        With the boundary of at least one label.
    kernels : Kernels
        Waited for where this machine has not compiled them yet.
    """

    result: DiscoveryResult
    kernels: Kernels

    def __call__(self, progress: SharedProgress) -> FeatureSelection:
        """Select features and return them."""
        progress.report(PREPARING)
        self.kernels.ensure(self.result.settings, traits_of(self.result.dataset), progress)
        return engine.selection_of(self.result, progress)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Search parts of the rows of a result again.

    Attributes
    ----------
    result : DiscoveryResult
        Whose table is searched with the same settings.
    settings : StabilitySettings
        How many parts, and how large.
    kernels : Kernels
        Waited for where this machine has not compiled them yet.
    """

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
class Measure:
    """Measure how large the findings of a result are.

    Attributes
    ----------
    result : DiscoveryResult
    searched : Analysis
        What the result was computed from.
    reading : Reading
        How its table was read.
    searcher : Searcher
        Keeps the table that is measured for the next result.
    """

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
        # What draws sizes takes a moment to load, too long for the thread of the window.
        import pyqtgraph  # noqa: F401

        table = self.searcher.measured(self.reading, self.searched, progress)
        quick = engine.effects(table, self.result, estimands=_QUICK_ESTIMANDS, progress=progress)
        progress.give_early(quick)
        return engine.effects(
            table, self.result, estimands=[Estimand.EFFECT], progress=progress, besides=quick
        )


def offer_from_xml(path: Path, dataset: Dataset) -> LabelOffer:
    """Read the labels that an XML file names and find them among the columns.

    Raises
    ------
    UnreadableFile, InvalidParameter, InvalidData
        When the file is no label file, or a label is no column.
    """
    labelled = choose_labels(dataset, read_mulan_labels(Source(path)), path.name)
    return LabelOffer(labelled.labels, path.name)


def is_large(path: Path) -> bool:
    """Tell whether a file takes long enough to read that its first rows are worth showing before."""
    least = LARGE_COMPRESSED_BYTES if path.suffix.lower() == ".gz" else LARGE_BYTES
    return path.is_file() and path.stat().st_size > least


def is_xml(path: Path) -> bool:
    """Tell whether a file is a list of label names rather than a table."""
    return path.name.lower().removesuffix(".gz").endswith(".xml")
