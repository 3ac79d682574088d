"""Files and sentences name what is interchangeable, and what is not distinguishable, separately."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from engine.discovery.evidence import Verdict
from engine.discovery.result import DiscoveryResult
from engine.reporting.export_formats import export_file
from engine.reporting.graph_file import graph_of
from engine.reporting.sentences.directions import equivalence_sentences, missed_text
from engine.reporting.sentences.overview import Overview
from engine.reporting.tables import ResultContext
from engine.wording.phrases import plain


def test_both_verdicts_are_said_in_words(hand_made: ModuleType) -> None:
    result = hand_made.make_result()
    claim, figures = map(plain, equivalence_sentences(result.equivalence_records[0], result))
    assert "are interchangeable" in claim
    assert figures.count("misses at most 4.2 %") == 1
    assert figures.count("misses at most 8.0 %") == 1
    assert "level 0.05" in figures
    claim, figures = map(plain, equivalence_sentences(result.undistinguished_records[0], result))
    assert "not distinguishable with these data" in claim
    assert "interchangeable" not in claim
    assert "misses at most 44 %" in figures
    assert "miss at most all" in figures


def test_what_an_earlier_program_found_is_not_called_shown(hand_made: ModuleType) -> None:
    result = hand_made.make_result()
    earlier = replace(
        result.equivalence_records[0],
        verdict=Verdict.NOT_TOLD_APART,
        missed_by_boundary=None,
        missed_by_equivalent=None,
    )
    claim, note = map(plain, equivalence_sentences(earlier, result))
    assert "not distinguishable" in claim
    assert "earlier version" in note


def test_as_published_nothing_is_said_of_a_margin(hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    (record,) = result.equivalence_records
    unmeasured = replace(record, missed_by_boundary=None, missed_by_equivalent=None)
    (claim,) = map(plain, equivalence_sentences(unmeasured, result))
    assert "count as interchangeable" in claim
    assert "not measured" in claim
    published = replace(
        result,
        settings=replace(result.settings, procedure="as published"),
        equivalence_records=(unmeasured,),
    )
    for case, expected in ((result, True), (published, False)):
        text = export_file(case, tmp_path / "report.html", "report").read_text("utf-8")
        assert ("Each is associated with the target, and misses at most" in text) == expected
        assert ("finds no association" in text) != expected


@pytest.mark.parametrize(("limit", "words"), [(0.0, "0 %"), (0.0999, "10 %"), (0.31, "31 %"), (2.0, "all")])
def test_shares_are_written_as_a_person_does(limit: float, words: str) -> None:
    assert missed_text(limit) == words


def test_the_overview_counts_them_apart(hand_made: ModuleType) -> None:
    (sentence,) = [
        text for text in map(plain, Overview(hand_made.make_result()).summary()) if "distinguishable" in text
    ]
    assert sentence.startswith(
        "1 pair of variables is interchangeable. 1 further pair is not distinguishable"
    )
    empty = " ".join(map(plain, Overview(hand_made.empty_result()).summary()))
    assert "interchangeable" not in empty
    assert "distinguishable" not in empty


def test_a_pair_that_is_interchangeable_for_two_labels_is_one_pair(hand_made: ModuleType) -> None:
    result = hand_made.make_result()
    (record,) = result.equivalence_records
    turned = replace(
        record,
        target="another label",
        in_boundary=record.equivalent,
        equivalent=record.in_boundary,
        target_in_boundary=record.target_equivalent,
        target_equivalent=record.target_in_boundary,
    )
    told_twice = replace(result, equivalence_records=(record, turned))
    (sentence,) = [text for text in map(plain, Overview(told_twice).summary()) if "distinguishable" in text]
    assert sentence.startswith("1 pair of variables is interchangeable. 1 further pair")


def test_the_table_has_both_with_their_verdicts(hand_made: ModuleType, tmp_path: Path) -> None:
    path = export_file(hand_made.make_result(), tmp_path / "equivalences.csv", "equivalences")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["interchangeable", "not told apart"]
    assert float(rows[0]["missed_by_boundary_limit"]) == 0.0425


def test_the_report_has_a_part_for_each(hand_made: ModuleType, tmp_path: Path) -> None:
    text = export_file(hand_made.make_result(), tmp_path / "report.html", "report").read_text("utf-8")
    assert "<h2>Interchangeable variables</h2>" in text
    assert "<h2>Not distinguishable with these data</h2>" in text
    text = export_file(hand_made.empty_result(), tmp_path / "empty.html", "report").read_text("utf-8")
    assert "<h2>Interchangeable variables</h2>" not in text
    assert "<h2>Not distinguishable with these data</h2>" not in text


def test_the_graph_names_the_relations_apart(hand_made: ModuleType) -> None:
    graph = graph_of(ResultContext(hand_made.make_result()))
    relations = [attributes["all_relations"] for _, _, attributes in graph.edges(data=True)]
    assert any("interchangeable" in relation for relation in relations)
    assert any("not told apart" in relation for relation in relations)


def test_stability_is_shown_beside(repeated: DiscoveryResult) -> None:
    for table in (repeated.equivalences, repeated.undistinguished):
        assert "found_again" in table
        about_label = table["target"].isin(repeated.dataset.labels)
        assert table.loc[about_label, "found_again"].between(0.0, 1.0).all()
        assert table.loc[~about_label, "found_again"].isna().all()
