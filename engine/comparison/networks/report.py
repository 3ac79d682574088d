"""What a comparison says: in two charts, in words, and as one HTML page that stands alone."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from statistics import fmean
from typing import Any

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.comparison.networks.benchmark_settings import (
    BenchmarkSettings,
    CellTable,
    cells,
    paper_figures,
    paper_log_seconds,
    tables_with,
    variants,
)
from engine.comparison.networks.methods import methods
from engine.comparison.networks.result import (
    METRICS,
    TIMES,
    BenchmarkResult,
    NetworkOutcome,
    ShownFigure,
    Summary,
    accuracy_figures,
    summaries,
    summarise,
    table_time,
    time_figures,
)
from engine.comparison.page import (
    ComparisonFiles,
    PlainTable,
    Spread,
    Value,
    inline,
    machine_text,
    page_text,
    setting_words,
)
from engine.parameters import parameters_of
from engine.reporting.figures.chart import (
    Axis,
    Chart,
    RowMark,
    RowNote,
    RowPanel,
    Series,
    in_rows,
    powers_of_ten,
)
from engine.reporting.figures.looks import PAPER
from engine.simulation.simulation_settings import SimulationSettings
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, counted
from engine.wording.pages import date_text
from engine.wording.phrases import either, sentence_case
from engine.wording.sentences import NOTHING_TO_COMPARE

_CLCD = "clcd"
_UNIT = Axis(0.0, 1.0, ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1")))
_MOST_A_ROW = 5
_TIMES_A_ROW = 2


def accuracy_chart(result: BenchmarkResult) -> Chart:
    """Return a panel a metric and kind of network, with a row a method."""
    shown = result.settings.cells
    rows, headings = [], []
    for metric, title in METRICS:
        for part in in_rows([_accuracy_panel(result, cell, metric) for cell in shown], _MOST_A_ROW):
            rows.append(part)
            headings.append(_(title))
    note = _("cut: needed longer than the budget") if _has_cuts(result) else ""
    return Chart(_("Accuracy of the methods"), tuple(rows), tuple(headings), _legend(result), note)


def time_chart(result: BenchmarkResult) -> Chart:
    """Return a panel a table, with a row a method, on a logarithmic scale."""
    tables = tables_with(result.settings.cells)
    without_axis = [_time_panel(result, table, Axis(0.0, 1.0)) for table in tables]
    seconds = [mark.value for panel in without_axis for mark in panel.marks]
    axis = powers_of_ten(seconds or [0.1, 1.0], _("processor seconds a network"))
    rows = in_rows([_time_panel(result, table, axis) for table in tables], _TIMES_A_ROW)
    note = _("→ some searches were cut: the true mean is larger") if _has_cuts(result) else ""
    return Chart(_("Time that the methods take"), rows, legend=_legend(result), note=note)


def _accuracy_panel(result: BenchmarkResult, cell: str, metric: str) -> RowPanel:
    marks, notes = [], []
    title, lanes = _(cells()[cell].title), _lanes(result)
    for row, method in enumerate(result.settings.methods):
        name = methods()[method].title
        for variant, (series, lane) in lanes.items():
            if variant == PAPER:
                reported = paper_figures(cell, method)
                if reported is not None:
                    figure: float = getattr(reported, metric)
                    words = _(
                        "{name}, in the paper, {title}: {figure:.3f}", name=name, title=title, figure=figure
                    )
                    marks.append(RowMark(series, row, figure, words, lane=lane))
                continue
            summary = summarise(result, cell, variant, method)
            spread = summary.accuracy(metric)
            if spread is not None:
                words = f"{name}, {series.name.lower()}, {title}: {spread.mean:.3f}"
                marks.append(RowMark(series, row, spread.mean, words, spread.lowest, spread.highest, lane))
            elif summary.cut:
                notes.append(RowNote(series, row, _("cut"), lane))
    return _panel(result, title, _UNIT, marks, notes)


def _time_panel(result: BenchmarkResult, table: CellTable, axis: Axis) -> RowPanel:
    marks = []
    for row, method in enumerate(result.settings.methods):
        name = methods()[method].title
        for variant, (series, lane) in _lanes(result).items():
            if variant == PAPER:
                logarithm = paper_log_seconds(table.number, method)
                if logarithm is not None:
                    words = _("{name}, in the paper: {seconds:.3g} s", name=name, seconds=10**logarithm)
                    marks.append(RowMark(series, row, 10**logarithm, words, lane=lane))
                continue
            measured = table_time(result, table, variant, method)
            if measured is not None:
                at = measured.processor_seconds
                words = _(
                    N_("{method}, {variant}: more than {seconds:.3g} s")
                    if measured.is_lower_bound
                    else N_("{method}, {variant}: {seconds:.3g} s"),
                    method=name,
                    variant=series.name.lower(),
                    seconds=at,
                )
                marks.append(RowMark(series, row, at, words, lane=lane, is_bound=measured.is_lower_bound))
    title = sentence_case(table.name)
    return _panel(result, title, axis, marks, [])


def _panel(
    result: BenchmarkResult, title: str, axis: Axis, marks: list[RowMark], notes: list[RowNote]
) -> RowPanel:
    shown = result.settings.methods
    return RowPanel(
        title,
        tuple(methods()[name].title for name in shown),
        axis,
        tuple(sorted(marks, key=lambda mark: mark.lane)),
        tuple(notes),
        lanes=len(_lanes(result)),
        strong_rows=tuple(row for row, name in enumerate(shown) if name == _CLCD),
    )


def _lanes(result: BenchmarkResult) -> dict[str, tuple[Series, int]]:
    """Return how each variant and the paper are shown, and where in a row, so that none hides another."""
    names = {name: _(variants()[name].title) for name in result.settings.variants} | {
        PAPER: _("In the paper")
    }
    return {look: (Series(title, look), lane) for lane, (look, title) in enumerate(names.items())}


def _legend(result: BenchmarkResult) -> tuple[Series, ...]:
    return tuple(series for series, _ in _lanes(result).values())


def _has_cuts(result: BenchmarkResult) -> bool:
    return any(outcome.is_cut for outcome in result.outcomes)


_CLCD_AHEAD = "CLCD"
# Three decimals are shown.
_VISIBLE = 0.0005


_WITH_MARGIN = N_(
    "Such networks were used to develop CLCD, so their form, the strength of their effects and the "
    "faithfulness margin suit it. This run keeps the margin. With a margin of 0, any draw is "
    "accepted, which is harder."
)
_WITHOUT_MARGIN = N_(
    "Such networks were used to develop CLCD, so their form, the strength of their effects and the "
    "faithfulness margin suit it. This run has no margin: any draw is accepted, which is harder "
    "than the default."
)


def verdict_sentences(result: BenchmarkResult) -> tuple[str, ...]:
    """Say, for each variant, where CLCD is ahead of every baseline that finished."""
    if _CLCD not in result.settings.methods or len(result.settings.methods) == 1:
        return ()
    return tuple(_verdict(result, variant) for variant in result.settings.variants)


def caution_sentences(result: BenchmarkResult) -> tuple[str, ...]:
    """Say what a reader must know before trusting the figures."""
    settings = result.settings
    notes = [
        _(_WITH_MARGIN if settings.margin else _WITHOUT_MARGIN),
        _(
            "The paper does not say how strong its effects are, nor how degrees of freedom are counted; its "
            "networks are other ones. Compare the order of the methods, not single figures."
        ),
        _(
            "The paper gives the logarithm of processor time without a unit, and on another machine; "
            "here it is in seconds. Compiling and simulating are not counted."
        ),
    ]
    if settings.seeds == 1:
        notes.append(
            _("One network of each kind does not show the variation between networks. Use more networks.")
        )
    cut = sum(outcome.is_cut for outcome in result.outcomes)
    if cut:
        notes.append(
            _(
                "{searches} needed more than {duration} of processor time for a network and were "
                "cut. They have no accuracy, and their time is a lower bound. Means of a method are "
                "over the networks that it finished, which may be the easier ones. Two methods are "
                "compared on networks that both finished.",
                searches=counted(cut, "search", "searches"),
                duration=ENGLISH.duration(settings.budget),
            )
        )
    return tuple(notes)


def setting_rows(settings: DiscoverySettings) -> tuple[tuple[str, str], ...]:
    """List the settings of a variant, with their titles."""
    values = settings.as_dict()
    return tuple(
        (_(parameter.title), setting_words(parameter, values[parameter.name]))
        for parameter in parameters_of(DiscoverySettings)
        if parameter.changes_result
    )


def simulation_rows(settings: BenchmarkSettings) -> tuple[tuple[str, str], ...]:
    """List how the networks were simulated, but for what differs between their kinds."""
    kinds = [asdict(settings.simulation(cells()[name], seed=0)) for name in settings.cells]
    varying = {name for cell in cells().values() for name in cell.simulation} - {"strength"}
    rows = [
        (
            _(parameter.title),
            either(list(dict.fromkeys(setting_words(parameter, values[parameter.name]) for values in kinds))),
        )
        for parameter in parameters_of(SimulationSettings)
        if parameter.name not in (*varying, "seed")
    ]
    seeds = "0" if settings.seeds == 1 else _("{low} to {high}", low=0, high=settings.seeds - 1)
    return (*rows, (_("Seeds"), seeds))


def _verdict(result: BenchmarkResult, variant: str) -> str:
    ahead: list[str] = []
    others: dict[str, list[str]] = {}
    for cell in result.settings.cells:
        standing = _standing(result, cell, variant)
        if standing == _CLCD_AHEAD:
            ahead.append(cell)
        elif standing:
            others.setdefault(standing, []).append(_(cells()[cell].title))
    title = _(variants()[variant].title)
    kinds = len(ahead) + sum(map(len, others.values()))
    if not kinds:
        return _(NOTHING_TO_COMPARE, title=title)
    if result.is_partial:
        title = _("{title}, so far", title=title)
    if not others:
        on_all = for_count(
            kinds,
            "{title}: CLCD has the highest F1 on the one kind of networks.",
            "{title}: CLCD has the highest F1 on all {kinds} kinds of networks.",
        )
        return on_all.format(title=title, kinds=kinds)
    rest = ", ".join(f"{standing} ({'; '.join(titles)})" for standing, titles in others.items())
    return _(
        N_("{title}: CLCD has the highest F1 on {ahead} of {kinds} of networks; {rest}.")
        if ahead
        else N_("{title}: CLCD has the highest F1 on none of {kinds} of networks; {rest}."),
        title=title,
        ahead=len(ahead),
        kinds=counted(kinds, "kind"),
        rest=rest,
    )


def _standing(result: BenchmarkResult, cell: str, variant: str) -> str:
    """Say whether CLCD or which baseline is ahead on the networks that both finished, if that is known."""
    own = {outcome.seed: outcome.f1 for outcome in result.of(cell, variant, _CLCD) if outcome.f1 is not None}
    leads: dict[str, float] = {}
    for method in result.settings.methods:
        others = {
            outcome.seed: outcome.f1 for outcome in result.of(cell, variant, method) if outcome.f1 is not None
        }
        shared = own.keys() & others.keys()
        if method != _CLCD and shared:
            leads[methods()[method].title] = fmean(own[seed] - others[seed] for seed in sorted(shared))
    if not leads:
        return ""
    best = min(leads, key=leads.__getitem__)
    if abs(leads[best]) < _VISIBLE:
        return _("{best} is equal", best=best)
    return _CLCD_AHEAD if leads[best] > 0 else _("{best} is ahead", best=best)


@dataclass(frozen=True, slots=True)
class ShownMetric:
    """A row of a table: what it is about, and a figure a method."""

    group: str
    title: str
    figures: tuple[ShownFigure, ...]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One of the paper's tables, or that of networks with numbers, measured under one variant."""

    title: str
    rows: tuple[ShownMetric, ...]


