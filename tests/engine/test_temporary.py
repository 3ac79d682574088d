"""What a killed process worked on is removed by the next one, and nothing that somebody still works on."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from engine.atomic import TemporaryFolder

_WORK = """
from engine.atomic import TemporaryFolder
with TemporaryFolder() as folder:
    (folder / "arrays").write_text("rows of a person's table")
    print(folder, flush=True)
    input()
"""


def test_a_folder_goes_with_its_block() -> None:
    with pytest.raises(ZeroDivisionError), TemporaryFolder() as folder:
        (folder / "deeper").mkdir()
        raise ZeroDivisionError
    assert not folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody knows whether a folder is still held")
def test_what_a_killed_process_left_is_removed_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    somebody = tmp_path / "elsewhere"
    somebody.mkdir()
    (somebody / "notes.txt").write_text("not ours")
    (tmp_path / "clcd-work-link").symlink_to(somebody)
    with subprocess.Popen(
        [sys.executable, "-c", _WORK],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        left = Path(child.stdout.readline().strip())
        assert left.parent == tmp_path
        for path in tmp_path.iterdir():
            os.utime(path, (0, 0), follow_symlinks=False)
        with TemporaryFolder():
            assert (left / "arrays").exists(), "somebody works on it"
        child.kill()
    with TemporaryFolder() as folder:
        assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", "clcd-work-link", folder.name}
    assert (somebody / "notes.txt").read_text() == "not ours"


_WORKBOOK = """
from pathlib import Path
from engine.reporting.table_files import write_workbook
def waiting():
    print("ready", flush=True)
    input()
    yield ["a"]
write_workbook([("One", [["a"], ["rows of a person's table"]]), ("Two", waiting())], Path("table.xlsx"))
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody knows whether a folder is still held")
def test_a_workbook_that_is_killed_leaves_nothing_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", _WORKBOOK],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        child.kill()
    for path in tmp_path.iterdir():
        os.utime(path, (0, 0))
    with TemporaryFolder() as folder:
        assert list(tmp_path.iterdir()) == [folder]
