"""Projects as one file: what was saved comes back, and nothing else is believed."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import tracemalloc
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.errors import EngineError, InvalidParameter, UnreadableFile
from engine.project.project import OriginState
from engine.project.project_files import Encoded
from engine.recipe import read_recipe
from engine.reporting.result_file import result_object
from engine.reporting.tables import ResultContext
from engine.table.archived import PROJECT

PROJECTS = Path(__file__).parent / "projects"
PROGRAM = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def project() -> engine.Project:
    network = engine.simulate(labels=4, features=15, rows=600, multiple_boundaries=0.6, seed=2)
    dataset = network.dataset.with_roles({network.dataset.features[-1]: engine.Role.IGNORED})
    knowledge = engine.Knowledge(tiers=[dataset.features[:3], dataset.labels])
    runs = []
    for alpha in (0.01, 0.05):
        settings = engine.DiscoverySettings(alpha=alpha)
        result = engine.discover(dataset, settings, knowledge=knowledge)
        runs.append(
            engine.Run(f"α {alpha}", settings, result, engine.PreparationSettings(), note="why *this*")
        )
    split = engine.discover(dataset, split=engine.RowSplit(0.5, 3))
    runs.append(
        engine.Run("half", split.settings, split, is_pinned=True, started="2026-11-23T10:00:00+00:00")
    )
    measured = runs[0].result.with_effects(engine.effects(dataset, runs[0].result))
    runs[0] = replace(runs[0], result=measured)
    return engine.Project(
        dataset=dataset,
        recipe=[{"step": "read", "path": "größe.csv", "sheet": None}, {"step": "cut", "points": [0.5, 2]}],
        knowledge=knowledge,
        runs=runs,
        notes="# Notes\n\nwith “quotes”",
        choices={dataset.features[2]: "cheaper", dataset.features[0]: ""},
        origin=engine.Origin("/data/größe.csv", "ab" * 32),
        shown="α 0.05",
        variable_notes={dataset.features[1]: "as the *ward* measures it"},
        finding_notes={(dataset.features[1], dataset.labels[0]): "known since 1978"},
        view={"graph": {"F1": [0.5, -2.0]}},
        report={"parts": ["findings"], "title": "Größe"},
        picture=b"\x89PNG small",
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
                json.dumps(result_object(ResultContext(run.result))),
                run.result.effects and (run.result.effects.sizes, run.result.effects.flags),
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
        project.view,
        project.report,
        project.picture,
        project.is_data_beside,
    ]


def test_what_was_saved_comes_back(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, project)
    again = engine.open_project(path)
    assert everything(again) == everything(project)
    # Saved once more it is the same, byte for byte within the entries.
    engine.save_project(tmp_path / "twice.clcd", again)
    with zipfile.ZipFile(path) as left, zipfile.ZipFile(tmp_path / "twice.clcd") as right:
        assert left.namelist() == right.namelist()
        assert all(left.read(name) == right.read(name) for name in left.namelist())
        # A column that four tables hold is there once: all rows, and the half that was searched.
        assert [name for name in left.namelist() if name.startswith("arrays/")] == [
            "arrays/i1-600.npy",
            "arrays/i1-300.npy",
        ]


def test_its_table_is_read_like_any_other(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, project)
    table = engine.read_dataset(path)
    assert table.labels == project.dataset.labels
    for first, second in zip(table.columns, project.dataset.columns, strict=True):
        assert np.array_equal(first, second)


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


def test_a_file_of_each_version_opens() -> None:
    """Frozen files, each made by the program of its time."""
    opened = {path.name: engine.open_project(path) for path in sorted(PROJECTS.glob("schema-*.clcd"))}
    assert list(opened) == ["schema-1.clcd", "schema-2.clcd"]
    second = opened["schema-2.clcd"]
    assert second.view == {"graph": {"F2": [10.0, -4.5]}} and second.report == {"title": "Größe"}
    assert second.shown == "half" and second.picture and second.finding_notes == {("F2", "L1"): "known"}
    effects = second.runs[0].result.effects
    assert (
        effects is not None
        and effects.of("F2", "L1")
        and opened["schema-1.clcd"].runs[0].result.effects is None
    )
    for project in opened.values():
        assert project.dataset.labels == ("L1", "L2", "L3") and project.dataset.row_count == 160
        assert project.notes == "# Größe" and project.choices == {"F2": "cheaper"}
        assert project.knowledge == engine.Knowledge(tiers=[["F1", "F2"], ["L1", "L2", "L3"]])
        run, half = project.runs
        assert (run.name, run.note, run.is_pinned) == ("α 0.1", "a *first* look", True)
        assert run.result.label_sets["F2"] == {"L1", "L3"} and run.result.knowledge == project.knowledge
        assert run.settings.alpha == 0.1 and run.preparation == engine.PreparationSettings()
        assert half.result.split == engine.RowSplit(0.5, 3) and half.result.dataset.row_count == 80
        assert project.origin is not None and project.origin.sha256 == "ab" * 32


def test_values_beside_are_written_once_and_found_again(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    beside = replace(project, is_data_beside=True)
    encoded = Encoded()
    engine.save_project(path, beside, encoded)
    (values,) = tmp_path.glob("*.clcd-data")
    written = values.stat()
    again = engine.open_project(path)
    assert everything(again) == everything(beside)
    assert engine.read_dataset(path).labels == project.dataset.labels
    engine.save_project(path, replace(beside, notes="more"), encoded)
    assert values.stat().st_ino == written.st_ino and engine.open_project(path).notes == "more"
    # A copy needs the same values; they go with the last project that does.
    shutil.copy(path, tmp_path / "copy.clcd")
    engine.save_project(path, project)
    assert everything(engine.open_project(path)) == everything(project) and values.exists()
    engine.save_project(tmp_path / "copy.clcd", project)
    assert not values.exists()
    engine.save_project(path, beside)
    next(tmp_path.glob("*.clcd-data")).unlink()
    with pytest.raises(UnreadableFile, match="not beside it"):
        engine.open_project(path)


@pytest.mark.parametrize("name", ["study.clcd.bak", "study.clcd.old", "study.clcd~", "backup"])
def test_a_backup_keeps_its_values(project: engine.Project, tmp_path: Path, name: str) -> None:
    path, backup = tmp_path / "study.clcd", tmp_path / name
    engine.save_project(path, replace(project, runs=(), is_data_beside=True))
    before = everything(engine.open_project(path))
    shutil.copy(path, backup)
    (tmp_path / "remarks.txt").write_text("no zip file")
    (tmp_path / "cut.zip").write_bytes(b"PK\3\4")
    (tmp_path / "folder").mkdir()
    engine.save_project(path, replace(project, runs=()))
    backup.rename(path)
    assert everything(engine.open_project(path)) == before
    # Once nothing needs them, they go.
    engine.save_project(path, replace(project, runs=()))
    assert not list(tmp_path.glob("*.clcd-data"))


@pytest.mark.parametrize("name", ["../x.clcd-data", "/etc/x.clcd-data", "x.csv", 7])
def test_a_project_opens_no_other_file(project: engine.Project, tmp_path: Path, name: object) -> None:
    engine.save_project(tmp_path / "study.clcd", replace(project, runs=()))
    rewritten(tmp_path / "study.clcd", tmp_path / "changed.clcd", PROJECT, {"arrays": name})
    with pytest.raises(UnreadableFile, match="where its data are"):
        engine.open_project(tmp_path / "changed.clcd")


@pytest.mark.parametrize("part", ["tables.json", "arrays/i1-600.npy"])
def test_a_small_file_takes_no_large_memory(project: engine.Project, tmp_path: Path, part: str) -> None:
    path, hostile = tmp_path / "study.clcd", tmp_path / "hostile.clcd"
    engine.save_project(path, replace(project, runs=()))
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(hostile, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new,
    ):
        for entry in old.namelist():
            with new.open(entry, "w", force_zip64=True) as file:
                if entry != part:
                    file.write(old.read(entry))
                elif entry == "tables.json":
                    file.write(b"[" + b" " * (17 << 20) + b"]")
                else:
                    header = {"descr": "|i1", "fortran_order": False, "shape": (300 << 11, 512)}
                    np.lib.format.write_array_header_1_0(file, header)
                    for _ in range(300):
                        file.write(bytes(1 << 20))
    assert hostile.stat().st_size < 400_000
    tracemalloc.start()
    with pytest.raises(UnreadableFile, match=r"too large|far more room"):
        engine.open_project(hostile)
    assert tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()


FULL = """
import resource, sys
import engine
project = engine.open_project(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
try:
    engine.save_project(sys.argv[1], project)
except engine.EngineError as error:
    print(error.problem)
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the size of files cannot be limited")
def test_a_full_disk_leaves_the_old_file(project: engine.Project, tmp_path: Path) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, replace(project, runs=()))
    before = path.read_bytes()
    assert len(before) > 3000
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True, cwd=PROGRAM
    )
    assert done.stdout.strip() == "the system does not allow files of this size."
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_two_that_save_at_once_leave_a_whole_file(project: engine.Project, tmp_path: Path) -> None:
    """Some with the values inside, some beside, so that each removes what the other no longer names."""
    path, together = tmp_path / "study.clcd", threading.Barrier(2)
    forms = [
        replace(project, runs=(), notes=notes_written, is_data_beside=notes_written == "b")
        for notes_written in "ab"
    ]

    def save(form: engine.Project) -> None:
        for _ in range(20):
            together.wait(60)
            engine.save_project(path, form)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(save, forms))
    assert engine.open_project(path).notes in ("a", "b")


