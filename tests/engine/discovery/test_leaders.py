"""Which of several interchangeable features leads: on evidence made by hand, and on tables with doubles."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import engine
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.leaders import interchangeable_for, leaders
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidParameter
from engine.reporting.export_formats import export
from engine.reporting.result_file import read_result
from engine.reporting.sentences.overview import summary_sentences


def member(feature: str, label: str) -> Evidence:
    return Evidence(feature, label, Rule.NEIGHBOUR)


def stand_in(feature: str, label: str, *partner: str, together_with: tuple[str, ...] = ()) -> Evidence:
    return Evidence(feature, label, Rule.NEIGHBOUR_EQUIVALENT, partner, together_with)


def led(*reasons: Evidence, preferred: tuple[str, ...] = ()) -> dict[str, str]:
    evidence = {reason.pair: (reason,) for reason in reasons}
    labels: dict[str, tuple[str, ...]] = {}
    for reason in reasons:
        labels[reason.feature] = (*labels.get(reason.feature, ()), reason.label)
    return leaders(labels, evidence, interchangeable_for(evidence), preferred)


def test_a_member_leads_what_stands_in_for_it_until_that_is_preferred() -> None:
    reasons = [stand_in("A", "T", "B"), member("B", "T"), stand_in("C", "T", "B")]
    assert led(*reasons) == {"A": "B", "C": "B"}
    assert led(*reasons, preferred=("C",)) == {"A": "C", "B": "C"}
    assert led(*reasons, preferred=("C", "A")) == {"A": "C", "B": "C"}


def test_more_labels_lead_and_what_has_a_label_of_its_own_is_not_led() -> None:
    """A tells of T what B tells, and only A tells of U: A leads, wherever it is the stand-in."""
    both = [member("B", "T"), stand_in("A", "T", "B"), member("A", "U")]
    assert led(*both) == {"B": "A"}
    # A person who prefers B gets B, and A for the other label.
    assert led(*both, preferred=("B",)) == {}
    assert led(*both, member("B", "V")) == {}


def test_sets_that_stand_in_together_neither_lead_nor_are_led() -> None:
    joint = [member("B", "T"), stand_in("A", "T", "B", together_with=("C",))]
    assert led(*joint, stand_in("C", "T", "B", together_with=("A",))) == {}
    assert led(member("B", "T"), member("C", "T"), stand_in("A", "T", "B", "C")) == {}
    # What stands in for a label has nothing in the table under which it could be shown.
    assert led(stand_in("A", "T", "U")) == {}


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    network = engine.simulate(labels=8, features=60, rows=3000, multiple_boundaries=0.7, seed=3)
    return engine.discover(network.dataset)


def test_who_leads_is_led_by_none_whatever_is_preferred(result: DiscoveryResult) -> None:
    alike = [name for name in result.dataset.features if result.findings.alternatives(name)]
    assert len(alike) > 10
    for preferred in ((), *itertools.permutations(alike[:4], 2), tuple(alike), tuple(reversed(alike))):
        findings = result.with_preferred(preferred).findings
        assert set(findings.by_feature) == set(result.findings.by_feature)
        for finding in findings.all:
            assert sorted(finding.leads) == sorted(
                follower.feature for follower in findings.all if follower.led_by == finding.feature
            )
            if finding.led_by is not None:
                leader = findings.by_feature[finding.led_by]
                assert leader.led_by is None and set(finding.labels) <= set(leader.labels)
                assert finding.feature in findings.alternatives(leader.feature)
        if preferred:
            assert findings.by_feature[preferred[0]].led_by is None


def test_led_features_stand_directly_after_their_leader(result: DiscoveryResult) -> None:
    for table in (result.findings.common, result.findings.label_specific):
        names = [finding.feature for finding in table]
        for position, finding in enumerate(table):
            if finding.led_by in names:
                before = table[position - 1]
                assert finding.led_by == before.feature or finding.led_by == before.led_by


def test_a_preferred_feature_is_selected_instead_and_the_selection_gets_no_longer(
    result: DiscoveryResult,
) -> None:
    plain = engine.selection_of(result)
    swapped = 0
    for feature in (finding.feature for finding in result.findings.all if finding.led_by is not None):
        wanted = engine.selection_of(result.with_preferred([feature]))
        assert len(wanted.features) == len(plain.features)
        served = {label for feature in plain.features for label in plain.labels_of(feature)}
        assert {label for feature in wanted.features for label in wanted.labels_of(feature)} == served
        swapped += feature in wanted.features and feature not in plain.features
    assert swapped >= 8


def test_what_is_preferred_is_written_and_read_again(result: DiscoveryResult, tmp_path: Path) -> None:
    feature = next(finding.feature for finding in result.findings.all if finding.led_by is not None)
    chosen = result.with_preferred([feature])
    assert result.with_preferred(feature).preferred == chosen.preferred, "one name is no list of letters"
    assert any(feature in sentence for sentence in summary_sentences(chosen))
    export(chosen, tmp_path)
    again = read_result(tmp_path / "result.json", result.dataset)
    assert again.preferred == (feature,)
    assert again.common.equals(chosen.common) and "led_by" in again.label_specific.columns
    assert again.with_preferred(()).common.equals(result.common)


def test_a_label_and_an_unknown_name_cannot_be_preferred(result: DiscoveryResult) -> None:
    for wrong in (result.dataset.labels[0], "nobody"):
        with pytest.raises(InvalidParameter, match=wrong):
            result.with_preferred([wrong])


def test_what_rows_do_not_tell_apart_is_selected_only_when_preferred_and_says_so() -> None:
    network = engine.simulate(labels=6, features=40, rows=400, multiple_boundaries=0.8, seed=5)
    result = engine.discover(network.dataset)
    plain = engine.selection_of(result)
    singles = [
        (equivalence.in_boundary[0], equivalence.equivalent[0])
        for equivalence in result.undistinguished_records
        if len(equivalence.in_boundary) == len(equivalence.equivalent) == 1
        and equivalence.in_boundary[0] in plain.features
        and equivalence.equivalent[0] not in result.findings.by_feature
    ]
    assert singles
    for inside, outside in singles:
        wanted = engine.selection_of(result.with_preferred([outside]))
        reasons = [reason for reason in wanted.reasons.get(outside, ()) if reason.is_assumed]
        assert all(reason.stands_for == (inside,) for reason in reasons)
        assert outside in result.findings.not_told_apart_one_for_one(inside)
        if reasons:
            assert "do not distinguish it" in reasons[0].text
            break
    else:
        pytest.fail("none of them was selected")
