"""Features are selected from a result once somebody looks: in the background, the latest wins, Stop stops."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from clcd_gui.document.examples import examples
from clcd_gui.run import searcher
from clcd_gui.run.running import SelectingState
from clcd_gui.shell.main_window import MainWindow
from engine.discovery.stability.result import StabilitySettings
from engine.errors import Cancelled, InvalidData

pytestmark = pytest.mark.one_window


@pytest.fixture
def searched_window(opened: Callable[[Path], MainWindow], qtbot) -> MainWindow:
    """The window with the results of the bundled survey; nothing follows the settings by itself."""
    window = opened(examples()[0].path)
    window.session.live.set_wanted(False)
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
    return window


def press_step(window: MainWindow, step: str) -> None:
    QTest.mouseClick(window.rail.button(step), Qt.MouseButton.LeftButton)


def wait_until_selected(window: MainWindow, qtbot) -> None:
    qtbot.waitUntil(lambda: window.session.selecting.state is SelectingState.DONE, timeout=60_000)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Selecting goes on until it is stopped; gives the results that it was begun with."""
    begun: list[object] = []

    def go_on(result, progress):
        begun.append(result)
        while not progress.should_stop():
            time.sleep(0.002)
        raise Cancelled("the run was stopped.")

    monkeypatch.setattr(searcher.engine, "selection_of", go_on, raising=False)
    return begun


def test_before_a_run_the_page_teaches_and_runs(
    opened: Callable[[Path], MainWindow], qtbot, small_table: Path
) -> None:
    window = opened(small_table)
    page = window.page("selection")
    press_step(window, "selection")
    assert page.isVisible()
    assert not page.empty.button.isEnabled()
    assert window.rail.button("selection").toolTip() == "Selection: waits for Results"
    window.session.document.set_labels(["ill", "tired"])
    assert page.empty.button.isEnabled()
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    wait_until_selected(window, qtbot)
    assert page.isVisible(), "who waits for the selection is not led to the results"
    assert page.features.isVisible()


def test_nothing_is_selected_before_somebody_looks(searched_window: MainWindow, qtbot) -> None:
    assert searched_window.session.selecting.state is SelectingState.NOT_BEGUN
    assert searched_window.rail.button("selection").toolTip() == "Selection: not made yet"
    press_step(searched_window, "selection")
    wait_until_selected(searched_window, qtbot)
    selection = searched_window.session.document.feature_selection
    count = len(selection.features)
    assert searched_window.rail.button("selection").toolTip() == f"Selection: {count} features"
    press_step(searched_window, "results")
    press_step(searched_window, "selection")
    assert searched_window.session.document.feature_selection is selection


def test_it_is_what_the_engine_selects(searched_window: MainWindow, qtbot) -> None:
    press_step(searched_window, "selection")
    wait_until_selected(searched_window, qtbot)
    analysis = searched_window.session.document.analysis
    expected = engine.select_features(
        engine.prepare(analysis.dataset, analysis.preparation), analysis.discovery
    )
    selection = searched_window.session.document.feature_selection
    assert selection.features == expected.features
    assert selection.reasons == expected.reasons


def test_the_latest_result_wins(searched_window: MainWindow, qtbot, endless: list[object]) -> None:
    document, selecting = searched_window.session.document, searched_window.session.selecting
    press_step(searched_window, "selection")
    assert selecting.state is SelectingState.WORKING
    states = set()
    selecting.changed.connect(lambda: states.add(selecting.state))
    # Threads that begin one after the other need not get as far in that order.
    qtbot.waitUntil(lambda: len(endless) == 1)
    again = document.result.with_stability(None)
    document.set_result(again, document.searched)
    qtbot.waitUntil(lambda: len(endless) == 2)
    assert endless[1] is again
    assert not searched_window.page("selection").export_button.isVisible()
    assert states == {SelectingState.WORKING}, "it was overtaken, not stopped"
    searched_window.session.stop()


def test_stop_and_begin_again(searched_window: MainWindow, qtbot, endless: list[object]) -> None:
    page, selecting = searched_window.page("selection"), searched_window.session.selecting
    press_step(searched_window, "selection")
    qtbot.waitUntil(lambda: searched_window.run_bar.stop.isVisible())
    assert not page.empty.button.isVisible()
    assert page.empty.title == "Selecting features"
    assert searched_window.rail.button("selection").toolTip() == "Selection: selecting"
    QTest.mouseClick(searched_window.run_bar.stop, Qt.MouseButton.LeftButton)
    assert selecting.state is SelectingState.STOPPED
    assert not searched_window.run_bar.stop.isVisible()
    press_step(searched_window, "results")
    press_step(searched_window, "selection")
    assert selecting.state is SelectingState.STOPPED, "who stopped it asks for it again"
    begun = len(endless)
    QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert selecting.state is SelectingState.WORKING
    qtbot.waitUntil(lambda: len(endless) == begun + 1)
    QTest.keyClick(searched_window, Qt.Key.Key_Escape)
    assert selecting.state is SelectingState.STOPPED


