"""Projects as one file: what was saved comes back, and nothing else is believed."""

from __future__ import annotations

import json
import random
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.errors import EngineError, InvalidParameter, UnreadableFile
from engine.reporting.result_file import result_object
from engine.reporting.tables import Analysis


@pytest.fixture(scope="module")
def project() -> engine.Project:
    network = engine.simulate(labels=4, features=15, rows=600, multiple_boundaries=0.6, seed=2)
    dataset = network.dataset.with_roles({network.dataset.features[-1]: engine.Role.IGNORED})
    known = engine.Knowledge(tiers=[dataset.features[:3], dataset.labels])
    runs = []
    for alpha in (0.01, 0.05):
        settings = engine.DiscoverySettings(alpha=alpha)
        result = engine.discover(dataset, settings, knowledge=known)
        runs.append(
            engine.Run(f"α {alpha}", settings, result, engine.PreparationSettings(), note="why *this*")
        )
    split = engine.discover(dataset, split=engine.RowSplit(0.5, 3))
    runs.append(
        engine.Run("half", split.settings, split, is_pinned=True, started="2026-11-23T10:00:00+00:00")
    )
    return engine.Project(
        dataset=dataset,
        recipe=[{"step": "read", "path": "größe.csv", "sheet": None}, {"step": "cut", "points": [0.5, 2]}],
        knowledge=known,
        runs=runs,
        notes="# Notes\n\nwith “quotes”",
        choices={dataset.features[2]: "cheaper", dataset.features[0]: ""},
        origin=engine.Origin("/data/größe.csv", "ab" * 32),
        shown="α 0.05",
        variable_notes={dataset.features[1]: "as the *ward* measures it"},
        finding_notes={(dataset.features[1], dataset.labels[0]): "known since 1978"},
    )


def everything(project: engine.Project) -> object:
    """All that a project holds, as plain values."""
    return [
        project.dataset.content_hash,
        project.dataset.name,
        [(note.topic, note.message) for note in project.dataset.notes],
        [dict(step) for step in project.recipe],
        project.knowledge,
        [
            (
                run.name,
                run.settings,
                run.note,
                run.is_pinned,
                run.started,
                run.preparation,
                json.dumps(result_object(Analysis(run.result))),
                run.result.dataset.content_hash,
            )
            for run in project.runs
        ],
        project.notes,
        list(project.choices.items()),
        project.origin,
        project.shown,
        list(project.variable_notes.items()),
        list(project.finding_notes.items()),
    ]


def test_what_was_saved_comes_back(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, project)
    again = engine.open_project(path)
    assert everything(again) == everything(project)
    # Saved once more it is the same, byte for byte within the entries.
    engine.save_project(tmp_path / "twice.clcd", again)
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(tmp_path / "twice.clcd") as other:
        assert one.namelist() == other.namelist()
        assert all(one.read(name) == other.read(name) for name in one.namelist())
        # A column that four tables hold is there once: all rows, and the half that was searched.
        assert [name for name in one.namelist() if name.startswith("arrays/")] == [
            "arrays/i1-600.npy",
            "arrays/i1-300.npy",
        ]


def test_its_table_is_read_like_any_other(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, project)
    table = engine.read_dataset(path)
    assert table.labels == project.dataset.labels
    for one, other in zip(table.columns, project.dataset.columns, strict=True):
        assert np.array_equal(one, other)


def test_numbers_and_gaps_are_kept_to_the_bit(tmp_path: Path) -> None:
    import pandas

    frame = pandas.DataFrame(
        {"x": [0.1, np.nan, -0.0, 5e-324], "g": ["a", None, "b", "a"], "ill": ["no", "yes", "no", "yes"]}
    )
    dataset = engine.Dataset.from_frame(frame, labels=["ill"])
    engine.save_project(tmp_path / "a.clcd", engine.Project(dataset=dataset))
    again = engine.open_project(tmp_path / "a.clcd").dataset
    assert again.columns[0].tobytes() == dataset.columns[0].tobytes()
    assert again.variables == dataset.variables and again.columns[1].tolist() == dataset.columns[1].tolist()


