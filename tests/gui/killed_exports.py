"""Kills a window at random instants of exporting, and looks at what is left in the folder and runs on.

By hand, and resumable, as what was done is in the record::

    python -m tests.gui.killed_exports --times 80 --folder FOLDER

A child opens a project with a result and its selection, and exports again and again, by the menus:
everything into a folder, single files, pictures of the graph and the grid, the selection. When it is killed,
every file in the folder must be whole, that of before or the new one, its processes must end by themselves,
and whoever writes next leaves nothing else there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import engine
from engine.atomic import remove_abandoned
from tests.engine.killed_commands import age, files_of, kill_after, left_among_temporary, start

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

PROJECT, OUT, RECORD = "study.clcd", "out", "record.jsonl"
_UNDISTURBED, _DONE = "undisturbed", "done.txt"
_SELECTION = "selection"
EXPORTS = ("folder", "report", "report-pdf", "tables", "graph.svg", "graph.pdf", "grid.png", _SELECTION)
_SECONDS_TO_BEGIN = 120.0


@dataclass(frozen=True)
class Killed:
    """What was found after a window was killed.

    Attributes
    ----------
    seed : int
    during : str
        The export that had begun and not ended.
    broken : list of str
        Files that were not whole after it.
    lost : list of str
        Files that were there before it and cannot be put back.
    orphans : int
        Processes of it that did not end.
    left : list of str
        What else is there after whoever writes next has come.
    """

    seed: int
    during: str
    broken: list[str]
    lost: list[str]
    orphans: int
    left: list[str]

    @property
    def is_well(self) -> bool:
        """Nothing is broken, lost, runs on, or is left."""
        return not (self.broken or self.lost or self.orphans or self.left)


def kills(
    folder: Path, times: int, exports: Sequence[str] = EXPORTS, longest: float = 5.0
) -> Iterator[Killed]:
    """Kill as often as is asked, and give what is found each time."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / PROJECT).exists():
        save_example(folder / PROJECT)
    record = folder / RECORD
    done = len(record.read_text().splitlines()) if record.exists() else 0
    # What an undisturbed window writes, each once.
    child = _start(folder, folder / _UNDISTURBED, 0, exports, "--once")
    _, errors = child.communicate(timeout=600)
    assert child.returncode == 0, errors.decode()
    shutil.copytree(folder / _UNDISTURBED, folder / OUT, dirs_exist_ok=True)
    for seed in range(done, times):
        killed = _kill(folder, seed, exports, longest)
        with record.open("a") as file:
            file.write(json.dumps(asdict(killed)) + "\n")
        yield killed


def save_example(path: Path) -> None:
    """Save a project with a small table, and what is found in it."""
    network = engine.simulate(labels=3, features=12, rows=400, seed=1)
    settings, preparation = engine.DiscoverySettings(), engine.PreparationSettings()
    result = engine.discover(network.dataset, settings)
    run = engine.Run("First run", settings, result, preparation, source=network.dataset)
    engine.save_project(path, engine.Project(dataset=network.dataset, runs=(run,), shown=run.name))


def _start(
    folder: Path, out: Path, seed: int, exports: Sequence[str], *words: str
) -> subprocess.Popen[bytes]:
    (folder / _DONE).write_text("")
    module = ["-m", "tests.gui.killed_exports", "--child", str(folder), str(out), str(seed)]
    return start([*module, "--exports", ",".join(exports), *words], folder / OUT)


def _kill(folder: Path, seed: int, exports: Sequence[str], longest: float) -> Killed:
    out, done = folder / OUT, folder / _DONE
    whole = files_of(folder / _UNDISTURBED, is_drawn=True)
    before = files_of(out, is_drawn=True)
    child = _start(folder, out, seed, exports)
    deadline = time.monotonic() + _SECONDS_TO_BEGIN
    while child.poll() is None and "begun" not in done.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert child.poll() is None and "begun" in done.read_text(), "the window does not export"
    _, orphans = kill_after(child, random.Random(seed).uniform(0.0, longest))
    happened = [line.split() for line in done.read_text().split("\n")[:-1]]
    assert not [event for event in happened if event[0] == "failed"], happened
    during = happened[-1][1] if happened[-1][0] == "begun" else ""
    written = files_of(out, is_drawn=True)
    broken = [name for name, content in written.items() if name in whole and content != whole[name]]
    age(out)
    remove_abandoned(out)
    after = files_of(out, is_drawn=True)
    lost = [name for name in before if after.get(name) != whole.get(name)]
    left = [name for name in after if name not in whole]
    left += left_among_temporary(out)
    return Killed(seed, during, broken, lost, orphans, left)


