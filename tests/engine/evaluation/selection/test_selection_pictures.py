"""Pictures and pages of a comparison: all that was measured is in them, and nobody needs colours."""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring

import engine
from engine.evaluation.drawing.axes import ticks
from engine.evaluation.drawing.chart import Text, text_width
from engine.evaluation.drawing.looks import looks
from engine.evaluation.drawing.svg import svg_text
from engine.evaluation.selection.charts.curves import curve_chart
from engine.evaluation.selection.charts.ranks import rank_chart
from engine.evaluation.selection.charts.served import served_chart
from engine.evaluation.selection.charts.spiders import spider_chart
from engine.evaluation.selection.charts.stabilities import stability_chart
from engine.evaluation.selection.figures import splits_needed
from engine.evaluation.selection.files import write_files
from engine.evaluation.selection.methods import selection_methods
from engine.evaluation.selection.metrics import Agreement
from engine.evaluation.selection.outcome import SelectionOutcome
from engine.evaluation.selection.report import report_html
from engine.evaluation.selection.result import TableFacts
from engine.evaluation.selection.sentences import caution_sentences, verdict_sentences
from engine.evaluation.selection.significance import holm, signed_rank_p
from engine.evaluation.selection.standings import duels, normalised, ranks

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
    figures = Agreement(1 - goodness, 1 - goodness, goodness, goodness, goodness / 2)
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
    standings = {each.rival: each.standing for each in duels(comparison, "first", "hamming_loss")}
    # Six pairs that all point one way: p = 2/64, times four rivals after Holm.
    assert set(standings.values()) == {"no difference"}
    assert duels(comparison, "first", "macro_f1")[0].p_value == pytest.approx(2 / 64)
    found = ranks(comparison, "ranking_loss")
    assert found is not None and found.methods == ("sfus", "anova-f", "random", "clcd-fs")
    assert found.test.average_ranks == (2, 3, 4, 1)
    stretched = normalised(comparison, "hamming_loss")
    assert stretched["clcd-fs"]["first"] == 0.5 and stretched["random"]["first"] == 0.0
    assert stretched["sfus"]["first"] == pytest.approx(0.5 * 0.4 / 0.5)
    sentences = verdict_sentences(comparison)
    assert "that of the best rival, SFUS, 0.7" in sentences[2]
    assert len(sentences) == 4 and all("best at equal size on 3 of 3 tables" in each for each in sentences)


def test_every_picture_is_drawn_and_has_words_for_every_mark(comparison: engine.SelectionComparison) -> None:
    charts = [
        curve_chart(comparison, "third & last"),
        served_chart(comparison, "first"),
        spider_chart(comparison),
        stability_chart(comparison),
        rank_chart(comparison),
    ]
    for chart in charts:
        assert chart.marks and all(mark.words for mark in chart.marks)
        parts = (*chart.lines, *chart.marks, *chart.texts)
        places = [
            value for part in parts for name in ("x", "y", "x1", "y1") if (value := getattr(part, name, 0.0))
        ]
        assert all(math.isfinite(place) for place in places)
        assert all(0 <= mark.x <= chart.width and 0 <= mark.y <= chart.height for mark in chart.marks)
        root = fromstring(svg_text(chart))
        assert root.tag.endswith("svg")


def test_the_curves_hold_every_figure(comparison: engine.SelectionComparison) -> None:
    words = [mark.words for mark in curve_chart(comparison, "first").marks]
    # Three curves of two points, a point for CLCD-FS and a level for all features, in four panels.
    assert sum(": 0." in each for each in words) == 4 * (3 * 2 + 1 + 1)
    assert any(each.startswith("CLCD-FS, Macro-F1, 15.0 % on average: 0.8") for each in words)


def test_squares_say_in_how_many_splits(comparison: engine.SelectionComparison) -> None:
    marks = {mark.words: mark.look for mark in served_chart(comparison, "first").marks}
    assert marks["f0, sad: 6 of 6 splits"] == "share-4"
    assert marks["f5, sad: 3 of 6 splits"] == "share-2"
    assert len(marks) == 5


