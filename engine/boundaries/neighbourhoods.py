"""Marginal screens and neighbour searches of any variable, each made once in a run.

Two effects of the same causes stay dependent in a test that conditions on a sum of curves of these, if the
causes act together, as on a grade that has a highest level. The dependence is weak, and significant with
enough rows. So a member to which a set leaves little is tried once more given that set and its products.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.boundaries.block_graphs import BlockGraph, best_graph, best_graph_without
from engine.boundaries.ranking import strongest_first
from engine.boundaries.score_search import ArrowWorths, price_of_arrows
from engine.boundaries.search import NeighbourSearch, SearchTask, SpouseLink
from engine.boundaries.single_algorithms import NeighbourSides, single_algorithms
from engine.errors import Cancelled
from engine.execution.remembering import BoundedMemory, ComputedOnce
from engine.independence.batch import ask
from engine.independence.data import TestData
from engine.independence.false_discovery import discoveries

if TYPE_CHECKING:
    from engine.boundaries.discovery_settings import DiscoverySettings

# Products are tried where the statistic is at most this share of the rows: what they can explain is weak, and
# what is not can wait for rows that bear it. A test of curves of a degree above three has more than these
# degrees of freedom, and its statistic is larger in proportion.
_LITTLE = 0.01
_DOF_OF_CUBIC_CURVES = 5.0
# They explain a member if they take so much off its statistic too: else the p-value was a close call.
_SHARE_LEFT = 0.75
# Products are of two variables at least.
_SMALLEST_SET = 2
# What a single run keeps: it asks for few tests twice.
_FEW_BYTES = 4e6


@dataclass(frozen=True)
class Marginal:
    """Marginal tests of one variable against all others, by position; the variable itself has 0."""

    statistic: np.ndarray
    log_p: np.ndarray
    unreliable: int  # tests with too few rows for the reliability rules


class Marginals:
    """Marginal tests of one table's variables, kept within a bound; runs at several levels can share one."""

    def __init__(self, most_bytes: float = _FEW_BYTES) -> None:
        self._marginals: BoundedMemory[int, Marginal] = BoundedMemory(
            most_bytes, lambda marginal: marginal.statistic.nbytes * 2.0
        )

    def of(self, data: TestData, target: int, stop: np.ndarray) -> Marginal:
        """Return the tests of one variable."""
        remembered = self._marginals.get(target)
        if remembered is not None:
            return remembered
        marginal = _marginal(data, target, stop)
        self._marginals.put(target, marginal)
        return marginal


def _marginal(data: TestData, target: int, stop: np.ndarray) -> Marginal:
    count = len(data.names)
    others = _all_but(target, count)
    statistic, log_p = np.zeros(count), np.zeros(count)
    answers = data.ask_marginal(target, others, stop)
    if stop[0]:
        raise Cancelled()
    statistic[others], log_p[others] = answers.statistic, answers.log_p
    return Marginal(statistic, log_p, len(others) - int(np.count_nonzero(answers.reliable)))


def _all_but(target: int, count: int) -> np.ndarray:
    """List all of so many variables but one."""
    others = np.arange(count - 1)
    others[target:] += 1
    return others


Indices = tuple[int, ...]
# The target of a screen or a search, and the variables left out.
SearchKey = tuple[int, frozenset[int]]

# Tests, and the unreliable ones among them, of each screen and each search.
Ledger = dict[tuple[str, SearchKey], tuple[int, int]]

_NOTHING = frozenset[int]()


# Plain, and not α: by this level two variables are related closely enough for one to explain the other.
_LOG_LEVEL_OF_RELATION = math.log(0.05)
# Up to so many observations members are confirmed at the level of the search.
_ROWS_AT_ALPHA = 2000.0


def log_level(alpha: float, observations: float) -> float:
    """Return the logarithm of the level at which members are confirmed; it falls with many observations.

    A search is consistent only if the level tends to zero (Kalisch and Bühlmann 2007, JMLR 8:613-636).
    """
    return math.log(alpha) + math.log(min(1.0, _ROWS_AT_ALPHA / observations))


