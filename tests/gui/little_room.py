"""Works where there is little room or none, and looks at what is said, what is lost and what is left.

By hand, in a folder of its own on a disk that is full, or where a person's share is used up. As root::

    mount -t tmpfs -o size=8m tmpfs PLACE

makes a small disk, and a share that the system refuses to exceed (``Disk quota exceeded``) is made by::

    truncate -s 600M image && mkfs.btrfs -q image && mkdir -p disk && mount -o loop image disk
    btrfs quota enable disk && btrfs subvolume create disk/PLACE && btrfs qgroup limit 8M disk/PLACE

Then, as often as one likes::

    python -m tests.gui.little_room --place PLACE

All that is in PLACE is deleted. It is home and folder for everything that is written; so many kilobytes are
left of it. Each command ends well or with one sentence, and what an earlier run has written is as it was. The
window says a sentence for everything that it cannot write. ``--read-only`` leaves PLACE as it is, for a home
that may not be written, below ``setpriv --bounding-set=-all --inh-caps=-all`` where the person is root.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import platformdirs

from tests.engine.killed_commands import COMMANDS, files_of
from tests.gui.killed_exports import save_example

_ROOT = Path(__file__).parents[2]
_BALLAST, _PIECE = "ballast", 4096
_KILOBYTES = (0, 16, 64, 400)
_EXPORTS = ("folder", "report-pdf", "report-word", "tables", "graph.svg", "graph.pdf", "grid.png", "common")
_MOST_SECONDS = 60.0


def tries(place: Path, kilobytes: int | None) -> Iterator[tuple[str, str]]:
    """Give for everything that is done its name, and what is wrong with its end; nothing when it is well."""
    with tempfile.TemporaryDirectory() as elsewhere:
        for name, words in COMMANDS.items():
            out, whole = place / "out", Path(elsewhere) / name
            if kilobytes is None:
                yield name, _command(words, out, place, {})
                continue
            _empty(place)
            assert not _command(words, whole, Path(elsewhere), {})
            shutil.rmtree(whole / "runs", ignore_errors=True)
            shutil.copytree(whole, out)
            _fill(place, kilobytes)
            yield name, _command(words, out, place, files_of(whole, is_drawn=True))
        if kilobytes is not None:
            _empty(place)
            _fill(place, kilobytes)
        project = Path(elsewhere) / "study.clcd"
        save_example(project)
        yield "window", _window(project, place)


def _empty(place: Path) -> None:
    for path in place.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    os.sync()


def _fill(place: Path, kilobytes: int) -> None:
    """Leave so much room, and no more."""
    (place / "room").write_bytes(os.urandom(1024 * kilobytes))
    os.sync()
    with suppress(OSError), (place / _BALLAST).open("wb", buffering=0) as ballast:
        while ballast.write(os.urandom(_PIECE)):
            pass
    os.sync()
    (place / "room").unlink()
    os.sync()


def _start(words: list[str], home_folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program whose home is limited; kernels are where they were, as compiling them takes a minute."""
    places = {"HOME": str(home_folder), "XDG_CACHE_HOME": str(platformdirs.user_cache_path())}
    return subprocess.run(
        [sys.executable, "-P", *words],
        env={**os.environ, "PYTHONPATH": str(_ROOT), "QT_QPA_PLATFORM": "offscreen", **places},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def _command(
    words: tuple[str, ...] | list[str], out: Path, home_folder: Path, whole: Mapping[str, bytes]
) -> str:
    done = _start(["-m", "engine", *words, "--quiet", "--out", str(out)], home_folder)
    written = files_of(out, is_drawn=True)
    drafts = [name for name in written if Path(name).name.startswith(".")]
    changed = [name for name, content in whole.items() if written.get(name) != content]
    sentences = [line for line in done.stderr.splitlines() if line]
    is_said = len(sentences) == 1 and sentences[0].startswith("clcd: ") and "internal" not in sentences[0]
    if drafts or changed or not (is_said or (done.returncode == 0 and not sentences)):
        return f"status {done.returncode}, {sentences}, drafts {drafts}, changed {changed}"
    return ""


def _window(project: Path, place: Path) -> str:
    done = _start(["-m", "tests.gui.little_room", "--child", str(project), "--place", str(place)], place)
    lines = done.stdout.splitlines()
    drafts = [path.name for path in place.rglob(".clcd-draft-*")]
    empty = [path.name for path in place.glob("*.*") if path.is_file() and path.stat().st_size == 0]
    wrong = [line for line in lines if not line.startswith(("well", "said"))]
    if wrong or drafts or empty or done.returncode or "Traceback" in done.stderr or len(lines) < 10:
        return f"status {done.returncode}, {wrong or lines}, {done.stderr}, drafts {drafts}, empty {empty}"
    return ""


def _child(project: Path, place: Path) -> None:
    from PySide6.QtWidgets import QApplication, QWidget

    from clcd_gui.app import make_application, make_window, state_folder
    from clcd_gui.document.crash_log import CrashLog
    from clcd_gui.document.recovery import RecoveryStore
    from clcd_gui.run.failure import RunFailure
    from clcd_gui.widgets.dialogs import Dialogs, ExportDialogs, Unsaved

    class Answering(Dialogs):
        def ask_about_unsaved(self, parent: QWidget | None, name: str) -> Unsaved:
            return Unsaved.DISCARD

    class IntoPlace(ExportDialogs):
        def choose_file(self, parent: QWidget, title: str, suggested: Path) -> Path | None:
            return place / suggested.name

        def choose_folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
            return place / "exported"

    ended: list[str] = []

    def fail(failure: RunFailure) -> None:
        ended.append(f"FAULT {failure.details}" if failure.details else f"said {failure.sentence}")

    def succeed(*_: object) -> None:
        ended.append("well")

    def wait_for_one() -> None:
        end = time.monotonic() + _MOST_SECONDS
        while not ended and time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.01)
        sys.stdout.write(" ".join(ended.pop(0).split()) + "\n" if ended else "NOTHING is said\n")
        sys.stdout.flush()

    make_application(["clcd-gui"])
    window = make_window(QApplication.instance(), None, Answering())
    session = window.session
    window.show()
    crashes = CrashLog(state_folder() / "crashes")
    crashes.begin()
    session.opening.opened.connect(succeed)
    window.open_path(project)
    wait_for_one()
    session.autosave.failed.connect(fail)
    session.autosave.begin(RecoveryStore(state_folder() / "recovery"), 0.1)
    session.document.presentation.change_report({"count": 1}, "count")
    deadline = time.monotonic() + _MOST_SECONDS
    while not session.autosave.is_kept and not ended and time.monotonic() < deadline:
        QApplication.processEvents()
    if session.autosave.is_kept:
        succeed()
    wait_for_one()
    session.saving.failed.connect(fail)
    session.saving.saved.connect(succeed)
    session.saving.save(place / "study.clcd")
    wait_for_one()
    exports = window.page("results").export_actions
    exports.dialogs = IntoPlace()
    exports.written.connect(succeed)
    exports.failed.connect(fail)
    for name in _EXPORTS:
        exports.actions_by_name[name].trigger()
        wait_for_one()
    window.close()
    crashes.end()


def main() -> None:
    """Try everything, and say what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--place", type=Path, required=True)
    parser.add_argument("--read-only", action="store_true")
    parser.add_argument("--kilobytes", type=int, nargs="*", default=_KILOBYTES)
    parser.add_argument("--child", type=Path)
    arguments = parser.parse_args()
    if arguments.child is not None:
        _child(arguments.child, arguments.place)
        return
    for kilobytes in (None,) if arguments.read_only else arguments.kilobytes:
        for name, wrong in tries(arguments.place, kilobytes):
            room = "read-only" if kilobytes is None else f"{kilobytes} kB of room"
            sys.stdout.write(f"{'WRONG' if wrong else 'well'}: {room}, {name} {wrong}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
