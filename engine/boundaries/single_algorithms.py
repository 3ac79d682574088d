"""Every algorithm that finds one Markov boundary, described once.

Those that list several stand in ``engine.boundaries.several``, which searches by these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pkgutil import resolve_name
from typing import Any

from engine.parameters import Choice
from engine.translation import N_


class NeighbourSides(Enum):
    """What it takes for X to be a neighbour of T."""

    OWN_SIDE = "own side"
    """The search of T finds X."""

    BOTH_SIDES = "both sides"
    """The search of T finds X, and the search of X finds T."""

    EITHER_SIDE = "either side"
    """The search of T finds X, or the search of X finds T."""


@dataclass(frozen=True, slots=True)
class AlgorithmDescription:
    """What a person needs to know to choose an algorithm, and where it is."""

    name: str  # as in ``DiscoverySettings.algorithm``
    title: str  # in the literature
    help: str  # one sentence on what distinguishes it
    source: str
    entry_point: str  # ``"module:function"``; `engine.boundaries.search` says what it takes and gives
    agreement: NeighbourSides = NeighbourSides.OWN_SIDE  # from which sides a neighbour must be found
    separates_spouses: bool = True  # tells neighbours from spouses, so that CLCD can build on it
    options_class: str = ""  # ``"module:class"`` of the settings that only it has
    finds_several: bool = False  # lists several boundaries: for ``engine.markov_boundaries``
    # It reads the rows themselves and asks no tests: complete categories of equal weight must be there, and
    # neither a causal graph nor exact probabilities can stand for them.
    needs_rows: bool = False

    @property
    def suits_clcd(self) -> bool:
        """It finds one boundary and tells its neighbours from its spouses."""
        return self.separates_spouses and not self.finds_several

    @property
    def options(self) -> type | None:
        """Class of the settings that only this algorithm has."""
        return resolve_name(self.options_class) if self.options_class else None

    def load(self) -> Callable[..., Any]:
        """Import the search; its module is imported no earlier."""
        search: Callable[..., Any] = resolve_name(self.entry_point)
        return search


_HITON_SOURCE = (
    "Aliferis, Statnikov, Tsamardinos, Mani, Koutsoukos (2010), Local causal and Markov blanket "
    "induction for causal discovery and feature selection, JMLR 11:171-234"
)
PENA_SOURCE = (
    "Peña, Nilsson, Björkegren, Tegnér (2007), Towards scalable and data efficient learning of Markov "
    "boundaries, International Journal of Approximate Reasoning 45:211-232"
)
_IAMB_SOURCE = (
    "Tsamardinos, Aliferis, Statnikov (2003), Algorithms for large scale Markov blanket discovery, "
    "FLAIRS 2003, 376-381"
)
WLCMB_SOURCE = (
    "Liu, Liu (2016), Swamping and masking in Markov boundary discovery, Machine Learning 104:25-54"
)

_ALGORITHMS = (
    AlgorithmDescription(
        "hiton-mb",
        "HITON-MB",
        N_("Starts with the strongest candidates. A member that others explain is removed at once."),
        _HITON_SOURCE,
        "engine.boundaries.parents_children:interleaved",
    ),
    AlgorithmDescription(
        "hiton-mb-semi",
        N_("HITON-MB, semi-interleaved"),
        N_("As HITON-MB, but members are tested again only once, at the end."),
        _HITON_SOURCE,
        "engine.boundaries.parents_children:semi_interleaved",
    ),
    AlgorithmDescription(
        "mmmb",
        "MMMB",
        N_("Adds the candidate that the members explain least. Members are tested again at the end."),
        (
            "Tsamardinos, Aliferis, Statnikov (2003), Time and sample efficient discovery of Markov blankets "
            "and direct causal relations, KDD 2003, 673-678"
        ),
        "engine.boundaries.parents_children:max_min",
    ),
    AlgorithmDescription(
        "pcmb",
        "PCMB",
        N_(
            "As MMMB with pruning after each step. A neighbour must be found from both sides, which "
            "loses interchangeable variables."
        ),
        PENA_SOURCE,
        "engine.boundaries.parents_children:get_pcd",
        NeighbourSides.BOTH_SIDES,
    ),
    AlgorithmDescription(
        "ipcmb",
        "IPC-MB",
        N_(
            "Starts with all candidates and removes them by conditioning sets of growing size. A "
            "neighbour must be found from both sides, which loses interchangeable variables."
        ),
        (
            "Fu, Desmarais (2008), Fast Markov blanket discovery algorithm via local learning within single "
            "pass, Canadian AI 2008, LNCS 5032:96-107"
        ),
        "engine.boundaries.alternating:pc_simple",
        NeighbourSides.BOTH_SIDES,
    ),
    AlgorithmDescription(
        "ccmb",
        "CCMB",
        N_("As MMMB, but a neighbour may be found from either side, which keeps interchangeable variables."),
        (
            "Wu, Jiang, Yu, Miao, Chen (2020), Accurate Markov boundary discovery for causal feature "
            "selection, IEEE Transactions on Cybernetics 50:4983-4996"
        ),
        "engine.boundaries.parents_children:max_min",
        NeighbourSides.EITHER_SIDE,
    ),
    AlgorithmDescription(
        "stmb",
        "STMB",
        N_("As IPC-MB, but spouses are searched among all other variables together, not around each child."),
        (
            "Gao, Ji (2017), Efficient Markov blanket discovery and its application, IEEE Transactions on "
            "Cybernetics 47:1169-1179"
        ),
        "engine.boundaries.alternating:stmb",
    ),
    AlgorithmDescription(
        "eemb",
        "EEMB",
        N_(
            "Adds neighbours and spouses together, then removes spouses, then neighbours that "
            "spouses explain."
        ),
        (
            "Wang, Ling, Yu, Wu (2020), Towards efficient and effective discovery of Markov blankets for "
            "feature selection, Information Sciences 509:227-242"
        ),
        "engine.boundaries.alternating:eemb",
    ),
    AlgorithmDescription(
        "bamb",
        "BAMB",
        N_(
            "Finds the spouses of each neighbour as soon as it is added. Both remove members that they "
            "explain."
        ),
        (
            "Ling, Yu, Wang, Liu, Ding, Wu (2019), BAMB: a balanced Markov blanket discovery approach"
            " to feature selection, ACM Transactions on Intelligent Systems and Technology 10:52"
        ),
        "engine.boundaries.alternating:bamb",
    ),
    AlgorithmDescription(
        "grow-shrink",
        "Grow-Shrink",
        N_(
            "Adds every variable that depends on the target given the members, then tests all "
            "again. Does not distinguish neighbours and spouses."
        ),
        "Margaritis, Thrun (1999), Bayesian network induction via local neighborhoods, NIPS 12:505-511",
        "engine.boundaries.iamb:grow_shrink",
        separates_spouses=False,
    ),
    AlgorithmDescription(
        "iamb",
        "IAMB",
        N_(
            "Adds the variable that depends most on the target given the members, then tests all "
            "again. Does not distinguish neighbours and spouses."
        ),
        _IAMB_SOURCE,
        "engine.boundaries.iamb:iamb",
        separates_spouses=False,
    ),
    AlgorithmDescription(
        "inter-iamb",
        "Inter-IAMB",
        N_("As IAMB, but members are tested again after each addition."),
        _IAMB_SOURCE,
        "engine.boundaries.iamb:inter_iamb",
        separates_spouses=False,
    ),
    AlgorithmDescription(
        "fast-iamb",
        "Fast-IAMB",
        N_("As IAMB, but adds as many variables at once as the number of rows allows."),
        (
            "Yaramakala, Margaritis (2005), Speculative Markov blanket discovery for optimal feature "
            "selection, ICDM 2005, 809-812"
        ),
        "engine.boundaries.iamb:fast_iamb",
        separates_spouses=False,
    ),
    AlgorithmDescription(
        "kiamb",
        "KIAMB",
        N_("As IAMB, but adds the best of a random share. Repeated, it finds several boundaries."),
        PENA_SOURCE,
        "engine.boundaries.iamb:kiamb",
        separates_spouses=False,
        options_class="engine.boundaries.options:KiambOptions",
    ),
    AlgorithmDescription(
        "iamb-pairs",
        N_("IAMB with pairs"),
        N_(
            "As IAMB, but continues with pairs that act only together. Reconstructs the resumed "
            "search of WLCMB."
        ),
        WLCMB_SOURCE,
        "engine.boundaries.iamb:iamb_with_pairs",
        separates_spouses=False,
        options_class="engine.boundaries.options:PairOptions",
    ),
    AlgorithmDescription(
        "tlmb",
        N_("TLMB (reconstruction)"),
        N_(
            "Adds the variable that explains most of the target, by kernels and permuted copies "
            "instead of tests. Reconstructed from its abstract."
        ),
        (
            "Wu, Jiang, Zhong, Chen (2020), Tolerant Markov boundary discovery for feature selection, CIKM "
            "2020, 2261-2264"
        ),
        "engine.boundaries.tlmb:tlmb",
        separates_spouses=False,
        options_class="engine.boundaries.options:TlmbOptions",
        needs_rows=True,
    ),
)


def single_algorithms() -> dict[str, AlgorithmDescription]:
    """Return every algorithm that finds one boundary by name, in the order in which they are offered."""
    return {description.name: description for description in _ALGORITHMS}


def single_choices() -> tuple[Choice, ...]:
    """Return the algorithms that find one boundary as choices of a setting."""
    return tuple(Choice(algorithm.name, algorithm.title, algorithm.help) for algorithm in _ALGORITHMS)


def algorithm_choices() -> tuple[Choice, ...]:
    """Return the algorithms that CLCD can build on as choices of a setting."""
    return tuple(
        Choice(algorithm.name, algorithm.title, algorithm.help)
        for algorithm in _ALGORITHMS
        if algorithm.suits_clcd
    )
