"""Comparison and benchmark while they run: closed, left, exported, stopped, gone on with."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas
import pytest
from defusedxml.ElementTree import parse
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from clcd_gui.comparison.benchmark_window import BenchmarkWindow
from clcd_gui.comparison.panel import ComparisonPanel
from clcd_gui.run import comparing
from clcd_gui.shell.comparison import ComparisonTab
from clcd_gui.shell.main_window import MainWindow
from engine.comparison.networks.benchmark_settings import BenchmarkSettings
from engine.progress import Progress, SharedProgress
from engine.table.dataset import Dataset
from tests.deadline import Deadline
from tests.gui.leftovers import (
    CLOSED_WITHIN_SECONDS,
    WRITTEN_WITHIN_SECONDS,
    at_work,
    drafts_in,
    ends_all_that_it_begins,
)
from tests.gui.test_benchmark_window import OneFolder
from tests.gui.test_benchmark_window import choose_tiny as choose_tiny_networks
from tests.gui.test_comparison import IntoFolder, choose_tiny, click, judging, processes
from tests.gui.test_while_working import wait_for_its_end

__all__ = ["judging", "processes"]

# Splits of three methods, and networks for two: more than are told of before the work is held. All are
# measured meanwhile, beside what is tried.
SPLITS, NETWORKS = 4, 6
PAUSE_SECONDS = 0.25
HELD_AFTER = 10


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pause after each figure, and after many until it is stopped: no work comes to its end in a test.

    What is tried meanwhile takes its time on a machine that does much else.
    """
    monkeypatch.setattr(engine, "compare_selections", held_back(engine.compare_selections))
    monkeypatch.setattr(comparing, "compare_on_networks", compare_unhurriedly_on_networks)


def compare_unhurriedly_on_networks(
    progress: SharedProgress, settings: BenchmarkSettings, folder: Path
) -> object:
    """Do so in the process that compares, in which nothing else is patched."""
    return held_back(engine.benchmark)(
        settings, progress=progress, on_result=progress.give_early, cell_folder=folder
    )


def held_back(compare: Callable[..., object]) -> Callable[..., object]:
    def compare_until_stopped(
        *given: object, progress: Progress, on_result: Callable[[object], None], **others: object
    ) -> object:
        reported = 0

        def report(result: object) -> None:
            nonlocal reported
            reported += 1
            on_result(result)
            time.sleep(PAUSE_SECONDS)
            while reported >= HELD_AFTER and not progress.should_stop():
                time.sleep(0.01)

        return compare(*given, progress=progress, on_result=report, **others)

    return compare_until_stopped


@pytest.fixture(scope="module")
def table() -> Dataset:
    return engine.simulate(labels=3, features=12, rows=200, seed=1).dataset


@pytest.fixture
def table_file(table: Dataset, tmp_path: Path) -> Path:
    path = tmp_path / "simulated.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table.names)
        writer.writerows(zip(*(table.column(name) for name in table.names), strict=True))
    return path


@pytest.fixture
def panel(
    opened: Callable[[Path], MainWindow], table: Dataset, table_file: Path, tmp_path: Path, qtbot
) -> ComparisonPanel:
    """The comparison in the window, with the table that it is made on."""
    window = opened(table_file)
    window.session.document.set_labels(table.labels)
    window.go("selection")
    tab = window.findChild(ComparisonTab)
    window.page("selection").tabs.setCurrentWidget(tab)
    qtbot.waitUntil(tab.panel.isVisible)
    (tmp_path / "files").mkdir()
    for exporter in (tab.panel, tab.panel.curves, tab.panel.standing):
        exporter.dialogs = IntoFolder(tmp_path / "files")
    return tab.panel


def begin(panel: ComparisonPanel, qtbot, at_least: int = 1) -> int:
    """Begin a comparison without an end, wait for first figures, and say how many there are."""
    choose_tiny(panel, splits=SPLITS)
    click(panel.compare)
    qtbot.waitUntil(lambda: measured(panel) >= at_least)
    return measured(panel)


def measured(panel: ComparisonPanel) -> int:
    return 0 if panel.findings is None else len(panel.findings.result.outcomes)


# The next one ends processes in every check, which takes a tenth of the time.
@pytest.mark.long
def test_a_window_that_compares_in_processes_is_closed(panel: ComparisonPanel, qtbot) -> None:
    """Whatever they are at: beginning or measuring."""
    window = panel.window()
    assert isinstance(window, MainWindow)
    choose_tiny(panel, splits=SPLITS)
    folder = window.session.controller.measurements.folder
    with ends_all_that_it_begins():
        click(panel.compare)
        qtbot.waitUntil(lambda: measured(panel) >= 1)
        deadline = Deadline(CLOSED_WITHIN_SECONDS)
        assert window.close()
        assert not deadline.has_passed()
    assert not window.isVisible() and not folder.exists()


