"""Files appear whole or not at all, whatever goes wrong on the way."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine.atomic import (
    atomic_folder,
    atomic_path,
    check_folder,
    folder_for,
    new_folder,
    remove_abandoned,
    write_text,
)
from engine.errors import UnwritableFile

POSIX = os.name == "posix"


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "ünï\n")
    assert (tmp_path / "a.txt").read_bytes() == "ünï\n".encode()
    assert everything_in(tmp_path) == ["a.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_path(target) as path:
        path.write_text("half of the n")
        raise ZeroDivisionError
    assert target.read_text() == "old"
    assert everything_in(tmp_path) == ["a.csv"]


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), atomic_path(tmp_path / "a.csv") as path:
        path.write_text("half")
        raise KeyboardInterrupt
    assert everything_in(tmp_path) == []


def test_the_draft_keeps_the_endings_because_writers_go_by_them(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "table.csv.gz") as path:
        assert path.name.endswith(".csv.gz")
        assert path.parent == tmp_path


@pytest.mark.skipif(not POSIX, reason="permission bits are a POSIX idea")
def test_a_new_file_has_the_usual_permissions_and_a_replaced_one_keeps_its_own(tmp_path: Path) -> None:
    code = (
        "import os, sys; os.umask(0o027)\n"
        "from engine.atomic import write_text\n"
        "write_text(sys.argv[1], 'x'); write_text(sys.argv[2], 'x')"
    )
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("")
    old.chmod(0o600)
    subprocess.run([sys.executable, "-c", code, str(new), str(old)], check=True)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    assert stat.S_IMODE(old.stat().st_mode) == 0o600


@pytest.mark.skipif(not POSIX, reason="elsewhere a draft is only known as abandoned after a day")
def test_what_a_killed_writer_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from engine.atomic import atomic_folder, atomic_path\n"
        "with atomic_path(Path(sys.argv[1]) / 'a.csv') as one, atomic_folder(sys.argv[1]) as several:\n"
        "    one.write_text('half'); (several / 'b').write_text('half')\n"
        "    # As if killed while files take their places.\n"
        "    (Path(sys.argv[1]) / 'b').replace(several.parent / 'replaced' / 'b')\n"
        "    print('ready', flush=True); input()\n"
    )
    (tmp_path / "b").write_text("old")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout.readline() == b"ready\n"
        for path in tmp_path.iterdir():
            os.utime(path, (0, 0))
        assert remove_abandoned(tmp_path) == 0
        child.kill()
    assert remove_abandoned(tmp_path) == 2
    assert everything_in(tmp_path) == ["b"] and (tmp_path / "b").read_text() == "old"


_KILLED_AT_A_MOVE = """
import os, sys
from pathlib import Path
from engine.atomic import atomic_folder
replace, moves = Path.replace, int(sys.argv[2])
def counted(self, target):
    global moves
    if moves == 0:
        os._exit(9)
    moves -= 1
    return replace(self, target)
Path.replace = counted
with atomic_folder(sys.argv[1], without=["stale"]) as drafts:
    for name in ("a", "b"):
        (drafts / name).write_text("killed")
