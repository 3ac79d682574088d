"""Multiple imputation: several values for each empty cell, drawn from models of its column.

Chained equations (van Buuren and Groothuis-Oudshoorn 2011, mice: Multivariate imputation by chained equations
in R, Journal of Statistical Software 45(3)): each column with gaps has a model of its own kind, whose
predictors are other columns as they are filled in by now, and the columns take turns until the draws no
longer hang on the start.

A model of few predictors is wrong where a test holds others fixed, and one of all has more coefficients than
rows. So each column takes those that tell most about it beside each other, the labels before all others, as
every test of a label needs them. Numbers enter by curves, as they do in tests: what a model of tests can
find, a model of values must be able to make (Meng 1994, Multiple-imputation inferences with uncongenial
sources of input, Statistical Science 9:538-573).

Numbers keep their own scale, on which a straight line stays one where rows are missing by a cause of their
values; where tails are so long that a few rows would decide, normal scores stand for them. They predict by
restricted cubic splines, which are straight lines beyond the outer knots: polynomials, where each draw
predicts the next, run away there (Harrell 2015, Regression Modeling Strategies, 2nd ed., sections 2.4.5 and
3.8).

A number is drawn as what its regression predicts with the residual of a row that is predicted alike (local
residual draws: Schenker and Taylor 1996, Partially parametric techniques for multiple imputation,
Computational Statistics & Data Analysis 22:425-446), so that values beyond those that are seen are reached
where whole regions are missing. A number with frequent values takes the value of such a row itself
(predictive mean matching: Little 1988, Missing-data adjustments in large surveys, Journal of Business and
Economic Statistics 6:287-296; Morris, White and Royston 2014, Tuning multiple imputation by predictive mean
matching and local residual draws, BMC Medical Research Methodology 14:75). A category has a multinomial
logistic regression whose coefficients are drawn around the mode of their posterior law.

Why it is our own: statsmodels has predictive mean matching for formulas of pandas columns and no categories
of several levels, scikit-learn normal draws of numbers alone; neither chooses predictors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from engine.errors import Cancelled, InvalidData
from engine.execution.workers import run_all, single_threaded_algebra
from engine.parameters import watched
from engine.preparation.preparation_settings import PreparationSettings
from engine.progress import Progress, Steps
from engine.table.dataset import Dataset, Imputed
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.translation import N_, _, for_count
from engine.wording.notes import Note
from engine.wording.numbers import ENGLISH, counted
from engine.wording.setting_names import SettingName, naming_settings

# Rows that are predicted alike, of which one gives its value.
_DONORS = 5
# One over the variance that coefficients of standardised columns have before the data (Gelman, Jakulin,
# Pittau and Su 2008, A weakly informative default prior distribution for logistic and other regression
# models, Annals of Applied Statistics 2:1360-1383, with scale 2.5), and that of the constant.
_PRIOR, _PRIOR_OF_CONSTANT = 0.16, 0.01
_NEWTON_STEPS, _SETTLED = 12, 1e-3


def drawn_linear(
    outcome: np.ndarray, design: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and one posterior draw of a linear regression's coefficients; the constant is first."""
    factor = _factor(design @ design.T, _precisions(len(design)))
    expected = _solved(factor, design @ outcome)
    residuals = outcome - expected @ design
    dof = max(len(outcome) - len(design), 1)
    deviation = np.sqrt(residuals @ residuals / random.chisquare(dof))
    return expected, expected + deviation * _spread(factor, random)


def _factor(products: np.ndarray, precisions: np.ndarray) -> np.ndarray:
    """Return Cholesky's lower factor of products and what is known beforehand: LAPACK without ceremony."""
    from scipy.linalg.lapack import dpotrf

    products.flat[:: len(products) + 1] += precisions
    factor: np.ndarray = dpotrf(products, lower=1, overwrite_a=1)[0]
    return factor