def report_html(result: BenchmarkResult, day: datetime.date) -> str:
    """Return the report as HTML text."""
    return page_text("networks/templates/report.html", _content(result, day))


def shown_tables(result: BenchmarkResult, variant: str) -> tuple[ShownTable, ...]:
    """Return the tables as measured under a variant, without the rows that were not asked for."""
    tables = []
    for table in tables_with(result.settings.cells):
        shown = [cell for cell in table.cells if cell in result.settings.cells]
        title = f"{sentence_case(table.name)}, {_(table.title)}"
        tables.append(ShownTable(title, _rows(result, table, shown, variant)))
    return tuple(tables)


def _content(result: BenchmarkResult, day: datetime.date) -> dict[str, Any]:
    settings = result.settings
    shown = [variants()[name] for name in settings.variants]
    return {
        "title": _("CLCD and its baselines on simulated networks"),
        "facts": (
            counted(settings.labels, "label"),
            counted(settings.features, "feature"),
            counted(settings.rows, "row"),
            _("{networks} of each kind", networks=counted(settings.seeds, "network")),
            date_text(day),
        ),
        "is_partial": result.is_partial,
        "done": len(result.outcomes),
        "planned": result.planned,
        "steps": _("searches"),
        "verdicts": verdict_sentences(result),
        "variants": [
            (shown_variant, shown_tables(result, shown_variant.name), setting_rows(shown_variant.settings))
            for shown_variant in shown
        ],
        "methods": [methods()[name] for name in settings.methods],
        "accuracy": inline(accuracy_chart(result), "accuracy"),
        "time": inline(time_chart(result), "time"),
        "simulation": simulation_rows(settings),
        "cautions": caution_sentences(result),
        "budget": ENGLISH.duration(settings.budget),
        "workers": counted(result.workers, "search", "searches"),
        "machine": machine_text(),
    }