"""
_EARLIER = {"a": "earlier", "b": "earlier", "stale": "earlier"}


def _killed_at(move: int, folder: Path) -> None:
    """Have a process write `a` and `b` over earlier files, take `stale` away, and end at one of its moves."""
    with atomic_folder(folder) as drafts:
        for name, text in _EARLIER.items():
            (drafts / name).write_text(text)
    code = [sys.executable, "-c", _KILLED_AT_A_MOVE, str(folder), str(move)]
    assert subprocess.run(code, check=False).returncode == (9 if move < 5 else 0)
    for path in folder.glob(".*"):
        os.utime(path, (0, 0))


def _texts_in(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@pytest.mark.skipif(not POSIX, reason="elsewhere a draft is only known as abandoned after a day")
@pytest.mark.parametrize("move", range(6))
def test_a_writer_killed_at_any_move_leaves_all_earlier_files_or_all_new_ones(
    move: int, tmp_path: Path
) -> None:
    _killed_at(move, tmp_path)
    remove_abandoned(tmp_path)
    assert _texts_in(tmp_path) in (_EARLIER, {"a": "killed", "b": "killed"})
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(not POSIX, reason="elsewhere a draft is only known as abandoned after a day")
def test_what_is_written_after_a_kill_is_not_replaced_by_earlier_files(tmp_path: Path) -> None:
    """A window has looked through the folder once, before a command was killed there."""
    for move in range(5):
        several, one = tmp_path / f"several {move}", tmp_path / f"one {move}"
        _killed_at(move, several)
        with atomic_folder(several, without=["stale"]) as drafts:
            for name in ("a", "b"):
                (drafts / name).write_text("later")
        remove_abandoned(several)
        assert _texts_in(several) == {"a": "later", "b": "later"}, move
        _killed_at(move, one)
        write_text(one / "a", "later")
        remove_abandoned(one)
        assert _texts_in(one) == {**_EARLIER, "a": "later"}, move


@pytest.mark.skipif(not POSIX, reason="links need rights elsewhere")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_folder_of_that_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match=r"a folder has this name\. Choose another name"):
        write_text(tmp_path, "x")


@pytest.mark.skipif(not POSIX, reason="/dev is a POSIX idea")
def test_a_device_is_never_replaced() -> None:
    with pytest.raises(UnwritableFile, match="device"):
        write_text("/dev/null", "x")
    assert not Path("/dev/null").is_file()


def test_an_absent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="its folder does not exist") as caught:
        write_text(tmp_path / "no" / "a.txt", "x")
    assert str(tmp_path / "no" / "a.txt") in caught.value.place
    with pytest.raises(UnwritableFile, match="a file has the name of its folder"):
        (tmp_path / "file").write_text("")
        write_text(tmp_path / "file" / "a.txt", "x")


@pytest.mark.skipif(not POSIX, reason="names have other limits elsewhere")
def test_a_name_that_is_too_long_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="too long"):
        write_text(tmp_path / ("a" * 300), "x")


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (errno.ENOSPC, "no room left"),
        (errno.EFBIG, "does not allow files of this size"),
        (errno.EROFS, "disk is read-only"),
        (errno.EACCES, "do not have the right to write"),
        (errno.EIO, "cannot be written"),
    ],
)
def test_what_the_system_reports_becomes_a_sentence(tmp_path: Path, number: int, word: str) -> None:
    with pytest.raises(UnwritableFile, match=word), atomic_path(tmp_path / "a") as path:
        path.write_text("half")
        raise OSError(number, os.strerror(number))
    assert everything_in(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    with (
        pytest.raises(UnwritableFile, match="no room left"),
        atomic_path(tmp_path / "a"),
        Path("/dev/full").open("w") as full,
    ):
        full.write("x" * 100000)
    assert everything_in(tmp_path) == []


def test_a_folder_is_filled_at_once_and_keeps_its_other_files(tmp_path: Path) -> None:
    out = tmp_path / "new" / "deeper"
    with atomic_folder(out) as drafts:
        (drafts / "a").write_text("1")
        (drafts / "b").write_text("2")
        assert not (out / "a").exists()
    assert everything_in(out) == ["a", "b"]
    with atomic_folder(out) as drafts:
        (drafts / "b").write_text("3")
    assert {path.name: path.read_text() for path in out.iterdir()} == {"a": "1", "b": "3"}


def test_a_failure_leaves_no_folder_that_was_not_there(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), atomic_folder(tmp_path / "new" / "deeper") as drafts:
        (drafts / "a").write_text("half")
        raise ZeroDivisionError
    assert everything_in(tmp_path) == []


def test_a_file_that_cannot_be_replaced_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").mkdir()
    with pytest.raises(UnwritableFile, match="a folder has this name"), atomic_folder(tmp_path) as drafts:
        (drafts / "a").write_text("new")
        (drafts / "b").write_text("new")
    assert (tmp_path / "a").read_text() == "old"
    assert everything_in(tmp_path) == ["a", "b"]


def test_a_failure_between_two_moves_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"old {name}")
    replace = Path.replace

    def locked(self: Path, target: Path) -> Path:
        if self.name == "b" and self.parent == tmp_path:
            raise PermissionError(errno.EACCES, "the file is open elsewhere")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", locked)
    with pytest.raises(UnwritableFile, match="Close the program"), atomic_folder(tmp_path) as drafts:
        for name in ("a", "b", "c"):
            (drafts / name).write_text(f"new {name}")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old a", "b": "old b"}


def test_folders_that_were_made_in_vain_are_removed(tmp_path: Path) -> None:
    deeper = tmp_path / "new" / "deeper"
    with pytest.raises(UnwritableFile, match="no room left"), folder_for(deeper):
        assert deeper.is_dir()
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))
    assert everything_in(tmp_path) == []
    with folder_for(deeper):
        write_text(deeper / "a", "1")
    with pytest.raises(ZeroDivisionError), folder_for(deeper / "deepest"):
        raise ZeroDivisionError
    assert everything_in(tmp_path) == ["new", "new/deeper", "new/deeper/a"]


def test_a_new_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    goal = tmp_path / "above" / "new"
    with pytest.raises(UnwritableFile, match="no room left"), new_folder(goal) as draft:
        (draft / "half").write_text("")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert everything_in(tmp_path) == []
    with new_folder(goal) as slower:
        (slower / "a").write_text("slower")
        with new_folder(goal) as quicker:
            (quicker / "a").write_text("quicker")
        assert (goal / "a").read_text() == "quicker"
    assert everything_in(goal.parent) == ["new", "new/a"] and (goal / "a").read_text() == "quicker"


def test_checking_a_folder_makes_nothing(tmp_path: Path) -> None:
    check_folder(tmp_path / "new" / "deeper")
    assert everything_in(tmp_path) == []
    (tmp_path / "file").write_text("")
    for place in ("file", "file/deeper"):
        with pytest.raises(UnwritableFile, match="a file has the name"):
            check_folder(tmp_path / place)


@pytest.mark.skipif(not POSIX or os.geteuid() == 0, reason="nothing is closed to the administrator")
def test_closed_places_are_refused(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(UnwritableFile, match="do not have the right to write"):
        check_folder(closed / "new")
    with pytest.raises(UnwritableFile, match="do not have the right to write"):
        write_text(closed / "a", "x")
    read_only = tmp_path / "a"
    read_only.write_text("old")
    read_only.chmod(0o400)
    with pytest.raises(UnwritableFile, match="read-only"):
        write_text(read_only, "x")
