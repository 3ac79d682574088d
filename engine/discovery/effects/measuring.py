"""What the three estimands have in common: from rows of one pair to rates, curves, comparisons, a sign.

Which two values of a number are compared: its quartiles, or quantiles that suit the shape of the curve.

Quartiles say little where a curve is flat between them and falls or rises beyond, or where it turns back:
less than a straight line over the same span would say. Then the first of a few fixed pairs of quantiles is
compared that tells half of what the curve spans, or else the one that tells most. Only which pair counts is
looked up in the data; the interval of such a comparison is corrected for the choice (Bonferroni: confidence
1 − (1 − confidence) / number of pairs).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import combinations

import numpy as np

from engine.discovery.effects.design import (
    CompleteRows,
    LineColumn,
    Pair,
    RegressionColumns,
    columns_of,
    deviation,
    reference_level,
    weighted_quantiles,
)
from engine.discovery.effects.estimates import (
    Contrast,
    Estimand,
    EValue,
    Interval,
    Measure,
    Point,
    Sign,
    Size,
    Uncertain,
    contrast,
    critical_value,
    e_value_of,
    leading_contrast,
    levels_differ,
    mean_difference,
    odds_ratio,
    rate_difference,
    rate_ratio,
    reaching,
    rows_worth,
    sign_of_order,
    wilson,
)
from engine.discovery.effects.standardisation import (
    LabelInRegression,
    Standardised,
    StandardisedRegression,
    pooled,
    rates_by_level,
    without_alike,
)
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable

QUARTILES = (0.25, 0.75)
OTHER_PAIRS = ((0.10, 0.90), (0.05, 0.95), (0.10, 0.50), (0.50, 0.90), (0.05, 0.50), (0.50, 0.95))
# Quartiles suit a curve of which they tell this share of what a straight line over its span would tell.
_SHARE_OF_LINE = 0.7
# Other quantiles suit one of whose span they tell this share.
_SHARE_OF_SPAN = 0.5
# So many rows lie beyond a quantile that is compared.
_ROWS_BEYOND = 10.0


class SuitedPair:
    """A pair with its compared values; the association chooses, so that all estimands share them."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self._unadjusted: _Measurement | None = None
        if pair.curve is None and pair.is_number:
            self._unadjusted = measurement_of(replace(pair, curve=pair.places_on_curve))
            self.pair = _with_values_that_tell(pair, self._unadjusted)

    def measure(
        self, estimand: Estimand, held: Sequence[str] = (), acting: Sequence[tuple[str, str]] = ()
    ) -> Size:
        """Estimate the link: `held` most important first, `acting` pairs with products; none of constants."""
        pair, adjustment = self.pair, (tuple(held), tuple(acting), estimand is Estimand.EFFECT)
        if pair.imputed((*pair.names, *held)):
            return size_of(_PooledMeasurement(pair, *adjustment), estimand, held)
        if self._unadjusted is not None and not held:
            return size_of(self._unadjusted.comparing_values_of(pair), estimand, held)
        return size_of(_Measurement(pair, *adjustment), estimand, held)


def _with_values_that_tell(pair: Pair, measurement: _Measurement) -> Pair:
    """Return a pair with the quantiles that suit the curve of its association."""
    if measurement.sign is Sign.UNCLEAR:
        return pair
    rows, first, last = measurement.rows, *pair.places_on_curve[:2]
    allowed = [
        quantile_pair for quantile_pair in OTHER_PAIRS if _beyond(quantile_pair) * rows.worth >= _ROWS_BEYOND
    ]
    values = np.array(
        [
            weighted_quantiles(measurement.values, rows.shares, quantile_pair)
            for quantile_pair in (QUARTILES, *allowed)
        ]
    )
    if values[0, 0] >= values[0, 1] or not allowed:
        return pair
    means = measurement.curve_at(np.concatenate((np.linspace(first, last, _POINTS), values.ravel())))
    curve = means[:_POINTS]
    widest = int(np.ptp(curve, axis=0).argmax())
    span = float(np.ptp(curve[:, widest]))
    ends = means[_POINTS:, widest].reshape(values.shape)
    told = np.abs(ends[:, 1] - ends[:, 0])
    by_straight_line = span * (values[0, 1] - values[0, 0]) / (last - first)
    if told[0] >= _SHARE_OF_LINE * by_straight_line:
        return pair
    enough = np.flatnonzero(told[1:] >= _SHARE_OF_SPAN * span)
    best = 1 + int(enough[0] if len(enough) else told[1:].argmax())
    chosen = (float(values[best, 0]), float(values[best, 1]))
    return replace(pair, curve=(first, last, *chosen), quantiles=allowed[best - 1], pairs_tried=len(values))