def test_an_error_is_named_where_one_looks(
    searched_window: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(result, progress):
        raise InvalidData("the columns do not suit the test.", remedy="Choose another test.")

    with monkeypatch.context() as patch:
        patch.setattr(searcher.engine, "selection_of", refuse, raising=False)
        with qtbot.waitSignal(searched_window.session.selecting.failed):
            press_step(searched_window, "selection")
    page = searched_window.page("selection")
    assert "Choose another test" in page.empty.notice.text
    assert page.empty.notice.isVisible()
    QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    wait_until_selected(searched_window, qtbot)
    assert page.features.isVisible()
    press_step(searched_window, "results")


def test_it_is_forgotten_with_its_result_and_stays_when_the_search_is_repeated(
    searched_window: MainWindow, qtbot
) -> None:
    document, page = searched_window.session.document, searched_window.page("selection")
    press_step(searched_window, "selection")
    wait_until_selected(searched_window, qtbot)
    selection = document.feature_selection
    document.change_discovery("alpha", 0.05)
    assert page.stale_notice.isVisible()
    assert "0.01" in page.stale_notice.text
    assert searched_window.rail.button("selection").toolTip() == "Selection: earlier settings"
    document.undo_stack.undo()
    assert not page.stale_notice.isVisible()
    with qtbot.waitSignal(searched_window.session.repeating.finished, timeout=120_000):
        searched_window.session.repeating.start(StabilitySettings(resamples=2))
    assert document.feature_selection is selection
    document.undo_stack.redo()
    press_step(searched_window, "data")
    with qtbot.waitSignal(searched_window.session.running.finished, timeout=120_000):
        searched_window.session.running.start()
    assert document.feature_selection is None
    assert searched_window.session.selecting.state is SelectingState.NOT_BEGUN
    press_step(searched_window, "selection")
    wait_until_selected(searched_window, qtbot)
    assert document.feature_selection.settings.alpha == 0.05
    searched_window.workspace.files.close()
    assert document.feature_selection is None
    assert searched_window.session.selecting.state is SelectingState.NO_RESULT


def test_what_is_shown_goes_only_when_the_next_takes_long(
    searched_window: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, page = searched_window.session.document, searched_window.page("selection")
    press_step(searched_window, "selection")
    wait_until_selected(searched_window, qtbot)
    seen = []
    searched_window.session.selecting.changed.connect(lambda: seen.append(page.features.isVisible()))
    searched_window.session.controller.selection.notice.setInterval(60_000)
    document.set_result(document.result.with_stability(None), document.searched)
    wait_until_selected(searched_window, qtbot)
    assert seen == [True, True], "a quick selection takes the place of the one before without a gap"
    searched_window.session.controller.selection.notice.setInterval(0)
    with monkeypatch.context() as patch:
        patch.setattr(searcher.engine, "selection_of", _slowly(searcher.engine.selection_of), raising=False)
        document.set_result(document.result.with_stability(None), document.searched)
        qtbot.waitUntil(lambda: not page.features.isVisible())
        wait_until_selected(searched_window, qtbot)
    assert page.features.isVisible()


def _slowly(select):
    def after_a_while(result, progress):
        time.sleep(0.3)
        return select(result, progress)

    return after_a_while


def test_features_of_an_earlier_result_say_so_once_they_are_there(searched_window: MainWindow, qtbot) -> None:
    page = searched_window.page("selection")
    searched_window.session.document.change_discovery("alpha", 0.05)
    QTest.mouseClick(searched_window.rail.button("data"), Qt.MouseButton.LeftButton)
    assert page.stale_notice.isHidden()
    press_step(searched_window, "selection")
    wait_until_selected(searched_window, qtbot)
    assert page.stale_notice.isVisible()
    assert page.export_button.isVisible()
    page.tabs.setCurrentIndex(page.tabs.count() - 1)
    assert not page.export_button.isVisible(), "it is about the features and their grid"
    page.tabs.setCurrentIndex(1)
    assert page.export_button.isVisible()
