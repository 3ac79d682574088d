"""How a table is made ready: settings written once for window, terminal and docs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.parameters import Choice, check_parameters, parameter


@dataclass(frozen=True, slots=True)
class PreparationSettings:
    """How missing values, continuous columns and useless columns are treated.

    Raises
    ------
    InvalidParameter
        When a value is impossible; the message names the setting and the allowed values.

    Examples
    --------
    >>> PreparationSettings(bins=3).discretise
    'quantile'
    """

    discretise: str = parameter(
        "quantile",
        title="Cut numbers into bins",
        help="How continuous columns become categories; Fisher's z needs none.",
        kind="choice",
        choices=(
            Choice("quantile", "Equal counts", "Each bin holds about as many rows; two bins split at the median."),
            Choice("median", "Median split", "Two bins, below and above the median."),
            Choice("mean", "Mean split", "Two bins, below and above the mean."),
            Choice("width", "Equal width", "Bins of the same width between smallest and largest value."),
            Choice("mdl", "By each label (MDL)", "Cuts that tell most about any single label, Fayyad and Irani 1993."),
            Choice("mdl-joint", "By all labels together (MDL)", "Cuts that tell most about the combination of labels."),
            Choice("none", "Leave continuous", "Numbers stay numbers, for Fisher's z."),
        ),
    )
    bins: int = parameter(
        2,
        title="Number of bins",
        help="Bins of a column with equal counts or equal width; more bins need more rows.",
        kind="integer",
        minimum=2,
        maximum=20,
    )
    missing: str = parameter(
        "drop-rows",
        title="Missing values",
        help="What happens to rows with an empty cell.",
        kind="choice",
        choices=(
            Choice("drop-rows", "Leave out the rows", "Only complete rows are analysed."),
            Choice("most-frequent", "Fill in", "With the most frequent category, or the median of a number."),
            Choice("own-level", "A category of their own", "Missing becomes one more category."),
        ),
    )
    max_levels: int = parameter(
        20,
        title="Most categories",
        help="A feature with more categories than this is set aside.",
        kind="integer",
        minimum=2,
        maximum=1000,
        advanced=True,
    )
    set_aside: bool = parameter(
        True,
        title="Set useless columns aside",
        help="Identifiers, constant columns and features with too many categories take no part.",
        kind="flag",
        advanced=True,
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    def as_dict(self) -> dict[str, Any]:
        """Give the settings as plain values, in field order."""
        return asdict(self)
