"""Two processes that write the same at once break nothing: what is found is of the one or of the other."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.atomic import atomic_folder
from engine.errors import UnwritableFile
from engine.table.variable import Kind, Variable
from tests.engine.killed_commands import COMMANDS, files_of
from tests.engine.test_kernel_cache import QUESTION, ask, copy_of_the_engine

_HOLDS_FOLDERS = pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody can hold a folder")
_ROOT = Path(__file__).parents[2]


def _start(*words: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(_ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _ended(child: subprocess.Popen[str]) -> str:
    output, complaint = child.communicate(timeout=240)
    assert (child.returncode, complaint) == (0, "")
    return output


@_HOLDS_FOLDERS
def test_files_of_two_writers_are_never_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second comes when the first has moved one of its two files."""
    replace, is_between, second_is_done = Path.replace, threading.Event(), threading.Event()

    def slowly(self: Path, target: Path) -> Path:
        moved = replace(self, target)
        if threading.current_thread() is first and target == tmp_path / "a":
            is_between.set()
            second_is_done.wait(0.5)
        return moved

    def write(who: str) -> None:
        with atomic_folder(tmp_path) as drafts:
            for name in ("a", "b"):
                (drafts / name).write_text(who)

    monkeypatch.setattr(Path, "replace", slowly)
    first = threading.Thread(target=write, args=("first",))
    first.start()
    assert is_between.wait(60)
    write("second")
    second_is_done.set()
    first.join()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "second", "b": "second"}


def _project(number: int) -> engine.Project:
    variables = tuple(Variable(name, Kind.CONTINUOUS) for name in ("x", "y"))
    table = engine.Dataset(variables, (np.full(200, float(number)), np.arange(200.0)), "table")
    return engine.Project(dataset=table, report={"number": number}, is_data_beside=True)


_SAVING = """
import sys
from pathlib import Path
import engine
from tests.engine.test_two_processes import _project
path, number, enough = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
while not enough.exists():
    number += 1
    engine.save_project(path, _project(number))
print(number)
"""


@_HOLDS_FOLDERS
def test_two_windows_that_save_one_project_leave_it_whole(tmp_path: Path) -> None:
    """As after "Open anyway": its values lie in a file beside it, which each removes that saves anew."""
    folder, enough = tmp_path / "studies", tmp_path / "enough"
    folder.mkdir()
    path = folder / "study.clcd"
    engine.save_project(path, _project(0))
    children = [_start("-c", _SAVING, str(path), str(first), str(enough)) for first in (0, 1_000_000)]
    seen: dict[bool, set[int]] = {False: set(), True: set()}
    # Of each window some, however long it takes to begin.
    while min(map(len, seen.values())) < 10:
        assert all(child.poll() is None for child in children)
        project = engine.open_project(path)
        number = project.report["number"]
        assert project.dataset.columns[0][0] == number
        seen[number > 1_000_000].add(number)
    enough.touch()
    last = {int(_ended(child)) for child in children}
    assert engine.open_project(path).report["number"] in last
    assert sorted(entry.suffix for entry in folder.iterdir()) == [".clcd", ".clcd-data"]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("name", ["study.clcd", "study.project"])
def test_a_save_that_finds_no_room_leaves_and_takes_no_values(
    name: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The values, the same as before or others, are written first and had found room; the project did not."""
    path = tmp_path / name
    engine.save_project(path, _project(1))
    before = files_of(tmp_path)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.project.project_files.write_json", refuse)
    with pytest.raises(UnwritableFile, match="no room left"):
        engine.save_project(path, _project(number))
    assert files_of(tmp_path) == before


# The unlucky order is replayed in test_kernel_cache.py, where processes that compile at once are.
@pytest.mark.long
def test_two_that_fill_the_kernel_cache_at_once_both_compute_right(tmp_path: Path) -> None:
    project = copy_of_the_engine(tmp_path)
    for number in range(10):
        places = {
            "PYTHONPATH": str(project),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(tmp_path / f"kernels-{number}"),
        }
        children = [
            _start("-P", "-c", QUESTION, **places, ASKED=seconds_asked) for seconds_asked in ("", "20.5")
        ]
        assert [float(_ended(child).split()[0]) for child in children] == [40, 41]
        for seconds_asked, value in (("", 40), ("20.5", 41)):
            again = ask(project, tmp_path, NUMBA_CACHE_DIR=places["NUMBA_CACHE_DIR"], ASKED=seconds_asked)
            assert again[0] == value


@_HOLDS_FOLDERS
@pytest.mark.long
@pytest.mark.parametrize("name", ["discover", "select"])
def test_two_commands_into_one_folder_leave_the_files_of_one(name: str, tmp_path: Path) -> None:
    def run(level: str, out: str) -> subprocess.Popen[str]:
        words = ("-P", "-m", "engine", *COMMANDS[name], f"--alpha={level}", "--quiet", "--out")
        return _start(*words, str(tmp_path / out))

    levels = ("0.001", "0.05")
    for level in levels:
        _ended(run(level, level))
    alone = [files_of(tmp_path / level) for level in levels]
    assert alone[0] != alone[1]
    for _ in range(5):
        for child in [run(level, "both") for level in levels]:
            _ended(child)
        assert files_of(tmp_path / "both") in alone
