"""What a comparison of selectors writes: words and one HTML page, each picture with its table, and files."""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any

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
from engine.comparison.selectors.charts import (
    curve_chart,
    rank_chart,
    served_chart,
    shown_features,
    spider_chart,
    stability_chart,
)
from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import (
    PAPER_METRICS,
    Metric,
    PredictionFigures,
    classifiers,
    metrics,
)
from engine.comparison.selectors.result import SelectionComparison, TableFacts
from engine.comparison.selectors.standings import (
    MethodFigures,
    duels,
    duels_over_tables,
    method_figures,
    normalised,
    pairs_needed,
    ranked_methods,
    ranks,
    rival_count,
    spread_of,
    stability_of,
)
from engine.parameters import parameters_of
from engine.reporting.figures.chart import Chart
from engine.translation import N_, _, for_count
from engine.wording.numbers import counted
from engine.wording.pages import date_text
from engine.wording.phrases import plain_listing
from engine.wording.sentences import NOTHING_TO_COMPARE


def table_sentences(result: SelectionComparison, table: str) -> tuple[str, ...]:
    """Say how many features CLCD-FS selects, where it stands, and whether that is more than chance."""
    rows = {method_figure.method: method_figure for method_figure in method_figures(result, table)}
    own = rows.pop(CLCD_FS, None)
    if own is None or own.features is None:
        return ()
    features = next(len(table_facts.features) for table_facts in result.tables if table_facts.name == table)
    selects = for_count(
        own.splits,
        "CLCD-FS selects {size} of {features}.",
        "CLCD-FS selects {size} of {features} in the mean of {splits}.",
    ).format(
        size=f"{own.features:.3g}",
        features=counted(features, "feature"),
        splits=counted(own.splits, "split"),
    )
    ranked = [row for row in rows.values() if any(figure.rank is not None for figure in row.figures.values())]
    if not ranked:
        return (selects,)
    beside = _(
        "{selects} Compared with {selectors} at that number, it is {places}.",
        selects=selects,
        selectors=counted(len(ranked), "other selector"),
        places=_places(own),
    )
    return tuple(filter(None, (beside, _best_words(own, ranked), *_chance_sentences(result, rows))))


def _places(own: MethodFigures) -> str:
    """Name its places, metrics with the same place together."""
    by_rank: dict[int, list[str]] = {}
    for name in PAPER_METRICS:
        rank = own.figures[name].rank if name in own.figures else None
        if rank is not None:
            by_rank.setdefault(rank, []).append(_(metrics()[name].title))
    return ", ".join(
        _("number {rank} by {metrics}", rank=rank, metrics=plain_listing(titles))
        for rank, titles in sorted(by_rank.items())
    )


def _best_words(own: MethodFigures, rivals: Sequence[MethodFigures]) -> str:
    """Name who is the best by the metrics by which CLCD-FS is not."""
    best_by: dict[str, list[str]] = {}
    for name in PAPER_METRICS:
        best = next(
            (rival for rival in rivals if name in rival.figures and rival.figures[name].is_best), None
        )
        if best is not None and name in own.figures and not own.figures[name].is_best:
            words = _(
                "{metric} ({best:.3f} against {own:.3f})",
                metric=_(metrics()[name].title),
                best=best.figures[name].spread.mean,
                own=own.figures[name].spread.mean,
            )
            best_by.setdefault(_(selection_methods()[best.method].title), []).append(words)
    if not best_by:
        return ""
    best_methods = "; ".join(
        _("{method} by {metrics}", method=title, metrics=plain_listing(names))
        for title, names in best_by.items()
    )
    return _("Best: {methods}.", methods=best_methods)


def _chance_sentences(result: SelectionComparison, rows: dict[str, MethodFigures]) -> list[str]:
    needed = pairs_needed(max(rival_count(result), 1))
    if result.settings.splits < needed:
        return [
            _(
                "With {splits}, no difference from so many methods can be significant. At least "
                "{needed} splits are needed.",
                splits=counted(result.settings.splits, "split"),
                needed=needed,
            )
        ]
    phrases = []
    for name in PAPER_METRICS:
        standings = [row.figures[name].standing for row in rows.values() if name in row.figures]
        better, worse = standings.count("better"), standings.count("worse")
        if better or worse:
            phrases.append(
                _(
                    "better than {better} and worse than {worse} by {metric}",
                    better=better,
                    worse=worse,
                    metric=_(metrics()[name].title),
                )
            )
    if not phrases:
        return [_("No difference from another method is significant over these splits.")]
    standings_by_metric = "; ".join(phrases)
    return [
        _(
            "Significant over these splits: it is {standings}.",
            standings=standings_by_metric,
        )
    ]


