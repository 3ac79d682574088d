"""Multiple imputation: several values for each empty cell, drawn from models of its column.

Chained equations (van Buuren and Groothuis-Oudshoorn 2011, mice: Multivariate imputation by chained equations
in R, Journal of Statistical Software 45(3)): each column with gaps has a model of its own kind, whose
predictors are other columns as they are filled in by now, and the columns take turns until the draws no
longer hang on the start. Numbers have a Bayesian linear regression of normal scores and take the value of a
row that is predicted alike (predictive mean matching: Little 1988, Missing-data adjustments in large surveys,
Journal of Business and Economic Statistics 6:287-296; Morris, White and Royston 2014, Tuning multiple
imputation by predictive mean matching and local residual draws, BMC Medical Research Methodology 14:75).
Categories have a multinomial logistic regression whose coefficients are drawn around the mode of their
posterior law.

A model of few predictors is wrong where a test holds others fixed, and one of all has more coefficients than
rows. So each column takes those that tell most about it beside each other, the labels before all others, as
every test of a label needs them. Numbers enter by polynomials of their normal scores, as they do in tests:
what a model of tests can find, a model of values must be able to make (Meng 1994, Multiple-imputation
inferences with uncongenial sources of input, Statistical Science 9:538-573).

Why it is our own: statsmodels has predictive mean matching for formulas of pandas columns and no categories
of several levels, scikit-learn normal draws of numbers alone; neither chooses predictors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import Cancelled, InvalidData
from engine.execution import run_all
from engine.preparation.imputation_models import (
    drawn_levels,
    drawn_linear,
    drawn_logistic,
    matched_rows,
)
from engine.preparation.settings import PreparationSettings
from engine.progress import Progress, SilentProgress, Steps
from engine.table.dataset import Dataset
from engine.table.imputed import Imputed
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.wording.notes import Note
from engine.wording.numbers import ENGLISH, counted
from engine.wording.phrases import for_count

FILLING = "Drawing values for empty cells"
TOPIC = "imputed"

# How often the columns take turns; the statistics of a chain settle within five (van Buuren 2018, Flexible
# Imputation of Missing Data, 2nd ed., section 6.5.2).
_ROUNDS = 6
# Polynomials of a number, and the rows from which it has one more.
_DEGREE, _ROWS_FOR_CUBES = 2, 500
# Levels in fewer rows count as one where they predict.
_FEWEST_ROWS = 5
# Columns of predictors: at most, at least, and rows that bear one.
_MOST_COLUMNS, _FEWEST_COLUMNS, _ROWS_PER_COLUMN = 40, 3, 8.0
# So many columns are looked at beside each other; a share of what is borne is for labels alone.
_CANDIDATES, _SHARE_OF_LABELS = 48, 0.5
# A predictor tells at least so much more than chance does: the square of its t.
_LEAST_GAIN = 1.0
# Of a column, the least share that others leave.
_DETERMINED = 0.02


@dataclass(frozen=True, eq=False)
class _Column:
    """A variable as models see it.

    Attributes
    ----------
    name : str
    is_label : bool
    levels : int
        Levels that occur; 0 of a number.
    distinct : ndarray, shape (values,)
        Values that occur, ascending.
    known : ndarray of int64, shape (rows,)
        Which of them each row has; 0 where it is missing.
    missing : ndarray of bool, shape (rows,)
    basis : ndarray of float64, shape (columns, values)
        How each value predicts: of mean 0 and variance 1 over the rows that have one.
    scores : ndarray of float64, shape (values,)
        Normal scores of a number, which are what is predicted.
    """

    name: str
    is_label: bool
    levels: int
    distinct: np.ndarray
    known: np.ndarray
    missing: np.ndarray
    basis: np.ndarray
    scores: np.ndarray

    @property
    def width(self) -> int:
        return len(self.basis)

    @property
    def borne(self) -> int:
        """How many columns of predictors its rows bear."""
        present = self.known[~self.missing]
        evidence = float(len(present))
        if self.levels:
            counts = np.bincount(present)
            evidence = 2.0 * float(counts.sum() - counts.max()) / max(self.levels - 1, 1)
        return int(np.clip(evidence / _ROWS_PER_COLUMN, _FEWEST_COLUMNS, _MOST_COLUMNS))


def impute(dataset: Dataset, settings: PreparationSettings, progress: Progress | None = None) -> Dataset:
    """Draw several values for each empty cell of labels and features.

    Parameters
    ----------
    dataset : Dataset
        Each label and feature has at least two values.
    settings : PreparationSettings
        How many draws, and the number from which they come.
    progress : Progress, optional
        Told how far it is, and can stop it.

    Returns
    -------
    Dataset
        With :attr:`~engine.table.dataset.Dataset.imputed` and a note; as given where nothing is missing. The
        same for any number of workers.

    Raises
    ------
    InvalidData
        When rows have weights or groups, which the models do not heed.
    Cancelled
        When `progress` says stop.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"age": [30, None, 52, 38, 67, 59] * 9, "ill": list("nnynyy") * 9})
    >>> table = Dataset.from_frame(frame, labels=["ill"])
    >>> drawn = impute(table, PreparationSettings(missing="imputed", imputations=3))
    >>> drawn.imputed.values["age"].shape
    (3, 9)
    """
    if not dataset.has_missing:
        return dataset
    _refuse_rows_that_differ(dataset)
    columns = [
        _column(variable, values)
        for variable, values in zip(dataset.variables, dataset.columns, strict=True)
        if variable.role.takes_part
    ]
    from threadpoolctl import threadpool_limits

    progress = progress or SilentProgress()
    draws, seed = settings.imputations, settings.imputation_seed
    steps = Steps(progress, draws * _ROUNDS + 1, lambda: 0)
    stop = np.zeros(1, dtype=np.uint8)
    steps.begin(FILLING)
    # Sums that several threads share come out otherwise in the last digit, and so would the draws.
    with threadpool_limits(limits=1, user_api="blas"):
        predictors = _Associations(columns, progress).predictors()
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
        each.name: each.distinct[np.array([found[draw][position] for draw in range(draws)])]
        for position, each in enumerate(columns)
        if each.missing.any()
    }
    imputed = Imputed(draws, seed, values)
    return dataset.with_imputed(imputed).with_notes([_note(columns, imputed, predictors)])


def _refuse_rows_that_differ(dataset: Dataset) -> None:
    remedy = "Set 'missing' to 'per-test', which heeds them, or set the column to ignored."
    if dataset.groups is not None:
        raise InvalidData(
            "values cannot be drawn for empty cells where rows come in groups: what the rows of a group have "
            "in common is not in the models.",
            place=f"column '{dataset.groups}'",
            remedy=remedy,
        )
    if dataset.weight is not None:
        raise InvalidData(
            "values cannot be drawn for empty cells where rows have weights: tests of several completed "
            "tables are pooled for rows of equal weight alone.",
            place=f"column '{dataset.weight}'",
            remedy=remedy,
        )


def _note(columns: Sequence[_Column], imputed: Imputed, predictors: Sequence[np.ndarray]) -> Note:
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
        "Numbers come from rows that are predicted alike, categories from logistic regressions, and the "
        f"predictors of a column are up to {max(used):,} others that tell most about it, labels first.",
        "Tests and sizes are pooled over the completed tables, with what these differ by. This is right "
        "where what is known of a row explains why a value is missing (missing at random).",
    ]
    return Note(TOPIC, " ".join(sentences))


def _column(variable: Variable, values: np.ndarray) -> _Column:
    missing = missing_mask(variable, values)
    distinct, present = np.unique(values[~missing], return_inverse=True)
    known = np.zeros(len(values), dtype=np.int64)
    known[~missing] = present
    counts = np.bincount(present, minlength=len(distinct)).astype(np.float64)
    is_number = variable.kind is Kind.CONTINUOUS
    scores = _normal_scores(counts) if is_number else np.empty(0)
    degree = _DEGREE + int(len(present) >= _ROWS_FOR_CUBES)
    basis = _polynomials(scores, min(degree, len(distinct) - 1)) if is_number else _indicators(counts)
    return _Column(
        variable.name,
        variable.role is Role.LABEL,
        0 if is_number else len(distinct),
        distinct,
        known,
        missing,
        _standardised(basis, counts),
        scores,
    )


def _normal_scores(counts: np.ndarray) -> np.ndarray:
    from scipy.special import ndtri

    scores: np.ndarray = ndtri((np.cumsum(counts) - 0.5 * counts) / counts.sum())
    return scores


def _polynomials(scores: np.ndarray, degree: int) -> np.ndarray:
    """Return Hermite's polynomials, which are uncorrelated under a normal law."""
    powers = [scores, scores**2 - 1.0, scores**3 - 3.0 * scores]
    return np.array(powers[: max(degree, 1)])


