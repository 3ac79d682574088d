"""Spouses: other causes of shared effects, with every effect that connects them, and what they shield.

A candidate lies next to a neighbour of the target but is separated from the target itself; it is a spouse
when adding the neighbour to the separating set makes the two dependent (Aliferis et al. 2010, JMLR
11:171-234; Tsamardinos et al. 2006, Machine Learning 65:31-78). Every connecting child is kept.

A variable that merely goes along with a true spouse passes that test too, and so does one whose separating
set was found for want of rows. So each link is tried once more, weakest first: given its child, no
neighbour and no other spouse may explain it away, nor two together where the rows suffice. A true spouse
passes, for the child keeps its path open. Only what goes along with the spouse could explain it away: a
neighbour that does not would add nothing but degrees of freedom, under which a true spouse would be lost.

A separating set may hold what was a neighbour only at the time, and tells what the candidate tells: given
that, no child connects the candidate with the target. So such variables give way to what separated them.

What only a set with its products separates from the target is asked about with products as well.

An effect Y of both a child C and a spouse S of T looks like a neighbour of T to a search that conditions on
neighbours alone: C must be held fixed to close the path through it, and that opens the path over S.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.boundaries.ranking import strongest_first
from engine.boundaries.search import MOST_MEMBERS, MOST_NEAR, SpouseLink
from engine.independence.batch import Question, ask
from engine.independence.data import Answers
from engine.independence.false_discovery import discoveries

# So many sets are asked about at first, and twice as many each time that none of them explained a link away.
_FIRST_SETS = 64


class FoundSpouses(NamedTuple):
    """Spouses of a target."""

    links: list[SpouseLink]  # strongest first
    tests: int
    # Of the target; bounded, too, where so many variables could explain a link away that not all pairs of
    # them were tried.
    neighbourhood: Neighbourhood


def spouse_links(
    search: Neighbourhoods, neighbourhood: Neighbourhood, children: Iterable[Neighbourhood]
) -> FoundSpouses:
    """Find the spouses of a target through given children, besides those that its search found itself."""
    children = list(children)
    separators, separator_tests = _separators_of_members(search, neighbourhood, children)
    questions = _questions(replace(neighbourhood, separators=separators), children)
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    significant = answers.dependent & answers.reliable
    if search.settings.false_discovery != "none":
        significant &= discoveries(answers.log_p, search.settings.alpha, search.settings.false_discovery)
    products_tests = _without_explained(search, neighbourhood, questions, significant)
    positions = np.flatnonzero(significant)
    in_order = positions[strongest_first(answers.log_p[positions], answers.statistic[positions], positions)]
    links = _found_before(neighbourhood)
    connections = {(link.spouse, link.child) for link in links}
    links += [
        SpouseLink(questions[position][1], questions[position][2][-1], questions[position][2])
        for position in in_order
        if (questions[position][1], questions[position][2][-1]) not in connections
    ]
    tests = separator_tests + len(questions) + products_tests
    if not search.settings.is_controlled:
        return FoundSpouses(links, tests, neighbourhood)
    confirmed = _confirmed(search, neighbourhood, links)
    return confirmed._replace(tests=tests + confirmed.tests)


def _without_explained(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    questions: Sequence[Question],
    significant: np.ndarray,
) -> int:
    """Unmark spouses that a child does not connect given its products, too; return the tests made."""
    tests = 0
    for position in np.flatnonzero(significant).tolist():
        if questions[position][1] in neighbourhood.by_products:
            answer = search.data.test_with_products(*questions[position])
            tests += 1
            significant[position] = answer is not None and bool(
                search.data.log_p_values(*(np.array([number]) for number in answer))[0]
                <= math.log(search.settings.alpha)
            )
    return tests


def possible_links(
    neighbourhood: Neighbourhood, children: Iterable[Neighbourhood], links: Iterable[SpouseLink]
) -> list[SpouseLink]:
    """List the links that a child could make, and that were not found."""
    connections = {(link.spouse, link.child) for link in links}
    return [
        SpouseLink(spouse, given[-1], given)
        for _, spouse, given in _questions(neighbourhood, children)
        if (spouse, given[-1]) not in connections
    ]


def _found_before(neighbourhood: Neighbourhood) -> list[SpouseLink]:
    """List the spouses that the search of the neighbours found, as far as it still has the child."""
    inside = neighbourhood.member_set
    return [link for link in neighbourhood.links or () if link.child in inside and link.spouse not in inside]


def _candidates(neighbourhood: Neighbourhood, children: Iterable[Neighbourhood]) -> list[tuple[int, int]]:
    """List the neighbours of each child that may be spouses, each with its child."""
    beside = {*neighbourhood.members, neighbourhood.target}
    pairs = ((candidate, child.target) for child in children for candidate in child.members)
    return list(dict.fromkeys(pair for pair in pairs if pair[0] not in beside))


def _questions(neighbourhood: Neighbourhood, children: Iterable[Neighbourhood]) -> list[Question]:
    """Ask of each neighbour of a child whether the child connects it with the target."""
    return [
        (neighbourhood.target, candidate, (*separator, child))
        for candidate, child in _candidates(neighbourhood, children)
        if child not in (separator := neighbourhood.separator(candidate))
    ]


def _separators_of_members(
    search: Neighbourhoods, neighbourhood: Neighbourhood, children: Iterable[Neighbourhood]
) -> tuple[dict[int, tuple[int, ...]], int]:
    """Return the separating sets, of members alone where these separate as well, and the tests made."""
    questions: list[Question] = []
    for candidate in dict.fromkeys(candidate for candidate, _ in _candidates(neighbourhood, children)):
        recorded = neighbourhood.separator(candidate)
        given = _members_instead(neighbourhood, recorded)
        if given != recorded and candidate not in given and len(given) <= search.settings.max_conditioning:
            questions.append((neighbourhood.target, candidate, given))
    return neighbourhood.separators | _separating(search, questions), len(questions)


def _separating(search: Neighbourhoods, questions: Sequence[Question]) -> dict[int, tuple[int, ...]]:
    """Return the second variable of each question whose two variables are independent, with the set."""
    independent = ask(search.data, questions, search.stop).independent
    search.check_stop()
    return {variable: given for _, variable, given in compress(questions, independent)}


def _members_instead(neighbourhood: Neighbourhood, separator: tuple[int, ...]) -> tuple[int, ...]:
    """Replace what is no member by what separated it, and so on."""
    pending, seen = list(separator), set(separator)
    members: list[int] = []
    for variable in pending:
        if variable in neighbourhood.member_set:
            members.append(variable)
            continue
        further = [newcomer for newcomer in neighbourhood.separator(variable) if newcomer not in seen]
        seen.update(further)
        pending.extend(further)
    return tuple(members)


def _confirmed(search: Neighbourhoods, neighbourhood: Neighbourhood, links: list[SpouseLink]) -> FoundSpouses:
    """Drop the links, weakest first, that a neighbour or another spouse explains away given the child."""
    remaining = list(links)
    tests, is_bounded = 0, neighbourhood.is_bounded
    for link in reversed(links):
        spouses = dict.fromkeys(
            remaining_link.spouse for remaining_link in remaining if remaining_link.spouse != link.spouse
        )
        others = np.array([*_explanations(search, neighbourhood, link, spouses), *spouses], dtype=np.int64)
        alone = _ask_beside_child(search, neighbourhood.target, link, others[:, np.newaxis])
        tests += len(others)
        is_explained = bool(alone.independent.any())
        if not is_explained and search.settings.max_conditioning > 2:
            if len(others) > MOST_MEMBERS:
                is_bounded = True
                others = others[np.sort(np.argsort(-alone.log_p, kind="stable")[:MOST_NEAR])]
            for some in _growing_parts(_pairs_of(search, neighbourhood.target, link, others)):
                tests += len(some)
                if _ask_beside_child(search, neighbourhood.target, link, some).independent.any():
                    is_explained = True
                    break
        if is_explained:
            remaining.remove(link)
    return FoundSpouses(remaining, tests, replace(neighbourhood, is_bounded=is_bounded))


def _ask_beside_child(search: Neighbourhoods, target: int, link: SpouseLink, others: np.ndarray) -> Answers:
    """Test a target and a spouse given their child and each of some sets, a row a set."""
    count, size = others.shape
    sets = np.column_stack((np.full(count, link.child), others))
    answers = search.data.ask_rows(
        np.full(count, target), np.full(count, link.spouse), sets, np.full(count, size + 1), search.stop
    )
    search.check_stop()
    return answers


def _growing_parts(sets: np.ndarray) -> Iterator[np.ndarray]:
    """Return sets in parts that grow, as whoever asks may be content with the first ones."""
    begin, count = 0, _FIRST_SETS
    while begin < len(sets):
        yield sets[begin : begin + count]
        begin, count = begin + count, 2 * count


def _explanations(
    search: Neighbourhoods, neighbourhood: Neighbourhood, link: SpouseLink, spouses: Iterable[int]
) -> list[int]:
    """List the neighbours that could explain a link away: next to the child, or related to the spouse."""
    beside_child = search.neighbours(link.child).member_set
    screen = search.screen(link.spouse)
    passed_over = {link.child, link.spouse, *spouses}
    return [
        member
        for member in neighbourhood.members
        if member not in passed_over and (member in beside_child or screen.is_related(member))
    ]


def _pairs_of(search: Neighbourhoods, target: int, link: SpouseLink, others: np.ndarray) -> np.ndarray:
    """Return the pairs of variables that the rows bear beside a child; int64 of shape (pairs, 2)."""
    with_child = search.data.nominal_dof(target, link.spouse, (link.child,))
    left, right = np.triu_indices(len(others), 1)
    strata = search.data.strata[others]
    allowed = with_child * strata[left] * strata[right] <= search.most_dof
    return np.column_stack((others[left[allowed]], others[right[allowed]]))


def without_shielded(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    apart: frozenset[int] = frozenset(),
) -> tuple[Neighbourhood, int]:
    """Remove members, but those in `apart`, that a spouse and its child separate from the target."""
    if search.settings.max_conditioning < 2:
        return neighbourhood, 0
    questions: list[Question] = [
        (neighbourhood.target, member, (link.child, link.spouse))
        for link in links
        if link.child in neighbourhood.member_set
        for member in neighbourhood.members
        if member not in (link.child, link.spouse) and member not in apart
    ]
    separators = _separating(search, questions)
    remaining = tuple(member for member in neighbourhood.members if member not in separators)
    reduced = replace(neighbourhood, members=remaining, separators=neighbourhood.separators | separators)
    return reduced, len(questions)
