"""Measures the sizes of all findings of a result: associations, as they are and adjusted, and effects.

An association is how a label goes with a feature. Without anything held, what goes along with the feature is
in the figures too. Adjusted, what is held keeps the distribution that it has in the population, as in direct
standardisation of rates: this says what the feature tells beside all others. Held are effects of the label
too, so that neither is the effect of changing it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.discovery.effects.design import CONFIDENCE, Pair
from engine.discovery.effects.estimates import Estimand, Size
from engine.discovery.effects.intervention import ParentSearch, effect_of_changing
from engine.discovery.effects.measuring import measure, suited
from engine.discovery.effects.size_table import Effects
from engine.discovery.flags import Flags
from engine.discovery.orientation.direction import Direction
from engine.discovery.orientation.grades import Grade
from engine.errors import Cancelled, InvalidData, InvalidParameter
from engine.execution.workers import single_threaded_algebra
from engine.parameters import Parameter, impossible_value, require_type, watched
from engine.progress import Progress, Steps
from engine.table.dataset import Dataset
from engine.table.row_weights import SAMPLING
from engine.table.variable import Kind
from engine.wording.sentences import MAKE_A_DATASET, MAKE_A_RESULT, choose_one
from engine.wording.setting_names import the_setting

if TYPE_CHECKING:
    from engine.discovery.evidence import Pair as FindingPair
    from engine.discovery.result import DiscoveryResult


def association(
    dataset: Dataset,
    feature: str,
    label: str,
    *,
    row_weights: str = SAMPLING,
    confidence: float = CONFIDENCE,
) -> Size:
    """Measure how a label goes with a feature, without adjusting for anything.

    Rates of the label, or means of a number, by level of the feature, or along a smooth curve of its values,
    and how they compare.
    """
    return measure(suited(Pair(dataset, feature, label, row_weights, confidence)), Estimand.ASSOCIATION)


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
    """Measure how a label goes with a feature while other variables are held as they are in the population.

    A regression of the label (logistic, multinomial or linear, with smooth curves of numbers) is averaged
    over the rows, with the feature at each of its levels or values in turn. What matters most is held first:
    where rows are too few for so many coefficients the last are left out, and the size says so. `acting`
    pairs enter with their products.
    """
    pair = suited(Pair(dataset, feature, label, row_weights, confidence))
    return measure(pair, Estimand.ADJUSTED, tuple(held), tuple(acting))


def rest_of_boundary(
    result: DiscoveryResult, feature: str, label: str
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return what is held when a finding is adjusted, and the pairs of spouse and shared effect in it.

    Neighbours, strongest first, then spouses. Where the feature stands in for members, these are not held:
    they tell the same.
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


MEASURING = "Measuring sizes"
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
    """Measure how large each finding of a result is.

    Three estimands are told apart: the association of label and feature; the same with the rest of the
    label's boundary held as it is in the population; and, of causes, the effect of changing them.

    Parameters
    ----------
    dataset : Dataset
        The whole table that was searched, best with its numbers uncut. Where the search was made in a part
        of the rows, the others are measured.
    result : DiscoveryResult
        What was found.
    pairs : iterable of (str, str), optional
        Features, or other labels, with the label each; all findings when left out.
    estimands : sequence of Estimand
        What is estimated.
    confidence : float
        Share of the intervals that shall hold the truth.
    progress : Progress, optional
        Told how far the work is, and asked whether to stop.
    besides : Effects, optional
        Other estimands of the same findings in the same table, to which these are joined.

    Returns
    -------
    Effects

    Raises
    ------
    InvalidParameter
        When the table lacks a column of the result, there is no such estimand, a pair has no finding's label,
        or `confidence` is no share.
    InvalidData
        When numbers lie beyond 10^150, or all within 10^-150: their squares are none.
    Cancelled
        When the work was stopped.

    Notes
    -----
    Findings that were selected in the same rows seem larger than they are, and their intervals are too
    narrow: ``discover(…, split=engine.RowSplit())`` keeps rows for measuring.

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

    require_type(dataset, Dataset, "dataset", MAKE_A_DATASET)
    require_type(result, DiscoveryResult, "result", MAKE_A_RESULT)
    _CONFIDENCE.check(confidence)
    kinds = tuple(map(_estimand, estimands))
    dataset = rows_to_measure(dataset, result)
    found = (*result.evidence, *result.links_through_labels, *result.label_evidence)
    wanted = found if pairs is None else tuple(_pair(each, result) for each in pairs)
    _require_moderate_numbers(dataset, {name for pair in (*found, *wanted) for name in pair})
    progress = watched(progress)
    steps = Steps(progress, max(len(wanted), 1), lambda: 0)
    sizes: list[Size] = []
    search = ParentSearch(result)
    with single_threaded_algebra():
        for feature, label in wanted:
            if progress.should_stop():
                raise Cancelled()
            sizes += sizes_of(dataset, result, feature, label, kinds, search, confidence, progress)
            steps.finish(MEASURING, 1, detail=label)
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
                f"its numbers are up to {largest:.0e}, which is beyond what sizes can be computed of.",
                place=f"column '{variable.name}'",
                remedy="Write them in another unit.",
            )


_LARGEST = 1e150
_CONFIDENCE = Parameter(
    "confidence",
    "Confidence",
    "Share of the intervals that shall hold the truth.",
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
        remedy = "Give pairs of a feature and a label, such as [('age', 'ill')]."
        raise impossible_value(value, the_setting("pairs"), remedy)
    feature, label = value
    if label not in result.boundaries:
        raise InvalidParameter(
            f"{label!r} is no label that was searched.",
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
    found = result.orientation(feature, label)
    return found is not None and found.confirmed


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
    """Measure one finding, one size an estimand; of the effect of changing it only where it is a cause.

    `search` keeps what it found around a cause for the next label.
    """
    row_weights = result.settings.row_weights
    if Estimand.ASSOCIATION in estimands:
        yield association(dataset, feature, label, row_weights=row_weights, confidence=confidence)
    if Estimand.ADJUSTED in estimands:
        held, acting = rest_of_boundary(result, feature, label)
        size = adjusted_association(
            dataset, feature, label, held, acting=acting, row_weights=row_weights, confidence=confidence
        )
        yield replace(size, instead_of=members_replaced(result, feature, label))
    grade = result.findings.grade(feature, label)
    is_cause = grade in _CAUSES or result.direction(feature, label) is Direction.CAUSE
    if Estimand.EFFECT in estimands and is_cause:
        yield effect_of_changing(
            dataset,
            feature,
            label,
            search.parent_sets(feature, label, progress),
            nothing_hidden=grade is Grade.CAUSE_NOTHING_HIDDEN,
            may_be_effect=not is_confirmed(result, feature, label),
            row_weights=row_weights,
            confidence=confidence,
            progress=progress,
        )
