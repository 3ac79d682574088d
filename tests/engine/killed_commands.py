"""Kills commands of the terminal at random instants, and looks at what is left and what the next run makes.

By hand, and resumable, as what was done is in the record::

    python -m tests.engine.killed_commands --times 300 --folder FOLDER

A command writes into a folder that an earlier run has filled. When it is killed, every file there must be
whole: that of the earlier run, or the new one, which are the same. Its children must end by themselves. What
it had taken out of the way is put back by whoever writes next, and what a comparison has measured is not
measured again. The command is then run to its end: nothing else may be left, nor in the folder for temporary
files, and all must be as it is when nobody is killed.

Kernels are compiled by a process that finds none: the next one must compute the right value, and the one
after it find what was kept. Windows are killed by ``tests.gui.kills`` and ``tests.gui.killed_exports``.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.atomic import TemporaryFolder, remove_abandoned
from tests.engine.test_kernel_cache import QUESTION, ask, copy_of_the_engine

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
    "export": ("discover", *_GIVEN, *(f"--also={export_format}" for export_format in _FORMATS)),
    "benchmark": (
        *("benchmark", "--small", "--labels=3", "--features=20", "--rows=500", "--cells=0.5/0"),
        *("--methods=clcd,hiton-mb", "--variants=default", "--workers=1"),
    ),
    "benchmark --selection": (
        *("benchmark", "--selection", str(_TABLE), "--missing=most-frequent", "--splits=2"),
        *("--percentages=20", "--methods=mutual-information,clcd-fs", "--tuning=none", "--workers=2"),
    ),
}
KERNELS = "kernels"
_MEASURED = "runs"
_KERNEL_FOLDER = "kept-kernels"
_TEMPORARY = "temporary"
_SECONDS_TO_END = 20.0
# How long it took, when, and what was drawn at what moment.
_OF_THE_MOMENT = re.compile(
    rb'"(?:stability_|processor_)?seconds": [^,}\n]*|(?:under )?\d+(?:\.\d+)? s\b|\d{4}-\d\d-\d\d[T ][\d:]*'
)
# Where times are drawn and told, it is asked whether the file is whole.
_ENDS = {".html": b"</html>", ".svg": b"</svg>", ".pdf": b"%%EOF", ".png": b"IEND\xaeB`\x82"}


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
    lost : list of str
        Files that were there before it and cannot be put back, and what was measured and is measured again.
    orphans : int
        Children that did not end.
    left : list of str
        What was left over after the next run, or was not as it is without a kill.
    """

    command: str
    seconds: float
    was_running: bool
    broken: list[str]
    lost: list[str]
    orphans: int
    left: list[str]

    @property
    def is_well(self) -> bool:
        """Nothing is broken, lost, runs on, or is left."""
        return not (self.broken or self.lost or self.orphans or self.left)


def kills(folder: Path, times: int, names: Sequence[str] = (*COMMANDS, KERNELS)) -> Iterator[Killed]:
    """Kill as often as is asked, each command in its turn, and give what is found each time."""
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "record.jsonl"
    done = len(record.read_text().splitlines()) if record.exists() else 0
    longest: dict[str, float] = {}
    for number in range(done, times):
        chance = random.Random(number)
        name = names[number % len(names)]
        if name == KERNELS:
            if name not in longest:
                longest[name] = _seconds_to_compile(folder)
            killed = _kill_compiling(folder, chance.uniform(0.0, 1.1 * longest[name]))
        else:
            out, undisturbed = folder / name, folder / f"{name}-undisturbed"
            if name not in longest:
                # Kernels are compiled before the time is taken, unless there is one moment alone to draw.
                if times > len(names):
                    _run(name, folder / f"{name}-first")
                started = time.monotonic()
                _run(name, undisturbed)
                longest[name] = time.monotonic() - started
                shutil.copytree(undisturbed, out, dirs_exist_ok=True)
            killed = _kill(name, out, undisturbed, chance.uniform(0.0, 1.1 * longest[name]))
        with record.open("a") as file:
            file.write(json.dumps(asdict(killed)) + "\n")
        yield killed


