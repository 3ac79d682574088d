"""Settings of a stability selection: how many parts of the rows are searched again, how large they are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.parameters import check_parameters, parameter


@dataclass(frozen=True, slots=True)
class StabilitySettings:
    """How a search is repeated to see what is found again.

    Every field is described by ``parameters_of(StabilitySettings)``.

    Raises
    ------
    InvalidParameter
        When a value is impossible; the message names the setting and the allowed values.

    Examples
    --------
    >>> StabilitySettings(resamples=100).are_paired
    True
    """

    resamples: int = parameter(
        50,
        title="Repetitions",
        help="How often a part of the rows is searched again; 50 tell 90 % from 80 %.",
        kind="integer",
        minimum=2,
        maximum=10_000,
    )
    share: float = parameter(
        0.5,
        title="Share of rows",
        help="How large each part is; halves that complement each other are the proven choice.",
        kind="number",
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
        advanced=True,
    )
    seed: int = parameter(
        0,
        title="Seed",
        help="Number from which the parts are drawn; the same number gives the same parts.",
        kind="integer",
        minimum=0,
        maximum=2**31 - 1,
        advanced=True,
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def are_paired(self) -> bool:
        """Whether parts come in pairs without a common row, which needs parts of at most one half."""
        return self.share <= 0.5

    def as_dict(self) -> dict[str, Any]:
        """Give the settings as plain values, in field order."""
        return asdict(self)
