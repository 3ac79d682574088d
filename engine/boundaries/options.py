"""Settings that only one algorithm has of those that find one boundary, described like all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.parameters import Settings, parameter


def share() -> Any:
    """Share of KIAMB, as a setting."""
    return parameter(
        0.8,
        title="Share K",
        help="Share of the dependent variables among which the strongest is taken; 1 is IAMB.",
        minimum=0.0,
        maximum=1.0,
    )


def seed() -> Any:
    """Seed of what is drawn, as a setting."""
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

    share: float = share()
    seed: int = seed()


def among() -> Any:
    """How many variables form pairs, as a setting."""
    return parameter(
        100,
        title="Paired variables",
        help="Pairs are formed among this many variables, the most strongly associated first.",
        minimum=2,
    )


@dataclass(frozen=True, slots=True)
class PairOptions(Settings):
    """Among how many variables pairs are looked for.

    Examples
    --------
    >>> PairOptions().among
    100
    """

    among: int = among()


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
    seed: int = seed()