def test_a_window_is_closed_whose_comparing_processes_only_begin(panel: ComparisonPanel, qtbot) -> None:
    window = panel.window()
    choose_tiny(panel, splits=SPLITS)
    with ends_all_that_it_begins():
        before = at_work()
        click(panel.compare)
        qtbot.waitUntil(lambda: len(at_work() - before) >= 2)
        deadline = Deadline(CLOSED_WITHIN_SECONDS)
        assert window.close()
        assert not deadline.has_passed()


@pytest.mark.usefixtures("processes")
def test_another_table_that_is_opened_ends_a_comparison(
    panel: ComparisonPanel, opened: Callable[[Path], MainWindow], small_table: Path, qtbot
) -> None:
    begin(panel, qtbot)
    late: list[object] = []
    opened(small_table)
    panel.lane.succeeded.connect(late.append)
    assert not panel.is_busy and panel.findings is None
    assert not panel.run_bar.isVisible() and panel.reason.text() == "Mark at least two columns as labels"
    panel.window().session.document.set_labels(["ill", "tired"])
    assert panel.compare.isEnabled()
    qtbot.waitUntil(lambda: panel.lane.live_threads == 0)
    assert not late and panel.findings is None


@pytest.mark.usefixtures("processes")
def test_a_comparison_goes_on_while_others_pages_are_looked_at_and_files_are_written(
    panel: ComparisonPanel, tmp_path: Path, qtbot
) -> None:
    window, folder = panel.window(), tmp_path / "files"
    done = begin(panel, qtbot)
    QTest.mouseClick(window.rail.button("data"), Qt.MouseButton.LeftButton)
    assert not panel.isVisible()
    qtbot.waitUntil(lambda: measured(panel) > done)
    QTest.mouseClick(window.rail.button("selection"), Qt.MouseButton.LeftButton)
    assert panel.isVisible() and panel.is_busy and panel.run_bar.stop.isVisible()

    done = measured(panel)
    click(panel.export)
    assert not panel.export.isEnabled() and panel.export.toolTip() == "The files are being written"
    qtbot.waitUntil(lambda: "files written to" in panel.notice.text)
    assert panel.is_busy and panel.run_bar.stop.isVisible(), "it goes on meanwhile"
    assert done <= len(pandas.read_csv(folder / "selections.csv")) <= measured(panel)
    for picture in folder.glob("*.svg"):
        assert parse(picture).getroot().tag.endswith("svg")

    # Stop, and closed at once: what was asked for is written all the same.
    (folder / "selection.html").unlink()
    panel.views.show_view("curves")
    panel.curves.actions_by_ending[".pdf"].trigger()
    click(panel.export)
    click(panel.run_bar.stop)
    deadline = Deadline(CLOSED_WITHIN_SECONDS + WRITTEN_WITHIN_SECONDS)
    assert window.close()
    assert not deadline.has_passed()
    assert (folder / "selection.html").is_file()
    assert (folder / "curves.pdf").read_bytes().endswith(b"%%EOF\n")
    assert not drafts_in(folder)


@pytest.fixture
def benchmark(window: MainWindow, qtbot, tmp_path: Path) -> Iterator[BenchmarkWindow]:
    window.commands.actions.benchmark.trigger()
    benchmark_window = window.commands.windows.benchmark
    (tmp_path / "files").mkdir()
    benchmark_window.dialogs = OneFolder(tmp_path / "files")
    for panel in (benchmark_window.accuracy, benchmark_window.time):
        panel.dialogs = IntoFolder(tmp_path / "files")
    qtbot.waitUntil(benchmark_window.isActiveWindow)
    return benchmark_window


class OnAThread:
    """Does what a process of its own would do, which takes seconds to begin."""

    def __init__(self, *_: object) -> None:
        pass

    def __enter__(self) -> OnAThread:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def follow(self, progress: SharedProgress, work: Callable[..., object], *given: object) -> object:
        return work(progress, *given)


