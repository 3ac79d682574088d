"""A process that ends by a fault says where it was, and the next one offers that: nothing of the data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QPushButton

from clcd_gui.document.crash_log import CrashLog
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import ExportDialogs

CRASHES = """
import faulthandler, sys
from pathlib import Path
from clcd_gui.document.crash_log import CrashLog
CrashLog(Path(sys.argv[1])).begin()
def diagnose(patient):
    faulthandler._sigabrt()
diagnose("Ann Example")
"""


def crashed(folder: Path) -> None:
    script = folder.parent / "Ann.py"
    script.write_text(CRASHES)
    ended = subprocess.run(
        [sys.executable, script, folder], cwd=Path(__file__).parents[2], env=_environment()
    )
    assert ended.returncode != 0


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def test_a_fault_is_told_once_and_names_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "crashes"
    crashed(folder)
    running = CrashLog(folder)
    (report,) = running.left_behind()
    assert "Fatal Python error: Aborted" in report and "in diagnose" in report
    assert "Ann Example" not in report and str(tmp_path) not in report and str(Path.home()) not in report
    assert report.startswith("CLCD ") and "PySide6" in report
    assert running.left_behind() == () and not list(folder.iterdir())


def test_who_runs_well_leaves_nothing(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from clcd_gui.document.crash_log import CrashLog\n"
        "one = CrashLog(Path(sys.argv[1])); one.begin()\n"
        "assert CrashLog(Path(sys.argv[1])).left_behind() == ()\n"
        "assert len(list(Path(sys.argv[1]).glob('*.txt'))) == 1\n"
        "one.end()"
    )
    subprocess.run([sys.executable, "-c", script, tmp_path / "crashes"], env=_environment(), check=True)
    assert not list((tmp_path / "crashes").iterdir())


def test_the_window_offers_the_report(window: MainWindow, tmp_path: Path) -> None:
    notice = window.crash_notice
    assert not notice.isVisible()
    notice.offer(["CLCD 1\n\nFatal Python error: Aborted\n"])
    assert notice.isVisible() and "none of your data" in notice.text

    class Answering(ExportDialogs):
        def choose_file(self, *_: object) -> Path:
            return tmp_path / "report.txt"

    notice.dialogs = Answering()
    copy, save = (button for button in notice.findChildren(QPushButton) if button.text())
    copy.click()
    assert "Aborted" in QApplication.clipboard().text()
    save.click()
    assert "Aborted" in (tmp_path / "report.txt").read_text() and "report.txt" in notice.text
    # What cannot be written says so.
    (tmp_path / "nowhere").write_text("a file")

    class Failing(ExportDialogs):
        def choose_file(self, *_: object) -> Path:
            return tmp_path / "nowhere" / "report.txt"

    notice.dialogs = Failing()
    notice.offer(["CLCD 1\n\nFatal Python error: Aborted\n"])
    next(button for button in notice.findChildren(QPushButton) if "Save" in button.text()).click()
    assert notice.isVisible() and "nowhere" in notice.text
