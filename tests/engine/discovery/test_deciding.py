"""The deciding test: one question has one p-value, and its conditioning set stands beside it everywhere."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import engine
from engine.discovery.evidence import DecidedBy, Evidence, Rule
from engine.discovery.result import DiscoveryResult
from engine.independence.record import TestRecord
from engine.reporting.export_formats import export_file
from engine.reporting.result_file import read_result
from engine.reporting.tables import split_names

ALPHAS = (0.001, 0.01, 0.05, 0.1)


def record(given: tuple[str, ...], log_p: float, effect: float) -> TestRecord:
    return TestRecord("ill", ("dose",), given, 10.0, 1.0, 2.718**log_p, log_p, effect, 400)


ALONE, GIVEN_AGE, GIVEN_SEX = (
    record((), -23.0, 0.34),
    record(("age",), -7.0, 0.2),
    record(("sex",), -9.0, 0.3),
)


def test_the_weakest_set_decides_for_a_neighbour() -> None:
    reason = Evidence("dose", "ill", Rule.NEIGHBOUR, tests=(ALONE, GIVEN_AGE))
    assert (reason.deciding, reason.strength) == (GIVEN_AGE, 0.2)
    weak_alone = record((), -5.0, 0.1)
    assert Evidence("dose", "ill", Rule.NEIGHBOUR, tests=(weak_alone, GIVEN_AGE)).deciding is weak_alone


def test_the_strongest_child_decides_for_a_spouse() -> None:
    reason = Evidence("dose", "ill", Rule.SPOUSE, children=("age", "sex"), tests=(GIVEN_AGE, GIVEN_SEX))
    assert reason.deciding is GIVEN_SEX


def test_the_marginal_test_decides_for_an_equivalent() -> None:
    tests = (ALONE, GIVEN_SEX, GIVEN_AGE)
    assert Evidence("dose", "ill", Rule.NEIGHBOUR_EQUIVALENT, ("age",), tests=tests).deciding is ALONE


@pytest.mark.parametrize("by", [DecidedBy.REGRESSION, DecidedBy.SCORE])
def test_the_comparison_decides_where_tests_did_not(by: DecidedBy) -> None:
    hidden_by_others = record((), -0.1, 0.01)
    reason = Evidence("dose", "ill", Rule.NEIGHBOUR, tests=(hidden_by_others, GIVEN_AGE), decided_by=by)
    assert reason.deciding is GIVEN_AGE


@pytest.mark.parametrize("seed", range(4))
def test_a_spouse_that_the_score_added_is_weighed_as_a_parent_of_the_child(seed: int) -> None:
    """Tested with the label given the child, such a spouse may have any p-value: nobody asked that."""
    table = engine.simulate(labels=3, features=12, rows=150, seed=seed).dataset
    result = engine.discover(table, engine.DiscoverySettings(alpha=0.05, workers=1), directions=False)
    by_score = [
        reason
        for reasons in result.evidence.values()
        for reason in reasons
        if reason.rule is Rule.SPOUSE and reason.decided_by is DecidedBy.SCORE
    ]
    assert by_score
    for reason in by_score:
        assert reason.deciding is not None and reason.deciding.p_value < 0.05
        assert reason.deciding.x in reason.children and reason.label in reason.deciding.given


def test_without_tests_nothing_decides() -> None:
    reason = Evidence("dose", "ill", Rule.NEIGHBOUR)
    assert reason.deciding is None and reason.strength == 0.0


def reasons_of(result: DiscoveryResult) -> list[Evidence]:
    reasons_listed = [reason for reasons in result.evidence.values() for reason in reasons]
    return [*reasons_listed, *result.label_evidence.values()]


@pytest.fixture(scope="module", params=["categories", "mixed"])
def at_levels(request: pytest.FixtureRequest) -> list[DiscoveryResult]:
    table = engine.simulate(labels=3, features=12, rows=500, seed=4, variables=request.param).dataset
    return [engine.discover(table, engine.DiscoverySettings(alpha=alpha, workers=1)) for alpha in ALPHAS]


def test_a_question_has_one_p_value_at_every_level(at_levels: list[DiscoveryResult]) -> None:
    """Comparisons by a regression condition on its members, by its own test: they are no such question."""
    answers: dict[tuple[object, ...], float] = {}
    asked_again = 0
    for result in at_levels:
        for reason in reasons_of(result):
            by_regression = reason.decided_by is DecidedBy.REGRESSION
            for test in (*reason.tests, reason.marginal):
                assert test is not None
                question = test.x, test.others, test.given, by_regression and test is reason.deciding
                asked_again += question in answers
                assert test.log_p == pytest.approx(answers.setdefault(question, test.log_p), rel=1e-12)
    assert asked_again > 50


def test_the_marginal_test_is_kept_of_every_finding(at_levels: list[DiscoveryResult]) -> None:
    for reason in reasons_of(at_levels[-1]):
        marginal = reason.marginal
        assert marginal is not None
        assert (marginal.x, marginal.others, marginal.given) == (reason.label, (reason.feature,), ())


def test_tables_hold_the_deciding_and_the_marginal_test(
    at_levels: list[DiscoveryResult], tmp_path: Path
) -> None:
    result = at_levels[-1]
    path = export_file(result, tmp_path / "evidence.csv", "evidence")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    reasons = [reason for reasons in result.evidence.values() for reason in reasons]
    assert len(rows) == len(reasons) > 5
    for row, reason in zip(rows, reasons, strict=True):
        deciding, marginal = reason.deciding, reason.marginal
        assert deciding is not None and marginal is not None
        assert float(row["log_p"]) == deciding.log_p
        assert float(row["strength"]) == deciding.effect
        assert split_names(row["given"]) == deciding.given
        assert float(row["marginal_log_p"]) == marginal.log_p
        assert float(row["marginal_strength"]) == marginal.effect
    assert any(row["given"] for row in rows)


def test_a_file_keeps_what_decided(at_levels: list[DiscoveryResult], tmp_path: Path) -> None:
    for result in at_levels:
        path = export_file(result, tmp_path / f"{result.settings.alpha}.json", "result")
        assert reasons_of(read_result(path)) == reasons_of(result)


def test_earlier_files_have_the_marginal_test_among_their_tests(
    at_levels: list[DiscoveryResult], tmp_path: Path
) -> None:
    path = export_file(at_levels[-1], tmp_path / "result.json", "result")
    saved = json.loads(path.read_text(encoding="utf-8"))
    for reason in (*saved["evidence"], *saved["label_relations"]):
        del reason["marginal"], reason["decided_by"]
    path.write_text(json.dumps(saved), encoding="utf-8")
    for reason in reasons_of(read_result(path)):
        if reason.rule is Rule.NEIGHBOUR:
            assert reason.marginal == reason.tests[0] and reason.decided_by is DecidedBy.TESTS
