"""Real widgets without a screen; a Qt warning, a leaked thread, timer or window fails the test."""

from __future__ import annotations

import csv
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt, QThread, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from clcd_gui.app import LONGEST_TURN_SECONDS, make_window
from clcd_gui.resource_path import resource_path
from clcd_gui.run import controller, live, table_reading
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Lane
from clcd_gui.run.memory import WindowCollector
from clcd_gui.run.reading_process import ReadingProcess
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.searcher import look_ahead
from clcd_gui.run.table_reading import TablePreview
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import SAVE_FOLDER, Dialogs, Locked, Unsaved
from engine.wording.shown_names import names_shown
from tests.gui.patient_bot import PatientBot
from tests.gui.search_memory import SearchMemory
from tests.gui.workspaces import shut_down_workspaces

# Before the tests of the engine set another.
USUAL_THRESHOLD = (700, 10, 10)
LONGEST_TO_REST_SECONDS = 10
# Said by the offscreen platform about every window, whatever the program does.
_HARMLESS = ["This plugin does not support .*"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(*_HARMLESS, extend=True))


class AnsweringDialogs(Dialogs):
    """Answers in a person's place."""

    def __init__(self) -> None:
        self.table: Path | None = None
        self.labels: Path | None = None
        self.project: Path | None = None
        self.beside = False
        self.unsaved = Unsaved.DISCARD
        self.locked = Locked.CANCEL
        self.overwrites_locked = False
        self.not_written: list[str] = []

    def ask_about_locked(self, parent: QWidget | None, name: str) -> Locked:
        return self.locked

    def ask_to_overwrite_locked(self, parent: QWidget | None, name: str) -> bool:
        return self.overwrites_locked

    def ask_about_unsaved(self, parent: QWidget | None, name: str) -> Unsaved:
        return self.unsaved

    def choose_project_to_save(self, parent: QWidget | None, suggested: Path) -> Path | None:
        self.is_data_beside = self.beside
        return self.project

    def tell_not_written(self, parent: QWidget | None, failures: Sequence[RunFailure]) -> None:
        self.not_written += [failure.sentence for failure in failures]

    def choose_table(self, parent: QWidget, folder: str) -> Path | None:
        return self.table

    def choose_labels(self, parent: QWidget, folder: str) -> Path | None:
        return self.labels

    def choose_columns(self, parent: QWidget, folder: str) -> Path | None:
        return self.labels


class LastingDrawingProcess(DrawingProcess):
    """Serves one window after the other: what it imports takes it two seconds."""

    def end(self) -> None:
        pass

    def end_at_last(self) -> None:
        super().end()


class LastingReadingProcess(ReadingProcess):
    """Is handed back by whom it has read for: what it imports takes it a second."""

    def __init__(self, idle: list[LastingReadingProcess]) -> None:
        super().__init__()
        self._idle = idle

    def end(self) -> None:
        self._idle.append(self)

    def end_at_last(self) -> None:
        super().end()


@pytest.fixture(scope="module", autouse=True)
def _collects_garbage_as_the_program_does(qapp: QApplication) -> Iterator[None]:
    others = gc.get_threshold()
    gc.set_threshold(*USUAL_THRESHOLD)
    collector = WindowCollector(qapp)
    yield
    delete(collector)
    gc.enable()
    gc.set_threshold(*others)


@pytest.fixture(scope="session", autouse=True)
def _threads_take_turns_as_in_the_program() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(LONGEST_TURN_SECONDS)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture(scope="session", autouse=True)
def _draws_in_one_process() -> Iterator[None]:
    lasting = LastingDrawingProcess()
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(controller, "DrawingProcess", lambda: lasting)
        yield
    lasting.end_at_last()


@pytest.fixture(scope="session")
def idle_readers() -> Iterator[list[LastingReadingProcess]]:
    readers: list[LastingReadingProcess] = []
    yield readers
    for reader in readers:
        reader.end_at_last()


