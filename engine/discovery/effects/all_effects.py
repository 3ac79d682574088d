"""Measures the sizes of all findings of a result: associations, as they are and adjusted, and effects.

An association is how a label goes with a feature. Without anything held, what goes along with the feature is
in the figures too. Adjusted, what is held keeps the distribution that it has in the population, as in direct
standardisation of rates: this says what the feature tells beside all others. Held are effects of the label
too, so that neither is the effect of changing it.

The effect of changing a cause is what would happen to a label if somebody set the cause to another value.
Adjusted is for the parents of the cause: nothing else goes into both (Pearl 2009, Causality, 2nd ed., section
3.3, theorem 3.2.2). Where they are not settled there is one estimate for each set of parents that is
compatible with the data, and the true effect is among these where nothing is hidden (IDA: Maathuis, Kalisch
and Bühlmann 2009, Annals of Statistics 37:3133-3164). Where the label may be one of the parents itself,
changing the cause may do nothing, which is then among the estimates.

The parents are searched for when somebody asks. Data tell some neighbours of a variable to be its causes,
others its effects, and leave others open: the open ones may be further causes. Of several that are open, or
of one and a known cause, two that are not next to each other cannot both be causes, as they would be told by
that (Maathuis, Kalisch and Bühlmann 2009, section 4.2). Rows are often too few for it to be told, so that
every set counts where these are few.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from engine.discovery.effects.design import CONFIDENCE, Pair, deviation
from engine.discovery.effects.estimates import Contrast, Estimand, Sign, Size, e_value_of
from engine.discovery.effects.measuring import SuitedPair
from engine.discovery.effects.size_table import Effects
from engine.discovery.flags import Flags
from engine.discovery.orientation.direction import Because, Direction, Grade, Orientation
from engine.errors import Cancelled, InvalidData, InvalidParameter
from engine.execution.workers import single_threaded_algebra
from engine.parameters import Parameter, impossible_value, require_type, watched
from engine.progress import Progress, Steps, UnreportedProgress
from engine.table.dataset import Dataset
from engine.table.row_weights import SAMPLING
from engine.table.variable import Kind
from engine.translation import N_, _
from engine.wording.sentences import MAKE_A_DATASET, MAKE_A_RESULT, choose_one
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.discovery.evidence import Pair as FindingPair
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
        parents = tuple(parent for parent in self.parents if parent != effect)
        further = [neighbour for neighbour in self.open if neighbour != effect]
        for size in range(len(further) + 1):
            is_compatible = False
            for some in combinations(further, size):
                pairs = [*combinations(some, 2), *((chosen, parent) for chosen in some for parent in parents)]
                if self.adjacent is None or all(frozenset(pair) in self.adjacent for pair in pairs):
                    is_compatible = True
                    yield (*parents, *some)
            # Part of a set that is compatible is compatible.
            if not is_compatible:
                return


def _direction_by_tests(orientation: Orientation | None) -> Direction:
    """Return what a neighbour is; a direction that no test shows, but a score of whole graphs, stays open."""
    if orientation is None or orientation.because is Because.BEST_GRAPH:
        return Direction.UNDECIDED
    return orientation.direction


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
        for parent_set in self.around(cause, progress).parent_sets(effect):
            sets.append(parent_set)
            if len(sets) > MOST_SETS:
                return ()
        return tuple(sets)

    def _search(self, cause: str, progress: Progress) -> LocalCauses:
        from engine.discovery.discover import SearchRequest, search_data

        dataset = self._result.dataset.with_labels([cause])
        request = SearchRequest(self._settings, self._result.knowledge, is_part=True)
        around = self._neighbourhoods.noted()
        result = search_data(self._data, dataset, request, UnreportedProgress(progress), search=around)
        if result.is_partial:
            # What was broken off is not to be had any more.
            del self._neighbourhoods
            raise Cancelled()
        neighbours = result.boundaries[cause].parents_children
        directions = {
            neighbour: _direction_by_tests(result.orientation(neighbour, cause)) for neighbour in neighbours
        }
        parents = tuple(neighbour for neighbour in neighbours if directions[neighbour] is Direction.CAUSE)
        undecided = tuple(
            neighbour for neighbour in neighbours if directions[neighbour] is Direction.UNDECIDED
        )
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
            pairs.update(frozenset((name, partner)) for partner in names if positions[partner] in members)
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
    """Estimate the effect of changing a cause on a label, adjusted for the parents of the cause.

    Several possible parent sets give a range, with limits that hold all intervals; `may_be_effect` extends it
    to no effect.
    """
    pair = SuitedPair(Pair(dataset, cause, label, row_weights, confidence))
    return _effect(
        pair, parent_sets, watched(progress), nothing_hidden=nothing_hidden, may_be_effect=may_be_effect
    )


def _effect(
    pair: SuitedPair,
    parent_sets: Sequence[Sequence[str]],
    progress: Progress,
    *,
    nothing_hidden: bool,
    may_be_effect: bool,
) -> Size:
    sizes: list[Size] = []
    for parents in parent_sets:
        if progress.should_stop():
            raise Cancelled()
        sizes.append(pair.measure(Estimand.EFFECT, tuple(parents)))
    size = sizes[0] if len(sizes) == 1 else _range(pair.pair, sizes)
    if may_be_effect:
        contrasts = tuple(map(_reaching_no_effect, size.contrasts))
        size = replace(size, points=(), contrasts=contrasts, may_be_effect=True)
    return replace(
        size, parent_sets=tuple(map(tuple, parent_sets)), assumes_nothing_hidden=not nothing_hidden
    )


def _range(pair: Pair, sizes: Sequence[Size]) -> Size:
    """Join the estimates of several sets of parents; no figure where there are none."""
    contrasts = tuple(_joined_contrasts(sizes))
    signs = {size.sign for size in sizes}
    sign = signs.pop() if len(signs) == 1 else Sign.UNCLEAR
    rows = pair.rows()
    spread = deviation(pair.dataset.column(pair.label)[rows.places], rows.shares)
    return Size(
        estimand=Estimand.EFFECT,
        feature=pair.feature,
        label=pair.label,
        points=(),
        is_curve=any(size.is_curve for size in sizes),
        contrasts=contrasts,
        sign=sign,
        adjusted_for=(),
        left_out=tuple(dict.fromkeys(name for size in sizes for name in size.left_out)),
        rows=min((size.rows for size in sizes), default=rows.count),
        rows_lost=max((size.rows_lost for size in sizes), default=rows.lost),
        confidence=pair.confidence,
        e_value=e_value_of(contrasts, sign, spread),
        between_share=max((size.between_share for size in sizes), default=0.0),
    )


def _joined_contrasts(sizes: Sequence[Size]) -> Iterator[Contrast]:
    """Return each comparison that every set of parents allows, with the range of its estimates."""
    by_kind = [
        {
            (contrast.measure, contrast.at, contrast.reference, contrast.label_level): contrast
            for contrast in size.contrasts
        }
        for size in sizes
    ]
    for key, first in by_kind[0].items() if by_kind else ():
        if not all(key in others for others in by_kind):
            continue
        same = [others[key] for others in by_kind]
        least, most = min(contrast.estimate for contrast in same), max(contrast.estimate for contrast in same)
        yield replace(
            first,
            estimate=min(max(first.measure.without_link, least), most),
            low=min(contrast.low for contrast in same),
            high=max(contrast.high for contrast in same),
            least=least,
            most=most,
            without_alike=max(contrast.without_alike for contrast in same),
        )


def _reaching_no_effect(contrast: Contrast) -> Contrast:
    """Return a comparison whose range, and whose interval, hold no difference too."""
    none = contrast.measure.without_link
    return replace(
        contrast,
        estimate=none,
        low=min(contrast.low, none),
        high=max(contrast.high, none),
        least=min(contrast.least, none),
        most=max(contrast.most, none),
    )


def association(
    dataset: Dataset,
    feature: str,
    label: str,
    *,
    row_weights: str = SAMPLING,
    confidence: float = CONFIDENCE,
) -> Size:
    """Estimate the unadjusted association of a label with a feature, by level or along a smooth curve."""
    return SuitedPair(Pair(dataset, feature, label, row_weights, confidence)).measure(Estimand.ASSOCIATION)


def adjusted_association(
    dataset: Dataset,
    feature: str,
    label: str,
    held: Sequence[str],
    *,
    acting: Iterable[tuple[str, str]] = (),
    row_weights: str = SAMPLING,
    confidence: float = CONFIDENCE,
) -> Size:
    """Estimate the association of a label with a feature, adjusted for other variables by standardisation.

    What matters most is `held` first: where rows are too few the last are left out. `acting` pairs enter with
    products.
    """
    pair = SuitedPair(Pair(dataset, feature, label, row_weights, confidence))
    return pair.measure(Estimand.ADJUSTED, tuple(held), tuple(acting))


def rest_of_boundary(
    result: DiscoveryResult, feature: str, label: str
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return what is held when a finding is adjusted, and the pairs of spouse and shared effect in it.

    Neighbours, strongest first, then spouses; without members that the feature stands in for.
    """
    boundary = result.boundaries[label]
    instead = members_replaced(result, feature, label)
    held = tuple(name for name in boundary.members if name != feature and name not in instead)
    acting = tuple(
        (spouse, child) for spouse, children in boundary.spouses.items() for child in sorted(children)
    )
    return held, acting


