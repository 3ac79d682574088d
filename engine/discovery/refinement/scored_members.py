"""What a score of whole graphs found around a label among numbers, tried by regressions.

The score finds most of what a chain of tests misses, spouses above all: a spouse tells little about the
label given the child, while both tell much about the child. But with few rows the best graph has some arrows
the wrong way, with many rows some too many, where the model misses a curve, and either makes members that are
none.

So a spouse joins only by what shows that it is one: it and the label are each significant in a regression of
the child on all its parents in the graph, at a tenth of the level divided by the number of variables, as the
graph chose among all; no place in the order after the child suits either of them nearly as well; and the best
of all graphs around the child has both arrows into it, at least three times as likely as each the other way
(positive evidence: Kass and Raftery 1995, Bayes factors, Journal of the American Statistical Association
90:773-795). These are graphs of a few variables: where more are around the child, causes that are left out
would make arrows between the others. So what these graphs leave open or deny joins where the order of all
says so very strongly, and the child's regression needs no products, which neither knows; yet not what they
deny where they hold at least half of the variables around the child. Otherwise, and of a spouse that tests
found and the score does not show, the mark of a common effect is asked for: it depends on the label given the
child, the parents of the label in the graph, and those of the child or those of the spouse, at a tenth of the
level.

Nor does a sum know products. A variable that is an effect of two causes, or of one that acts in products
alone, goes along with a product that such a sum misses, and so seems to be a further cause. So where the
child's regression needs products, label and spouse have to be significant there beside the parents of either
as well, with the products of all these; and the mark of a common effect is asked for with products.

What is shown that way rests on the child, and not on the label's own regression: neither the spouse nor the
child has to be significant there, nor does it matter whether the rows bear it, as with a rare level. A
neighbour in the graph joins where tests could have missed it. Everything else in the boundary has to be
significant in the label's own regression on all the others (:mod:`engine.discovery.last_pass`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress, product
from typing import NamedTuple

import numpy as np

from engine.boundaries.exact_search import weigh_at_prices
from engine.boundaries.neighbourhoods import (
    BorneOut,
    Indices,
    Neighbourhood,
    Neighbourhoods,
    ParentsAmong,
    log_level,
)
from engine.boundaries.search import SpouseLink
from engine.boundaries.second_opinion import Opinion, with_opinion
from engine.discovery.boundary_model import BoundaryModel, Candidate, ModelColumns
from engine.discovery.last_pass import add_terms
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
    """A boundary with what the score found, before it is confirmed."""

    neighbourhood: Neighbourhood
    links: tuple[SpouseLink, ...]  # spouses that tests found, and are not in `shown`
    shown: tuple[SpouseLink, ...]  # by the score: they need not be significant in the regression of the label
    tests: int


def scored_members(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    opinion: Opinion,
    stand_ins: frozenset[int],
) -> Scored:
    """Return a boundary with the neighbours in the best graph, and with the spouses that it shows."""
    target = neighbourhood.target
    joined, all_links = with_opinion(search, neighbourhood, links, opinion, stand_ins)
    contradicted, tests = _contradicted(search, neighbourhood, joined, opinion)
    members = tuple(member for member in joined.members if member not in contradicted)
    separators = {
        variable: given
        for variable, given in neighbourhood.separators.items()
        if variable not in set(members)
    }
    joined = replace(joined, members=members, separators=separators)
    outside = stand_ins.union(search.data.copies_of(list(members)).nonzero()[0].tolist()).difference(members)
    tested = {(link.spouse, link.child): link for link in all_links}
    by_order: list[SpouseLink] = []
    doubtful: list[SpouseLink] = []
    for link in _colliders(target, opinion.parents):
        if link.spouse in outside or link.child in contradicted:
            continue
        causes = _borne_out(search, link.child, opinion)
        pair = (target, link.spouse)
        # An arrow between the two that tests deny may stand for a product that the graph does not know.
        is_next = link.spouse in opinion.neighbours
        if not causes.keys() >= {*pair} or (is_next and not causes[target].adds_up):
            continue
        if not all(
            _counts_beside_parents(search, link, pair, cause, causes[cause], opinion) for cause in pair
        ):
            continue
        is_clear = all(opinion.margins[cause, link.child] >= causes[cause].alone for cause in pair)
        (by_order if is_clear else doubtful).append(tested.get((link.spouse, link.child), link))
    connected, tests_made = connecting(search, target, doubtful, opinion)
    shown = (*by_order, *connected)
    remaining = tuple(link for link in links if link.spouse not in joined.member_set and link not in shown)
    return Scored(joined, remaining, shown, tests + tests_made)


def connecting(
    search: Neighbourhoods, target: int, links: Sequence[SpouseLink], opinion: Opinion
) -> tuple[list[SpouseLink], int]:
    """List the links whose child makes the spouse and the target dependent; count the tests made.

    Conditioned on are the target's parents in the graph with those of the child, then of the spouse: either
    close the other paths.
    """
    questions = [
        (target, link.spouse, _beside(search, (target, link.spouse), (link.child,), (target, end), opinion))
        for link in links
        for end in (link.child, link.spouse)
    ]
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    is_dependent = answers.reliable & (answers.log_p <= _level_of_parents(search))
    tests, connected = len(questions), []
    for number, link in enumerate(links):
        both = slice(2 * number, 2 * number + 2)
        if is_dependent[both].all():
            log_p = [_log_p_beside_products(search, *question, link.child) for question in questions[both]]
            tests += len(log_p)
            if max(log_p) <= _level_of_parents(search):
                connected.append(link)
    return connected, tests


def _beside(
    search: Neighbourhoods, pair: tuple[int, int], first: Indices, ends: Indices, opinion: Opinion
) -> Indices:
    """List some variables and the parents in the graph of others, without two and copies of these."""
    originals = search.data.originals
    left_out = {int(originals[variable]) for variable in pair}
    given = (*first, *(start for end in ends for start in opinion.parents.get(end, ())))
    return tuple(dict.fromkeys(variable for variable in given if int(originals[variable]) not in left_out))


def _log_p_beside_products(
    search: Neighbourhoods, outcome: int, variable: int, given: Indices, partner: int
) -> float:
    """Test a variable, alone or with a partner's products, beside products; -inf if rows are too few."""
    model = _model_of(search, outcome, given)
    if model is None or model.stands_in:
        return -math.inf
    add_terms(search, model, _level_of_parents(search))
    return model.log_p_joining([Candidate(variable, partner)])[0]


