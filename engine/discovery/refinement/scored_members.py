"""What a score of whole graphs found around a label among numbers, tried by regressions.

The score finds most of what a chain of tests misses, spouses above all: a spouse tells little about the
label given the child, while both tell much about the child. But with few rows the best graph has some arrows
the wrong way, with many rows some too many, where the model misses a curve, and either makes members that are
none.

So a spouse joins only by what shows that it is one: it and the label are each significant in a regression of
the child on all its parents in the graph, at a tenth of the level; no place in the order after the child
suits either of them nearly as well; and the best of all graphs around the child has both arrows into it, at
least three times as likely as each the other way (positive evidence: Kass and Raftery 1995, Bayes factors,
Journal of the American Statistical Association 90:773-795). These are graphs of a few variables: where more
are around the child, causes that are left out would make arrows between the others: these graphs must not
deny what the order of all says, unless it says so very strongly. A neighbour in the graph joins where tests
could have missed it. Everything in the boundary but such a spouse has to be significant in the label's own
regression on all the others (:mod:`engine.discovery.last_pass`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import NamedTuple

import numpy as np

from engine.boundaries.exact_search import weigh_at_prices
from engine.boundaries.neighbourhoods import Indices, Neighbourhood, Neighbourhoods, ParentsAmong, log_level
from engine.boundaries.search import SpouseLink
from engine.boundaries.second_opinion import Opinion, with_opinion
from engine.discovery.boundary_model import BoundaryModel
from engine.discovery.last_pass import add_terms
from engine.discovery.model_columns import ModelColumns
from engine.independence.batch import ask
from engine.independence.chi_squared import log_chi2_sf
from engine.independence.regressions import regression_of
from engine.independence.tails import normal_scores

# How many times likelier is positive evidence (Kass and Raftery 1995, Bayes factors, Journal of the American
# Statistical Association 90:773-795: from 3).
BORNE_OUT = math.log(3.0)
# A cause is significant in the regression of the child at this share of the level.
_SHARE_OF_LEVEL = 0.1
# Logarithm of the p-value of an association that a test at the usual levels misses once in a thousand times.
_NOT_MISSED = math.log(1e-8)
# What explains less of the variance is weak; of a strong association wrong variables leave so much.
_WEAK = 0.05
_LEFT = 0.05
# The order shows an arrow if the score is lower by so much with its end first: rows are e² times as likely.
_LOWER = 4.0
# Where graphs that lack variables deny it: very strong evidence (Kass and Raftery).
_FAR_LOWER = 10.0
# All graphs of so many variables are gone through, and time doubles with each one more.
_MOST_VARIABLES = 12


class Scored(NamedTuple):
    """A boundary with what the score found, before it is confirmed.

    Attributes
    ----------
    neighbourhood : Neighbourhood
    links : tuple of SpouseLink
    spouses : frozenset of int
        Spouses that the score shows: they need not be significant in the regression of the label.
    tests : int
        Tests made.
    """

    neighbourhood: Neighbourhood
    links: tuple[SpouseLink, ...]
    spouses: frozenset[int]
    tests: int


def scored_members(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    opinion: Opinion,
    stand_ins: frozenset[int],
) -> Scored:
    """Return a boundary with the neighbours in the best graph, and with the spouses that it shows.

    Parameters
    ----------
    search, neighbourhood, links, opinion, stand_ins
        As in :func:`engine.boundaries.second_opinion.with_second_opinion`.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    target = neighbourhood.target
    joined, all_links = with_opinion(search, neighbourhood, links, opinion, stand_ins)
    contradicted, tests = _contradicted(search, neighbourhood, joined)
    members = tuple(each for each in joined.members if each not in contradicted)
    separators = {each: given for each, given in neighbourhood.separators.items() if each not in set(members)}
    joined = replace(joined, members=members, separators=separators)
    in_graph = {(link.spouse, link.child) for link in opinion.links}
    possible = [
        link
        for link in all_links
        if (link.spouse, link.child) in in_graph
        and link.child not in contradicted
        and not search.is_later(target, link.child)
        and not search.is_later(link.spouse, link.child)
        and min(opinion.margins[each, link.child] for each in (target, link.spouse)) >= _LOWER
    ]
    shown = [link for link in possible if _are_causes(search, (target, link.spouse), link.child, opinion)]
    remaining = [link for link in links if link.spouse not in joined.member_set and link not in shown]
    spouses = frozenset(link.spouse for link in shown)
    return Scored(joined, (*remaining, *shown), spouses, tests)


def _contradicted(
    search: Neighbourhoods, before: Neighbourhood, joined: Neighbourhood
) -> tuple[frozenset[int], int]:
    """List the neighbours in the graph that a test does not bear out, or that tests would not have missed.

    With many rows, weak associations are significant that only what the model misses makes: a curve, or an
    unmeasured common cause of the label and of what is conditioned on. Tests had the power to find an effect
    so weak, and did not: that counts where the label is no sum of curves of its neighbours. A strong one they
    may miss beside the wrong variables, which leave little of it.
    Also returned is how many tests were made.
    """
    target = before.target
    new = [each for each in joined.members if each not in before.member_set]
    answers = ask(search.data, [(target, each, joined.weakest.get(each, ())) for each in new], search.stop)
    search.check_stop()
    shares = -np.expm1(-answers.statistic / search.data.observations)
    is_contradicted = (answers.log_p < _NOT_MISSED) & (shares < _WEAK)
    if is_contradicted.any() and _adds_up(search, target, joined.members):
        is_contradicted[:] = False
    is_contradicted |= answers.log_p < _NOT_MISSED / _LEFT
    is_contradicted |= ~answers.dependent | ~answers.reliable
    # A few odd rows make a test significant that is given what explains all the other rows.
    passed = search.screen(target).passed
    for number, each in enumerate(new):
        if not passed[each] and not is_contradicted[number]:
            is_contradicted[number] = not _is_in_most_rows(search, target, each, joined.weakest.get(each, ()))
    return frozenset(compress(new, is_contradicted.tolist())), len(new)


