"""Nothing is said of what a single item of a questionnaire causes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.finding_words import flags_text
from engine.discovery.flags import FlagKind
from engine.discovery.orientation.direction import Direction, Grade
from engine.reporting.result_file import read_result, write_result
from engine.reporting.sentences.overview import summary_sentences
from engine.reporting.tables import ResultContext
from tests.benchmarks.blocks import stated_of_items


@pytest.fixture(scope="module")
def dataset() -> engine.Dataset:
    drawn = np.random.default_rng(0)
    mood, age = drawn.normal(size=2000), drawn.normal(size=2000)
    columns = {f"item {place}": np.round(2 * (mood + drawn.normal(size=2000))) for place in range(5)}
    ill = mood + age + drawn.normal(size=2000) > 0.5
    frame = pandas.DataFrame({**columns, "age": age, "ill": np.where(ill, "yes", "no")})
    return engine.Dataset.from_frame(frame, labels=["ill"])


@pytest.fixture(scope="module")
def result(dataset: engine.Dataset) -> engine.DiscoveryResult:
    return engine.discover(dataset)


def test_no_effect_and_no_direction_of_an_item_is_told(result: engine.DiscoveryResult) -> None:
    (block,) = result.blocks
    items = [feature for feature, _ in result.evidence if feature in block.members]
    assert len(items) >= 2
    for item in items:
        assert result.grade(item, "ill") is Grade.UNDECIDED
        assert result.direction(item, "ill") is Direction.UNDECIDED
    kinds = engine.effects(result.dataset, result).table().groupby("feature")["kind"].unique()
    for item in items:
        assert list(kinds[item]) == ["association", "adjusted association"]


def test_a_flag_says_why_and_does_not_question_the_link(result: engine.DiscoveryResult) -> None:
    item = next(feature for feature, _ in result.evidence if feature.startswith("item"))
    (flag,) = result.flags(item, "ill")
    assert flag.kind is FlagKind.ITEM
    assert flag.sentence.startswith(f"“{item}” is one of 5 columns that reflect one thing: “item 0”, ")
    assert result.findings.by_feature[item].sound_labels == ("ill",)
    assert result.findings.by_feature[item].doubtful_labels == ("ill",)
    assert result.flags("age", "ill") == ()
    # In a narrow column; the sentence is its tooltip.
    assert flags_text(result.findings.by_feature[item]) == "item"
    assert flags_text(result.findings.by_feature["age"]) == ""
    assert any("items that reflect one thing" in sentence for sentence in summary_sentences(result))


def test_what_a_person_says_of_an_item_stands(dataset: engine.Dataset) -> None:
    knowledge = engine.Knowledge(required=[("item 1", "ill")])
    with_knowledge = engine.discover(dataset, knowledge=knowledge)
    if ("item 1", "ill") in with_knowledge.evidence:
        assert with_knowledge.direction("item 1", "ill") is Direction.CAUSE
    earlier = engine.Knowledge(tiers=[[f"item {place}" for place in range(5)], ["ill"]])
    told = engine.discover(dataset, knowledge=earlier)
    items = [pair for pair in told.evidence if pair[0].startswith("item")]
    assert {told.grade(*pair) for pair in items} == {Grade.NOT_EFFECT}
    assert {told.direction(*pair) for pair in items} == {Direction.UNDECIDED}


def test_blocks_are_kept_in_files(result: engine.DiscoveryResult, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_result(ResultContext(result), path)
    assert read_result(path, result.dataset).blocks == result.blocks


def test_nothing_is_stated_of_items_in_simulated_questionnaires() -> None:
    stated = stated_of_items(500, range(3000, 3006))
    assert stated.items_found >= 10
    assert stated.items_flagged == stated.items_found
    assert (stated.grades, stated.directions, stated.effects) == (0, 0, 0)
