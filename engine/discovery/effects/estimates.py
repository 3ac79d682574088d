"""What is said of the size of a link: plain numbers with intervals, for tables, charts and files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.discovery.effects.intervals import EValue


class Estimand(StrEnum):
    """What a figure estimates. The three are different quantities, and none stands for another.

    The first says how the label goes with the feature. The second says the same with the rest of the label's
    boundary held as it is in the population. The third says what would happen to the label if somebody
    changed the feature, and speaks of causes only.

    Examples
    --------
    >>> print(Estimand("effect of changing it"))
    effect of changing it
    """

    ASSOCIATION = "association"
    ADJUSTED = "adjusted association"
    EFFECT = "effect of changing it"


class Measure(StrEnum):
    """In what a size is told."""

    RATE_DIFFERENCE = "rate difference"
    RATE_RATIO = "rate ratio"
    ODDS_RATIO = "odds ratio"
    MEAN_DIFFERENCE = "mean difference"
    SLOPE = "slope"

    @property
    def without_link(self) -> float:
        """Value of the measure where there is no link: 1 of ratios, 0 of all others."""
        return 1.0 if self in (Measure.RATE_RATIO, Measure.ODDS_RATIO) else 0.0


class Sign(StrEnum):
    """Which way a label goes with a feature.

    Of levels without an order it can only be said that they differ; "not one way" is said of what rises and
    falls, and "unclear" where chance explains all that is seen.

    Examples
    --------
    >>> print(Sign.MORE)
    more with more
    """

    MORE = "more with more"
    LESS = "less with more"
    NOT_ONE_WAY = "not one way"
    LEVELS_DIFFER = "levels differ"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Point:
    """Rate of a label's level, or mean of a number, at one level or value of a feature.

    Attributes
    ----------
    at : str or float
        Level of the feature, or its value.
    label_level : str, optional
        Level of the label whose rate it is; None where the label is a number, whose mean it is.
    estimate, low, high : float
        Rate between 0 and 1, or mean, with the limits of its interval.
    rows : int, optional
        Rows at this level; None on a curve.
    """

    at: str | float
    label_level: str | None
    estimate: float
    low: float
    high: float
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """A label at one level or value of a feature, held against another one.

    Attributes
    ----------
    measure : Measure
    at, reference : str or float
        Levels or values that are compared: `at` against `reference`. Of a slope one unit of the feature more.
    label_level : str, optional
        Level of the label that it speaks of; None where the label is a number.
    estimate, low, high : float
        With the limits of its interval. Of a range the estimate that is nearest to no effect, and the
        outermost limits.
    least, most : float
        Smallest and largest estimate; both equal to `estimate` unless it is a range.
    without_alike : float
        Of an effect: share of the rows beside whose values one of the two levels hardly occurs. The limits
        reach to whatever the label might be there. Of a range the largest share.
    """

    measure: Measure
    at: str | float
    reference: str | float
    label_level: str | None
    estimate: float
    low: float
    high: float
    least: float
    most: float
    without_alike: float = 0.0


@dataclass(frozen=True, slots=True)
class Size:
    """How large one link is, by one estimand.

    Attributes
    ----------
    estimand : Estimand
    feature, label : str
    points : tuple of Point
        Rates or means by level of the feature, or along a curve, in the order of levels or values; of a label
        of several levels one after the other. Empty of a range.
    is_curve : bool
        Whether points lie on a curve of a number's values; else they belong to levels.
    contrasts : tuple of Contrast
        Of rates: difference, ratio and odds ratio; of means: difference and, of a number, slope.
    sign : Sign
        Which way the label goes with the feature, beyond chance; of an effect, if the feature is a cause.
    adjusted_for : tuple of str
        What is held as it is in the population.
    left_out : tuple of str
        What should have been held as well, and was not, since rows are too few for so many coefficients.
    assumes_nothing_hidden : bool
        The figure is an effect only if no hidden variable is a cause of both.
    parent_sets : tuple of tuple of str
        Of an effect: every set of parents that is compatible with the data, of which each gives an estimate.
    may_be_effect : bool
        Of an effect: it is not settled that the feature is a cause of the label and no effect of it, so that
        changing it may do nothing. The range and its limits reach to that.
    rows : int
        Rows that it rests on.
    rows_lost : int
        Rows that were left out because a value is missing.
    confidence : float
        Share of such intervals that hold the truth: 0.95.
    e_value : EValue, optional
        How strong something hidden must be to explain the figure away, if the feature is a cause; None where
        there is none.
    between_share : float
        Share of the variance of the leading comparison that is between tables which multiple imputation
        completed: what missing values take away. 0 where nothing was imputed.
    """

    estimand: Estimand
    feature: str
    label: str
    points: tuple[Point, ...]
    is_curve: bool
    contrasts: tuple[Contrast, ...]
    sign: Sign
    adjusted_for: tuple[str, ...]
    left_out: tuple[str, ...]
    rows: int
    rows_lost: int
    confidence: float
    e_value: EValue | None = None
    parent_sets: tuple[tuple[str, ...], ...] = ()
    assumes_nothing_hidden: bool = False
    may_be_effect: bool = False
    between_share: float = 0.0

    @property
    def is_range(self) -> bool:
        """Whether more than one set of parents, or no effect, is possible: a range and no one figure."""
        return len(self.parent_sets) > 1 or self.may_be_effect

    @property
    def leading(self) -> Contrast | None:
        """The one contrast that stands for all: a difference, of the levels or values furthest apart.

        Of a feature whose levels have no order it is the largest difference from the level that all others
        are held against. None where nothing can be compared.
        """
        differences = [each for each in self.contrasts if each.measure in _DIFFERENCES]
        if not differences:
            return None
        last = differences[-1].label_level
        of_last = [each for each in differences if each.label_level == last]
        if self.sign is Sign.LEVELS_DIFFER:
            return max(differences, key=lambda each: max(abs(each.least), abs(each.most)))
        return of_last[-1]


_DIFFERENCES = (Measure.RATE_DIFFERENCE, Measure.MEAN_DIFFERENCE)
