"""Effect of changing a cause: what would happen to a label if somebody set the cause to another value.

Adjusted is for the parents of the cause: nothing else goes into both (Pearl 2009, Causality, 2nd ed., section
3.3, theorem 3.2.2). Where they are not settled there is one estimate for each set of parents that is
compatible with the data, and the true effect is among these where nothing is hidden (IDA: Maathuis, Kalisch
and Bühlmann 2009, Annals of Statistics 37:3133-3164). Where the label may be one of the parents itself,
changing the cause may do nothing, which is then among the estimates.

The parents are searched for when somebody asks. Data tell some neighbours of a variable to be its causes,
others its effects, and leave others open: the open ones may be further causes. Of several that are open, or
of one and a known cause, two that are not next to each other cannot both be causes, as they would be told by
that (Maathuis, Kalisch and Bühlmann 2009, Estimating high-dimensional intervention effects from observational
data, Annals of Statistics 37:3133-3164, section 4.2). Rows are often too few for it to be told, so that every
set counts where these are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from engine.discovery.effects.design import CONFIDENCE, Pair, deviation
from engine.discovery.effects.estimates import Contrast, Estimand, Sign, Size, e_value_of
from engine.discovery.effects.measuring import measure, suited
from engine.discovery.orientation.direction import Because, Direction, Orientation
from engine.errors import Cancelled
from engine.parameters import watched
from engine.progress import Progress, UnreportedProgress
from engine.table.dataset import Dataset
from engine.table.row_weights import SAMPLING

if TYPE_CHECKING:
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.discovery.result import DiscoveryResult
    from engine.independence.data import TestData


# More sets than these are not listed: a range over them would be as good as none.
MOST_SETS = 64


@dataclass(frozen=True, slots=True)
class LocalCauses:
    """Neighbours of one variable, by what they are to it, in the order of the search."""

    parents: tuple[str, ...]
    open: tuple[str, ...]  # may be causes or effects
    # pairs next to each other; None where open ones are too few to look
    adjacent: frozenset[frozenset[str]] | None = None

    def parent_sets(self, effect: str) -> Iterator[tuple[str, ...]]:
        """Return each set of parents that is compatible with what is known.

        Where it is known which neighbours are next to each other, two that are not do not both join.

        >>> known = LocalCauses(("a",), ("b", "c"), frozenset({frozenset({"a", "b"})}))
        >>> list(known.parent_sets("y"))
        [('a',), ('a', 'b')]
        >>> list(LocalCauses((), ("b", "c")).parent_sets("y"))
        [(), ('b',), ('c',), ('b', 'c')]
        """
        known = tuple(each for each in self.parents if each != effect)
        further = [each for each in self.open if each != effect]
        for size in range(len(further) + 1):
            found = False
            for some in combinations(further, size):
                pairs = [*combinations(some, 2), *((one, other) for one in some for other in known)]
                if self.adjacent is None or all(frozenset(pair) in self.adjacent for pair in pairs):
                    found = True
                    yield (*known, *some)
            # Part of a set that is compatible is compatible.
            if not found:
                return


def _direction_by_tests(found: Orientation | None) -> Direction:
    """Return what a neighbour is; a direction that no test shows, but a score of whole graphs, stays open."""
    if found is None or found.because is Because.BEST_GRAPH:
        return Direction.UNDECIDED
    return found.direction


class ParentSearch:
    """Searches for the parents of causes by the rows and settings of a result, and keeps what it found."""

    def __init__(self, result: DiscoveryResult) -> None:
        self._result = result
        # Where machines search, they are not asked for so little.
        self._settings = replace(result.settings, cluster=None)
        self._found: dict[str, LocalCauses] = {}

    def around(self, cause: str, progress: Progress | None = None) -> LocalCauses:
        """Search for what is next to a variable, and tell causes from effects there."""
        if cause not in self._found:
            self._found[cause] = self._search(cause, watched(progress))
        return self._found[cause]

    def parent_sets(
        self, cause: str, effect: str, progress: Progress | None = None
    ) -> tuple[tuple[str, ...], ...]:
        """Return every set of parents of a cause that is compatible with the data; none of too many."""
        sets: list[tuple[str, ...]] = []
        for each in self.around(cause, progress).parent_sets(effect):
            sets.append(each)
            if len(sets) > MOST_SETS:
                return ()
        return tuple(sets)

    def _search(self, cause: str, progress: Progress) -> LocalCauses:
        from engine.discovery.discover import search_data
        from engine.discovery.request import SearchRequest

        dataset = self._result.dataset.with_labels([cause])
        request = SearchRequest(self._settings, self._result.knowledge, is_part=True)
        around = self._neighbourhoods.noted()
        found = search_data(self._data, dataset, request, UnreportedProgress(progress), search=around)
        if found.is_partial:
            # What was broken off is not to be had any more.
            del self._neighbourhoods
            raise Cancelled()
        neighbours = found.boundaries[cause].parents_children
        directions = {each: _direction_by_tests(found.orientation(each, cause)) for each in neighbours}
        parents = tuple(each for each in neighbours if directions[each] is Direction.CAUSE)
        undecided = tuple(each for each in neighbours if directions[each] is Direction.UNDECIDED)
        if 2 ** len(undecided) <= MOST_SETS:
            return LocalCauses(parents, undecided)
        return LocalCauses(parents, undecided, self._adjacent((*parents, *undecided), progress))

    def _adjacent(self, names: Sequence[str], progress: Progress) -> frozenset[frozenset[str]]:
        """Tell which of some variables are next to each other, by a search around each."""
        positions = self._data.positions
        pairs: set[frozenset[str]] = set()
        for name in names:
            if progress.should_stop():
                raise Cancelled()
            members = self._neighbourhoods.neighbours(positions[name]).member_set
            pairs.update(frozenset((name, other)) for other in names if positions[other] in members)
        return frozenset(pairs)

    @cached_property
    def _data(self) -> TestData:
        from engine.boundaries.discovery_settings import arranged, in_time_order

        data = arranged(self._result.dataset, self._settings)
        return in_time_order(data, self._settings, self._result.knowledge)

    @cached_property
    def _neighbourhoods(self) -> Neighbourhoods:
        """What was searched so far, around causes and around what is next to them."""
        from engine.boundaries.neighbourhoods import Neighbourhoods

        return Neighbourhoods(self._data, self._settings, np.zeros(1, dtype=np.uint8))


def effect_of_changing(
    dataset: Dataset,
    cause: str,
    label: str,
    parent_sets: Sequence[Sequence[str]],
    *,
    nothing_hidden: bool = False,
    may_be_effect: bool = False,
    row_weights: str = SAMPLING,
    confidence: float = CONFIDENCE,
    progress: Progress | None = None,
) -> Size:
    """Measure what changing a cause does to a label, adjusted for the parents of the cause.

    For several sets that may be the parents the size has the range of their estimates, with limits that hold
    all of their intervals; for none no figure. If it `may_be_effect`, changing it may do nothing: both reach
    to that. Where `nothing_hidden` is not known, the size says that it is assumed.
    """
    progress = watched(progress)
    pair = suited(Pair(dataset, cause, label, row_weights, confidence))
    sizes: list[Size] = []
    for parents in parent_sets:
        if progress.should_stop():
            raise Cancelled()
        sizes.append(measure(pair, Estimand.EFFECT, tuple(parents)))
    found = sizes[0] if len(sizes) == 1 else _range(pair, sizes)
    if may_be_effect:
        contrasts = tuple(map(_reaching_no_effect, found.contrasts))
        found = replace(found, points=(), contrasts=contrasts, may_be_effect=True)
    return replace(
        found, parent_sets=tuple(map(tuple, parent_sets)), assumes_nothing_hidden=not nothing_hidden
    )


def _range(pair: Pair, sizes: Sequence[Size]) -> Size:
    """Join the estimates of several sets of parents; no figure where there are none."""
    contrasts = tuple(_joined_contrasts(sizes))
    signs = {each.sign for each in sizes}
    sign = signs.pop() if len(signs) == 1 else Sign.UNCLEAR
    rows = pair.rows()
    spread = deviation(pair.dataset.column(pair.label)[rows.places], rows.shares)
    return Size(
        estimand=Estimand.EFFECT,
        feature=pair.feature,
        label=pair.label,
        points=(),
        is_curve=any(each.is_curve for each in sizes),
        contrasts=contrasts,
        sign=sign,
        adjusted_for=(),
        left_out=tuple(dict.fromkeys(name for each in sizes for name in each.left_out)),
        rows=min((each.rows for each in sizes), default=rows.count),
        rows_lost=max((each.rows_lost for each in sizes), default=rows.lost),
        confidence=pair.confidence,
        e_value=e_value_of(contrasts, sign, spread),
        between_share=max((each.between_share for each in sizes), default=0.0),
    )


def _joined_contrasts(sizes: Sequence[Size]) -> Iterator[Contrast]:
    """Return each comparison that every set of parents allows, with the range of its estimates."""
    by_kind = [
        {(each.measure, each.at, each.reference, each.label_level): each for each in size.contrasts}
        for size in sizes
    ]
    for key, first in by_kind[0].items() if by_kind else ():
        if not all(key in others for others in by_kind):
            continue
        same = [others[key] for others in by_kind]
        least, most = min(each.estimate for each in same), max(each.estimate for each in same)
        yield replace(
            first,
            estimate=min(max(first.measure.without_link, least), most),
            low=min(each.low for each in same),
            high=max(each.high for each in same),
            least=least,
            most=most,
            without_alike=max(each.without_alike for each in same),
        )


def _reaching_no_effect(found: Contrast) -> Contrast:
    """Return a comparison whose range, and whose interval, hold no difference too."""
    none = found.measure.without_link
    return replace(
        found,
        estimate=none,
        low=min(found.low, none),
        high=max(found.high, none),
        least=min(found.least, none),
        most=max(found.most, none),
    )