_POINTS = 41


def _beyond(shares: tuple[float, float]) -> float:
    return min(shares[0], 1.0 - shares[1])


FEWEST_ROWS = 20
"""A level, or a side of a label, that fewer rows have is rare: little can be said of it."""

# Points of a curve, and the points between which its turns are sought.
_CURVE_POINTS = 25
_EVERY_FOR_SIGN = 3
# Rows of a label's rarest level, or of a number, that one coefficient wants.
_ROWS_PER_COEFFICIENT = 5.0
# Coefficients of a regression beyond which no products join.
_MOST_COEFFICIENTS = 80


def size_of(measurement: _Measurement, estimand: Estimand, held: Sequence[str]) -> Size:
    """Return the figures of a measurement, for which `held` should have been adjusted for."""
    pair = measurement.pair
    contrasts = tuple(measurement.contrasts())
    return Size(
        estimand=estimand,
        feature=pair.feature,
        label=pair.label,
        points=tuple(measurement.points()),
        is_curve=measurement.is_curve,
        contrasts=contrasts,
        sign=measurement.sign,
        adjusted_for=measurement.held,
        left_out=tuple(name for name in held if name not in measurement.held),
        rows=measurement.rows.count,
        rows_lost=measurement.rows.lost,
        confidence=pair.confidence,
        e_value=measurement.e_value(contrasts),
        between_share=measurement.between_share(contrasts),
        quantiles=pair.compared_quantiles if measurement.is_curve else None,
    )


def measurement_of(pair: Pair) -> _Measurement:
    """Return the association of a pair, with nothing adjusted for, in rows that have both values."""
    return _Measurement(pair, (), (), is_effect=False)