def members_replaced(result: DiscoveryResult, feature: str, label: str) -> tuple[str, ...]:
    """Return the members of a label's boundary whose place a feature takes, as it tells the same."""
    partners = {name for reason in result.reasons(feature, label) for name in reason.partner}
    return tuple(name for name in result.boundaries[label].members if name in partners)


MEASURING = N_("Computing estimates")
_CAUSES = (Grade.CAUSE, Grade.CAUSE_NOTHING_HIDDEN)


def effects(
    dataset: Dataset,
    result: DiscoveryResult,
    *,
    pairs: Iterable[FindingPair] | None = None,
    estimands: Sequence[Estimand | str] = tuple(Estimand),
    confidence: float = CONFIDENCE,
    progress: Progress | None = None,
    besides: Effects | None = None,
) -> Effects:
    """Estimate how large each finding of a result is.

    There are three estimands: the association of label and feature; the same, standardised over the other
    members of the boundary of the label; and, for causes, the effect of changing them.

    Parameters
    ----------
    dataset : Dataset
        The whole table that was searched, preferably with its numbers uncut. If only a part of the rows was
        searched, the other rows give the estimates.
    result : DiscoveryResult
        The findings.
    pairs : iterable of (str, str), optional
        Pairs of a feature, or another label, and a label. Default: all findings.
    estimands : sequence of Estimand
        What to estimate.
    confidence : float
        Confidence level of the intervals.
    progress : Progress, optional
        Receives the progress, and can stop the work.
    besides : Effects, optional
        Other estimands of the same findings in the same table, to which these are added.

    Returns
    -------
    Effects
        The estimates with their intervals.

    Raises
    ------
    InvalidParameter
        If the table lacks a column of the result, an estimand or the label of a pair does not exist, or
        `confidence` is not a share.
    InvalidData
        If numbers lie beyond 10^150, or all within 10^-150, because their squares cannot be computed.
    Cancelled
        If the work was stopped.

    Notes
    -----
    If the same rows served for the search, estimates may be too large and intervals too narrow. ``discover(…,
    split=engine.RowSplit())`` keeps rows for the estimates.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> result = engine.discover(network.dataset)
    >>> found = effects(network.dataset, result, estimands=["association"])
    >>> set(found.table()["kind"])
    {'association'}
    """
    from engine.discovery.result import DiscoveryResult

    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    require_type(result, DiscoveryResult, "result", _(MAKE_A_RESULT))
    _CONFIDENCE.check(confidence)
    kinds = tuple(map(_estimand, estimands))
    dataset = rows_to_measure(dataset, result)
    linked_pairs = (*result.evidence, *result.links_through_labels, *result.label_evidence)
    wanted = linked_pairs if pairs is None else tuple(_pair(pair, result) for pair in pairs)
    _require_moderate_numbers(dataset, {name for pair in (*linked_pairs, *wanted) for name in pair})
    progress = watched(progress)
    steps = Steps(progress, max(len(wanted), 1), lambda: 0)
    sizes: list[Size] = []
    search = ParentSearch(result)
    with single_threaded_algebra():
        for feature, label in wanted:
            if progress.should_stop():
                raise Cancelled()
            sizes += sizes_of(dataset, result, feature, label, kinds, search, confidence, progress)
            steps.finish(_(MEASURING), 1, detail=label)
    earlier = besides or Effects(())
    doubts = result.flags
    if dataset is not result.dataset:
        # What a search noted of its table holds for these rows, too.
        noted = dataset.with_notes(note for note in result.dataset.notes if note not in dataset.notes)
        doubts = Flags(noted, result.settings.row_weights, result.blocks).of
    flags = {pair: earlier.flags[pair] if pair in earlier.flags else doubts(*pair) for pair in wanted}
    return earlier.with_more(Effects(tuple(sizes), flags))


