"""Effect of changing a cause: what would happen to a label if somebody set the cause to another value.

Adjusted is for the parents of the cause: nothing else goes into both (Pearl 2009, Causality, 2nd ed., section
3.3, theorem 3.2.2). Where they are not settled there is one estimate for each set of parents that is
compatible with the data, and the true effect is among these where nothing is hidden (IDA: Maathuis, Kalisch
and Bühlmann 2009, Annals of Statistics 37:3133-3164). Where the label may be one of the parents itself,
changing the cause may do nothing, which is then among the estimates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.discovery.effects.estimates import Contrast, Estimand, Sign, Size
from engine.discovery.effects.intervals import EValue
from engine.discovery.effects.measuring import CONFIDENCE, Pair, measure
from engine.errors import Cancelled
from engine.progress import Progress, SilentProgress
from engine.table.dataset import Dataset
from engine.table.row_weights import SAMPLING


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

    Parameters
    ----------
    dataset : Dataset
        Rows that miss a value of any of these variables are left out.
    cause, label : str
    parent_sets : sequence of sequence of str
        The parents of the cause or, where they are not settled, each set that they may be.
    nothing_hidden : bool
        It is known that nothing hidden is a cause of both; the size says where that is assumed only.
    may_be_effect : bool
        It is not settled that the cause is one: it may be an effect of the label, so that changing it does
        nothing.
    row_weights : str
        What a weight column says, where there is one: ``"sampling"`` or ``"counts"``.
    confidence : float
        Share of the intervals that shall hold the truth.
    progress : Progress, optional
        Asked whether to stop.

    Returns
    -------
    Size
        One figure for one set of parents. For several the range of their estimates, with limits that hold
        all of their intervals; for none no figure. Where changing it may do nothing, both reach to that.

    Raises
    ------
    InvalidParameter
        When no column has a name.
    InvalidData
        When no row has all values.
    Cancelled
        When the work was stopped.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=2, features=8, rows=500, seed=0, variables="numbers").dataset
    >>> size = effect_of_changing(table, "F1", "L1", [["F2"], ["F2", "F3"]])
    >>> size.is_range, size.contrasts[0].least <= size.contrasts[0].most
    (True, True)
    """
    progress = progress or SilentProgress()
    pair = Pair(dataset, cause, label, row_weights, confidence)
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
    strengths = [each.e_value for each in sizes if each.e_value is not None]
    rows = pair.rows()
    return Size(
        estimand=Estimand.EFFECT,
        feature=pair.feature,
        label=pair.label,
        points=(),
        is_curve=any(each.is_curve for each in sizes),
        contrasts=contrasts,
        sign=signs.pop() if len(signs) == 1 else Sign.UNCLEAR,
        adjusted_for=(),
        left_out=tuple(dict.fromkeys(name for each in sizes for name in each.left_out)),
        rows=min((each.rows for each in sizes), default=len(rows)),
        rows_lost=max((each.rows_lost for each in sizes), default=rows.lost),
        confidence=pair.confidence,
        e_value=_weakest(strengths, contrasts),
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


def _weakest(found: Sequence[EValue], contrasts: Sequence[Contrast]) -> EValue | None:
    """Return what explains the weakest of several estimates away: nothing, where they disagree on a sign."""
    if not found:
        return None
    if any(each.least <= each.measure.without_link <= each.most for each in contrasts):
        return EValue(1.0, 1.0)
    limit = min(each.limit for each in found)
    if any(each.low <= each.measure.without_link <= each.high for each in contrasts):
        limit = 1.0
    return EValue(min(each.estimate for each in found), limit)
