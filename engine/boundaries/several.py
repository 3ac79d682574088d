"""Several Markov boundaries of one target: TIE*, WLCMB, and KIAMB again and again.

By contraction, a set tells everything when the target is independent, given it, of what it lacks of a
set that does (Pearl 1988, Probabilistic Reasoning in Intelligent Systems, section 3.1).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.boundaries.markov_boundary import (
    MarkovBoundaries,
    MarkovBoundary,
    checked_options,
    data_around,
    description_of,
    find_boundary,
)
from engine.boundaries.options import KiambOptions, PairOptions
from engine.boundaries.ranking import strongest_first
from engine.boundaries.single_algorithms import (
    PENA_SOURCE,
    WLCMB_SOURCE,
    AlgorithmDescription,
    single_algorithms,
    single_choices,
)
from engine.errors import Cancelled, InvalidParameter
from engine.execution.workers import run_all
from engine.parameters import Settings, parameter, repeated_parameter, watched
from engine.progress import Progress, ProgressEvent
from engine.translation import N_, _
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.table.dataset import Dataset


SEARCHING = N_("Looking for further boundaries")


@dataclass(frozen=True, slots=True)
class SearchBounds(Settings):
    """Where a search of several boundaries ends before its own end."""

    max_boundaries: int | None = parameter(
        1000,
        N_("Most boundaries"),
        N_("The search ends after this many boundaries. If empty, there is no limit."),
        minimum=1,
    )
    max_searches: int | None = parameter(
        10_000,
        N_("Most searches"),
        N_("The search ends after this many sets of variables. If empty, there is no limit."),
        minimum=1,
    )
    max_seconds: float | None = parameter(
        None,
        N_("Most seconds"),
        N_("No further set is tried after this time. The result then depends on the computer."),
        minimum=0.0,
    )


@dataclass(frozen=True, slots=True)
class TieStarOptions(SearchBounds):
    """How TIE* looks for further boundaries."""

    single: str = parameter(
        "hiton-mb-semi",
        N_("Single search"),
        N_("Algorithm that finds one boundary among the remaining variables."),
        choices=single_choices,
    )
    max_removed: int | None = parameter(
        None,
        N_("Largest removal"),
        N_("The largest number of variables left out together. If empty, there is no limit."),
        minimum=1,
    )


@dataclass(frozen=True, slots=True)
class WlcmbOptions(SearchBounds):
    """How WLCMB looks for boundaries."""

    among: int = repeated_parameter(PairOptions, "among")
    max_removed: int | None = repeated_parameter(TieStarOptions, "max_removed")


@dataclass(frozen=True, slots=True)
class RepeatedKiambOptions(SearchBounds):
    """How often KIAMB runs, and how it draws."""

    repeats: int = parameter(
        50, N_("Repeats"), N_("How often the search runs, each time with other random draws."), minimum=1
    )
    share: float = repeated_parameter(KiambOptions, "share")
    seed: int = repeated_parameter(KiambOptions, "seed")


_SEVERAL = (
    AlgorithmDescription(
        "tie-star",
        "TIE*",
        N_(
            "Lists several boundaries: searches again without some members of known boundaries, and "
            "keeps sets with the same information."
        ),
        (
            "Statnikov, Lytkin, Lemeire, Aliferis (2013), Algorithms for discovery of multiple Markov "
            "boundaries, JMLR 14:499-566"
        ),
        "engine.boundaries.several:tie_star",
        separates_spouses=False,
        options_class="engine.boundaries.several:TieStarOptions",
        finds_several=True,
    ),
    AlgorithmDescription(
        "kiamb-repeated",
        N_("KIAMB, repeated"),
        N_("Lists several boundaries by random draws; cannot show that the list is complete."),
        PENA_SOURCE,
        "engine.boundaries.several:repeated_kiamb",
        separates_spouses=False,
        options_class="engine.boundaries.several:RepeatedKiambOptions",
        finds_several=True,
    ),
    AlgorithmDescription(
        "wlcmb",
        N_("WLCMB (reconstruction)"),
        N_(
            "Lists several boundaries as TIE* does, also of variables that act only in pairs; reconstructed "
            "from its abstract."
        ),
        WLCMB_SOURCE,
        "engine.boundaries.several:wlcmb",
        separates_spouses=False,
        options_class="engine.boundaries.several:WlcmbOptions",
        finds_several=True,
    ),
)


def algorithms() -> dict[str, AlgorithmDescription]:
    """Return all Markov boundary algorithms by name, in the order shown to people.

    Examples
    --------
    >>> algorithms()["hiton-mb"].title
    'HITON-MB'
    """
    return {**single_algorithms(), **{description.name: description for description in _SEVERAL}}


Report = Callable[[int, int, int], None]


class Collection:
    """Boundaries of one target in the making; `report` gets the searches made and planned, and the tests."""

    def __init__(self, search: Neighbourhoods, target: int, bounds: SearchBounds, report: Report) -> None:
        self.search = search
        self.target = target
        self.is_complete = True
        self._bounds = bounds
        self._report = report
        self._started = time.monotonic()
        self._searches = 0
        self._tests = 0
        self._found: dict[frozenset[int], MarkovBoundary] = {}

    @property
    def sets(self) -> list[frozenset[int]]:
        """Positions of the members of each boundary, first found first."""
        return list(self._found)

    def may_go_on(self, planned: int) -> bool:
        """Tell whether another search is within the bounds; if not, the collection is incomplete."""
        bounds = self._bounds
        seconds = time.monotonic() - self._started
        within = (
            (bounds.max_boundaries is None or len(self._found) < bounds.max_boundaries)
            and (bounds.max_searches is None or self._searches < bounds.max_searches)
            and (bounds.max_seconds is None or not self._found or seconds < bounds.max_seconds)
        )
        if within:
            self._report(self._searches, self._searches + planned, self._tests)
        else:
            self.is_complete = False
        return within

    def find(
        self, algorithm: str, options: object | None = None, without: frozenset[int] = frozenset()
    ) -> tuple[MarkovBoundary, frozenset[int]]:
        """Search a boundary, not yet part of the collection, and the positions of its members."""
        boundary = find_boundary(self.search, self.target, algorithm, options, without)
        self._searches += 1
        self._tests += boundary.tests_made
        return boundary, frozenset(self.search.data.positions[name] for name in boundary.members)

    def count_tests(self, tests: int) -> None:
        """Take note of tests that were made besides the searches."""
        self._tests += tests

    def add(self, boundary: MarkovBoundary, members: frozenset[int]) -> None:
        """Take a boundary in, unless it was found before."""
        self._found.setdefault(members, boundary)

    def result(self) -> MarkovBoundaries:
        """Return what was found so far, without sets that a smaller one of them shows to be no boundaries."""
        minimal = [
            boundary
            for members, boundary in self._found.items()
            if not any(smaller < members for smaller in self._found)
        ]
        return MarkovBoundaries(
            target=self.search.data.names[self.target],
            boundaries=tuple(minimal),
            is_complete=self.is_complete,
            tests_made=self._tests,
        )


# With fewer rows per degree of freedom the chi-squared distribution no longer holds (as in CausalFS and
# Causal Explorer), and nearly everything passes for independent.
_ROWS_PER_DOF = 5


def can_stand_in(
    search: Neighbourhoods, target: int, stand_in: frozenset[int], boundary: frozenset[int]
) -> tuple[bool, int]:
    """Tell whether a set of variables can stand in for a Markov boundary that is known.

    Where the rows suffice, one test is of all that the set lacks; otherwise each lacking variable must be
    separated by some of the set.
    """
    from engine.boundaries.separators import separation
    from engine.independence.batch import ask_joint

    lacking, given = tuple(sorted(boundary - stand_in)), tuple(sorted(stand_in))
    if not lacking:
        return True, 0
    if _rows_suffice(search, target, lacking, given):
        joint = ask_joint(search.data, [(target, lacking, given)], search.stop)
        search.check_stop()
        return bool(joint.independent[0]), len(lacking)
    tests = 0
    for variable in lacking:
        looked_for = separation(
            search.data, target, variable, given, search.settings.max_conditioning, search.stop
        )
        tests += looked_for.tests
        if not looked_for.is_found:
            return False, tests
    return True, tests


def _rows_suffice(
    search: Neighbourhoods, target: int, lacking: tuple[int, ...], given: tuple[int, ...]
) -> bool:
    """Tell whether a joint test has enough rows; what has no levels costs a row a variable."""
    from engine.independence.batch import chain_of_tests

    data = search.data
    dof = sum(data.nominal_dof(*link) for link in chain_of_tests((target, lacking, given)))
    return data.observations >= _ROWS_PER_DOF * dof + len(given) + len(lacking)


def tie_star(collection: Collection, options: TieStarOptions) -> None:
    """Run TIE*: search again without members of the known boundaries (Statnikov et al. 2013, Figure 8).

    The sets to leave out are those of a hitting set tree (Reiter 1987, Artificial Intelligence 32:57-95), as
    an unknown boundary lacks some member of each known one.
    """
    list_boundaries(collection, options.single, None, options.max_removed)


def list_boundaries(
    collection: Collection, single: str, options: object | None, max_removed: int | None
) -> None:
    """Find boundaries with growing sets of variables left out, wherever no known boundary is still whole.

    If the result is not equivalent to the first boundary, the variables left out are irreplaceable
    together.
    """
    first, members = collection.find(single, options)
    collection.add(first, members)
    queue = _Queue(collection, max_removed)
    queue.grow(frozenset(), members)
    for removed in queue:
        whole = next((boundary_set for boundary_set in collection.sets if not boundary_set & removed), None)
        if whole is None:
            if not collection.may_go_on(len(queue) + 1):
                return
            boundary, whole = collection.find(single, options, without=removed)
            if not _can_stand_in(collection, whole, members):
                queue.close(removed)
                continue
            collection.add(boundary, whole)
        queue.grow(removed, whole)
    collection.is_complete &= queue.is_complete


class _Queue:
    """Sets of variables to leave out: smaller ones first, then those strongly associated with the target."""

    def __init__(self, collection: Collection, largest: int | None) -> None:
        marginal = collection.search.marginal(collection.target)
        positions = np.arange(len(marginal.log_p))
        order = strongest_first(marginal.log_p, marginal.statistic, positions)
        self._rank = {int(position): rank for rank, position in enumerate(order)}
        self._largest = largest
        self._waiting: list[tuple[int, list[int], frozenset[int]]] = []
        self._seen: set[frozenset[int]] = set()
        self._closed: list[frozenset[int]] = []
        self.is_complete = True

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[frozenset[int]]:
        """Return the sets until none is left; more may be added meanwhile."""
        while self._waiting:
            removed = heappop(self._waiting)[2]
            if not any(closed <= removed for closed in self._closed):
                yield removed

    def grow(self, removed: frozenset[int], whole: frozenset[int]) -> None:
        """Add the sets that leave out, besides some variables, one of a boundary that is still whole."""
        if self._largest is not None and len(removed) >= self._largest:
            self.is_complete &= not whole
            return
        for member in whole:
            larger = removed | {member}
            if larger not in self._seen:
                self._seen.add(larger)
                ranks = sorted(self._rank[left_out] for left_out in larger)
                heappush(self._waiting, (len(larger), ranks, larger))

    def close(self, removed: frozenset[int]) -> None:
        """Leave out neither these variables together again nor any larger set."""
        self._closed.append(removed)


def wlcmb(collection: Collection, options: WlcmbOptions) -> None:
    """Run WLCMB: list boundaries by a search that goes on with pairs (Liu and Liu 2016). A reconstruction.

    By the paper of CLCD (section 2) it is in essence an instance of TIE*, which lists the boundaries here.
    """
    list_boundaries(collection, "iamb-pairs", PairOptions(options.among), options.max_removed)


def repeated_kiamb(collection: Collection, options: RepeatedKiambOptions) -> None:
    """Run KIAMB repeatedly (Peña et al. 2007, section 4); each boundary must be equivalent to IAMB's."""
    collection.is_complete = False
    first, reference = _find(collection, KiambOptions(share=1.0))
    collection.add(first, reference)
    for repeat, drawn in enumerate(np.random.default_rng(options.seed).integers(2**32, size=options.repeats)):
        if not collection.may_go_on(options.repeats - repeat):
            return
        boundary, members = _find(collection, KiambOptions(share=options.share, seed=int(drawn)))
        if _can_stand_in(collection, members, reference):
            collection.add(boundary, members)


