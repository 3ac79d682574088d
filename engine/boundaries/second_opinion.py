"""A second opinion on the boundary of a variable: what a score of whole graphs makes of what is around it.

A chain of tests drops a weak member by itself: by one test with too few rows, or because of a variable that
leaves again later. A score weighs all arrows together. So a graph is sought that scores well among the
variables around the target: those that depend on it, those that depend on its neighbours in the graph, and
what tells something about either only together with their parents there. What is next to the target in that
graph, and what shares a child with it, is its boundary in the eyes of the score.

A graph also says what is no member. Of two variables that are not next to each other the parents of one, of
any that is no descendant of the other, separate the two (the local Markov property: Lauritzen, Dawid, Larsen
and Leimer 1990, Independence properties of directed Markov fields, Networks 20:491-505). So what tests found
and the graph has not is tried once more given these parents, which may be more than a search tries, and
leaves when they do separate it: where nearly everything depends on nearly everything, and more so the more
rows there are, sets of three variables let too much through.

Local search by scores: Niinimäki and Parviainen (2012), Local structure discovery in Bayesian networks, UAI,
634-643; Gao and Ji (2017), Efficient score-based Markov blanket discovery, International Journal of
Approximate Reasoning 80:277-293. Growing the graph from a target: Gao, Fadnis and Campbell (2017),
Local-to-global Bayesian network structure learning, ICML, PMLR 70:1193-1202.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhood, Neighbourhoods, log_level
from engine.boundaries.ranking import strongest_first
from engine.boundaries.score_search import MOST_PARENTS, Climb, Graph, in_best_order
from engine.boundaries.search import SpouseLink
from engine.independence.batch import Question, ask

# A table with so few columns is weighed whatever depends on what.
FEW_VARIABLES = 200
# In a wider one no more than so many are weighed, as more would take longer than all the rest: where they are
# more, tests have the last word.
MOST_AROUND = 60
# All are weighed that depend on a target or its neighbours; with fewer rows than these, where tests miss
# much, only the most related of each, so that it is asked of nearly every target.
ENOUGH_ROWS = 4000
_MOST_RELATED = 20
# Of the variables outside that tell something about one inside, so many come in at once.
_NEWCOMERS = 3
# Rounds of growth; two or three are usual.
_MOST_ROUNDS = 15


@dataclass(frozen=True)
class Opinion:
    """The boundary of a target in the eyes of the score."""

    # parents, then children, with the other parents given which the arrow was weighed
    neighbours: dict[int, Indices]
    links: tuple[SpouseLink, ...]  # other parents of the children
    # of every variable that was weighed; of several copies of a column one is in it
    parents: dict[int, Indices]
    tests: int
    # as in `BlockGraph`, where the graph is one of blocks
    margins: dict[tuple[int, int], float] = field(default_factory=dict)

    @property
    def boundary(self) -> set[int]:
        """Neighbours and spouses."""
        return {*self.neighbours, *(link.spouse for link in self.links)}


def is_asked(search: Neighbourhoods) -> bool:
    """Tell whether the score is asked at all: where findings are controlled and the test bears it."""
    return search.data.is_likelihood_ratio and _may_be_asked(search)


def _may_be_asked(search: Neighbourhoods) -> bool:
    settings = search.settings
    return settings.is_controlled and settings.max_conditioning > 1 and not settings.symmetry


def with_second_opinion(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    stand_ins: frozenset[int] = frozenset(),
    apart: frozenset[int] = frozenset(),
) -> tuple[Neighbourhood, list[SpouseLink], int]:
    """Add what the score finds to what tests found, and take out what tests deny given the score's graph.

    Of neighbours in the graph, the set given which each was weighed stands for the one that came nearest to
    separating it. The separating sets of what left are noted. All is as it was where too many variables are
    around the target. Links are without those to what is a neighbour now or left, and with those in the
    graph. `stand_ins` are shown to tell the same as a neighbour: no more than a copy of it do they join, nor
    do they speak against it. Also returns the tests made.
    """
    opinion = None
    if not _is_crowded(search, neighbourhood):
        opinion = second_opinion(search, neighbourhood.target)
    if opinion is None:
        return neighbourhood, list(links), 0
    neighbourhood, links, tests = without_denied(search, neighbourhood, links, opinion, stand_ins, apart)
    joined, remaining = with_opinion(search, neighbourhood, links, opinion, stand_ins)
    return joined, remaining, opinion.tests + tests


def with_opinion(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    opinion: Opinion,
    stand_ins: frozenset[int],
) -> tuple[Neighbourhood, list[SpouseLink]]:
    """Add what is in the graph; parameters and what is returned are those of :func:`with_second_opinion`."""
    # The score sees one of several copies of a column, and tests may have found another one.
    originals = search.data.originals
    members = set(originals[list(neighbourhood.members)].tolist())
    joining = {
        variable: given
        for variable, given in opinion.neighbours.items()
        if originals[variable] not in members and variable not in stand_ins
    }
    separators = {
        variable: given for variable, given in neighbourhood.separators.items() if variable not in joining
    }
    joined = replace(
        neighbourhood,
        members=(*neighbourhood.members, *joining),
        weakest=neighbourhood.weakest | {variable: given for variable, given in joining.items() if given},
        separators=separators,
    )
    remaining = [link for link in links if link.spouse not in joining]
    remaining_pairs = {(originals[link.spouse], originals[link.child]) for link in remaining}
    remaining += [
        link
        for link in opinion.links
        if originals[link.spouse] not in members
        and link.spouse not in joining
        and link.spouse not in stand_ins
        and (originals[link.spouse], originals[link.child]) not in remaining_pairs
    ]
    return joined, remaining


def without_denied(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    opinion: Opinion,
    stand_ins: frozenset[int],
    apart: frozenset[int],
) -> tuple[Neighbourhood, list[SpouseLink], int]:
    """Remove neighbours and spouses outside the graph's boundary that the parents there separate."""
    originals = search.data.originals
    supported = set(originals[list(opinion.boundary)].tolist())
    target = neighbourhood.target
    denied = [
        (member, target)
        for member in neighbourhood.members
        if originals[member] not in supported and member not in apart
    ]
    denied += [(link.spouse, link.child) for link in links if originals[link.spouse] not in supported]
    questions = [question for pair in denied for question in _by_parents(search, opinion, pair, stand_ins)]
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    level = log_level(search.settings.alpha, search.data.observations)
    is_apart = answers.reliable & (answers.log_p > level)
    separators = {question[:2]: question[2] for question in compress(questions, is_apart)}
    left = {variable: given for (variable, end), given in separators.items() if end == target}
    remaining = replace(
        neighbourhood,
        members=tuple(member for member in neighbourhood.members if member not in left),
        separators=neighbourhood.separators | left,
    )
    connecting = [
        link for link in links if link.child not in left and (link.spouse, link.child) not in separators
    ]
    return remaining, connecting, len(questions)


