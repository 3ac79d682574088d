"""The comparison itself: table after table, in several processes, stopped at any time."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine.comparison.page import StoredValues, code_fingerprint
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.comparison.selectors.data_sets import LabelledTable, read_labelled_tables, without_gaps
from engine.comparison.selectors.methods import (
    CLCD_FS,
    SelectionMethod,
    SelectorOutput,
    TrainingRows,
    selection_methods,
)
from engine.comparison.selectors.prediction import PredictionFigures, agreement, metrics, predict
from engine.comparison.selectors.result import SelectionComparison, SelectionOutcome, TableFacts
from engine.errors import Cancelled, InvalidParameter, WorkersLost
from engine.execution.helper_process import HelperKind, HelperProcess
from engine.execution.workers import run_all, worker_count
from engine.parameters import impossible_value, watched
from engine.preparation.preparation_settings import PreparationSettings
from engine.progress import Progress, ProgressEvent, SilentProgress
from engine.translation import _
from engine.wording.sentences import NO_TABLE_TO_COMPARE_ON, RENAME_ONE, choose_among
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.table.dataset import Dataset


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Positions of rows, rising, without any in both parts."""

    training: np.ndarray
    testing: np.ndarray


def split_rows(
    labels: np.ndarray, test_share: float, seed: tuple[int, ...], groups: np.ndarray | None = None
) -> Split:
    """Split rows at random, stratified by all labels at once (boolean, (rows, labels)).

    Sechidis, Tsoumakas, Vlahavas (2011), On the stratification of multi-label data. Groups are not split; one
    counts for a label that any of its rows has.
    """
    from iterstrat.ml_stratifiers import MultilabelStratifiedShuffleSplit

    number = int(np.random.SeedSequence(seed).generate_state(1)[0])
    stratifier = MultilabelStratifiedShuffleSplit(n_splits=1, test_size=test_share, random_state=number)
    drawn = labels if groups is None else _labels_of_groups(labels, groups)
    training, testing = next(stratifier.split(np.zeros(len(drawn)), drawn.astype(np.int64)))
    if groups is None:
        return Split(np.sort(training), np.sort(testing))
    return Split(*(np.flatnonzero(np.isin(groups, part)) for part in (training, testing)))