@dataclass(frozen=True)
class Screen:
    """Which variables depend on one in marginal tests; small, as a table may have 100,000 variables."""

    variables: int  # of the table
    tested: int  # variables that the target was tested against
    # significant under the chosen control, strongest first: by log p, statistic, column
    candidates: np.ndarray
    log_p: np.ndarray  # of the candidates
    dependent: np.ndarray  # int32: significant at the plain level of the search, strongest first
    related_bits: np.ndarray  # a bit for each variable: whether it depends at the plain level of 0.05
    unreliable: int = 0  # tests with too few rows for the reliability rules

    @property
    def passed(self) -> np.ndarray:
        """Whether each variable is a candidate: bool of shape (variables,)."""
        passed = np.zeros(self.variables, dtype=bool)
        passed[self.candidates] = True
        return passed

    @property
    def related(self) -> np.ndarray:
        """Positions of the variables that depend at the plain level of 0.05: int64, ascending."""
        return np.flatnonzero(np.unpackbits(self.related_bits, count=self.variables, bitorder="little"))

    def is_related(self, position: int) -> bool:
        """Tell whether a variable depends at the plain level of 0.05."""
        return bool(self.related_bits[position >> 3] >> (position & 7) & 1)


@dataclass(frozen=True)
class Neighbourhood:
    """Parents and children of one variable, and why the others are none."""

    target: int
    members: Indices  # strongest first
    weakest: dict[int, Indices]  # of members: the set that came nearest to separating each, if any was tested
    separators: dict[int, Indices]  # of the other candidates
    tests: int
    unreliable: int  # tests that the reliability rule set aside
    links: tuple[SpouseLink, ...] | None = None  # spouses, where the algorithm looks for them itself
    # Members, or possible spouses, were so many that not all sets of two and more of them were tried.
    is_bounded: bool = False
    by_products: frozenset[int] = frozenset()  # separated only together with the products of their set

    @cached_property
    def member_set(self) -> frozenset[int]:
        """The members, for look-up."""
        return frozenset(self.members)

    def separator(self, position: int) -> Indices:
        """Return the set that separated `position`: empty when it was marginally independent."""
        return self.separators.get(position, ())


class BorneOut(NamedTuple):
    """How much lower the score has to be with an effect before a cause that the effect's regression needs."""

    alone: float  # where nothing else shows it
    connected: float  # where another cause depends on it given the effect
    adds_up: bool  # that regression needs no products
    log_p: float  # of the cause in that regression


class ParentsAmong(NamedTuple):
    """A variable and others around it."""

    variables: Indices
    parents: int