def _find(collection: Collection, options: KiambOptions) -> tuple[MarkovBoundary, frozenset[int]]:
    """Run KIAMB once, and remove, last come first, each member that the others make redundant."""
    boundary, members = collection.find("kiamb", options)
    positions = collection.search.data.positions
    remaining = list(boundary.undivided)
    for name in reversed(boundary.undivided):
        without = members - {positions[name]}
        if _can_stand_in(collection, without, members):
            members = without
            remaining.remove(name)
    return replace(boundary, undivided=tuple(remaining)), members


def _can_stand_in(collection: Collection, stand_in: frozenset[int], boundary: frozenset[int]) -> bool:
    stands_in, tests = can_stand_in(collection.search, collection.target, stand_in, boundary)
    collection.count_tests(tests)
    return stands_in


def markov_boundaries(
    dataset: Dataset,
    target: str,
    settings: DiscoverySettings | None = None,
    *,
    algorithm: str = "tie-star",
    options: object | None = None,
    progress: Progress | None = None,
) -> MarkovBoundaries:
    """Find several Markov boundaries of one variable.

    Parameters
    ----------
    dataset : Dataset
        A prepared table. Labels and features are treated alike.
    target : str
        Name of the variable.
    settings : DiscoverySettings, optional
        Test, significance level and largest conditioning set. Default: ``DiscoverySettings()``.
    algorithm : str
        Name of an algorithm in ``engine.algorithms()`` whose ``finds_several`` is true.
    options : object, optional
        Settings of this algorithm only: an instance of its ``options`` class in ``engine.algorithms()``.
    progress : Progress, optional
        Receives the progress, and can stop the search.

    Returns
    -------
    MarkovBoundaries
        After a stop, it holds the boundaries found until then.

    Raises
    ------
    InvalidParameter
        If `target` or `algorithm` does not exist, the algorithm finds a single boundary, or the options
        belong to another algorithm.
    InvalidData
        If a column does not suit the test, or the target is ignored.
    Cancelled
        If the search was stopped before one boundary was found.

    Examples
    --------
    >>> import pandas, engine
    >>> frame = pandas.DataFrame({"x": [0, 0, 1, 1] * 50, "y": [0, 0, 0, 1] * 50})
    >>> dataset = engine.Dataset.from_frame(frame.assign(copy=frame["x"]))
    >>> [each.members for each in engine.markov_boundaries(dataset, "y").boundaries]
    [('x',), ('copy',)]
    """
    from engine.boundaries.discovery_settings import DiscoverySettings
    from engine.boundaries.neighbourhoods import Neighbourhoods

    settings = settings or DiscoverySettings()
    progress = watched(progress)
    data, position = data_around(dataset, target, settings)
    stop = np.zeros(1, dtype=np.uint8)
    search = Neighbourhoods(data, settings, stop)

    def report(finished: int, planned: int, tests: int) -> None:
        progress.report(ProgressEvent(_(SEARCHING), finished, max(planned, 1), tests, target))

    def find(position: int) -> MarkovBoundaries:
        return boundaries_in(search, position, algorithm, options, report)

    # Beside the search it is asked whether to stop, so that a long single search ends too.
    for _position, boundaries in run_all(find, [position], workers=1, progress=progress, stop=stop):
        return boundaries
    raise Cancelled(_("the run was stopped before one boundary was found."))


def boundaries_in(
    search: Neighbourhoods,
    target: int,
    algorithm: str = "tie-star",
    options: object | None = None,
    report: Report = lambda finished, planned, tests: None,
) -> MarkovBoundaries:
    """Find several boundaries of a variable, by position; what `search` finds is kept for further targets."""
    description = description_of(algorithm, algorithms())
    if not description.finds_several:
        several = ", ".join(choice.name for choice in _SEVERAL)
        raise InvalidParameter(
            _("{title} finds a single boundary.", title=description.title),
            place=the_setting("algorithm"),
            remedy=_("Ask for it by engine.markov_boundary, or choose one of: {several}.", several=several),
        )
    chosen: Any = checked_options(description, options)
    collection = Collection(search, target, chosen, report)
    try:
        description.load()(collection, chosen)
    except Cancelled:
        if not collection.sets:
            raise
        collection.is_complete = False
    return collection.result()