def _child(folder: Path, out: Path, seed: int, exports: Sequence[str], once: bool) -> None:
    from PySide6.QtCore import QSettings, QTimer

    from clcd_gui.app import make_application, make_window
    from clcd_gui.widgets.dialogs import ExportDialogs

    class IntoFolder(ExportDialogs):
        def choose_file(self, parent: QWidget, title: str, suggested: Path) -> Path | None:
            return out / suggested.name

        def choose_folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
            return out

        def may_replace(self, parent: QWidget | None, paths: Sequence[Path]) -> bool:
            return True

    out.mkdir(exist_ok=True)
    application = make_application(["clcd-gui"])
    window = make_window(application, QSettings(str(folder / "habits.ini"), QSettings.Format.IniFormat))
    window.show()
    chance, waiting = random.Random(seed), list(exports)
    with (folder / _DONE).open("a", buffering=1) as done:

        def export() -> None:
            if once and not waiting:
                window.close()
                application.quit()
                return
            name = waiting.pop(0) if once else chance.choice(exports)
            done.write(f"begun {name}\n")
            if name == _SELECTION:
                selection.ask()
                assert selection.dialog is not None
                selection.dialog.choose.click()
                selection.dialog.write_button.click()
            else:
                actions.actions_by_name[name].trigger()

        def begin() -> None:
            session, result = window.session, window.session.document.result
            is_measured = result is not None and result.effects is not None
            if (
                is_measured
                and session.selecting.state is SelectingState.DONE
                and not session.controller.sizes.is_busy
            ):
                export()
                return
            if is_measured and window.page("results").is_filled:
                # Sizes are measured while results are looked at, and features selected while these are.
                window.rail.button("selection").click()
            QTimer.singleShot(50, begin)

        def look_at_pages() -> None:
            nonlocal actions, selection
            window.rail.button("results").click()
            selection, actions = window.page("selection").export, window.page("results").export_actions
            for exporter in (selection, actions):
                exporter.dialogs = IntoFolder()
                exporter.written.connect(lambda *_: (done.write("written\n"), QTimer.singleShot(0, export)))
                exporter.failed.connect(lambda failure: done.write(f"failed {failure}\n"))
            begin()

        from clcd_gui.run.running import SelectingState

        actions = selection = None
        window.session.opening.opened.connect(look_at_pages)
        window.open_path(folder / PROJECT)
        application.exec()


def main() -> None:
    """Kill, and say what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=80)
    parser.add_argument("--folder", type=Path, default=Path("killed-exports"))
    parser.add_argument("--child", nargs=3)
    parser.add_argument("--exports", default=",".join(EXPORTS))
    parser.add_argument("--once", action="store_true")
    arguments = parser.parse_args()
    exports = tuple(arguments.exports.split(","))
    if arguments.child is not None:
        _child(
            Path(arguments.child[0]),
            Path(arguments.child[1]),
            int(arguments.child[2]),
            exports,
            arguments.once,
        )
        return
    for killed in kills(arguments.folder, arguments.times, exports):
        sys.stdout.write(f"{'well' if killed.is_well else 'WRONG'}: {killed}\n")
        sys.stdout.flush()
    lines = (arguments.folder / RECORD).read_text().splitlines()
    everything = [Killed(**json.loads(line)) for line in lines]
    during = sum(bool(killed.during) for killed in everything)
    wrong = sum(not killed.is_well for killed in everything)
    sys.stdout.write(f"{len(everything)} kills, {during} while something was exported; {wrong} went wrong.\n")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main()
