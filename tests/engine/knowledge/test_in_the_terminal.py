"""Knowledge given to the terminal: files that are no good end with a line and status 2, others are heeded."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.reporting.result_file import read_result
from engine.terminal import main
from tests.engine.knowledge.test_knowledge import MALFORMED
from tests.with_each import with_each

LABELS = ["--labels", "cough,tired"]


def _write_table(folder: Path) -> Path:
    """A table in which age and dust make people cough, and coughing makes them tired."""
    generator = np.random.default_rng(3)
    age, dust, other_column = generator.integers(0, 2, (3, 3000))
    cough = (generator.random(3000) < 0.1 + 0.4 * age + 0.4 * dust).astype(int)
    tired = (generator.random(3000) < 0.2 + 0.6 * cough).astype(int)
    path = folder / "visits.csv"
    rows = "\n".join(
        ",".join(map(str, row)) for row in zip(age, dust, other_column, cough, tired, strict=True)
    )
    path.write_text(f"age,dust,other,cough,tired\n{rows}\n", "utf-8")
    return path


@with_each("name", list(MALFORMED))
def test_every_malformed_file_ends_with_a_line_and_status_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    knowledge_path = tmp_path / "known.json"
    knowledge_path.write_bytes(MALFORMED[name][0])
    words = ["discover", str(_write_table(tmp_path)), *LABELS, "--knowledge", str(knowledge_path)]
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("clcd: '") and "known.json" in output.err
    assert len(output.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["discover", str(_write_table(tmp_path)), *LABELS, "--knowledge", str(tmp_path / "none.txt")]
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_what_is_known_is_heeded_and_kept_with_the_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    knowledge_path = tmp_path / "known.txt"
    knowledge_path.write_text("/knowledge\naddtemporal\n0 cough\n1 tired\n2 a* dust\n", "utf-8")
    out = tmp_path / "out"
    words = [
        "discover",
        str(_write_table(tmp_path)),
        *LABELS,
        "--knowledge",
        str(knowledge_path),
        "--out",
        str(out),
    ]
    assert main(words) == 0
    value = json.loads((out / "result.json").read_text("utf-8"))
    assert value["knowledge"]["tiers"] == [["cough"], ["tired"], ["age", "dust"]]
    orientations = {
        (orientation["feature"], orientation["label"]): orientation for orientation in value["orientations"]
    }
    # Age is said to come later, and coughing is no cause of it: so something hidden is in common.
    assert orientations["age", "cough"]["grade"] == "something hidden in common"
    assert orientations["tired", "cough"]["grade"] == "effect, nothing hidden"
    objections = [
        (objection["cause"], objection["effect"], objection["is_possible"])
        for objection in value["objections"]
    ]
    assert objections == [("age", "cough", True), ("dust", "cough", True)]
    output = " ".join(capsys.readouterr().out.split())
    assert "Background knowledge says that age is not a cause of cough" in output
    dataset = engine.prepare(engine.read_dataset(tmp_path / "visits.csv", labels=["cough", "tired"]))
    read = read_result(out / "result.json", dataset)
    assert read.knowledge is not None and read.knowledge.is_later("age", "cough")
    assert [objection.cause for objection in read.objections] == ["age", "dust"]
    assert read.local_edges and read.orientation_records["age", "cough"].claims


def test_columns_that_are_set_aside_may_be_named(tmp_path: Path) -> None:
    table = _write_table(tmp_path)
    lines = table.read_text("utf-8").splitlines()
    constant = [f"{line},{'place' if number == 0 else 'here'}" for number, line in enumerate(lines)]
    table.write_text("\n".join(constant) + "\n", "utf-8")
    knowledge_path = tmp_path / "known.json"
    engine.write_knowledge(engine.Knowledge(tiers=[["age", "place"], ["cough"]]), knowledge_path)
    out = tmp_path / "out"
    words = [
        "discover",
        str(table),
        *LABELS,
        "--knowledge",
        str(knowledge_path),
        "--out",
        str(out),
        "--quiet",
    ]
    assert main(words) == 0
    assert json.loads((out / "result.json").read_text("utf-8"))["knowledge"] is not None


@pytest.mark.parametrize("command", ["discover", "select"])
def test_a_time_order_without_tiers_ends_with_a_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [command, str(_write_table(tmp_path)), *LABELS, "--time-order", "--out", str(tmp_path / "out")]
    assert main(words) == 2
    output = capsys.readouterr()
    assert "no tiers are given" in output.err and len(output.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_time_order_steers_the_search_and_is_named_in_every_file(tmp_path: Path) -> None:
    knowledge_path = tmp_path / "known.txt"
    knowledge_path.write_text("/knowledge\naddtemporal\n0 age dust\n1 cough\n2 tired\n", "utf-8")
    out = tmp_path / "out"
    words = [
        "discover",
        str(_write_table(tmp_path)),
        *LABELS,
        "--knowledge",
        str(knowledge_path),
        "--time-order",
    ]
    assert main([*words, "--out", str(out), "--quiet", "--also", "methods", "--also", "script"]) == 0
    value = json.loads((out / "result.json").read_text("utf-8"))
    assert value["settings"]["discovery"]["time_order"] is True
    text = " ".join((out / "report.html").read_text("utf-8").split())
    assert "its tiers steered the search" in text and "The search followed the time order." in text
    assert "settles directions, and not which" not in text
    assert "its tiers steered the search" in (out / "methods.txt").read_text("utf-8")
    assert "Time order = yes" in (out / "methods.txt").read_text("utf-8")
    assert "time_order=True" in (out / "again.py").read_text("utf-8")
    dataset = engine.prepare(engine.read_dataset(tmp_path / "visits.csv", labels=["cough", "tired"]))
    read = read_result(out / "result.json", dataset)
    assert read.settings.time_order
    # Tiredness comes later: it is no member around the cough, and the cough is one around it.
    around = {label: set(boundary.members) for label, boundary in read.boundaries.items()}
    assert around == {"cough": {"age", "dust"}, "tired": {"cough"}}


def test_a_selection_in_time_order_takes_nothing_that_is_later(tmp_path: Path) -> None:
    knowledge_path = tmp_path / "known.json"
    engine.write_knowledge(engine.Knowledge(tiers=[["cough", "tired"], ["age"]]), knowledge_path)
    words = ["select", str(_write_table(tmp_path)), *LABELS, "--knowledge", str(knowledge_path), "--quiet"]
    for order, selected in (([], {"age", "dust"}), (["--time-order"], {"dust"})):
        out = tmp_path / f"out{len(order)}"
        assert main([*words, *order, "--out", str(out)]) == 0
        names = json.loads((out / "selection.json").read_text("utf-8"))["features"]
        assert {entry["feature"] for entry in names} == selected