class _Measurement:
    """One pair with what is held, from rows to figures."""

    def __init__(
        self, pair: Pair, wanted: tuple[str, ...], acting: tuple[tuple[str, str], ...], is_effect: bool
    ) -> None:
        self.pair = pair
        self.rows = pair.rows(wanted)
        self.feature, self.label = (pair.dataset.variable(name) for name in (pair.feature, pair.label))
        self.values = pair.dataset.column(pair.feature)[self.rows.places]
        self._outcome, self._label_levels = _outcome(pair.dataset, pair.label, self.rows)
        self._evidence = self._rows_that_bear()
        self._own_columns = columns_of(pair.dataset, pair.feature, self.rows, 2.0 * self._evidence)
        self.held, self._held_columns, self._with_feature = self._columns_held(wanted, acting)
        self._is_effect = is_effect

    def comparing_values_of(self, pair: Pair) -> _Measurement:
        """Return the same measurement, of which other values are compared; nothing is fitted again."""
        measurement = copy(self)
        measurement.pair = pair
        if pair.places_on_curve != self.pair.places_on_curve:
            for name in ("at", "standardised", "_by_label_level"):
                vars(measurement).pop(name, None)
        return measurement

    @property
    def is_curve(self) -> bool:
        """Whether the feature is a number."""
        return self.feature.kind is Kind.CONTINUOUS

    @property
    def _varies(self) -> bool:
        """Whether there is anything to compare."""
        of_label = self._outcome.values
        return bool((self.values != self.values[0]).any() and (of_label != of_label[0]).any())

    def _rows_that_bear(self) -> float:
        """Count rows that bear on coefficients: all of a number; of levels, the rarer per further level."""
        if not self._outcome.levels:
            return self.rows.worth
        shares = np.bincount(self._outcome.values, weights=self.rows.shares)
        beside = float(1.0 - shares.max()) * self.rows.worth
        return beside / self._outcome.outcomes if len(shares) > 1 else 0.0

    def _columns_held(
        self, wanted: tuple[str, ...], acting: tuple[tuple[str, str], ...]
    ) -> tuple[tuple[str, ...], np.ndarray, tuple[int, ...]]:
        """Return what can be held with so many rows, its columns, and which of them act with the feature.

        Where rows are few, numbers enter by straight lines, and the last are left out; pairs of categories
        enter with products where rows suffice.
        """
        left = int(self._evidence / (_ROWS_PER_COEFFICIENT * self._outcome.outcomes)) - 1
        left -= self._own_columns.width
        blocks = self._blocks(wanted, straight=False)
        if sum(map(len, blocks.values())) > left:
            blocks = self._blocks(wanted, straight=True)
        held: list[str] = []
        for name, block in blocks.items():
            if len(block) <= left:
                held.append(name)
                left -= len(block)
        starts = dict(zip(held, np.cumsum([0, *(len(blocks[name]) for name in held)]).tolist(), strict=False))
        columns = [np.empty((0, len(self.rows))), *(blocks[name] for name in held)]
        with_feature: list[int] = []
        # A fit takes time by the square of its coefficients.
        width = 1 + self._own_columns.width + sum(map(len, columns))
        left = min(left, _MOST_COEFFICIENTS // self._outcome.outcomes - width)
        for first, second in self._pairs(held, acting):
            if left <= 0:
                # Of many that are held, most pairs come too late, and their products are not made in vain.
                break
            if first == self.pair.feature:
                width = len(blocks[second]) * self._own_columns.width
                if width <= left:
                    with_feature += range(starts[second], starts[second] + len(blocks[second]))
                    left -= width
                continue
            products = (blocks[first][:, np.newaxis] * blocks[second]).reshape(-1, len(self.rows))
            products = products[products.any(axis=1)]
            if len(products) <= left:
                columns.append(products)
                left -= len(products)
        return tuple(held), np.vstack(columns), tuple(with_feature)

    def _pairs(self, held: Sequence[str], acting: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Return the pairs whose products may enter, those first that are said to act together."""
        dataset, own = self.pair.dataset, self.pair.feature
        seen = set()
        categories = [name for name in held if dataset.variable(name).kind is Kind.NOMINAL]
        further = [(own, name) for name in categories] if not self.is_curve else []
        for first, second in (*acting, *further, *combinations(categories, 2)):
            can_enter = {first, second} <= {own, *held} and not (self.is_curve and own in (first, second))
            if can_enter and frozenset((first, second)) not in seen:
                seen.add(frozenset((first, second)))
                yield (second, first) if second == own else (first, second)

    def _blocks(self, names: Sequence[str], *, straight: bool) -> dict[str, np.ndarray]:
        """Return the columns by which variables are held, by name."""
        dataset, rows, evidence = self.pair.dataset, self.rows, 2.0 * self._evidence
        return {
            name: columns_of(dataset, name, rows, evidence, straight=straight).of(
                dataset.column(name)[rows.places]
            )
            for name in names
        }

    @cached_property
    def at(self) -> np.ndarray:
        """Levels or values at which the label is estimated; of a number, last, the two that are compared."""
        if not self.is_curve:
            return _event_last(self.feature, np.unique(self.values))
        first, last, low, high = self.pair.places_on_curve
        return np.append(np.linspace(first, last, _CURVE_POINTS), (low, high))

    def curve_at(self, values: np.ndarray) -> np.ndarray:
        """Return rates or means at values of a number: float64 of shape (values, outcomes)."""
        return self._own_regression.means_at(values)

    @cached_property
    def standardised(self) -> Standardised:
        if not self.is_curve and not self.held:
            return rates_by_level(self._outcome, self.values, self.at, self.rows)
        return self._own_regression.at(self.at, self._without_alike)

    @cached_property
    def _without_alike(self) -> np.ndarray | None:
        """Rows of which hardly anybody alike has a level; None where there are none, or it is no effect."""
        if not self._is_effect or self.is_curve or not self._varies:
            return None
        lacks_alike = without_alike(self.values, self.at, self._held_columns, self.rows)
        return lacks_alike if lacks_alike.any() else None

    @property
    def reaches_further(self) -> bool:
        """Whether there are such rows."""
        return self._without_alike is not None

    def could_be(self, label_level: str | None, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the least and most that rates or means could be: rows without similar ones take any."""
        if self._without_alike is None:
            return means, means
        share, added = self._without_alike @ self.rows.shares, self.standardised.extrapolated
        if not self._outcome.levels:
            values = self._outcome.values
            smallest, largest, own = float(values.min()), float(values.max()), added[:, 0]
        else:
            place = self._label_levels.index(label_level) - 1
            smallest, largest = 0.0, 1.0
            own = added[:, place] if place >= 0 else share - added.sum(axis=1)
        least, most = means + share * smallest - own, means + share * largest - own
        return np.minimum(least, means), np.maximum(most, means)

    @cached_property
    def _own_regression(self) -> StandardisedRegression:
        return self._regression(self._own_columns)

    def _regression(self, columns: RegressionColumns) -> StandardisedRegression:
        return StandardisedRegression(
            self._outcome, self.values, columns, self._held_columns, self.rows, self._with_feature
        )

    @cached_property
    def _by_label_level(self) -> list[tuple[str | None, Standardised]]:
        """Of each level of the label that is told, or of the number, by itself."""
        standardised = self.standardised
        if len(self._label_levels) > 2:
            standardised = standardised.with_first_outcome()
        names: Sequence[str | None] = self._label_levels[-standardised.means.shape[1] :] or (None,)
        return [(name, standardised.of_outcome(k)) for k, name in enumerate(names)]

    def between_share(self, contrasts: Sequence[Contrast]) -> float:
        """Return which share of the variance of the leading comparison is between completed tables."""
        return 0.0

    @cached_property
    def _counts(self) -> np.ndarray:
        """Rows at each level of the feature."""
        return np.array([self.rows.count_of(self.values == value) for value in self.at])

    def _worth(self, rates: np.ndarray, covariance: np.ndarray) -> np.ndarray:
        """Return how many rows each rate is worth."""
        return rows_worth(rates, covariance.diagonal(), self._worth_otherwise)

    @cached_property
    def _worth_otherwise(self) -> np.ndarray:
        """How many rows a rate of 0 or 1 is worth at each level or value, as its variance does not tell."""
        if self.is_curve:
            return np.full(len(self.at), self.rows.worth)
        return np.array([self.rows.worth_of(self.values == value) for value in self.at])

    def points(self) -> Iterator[Point]:
        """Return rates or means by level, or along the curve."""
        if not self._varies:
            return
        shown = _CURVE_POINTS if self.is_curve else len(self.at)
        for label_level, standardised in self._by_label_level:
            means, covariance = standardised.means[:, 0], standardised.covariance[:, 0, :, 0]
            critical = np.array([self._critical(standardised, direction) for direction in np.eye(len(means))])
            if self._outcome.levels:
                worth = self._worth(means, covariance)
                limits = [wilson(*rate) for rate in zip(means, worth, critical, strict=True)]
                low, high = (np.array(side, dtype=np.float64) for side in zip(*limits, strict=True))
            else:
                half = critical * np.sqrt(covariance.diagonal())
                low, high = means - half, means + half
            if self.reaches_further:
                least, most = self.could_be(label_level, means)
                low, high = low - (means - least), high + (most - means)
                if self._outcome.levels:
                    low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
            for position in range(shown):
                rows = None if self.is_curve else int(self._counts[position])
                estimate, lower, upper = (float(bounds[position]) for bounds in (means, low, high))
                yield Point(self._name_of(position), label_level, estimate, lower, upper, rows)

    def _name_of(self, position: int) -> str | float:
        value = self.at[position]
        return float(value) if self.is_curve else self.feature.levels[int(value)]

    @property
    def _compared(self) -> list[tuple[int, int]]:
        """Places that are compared, each with its reference."""
        if self.is_curve:
            return [(len(self.at) - 1, len(self.at) - 2)]
        reference = reference_level(self._counts, ordered=self.feature.ordered, fewest=FEWEST_ROWS)
        return [(position, reference) for position in range(len(self.at)) if position != reference]

    def contrasts(self) -> Iterator[Contrast]:
        """Return every comparison in every measure."""
        if not self._varies:
            return
        for label_level, standardised in self._by_label_level:
            means, covariance = standardised.means[:, 0], standardised.covariance[:, 0, :, 0]
            worth = self._worth(means, covariance) if self._outcome.levels else np.empty(len(means))
            bounds = self.could_be(label_level, means)
            for positions in map(list, self._compared):
                uncertain = Uncertain(
                    means[positions],
                    covariance[np.ix_(positions, positions)],
                    worth[positions],
                    self._critical(standardised, compared(positions, len(means)), self.pair.pairs_tried),
                )
                for kind, compare in _COMPARISONS[self._outcome.levels > 0]:
                    at, reference = (self._name_of(position) for position in positions)
                    if not self.reaches_further:
                        estimate = compare(uncertain)
                    else:
                        estimate = reaching(compare, uncertain, *(bound[positions] for bound in bounds))
                    yield contrast(kind, at, reference, label_level, estimate, self.share_without(positions))
        if self.is_curve and not self._outcome.levels:
            yield self._slope()

    def share_without(self, positions: Sequence[int]) -> float:
        """Return the share of the rows of which hardly anybody alike has one of some levels."""
        if self._without_alike is None:
            return 0.0
        return float(self._without_alike[positions].any(axis=0) @ self.rows.shares)

    def _slope(self) -> Contrast:
        """Return by how much the label goes up, on a straight line, with one unit of the feature more."""
        values, shares = self.values, self.rows.shares
        line = LineColumn(float(shares @ values), deviation(values, shares))
        on_line = self._on_line(line)
        critical = self._critical(on_line, np.array([1.0, -1.0]))
        mean = Uncertain(on_line.means[:, 0], on_line.covariance[:, 0, :, 0], np.empty(2), critical)
        change = mean_difference(mean)
        return contrast(Measure.SLOPE, 1.0, 0.0, None, Interval(*(figure / line.scale for figure in change)))

    def _on_line(self, line: LineColumn) -> Standardised:
        """Return means one unit of a line apart, at its middle: further away rounding hides differences."""
        return self._regression(line).at(line.centre + np.array([1.0, 0.0]) * line.scale)

    def _critical(self, standardised: Standardised, direction: np.ndarray, chosen_among: int = 1) -> float:
        """Return how many standard errors a sum of means may be off that was chosen among so many."""
        confidence = 1.0 - (1.0 - self.pair.confidence) / chosen_among
        return critical_value(confidence, standardised.dof_along(direction))

    @cached_property
    def sign(self) -> Sign:
        """Which way the label goes with the feature."""
        if not self._varies:
            return Sign.UNCLEAR
        standardised, confidence = self.standardised, self.pair.confidence
        if self.is_curve:
            standardised = standardised.at_some(slice(0, _CURVE_POINTS, _EVERY_FOR_SIGN))
        both_in_order = all(
            _have_order(variable, len(levels))
            for variable, levels in ((self.feature, self.at), (self.label, self._label_levels))
        )
        looks = [standardised]
        if both_in_order and len(self._label_levels) > 2:
            # Of several levels in order, the mean of their numbers.
            looks = [standardised.scored(np.arange(1.0, len(self._label_levels)))]
        elif self._label_levels:
            looks = [standardised.log_odds(self._worth_otherwise[: len(standardised.means)])]
            if standardised.alike is not None:
                looks.append(replace(standardised, covariance=standardised.alike))
        arguments_of_looks = [
            (look.means, look.covariance, confidence, look.dof, look.alike) for look in looks
        ]
        if both_in_order:
            return sign_of_order(*arguments_of_looks[0])
        return (
            Sign.LEVELS_DIFFER
            if all(levels_differ(*look_arguments) for look_arguments in arguments_of_looks)
            else Sign.UNCLEAR
        )

    def e_value(self, contrasts: Sequence[Contrast]) -> EValue | None:
        """Return the E-value of the leading comparison."""
        return e_value_of(contrasts, self.sign, deviation(self._outcome.values, self.rows.shares))


class _PooledMeasurement(_Measurement):
    """One pair in multiply imputed tables, pooled by Rubin's rules; what is not pooled is of the first."""

    def __init__(
        self, pair: Pair, wanted: tuple[str, ...], acting: tuple[tuple[str, str], ...], is_effect: bool
    ) -> None:
        self._each = [
            _Measurement(completed_pair, wanted, acting, is_effect) for completed_pair in pair.completed()
        ]
        super().__init__(self._each[0].pair, wanted, acting, is_effect)

    @cached_property
    def standardised(self) -> Standardised:
        return pooled([measurement.standardised for measurement in self._each])

    def _on_line(self, line: LineColumn) -> Standardised:
        return pooled([measurement._on_line(line) for measurement in self._each])

    @property
    def reaches_further(self) -> bool:
        return any(measurement.reaches_further for measurement in self._each)

    def could_be(self, label_level: str | None, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        least, most = np.mean(
            [measurement.could_be(label_level, means) for measurement in self._each], axis=0
        )
        return least, most

    def share_without(self, positions: Sequence[int]) -> float:
        return float(np.mean([measurement.share_without(positions) for measurement in self._each]))

    @cached_property
    def _counts(self) -> np.ndarray:
        counts: np.ndarray = np.rint(
            np.mean([measurement._counts for measurement in self._each], axis=0)
        ).astype(np.int64)
        return counts

    def between_share(self, contrasts: Sequence[Contrast]) -> float:
        """Return which share of the variance of the leading comparison is between completed tables."""
        leading = leading_contrast(contrasts, self.sign)
        if leading is None:
            return 0.0
        standardised = dict(self._by_label_level)[leading.label_level]
        place = {self._name_of(position): position for position in range(len(standardised.means))}
        # Of a number the two values that are compared stand last.
        positions = self._compared[0] if self.is_curve else (place[leading.at], place[leading.reference])
        return standardised.between_share(compared(positions, len(standardised.means)))


def compared(positions: Sequence[int], count: int) -> np.ndarray:
    """Return the factors of a difference of two of so many means."""
    direction = np.zeros(count)
    direction[list(positions)] = (1.0, -1.0)
    return direction


# By whether the label has levels.
_COMPARISONS = {
    True: (
        (Measure.RATE_DIFFERENCE, rate_difference),
        (Measure.RATE_RATIO, rate_ratio),
        (Measure.ODDS_RATIO, odds_ratio),
    ),
    False: ((Measure.MEAN_DIFFERENCE, mean_difference),),
}


def _outcome(dataset: Dataset, label: str, rows: CompleteRows) -> tuple[LabelInRegression, tuple[str, ...]]:
    """Return a label as regressions see it, and the names of its levels that occur."""
    variable, values = dataset.variable(label), dataset.column(label)[rows.places]
    if variable.kind is Kind.CONTINUOUS:
        return LabelInRegression(values, 0), ()
    occurring = np.unique(values)
    told = _event_last(variable, occurring)
    codes = np.searchsorted(occurring, values)
    outcome = LabelInRegression(codes if told[-1] == occurring[-1] else 1 - codes, len(told))
    return outcome, tuple(variable.levels[position] for position in told)


def _event_last(variable: Variable, occurring: np.ndarray) -> np.ndarray:
    """Return the codes of levels that occur, of two the event last; others stay in their order."""
    if len(occurring) != 2:
        return occurring
    first, last = (variable.levels[position] for position in occurring)
    return occurring if variable.told_level((first, last)) == last else occurring[::-1]


def _have_order(variable: Variable, levels: int) -> bool:
    """Tell whether more of a variable means something: of a number, of levels in order, and of two levels."""
    return variable.kind is Kind.CONTINUOUS or variable.ordered or levels == 2
