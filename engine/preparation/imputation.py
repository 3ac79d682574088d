"""Multiple imputation: several values for each empty cell, drawn from models of its column.

Chained equations (van Buuren and Groothuis-Oudshoorn 2011, mice: Multivariate imputation by chained equations
in R, Journal of Statistical Software 45(3)): each column with gaps has a model of its own kind, whose
predictors are other columns as they are filled in by now, and the columns take turns until the draws no
longer hang on the start. How each kind is drawn: :mod:`engine.preparation.imputation_columns`.

A model of few predictors is wrong where a test holds others fixed, and one of all has more coefficients than
rows. So each column takes those that tell most about it beside each other, the labels before all others, as
every test of a label needs them. Numbers enter by curves, as they do in tests: what a model of tests can
find, a model of values must be able to make (Meng 1994, Multiple-imputation inferences with uncongenial
sources of input, Statistical Science 9:538-573).

Why it is our own: statsmodels has predictive mean matching for formulas of pandas columns and no categories
of several levels, scikit-learn normal draws of numbers alone; neither chooses predictors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.errors import Cancelled, InvalidData
from engine.execution.workers import run_all, single_threaded_algebra
from engine.parameters import watched
from engine.preparation.imputation_columns import ModelledColumn, column_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.progress import Progress, Steps
from engine.table.dataset import Dataset
from engine.table.imputed import Imputed
from engine.wording.notes import Note
from engine.wording.numbers import ENGLISH, counted
from engine.wording.phrases import for_count
from engine.wording.setting_names import SettingName, naming_settings

FILLING = "Drawing values for empty cells"
TOPIC = "imputed"

# How often the columns take turns; the statistics of a chain settle within five (van Buuren 2018, Flexible
# Imputation of Missing Data, 2nd ed., section 6.5.2).
_ROUNDS = 6
# So many columns are looked at beside each other; a share of what is borne is for labels alone.
_CANDIDATES, _SHARE_OF_LABELS = 48, 0.5
# A predictor tells at least so much more than chance does: the square of its t.
_LEAST_GAIN = 1.0
# Of a column, the least share that others leave.
_DETERMINED = 0.02


def impute(dataset: Dataset, settings: PreparationSettings, progress: Progress | None = None) -> Dataset:
    """Draw several values for each empty cell of labels and features; the same for any number of workers.

    As given where nothing is missing; else with :attr:`~engine.table.dataset.Dataset.imputed` and a note.
    """
    if not dataset.has_missing:
        return dataset
    _refuse_rows_that_differ(dataset)
    columns = [
        column_of(variable, values)
        for variable, values in zip(dataset.variables, dataset.columns, strict=True)
        if variable.role.takes_part
    ]
    progress = watched(progress)
    draws, seed = settings.imputations, settings.imputation_seed
    steps = Steps(progress, draws * _ROUNDS + 1, lambda: 0)
    stop = np.zeros(1, dtype=np.uint8)
    steps.begin(FILLING)
    # Sums that several threads share come out otherwise in the last digit, and so would the draws.
    with single_threaded_algebra():
        predictors = _ColumnAssociations(columns, progress).predictors()
        chains = run_all(
            lambda source: _Chain(columns, predictors, np.random.default_rng(source)).run(steps, stop),
            np.random.SeedSequence(seed).spawn(draws),
            workers=None,
            progress=progress,
            stop=stop,
        )
        found = dict(chains)
    if len(found) < draws:
        raise Cancelled("stopped while values were being drawn for empty cells.")
    values = {
        each.name: np.array([each.values(found[draw][position]) for draw in range(draws)])
        for position, each in enumerate(columns)
        if each.missing.any()
    }
    imputed = Imputed(draws, seed, values)
    return dataset.with_imputed(imputed).with_notes([_note(columns, imputed, predictors)])


def _refuse_rows_that_differ(dataset: Dataset) -> None:
    remedy = naming_settings(
        "Set {setting}, which heeds them, or set the column to ignored.",
        setting=SettingName("missing", "per-test"),
    )
    for column, problem in (
        (
            dataset.groups,
            "values cannot be drawn for empty cells where rows come in groups: what the rows of a group have "
            "in common is not in the models.",
        ),
        (
            dataset.weight,
            "values cannot be drawn for empty cells where rows have weights: tests of several completed "
            "tables are pooled for rows of equal weight alone.",
        ),
    ):
        if column is not None:
            raise InvalidData(problem, place=f"column '{column}'", remedy=remedy)


def _note(columns: Sequence[ModelledColumn], imputed: Imputed, predictors: Sequence[np.ndarray]) -> Note:
    gaps = {each.name: int(each.missing.sum()) for each in columns if each.missing.any()}
    cells = sum(gaps.values())
    share = cells / (len(columns) * len(columns[0].missing))
    drawn = for_count(
        cells,
        "For {count} empty cell in {columns} ({share} of all cells) {draws} values were drawn by "
        "multiple imputation.",
        "For each of {count} empty cells in {columns} ({share} of all cells) {draws} values were drawn "
        "by multiple imputation.",
    ).format(
        count=f"{cells:,}",
        columns=counted(len(gaps), "column"),
        share=ENGLISH.share(share),
        draws=f"{imputed.draws:,}",
    )
    used = [len(each) for each, column in zip(predictors, columns, strict=True) if column.missing.any()]
    sentences = [
        drawn,
        "Numbers come from regressions with the residuals of rows that are predicted alike, "
        "categories from logistic regressions, and the predictors of a column are up to "
        f"{max(used):,} others that tell most about it, labels first.",
        "Tests and sizes are pooled over the completed tables, with what these differ by. This is right "
        "where what is known of a row explains why a value is missing (missing at random).",
    ]
    return Note(TOPIC, " ".join(sentences))


class _ColumnAssociations:
    """Which columns tell most about each other, over the rows that have both."""

    def __init__(self, columns: Sequence[ModelledColumn], progress: Progress) -> None:
        self._columns, self._progress = columns, progress
        self._starts = np.cumsum([0, *(each.width for each in columns)])
        self._owners = np.repeat(np.arange(len(columns)), [each.width for each in columns])
        self._values = np.vstack([_seen_predictors(each) for each in columns])
        self._present = np.array([~each.missing for each in columns], dtype=np.float64)

    def predictors(self) -> list[np.ndarray]:
        """Return the positions of the predictors of each column; none of one without gaps."""
        none = np.empty(0, dtype=np.int64)
        found = []
        for target, column in enumerate(self._columns):
            if self._progress.should_stop():
                raise Cancelled()
            found.append(self._chosen(target) if column.missing.any() else none)
        return found

    def _own(self, variables: np.ndarray) -> np.ndarray:
        return np.concatenate([np.arange(self._starts[each], self._starts[each + 1]) for each in variables])

    def _candidates(self, target: int) -> np.ndarray:
        """Return the columns that tell most about one by themselves, and all labels that are not too many."""
        own = self._own(np.array([target]))
        pairs = np.maximum(self._present @ self._present[target], 1.0)
        squares = ((self._values @ self._values[own].T) ** 2).sum(axis=1)
        association = np.bincount(self._owners, squares, minlength=len(self._columns)) / pairs
        # What chance tells grows with the columns of both.
        widths = np.diff(self._starts)
        association = (association - widths * len(own)) / np.sqrt(np.maximum(widths * len(own), 1))
        association[target], association[widths == 0] = -np.inf, -np.inf
        order = np.argsort(-association, kind="stable")
        order = order[np.isfinite(association[order])]
        is_label = np.array([self._columns[each].is_label for each in order], dtype=bool)
        labels = order[is_label][: _CANDIDATES // 2]
        others = order[~is_label][: _CANDIDATES - len(labels)]
        return np.concatenate((labels, others))

    def _chosen(self, target: int) -> np.ndarray:
        """Choose predictors one after the other, each by what it tells beside those before it."""
        candidates = self._candidates(target)
        if not len(candidates):
            return candidates
        members = np.append(candidates, target)
        places = self._own(members)
        present = self._present[members]
        owners = np.repeat(np.arange(len(members)), np.diff(self._starts)[members])
        pairs = np.maximum((present @ present.T)[np.ix_(owners, owners)], 1.0)
        left = (self._values[places] @ self._values[places].T) / pairs
        np.fill_diagonal(left, 1.0)
        own = owners == len(members) - 1
        rows = float(present[-1].sum())
        is_label = np.array([self._columns[each].is_label for each in candidates])
        room = self._columns[target].borne
        for_labels = _SHARE_OF_LABELS * room
        chosen: list[int] = []
        waiting = list(range(len(candidates)))
        while waiting and room > 0:
            first = [each for each in waiting if is_label[each]] if for_labels > 0.0 else []
            gains = [_gain(left, owners == each, own) * rows for each in first or waiting]
            best = int(np.argmax(gains))
            member = (first or waiting)[best]
            waiting.remove(member)
            width = int((owners == member).sum())
            if not first and gains[best] < _LEAST_GAIN * width:
                break
            if width > room and chosen:
                continue
            chosen.append(member)
            room -= width
            for_labels -= width if is_label[member] else 0.0
            _eliminate(left, np.flatnonzero(owners == member))
        return np.sort(candidates[chosen])


def _gain(left: np.ndarray, block: np.ndarray, own: np.ndarray) -> float:
    """Return what columns tell about others, beside what was taken out: the mean over these."""
    spread = np.diagonal(left)[block]
    tells = spread > _DETERMINED
    if not tells.any():
        return 0.0
    cross = left[np.ix_(np.flatnonzero(block)[tells], np.flatnonzero(own))]
    remaining = np.maximum(np.diagonal(left)[own], _DETERMINED)
    return float((cross**2 / spread[tells, np.newaxis] / remaining).sum() / own.sum())


def _eliminate(left: np.ndarray, places: np.ndarray) -> None:
    for place in places:
        if left[place, place] > _DETERMINED:
            left -= np.outer(left[:, place], left[place]) / left[place, place]


def _seen_predictors(column: ModelledColumn) -> np.ndarray:
    """Return how a variable predicts in each row: 0, the mean, where it is missing."""
    predictors = np.zeros((column.width, len(column.missing)))
    predictors[:, ~column.missing] = column.predictors(column.seen)
    return predictors


class _Chain:
    """One completed table on its way; `predictors` are positions, for each column."""

    def __init__(
        self, columns: Sequence[ModelledColumn], predictors: Sequence[np.ndarray], random: np.random.Generator
    ) -> None:
        self._columns, self._predictors, self._random = columns, predictors, random
        starts = np.cumsum([1, *(each.width for each in columns)])
        self._places = [
            np.arange(start, start + each.width) for start, each in zip(starts, columns, strict=False)
        ]
        self._design = np.ones((int(starts[-1]), len(columns[0].missing)))
        self._drawn: list[np.ndarray] = []
        self._starts: dict[int, np.ndarray] = {}
        for position, column in enumerate(columns):
            # As they are distributed, to begin with.
            drawn = random.choice(column.seen, int(column.missing.sum()))
            self._drawn.append(drawn)
            self._design[self._places[position]] = _seen_predictors(column)
            self._fill(position, drawn)

    def _fill(self, position: int, drawn: np.ndarray) -> None:
        self._drawn[position] = drawn
        column = self._columns[position]
        self._design[np.ix_(self._places[position], column.missing)] = column.predictors(drawn)

    def run(self, steps: Steps, stop: np.ndarray) -> list[np.ndarray]:
        """Draw, round by round, those with the fewest gaps first."""
        gaps = np.array([len(each) for each in self._drawn])
        order = [each for each in np.argsort(gaps, kind="stable") if gaps[each]]
        for _ in range(_ROUNDS):
            for position in order:
                if stop[0]:
                    raise Cancelled()
                self._fill(position, self._drawn_again(position))
            steps.finish(FILLING, 1)
        return self._drawn

    def _drawn_again(self, position: int) -> np.ndarray:
        column = self._columns[position]
        used = [self._places[each] for each in self._predictors[position]]
        design = self._design[np.concatenate([np.zeros(1, dtype=np.int64), *used])]
        known, sought = design[:, ~column.missing], design[:, column.missing]
        drawn, self._starts[position] = column.drawn(known, sought, self._starts.get(position), self._random)
        return drawn
