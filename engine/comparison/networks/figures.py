"""Single figures as a person reads them, each beside what the paper reports.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables, Tables 2 and 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.comparison.figures import Spread
from engine.comparison.networks.cells import CellTable
from engine.comparison.networks.paper import paper_figures, paper_log_seconds
from engine.comparison.networks.result import BenchmarkResult
from engine.comparison.networks.summary import summarise, table_time
from engine.wording.numbers import ENGLISH

NOTHING = "–"
METRICS = (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"))
TIMES = (("seconds", "Clock, lg s"), ("processor_seconds", "Processor, lg s"))


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """One cell of a table: what was measured, and beneath it what the paper reports, if it does."""

    measured: str
    paper: str
    is_best: bool = False


def accuracy_figures(
    result: BenchmarkResult, cell: str, variant: str, metric: str
) -> tuple[ShownFigure, ...]:
    """Give a figure a method for one kind of network.

    Parameters
    ----------
    result : BenchmarkResult
    cell, variant : str
        Kind of network and settings, by name.
    metric : str
        ``"precision"``, ``"recall"`` or ``"f1"``.
    """
    found = [summarise(result, cell, variant, method) for method in result.settings.methods]
    means = [spread.mean for each in found if (spread := each.accuracy(metric)) is not None]
    best = f"{max(means):.3f}" if means else ""
    shown = []
    for each in found:
        spread = each.accuracy(metric)
        reported = paper_figures(cell, each.method)
        paper = "" if reported is None else f"{getattr(reported, metric):.3f}"
        if spread is None:
            shown.append(ShownFigure("cut" if each.cut else NOTHING, paper))
            continue
        text = _spread_text(spread) + (f" ({each.cut} of {each.networks} cut)" if each.cut else "")
        shown.append(ShownFigure(text, paper, is_best=f"{spread.mean:.3f}" == best))
    return tuple(shown)


def time_figures(
    result: BenchmarkResult, table: CellTable, variant: str, measure: str
) -> tuple[ShownFigure, ...]:
    """Give the time of each method for a network, averaged over those of one of the paper's tables.

    What is written is the decimal logarithm of the seconds, as in the paper, and the time in brackets.

    Parameters
    ----------
    result : BenchmarkResult
    table : CellTable
    variant : str
        Settings, by name.
    measure : str
        ``"seconds"`` on the clock, beside which the paper has nothing, or ``"processor_seconds"``.
    """
    shown = []
    for method in result.settings.methods:
        reported = paper_log_seconds(table.number, method) if measure == "processor_seconds" else None
        paper = "" if reported is None else f"{reported:.3f}"
        found = table_time(result, table, variant, method)
        if found is None:
            shown.append(ShownFigure(NOTHING, paper))
            continue
        seconds = getattr(found, measure)
        bound = "> " if found.is_lower_bound else ""
        text = f"{bound}{math.log10(seconds):.3f} ({ENGLISH.duration(seconds)})"
        shown.append(ShownFigure(text, paper))
    return tuple(shown)


def _spread_text(spread: Spread) -> str:
    if spread.deviation is None:
        return f"{spread.mean:.3f}"
    return f"{spread.mean:.3f} ± {spread.deviation:.3f}"
