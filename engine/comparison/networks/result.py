"""What a comparison found so far: of each network, and drawn together over the networks of one kind.

Each figure stands beside what the paper reports: Wu, Jiang, Zhong and Chen, Multi-label Causal Variable
Discovery: Learning Common Causal Variables and Label-specific Causal Variables, Tables 2 and 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from engine.comparison.networks.benchmark_settings import (
    BenchmarkSettings,
    CellTable,
    harmonic_mean,
    paper_figures,
    paper_log_seconds,
)
from engine.comparison.page import Spread
from engine.simulation.truth import Scores
from engine.translation import N_, _
from engine.wording.numbers import ENGLISH


@dataclass(frozen=True, slots=True)
class NetworkOutcome:
    """Accuracy and time of one method, under one variant, on one network."""

    cell: str
    seed: int  # of the network
    variant: str
    method: str
    scores: Scores | None  # None when the method was cut
    seconds: float  # on the clock until it was done or cut, without compiling
    processor_seconds: float  # of all cores together, likewise
    budget: float  # processor seconds that it was given

    @property
    def is_cut(self) -> bool:
        """Whether the method used up its budget."""
        return self.scores is None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None when cut."""
        return None if self.scores is None else harmonic_mean(self.scores.precision, self.scores.recall)

    def holds_for(self, budget: float) -> bool:
        """Tell whether the same would have come of another budget."""
        return self.budget >= budget if self.is_cut else self.processor_seconds <= budget


@dataclass(frozen=True)
class BenchmarkResult:
    """Outcomes of a comparison."""

    settings: BenchmarkSettings
    # one a network, variant and method, in the order in which they were made
    outcomes: tuple[NetworkOutcome, ...]
    workers: int  # number of searches at once

    @property
    def planned(self) -> int:
        """Number of outcomes of the whole comparison."""
        settings = self.settings
        kinds = len(settings.cells) * len(settings.variants) * len(settings.methods)
        return kinds * settings.seeds

    @property
    def is_partial(self) -> bool:
        """Whether some outcomes are missing."""
        return len(self.outcomes) < self.planned

    def of(self, cell: str, variant: str, method: str) -> tuple[NetworkOutcome, ...]:
        """Return the outcomes of a method on one kind of network, by seed."""
        return self._by_kind.get((cell, variant, method), ())

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str, str], tuple[NetworkOutcome, ...]]:
        by_kind: dict[tuple[str, str, str], tuple[NetworkOutcome, ...]] = {}
        for outcome in sorted(self.outcomes, key=lambda finished: finished.seed):
            kind = (outcome.cell, outcome.variant, outcome.method)
            by_kind[kind] = (*by_kind.get(kind, ()), outcome)
        return by_kind


@dataclass(frozen=True, slots=True)
class Summary:
    """One method, under one variant, on the networks of one kind."""

    cell: str
    variant: str
    method: str
    networks: int  # that were given to it
    cut: int  # on which it used up its budget
    precision: Spread | None  # over the networks that it finished; None when there is none
    recall: Spread | None
    f1: Spread | None
    seconds: Spread | None  # over all networks; of those that were cut until then: the true mean is larger
    processor_seconds: Spread | None

    def accuracy(self, metric: str) -> Spread | None:
        """Return precision, recall or F1 by name."""
        spread: Spread | None = getattr(self, metric)
        return spread


def summarise(result: BenchmarkResult, cell: str, variant: str, method: str) -> Summary:
    """Draw together what a method made of the networks of one kind."""
    outcomes = result.of(cell, variant, method)
    finished = [outcome for outcome in outcomes if outcome.scores is not None]
    return Summary(
        cell,
        variant,
        method,
        networks=len(outcomes),
        cut=len(outcomes) - len(finished),
        precision=_spread([outcome.scores.precision for outcome in finished if outcome.scores is not None]),
        recall=_spread([outcome.scores.recall for outcome in finished if outcome.scores is not None]),
        f1=_spread([outcome.f1 for outcome in finished if outcome.f1 is not None]),
        seconds=_spread([outcome.seconds for outcome in outcomes]),
        processor_seconds=_spread([outcome.processor_seconds for outcome in outcomes]),
    )


def summaries(result: BenchmarkResult) -> tuple[Summary, ...]:
    """Draw together everything, in the order in which it is shown."""
    settings = result.settings
    return tuple(
        summarise(result, cell, variant, method)
        for variant in settings.variants
        for cell in settings.cells
        for method in settings.methods
    )


@dataclass(frozen=True, slots=True)
class TableTime:
    """Mean time of a method over the networks of one of the paper's tables."""

    seconds: float
    processor_seconds: float
    is_lower_bound: bool


def table_time(result: BenchmarkResult, table: CellTable, variant: str, method: str) -> TableTime | None:
    """Return the mean time over the kinds of networks of a table; None when nothing was measured."""
    outcomes: list[NetworkOutcome] = [
        outcome for cell in table.cells for outcome in result.of(cell, variant, method)
    ]
    if not outcomes:
        return None
    return TableTime(
        fmean(outcome.seconds for outcome in outcomes),
        fmean(outcome.processor_seconds for outcome in outcomes),
        any(outcome.is_cut for outcome in outcomes),
    )


def _spread(figures: Sequence[float]) -> Spread | None:
    return Spread.of(figures) if figures else None


NOTHING = "–"
METRICS = (("precision", N_("Precision")), ("recall", N_("Recall")), ("f1", "F1"))
TIMES = (("seconds", N_("Clock, lg s")), ("processor_seconds", N_("Processor, lg s")))


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """One cell of a table: what was measured, and beneath it what the paper reports, if it does."""

    measured: str
    paper: str
    is_best: bool = False


def accuracy_figures(
    result: BenchmarkResult, cell: str, variant: str, metric: str
) -> tuple[ShownFigure, ...]:
    """Return a figure a method for one kind of network."""
    summaries_of_methods = [summarise(result, cell, variant, method) for method in result.settings.methods]
    means = [
        spread.mean for summary in summaries_of_methods if (spread := summary.accuracy(metric)) is not None
    ]
    best = f"{max(means):.3f}" if means else ""
    shown = []
    for summary in summaries_of_methods:
        spread = summary.accuracy(metric)
        reported = paper_figures(cell, summary.method)
        paper = "" if reported is None else f"{getattr(reported, metric):.3f}"
        if spread is None:
            shown.append(ShownFigure(_("cut") if summary.cut else NOTHING, paper))
            continue
        text = spread.text
        if summary.cut:
            text = _("{figure} ({cut} of {all} cut)", figure=text, cut=summary.cut, all=summary.networks)
        shown.append(ShownFigure(text, paper, is_best=f"{spread.mean:.3f}" == best))
    return tuple(shown)


def time_figures(
    result: BenchmarkResult, table: CellTable, variant: str, measure: str
) -> tuple[ShownFigure, ...]:
    """Return each method's time: decimal logarithm, as in the paper, and seconds (clock or processor)."""
    shown = []
    for method in result.settings.methods:
        reported = paper_log_seconds(table.number, method) if measure == "processor_seconds" else None
        paper = "" if reported is None else f"{reported:.3f}"
        time = table_time(result, table, variant, method)
        if time is None:
            shown.append(ShownFigure(NOTHING, paper))
            continue
        seconds = getattr(time, measure)
        bound = "> " if time.is_lower_bound else ""
        text = f"{bound}{math.log10(seconds):.3f} ({ENGLISH.duration(seconds)})"
        shown.append(ShownFigure(text, paper))
    return tuple(shown)
