"""Markov boundaries of one target, asked for by name, and what is said of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings, arranged, check_time_order
from engine.boundaries.single_algorithms import AlgorithmDescription, single_algorithms
from engine.errors import InvalidData, InvalidParameter
from engine.parameters import impossible_value, require_type
from engine.table.dataset import Dataset
from engine.translation import _
from engine.wording.sentences import MAKE_A_DATASET, MAKE_LABEL_OR_FEATURE, choose_one
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.independence.data import TestData


class LinkKind(StrEnum):
    """How a feature is linked to a label."""

    DIRECT = "direct"
    """In the label's Markov boundary among all variables: the paper's causal variables."""

    THROUGH_LABELS = "through labels"
    """Only in its Markov boundary among the features alone: other labels explain the link."""


@dataclass(frozen=True, slots=True)
class MarkovBoundary:
    """Markov boundary of one target: its neighbours and its spouses."""

    target: str
    parents_children: tuple[str, ...]  # direct causes and direct effects, strongest first
    # other causes of effects, each with every child
    spouses: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tests_made: int = 0
    undivided: tuple[str, ...] = ()  # members not told to be neighbours or spouses

    @property
    def members(self) -> tuple[str, ...]:
        """All members: neighbours, then spouses, then those that are not told apart."""
        return self.parents_children + tuple(self.spouses) + self.undivided


@dataclass(frozen=True, slots=True)
class MarkovBoundaries:
    """Several Markov boundaries of one target, which carry the same information about it.

    Attributes
    ----------
    target : str
        The variable to which the boundaries belong.
    boundaries : tuple of MarkovBoundary
        The boundaries in the order in which they were found. None contains another one.
    is_complete : bool
        Whether the search ended by itself, without a stop or a bound on number, searches or time.
    tests_made : int
        Number of conditional-independence tests, including those of unsuccessful searches.

    Examples
    --------
    >>> one = MarkovBoundary("T", ("A", "B"))
    >>> MarkovBoundaries("T", (one, MarkovBoundary("T", ("A", "C")))).members
    ('A', 'B', 'C')
    """

    target: str
    boundaries: tuple[MarkovBoundary, ...]
    is_complete: bool = True
    tests_made: int = 0

    @property
    def members(self) -> tuple[str, ...]:
        """Every variable that is in some boundary, each once."""
        return tuple(dict.fromkeys(name for boundary in self.boundaries for name in boundary.members))


def markov_boundary(
    dataset: Dataset,
    target: str,
    settings: DiscoverySettings | None = None,
    *,
    algorithm: str | None = None,
    options: object | None = None,
) -> MarkovBoundary:
    """Find one Markov boundary of one variable.

    Parameters
    ----------
    dataset : Dataset
        A prepared table. Labels and features are treated alike.
    target : str
        Name of the variable.
    settings : DiscoverySettings, optional
        Algorithm, test and significance level. Default: ``DiscoverySettings()``.
    algorithm : str, optional
        Name of an algorithm in ``engine.algorithms()`` that finds a single boundary, whether or not it
        distinguishes neighbours from spouses. Default: that of `settings`.
    options : object, optional
        Settings of this algorithm only: an instance of its ``options`` class in ``engine.algorithms()``.

    Returns
    -------
    MarkovBoundary
        The boundary, with the tests behind it.

    Raises
    ------
    InvalidParameter
        If `target` or `algorithm` does not exist, the algorithm lists several boundaries, or the options
        belong to another algorithm.
    InvalidData
        If a column does not suit the test, or the target is ignored.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> engine.markov_boundary(network.dataset, network.dataset.labels[0]).target
    'L1'
    >>> engine.markov_boundary(network.dataset, "L1", algorithm="iamb").parents_children
    ()
    """
    settings = DiscoverySettings() if settings is None else settings
    data, position = data_around(dataset, target, settings)
    return boundary_in(data, position, settings, algorithm, options)


def data_around(dataset: Dataset, target: str, settings: DiscoverySettings) -> tuple[TestData, int]:
    """Arrange a dataset for the tests of some settings, and give the position of the target."""
    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    require_type(settings, DiscoverySettings, "settings")
    # One variable is searched around without background knowledge.
    check_time_order(settings, None)
    dataset.index(target)
    data = arranged(dataset, settings)
    if target not in data.positions:
        raise InvalidData(
            _("it is ignored."), place=_("column '{target}'", target=target), remedy=_(MAKE_LABEL_OR_FEATURE)
        )
    return data, data.positions[target]


def boundary_in(
    data: TestData,
    target: int,
    settings: DiscoverySettings,
    algorithm: str | None = None,
    options: object | None = None,
) -> MarkovBoundary:
    """Find one Markov boundary of a variable of test data, by position."""
    from engine.boundaries.neighbourhoods import Neighbourhoods

    search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8))
    return find_boundary(search, target, algorithm or settings.algorithm, options)


def find_boundary(
    search: Neighbourhoods,
    target: int,
    algorithm: str,
    options: object | None = None,
    without: frozenset[int] = frozenset(),
) -> MarkovBoundary:
    """Find one Markov boundary without some variables; what `search` finds is kept for further searches."""
    description = description_of(algorithm, single_algorithms())
    options = checked_options(description, options)
    if description.separates_spouses:
        return _divided(search.using(description.name), target, without)
    before = search.tests_made[0]
    boundary = description.load()(search.task(target, without, options))
    search.check_stop()
    return MarkovBoundary(
        target=search.data.names[target],
        parents_children=(),
        tests_made=search.tests_made[0] - before + boundary.tests,
        undivided=tuple(search.data.names[member] for member in boundary.members),
    )


def description_of(name: str, descriptions: Mapping[str, AlgorithmDescription]) -> AlgorithmDescription:
    """Return the description of an algorithm; raise when there is none of this name."""
    if name not in descriptions:
        remedy = _(
            "{choice} Several boundaries are listed by engine.markov_boundaries.",
            choice=choose_one(descriptions),
        )
        raise impossible_value(name, the_setting("algorithm"), remedy)
    return descriptions[name]


def checked_options(description: AlgorithmDescription, options: object | None) -> object | None:
    """Return the options, or the defaults; raise when they belong to another algorithm."""
    wanted = description.options
    if options is None:
        return wanted() if wanted else None
    if wanted is None or not isinstance(options, wanted):
        raise InvalidParameter(
            _("{algorithm} does not take {type}.", algorithm=description.title, type=type(options).__name__),
            place=the_setting("options"),
            remedy=_("Use {type}.", type=wanted.__name__) if wanted else _("Leave them out."),
        )
    return options


def _divided(search: Neighbourhoods, target: int, without: frozenset[int]) -> MarkovBoundary:
    """Find neighbours and spouses."""
    from engine.boundaries.spouses import spouse_links

    data = search.data
    before = search.tests_made[0]
    neighbourhood = search.neighbours(target, without)
    # A search that found spouses itself needs no neighbourhoods of children.
    through = neighbourhood.members if neighbourhood.links is None else ()
    children = [search.neighbours(child, without) for child in through]
    links = spouse_links(search, neighbourhood, children)
    spouses: dict[str, frozenset[str]] = {}
    for link in links.links:
        name = data.names[link.spouse]
        spouses[name] = spouses.get(name, frozenset()) | {data.names[link.child]}
    return MarkovBoundary(
        target=data.names[target],
        parents_children=tuple(data.names[member] for member in neighbourhood.members),
        spouses=spouses,
        tests_made=search.tests_made[0] - before + links.tests,
    )
