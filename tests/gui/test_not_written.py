"""What cannot be written any more once the window is closed is told all the same."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Job
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.dialogs import Dialogs
from engine.errors import UnwritableFile
from tests.gui.conftest import AnsweringDialogs
from tests.gui.test_leaving import Held


def test_what_cannot_be_written_after_the_window_is_closed_is_told(
    opened: Callable[[Path], MainWindow], dialogs: AnsweringDialogs, small_table: Path, tmp_path: Path, qtbot
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill", "tired"])
    with qtbot.waitSignal(window.session.running.finished):
        window.session.running.start()
    held = Held()
    results, runs = window.page("results").export_actions, window.page("runs").comparison
    window.commands.windows._show_benchmark()
    chart = window.commands.windows.benchmark.findChild(ChartPanel)

    def fail(name: str) -> Job:
        def work(_progress: object) -> None:
            held.wait()
            raise UnwritableFile("nothing can be written.", place=name, remedy="Choose another folder.")

        return work

    def write(_progress: object) -> tuple[Path, ...]:
        (tmp_path / "whole.csv").write_text("whole")
        return (tmp_path / "whole.csv",)

    results._lane.start(fail("common.csv"))
    results._lane.start(write)
    results._lane.start(fail("grid.svg"))
    for number, lane in enumerate((runs._lane, chart._lane, window.session.controller.report)):
        lane.start(fail(f"other{number}.png"))
    threading.Timer(0.3, held.go_on).start()
    assert window.close()
    sentence = "{}: nothing can be written. Choose another folder."
    names = ("common.csv", "grid.svg", *(f"other{number}.png" for number in range(3)))
    assert sorted(dialogs.not_written) == sorted(map(sentence.format, names))
    assert (tmp_path / "whole.csv").read_text() == "whole"


def test_what_was_told_on_a_page_is_not_told_again_at_the_end(
    opened: Callable[[Path], MainWindow], dialogs: AnsweringDialogs, small_table: Path, qtbot
) -> None:
    window = opened(small_table)

    def fail(_progress: object) -> None:
        raise UnwritableFile("nothing can be written.", place="report.docx")

    report = window.page("report")
    window.session.controller.report.start(fail)
    qtbot.waitUntil(lambda: "nothing can be written" in report.notice.text)
    assert window.close() and not dialogs.not_written


def test_one_box_names_every_file_and_what_to_do(qtbot) -> None:
    seen: list[str] = []

    def read_and_close() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(box.informativeText())
        box.accept()

    QTimer.singleShot(0, read_and_close)
    failures = [RunFailure("it failed.", name, "Try again.") for name in ("a.csv", "b.svg")]
    Dialogs().tell_not_written(None, failures)
    assert seen == ["a.csv: it failed. Try again.\nb.svg: it failed. Try again."]
