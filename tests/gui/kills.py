"""Kills a program at random instants of saving and keeping, and looks at what is left.

By hand, and resumable, as what was done is in the record::

    python -m tests.gui.kills --times 200 --folder FOLDER

A child changes an analysis every few milliseconds, saves it again and again, and keeps what is not saved. It
writes down what it did. When it is killed, the project must hold all that was saved, and project or recovery
what was done before the last 30 s. The next child goes on from there, as a person would.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TextIO

import numpy as np

import engine
from clcd_gui.document.project_lock import ProjectLock
from clcd_gui.document.recovery import RecoveryStore

PROJECT, KEPT, DONE, RECORD = "study.clcd", "kept", "done.txt", "record.jsonl"
ROWS, COLUMNS = 4_000, 40
LONGEST_BEHIND = 30.0
_EDIT_MILLISECONDS = 7
_SAVE_MILLISECONDS = 150
_SECONDS_BETWEEN = 0.1


@dataclass(frozen=True)
class Killed:
    """What was found after a child was killed.

    Attributes
    ----------
    seed : int
    while_saving : bool
        It was killed between the beginning and the end of a save.
    saved, kept, done : int
        Changes that were said to be saved, are found again, and were made.
    behind : float
        Seconds from the first change that is lost to the end; 0 where none is.
    """

    seed: int
    while_saving: bool
    saved: int
    kept: int
    done: int
    behind: float

    @property
    def is_well(self) -> bool:
        """Nothing that was saved is lost, and at most 30 s of the rest."""
        return self.saved <= self.kept <= self.done and self.behind <= LONGEST_BEHIND


def kills(folder: Path, times: int, first_seed: int = 0, pause: float = 1.0) -> Iterator[Killed]:
    """Kill as often as is asked, and give what is found each time."""
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / RECORD
    before = record.read_text().splitlines() if record.exists() else []
    for seed in range(first_seed + len(before), first_seed + times):
        killed = _kill(folder, seed, pause)
        with record.open("a") as file:
            file.write(json.dumps(asdict(killed)) + "\n")
        yield killed


def recorded(folder: Path) -> list[Killed]:
    """Everything that was found so far."""
    return [Killed(**json.loads(line)) for line in (folder / RECORD).read_text().splitlines()]


def _kill(folder: Path, seed: int, pause: float) -> Killed:
    done = folder / DONE
    done.write_text("")
    start = found_again(folder)
    command = [sys.executable, "-m", "tests.gui.kills", "--child", str(folder), str(start), str(seed)]
    child = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    try:
        while child.poll() is None and "saved" not in done.read_text():
            time.sleep(0.01)
        assert child.poll() is None, "the child ended by itself"
        time.sleep(random.Random(seed).uniform(0.0, pause))
    finally:
        child.kill()
        ended = time.monotonic()
        child.wait()
    happened = [line.split() for line in done.read_text().split("\n")[:-1]]
    saved = max((int(number) for word, number, _ in happened if word == "saved"), default=0)
    begun = max((int(number) for word, number, _ in happened if word == "saving"), default=0)
    changes = {int(number): float(when) for word, number, when in happened if word == "done"}
    lock = ProjectLock(folder / PROJECT)
    assert lock.take(), "a lock outlives its process"
    lock.release()
    kept = found_again(folder)
    lost = [when for number, when in changes.items() if number > kept]
    behind = ended - min(lost) if lost else 0.0
    return Killed(seed, begun > saved, saved, kept, max(changes, default=start), behind)


def found_again(folder: Path) -> int:
    """Return the latest change that the project or a recovery holds; every one of these opens."""
    store = RecoveryStore(folder / KEPT)
    paths = [recovery.path for recovery in store.left_behind()]
    store.abandon()
    if (folder / PROJECT).exists():
        paths.append(folder / PROJECT)
    return max((_count(engine.open_project(path)) for path in paths), default=0)


def _count(project: engine.Project) -> int:
    count = int(project.report["count"])
    # The table is that of the same moment.
    assert project.dataset.columns[0][0] == count // 10
    return count


def _child(folder: Path, start: int, seed: int) -> None:
    from PySide6.QtCore import QCoreApplication, Qt, QTimer

    from clcd_gui.document.column_summary import summarise
    from clcd_gui.run.session import Session
    from engine.readers.reading import Reading

    application = QCoreApplication([])
    session = Session()
    document = session.document
    values = np.random.default_rng(seed).random((COLUMNS, ROWS))
    table = _table(values, start)
    summaries = [summarise(*pair) for pair in zip(table.variables, table.columns, strict=True)]
    document.open(Reading(table, folder / "table.csv", "csv"), summaries)
    autosave = session.autosave

    def go_on() -> None:
        """Go on from what was kept last, as it was opened again, and discard the rest."""
        for number, recovery in enumerate(autosave.left_behind):
            (autosave.discard if number else autosave.take_back)(recovery)

    autosave.left_behind_changed.connect(go_on, Qt.ConnectionType.SingleShotConnection)
    autosave.begin(RecoveryStore(folder / KEPT), _SECONDS_BETWEEN)
    count, saving = start, 0
    with (folder / DONE).open("a", buffering=1) as done:

        def change() -> None:
            nonlocal count
            count += 1
            document.undo_stack.beginMacro("change")
            if count % 10 == 0:
                assert document.analysis is not None
                document.change(replace(document.analysis, dataset=_table(values, count)), "values")
            document.presentation.change_report({"count": count}, "count")
            document.undo_stack.endMacro()
            document.undo_stack.clear()
            _record(done, "done", count)

        def save() -> None:
            nonlocal saving
            if not session.saving.is_busy and random.random() < 0.5:
                saving = count
                _record(done, "saving", saving)
                session.saving.save(folder / PROJECT)

        session.saving.saved.connect(lambda: _record(done, "saved", saving))
        timers = []
        for act, milliseconds in ((change, _EDIT_MILLISECONDS), (save, _SAVE_MILLISECONDS)):
            timer = QTimer()
            timer.timeout.connect(act)
            timer.start(milliseconds)
            timers.append(timer)
        change()
        application.exec()


def _table(values: np.ndarray, count: int) -> engine.Dataset:
    from engine.table.variable import Kind, Variable

    first = np.full(ROWS, float(count // 10))
    variables = tuple(Variable(f"x{number}", Kind.CONTINUOUS) for number in range(COLUMNS + 1))
    return engine.Dataset(variables, (first, *values), "table")


def _record(file: TextIO, word: str, number: int) -> None:
    file.write(f"{word} {number} {time.monotonic()}\n")


def main() -> None:
    """Kill, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("kills"))
    parser.add_argument("--child", nargs=3)
    arguments = parser.parse_args()
    if arguments.child is not None:
        _child(Path(arguments.child[0]), int(arguments.child[1]), int(arguments.child[2]))
        return
    for killed in kills(arguments.folder, arguments.times, arguments.seed):
        sys.stdout.write(f"{'well' if killed.is_well else 'LOST'}: {killed}\n")
        sys.stdout.flush()
    all_killed = recorded(arguments.folder)
    behind = [killed.behind for killed in all_killed]
    saving = sum(killed.while_saving for killed in all_killed)
    sys.stdout.write(
        f"{len(all_killed)} kills, {saving} while a project was saved; "
        f"{sum(not killed.is_well for killed in all_killed)} lost something. "
        f"Behind: median {statistics.median(behind):.2f} s, most {max(behind):.2f} s.\n"
    )


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main()
