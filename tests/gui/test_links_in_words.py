"""Links through other labels in words: overview, "Why?" and report say which labels explain them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas
from PySide6.QtWidgets import QApplication

import engine
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.answers import EvidenceText
from clcd_gui.evidence.explanation import Explainer
from clcd_gui.results.results_page import overview_html
from clcd_gui.wording.text import statistic_text
from engine.discovery.evidence import DecidedBy
from engine.discovery.result import DiscoveryResult
from engine.reporting.report import make_report
from engine.reporting.report.report_files import report_html
from engine.reporting.run_comparison import circumstance_phrases
from engine.reporting.sentences.links import through_sentences
from engine.reporting.sentences.method import caveats, methods_text
from engine.reporting.sentences.overview import summary_sentences
from engine.reporting.sentences.stability import pair_again_sentence
from engine.reporting.tables import ResultContext
from engine.wording.phrases import plain
from tests.rendered import text_of


def _report_text(result: DiscoveryResult) -> str:
    return text_of(report_html(make_report(ResultContext(result))))


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
    assert any(sentence.startswith("Links through other labels are counted.") for sentence in further)
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
    assert "not significant" in page
    alone = text_of(text.write(SelectedPair("dose")))
    assert "dose is linked to death through relapse" in alone
    direct = text_of(text.write(SelectedPair("dose", "relapse")))
    assert "through death" not in direct
    measured = result.with_effects(engine.effects(result.dataset, result))
    bold = "death = 1: more likely with dose = 1 (unclear when adjusted)"
    assert bold in text_of(EvidenceText(measured).write(SelectedPair("dose", "death")))
    assert bold in _report_text(measured)
    # No symbol stands without its word.
    assert "(rule θ1)" in direct and "degrees of freedom; p: p-value" in direct
    assert statistic_text(result.test.statistic) in direct


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


def test_without_them_every_view_speaks_of_direct_links(qapp: QApplication) -> None:
    on = _relapse_and_death()
    off = on.with_links_through_labels(False)
    assert "1 is linked directly to one label only." in summary_sentences(off)
    assert not any("linked directly to one" in sentence for sentence in summary_sentences(on))
    not_counted = "links through other labels are not counted"
    for result, are_left_out in ((on, False), (off, True)):
        text = EvidenceText(result)
        label = text_of(text.write(SelectedPair(None, "death"))).lower()
        assert (not_counted in label) is are_left_out
        assert ("linked directly to one label only" in _report_text(result)) is are_left_out


def test_a_variable_linked_through_labels_alone_is_not_said_to_count_for_none(
    qapp: QApplication, shared_data: Path
) -> None:
    labels = ["pacu30min_throatPain", "pacu30min_swallowPain"]
    table = pandas.read_csv(shared_data / "trials" / "licorice_gargle.csv")
    result = engine.discover(engine.Dataset.from_frame(table[["treat", "preOp_age", *labels]], labels=labels))
    assert result.label_sets == {}
    assert result.total_label_sets == {"treat": set(labels)}
    counted = text_of(EvidenceText(result).write(SelectedPair("treat")))
    assert counted.count("given either of the two") == 1
    off = result.with_links_through_labels(False)
    page = text_of(EvidenceText(off).write(SelectedPair("treat")))
    assert "is linked to none of the labels" not in page
    assert "linked directly to none of the labels" in page
    assert "Links through other labels are not counted" in page
    assert summary_sentences(off)[0].startswith("None of 2 variables is linked directly to any label")


def test_how_often_a_link_came_back_does_not_hang_on_whether_it_is_counted() -> None:
    result = _relapse_and_death()
    result = result.with_stability(engine.stability(result.dataset, result.settings, resamples=4))
    said = pair_again_sentence(result, "dose", "death")
    assert "a link through other labels" in said or "Found again in 4 of 4" in said
    assert pair_again_sentence(result.with_links_through_labels(False), "dose", "death") == said


def test_why_shows_the_test_whose_strength_the_tables_show(qapp: QApplication) -> None:
    generator = np.random.default_rng(5)
    dose, age = generator.integers(0, 2, (2, 3000))
    relapse = (generator.random(3000) < 0.1 + 0.3 * dose + 0.4 * age).astype(int)
    death = (generator.random(3000) < 0.1 + 0.7 * relapse).astype(int)
    frame = pandas.DataFrame({"dose": dose, "age": age, "relapse": relapse, "death": death})
    result = engine.discover(engine.Dataset.from_frame(frame, labels=["relapse", "death"]))
    (reason,) = result.links_through_labels["dose", "death"].reasons
    told = Explainer(result).through_labels("dose", "death")
    assert told is not None
    assert reason.deciding is not None
    assert f"{reason.strength:.2f}" in {row.strength for row in told.tests}


def test_why_does_not_judge_the_whole_of_a_link_that_is_stated_for_its_steps(qapp: QApplication) -> None:
    result = _relapse_and_death()
    (link,) = result.links_through_labels.values()
    deciding = link.reasons[0].deciding
    assert deciding is not None
    weak = replace(deciding, p_value=0.03, log_p=math.log(0.03), statistic=4.7, dof=1.0)
    by_steps = replace(link.reasons[0], tests=(weak,), decided_by=DecidedBy.STEPS)
    links = {link.pair: replace(link, reasons=(by_steps,))}
    told = Explainer(replace(result, links_through_labels=links)).through_labels(*link.pair)
    assert told is not None
    assert [row.verdict for row in told.tests if row.statistic == "4.70"] == ["significant at 0.05"]
    assert plain(told.sentences[0]).endswith("it is stated because each of its steps was found.")


def test_a_label_that_a_variable_is_not_linked_to_is_not_said_to_carry_its_link() -> None:
    result = _relapse_and_death()
    link = result.links_through_labels["dose", "death"]
    assert result.total_findings.runs_through(link)
    evidence = {
        pair: records
        for pair, records in result.total_findings.evidence.items()
        if pair != ("dose", "relapse")
    }
    assert not replace(result.total_findings, evidence=evidence).runs_through(link)


def test_labels_that_explain_each_other_are_not_said_to_carry_a_link_whatever_else_explains_it() -> None:
    """Two labels of one unmeasured cause nearly separate a cause of it from each other, given age."""
    result = _relapse_and_death()
    (link,) = result.links_through_labels.values()
    assert link.separated is not None
    given_death = replace(link.separated, given=("age", "death"))
    reasons = tuple(replace(reason, label="relapse") for reason in link.reasons)
    mirrored = replace(link, reasons=reasons, separated=given_death, through=("death",))
    links = {
        mirrored.pair: mirrored,
        link.pair: replace(link, separated=replace(given_death, given=("age", "relapse"))),
    }
    direct = {pair: records for pair, records in result.evidence.items() if pair != mirrored.pair}
    circle = replace(result, evidence=direct, links_through_labels=links)
    (sentence,) = through_sentences(circle)
    assert "through" not in sentence
    assert sentence.startswith("dose is linked to relapse and to death. Given age and death, no further link")
    assert "Given age and relapse, none with death is (p" in sentence
    assert not any(circle.links["through"])


def test_methods_and_limits_of_a_report_say_whether_they_count() -> None:
    on = _relapse_and_death()
    off = on.with_links_through_labels(False)
    told = "Such links are counted among the findings."
    assert told in " ".join(methods_text(ResultContext(on)))
    assert "Such links are not counted among the findings." in " ".join(methods_text(ResultContext(off)))
    title = "Links through other labels are counted."
    assert title in dict(caveats(on))
    assert title not in dict(caveats(off))
    assert "Through other labels" in _report_text(on)
    exception = "where each step of such a link was found, its whole was tested at 0.05"
    assert exception in dict(caveats(on))["Chance."]
    level = engine.DiscoverySettings(alpha=0.05)
    for changed in (replace(on, links_through_labels={}), replace(on, settings=level)):
        assert exception not in dict(caveats(changed))["Chance."]


def test_a_comparison_says_that_links_through_other_labels_are_left_out() -> None:
    on = _relapse_and_death()
    off = on.with_links_through_labels(False)

    def told(first: DiscoveryResult, second: DiscoveryResult) -> list[str]:
        said = map(plain, circumstance_phrases(engine.compare_runs(first, second, ("one", "another"))))
        return [sentence for sentence in said if "through other labels" in sentence]

    assert told(on, on) == []
    left_out = "and are not compared."
    assert told(on, off) == [f"Links through other labels are counted in “one” only, {left_out}"]
    assert told(off, off) == [f"Links through other labels are not counted, {left_out}"]
