"""What a script and a command compute anew is the same to the byte."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.preparation.prepare import prepared_for_measuring
from engine.readers.options import ReadingOptions
from engine.reporting.export_formats import export, export_file
from engine.reporting.script import command_text, script_text
from engine.reporting.tables import ExportOptions, ResultContext, TableOrigin
from engine.table.variable import Kind, Role
from engine.terminal.command_line import main

PROJECT = Path(__file__).resolve().parents[3]
TABLES = (
    "common.csv",
    "label_specific.csv",
    "equivalences.csv",
    "label_relations.csv",
    "directions.csv",
    "effects.csv",
    "graph.graphml",
)
PARTS = ("overview", "references")


@pytest.fixture(scope="module")
def made_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an analysis in which everything was chosen otherwise, and what makes it again."""
    folder = tmp_path_factory.mktemp("again")
    network = engine.simulate(labels=2, features=8, rows=600, seed=5)
    data = folder / "it's a table.csv"
    frame = network.dataset.frame
    frame = frame.rename(columns={"F1": "=F1", "F2": "dose; a $day"})
    frame["clinic"] = [f"ward {number % 60}" for number in range(len(frame))]
    frame["hours"] = [(number * 7919 % 997) / 8 for number in range(len(frame))]
    frame["visits"] = [number % 40 for number in range(len(frame))]
    frame.to_csv(data, index=False, sep=";")
    labels = list(network.dataset.labels)
    options = ReadingOptions(delimiter="semicolon")
    recipe = [
        {"step": "cut", "column": "visits", "points": [20], "into": "many visits"},
        {"step": "read-as", "columns": ["visits"], "values": "categories"},
    ]
    read = engine.read_dataset(data, labels=labels, groups="clinic", delimiter="semicolon", recipe=recipe)
    assert read.variable("visits").kind is Kind.NOMINAL
    table = read.with_roles({"F5": Role.IGNORED})
    preparation = engine.PreparationSettings(max_levels=50)
    settings = engine.DiscoverySettings(alpha=0.02, max_conditioning=2, false_discovery="none")
    knowledge = engine.Knowledge(tiers=[["=F1"], labels])
    prepared = engine.prepare(table, preparation)
    result = engine.discover(prepared, settings, knowledge=knowledge, split=engine.RowSplit(0.6, seed=3))
    measured = prepared_for_measuring(table, prepared, preparation)
    result = result.with_effects(engine.effects(measured, result))
    assert result.findings.all and result.knowledge is not None
    given = {
        "preparation": preparation,
        "source": table,
        "report_parts": PARTS,
        "options": ExportOptions(guard_formulas=False),
        "origin": TableOrigin(str(data), options, recipe),
    }
    export(result, folder / "first", **given)
    for name, file_name in (("script", "again.py"), ("command", "again.sh")):
        export_file(result, folder / file_name, name, **given)
    return folder


def run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def check(folder: Path) -> None:
    for name in TABLES:
        assert (folder / "again" / name).read_bytes() == (folder.parent / "first" / name).read_bytes(), name
    page = (folder / "again" / "report.html").read_text("utf-8")
    assert page.count("<h2>") == 1


def test_a_script_makes_the_same_tables(made_files: Path) -> None:
    folder = made_files / "by script"
    folder.mkdir()
    run([sys.executable, str(made_files / "again.py")], folder, {"PYTHONPATH": str(PROJECT)})
    check(folder)


@pytest.mark.skipif(os.name != "posix", reason="it is for a shell")
def test_a_command_makes_the_same_tables(made_files: Path) -> None:
    folder = made_files / "by command"
    folder.mkdir()
    (made_files / "bin").mkdir()
    program = made_files / "bin" / "clcd"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m engine "$@"\n')
    program.chmod(0o755)
    search = f"{made_files / 'bin'}{os.pathsep}{os.environ['PATH']}"
    run(["sh", str(made_files / "again.sh")], folder, {"PYTHONPATH": str(PROJECT), "PATH": search})
    check(folder)


def test_without_its_origin_an_analysis_says_what_to_do(tmp_path: Path) -> None:
    network = engine.simulate(labels=2, features=8, rows=300, seed=0)
    result = engine.discover(network.dataset)
    with pytest.raises(engine.InvalidParameter, match="it is not known where the table came from"):
        export_file(result, tmp_path / "again.py", "script")
    assert not (tmp_path / "again.py").exists()


def _with_gaps(frame: pandas.DataFrame, labels: list[str]) -> pandas.DataFrame:
    rng = np.random.default_rng(0)
    gaps = frame.astype(object)
    for name in frame.columns.difference(labels):
        gaps.loc[rng.random(len(frame)) < 0.05, name] = None
    return gaps


