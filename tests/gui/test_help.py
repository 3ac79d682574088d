"""The help against the window: every setting and column has its entry, every link leads somewhere."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QImage, QImageReader, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QPushButton, QTableView, QWidget

from clcd_gui.data.import_rows import ImportRowsView
from clcd_gui.data.table_views import PreviewView
from clcd_gui.document.examples import examples
from clcd_gui.resource_path import resource_path
from clcd_gui.shell.help_pages import HelpLibrary, glossary_page, headings, keys_page, sections_of
from clcd_gui.shell.help_window import HelpWindow
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.icons import in_width
from clcd_gui.style.themes import Scheme
from clcd_gui.widgets.help_links import HeadingHelp, HelpButton, column_anchor
from clcd_gui.widgets.settings_form import SettingsForm
from engine.parameters import parameters_of
from engine.wording.glossary import TERMS

PROJECT = Path(__file__).resolve().parents[2]
_PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture
def library(window: MainWindow) -> HelpLibrary:
    window.pages.make_all()
    return HelpLibrary(partial(keys_page, window), headings)


def _anchors(library: HelpLibrary, page: str) -> set[str]:
    return {anchor for section in sections_of(library.text(page)) for anchor in section.anchors}


def test_the_help_opens_without_making_pages_and_finds_what_is_on_them(window: MainWindow) -> None:
    new_pages: list[QWidget] = []
    window.pages.preparation.stop()
    window.pages.page_made.connect(new_pages.append)
    window.commands.actions.help.trigger()
    shown = window.commands.windows.help
    titles = [shown.contents.item(row).text() for row in range(shown.contents.count())]
    assert not new_pages and {"Keys", "Settings", "Columns of the tables"} <= set(titles)
    # Said of a column of the results, and of a key that a table of findings answers itself.
    for words, page in (("interval", "columns.md"), ("interchangeable fold", "keys.md")):
        shown.search.setText(words)
        topics = [
            shown.contents.item(row).data(Qt.ItemDataRole.UserRole) for row in range(shown.contents.count())
        ]
        assert any(topic.startswith(page) for topic in topics)
    assert new_pages


def test_a_help_that_is_closed_holds_no_picture_and_is_shown_again_as_it_was(
    window: MainWindow, qtbot
) -> None:
    actions, windows = window.commands.actions, window.commands.windows
    actions.help.trigger()
    shown = windows.help
    shown.setGeometry(40, 30, 900, 600)
    qtbot.waitUntil(shown.isVisible)
    shown.close()
    # The picture goes with the window's part of the system.
    qtbot.waitUntil(lambda: shown.windowHandle() is None)
    actions.glossary.trigger()
    with qtbot.waitActive(shown):
        shown.activateWindow()
    assert windows.help is shown and shown.geometry().getRect() == (40, 30, 900, 600)
    QTest.keyClicks(shown.search, "level")
    assert shown.search.text() == "level"


def test_pages_are_made_in_turns_for_what_is_gathered_from_them(window: MainWindow, qtbot) -> None:
    new_pages: list[QWidget] = []
    turns: list[int] = []
    beside = QTimer()
    beside.timeout.connect(lambda: turns.append(len(new_pages)))
    beside.start(0)
    window.pages.preparation.stop()
    window.pages.page_made.connect(new_pages.append)
    actions, windows = window.commands.actions, window.commands.windows
    actions.keys.trigger()
    assert not new_pages and windows.help.isVisible()
    qtbot.waitUntil(lambda: windows.help.topic == "keys.md")
    assert len(new_pages) > 5 and set(range(1, len(new_pages))) <= set(turns)
    assert "Open and fold what is interchangeable" in windows.help.browser.toPlainText()
    beside.stop()


def test_a_search_finds_the_pages_made_that_it_gathers_from(window: MainWindow, qtbot) -> None:
    new_pages: list[QWidget] = []
    window.pages.preparation.stop()
    window.pages.page_made.connect(new_pages.append)
    window.commands.actions.about.trigger()
    assert not new_pages and window.commands.windows.help.topic == "about.md"
    qtbot.waitUntil(lambda: window.pages.are_all_made)
    new_pages.clear()
    window.commands.windows.help.search.setText("fold")
    assert not new_pages
    assert window.commands.windows.help.topic == "about.md"


def test_what_is_asked_for_while_pages_are_made_stays(window: MainWindow, qtbot) -> None:
    window.pages.preparation.stop()
    actions, windows = window.commands.actions, window.commands.windows
    actions.keys.trigger()
    actions.about.trigger()
    qtbot.waitUntil(lambda: window.pages.are_all_made)
    QApplication.processEvents()
    assert windows.help.topic == "about.md"


@pytest.mark.one_window
def test_every_page_has_the_title_that_the_contents_say(library: HelpLibrary) -> None:
    for page in library.pages:
        assert next(sections_of(library.text(page.name))).heading == page.title


@pytest.mark.one_window
def test_every_setting_of_the_window_has_its_entry(window: MainWindow, library: HelpLibrary) -> None:
    anchors = _anchors(library, "settings.md")
    topics = {
        button.topic for button in window.findChildren(HelpButton) if button.topic.startswith("settings.md#")
    }
    assert len(topics) > 20
    assert {topic.partition("#")[2] for topic in topics} <= anchors
    text = library.text("settings.md")
    for form in window.findChildren(SettingsForm):
        for parameter in parameters_of(form.settings_class):
            assert parameter.help in text


@pytest.mark.one_window
def test_every_column_says_what_it_means(window: MainWindow, library: HelpLibrary) -> None:
    tables = window.findChildren(HeadingHelp)
    # In these a column is a variable of the person's own.
    own = (PreviewView, ImportRowsView)
    views = [view for view in window.findChildren(QTableView) if not isinstance(view, own)]
    assert len(views) >= 5
    assert [view.accessibleName() for view in views if not view.findChildren(HeadingHelp)] == []
    anchors = _anchors(library, "columns.md")
    for heading_help in tables:
        assert heading_help.table_name
        for heading, text in heading_help.explained():
            assert text, f"{heading_help.table_name}: {heading}"
            assert column_anchor(heading) in anchors


@pytest.mark.one_window
def test_every_link_leads_somewhere(library: HelpLibrary) -> None:
    named = {page.name for page in library.pages}
    for page in library.pages:
        folder = Path(page.name).parent
        for link in _LINK.findall(library.text(page.name)):
            target, _, anchor = link.partition("#")
            linked_page = (folder / target).as_posix() if target else page.name
            if linked_page.endswith(".md"):
                assert linked_page in named, f"{page.name}: {link}"
                assert not anchor or anchor in _anchors(library, linked_page), f"{page.name}: {link}"
            else:
                assert resource_path("help", linked_page).is_file(), f"{page.name}: {link}"


def test_every_picture_is_made_by_the_command_and_small() -> None:
    script = runpy.run_path(str(PROJECT / "packaging" / "make_guide.py"))
    folder = resource_path("help", "guide")
    linked = {link for page in folder.glob("*.md") for link in _PICTURE.findall(page.read_text("utf-8"))}
    assert linked == {f"pictures/{name}.png" for name in script["PICTURES"]}
    assert {path.stem for path in (folder / "pictures").iterdir()} == set(script["PICTURES"])
    for path in (folder / "pictures").iterdir():
        assert path.stat().st_size < 60_000
        assert QImageReader(str(path)).size().toTuple() == (script["WIDTH"], script["HEIGHT"])


@pytest.mark.one_window
def test_every_page_of_the_guide_is_in_the_contents(library: HelpLibrary) -> None:
    listed = {page.name for page in library.pages}
    assert {f"guide/{path.name}" for path in resource_path("help", "guide").glob("*.md")} <= listed


def test_the_glossary_that_the_project_shows_is_that_of_the_program() -> None:
    written = resource_path("help", "guide", "glossary.md").read_text(encoding="utf-8")
    assert written == glossary_page(), "python packaging/make_guide.py writes it"
    assert len({term.key for term in TERMS}) == len({term.title for term in TERMS}) == len(TERMS)


def test_every_key_of_the_list_is_answered(opened: Callable[[Path], MainWindow], qtbot) -> None:
    window = opened(examples()[1].path)
    data = window.page("data")
    data.primary.click()
    window.session.running.start()
    qtbot.waitUntil(lambda: window.session.document.result is not None, timeout=60_000)
    window.pages.make_all()
    text = keys_page(window)
    for action in window.commands.actions.menus["File"].actions():
        for key in action.shortcuts():
            assert key.toString(QKeySequence.SequenceFormat.NativeText) in text
    # It leads another row, so that there is something to open and to fold.
    panel = window.page("results").common
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0)
    window.highlight.select(panel.model.finding_at(0).feature, None)
    table = panel.table
    qtbot.waitUntil(lambda: table.currentIndex().row() >= 0)
    data.columns.selectRow(0)
    answered: dict[tuple[str, str], bool] = {}
    for widget in window.findChildren(QWidget):
        own = getattr(type(widget), "OWN_KEYS", None)
        for keys, does in own.keys if own else ():
            assert does and own.where in text
            if isinstance(widget, QAbstractItemView):
                if not widget.model().rowCount():
                    continue
                if not widget.currentIndex().isValid():
                    widget.setCurrentIndex(widget.model().index(0, 0))
            for name in keys.split(", "):
                answered[own.where, name] = answered.get((own.where, name), False) or _answers(widget, name)
    assert len(answered) > 30
    assert [key for key, is_answered in answered.items() if not is_answered] == []
    # None of them comes to a command of the window first.
    commands = {key.toString() for action in window.findChildren(QAction) for key in action.shortcuts()}
    assert {QKeySequence(name).toString() for _, name in answered} & commands <= {"Esc"}
    for menu in window.findChildren(QMenu):
        menu.close()


def _answers(widget: QWidget, name: str) -> bool:
    combination = QKeySequence(name)[0]
    press = QKeyEvent(QKeyEvent.Type.KeyPress, combination.key(), combination.keyboardModifiers())
    widget.keyPressEvent(press)
    return press.isAccepted()


def test_a_question_mark_opens_its_entry(
    opened: Callable[[Path], MainWindow], small_table: Path, qtbot
) -> None:
    window = opened(small_table)
    window.go("method")
    ask = next(button for button in window.findChildren(HelpButton) if button.topic.endswith(".alpha"))
    assert ask.accessibleName() == "Help on Significance level (α)"
    QTest.mouseClick(ask, Qt.MouseButton.LeftButton)
    shown = window.commands.windows.help
    assert shown.topic == "settings.md#discoverysettings.alpha"
    window.page("method").search.editor("alpha").setFocus()
    shown.show_topic("about.md")
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert shown.topic == "settings.md#discoverysettings.alpha"
    header = window.page("data").columns.horizontalHeader()
    place = QPointF(header.sectionViewportPosition(1) + 5, 5)
    move = QMouseEvent(
        QMouseEvent.Type.MouseMove, place, header.mapToGlobal(place), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(header.viewport(), move)
    window.page("data").columns.heading_help.button.click()
    qtbot.waitUntil(lambda: shown.topic == "columns.md#column.role")
    shown.close()


@pytest.mark.one_window
def test_the_help_is_searched_and_goes_back(qtbot, library: HelpLibrary) -> None:
    shown = HelpWindow(library)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
    shown.show_topic("help.md")
    QTest.keyClicks(shown.search, "spouse")
    QTest.keyClick(shown.search, Qt.Key.Key_Return)
    assert shown.topic == "guide/glossary.md#spouse"
    assert shown.browser.verticalScrollBar().value() > 0
    shown.search.setText("xyzzy")
    assert shown.contents.count() == 0
    shown.search.clear()
    assert shown.contents.currentItem().text() == "Glossary"
    shown.contents.setFocus()
    QTest.keyClick(shown.contents, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: shown.topic == "help.md")
    shown.go_forward()
    assert shown.topic == "guide/glossary.md#spouse"
    row = next(row for row in range(shown.contents.count()) if "lessons" in shown.contents.item(row).text())
    below = shown.contents.visualItemRect(shown.contents.item(row + 1)).center()
    QTest.mouseClick(shown.contents.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(below))
    assert shown.topic.startswith("examples/")


@pytest.mark.one_window
def test_no_page_is_read_again_at_the_next_letter(
    library: HelpLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = library.search("spo")
    read: list[str] = []
    monkeypatch.setattr(HelpLibrary, "text", lambda _, name: read.append(name) or "")
    hits = library.search("spouse")
    assert read == []
    assert hits and {hit.topic for hit in hits} <= {hit.topic for hit in first}
    assert hits[0].topic == "guide/glossary.md#spouse"


@pytest.mark.one_window
def test_the_pictures_of_a_page_are_read_and_fitted_once(
    qtbot, library: HelpLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = HelpWindow(library)
    qtbot.addWidget(shown)
    with qtbot.waitExposed(shown):
        shown.show()
    # With a bar beside it, as the next page has one.
    shown.show_topic("help.md")
    qtbot.waitUntil(lambda: shown.browser.verticalScrollBar().isVisible())
    read: list[str] = []
    fitted: list[float] = []

    def reading(path: str) -> QImage:
        read.append(path)
        return QImage(path)

    def fitting(picture: QImage, width: float, ratio: float) -> QImage:
        fitted.append(width)
        return in_width(picture, width, ratio)

    monkeypatch.setattr("clcd_gui.shell.help_window.QImage", reading)
    monkeypatch.setattr("clcd_gui.style.icons.in_width", fitting)
    shown.show_topic("guide/read-the-results.md")
    shown.resize(shown.width(), shown.height() - 50)
    QApplication.processEvents()
    count = library.text("guide/read-the-results.md").count("![")
    assert count > 1 and len(set(read)) == len(read) == len(fitted) == count
    shown.resize(shown.width() - 200, shown.height())
    qtbot.waitUntil(lambda: len(fitted) == 2 * count)
    assert len(read) == count


def test_an_example_says_what_it_teaches(opened: Callable[[Path], MainWindow]) -> None:
    example = examples()[1]
    window = opened(example.path)
    notice = window.page("data").lesson_notice
    assert notice.text == example.summary
    notice.findChild(QPushButton).click()
    shown = window.commands.windows.help
    assert shown.topic == example.topic
    assert "The known truth" in shown.browser.toPlainText()
    shown.close()


def test_the_page_follows_the_theme_and_stays_where_it_is_read(window: MainWindow, qtbot) -> None:
    window.commands.actions.help.trigger()
    help_window = window.commands.windows.help
    assert help_window is not None
    help_window.show_topic("settings.md")
    bar = help_window.browser.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    shown: list[str] = []
    write = help_window.browser.show_text
    help_window.browser.show_text = lambda *page: (shown.append(page[0]), write(*page))
    place = bar.value()
    window.theme.set_scheme(Scheme.DARK)
    qtbot.waitUntil(lambda: len(shown) == 1)
    qtbot.wait(100)
    assert len(shown) == 1 and bar.value() == place > 0, "written once, though several events tell of it"
    help_window.hide()
    window.theme.set_scheme(Scheme.LIGHT)
    qtbot.wait(100)
    assert len(shown) == 1, "nobody sees it"
    help_window.show()
    qtbot.waitUntil(lambda: len(shown) == 2)