def _indicators(counts: np.ndarray) -> np.ndarray:
    """Return the indicators of all levels but the most frequent one; rare ones are one."""
    levels = np.arange(len(counts))
    rare = (counts < _FEWEST_ROWS) & (levels != counts.argmax())
    common = levels[~rare & (levels != counts.argmax())]
    indicators = [levels == level for level in common]
    if rare.any():
        indicators.append(rare)
    return np.array(indicators, dtype=np.float64).reshape(-1, len(counts))


def _standardised(basis: np.ndarray, counts: np.ndarray) -> np.ndarray:
    shares = counts / counts.sum()
    centred = basis - (basis @ shares)[:, np.newaxis]
    spread = np.sqrt(centred**2 @ shares)
    varies = spread > 1e-9
    scaled: np.ndarray = centred[varies] / spread[varies, np.newaxis]
    return scaled


class _Associations:
    """Which columns tell most about each other, over the rows that have both.

    Parameters
    ----------
    columns : sequence of _Column
    progress : Progress
        Asked whether to stop.
    """

    def __init__(self, columns: Sequence[_Column], progress: Progress) -> None:
        self._columns, self._progress = columns, progress
        self._starts = np.cumsum([0, *(each.width for each in columns)])
        self._owners = np.repeat(np.arange(len(columns)), [each.width for each in columns])
        self._values = np.vstack([_design(each, each.known) * ~each.missing for each in columns])
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
        told = np.bincount(self._owners, squares, minlength=len(self._columns)) / pairs
        # What chance tells grows with the columns of both.
        widths = np.diff(self._starts)
        told = (told - widths * len(own)) / np.sqrt(np.maximum(widths * len(own), 1))
        told[target], told[widths == 0] = -np.inf, -np.inf
        order = np.argsort(-told, kind="stable")
        order = order[np.isfinite(told[order])]
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


