"""Everything that a comparison of selectors writes into its folder."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import fields

from engine.comparison.page import ComparisonFiles, PlainTable, Spread, Value
from engine.comparison.selectors.charts import (
    curve_chart,
    rank_chart,
    served_chart,
    spider_chart,
    stability_chart,
)
from engine.comparison.selectors.methods import CLCD_FS
from engine.comparison.selectors.prediction import PredictionFigures, metrics
from engine.comparison.selectors.report import report_html
from engine.comparison.selectors.result import SelectionComparison
from engine.comparison.selectors.standings import (
    duels,
    duels_over_tables,
    normalised,
    ranks,
    spread_of,
    stability_of,
)
from engine.reporting.figures.chart import Chart

_METRICS = tuple(each.name for each in fields(PredictionFigures))
_PARTS = ("mean", "sd")


def figure_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, method, split and number of features."""
    columns = ("data_set", "method", "split", "features", "percent", "own_number", "equal_size", *_METRICS)
    counts = {each.name: len(each.features) for each in result.tables}
    rows: list[tuple[Value, ...]] = []
    for each in result.outcomes:
        equal = result.equal_size(each.data_set, each.split)
        for size, figures in each.figures.items():
            percent = 100 * size / counts[each.data_set]
            own = "yes" if each.has_own_number else ""
            start = (each.data_set, each.method, each.split, size, percent, own)
            is_equal = "yes" if size == equal else ""
            rows.append((*start, is_equal, *(getattr(figures, name) for name in _METRICS)))
    return PlainTable(columns, tuple(rows))


def selection_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, method and split: what was selected, with which options, in which time."""
    columns = ("data_set", "method", "split", "seconds", "processor_seconds", "options", "features")
    names = {each.name: each.features for each in result.tables}
    return PlainTable(
        columns,
        tuple(
            (
                *(each.data_set, each.method, each.split, each.seconds, each.processor_seconds),
                ", ".join(f"{name}={value:g}" for name, value in each.options.items()),
                ", ".join(names[each.data_set][position] for position in each.order),
            )
            for each in result.outcomes
        ),
    )


def summary_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table and method: means over splits, at as many features as CLCD-FS selects."""
    columns = (
        *("data_set", "method", "splits", "features_mean"),
        *(f"{name}_{part}" for name in (*_METRICS, "processor_seconds") for part in _PARTS),
    )
    rows: list[tuple[Value, ...]] = []
    for table in result.tables:
        for method in result.methods:
            outcomes = result.of(table.name, method)
            if not outcomes:
                continue
            sizes = [size for each in outcomes if (size := result.compared_size(each)) is not None]
            spreads = [
                *(list(result.figures(table.name, method, name).values()) for name in metrics()),
                [each.processor_seconds for each in outcomes],
            ]
            mean_size = sum(sizes) / len(sizes) if sizes else None
            cells = [cell for figures in spreads for cell in _parts(figures)]
            rows.append((table.name, method, len(outcomes), mean_size, *cells))
    return PlainTable(columns, tuple(rows))


def curve_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, method and percentage: means over splits, as the curves show them."""
    columns = (
        "data_set",
        "method",
        "percent",
        "features",
        *(f"{name}_{part}" for name in _METRICS for part in _PARTS),
    )
    rows: list[tuple[Value, ...]] = []
    for table in result.tables:
        for method in result.methods:
            for percentage in result.settings.percentages:
                size = result.settings.size(percentage, len(table.features))
                spreads = [spread_of(result, table.name, method, name, size) for name in _METRICS]
                if None not in spreads:
                    cells = [cell for each in spreads if each for cell in (each.mean, each.deviation)]
                    rows.append((table.name, method, percentage, size, *cells))
    return PlainTable(columns, tuple(rows))


def duel_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, metric and rival of CLCD-FS; the last rows are over the means of all tables."""
    columns = (
        *("data_set", "metric", "rival", "difference_of_means"),
        *("wilcoxon_p", "wilcoxon_p_holm", "resampled_t_p_holm", "pairs", "clcd_fs_is"),
    )
    found = [
        each
        for metric in _METRICS
        for each in (
            *(each for table in result.tables for each in duels(result, table.name, metric)),
            *duels_over_tables(result, metric),
        )
    ]
    return PlainTable(
        columns,
        tuple(
            (
                each.table or "all",
                each.metric,
                each.rival,
                each.difference,
                each.p_value,
                each.adjusted,
                each.resampled_p,
                each.pairs,
                each.standing,
            )
            for each in found
        ),
    )