def test_runs_are_renamed_left_out_and_replaced(project: engine.Project) -> None:
    renamed = project.renamed("half", "a half")
    assert [run.name for run in renamed.runs] == ["α 0.01", "α 0.05", "a half"]
    assert [run.name for run in project.without_run("α 0.05").runs] == ["α 0.01", "half"]
    changed = project.with_run(replace(project.run("half"), note="read again"))
    assert changed.run("half").note == "read again" and len(changed.runs) == 3
    with pytest.raises(InvalidParameter, match="half"):
        project.renamed("α 0.01", "half")
    with pytest.raises(InvalidParameter, match="no run"):
        project.run("none")
    with pytest.raises(InvalidParameter, match="nobody"):
        replace(project, choices={"nobody": ""})


def test_damaged_files_end_in_a_message(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, replace(project, runs=project.runs[:1]))
    content = path.read_bytes()
    chance = random.Random(1)
    for number in range(150):
        changed = bytearray(content)
        if number % 3 == 0:
            del changed[chance.randrange(len(changed)) :]
        else:
            for _ in range(chance.choice((1, 4, 30))):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
        path.write_bytes(changed)
        for opening in (engine.open_project, engine.read_dataset):
            try:
                opening(path)
            except EngineError as error:
                assert error.problem


def rewritten(path: Path, target: Path, name: str, change: dict[str, object], replaces: bool = False) -> None:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            value = old.read(entry)
            if entry == name:
                value = json.dumps(change if replaces else json.loads(value) | change).encode()
            new.writestr(entry, value)


def test_a_project_without_later_parts_opens(project: engine.Project, tmp_path: Path) -> None:
    """Parts were added to the first version of the file: notes on variables and findings, the run shown."""
    path = tmp_path / "study.clcd"
    engine.save_project(path, project)
    with zipfile.ZipFile(path) as archive:
        content = json.loads(archive.read("project.json"))
    assert content["schema_version"] == 1
    for added in ("shown", "variable_notes", "finding_notes"):
        del content[added]
    rewritten(path, tmp_path / "early.clcd", "project.json", content, replaces=True)
    early = engine.open_project(tmp_path / "early.clcd")
    assert everything(early)[:-3] == everything(project)[:-3]
    assert everything(early)[-3:] == ["", [], []]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema_version": 99, "program_version": "9.0"}, r"newer version .* \(9\.0\)"),
        ({"format": "other"}, "no project"),
        ({"schema_version": "x"}, "version"),
        ({"table": 7}, "damaged"),
        ({"table": -1}, "damaged"),
        ({"runs": [{"name": 3}]}, "damaged"),
        ({"knowledge": {"tiers": 4}}, "causes and effects is damaged"),
        ({"choices": [["nobody", ""]]}, "nobody"),
    ],
)
def test_what_is_not_as_it_is_written_is_refused(
    project: engine.Project, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, replace(project, runs=()))
    rewritten(path, tmp_path / "changed.clcd", "project.json", change)
    with pytest.raises(UnreadableFile, match=said):
        engine.open_project(tmp_path / "changed.clcd")


def test_a_head_that_is_cut_is_damage(project: engine.Project, tmp_path: Path) -> None:
    path, cut = tmp_path / "study.clcd", tmp_path / "cut.clcd"
    engine.save_project(path, replace(project, runs=()))
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(cut, "w") as new:
        for entry in old.namelist():
            value = old.read(entry)
            new.writestr(entry, value.replace(b"}", b"(", 1) if entry.endswith(".npy") else value)
    with pytest.raises(UnreadableFile, match="damaged"):
        engine.open_project(cut)


def test_arrays_of_objects_are_never_read(project: engine.Project, tmp_path: Path) -> None:
    path, hostile = tmp_path / "study.clcd", tmp_path / "hostile.clcd"
    engine.save_project(path, replace(project, runs=()))
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(hostile, "w") as new:
        for entry in old.namelist():
            if entry.endswith(".npy"):
                with new.open(entry, "w") as file:
                    np.lib.format.write_array(file, np.array([[print]], dtype=object), allow_pickle=True)
            else:
                new.writestr(entry, old.read(entry))
    with pytest.raises(UnreadableFile, match="no matrix of numbers"):
        engine.open_project(hostile)


def test_what_cannot_be_written_leaves_the_old_file(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, replace(project, runs=()))
    before = path.read_bytes()
    with pytest.raises(InvalidParameter, match="recipe"):
        engine.save_project(path, replace(project, recipe=[{"step": object()}]))
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    with pytest.raises(UnreadableFile, match="no such file"):
        engine.open_project(tmp_path / "none.clcd")
