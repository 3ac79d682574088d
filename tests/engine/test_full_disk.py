"""Where there is no room nothing half-written is left, and one sentence says so."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.comparison.page import StoredValues
from engine.errors import UnwritableFile
from tests.engine.test_kernel_cache import QUESTION, copy_of_the_engine

pytest.importorskip("resource", reason="the size of files is limited by the system")

_LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
"""
_WORKBOOK = """
from engine.errors import EngineError
from engine.atomic import atomic_folder, atomic_path
from engine.reporting.table_files import write_workbook
rows = [["a", "b"]] + [[str(n * n), n * 1.7] for n in range({rows})]
try:
    with atomic_path("table.xlsx") as path:
        write_workbook([("One", rows), ("Two", rows)], path)
except EngineError as error:
    print(error)
try:
    with atomic_folder("out") as folder, atomic_path(folder / "text.txt") as path:
        path.write_text("x" * 5000)
except EngineError as error:
    print(error)
"""


def _run(program: str, folder: Path, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("rows", "place", "words"),
    [(3000, "folder '{folder}", "no room left"), (10, "'table.xlsx'", "does not allow files of this size")],
)
def test_a_workbook_that_finds_no_room(rows: int, place: str, words: str, tmp_path: Path) -> None:
    drafts = tmp_path / "temporary"
    drafts.mkdir()
    program = f"{_LIMITED}{_WORKBOOK.format(rows=rows)}"
    workbook, text = _run(program, tmp_path, TMPDIR=str(drafts))
    assert workbook.startswith(f"{place.format(folder=tmp_path)}") and words in workbook
    # The place that is named is the one that was asked for, and not that of a draft.
    assert text.startswith("'out': the system does not allow files of this size. Choose another place")
    assert list(tmp_path.iterdir()) == [drafts] and not list(drafts.iterdir())


_NOWHERE = """
import resource
import engine
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from engine.errors import EngineError
from engine.reporting.table_files import write_workbook

def workbook():
    write_workbook([("One", [["a"], ["b"]])], Path("table.xlsx"))

def processes():
    engine.discover(table, executor=executor)

def comparison():
    # Needs no temporary file.
    settings = engine.SelectionComparisonSettings(splits=2, methods=("random",), percentages=(50,), workers=2)
    print(len(engine.compare_selections([table], settings).outcomes))

if __name__ == "__main__":
    table = engine.simulate(labels=2, features=4, rows=200, seed=1).dataset
    executor = ProcessPoolExecutor(1, get_context("spawn"))
    # Python looks for a folder that takes temporary files, and finds none where the whole disk is full.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    for work in (workbook, processes):
        try:
            work()
        except EngineError as error:
            print(error)
    comparison()
"""


def test_where_no_temporary_file_finds_room_a_sentence_says_so(tmp_path: Path) -> None:
    *messages, compared = _run(_NOWHERE, tmp_path)
    assert len(messages) == 2 and compared == "2"
    for message in messages:
        assert "temporary files" in message and "TMPDIR" in message and "does not exist" not in message
    assert not list(tmp_path.iterdir())


def test_a_kernel_that_cannot_be_kept_is_used(tmp_path: Path) -> None:
    project = copy_of_the_engine(tmp_path)
    kernels = tmp_path / "kernels"
    paths = {"PYTHONPATH": str(project), "NUMBA_CACHE_DIR": str(kernels)}
    value, counts, _ = _run(f"{_LIMITED}{QUESTION}", tmp_path, **paths)
    assert (int(value), counts) == (40, "0 1")
    assert not [path for path in kernels.rglob("*") if path.is_file() and path.stat().st_size >= 4096]


_OUTCOME = """
from engine.comparison.page import StoredValues
from engine.errors import EngineError
try:
    StoredValues("out/runs").put("cell", {"seed": 1}, {"scores": "x" * 5000})
except EngineError as error:
    print(error)
"""


def test_a_comparison_that_can_keep_nothing_leaves_no_folder(tmp_path: Path) -> None:
    (message,) = _run(f"{_LIMITED}{_OUTCOME}", tmp_path)
    assert "does not allow files of this size" in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_comparison_that_may_make_no_folder_says_so(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UnwritableFile, match="no room left"):
        StoredValues(tmp_path / "out" / "runs").put("cell", {"seed": 1}, {"scores": 1.0})