def test_a_changed_source_is_noticed(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "visits.csv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    path.write_text("a,b\n1,2\n")
    origin = engine.Origin.of(path)
    assert origin.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert origin.state(elsewhere) is OriginState.SAME
    path.rename(elsewhere / "visits.csv")
    # Beside the project it is found on any computer.
    assert origin.state(elsewhere) is OriginState.SAME and origin.state(tmp_path) is OriginState.ABSENT
    (elsewhere / "visits.csv").write_text("a,b\n1,3\n")
    assert origin.state(elsewhere) is OriginState.CHANGED
    assert engine.Origin(str(elsewhere / "visits.csv")).state(elsewhere) is OriginState.UNKNOWN


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


def test_damage_packed_in_another_way_ends_in_a_message(project: engine.Project, tmp_path: Path) -> None:
    path, packed = tmp_path / "study.clcd", tmp_path / "packed.clcd"
    engine.save_project(path, replace(project, runs=()))
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as new:
        for entry in old.namelist():
            new.writestr(entry, old.read(entry))
    content = packed.read_bytes()
    for start in range(60, len(content) - 40, len(content) // 12):
        changed = bytearray(content)
        changed[start : start + 20] = bytes(byte ^ 0xFF for byte in changed[start : start + 20])
        packed.write_bytes(changed)
        # Some of it lies where nothing is read from, as in the picture.
        with suppress(EngineError):
            engine.open_project(packed)


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
        content = json.loads(archive.read(PROJECT)) | {"schema_version": 1}
    for added in ("shown", "variable_notes", "finding_notes", "view", "report", "arrays"):
        del content[added]
    rewritten(path, tmp_path / "early.clcd", PROJECT, content, replaces=True)
    early = engine.open_project(tmp_path / "early.clcd")
    nothing = {"shown": "", "variable_notes": {}, "finding_notes": {}, "view": {}, "report": {}}
    assert everything(early) == everything(replace(project, **nothing))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": 99, "program_version": "9.0"}, r"newer version .* \(9\.0\)"),
        ({"format": "other"}, "not a project"),
        ({"schema_version": "x"}, "version"),
        ({"table": 7}, "damaged"),
        ({"table": -1}, "damaged"),
        ({"runs": [{"name": 3}]}, "damaged"),
        ({"knowledge": {"tiers": 4}}, "causes and effects are damaged"),
        ({"choices": [["nobody", ""]]}, "nobody"),
    ],
)
def test_what_is_not_as_it_is_written_is_refused(
    project: engine.Project, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "study.clcd"
    engine.save_project(path, replace(project, runs=()))
    rewritten(path, tmp_path / "changed.clcd", PROJECT, change)
    with pytest.raises(UnreadableFile, match=message):
        engine.open_project(tmp_path / "changed.clcd")


def test_what_cannot_be_opened_says_what_to_do(tmp_path: Path) -> None:
    for opened in (engine.open_project, read_recipe):
        with pytest.raises(UnreadableFile) as raised:
            opened(tmp_path)
        assert raised.value.place and raised.value.remedy


def test_a_recipe_is_taken_for_its_steps() -> None:
    dataset = engine.simulate(labels=2, features=5, rows=100, seed=0).dataset
    recipe = engine.Recipe([{"step": "rename", "column": dataset.features[0], "name": "first", "on": False}])
    project = engine.Project(dataset, recipe)  # type: ignore[arg-type]
    assert list(project.recipe) == recipe.as_plain() and project.column_recipe == recipe


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


def test_a_part_that_claims_to_be_longer_than_the_file_takes_no_memory(
    project: engine.Project, tmp_path: Path
) -> None:
    """Room for all of it would be made before a byte is read."""
    path = tmp_path / "study.clcd"
    engine.save_project(path, project)
    content = bytearray(path.read_bytes())
    # In the list of entries at the end, the packed size stands 20 bytes behind the mark of each.
    begin = content.find(b"PK\x01\x02")
    while begin >= 0:
        content[begin + 20 : begin + 24] = (2**31 - 1).to_bytes(4, "little")
        begin = content.find(b"PK\x01\x02", begin + 1)
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableFile):
            engine.open_project(path)
        assert tracemalloc.get_traced_memory()[1] < 2**27
    finally:
        tracemalloc.stop()
