"""Comparisons of methods in the background, on networks and on the open table, and writing their files."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Generic, TypeVar

import engine
from clcd_gui.run.kernels import PREPARING
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.searcher import MeasurementFolder
from engine.comparison.networks.benchmark_settings import BenchmarkSettings
from engine.comparison.networks.report import NETWORK_FILES, accuracy_chart, time_chart
from engine.comparison.networks.result import BenchmarkResult
from engine.comparison.selectors.charts import curve_chart, spider_chart, webs
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import PAPER_METRICS, metrics
from engine.comparison.selectors.report import SELECTOR_FILES, caution_sentences, verdict_sentences
from engine.comparison.selectors.result import SelectionComparison
from engine.comparison.selectors.standings import (
    MethodFigures,
    method_figures,
    pairs_needed,
    ranked_methods,
    rival_count,
    spread_of,
)
from engine.errors import Cancelled, WorkersLost
from engine.execution.helper_process import HelperKind, HelperProcess
from engine.execution.workers import worker_count
from engine.preparation.preparation_settings import PreparationSettings
from engine.progress import SharedProgress
from engine.reporting.figures.chart import Chart
from engine.table.dataset import Dataset
from engine.translation import N_, _

_METHOD = N_("Method")


@dataclass(frozen=True, slots=True)
class TextTable:
    """The table of a picture, ready to be read."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparisonFindings:
    """One state of a comparison."""

    result: SelectionComparison
    verdicts: tuple[str, ...]
    cautions: tuple[str, ...]
    rows: tuple[MethodFigures, ...]
    can_be_certain: bool
    curves: Chart
    curve_tables: Mapping[str, TextTable]
    standing: Chart
    standing_table: TextTable


def comparison_findings(result: SelectionComparison) -> ComparisonFindings:
    """Work out everything that is shown; it takes a moment, and libraries that take 60 MB for good."""
    table = result.tables[0].name
    rivals = rival_count(result)
    return ComparisonFindings(
        result,
        verdict_sentences(result),
        caution_sentences(result),
        method_figures(result, table),
        result.settings.splits >= pairs_needed(max(rivals, 1)),
        curve_chart(result, table),
        {_(metrics()[name].title): _curve_table(result, name) for name in PAPER_METRICS},
        spider_chart(result),
        _standing_table(result),
    )


def _curve_table(result: SelectionComparison, metric: str) -> TextTable:
    """Return the means at each percentage; methods with a number of their own have one figure, at that."""
    facts = result.tables[0]
    sizes = [
        result.settings.size(percentage, len(facts.features)) for percentage in result.settings.percentages
    ]
    heads = (
        _(_METHOD),
        *(f"{percentage:g} %" for percentage in result.settings.percentages),
        _("At its own number"),
    )
    rows: list[tuple[str, ...]] = []
    strong: list[int] = []
    for method in result.methods:
        outcomes = result.of(facts.name, method)
        if not outcomes:
            continue
        if method == CLCD_FS:
            strong.append(len(rows))
        spreads = [spread_of(result, facts.name, method, metric, size) for size in sizes]
        own = ""
        if outcomes[0].has_own_number:
            spreads = [None] * len(sizes)
            spread = spread_of(result, facts.name, method, metric)
            number = fmean([len(outcome.order) for outcome in outcomes])
            own = "" if spread is None else _("{mean:.4f} at {number:.3g}", mean=spread.mean, number=number)
        means = ("" if one_spread is None else f"{one_spread.mean:.4f}" for one_spread in spreads)
        rows.append((_(selection_methods()[method].title), *means, own))
    return TextTable(heads, tuple(rows), tuple(strong))


def _standing_table(result: SelectionComparison) -> TextTable:
    web = next(iter(webs(result)), None)
    if web is None:
        return TextTable((_(_METHOD),), ())
    rows: list[tuple[str, ...]] = []
    strong: list[int] = []
    for method in ranked_methods(result):
        values = web.values.get(method, {})
        if not values:
            continue
        if method == CLCD_FS:
            strong.append(len(rows))
        cells = (f"{values[corner]:.3f}" if corner in values else "" for corner in web.corners)
        mean = f"{fmean(values.values()):.3f}"
        rows.append((_(selection_methods()[method].title), *cells, mean))
    return TextTable((_(_METHOD), *web.corners, _("Mean")), tuple(rows), tuple(strong))