class Neighbourhoods:
    """Screens and neighbourhoods under one settings object, shared by everything that needs them."""

    def __init__(
        self,
        data: TestData,
        settings: DiscoverySettings,
        stop: np.ndarray,
        marginals: Marginals | None = None,
    ) -> None:
        self.data = data
        self.settings = settings
        self.stop = stop
        self._algorithm = single_algorithms()[settings.algorithm]
        self._marginals = marginals or Marginals()
        self._screens: ComputedOnce[SearchKey, Screen] = ComputedOnce(
            lambda screen: (screen.tested, screen.unreliable)
        )
        self._searches: ComputedOnce[SearchKey, Neighbourhood] = ComputedOnce(
            lambda search: (search.tests, search.unreliable)
        )
        self._by_algorithm: ComputedOnce[str, Neighbourhoods] = ComputedOnce()
        self._block_graph: ComputedOnce[str, BlockGraph | None] = ComputedOnce()
        self.causes: ComputedOnce[ParentsAmong, dict[int, BorneOut]] = ComputedOnce()
        # The latest tier that is searched among; 0 where all are.
        self._latest = 0
        self._up_to: ComputedOnce[int, Neighbourhoods] = ComputedOnce()

    def seen_from(self, target: int) -> Neighbourhoods:
        """Return the neighbourhoods among what is not later than a variable; all without a time order."""
        latest = 0 if self.data.tiers is None else int(self.data.tiers[target])
        return self if latest == self._latest else self._up_to.value(latest, self._seen_up_to)

    def _seen_up_to(self, latest: int) -> Neighbourhoods:
        view = copy(self)
        for name in ("variables", "arrow_worths"):
            vars(view).pop(name, None)
        view._latest = latest
        view._by_algorithm, view._up_to = ComputedOnce(), ComputedOnce()
        view._block_graph = ComputedOnce()
        return view

    def is_later(self, first: int, second: int) -> bool:
        """Tell whether the first is later than the second, where a time order is heeded."""
        tiers = self.data.tiers
        return tiers is not None and bool(tiers[first] > tiers[second] > 0)

    def _later(self, target: int) -> frozenset[int]:
        """List what is left out of the search around a variable: what is later than it, or than all here."""
        tiers = self.data.tiers
        if tiers is None:
            return _NOTHING
        bounds = [tier for tier in (int(tiers[target]), self._latest) if tier]
        return frozenset(np.flatnonzero(tiers > min(bounds)).tolist()) if bounds else _NOTHING

    def using(self, algorithm: str) -> Neighbourhoods:
        """Return the neighbourhoods that another algorithm finds in the same data; screens are shared."""
        if algorithm == self.settings.algorithm:
            return self
        return self._by_algorithm.value(algorithm, self._make_other)

    def _make_other(self, algorithm: str) -> Neighbourhoods:
        neighbourhoods = Neighbourhoods(
            self.data, replace(self.settings, algorithm=algorithm), self.stop, self._marginals
        )
        neighbourhoods._screens, neighbourhoods._latest = self._screens, self._latest
        return neighbourhoods

    @cached_property
    def variables(self) -> tuple[int, ...]:
        """Positions of the variables that are searched among."""
        everyone = range(len(self.data.names))
        if not self._latest:
            return tuple(everyone)
        assert self.data.tiers is not None
        return tuple(position for position in everyone if self.data.tiers[position] <= self._latest)

    def without(self, left_out: frozenset[int], centre: int) -> Neighbourhoods:
        """Return the neighbourhoods in the table without some variables, around one that is left."""
        return _NeighbourhoodsWithout(self, centre, left_out)

    def screen(self, target: int) -> Screen:
        """Return which variables depend on `target` with nothing held fixed."""
        return self._screens.value((target, self._later(target)), self._make_screen)

    def _search(self, target: int, without: frozenset[int] = frozenset()) -> Neighbourhood:
        """Return what the algorithm finds around `target`, whatever the searches of others say."""
        return self._searches.value((target, without | self._later(target)), self._make_search)

    @cached_property
    def arrow_worths(self) -> ArrowWorths:
        """What arrows add to the score of a graph; copies of a column count as one variable."""
        different = int(np.count_nonzero(self.data.is_original[list(self.variables)]))
        return ArrowWorths(self.data, price_of_arrows(different, self.settings.alpha), self.stop)

    def block_graph(self, target: int) -> BlockGraph | None:
        """Return the best graph by a score of blocks, with one of several copies; None if given up."""
        graph = self._block_graph.value("", self._make_block_graph)
        if graph is None or target in graph.parents:
            return graph
        originals = self.data.originals
        (copy,) = (variable for variable in graph.variables if originals[variable] == originals[target])
        return graph.standing_for(target, copy)

    def _make_block_graph(self, _: str) -> BlockGraph | None:
        assert self.data.block_fits is not None
        inside = np.array(self.variables, dtype=np.int64)
        first = np.unique(self.data.originals[inside], return_index=True)[1]
        variables = np.sort(inside[first]).tolist()
        return best_graph(self.data.block_fits, self.arrow_worths.price, variables, self.stop)

    def neighbours(self, target: int, without: frozenset[int] = frozenset()) -> Neighbourhood:
        """Return the parents and children of `target` in the table without some variables.

        Where both sides must agree, a member stays only if the search from its side finds the target. An
        earlier variable has no say where a time order is heeded.
        """
        neighbourhood = self._search(target, without)
        if self.settings.symmetry or self._algorithm.agreement is NeighbourSides.BOTH_SIDES:
            return self._agreed(neighbourhood, without)
        if self._algorithm.agreement is NeighbourSides.EITHER_SIDE:
            return self._completed(neighbourhood, without)
        return neighbourhood

    def _agreed(self, neighbourhood: Neighbourhood, without: frozenset[int]) -> Neighbourhood:
        """Take out the members whose own search does not find the target."""
        target = neighbourhood.target
        from_their_side = {
            member: self._search(member, without)
            for member in neighbourhood.members
            if not self.is_later(target, member)
        }
        lost = {
            member: from_member
            for member, from_member in from_their_side.items()
            if target not in from_member.member_set
        }
        return replace(
            neighbourhood,
            members=tuple(member for member in neighbourhood.members if member not in lost),
            separators=neighbourhood.separators
            | {member: from_member.separator(target) for member, from_member in lost.items()},
            by_products=neighbourhood.by_products.union(
                member for member, from_member in lost.items() if target in from_member.by_products
            ),
        )

    def _completed(self, neighbourhood: Neighbourhood, without: frozenset[int]) -> Neighbourhood:
        """Add the candidates whose own search finds the target."""
        target = neighbourhood.target
        from_their_side = {
            candidate: self._search(candidate, without)
            for candidate in self.screen(target).candidates.tolist()
            if candidate not in neighbourhood.member_set
            and candidate not in without
            and not self.is_later(target, candidate)
        }
        joining = {
            candidate: from_candidate
            for candidate, from_candidate in from_their_side.items()
            if target in from_candidate.member_set
        }
        weakest = {
            candidate: from_candidate.weakest[target]
            for candidate, from_candidate in joining.items()
            if target in from_candidate.weakest
        }
        return replace(
            neighbourhood,
            members=(*neighbourhood.members, *joining),
            weakest=neighbourhood.weakest | weakest,
            separators={
                candidate: given
                for candidate, given in neighbourhood.separators.items()
                if candidate not in joining
            },
            by_products=neighbourhood.by_products.difference(joining),
        )

    @property
    def tests_made(self) -> tuple[int, int]:
        """Tests that finished screens and searches needed, and the unreliable ones among them."""
        tests, unreliable = zip(self._screens.sums, self._searches.sums, strict=True)
        return sum(tests), sum(unreliable)

    def noted(self) -> Neighbourhoods:
        """Return a view that shares what is found here, and whose ledger holds only what was asked of it."""
        return _NotedNeighbourhoods(self)

    @property
    def ledger(self) -> Ledger:
        """What each finished screen and search needed."""
        screens: Ledger = {
            ("screen", key): (screen.tested, screen.unreliable)
            for key, screen in self._screens.finished_by_key().items()
        }
        searches: Ledger = {
            ("search", key): (search.tests, search.unreliable)
            for key, search in self._searches.finished_by_key().items()
        }
        return screens | searches

    @property
    def most_dof(self) -> float:
        """Most nominal degrees of freedom that the rows bear in a test given three or more variables.

        With more, a test hides members rather than explaining false ones away. The published procedure has no
        such bound.
        """
        if not self.settings.is_controlled or self.settings.large_set_rows == 0.0:
            return np.inf
        return max(1.0, self.data.observations / self.settings.large_set_rows)

    def check_stop(self) -> None:
        """Raise Cancelled when the run was stopped, so that no half-made result is used."""
        if self.stop[0]:
            raise Cancelled()

    def _make_screen(self, key: SearchKey) -> Screen:
        target, left_out = key
        marginal = self.marginal(target)
        log_p = marginal.log_p
        others = _all_but(target, log_p.size)
        if left_out:
            others = others[~np.isin(others, list(left_out))]
        positions = others[discoveries(log_p[others], self.settings.alpha, self.settings.false_discovery)]
        candidates = positions[_strongest_first(positions, log_p, marginal.statistic)]
        dependent = others[log_p[others] < math.log(self.settings.alpha)]
        dependent = dependent[_strongest_first(dependent, log_p, marginal.statistic)].astype(np.int32)
        is_related = log_p < _LOG_LEVEL_OF_RELATION
        is_related[list(left_out)] = False
        related = np.packbits(is_related, bitorder="little")
        return Screen(
            log_p.size, len(others), candidates, log_p[candidates], dependent, related, marginal.unreliable
        )

    def marginal(self, target: int) -> Marginal:
        """Return the tests of `target` against every variable, nothing held fixed."""
        return self._marginals.of(self.data, target, self.stop)

    def _everyone(self, target: int, without: frozenset[int]) -> np.ndarray:
        """List all variables but some, the strongest first."""
        marginal = self.marginal(target)
        allowed = np.delete(np.arange(marginal.log_p.size), [target, *without])
        strongest_first: np.ndarray = allowed[_strongest_first(allowed, marginal.log_p, marginal.statistic)]
        return strongest_first

    def _make_search(self, key: SearchKey) -> Neighbourhood:
        target, without = key
        searched = self._algorithm.load()(self.task(target, without))
        self.check_stop()
        neighbourhood = _neighbourhood(target, searched)
        if neighbourhood.links is not None:
            # What is earlier is no effect, so that it connects no other cause.
            links = tuple(link for link in neighbourhood.links if not self.is_later(target, link.child))
            neighbourhood = replace(neighbourhood, links=links)
        return self._without_explained(neighbourhood) if self.settings.is_controlled else neighbourhood

    def _without_explained(self, neighbourhood: Neighbourhood) -> Neighbourhood:
        """Take out the members that products of what is conditioned on explain."""
        if neighbourhood.links is not None:
            return neighbourhood
        explained, tests = explained_by_products(
            self.data,
            self.settings.alpha,
            neighbourhood.target,
            neighbourhood.members,
            neighbourhood.weakest,
            self.stop,
        )
        self.check_stop()
        return replace(
            neighbourhood,
            members=tuple(member for member in neighbourhood.members if member not in explained),
            weakest={
                member: given for member, given in neighbourhood.weakest.items() if member not in explained
            },
            separators=neighbourhood.separators | explained,
            tests=neighbourhood.tests + tests,
            by_products=frozenset(explained),
        )

    def task(self, target: int, without: frozenset[int] = frozenset(), options: Any = None) -> SearchTask:
        """Make the task of a search around `target` in the table without some variables."""
        screen = self.screen(target)
        left = ~np.isin(screen.candidates, list(without)) if without else slice(None)
        return SearchTask(
            data=self.data,
            target=target,
            candidates=screen.candidates[left],
            log_p=screen.log_p[left],
            list_everyone=partial(self._everyone, target, without),
            alpha=self.settings.alpha,
            false_discovery=self.settings.false_discovery,
            max_conditioning=self.settings.max_conditioning,
            most_dof=self.most_dof,
            stop=self.stop,
            options=options,
        )


