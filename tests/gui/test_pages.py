"""Pages are made when they are first needed, and show what they would have shown from the start."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QPushButton, QSlider, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from clcd_gui.report.report_page import ReportPage
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.shell.steps import STEPS
from clcd_gui.widgets.page import Page
from clcd_gui.widgets.window_page import WindowPage
from engine.progress import SharedProgress

Open = Callable[[Path], MainWindow]

PROJECT = Path(__file__).resolve().parents[2]


def search(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()


def fill_document(window: MainWindow, qtbot: QtBot) -> None:
    """Let the document hold all kinds of things: a step, two runs, a selection, a note, a changed setting."""
    document = window.session.document
    window.session.live.set_wanted(False)
    document.set_labels(["ill", "tired"])
    for level in (0.05, 0.2):
        document.change_discovery("alpha", level)
        search(window, qtbot)
    window.go("results")
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    window.go("selection")
    qtbot.waitUntil(lambda: document.feature_selection is not None, timeout=60_000)
    document.notes.write(("smoker",), "Asked twice.")
    document.change_preparation("bins", 3)


def picture(window: MainWindow, page: WindowPage, view: int, qtbot: QtBot) -> QImage:
    """Show a view of a page, and return what is seen."""
    if isinstance(page, ReportPage):
        # Looked at, it has a report drawn by another process, for ten seconds.
        page.resize(window.pages.size())
        return page.grab().toImage()
    window.pages.setCurrentWidget(page)
    tabs = page.findChild(QTabWidget)
    if tabs is not None:
        tabs.setCurrentIndex(view)
    # What has the focus has a frame.
    window.rail.button("data").setFocus()
    qtbot.wait(50)
    return page.grab().toImage()


def test_a_page_that_is_made_late_shows_the_same(opened: Open, qtbot: QtBot, small_table: Path) -> None:
    window = opened(small_table)
    window.pages.make_all()
    # It takes room from some pages and not from others.
    window.settings.shows_why = False
    fill_document(window, qtbot)
    for step in STEPS:
        early, late = window.page(step.name), step.load()(window.workspace, window.pages)
        window.pages.addWidget(late)
        tabs = early.findChild(QTabWidget)
        for view in range(1 if tabs is None else tabs.count()):

            def are_alike(early: WindowPage = early, late: WindowPage = late, view: int = view) -> bool:
                seen = (picture(window, page, view, qtbot) for page in (early, late))
                return next(seen) == next(seen)

            # Some views are filled a moment later.
            qtbot.waitUntil(are_alike)
        late.shut_down()
        window.pages.removeWidget(late)
        late.deleteLater()


def test_a_page_that_nobody_needs_is_not_made(opened: Open, qtbot: QtBot, small_table: Path) -> None:
    window = opened(small_table)
    assert window.pages.count() == 2, "the start page and that of the table"
    window.session.document.set_labels(["ill", "tired"])
    # Somebody looks elsewhere when the result comes.
    window.go("method")
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
        window.go("data")
    assert window.pages.count() == 3
    # What it says of the steps, what "Why?" is asked about and what can be exported need no page.
    assert window.rail.button("results").accessibleDescription() in ("live", "ready")
    assert window.highlight.feature == "smoker"
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    results = window.page("results")
    assert results.isVisible() and results.export_actions.menu.isVisible()
    results.export_actions.menu.close()


def test_a_menu_has_the_commands_of_every_page(window: MainWindow) -> None:
    def captions(title: str) -> list[str]:
        menu = window.commands.actions.menus[title]
        menu.aboutToShow.emit()
        return [action.text() for action in menu.actions() if not action.isSeparator()]

    assert captions("File")[-4:] == ["Export", "Export the selection…", "Close table", "Quit"]
    assert captions("Run") == ["Run", "Live results", "Check stability", "Runs", "Stop"]
    # The second time they are not there twice.
    assert len(captions("Run")) == 5


def test_pages_are_prepared_in_quiet_moments(window: MainWindow, qtbot: QtBot) -> None:
    count = window.pages.count()
    new_pages: list[QWidget] = []
    window.pages.page_made.connect(new_pages.append)
    with qtbot.waitSignal(window.pages.preparation.completed):
        window.pages.preparation.begin()
        assert window.pages.count() == count
    assert window.start_page.isVisible() and not any(page.isVisible() for page in new_pages)
    assert {window.page(step.name) for step in STEPS} <= set(new_pages)


_PREPARE = """
import sys, tempfile
from importlib import import_module
from PySide6.QtCore import QSettings
from clcd_gui.app import make_application, make_window
from clcd_gui.run.controller import LOADED_AHEAD

for name in LOADED_AHEAD:
    import_module(name)
