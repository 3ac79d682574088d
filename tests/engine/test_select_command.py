"""``clcd select``: files, words and statuses."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.progress import ProgressEvent
from engine.reporting.selection_formats import selection_formats
from engine.selection.presets import SelectionPreset, selection_presets
from engine.selection.select import REPLACING
from engine.terminal import main
from engine.terminal.console import TerminalProgress


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table in which x bears on both labels and z on one."""
    generator = np.random.default_rng(7)
    x, z, noise = generator.normal(size=(3, 500))
    frame = pandas.DataFrame({"x": x, "z": z, "noise": noise})
    frame["sad, very"] = (x + 0.3 * generator.normal(size=500) > 0).astype(int)
    frame["calm"] = (x + z + 0.3 * generator.normal(size=500) > 0).astype(int)
    path = tmp_path / "mood.csv"
    frame.to_csv(path, index=False)
    return path


LABELS = ["--label", "sad, very", "--label", "calm"]


def test_select_writes_and_says_what_was_selected(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["select", str(table), *LABELS, "--out", str(out)]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.startswith("2 features of 3 selected: 1 for several labels and 1 for one.")
    assert {path.name for path in out.iterdir()} == {
        selection_format.file_name for selection_format in selection_formats().values()
    }
    value = json.loads((out / "selection.json").read_text("utf-8"))
    assert [feature["feature"] for feature in value["features"]] == ["x", "z"]
    reduced = engine.read_dataset(out / "selected_data.arff", labels=out / "selected_data.xml")
    assert reduced.names == ("x", "z", "sad, very", "calm")
    assert np.array_equal(reduced.column("x"), pandas.read_csv(table)["x"])


def test_settings_of_search_and_layout_are_taken(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["--alpha", "0.2", "--bins", "3", "--label-position", "first", "--sparse-arff", "--quiet"]
    assert main(["select", str(table), *LABELS, "--out", str(out), *words]) == 0
    settings = json.loads((out / "selection.json").read_text("utf-8"))["settings"]
    assert (settings["discovery"]["alpha"], settings["preparation"]["bins"]) == (0.2, 3)
    lines = (out / "selected_data.arff").read_text("utf-8").splitlines()
    assert lines[0] == "@relation 'mood.csv: -C 2'" and lines[-1].startswith("{")


def test_the_purpose_sets_what_is_not_given(table: Path, tmp_path: Path) -> None:
    words = ["--purpose", "predict", "--alpha", "0.02", "--quiet"]
    assert main(["select", str(table), *LABELS, "--out", str(tmp_path / "out"), *words]) == 0
    settings = json.loads((tmp_path / "out" / "selection.json").read_text("utf-8"))["settings"]
    assert settings["preparation"]["bins"] == 4
    assert settings["discovery"]["alpha"] == 0.02


@pytest.mark.parametrize("preset", selection_presets().values(), ids=lambda preset: preset.name)
def test_every_preset_is_a_set_of_possible_settings(preset: SelectionPreset) -> None:
    engine.PreparationSettings(**preset.preparation)
    engine.DiscoverySettings(**preset.discovery)
    assert engine.CLCDSelector(**preset.parameters).get_params().items() >= preset.parameters.items()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--label", "calm"], "the following arguments are required: --out"),
        (["--label", "clam", "--out", "o"], "the label 'clam' is not a column"),
        (["--out", "o"], "no column is a label"),
        (["--label", "calm", "--out", "o", "--purpose", "x"], "Choose one of: explain, predict"),
        (["--label", "calm", "--out", "o", "--alpha", "7"], "--alpha: 7.0 is not a possible value"),
        (["--label", "calm", "--out", "o", "--label-position", "middle"], "Choose one of: last, first"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    table: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["select", str(table), *words]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_methods_lists_the_files_of_a_selection(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    listed = capsys.readouterr().out
    for selection_format in selection_formats().values():
        assert f"  {selection_format.name}: {selection_format.title}" in listed


def test_ctrl_c_before_features_are_chosen_leaves_nothing_behind(
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = TerminalProgress.report

    def interrupt(self: TerminalProgress, event: ProgressEvent) -> None:
        if event.stage == REPLACING and not event.done:
            signal.raise_signal(signal.SIGINT)
        report(self, event)

    monkeypatch.setattr(TerminalProgress, "report", interrupt)
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        assert main(["select", str(table), *LABELS, "--out", str(tmp_path / "out")]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert not list(tmp_path.glob("out/*"))
    assert "Traceback" not in capsys.readouterr().err