class _NotedNeighbourhoods(Neighbourhoods):
    """A view of others that notes what was asked of it."""

    def __init__(self, source: Neighbourhoods) -> None:
        super().__init__(source.data, source.settings, source.stop, source._marginals)
        self._source = source
        self.causes = source.causes

    def _seen_up_to(self, latest: int) -> Neighbourhoods:
        view = super()._seen_up_to(latest)
        assert isinstance(view, _NotedNeighbourhoods)
        view._source = self._source._up_to.value(latest, self._source._seen_up_to)
        return view

    @cached_property
    def arrow_worths(self) -> ArrowWorths:
        """Those of the others: what was asked of them is not in the ledger."""
        return self._source.arrow_worths

    def block_graph(self, target: int) -> BlockGraph | None:
        """Return that of the others."""
        return self._source.block_graph(target)

    def _make_screen(self, key: SearchKey) -> Screen:
        return self._source.screen(key[0])

    def _make_search(self, key: SearchKey) -> Neighbourhood:
        # Every search rests on the screen of its target.
        self.screen(key[0])
        return self._source._search(*key)


class _NeighbourhoodsWithout(Neighbourhoods):
    """The neighbourhoods around one variable in a table from which some others are left out.

    What is significant is found anew, as that depends on how many variables are tested.
    """

    def __init__(self, source: Neighbourhoods, centre: int, left_out: frozenset[int]) -> None:
        super().__init__(source.data, source.settings, source.stop, source._marginals)
        self._source = source
        self._latest = source._latest
        self._centre = centre
        self._left_out = left_out
        self.causes = source.causes

    @cached_property
    def variables(self) -> tuple[int, ...]:
        """Positions of the variables that are left."""
        return tuple(variable for variable in self._source.variables if variable not in self._left_out)

    @cached_property
    def arrow_worths(self) -> ArrowWorths:
        """Those of the whole table."""
        return self._source.arrow_worths

    def block_graph(self, target: int) -> BlockGraph | None:
        """Return that of the whole table where what is left out is in no boundary, and else a better one."""
        assert target == self._centre
        return self._block_graph.value("", self._make_block_graph)

    def _make_block_graph(self, _: str) -> BlockGraph | None:
        target = self._centre
        graph = self._source.block_graph(target)
        if graph is None:
            return None
        # Of copies one is in the graph, and those that are not left out stand for those that are.
        originals = self.data.originals
        for variable in graph.variables:
            if variable in self._left_out:
                copies = (copied for copied in self.variables if originals[copied] == originals[variable])
                stand_in = next(copies, None)
                graph = graph if stand_in is None else graph.standing_for(stand_in, variable)
        if self._left_out.isdisjoint(graph.boundary(target)):
            return graph.without(self._left_out)
        return best_graph_without(graph, self._left_out, target, self.stop)

    def using(self, algorithm: str) -> Neighbourhoods:
        """Return the neighbourhoods that another algorithm finds in the table without these variables."""
        if algorithm == self.settings.algorithm:
            return self
        return self._source.using(algorithm).without(self._left_out, self._centre)

    def _left_out_of(self, target: int) -> frozenset[int]:
        """List what is left out of the search around a variable."""
        needs_both = self.settings.symmetry or self._algorithm.agreement is not NeighbourSides.OWN_SIDE
        return self._left_out if needs_both or target == self._centre else self._left_out | {self._centre}

    def _make_screen(self, key: SearchKey) -> Screen:
        target, later = key
        whole, left_out = self._source.screen(target), self._left_out_of(target) - {target}
        stays = ~np.isin(whole.candidates, list(left_out))
        # What was not significant among more variables counts as telling nothing.
        log_p = np.zeros(whole.tested - len(left_out - later))
        log_p[: np.count_nonzero(stays)] = whole.log_p[stays]
        discovered = discoveries(log_p, self.settings.alpha, self.settings.false_discovery)
        chosen = np.flatnonzero(stays)[discovered[: np.count_nonzero(stays)]]
        related = np.unpackbits(whole.related_bits, count=whole.variables, bitorder="little")
        related[list(left_out)] = 0
        return replace(
            whole,
            candidates=whole.candidates[chosen],
            log_p=whole.log_p[chosen],
            dependent=whole.dependent[~np.isin(whole.dependent, list(left_out))],
            related_bits=np.packbits(related, bitorder="little"),
        )

    def _make_search(self, key: SearchKey) -> Neighbourhood:
        target, without = key
        in_whole = self._source.screen(target).candidates.tolist()
        insignificant = frozenset(in_whole).difference(self.screen(target).candidates.tolist())
        return self._source._search(target, without | self._left_out_of(target) | insignificant)


