"""Sentences on background knowledge say what was given, and when as far as the order of runs is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.orientation.direction import Because, Claim, ClaimKind, Direction, Orientation
from engine.discovery.result import DiscoveryResult
from engine.reporting.report import make_report
from engine.reporting.report.blocks import Paragraph
from engine.reporting.sentences.directions import grade_sentences, why_phrases
from engine.reporting.tables import ResultContext
from engine.wording.phrases import plain

NEVER_SAID = ("before the data", "beforehand", "by themselves", "so it was said")


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    """Age comes before atrial fibrillation, and no more is said."""
    generator = np.random.default_rng(1)
    age = generator.integers(0, 3, 900)
    fibrillation = (generator.random(900) < 0.15 + 0.25 * age).astype(int)
    table = engine.Dataset.from_frame(
        pandas.DataFrame({"AGE": age, "OTHER": generator.integers(0, 2, 900), "AFIB": fibrillation}),
        labels=["AFIB"],
    )
    return engine.discover(table, knowledge=engine.Knowledge(tiers=[["AGE"], ["AFIB"]]))


def said_in(report_part: str, analysis: ResultContext) -> str:
    report = make_report(replace(analysis, report_parts=(report_part,)))
    blocks = [block for section in report.sections for block in section.blocks]
    return " ".join(block.text for block in blocks if isinstance(block, Paragraph))


def test_a_tier_says_only_that_the_later_is_no_cause(result: DiscoveryResult) -> None:
    orientation = result.orientation("AGE", "AFIB")
    assert orientation is not None
    text = " ".join(map(plain, why_phrases(orientation, ["AFIB"])))
    assert "AFIB is not a cause of AGE: background knowledge given with this run" in text
    assert (
        "If no common cause is unmeasured, AGE is a cause of AFIB: the two are linked, and by "
        "background knowledge" in text
    )
    assert not any(phrase in text for phrase in NEVER_SAID)


def test_a_required_cause_is_said_to_be_given() -> None:
    given = Claim(ClaimKind.CAUSE, "a", "t", Because.KNOWLEDGE, uses_knowledge=True)
    orientation = Orientation("a", "t", Direction.CAUSE, Because.KNOWLEDGE, claims=(given,))
    (sentence,) = why_phrases(orientation, ["t"])
    assert plain(sentence).endswith("a is a cause of t: background knowledge given with this run says so.")


def test_no_others_are_counted_where_there_are_none(result: DiscoveryResult) -> None:
    graded, about_knowledge, *_ = grade_sentences(result)
    assert "1 may be a cause and is not an effect" in graded
    assert about_knowledge == "Background knowledge enters in it."


def test_the_report_knows_the_order_of_runs_only_where_a_project_does(result: DiscoveryResult) -> None:
    assert "given with this run." in said_in("known", ResultContext(result))
    assert "after 2 earlier runs without it" in said_in("known", ResultContext(result, earlier_runs=2))
    assert "No earlier run that is kept" in said_in("known", ResultContext(result, earlier_runs=0))
    for earlier in (None, 0, 2):
        text = said_in("known", ResultContext(result, earlier_runs=earlier))
        assert not any(phrase in text for phrase in NEVER_SAID)


def test_tiers_are_explained_only_where_there_are_some(result: DiscoveryResult) -> None:
    without = replace(result, knowledge=engine.Knowledge(required=[("AGE", "AFIB")]))
    assert "later tier" in said_in("known", ResultContext(result))
    assert "later tier" not in said_in("known", ResultContext(without))
