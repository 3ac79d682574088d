"""The window as a whole: themes, text size, what it remembers, help, what can be reached by keys."""

from __future__ import annotations

import dataclasses
import gc
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pandas
import pytest
from PySide6.QtCore import QPoint, QRectF, QSettings, Qt, QThread
from PySide6.QtGui import QAccessible, QColor, QFileOpenEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

import engine
from clcd_gui.app import ErrorReporter, FileOpener, make_window
from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.document import Document
from clcd_gui.plots.beside import PictureThread
from clcd_gui.plots.legend import changes_legend, graph_legend, grid_legend
from clcd_gui.resource_path import resource_path
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.session import Session
from clcd_gui.shell.main_window import SMALLEST, MainWindow
from clcd_gui.shell.steps import STEPS, StepDescription, StepState
from clcd_gui.style import icons, themes
from clcd_gui.style.themes import Scheme, ThemeSwitcher
from clcd_gui.style.tokens import CHANGES, DARK, LIGHT, MEANINGS, Colours
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.window_page import WindowPage, Workspace
from clcd_gui.wording.setting_values import advised_changes
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.result import DiscoveryResult
from engine.errors import EngineError
from engine.table.dataset import Dataset
from engine.wording.setting_names import SettingName, SettingText
from tests.engine.reporting.test_figures import contrast
from tests.gui.conftest import settle

# What a window leaves behind is counted, and a memory of searches would be among it.
pytestmark = pytest.mark.searches_anew

GROUNDS = ("window", "base", "sunken", "hover")


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_marks_stand_out(colours: Colours) -> None:
    for ground in GROUNDS:
        for text in ("text", "muted", "accent"):
            assert contrast(getattr(colours, ground), getattr(colours, text)) >= 4.5
    for tone in ("error", "warning", "info"):
        assert contrast(getattr(colours, tone), getattr(colours, f"{tone}_ground")) >= 4.5
    assert contrast(colours.accent_text, colours.accent_fill) >= 4.5
    assert contrast(colours.accent_text, colours.accent_fill_hover) >= 4.5
    assert contrast(colours.selection_text, colours.selection) >= 4.5
    for meaning in (*MEANINGS, *CHANGES):
        assert contrast(colours.base, colours.of(meaning)) >= 3.0


def test_every_colour_is_written_alike() -> None:
    for colours in (LIGHT, DARK):
        for field in dataclasses.fields(colours):
            if field.name != "dark":
                assert len(getattr(colours, field.name)) == 7