# What is read besides, how the table is prepared, the test, and how often it is searched again.
FURTHER = {
    "a sheet with gaps that are filled": (
        {"sheet": "Table 2"},
        {"missing": "imputed", "imputations": 2},
        "auto",
        0,
    ),
    "weights, and searched again": ({"weights": "weight"}, {}, "auto", 3),
    "rows in groups": ({"groups": "clinic"}, {}, "basis", 0),
}


@pytest.mark.parametrize("which", FURTHER)
def test_all_that_a_search_can_rest_on_is_made_again(
    which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, preparing, test, resamples = FURTHER[which]
    network = engine.simulate(labels=2, features=5, rows=300, seed=5)
    labels, frame = list(network.dataset.labels), network.dataset.frame
    options = ReadingOptions(sheet=reading.get("sheet"))
    data = tmp_path / ("table.xlsx" if options.sheet else "table.csv")
    if options.sheet:
        with pandas.ExcelWriter(data) as book:
            pandas.DataFrame({"remark": ["nothing here"]}).to_excel(book, sheet_name="About", index=False)
            _with_gaps(frame, labels).to_excel(book, sheet_name=options.sheet, index=False)
    else:
        added = {"weight": lambda row: 0.5 + row % 7 / 4, "clinic": lambda row: f"ward {row % 40}"}
        name = next(iter(reading.values()))
        frame.assign(**{name: list(map(added[name], range(len(frame))))}).to_csv(data, index=False)
    table = engine.read_dataset(data, labels=labels, **reading)
    preparation = engine.PreparationSettings(**preparing)
    prepared = engine.prepare(table, preparation)
    result = engine.discover(prepared, engine.DiscoverySettings(test=test))
    if resamples:
        result = result.with_stability(engine.stability(result.dataset, result.settings, resamples=resamples))
    result = result.with_effects(engine.effects(prepared_for_measuring(table, prepared, preparation), result))
    origin = TableOrigin(str(data), options)
    analysis = ResultContext(result, preparation, table, PARTS, origin=origin)
    first = {"preparation": preparation, "source": table, "report_parts": PARTS, "origin": origin}
    export(result, tmp_path / "first", **first)
    assert len(list((tmp_path / "first").glob("*.csv"))) == 7 + bool(resamples)
    check_both_ways(tmp_path, monkeypatch, script_text(analysis), command_text(analysis))


def check_both_ways(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, command: str) -> None:
    words = shlex.split(command.split("\n", 2)[2].replace("\\\n", " "))
    ways: dict[str, Callable[[], object]] = {
        "script": lambda: exec(script, {}),
        "command": lambda: main([*words[1:], "--quiet"]),
    }
    for name, make in ways.items():
        (folder / name).mkdir()
        monkeypatch.chdir(folder / name)
        make()
        for path in sorted((folder / "first").glob("*.csv")):
            assert (folder / name / "again" / path.name).read_bytes() == path.read_bytes(), path.name
        assert content_hash(folder / name / "again") == content_hash(folder / "first")


def content_hash(folder: Path) -> str:
    """Return that of the prepared table."""
    value: str = json.loads((folder / "result.json").read_text("utf-8"))["data"]["content_hash"]
    return value


# What else the command was told, beside the table of features that it read.
ARGUMENTS = {
    "labels of a second table": ["--labels-file", "labels.csv"],
    "some of its columns": [
        "--labels-file",
        "labels.csv",
        "--label=ill",
        "--weight-column=w",
        "--ignore=sad",
    ],
    "nothing means missing": ["--label=dose", "--missing-codes="],
    "one more code": ["--label=dose", "--missing-codes=-99"],
    "this code alone, and one in a column": [
        "--label=dose",
        "--only-missing-codes=-99",
        "--missing-codes=x=1",
    ],
}


@pytest.mark.parametrize("which", ARGUMENTS)
def test_what_the_command_was_told_is_told_again(
    which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    x, z = rng.integers(0, 2, (2, 300))
    dose = np.where(rng.random(300) < 0.1, -99.0, rng.normal(10 + 3 * x, 1).round(2))
    pandas.DataFrame({"x": x, "z": z, "dose": dose}).to_csv(tmp_path / "features.csv", index=False)
    labels = pandas.DataFrame({"w": 0.5 + np.arange(300) % 5, "ill": x ^ (rng.random(300) < 0.2)})
    labels.assign(sad=z).to_csv(tmp_path / "labels.csv", index=False)
    monkeypatch.chdir(tmp_path)
    words = [
        "discover",
        "features.csv",
        *ARGUMENTS[which],
        "--also",
        "script",
        "--also",
        "command",
        "--quiet",
    ]
    assert main([*words, "--out", "first"]) == 0
    again = [next(Path("first").glob(f"*.{ending}")).read_text("utf-8") for ending in ("py", "sh")]
    check_both_ways(tmp_path, monkeypatch, *again)
