"""How a table is made ready: settings written once for window, terminal and docs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.parameters import Choice, Settings, described, parameter, seed_parameter
from engine.preparation.discretisation_methods import LEAVE_CONTINUOUS, discretisation_choices


@described
@dataclass(frozen=True, slots=True)
class PreparationSettings(Settings):
    """How missing values, continuous columns and useless columns are treated.

    Raises
    ------
    InvalidParameter
        When a value is impossible; the message names the setting and the allowed values.

    Examples
    --------
    >>> PreparationSettings(discretise="quantile", bins=3).missing
    'per-test'
    """

    discretise: str = parameter(
        LEAVE_CONTINUOUS,
        "Cut numbers into bins",
        "Whether numbers become categories, and how; what lies within a bin is lost.",
        choices=discretisation_choices,
    )
    bins: int = parameter(
        2,
        "Number of bins",
        "Bins of a column with equal counts or equal width; more bins need more rows.",
        minimum=2,
        maximum=20,
    )
    missing: str = parameter(
        "per-test",
        "Missing values",
        "How missing values are treated.",
        choices=(
            Choice(
                "per-test",
                "Leave out per test",
                "Each test uses the rows that are complete in its own variables, so tests rest on different "
                "numbers of rows; that a value is missing must not depend on the values that are tested.",
            ),
            Choice(
                "drop-rows",
                "Leave out the rows",
                "Only rows without a missing value are analysed; under the same condition, with fewer rows.",
            ),
            Choice("most-frequent", "Fill in", "With the most frequent category, or the median of a number."),
            Choice("own-level", "A category of their own", "Missing becomes one more category."),
            Choice(
                "imputed",
                "Multiple imputation",
                "Models of each column impute several values for each missing one. Tests and estimates are "
                "pooled, including the variance between imputations. All rows count, and whether a value is "
                "missing may depend on other columns.",
            ),
        ),
    )
    imputations: int = parameter(
        10,
        "Imputations",
        "Imputed values for each missing one; more find more, and take as many times longer.",
        minimum=2,
        maximum=100,
        advanced=True,
    )
    imputation_seed: int = seed_parameter(
        "Number from which values are imputed; the same number gives the same values.",
        "Seed of multiple imputation",
        advanced=True,
    )
    max_missing: float = parameter(
        0.5,
        "Most missing values",
        "A feature with a larger share of missing values is set aside, unless these are a category.",
        minimum=0.0,
        maximum=1.0,
        advanced=True,
    )
    max_levels: int = parameter(
        20,
        "Most categories",
        "A column with up to this many categories takes part, whatever the rows.",
        minimum=2,
        maximum=1000,
        advanced=True,
    )
    rows_per_level: int = parameter(
        10,
        "Rows for each category",
        "A column with more categories, up to 100, takes part where there are at least this many rows "
        "for each on average. Otherwise a feature is set aside, and a label refused.",
        minimum=2,
        maximum=1_000_000,
        advanced=True,
    )
    set_aside: bool = parameter(
        True,
        "Set useless features aside",
        "Identifiers, mostly empty features, those with too many categories and those made from labels "
        "take no part; features with one value never do.",
        advanced=True,
    )
    keep: tuple[str, ...] | None = parameter(
        None,
        "Features to keep",
        "Name of a feature that is not set aside as long as it has two different values.",
        advanced=True,
    )
    constant_labels: str = parameter(
        "stop",
        "Labels with one value",
        "What happens when a label is the same in every row, so that nothing can be found for it.",
        choices=(
            Choice("stop", "Say so and stop", "The labels are named, so that they can be taken out."),
            Choice("set-aside", "Set them aside", "The other labels are analysed."),
        ),
        advanced=True,
    )

    @property
    def kept(self) -> frozenset[str]:
        """Names of the features that are not set aside."""
        return frozenset(self.keep or ())

    def for_measuring(self) -> PreparationSettings:
        """Return how the same rows are made ready to measure sizes: nothing is cut, nothing filled in."""
        measured = replace(self, discretise=LEAVE_CONTINUOUS)
        if self.missing in ("per-test", "drop-rows", "imputed"):
            return measured
        # A label whose one value had empty cells beside it that were a category is measured all the same.
        return replace(measured, missing="per-test", constant_labels="set-aside")