def _level_of_parents(search: Neighbourhoods) -> float:
    return log_level(search.settings.alpha, search.data.observations) + math.log(_SHARE_OF_LEVEL)


def _colliders(target: int, parents: Mapping[int, Indices]) -> list[SpouseLink]:
    """List the other parents of each child of the target in a graph, whether they are next to it or not."""
    return [
        SpouseLink(spouse, child, (*(start for start in starts if start not in (target, spouse)), child))
        for child, starts in parents.items()
        if target in starts
        for spouse in starts
        if spouse != target
    ]


def _contradicted(
    search: Neighbourhoods, before: Neighbourhood, joined: Neighbourhood, opinion: Opinion
) -> tuple[frozenset[int], int]:
    """List neighbours in the graph that a test denies, or that tests would not have missed; count the tests.

    Weak ones may come from what the score's model misses: tests had the power to find them. Strong ones are
    denied only where little would be found beside the wrong variables.
    """
    target = before.target
    new = [member for member in joined.members if member not in before.member_set]
    answers = ask(
        search.data, [(target, member, joined.weakest.get(member, ())) for member in new], search.stop
    )
    search.check_stop()
    shares = -np.expm1(-answers.statistic / search.data.observations)
    is_contradicted = (answers.log_p < _NOT_MISSED) & (shares < _WEAK)
    is_contradicted |= answers.log_p < _NOT_MISSED / _LEFT
    if is_contradicted.any() and _adds_up(search, target, joined.members):
        is_contradicted[:] = False
    is_contradicted |= ~answers.dependent | ~answers.reliable
    # A few odd rows make a test significant that is given what explains all the other rows. Paths that cancel
    # hide an effect from the label alone, and not from most rows, nor from the effect's own regression.
    passed = search.screen(target).passed
    for number, member in enumerate(new):
        if not passed[member] and not is_contradicted[number]:
            given = joined.weakest.get(member, ())
            is_contradicted[number] = target not in _borne_out(
                search, member, opinion
            ) and not _is_in_most_rows(search, target, member, given)
    return frozenset(compress(new, is_contradicted.tolist())), len(new)


def _is_in_most_rows(search: Neighbourhoods, left: int, right: int, given: Indices) -> bool:
    """Tell whether normal scores of residuals are related, which odd rows hardly change."""
    data = search.data
    columns = [data.predictors_of(variable, 1) for variable in (left, right)]
    beside = [data.predictors_of(variable) for variable in given]
    levels = [outcome[1] for variable in (left, right) if (outcome := data.outcome_of(variable)) is not None]
    if levels != [0, 0]:
        return False
    pair = np.concatenate([block for block in columns if block is not None])
    design = np.concatenate([np.ones((1, pair.shape[1])), *(block for block in beside if block is not None)])
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
    if model is None or model.stands_in:
        return False
    terms = model.further_terms()
    level = log_level(search.settings.alpha, search.data.observations)
    return not terms or min(model.log_p_of_terms(terms)) > level - math.log(len(terms))