def _design(column: _Column, values: np.ndarray) -> np.ndarray:
    """Return the columns by which a variable predicts, for some of its values."""
    design: np.ndarray = column.basis[:, values]
    return design


class _Chain:
    """One completed table on its way.

    Parameters
    ----------
    columns : sequence of _Column
    predictors : sequence of ndarray
        Positions of the predictors of each column.
    random : numpy.random.Generator
    """

    def __init__(
        self, columns: Sequence[_Column], predictors: Sequence[np.ndarray], random: np.random.Generator
    ) -> None:
        self._columns, self._predictors, self._random = columns, predictors, random
        starts = np.cumsum([1, *(each.width for each in columns)])
        self._places = [
            np.arange(start, start + each.width) for start, each in zip(starts, columns, strict=False)
        ]
        self._design = np.ones((int(starts[-1]), len(columns[0].known)))
        self._drawn: list[np.ndarray] = []
        self._starts: dict[int, np.ndarray] = {}
        for position, column in enumerate(columns):
            present = column.known[~column.missing]
            # As they are distributed, to begin with.
            drawn = random.choice(present, int(column.missing.sum()))
            self._drawn.append(drawn)
            self._design[self._places[position]] = _design(column, column.known)
            self._fill(position, drawn)

    def _fill(self, position: int, drawn: np.ndarray) -> None:
        self._drawn[position] = drawn
        column = self._columns[position]
        self._design[np.ix_(self._places[position], column.missing)] = _design(column, drawn)

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
        present = column.known[~column.missing]
        if column.levels:
            start = self._starts.get(position)
            mode, drawn = drawn_logistic(present, column.levels, known, start, self._random)
            self._starts[position] = mode
            return drawn_levels(drawn @ sought, self._random)
        expected, drawn = drawn_linear(column.scores[present], known, self._random)
        donors = matched_rows(expected @ known, drawn @ sought, self._random)
        taken: np.ndarray = present[donors]
        return taken