def _strongest_first(positions: np.ndarray, log_p: np.ndarray, statistic: np.ndarray) -> np.ndarray:
    """Order variables by log p, then statistic, then column."""
    return strongest_first(log_p[positions], statistic[positions], positions)


def _neighbourhood(target: int, search: NeighbourSearch) -> Neighbourhood:
    state = search.state
    inside = np.array(search.members, dtype=np.int64)
    members = state.candidates[inside]
    separators = _sets(state.candidates, state.separators, state.separator_sizes)
    return Neighbourhood(
        target,
        tuple(members.tolist()),
        _sets(members, state.weakest[inside], state.weakest_sizes[inside]),
        separators | dict(search.separators),
        search.tests,
        search.unreliable,
        search.links,
        search.is_bounded,
    )


def _sets(variables: np.ndarray, sets: np.ndarray, sizes: np.ndarray) -> dict[int, Indices]:
    """Return the set that is noted for each variable, for those that have one."""
    noted = zip(variables.tolist(), sets.tolist(), sizes.tolist(), strict=True)
    return {variable: tuple(members[:size]) for variable, members, size in noted if size >= 0}


def loses_to_products(data: TestData, first: int, second: int, given: Indices, statistic: float) -> bool:
    """Tell whether products of a set take much off the statistic that it leaves of two variables."""
    if len(given) < _SMALLEST_SET:
        return False
    answer = data.test_with_products(first, second, given)
    return answer is None or answer[0] <= _SHARE_LEFT * statistic