@pytest.mark.parametrize(
    "entries",
    [
        graph_legend,
        grid_legend,
        partial(changes_legend, in_graph=True),
        partial(changes_legend, in_graph=False),
    ],
)
def test_meanings_differ_by_shape_or_line_and_not_by_colour_alone(qapp, entries) -> None:
    """Drawn in one colour, no two samples of a legend are equal."""
    names = [field.name for field in dataclasses.fields(LIGHT) if isinstance(getattr(LIGHT, field.name), str)]
    black = dataclasses.replace(LIGHT, **dict.fromkeys(names, "#000000"))
    drawn = []
    for entry in entries():
        image = QImage(60, 20, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        entry.draw(painter, QRectF(2, 2, entry.width, 16), chosen=black)
        painter.end()
        drawn.append(bytes(image.constBits()))
    assert len(set(drawn)) == len(drawn) >= 5


def test_every_icon_draws_something(qapp) -> None:
    names = [path.stem for path in resource_path("icons").glob("*.svg")]
    assert len(names) > 25
    for name in names:
        image = icons.pixmap(name, "#000000", 24).toImage()
        inked = sum(image.pixelColor(x, y).alpha() > 0 for x in range(24) for y in range(24))
        assert inked > 10, name


def test_an_icon_is_drawn_once_for_all_colours(qapp, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    usual = icons.QSvgRenderer
    monkeypatch.setattr(icons, "QSvgRenderer", lambda text: drawn.append("") or usual(text))
    pictures = [
        icons.pixmap("results", colour, 23).toImage() for colour in ("#aa0000", "#00aa00", "#6600aa00")
    ]
    assert len(drawn) == 1
    inked = [(x, y) for x in range(23) for y in range(23) if pictures[0].pixelColor(x, y).alpha() == 255]
    assert inked
    assert {pictures[0].pixelColor(x, y).name() for x, y in inked} == {"#aa0000"}
    assert {pictures[1].pixelColor(x, y).name() for x, y in inked} == {"#00aa00"}
    assert {pictures[2].pixelColor(x, y).alpha() for x, y in inked} == {0x66}


def test_dark_and_light_are_put_on_at_once_and_remembered(
    window: MainWindow, store: QSettings, dialogs, qtbot: QtBot
) -> None:
    for scheme, colours in ((Scheme.DARK, DARK), (Scheme.LIGHT, LIGHT)):
        action = next(
            action for action in window.commands.actions.schemes.actions() if action.data() == scheme
        )
        action.trigger()
        assert themes.colours() is colours
        # At once in the window that takes the keys, and soon where another program has taken them.
        at, ground = (window.width() - 4, window.height() // 2), QColor(colours.window)
        qtbot.waitUntil(lambda at=at, ground=ground: window.grab().toImage().pixelColor(*at) == ground)
        # Nothing is painted until all that is seen has the new look.
        qtbot.waitUntil(window.updatesEnabled)
        assert themes.colours(window.rail.button("data").palette()) is colours
    assert window.settings.scheme == "light"


def test_text_size(window: MainWindow, qtbot: QtBot) -> None:
    usual = QApplication.font().pointSizeF()
    heading = window.start_page.heading
    before = heading.fontMetrics().height()
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.font().pointSizeF() == pytest.approx(usual * 1.1**3, rel=0.05)
    qtbot.waitUntil(lambda: heading.fontMetrics().height() > before)
    QTest.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.font().pointSizeF() == usual
    qtbot.waitUntil(lambda: heading.fontMetrics().height() == before)


def test_text_sizes_come_back_to_where_they_were(window: MainWindow) -> None:
    """Also from the smallest and the largest: Qt remembers the letters of every size that there was."""
    actions, theme, sizes = window.commands.actions, window.theme, set()
    for action in [actions.zoom_in] * 15 + [actions.zoom_out] * 25 + [actions.zoom_in] * 9:
        action.trigger()
        sizes.add(round(theme.zoom, 12))
    assert len(sizes) == 21
    assert min(sizes) == 0.5 and max(sizes) == 3.0
    actions.zoom_reset.trigger()
    assert theme.zoom == 1.0


def test_the_strip_below_has_room_for_stop_in_any_text_size(window: MainWindow, qtbot) -> None:
    usual = window.run_bar.height()
    window.theme.set_zoom(3.0)
    qtbot.waitUntil(lambda: window.run_bar.height() > usual)
    qtbot.waitUntil(lambda: window.run_bar.height() >= window.run_bar.stop.sizeHint().height())
    window.theme.set_zoom(1.0)
    qtbot.waitUntil(lambda: window.run_bar.height() == usual)


def test_what_is_remembered(
    qapp, qtbot, store: QSettings, opened: Callable[[Path], MainWindow], small_table: Path
) -> None:
    window = opened(small_table)
    room = window.screen().availableSize()
    assert window.height() < room.height()
    window.commands.actions.why.setChecked(False)
    window.resize(room * 2)
    window.close()
    again = make_window(qapp, store)
    assert again.height() < room.height() and again.width() <= max(room.width(), SMALLEST.width())
    assert again.settings.recent_files == (small_table,)
    assert not again.settings.shows_why
    assert not again.settings.geometry.isEmpty()
    assert [action.text() for action in again.commands.actions.recent_menu.actions()] == ["small.csv"]
    again.close()
    again.deleteLater()


def test_a_closed_window_leaves_nothing_behind(
    qapp, qtbot, store: QSettings, dialogs, small_table: Path
) -> None:
    """Neither widgets, by which every later window would be slower, nor tables and results."""

    def use_a_window() -> tuple[int, Counter[str]]:
        window = make_window(qapp, store, dialogs)
        window.show()
        opening, running = window.session.opening, window.session.running
        with qtbot.waitSignal(opening.opened):
            opening.previewed.connect(window.import_page.primary.click)
            window.open_path(small_table)
        window.session.document.set_labels(["ill", "tired"])
        with qtbot.waitSignal(running.finished, timeout=120_000):
            running.start()
        for step in STEPS:
            window.go(step.name)
            for tabs in window.page(step.name).findChildren(QTabWidget):
                for place in range(tabs.count()):
                    tabs.setCurrentIndex(place)
                    QApplication.processEvents()
        window.close()
        window.deleteLater()
        del window, opening, running, tabs
        settle()
        gc.collect()
        settle()
        large = (Dataset, Document, DiscoveryResult, MainWindow)
        kept = [tracked for tracked in gc.get_objects() if isinstance(tracked, large)]
        # What is shown while there is no table has no rows, and is a constant.
        left = Counter(
            type(tracked).__name__
            for tracked in kept
            if not (isinstance(tracked, Dataset) and not tracked.names)
        )
        return len(QApplication.allWidgets()), left

    first = use_a_window()
    assert use_a_window() == first
    assert not first[1]


def test_help_and_about(window: MainWindow, qtbot) -> None:
    QTest.keyClick(window, Qt.Key.Key_F1)
    help_window = window.commands.windows.help
    assert help_window.isVisible() and help_window.topic == "help.md"
    window.commands.actions.keys.trigger()
    # It is gathered from all pages, which are made in turns.
    qtbot.waitUntil(lambda: help_window.browser.toPlainText().startswith("Keys"))
    window.commands.actions.help.trigger()
    assert "Choose outcomes" in help_window.browser.toPlainText()
    window.commands.actions.about.trigger()
    assert "{version}" not in help_window.browser.toPlainText()
    QTest.keyClick(help_window, Qt.Key.Key_Escape)
    assert not help_window.isVisible()


def test_help_is_about_the_page_that_is_shown(
    opened: Callable[[Path], MainWindow], small_table: Path
) -> None:
    window = opened(small_table)
    for step, page in (("data", "choose-outcomes"), ("method", "run-the-analysis")):
        window.go(step)
        QTest.keyClick(window, Qt.Key.Key_F1)
        assert window.commands.windows.help.topic == f"guide/{page}.md"


def test_what_is_new_is_shown_from_the_menu(window: MainWindow, qtbot) -> None:
    menu = window.commands.actions.menus["Help"]
    menu.popup(window.mapToGlobal(QPoint(0, 0)))
    entry = menu.actionGeometry(window.commands.actions.changes)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=entry.center())
    help_window = window.commands.windows.help
    qtbot.waitUntil(help_window.isVisible)
    text = help_window.browser.toPlainText()
    assert text.startswith("What is new")
    assert f"CLCD {engine.__version__}." in text
    help_window.close()


def test_everything_that_can_be_used_has_a_name(
    opened: Callable[[Path], MainWindow], small_table: Path
) -> None:
    window = opened(small_table)
    for step in (description.name for description in STEPS):
        window.go(step)
        for kind in (QPushButton, QLineEdit, QComboBox, QSpinBox, QTableView):
            for widget in window.findChildren(kind):
                if widget.isVisible() and not widget.objectName().startswith("qt_"):
                    named = widget.accessibleName() or (isinstance(widget, QPushButton) and widget.text())
                    assert named, f"{widget} on {step}"
                    if isinstance(widget, QComboBox):
                        # On Linux a list is read by what is chosen in it, unless a label stands beside it.
                        beside = QAccessible.queryAccessibleInterface(widget).relations()
                        assert QAccessible.RelationFlag.Label in [kind for _, kind in beside], named


def nothing_is_clipped(window: MainWindow, step: str) -> None:
    for area in window.findChildren(QScrollArea):
        if area.isVisible() and area.widget() is not None:
            assert area.widget().width() <= area.viewport().width() + 1, f"{area} on {step}"
    for button in window.findChildren(QPushButton):
        # What breaks its text into lines shortens it by itself.
        if button.isVisible() and button.text() and not button.hasHeightForWidth():
            wanted = button.fontMetrics().horizontalAdvance(button.text().replace("&", ""))
            assert button.width() >= wanted, f"{button.text()} on {step}"


def test_the_smallest_window_clips_no_button(
    opened: Callable[[Path], MainWindow], small_table: Path, qtbot: QtBot
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill"])
    window.resize(1024, 700)
    for step in ("data", "method"):
        window.go(step)
        qtbot.waitUntil(partial(nothing_is_clipped, window, step))


def test_large_text_is_not_clipped(
    opened: Callable[[Path], MainWindow], small_table: Path, qtbot: QtBot
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill", "tired"])
    window.resize(1024, 700)
    window.theme.set_zoom(1.5)
    for step in (description.name for description in STEPS):
        window.go(step)
        for tabs in window.page(step).findChildren(QTabWidget):
            tabs.setCurrentIndex(tabs.count() - 1)
        qtbot.waitUntil(partial(nothing_is_clipped, window, step))
    assert (window.width(), window.height()) == (1024, 700)
    window.theme.set_zoom(1.0)


def test_only_keys_that_work_are_offered(window: MainWindow) -> None:
    actions = window.commands.actions
    for action in (actions.run, actions.stop, actions.close, actions.find, actions.labels_file):
        assert not action.isEnabled()
    keys = [shortcut.toString() for action in window.actions() for shortcut in action.shortcuts() if shortcut]
    assert len(keys) == len(set(keys))
    assert {
        "Ctrl+O",
        "Ctrl+R",
        "Esc",
        "Ctrl+F",
        "F1",
        "Ctrl+1",
        "Ctrl+2",
        "Ctrl+3",
        "Ctrl+4",
        "Ctrl+5",
        "Ctrl+E",
    } <= set(keys)


def test_an_error_that_nothing_caught_is_seen(window: MainWindow, capsys: pytest.CaptureFixture[str]) -> None:
    error = ZeroDivisionError("division by zero")
    ErrorReporter(window)(type(error), error, None)
    assert "division by zero" in window.start_page.notice.text
    assert "division by zero" in capsys.readouterr().err
    copy = next(
        button
        for button in window.start_page.notice.findChildren(QPushButton)
        if button.text() == "Copy details"
    )
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert "ZeroDivisionError" in QApplication.clipboard().text()


def test_an_error_on_another_thread_is_shown_on_that_of_the_window(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], qtbot
) -> None:
    seen: list[tuple[str, bool]] = []

    def show(failure: RunFailure) -> None:
        seen.append((failure.message, QThread.currentThread() is window.thread()))

    monkeypatch.setattr(window, "show_failure", show)
    monkeypatch.setattr(sys, "excepthook", ErrorReporter(window))

    def picture() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("of a picture")

    PictureThread(picture, 1).start()
    qtbot.waitUntil(lambda: len(seen) == 1)

    def call() -> None:
        sys.excepthook(ValueError, ValueError("of a thread"), None)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert "of a picture" in seen[0][0] and "of a thread" in seen[1][0]
    assert all(is_of_window for _, is_of_window in seen)
    assert "of a picture" in capsys.readouterr().err


@pytest.mark.parametrize("has_result", [False, True])
def test_what_went_wrong_is_said_on_the_page_that_is_seen(
    opened: Callable[[Path], MainWindow], small_table: Path, has_result: bool, qtbot
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill", "tired"])
    if has_result:
        with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
            window.session.running.start()

    def notices() -> list[str]:
        return [notice.text for notice in window.findChildren(Notice) if notice.isVisible()]

    advised = advised_changes(SettingText("Or set ", SettingName("missing", "most-frequent"), "."))
    for step in (description.name for description in STEPS):
        window.go(step)
        # Of each step something else, as a page may still say what went wrong before.
        full, missing = f"The disk is full ({step}).", f"Values are missing ({step})."
        window.show_failure(RunFailure(full, "study.clcd"))
        assert window.navigation.step == step and window.page(step).isVisible()
        assert any(full in notice for notice in notices()), (
            f"the page {step} hides failures: see show_failure"
        )
        window.show_failure(RunFailure(missing, changes=advised))
        assert window.navigation.step == (step if step == "data" else "method")
        assert any(missing in notice for notice in notices()), step


def test_errors_name_settings_as_the_window_does_and_columns_as_they_are() -> None:
    with pytest.raises(EngineError) as caught:
        DiscoverySettings(max_conditioning=-1)
    assert failure_of(caught.value).place == "“Conditioning size”"
    with pytest.raises(EngineError) as caught:
        Dataset.from_frame(pandas.DataFrame({"max_levels": [0, 1]}), labels=["max_level"])
    assert failure_of(caught.value).remedy == "Did you mean “max_levels”?"


def test_a_file_that_the_system_hands_over_is_opened(window: MainWindow, small_table: Path, qtbot) -> None:
    with qtbot.waitSignal(window.session.opening.opened):
        assert FileOpener(window).eventFilter(QApplication.instance(), QFileOpenEvent(str(small_table)))


class NotesPage(WindowPage):
    """A page that nobody but its step knows of."""

    can_find = True

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = QLineEdit(self)

    def find_text(self) -> None:
        self.line.setFocus()


def _rows_to_note(session: Session) -> StepState:
    return StepState(f"{session.document.analysis.dataset.row_count} rows to note", True)


def test_a_step_that_is_added_is_its_page_and_one_entry(
    qapp: QApplication, qtbot, store: QSettings, small_table: Path
) -> None:
    steps = (*STEPS, StepDescription("notes", "Notes", "data", lambda: NotesPage, _rows_to_note))
    window = MainWindow(Session(), AppSettings(store), ThemeSwitcher(qapp, Scheme.SYSTEM, 1.0), steps=steps)
    for child in (window.session, window.settings, window.theme):
        child.setParent(window)
    with qtbot.waitActive(window):
        window.show()
    button, action = window.rail.button("notes"), window.commands.actions.steps["notes"]
    assert not button.isEnabled() and not action.isEnabled()
    with qtbot.waitSignal(window.session.opening.opened):
        window.open_path(small_table)
    assert button.toolTip() == "Notes: 40 rows to note"
    QTest.keyClick(window, str(len(steps)), Qt.KeyboardModifier.ControlModifier)
    page = window.page("notes")
    assert page.isVisible() and button.isChecked()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.line.hasFocus()
    window.close()
    window.deleteLater()


def test_ctrl_f_looks_where_the_keyboard_is(opened, qtbot, small_table: Path) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill", "tired"])
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
    window.go("results")
    page = window.page("results")
    qtbot.waitUntil(lambda: page.is_filled)
    for panel, box in (
        (page.label_specific, page.label_specific.filter_box),
        (page.grid, page.grid.filter_box),
        (page.graph, page.graph.find_box),
    ):
        page.tabs.setCurrentWidget(panel)
        panel.setFocus()
        QTest.keyClick(panel.focusWidget() or panel, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert box.hasFocus()


_PICTURE_AT_THE_END = """
import time
from PySide6.QtCore import QCoreApplication
from clcd_gui.plots.beside import PictureThread
from clcd_gui.plots.legend import changes_legend, graph_legend, grid_legend
application = QCoreApplication([])
PictureThread(lambda: [time.sleep(0.3)], 1).start()
"""


def test_pictures_that_are_being_made_are_awaited(qtbot, window: MainWindow) -> None:
    answers: list[int] = []

    def pictures() -> Iterator[int]:
        for number in range(5_000):
            time.sleep(0.02)
            yield number

    thread = PictureThread(pictures, 1)
    thread.answered.connect(lambda _request, answer: answers.append(answer))
    thread.start()
    qtbot.waitUntil(lambda: bool(answers))
    window.close()
    assert thread.isFinished()
    assert len(answers) < 5_000, "what nobody will see is given up"
    ended = subprocess.run([sys.executable, "-c", _PICTURE_AT_THE_END], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_rail_says_its_words_whole_and_leaves_room_in_larger_text(window: MainWindow, qtbot) -> None:
    usual = window.rail.width()
    button = window.rail.button("selection")
    for zoom in (1.0, 1.5):
        window.theme.set_zoom(zoom)
        qtbot.waitUntil(lambda zoom=zoom: (window.rail.width() > usual) is (zoom > 1.0))
        button.set_standing("waits for Results", False)
        words = button.findChildren(ElidedLabel)
        qtbot.waitUntil(
            lambda words=words: all(
                word.fontMetrics().horizontalAdvance(word.text()) <= word.width() for word in words
            )
        )
    # The icons and what is around them stay as they are.
    assert window.rail.width() < 1.4 * usual
    window.theme.set_zoom(1.0)


def test_an_unexpected_problem_is_said_in_one_line_with_all_of_it_in_the_details() -> None:
    failure = failure_of(RuntimeError("\n    Something broke.\n\n" + "Much is known of it.\n" * 30))
    assert failure.message == "CLCD ran into an unexpected problem: Something broke."
    assert failure.details.count("Much is known of it.") == 30
    assert len(failure_of(RuntimeError("x" * 500)).message) < 200
    assert failure_of(RuntimeError()).message == "CLCD ran into an unexpected problem: RuntimeError."
