"""What reading a table costs beside pandas, and what opening it does to the window.

Run by hand, from the project's folder, on a system with /proc::

    python -m tests.benchmarks.reading
    python -m tests.benchmarks.reading --window

The first command reads each table in fresh processes, in turn by pandas and by this program, and prints the
medians of processor time and of the most memory taken. The second one opens each table in the window and
prints when it was there, the longest time that the window stood still, and the memory taken above that of an
empty window at rest, with that of the process that reads for it; pages of files, as libraries, do not count.
Tables are made once, into a folder that is kept when ``--folder`` names it.
"""

from __future__ import annotations

import argparse
import os
import resource
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

_LABELS = 5
_ROWS_AT_ONCE = 1000
_HEARTBEAT_MILLISECONDS = 5
_LONGEST_SECONDS = 600
_REST_MILLISECONDS = 1500
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a table is.

    Attributes
    ----------
    rows, columns : int
    """

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns}"


SHAPES = (Shape(500, 20_000), Shape(300_000, 60), Shape(1_000_000, 100))


def make_table(shape: Shape, folder: Path) -> Path:
    """Write a table of numbers with five decimals and some labels, unless it is there."""
    path = folder / f"{shape.rows}x{shape.columns}.csv"
    if path.exists():
        return path
    rng = np.random.default_rng(0)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"column {place}" for place in range(shape.columns)) + "\n")
        for start in range(0, shape.rows, _ROWS_AT_ONCE):
            count = min(_ROWS_AT_ONCE, shape.rows - start)
            numbers = rng.normal(size=(count, shape.columns - _LABELS)).tolist()
            labels = rng.integers(0, 2, size=(count, _LABELS)).tolist()
            for row, ends in zip(numbers, labels, strict=True):
                file.write(",".join([*map("{:.5f}".format, row), *map(str, ends)]) + "\n")
    return path


def read_once(reader: str, path: str) -> None:
    """Read a table in this process, and print seconds of the processor and mebibytes."""
    import pandas

    from engine.readers import read_table

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    if reader == "pandas":
        pandas.read_csv(path)
    else:
        read_table(path)
    taken = time.process_time() - began
    print(taken, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)


def compare(path: Path, repeats: int) -> dict[str, tuple[float, float]]:
    """Read a table in turn by pandas and by this program; give medians of seconds and mebibytes."""
    taken: dict[str, list[tuple[float, float]]] = {"pandas": [], "engine": []}
    for _ in range(repeats):
        for reader, measurements in taken.items():
            seconds, memory = _of_process("read_once", reader, str(path))
            measurements.append((seconds, memory))
    return {
        reader: (
            statistics.median(measurement[0] for measurement in measurements),
            statistics.median(measurement[1] for measurement in measurements),
        )
        for reader, measurements in taken.items()
    }


def open_once(path: str) -> None:
    """Open a table in the window; print seconds, the longest stall, processor time, and mebibytes left."""
    from PySide6.QtCore import QElapsedTimer, QSettings, QTimer

    from clcd_gui.app import make_application, make_window, prepare

    application = make_application(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        window = make_window(application, QSettings(str(Path(folder, "s.ini")), QSettings.Format.IniFormat))
        window.resize(1024, 700)
        window.show()
        # What is loaded and compiled at the start is no part of opening a table.
        warming, prepared = window.session.controller.warming, []
        warming.ended.connect(partial(prepared.append, True))
        prepare(window)
        clock = QElapsedTimer()
        clock.start()
        while not prepared or clock.elapsed() < _REST_MILLISECONDS:
            application.processEvents()
            time.sleep(0.01)
        seen = {"stall": 0.0, "beat": 0.0}

        def beat() -> None:
            now = time.perf_counter()
            if seen["beat"]:
                seen["stall"] = max(seen["stall"], now - seen["beat"] - _HEARTBEAT_MILLISECONDS / 1000)
            seen["beat"] = time.perf_counter()

        heart = QTimer()
        heart.timeout.connect(beat)
        print(_mebibytes(), flush=True)
        used, began = _processor_seconds(), time.perf_counter()
        QTimer.singleShot(0, window, lambda: window.open_path(Path(path)))
        # The last beats see what showing the table costs.
        window.session.opening.opened.connect(lambda _table: QTimer.singleShot(300, application.quit))
        QTimer.singleShot(_LONGEST_SECONDS * 1000, application.quit)
        heart.start(_HEARTBEAT_MILLISECONDS)
        application.exec()
        heart.stop()
        taken = time.perf_counter() - began - 0.3
        print(taken, seen["stall"], _processor_seconds() - used, _mebibytes(), flush=True)
        window.close()


def _mebibytes(process: int | str = "self") -> float:
    """Memory of a process without pages of files, as libraries, which programs share and the system drops."""
    try:
        summary = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    held = next((line for line in summary.splitlines() if line.startswith("Pss_Anon:")), "Pss_Anon: 0 kB")
    return float(held.split()[1]) / 1024


def _mebibytes_of_all(process: int) -> float:
    """Memory of a process and of those that any of its threads started."""
    children: list[str] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            children += thread.read_text(encoding="utf-8").split()
    return _mebibytes(process) + sum(map(_mebibytes, children))


def _processor_seconds() -> float:
    """Processor time of this process and of those that it started and that ended."""
    return sum(os.times()[:4])


def watch_opening(path: Path) -> tuple[float, float, float, float, float]:
    """Open a table in the window of another process.

    Returns
    -------
    seconds, stall, processor : float
        When it was there, the longest time without an answer, processor time of all processes.
    most, left : float
        Mebibytes above an empty window, the most at once of all processes, and afterwards.
    """
    code = "import sys; from tests.benchmarks.reading import open_once; open_once(sys.argv[1])"
    words = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout is not None
        empty = float(window.stdout.readline())
        most = 0.0
        while not select.select([window.stdout], [], [], _LOOK_SECONDS)[0]:
            # From outside, so that looking holds up nothing.
            most = max(most, _mebibytes_of_all(window.pid))
        seconds, stall, processor, left = map(float, window.stdout.readline().split())
    return seconds, stall, processor, most - empty, left - empty


def _of_process(function: str, *words: str) -> list[float]:
    code = f"import sys; from tests.benchmarks.reading import {function}; {function}(*sys.argv[1:])"
    finished = subprocess.run(
        [sys.executable, "-c", code, *words], check=True, capture_output=True, text=True
    )
    return [float(word) for word in finished.stdout.split()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--window", action="store_true", help="open each table in the window")
    parser.add_argument("--folder", type=Path, help="where the tables are kept")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of readings")
    parser.add_argument("--largest", type=int, default=20_000_000, help="most cells of a table")
    given = parser.parse_args(arguments)
    shapes = [shape for shape in SHAPES if shape.rows * shape.columns <= given.largest]
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        _print_window(shapes, folder) if given.window else _print_pairs(shapes, folder, given.repeats)


def _print_pairs(shapes: Sequence[Shape], folder: Path, repeats: int) -> None:
    print(
        "| table | file, MB | pandas, CPU s | this program, CPU s | times pandas | memory, times the file |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for shape in shapes:
        path = make_table(shape, folder)
        size = path.stat().st_size / 2**20
        medians = compare(path, repeats)
        (theirs, _), (ours, memory) = medians["pandas"], medians["engine"]
        cells = (
            f"{size:.0f}",
            f"{theirs:.2f}",
            f"{ours:.2f}",
            f"{ours / theirs:.2f}",
            f"{memory / size:.1f}",
        )
        print(f"| {shape} | {' | '.join(cells)} |")


def _print_window(shapes: Sequence[Shape], folder: Path) -> None:
    headings = "there after, s | longest stall, ms | CPU s | memory, times the file | afterwards"
    print(f"| table | file, MB | {headings} |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for shape in shapes:
        path = make_table(shape, folder)
        size = path.stat().st_size / 2**20
        seconds, stall, processor, most, left = watch_opening(path)
        cells = (
            f"{size:.0f}",
            f"{seconds:.1f}",
            f"{1000 * stall:.0f}",
            f"{processor:.1f}",
            f"{most / size:.2f}",
            f"{left / size:.2f}",
        )
        print(f"| {shape} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