def recorded(folder: Path) -> list[Killed]:
    """Everything that was found so far."""
    return [Killed(**json.loads(line)) for line in (folder / "record.jsonl").read_text().splitlines()]


def lines_of(all_killed: Sequence[Killed]) -> list[str]:
    """Return a line for each command: how often it was killed, and what was found after it."""
    lines = []
    for name in dict.fromkeys(killed.command for killed in all_killed):
        own = [killed for killed in all_killed if killed.command == name]
        lines.append(
            f"{name}: {len(own)} kills, {sum(killed.was_running for killed in own)} while it ran; "
            f"broken {sum(bool(killed.broken) for killed in own)}, "
            f"lost {sum(bool(killed.lost) for killed in own)}, "
            f"ran on {sum(bool(killed.orphans) for killed in own)}, "
            f"left or not the same {sum(bool(killed.left) for killed in own)}"
        )
    return lines


def start(words: Sequence[str], folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    """Start Python as the leader of a session; what it makes for a moment is in a folder beside `folder`."""
    temporary = folder.parent / _TEMPORARY
    temporary.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-P", *words],
        env={**os.environ, "PYTHONPATH": str(_ROOT), "TMPDIR": str(temporary), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _start_command(name: str, out: Path) -> subprocess.Popen[bytes]:
    return start(["-m", "engine", *COMMANDS[name], "--out", str(out)], out)


def _run(name: str, out: Path) -> None:
    child = _start_command(name, out)
    _, errors = child.communicate()
    assert child.returncode == 0, errors.decode()


def kill_after(child: subprocess.Popen[bytes], seconds: float) -> tuple[bool, int]:
    """Kill a process; return whether it ran, and how many of its children do not end by themselves."""
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    was_running = child.poll() is None
    child.send_signal(signal.SIGKILL)
    child.communicate()
    deadline = time.monotonic() + _SECONDS_TO_END
    while (orphans := processes_of(child.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return was_running, len(orphans)


def _kill(name: str, out: Path, undisturbed: Path, seconds: float) -> Killed:
    is_drawn = name.startswith("benchmark")
    whole = files_of(undisturbed, is_drawn)
    # A comparison measures anew what is not there.
    shutil.rmtree(out / _MEASURED, ignore_errors=True)
    before = files_of(out, is_drawn)
    was_running, orphans = kill_after(_start_command(name, out), seconds)
    broken = [
        file_name
        for file_name, content in files_of(out, is_drawn).items()
        if file_name in whole and content != whole[file_name]
    ]
    measured = {path: path.stat().st_mtime_ns for path in out.glob(f"{_MEASURED}/[!.]*")}
    age(out)
    remove_abandoned(out)
    put_back = files_of(out, is_drawn)
    lost = [file_name for file_name in before if put_back.get(file_name) != whole.get(file_name)]
    _run(name, out)
    lost += [path.name for path, moment in measured.items() if path.stat().st_mtime_ns != moment]
    after = files_of(out, is_drawn)
    left = sorted(
        file_name for file_name in after.keys() | whole.keys() if after.get(file_name) != whole.get(file_name)
    )
    left += left_among_temporary(out)
    return Killed(name, round(seconds, 3), was_running, broken, lost, orphans, left)


def _compiling(folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that compiles a kernel and keeps it."""
    project, kernels = folder / "project", folder / _KERNEL_FOLDER
    if not project.exists():
        copy_of_the_engine(folder)
    shutil.rmtree(kernels, ignore_errors=True)
    places = {"PYTHONPATH": str(project), "NUMBA_CACHE_DIR": str(kernels), "PYTHONDONTWRITEBYTECODE": "1"}
    return start(["-c", QUESTION], kernels, **places)


def left_among_temporary(folder: Path) -> list[str]:
    """Return what is left of processes that :func:`start` started after whoever works next has come."""
    temporary = folder.parent / _TEMPORARY
    for path in temporary.iterdir():
        os.utime(path, (0, 0))
    usual, tempfile.tempdir = tempfile.tempdir, str(temporary)
    try:
        TemporaryFolder().remove()
    finally:
        tempfile.tempdir = usual
    return [path.name for path in temporary.iterdir()]


def _seconds_to_compile(folder: Path) -> float:
    started = time.monotonic()
    child = _compiling(folder)
    _, errors = child.communicate()
    assert child.returncode == 0, errors.decode()
    return time.monotonic() - started


def _kill_compiling(folder: Path, seconds: float) -> Killed:
    """Kill a process that compiles and keeps a kernel; what it left must be in nobody's way."""
    was_running, orphans = kill_after(_compiling(folder), seconds)
    project, kernels = folder / "project", folder / _KERNEL_FOLDER
    age(kernels)
    value, *_ = ask(project, folder, NUMBA_CACHE_DIR=str(kernels))
    again, hits, misses, _ = ask(project, folder, NUMBA_CACHE_DIR=str(kernels))
    broken = [str(answer) for answer in (value, again) if answer != 40]
    left = [path.name for path in kernels.rglob("*") if path.name.startswith(".") or ".tmp." in path.name]
    left += [] if (hits, misses) == (1, 0) else ["a kernel that is not found again"]
    return Killed(KERNELS, round(seconds, 3), was_running, broken, [], orphans, left)


def age(folder: Path) -> None:
    """Let drafts, and whatever else nobody finished, look old, as they are when somebody comes back."""
    for path in folder.rglob("*"):
        if path.name.startswith(".") or ".tmp." in path.name:
            os.utime(path, (0, 0))


def files_of(folder: Path, is_drawn: bool = False) -> dict[str, bytes]:
    """Return what lies in a folder, hidden folders included, without what each run says of its own time.

    Parameters
    ----------
    folder : Path
    is_drawn : bool
        Times and moments are drawn and told in pages and pictures: of these it counts whether they are whole.
    """
    contents = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        content = b"" if path.is_dir() else _content(path, is_drawn)
        contents[name] = _OF_THE_MOMENT.sub(b"", content)
    return contents


def _content(path: Path, is_drawn: bool) -> bytes:
    """Return what is in a file; of a workbook without the moment at which it was made."""
    content = path.read_bytes()
    if is_drawn and path.suffix in _ENDS:
        return b"whole" if content.rstrip().endswith(_ENDS[path.suffix]) else content
    if path.suffix in (".xlsx", ".docx") and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return b"".join(archive.read(name) for name in archive.namelist() if "docProps" not in name)
    return _without_times(content.decode()) if is_drawn and path.suffix == ".csv" else content


def _without_times(text: str) -> bytes:
    rows = list(csv.reader(io.StringIO(text)))
    if len(set(map(len, rows))) != 1:
        # Nothing, or some of it: a draft.
        return text.encode()
    header, *rows = rows
    columns = [place for place, name in enumerate(header) if "seconds" not in name]
    return "\n".join(",".join(row[place] for place in columns) for row in (header, *rows)).encode()


def processes_of(session: int) -> list[int]:
    """Return the processes that a command started and that have not ended."""
    children = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, own = path.read_text().rpartition(") ")[2].split()[:4]
        except OSError:
            continue
        if int(own) == session and state != "Z":
            children.append(int(path.parent.name))
    return children


def main() -> None:
    """Kill, and say what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--folder", type=Path, default=Path("killed"))
    arguments = parser.parse_args()
    # Commands run in it, where its own name would lead nowhere.
    folder = arguments.folder.resolve()
    for killed in kills(folder, arguments.times):
        sys.stdout.write(f"{'well' if killed.is_well else 'WRONG'}: {killed}\n")
        sys.stdout.flush()
    sys.stdout.write("\n".join([*lines_of(recorded(folder)), ""]))


if __name__ == "__main__":
    main()
