"""Settings that only one algorithm has, described like all others."""

from __future__ import annotations

from dataclasses import dataclass

from engine.parameters import check_parameters, parameter


@dataclass(frozen=True, slots=True)
class KiambOptions:
    """How KIAMB draws.

    Raises
    ------
    InvalidParameter
        When a value is impossible.

    Examples
    --------
    >>> KiambOptions(share=0.5).seed
    0
    """

    share: float = parameter(
        0.8,
        title="Share K",
        help="Share of the dependent variables among which the strongest is taken; 1 is IAMB.",
        kind="number",
        minimum=0.0,
        maximum=1.0,
    )
    seed: int = parameter(
        0,
        title="Seed",
        help="Number from which the draws follow; other seeds can find other boundaries.",
        kind="integer",
        minimum=0,
    )

    def __post_init__(self) -> None:
        check_parameters(self)