def _labels_of_groups(labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Tell for each group which labels any of its rows has."""
    has_label = np.zeros((int(groups.max()) + 1, labels.shape[1]), dtype=bool)
    np.logical_or.at(has_label, groups, labels)
    return has_label


# Options are chosen by the mean over so many numbers of features: few, as every one costs a classifier.
_TUNING_SIZES = 3
_INNER = 1


@dataclass(frozen=True, slots=True, eq=False)
class MethodOnSplit:
    """One method on one split of one table."""

    table: LabelledTable
    split: Split
    number: int  # of the split, from 0
    method: str
    settings: SelectionComparisonSettings
    equal: int | None  # a further number of features to judge: as many as CLCD-FS selected in this split
    earlier: SelectionOutcome | None = None  # of which only the figures that it lacks are made

    def sizes(self, chosen: SelectorOutput | SelectionOutcome) -> tuple[int, ...]:
        """Return the numbers of features at which a selection is judged."""
        if chosen.has_own_number:
            return (len(chosen.order),)
        sizes = self.settings.sizes(self.table.values.shape[1])
        return tuple(sorted({*sizes, *([] if self.equal is None else [self.equal])}))


def measure(cell: MethodOnSplit, stop: np.ndarray) -> SelectionOutcome:
    """Select features with one method on one split, and measure what they predict."""
    # Loaded first: only libraries that are there already are limited, and both bring some of their own.
    import scipy.linalg  # noqa: F401
    import sklearn.svm  # noqa: F401
    from threadpoolctl import threadpool_limits

    # One thread a process: figures do not depend on the number of cores, nor times on the neighbours.
    with threadpool_limits(limits=1):
        outcome = cell.earlier or _selected(cell, stop)
        figures = {
            size: outcome.figures.get(size) or _judged(cell, cell.split, outcome.order[:size], stop)
            for size in cell.sizes(outcome)
        }
    return replace(outcome, figures=figures)


def _selected(cell: MethodOnSplit, stop: np.ndarray) -> SelectionOutcome:
    """Choose options and select; there are no figures yet."""
    method = selection_methods()[cell.method]
    options = _options(cell, method, stop)
    warm_up(cell.method)
    started, processor = time.perf_counter(), time.process_time()
    chosen = _select(cell, method, cell.split.training, options, stop)
    return SelectionOutcome(
        cell.table.name,
        cell.number,
        cell.method,
        chosen.order,
        chosen.has_own_number,
        options,
        chosen.served,
        time.perf_counter() - started,
        time.process_time() - processor,
        {},
    )


@functools.cache
def warm_up(name: str) -> None:
    """Let a method select from a tiny table, so that compiling and loading count in no time."""
    from engine.simulation.simulated import simulate

    table = LabelledTable(simulate(labels=4, features=30, rows=300, multiple_boundaries=1.0, seed=0).dataset)
    method = selection_methods()[name]
    rows = TrainingRows(table.dataset, table.values, table.labels)
    method.select(rows, 0, method.defaults, np.zeros(1, dtype=np.uint8))


def _options(cell: MethodOnSplit, method: SelectionMethod, stop: np.ndarray) -> Mapping[str, float]:
    """Choose the options under which predictions are best; the first of several that are equally good."""
    settings = cell.settings
    # Who chooses the number of features is judged at that one alone, so more can be tried for the same work.
    most = settings.most_candidates * (_TUNING_SIZES if method.chooses_number else 1)
    candidates = method.candidates(most, settings.seed)
    if not settings.tunes(cell.method) or len(candidates) == 1:
        return candidates[0]
    if settings.tuning == "test":
        split = cell.split
    else:
        training = cell.split.training
        seed = (settings.seed, cell.number, _INNER)
        groups = cell.table.dataset.select_rows(training).row_groups
        inner = split_rows(cell.table.labels[training], settings.test_share, seed, groups)
        split = Split(training[inner.training], training[inner.testing])
    goodness = [_goodness(cell, method, split, options, stop) for options in candidates]
    return candidates[int(np.argmax(goodness))]


def _goodness(
    cell: MethodOnSplit, method: SelectionMethod, split: Split, options: Mapping[str, float], stop: np.ndarray
) -> float:
    metric = metrics()[cell.settings.tuning_metric.replace("-", "_")]
    chosen = _select(cell, method, split.training, options, stop)
    # Not at the number of CLCD-FS: what a rival is like does not depend on what CLCD-FS does.
    sizes = replace(cell, equal=None).sizes(chosen)
    positions = np.linspace(0, len(sizes) - 1, min(_TUNING_SIZES, len(sizes))).round().astype(int)
    figures_of_positions = [
        _judged(cell, split, chosen.order[: sizes[position]], stop) for position in positions
    ]
    return float(np.mean([metric.signed(getattr(figures, metric.name)) for figures in figures_of_positions]))


def _select(
    cell: MethodOnSplit,
    method: SelectionMethod,
    rows: np.ndarray,
    options: Mapping[str, float],
    stop: np.ndarray,
) -> SelectorOutput:
    table = cell.table
    seen = TrainingRows(table.dataset.select_rows(rows), table.values[rows], table.labels[rows])
    return method.select(seen, cell.settings.seed + cell.number, options, stop)


def _judged(
    cell: MethodOnSplit, split: Split, features: Sequence[int], stop: np.ndarray
) -> PredictionFigures:
    if stop[0]:
        raise Cancelled()
    settings, labels = cell.settings, cell.table.labels
    design = cell.table.design(features)
    predicted = predict(
        settings.classifier,
        design[split.training],
        labels[split.training],
        design[split.testing],
        cost=settings.cost,
        scale=settings.scale,
    )
    return agreement(
        labels[split.testing], predicted.labels, predicted.scores, skip_unrankable=settings.skip_unrankable
    )


Item = TypeVar("Item")
Value = TypeVar("Value")


class MeasuringWorkers(SilentProgress):
    """Workers that split rows and measure cells; libraries are loaded there, as they take memory for good."""

    def __init__(self, workers: int, progress: Progress) -> None:
        self._workers = workers
        self._progress = progress
        self._stop = np.zeros(1, dtype=np.uint8)
        self._helpers = [HelperProcess(HelperKind(is_calm=False), _lost) for _ in range(workers)]
        self._free: SimpleQueue[HelperProcess] = SimpleQueue()
        for helper in self._helpers:
            self._free.put(helper)

    def __enter__(self) -> MeasuringWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop[0] = 1
        for helper in self._helpers:
            helper.end()

    def should_stop(self) -> bool:
        """Tell processes that are at work whether to end."""
        return bool(self._stop[0])

    def outcomes(self, cells: Sequence[MethodOnSplit]) -> Iterator[tuple[MethodOnSplit, SelectionOutcome]]:
        """Measure cells and yield each outcome as it comes; after a stop, unfinished ones are left out."""
        for position, outcome in self._done(measure, [(cell, self._stop) for cell in cells]):
            yield cells[position], outcome

    def splits(self, table: LabelledTable, settings: SelectionComparisonSettings) -> list[Split]:
        """Split the rows of a table as often as settings say; after a stop, not all splits are there."""
        arguments_of_splits = [
            (table.labels, settings.test_share, (settings.seed, number), table.dataset.row_groups)
            for number in range(settings.splits)
        ]
        splits_by_number = dict(self._done(split_rows, arguments_of_splits))
        return [splits_by_number[number] for number in sorted(splits_by_number)]

    def _done(
        self, work: Callable[..., Value], items: Sequence[tuple[object, ...]]
    ) -> Iterator[tuple[int, Value]]:
        """Give the result of each piece of work with its place, as they come in."""
        one = partial(self._here if self._workers == 1 else self._beside, work)
        return run_all(one, items, workers=self._workers, progress=self._progress, stop=self._stop)

    def _here(self, work: Callable[..., Value], arguments: tuple[object, ...]) -> Value:
        return work(*arguments)

    def _beside(self, work: Callable[..., Value], arguments: tuple[object, ...]) -> Value:
        helper = self._free.get()
        try:
            value: Value = helper.ask(work, *arguments, progress=self)
            return value
        finally:
            self._free.put(helper)


def _lost(_status: int) -> WorkersLost:
    return WorkersLost(
        _("a process of the comparison ended unexpectedly, perhaps for lack of memory."),
        remedy=_("Give the same command with fewer workers: what is finished is kept."),
    )


RUNS_FOLDER = "runs"
COMPARING = "Comparing"
# Topics of notes on tables whose empty cells got values.
_FILLED = ("filled-in", "imputed")
# What decides figures, beside the method itself.
_DECISIVE = tuple(f"comparison/selectors/{name}.py" for name in ("data_sets", "methods", "prediction", "run"))


def compare_selections(
    data: Sequence[str | os.PathLike[str] | Dataset],
    settings: SelectionComparisonSettings | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    on_result: Callable[[SelectionComparison], None] | None = None,
    cell_folder: str | os.PathLike[str] | None = None,
    preparation: PreparationSettings | None = None,
) -> SelectionComparison:
    """Compare CLCD-FS with other feature selectors by how well their features predict the labels.

    Parameters
    ----------
    data : sequence of path-like or Dataset
        Files with their labels, folders of public data sets, or tables. Each table needs at least two labels
        with two values. It has no missing values, unless `preparation` says how to treat them.
    settings : SelectionComparisonSettings, optional
        Splits, classifier, percentages of features and methods.
    out : str or path, optional
        Folder for the report, tables and pictures.
    progress : Progress, optional
        Receives the progress, and can stop the comparison.
    on_result : callable, optional
        Receives all results so far when a method has finished a split.
    cell_folder : str or path, optional
        Folder that keeps every finished combination. Those that an earlier run with the same settings and
        version finished are read from it. Default: ``runs`` in `out`.
    preparation : PreparationSettings, optional
        Its ``missing`` says how missing values are treated before rows are split. If a missing value is
        imputed several times, the first value is used.

    Returns
    -------
    SelectionComparison
        The same for the same settings and any number of workers, except for times. After a stop, it holds
        what was finished.

    Raises
    ------
    InvalidData, UnreadableFile
        If a table cannot be read or used, or a kept file is damaged.
    InvalidParameter
        If a method does not exist, or two tables have the same name.
    UnwritableFile
        If the folder cannot be written to.
    WorkersLost
        If a process ended unexpectedly.

    Notes
    -----
    Rows are split into training and test rows, stratified by all labels. Selection, its tuning, scaling and
    learning use training rows only. CLCD-FS determines its number of features itself. The other selectors are
    evaluated at the given percentages, and at the number of CLCD-FS.

    References
    ----------
    .. [1] Wu, Jiang, Zhong, Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
       Label-specific Causal Variables, section 5.2.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=3, features=12, rows=300, seed=0).dataset
    >>> settings = engine.SelectionComparisonSettings(
    ...     splits=2, percentages=(25,), methods=("mutual-information", "clcd-fs"), workers=1
    ... )
    >>> comparison = engine.compare_selections([table], settings)
    >>> sorted((each.method, each.split) for each in comparison.outcomes)
    [('clcd-fs', 0), ('clcd-fs', 1), ('mutual-information', 0), ('mutual-information', 1)]
    """
    from engine.atomic import check_folder
    from engine.comparison.selectors.report import SELECTOR_FILES

    settings = settings or SelectionComparisonSettings()
    methods = chosen_methods(settings)
    tables = _tables(data, preparation or PreparationSettings(), progress)
    if out is not None:
        check_folder(out)
        cell_folder = cell_folder or Path(out) / RUNS_FOLDER
    store = None if cell_folder is None else StoredValues(cell_folder)
    run = _SelectorComparison(tables, methods, settings, store, watched(progress), on_result)
    run.work()
    if out is not None and run.outcomes:
        SELECTOR_FILES.write(run.result(), out)
    return run.result()


def chosen_methods(settings: SelectionComparisonSettings) -> tuple[str, ...]:
    """Return the methods that settings ask for, in the order in which they are shown."""
    methods = selection_methods()
    for name in settings.methods:
        if name not in methods:
            raise impossible_value(name, the_setting("methods"), choose_among(methods))
    return tuple(name for name in methods if not settings.methods or name in settings.methods)


def _tables(
    data: Iterable[str | os.PathLike[str] | Dataset],
    preparation: PreparationSettings,
    progress: Progress | None,
) -> tuple[LabelledTable, ...]:
    def completed(dataset: Dataset) -> Dataset:
        return without_gaps(dataset, preparation, progress)

    tables: list[LabelledTable] = []
    for source in data:
        if isinstance(source, str | os.PathLike):
            tables += read_labelled_tables(source, completed)
        else:
            tables.append(LabelledTable(completed(source)))
    names = [table.name for table in tables]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InvalidParameter(
            _("two tables are called {repeated!r}.", repeated=repeated), remedy=_(RENAME_ONE)
        )
    if not tables:
        raise InvalidParameter(_(NO_TABLE_TO_COMPARE_ON), remedy=_("Give at least one."))
    return tuple(tables)


class _SelectorComparison:
    """One comparison: what is to be done, and what is done."""

    def __init__(
        self,
        tables: tuple[LabelledTable, ...],
        methods: tuple[str, ...],
        settings: SelectionComparisonSettings,
        store: StoredValues | None,
        progress: Progress,
        on_result: Callable[[SelectionComparison], None] | None,
    ) -> None:
        self._tables = tables
        self._methods = methods
        self._settings = settings
        self._store = store
        self._progress = progress
        self._on_result = on_result
        self._facts = tuple(_facts(table) for table in tables)
        self.outcomes: list[SelectionOutcome] = []

    def result(self) -> SelectionComparison:
        """Return everything found so far, in an order that does not depend on who finished first."""
        tables = {table.name: position for position, table in enumerate(self._tables)}
        methods = {name: position for position, name in enumerate(self._methods)}
        ordered = sorted(
            self.outcomes,
            key=lambda outcome: (tables[outcome.data_set], methods[outcome.method], outcome.split),
        )
        return SelectionComparison(self._settings, self._facts, self._methods, tuple(ordered))

    def work(self) -> None:
        """Do everything that is not done."""
        self._say("")
        with MeasuringWorkers(worker_count(self._settings.workers), self._progress) as measuring:
            for table in self._tables:
                splits = measuring.splits(table, self._settings)
                if self._progress.should_stop():
                    return
                # The rivals need to know how many features CLCD-FS selects.
                first = [CLCD_FS] if CLCD_FS in self._methods else []
                rest = [name for name in self._methods if name not in first]
                for names in (first, rest):
                    self._measure(
                        [cell for name in names for cell in self._cells(table, splits, name)], measuring
                    )
                    if self._progress.should_stop():
                        return

    def _cells(self, table: LabelledTable, splits: Sequence[Split], method: str) -> list[MethodOnSplit]:
        result = self.result()
        return [
            MethodOnSplit(table, split, number, method, self._settings, result.equal_size(table.name, number))
            for number, split in enumerate(splits)
        ]

    def _measure(self, cells: Sequence[MethodOnSplit], measuring: MeasuringWorkers) -> None:
        missing = []
        for cell in cells:
            stored = None if self._store is None else self._store.get(*_place(cell), SelectionOutcome)
            if stored is not None and stored.figures.keys() >= set(cell.sizes(stored)):
                self._take(cell, stored)
            else:
                missing.append(replace(cell, earlier=stored))
        for cell, outcome in measuring.outcomes(missing):
            if self._store is not None:
                earlier = {} if cell.earlier is None else cell.earlier.figures
                complete = replace(outcome, figures={**earlier, **outcome.figures})
                self._store.put(*_place(cell), complete)
            self._take(cell, outcome)

    def _take(self, cell: MethodOnSplit, outcome: SelectionOutcome) -> None:
        # An earlier run may have judged at further numbers of features.
        figures = {size: outcome.figures[size] for size in cell.sizes(outcome)}
        self.outcomes.append(replace(outcome, figures=figures))
        self._say(f"{outcome.data_set}, {selection_methods()[outcome.method].title}")
        if self._on_result is not None:
            self._on_result(self.result())

    def _say(self, detail: str) -> None:
        planned = len(self._tables) * len(self._methods) * self._settings.splits
        self._progress.report(ProgressEvent(COMPARING, len(self.outcomes), planned, detail=detail))


def _place(cell: MethodOnSplit) -> tuple[str, dict[str, Any]]:
    """Name a cell, and everything that decides what is selected in it."""
    from engine.version import __version__

    method = selection_methods()[cell.method]
    key = {
        "version": __version__,
        "code": code_fingerprint((*_DECISIVE, *method.code)),
        "table": cell.table.dataset.content_hash,
        "settings": cell.settings.deciding(cell.method),
        "split": cell.number,
        "method": cell.method,
    }
    return f"{cell.table.name}-{cell.number}-{cell.method}", key


def _facts(table: LabelledTable) -> TableFacts:
    return TableFacts(
        table.name,
        table.dataset.row_count,
        table.dataset.features,
        table.dataset.labels,
        float(table.labels.sum(axis=1).mean()),
        any(note.topic in _FILLED for note in table.dataset.notes),
    )
