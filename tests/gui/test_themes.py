"""Colours and text size change where one looks before it is painted, and everywhere a moment later."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QStyle, QStyleOptionButton, QWidget

from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style import themes
from clcd_gui.style.text import muted
from clcd_gui.style.themes import LARGEST_ZOOM, SMALLEST_ZOOM, Scheme, ThemeSwitcher, follow_theme
from clcd_gui.widgets.controls import name_completer
from clcd_gui.widgets.dialogs import Dialogs

Open = Callable[[Path], MainWindow]


def worn(part: QWidget) -> str:
    return str(part.property("theme"))


@pytest.fixture
def several_pages(opened: Open, small_table: Path) -> MainWindow:
    window = opened(small_table)
    window.pages.make_all()
    window.go("method")
    return window


def test_what_one_sees_changes_before_it_is_painted_and_the_rest_later(
    several_pages: MainWindow, qtbot
) -> None:
    window = several_pages
    seen, hidden = window.page("method"), window.page("report")
    light = worn(seen)
    assert light and light == worn(hidden) == worn(window.rail)
    window.theme.set_scheme(Scheme.DARK)
    # In no turn with what asked for it, which is work enough.
    assert worn(seen) == light
    while not window.updatesEnabled():
        window.theme._later.due.emit()
    dark = worn(seen)
    assert dark != light == worn(hidden)
    assert dark == worn(window.rail) == worn(window.menuBar())
    qtbot.waitUntil(lambda: worn(hidden) == dark)
    window.theme.set_scheme(Scheme.LIGHT)
    qtbot.waitUntil(lambda: worn(hidden) == light)


def test_parts_that_are_seen_change_in_turns_of_their_own_and_are_painted_together(
    several_pages: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    window, together = several_pages, []
    seen = (window.page("method"), window.rail, window.menuBar(), window.run_bar)
    light, style = worn(seen[0]), themes._style

    def slowly(widget: QWidget) -> None:
        style(widget)
        time.sleep(themes._TURN_SECONDS / 10)

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                together.append(len({worn(widget) for widget in seen if widget.isVisible()}) == 1)
            return False

    watch = Watch()
    for widget in seen:
        widget.installEventFilter(watch)
    monkeypatch.setattr(themes, "_style", slowly)
    window.theme.set_scheme(Scheme.DARK)
    window.theme._later.due.emit()
    assert worn(seen[0]) != light == worn(window.rail) == worn(window.menuBar())
    qtbot.waitUntil(lambda: bool(together) and not window.theme._later.is_waiting)
    assert all(together)
    assert len({worn(widget) for widget in seen}) == 1
    monkeypatch.undo()
    window.theme.set_scheme(Scheme.LIGHT)
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)


def test_a_page_that_is_shown_before_its_turn_is_next(several_pages: MainWindow, qtbot) -> None:
    window = several_pages
    window.theme.set_zoom(1.2)
    # Not by waiting, as on a quick machine all turns may be over then.
    while not window.updatesEnabled():
        window.theme._later.due.emit()
    # On a slow machine a turn is over before a part is done that was begun.
    while window.theme._unstyled:
        window.theme._later.due.emit()
    asked_for = window.theme._waiting[0]
    assert worn(asked_for) != worn(window.rail)
    asked_for.setVisible(True)
    window.theme._later.due.emit()
    assert worn(asked_for) == worn(window.rail)
    asked_for.setVisible(False)
    window.theme.set_zoom(1.0)
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)


def test_a_part_that_is_gone_is_forgotten(several_pages: MainWindow, qtbot) -> None:
    window = several_pages
    part = QWidget(window)
    part.hide()
    follow_theme(part)
    window.theme.set_scheme(Scheme.DARK)
    part.setParent(None)
    part.deleteLater()
    del part
    window.theme.set_scheme(Scheme.LIGHT)
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)


def test_every_widget_under_a_stylesheet_is_within_a_part_that_has_a_look(several_pages: MainWindow) -> None:
    """One without would have the rules of neither look, or of both."""

    def around(widget: QWidget) -> list[QWidget]:
        widget_and_parents = [widget]
        while (
            not widget_and_parents[-1].isWindow()
            and (parent := widget_and_parents[-1].parentWidget()) is not None
        ):
            widget_and_parents.append(parent)
        return widget_and_parents

    widgets = several_pages.findChildren(QWidget)
    assert len(widgets) > 1000
    without = [
        widget_and_parents[0]
        for widget_and_parents in map(around, widgets)
        if any(one.styleSheet() for one in widget_and_parents[1:])
        and not any(one.property("theme") for one in widget_and_parents)
    ]
    assert not without


def test_what_is_within_a_part_is_styled_once(several_pages: MainWindow) -> None:
    several_pages.pages.make_all()
    parts = [widget for widget in several_pages.findChildren(QWidget) if widget.property("followsTheme")]
    assert len(parts) > 9
    for part in parts:
        within = [
            widget for widget in part.findChildren(QWidget) if widget.styleSheet() and not widget.isWindow()
        ]
        assert within == []


def test_few_widgets_are_looked_at_for_parts_and_every_part_is_found(
    several_pages: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    window, examined = several_pages, []
    widgets = window.findChildren(QWidget)
    parts = [widget for widget in widgets if widget.property("followsTheme")]

    def follows(part: QWidget) -> bool:
        examined.append(part)
        return bool(part.property("followsTheme"))

    monkeypatch.setattr("clcd_gui.style.themes._follows", follows)
    window.theme.set_scheme(Scheme.DARK)
    assert len(examined) < len(widgets) / 5, (len(examined), len(widgets))
    dark = worn(window.page("method"))
    qtbot.waitUntil(lambda: all(worn(part) == dark for part in parts))
    window.theme.set_scheme(Scheme.LIGHT)
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)


def test_dialogs_wear_what_the_window_wears(several_pages: MainWindow, monkeypatch) -> None:
    looks_worn: list[str] = []

    def answer(box: QWidget) -> int:
        looks_worn.append(worn(box))
        return 0

    monkeypatch.setattr("PySide6.QtWidgets.QMessageBox.exec", answer)
    Dialogs().ask_about_unsaved(several_pages, "table.csv")
    assert looks_worn == [worn(several_pages.rail)]


def test_no_widget_is_styled_that_one_does_not_see(several_pages: MainWindow) -> None:
    """The application has no stylesheet: with one, Qt styles all widgets there are at each change."""
    assert QApplication.instance().styleSheet() == several_pages.styleSheet() == ""


def test_every_widget_of_a_part_is_styled_once(
    several_pages: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    window, styled = several_pages, Counter[QWidget]()
    page, style = window.page("method"), themes._style

    def counting(widget: QWidget) -> None:
        styled[widget] += 1
        style(widget)

    monkeypatch.setattr(themes, "_style", counting)
    for change in (
        partial(window.theme.set_scheme, Scheme.DARK),
        partial(window.theme.set_zoom, themes.stepped(1.0, 2)),
        partial(window.theme.set_scheme, Scheme.LIGHT),
        partial(window.theme.set_zoom, 1.0),
    ):
        styled.clear()
        change()
        qtbot.waitUntil(lambda: not window.theme._later.is_waiting)
        assert {styled[widget] for widget in (page, *page.findChildren(QWidget))} == {1}


def test_a_part_that_goes_back_to_a_look_while_it_leaves_it_is_styled_whole(
    several_pages: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    window = several_pages
    page = window.page("method")
    labels = page.findChildren(QLabel)
    light = [label.palette().windowText().color().name() for label in labels]
    monkeypatch.setattr(themes, "_TURN_SECONDS", 0)
    window.theme.set_scheme(Scheme.DARK)
    for _ in range(page.findChildren(QWidget).index(labels[0]) + 5):
        window.theme._later.due.emit()
    assert labels[0].palette().windowText().color().name() != light[0]
    window.theme.set_scheme(Scheme.LIGHT)
    monkeypatch.undo()
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)
    assert [label.palette().windowText().color().name() for label in labels] == light


def test_what_is_made_in_another_look_has_it(several_pages: MainWindow, qtbot) -> None:
    window = several_pages
    window.theme.set_scheme(Scheme.DARK)
    window.theme.set_zoom(themes.stepped(1.0, 3))
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)
    new_label, there = muted("new", window.page("method")), window.page("method").subtitle
    new_label.ensurePolished()
    assert new_label.palette() == there.palette() and new_label.font() == there.font()
    assert new_label.font().pointSizeF() > 9
    window.theme.set_scheme(Scheme.LIGHT)
    window.theme.set_zoom(1.0)
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)
    new_label.deleteLater()


def test_offered_names_read_the_stylesheet_once_they_are_seen(several_pages: MainWindow, qtbot) -> None:
    window = several_pages
    window.theme.set_scheme(Scheme.DARK)
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)
    line = QLineEdit(window.page("method"))
    line.setCompleter(name_completer(["fever", "fatigue", "cough"], line))
    window.go("method")
    line.show()
    line.setFocus()
    offered = line.completer().popup()
    assert not offered.styleSheet()
    QTest.keyClicks(line, "F")
    assert offered.isVisible() and line.completer().completionCount() == 2
    assert offered.styleSheet() == window.pages.styleSheet()
    assert offered.palette().text().color() == line.palette().text().color()
    # The list takes as many lines as it offers names, in the look's own size of text.
    assert offered.viewport().height() >= 2 * offered.sizeHintForRow(0)
    offered.hide()
    window.theme.set_scheme(Scheme.LIGHT)
    qtbot.waitUntil(lambda: not window.theme._later.is_waiting)
    assert offered.palette().text().color() == line.palette().text().color(), "it follows the theme"
    line.deleteLater()


@pytest.mark.parametrize(("steps", "size"), [(0, 1.0), (1, 1.1), (-100, SMALLEST_ZOOM), (100, LARGEST_ZOOM)])
def test_text_sizes_are_whole_steps(steps: int, size: float) -> None:
    assert themes.stepped(1.0, steps) == pytest.approx(size)


def test_a_window_that_is_hidden_before_its_turn_follows_a_look_that_is_taken_back(window, qtbot) -> None:
    window.commands.actions.help.trigger()
    help_window = window.commands.windows.help
    help_window.show_topic("settings.md")
    light = help_window.palette().text().color()
    window.theme.set_scheme(Scheme.DARK)
    qtbot.waitUntil(lambda: help_window.palette().text().color() != light)
    help_window.hide()
    window.theme.set_scheme(Scheme.LIGHT)
    help_window.show()
    qtbot.waitUntil(lambda: help_window.palette().text().color() == light, timeout=20_000)


def test_the_text_of_a_check_box_stays_in_place_with_the_keyboard(several_pages: MainWindow) -> None:
    """Moved by the thicker frame, its last letter was cut."""
    box = next(box for box in several_pages.findChildren(QCheckBox) if box.text())
    option = QStyleOptionButton()
    box.initStyleOption(option)

    def left(state: QStyle.StateFlag) -> int:
        option.state = state
        return box.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, box).left()

    plain = QStyle.StateFlag.State_Enabled
    assert left(plain) == left(plain | QStyle.StateFlag.State_HasFocus)


class StyleWatch(QLabel):
    """Counts how often it is styled anew."""

    times = 0

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.times += event.type() == QEvent.Type.StyleChange


def test_another_window_has_nothing_styled_anew_that_is_there(window, qapp: QApplication, qtbot) -> None:
    there = StyleWatch()
    qtbot.addWidget(there)
    there.show()
    before = there.times
    ThemeSwitcher(qapp).deleteLater()
    assert there.times == before
