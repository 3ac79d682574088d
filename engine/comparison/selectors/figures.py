"""The figures of one table as they are read: a row a method, at equal size, for report and window alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from engine.comparison.page import Spread
from engine.comparison.selectors.methods import CLCD_FS
from engine.comparison.selectors.prediction import Metric, metrics
from engine.comparison.selectors.result import SelectionComparison
from engine.comparison.selectors.standings import LEVEL, duels, ranked_methods, spread_of, stability_of

# Means that differ by less share their rank.
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class MethodFigure:
    """How one method does by one metric.

    Attributes
    ----------
    spread : Spread
        Over splits, at as many features as CLCD-FS selects.
    rank : int or None
        Among the methods that select, 1 for the best mean; equal means share the better rank. None for the
        method that takes every feature.
    standing : str
        What CLCD-FS is beside it: ``"better"``, ``"worse"`` or ``"no difference"`` by the signed-rank test
        over splits, after Holm; empty where there is nothing to test.
    """

    spread: Spread
    rank: int | None
    standing: str

    @property
    def is_best(self) -> bool:
        """Whether no method that selects has a better mean."""
        return self.rank == 1


@dataclass(frozen=True, slots=True)
class MethodFigures:
    """Everything that is shown of one method on one table."""

    method: str
    splits: int
    features: float | None
    figures: Mapping[str, MethodFigure]
    stability: float | None
    processor_seconds: float


def method_figures(result: SelectionComparison, table: str) -> tuple[MethodFigures, ...]:
    """Return the figures of the methods that have finished at least one split of a table."""
    done = [method for method in result.methods if result.of(table, method)]
    by_metric = {metric.name: _figures_of(result, table, metric) for metric in metrics().values()}
    rows = []
    for method in done:
        outcomes = result.of(table, method)
        sizes = [size for each in outcomes if (size := result.compared_size(each)) is not None]
        rows.append(
            MethodFigures(
                method,
                len(outcomes),
                fmean(sizes) if sizes else None,
                {name: found[method] for name, found in by_metric.items() if method in found},
                stability_of(result, table, method),
                fmean([each.processor_seconds for each in outcomes]),
            )
        )
    return tuple(rows)


def pairs_needed(rivals: int, level: float = LEVEL) -> int:
    """Count the splits or tables from which on a signed-rank test can find a difference, with so many rivals.

    Where all pairs point one way, the test over n of them has a p-value of 2/2ⁿ, which Holm's first step
    multiplies by the number of rivals.

    Examples
    --------
    >>> pairs_needed(rivals=1), pairs_needed(rivals=11)
    (6, 9)
    """
    pairs = 1
    while rivals * 2.0 ** (1 - pairs) > level:
        pairs += 1
    return pairs


def _figures_of(result: SelectionComparison, table: str, metric: Metric) -> dict[str, MethodFigure]:
    spreads = {
        method: spread
        for method in result.methods
        if (spread := spread_of(result, table, method, metric.name)) is not None
    }
    goodness = {
        method: round(metric.signed(spreads[method].mean), _DIGITS)
        for method in ranked_methods(result)
        if method in spreads
    }
    standings = {each.rival: each.standing for each in duels(result, table, metric.name)}
    return {
        method: MethodFigure(spread, _rank(goodness, method), standings.get(method, ""))
        for method, spread in spreads.items()
    }


def _rank(goodness: Mapping[str, float], method: str) -> int | None:
    if method not in goodness:
        return None
    return 1 + sum(other > goodness[method] for other in goodness.values())


def rival_count(result: SelectionComparison) -> int:
    """Count the methods that CLCD-FS is tested against."""
    return sum(method != CLCD_FS for method in result.methods)
