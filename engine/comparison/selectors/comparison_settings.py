"""How selectors are compared: every setting, written once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from engine.comparison.selectors.methods import CLCD_FS
from engine.comparison.selectors.prediction import classifiers, metrics
from engine.errors import InvalidParameter
from engine.parameters import (
    Choice,
    Settings,
    check_parameters,
    described,
    impossible_value,
    parameter,
    seed_parameter,
    workers_parameter,
)
from engine.translation import N_, _
from engine.wording.setting_names import the_setting

# 3 % to 30 % of the features, as in the paper.
PERCENTAGES = tuple(range(3, 31, 3))
# A look that takes moments.
SHORT = {"splits": 2, "percentages": (10.0, 30.0), "most_candidates": 2}


def _classifier_choices() -> Iterable[Choice]:
    return (
        Choice(classifier.name, classifier.title, classifier.help) for classifier in classifiers().values()
    )


def _metric_choices() -> Iterable[Choice]:
    return (Choice(metric.name.replace("_", "-"), metric.title) for metric in metrics().values())


@described
@dataclass(frozen=True, slots=True)
class SelectionComparisonSettings(Settings):
    """Settings of :func:`engine.compare_selections`.

    Parameters
    ----------
    percentages : tuple of float
        Numbers of features to evaluate, in percent of all features: rising, above 0 and at most 100.
    methods : tuple of str
        Names of the methods (:func:`engine.comparison.selectors.methods.selection_methods`). If it is empty,
        all are used.

    Raises
    ------
    InvalidParameter
        If a value is impossible.

    Examples
    --------
    >>> SelectionComparisonSettings(splits=2).percentages[:3]
    (3.0, 6.0, 9.0)
    """

    splits: int = parameter(
        10,
        N_("Splits"),
        N_("How often the rows are split into training and test rows."),
        minimum=1,
        maximum=1000,
    )
    test_share: float = parameter(
        0.3,
        N_("Test share"),
        N_("Share of the rows that is kept for testing."),
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
    )
    classifier: str = parameter(
        "svm-rbf",
        N_("Classifier"),
        N_("The method that learns to predict each label from the selected features."),
        choices=_classifier_choices,
    )
    cost: float = parameter(
        1.0,
        N_("Cost C"),
        N_("The penalty for a training row on the wrong side. Smaller values give a smoother fit."),
        minimum=0.0,
        maximum=1e6,
        open_interval=True,
    )
    scale: bool = parameter(
        True, N_("Scale features"), N_("Give every feature mean 0 and variance 1 in the training rows.")
    )
    tuning: str = parameter(
        "training",
        N_("Tuning"),
        N_("On which rows the options of each method are chosen."),
        choices=(
            Choice("training", N_("Training rows"), N_("On a part of the training rows that is set aside.")),
            Choice("none", N_("Not at all"), N_("Every method keeps its defaults.")),
            Choice("test", N_("Test rows"), N_("As in the paper. Results then look better than they are.")),
        ),
    )
    tune_clcd: bool = parameter(
        True,
        N_("Tune CLCD-FS"),
        N_(
            "Whether CLCD-FS chooses its significance level, its number of bins and the share of "
            "features it keeps, as the other methods choose their options. If off, it uses its "
            "defaults."
        ),
    )
    tuning_metric: str = parameter(
        "micro-f1",
        N_("Tuned for"),
        N_("The metric by which options are chosen."),
        choices=_metric_choices,
        advanced=True,
    )
    most_candidates: int = parameter(
        12,
        N_("Most candidates"),
        N_(
            "From a larger grid of options, this many are drawn at random, including the defaults. "
            "It is three times as many if a method chooses its number of features, because it is "
            "compared at that number only."
        ),
        minimum=1,
        maximum=100_000,
        advanced=True,
    )
    skip_unrankable: bool = parameter(
        False,
        N_("Skip rows without pairs"),
        N_("Leave rows with no label or with all labels out of the ranking loss. If off, they count as 0."),
        advanced=True,
    )
    seed: int = seed_parameter(N_("Seed of the splits and of random methods."))
    workers: int | None = workers_parameter(
        N_("Number of processes at the same time. If empty, all cores are used. It changes only the times."),
        changes_result=False,
    )
    percentages: tuple[float, ...] = PERCENTAGES
    methods: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_parameters(self)
        object.__setattr__(self, "percentages", _checked(self.percentages))
        object.__setattr__(self, "methods", tuple(self.methods))

    def sizes(self, features: int) -> tuple[int, ...]:
        """Return the numbers of features that are judged in a table with so many.

        Examples
        --------
        >>> SelectionComparisonSettings(percentages=(3, 10, 30)).sizes(72)
        (2, 7, 22)
        """
        return tuple(dict.fromkeys(self.size(percentage, features) for percentage in self.percentages))

    def size(self, percentage: float, features: int) -> int:
        """Return a percentage of the features as a number, at least 1."""
        return max(1, round(features * percentage / 100))

    def tunes(self, method: str) -> bool:
        """Tell whether a method chooses its options."""
        return self.tuning != "none" and (method != CLCD_FS or self.tune_clcd)

    def deciding(self, method: str) -> dict[str, Any]:
        """Return what decides the figures of a method, apart from table and split, as plain values."""
        values = asdict(self) | {"tunes": self.tunes(method)}
        for name in ("workers", "splits", "methods", "tune_clcd"):
            del values[name]
        return values


_FOR_EXAMPLE = N_("Use for example 3, 6, 9.")


def _checked(percentages: Collection[float]) -> tuple[float, ...]:
    try:
        sorted_percentages = tuple(sorted({float(percentage) for percentage in percentages}))
    except (TypeError, ValueError):
        raise impossible_value(percentages, the_setting("percentages"), _(_FOR_EXAMPLE)) from None
    if not sorted_percentages or sorted_percentages[0] <= 0 or sorted_percentages[-1] > 100:
        raise InvalidParameter(
            _("there must be some, each above 0 and at most 100."),
            place=the_setting("percentages"),
            remedy=_(_FOR_EXAMPLE),
        )
    return sorted_percentages
