"""The program tries itself, with nobody at the screen: ``clcd-gui --smoke-test FOLDER``.

It goes the way of a first-time user through the real window: choose the bundled example, take its labels,
run, look at every view, export everything into the folder, and then the selected features; and then it
compares methods on a tiny network. ``times.json`` says when the window could be used, how long the person
would have waited for the table and for the result, and what the processors did for both.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QEventLoop, QSettings, QTimer, SignalInstance
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from clcd_gui.run.failure import RunFailure
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.start.start_page import FileRow
from clcd_gui.widgets.dialogs import ExportDialogs

if TYPE_CHECKING:
    from clcd_gui.data.data_page import DataPage
    from clcd_gui.results.results_page import ResultsPage
    from clcd_gui.run.controller import Controller
    from clcd_gui.selection.selection_page import SelectionPage

OPTION = "--smoke-test"
# Where kernels are not there yet they are compiled first, perhaps on one slow core.
LONGEST_MILLISECONDS = 300_000
DRAWING_MILLISECONDS = 400
TIMES = "times.json"
_TINY_NETWORKS: dict[str, Any] = {
    "labels": 3,
    "features": 20,
    "rows": 400,
    "seeds": 1,
    "cells": ("0.5/0.5",),
    "methods": ("clcd",),
}
PICTURES = ("graph.svg", "graph.png", "graph.pdf", "grid.png")


class SelfTestError(Exception):
    """A step of the way did not lead where it must."""


def folder_asked_for(arguments: Sequence[str]) -> Path | None:
    """Return the folder that follows ``--smoke-test``, or None when the option is not there."""
    if OPTION not in arguments:
        return None
    following = arguments[arguments.index(OPTION) + 1 :]
    return Path(following[0] if following else "clcd-smoke-test").resolve()


def settings_in(folder: Path) -> QSettings:
    """Return a place for settings that leaves the person's own alone."""
    return QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)


def run_self_test(window: MainWindow, folder: Path) -> int:
    """Go the whole way; return exit status 0, or 1 with the reason on standard error."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _go_the_way(window, folder)
    except SelfTestError as error:
        # A window program on Windows has no standard error.
        if sys.stderr is not None:
            sys.stderr.write(f"{error}\n")
        return 1
    finally:
        # Nobody is there who could be asked whether to save it.
        document = window.session.document
        document.mark_saved(None, document.state)
        window.close()
    return 0


def _go_the_way(window: MainWindow, folder: Path) -> None:
    window.show()
    # What is there to be drawn has been drawn after this.
    QApplication.processEvents()
    times = {"usable_at": time.time(), "processor_seconds_until_usable": time.process_time()}
    session = window.session
    examples = window.start_page.findChildren(FileRow)
    began, used = time.perf_counter(), time.process_time()
    _wait(session.opening.opened, session.opening.failed, examples[0].click)
    opened = time.perf_counter()
    data = cast("DataPage", window.page("data"))
    # The same button first takes the labels that the file beside the table names, then runs.
    data.primary.click()
    _wait(session.running.finished, session.running.failed, data.primary.click)
    times["opening_seconds"] = opened - began
    times["running_seconds"] = time.perf_counter() - opened
    times["processor_seconds_from_the_click"] = time.process_time() - used
    (folder / TIMES).write_text(json.dumps(times), encoding="utf-8")
    result = session.document.result
    if result is None or result.is_partial or not result.label_sets:
        raise SelfTestError("The analysis found nothing in the example.")
    window.go("results")
    results = cast("ResultsPage", window.page("results"))
    window.highlight.select(result.common.feature[0], result.common.labels[0][-1])
    for index in range(results.tabs.count()):
        _draw(window, results.tabs, index, folder)
    exports = results.export_actions
    exports.dialogs = _OneFolder(folder)
    _wait(exports.written, exports.failed, exports.actions_by_name["folder"].trigger)
    for name in PICTURES:
        _wait(exports.written, exports.failed, exports.actions_by_name[name].trigger)
    _select(window, folder)
    _compare(session.controller, folder)


def _select(window: MainWindow, folder: Path) -> None:
    """Look at the features selected from the result, and export them."""
    page, selecting = cast("SelectionPage", window.page("selection")), window.session.selecting
    _wait(window.session.document.features_selected, selecting.failed, partial(window.go, "selection"))
    for panel in (page.features, page.grid):
        _draw(window, page.tabs, page.tabs.indexOf(panel), folder, "selection-")
    page.export.dialogs = _OneFolder(folder)
    page.export.ask()
    dialog = page.export.dialog
    if dialog is None:
        raise SelfTestError("No feature of the example was selected.")
    dialog.choose.click()
    _wait(page.export.written, page.export.failed, dialog.write_button.click)


def _compare(controller: Controller, folder: Path) -> None:
    """Compare methods on a tiny network and save the chart of each kind, to try the other processes."""
    from clcd_gui.run.comparing import RunBenchmark, benchmark_charts
    from clcd_gui.widgets.chart_panel import ChartPanel
    from engine import BenchmarkSettings

    results: list[Any] = []
    lane = controller.benchmark
    lane.succeeded.connect(results.append)
    job = RunBenchmark(BenchmarkSettings(**_TINY_NETWORKS), controller.measurements)
    _wait(lane.succeeded, lane.failed, partial(lane.start, job))
    if results[0].is_partial:
        raise SelfTestError("The comparison on a network is not whole.")
    panel = ChartPanel("accuracy", controller.drawing, dialogs=_OneFolder(folder))
    panel.set_chart(benchmark_charts(results[0])[0])
    panel.resize(panel.sizeHint())
    panel.show()
    if not panel.grab().save(str(folder / "window-chart.png")):
        raise SelfTestError("The chart could not be drawn.")
    for action in panel.actions_by_ending.values():
        _wait(panel.written, panel.failed, action.trigger)
    panel.close()


def _draw(window: MainWindow, tabs: QTabWidget, index: int, folder: Path, prefix: str = "") -> None:
    """Show one view and keep a picture of the window."""
    tabs.setCurrentIndex(index)
    loop = QEventLoop()
    QTimer.singleShot(DRAWING_MILLISECONDS, loop, loop.quit)
    loop.exec()
    view = tabs.tabText(index).partition(" (")[0].lower()
    if not window.grab().save(str(folder / f"window-{prefix}{view}.png")):
        raise SelfTestError("The window could not be drawn.")


class _OneFolder(ExportDialogs):
    """Answers in the place of a person: everything goes into one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def choose_file(self, parent: QWidget | None, title: str, suggested: Path) -> Path | None:
        """Put the file into the folder."""
        return self._folder / suggested.name

    def choose_folder(self, parent: QWidget | None, title: str, start: Path) -> Path | None:
        """Choose the folder."""
        return self._folder


def _wait(wanted: SignalInstance, failed: SignalInstance, start: Callable[[], object]) -> None:
    """Start something and wait until it is done."""
    loop = QEventLoop()
    outcome: list[object] = []

    def note(value: object = None) -> None:
        outcome.append(value)
        loop.quit()

    wanted.connect(note)
    failed.connect(note)
    QTimer.singleShot(LONGEST_MILLISECONDS, loop, loop.quit)
    start()
    if not outcome:
        loop.exec()
    wanted.disconnect(note)
    failed.disconnect(note)
    if not outcome:
        raise SelfTestError(f"No answer within {LONGEST_MILLISECONDS / 1000:g} seconds.")
    if isinstance(outcome[0], RunFailure):
        raise SelfTestError(outcome[0].sentence)
