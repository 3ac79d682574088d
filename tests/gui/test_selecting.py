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
def found(opened: Callable[[Path], MainWindow], qtbot) -> MainWindow:
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


def test_nothing_is_selected_before_somebody_looks(found: MainWindow, qtbot) -> None:
    assert found.session.selecting.state is SelectingState.NOT_BEGUN
    assert found.rail.button("selection").toolTip() == "Selection: not made yet"
    press_step(found, "selection")
    wait_until_selected(found, qtbot)
    selection = found.session.document.feature_selection
    count = len(selection.features)
    assert found.rail.button("selection").toolTip() == f"Selection: {count} features"
    press_step(found, "results")
    press_step(found, "selection")
    assert found.session.document.feature_selection is selection


def test_it_is_what_the_engine_selects(found: MainWindow, qtbot) -> None:
    press_step(found, "selection")
    wait_until_selected(found, qtbot)
    analysis = found.session.document.analysis
    expected = engine.select_features(
        engine.prepare(analysis.dataset, analysis.preparation), analysis.discovery
    )
    selection = found.session.document.feature_selection
    assert selection.features == expected.features
    assert selection.reasons == expected.reasons


def test_the_latest_result_wins(found: MainWindow, qtbot, endless: list[object]) -> None:
    document, selecting = found.session.document, found.session.selecting
    press_step(found, "selection")
    assert selecting.state is SelectingState.WORKING
    states = set()
    selecting.changed.connect(lambda: states.add(selecting.state))
    # Threads that begin one after the other need not get as far in that order.
    qtbot.waitUntil(lambda: len(endless) == 1)
    again = document.result.with_stability(None)
    document.set_result(again, document.searched)
    qtbot.waitUntil(lambda: len(endless) == 2)
    assert endless[1] is again
    assert not found.page("selection").export_button.isVisible()
    assert states == {SelectingState.WORKING}, "it was overtaken, not stopped"
    found.session.stop()


def test_stop_and_begin_again(found: MainWindow, qtbot, endless: list[object]) -> None:
    page, selecting = found.page("selection"), found.session.selecting
    press_step(found, "selection")
    qtbot.waitUntil(lambda: found.run_bar.stop.isVisible())
    assert not page.empty.button.isVisible()
    assert page.empty.title == "Selecting features"
    assert found.rail.button("selection").toolTip() == "Selection: selecting"
    QTest.mouseClick(found.run_bar.stop, Qt.MouseButton.LeftButton)
    assert selecting.state is SelectingState.STOPPED
    assert not found.run_bar.stop.isVisible()
    press_step(found, "results")
    press_step(found, "selection")
    assert selecting.state is SelectingState.STOPPED, "who stopped it asks for it again"
    begun = len(endless)
    QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert selecting.state is SelectingState.WORKING
    qtbot.waitUntil(lambda: len(endless) == begun + 1)
    QTest.keyClick(found, Qt.Key.Key_Escape)
    assert selecting.state is SelectingState.STOPPED


def test_an_error_is_named_where_one_looks(found: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(result, progress):
        raise InvalidData("the columns do not suit the test.", remedy="Choose another test.")

    with monkeypatch.context() as patch:
        patch.setattr(searcher.engine, "selection_of", refuse, raising=False)
        with qtbot.waitSignal(found.session.selecting.failed):
            press_step(found, "selection")
    page = found.page("selection")
    assert "Choose another test" in page.empty.notice.text
    assert page.empty.notice.isVisible()
    QTest.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    wait_until_selected(found, qtbot)
    assert page.features.isVisible()
    press_step(found, "results")


def test_it_is_forgotten_with_its_result_and_stays_when_the_search_is_repeated(
    found: MainWindow, qtbot
) -> None:
    document, page = found.session.document, found.page("selection")
    press_step(found, "selection")
    wait_until_selected(found, qtbot)
    selection = document.feature_selection
    document.change_discovery("alpha", 0.05)
    assert page.stale_notice.isVisible()
    assert "0.01" in page.stale_notice.text
    assert found.rail.button("selection").toolTip() == "Selection: earlier settings"
    document.undo_stack.undo()
    assert not page.stale_notice.isVisible()
    with qtbot.waitSignal(found.session.repeating.finished, timeout=120_000):
        found.session.repeating.start(StabilitySettings(resamples=2))
    assert document.feature_selection is selection
    document.undo_stack.redo()
    press_step(found, "data")
    with qtbot.waitSignal(found.session.running.finished, timeout=120_000):
        found.session.running.start()
    assert document.feature_selection is None
    assert found.session.selecting.state is SelectingState.NOT_BEGUN
    press_step(found, "selection")
    wait_until_selected(found, qtbot)
    assert document.feature_selection.settings.alpha == 0.05
    found.workspace.files.close()
    assert document.feature_selection is None
    assert found.session.selecting.state is SelectingState.NO_RESULT


def test_what_is_shown_goes_only_when_the_next_takes_long(
    found: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, page = found.session.document, found.page("selection")
    press_step(found, "selection")
    wait_until_selected(found, qtbot)
    seen = []
    found.session.selecting.changed.connect(lambda: seen.append(page.features.isVisible()))
    found.session.controller.selection.notice.setInterval(60_000)
    document.set_result(document.result.with_stability(None), document.searched)
    wait_until_selected(found, qtbot)
    assert seen == [True, True], "a quick selection takes the place of the one before without a gap"
    found.session.controller.selection.notice.setInterval(0)
    with monkeypatch.context() as patch:
        patch.setattr(searcher.engine, "selection_of", _slowly(searcher.engine.selection_of), raising=False)
        document.set_result(document.result.with_stability(None), document.searched)
        qtbot.waitUntil(lambda: not page.features.isVisible())
        wait_until_selected(found, qtbot)
    assert page.features.isVisible()


def _slowly(select):
    def after_a_while(result, progress):
        time.sleep(0.3)
        return select(result, progress)

    return after_a_while


def test_features_of_an_earlier_result_say_so_once_they_are_there(found: MainWindow, qtbot) -> None:
    page = found.page("selection")
    found.session.document.change_discovery("alpha", 0.05)
    QTest.mouseClick(found.rail.button("data"), Qt.MouseButton.LeftButton)
    assert page.stale_notice.isHidden()
    press_step(found, "selection")
    wait_until_selected(found, qtbot)
    assert page.stale_notice.isVisible()
    assert page.export_button.isVisible()
    page.tabs.setCurrentIndex(page.tabs.count() - 1)
    assert not page.export_button.isVisible(), "it is about the features and their grid"
    page.tabs.setCurrentIndex(1)
    assert page.export_button.isVisible()