def _rows(
    result: BenchmarkResult, table: CellTable, shown: list[str], variant: str
) -> tuple[ShownMetric, ...]:
    rows = []
    for metric, title in METRICS:
        for cell in shown:
            figures = accuracy_figures(result, cell, variant, metric)
            rows.append(ShownMetric(_(title), _(cells()[cell].title), figures))
    for measure, title in TIMES:
        rows.append(ShownMetric(_("Time"), _(title), time_figures(result, table, variant, measure)))
    return tuple(rows)


_METRICS = ("precision", "recall", "f1")
_TIMES = ("seconds", "processor_seconds")
_LOGARITHMS = ("log10_seconds", "log10_processor_seconds")
_PARTS = ("mean", "sd", "min", "max")


def summary_table(result: BenchmarkResult) -> PlainTable:
    """Make one row a method, variant and kind of network, with what the paper reports."""
    columns = (
        *("variant", "kind", "p_c", "p_m", "method", "networks", "cut"),
        *(f"{name}_{part}" for name in (*_METRICS, *_TIMES) for part in _PARTS),
        *_LOGARITHMS,
        *(f"paper_{name}" for name in _METRICS),
    )
    return PlainTable(
        columns, tuple(_summary_row(summary) for summary in summaries(result) if summary.networks)
    )


