"""How a table is made ready: settings written once for window, terminal and docs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.parameters import Choice, Settings, described, parameter, seed_parameter
from engine.preparation.discretisation_methods import LEAVE_CONTINUOUS, discretisation_choices
from engine.translation import N_


@described
@dataclass(frozen=True, slots=True)
class PreparationSettings(Settings):
    """Treatment of missing values, numbers and useless columns.

    Raises
    ------
    InvalidParameter
        If a value is impossible. The message names the setting and the allowed values.

    Examples
    --------
    >>> PreparationSettings(discretise="quantile", bins=3).missing
    'per-test'
    """

    discretise: str = parameter(
        LEAVE_CONTINUOUS,
        N_("Cut numbers into bins"),
        N_("Whether and how numbers become categories. Differences within a bin are lost."),
        choices=discretisation_choices,
    )
    bins: int = parameter(
        2,
        N_("Number of bins"),
        N_("Number of bins with equal counts or equal width. More bins need more rows."),
        minimum=2,
        maximum=20,
    )
    missing: str = parameter(
        "per-test",
        N_("Missing values"),
        N_("How missing values are treated."),
        choices=(
            Choice(
                "per-test",
                N_("Leave out per test"),
                N_(
                    "Each test uses the rows that are complete in its own variables, so tests use "
                    "different numbers of rows. This is valid if missingness does not depend on the "
                    "variables tested."
                ),
            ),
            Choice(
                "drop-rows",
                N_("Leave out the rows"),
                N_(
                    "Only rows without a missing value are analysed. This has the same condition, "
                    "and fewer rows."
                ),
            ),
            Choice(
                "most-frequent",
                N_("Fill in"),
                N_("With the most frequent category, or the median of a number."),
            ),
            Choice("own-level", N_("A category of their own"), N_("Missing becomes one more category.")),
            Choice(
                "imputed",
                N_("Multiple imputation"),
                N_(
                    "Models of each column impute several values for each missing one. Tests and "
                    "estimates are pooled, including the variance between imputations. All rows "
                    "count, and whether a value is missing may depend on other columns."
                ),
            ),
        ),
    )
    imputations: int = parameter(
        10,
        N_("Imputations"),
        N_("Number of imputed values for each missing one. More of them find more, and take longer."),
        minimum=2,
        maximum=100,
        advanced=True,
    )
    imputation_seed: int = seed_parameter(
        N_("Seed of the imputation. The same seed gives the same values."),
        N_("Seed of multiple imputation"),
        advanced=True,
    )
    max_missing: float = parameter(
        0.5,
        N_("Most missing values"),
        N_("A feature with a larger share of missing values is set aside, unless these are a category."),
        minimum=0.0,
        maximum=1.0,
        advanced=True,
    )
    max_levels: int = parameter(
        20,
        N_("Most categories"),
        N_("A column with up to this many categories takes part, whatever the number of rows."),
        minimum=2,
        maximum=1000,
        advanced=True,
    )
    rows_per_level: int = parameter(
        10,
        N_("Rows for each category"),
        N_(
            "A column with more categories, up to 100, takes part if it has at least this many rows "
            "per category on average. Otherwise, a feature is set aside, and a label is refused."
        ),
        minimum=2,
        maximum=1_000_000,
        advanced=True,
    )
    set_aside: bool = parameter(
        True,
        N_("Set useless features aside"),
        N_(
            "Whether to leave out identifiers, mostly empty features, features with too many "
            "categories and features linked exactly to labels. Features with one value are "
            "always left out."
        ),
        advanced=True,
    )
    keep: tuple[str, ...] | None = parameter(
        None,
        N_("Features to keep"),
        N_("Name of a feature to keep. It is never set aside if it has at least two different values."),
        advanced=True,
    )
    constant_labels: str = parameter(
        "stop",
        N_("Labels with one value"),
        N_("What to do with a label that is the same in every row."),
        choices=(
            Choice("stop", N_("Stop with an error"), N_("The error names the labels.")),
            Choice("set-aside", N_("Set them aside"), N_("The other labels are analysed.")),
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
