"""Settings that only one algorithm has, described like all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.boundaries.registry import algorithms
from engine.parameters import Choice, Settings, parameter


def _share() -> Any:
    return parameter(
        0.8,
        title="Share K",
        help="Share of the dependent variables among which the strongest is taken; 1 is IAMB.",
        minimum=0.0,
        maximum=1.0,
    )


def _seed() -> Any:
    return parameter(
        0,
        title="Seed",
        help="Number from which the draws follow; other seeds can find other boundaries.",
        minimum=0,
    )


@dataclass(frozen=True, slots=True)
class KiambOptions(Settings):
    """How KIAMB draws.

    Examples
    --------
    >>> KiambOptions(share=0.5).seed
    0
    """

    share: float = _share()
    seed: int = _seed()


@dataclass(frozen=True, slots=True)
class Bounds(Settings):
    """Where a search of several boundaries ends before its own end.

    Examples
    --------
    >>> Bounds(max_boundaries=10).max_seconds is None
    True
    """

    max_boundaries: int | None = parameter(
        1000,
        title="Most boundaries",
        help="The search ends when this many boundaries are found; empty means no bound.",
        minimum=1,
    )
    max_searches: int | None = parameter(
        10_000,
        title="Most searches",
        help="The search ends when this many sets of variables were tried; empty means no bound.",
        minimum=1,
    )
    max_seconds: float | None = parameter(
        None,
        title="Most seconds",
        help="No further set is tried after this time; the result then depends on the computer.",
        minimum=0.0,
    )


def _among() -> Any:
    return parameter(
        100,
        title="Paired variables",
        help="Pairs are formed among this many variables, the most strongly associated first.",
        minimum=2,
    )


def _max_removed() -> Any:
    return parameter(
        None,
        title="Largest removal",
        help="Most variables that are left out at once; empty means no bound.",
        minimum=1,
    )


@dataclass(frozen=True, slots=True)
class PairOptions(Settings):
    """Among how many variables pairs are looked for.

    Examples
    --------
    >>> PairOptions().among
    100
    """

    among: int = _among()


@dataclass(frozen=True, slots=True)
class TlmbOptions(Settings):
    """How TLMB measures what variables tell, and among which it looks.

    Examples
    --------
    >>> TlmbOptions(shuffles=99).among
    50
    """

    shuffles: int = parameter(
        199,
        title="Shuffled copies",
        help="A variable comes in only if it tells more than in all of this many shuffled copies.",
        minimum=19,
    )
    among: int = parameter(
        50,
        title="Variables tried",
        help="Only this many variables are tried, the most strongly associated first.",
        minimum=1,
    )
    paired: int = parameter(
        20,
        title="Paired variables",
        help="Where no single variable is left, pairs are tried among this many; 0 tries none.",
        minimum=0,
    )
    regularisation: float = parameter(
        0.001,
        title="Regularisation",
        help="Larger values smooth more: rare combinations of levels then count for less.",
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
    )
    rows: int | None = parameter(
        5000,
        title="Most rows",
        help="Of longer tables this many rows are drawn; empty means all rows.",
        minimum=1,
    )
    seed: int = _seed()


def _single_boundary_choices() -> tuple[Choice, ...]:
    return tuple(
        Choice(each.name, each.title, each.help) for each in algorithms().values() if not each.finds_several
    )


@dataclass(frozen=True, slots=True)
class TieStarOptions(Bounds):
    """How TIE* looks for further boundaries.

    Examples
    --------
    >>> TieStarOptions(single="iamb").single
    'iamb'
    """

    single: str = parameter(
        "hiton-mb-semi",
        title="Single search",
        help="Algorithm that finds one boundary among the variables that are left.",
        choices=_single_boundary_choices,
    )
    max_removed: int | None = _max_removed()


@dataclass(frozen=True, slots=True)
class WlcmbOptions(Bounds):
    """How WLCMB looks for boundaries.

    Examples
    --------
    >>> WlcmbOptions(among=50).max_boundaries
    1000
    """

    among: int = _among()
    max_removed: int | None = _max_removed()


@dataclass(frozen=True, slots=True)
class RepeatedKiambOptions(Bounds):
    """How often KIAMB runs, and how it draws.

    Examples
    --------
    >>> RepeatedKiambOptions(repeats=10).share
    0.8
    """

    repeats: int = parameter(
        50,
        title="Repeats",
        help="How often the search runs, each time with other draws.",
        minimum=1,
    )
    share: float = _share()
    seed: int = _seed()