application = make_application(["clcd-gui"])
store = QSettings(tempfile.mkdtemp() + "/settings.ini", QSettings.Format.IniFormat)
window = make_window(application, store)
first = loaded = set(sys.modules)
most = 0
for _ in window.pages._prepared():
    new = [name for name in set(sys.modules) - loaded if name.startswith(("clcd_gui.", "engine."))]
    loaded, most = set(sys.modules), max(most, len(new))
assert "clcd_gui.data.data_page" in loaded and "clcd_gui.history.runs_page" in loaded
import clcd_gui.comparison.benchmark_window
window.close()
print(most, *sorted(name for name in set(sys.modules) - first if not name.startswith("clcd_gui.")))
"""
_MOST_MODULES_A_STEP = 16


def test_no_step_of_preparing_loads_much_and_none_anything_of_the_engine() -> None:
    """What needs no Qt is loaded on another thread, and a page that is made sooner finds it there."""
    finished = subprocess.run(
        [sys.executable, "-c", _PREPARE], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    most, *not_of_the_window = finished.stdout.split()
    assert 0 < int(most) <= _MOST_MODULES_A_STEP
    assert not_of_the_window == []


_FIRST_TABLE = """
import sys
from clcd_gui.shell.pages import _WAYS_IN, FIRST_ROWS
from clcd_gui.shell.steps import STEPS

for load in (_WAYS_IN[FIRST_ROWS], STEPS[0].load):
    load()
    print(*(name for name in sys.modules if name.startswith("clcd_gui.data.")))
"""


def test_a_table_is_seen_before_what_changes_it_is_loaded() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", _FIRST_TABLE], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    first_rows, table = (set(line.split()) for line in finished.stdout.splitlines())
    editors = {f"clcd_gui.data.{name}" for name in ("column_page", "value_editors")}
    panels = {f"clcd_gui.data.{name}" for name in ("data_page", "knowledge_panel", "steps_panel")}
    assert "clcd_gui.data.columns_view" in first_rows and not first_rows & (editors | panels)
    assert panels <= table and not table & editors


_PREPARE_LATER = """
import sys, tempfile
from PySide6.QtCore import QSettings
from clcd_gui.app import make_application, make_window

application = make_application(["clcd-gui"])
store = QSettings(tempfile.mkdtemp() + "/settings.ini", QSettings.Format.IniFormat)
window = make_window(application, store)
for name in ("data", "selection"):
    window.pages.page(name)
    print(*(name for name in sys.modules if name.startswith("clcd_gui.")))
for _ in window.pages._prepared():
    pass
print(*(name for name in sys.modules if name.startswith("clcd_gui.")))
window.close()
"""


def test_what_is_opened_from_a_page_is_prepared_also_where_the_page_is_there() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", _PREPARE_LATER], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    *before, after = (set(line.split()) for line in finished.stdout.splitlines())
    opened = {"clcd_gui.data.column_page", "clcd_gui.comparison.panel"}
    assert not opened & set.union(*before) and opened <= after


def test_what_is_waited_for_goes_before_pages_that_may_be_needed(window: MainWindow, qtbot: QtBot) -> None:
    new_pages: list[QWidget] = []
    window.pages.page_made.connect(new_pages.append)
    discovery = window.session.controller.discovery
    discovery.start(_until_stopped)
    with qtbot.waitSignal(window.pages.preparation.completed):
        window.pages.preparation.begin()
        qtbot.wait(400)
        assert new_pages == []
        discovery.abandon()


def _until_stopped(progress: SharedProgress) -> None:
    while not progress.should_stop():
        time.sleep(0.01)


def test_files_are_welcome_over_pages_that_are_made_late(opened: Open, small_table: Path) -> None:
    window = opened(small_table)
    window.page("data").open_column("age")
    window.pages.make_all()
    lines = window.findChildren(QLineEdit)
    assert len(lines) > 30
    assert [line for line in lines if line.acceptDrops()] == []


def test_enter_presses_the_primary_button_where_it_has_no_meaning_of_its_own(qtbot: QtBot) -> None:
    page, pressed = Page("Any page"), []
    qtbot.addWidget(page)
    slider, line, listed, quiet = QSlider(), QLineEdit(), QListWidget(), QPushButton("Another")
    listed.addItem("entry")
    for widget in (slider, line, listed, quiet):
        page.body.addWidget(widget)
    page.primary.clicked.connect(lambda: pressed.append(page.primary.text()))
    page.set_primary("Open", True)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    for widget in (slider, page.primary, line, listed, quiet):
        pressed.clear()
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        QTest.keyClick(widget, Qt.Key.Key_Return)
        assert pressed == (["Open"] if widget in (slider, page.primary) else []), widget
    # Nor where it would run.
    page.set_run("", is_live=False)
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    QTest.keyClick(slider, Qt.Key.Key_Return)
    assert pressed == []
