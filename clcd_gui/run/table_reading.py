"""Reading tables: the work that is given to the thread for files; nothing in here knows of Qt."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from clcd_gui.document.app_settings import KnownReading
from clcd_gui.document.column_summary import ColumnSummary, summarise_all
from clcd_gui.document.columns import LabelOffer
from clcd_gui.document.doubts import Doubt, doubts_of, of_columns_there, ways_back, without_columns
from clcd_gui.document.project import OpenProject, opened_project
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.reading_process import READING_STOPPED, ReaderCrashed, ReaderLost, ReadingProcess, Request
from engine.errors import Cancelled, EngineError, InvalidParameter
from engine.progress import ProgressEvent, SharedProgress
from engine.project.project import EXTENSION
from engine.readers import find_label_file, read_beginning
from engine.readers.formats import format_of
from engine.readers.labels import choose_labels, read_mulan_labels
from engine.readers.options import ReadingOptions
from engine.readers.reading import Beginning, Reading
from engine.readers.source import Source, content_key
from engine.table.dataset import Dataset
from engine.table.identifiers import REPEATING_IDENTIFIER
from engine.table.numbered_within import grouped_by_identifier
from engine.table.variable import Role
from engine.translation import N_, _
from engine.wording.sentences import NOT_ENOUGH_MEMORY

FIRST_ROWS = 200
LARGE_BYTES = 5_000_000
LARGE_COMPRESSED_BYTES = 1_000_000
_LONG_LINE = 1 << 14


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A table that was read, ready to be shown."""

    reading: Reading  # with no label yet: the person decides
    options: ReadingOptions  # how it was read
    summaries: tuple[ColumnSummary, ...]  # one a column
    offer: LabelOffer | None  # labels that the file or a label file names
    offer_problem: RunFailure | None = None  # why the label file beside the table cannot be used
    project: OpenProject | None = None  # the whole analysis, where the file holds one
    roles: Mapping[str, Role] = field(default_factory=dict)  # what a person gave the columns before
    events: Mapping[str, str] = field(default_factory=dict)  # what a person chose before, by column
    # Key of the file's content, under which its reading is remembered; empty where it is not.
    content: str = ""
    is_as_before: bool = False  # it was read as a person chose before, without a question


@dataclass(frozen=True, slots=True)
class TablePreview:
    """The beginning of a file as it would be read, shown before it is opened."""

    path: Path
    options: ReadingOptions  # how it was asked to be read
    format: str = ""  # empty where that is not known
    reading: Reading | None = None  # None where it cannot be read in this way
    beginning: Beginning | None = None  # as it is written; None where it cannot be shown so
    doubts: tuple[Doubt, ...] = ()  # what a person should look at
    failure: RunFailure | None = None  # why it cannot be read in this way
    heeded: ReadingOptions | None = None  # how it was read, where `options` name columns that are not there

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should look at it before it is opened."""
        return self.failure is not None or any(doubt.is_serious for doubt in self.doubts)


@dataclass(frozen=True, slots=True)
class LabelNames:
    """What a file calls labels, which need not be columns."""

    names: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class ReadingOutcome:
    """What came of reading a file: the table, a preview of what is in doubt, or names of labels."""

    table: OpenedTable | None = None
    preview: TablePreview | None = None
    labels: LabelNames | None = None


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The beginning of a large table, shown while the rest is read."""

    reading: Reading
    summaries: tuple[ColumnSummary, ...]


def look_at_table(
    path: Path, options: ReadingOptions, labels: Path | None, progress: SharedProgress
) -> ReadingOutcome:
    """Read the first rows of a table and list what is in doubt; what is wrong is part of the preview."""
    try:
        return ReadingOutcome(preview=_preview_of(path, options, labels, progress))
    except EngineError as error:
        return ReadingOutcome(preview=TablePreview(path, options, failure=failure_of(error)))