def _require_moderate_numbers(dataset: Dataset, names: Collection[str]) -> None:
    """Refuse numbers whose squares are infinite, or nothing, in columns that are measured."""
    for variable, column in zip(dataset.variables, dataset.columns, strict=True):
        if variable.kind is not Kind.CONTINUOUS or variable.name not in names:
            continue
        largest = float(np.nanmax(np.abs(column), initial=0.0))
        if largest > _LARGEST or 0.0 < largest < 1.0 / _LARGEST:
            raise InvalidData(
                _(
                    "its numbers are up to {largest:.0e}, which is too large to compute estimates.",
                    largest=largest,
                ),
                place=_("column '{name}'", name=variable.name),
                remedy=_("Write them in another unit."),
            )


_LARGEST = 1e150
_CONFIDENCE = Parameter(
    "confidence",
    "Confidence",
    N_("Confidence level of the intervals."),
    CONFIDENCE,
    "number",
    minimum=0.0,
    maximum=1.0,
    open_interval=True,
)


def _estimand(value: Estimand | str) -> Estimand:
    try:
        return Estimand(value)
    except ValueError:
        raise impossible_value(value, the_setting("estimands"), choose_one(map(str, Estimand))) from None


def _pair(value: FindingPair, result: DiscoveryResult) -> FindingPair:
    """Check that a pair is a variable and a label that was searched."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        remedy = _("Give pairs of a feature and a label, such as [('age', 'ill')].")
        raise impossible_value(value, the_setting("pairs"), remedy)
    feature, label = value
    if label not in result.boundaries:
        raise InvalidParameter(
            _("{label!r} is not a label that was searched.", label=label),
            place=the_setting("pairs"),
            remedy=choose_one(result.boundaries),
        )
    return feature, label


def rows_to_measure(dataset: Dataset, result: DiscoveryResult) -> Dataset:
    """Return the rows in which sizes are measured: those that were not searched, if there are any."""
    if result.split is None:
        return dataset
    row_weights = result.settings.row_weights
    result.split.check_belongs(dataset, result.dataset.row_count, row_weights)
    return result.split.measuring(dataset, row_weights)


def is_confirmed(result: DiscoveryResult, feature: str, label: str) -> bool:
    """Tell whether it may be relied upon that a feature is a cause of a label, if nothing is hidden."""
    orientation = result.orientation(feature, label)
    return orientation is not None and orientation.confirmed


def sizes_of(
    dataset: Dataset,
    result: DiscoveryResult,
    feature: str,
    label: str,
    estimands: Sequence[Estimand],
    search: ParentSearch,
    confidence: float = CONFIDENCE,
    progress: Progress | None = None,
) -> Iterator[Size]:
    """Estimate one finding by estimand, effects of causes only; `search` keeps what is around causes."""
    grade = result.findings.grade(feature, label)
    is_cause = grade in _CAUSES or result.direction(feature, label) is Direction.CAUSE
    if not is_cause and set(estimands) <= {Estimand.EFFECT}:
        return
    pair = SuitedPair(Pair(dataset, feature, label, result.settings.row_weights, confidence))
    if Estimand.ASSOCIATION in estimands:
        yield pair.measure(Estimand.ASSOCIATION)
    if Estimand.ADJUSTED in estimands:
        size = pair.measure(Estimand.ADJUSTED, *rest_of_boundary(result, feature, label))
        yield replace(size, instead_of=members_replaced(result, feature, label))
    if Estimand.EFFECT in estimands and is_cause:
        yield _effect(
            pair,
            search.parent_sets(feature, label, progress),
            watched(progress),
            nothing_hidden=grade is Grade.CAUSE_NOTHING_HIDDEN,
            may_be_effect=not is_confirmed(result, feature, label),
        )
