"""Settings that only one feature selector has, described like all others; their steps are grids to try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.parameters import Settings, parameter, repeated_parameter
from engine.translation import N_

# Seven powers of ten, as Ma et al. (2012) and Chang et al. (2014) searched them.
POWERS_OF_TEN = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
# As Jian et al. (2016) searched them, and the paper of CLCD after them.
UP_TO_ONE = (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
# The terms of our reconstruction of CMFS are shares of what there is to explain.
_SHARES_OF_TERMS = (0.0001, 0.001, 0.01, 0.1)
_SPARSENESS = N_("Weight of sparseness: larger removes more features.")
_LIKENESS = N_("Weight of likeness between neighbouring rows.")
_SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)


def _weight(default: float, title: str, help: str, grid: tuple[float, ...]) -> Any:
    """Describe the weight of a term of an objective: above 0."""
    return parameter(default, title, help, minimum=0.0, maximum=1e6, open_interval=True, steps=grid)


@dataclass(frozen=True, slots=True)
class NoOptions:
    """A method that leaves nothing to choose."""


@dataclass(frozen=True, slots=True)
class Iterations(Settings):
    """When iterations end."""

    max_iterations: int = parameter(
        200,
        N_("Most iterations"),
        N_("Bound on the iterations, should the objective still be falling."),
        minimum=1,
        advanced=True,
    )
    tolerance: float = parameter(
        1e-6,
        N_("Tolerance"),
        N_("Iterations end when one changes the objective by no more than this share of it."),
        minimum=0.0,
        maximum=1.0,
        advanced=True,
    )


@dataclass(frozen=True, slots=True)
class SfusOptions(Iterations):
    """Weights of SFUS, and the size of the subspace that labels share."""

    alpha: float = _weight(1.0, "Alpha", _SPARSENESS, POWERS_OF_TEN)
    beta: float = _weight(
        1.0, "Beta", N_("Weight of what the labels share: larger ties them closer."), POWERS_OF_TEN
    )
    subspace: int | None = parameter(
        None,
        N_("Shared dimensions"),
        N_("Dimensions of the subspace that labels share; empty means one fewer than labels."),
        minimum=1,
    )


@dataclass(frozen=True, slots=True)
class CsfsOptions(Iterations):
    """Weight of CSFS."""

    mu: float = _weight(1.0, "Mu", _SPARSENESS, POWERS_OF_TEN)


@dataclass(frozen=True, slots=True)
class MifsOptions(Iterations):
    """Weights of MIFS, its hidden causes and neighbours."""

    alpha: float = _weight(1.0, "Alpha", N_("Weight of the fit to the labels."), UP_TO_ONE)
    beta: float = _weight(1.0, "Beta", _LIKENESS, UP_TO_ONE)
    gamma: float = _weight(1.0, "Gamma", _SPARSENESS, UP_TO_ONE)
    latent_share: float = parameter(
        0.8,
        N_("Latent share"),
        N_("Number of hidden causes of the labels, as a share of the number of labels."),
        minimum=0.0,
        maximum=1.0,
        steps=_SHARES,
    )
    neighbours: int = parameter(
        5, N_("Neighbours"), N_("Nearest rows that each row is joined to."), minimum=1
    )
    # Blocks that take turns settle slowly.
    max_iterations: int = repeated_parameter(Iterations, "max_iterations", default=500)


@dataclass(frozen=True, slots=True)
class MclsOptions(Iterations):
    """Neighbours of MCLS; the iterations are those of its numerical labels."""

    neighbours: int = repeated_parameter(MifsOptions, "neighbours")
    # A gradient step is cheap and small.
    max_iterations: int = repeated_parameter(Iterations, "max_iterations", default=1000)


@dataclass(frozen=True, slots=True)
class CmfsOptions(Iterations):
    """Weights of CMFS, its hidden causes and neighbours."""

    alpha: float = _weight(
        1.0, "Alpha", N_("Weight of the labels against the features."), (0.1, 1.0, 10.0, 100.0)
    )
    beta: float = _weight(0.01, "Beta", _LIKENESS, _SHARES_OF_TERMS)
    gamma: float = _weight(0.01, "Gamma", _SPARSENESS, _SHARES_OF_TERMS)
    latent_share: float = repeated_parameter(MifsOptions, "latent_share")
    neighbours: int = repeated_parameter(MifsOptions, "neighbours")
    # Multiplicative updates are cheap and slow to settle.
    max_iterations: int = repeated_parameter(Iterations, "max_iterations", default=1000)


@dataclass(frozen=True, slots=True)
class MbMcfOptions(Settings):
    """How MB-MCF searches: as CLCD does."""

    # Not tuned there either.
    alpha: float = repeated_parameter(DiscoverySettings, "alpha", steps=())
    max_conditioning: int = repeated_parameter(DiscoverySettings, "max_conditioning")


@dataclass(frozen=True, slots=True)
class MutualInformationOptions(Settings):
    """How mutual information is estimated from features that are numbers."""

    bins: int = parameter(
        10,
        N_("Bins"),
        N_("A feature with more distinct values than this is cut into as many bins of equal frequency."),
        minimum=2,
        steps=(2, 3, 5, 10, 20),
    )


@dataclass(frozen=True, slots=True)
class NearestInformationOptions(Settings):
    """How mutual information is estimated without bins."""

    neighbours: int = parameter(
        3,
        N_("Neighbours"),
        N_("Nearest values by which density is judged: more are steadier and less sharp."),
        minimum=1,
        steps=(3, 5, 10),
    )
    categories: int = parameter(
        10,
        N_("Most categories"),
        N_("A feature with no more distinct values than this is counted instead."),
        minimum=1,
        advanced=True,
    )