def read_label_names(path: Path, progress: SharedProgress) -> ReadingOutcome:
    """Read which labels an XML file names; the table itself is not needed for that."""
    progress.report(ProgressEvent(N_("Reading"), 0, 1, detail=path.name))
    return ReadingOutcome(labels=_label_names(path))


def _label_names(path: Path) -> LabelNames:
    return LabelNames(read_mulan_labels(Source(path)), path.name)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Read a table, look for its labels, and describe its columns."""

    path: Path
    options: ReadingOptions = field(default_factory=ReadingOptions)
    labels: Path | None = None  # table that the person chose; None looks for a label file beside the table
    gives_first_rows: bool = False  # of a large table, while the rest is read
    asks: bool = False  # give a preview where it is in doubt how the table is to be read
    # How files were read before, by their content; of these nothing is asked.
    known_readings: Mapping[str, KnownReading] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)  # what a person gave the columns beforehand
    events: Mapping[str, str] = field(default_factory=dict)  # what a person chose beforehand, by column
    is_confirmed: bool = False  # a person has confirmed it: no further question
    adds_features: bool = False  # columns of the other table are features, not labels
    is_as_before: bool = False  # its reading is among the known ones

    def __call__(self, progress: SharedProgress) -> ReadingOutcome:
        """Read the file and return the table, or a preview where something is in doubt."""
        progress.report(ProgressEvent(N_("Reading"), 0, 1, detail=self.path.name))
        if self.path.suffix.lower() == EXTENSION:
            return ReadingOutcome(self._open_project(progress))
        content = _content_of(self.path)
        remembered = self.known_readings.get(content) if self.asks else None
        job = self
        if remembered is not None:
            job = replace(
                self,
                options=remembered.options,
                roles=remembered.roles,
                events=remembered.events,
                asks=False,
                is_confirmed=True,
                is_as_before=True,
            )
        with ExitStack() as processes:
            process = _started(job.path, job.options, processes, job.labels)
            return job._read(progress, content, process)

    def _read(self, progress: SharedProgress, content: str, process: ReadingProcess | None) -> ReadingOutcome:
        beginning = first_rows = None
        try:
            if self.gives_first_rows and is_large(self.path):
                first_rows = self._first_rows(progress, process)
                beginning = first_rows.reading
            if self.asks and beginning is not None:
                preview = _preview(self.path, self.options, beginning)
                if preview.is_doubtful:
                    return ReadingOutcome(preview=preview)
            if first_rows is not None and not first_rows.reading.complete:
                # What is written in the cells is needed no more, unless something turns out to be in doubt.
                beginning = None
                first_rows.reading.dataset.look_up()
                first_rows = replace(first_rows, reading=replace(first_rows.reading, beginning=None))
                progress.give_early(first_rows)
            reading, described = _read(Request(self.path, self.labels, self.options), progress, process)
            summaries = described or self._summaries(reading, progress)
            if any(doubt.is_serious for doubt in self._doubts_to_ask(reading)):
                if beginning is None:
                    beginning = self._first_rows(progress, process).reading
                return ReadingOutcome(preview=_preview(self.path, self.options, beginning, reading))
        except ReaderCrashed:
            raise
        except EngineError as error:
            if self.labels is not None:
                # The table is open already; its rows say nothing about what is wrong with the other one.
                raise
            request = Request(self.path, None, self.options, FIRST_ROWS)
            told = _of_columns_there(request, progress, process, error)
            return ReadingOutcome(preview=told or _failed(self.path, self.options, error))
        offer, problem = self._offer(reading.dataset)
        # Before a person says what the columns are for.
        dataset = grouped_by_identifier(reading.dataset.with_labels(())).look_up()
        # That rows are grouped is no matter of how the file is read: a card says so, and asks.
        reading = replace(reading, dataset=dataset)
        # How two tables are read together says nothing about one alone.
        remembered = content if self.is_confirmed and self.labels is None else ""
        return ReadingOutcome(
            OpenedTable(
                reading,
                self.options,
                summaries,
                offer,
                problem,
                None,
                self.roles,
                self.events,
                remembered,
                self.is_as_before,
            )
        )

    def _doubts_to_ask(self, reading: Reading) -> tuple[Doubt, ...]:
        """Return what a person is asked about: of a table that is open already, only what is added to it."""
        if self.asks:
            return doubts_of(reading, self.options)
        if self.labels is None or self.is_confirmed:
            return ()
        added = set(reading.dataset.labels)
        notes = tuple(note for note in reading.issues if not added.isdisjoint((note.variable, *note.columns)))
        guesses = tuple(guess for guess in reading.guesses if guess.name == "second_sheet")
        return doubts_of(replace(reading, issues=notes, guesses=guesses), self.options)

    def _first_rows(self, progress: SharedProgress, process: ReadingProcess | None) -> FirstRows:
        """Read the first rows here, or beside the window where that takes longer than a moment."""
        # A file may begin with a line of thousands of cells, or have no lines at all.
        has_long_lines = b"\n" not in Source(self.path).beginning(_LONG_LINE)
        is_beside = has_long_lines or _may_crash(self.path, self.options, self.labels)
        request = Request(self.path, self.labels, self.options, FIRST_ROWS)
        reading, summaries = _read(request, progress, process if is_beside else None)
        return FirstRows(reading, summaries or summarise_all(reading.dataset))

    def _open_project(self, progress: SharedProgress) -> OpenedTable:
        from engine.project.project_files import open_project

        saved = open_project(self.path)
        project = opened_project(saved)
        origin = self.path if saved.origin is None else Path(saved.origin.path)
        reading = Reading(
            saved.dataset.look_up(),
            origin,
            "project",
            issues=tuple(note for note in saved.dataset.notes if note.topic != REPEATING_IDENTIFIER),
            labels_path=project.labels_path,
        )
        return OpenedTable(
            reading, project.options, self._summaries(reading, progress), None, project=project
        )

    def _summaries(self, reading: Reading, progress: SharedProgress) -> tuple[ColumnSummary, ...]:
        def report(done: int, total: int) -> None:
            if progress.should_stop():
                raise Cancelled(_(READING_STOPPED))
            progress.report(ProgressEvent(_("Describing the columns"), done, total, detail=self.path.name))

        return summarise_all(reading.dataset, report)

    def _offer(self, dataset: Dataset) -> tuple[LabelOffer | None, RunFailure | None]:
        if self.adds_features:
            return None, None
        if self.labels is not None:
            return LabelOffer(dataset.labels, self.labels.name), None
        label_file = find_label_file(self.path)
        if label_file is not None:
            try:
                return offer_of(_label_names(label_file), dataset), None
            except EngineError as error:
                # The table itself is fine; the person learns what is wrong with the label file.
                return None, failure_of(error)
        if dataset.labels:
            return LabelOffer(dataset.labels, _("the file’s header")), None
        return None, None


def _may_crash(path: Path, options: ReadingOptions, labels: Path | None = None) -> bool:
    """Tell whether a damaged file could end the process that reads it, or the one of its labels could."""
    try:
        if labels is not None and _may_crash(labels, ReadingOptions()):
            return True
        return format_of(Source(path), options).may_crash
    except EngineError:
        # Whoever reads the file says what is wrong with it.
        return False


def _started(
    path: Path, options: ReadingOptions, processes: ExitStack, labels: Path | None = None
) -> ReadingProcess | None:
    """Start the process that reads a large table, or one that may end it, beside the window."""
    # A coded table is mapped from its file, which takes a moment however large it is.
    is_mapped = path.suffix.lower() == ".coded"
    if is_mapped or not (is_large(path) or _may_crash(path, options, labels)):
        return None
    try:
        return processes.enter_context(ReadingProcess())
    except ReaderLost:
        return None


def _read(
    request: Request, progress: SharedProgress, process: ReadingProcess | None
) -> tuple[Reading, tuple[ColumnSummary, ...]]:
    """Read in a process, which describes the columns too; without one here, and describe none."""
    if process is not None:
        # Where no process can be started, it is read here, and the window may stand still.
        with suppress(ReaderLost):
            return process.read(request, progress)
    return request.read(), ()


def _preview_of(
    path: Path, options: ReadingOptions, labels: Path | None, progress: SharedProgress
) -> TablePreview:
    """Read the first rows of a table, and list what is in doubt: in all rows, unless these are many."""
    request = Request(path, labels, options, FIRST_ROWS)
    with ExitStack() as processes:
        process = _started(path, options, processes) if _may_crash(path, options) else None
        try:
            return _read_preview(request, progress, process)
        except ReaderCrashed:
            raise
        except EngineError as error:
            preview = _of_columns_there(request, progress, process, error)
            return preview or _failed(path, options, error)


def _read_preview(request: Request, progress: SharedProgress, process: ReadingProcess | None) -> TablePreview:
    first_rows, _ = _read(request, progress, process)
    if first_rows.complete or is_large(request.path):
        return _preview(request.path, request.options, first_rows)
    whole, _ = _read(replace(request, rows=None), progress, process)
    return _preview(request.path, request.options, first_rows, whole)


def _of_columns_there(
    request: Request, progress: SharedProgress, process: ReadingProcess | None, error: EngineError
) -> TablePreview | None:
    """Preview a table without what is chosen of columns that are not there; None where that is not why."""
    if not isinstance(error, InvalidParameter):
        return None
    options = request.options
    with suppress(EngineError):
        first_rows, _ = _read(replace(request, options=without_columns(options)), progress, process)
        written = () if first_rows.beginning is None else first_rows.beginning.columns
        heeded = of_columns_there(options, (*first_rows.dataset.names, *filter(None, written)))
        if heeded == options:
            return None
        preview = _read_preview(replace(request, options=heeded), progress, process)
        if preview.reading is not None:
            doubts = doubts_of(preview.reading, options, heeded)
            return replace(preview, options=options, heeded=heeded, doubts=doubts)
    return None


def _preview(
    path: Path, options: ReadingOptions, first_rows: Reading, whole: Reading | None = None
) -> TablePreview:
    """Make a preview; what is in doubt in the whole table is more than what is in its first rows."""
    doubted = first_rows if whole is None else replace(whole, beginning=first_rows.beginning)
    doubts = doubts_of(doubted, options)
    return TablePreview(path, options, doubted.format, doubted, first_rows.beginning, doubts)


def _failed(path: Path, options: ReadingOptions, error: EngineError) -> TablePreview:
    """Show the rows of a file that cannot be read, so that a person sees what could be meant."""
    # What the process beside the window had no memory for is not laid out in the window.
    beginning = None
    if error.problem != NOT_ENOUGH_MEMORY:
        with suppress(EngineError):
            beginning = read_beginning(path, options)
    if beginning is None or not beginning.rows:
        raise error
    name = format_of(Source(path), options).name
    failure = failure_of(error)
    return TablePreview(path, options, name, None, beginning, ways_back(options), failure)


def _content_of(path: Path) -> str:
    try:
        return content_key(path) if path.is_file() else ""
    except (OSError, ValueError):
        # Whoever reads the file says what is wrong with it.
        return ""


def offer_of(named: LabelNames, dataset: Dataset) -> LabelOffer:
    """Find the labels that a file names among the columns."""
    return LabelOffer(choose_labels(dataset, named.names, named.source).labels, named.source)


def is_large(path: Path) -> bool:
    """Tell whether a file takes long enough to read that its first rows are worth showing before."""
    least = LARGE_COMPRESSED_BYTES if path.suffix.lower() == ".gz" else LARGE_BYTES
    try:
        return path.is_file() and path.stat().st_size > least
    except (OSError, ValueError):
        # Whoever reads the file says what is wrong with its name.
        return False


def is_xml(path: Path) -> bool:
    """Tell whether a file is a list of label names rather than a table."""
    return path.name.lower().removesuffix(".gz").endswith(".xml")
