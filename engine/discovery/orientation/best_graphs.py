"""Which way arrows run in the best graph of the variables around a label, where another is clearly worse.

Tests that are looked at one by one leave much open: with few rows what a collider joins is often too weak to
be significant, and what is weak is easily taken for independent. A score weighs all that the rows say. So of
all graphs of a label, its neighbours, and what is around these, the best one with an arrow is compared with
the best one with the opposite arrow; and where that leaves an arrow open, all graphs of the neighbour, what
is next to it, and what is around that. Graphs that say the same of independence fit equally well, so that an
arrow that may run either way is not told.

That needs models in which effects add up: a test whose data have
:meth:`~engine.independence.data.TestData.fits_of_sets`. Of categories alone nothing is told that way: with
models of all their combinations too many arrows on published networks were wrong.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.boundaries.climbing import PRICE_OF_DOF, Price
from engine.boundaries.exact_search import log_ratios
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.clcd import LabelFindings
from engine.discovery.orientation.arrows import Arrow, Pair, without_circles
from engine.discovery.orientation.direction import Because
from engine.discovery.orientation.local_graph import LocalGraph

# How many times likelier is fairly strong evidence (Royall 1997, Statistical Evidence, section 1.6).
LIKELIER = math.log(8.0)
# As strong as two pieces of such evidence.
MUCH_LIKELIER = 2.0 * LIKELIER
# Sums in another order differ by less.
_ROUNDING = 1e-6
# All sets of so many variables are gone through, and time doubles with each one more.
_MOST_VARIABLES = 13


def leanings(
    search: Neighbourhoods,
    graph: LocalGraph,
    findings: Mapping[int, LabelFindings],
    cut: frozenset[int] = frozenset(),
) -> dict[Pair, Arrow]:
    """Say of each edge next to a label which way the best graph around the label has it, if that is better.

    Of an edge of which this graph says nothing clear, the best graph around the neighbour speaks where it
    does: what else bears on the neighbour is in that one.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    graph : LocalGraph
        Who is next to whom.
    findings : mapping of int to LabelFindings
        What was found around each label.
    cut : frozenset of int
        Numbers that were cut into bins: nothing is told with the help of these.

    Returns
    -------
    dict of (cause, effect) to Arrow
        With how much likelier each is, however little. A pair of labels may stand in it both ways, as each
        is weighed among its own neighbours. Of a label with many neighbours only the nearest are there.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    if not search.settings.is_controlled or not search.data.fits_sets:
        return {}
    arrows: dict[Pair, Arrow] = {}
    for label, found in findings.items():
        spouses = tuple(link.spouse for link in found.links)
        around = _Surroundings(label, found.neighbourhood.members, spouses)
        for arrow in _arrows_around(search, graph, around, found.neighbourhood.member_set, cut):
            arrows.setdefault((arrow.cause, arrow.effect), arrow)
    for member, labels in _open_edges(graph, findings, arrows).items():
        around = _Surroundings(member, graph.neighbours(member))
        for arrow in filter(is_clear, _arrows_around(search, graph, around, labels, cut)):
            arrows.pop((arrow.effect, arrow.cause), None)
            arrows[arrow.cause, arrow.effect] = arrow
    return arrows


def is_clear(arrow: Arrow) -> bool:
    """Tell whether the best graph with an arrow is so much likelier that the arrow is told."""
    return (arrow.log_ratio or 0.0) >= LIKELIER


def _open_edges(
    graph: LocalGraph, findings: Mapping[int, LabelFindings], arrows: Mapping[Pair, Arrow]
) -> dict[int, set[int]]:
    """List the neighbours of labels around which there was a search, each with the labels to ask about.

    Other labels are not among them, as each is asked about itself; nor is what only one of the two searches
    found next to the other.
    """
    clear = {frozenset(pair) for pair, arrow in arrows.items() if is_clear(arrow)}
    members: dict[int, set[int]] = {}
    for label, found in findings.items():
        for member in found.neighbourhood.members:
            if member in findings or not graph.was_searched(member) or {label, member} in clear:
                continue
            if graph.adjacent(label, member):
                members.setdefault(member, set()).add(label)
    return members


def agreed(by_tests: Mapping[Pair, Arrow], leaning: Mapping[Pair, Arrow]) -> dict[Pair, Arrow]:
    """Tell what tests tell and no better graph denies, and what best graphs tell clearly and no test denies.

    Parameters
    ----------
    by_tests : mapping of (cause, effect) to Arrow
        What single tests tell.
    leaning : mapping of (cause, effect) to Arrow
        What :func:`leanings` gives.

    Returns
    -------
    dict of (cause, effect) to Arrow
        No pair stands in it both ways, and following the arrows never leads back.
    """
    clear = {pair: arrow for pair, arrow in leaning.items() if is_clear(arrow)}
    both = {**clear, **by_tests}
    denied = {pair for pair in by_tests if pair[::-1] in leaning and pair not in clear}
    contradicted = {pair for pair in both if pair[::-1] in both}
    left_out = denied | contradicted
    return without_circles({pair: arrow for pair, arrow in both.items() if pair not in left_out})


