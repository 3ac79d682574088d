"""Gives damaged files to a reader, as many as are asked for, and keeps those that break it.

By hand, and resumable, as how far it came is in the folder::

    python -m tests.fuzzing --reader arff --cases 100000 --folder FOLDER
    python -m tests.fuzzing --reader all --cases 100000 --folder FOLDER
    python -m tests.fuzzing --reader arff --show 4711

Each case ends with a table, or with an error of the engine, within 5 s of processor time (60 s on the clock)
and 1 GB more than the program takes itself. Anything else is a failure: the file is kept beside a text that
says what happened. The command fails if there is one, or if fewer than 10 % of the cases were read: then the
files are so damaged that little of the reader is tried.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.fuzzing.cases import LEAST_READ, Failure, file_of, has_seeds, try_case
from tests.fuzzing.targets import TARGETS

_SECONDS, _SECONDS_ON_CLOCK, _MEMORY = 5.0, 60.0, 1 << 30
_CASES_A_PROCESS = 4000
_KEPT_OF_A_KIND = 4
_FEWER = 10
"""What a library parses gets so many times fewer cases."""


@dataclass
class Record:
    """How far a reader was tried, and what came of it.

    Attributes
    ----------
    seed, done : int
        What the cases follow from, and how many were tried.
    read : int
        Cases that were read; the others were refused, or are failures.
    seconds : float
        Processor time.
    slowest : list
        Seconds and number of the case that took longest.
    failures : dict
        Numbers of cases, by what went wrong.
    """

    seed: int
    done: int = 0
    read: int = 0
    seconds: float = 0.0
    slowest: list[float] = field(default_factory=lambda: [0.0, 0])
    failures: dict[str, list[int]] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """Number of cases that failed."""
        return sum(map(len, self.failures.values()))

    def add(self, number: int, failure: Failure, folder: Path, name: str) -> None:
        """Note a failure, and keep the first files of its kind."""
        cases = self.failures.setdefault(failure.kind, [])
        cases.append(number)
        if len(cases) <= _KEPT_OF_A_KIND:
            path = folder / f"{name}-{number}"
            path.with_suffix(TARGETS[name].ending).write_bytes(file_of(name, self.seed, number))
            path.with_suffix(".why").write_text(failure.text, errors="backslashreplace")


def fuzz(name: str, cases: int, seed: int, folder: Path) -> Record:
    """Try a reader until so many cases are done, and go on from where it was left."""
    folder.mkdir(parents=True, exist_ok=True)
    state = folder / f"{name}.json"
    record = Record(**json.loads(state.read_text())) if state.exists() else Record(seed)
    while record.done < cases:
        until = min(cases, record.done + _CASES_A_PROCESS)
        _go_on(name, record, until, folder)
        draft = state.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(record)))
        draft.replace(state)
    return record


def _go_on(name: str, record: Record, until: int, folder: Path) -> None:
    """Let a process try cases; one that ends it is a failure, and the next process goes on behind it."""
    reached = folder / f"{name}.reached"
    reached.write_text("")
    command = [sys.executable, "-m", "tests.fuzzing", "--reader", name, "--seed", str(record.seed)]
    command += ["--child", str(record.done), str(until), str(reached)]
    child = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    lines = [
        json.loads(line) for line in reached.read_text().splitlines(keepends=True) if line.endswith("\n")
    ]
    reached.unlink()
    if not lines:
        raise RuntimeError(f"{name}: the process ended before the first case: {child.stderr[-2000:]}")
    for number, seconds, failed in (line for line in lines if len(line) == 3):
        record.done = number + 1
        record.seconds += seconds
        record.slowest = max(record.slowest, [seconds, number])
        record.read += failed is None
        if failed:
            record.add(number, Failure(*failed), folder, name)
    if record.done < until:
        ended = (
            signal.Signals(-child.returncode).name if child.returncode < 0 else f"status {child.returncode}"
        )
        record.add(record.done, Failure(f"the process ends: {ended}", child.stderr), folder, name)
        record.done += 1


def _child(name: str, seed: int, start: int, until: int, reached: Path) -> None:
    """Try cases, each under its own limit of time, all under one of memory."""
    with tempfile.TemporaryDirectory() as folder, reached.open("a", buffering=1) as log:
        # What libraries set aside at their first use, gigabytes of addresses among it, is no file's fault.
        for seed_content in TARGETS[name].seeds():
            for way in (1, 5):
                try_case(name, seed_content, way, Path(folder))
        _limit_memory()
        # Without a handler the process ends there and then, whatever library it is in, and says where.
        for expired in (signal.SIGPROF, signal.SIGALRM):
            faulthandler.register(expired, all_threads=False, chain=True)
        for number in range(start, until):
            log.write(f"[{number}]\n") if number == start else None
            content = file_of(name, seed, number)
            signal.setitimer(signal.ITIMER_PROF, _SECONDS)
            signal.setitimer(signal.ITIMER_REAL, _SECONDS_ON_CLOCK)
            began = time.process_time()
            outcome = try_case(name, content, number, Path(folder))
            seconds = time.process_time() - began
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            failed = [outcome.kind, outcome.text] if isinstance(outcome, Failure) else [] if outcome else None
            log.write(json.dumps([number, round(seconds, 4), failed]) + "\n")


def _limit_memory() -> None:
    with contextlib.suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> None:
    """Try one reader, or all, and say how it went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", choices=[*TARGETS, "all"], default="all")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("fuzzing"))
    parser.add_argument("--show", type=int, help="write the file of this case to standard output")
    parser.add_argument("--child", nargs=3)
    arguments = parser.parse_args()
    if arguments.child is not None:
        _child(
            arguments.reader,
            arguments.seed,
            int(arguments.child[0]),
            int(arguments.child[1]),
            Path(arguments.child[2]),
        )
    elif arguments.show is not None:
        sys.stdout.buffer.write(file_of(arguments.reader, arguments.seed, arguments.show))
    else:
        names = list(TARGETS) if arguments.reader == "all" else [arguments.reader]
        unsound = [name for name in names if not _is_sound(name, arguments)]
        sys.exit(1 if unsound else 0)


def _is_sound(name: str, arguments: argparse.Namespace) -> bool:
    """Try a reader, say how it went, and tell whether nothing failed and enough was read."""
    if not has_seeds(name):
        sys.stdout.write(f"{name}: there is no whole file to start from.\n")
        return True
    cases = (
        arguments.cases if TARGETS[name].is_ours or arguments.reader != "all" else arguments.cases // _FEWER
    )
    record = fuzz(name, cases, arguments.seed, arguments.folder)
    _say(name, record)
    return not record.failed and record.read >= LEAST_READ * record.done


def _say(name: str, record: Record) -> None:
    seconds, number = record.slowest
    sys.stdout.write(
        f"{name}: {record.done} cases, {record.read} read ({record.read / max(record.done, 1):.1%}), "
        f"{record.failed} failed; {record.seconds:.0f} s, at most {seconds:.2f} s (case {number:.0f}).\n"
    )
    for kind, cases in record.failures.items():
        sys.stdout.write(f"    {len(cases)} × {kind}, the first is {cases[0]}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
