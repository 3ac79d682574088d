"""Kills commands of the terminal at random instants, and looks at what is left and what the next run makes.

By hand, and resumable, as what was done is in the record::

    python -m tests.engine.killed_commands --times 300 --folder FOLDER

A command writes into a folder that an earlier run has filled. When it is killed, every file there must be
whole: that of the earlier run, or the new one, which are the same. Its children must end by themselves. The
command is then run to its end: nothing else may be left, and all must be as it is when nobody is killed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_TABLE = _ROOT / "resources" / "examples" / "hospital-survey.csv"
_GIVEN = (str(_TABLE), "--labels-file", str(_TABLE.with_suffix(".xml")), "--algorithm", "hiton-mb")
_FORMATS = (
    "forest-plot",
    "label-sets-png",
    "methods",
    "latex",
    "script",
    "evidence",
    "features",
    "data-arff",
)
COMMANDS: dict[str, Sequence[str]] = {
    "discover": ("discover", *_GIVEN),
    "select": ("select", *_GIVEN),
    "export": ("discover", *_GIVEN, *(f"--also={each}" for each in _FORMATS)),
}
_SECONDS_TO_END = 20.0
_SECONDS_UNTIL_ABANDONED = 2.2
# How long it took, when, and what was drawn at what moment.
_OF_THE_MOMENT = re.compile(
    rb'"(?:stability_)?seconds": [^,}\n]*|\d+(?:\.\d+)? s\b|\d{4}-\d\d-\d\d[T ][\d:]*'
)


@dataclass(frozen=True)
class Killed:
    """What was found after a command was killed.

    Attributes
    ----------
    command : str
    seconds : float
        From its start to its end.
    was_running : bool
        It had not ended by itself.
    broken : list of str
        Files that were not whole after it.
    orphans : int
        Children that did not end.
    left : list of str
        What was left over after the next run, or was not as it is without a kill.
    """

    command: str
    seconds: float
    was_running: bool
    broken: list[str]
    orphans: int
    left: list[str]

    @property
    def is_well(self) -> bool:
        """Nothing is broken, runs on, or is left."""
        return not (self.broken or self.orphans or self.left)


def kills(folder: Path, times: int, names: Sequence[str] = tuple(COMMANDS)) -> Iterator[Killed]:
    """Kill as often as is asked, and give what is found each time."""
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "record.jsonl"
    done = len(record.read_text().splitlines()) if record.exists() else 0
    longest: dict[str, float] = {}
    for number in range(done, times):
        chance = random.Random(number)
        name = names[number % len(names)]
        out, undisturbed = folder / name, folder / f"{name}-undisturbed"
        if name not in longest:
            started = time.monotonic()
            _run(name, undisturbed)
            longest[name] = time.monotonic() - started
            shutil.copytree(undisturbed, out, dirs_exist_ok=True)
        found = _kill(name, out, undisturbed, chance.uniform(0.0, 1.1 * longest[name]))
        with record.open("a") as file:
            file.write(json.dumps(asdict(found)) + "\n")
        yield found


def _start(name: str, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "engine", *COMMANDS[name], "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def _run(name: str, out: Path) -> None:
    child = _start(name, out)
    _, said = child.communicate()
    assert child.returncode == 0, said.decode()


def _kill(name: str, out: Path, undisturbed: Path, seconds: float) -> Killed:
    whole = _files(undisturbed)
    child = _start(name, out)
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    was_running = child.poll() is None
    child.send_signal(signal.SIGKILL)
    child.communicate()
    broken = [each for each, content in _files(out).items() if each in whole and content != whole[each]]
    deadline = time.monotonic() + _SECONDS_TO_END
    while (orphans := _of_session(child.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(_SECONDS_UNTIL_ABANDONED)
    _run(name, out)
    after = _files(out)
    left = sorted(each for each in after.keys() | whole.keys() if after.get(each) != whole.get(each))
    return Killed(name, round(seconds, 3), was_running, broken, len(orphans), left)


def _files(folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder, hidden folders included, without what each run says of its own time."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        found[name] = _OF_THE_MOMENT.sub(b"", _content(path)) if path.is_file() else b""
    return found


def _content(path: Path) -> bytes:
    """Return what is in a file; of a workbook without the moment at which it was made."""
    if path.suffix != ".xlsx":
        return path.read_bytes()
    with zipfile.ZipFile(path) as workbook:
        return b"".join(workbook.read(each) for each in workbook.namelist() if "docProps" not in each)


def _of_session(session: int) -> list[int]:
    """Return the processes that a command started and that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, own = path.read_text().rpartition(") ")[2].split()[:4]
        except OSError:
            continue
        if int(own) == session and state != "Z":
            found.append(int(path.parent.name))
    return found


def main() -> None:
    """Kill, and say what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--folder", type=Path, default=Path("killed"))
    asked = parser.parse_args()
    for found in kills(asked.folder, asked.times):
        sys.stdout.write(f"{'well' if found.is_well else 'WRONG'}: {found}\n")
        sys.stdout.flush()
    lines = (asked.folder / "record.jsonl").read_text().splitlines()
    everything = [Killed(**json.loads(line)) for line in lines]
    running = sum(each.was_running for each in everything)
    wrong = sum(not each.is_well for each in everything)
    sys.stdout.write(f"{len(everything)} kills, {running} of a command that ran; {wrong} went wrong.\n")


if __name__ == "__main__":
    main()