_NAMED_ENOUGH = 6


def verdict_sentences(result: SelectionComparison) -> tuple[str, ...]:
    """Say where CLCD-FS stands among the methods that select, at equal size: metric by metric over tables."""
    if CLCD_FS not in result.methods or len(ranked_methods(result)) == 1:
        return ()
    if len(result.tables) == 1:
        return table_sentences(result, result.tables[0].name)
    return tuple(_verdict(result, metrics()[name]) for name in PAPER_METRICS)


FILLED_BEFORE_SPLITTING = N_(
    "Missing values were filled in before the rows were split: from all rows, and also from labels "
    "if they were imputed. Results of all methods may therefore be better than on new rows. Leaving "
    "out these rows avoids this."
)


def caution_sentences(result: SelectionComparison) -> tuple[str, ...]:
    """Say what a reader must know before trusting the figures."""
    settings = result.settings
    sentences = [
        _("Selection, choice of options, scaling and learning used training rows only.")
        if settings.tuning != "test"
        else _(
            "Options were chosen on the test rows, as in the paper. Results of methods with options "
            "are therefore better than on new rows. Do not cite them as accuracy."
        ),
        _(
            "Splits of one table share rows, so p-values of tests over splits are too small. Tests "
            "over tables do not have this fault. 'tests.csv' also gives a t-test that allows for it."
        ),
        _(
            "CLCD-FS chooses the number of features in each split. Unless stated otherwise, the "
            "other methods are compared at that number. A method that chooses its own number keeps "
            "it. All features together are shown for comparison, without a rank."
        ),
    ]
    if any(table.is_filled for table in result.tables):
        sentences.append(_(FILLED_BEFORE_SPLITTING))
    if settings.tuning != "none" and not settings.tune_clcd:
        sentences.append(_("CLCD-FS used its defaults; only the other methods chose options."))
    if settings.tuning == "none":
        sentences.append(_("No options were chosen: every method has its defaults."))
    rivals = rival_count(result)
    needed = pairs_needed(rivals) if rivals else 0
    splits, tables = settings.splits, len(result.tables)
    for count, compared in ((splits, counted(splits, "split")), (tables, counted(tables, "table"))):
        if count < needed:
            sentences.append(
                _(
                    "With {compared}, no difference from {methods} can be significant. At least "
                    "{needed} are needed.",
                    compared=compared,
                    methods=counted(rivals, "other method"),
                    needed=needed,
                )
            )
    methods = [selection_methods()[name] for name in result.methods]
    reconstructed = [_(method.title) for method in methods if method.is_reconstruction]
    if reconstructed:
        sentences.append(
            _(
                "Reconstructed from descriptions, because no formula or program is public: {methods}.",
                methods=plain_listing(reconstructed),
            )
        )
    return tuple(sentences)


def setting_rows(settings: SelectionComparisonSettings) -> tuple[tuple[str, str], ...]:
    """List the settings with their titles."""
    rows = [
        (_(parameter.title), setting_words(parameter, getattr(settings, parameter.name)))
        for parameter in parameters_of(SelectionComparisonSettings)
        if parameter.changes_result
    ]
    rows.append((_("Percentages"), ", ".join(f"{percentage:g}" for percentage in settings.percentages)))
    rows.append((_("What it is"), _(classifiers()[settings.classifier].help)))
    return tuple(rows)


_EQUAL_ON_ONE = N_("On {count} of these another method is as good.")
_EQUAL_ON_SEVERAL = N_("On {count} of these other methods are as good.")
# Means that are equal but for rounding are level.
_DIGITS = 12