def test_no_two_series_differ_by_colour_alone() -> None:
    series = [look for name, look in looks().items() if name.startswith("series-") or name == "own"]
    assert len({(look.outline, look.filled) for look in series}) == len(series) == 13
    assert len({look.dash for look in series}) >= len(series) - 2
    for look in looks().values():
        assert contrast_with_white(look.colour) >= 3.0


def contrast_with_white(colour: str) -> float:
    """Contrast ratio of the Web Content Accessibility Guidelines 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 1.05 / (luminance + 0.05)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 30.0, (0, 10, 20, 30)),
        (0.181, 0.262, (0.18, 0.2, 0.22, 0.24, 0.26, 0.28)),
        (0.5, 0.5, (0.5, 0.6)),
        (0.0, 0.0, None),
    ],
)
def test_ticks_are_round_and_span_the_figures(low: float, high: float, expected: Any) -> None:
    found = ticks(low, high)
    assert found[0] <= low and found[-1] >= high and len(found) >= 2
    if expected is not None:
        assert found == pytest.approx(expected)


def test_the_page_says_everything_and_escapes_names(comparison: engine.SelectionComparison) -> None:
    page = report_html(comparison, datetime.date(2026, 1, 2))
    assert page.startswith("<!DOCTYPE html>")
    assert "third &amp; last" in page and "happy &amp; &lt;calm&gt;" in page and "<calm>" not in page
    assert page.count("<svg") == 3 + 2 * 3 and page.count("<table") >= 3 + 3 * 6
    assert "2 January 2026" in page and "stopped" not in page
    assert not re.search(r"(?:src|href)=", page)


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
        for chart in (
            curve_chart(result, tables[0].name),
            spider_chart(result),
            stability_chart(result),
            rank_chart(result),
        ):
            boxes = [text_box(each) for each in chart.texts]
            outside = [
                text
                for text, box in zip(chart.texts, boxes, strict=True)
                if box[0] < -8 or box[1] > chart.width + 8
            ]
            assert not outside, chart.title
            for place, (left, right, top, bottom) in enumerate(boxes):
                for other in boxes[place + 1 :]:
                    apart = right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
                    assert apart, (chart.title, chart.texts[place], other)


def text_box(text: Text) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of a text; its letters are a little narrower than the room for them."""
    width = 0.93 * text_width(text.text)
    left = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    return left, left + width, text.y - 9.0, text.y


def test_one_table_is_spoken_of_by_places(comparison: engine.SelectionComparison) -> None:
    alone = replace(
        comparison,
        tables=TABLES[:1],
        outcomes=tuple(each for each in comparison.outcomes if each.data_set == "first"),
    )
    first, last = verdict_sentences(alone)
    assert first.startswith("CLCD-FS selects 3 of 20 features in the mean of 6 splits; beside 3 other")
    assert "number 1 by Hamming loss, Ranking loss, Macro-F1 and Micro-F1" in first
    # Four rivals: 4 · 2/2⁷ is above 0.05, and 4 · 2/2⁸ below.
    assert "8 splits are the fewest" in last
    marks = [mark for mark in spider_chart(alone).marks if ", Macro-F1: " in mark.words]
    assert len(marks) == 4, "a corner a metric, where there are too few tables for corners"


@pytest.mark.parametrize("rivals", [1, 4, 11])
def test_so_many_splits_are_needed_and_no_more(rivals: int) -> None:
    def smallest(splits: int) -> float:
        p_value = signed_rank_p([float(place) for place in range(1, splits + 1)], [0.0] * splits)
        return holm([p_value, *[1.0] * (rivals - 1)])[0]

    needed = splits_needed(rivals)
    assert smallest(needed) <= 0.05 < smallest(needed - 1)


def test_a_partial_comparison_is_told_as_such(comparison: engine.SelectionComparison, tmp_path: Path) -> None:
    for count in (1, 7, 31):
        partial = replace(comparison, outcomes=comparison.outcomes[:count])
        assert "was stopped" in report_html(partial, datetime.date(2026, 1, 2))
        assert all(path.exists() for path in write_files(partial, tmp_path))


def test_tuning_on_test_rows_is_labelled(comparison: engine.SelectionComparison) -> None:
    settings = replace(comparison.settings, tuning="test")
    assert "Do not cite" in caution_sentences(replace(comparison, settings=settings))[0]
    assert "training rows only" in caution_sentences(comparison)[0]