class _Surroundings(NamedTuple):
    """A variable, what is next to it, and other causes of its effects."""

    centre: int
    neighbours: Sequence[int]
    spouses: Sequence[int] = ()


def _arrows_around(
    search: Neighbourhoods,
    graph: LocalGraph,
    around: _Surroundings,
    asked: Collection[int],
    cut: frozenset[int],
) -> Iterator[Arrow]:
    """Return the arrows between a variable and neighbours that are asked about, where one way is better."""
    search.check_stop()
    centre, variables = around.centre, _variables(search, graph, around)
    fits = None
    if len(variables) > 1 and cut.isdisjoint(variables):
        fits = search.data.fits_of_sets(np.array(variables, dtype=np.int64))
    if fits is None:
        return
    # An arrow costs what it does in BIC (Schwarz 1978, Estimating the dimension of a model, Annals of
    # Statistics 6:461-464), and the bends of a curve less.
    price = Price(PRICE_OF_DOF, math.log(search.data.observations), len(variables))
    # The rows may bear fewer variables.
    variables = variables[: len(fits.statistic).bit_length() - 1]
    numbers = [number for number, each in enumerate(variables) if each in asked]
    for number, ratio in zip(numbers, log_ratios(fits, price, numbers), strict=True):
        if abs(ratio) > _ROUNDING:
            other = variables[number]
            cause, effect = (other, centre) if ratio > 0.0 else (centre, other)
            rest = tuple(sorted(each for each in variables[1:] if each != other))
            yield Arrow(cause, effect, Because.BEST_GRAPH, rest, (), abs(ratio))


def _variables(search: Neighbourhoods, graph: LocalGraph, around: _Surroundings) -> list[int]:
    """List a variable, its neighbours, its spouses, what is next to its neighbours, and what depends on any.

    Of each kind the strongest first. What a search passed over for lack of rows may still say which way an
    arrow runs, once all is weighed together. One of several copies of a column is enough.
    """
    centre, neighbours = around.centre, around.neighbours
    strongest: dict[int, float] = {}
    for neighbour in neighbours:
        beside = [each for each in _beside(graph, neighbour) if each != centre]
        for each, log_p in _log_p(search, neighbour, beside):
            strongest[each] = min(strongest.get(each, 0.0), log_p)
    listed = [
        centre,
        *_by_strength(_log_p(search, centre, neighbours)),
        *around.spouses,
        *_by_strength(strongest.items()),
    ]
    originals = search.data.originals
    chosen: dict[int, int] = {}
    for each in listed:
        chosen.setdefault(int(originals[each]), each)
    if 1 < len(chosen) < _MOST_VARIABLES:
        for each in _by_strength(_dependent(search, (centre, *neighbours)).items()):
            chosen.setdefault(int(originals[each]), each)
    return list(chosen.values())[:_MOST_VARIABLES]


def _dependent(search: Neighbourhoods, variables: Iterable[int]) -> dict[int, float]:
    """Return what depends on any of some variables, with the least logarithm of its p-values."""
    strongest: dict[int, float] = {}
    for variable in variables:
        screen = search.screen(variable)
        for each, log_p in zip(screen.candidates.tolist(), screen.log_p.tolist(), strict=True):
            strongest[each] = min(strongest.get(each, 0.0), log_p)
    return strongest


def _beside(graph: LocalGraph, variable: int) -> tuple[int, ...]:
    return graph.neighbours(variable) if graph.was_searched(variable) else ()


def _log_p(search: Neighbourhoods, variable: int, others: Collection[int]) -> Iterator[tuple[int, float]]:
    """Return the logarithms of the p-values of one variable with others, nothing held fixed."""
    screen = search.screen(variable)
    known = dict(zip(screen.candidates.tolist(), screen.log_p.tolist(), strict=True))
    unknown = [each for each in others if each not in known]
    if unknown:
        answers = search.data.ask_marginal(variable, np.array(unknown, dtype=np.int64), search.stop)
        search.check_stop()
        known |= zip(unknown, answers.log_p.tolist(), strict=True)
    return ((each, known[each]) for each in others)


def _by_strength(log_p: Iterable[tuple[int, float]]) -> list[int]:
    return [each for _, each in sorted((p, each) for each, p in log_p)]
