"""Links through other labels in words: overview, "Why?" and report say which labels explain them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas
from PySide6.QtWidgets import QApplication

import engine
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.answers import EvidenceText
from clcd_gui.results.overview import overview_html
from engine.discovery.result import DiscoveryResult
from engine.reporting.sentences.links import through_sentences
from engine.reporting.sentences.overview import summary_sentences
from tests.rendered import text_of


@cache
def _relapse_and_death(first: str = "relapse", second: str = "death") -> DiscoveryResult:
    """Search outcomes of which the first is a cause of the second; dose is a cause of the first alone."""
    generator = np.random.default_rng(11)
    dose, age = generator.integers(0, 2, (2, 2000))
    one = (generator.random(2000) < 0.2 + 0.4 * dose).astype(int)
    two = (generator.random(2000) < 0.1 + 0.5 * one + 0.2 * age).astype(int)
    frame = pandas.DataFrame({"dose": dose, "age": age, first: one, second: two})
    return engine.discover(engine.Dataset.from_frame(frame, labels=[first, second]))


def test_the_overview_leads_with_links_of_both_kinds(qapp: QApplication) -> None:
    result = _relapse_and_death()
    lead, *further = summary_sentences(result)
    assert "dose" in lead
    assert "linked to two or more labels" in lead
    assert any(each.startswith("Links through other labels are counted.") for each in further)
    through = "dose is linked to death through relapse: given relapse, no further link is significant"
    assert through in text_of(overview_html(result))
    off = result.with_links_through_labels(False)
    lead, *further = summary_sentences(off)
    assert "dose" not in lead
    assert "Links through other labels are not counted." in further
    assert through not in text_of(overview_html(off))


def test_why_names_the_labels_that_explain_a_link_with_the_test(qapp: QApplication) -> None:
    result = _relapse_and_death()
    text = EvidenceText(result)
    page = text_of(text.write(SelectedPair("dose", "death")))
    assert "dose is linked to death through relapse" in page
    assert "does not count for" not in page
    assert "independent" in page
    alone = text_of(text.write(SelectedPair("dose")))
    assert "dose is linked to death through relapse" in alone
    direct = text_of(text.write(SelectedPair("dose", "relapse")))
    assert "through death" not in direct


def test_a_label_that_is_no_cause_is_not_said_to_carry_a_link() -> None:
    """Death comes after relapse: given death, dose tells nothing of relapse, but does not act through it."""
    generator = np.random.default_rng(12)
    dose = generator.integers(0, 2, 3000)
    death = (generator.random(3000) < 0.2 + 0.4 * dose).astype(int)
    relapse = (generator.random(3000) < 0.1 + 0.6 * death).astype(int)
    frame = pandas.DataFrame({"dose": dose, "relapse": relapse, "death": death})
    dataset = engine.Dataset.from_frame(frame, labels=["relapse", "death"])
    unknown = through_sentences(engine.discover(dataset))
    assert len(unknown) == 1
    assert unknown[0].startswith("dose is linked to relapse through death")
    later = engine.Knowledge(tiers=[["dose"], ["relapse"], ["death"]])
    told = through_sentences(engine.discover(dataset, knowledge=later))
    assert len(told) == 1
    assert "through death" not in told[0]
    assert told[0].startswith("dose is linked to relapse: given death, no further link is significant")
