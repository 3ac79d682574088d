"""What draws charts is loaded beside the window's own work: in short steps, on its own thread."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyqtgraph

PROJECT = Path(__file__).resolve().parents[2]
LOAD = """
import sys, threading
from PySide6.QtCore import QCoreApplication, QTimer
from clcd_gui.plots.loading import chart_loading
from clcd_gui.turns import QuietMoments

application = QCoreApplication([])
elsewhere, turns = [], []
sys.addaudithook(
    lambda event, _: event == "import"
    and threading.current_thread() is not threading.main_thread()
    and elsewhere.append(event)
)
beside = QTimer(interval=0)
beside.timeout.connect(lambda: turns.append(0))
beside.start()
loader = QuietMoments(chart_loading())
loader.completed.connect(application.quit)
assert "pyqtgraph" not in sys.modules
loader.begin()
application.exec()
assert "clcd_gui.plots.canvas" in sys.modules and not elsewhere
print(len(turns), sorted(vars(sys.modules["pyqtgraph"])))
"""


# The program that needs no Python comes without it.
WITHOUT_QT_TEST = 'import sys; sys.modules["PySide6.QtTest"] = None'


def _loaded(code: str) -> tuple[str, str]:
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    turns, _, names = finished.stdout.partition(" ")
    return turns, names


def test_charts_are_loaded_where_parts_that_they_can_do_without_are_missing() -> None:
    turns, names = _loaded(WITHOUT_QT_TEST + LOAD)
    assert int(turns) > 10 and "'PlotWidget'" in names


def test_the_window_has_its_turns_while_charts_are_loaded() -> None:
    turns, names = _loaded(LOAD)
    assert int(turns) > 10
    # Loaded by its statements, the library has what it has when it is imported.
    assert names == f"{sorted(vars(pyqtgraph))}\n"