@pytest.fixture
def reads_in_lasting_processes(
    idle_readers: list[LastingReadingProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read one table after the other in a process, for tests of the window that open many workbooks."""

    def reader() -> LastingReadingProcess:
        return idle_readers.pop() if idle_readers else LastingReadingProcess(idle_readers)

    monkeypatch.setattr(table_reading, "ReadingProcess", reader)


@pytest.fixture
def nothing_is_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep libraries that make files out of the window's process, which would hold 10 to 50 MB of each."""
    for name in ("matplotlib.figure", "networkx", "networkx.readwrite.graphml", "openpyxl"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)


@pytest.fixture(scope="session")
def search_memory() -> SearchMemory:
    return SearchMemory()


@pytest.fixture(scope="module", autouse=True)
def _searches_once(request: pytest.FixtureRequest, search_memory: SearchMemory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        if request.node.get_closest_marker("searches_anew") is None:
            search_memory.activate(monkeypatch)
            # To search at all other levels meanwhile takes longer than most tests.
            monkeypatch.setattr(live, "look_ahead", lambda *_: None)
        yield


@pytest.fixture
def looks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search at other levels meanwhile, as the program does."""
    monkeypatch.setattr(live, "look_ahead", look_ahead)


@pytest.fixture(autouse=True)
def _nothing_was_saved_before() -> None:
    SAVE_FOLDER.begin(Path("of no test"))
    SAVE_FOLDER.begin(None)


@pytest.fixture(autouse=True)
def _variables_are_shown_by_name() -> Iterator[None]:
    """Let no test see labels of a table that another one opened."""
    with names_shown({}):
        yield


@pytest.fixture(autouse=True)
def _text_size_is_the_usual_one(qapp: QApplication) -> Iterator[None]:
    """Leave the next test the font of the system, also where a test fails while its text is larger."""
    usual = qapp.font()
    yield
    if qapp.font() != usual:
        qapp.setFont(usual)


@pytest.fixture(autouse=True)
def _nothing_leaks(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    if _shares_window(request):
        request.getfixturevalue("module_window")
    before = set(map(id, QApplication.topLevelWidgets()))
    # What is there already is another test's; to look through it all took longer than most tests do. First,
    # what the last test made is let go, which its own end could not do: frozen, it would stay for good.
    gc.collect()
    gc.freeze()
    yield
    shut_down_workspaces()
    settle()
    gc.collect()
    windows = [widget for widget in QApplication.topLevelWidgets() if id(widget) not in before]
    assert not [window for window in windows if window.isVisible()], "a window is left open"
    ends = time.monotonic() + LONGEST_TO_REST_SECONDS
    # A window that lives on for the next test may still be filling a page; what never ends is a leak.
    while (left := _still_running(qapp)) and time.monotonic() < ends:
        settle()
    assert not left, f"left running: {left}"


def _still_running(qapp: QApplication) -> list[QThread | QTimer]:
    kinds = (QThread, QThread.isRunning), (QTimer, QTimer.isActive)
    return [
        tracked
        for kind, is_running in kinds
        for tracked in gc.get_objects()
        if issubclass(type(tracked), kind)
        and tracked is not qapp.thread()
        and isValid(tracked)
        and is_running(tracked)
    ]


def settle() -> None:
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


def _shares_window(request: pytest.FixtureRequest) -> bool:
    """Whether the tests of a file take turns at one window, each with a table of its own."""
    return request.node.get_closest_marker("one_window") is not None


@pytest.fixture
def dialogs(request: pytest.FixtureRequest) -> AnsweringDialogs:
    return request.getfixturevalue("module_dialogs") if _shares_window(request) else AnsweringDialogs()


@pytest.fixture
def store(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def window(request: pytest.FixtureRequest, qapp: QApplication, qtbot) -> Iterator[MainWindow]:
    if _shares_window(request):
        shared_window = request.getfixturevalue("module_window")
        yield shared_window
        store, dialogs = map(request.getfixturevalue, ("module_store", "module_dialogs"))
        leave_empty(shared_window, qtbot, store, dialogs)
        return
    shared_window = shown_window(
        qapp, qtbot, request.getfixturevalue("store"), request.getfixturevalue("dialogs")
    )
    yield shared_window
    close_for_good(shared_window)


def shown_window(qapp: QApplication, qtbot: QtBot, store: QSettings, dialogs: AnsweringDialogs) -> MainWindow:
    """Make a small window that takes keys."""
    new_window = make_window(qapp, store, dialogs)
    new_window.resize(1024, 700)
    # Only an active window takes keys; on a real screen the window manager needs a moment.
    with qtbot.waitActive(new_window):
        new_window.show()
    return new_window


def close_for_good(window: MainWindow) -> None:
    window.close()
    window.deleteLater()
    settle()


def leave_empty(window: MainWindow, qtbot: QtBot, store: QSettings, dialogs: AnsweringDialogs) -> None:
    """Leave a window as it was at its start: nothing open, nothing under way, no habits, no answers."""
    dialogs.__init__()
    window.workspace.files.close()
    lanes = window.session.controller.findChildren(Lane)
    for lane in lanes:
        lane.abandon()
    qtbot.waitUntil(lambda: not any(lane.live_threads for lane in lanes))
    window.commands.windows.close_windows()
    store.clear()
    window.settings.recent_files_changed.emit()
    window.settings.shows_why_changed.emit()
    window.session.live.set_wanted(window.settings.live)
    window.theme.set_zoom(window.settings.zoom)
    window.resize(1024, 700)
    assert window.pages.currentWidget() is window.start_page, "the window is not as it was"


@pytest.fixture
def opened(window: MainWindow, qtbot) -> Callable[[Path], MainWindow]:
    """Open a table and wait until it is shown; what is in doubt is left as it was found out."""
    return lambda path: open_as_found(window, qtbot, path)


def open_as_found(window: MainWindow, qtbot: QtBot, path: Path) -> MainWindow:
    opening = window.session.opening

    def take_over(preview: TablePreview) -> None:
        if preview.failure is None:
            QTimer.singleShot(0, window.import_page, window.import_page.primary.click)

    opening.previewed.connect(take_over)
    with qtbot.waitSignal(opening.opened):
        window.open_path(path)
    opening.previewed.disconnect(take_over)
    return window


@pytest.fixture(scope="module")
def module_bot(request: pytest.FixtureRequest) -> PatientBot:
    """What waits in fixtures of a module."""
    return PatientBot(request)


@pytest.fixture(scope="module")
def module_dialogs() -> AnsweringDialogs:
    return AnsweringDialogs()


@pytest.fixture(scope="module")
def module_store(tmp_path_factory: pytest.TempPathFactory) -> QSettings:
    return QSettings(str(tmp_path_factory.mktemp("habits") / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture(scope="module")
def module_window(
    qapp: QApplication, module_bot: QtBot, module_store: QSettings, module_dialogs: AnsweringDialogs
) -> Iterator[MainWindow]:
    """One window for all tests of a module that leave it as it was."""
    new_window = shown_window(qapp, module_bot, module_store, module_dialogs)
    yield new_window
    close_for_good(new_window)


@pytest.fixture(scope="module")
def surveyed(module_window: MainWindow, module_bot: QtBot) -> MainWindow:
    """The window of a module with the survey, searched and measured."""
    opened_window, qtbot = module_window, module_bot
    open_as_found(opened_window, qtbot, resource_path("examples", "hospital-survey.csv"))
    document = opened_window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(opened_window.session.running.finished, timeout=120_000):
        QTest.mouseClick(opened_window.page("data").primary, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    qtbot.waitUntil(lambda: not opened_window.session.controller.sizes.is_busy, timeout=60_000)
    qtbot.waitUntil(lambda: opened_window.page("results").is_filled)
    return opened_window


@pytest.fixture
def small_survey(tmp_path: Path) -> Path:
    """The bundled survey with a few of its columns and labels, for what takes long with all of them."""
    labels = ("Trouble sleeping", "Exhaustion", "Headache")
    names = ("Work pressure (0-10)", "Night shifts", "Shift allowance", "Coffee after 4 pm", "Pet", *labels)
    with resource_path("examples", "hospital-survey.csv").open(encoding="utf-8", newline="") as file:
        rows = [[row[name] for name in names] for row in csv.DictReader(file)]
    path = tmp_path / "survey" / "hospital-survey.csv"
    path.parent.mkdir()
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    named = "".join(f'<label name="{label}"></label>' for label in labels)
    content = f'<labels xmlns="http://mulan.sourceforge.net/labels">{named}</labels>'
    path.with_suffix(".xml").write_text(content, encoding="utf-8")
    return path


@pytest.fixture
def small_table(tmp_path: Path) -> Path:
    """A table of forty rows with two outcomes and three other columns."""
    lines = ["age,dose,smoker,ill,tired"]
    for row in range(40):
        smoker = "yes" if row % 2 else "no"
        ill = "yes" if row % 2 and row % 5 else "no"
        tired = "yes" if row % 3 else "no"
        lines.append(f"{20 + row},{row * 0.5},{smoker},{ill},{tired}")
    path = tmp_path / "small.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