def _solved(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    from scipy.linalg.lapack import dpotrs

    solved: np.ndarray = dpotrs(factor, right, lower=1)[0]
    return solved


def _spread(factor: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw coefficients of mean 0 whose precisions a factor has."""
    from scipy.linalg.lapack import dtrtrs

    drawn: np.ndarray = dtrtrs(factor, random.standard_normal(len(factor)), lower=1, trans=1)[0]
    return drawn


def _precisions(width: int) -> np.ndarray:
    return np.concatenate(([_PRIOR_OF_CONSTANT], np.full(width - 1, _PRIOR)))


def matched_rows(expected: np.ndarray, sought: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Find for each prediction sought one of the rows that are predicted nearest to it."""
    order = np.argsort(expected, kind="stable")
    ascending = expected[order]
    donors = min(_DONORS, len(order))
    window = min(2 * donors, len(order))
    first = np.clip(np.searchsorted(ascending, sought) - donors, 0, len(order) - window)
    near = first[:, np.newaxis] + np.arange(window)
    distances = np.abs(ascending[near] - sought[:, np.newaxis])
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :donors]
    taken = nearest[np.arange(len(sought)), random.integers(0, donors, len(sought))]
    rows: np.ndarray = order[near[np.arange(len(sought)), taken]]
    return rows


def drawn_logistic(
    codes: np.ndarray,
    levels: int,
    design: np.ndarray,
    start: np.ndarray | None,
    random: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mode and one draw around it of the posterior law of a multinomial regression's coefficients.

    `design`: (columns, rows), the constant first; coefficients, also `start`: (levels - 1, columns).
    """
    outcomes, width = levels - 1, len(design)
    observed = (codes == np.arange(1, levels)[:, np.newaxis]).astype(np.float64)
    prior = np.tile(_precisions(width), outcomes)
    mode = np.zeros((outcomes, width)) if start is None else start.copy()
    last, step = -np.inf, np.zeros_like(mode)
    for _step in range(_NEWTON_STEPS):
        probabilities, likelihood = _probabilities(mode @ design, codes)
        gained = likelihood - 0.5 * float(prior @ mode.ravel() ** 2)
        if gained < last - _SETTLED:
            step *= 0.5
            mode = mode - step
            continue
        last = gained
        gradient = (observed - probabilities) @ design.T
        factor = _factor(_information(probabilities, design), prior)
        ascent = gradient.ravel() - prior * mode.ravel()
        change = _solved(factor, ascent)
        step = change.reshape(mode.shape)
        mode = mode + step
        if change @ ascent < _SETTLED:
            break
    return mode, mode + _spread(factor, random).reshape(mode.shape)


def _probabilities(scores: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the probabilities of all levels but the first, and the log likelihood of codes."""
    largest = np.maximum(scores.max(axis=0), 0.0)
    powers = np.exp(scores - largest)
    total = np.exp(-largest) + powers.sum(axis=0)
    chosen = np.where(codes > 0, scores[codes - 1, np.arange(len(codes))], 0.0)
    return powers / total, float((chosen - largest - np.log(total)).sum())


def _information(probabilities: np.ndarray, design: np.ndarray) -> np.ndarray:
    outcomes, width = len(probabilities), len(design)
    information = np.empty((outcomes, width, outcomes, width))
    for row, column in combinations_with_replacement(range(outcomes), 2):
        weights = probabilities[row] * (float(row == column) - probabilities[column])
        information[row, :, column] = (design * weights) @ design.T
        information[column, :, row] = information[row, :, column]
    return information.reshape(outcomes * width, outcomes * width)


def drawn_levels(scores: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw levels by the scores of all but the first, of shape (levels - 1, cells)."""
    largest = np.maximum(scores.max(axis=0), 0.0)
    powers = np.vstack((np.exp(-largest), np.exp(scores - largest)))
    reached = np.cumsum(powers, axis=0)
    chosen = random.random(scores.shape[1]) * reached[-1]
    levels: np.ndarray = (chosen >= reached).sum(axis=0)
    drawn: np.ndarray = np.minimum(levels, len(powers) - 1)
    return drawn


# Knots of a number's spline by the rows that have a value, as quantiles (Harrell 2015, table 2.3).
_KNOTS, _KNOTS_OF_MANY = (0.10, 0.50, 0.90), (0.05, 0.35, 0.65, 0.95)
_ROWS_FOR_FOUR = 1000
# Levels in fewer rows count as one where they predict.
_FEWEST_ROWS = 5
# Columns of predictors that rows bear: at most, at least, and rows that bear one.
_MOST_COLUMNS, _FEWEST_COLUMNS, _ROWS_PER_COLUMN = 40, 3, 8.0
# A number that leans or has tails beyond these is not modelled on its own scale: those of an exponential law.
_MOST_LEANING, _MOST_KURTOSIS = 2.0, 6.0
# A scale of its own ends so many standard deviations from the mean.
_FARTHEST = 10.0
# Beyond the values seen normal scores go on by so many units, as steep as in their outermost tenth.
_BEYOND, _OUTERMOST = 1.5, 0.1
# A number takes values that are seen where one of them is in so many of the rows, or they are so few.
_FREQUENT, _FEWEST_VALUES = 0.05, 20
# Decimals to which a column may be written, to which its draws are rounded too.
_MOST_DECIMALS = 6


class NumberColumn:
    """A number as models see it: its scores, its columns as a predictor, and predictors its rows bear."""

    def __init__(self, variable: Variable, values: np.ndarray) -> None:
        self.name, self.is_label = variable.name, variable.role is Role.LABEL
        self.missing = missing_mask(variable, values)
        present = values[~self.missing].astype(np.float64)
        distinct, counts = np.unique(present, return_counts=True)
        self._scale = _scale(present, distinct, counts)
        self._takes_seen_values = counts.max() > _FREQUENT * len(present) or len(distinct) < _FEWEST_VALUES
        self._decimals = _decimals(distinct)
        self._lowest = 0.0 if distinct[0] >= 0.0 else -np.inf
        self._highest = 0.0 if distinct[-1] <= 0.0 else np.inf
        self.seen = np.interp(present, *self._scale)
        shares = _KNOTS if len(present) < _ROWS_FOR_FOUR else _KNOTS_OF_MANY
        self._knots = np.unique(np.quantile(self.seen, shares))
        self._straightened = _straightening(self._spline(self.seen))
        self.width = len(self._straightened[1])
        self.borne = _borne(float(len(present)))

    def predictors(self, values: np.ndarray) -> np.ndarray:
        """Return how scores or codes predict, of shape (width, values): mean 0 and variance 1 over `seen`."""
        means, weights = self._straightened
        columns: np.ndarray = weights @ (self._spline(values) - means[:, np.newaxis])
        return columns

    def _spline(self, scores: np.ndarray) -> np.ndarray:
        """Return the score itself and its restricted cubic spline (Harrell 2015, equation 2.25)."""
        knots = self._knots
        if len(knots) < 3:
            return scores[np.newaxis]
        cubes = np.maximum(scores - knots[:, np.newaxis], 0.0) ** 3
        last, before = knots[-1], knots[-2]
        bent = [
            cubes[knot]
            - cubes[-2] * (last - knots[knot]) / (last - before)
            + cubes[-1] * (before - knots[knot]) / (last - before)
            for knot in range(len(knots) - 2)
        ]
        return np.array([scores, *bent])

    def drawn(
        self,
        seen_predictors: np.ndarray,
        sought: np.ndarray,
        start: np.ndarray | None,
        random: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw scores or codes by a regression; return them and the coefficients, a later `start`."""
        expected, coefficients = drawn_linear(self.seen, seen_predictors, random)
        predicted, predicted_of_seen = coefficients @ sought, expected @ seen_predictors
        donors = matched_rows(predicted_of_seen, predicted, random)
        if self._takes_seen_values:
            return self.seen[donors], coefficients
        return predicted + (self.seen - predicted_of_seen)[donors], coefficients

    def values(self, drawn: np.ndarray) -> np.ndarray:
        """Return scores or codes as the table has them."""
        on_scale, scores = self._scale
        values = np.interp(drawn, scores, on_scale)
        if self._decimals is not None:
            values = np.round(values, self._decimals)
        limited: np.ndarray = np.clip(values, self._lowest, self._highest)
        return limited


class CategoryColumn:
    """A category as models see it: see :class:`NumberColumn`."""

    def __init__(self, variable: Variable, values: np.ndarray) -> None:
        self.name, self.is_label = variable.name, variable.role is Role.LABEL
        self.missing = missing_mask(variable, values)
        self._levels, self.seen = np.unique(values[~self.missing], return_inverse=True)
        counts = np.bincount(self.seen, minlength=len(self._levels)).astype(np.float64)
        indicators = _indicators(counts)
        shares = counts / counts.sum()
        means = indicators @ shares
        self._predictors = (indicators - means[:, np.newaxis]) / np.sqrt(means * (1.0 - means))[:, np.newaxis]
        self.width = len(indicators)
        self.borne = _borne(2.0 * float(counts.sum() - counts.max()) / max(len(counts) - 1, 1))

    def predictors(self, values: np.ndarray) -> np.ndarray:
        """Return how scores or codes predict, see :meth:`NumberColumn.predictors`."""
        columns: np.ndarray = self._predictors[:, values]
        return columns

    def drawn(
        self,
        seen_predictors: np.ndarray,
        sought: np.ndarray,
        start: np.ndarray | None,
        random: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw scores or codes, see :meth:`NumberColumn.drawn`."""
        mode, drawn = drawn_logistic(self.seen, len(self._levels), seen_predictors, start, random)
        return drawn_levels(drawn @ sought, random), mode

    def values(self, drawn: np.ndarray) -> np.ndarray:
        """Return scores or codes as the table has them."""
        values: np.ndarray = self._levels[drawn]
        return values


ModelledColumn = NumberColumn | CategoryColumn


def column_of(variable: Variable, values: np.ndarray) -> ModelledColumn:
    """Return a label or feature, not all of it missing, as models see it."""
    if variable.kind is Kind.CONTINUOUS:
        return NumberColumn(variable, values)
    return CategoryColumn(variable, values)


def _borne(evidence: float) -> int:
    return int(np.clip(evidence / _ROWS_PER_COLUMN, _FEWEST_COLUMNS, _MOST_COLUMNS))


def _scale(present: np.ndarray, values: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values and their scores, both ascending: straight lines between them are the scale."""
    from scipy.special import ndtri

    mean, spread = float(present.mean()), float(present.std())
    standardised = (present - mean) / (spread or 1.0)
    leaning, kurtosis = (standardised**3).mean(), (standardised**4).mean() - 3.0
    if spread == 0.0 or (abs(leaning) <= _MOST_LEANING and kurtosis <= _MOST_KURTOSIS):
        return mean + _FARTHEST * (spread or 1.0) * np.array([-1.0, 1.0]), _FARTHEST * np.array([-1.0, 1.0])
    scores = ndtri((np.cumsum(counts) - 0.5 * counts) / counts.sum())
    # From the outermost tenth of the values, in which there are two at least.
    inner = max(int(_OUTERMOST * len(values)), 1)
    beyond = [
        values[end] + sign * _BEYOND * (values[end] - values[near]) / (scores[end] - scores[near])
        for end, near, sign in ((0, inner, -1.0), (-1, -1 - inner, 1.0))
    ]
    return (
        np.concatenate((beyond[:1], values, beyond[1:])),
        np.concatenate(([scores[0] - _BEYOND], scores, [scores[-1] + _BEYOND])),
    )


def _decimals(distinct: np.ndarray) -> int | None:
    """Return to how many decimals values are written; None where they have more than people write."""
    for decimals in range(_MOST_DECIMALS + 1):
        if np.array_equal(np.round(distinct, decimals), distinct):
            return decimals
    return None


def _straightening(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the means of columns, and weights by which they become uncorrelated and of variance 1."""
    means = columns.mean(axis=1)
    centred = columns - means[:, np.newaxis]
    weights: list[np.ndarray] = []
    for position in range(len(columns)):
        own = np.zeros(len(columns))
        own[position] = 1.0
        for earlier in weights:
            own = own - earlier * float((own @ centred) @ (earlier @ centred)) / centred.shape[1]
        spread = float((own @ centred).std())
        if spread > 1e-6 * float(centred[position].std()) > 0.0:
            weights.append(own / spread)
    return means, np.array(weights).reshape(-1, len(columns))


def _indicators(counts: np.ndarray) -> np.ndarray:
    """Return the indicators of all levels but the most frequent one; rare ones are one."""
    levels = np.arange(len(counts))
    rare = (counts < _FEWEST_ROWS) & (levels != counts.argmax())
    common = levels[~rare & (levels != counts.argmax())]
    indicators = [levels == level for level in common]
    if rare.any():
        indicators.append(rare)
    return np.array(indicators, dtype=np.float64).reshape(-1, len(counts))


FILLING = N_("Imputing missing values")
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
    """Draw several values for each empty cell of labels and features; the same for any number of workers."""
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
    steps.begin(_(FILLING))
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
        values_by_draw = dict(chains)
    if len(values_by_draw) < draws:
        raise Cancelled(_("stopped while missing values were being imputed."))
    values = {
        column.name: np.array([column.values(values_by_draw[draw][position]) for draw in range(draws)])
        for position, column in enumerate(columns)
        if column.missing.any()
    }
    imputed = Imputed(draws, seed, values)
    return dataset.with_imputed(imputed).with_notes([_note(columns, imputed, predictors)])


def _refuse_rows_that_differ(dataset: Dataset) -> None:
    remedy = naming_settings(
        _("Set {setting}, which allows for them, or set the column to ignored."),
        setting=SettingName("missing", "per-test"),
    )
    for column, problem in (
        (
            dataset.groups,
            _(
                "missing values cannot be imputed if rows are grouped, because the models do not "
                "allow for similar rows in a group."
            ),
        ),
        (
            dataset.weight,
            _(
                "missing values cannot be imputed if rows have weights, because tests can be pooled "
                "only for rows of equal weight."
            ),
        ),
    ):
        if column is not None:
            raise InvalidData(problem, place=_("column '{column}'", column=column), remedy=remedy)


def _note(columns: Sequence[ModelledColumn], imputed: Imputed, predictors: Sequence[np.ndarray]) -> Note:
    gaps = {column.name: int(column.missing.sum()) for column in columns if column.missing.any()}
    cells = sum(gaps.values())
    share = cells / (len(columns) * len(columns[0].missing))
    drawn = for_count(
        cells,
        "For {count} missing value in {columns} ({share} of all cells) {draws} values were imputed by "
        "multiple imputation.",
        "For each of {count} missing values in {columns} ({share} of all cells) {draws} values were imputed "
        "by multiple imputation.",
    ).format(
        count=f"{cells:,}",
        columns=counted(len(gaps), "column"),
        share=ENGLISH.share(share),
        draws=f"{imputed.draws:,}",
    )
    used = [
        len(predictors_of_column)
        for predictors_of_column, column in zip(predictors, columns, strict=True)
        if column.missing.any()
    ]
    sentences = [
        drawn,
        _(
            "Numbers are imputed by regressions with residuals of rows with similar predictions, "
            "and categories by logistic regressions. The predictors of a column are up to {used:,} "
            "others with most information about it, labels first.",
            used=max(used),
        ),
        _(
            "Tests and estimates are pooled over the completed tables, including the variance between"
            " them. This is right if the observed values of a row explain why a value is missing "
            "(missing at random)."
        ),
    ]
    return Note(TOPIC, " ".join(sentences))


class _ColumnAssociations:
    """Which columns tell most about each other, over the rows that have both."""

    def __init__(self, columns: Sequence[ModelledColumn], progress: Progress) -> None:
        self._columns, self._progress = columns, progress
        self._starts = np.cumsum([0, *(column.width for column in columns)])
        self._owners = np.repeat(np.arange(len(columns)), [column.width for column in columns])
        self._values = np.vstack([_seen_predictors(column) for column in columns])
        self._present = np.array([~column.missing for column in columns], dtype=np.float64)

    def predictors(self) -> list[np.ndarray]:
        """Return the positions of the predictors of each column; none of one without gaps."""
        none = np.empty(0, dtype=np.int64)
        chosen_predictors = []
        for target, column in enumerate(self._columns):
            if self._progress.should_stop():
                raise Cancelled()
            chosen_predictors.append(self._chosen(target) if column.missing.any() else none)
        return chosen_predictors

    def _own(self, variables: np.ndarray) -> np.ndarray:
        return np.concatenate(
            [np.arange(self._starts[variable], self._starts[variable + 1]) for variable in variables]
        )

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
        is_label = np.array([self._columns[position].is_label for position in order], dtype=bool)
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
        is_label = np.array([self._columns[candidate].is_label for candidate in candidates])
        room = self._columns[target].borne
        for_labels = _SHARE_OF_LABELS * room
        chosen: list[int] = []
        waiting = list(range(len(candidates)))
        while waiting and room > 0:
            first = [candidate for candidate in waiting if is_label[candidate]] if for_labels > 0.0 else []
            gains = [_gain(left, owners == candidate, own) * rows for candidate in first or waiting]
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
        starts = np.cumsum([1, *(column.width for column in columns)])
        self._places = [
            np.arange(start, start + column.width) for start, column in zip(starts, columns, strict=False)
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
        gaps = np.array([len(values) for values in self._drawn])
        order = [position for position in np.argsort(gaps, kind="stable") if gaps[position]]
        for _round in range(_ROUNDS):
            for position in order:
                if stop[0]:
                    raise Cancelled()
                self._fill(position, self._drawn_again(position))
            steps.finish(_(FILLING), 1)
        return self._drawn

    def _drawn_again(self, position: int) -> np.ndarray:
        column = self._columns[position]
        used = [self._places[predictor] for predictor in self._predictors[position]]
        design = self._design[np.concatenate([np.zeros(1, dtype=np.int64), *used])]
        seen_predictors, sought = design[:, ~column.missing], design[:, column.missing]
        drawn, self._starts[position] = column.drawn(
            seen_predictors, sought, self._starts.get(position), self._random
        )
        return drawn