def _verdict(result: SelectionComparison, metric: Metric) -> str:
    ahead, level, done = [], 0, []
    for table in result.tables:
        spreads = {name: spread_of(result, table.name, name, metric.name) for name in ranked_methods(result)}
        figures = {
            name: round(metric.signed(spread.mean), _DIGITS)
            for name, spread in spreads.items()
            if spread is not None
        }
        if CLCD_FS in figures and len(figures) > 1:
            done.append(table.name)
            own = figures.pop(CLCD_FS)
            if own >= max(figures.values()):
                ahead.append(table.name)
                level += own == max(figures.values())
    if not done:
        return _(NOTHING_TO_COMPARE, title=_(metric.title))
    best = _(
        N_("{metric}: CLCD-FS is the best at equal size on {count} of {tables} ({names}).")
        if 0 < len(ahead) < _NAMED_ENOUGH
        else N_("{metric}: CLCD-FS is the best at equal size on {count} of {tables}."),
        metric=_(metric.title),
        count=len(ahead),
        tables=counted(len(done), "table"),
        names=", ".join(ahead),
    )
    equal = for_count(level, _EQUAL_ON_ONE, _EQUAL_ON_SEVERAL).format(count=level) if level else ""
    sentences = (
        best,
        equal,
        _rank_sentence(result, metric),
        _mean_sentence(result, metric),
        _over_splits(result, metric),
        _over_tables(result, metric),
    )
    return " ".join(filter(None, sentences))


def _mean_sentence(result: SelectionComparison, metric: Metric) -> str:
    """Put the mean over tables beside that of the best single rival."""
    means_of: dict[str, list[float]] = {}
    for name in ranked_methods(result):
        spreads = [spread_of(result, table.name, name, metric.name) for table in result.tables]
        means_of[name] = [spread.mean for spread in spreads if spread is not None]
    own = means_of.pop(CLCD_FS, [])
    means = {name: fmean(figures) for name, figures in means_of.items() if len(figures) == len(own)}
    if not own or not means:
        return ""
    best = max(means, key=lambda name: metric.signed(means[name]))
    title = _(selection_methods()[best].title)
    return _(
        "Its mean over tables is {own:.4f}. The best other method, {rival}, has {best:.4f}.",
        own=fmean(own),
        rival=title,
        best=means[best],
    )


def _rank_sentence(result: SelectionComparison, metric: Metric) -> str:
    ranks_found = ranks(result, metric.name)
    if ranks_found is None or CLCD_FS not in ranks_found.methods:
        return ""
    ordered = sorted(ranks_found.test.average_ranks)
    own = ranks_found.test.average_ranks[ranks_found.methods.index(CLCD_FS)]
    return _(
        "Its average rank of {own:.2f} is number {place} of {count}.",
        own=own,
        place=ordered.index(own) + 1,
        count=len(ordered),
    )


def _over_splits(result: SelectionComparison, metric: Metric) -> str:
    """Count significant differences over splits."""
    standings = [
        duel.standing
        for table in result.tables
        for duel in duels(result, table.name, metric.name)
        if duel.rival in ranked_methods(result)
    ]
    better, worse = standings.count("better"), standings.count("worse")
    return _(
        "Of {comparisons} over splits {better} are significantly better and {worse} worse.",
        comparisons=counted(len(standings), "comparison"),
        better=better,
        worse=worse,
    )


def _over_tables(result: SelectionComparison, metric: Metric) -> str:
    """Name the significant differences over tables."""
    compared = duels_over_tables(result, metric.name)
    decided = [duel for duel in compared if duel.standing != "no difference"]
    if not decided and max(duel.pairs for duel in compared) < pairs_needed(len(compared)):
        return _("With so few tables, no difference can be significant.")
    if not decided:
        return _("No difference over tables is significant.")
    named = plain_listing(
        [
            _(
                _BETTER if duel.standing == "better" else _WORSE,
                rival=_(selection_methods()[duel.rival].title),
            )
            for duel in decided
        ]
    )
    return _("Over tables it is {named}.", named=named)


