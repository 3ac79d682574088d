"""One cell of a comparison: split the rows, choose options, select, and predict from what was selected."""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.comparison.selectors.data_sets import LabelledTable
from engine.comparison.selectors.methods import Chosen, SelectionMethod, TrainingRows, selection_methods
from engine.comparison.selectors.prediction import Agreement, agreement, metrics, predict
from engine.comparison.selectors.result import SelectionOutcome
from engine.comparison.selectors.settings import SelectionComparisonSettings
from engine.errors import Cancelled


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Positions of rows, rising, without any in both parts.

    Attributes
    ----------
    training, testing : ndarray of int64
    """

    training: np.ndarray
    testing: np.ndarray


def split_rows(
    labels: np.ndarray, test_share: float, seed: tuple[int, ...], groups: np.ndarray | None = None
) -> Split:
    """Split rows at random, stratified by all labels at once.

    Parameters
    ----------
    labels : ndarray of bool, shape (rows, labels)
    test_share : float
        Share of rows for testing, between 0 and 1.
    seed : tuple of int
        Numbers from which the draw follows, such as the seed of a comparison and the number of the split.
    groups : ndarray of int64, shape (rows,), optional
        Group of each row, ``0 … groups - 1``. Rows of a group stay together, since what is learnt from some
        rows of a person would be tested on others of the same; the share is one of groups then, and a group
        counts for a label that any of its rows has.

    References
    ----------
    .. [1] Sechidis, Tsoumakas, Vlahavas (2011), On the stratification of multi-label data.

    Examples
    --------
    >>> labels = np.array([[True, False]] * 50 + [[False, True]] * 50)
    >>> split = split_rows(labels, 0.3, seed=(0, 1))
    >>> len(split.testing), labels[split.testing].sum(axis=0).tolist()
    (30, [15, 15])
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
    found = np.zeros((int(groups.max()) + 1, labels.shape[1]), dtype=bool)
    np.logical_or.at(found, groups, labels)
    return found


# Options are chosen by the mean over so many numbers of features: few, as every one costs a classifier.
_TUNING_SIZES = 3
_INNER = 1


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One method on one split of one table.

    Attributes
    ----------
    table : LabelledTable
    split : Split
        Its rows.
    number : int
        Number of the split, from 0.
    method : str
        By name.
    settings : SelectionComparisonSettings
    equal : int or None
        A further number of features to judge: as many as CLCD-FS selected in this split.
    known : SelectionOutcome, optional
        What was found of it before; only figures that it lacks are made.
    """

    table: LabelledTable
    split: Split
    number: int
    method: str
    settings: SelectionComparisonSettings
    equal: int | None
    known: SelectionOutcome | None = None

    def sizes(self, chosen: Chosen | SelectionOutcome) -> tuple[int, ...]:
        """Return the numbers of features at which a selection is judged."""
        if chosen.has_own_number:
            return (len(chosen.order),)
        sizes = self.settings.sizes(self.table.values.shape[1])
        return tuple(sorted({*sizes, *([] if self.equal is None else [self.equal])}))


def measure(cell: Cell, stop: np.ndarray) -> SelectionOutcome:
    """Select features with one method on one split, and measure what they predict.

    Parameters
    ----------
    cell : Cell
    stop : ndarray of uint8, shape (1,)
        Set to 1 by anyone to stop.

    Returns
    -------
    SelectionOutcome
        The same on every machine and in every process, apart from times.
    """
    # Loaded first: only libraries that are there already are limited, and both bring some of their own.
    import scipy.linalg  # noqa: F401
    import sklearn.svm  # noqa: F401
    from threadpoolctl import threadpool_limits

    # One thread a process: figures do not depend on the number of cores, nor times on the neighbours.
    with threadpool_limits(limits=1):
        outcome = cell.known or _selected(cell, stop)
        figures = {
            size: outcome.figures.get(size) or _judged(cell, cell.split, outcome.order[:size], stop)
            for size in cell.sizes(outcome)
        }
    return replace(outcome, figures=figures)


def _selected(cell: Cell, stop: np.ndarray) -> SelectionOutcome:
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


def _options(cell: Cell, method: SelectionMethod, stop: np.ndarray) -> Mapping[str, float]:
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
    cell: Cell, method: SelectionMethod, split: Split, options: Mapping[str, float], stop: np.ndarray
) -> float:
    metric = metrics()[cell.settings.tuning_metric.replace("-", "_")]
    chosen = _select(cell, method, split.training, options, stop)
    # Not at the number of CLCD-FS: what a rival is like does not depend on what CLCD-FS does.
    sizes = replace(cell, equal=None).sizes(chosen)
    positions = np.linspace(0, len(sizes) - 1, min(_TUNING_SIZES, len(sizes))).round().astype(int)
    found = [_judged(cell, split, chosen.order[: sizes[position]], stop) for position in positions]
    return float(np.mean([metric.signed(getattr(each, metric.name)) for each in found]))


def _select(
    cell: Cell, method: SelectionMethod, rows: np.ndarray, options: Mapping[str, float], stop: np.ndarray
) -> Chosen:
    table = cell.table
    seen = TrainingRows(table.dataset.select_rows(rows), table.values[rows], table.labels[rows])
    return method.select(seen, cell.settings.seed + cell.number, options, stop)


def _judged(cell: Cell, split: Split, features: Sequence[int], stop: np.ndarray) -> Agreement:
    if stop[0]:
        raise Cancelled()
    settings, labels = cell.settings, cell.table.labels
    design = cell.table.design(features)
    found = predict(
        settings.classifier,
        design[split.training],
        labels[split.training],
        design[split.testing],
        cost=settings.cost,
        scale=settings.scale,
    )
    return agreement(
        labels[split.testing], found.labels, found.scores, skip_unrankable=settings.skip_unrankable
    )
