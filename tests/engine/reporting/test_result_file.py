"""``result.json`` holds everything, comes back equal, and is the same run after run."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import pytest

import engine
from engine.discovery.evidence import Equivalence, Evidence, TestRecord, Verdict
from engine.discovery.result import DiscoveryResult
from engine.errors import UnreadableFile
from engine.preparation.preparation_settings import PreparationSettings
from engine.reporting.export_formats import export_file
from engine.reporting.result_file import SCHEMA_VERSION, read_result, result_object
from engine.reporting.tables import ResultContext


def assert_equal(first: DiscoveryResult, second: DiscoveryResult) -> None:
    for field in fields(DiscoveryResult):
        if field.name != "dataset":
            assert getattr(first, field.name) == getattr(second, field.name), field.name
    assert list(first.evidence) == list(second.evidence)
    assert list(first.boundaries) == list(second.boundaries)
    assert first.common.equals(second.common)
    assert first.label_specific.equals(second.label_specific)


@pytest.fixture(params=["hand made", "partial", "stopped", "empty", "found", "repeated"])
def result(
    request: pytest.FixtureRequest,
    hand_made: ModuleType,
    discovered: DiscoveryResult,
    repeated: DiscoveryResult,
) -> DiscoveryResult:
    results: dict[str, DiscoveryResult] = {
        "hand made": hand_made.make_result(),
        "partial": hand_made.make_result(unfinished=True),
        "stopped": replace(hand_made.make_result(), orientation_records={}, directions_finished=False),
        "empty": hand_made.empty_result(),
        "found": discovered,
        "repeated": repeated,
    }
    return results[request.param]


def test_it_comes_back_equal(result: DiscoveryResult, tmp_path: Path) -> None:
    path = export_file(result, tmp_path / "result.json", "result")
    assert_equal(read_result(path, result.dataset), result)


def test_what_came_back_is_written_the_same(result: DiscoveryResult, tmp_path: Path) -> None:
    first = export_file(result, tmp_path / "first.json", "result")
    second = export_file(read_result(first, result.dataset), tmp_path / "second.json", "result")
    assert first.read_bytes() == second.read_bytes()


def test_nothing_that_evidence_knows_is_left_out(hand_made: ModuleType) -> None:
    value = result_object(ResultContext(hand_made.make_result(), PreparationSettings(bins=4)))
    assert {field.name for field in fields(Evidence)} <= set(value["evidence"][0])
    # The file has the others as one text, "y", and the share of what was drawn where something was.
    assert {field.name for field in fields(TestRecord)} - {"others", "between_share"} | {"y"} <= set(
        value["evidence"][0]["tests"][0]
    )
    assert {field.name for field in fields(Equivalence)} <= set(value["equivalences"][0])
    assert value["settings"]["preparation"] == PreparationSettings(bins=4).as_dict()
    assert set(value["settings"]["discovery"]) | {"workers", "cluster"} == set(
        engine.DiscoverySettings().as_dict()
    )
    assert value["schema_version"] == SCHEMA_VERSION


def test_it_names_the_data_and_what_was_done_to_them(hand_made: ModuleType) -> None:
    result = hand_made.make_result(unfinished=True)
    value = result_object(ResultContext(result))
    assert value["data"]["content_hash"] == result.dataset.content_hash
    assert value["data"]["rows"] == hand_made.ROWS
    assert value["data"]["labels"] == list(hand_made.LABELS)
    assert [note["topic"] for note in value["data"]["notes"]] == ["constant", "guess"]
    assert value["summary"]["partial"] is True
    assert value["summary"]["unfinished_labels"] == [hand_made.SAD]
    assert value["boundaries"][1]["spouses"] == [
        {"spouse": hand_made.FORMULA, "children": [hand_made.TAB, hand_made.CHILD]}
    ]
    assert value["settings"]["preparation"] is None


def test_only_the_run_differs_between_two_runs() -> None:
    values = []
    for workers in (1, 2):
        network = engine.simulate(labels=4, features=40, rows=800, seed=5)
        actual = engine.discover(network.dataset, engine.DiscoverySettings(workers=workers))
        values.append(result_object(ResultContext(actual)))
    first, second = values
    assert first.pop("run") != second.pop("run")
    assert first == second


def test_a_file_of_an_earlier_program_has_no_repetitions(discovered: DiscoveryResult, tmp_path: Path) -> None:
    path = export_file(discovered, tmp_path / "result.json", "result")
    earlier = json.loads(path.read_text("utf-8"))
    assert earlier.pop("stability") is None
    del earlier["run"]["stability_seconds"]
    path.write_text(json.dumps(earlier))
    assert_equal(read_result(path, discovered.dataset), discovered)


def test_a_file_of_version_1_calls_nothing_shown(hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    path = export_file(result, tmp_path / "result.json", "result")
    earlier = json.loads(path.read_text("utf-8"))
    earlier["schema_version"] = 1
    del earlier["undistinguished"], earlier["settings"]["discovery"]["equivalence_margin"]
    for equivalence in earlier["equivalences"]:
        del equivalence["verdict"], equivalence["missed_by_boundary"], equivalence["missed_by_equivalent"]
    path.write_text(json.dumps(earlier))
    read = read_result(path, result.dataset)
    assert [equivalence.verdict for equivalence in read.equivalence_records] == [Verdict.NOT_TOLD_APART]
    assert read.equivalence_records[0].missed_by_boundary is None
    assert read.undistinguished_records == ()
    assert read.equivalences["missed_by_boundary_limit"].isna().all()
    assert read.evidence == result.evidence


def test_repetitions_say_what_is_in_the_result(repeated: DiscoveryResult) -> None:
    record = result_object(ResultContext(repeated))["stability"]
    inside = {(pair["feature"], pair["label"]) for pair in record["pairs"] if pair["in_result"]}
    named = {(reasons[0].feature, reasons[0].label) for reasons in repeated.evidence.values()}
    assert inside <= named
    assert {pair["found"] for pair in record["pairs"]} <= set(range(1, 7))


@pytest.mark.parametrize(("key", "value"), [("finished", 0), ("pairs", [{}]), ("settings", {"share": 7})])
def test_damaged_repetitions_are_refused(
    key: str, value: object, repeated: DiscoveryResult, tmp_path: Path
) -> None:
    path = export_file(repeated, tmp_path / "result.json", "result")
    changed = json.loads(path.read_text("utf-8"))
    changed["stability"][key] = value
    path.write_text(json.dumps(changed))
    with pytest.raises(UnreadableFile, match="damaged"):
        read_result(path, repeated.dataset)


def test_numbers_that_json_does_not_know(hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    key, (reason, *_) = next(iter(result.evidence.items()))
    odd = replace(reason.tests[0], statistic=math.inf, log_p=-math.inf, p_value=0.0)
    changed = replace(result, evidence={**result.evidence, key: (replace(reason, tests=(odd,)),)})
    path = export_file(changed, tmp_path / "result.json", "result")

    def refuse(text: str) -> float:
        raise AssertionError(f"{text} is not JSON")

    json.loads(path.read_text("utf-8"), parse_constant=refuse)
    assert_equal(read_result(path, result.dataset), changed)


def test_every_record_stands_on_its_own_line(discovered: DiscoveryResult, tmp_path: Path) -> None:
    lines = export_file(discovered, tmp_path / "result.json", "result").read_text("utf-8").splitlines()
    records = [line.rstrip(",") for line in lines if line.startswith(" {")]
    assert sum("rule" in json.loads(line) for line in records) >= len(discovered.evidence)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a whole JSON file"),
        ('{"format": "clcd-res', "not a whole JSON file"),
        ("[1, 2]", "not a result of CLCD"),
        ('{"format": "clcd-truth"}', "not a result of CLCD"),
        ('{"format": "clcd-result", "schema_version": 99}', "schema version is 99"),
        ('{"format": "clcd-result", "schema_version": 1}', "damaged"),
        ("[" * 100_000, "not a whole JSON file"),
    ],
)
def test_other_files_are_refused(text: str, words: str, hand_made: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)
    with pytest.raises(UnreadableFile, match=words):
        read_result(path, hand_made.make_dataset())


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("run", "seconds", None),
        ("run", "seconds", True),
        ("run", "workers", "many"),
        ("summary", "tests_made", 1.5),
        ("summary", "unfinished_labels", "all"),
        ("settings", "discovery", {"alpha": 7}),
    ],
)
def test_a_damaged_member_is_refused(
    section: str, key: str, value: object, hand_made: ModuleType, tmp_path: Path
) -> None:
    result = hand_made.make_result()
    path = export_file(result, tmp_path / "result.json", "result")
    changed = json.loads(path.read_text("utf-8"))
    changed[section][key] = value
    path.write_text(json.dumps(changed))
    with pytest.raises(UnreadableFile, match="damaged"):
        read_result(path, result.dataset)


def test_a_result_of_another_table_is_refused(hand_made: ModuleType, tmp_path: Path) -> None:
    result = hand_made.make_result()
    path = export_file(result, tmp_path / "result.json", "result")
    with pytest.raises(UnreadableFile, match="another table"):
        read_result(path, result.dataset.select_rows([0, 1, 2]))
