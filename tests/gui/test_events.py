"""The event of a two-valued column is chosen in the window, kept, undone, and told anew without a search."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from clcd_gui.data.columns_model import Field
from clcd_gui.document.checks import Check, EventChoice
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.check_cards import CheckCards
from engine.discovery.effects.estimates import Sign
from engine.table.variable import EventFrom, Role
from tests.gui.conftest import open_as_found
from tests.gui.test_made_from_labels import button_of


@pytest.fixture
def spss_like(tmp_path: Path) -> Path:
    """1 = ill and 2 = not, as in many SPSS files; smoking causes it."""
    drawn = np.random.default_rng(3)
    smoker = drawn.random(300) < 0.5
    ill = drawn.random(300) < np.where(smoker, 0.8, 0.2)
    tired = drawn.random(300) < np.where(ill, 0.7, 0.2)
    frame = pandas.DataFrame(
        {
            "smoker": np.where(smoker, "yes", "no"),
            "sex": drawn.choice(["female", "male"], 300),
            "copd": np.where(ill, 1, 2),
            "tired": np.where(tired, "ja", "nein"),
        }
    )
    path = tmp_path / "copd.csv"
    frame.to_csv(path, index=False)
    return path


def _opened(window: MainWindow, qtbot, path: Path) -> MainWindow:
    open_as_found(window, qtbot, path)
    window.session.document.set_labels(["copd", "tired"])
    return window


def _events(window: MainWindow) -> dict[str, str | None]:
    return {variable.name: variable.event for variable in window.session.document.analysis.dataset.variables}


def test_undecided_events_are_one_card_with_the_choice_inside(window, qtbot, spss_like) -> None:
    _opened(window, qtbot, spss_like)
    data = window.page("data")
    assert _events(window)["tired"] == "ja"
    card = next(check for check in data.checks.checks if check.kind == "events")
    assert card.title == "Event of 2 columns"
    assert [(choice.levels, choice.columns) for choice in card.choices] == [
        (("1", "2"), ("copd",)),
        (("female", "male"), ("sex",)),
    ]
    assert data.check_notice.text == "The event of 2 columns is not known. Check this before you run."
    top = data.tabs.mapTo(data, QPoint()).y()
    data.check_notice.findChild(QPushButton).click()
    assert data.tabs.currentWidget() is data.checks and not data.check_notice.isVisible()
    assert data.tabs.mapTo(data, QPoint()).y() == top, "tabs stay under the pointer"
    ill = next(button for button in data.checks.findChildren(QPushButton) if button.text() == "1")
    ill.click()
    assert _events(window)["copd"] == "1"
    assert [check.title for check in data.checks.checks] == ["Event of 1 column", "Event of 1 column, chosen"]
    next(button for button in data.checks.findChildren(QPushButton) if button.text() == "Not chosen").click()
    assert _events(window)["copd"] is None
    window.session.document.undo_stack.undo()
    assert _events(window)["copd"] == "1"
    window.session.document.undo_stack.undo()
    assert _events(window)["copd"] is None


def test_the_list_and_the_page_of_a_column_show_the_event_and_change_it(window, qtbot, spss_like) -> None:
    _opened(window, qtbot, spss_like)
    data = window.page("data")
    model = data.columns_model
    shown = {
        model.index(row, Field.NAME).data(): model.index(row, Field.VALUES).data()
        for row in range(model.rowCount())
    }
    assert shown == {
        "smoker": "event yes, no",
        "sex": "event not chosen: female, male",
        "copd": "event not chosen: 1, 2",
        "tired": "event ja, nein",
    }
    data.open_column("copd")
    box = data.column.event_row.box
    qtbot.waitUntil(lambda: box.isVisible())
    assert [box.itemText(place) for place in range(box.count())] == ["Not chosen", "1", "2"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert _events(window)["copd"] == "1"
    qtbot.waitUntil(lambda: "was chosen" in data.column.event_row.reason.text())
    document = window.session.document
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: box.currentText() == "Not chosen")


def test_an_event_outlives_steps_and_projects(window, qtbot, dialogs, spss_like, tmp_path) -> None:
    from engine.recipe.column_steps import Rename

    _opened(window, qtbot, spss_like)
    document = window.session.document
    document.set_events(["copd"], "1")
    document.change_recipe(document.analysis.recipe.with_step(Rename("sex", "gender")), "rename")
    assert _events(window)["copd"] == "1"
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(window.session.saving.saved):
        window.commands.actions.save_as.trigger()
    window.workspace.files.close()
    with qtbot.waitSignal(window.session.opening.opened):
        window.open_path(dialogs.project)
    variable = document.analysis.dataset.variable("copd")
    assert (variable.event, variable.event_from) == ("1", EventFrom.GIVEN)


def test_results_are_told_for_another_event_without_a_search(window, qtbot, spss_like) -> None:
    _opened(window, qtbot, spss_like)
    session, document = window.session, window.session.document
    document.set_events(["copd"], "2")
    with qtbot.waitSignal(session.running.finished, timeout=250_000):
        session.running.start()
    window.go("results")
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=250_000)
    qtbot.waitUntil(lambda: not session.controller.sizes.is_busy, timeout=250_000)
    before, searches = document.result, []
    session.controller.discovery.started.connect(lambda: searches.append(1))
    session.controller.live.started.connect(lambda: searches.append(1))
    document.set_events(["copd"], "1")
    assert document.result.dataset.variable("copd").event == "1"
    assert document.result.boundaries == before.boundaries
    assert document.stale_reason is None
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=250_000)
    qtbot.waitUntil(lambda: not session.controller.sizes.is_busy, timeout=250_000)
    assert searches == []
    told = [result.effects.association_sign("smoker", "copd") for result in (before, document.result)]
    assert [(association.sign, association.event) for association in told] == [
        (Sign.LESS, "2"),
        (Sign.MORE, "1"),
    ]
    document.undo_stack.undo()
    assert document.result.dataset.variable("copd").event == "2"


def test_rows_of_one_place_are_a_card_with_its_offer(window, qtbot, tmp_path) -> None:
    drawn = np.random.default_rng(0)
    person = np.repeat(np.arange(100), 5)
    values = {name: drawn.normal(size=100)[person] + 0.5 * drawn.normal(size=500) for name in "xyz"}
    ill = values["y"] + 0.3 * drawn.normal(size=500) > 0
    frame = pandas.DataFrame({"place": person, **values, "ill": np.where(ill, "yes", "no")})
    path = tmp_path / "visits.csv"
    frame.to_csv(path, index=False)
    open_as_found(window, qtbot, path)
    session, data = window.session, window.page("data")
    session.document.set_labels(["ill"])
    qtbot.waitUntil(lambda: any(check.kind == "rows-groups" for check in session.checking.checks))
    assert data.check_notice.isVisible() and window.page("method").check_notice.text
    offer = next(button for button in data.checks.findChildren(QPushButton) if "place" in button.text())
    offer.click()
    assert session.document.analysis.dataset.groups == "place"
    qtbot.waitUntil(lambda: not session.controller.checking.is_busy)
    assert not any(check.kind == "rows-groups" for check in session.checking.checks)
    session.document.undo_stack.undo()
    assert session.document.analysis.dataset.groups is None


def test_rows_are_grouped_by_an_identifier_when_a_table_is_opened(window, qtbot, tmp_path) -> None:
    drawn = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {"patient_id": np.repeat(np.arange(60) + 4711, 5), "age": drawn.normal(size=300)}
    )
    path = tmp_path / "visits.csv"
    frame.assign(ill=np.where(drawn.random(300) < 0.4, "yes", "no")).to_csv(path, index=False)
    open_as_found(window, qtbot, path)
    document = window.session.document
    assert document.analysis.dataset.groups == "patient_id"
    assert "“patient_id” is not a feature" in window.page("data").checks.checks[0].text
    document.set_roles(["patient_id"], Role.FEATURE)
    assert document.analysis.dataset.groups is None


def test_rows_are_not_looked_at_once_the_window_has_been_closed(window, qtbot, spss_like) -> None:
    _opened(window, qtbot, spss_like)
    controller, begun = window.session.controller, []
    controller.checking.started.connect(lambda: begun.append(True))
    controller.shut_down()
    qtbot.wait(400)
    assert not begun


def test_items_of_a_questionnaire_are_a_card_that_says_what_results_state(window, qtbot, tmp_path) -> None:
    drawn = np.random.default_rng(0)
    mood = drawn.normal(size=800)
    items = {f"item {place}": mood + drawn.normal(size=800) for place in range(1, 7)}
    ill = np.where(mood + drawn.normal(size=800) > 0, "yes", "no")
    frame = pandas.DataFrame({**items, "age": drawn.normal(50.0, 10.0, size=800), "ill": ill})
    path = tmp_path / "mood.csv"
    frame.to_csv(path, index=False)
    open_as_found(window, qtbot, path)
    session, data = window.session, window.page("data")
    session.document.set_labels(["ill"])
    qtbot.waitUntil(lambda: any(check.kind == "blocks" for check in session.checking.checks))
    card = next(check for check in data.checks.checks if check.kind == "blocks")
    assert card.title == "6 columns that reflect one thing"
    assert "item 1, item 2, item 3, item 4, item 5, item 6." in card.text and "age" not in card.text
    assert "no causal direction and no effect of changing an item" in card.text
    assert not card.is_pressing and data.check_notice.text == ""
    with qtbot.waitSignal(session.running.finished, timeout=250_000):
        session.running.start()
    qtbot.waitUntil(lambda: session.document.result.effects is not None, timeout=250_000)
    blocks = session.document.result.blocks
    assert [block.members for block in blocks] == [tuple(items)], "the search sees what the card says"


def test_a_double_click_answers_one_question_of_those_to_check(qtbot) -> None:
    cards, answered = CheckCards(), []
    names = ["smoker", "fever", "cough", "asthma"]

    def show() -> None:
        choices = tuple(EventChoice(("1", "2"), (name,), name) for name in names)
        cards.set_checks([Check("events", "Events to decide", "Which level is the event?", choices)])
        QApplication.processEvents()

    def answer(columns: list[str], _level: str) -> None:
        answered.extend(columns)
        names.remove(columns[0])
        show()

    cards.event_chosen.connect(answer)
    qtbot.addWidget(cards)
    cards.resize(600, 400)
    with qtbot.waitExposed(cards):
        cards.show()
    show()
    first = cards.findChildren(QPushButton)[0]
    under_first = first.mapTo(cards, first.rect().center())
    QTest.mouseDClick(cards.windowHandle(), Qt.MouseButton.LeftButton, pos=under_first)
    assert answered == ["smoker"]
    # The next one slid under the pointer, and a click of its own answers it.
    QTest.mouseClick(cards.windowHandle(), Qt.MouseButton.LeftButton, pos=under_first)
    assert answered == ["smoker", "fever"]


def test_the_keyboard_stays_among_the_cards_when_one_is_left_as_it_is(qtbot) -> None:
    cards = CheckCards()
    waiting = [Check("groups", name, "Rows repeat.") for name in ("clinic", "ward")]

    def leave(check: Check) -> None:
        waiting.remove(check)
        cards.set_checks(waiting, left=2 - len(waiting))

    cards.left.connect(leave)
    cards.set_checks(waiting)
    qtbot.addWidget(cards)
    cards.resize(800, 400)
    with qtbot.waitExposed(cards):
        cards.show()
    cards.activateWindow()
    button_of(cards, "Leave as it is").setFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert [check.title for check in waiting] == ["ward"]
    assert cards.findChildren(QPushButton)[0].hasFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert button_of(cards, "Show again").hasFocus()
    told = "You left 2 cards as they are."
    said = next(label for label in cards.findChildren(QLabel) if label.text() == told)
    assert said.height() < 2 * said.fontMetrics().height(), "it has room for one line, and takes one"