_BETTER, _WORSE = N_("better than {rival}"), N_("worse than {rival}")
_MARKS = {"better": "▲", "worse": "▼"}


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A figure as it is read; `mark` says how CLCD-FS stands to it."""

    text: str
    is_best: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ShownMethod:
    """A method and its figures."""

    title: str
    is_own: bool
    cells: tuple[ShownCell, ...]


def report_html(result: SelectionComparison, day: datetime.date) -> str:
    """Return the report as HTML text."""
    return page_text("selectors/templates/report.html", _content(result, day))


def _content(result: SelectionComparison, day: datetime.date) -> dict[str, Any]:
    shown = [table for table in result.tables if any(result.of(table.name, name) for name in result.methods)]
    return {
        "title": _("CLCD-FS and other feature selectors"),
        "facts": (
            counted(len(result.tables), "table"),
            counted(len(result.methods), "method"),
            counted(result.settings.splits, "split"),
            date_text(day),
        ),
        "is_partial": result.is_partial,
        "done": len(result.outcomes),
        "planned": result.planned,
        "steps": _("cells"),
        "verdicts": verdict_sentences(result),
        "cautions": caution_sentences(result),
        "paper_metrics": [_(metrics()[name].title) for name in PAPER_METRICS],
        "metrics": [_(metric.title) for metric in metrics().values()],
        "table_facts": result.tables,
        "ranks": inline(rank_chart(result), "ranks"),
        "rank_rows": _rank_rows(result),
        "spiders": inline(spider_chart(result), "standing"),
        "spider_rows": _spider_rows(result),
        "stability": inline(stability_chart(result), "stability"),
        "stability_rows": _stability_rows(result),
        "time_rows": _time_rows(result),
        "tables": [_table_content(result, table, position) for position, table in enumerate(shown)],
        "methods": [selection_methods()[name] for name in result.methods],
        "settings": setting_rows(result.settings),
        "machine": machine_text(),
    }


def _table_content(result: SelectionComparison, table: TableFacts, position: int) -> dict[str, Any]:
    has_served = bool(result.served(table.name))
    return {
        "facts": table,
        "figures": _figure_rows(result, table),
        "curves": inline(curve_chart(result, table.name), f"curves-{position}"),
        "curve_rows": [
            (_(metrics()[name].title), _curve_rows(result, table, name)) for name in PAPER_METRICS
        ],
        "percentages": [f"{percentage:g} %" for percentage in result.settings.percentages],
        "served": inline(served_chart(result, table.name), f"served-{position}") if has_served else "",
        "served_rows": _served_rows(result, table) if has_served else [],
        "splits": len(result.of(table.name, CLCD_FS)),
    }


def _row(method: str, cells: list[ShownCell]) -> ShownMethod:
    return ShownMethod(_(selection_methods()[method].title), method == CLCD_FS, tuple(cells))


def _figure_rows(result: SelectionComparison, table: TableFacts) -> list[ShownMethod]:
    """Return means ± standard deviations at equal size, the best of the methods that select marked."""
    rows = []
    for method_figure in method_figures(result, table.name):
        cells = [ShownCell("" if method_figure.features is None else f"{method_figure.features:.1f}")]
        for name in metrics():
            figure = method_figure.figures.get(name)
            cells.append(
                ShownCell("")
                if figure is None
                else ShownCell(figure.spread.text, figure.is_best, _MARKS.get(figure.standing, ""))
            )
        rows.append(_row(method_figure.method, cells))
    return rows


def _curve_rows(result: SelectionComparison, table: TableFacts, metric: str) -> list[ShownMethod]:
    rows = []
    for method in result.methods:
        if any(outcome.has_own_number for outcome in result.of(table.name, method)):
            continue
        sizes = [
            result.settings.size(percentage, len(table.features))
            for percentage in result.settings.percentages
        ]
        spreads = [spread_of(result, table.name, method, metric, size) for size in sizes]
        rows.append(
            _row(method, [ShownCell("" if spread is None else f"{spread.mean:.4f}") for spread in spreads])
        )
    return rows


def _served_rows(result: SelectionComparison, table: TableFacts) -> list[tuple[int, str, str]]:
    """Return number and name of each shown feature, and the labels that it serves with their counts."""
    served = result.served(table.name)
    return [
        (
            feature + 1,
            table.features[feature],
            ", ".join(
                f"{table.labels[label]} ({count})"
                for (selected, label), count in sorted(served.items())
                if selected == feature
            ),
        )
        for feature in shown_features(result, table.name)
    ]


def _rank_rows(result: SelectionComparison) -> list[ShownMethod]:
    ranks_of = {name: ranks(result, name) for name in PAPER_METRICS}
    rows = []
    for method in ranked_methods(result):
        cells = []
        for ranks_of_metric in ranks_of.values():
            rank = (
                None
                if ranks_of_metric is None
                else ranks_of_metric.test.average_ranks[ranks_of_metric.methods.index(method)]
            )
            is_best = ranks_of_metric is not None and rank == min(ranks_of_metric.test.average_ranks)
            cells.append(ShownCell("" if rank is None else f"{rank:.2f}", is_best))
        rows.append(_row(method, cells))
    return rows


def _spider_rows(result: SelectionComparison) -> list[ShownMethod]:
    values = [normalised(result, name) for name in metrics()]
    rows = []
    for method in ranked_methods(result):
        values_of_tables = [list(values_of_method.get(method, {}).values()) for values_of_method in values]
        rows.append(
            _row(
                method,
                [
                    ShownCell(f"{fmean(table_values):.3f}" if table_values else "")
                    for table_values in values_of_tables
                ],
            )
        )
    return rows


def _stability_rows(result: SelectionComparison) -> list[ShownMethod]:
    rows = []
    for method in ranked_methods(result):
        stability = [stability_of(result, table.name, method) for table in result.tables]
        rows.append(_row(method, [ShownCell("" if value is None else f"{value:.3f}") for value in stability]))
    return rows


def _time_rows(result: SelectionComparison) -> list[ShownMethod]:
    rows = []
    for method in result.methods:
        cells = []
        for table in result.tables:
            times = [outcome.processor_seconds for outcome in result.of(table.name, method)]
            cells.append(ShownCell(f"{fmean(times):.3g}" if times else ""))
        rows.append(_row(method, cells))
    return rows


_METRICS = tuple(field.name for field in fields(PredictionFigures))
_PARTS = ("mean", "sd")


def figure_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, method, split and number of features."""
    columns = ("data_set", "method", "split", "features", "percent", "own_number", "equal_size", *_METRICS)
    counts = {table.name: len(table.features) for table in result.tables}
    rows: list[tuple[Value, ...]] = []
    for outcome in result.outcomes:
        equal = result.equal_size(outcome.data_set, outcome.split)
        for size, figures in outcome.figures.items():
            percent = 100 * size / counts[outcome.data_set]
            own = "yes" if outcome.has_own_number else ""
            start = (outcome.data_set, outcome.method, outcome.split, size, percent, own)
            is_equal = "yes" if size == equal else ""
            rows.append((*start, is_equal, *(getattr(figures, name) for name in _METRICS)))
    return PlainTable(columns, tuple(rows))


