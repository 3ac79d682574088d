"""Every Markov boundary algorithm, described once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.parameters import Choice


@dataclass(frozen=True, slots=True)
class AlgorithmDescription:
    """What a person needs to know to choose an algorithm.

    Attributes
    ----------
    name : str
        Value of ``DiscoverySettings.algorithm``.
    title : str
        Name in the literature.
    help : str
        One sentence on what distinguishes it.
    source : str
        Reference.
    interleaved : bool
        Members are re-tested at once when another one enters.
    """

    name: str
    title: str
    help: str
    source: str
    interleaved: bool


_HITON_SOURCE = (
    "Aliferis, Statnikov, Tsamardinos, Mani, Koutsoukos (2010), Local causal and Markov blanket "
    "induction for causal discovery and feature selection, JMLR 11:171-234"
)

_ALGORITHMS = (
    AlgorithmDescription(
        "hiton-mb",
        "HITON-MB",
        "Strongest candidates first; a member that another explains away leaves at once.",
        _HITON_SOURCE,
        interleaved=True,
    ),
    AlgorithmDescription(
        "hiton-mb-semi",
        "HITON-MB, semi-interleaved",
        "As HITON-MB, but members are re-examined once, at the end.",
        _HITON_SOURCE,
        interleaved=False,
    ),
)


def algorithms() -> dict[str, AlgorithmDescription]:
    """Give every Markov boundary algorithm by name, in the order in which they are offered.

    Examples
    --------
    >>> algorithms()["hiton-mb"].title
    'HITON-MB'
    """
    return {description.name: description for description in _ALGORITHMS}


def algorithm_choices() -> tuple[Choice, ...]:
    """Give the algorithms as choices of a setting."""
    return tuple(Choice(each.name, each.title, each.help) for each in _ALGORITHMS)
