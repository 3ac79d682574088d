"""The charts of a comparison of selectors, described: curves, ranks, standing, stability, labels served."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from engine.comparison.selectors.methods import ALL_FEATURES, CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import PAPER_METRICS, Metric, metrics
from engine.comparison.selectors.result import SelectionComparison, TableFacts
from engine.comparison.selectors.standings import (
    Ranks,
    normalised,
    ranked_methods,
    ranks,
    spread_of,
    stability_of,
)
from engine.reporting.figures.chart import (
    Axis,
    Chart,
    Curve,
    CurvePanel,
    FigurePoint,
    Panel,
    Ranked,
    RankPanel,
    RowMark,
    RowPanel,
    Series,
    Share,
    SharePanel,
    Thread,
    WebPanel,
    around,
    in_rows,
)
from engine.reporting.figures.looks import OWN, series_look
from engine.translation import N_, _

_OUTERMOST = 0.5
_RINGS = (0.1, 0.2, 0.3, 0.4, 0.5)
_HALVES = ((0.0, "0"), (0.25, "0.25"), (0.5, "0.5"))
_UNIT = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
_FEWEST_TABLES = 3
_STABILITIES_A_ROW = 4
_MOST_FEATURES, _MOST_LABELS = 36, 40
_LONGEST_NAME = 32


def series_of(method: str) -> Series:
    """Return how a method is shown, the same in every chart."""
    methods = selection_methods()
    look = OWN if method == CLCD_FS else series_look(list(methods).index(method))
    return Series(_(methods[method].title), look, is_strong=method == CLCD_FS)


def curve_chart(result: SelectionComparison, table: str) -> Chart:
    """Return mean metrics against the percentage of features selected (Figure 5 of the paper)."""
    facts = next(table_facts for table_facts in result.tables if table_facts.name == table)
    panels = [_curve_panel(result, facts, metrics()[name]) for name in PAPER_METRICS]
    return Chart(
        _("Prediction from selected features, {table}", table=table),
        in_rows([panel for panel in panels if panel is not None], columns=2),
        legend=tuple(series_of(method) for method in result.methods),
    )


def _curve_panel(result: SelectionComparison, facts: TableFacts, metric: Metric) -> CurvePanel | None:
    # Two methods with a number of their own may meet in one place: the largest mark lies beneath.
    order = sorted(result.methods, key=lambda name: name != CLCD_FS)
    curves = [
        *(_mean_curve(result, facts, method, metric) for method in result.methods),
        *(_own_point(result, facts, method, metric) for method in order),
    ]
    shown = tuple(curve for curve in curves if curve is not None)
    points = [point for curve in shown for point in curve.points]
    if not points:
        return None
    heights = [edge for point in points for edge in (point.y, point.low, point.high) if edge is not None]
    positions = [*result.settings.percentages]
    positions += [point.x for curve in shown if not curve.is_level for point in curve.points]
    better = _("higher is better") if metric.larger_is_better else _("lower is better")
    across = Axis(0.0, around([0.0, *positions])[1], _("features selected, %"))
    return CurvePanel(f"{_(metric.title)} ({better})", across, Axis(*around(heights)), shown)


def _mean_curve(result: SelectionComparison, facts: TableFacts, method: str, metric: Metric) -> Curve | None:
    """Return the means of a method at each percentage; None for one with a number of its own."""
    if any(outcome.has_own_number for outcome in result.of(facts.name, method)):
        return None
    series, points = series_of(method), []
    for percentage in result.settings.percentages:
        size = result.settings.size(percentage, len(facts.features))
        spread = spread_of(result, facts.name, method, metric.name, size)
        if spread is not None:
            words = f"{series.name}, {_(metric.title)}, {percentage:g} %: {spread.mean:.4f}"
            points.append(FigurePoint(percentage, spread.mean, words))
    return Curve(series, tuple(points)) if points else None


def _own_point(result: SelectionComparison, facts: TableFacts, method: str, metric: Metric) -> Curve | None:
    """Return the mean of a method with a number of its own, at the mean of that."""
    sizes = [
        number for outcome in result.of(facts.name, method) if (number := outcome.own_number) is not None
    ]
    spread = spread_of(result, facts.name, method, metric.name)
    if not sizes or spread is None:
        return None
    series, percentage = series_of(method), 100.0 * fmean(sizes) / len(facts.features)
    words = f"{series.name}, {_(metric.title)}"
    if method == ALL_FEATURES:
        # Its place is beyond the scale, which has no room for it.
        level = FigurePoint(100.0, spread.mean, f"{words}: {spread.mean:.4f}")
        return Curve(series, (level,), is_level=True)
    deviation = spread.deviation or 0.0
    words = _(
        "{words}, {percentage:.1f} % on average: {mean:.4f} ± {deviation:.4f}",
        words=words,
        percentage=percentage,
        mean=spread.mean,
        deviation=deviation,
    )
    point = FigurePoint(percentage, spread.mean, words, spread.mean - deviation, spread.mean + deviation)
    return Curve(series, (point,))


def rank_chart(result: SelectionComparison) -> Chart:
    """Return a critical-difference diagram a metric, after Demšar (2006)."""
    ranks_of_metrics = [(_(metrics()[name].title), ranks(result, name)) for name in PAPER_METRICS]
    rows = tuple(
        (_rank_panel(title, table_ranks),)
        for title, table_ranks in ranks_of_metrics
        if table_ranks is not None
    )
    note = "" if rows else _("Ranks need at least three methods and two tables that are done.")
    return Chart(_("Average ranks and critical difference"), rows, note=note)


def _rank_panel(title: str, ranks_shown: Ranks) -> RankPanel:
    test = ranks_shown.test
    order = sorted(range(len(ranks_shown.methods)), key=lambda position: test.average_ranks[position])
    methods = []
    for position in order:
        series, rank = series_of(ranks_shown.methods[position]), test.average_ranks[position]
        methods.append(Ranked(series, rank, f"{series.name} {rank:.2f}"))
    note = _(
        "critical difference {difference:.2f}; Friedman p = {p:.3g}; {tables} tables",
        difference=test.critical_difference,
        p=test.p_value,
        tables=test.tables,
    )
    return RankPanel(
        title,
        note,
        tuple(methods),
        tuple((test.average_ranks[group[0]], test.average_ranks[group[-1]]) for group in test.groups()),
        test.critical_difference,
    )


@dataclass(frozen=True, slots=True)
class Web:
    """How methods stand to each other by several measures."""

    title: str
    corners: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]
    mean: str


def webs(result: SelectionComparison) -> tuple[Web, ...]:
    """Return a web a metric with a corner a table; of fewer than three tables a web each, by metrics."""
    by_metric = {name: normalised(result, name) for name in metrics()}
    tables = [
        table.name for table in result.tables if any(result.of(table.name, name) for name in result.methods)
    ]
    if len(tables) >= _FEWEST_TABLES:
        return tuple(
            _web_of_metric(_(metrics()[name].title), by_metric[name], tables) for name in PAPER_METRICS
        )
    titles = tuple(_(metric.title) for metric in metrics().values())
    web_list = []
    for table in tables:
        values = {
            method: {
                _(metrics()[name].title): figures[method][table]
                for name, figures in by_metric.items()
                if table in figures.get(method, {})
            }
            for method in ranked_methods(result)
        }
        web_list.append(Web(table, titles, values, N_("mean over metrics")))
    return tuple(web_list)


def _web_of_metric(
    title: str, figures_by_method: Mapping[str, Mapping[str, float]], tables: Sequence[str]
) -> Web:
    corners = tuple(
        table for table in tables if any(table in figures for figures in figures_by_method.values())
    )
    return Web(title, corners, figures_by_method, N_("mean over tables"))


def spider_chart(result: SelectionComparison) -> Chart:
    """Return every web with a bar a method beside, the mean over its corners (Figure 6 of the paper)."""
    methods, all_webs = ranked_methods(result), webs(result)
    has_webs = all(len(web.corners) >= _FEWEST_TABLES for web in all_webs)
    rows: list[tuple[Panel, ...]] = []
    for web in all_webs:
        means = {name: fmean(figures.values()) for name in methods if (figures := web.values.get(name))}
        bars = _bars(_(web.mean), methods, means, Axis(0.0, _OUTERMOST, ticks=_HALVES), "")
        rows.append((_web_panel(web, methods), bars) if has_webs else (bars,))
    return Chart(
        _("Stretched means: 0.5 is the best method, 0 the worst"),
        tuple(rows),
        headings=tuple(web.title for web in all_webs),
        legend=tuple(series_of(method) for method in methods),
    )


def _web_panel(web: Web, methods: Sequence[str]) -> WebPanel:
    threads = []
    for method in methods:
        figures = web.values.get(method, {})
        if figures:
            series = series_of(method)
            values = tuple(figures.get(name, 0.0) for name in web.corners)
            pairs = zip(web.corners, values, strict=True)
            words = tuple(f"{series.name}, {name}: {value:.3f}" for name, value in pairs)
            threads.append(Thread(series, values, words))
    return WebPanel("", web.corners, _RINGS, tuple(threads))


def _bars(
    title: str, methods: Sequence[str], figures: Mapping[str, float], axis: Axis, what: str
) -> RowPanel:
    """Return a bar a method, for those that have a figure."""
    marks = []
    for row, method in enumerate(methods):
        if method in figures:
            series, figure = series_of(method), figures[method]
            marks.append(RowMark(series, row, figure, f"{series.name}{what}: {figure:.3f}", 0.0, figure))
    strong = tuple(row for row, method in enumerate(methods) if method == CLCD_FS)
    names = tuple(series_of(method).name for method in methods)
    return RowPanel(title, names, axis, tuple(marks), strong_rows=strong)


def stability_chart(result: SelectionComparison) -> Chart:
    """Return the stability of Nogueira, Sechidis, Brown (2018): 1 is always the same features, 0 chance."""
    methods, panels = ranked_methods(result), []
    for table in result.tables:
        stabilities = {method: stability_of(result, table.name, method) for method in methods}
        drawn = {method: stability for method, stability in stabilities.items() if stability is not None}
        panels.append(_bars(table.name, methods, drawn, Axis(0.0, 1.0, ticks=_UNIT), f", {table.name}"))
    return Chart(_("Stability of selections over splits"), in_rows(panels, _STABILITIES_A_ROW))


def served_chart(result: SelectionComparison, table: str) -> Chart:
    """Return how often CLCD-FS selects which feature for which label (Figure 8 of the paper)."""
    facts = next(table_facts for table_facts in result.tables if table_facts.name == table)
    served, splits = result.served(table), len(result.of(table, CLCD_FS))
    features, labels = shown_features(result, table), _most_frequent(result, table, 1, _MOST_LABELS)
    shares = []
    for row, label in enumerate(labels):
        for column, feature in enumerate(features):
            count = served.get((feature, label), 0)
            if count:
                words = _(
                    "{feature}, {label}: {count} of {splits} splits",
                    feature=facts.features[feature],
                    label=facts.labels[label],
                    count=count,
                    splits=splits,
                )
                shares.append(Share(row, column, count / splits, words))
    names = tuple(_short(facts.labels[label]) for label in labels)
    panel = SharePanel("", names, tuple(f"{feature + 1}" for feature in features), tuple(shares))
    note = _("Above: number of the feature. A larger square means more splits.")
    if not shares:
        return Chart(
            _("Labels that selected features serve, {table}", table=table),
            (),
            note=_("No feature is selected yet."),
        )
    return Chart(_("Labels that selected features serve, {table}", table=table), ((panel,),), note=note)


def shown_features(result: SelectionComparison, table: str) -> list[int]:
    """Return the features that are selected most often, in column order."""
    return _most_frequent(result, table, 0, _MOST_FEATURES)


def _most_frequent(result: SelectionComparison, table: str, side: int, most: int) -> list[int]:
    counts: Counter[int] = Counter()
    for pair, count in result.served(table).items():
        counts[pair[side]] += count
    return sorted(sorted(counts, key=lambda position: (-counts[position], position))[:most])


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