def _is_in_most_rows(search: Neighbourhoods, one: int, other: int, given: Indices) -> bool:
    """Tell whether two numbers are related given others by normal scores of what these leave of either.

    A few odd rows hardly change that. Where two paths cancel, it shows what no test of the two alone does.
    """
    data = search.data
    columns = [data.predictors_of(each, 1) for each in (one, other)]
    beside = [data.predictors_of(each) for each in given]
    levels = [outcome[1] for each in (one, other) if (outcome := data.outcome_of(each)) is not None]
    if levels != [0, 0]:
        return False
    pair = np.concatenate([each for each in columns if each is not None])
    design = np.concatenate([np.ones((1, pair.shape[1])), *(each for each in beside if each is not None)])
    times = np.ones(pair.shape[1]) if data.weights is None else data.weights
    roots = np.sqrt(times)
    sums = np.linalg.lstsq((design * roots).T, (pair * roots).T, rcond=None)[0]
    spread = np.cov(normal_scores(pair - sums.T @ design, times), aweights=times)
    share = float(spread[0, 1] ** 2 / (spread[0, 0] * spread[1, 1]))
    log_p = log_chi2_sf(-data.observations * math.log1p(-share), 1.0)
    return log_p <= math.log(search.settings.alpha / len(search.variables))


def _adds_up(search: Neighbourhoods, target: int, members: Indices) -> bool:
    """Tell whether sums of curves of members miss nothing of a target that a test could tell."""
    model = _model_of(search, target, members)
    if model is None:
        return False
    terms = model.further_terms()
    level = log_level(search.settings.alpha, search.data.observations)
    return not terms or min(model.log_p_of_terms(terms)) > level - math.log(len(terms))


def _model_of(search: Neighbourhoods, outcome: int, members: Sequence[int]) -> BoundaryModel | None:
    """Return the regression of a variable on others; None where the rows do not bear it."""
    rows = search.data.complete_rows((outcome, *members))
    regression = regression_of(search.data, outcome, rows)
    if regression is None:
        return None
    model = BoundaryModel(regression, ModelColumns(search.data, rows, is_simple=False), members, ())
    return model if model.is_borne else None


def _are_causes(search: Neighbourhoods, causes: tuple[int, int], child: int, opinion: Opinion) -> bool:
    """Tell whether two parents of a child in the graph are causes of it beyond doubt."""
    borne_out = search.causes.value(_around(child, opinion.parents), partial(_causes, search))
    return all(
        each in borne_out and opinion.margins[each, child] >= (_LOWER if borne_out[each] else _FAR_LOWER)
        for each in causes
    )


def _causes(search: Neighbourhoods, among: ParentsAmong) -> dict[int, bool]:
    """List the parents of a child that its own regression bears out, and whether graphs around it do.

    What graphs of all around it do not bear out is left out. Where others are left out of these graphs, they
    bear out what they do not deny.
    """
    search.check_stop()
    child, *others = among.variables
    parents = others[: among.parents]
    fits = search.data.fits_of_sets(np.array(among.variables[:_MOST_VARIABLES], dtype=np.int64))
    if fits is None:
        return {}
    # The rows may bear fewer variables; of what is not weighed the order of all has to tell.
    weighed = parents[: len(fits.statistic).bit_length() - 2]
    numbers = range(1, len(weighed) + 1)
    ratios = weigh_at_prices(fits, search.data.observations, numbers).log_ratios.min(axis=0)
    are_all = len(among.variables) <= _MOST_VARIABLES
    least = BORNE_OUT if are_all else -BORNE_OUT
    into = dict.fromkeys(parents, True)
    into |= {each: ratio >= least for each, ratio in zip(weighed, ratios.tolist(), strict=True)}
    if are_all:
        into = {each: True for each, is_borne_out in into.items() if is_borne_out}
    if len(into) < 2:
        return {}
    model = _model_of(search, child, parents)
    if model is None:
        return {}
    level = log_level(search.settings.alpha, search.data.observations) + math.log(_SHARE_OF_LEVEL)
    # A model of sums that misses products has too many parents.
    add_terms(search, model, level)
    return {
        each: by_graphs
        for each, by_graphs in into.items()
        if model.log_p(each, model.without(each, level))[2] < level
    }


def _around(child: int, parents: Mapping[int, Indices]) -> ParentsAmong:
    """List a child, its parents in the graph, and what is next to any of these."""
    inside = (child, *parents[child])
    beside = [start for each in inside for start in parents[each]]
    beside += [end for each in inside for end, starts in parents.items() if each in starts]
    return ParentsAmong(tuple(dict.fromkeys((*inside, *beside))), len(parents[child]))
