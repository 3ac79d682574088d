"""Settings that only one algorithm has of those that find one boundary, described like all others."""

from __future__ import annotations

from dataclasses import dataclass

from engine.parameters import Settings, parameter, repeated_parameter
from engine.translation import N_


@dataclass(frozen=True, slots=True)
class KiambOptions(Settings):
    """How KIAMB draws."""

    share: float = parameter(
        0.8,
        N_("Share K"),
        N_("The share of the dependent variables from which the strongest is taken; 1 is IAMB."),
        minimum=0.0,
        maximum=1.0,
    )
    seed: int = parameter(
        0,
        N_("Seed"),
        N_("Seed of the random draws. Other seeds can find other boundaries."),
        minimum=0,
    )


@dataclass(frozen=True, slots=True)
class PairOptions(Settings):
    """Among how many variables pairs are looked for."""

    among: int = parameter(
        100,
        N_("Paired variables"),
        N_("Pairs are made of this many variables, those with the strongest association."),
        minimum=2,
    )


@dataclass(frozen=True, slots=True)
class TlmbOptions(Settings):
    """How TLMB measures what variables tell, and among which it looks."""

    shuffles: int = parameter(
        199,
        N_("Shuffled copies"),
        N_("A variable is added only if it carries more information than in this many permuted copies."),
        minimum=19,
    )
    among: int = parameter(
        50,
        N_("Variables tried"),
        N_("Only this many variables are tried, those with the strongest association."),
        minimum=1,
    )
    paired: int = parameter(
        20,
        N_("Paired variables"),
        N_("When no single variable is left, pairs of this many variables are tried; 0 tries none."),
        minimum=0,
    )
    regularisation: float = parameter(
        0.001,
        N_("Regularisation"),
        N_("Larger values smooth more, so rare combinations of levels count less."),
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
    )
    rows: int | None = parameter(
        5000,
        N_("Most rows"),
        N_("From longer tables, this many rows are drawn. If empty, all rows are used."),
        minimum=1,
    )
    seed: int = repeated_parameter(KiambOptions, "seed")
