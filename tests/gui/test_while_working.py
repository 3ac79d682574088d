"""The main window while it works: another table, a project, files and closing come in the middle of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

import engine
from clcd_gui.resource_path import resource_path
from clcd_gui.run.lane import Lane
from clcd_gui.run.running import SelectingState
from clcd_gui.shell.main_window import MainWindow
from engine.discovery.stability.result import StabilitySettings
from engine.reporting.result_file import read_result
from tests.deadline import Deadline
from tests.gui.conftest import AnsweringDialogs
from tests.gui.leftovers import (
    CLOSED_WITHIN_SECONDS,
    WRITTEN_WITHIN_SECONDS,
    at_work,
    drafts_in,
    ends_all_that_it_begins,
)
from tests.gui.test_comparison import IntoFolder
from tests.gui.test_running import ENDLESS, least_held_up

SURVEY = resource_path("examples", "hospital-survey.csv")
CONTROL = Qt.KeyboardModifier.ControlModifier
# More parts of the rows than are searched before the window is closed or another table is there.
MANY_PARTS = StabilitySettings(resamples=2000)
# In a busy machine a window may stand still for a moment; one that waits for work stands still all the time.
MOST_HELD_UP = 0.5


@pytest.fixture
def searched(opened: Callable[[Path], MainWindow], tmp_path: Path, qtbot) -> MainWindow:
    """The window with the survey and what was found in it."""
    return search(opened(SURVEY), tmp_path, qtbot)


def search(window: MainWindow, folder: Path, qtbot) -> MainWindow:
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished):
        QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
    window.page("results").export_actions.dialogs = IntoFolder(folder)
    return window


def close_soon(window: MainWindow, seconds: float = CLOSED_WITHIN_SECONDS) -> None:
    deadline = Deadline(seconds)
    assert window.close()
    assert not deadline.has_passed()
    assert not window.isVisible()


def wait_for_its_end(lane: Lane, qtbot) -> None:
    """Wait for what was given up in a lane, which comes soon."""
    deadline = Deadline(CLOSED_WITHIN_SECONDS)
    qtbot.waitUntil(lambda: lane.live_threads == 0)
    assert not deadline.has_passed()


def test_a_window_that_repeats_and_measures_answers_and_closes(searched: MainWindow, qtbot) -> None:
    with ends_all_that_it_begins():
        searched.session.repeating.start(MANY_PARTS)
        held_up = least_held_up(qtbot, 500, MOST_HELD_UP)
        assert searched.session.controller.repetition.is_busy
        assert held_up < MOST_HELD_UP
        close_soon(searched)


def test_another_table_ends_what_is_repeated_and_measured(
    searched: MainWindow, opened: Callable[[Path], MainWindow], small_table: Path, qtbot
) -> None:
    controller, document = searched.session.controller, searched.session.document
    searched.session.repeating.start(MANY_PARTS)
    opened(small_table)
    assert not controller.repetition.is_busy and not controller.sizes.is_busy
    qtbot.waitUntil(lambda: controller.repetition.live_threads == 0)
    qtbot.waitUntil(lambda: controller.sizes.live_threads == 0)
    assert document.result is None and "Night shifts" not in document.analysis.dataset.names
    assert not searched.run_bar.stop.isVisible()


def test_files_that_are_asked_for_one_after_the_other_are_all_written(
    searched: MainWindow, tmp_path: Path, qtbot
) -> None:
    repetition = searched.session.controller.repetition
    actions = searched.page("results").export_actions
    written: list[str] = []
    actions.written.connect(lambda paths: written.extend(path.name for path in paths))
    searched.session.repeating.start(MANY_PARTS)
    actions.actions_by_name["label-specific"].trigger()
    qtbot.waitUntil(lambda: len(written) == 1)
    assert repetition.is_busy, "it goes on meanwhile"
    repetition.abandon()
    for name in ("report-pdf", "common", "result"):
        actions.actions_by_name[name].trigger()
    qtbot.waitUntil(lambda: len(written) == 4)
    (report,) = tmp_path.glob("*.pdf")
    assert report.name == written[1] and report.read_bytes().rstrip().endswith(b"%%EOF")
    assert read_result(tmp_path / written[3]).label_sets
    assert not drafts_in(tmp_path)


def test_a_window_that_is_closed_while_it_writes_has_written(
    searched: MainWindow, tmp_path: Path, qtbot
) -> None:
    searched.session.repeating.start(MANY_PARTS)
    actions = searched.page("results").export_actions
    for name in ("report-pdf", "report", "common"):
        actions.actions_by_name[name].trigger()
    close_soon(searched, CLOSED_WITHIN_SECONDS + WRITTEN_WITHIN_SECONDS)
    (report,) = tmp_path.glob("*.pdf")
    assert report.read_bytes().rstrip().endswith(b"%%EOF")
    assert list(tmp_path.glob("*.html")) and list(tmp_path.glob("*.csv"))
    assert not drafts_in(tmp_path)


@pytest.fixture
def long_table(tmp_path: Path) -> Path:
    """A table that is read in a process of its own, for some seconds."""
    path = tmp_path / "long.csv"
    line = ",".join(f"{number}.25" for number in range(40))
    heads = ",".join(f"column {number}" for number in range(40))
    path.write_text(heads + "\n" + f"{line}\n" * 60_000, encoding="utf-8")
    return path


def test_a_window_that_reads_in_a_process_closes(window: MainWindow, long_table: Path, qtbot) -> None:
    files = window.session.controller.files
    with ends_all_that_it_begins():
        window.open_path(long_table)
        qtbot.waitUntil(lambda: any("helper-guard" in command for command in at_work()))
        assert files.is_busy
        close_soon(window)
    assert files.live_threads == 0


def test_another_table_is_opened_while_one_is_read_in_a_process(
    window: MainWindow, opened: Callable[[Path], MainWindow], long_table: Path, small_table: Path, qtbot
) -> None:
    window.open_path(long_table)
    qtbot.waitUntil(lambda: any("helper-guard" in command for command in at_work()))
    opened(small_table)
    files = window.session.controller.files
    qtbot.waitUntil(lambda: files.live_threads == 0)
    assert window.session.document.reading.path == small_table
    assert window.session.opening.first_rows is None and window.page("data").isVisible()


@pytest.fixture
def searching(searched: MainWindow, qtbot) -> MainWindow:
    """The window with what was found in the survey, while it is searched again, without an end."""
    session, document = searched.session, searched.session.document
    session.live.set_wanted(False)
    document.change(document.analysis.with_settings(discovery=ENDLESS), "search endlessly")
    QTest.keyClick(searched, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: "Looking" in searched.run_bar.activity.text())
    return searched


def test_what_was_found_before_is_exported_and_saved_while_a_search_runs(
    searching: MainWindow, dialogs: AnsweringDialogs, tmp_path: Path, qtbot
) -> None:
    session, document = searching.session, searching.session.document
    (before,) = document.history.runs
    QTest.mouseClick(searching.rail.button("results"), Qt.MouseButton.LeftButton)
    actions = searching.page("results").export_actions
    for name in ("label-specific", "result"):
        with qtbot.waitSignal(actions.written):
            actions.actions_by_name[name].trigger()
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(session.saving.saved):
        QTest.keyClick(searching, Qt.Key.Key_S, CONTROL)
    assert session.controller.discovery.is_busy, "it goes on meanwhile"

    (table,), (result,) = tmp_path.glob("*.csv"), tmp_path.glob("*.json")
    assert len(pandas.read_csv(table)) == len(before.result.findings.label_specific)
    assert read_result(result).label_sets == before.result.label_sets
    (saved,) = engine.open_project(tmp_path / "study.clcd").runs
    assert saved.result.label_sets == before.result.label_sets
    with ends_all_that_it_begins():
        close_soon(searching)
    assert not drafts_in(tmp_path)


def test_a_project_that_is_opened_ends_a_search(
    searching: MainWindow, dialogs: AnsweringDialogs, tmp_path: Path, qtbot
) -> None:
    session, document = searching.session, searching.session.document
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(session.saving.saved):
        QTest.keyClick(searching, Qt.Key.Key_S, CONTROL)
    late: list[object] = []
    session.running.finished.connect(late.append)
    with qtbot.waitSignal(session.opening.opened):
        searching.open_path(tmp_path / "study.clcd")
    discovery = session.controller.discovery
    assert not discovery.is_busy
    wait_for_its_end(discovery, qtbot)
    assert not late and len(document.history.runs) == 1 and searching.page("results").isVisible()

    QTest.keyClick(searching, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: "Looking" in searching.run_bar.activity.text())
    QTest.keyClick(searching, Qt.Key.Key_W, CONTROL)
    assert not discovery.is_busy and searching.start_page.isVisible()
    wait_for_its_end(discovery, qtbot)
    assert not late and document.result is None and not searching.run_bar.stop.isVisible()


# One file that is being written is tried in the short form.
@pytest.mark.long
def test_a_report_and_a_selection_that_are_being_written_are_whole_when_the_window_is_closed(
    opened: Callable[[Path], MainWindow], small_survey: Path, tmp_path: Path, qtbot
) -> None:
    searched = search(opened(small_survey), tmp_path, qtbot)
    QTest.mouseClick(searched.rail.button("selection"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: searched.session.selecting.state is SelectingState.DONE)
    selection, report = searched.page("selection"), searched.page("report")
    selection.export.dialogs, report.dialogs = IntoFolder(tmp_path / "cut"), IntoFolder(tmp_path / "told")
    QTest.mouseClick(selection.export_button, Qt.MouseButton.LeftButton)
    dialog = selection.export.dialog
    dialog.choose.click()
    tick(dialog.files.box("selection_grid.pdf"))
    QTest.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)

    # The report is written while its preview is still drawn by the same process.
    QTest.mouseClick(searched.rail.button("report"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(report.primary.isEnabled)
    QTest.mouseClick(report.primary, Qt.MouseButton.LeftButton)
    dialog = report.dialog
    dialog.choose.click()
    tick(dialog.files.box("report"))
    QTest.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    close_soon(searched, CLOSED_WITHIN_SECONDS + WRITTEN_WITHIN_SECONDS)
    selection_folder, report_folder = tmp_path / "cut", tmp_path / "told"
    assert (selection_folder / "selection_grid.pdf").read_bytes().rstrip().endswith(b"%%EOF")
    assert len(pandas.read_csv(selection_folder / "selected_data.csv")) == len(pandas.read_csv(small_survey))
    (pages,), (page,) = report_folder.glob("*.pdf"), report_folder.glob("*.html")
    assert pages.read_bytes().rstrip().endswith(b"%%EOF")
    assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert not drafts_in(tmp_path)


def tick(box: QCheckBox) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(10, box.height() // 2))
    assert box.isChecked()