# Working out what is shown takes as long as measuring a quick method, so not after each of them.
_SECONDS_BETWEEN = 0.5
_FEWEST_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class RunBenchmark:
    """Compare methods on simulated networks in another process; give out the result after each search.

    The other process takes along what networks of any size took of memory.
    """

    settings: BenchmarkSettings
    measurements: MeasurementFolder

    def __call__(self, progress: SharedProgress) -> BenchmarkResult:
        """Compare the methods and return what was found; after a stop, what is finished."""
        progress.report(PREPARING)
        try:
            with HelperProcess(HelperKind(), _benchmark_ended) as process:
                benchmark: BenchmarkResult = process.follow(
                    progress, compare_on_networks, self.settings, self.measurements.folder
                )
        except Cancelled:
            if not isinstance(progress.early, BenchmarkResult):
                raise
            return progress.early
        return benchmark


def compare_on_networks(
    progress: SharedProgress, settings: BenchmarkSettings, folder: Path
) -> BenchmarkResult:
    """Compare methods on simulated networks in this process, and give out the result after each search."""
    return engine.benchmark(settings, progress=progress, on_result=progress.give_early, cell_folder=folder)


def benchmark_charts(result: BenchmarkResult) -> tuple[Chart, Chart]:
    """Return the accuracy of the methods, and the time that they take."""
    return accuracy_chart(result), time_chart(result)


def _benchmark_ended(_status: int) -> WorkersLost:
    return WorkersLost(
        _("the process that simulates and searches ended unexpectedly."),
        remedy=_(
            "Finished measurements are kept. Run it again; if memory is short, choose smaller networks."
        ),
    )


@dataclass(frozen=True, slots=True)
class CompareSelectors:
    """Compare selectors on a table in another process: libraries of statistics would stay in this one."""

    dataset: Dataset
    preparation: PreparationSettings
    settings: SelectionComparisonSettings
    measurements: MeasurementFolder

    def __call__(self, progress: SharedProgress) -> ComparisonFindings:
        """Compare, and return what was found; after a stop, what is finished."""
        progress.report(PREPARING)
        # A single worker would be a thread of this process, and hold up the window.
        workers = max(_FEWEST_PROCESSES, worker_count(self.settings.workers))
        with HelperProcess(HelperKind(), _judging_ended) as process:
            result = engine.compare_selections(
                [self.dataset],
                replace(self.settings, workers=workers),
                progress=progress,
                on_result=_ThrottledFindings(progress, process),
                cell_folder=self.measurements.folder,
                preparation=self.preparation,
            )
            return _findings_by(process, result)


def _findings_by(process: HelperProcess, result: SelectionComparison) -> ComparisonFindings:
    """Have them worked out, after a stop too: it takes a moment."""
    findings: ComparisonFindings = process.ask(comparison_findings, result)
    return findings


def _judging_ended(_status: int) -> WorkersLost:
    return WorkersLost(
        _("the process that computes the results ended unexpectedly."),
        remedy=_(
            "Finished measurements are kept. Run it again; if memory is short, close other programs first."
        ),
    )


class _ThrottledFindings:
    """Gives out findings, though not after every measurement."""

    def __init__(self, progress: SharedProgress, process: HelperProcess) -> None:
        self._progress, self._process = progress, process
        self._next = 0.0

    def __call__(self, result: SelectionComparison) -> None:
        if time.monotonic() >= self._next:
            self._progress.give_early(_findings_by(self._process, result))
            self._next = time.monotonic() + _SECONDS_BETWEEN


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class WriteComparison(Generic[Result]):
    """Write report, tables and pictures of a comparison."""

    write: Callable[[Result, Path], tuple[Path, ...]]
    result: Result
    folder: Path
    process: DrawingProcess

    def __call__(self, progress: SharedProgress) -> tuple[Path, ...]:
        """Write the files and return their paths."""
        paths: tuple[Path, ...] = self.process.ask(self.write, self.result, self.folder, progress=progress)
        return paths


write_benchmark, write_selectors = NETWORK_FILES.write, SELECTOR_FILES.write