def rank_table(result: SelectionComparison) -> PlainTable:
    """Make one row a metric and method: its average rank, with Friedman's test of that metric."""
    columns = (
        *("metric", "method", "average_rank", "data_sets", "friedman_chi2", "friedman_p"),
        *("iman_davenport_f", "iman_davenport_p", "critical_difference"),
    )
    rows: list[tuple[Value, ...]] = []
    for metric in _METRICS:
        found = ranks(result, metric)
        if found is None:
            continue
        test = found.test
        tested = (test.statistic, test.p_value, test.f_statistic, test.f_p_value, test.critical_difference)
        rows += [
            (metric, method, rank, test.tables, *tested)
            for method, rank in zip(found.methods, test.average_ranks, strict=True)
        ]
    return PlainTable(columns, tuple(rows))


def stability_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table and method: how stable its selection is, and its stretched means."""
    columns = ("data_set", "method", "selection_stability", *(f"{name}_normalised" for name in _METRICS))
    stretched = {name: normalised(result, name) for name in _METRICS}
    return PlainTable(
        columns,
        tuple(
            (
                table.name,
                method,
                stability_of(result, table.name, method),
                *(stretched[name].get(method, {}).get(table.name) for name in _METRICS),
            )
            for table in result.tables
            for method in result.methods
            if result.of(table.name, method)
        ),
    )


def served_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, feature and label: in how many splits CLCD-FS selected it for that label."""
    columns = ("data_set", "feature", "label", "splits", "of_splits")
    rows: list[tuple[Value, ...]] = []
    for table in result.tables:
        splits = len(result.of(table.name, CLCD_FS))
        rows += [
            (table.name, table.features[feature], table.labels[label], count, splits)
            for (feature, label), count in sorted(result.served(table.name).items())
        ]
    return PlainTable(columns, tuple(rows))


def _parts(figures: list[float]) -> tuple[Value, Value]:
    if not figures:
        return None, None
    spread = Spread.of(figures)
    return spread.mean, spread.deviation


# What may stand in a file name everywhere.
_SAFE = re.compile(r"[^\w.-]+")

_TABLES: dict[str, Callable[[SelectionComparison], PlainTable]] = {
    "summary.csv": summary_table,
    "tests.csv": duel_table,
    "ranks.csv": rank_table,
    "curves.csv": curve_table,
    "stability.csv": stability_table,
    "labels_served.csv": served_table,
    "figures.csv": figure_table,
    "selections.csv": selection_table,
}


_CHARTS: dict[str, Callable[[SelectionComparison], Chart]] = {
    "ranks": rank_chart,
    "stability": spider_chart,
    "selection_stability": stability_chart,
}
_CHARTS_OF_TABLES: dict[str, Callable[[SelectionComparison, str], Chart]] = {
    "curves": curve_chart,
    "labels_served": served_chart,
}


def _charts(result: SelectionComparison) -> dict[str, Callable[[], Chart]]:
    found: dict[str, Callable[[], Chart]] = {
        stem: functools.partial(make, result) for stem, make in _CHARTS.items()
    }
    for table in result.tables:
        if any(result.of(table.name, method) for method in result.methods):
            for kind, make_of_table in _CHARTS_OF_TABLES.items():
                stem = f"{kind}_{_SAFE.sub('_', table.name)}"
                found[stem] = functools.partial(make_of_table, result, table.name)
    return found


SELECTOR_FILES = ComparisonFiles("selection.html", report_html, _TABLES, _charts)