def explained_by_products(
    data: TestData,
    alpha: float,
    target: int,
    members: Sequence[int],
    weakest: Mapping[int, Indices],
    stop: np.ndarray,
) -> tuple[dict[int, Indices], int]:
    """Return the members that a set of others, with its products, separates from a target, and the tests."""
    tried = [candidate for candidate in members if len(weakest.get(candidate, ())) >= _SMALLEST_SET]
    if not tried or not data.bears_products:
        return {}, 0
    answers = ask(data, [(target, candidate, weakest[candidate]) for candidate in tried], stop)
    explained: dict[int, Indices] = {}
    tests = len(tried)
    for place in np.argsort(answers.statistic, kind="stable").tolist():
        statistic, member = float(answers.statistic[place]), tried[place]
        little = _LITTLE * max(1.0, float(answers.dof[place]) / _DOF_OF_CUBIC_CURVES) * data.observations
        if stop[0]:
            break
        if statistic > little or not explained.keys().isdisjoint(weakest[member]):
            continue
        answer = data.test_with_products(target, member, weakest[member])
        tests += 1
        if answer is None or answer[0] > _SHARE_LEFT * statistic:
            continue
        if float(data.log_p_values(*(np.array([number]) for number in answer))[0]) > math.log(alpha):
            explained[member] = weakest[member]
    return explained, tests
