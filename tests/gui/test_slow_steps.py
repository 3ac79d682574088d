"""Steps that take a while, as in a large table: one at a time, seen while they are made, and stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from clcd_gui.data.data_page import DataPage
from clcd_gui.run import table_steps
from clcd_gui.run.table_steps import MAKING_STEPS, MakeSteps
from clcd_gui.shell.main_window import MainWindow
from engine.table.variable import Kind, Role
from tests.gui.test_column_page import settle, shown


@pytest.fixture
def may_go_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Steps are made on the thread, once the test says so."""
    event = threading.Event()
    make = MakeSteps.__call__

    def make_slowly(job: MakeSteps, progress: object) -> object:
        assert event.wait(120), "the test never let it go on"
        return make(job, progress)

    monkeypatch.setattr(table_steps, "_MOST_CELLS_AT_ONCE", 0)
    monkeypatch.setattr(MakeSteps, "__call__", make_slowly)
    yield event
    event.set()


@pytest.fixture
def page(opened: Callable[[Path], MainWindow], small_table: Path, may_go_on: threading.Event) -> DataPage:
    return opened(small_table).page("data")


def wait(page: DataPage, qtbot) -> None:
    qtbot.waitUntil(lambda: not page._session.controller.steps.is_busy)


def kinds(page: DataPage) -> dict[str, Kind]:
    return {variable.name: variable.kind for variable in page._document.analysis.dataset.variables}


def test_a_step_that_is_asked_for_while_another_is_made_is_left_out_with_a_word(
    page: DataPage, may_go_on: threading.Event, qtbot
) -> None:
    page.columns.kind_requested.emit(["age"], Kind.NOMINAL)
    page.columns.kind_requested.emit(["dose"], Kind.NOMINAL)
    assert "still being applied" in page.notice.text and "dose" in page.notice.text
    page.steps.made_name.setText("twice")
    page.steps.formula.setText("dose * 2")
    page.steps.compute.click()
    assert page.steps.formula.text() == "dose * 2", "what was typed can be asked for again"
    may_go_on.set()
    wait(page, qtbot)
    assert kinds(page)["age"] is Kind.NOMINAL and kinds(page)["dose"] is Kind.CONTINUOUS
    assert page.notice.isVisible(), "a person reads it after the step is made"
    page.columns.kind_requested.emit(["dose"], Kind.NOMINAL)
    wait(page, qtbot)
    assert kinds(page)["age"] is kinds(page)["dose"] is Kind.NOMINAL
    assert len(page._document.analysis.recipe.steps) == 2 and not page.notice.isVisible()


def test_what_is_undone_while_a_step_is_made_stays_undone(
    page: DataPage, may_go_on: threading.Event, qtbot
) -> None:
    may_go_on.set()
    page.columns.kind_requested.emit(["age"], Kind.NOMINAL)
    wait(page, qtbot)
    may_go_on.clear()
    page.columns.kind_requested.emit(["dose"], Kind.NOMINAL)
    page._document.undo_stack.undo()
    may_go_on.set()
    wait(page, qtbot)
    assert kinds(page)["age"] is kinds(page)["dose"] is Kind.CONTINUOUS
    assert "changed in the meantime" in page.notice.text


def test_a_role_that_is_given_while_a_step_is_made_is_kept(
    page: DataPage, may_go_on: threading.Event, qtbot
) -> None:
    page.columns.kind_requested.emit(["age"], Kind.NOMINAL)
    page._document.set_roles(["ill"], Role.LABEL)
    may_go_on.set()
    wait(page, qtbot)
    assert kinds(page)["age"] is Kind.NOMINAL and page._document.analysis.dataset.labels == ("ill",)


def test_it_is_seen_that_steps_are_made_and_they_can_be_stopped(
    page: DataPage, may_go_on: threading.Event, qtbot
) -> None:
    bar = page.window().run_bar
    page.columns.kind_requested.emit(["age"], Kind.NOMINAL)
    qtbot.waitUntil(lambda: bar.activity.text() == MAKING_STEPS and bar.stop.isVisible())
    QTest.mouseClick(bar.stop, Qt.MouseButton.LeftButton)
    assert not bar.stop.isVisible() and not bar.activity.text()
    assert kinds(page)["age"] is Kind.CONTINUOUS
    page.columns.kind_requested.emit(["age"], Kind.NOMINAL)
    qtbot.waitUntil(bar.stop.isVisible)
    may_go_on.set()
    wait(page, qtbot)
    assert not bar.stop.isVisible() and kinds(page)["age"] is Kind.NOMINAL


def test_categories_that_were_not_changed_are_still_edited(
    page: DataPage, may_go_on: threading.Event, qtbot
) -> None:
    column, lane = shown(page, "smoker", qtbot), page._session.controller.steps
    column.levels.table.item(0, 1).setText("never")
    QTest.mouseClick(column.levels.apply, Qt.MouseButton.LeftButton)
    assert lane.is_busy
    page._session.stop()
    assert column.levels.apply.isEnabled()
    # What is described anew for another reason leaves what was edited.
    page._document.set_roles(["ill"], Role.LABEL)
    settle(column, qtbot)
    assert column.levels.table.item(0, 1).text() == "never"
    QTest.mouseClick(column.levels.apply, Qt.MouseButton.LeftButton)
    assert lane.is_busy
    may_go_on.set()
    wait(page, qtbot)
    assert page._document.analysis.dataset.variable("smoker").levels == ("never", "yes")


def test_a_switch_shows_what_holds_after_stop(page: DataPage, may_go_on: threading.Event, qtbot) -> None:
    may_go_on.set()
    page.columns.kind_requested.emit(["age"], Kind.NOMINAL)
    wait(page, qtbot)
    may_go_on.clear()
    page.steps.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    page._session.stop()
    assert page.steps.list.item(0).checkState() is Qt.CheckState.Checked
    assert kinds(page)["age"] is Kind.NOMINAL
