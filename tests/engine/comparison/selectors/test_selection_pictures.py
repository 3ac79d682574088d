"""Pictures and pages of a comparison: all that was measured is in them, and nobody needs colours."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

import engine
from engine.comparison.page import machine_text
from engine.comparison.selectors.charts import (
    curve_chart,
    rank_chart,
    served_chart,
    spider_chart,
    stability_chart,
)
from engine.comparison.selectors.methods import selection_methods
from engine.comparison.selectors.prediction import PredictionFigures
from engine.comparison.selectors.report import (
    SELECTOR_FILES,
    caution_sentences,
    report_html,
    verdict_sentences,
)
from engine.comparison.selectors.result import SelectionOutcome, TableFacts
from engine.comparison.selectors.standings import (
    duels,
    holm,
    method_figures,
    normalised,
    pairs_needed,
    ranks,
    signed_rank_p,
    spread_of,
    stability_of,
)
from engine.reporting.figures.chart import Chart, CurvePanel, RankPanel, RowPanel, SharePanel, WebPanel
from engine.reporting.figures.figure_files import svg_text
from engine.translation import _, language
from tests.engine.reporting.reading import mark_texts, texts, unreadable
from tests.pseudo_language import pseudo_language
from tests.rendered import text_of
from tests.untranslated import english_in

METHODS = ("sfus", "anova-f", "random", "all", "clcd-fs")
# How good each method is made to look; the splits move all of them a little.
GOODNESS = {"sfus": 0.7, "anova-f": 0.6, "random": 0.3, "all": 0.9, "clcd-fs": 0.8}
TABLES = tuple(
    TableFacts(name, 100, tuple(f"f{i}" for i in range(20)), ("happy & <calm>", "sad"), 0.5)
    for name in ("first", "second", "third & last")
)


def outcome(table: str, split: int, method: str, base: float | None = None) -> SelectionOutcome:
    goodness = (GOODNESS[method] if base is None else base) + 0.001 * split * (1 + len(table))
    has_own = method in ("all", "clcd-fs")
    order = tuple(range(20)) if method != "clcd-fs" else (0, 3, 4 + split % 2)
    sizes = (len(order),) if has_own else (2, 3, 6)
    figures = PredictionFigures(1 - goodness, 1 - goodness, goodness, goodness, goodness / 2)
    served = ((0, 0), (0, 1), (3, 0), (4 + split % 2, 1)) if method == "clcd-fs" else ()
    return SelectionOutcome(
        table, split, method, order, has_own, {}, served, 0.2, 0.1, dict.fromkeys(sizes, figures)
    )


@pytest.fixture(scope="module")
def comparison() -> engine.SelectionComparison:
    settings = engine.SelectionComparisonSettings(splits=6, percentages=(10, 30), methods=METHODS)
    outcomes = tuple(
        outcome(table.name, split, method) for table in TABLES for method in METHODS for split in range(6)
    )
    return engine.SelectionComparison(settings, TABLES, METHODS, outcomes)


def test_clcd_fs_wins_every_duel_that_it_should(comparison: engine.SelectionComparison) -> None:
    standings = {duel.rival: duel.standing for duel in duels(comparison, "first", "hamming_loss")}
    # Six pairs that all point one way: p = 2/64, times four rivals after Holm.
    assert set(standings.values()) == {"no difference"}
    assert duels(comparison, "first", "macro_f1")[0].p_value == pytest.approx(2 / 64)
    ranking = ranks(comparison, "ranking_loss")
    assert ranking is not None and ranking.methods == ("sfus", "anova-f", "random", "clcd-fs")
    assert ranking.test.average_ranks == (2, 3, 4, 1)
    stretched = normalised(comparison, "hamming_loss")
    assert stretched["clcd-fs"]["first"] == 0.5 and stretched["random"]["first"] == 0.0
    assert stretched["sfus"]["first"] == pytest.approx(0.5 * 0.4 / 0.5)
    sentences = verdict_sentences(comparison)
    assert "The best other method, SFUS, has 0.7" in sentences[2]
    assert len(sentences) == 4 and all(
        "best at equal size on 3 of 3 tables" in sentence for sentence in sentences
    )


def test_a_tie_is_no_victory(comparison: engine.SelectionComparison) -> None:
    level = [
        outcome(measured.data_set, measured.split, measured.method, GOODNESS["clcd-fs"])
        if measured.method == "sfus" and measured.data_set != "first"
        else measured
        for measured in comparison.outcomes
    ]
    first = verdict_sentences(replace(comparison, outcomes=tuple(level)))[0]
    assert "the best at equal size on 3 of 3 tables" in first
    assert "On 2 of these other methods are as good." in first
    assert "as good" not in verdict_sentences(comparison)[0]


def test_what_could_not_come_out_is_no_finding(comparison: engine.SelectionComparison) -> None:
    # The least p-value of a signed-rank test over three tables is 1/4, and of one over eight 1/128.
    assert all(
        "With so few tables, no difference can be significant." in sentence
        for sentence in verdict_sentences(comparison)
    )
    few = "With 3 tables, no difference from 4 other methods can be significant. At least 8 are needed."
    assert few in caution_sentences(comparison)
    tables = tuple(replace(TABLES[0], name=f"table {number}") for number in range(8))
    methods = ("sfus", "clcd-fs")
    outcomes = tuple(
        outcome(table.name, split, method, 0.5)
        for table in tables
        for method in methods
        for split in range(6)
    )
    many = replace(comparison, tables=tables, methods=methods, outcomes=outcomes)
    assert "No difference over tables is significant." in verdict_sentences(many)[0]


def test_a_t_test_without_a_variance_is_left_out(comparison: engine.SelectionComparison) -> None:
    # Every method is as much better in every split.
    assert {duel.resampled_p for duel in duels(comparison, "first", "macro_f1")} == {None}


def charts_of(comparison: engine.SelectionComparison) -> list[Chart]:
    return [
        curve_chart(comparison, comparison.tables[-1].name),
        served_chart(comparison, comparison.tables[0].name),
        spider_chart(comparison),
        stability_chart(comparison),
        rank_chart(comparison),
    ]


def test_every_picture_has_its_names_and_words_for_every_mark(
    comparison: engine.SelectionComparison,
) -> None:
    for chart in charts_of(comparison):
        picture = fromstring(svg_text(chart))
        assert chart.words() and set(mark_texts(picture)) == set(chart.words())
        shown = texts(picture)
        assert {panel.title for panel in chart.panels if panel.title} <= set(shown)
        assert {series.name for series in chart.legend} <= set(shown)


def test_the_curves_hold_every_figure_of_the_result(comparison: engine.SelectionComparison) -> None:
    chart = curve_chart(comparison, "first")
    assert len(chart.panels) == 4
    by_title = {method.title: name for name, method in selection_methods().items()}
    panel = chart.panels[2]
    assert isinstance(panel, CurvePanel) and panel.title == "Macro-F1 (higher is better)"
    curves = {by_title[curve.series.name]: curve for curve in panel.curves}
    assert set(curves) == set(METHODS)
    for method in ("sfus", "anova-f", "random"):
        spreads = [spread_of(comparison, "first", method, "macro_f1", size) for size in (2, 6)]
        assert [point.y for point in curves[method].points] == [spread.mean for spread in spreads if spread]
        assert [point.x for point in curves[method].points] == [10, 30]
    own = spread_of(comparison, "first", "clcd-fs", "macro_f1")
    (point,) = curves["clcd-fs"].points
    assert own is not None and own.deviation is not None
    assert (point.x, point.y) == (100 * 3 / 20, own.mean)
    assert (point.low, point.high) == (own.mean - own.deviation, own.mean + own.deviation)
    assert point.words.startswith("CLCD-FS, Macro-F1, 15.0 % on average: 0.8")
    every = spread_of(comparison, "first", "all", "macro_f1")
    assert curves["all"].is_level and every is not None and curves["all"].points[0].y == every.mean
    for drawn_panel in chart.panels:
        assert isinstance(drawn_panel, CurvePanel)
        for curve in drawn_panel.curves:
            assert all(drawn_panel.y.low < point.y < drawn_panel.y.high for point in curve.points)
            assert curve.is_level or all(
                drawn_panel.x.low < point.x < drawn_panel.x.high for point in curve.points
            )


def test_squares_say_in_how_many_splits(comparison: engine.SelectionComparison) -> None:
    (panel,) = served_chart(comparison, "first").panels
    assert isinstance(panel, SharePanel)
    assert panel.columns == ("1", "4", "5", "6")
    shares = {share.words: share for share in panel.shares}
    assert shares["f0, sad: 6 of 6 splits"].value == 1.0
    half = shares["f5, sad: 3 of 6 splits"]
    assert (half.value, panel.rows[half.row], panel.columns[half.column]) == (0.5, "sad", "6")
    assert len(shares) == 5
    served = comparison.served("first")
    assert sum(share.value for share in panel.shares) == pytest.approx(sum(served.values()) / 6)


def test_ranks_bars_and_webs_are_those_of_the_result(comparison: engine.SelectionComparison) -> None:
    panel = rank_chart(comparison).panels[1]
    ranking = ranks(comparison, "ranking_loss")
    assert isinstance(panel, RankPanel) and ranking is not None
    assert [(method.series.name, method.rank) for method in panel.methods] == [
        ("CLCD-FS", 1.0),
        ("SFUS", 2.0),
        ("ANOVA F", 3.0),
        ("Random order", 4.0),
    ]
    assert panel.critical_difference == ranking.test.critical_difference
    assert panel.groups == tuple(
        (ranking.test.average_ranks[group[0]], ranking.test.average_ranks[group[-1]])
        for group in ranking.test.groups()
    )
    web, bars = spider_chart(comparison).rows[0]
    stretched = normalised(comparison, "hamming_loss")
    assert isinstance(web, WebPanel) and web.corners == tuple(table.name for table in TABLES)
    assert isinstance(bars, RowPanel)
    by_title = {method.title: name for name, method in selection_methods().items()}
    for thread in web.threads:
        values = stretched[by_title[thread.series.name]]
        assert thread.values == tuple(values[table.name] for table in TABLES)
    for mark in bars.marks:
        values = stretched[by_title[mark.series.name]]
        assert (mark.low, mark.high) == (0.0, mark.value)
        assert mark.value == pytest.approx(sum(values.values()) / 3)
        assert bars.rows[mark.row] == mark.series.name
    for panel, table in zip(stability_chart(comparison).panels, TABLES, strict=True):
        assert isinstance(panel, RowPanel) and panel.title == table.name
        for mark in panel.marks:
            assert mark.value == stability_of(comparison, table.name, by_title[mark.series.name])
        rows = {figure.method: figure.stability for figure in method_figures(comparison, table.name)}
        assert [mark.value for mark in panel.marks] == [
            rows[name] for name in METHODS if name != "all" and rows[name] is not None
        ]


def test_the_page_says_everything_and_escapes_names(comparison: engine.SelectionComparison) -> None:
    page = report_html(comparison, datetime.date(2026, 1, 2))
    assert page.startswith("<!DOCTYPE html>")
    assert "third &amp; last" in page and "happy &amp; &lt;calm&gt;" in page and "<calm>" not in page
    assert page.count("<svg") == 3 + 2 * 3 and page.count("<table") >= 3 + 3 * 6
    assert "2 January 2026" in page and "stopped" not in page
    # Pictures name their own marks, and nothing leads out of the page.
    assert not re.search(r"(?:src|href)=(?!\"#)", page)


def test_no_text_covers_another_with_every_method() -> None:
    names = tuple(selection_methods())
    settings = engine.SelectionComparisonSettings(splits=2, percentages=(10, 30), methods=names)
    goodness = {name: 0.3 + 0.05 * place for place, name in enumerate(names)}
    for tables in (TABLES, TABLES[:1]):
        outcomes = tuple(
            outcome(table.name, split, method, goodness[method])
            for table in tables
            for method in names
            for split in range(2)
        )
        result = engine.SelectionComparison(settings, tables, names, outcomes)
        for chart in charts_of(result):
            assert unreadable(chart) == [], chart.title


def test_one_table_is_spoken_of_by_places(comparison: engine.SelectionComparison) -> None:
    alone = replace(
        comparison,
        tables=TABLES[:1],
        outcomes=tuple(outcome for outcome in comparison.outcomes if outcome.data_set == "first"),
    )
    first, last = verdict_sentences(alone)
    assert first.startswith("CLCD-FS selects 3 of 20 features in the mean of 6 splits. Compared with 3 other")
    assert "number 1 by Hamming loss, Ranking loss, Macro-F1 and Micro-F1" in first
    # Four rivals: 4 · 2/2⁷ is above 0.05, and 4 · 2/2⁸ below.
    assert "At least 8 splits are needed" in last
    marks = [words for words in spider_chart(alone).words() if ", Macro-F1: " in words]
    assert len(marks) == 4, "a corner a metric, where there are too few tables for corners"


@pytest.mark.parametrize("rivals", [1, 4, 11])
def test_so_many_splits_are_needed_and_no_more(rivals: int) -> None:
    def smallest(splits: int) -> float:
        p_value = signed_rank_p([float(place) for place in range(1, splits + 1)], [0.0] * splits)
        return holm([p_value, *[1.0] * (rivals - 1)])[0]

    needed = pairs_needed(rivals)
    assert smallest(needed) <= 0.05 < smallest(needed - 1)


@pytest.mark.parametrize("count", [1, 7, 31])
def test_a_partial_comparison_has_its_pictures_and_is_told_as_such(
    comparison: engine.SelectionComparison, count: int
) -> None:
    partial = replace(comparison, outcomes=comparison.outcomes[:count])
    page = report_html(partial, datetime.date(2026, 1, 2))
    assert "was stopped" in page and "<svg" in page


@pytest.mark.usefixtures("pictures_not_drawn")
def test_a_partial_comparison_has_its_files(comparison: engine.SelectionComparison, tmp_path: Path) -> None:
    written = SELECTOR_FILES.write(replace(comparison, outcomes=comparison.outcomes[:31]), tmp_path)
    assert all(path.exists() for path in written)
    assert "was stopped" in (tmp_path / "selection.html").read_text("utf-8")


def test_tuning_on_test_rows_is_labelled(comparison: engine.SelectionComparison) -> None:
    settings = replace(comparison.settings, tuning="test")
    assert "Do not cite" in caution_sentences(replace(comparison, settings=settings))[0]
    assert "training rows only" in caution_sentences(comparison)[0]


@pytest.mark.usefixtures("pictures_not_drawn")
def test_the_page_holds_no_english_in_another_language(comparison: engine.SelectionComparison) -> None:
    with language(pseudo_language()):
        page = text_of(report_html(comparison, datetime.date(2026, 1, 2)))
        page = page.partition(_("Source"))[0]
    for name in ("happy & <calm>", "SFUS", "Macro-F1", "Micro-F1", machine_text()):
        page = page.replace(name, "")
    methods = selection_methods()
    names = {*(table.name for table in TABLES), "sad", *(methods[name].source for name in METHODS)}
    assert page.count("~") > 500
    assert not english_in(page.split("\n"), names)