def selection_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, method and split: what was selected, with which options, in which time."""
    columns = ("data_set", "method", "split", "seconds", "processor_seconds", "options", "features")
    names = {table.name: table.features for table in result.tables}
    return PlainTable(
        columns,
        tuple(
            (
                *(
                    outcome.data_set,
                    outcome.method,
                    outcome.split,
                    outcome.seconds,
                    outcome.processor_seconds,
                ),
                ", ".join(f"{name}={value:g}" for name, value in outcome.options.items()),
                ", ".join(names[outcome.data_set][position] for position in outcome.order),
            )
            for outcome in result.outcomes
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
            sizes = [size for outcome in outcomes if (size := result.compared_size(outcome)) is not None]
            spreads = [
                *(list(result.figures(table.name, method, name).values()) for name in metrics()),
                [outcome.processor_seconds for outcome in outcomes],
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
                    cells = [cell for spread in spreads if spread for cell in (spread.mean, spread.deviation)]
                    rows.append((table.name, method, percentage, size, *cells))
    return PlainTable(columns, tuple(rows))


def duel_table(result: SelectionComparison) -> PlainTable:
    """Make one row a table, metric and rival of CLCD-FS; the last rows are over the means of all tables."""
    columns = (
        *("data_set", "metric", "rival", "difference_of_means"),
        *("wilcoxon_p", "wilcoxon_p_holm", "resampled_t_p_holm", "pairs", "clcd_fs_is"),
    )
    duels_listed = [
        duel
        for metric in _METRICS
        for duel in (
            *(compared for table in result.tables for compared in duels(result, table.name, metric)),
            *duels_over_tables(result, metric),
        )
    ]
    return PlainTable(
        columns,
        tuple(
            (
                duel.table or "all",
                duel.metric,
                duel.rival,
                duel.difference,
                duel.p_value,
                duel.adjusted,
                duel.resampled_p,
                duel.pairs,
                duel.standing,
            )
            for duel in duels_listed
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
        ranks_found = ranks(result, metric)
        if ranks_found is None:
            continue
        test = ranks_found.test
        tested = (test.statistic, test.p_value, test.f_statistic, test.f_p_value, test.critical_difference)
        rows += [
            (metric, method, rank, test.tables, *tested)
            for method, rank in zip(ranks_found.methods, test.average_ranks, strict=True)
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
    charts: dict[str, Callable[[], Chart]] = {
        stem: functools.partial(make, result) for stem, make in _CHARTS.items()
    }
    for table in result.tables:
        if any(result.of(table.name, method) for method in result.methods):
            for kind, make_of_table in _CHARTS_OF_TABLES.items():
                stem = f"{kind}_{_SAFE.sub('_', table.name)}"
                charts[stem] = functools.partial(make_of_table, result, table.name)
    return charts


SELECTOR_FILES = ComparisonFiles("selection.html", report_html, _TABLES, _charts)