def _by_parents(
    search: Neighbourhoods, opinion: Opinion, pair: tuple[int, int], stand_ins: frozenset[int]
) -> list[Question]:
    """Return tests of two variables given the graph's parents of either, without equivalents of members."""
    originals = search.data.originals
    same = set(originals[list(pair)].tolist()) | set(originals[list(stand_ins)].tolist())
    parents = {originals[variable]: given for variable, given in opinion.parents.items()}
    sets = [parents[originals[variable]] for variable in pair if originals[variable] in parents]
    return [(*pair, given) for given in sets if not same.intersection(originals[list(given)].tolist())]


def second_opinion(search: Neighbourhoods, target: int) -> Opinion | None:
    """Return the boundary of a target by the score; None where too many variables are around it."""
    around = _Around(search, target)
    here = around.grown()
    if here is None:
        return None
    variables = here.variables
    parents_of = {
        variable: tuple(variables[parent] for parent in here.parents(number).tolist())
        for number, variable in enumerate(variables)
    }
    return _opinion(target, parents_of, around.tests)


def opinion_of_blocks(search: Neighbourhoods, target: int) -> Opinion | None:
    """Return the boundary of a target in the best graph of blocks of columns; None without such a graph."""
    if search.data.block_fits is None or _is_wide(search) or not _may_be_asked(search):
        return None
    graph = search.block_graph(target)
    return None if graph is None else replace(_opinion(target, graph.parents, 0), margins=graph.margins)


def _opinion(target: int, parents_of: dict[int, Indices], tests: int) -> Opinion:
    parents = parents_of[target]
    children = [end for end, starts in parents_of.items() if target in starts]
    neighbours = {parent: tuple(spouse for spouse in parents if spouse != parent) for parent in parents}
    others_of = {
        child: tuple(parent for parent in parents_of[child] if parent != target) for child in children
    }
    neighbours |= others_of
    links = [
        SpouseLink(spouse, child, (*(parent for parent in others if parent != spouse), child))
        for child, others in others_of.items()
        for spouse in others
        if spouse not in neighbours
    ]
    return Opinion(neighbours, tuple(links), parents_of, tests)


def _is_crowded(search: Neighbourhoods, neighbourhood: Neighbourhood) -> bool:
    """Tell, before anything is weighed, whether too much depends on a target and the neighbours it has."""
    if _takes_in_most_related(search):
        return False
    around: set[int] = set()
    for variable in (neighbourhood.target, *neighbourhood.members):
        around.update(search.screen(variable).candidates.tolist())
        if _are_too_many(search, around):
            return True
    return False