def time_table(result: BenchmarkResult) -> PlainTable:
    """Make one row a method, variant and table, with the mean times over its networks."""
    rows: list[tuple[Value, ...]] = []
    for variant in result.settings.variants:
        for table in tables_with(result.settings.cells):
            for method in result.settings.methods:
                measured = table_time(result, table, variant, method)
                if measured is not None:
                    bound = "at least" if measured.is_lower_bound else ""
                    times = (measured.seconds, measured.processor_seconds)
                    logarithms = map(math.log10, times)
                    paper = paper_log_seconds(table.number, method)
                    rows.append((variant, table.number, method, *times, *logarithms, bound, paper))
    columns = (
        *("variant", "paper_table", "method", *_TIMES, *_LOGARITHMS),
        *("bound", "paper_log10_processor_seconds"),
    )
    return PlainTable(columns, tuple(rows))


def outcome_table(result: BenchmarkResult) -> PlainTable:
    """Make one row a method, variant and network."""
    counts = ("true_positives", "false_positives", "false_negatives")
    columns = (
        *("variant", "kind", "p_c", "p_m", "seed", "method", "cut", "budget"),
        *_METRICS,
        *_TIMES,
        *(f"{kind}_{count}" for kind in ("common", "label_specific") for count in counts),
    )
    return PlainTable(columns, tuple(_outcome_row(outcome) for outcome in result.outcomes))


def _summary_row(summary: Summary) -> tuple[Value, ...]:
    paper = paper_figures(summary.cell, summary.method)
    logarithms = tuple(
        math.log10(spread.mean) if spread is not None else None
        for spread in (summary.seconds, summary.processor_seconds)
    )
    return (
        *(summary.variant, *_kind(summary.cell), summary.method, summary.networks, summary.cut),
        *(value for name in (*_METRICS, *_TIMES) for value in _parts(getattr(summary, name))),
        *logarithms,
        *((None,) * 3 if paper is None else (paper.precision, paper.recall, paper.f1)),
    )


def _kind(name: str) -> tuple[Value, ...]:
    """Return a cell's name, and p_c and p_m; p_c is left out where labels lie anywhere."""
    simulation = cells()[name].simulation
    return (name, simulation.get("label_causality"), simulation["multiple_boundaries"])


def _parts(spread: Spread | None) -> tuple[Value, ...]:
    if spread is None:
        return (None,) * len(_PARTS)
    return (spread.mean, spread.deviation, spread.lowest, spread.highest)


def _outcome_row(outcome: NetworkOutcome) -> tuple[Value, ...]:
    start = (outcome.variant, *_kind(outcome.cell), outcome.seed, outcome.method)
    times = (outcome.seconds, outcome.processor_seconds)
    if outcome.scores is None:
        return (*start, "cut", outcome.budget, None, None, None, *times, *(None,) * 6)
    kinds = (outcome.scores.common, outcome.scores.label_specific)
    counts = [
        count for kind in kinds for count in (kind.true_positives, kind.false_positives, kind.false_negatives)
    ]
    return (
        *start,
        "",
        outcome.budget,
        outcome.scores.precision,
        outcome.scores.recall,
        outcome.f1,
        *times,
        *counts,
    )


def _charts(result: BenchmarkResult) -> dict[str, Callable[[], Chart]]:
    return {"accuracy": partial(accuracy_chart, result), "time": partial(time_chart, result)}


NETWORK_FILES = ComparisonFiles(
    "benchmark.html",
    report_html,
    {"benchmark.csv": summary_table, "times.csv": time_table, "networks.csv": outcome_table},
    _charts,
)
