"""Measures the sizes of all findings of a result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from engine.discovery.effects.association import adjusted_association, association, rest_of_boundary
from engine.discovery.effects.estimates import Estimand, Size
from engine.discovery.effects.intervention import effect_of_changing
from engine.discovery.effects.measuring import CONFIDENCE
from engine.discovery.effects.parents import ParentSearch
from engine.discovery.effects.size_table import Effects
from engine.discovery.flags import Flags
from engine.discovery.orientation.direction import Direction
from engine.discovery.orientation.grades import Grade
from engine.errors import Cancelled
from engine.progress import Progress, SilentProgress, Steps

if TYPE_CHECKING:
    from engine.discovery.evidence import Pair
    from engine.discovery.result import DiscoveryResult
    from engine.table.dataset import Dataset

MEASURING = "Measuring sizes"
_CAUSES = (Grade.CAUSE, Grade.CAUSE_NOTHING_HIDDEN)


def effects(
    dataset: Dataset,
    result: DiscoveryResult,
    *,
    pairs: Iterable[Pair] | None = None,
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
        When the table lacks a column of the result, or there is no such estimand.
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
    dataset = rows_to_measure(dataset, result)
    wanted = tuple(result.evidence) + tuple(result.label_evidence) if pairs is None else tuple(pairs)
    kinds = tuple(Estimand(each) for each in estimands)
    progress = progress or SilentProgress()
    steps = Steps(progress, max(len(wanted), 1), lambda: 0)
    sizes: list[Size] = []
    search = ParentSearch(result)
    for feature, label in wanted:
        if progress.should_stop():
            raise Cancelled()
        sizes += sizes_of(dataset, result, feature, label, kinds, search, confidence, progress)
        steps.finish(MEASURING, 1, detail=label)
    earlier = besides or Effects(())
    doubts = result.flags if dataset is result.dataset else Flags(dataset, result.settings.row_weights).of
    flags = {pair: earlier.flags[pair] if pair in earlier.flags else doubts(*pair) for pair in wanted}
    return earlier.with_more(Effects(tuple(sizes), flags))


def rows_to_measure(dataset: Dataset, result: DiscoveryResult) -> Dataset:
    """Return the rows of a table in which sizes are measured: those that were not searched, if there are any.

    Raises
    ------
    InvalidParameter
        When rows were split and this is not the whole table.
    """
    if result.split is None:
        return dataset
    result.split.check_belongs(dataset, result.dataset.row_count)
    return result.split.measuring(dataset)


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
    """Measure one finding.

    Parameters
    ----------
    dataset : Dataset
        The rows that measure, as of :func:`rows_to_measure`.
    result : DiscoveryResult
    feature, label : str
    estimands : sequence of Estimand
    search : ParentSearch
        Of this result; it keeps what it found around a cause for the next label.
    confidence : float
    progress : Progress, optional
        Asked whether to stop.

    Yields
    ------
    Size
        One an estimand; of the effect of changing it only where it is a cause.
    """
    row_weights = result.settings.row_weights
    if Estimand.ASSOCIATION in estimands:
        yield association(dataset, feature, label, row_weights=row_weights, confidence=confidence)
    if Estimand.ADJUSTED in estimands:
        held, acting = rest_of_boundary(result, feature, label)
        yield adjusted_association(
            dataset, feature, label, held, acting=acting, row_weights=row_weights, confidence=confidence
        )
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