@pytest.fixture
def networks_on_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what does not depend on where networks are simulated and searched."""
    monkeypatch.setattr(comparing, "HelperProcess", OnAThread)


def begin_networks(benchmark: BenchmarkWindow, qtbot) -> int:
    """Begin a benchmark without an end, wait for first figures, and say how many there are."""
    choose_tiny_networks(benchmark)
    benchmark.settings.form.editor("seeds").setValue(NETWORKS)
    click(benchmark.page.primary)
    qtbot.waitUntil(lambda: len(benchmark.result.outcomes) >= 2)
    return len(benchmark.result.outcomes)


@pytest.mark.usefixtures("networks_on_a_thread")
def test_a_benchmark_that_is_closed_stops_and_goes_on_from_there(
    window: MainWindow, benchmark: BenchmarkWindow, qtbot
) -> None:
    begin_networks(benchmark, qtbot)
    assert benchmark.close()
    done = benchmark.result.outcomes
    assert window.isVisible() and not benchmark.lane.is_busy
    wait_for_its_end(benchmark.lane, qtbot)
    window.commands.actions.benchmark.trigger()
    assert window.commands.windows.benchmark is benchmark and benchmark.isVisible()
    assert benchmark.result.outcomes == done and benchmark.export.isEnabled()
    text = benchmark.run_bar.activity.text()
    assert text.startswith(f"Stopped: {len(done)} of ") and text.endswith("Run continues from there")
    click(benchmark.page.primary)
    qtbot.waitUntil(lambda: len(benchmark.result.outcomes) > len(done))
    # The same seconds: nothing that was searched is searched again.
    assert benchmark.result.outcomes[: len(done)] == done
    click(benchmark.run_bar.stop)


@pytest.mark.usefixtures("networks_on_a_thread")
def test_a_benchmark_that_runs_is_shown_when_it_is_asked_for_again(
    window: MainWindow, benchmark: BenchmarkWindow, qtbot
) -> None:
    begin_networks(benchmark, qtbot)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.commands.actions.benchmark.trigger()
    qtbot.waitUntil(benchmark.isActiveWindow)
    assert window.commands.windows.benchmark is benchmark
    assert benchmark.lane.is_busy and benchmark.lane.live_threads == 1
    assert benchmark.run_bar.stop.isVisible()
    QTest.keyClick(benchmark, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert benchmark.lane.live_threads == 1, "a second run does not begin"
    QTest.keyClick(benchmark, Qt.Key.Key_Escape)
    assert not benchmark.lane.is_busy and benchmark.isVisible()
    QTest.keyClick(benchmark, Qt.Key.Key_Escape)
    assert not benchmark.isVisible()


@pytest.mark.usefixtures("networks_on_a_thread")
def test_what_a_benchmark_measured_is_exported_while_it_runs(
    benchmark: BenchmarkWindow, tmp_path: Path, qtbot
) -> None:
    done = begin_networks(benchmark, qtbot)
    QTest.keyClick(benchmark, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "files written to" in benchmark.notice.text)
    assert benchmark.lane.is_busy and benchmark.run_bar.stop.isVisible(), "it goes on meanwhile"
    folder = tmp_path / "files"
    written = pandas.read_csv(folder / "networks.csv")
    assert done <= len(written) <= len(benchmark.result.outcomes)
    for picture in folder.glob("*.svg"):
        assert parse(picture).getroot().tag.endswith("svg")
    assert not drafts_in(folder)
    click(benchmark.run_bar.stop)


# A comparison that is closed while it writes is tried in the short form too.
@pytest.mark.long
def test_the_main_window_takes_a_benchmark_along_and_leaves_its_files_whole(
    window: MainWindow, benchmark: BenchmarkWindow, tmp_path: Path, qtbot
) -> None:
    begin_networks(benchmark, qtbot)
    with qtbot.waitSignal(benchmark.accuracy.written, timeout=60_000):
        benchmark.accuracy.actions_by_ending[".png"].trigger()
    with ends_all_that_it_begins():
        benchmark.tabs.setCurrentWidget(benchmark.accuracy)
        benchmark.accuracy.actions_by_ending[".pdf"].trigger()
        benchmark.tabs.setCurrentWidget(benchmark.table)
        click(benchmark.export)
        deadline = Deadline(CLOSED_WITHIN_SECONDS + WRITTEN_WITHIN_SECONDS)
        assert window.close()
        assert not deadline.has_passed()
    assert not window.isVisible() and window.commands.windows.benchmark is None
    assert (tmp_path / "files" / "accuracy.pdf").read_bytes().endswith(b"%%EOF\n")
    assert (tmp_path / "files" / "benchmark.html").is_file()
    assert not drafts_in(tmp_path / "files")


@pytest.mark.usefixtures("networks_on_a_thread")
def test_a_search_beside_a_benchmark_finds_what_it_finds_alone(
    benchmark: BenchmarkWindow, opened: Callable[[Path], MainWindow], table: Dataset, table_file: Path, qtbot
) -> None:
    begin_networks(benchmark, qtbot)
    window = opened(table_file)
    document = window.session.document
    document.set_labels(table.labels)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    with qtbot.waitSignal(window.session.running.finished):
        QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert benchmark.lane.is_busy
    beside = document.result
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert benchmark.lane.is_busy, "Stop in the main window is for what runs there"
    click(benchmark.run_bar.stop)
    assert beside.label_sets == engine.discover(beside.dataset, beside.settings).label_sets
