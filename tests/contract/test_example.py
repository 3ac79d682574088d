"""The bundled example is what its description says, and the engine finds what is true of it."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path

import pytest

import engine

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "resources" / "examples"

SLEEP, TIRED, HEAD, BACK, MOOD = "Trouble sleeping", "Exhaustion", "Headache", "Back pain", "Low mood"
TRUE_LABEL_SETS = {
    "Work pressure (0-10)": {SLEEP, TIRED, HEAD},
    "Night shifts": {SLEEP, TIRED},
    "Shift allowance": {SLEEP, TIRED},
    "Weekly exercise (hours)": {BACK, MOOD},
    "Painkillers a month": {HEAD, BACK},
    "Coffee after 4 pm": {SLEEP},
    "Naps a week": {SLEEP},
    "Sick days last year": {TIRED},
    "Screen time a day (hours)": {HEAD},
    "Lifting a day (loads)": {BACK},
    "Support by colleagues (0-10)": {MOOD},
}


@pytest.mark.parametrize("name", ["hospital-survey.csv", "hospital-survey.xml"])
def test_the_script_writes_exactly_the_bundled_file(name: str, tmp_path: Path) -> None:
    script = runpy.run_path(str(PROJECT / "packaging" / "make_example.py"))
    script["main"](tmp_path)
    assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_the_index_names_files_that_exist() -> None:
    entries = tomllib.loads((EXAMPLES / "index.toml").read_text(encoding="utf-8"))["example"]
    for entry in entries:
        assert entry["title"] and entry["summary"]
        for part in ("table", "labels", "about"):
            assert (EXAMPLES / entry[part]).is_file()
        assert "simulated" in (EXAMPLES / entry["about"]).read_text(encoding="utf-8").lower()


def test_default_settings_find_the_truth() -> None:
    table, labels = (EXAMPLES / f"hospital-survey.{ending}" for ending in ("csv", "xml"))
    dataset = engine.read_dataset(table, labels=labels)
    assert dataset.row_count == 800
    assert set(dataset.labels) == {SLEEP, TIRED, HEAD, BACK, MOOD}
    result = engine.discover(engine.prepare(dataset))
    found = {feature: set(labels) for feature, labels in result.label_sets.items()}
    assert found == TRUE_LABEL_SETS
