"""Which way arrows run in the best graph of the variables around a label, where another is clearly worse.

Tests that are looked at one by one leave much open: with few rows what a collider joins is often too weak to
be significant, and what is weak is easily taken for independent. A score weighs all that the rows say. So of
all graphs of a label, its neighbours, and what is around these, the best one with an arrow is compared with
the best one with the opposite arrow; and where that leaves an arrow open, all graphs of the neighbour, what
is next to it, and what is around that. Graphs that say the same of independence fit equally well, so that an
arrow that may run either way is not told.

That needs models in which effects add up: a test whose data have
:meth:`~engine.independence.data.TestData.fits_of_sets`. Each level of a category is a column of such a model:
with models of all their combinations too many arrows on published networks were wrong. As combinations may
matter all the same, an arrow that graphs alone tell among categories has to be far likelier.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.boundaries.exact_search import weigh_at_prices
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.label_findings import LabelFindings
from engine.discovery.orientation.arrows import Arrow, Pair, without_circles
from engine.discovery.orientation.direction import Because
from engine.discovery.orientation.local_graph import LocalGraph

# So many times likelier the best graph with an arrow has to be than the best one with the opposite arrow, for
# what tests tell and for what it tells alone. Positive evidence begins at 3 (Kass and Raftery 1995, Bayes
# factors, Journal of the American Statistical Association 90:773-795), fairly strong evidence at 8.
_LIKELIER = math.log(5.0)
# As strong as two pieces of fairly strong evidence (Royall 1997, Statistical Evidence, section 1.6).
MUCH_LIKELIER = 2.0 * math.log(8.0)
# What the other graph says against an arrow that no test tells counts so many times.
_OBJECTION = 3.0
# With fewer rows ratios have to be larger: graphs then leave out what is weak, and what it would say.
_FEW_ROWS = 300.0
# Of categories more rows are few: models that add levels up have more parameters, and suit them less well.
_FEW_ROWS_OF_CATEGORIES = 1000.0
# Sums in another order differ by less.
_ROUNDING = 1e-6
# All sets of so many variables are gone through, and time doubles with each one more.
_MOST_VARIABLES = 13


class BestGraphs:
    """Weighs arrows by the best graphs around either end, and around no variable before it is needed.

    An arrow is as much likelier than the opposite one as the more decided of the two graphs says, at
    whichever of several prices of an arrow that is least, less what the other graph says against it. Where
    neither has an arrow between the two variables, nothing is told. Around a label stands what its search
    found; around another variable, what is next to it. Numbers that were `cut` into bins do not help to tell
    anything.
    """

    def __init__(
        self,
        search: Neighbourhoods,
        graph: LocalGraph,
        findings: Mapping[int, LabelFindings],
        cut: frozenset[int] = frozenset(),
    ) -> None:
        self._search = search
        self._graph = graph
        self._findings = findings
        self._cut = cut
        self.can_weigh = search.settings.is_controlled and search.data.fits_sets
        """Whether graphs can be weighed at all."""
        self._around: dict[int, dict[int, _Weighed]] = {}
        of_categories = math.sqrt(_FEW_ROWS_OF_CATEGORIES / search.data.observations)
        self.scale = max(
            1.0, (_FEW_ROWS / search.data.observations) ** 2, of_categories if self.add_levels else 0.0
        )
        """By how much ratios have to be larger, as rows are few."""

    @property
    def add_levels(self) -> bool:
        """Whether graphs weigh categories, by models that add levels up."""
        return self._search.data.fits_add_levels

    def bears_out(self, cause: int, effect: int) -> bool | None:
        """Tell whether graphs bear an arrow out that tests tell; None where none can weigh it.

        Tests of categories also see what models that add levels up do not: there only a graph that has the
        opposite arrow says no.
        """
        ratio, least = self._ratio(cause, effect), _LIKELIER * self.scale
        if ratio is None or (self.add_levels and abs(ratio) < least):
            return None
        return ratio >= least

    def leanings(self) -> dict[Pair, Arrow]:
        """Return for each edge next to a label its direction in the best graphs, and by how much.

        Only the nearest of many neighbours are there, and nothing where the graphs contradict each other as
        strongly.
        """
        arrows: dict[Pair, Arrow] = {}
        for label, label_findings in self._findings.items():
            for member in label_findings.neighbourhood.members:
                into, out = self._ratio(member, label), self._ratio(label, member)
                if into is not None and out is not None and max(into, out) > _ROUNDING:
                    cause, effect = (member, label) if into > out else (label, member)
                    arrows[cause, effect] = self._arrow(cause, effect)
        return arrows

    def is_clear(self, arrow: Arrow, least: float = _LIKELIER) -> bool:
        """Tell whether the best graph with an arrow is so much likelier that the arrow is told."""
        ratio = self._ratio(arrow.cause, arrow.effect, _OBJECTION)
        return ratio is not None and ratio >= least * self.scale

    def _arrow(self, cause: int, effect: int) -> Arrow:
        """Return an arrow as the more decided graph has it, with the variables that were weighed there."""
        decided = max(self._weighings(cause, effect), key=lambda weighing: weighing.favours)
        return Arrow(cause, effect, Because.BEST_GRAPH, decided.beside, (), decided.favours)

    def _centres(self, cause: int, effect: int) -> list[int]:
        """List the ends of an edge around which graphs may be weighed, labels first."""
        is_adjacent = self._graph.adjacent(cause, effect)
        # In an order that is the same for either direction.
        ends = sorted((cause, effect))
        centres = [end for end in ends if end in self._findings]
        return centres + [
            end for end in ends if end not in self._findings and is_adjacent and self._graph.was_searched(end)
        ]

    def _ratio(self, cause: int, effect: int, objection: float = 1.0) -> float | None:
        """Return an arrow's log ratio by the clearer graph, less `objection` times the other's; or None."""
        weighings = list(self._weighings(cause, effect))
        if not weighings:
            return None
        if not any(weighing.in_best for weighing in weighings):
            return 0.0
        favours = [weighing.favours for weighing in weighings]
        return max(favours) + objection * min(0.0, *favours)

    def _weighings(self, cause: int, effect: int) -> Iterator[_Weighed]:
        """Return what the graphs around either end say; where the first is clear, that alone."""
        for centre in self._centres(cause, effect) if self.can_weigh else ():
            weighing = self._edge_around(centre, cause, effect)
            if weighing is not None:
                yield weighing
                if max(weighing.favours, weighing.opposes) >= MUCH_LIKELIER * self.scale:
                    return

    def _edge_around(self, centre: int, cause: int, effect: int) -> _Weighed | None:
        """Return what the best graphs around one end say of an arrow; None where the other is not there."""
        weighed = self._weighed_around(centre).get(cause if centre == effect else effect)
        if weighed is None:
            return None
        return (
            weighed
            if centre == effect
            else weighed._replace(favours=weighed.opposes, opposes=weighed.favours)
        )

    def _weighed_around(self, centre: int) -> Mapping[int, _Weighed]:
        if centre not in self._around:
            label_findings = self._findings.get(centre)
            if label_findings is None:
                around = _LocalVariables(centre, self._graph.neighbours(centre))
            else:
                spouses = tuple(link.spouse for link in label_findings.links)
                around = _LocalVariables(centre, label_findings.neighbourhood.members, spouses)
            self._around[centre] = _weighed(self._search, self._graph, around, self._cut)
        return self._around[centre]


def agreed(
    by_tests: Mapping[Pair, Arrow], leaning: Mapping[Pair, Arrow], clear: Mapping[Pair, Arrow]
) -> dict[Pair, Arrow]:
    """Return arrows of tests that no graph denies, and clear ones of graphs that no test denies.

    No pair is in it both ways, and following the arrows never leads back.
    """
    both = {**clear, **by_tests}
    denied = {pair for pair in by_tests if pair[::-1] in leaning and pair not in clear}
    contradicted = {pair for pair in both if pair[::-1] in both}
    left_out = denied | contradicted
    return without_circles({pair: arrow for pair, arrow in both.items() if pair not in left_out})


class _LocalVariables(NamedTuple):
    """A variable, what is next to it, and other causes of its effects."""

    centre: int
    neighbours: Sequence[int]
    spouses: Sequence[int] = ()


class _Weighed(NamedTuple):
    """What the best graphs around a variable say of an arrow: first of that into the variable."""

    # log of how many times likelier the best graph with the arrow is; least over the prices of arrows
    favours: float
    opposes: float  # likewise with the opposite arrow
    in_best: bool  # at every price the best of all graphs has an arrow between the two
    beside: tuple[int, ...]  # weighed together with the two, in column order


def _weighed(
    search: Neighbourhoods, graph: LocalGraph, around: _LocalVariables, cut: frozenset[int]
) -> dict[int, _Weighed]:
    """Weigh the edges between a variable and its neighbours, by neighbour."""
    search.check_stop()
    variables = _variables(search, graph, around)
    fits = None
    if len(variables) > 1 and cut.isdisjoint(variables):
        fits = search.data.fits_of_sets(np.array(variables, dtype=np.int64))
    if fits is None:
        return {}
    # The rows may bear fewer variables.
    variables = variables[: len(fits.statistic).bit_length() - 1]
    near = frozenset(around.neighbours)
    numbers = [number for number, variable in enumerate(variables) if variable in near]
    weighed = weigh_at_prices(fits, search.data.observations, numbers)
    return {
        variables[number]: _Weighed(
            float(of_pair.min()),
            float((-of_pair).min()),
            bool(loss.max() <= _ROUNDING),
            tuple(sorted(variable for variable in variables[1:] if variable != variables[number])),
        )
        for number, of_pair, loss in zip(numbers, *(array.T for array in weighed), strict=True)
    }


def _variables(search: Neighbourhoods, graph: LocalGraph, around: _LocalVariables) -> list[int]:
    """List a variable, its neighbours, its spouses, what is next to its neighbours, and what depends on any.

    Of each kind the strongest first, and one of several copies. What lacked rows in a search may still direct
    an arrow.
    """
    centre, neighbours = around.centre, around.neighbours
    strongest: dict[int, float] = {}
    for neighbour in neighbours:
        beside = [variable for variable in _beside(graph, neighbour) if variable != centre]
        for variable, log_p in _log_p(search, neighbour, beside):
            strongest[variable] = min(strongest.get(variable, 0.0), log_p)
    listed = [
        centre,
        *_by_strength(_log_p(search, centre, neighbours)),
        *around.spouses,
        *_by_strength(strongest.items()),
    ]
    originals = search.data.originals
    chosen: dict[int, int] = {}
    for variable in listed:
        if not search.is_later(variable, centre):
            chosen.setdefault(int(originals[variable]), variable)
    if 1 < len(chosen) < _MOST_VARIABLES:
        for variable in _by_strength(_dependent(search, (centre, *neighbours)).items()):
            if not search.is_later(variable, centre):
                chosen.setdefault(int(originals[variable]), variable)
    return list(chosen.values())[:_MOST_VARIABLES]


def _dependent(search: Neighbourhoods, variables: Iterable[int]) -> dict[int, float]:
    """Return what depends on any of some variables, with the least logarithm of its p-values."""
    strongest: dict[int, float] = {}
    for variable in variables:
        screen = search.screen(variable)
        for candidate, log_p in zip(screen.candidates.tolist(), screen.log_p.tolist(), strict=True):
            strongest[candidate] = min(strongest.get(candidate, 0.0), log_p)
    return strongest


def _beside(graph: LocalGraph, variable: int) -> tuple[int, ...]:
    return graph.neighbours(variable) if graph.was_searched(variable) else ()


def _log_p(search: Neighbourhoods, variable: int, others: Collection[int]) -> Iterator[tuple[int, float]]:
    """Return the logarithms of the p-values of one variable with others, nothing held fixed."""
    screen = search.screen(variable)
    log_p_of = dict(zip(screen.candidates.tolist(), screen.log_p.tolist(), strict=True))
    unknown = [candidate for candidate in others if candidate not in log_p_of]
    if unknown:
        answers = search.data.ask_marginal(variable, np.array(unknown, dtype=np.int64), search.stop)
        search.check_stop()
        log_p_of |= zip(unknown, answers.log_p.tolist(), strict=True)
    return ((candidate, log_p_of[candidate]) for candidate in others)


def _by_strength(log_p: Iterable[tuple[int, float]]) -> list[int]:
    return [variable for _, variable in sorted((p, variable) for variable, p in log_p)]
