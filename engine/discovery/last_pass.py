"""The last pass: every member of a boundary once more, given all the others, by a regression of the label.

Searches hold a few variables fixed at once. What only many together explain stays, and what only the rest
of the boundary brings to light, such as a cause whose paths to the label cancel, stays out, and others stand
in for it. A regression of the label's own kind, logistic, multinomial or linear, bears many variables. So
what was passed over may join by it, strongest first, and then members leave, weakest first, until all that
are left are significant, as IAMB grows and shrinks (Tsamardinos, Aliferis and Statnikov 2003, Algorithms for
large scale Markov blanket discovery, FLAIRS, 376-381). A label that is a number is judged on its own scale or
on that of its normal scores, whichever its members explain better.

A spouse enters with its products with the child that connects it, anything else by itself, as a neighbour. A
member that is about to leave is tried once more with its products with every other: what acts only together
with something else would be lost in a sum. When all that are left are significant, products of two of them,
and steps where rows are many, come into the regression as far as they tell something, and members leave once
more: whatever goes along with such a part seems to tell something itself, with more rows more surely. Members
that Phase 2 recovered take no part: given the label that hid them they always look superfluous. Where the
members decide the label in every row, or leave no more of it than chance could decide, no logistic regression
can tell which of them are needed: then a linear one of the levels' indicators speaks first, in which a number
itself counts and its bends do not, and the logistic one if it leaves it something to say. Where members are
more than the rows bear, as with a rare level, the strongest stand for all at first, and of the others those
come back that tell something beside them. Where rows come in groups, statistics are scaled to how much groups
differ (:mod:`engine.independence.regressions`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods, log_level
from engine.boundaries.ranking import first_smallest
from engine.boundaries.search import SpouseLink
from engine.discovery.boundary_model import (
    BoundaryModel,
    Candidate,
    ModelColumns,
    RegressionTerm,
    candidates_at_once,
    some_at_once,
)
from engine.independence.fitted_regression import Fit
from engine.independence.regressions import Regression, regression_of

Indices = tuple[int, ...]

# So many of the weakest by Wald's statistic are compared by likelihood ratio.
_TRIED_FIRST = 3
# In a table of so many variables any may join as a neighbour; in a larger one what depends on the label at
# the plain level of 0.05, as to try all of them would take longer than the search.
_FEW_VARIABLES = 200
# A neighbour joins at this share of the level, as tests of its own speak against it already.
_SHARE_OF_LEVEL = 0.1
# With fewer rows than these, members that are too many for a regression are mostly true, and all stay.
_ROWS_FOR_SOME = 10_000
# So many products and steps are tested in one go.
_TERMS_AT_ONCE = 32
# Members whose Wald statistic is beyond this natural logarithm of a p-value stay without further tests.
_SURELY_SIGNIFICANT = math.log(1e-5)


@dataclass(frozen=True)
class BoundaryChange:
    """A variable that the last pass took out or let join, with the test that did so.

    Of what left: the likelihood ratio, Wald's statistic with variances by rows if the target is a number and
    that is less, or Rao's in groups. Of what joined: Rao's in the regression on the members. A number is
    tested by its first column alone, too, a spouse with its products with the child: then the smaller p is
    doubled.
    """

    variable: int
    given: tuple[int, ...]  # all members that were held fixed, or those that were there before it joined
    statistic: float
    dof: float
    log_p: float


@dataclass(frozen=True)
class Confirmation:
    """What the last pass made of a boundary."""

    # that are left or joined; for the latter the earlier members stand as separating set
    neighbourhood: Neighbourhood
    links: tuple[SpouseLink, ...]  # spouses that are left or joined
    departures: tuple[BoundaryChange, ...] = ()  # in the order in which they left
    arrivals: tuple[BoundaryChange, ...] = ()
    tests: int = 0
    is_made: bool = True  # False where data have no values for regressions, or too few rows or groups


def confirmed(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    possible: Iterable[SpouseLink] = (),
    apart: frozenset[int] = frozenset(),
    stays: frozenset[int] = frozenset(),
) -> Confirmation:
    """Let variables join and members leave by regressions of the target.

    `possible` spouses may join, each by a child. Variables in `apart` take no part; spouses in `stays` do not
    leave.
    """
    unchanged = Confirmation(neighbourhood, tuple(links), is_made=False)
    if not search.data.regresses:
        return unchanged
    members = [member for member in neighbourhood.members if member not in apart]
    members += dict.fromkeys(link.spouse for link in links if link.spouse not in members)
    rows = search.data.complete_rows((neighbourhood.target, *members))
    regression = regression_of(search.data, neighbourhood.target, rows)
    start = None if regression is None else _start(search, rows, regression, members, links)
    if start is None:
        return unchanged
    observations = search.data.observations_of((neighbourhood.target, *start.model.members))
    level = log_level(search.settings.alpha, observations)
    joined: dict[Candidate, BoundaryChange] = {}
    departures: list[BoundaryChange] = []
    for regression, columns in _kinds(search, rows, start):
        start.model.make(regression, columns)
        if not start.model.is_decided:
            others = _others(search, neighbourhood, apart) if regression is start.regression else []
            candidates = [
                candidate
                for candidate in _candidates(search, possible, others)
                if candidate.variable not in start.waiting
            ]
            joined |= _join(search, start.model, candidates, level)
            departures += _leave(search, start.model, level, stays)
            # Beside a regression that surely misses something nearly all products seem to tell it.
            if not start.model.stands_in and add_terms(search, start.model, level):
                departures += _leave(search, start.model, level, stays)
    if start.waiting:
        if start.model.is_decided:
            return unchanged
        departures += _join_again(search, start.model, start.waiting, level)
    return _confirmation(neighbourhood, links, joined, departures, start.model)


def after(confirmation: Confirmation, again: Confirmation) -> Confirmation:
    """Return what a second pass made, with the departures and arrivals of the first that still hold."""
    inside = again.neighbourhood.member_set.union(link.spouse for link in again.links)
    left = (departure for departure in confirmation.departures if departure.variable not in inside)
    return replace(
        again,
        departures=(*left, *again.departures),
        arrivals=(*confirmation.arrivals, *again.arrivals),
    )


class _Start(NamedTuple):
    """A regression on the members that the rows bear together."""

    regression: Regression[Any]
    columns: ModelColumns
    model: BoundaryModel
    waiting: Sequence[int]
    """Members that the rows do not bear beside the others."""


def _start(
    search: Neighbourhoods,
    rows: np.ndarray,
    regression: Regression[Any],
    members: Sequence[int],
    links: Sequence[SpouseLink],
) -> _Start | None:
    """Make a regression on all members, or on the strongest alone; None where the rows bear none."""
    for is_simple in (False, True):
        columns = ModelColumns(search.data, rows, is_simple)
        model = BoundaryModel(regression, columns, members, links)
        if model.is_borne:
            break
    waiting: Sequence[int] = ()
    if not model.is_borne:
        # Products of spouses with children go first, and then the weakest members.
        strongest = _borne(regression, columns, members) if columns.row_count >= _ROWS_FOR_SOME else 0
        if not strongest:
            return None
        members, waiting, links = members[:strongest], members[strongest:], ()
        model = BoundaryModel(regression, columns, members, links)
    suited = model.on_better_scale()
    if suited is not regression:
        regression, model = suited, BoundaryModel(suited, columns, members, links)
    return _Start(regression, columns, model, waiting)


def _kinds(
    search: Neighbourhoods, rows: np.ndarray, start: _Start
) -> list[tuple[Regression[Any], ModelColumns]]:
    """List the regressions to be made, each with its columns: a linear one first where the own is decided."""
    own = start.regression, start.columns
    if not start.model.is_decided:
        return [own]
    linear = start.regression.linear()
    # What the others make of a number has to be in their columns, and many more rows bear upon it.
    start.model.make(linear, ModelColumns(search.data, rows, is_simple=False))
    return [(linear, start.model.columns if start.model.is_borne else start.columns), own]


def _confirmation(
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    joined: Mapping[Candidate, BoundaryChange],
    departures: Sequence[BoundaryChange],
    model: BoundaryModel,
) -> Confirmation:
    """Write what joined and left into a boundary."""
    left = {departure.variable for departure in departures}
    remaining = set(model.members)
    given = {
        candidate.variable: arrival.given for candidate, arrival in joined.items() if candidate.child is None
    }
    further = [
        SpouseLink(candidate.variable, candidate.child, arrival.given)
        for candidate, arrival in joined.items()
        if candidate.child is not None
    ]
    members = tuple(member for member in (*neighbourhood.members, *given) if member not in left)
    return Confirmation(
        replace(
            neighbourhood,
            members=members,
            weakest=neighbourhood.weakest | given,
            separators={
                variable: by for variable, by in neighbourhood.separators.items() if variable not in given
            },
        ),
        tuple(link for link in (*links, *further) if link.spouse in remaining and link.child not in left),
        tuple(departures),
        tuple(dict.fromkeys(joined.values())),
        model.tests,
    )


def _borne(regression: Regression[Any], columns: ModelColumns, members: Sequence[int]) -> int:
    """Count the members, strongest first, that the rows bear together and leave as much room for others."""
    count = len(members)
    while count and not BoundaryModel(regression, columns, members[:count], ()).has_room:
        count -= 1
    return count


def _join_again(
    search: Neighbourhoods, model: BoundaryModel, waiting: Sequence[int], level: float
) -> list[BoundaryChange]:
    """Let members come back that the rows did not bear at first, the strongest first; the rest leave."""
    outside = list(waiting)
    while outside:
        search.check_stop()
        log_p_values = model.log_p_joining([Candidate(variable) for variable in outside])
        best = first_smallest(np.array(log_p_values))
        if log_p_values[best] > level or not model.bears_also(outside[best]):
            break
        model.add(outside.pop(best), ())
    departures = _leave(search, model, level, frozenset())
    given = tuple(model.members)
    return [*departures, *(BoundaryChange(variable, given, *model.alone(variable)) for variable in outside)]


def _others(search: Neighbourhoods, neighbourhood: Neighbourhood, apart: frozenset[int]) -> list[int]:
    """List the variables that may join as neighbours."""
    target = neighbourhood.target
    variables = search.variables
    pool = variables if len(variables) <= _FEW_VARIABLES else search.screen(target).related.tolist()
    return [variable for variable in pool if variable != target and variable not in apart]


def _candidates(
    search: Neighbourhoods, possible: Iterable[SpouseLink], others: Iterable[int]
) -> list[Candidate]:
    """List what may join: possible spouses, then others that are none."""
    if search.data.present is not None:
        # Each would cost rows of its own.
        return []
    spouses = [Candidate(link.spouse, link.child) for link in possible]
    named = {spouse.variable for spouse in spouses}
    return [*spouses, *(Candidate(variable) for variable in others if variable not in named)]


def _join(
    search: Neighbourhoods, model: BoundaryModel, candidates: Iterable[Candidate], level: float
) -> dict[Candidate, BoundaryChange]:
    """Let candidates join, the strongest first while significant; a spouse by its strongest child."""
    joined: dict[Candidate, BoundaryChange] = {}
    waiting = [candidate for candidate in candidates if candidate.variable not in model.members]
    spouses = len({candidate.variable for candidate in waiting if candidate.child is not None})
    neighbours = sum(candidate.child is None for candidate in waiting)
    bound_of_spouses = level - math.log(max(spouses, 1))
    bound_of_neighbours = level + math.log(_SHARE_OF_LEVEL / max(neighbours, 1))
    log_p_values: list[float] = []
    while waiting and model.members:
        if not log_p_values:
            for some in candidates_at_once(waiting):
                search.check_stop()
                log_p_values += model.log_p_joining(some)
        bounds = [
            bound_of_neighbours if candidate.child is None else bound_of_spouses for candidate in waiting
        ]
        best = first_smallest(np.subtract(log_p_values, bounds))
        if log_p_values[best] > bounds[best]:
            break
        chosen = waiting[best]
        if not model.joins(chosen, bounds[best]):
            del waiting[best], log_p_values[best]
            continue
        log_p_values = []
        entering = [candidate for candidate in waiting if candidate.variable == chosen.variable]
        arrival = BoundaryChange(chosen.variable, tuple(model.members), *model.joining(chosen))
        joined |= dict.fromkeys(entering, arrival)
        model.add(chosen.variable, [candidate.child for candidate in entering if candidate.child is not None])
        waiting = [candidate for candidate in waiting if candidate.variable != chosen.variable]
    return joined


def add_terms(search: Neighbourhoods, model: BoundaryModel, level: float) -> bool:
    """Add products and steps of members to the regression, the strongest first, while significant.

    By Rao's statistic (Kooperberg, Bose and Stone 1997, Journal of the American Statistical Association
    92:117-127).
    """
    is_extended = False
    while waiting := model.further_terms():
        log_p_values: list[float] = []
        for some in some_at_once(waiting, _TERMS_AT_ONCE):
            search.check_stop()
            log_p_values += model.log_p_of_terms(some)
        best = first_smallest(np.array(log_p_values))
        if log_p_values[best] > level + math.log(_SHARE_OF_LEVEL / len(waiting)):
            break
        model.append([waiting[best]])
        is_extended = True
    return is_extended


def _leave(
    search: Neighbourhoods, model: BoundaryModel, level: float, stays: frozenset[int]
) -> list[BoundaryChange]:
    """Let members leave, the weakest first, until all that are left are significant."""
    departures: list[BoundaryChange] = []
    while model.members:
        search.check_stop()
        weakest = _weakest(model, level, stays)
        if weakest is None:
            break
        (statistic, dof, log_p), member, smaller = weakest
        given = tuple(kept for kept in model.members if kept != member)
        partner = _acts_together(model, member, smaller, level)
        if partner is not None:
            model.append([RegressionTerm((member, partner))])
            continue
        model.remove(member, smaller)
        departures.append(BoundaryChange(member, given, statistic, dof, log_p))
    return departures


def _weakest(
    model: BoundaryModel, level: float, stays: frozenset[int]
) -> tuple[tuple[float, float, float], int, Fit] | None:
    """Find the member with least evidence (by Wald's, then the likelihood ratio), if not significant."""
    wald = sorted(
        ((model.wald_log_p(member), member) for member in model.members if member not in stays), reverse=True
    )
    doubtful = [member for log_p, member in wald if log_p > _SURELY_SIGNIFICANT]
    for some in (doubtful[:_TRIED_FIRST], doubtful[_TRIED_FIRST:]):
        fits = [(member, model.without(member, level)) for member in some]
        tried = [(model.log_p(member, smaller), member, smaller) for member, smaller in fits]
        weakest = max(tried, key=lambda trial: (trial[0][2], trial[1]), default=None)
        if weakest is not None and weakest[0][2] > level:
            return weakest
    return None


def _acts_together(model: BoundaryModel, member: int, smaller: Fit, level: float) -> int | None:
    """Find a member that acts with one that seems superfluous, beyond its products with the rest."""
    others = [
        partner for partner in model.members if partner != member and not model.has_products(member, partner)
    ]
    bound = level - math.log(max(len(others), 1))
    log_p_values = model.log_p_together(member, others, smaller)
    strongest = sorted(zip(log_p_values, others, strict=True))
    # Beside a regression that surely misses something nearly all of them seem to.
    for log_p, partner in strongest[:_TRIED_FIRST] if model.stands_in else strongest:
        if log_p > bound:
            break
        fuller = model.with_products_of(partner, member, smaller)
        if fuller is None or model.log_p_together(member, (partner,), fuller)[0] <= bound:
            return partner
    return None
