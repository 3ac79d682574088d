"""The bundled examples are what their descriptions say, and the engine finds what is true of them."""

from __future__ import annotations

import runpy
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import engine
from tests.with_each import with_each

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


SIMULATED = ("cold-and-covid", "diabetes-clinic", "bird-atlas")
MAKERS = {
    "make_example.py": ("hospital-survey.csv", "hospital-survey.xml"),
    "make_simulated_examples.py": tuple(
        f"{name}.{end}" for name in SIMULATED for end in ("csv", "xml", "md")
    ),
}


def _maker(script: str) -> dict[str, Any]:
    return runpy.run_path(str(PROJECT / "packaging" / script))


@with_each("script", MAKERS)
def test_the_script_writes_exactly_the_bundled_files(script: str, tmp_path: Path) -> None:
    for lesson in EXAMPLES.glob("*.md"):
        shutil.copy(lesson, tmp_path)
    _maker(script)["main"](tmp_path)
    for name in MAKERS[script]:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_the_index_names_files_that_exist() -> None:
    entries = tomllib.loads((EXAMPLES / "index.toml").read_text(encoding="utf-8"))["example"]
    for entry in entries:
        assert entry["title"] and entry["summary"]
        for part in ("table", "labels", "about"):
            assert (EXAMPLES / entry[part]).is_file()
        assert "simulated" in (EXAMPLES / entry["about"]).read_text(encoding="utf-8").lower()


def test_every_example_is_small_and_in_the_index() -> None:
    entries = tomllib.loads((EXAMPLES / "index.toml").read_text(encoding="utf-8"))["example"]
    named = {entry[part] for entry in entries for part in ("table", "labels", "about")}
    assert named == {path.name for path in EXAMPLES.iterdir()} - {"index.toml"}
    assert max(path.stat().st_size for path in EXAMPLES.iterdir()) < 150_000


def _found(name: str, **preparation: Any) -> dict[str, set[str]]:
    dataset = engine.read_dataset(EXAMPLES / f"{name}.csv", labels=EXAMPLES / f"{name}.xml")
    result = engine.discover(engine.prepare(dataset, **preparation))
    return {feature: set(labels) for feature, labels in result.label_sets.items()}


def test_default_settings_find_the_truth() -> None:
    dataset = engine.read_dataset(EXAMPLES / "hospital-survey.csv", labels=EXAMPLES / "hospital-survey.xml")
    assert dataset.row_count == 800
    assert set(dataset.labels) == {SLEEP, TIRED, HEAD, BACK, MOOD}
    assert _found("hospital-survey") == TRUE_LABEL_SETS


def test_the_lessons_of_the_simulated_examples_hold() -> None:
    truths = {
        example.name: example.truth().label_sets
        for example in _maker("make_simulated_examples.py")["examples"]()
    }
    assert _found("cold-and-covid") == truths["cold-and-covid"]
    clinic, cut = _found("diabetes-clinic"), _found("diabetes-clinic", discretise="quantile", bins=2)
    assert clinic == truths["diabetes-clinic"]
    assert "Sleep" in clinic and "Sleep" not in cut
    assert {"Age", "Weight"} <= set(cut)
    birds, true = (_pairs(label_sets) for label_sets in (_found("bird-atlas"), truths["bird-atlas"]))
    assert len(true) == 88 and true < birds
    assert birds - true == {("Old barns", "Starling"), ("Spruce wood", "White stork")}


def _pairs(label_sets: Mapping[str, Iterable[str]]) -> set[tuple[str, str]]:
    return {(feature, label) for feature, labels in label_sets.items() for label in labels}