def _are_too_many(search: Neighbourhoods, variables: Collection[int]) -> bool:
    """Tell whether variables are too many to be weighed; copies of a column count once."""
    if len(variables) <= MOST_AROUND or not _is_wide(search):
        return False
    return len(np.unique(search.data.originals[list(variables)])) > MOST_AROUND


def _is_wide(search: Neighbourhoods) -> bool:
    return int(np.count_nonzero(search.data.is_original)) > FEW_VARIABLES


def _takes_in_most_related(search: Neighbourhoods) -> bool:
    return _is_wide(search) and search.data.observations < ENOUGH_ROWS


class _Around:
    """The graph around one target, in the making."""

    def __init__(self, search: Neighbourhoods, target: int) -> None:
        self._search = search
        self._originals = search.data.originals
        self._variables = [target]
        self._most_related = _MOST_RELATED if _takes_in_most_related(search) else None
        # Variables with their parents, for which newcomers were sought, and those whose relatives are in.
        self._asked: set[tuple[int, Indices]] = set()
        self._asked_around: set[int] = set()
        self._climb: Climb | None = None
        self._tests_of_orders = 0

    @property
    def tests(self) -> int:
        """Tests that the graph rests on, and what is around it."""
        return self._tests_of_orders + (self._climb.tests if self._climb else 0)

    def grown(self) -> Graph | None:
        """Search for a graph and add what is around neighbours, until nothing is new or there is too much."""
        pending = self._variables[:1]
        for _ in range(_MOST_ROUNDS):
            for variable in pending:
                self._asked_around.add(variable)
                self._take_in(self._related(variable))
            if _are_too_many(self._search, self._variables):
                return None
            climb = self._climbed()
            pending, has_newcomers = self._beyond(Graph(climb.variables, climb.arrows, 0))
            if pending or has_newcomers:
                continue
            here = self._ordered(climb)
            pending, has_newcomers = self._beyond(here)
            if not pending and not has_newcomers:
                return here
        return self._ordered(climb)

    def _related(self, variable: int) -> list[int]:
        """List what depends on a variable: at the uncorrected level where the table is narrow."""
        screen = self._search.screen(variable)
        if _is_wide(self._search):
            related: list[int] = screen.candidates[: self._most_related].tolist()
            return related
        allowed = set(self._search.variables)
        return [
            related_variable for related_variable in screen.dependent.tolist() if related_variable in allowed
        ]

    def _beyond(self, here: Graph) -> tuple[list[int], bool]:
        """List the neighbours around which nothing was taken in; where there are none, take in newcomers."""
        near = [0, *np.flatnonzero(here.arrows[0] | here.arrows[:, 0]).tolist()]
        beside = [here.variables[number] for number in near]
        if len(beside) == 1 and not _is_wide(self._search):
            # What tells little of an effect by itself may tell much beside its other causes.
            beside += self._related(beside[0])[:_NEWCOMERS]
        pending = [variable for variable in beside if variable not in self._asked_around]
        before = len(self._variables)
        if not pending:
            for number in near:
                self._take_in(self._newcomers(here, number))
        return pending, len(self._variables) > before

    def _take_in(self, variables: Iterable[int]) -> None:
        """Take in the variables that are new, one of several copies of a column."""
        inside = set(self._originals[self._variables].tolist())
        for variable in variables:
            if self._originals[variable] not in inside:
                inside.add(int(self._originals[variable]))
                self._variables.append(variable)

    def _climbed(self) -> Climb:
        self._climb = Climb(self._search.arrow_worths, self._variables, self._climb)
        self._climb.go()
        return self._climb

    def _ordered(self, climb: Climb) -> Graph:
        best = in_best_order(climb, 0)
        self._tests_of_orders += best.tests
        return best

    def _newcomers(self, here: Graph, number: int) -> list[int]:
        """List the variables outside that tell most about one inside, given its parents."""
        variable = self._variables[number]
        parents = tuple(here.variables[parent] for parent in here.parents(number).tolist())
        question = (variable, parents)
        if not 0 < len(parents) < MOST_PARENTS or question in self._asked:
            return []
        self._asked.add(question)
        is_outside = np.zeros(len(self._originals), dtype=bool)
        is_outside[list(self._search.variables)] = True
        is_outside &= self._search.data.is_original
        is_outside[self._originals[self._variables]] = False
        others = np.flatnonzero(is_outside)
        assert self._climb is not None
        gains = self._climb.worth(others.tolist(), variable, parents)
        best = strongest_first(-gains, np.zeros(len(gains)), others)[:_NEWCOMERS]
        return [int(others[place]) for place in best if gains[place] > 0.0]
