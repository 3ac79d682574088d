"""How long a fresh process takes to its first result, and to its window.

Run by hand, from the project's folder, on a system with fork::

    python -m tests.benchmarks.startup table.arff --labels-file labels.xml

It prints the table of the section "Start-up" of ``tests/benchmarks/README.md``. All that follows the file is
handed to ``clcd discover``. Compiled kernels and bytecode are kept in folders of their own, so that
a first run is one, and nothing that other programs left behind helps.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PAINT = "from tests.benchmarks.startup import paint_once; paint_once()"


@dataclass(frozen=True, slots=True)
class Taken:
    """What one process took, with those that it started.

    Attributes
    ----------
    seconds : float
        By the clock.
    processor : float
        Of processor time, which says more on a machine that is busy.
    """

    seconds: float
    processor: float


def take(command: Sequence[str], environment: Mapping[str, str]) -> Taken:
    """Run a command to its end.

    Raises
    ------
    subprocess.CalledProcessError
        When it fails.
    """
    before, began = _processor_seconds(), time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return Taken(time.perf_counter() - began, _processor_seconds() - before)


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def paint_once() -> None:
    """Open the window as the program does, and end as soon as it was painted for the first time."""
    from PySide6.QtCore import QEvent, QObject, QSettings, QTimer

    from clcd_gui.app import make_application, make_window

    class FirstPaint(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if watched is window and event.type() == QEvent.Type.Paint:
                # After this event, when the whole window has been painted.
                QTimer.singleShot(0, application.quit)
            return False

    application = make_application(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        habits = QSettings(str(Path(folder, "settings.ini")), QSettings.Format.IniFormat)
        window = make_window(application, habits)
        watcher = FirstPaint()
        window.installEventFilter(watcher)
        window.show()
        application.exec()
        window.close()


def measured(data: str, further: Sequence[str], repeats: int, bytecode: bool) -> Iterator[tuple[str, Taken]]:
    """Give what was measured with its name, in the order of the table.

    Parameters
    ----------
    data : str
        The table.
    further : sequence of str
        Further words for ``clcd discover``.
    repeats : int
        How often each process is started; medians are given.
    bytecode : bool
        Whether Python finds the libraries translated, as pip leaves them.
    """
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(scratch, "bytecode"))}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if not bytecode:
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
        numbers = iter(range(10**6))

        def discover(kernels: str) -> Taken:
            out = str(Path(scratch, f"out-{next(numbers)}"))
            command = [sys.executable, "-m", "engine", "discover", data, *further, "--out", out]
            return take(command, {**environment, "NUMBA_CACHE_DIR": str(Path(scratch, kernels))})

        def window() -> Taken:
            return take([sys.executable, "-c", _PAINT], environment)

        # The first of each only fills the folders.
        discover("kept")
        yield "`clcd discover`, kernels there", _median(repeats, lambda: discover("kept"))
        yield (
            "`clcd discover`, nothing compiled",
            _median(repeats, lambda: discover(f"new-{next(numbers)}")),
        )
        window()
        yield "the window, to its first painting", _median(repeats, window)


def _median(repeats: int, measure: Callable[[], Taken]) -> Taken:
    taken = [measure() for _ in range(repeats)]
    return Taken(
        statistics.median(start.seconds for start in taken),
        statistics.median(start.processor for start in taken),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", help="the table")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-bytecode", action="store_true", help="let Python translate every library anew")
    arguments, further = parser.parse_known_args()
    print("| fresh process | seconds | processor seconds |", flush=True)
    print("| --- | --- | --- |", flush=True)
    for name, taken in measured(arguments.data, further, arguments.repeats, not arguments.no_bytecode):
        print(f"| {name} | {taken.seconds:.1f} | {taken.processor:.1f} |", flush=True)


if __name__ == "__main__":
    main()