def _model_of(search: Neighbourhoods, outcome: int, members: Sequence[int]) -> BoundaryModel | None:
    """Return the fullest regression that rows bear: curves, lines, or a linear one of indicators."""
    rows = search.data.complete_rows((outcome, *members))
    regression = regression_of(search.data, outcome, rows)
    if regression is None:
        return None
    columns = [ModelColumns(search.data, rows, is_simple) for is_simple in (False, True)]
    for kind, of_members in product((regression, regression.linear()), columns):
        model = BoundaryModel(regression, of_members, members, ())
        model.make(kind, of_members)
        if model.is_borne:
            return model
    return None


def _borne_out(search: Neighbourhoods, child: int, opinion: Opinion) -> dict[int, BorneOut]:
    """List the causes of a child of which the order says enough beside the mark of a common effect."""
    causes = search.causes.value(_around(child, opinion.parents), partial(_causes, search))
    return {
        cause: by
        for cause, by in causes.items()
        if opinion.margins[cause, child] >= by.connected and not search.is_later(cause, child)
    }


def _causes(search: Neighbourhoods, among: ParentsAmong) -> dict[int, BorneOut]:
    """List parents of a child that its regression and graphs bear out, and what the order has to say."""
    search.check_stop()
    child, *others = among.variables
    parents = others[: among.parents]
    fits = search.data.fits_of_sets(np.array(among.variables[:_MOST_VARIABLES], dtype=np.int64))
    if fits is None:
        return {}
    # The rows may bear fewer variables; of what is not weighed the order of all has to tell.
    borne = len(fits.statistic).bit_length() - 1
    weighed = parents[: borne - 1]
    numbers = range(1, len(weighed) + 1)
    ratios = weigh_at_prices(fits, search.data.observations, numbers).log_ratios.min(axis=0)
    are_all = len(among.variables) <= _MOST_VARIABLES
    of = dict.fromkeys(parents, math.inf if borne == _MOST_VARIABLES else 0.0)
    of |= dict(zip(weighed, ratios.tolist(), strict=True))
    into = [parent for parent in parents if not are_all or of[parent] >= BORNE_OUT or parent not in weighed]
    if len(into) < 2:
        return {}
    model = _model_of(search, child, parents)
    if model is None:
        return {}
    level = _level_of_parents(search)
    # A model of sums that misses products has too many parents.
    adds_up = model.stands_in or not add_terms(search, model, level)
    log_p = {parent: model.log_p(parent, model.without(parent, level))[2] for parent in into}
    are_most = len(among.variables) <= 2 * _MOST_VARIABLES
    # The graph chose parents among all variables (Bonferroni); copies count as one.
    chosen = level - math.log(np.count_nonzero(search.data.is_original))
    return {
        parent: _by_graphs(of[parent], are_most, adds_up, log_p[parent])
        for parent in into
        if log_p[parent] < chosen
    }


def _by_graphs(ratio: float, are_most: bool, adds_up: bool, log_p: float) -> BorneOut:
    """Return the margins by which the order has to be lower, by the graphs' ratio for a parent."""
    if ratio >= BORNE_OUT:
        return BorneOut(_LOWER, _LOWER, adds_up, log_p)
    far_lower = _FAR_LOWER if adds_up else math.inf
    if ratio >= -BORNE_OUT:
        return BorneOut(far_lower, _LOWER, adds_up, log_p)
    return BorneOut(math.inf if are_most else far_lower, far_lower, adds_up, log_p)


def _counts_beside_parents(
    search: Neighbourhoods,
    link: SpouseLink,
    pair: tuple[int, int],
    cause: int,
    by: BorneOut,
    opinion: Opinion,
) -> bool:
    """Tell whether target or spouse causes a child that hangs on products, beside the parents of all.

    The graph knows no products, so what goes along with a product or a parent seems to be a cause.
    """
    if by.adds_up or by.log_p < _NOT_MISSED:
        return True
    (partner,) = (variable for variable in pair if variable != cause)
    given = _beside(search, (cause, link.child), (partner,), (link.child, *pair), opinion)
    return _log_p_beside_products(search, link.child, cause, given, partner) <= _level_of_parents(search)


def _around(child: int, parents: Mapping[int, Indices]) -> ParentsAmong:
    """List a child, its parents in the graph, and what is next to any of these."""
    inside = (child, *parents[child])
    beside = [start for variable in inside for start in parents[variable]]
    beside += [end for variable in inside for end, starts in parents.items() if variable in starts]
    return ParentsAmong(tuple(dict.fromkeys((*inside, *beside))), len(parents[child]))
