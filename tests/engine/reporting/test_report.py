"""The report stands alone, runs nothing, and says what was found."""

from __future__ import annotations

import datetime
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.result import DiscoveryResult
from engine.preparation.preparation_settings import PreparationSettings
from engine.reporting.export_formats import export_file
from engine.reporting.report import findings, make_report
from engine.reporting.report.blocks import TableBlock
from engine.reporting.report.report_files import report_html
from engine.reporting.tables import ResultContext, TableOrigin
from engine.table.dataset import Note
from engine.wording.phrases import visible

DAY = datetime.date(2026, 3, 1)
VOID = {"meta", "link", "col", "br", "wbr", "hr", "img", "input"}

BLOCKS = {"dt", "dd", "td", "th", "p", "li", "h1", "h2", "h3"}


class Page(HTMLParser):
    """Collects elements and text, and checks that every element is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.pieces: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in BLOCKS:
            self.pieces.append(" ")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.pieces.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())


def page_of(result: DiscoveryResult, *parts: str) -> Page:
    return Page(
        report_html(make_report(ResultContext(result, PreparationSettings(), report_parts=parts), DAY))
    )


@pytest.mark.parametrize("which", ["hand made", "partial", "empty", "found", "repeated"])
def test_it_loads_nothing_and_runs_nothing(
    which: str, hand_made: ModuleType, discovered: DiscoveryResult, repeated: DiscoveryResult
) -> None:
    results = {
        "hand made": hand_made.make_result(),
        "partial": hand_made.make_result(unfinished=True),
        "empty": hand_made.empty_result(),
        "found": discovered,
        "repeated": repeated,
    }
    page = page_of(results[which])
    assert {tag for tag, _ in page.tags}.isdisjoint(
        {"script", "img", "link", "iframe", "object", "base", "form"}
    )
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name == "src" for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")


def test_names_are_escaped_and_whole(hand_made: ModuleType) -> None:
    text = page_of(hand_made.make_result()).text
    for name in (hand_made.CALM, hand_made.FORMULA, hand_made.SAD, hand_made.COPY):
        assert name in text
    assert visible(hand_made.TAB) in text
    assert "Guessed <b>." in text


def test_names_that_look_like_markup_or_templates_stay_names() -> None:
    features = ('<img src="x">', "a & b", '"><script>alert(1)</script>')
    labels = ("{{ 7*7 }}", "<em>x</em>", "' onclick='x")
    generator = np.random.default_rng(3)
    columns = {name: generator.integers(0, 2, 500) for name in features}
    for label, feature in zip(labels, features, strict=True):
        columns[label] = np.where(generator.random(500) < 0.1, 1 - columns[feature], columns[feature])
    levels = np.array(["<u>no</u>", "<u>yes</u>"])
    frame = pandas.DataFrame({name: levels[column] for name, column in columns.items()})
    result = engine.discover(engine.Dataset.from_frame(frame, labels=list(labels)))
    assert set(result.label_sets) == set(features)
    page = page_of(result)
    assert {tag for tag, _ in page.tags}.isdisjoint({"img", "script", "em", "u"})
    assert not any(name.startswith("on") or name == "src" for _, given in page.tags for name in given)
    assert all(name in page.text for name in (*features, *labels))


def test_what_columns_hold_stands_below_their_names(hand_made: ModuleType) -> None:
    result = hand_made.make_result()
    told = {name: f"Question on {number}?" for number, name in enumerate(result.dataset.names)}
    variables = tuple(
        replace(variable, description=told[variable.name]) for variable in result.dataset.variables
    )
    text = page_of(replace(result, dataset=replace(result.dataset, variables=variables))).text
    assert result.label_sets and all(told[name] in text for name in result.label_sets)
    assert all(told[name] in text for name in result.dataset.labels)


def test_plain_sentences(hand_made: ModuleType) -> None:
    text = page_of(hand_made.make_result()).text
    assert "1 of 6 variables is linked to two or more labels: " in text
    # Of the three, two rest on a label with few rows of one side: that label does not lead.
    assert "3 are linked to one label only." in text
    assert "4 of 5 findings must be read with care: few rows differ from the most frequent value" in text
    assert "6 of those that look for direct neighbours (0.5 % of all) had too few rows" in text
    assert "1 March 2026" in text
    assert "interchangeable with" in text
    assert "5 × 10⁻⁴³⁵" in text


def test_a_partial_result_says_so_first(hand_made: ModuleType) -> None:
    text = page_of(hand_made.make_result(unfinished=True)).text
    assert "The run was stopped: 2 of 3 labels are finished." in text
    assert "not finished" in text


def test_a_result_without_findings_says_so(hand_made: ModuleType) -> None:
    text = page_of(hand_made.empty_result()).text
    assert "None of 6 variables is linked to any of 3 labels, as far as these data show." in text
    assert "No variable is linked to two or more labels." in text


def test_every_setting_caveat_and_source_is_there(hand_made: ModuleType) -> None:
    text = page_of(hand_made.make_result()).text
    for words in (
        "Significance level (α) 0.05",
        "Cut numbers into bins Leave continuous",
        "observed or assigned in an experiment",
        "Wu, Jiang, Zhong, Chen",
        "JMLR 11:171-234",
        "Benjamini, Hochberg (1995)",
        hand_made.make_dataset().content_hash,
    ):
        assert words in text


def test_bins_are_a_caveat_only_where_numbers_were_cut(hand_made: ModuleType) -> None:
    result = hand_made.make_result()
    assert "Numbers were cut into bins." not in page_of(result).text
    cut = result.dataset.with_notes([Note("discretised", "1 numeric feature was cut into 2 bins.")])
    assert "Numbers were cut into bins." in page_of(replace(result, dataset=cut)).text


def test_every_pair_has_its_figures(discovered: DiscoveryResult) -> None:
    for result, common in (
        (discovered, discovered.total_common),
        (discovered.with_links_through_labels(False), discovered.common),
    ):
        page = page_of(result, "common", "label-specific")
        rows = sum(tag == "td" and attributes.get("class") == "label" for tag, attributes in page.tags)
        assert rows == sum(map(len, common["labels"]))
        for feature in result.counted_findings.by_feature:
            assert feature in page.text


def test_too_many_findings_are_cut_and_counted(
    hand_made: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.reporting.report.findings.MOST_ROWS", 2)
    result = hand_made.make_result()
    *_, table = findings.label_specific(ResultContext(result))
    assert isinstance(table, TableBlock)
    assert [group[0][0].text for group in table.groups] == [hand_made.HAPPY, hand_made.CALM]
    assert "2 of 3 are shown, the strongest of each label" in page_of(result).text


def test_the_file_is_utf8(hand_made: ModuleType, tmp_path: Path) -> None:
    path = export_file(hand_made.make_result(), tmp_path / "report.html", "report")
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_it_says_how_often_findings_were_found_again(
    discovered: DiscoveryResult, repeated: DiscoveryResult
) -> None:
    assert "Found again" not in page_of(discovered).text
    text = page_of(repeated).text
    assert "Searched again on 2 random halves of the rows" in text
    assert "Meinshausen" in text
    for row in repeated.label_specific.itertuples():
        assert f"{row.found_again * 2:.0f} of 2" in text


def test_steps_in_the_table_and_notes_are_printed(hand_made: ModuleType) -> None:
    note = "# First look\n\nA **bold** claim, `a_b` and 2*3*4.\n\n- one\n- <i>two</i>"
    origin = TableOrigin("a.csv", recipe=[{"step": "filter", "expression": "age > 40"}])
    analysis = ResultContext(
        hand_made.make_result(),
        report_parts=("recipe", "notes"),
        origin=origin,
        notes=(("The analysis", note),),
    )
    page = Page(report_html(make_report(analysis, DAY)))
    assert "age > 40" in page.text
    assert "The analysis First look A bold claim, a_b and 2*3*4. one <i>two</i>" in page.text
    assert [tag for tag, _ in page.tags].count("li") == 3
    assert (
        make_report(ResultContext(hand_made.make_result(), report_parts=("recipe", "notes"))).sections == ()
    )
