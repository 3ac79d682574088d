"""Settings that only one algorithm has, described like all others."""

from __future__ import annotations

from dataclasses import dataclass

from engine.parameters import Choice, check_parameters, parameter


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


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a search of several boundaries ends before its own end.

    Raises
    ------
    InvalidParameter
        When a value is impossible.

    Examples
    --------
    >>> Bounds(max_boundaries=10).max_seconds is None
    True
    """

    max_boundaries: int | None = parameter(
        1000,
        title="Most boundaries",
        help="The search ends when this many boundaries are found; empty means no bound.",
        kind="integer",
        minimum=1,
        optional=True,
    )
    max_searches: int | None = parameter(
        10_000,
        title="Most searches",
        help="The search ends when this many sets of variables were tried; empty means no bound.",
        kind="integer",
        minimum=1,
        optional=True,
    )
    max_seconds: float | None = parameter(
        None,
        title="Most seconds",
        help="No further set is tried after this time; the result then depends on the computer.",
        kind="number",
        minimum=0.0,
        optional=True,
    )

    def __post_init__(self) -> None:
        check_parameters(self)


def _single_boundary_choices() -> tuple[Choice, ...]:
    # The registry names these options, so it is read when it is complete.
    from engine.boundaries.registry import algorithms

    return tuple(
        Choice(each.name, each.title, each.help) for each in algorithms().values() if not each.finds_several
    )


@dataclass(frozen=True, slots=True)
class TieStarOptions(Bounds):
    """How TIE* looks for further boundaries.

    Raises
    ------
    InvalidParameter
        When a value is impossible.

    Examples
    --------
    >>> TieStarOptions(single="iamb").single
    'iamb'
    """

    single: str = parameter(
        "hiton-mb-semi",
        title="Single search",
        help="Algorithm that finds one boundary among the variables that are left.",
        kind="choice",
        choices=_single_boundary_choices,
    )
    max_removed: int | None = parameter(
        None,
        title="Largest removal",
        help="Most variables that are left out at once; empty means no bound.",
        kind="integer",
        minimum=1,
        optional=True,
    )
