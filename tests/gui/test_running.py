"""Runs as a person meets them: progress, Stop, closing in the middle, errors, a window that stays quick."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from clcd_gui.document.examples import examples
from clcd_gui.run.controller import LOADED_AHEAD
from clcd_gui.run.kernels import Kernels, WarmUp
from clcd_gui.run.lane import LOOK_MILLISECONDS, Lane, Standing
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.run_bar import RunBar
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.warm_up import start_compiling
from engine.compiled.cache import cache_folder
from engine.errors import Cancelled, InvalidData
from engine.independence.options import TableTraits
from engine.progress import ProgressEvent, SharedProgress
from tests.kept_kernels import copy_all_but_the_tails

pytestmark = pytest.mark.searches_anew

COMPILING = "Preparing: the first run on a machine takes longer"
# Searches among hundreds of thousands of conditioning sets: minutes, unless it is stopped.
ENDLESS = {"alpha": 0.99, "false_discovery": "none", "procedure": "as published", "max_conditioning": 5}


# Pauses that nobody notices; a busy machine makes them in any program.
UNNOTICED_MS = 50


class Heartbeat(QObject):
    """Measures for which share of the time the event loop beats too seldom."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = self._held_up = 0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._beat)

    def begin(self) -> None:
        self._whole = self._held_up = 0
        self._clock.start()
        self._timer.start()

    def end(self) -> float:
        self._beat()
        self._timer.stop()
        return self._held_up / self._whole

    def _beat(self) -> None:
        pause = self._clock.restart()
        self._whole += pause
        self._held_up += pause if pause > UNNOTICED_MS else 0


def least_held_up(qtbot: QtBot, milliseconds: int, enough: float, most_times: int = 5) -> float:
    """Return for which share of the time the window is held up, at best; measured until it is little enough.

    Other work on the same machine holds any program up now and then, and not each time.
    """
    beat, least = Heartbeat(), 1.0
    for _ in range(most_times):
        beat.begin()
        qtbot.wait(milliseconds)
        least = min(least, beat.end())
        if least < enough:
            break
    return least


def wait_until_stopped(progress) -> object:
    progress.report(ProgressEvent("Waiting", 1, 10, detail="for the stop"))
    while not progress.should_stop():
        time.sleep(0.002)
    raise Cancelled("stopped.")


@pytest.fixture
def lane(qapp) -> Iterator[Lane]:
    new_lane = Lane("test")
    yield new_lane
    new_lane.shut_down()


@pytest.fixture
def emotions(opened: Callable[[Path], MainWindow], shared_data: Path) -> MainWindow:
    window = opened(shared_data / "emotions" / "emotions.arff")
    window.session.document.set_labels(window.session.document.offer.names)
    return window


def test_stop_before_anything_is_finished(emotions: MainWindow, qtbot) -> None:
    window, document = emotions, emotions.session.document
    document.change(document.analysis.with_settings(discovery=ENDLESS), "search endlessly")
    discovery = window.session.controller.discovery
    QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
    assert discovery.is_busy
    qtbot.waitUntil(lambda: "Looking" in window.run_bar.activity.text(), timeout=60_000)
    assert window.run_bar.bar.isVisible()
    assert window.run_bar.stop.isVisible()
    QTest.mouseClick(window.run_bar.stop, Qt.MouseButton.LeftButton)
    # Left alone, it would go on for minutes.
    qtbot.waitUntil(lambda: not discovery.is_busy)
    assert document.result is None
    assert window.page("data").isVisible()
    assert window.run_bar.activity.text() == "Stopped before any label was finished"
    assert not window.run_bar.stop.isVisible()
    assert window.commands.actions.run.isEnabled()


def test_stop_when_some_labels_are_finished_shows_them(
    opened: Callable[[Path], MainWindow], qtbot, shared_data: Path
) -> None:
    window = opened(shared_data / "mediamill" / "mediamill-train.arff.gz")
    document, discovery = window.session.document, window.session.controller.discovery
    document.set_labels(document.offer.names)
    slow = {"alpha": 0.5, "false_discovery": "none", "procedure": "as published", "max_conditioning": 4}
    document.change(document.analysis.with_settings({"constant_labels": "set-aside"}, slow), "search slowly")
    standings = []
    discovery.progressed.connect(standings.append)
    QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(standings) and standings[-1].left is not None, timeout=120_000)
    assert 0 < standings[-1].share < 1
    assert standings[-1].left > 0
    assert "left" in window.run_bar.left.text()
    QTest.mouseClick(window.run_bar.stop, Qt.MouseButton.LeftButton)
    assert window.run_bar.stop.text() == "Stopping"
    assert discovery.is_busy, "the click does not wait for the end"
    qtbot.waitUntil(lambda: not discovery.is_busy)
    result = document.result
    assert result.is_partial
    assert result.boundaries
    assert result.unfinished_labels
    assert "Stopped" in window.run_bar.activity.text()
    assert window.page("results").isVisible()
    assert window.rail.button("results").toolTip() == "Results: stopped early"


def test_escape_stops(emotions: MainWindow, qtbot) -> None:
    window, document = emotions, emotions.session.document
    document.change(document.analysis.with_settings(discovery=ENDLESS), "search endlessly")
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.commands.actions.stop.isEnabled())
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.session.controller.discovery.is_busy)
    assert document.result is None


def test_closing_in_mid_run_ends_everything(emotions: MainWindow, qtbot) -> None:
    window, document = emotions, emotions.session.document
    document.change(document.analysis.with_settings(discovery=ENDLESS), "search endlessly")
    window.session.running.start()
    qtbot.waitUntil(lambda: "Looking" in window.run_bar.activity.text(), timeout=60_000)
    window.close()
    assert not window.isVisible()
    assert window.session.controller.discovery.live_threads == 0
    assert document.result is None


def test_the_window_stays_quick_while_it_searches(window: MainWindow, qtbot, shared_data: Path) -> None:
    beat = Heartbeat()
    session = window.session
    with qtbot.waitSignal(session.opening.opened, timeout=60_000):
        window.open_path(shared_data / "yeast" / "yeast.arff.gz")
    session.document.set_labels(session.document.offer.names)
    held_up = []
    # Other work on the same machine pauses any program now and then: the best of a few counts. What the first
    # run imports and compiles is measured apart: that happens once on a machine.
    for level in (0.01, 0.011, 0.012, 0.013, 0.014):
        window.go("data")
        # A search that was made before is remembered: nothing would run beside the window.
        session.document.change_discovery("alpha", level)
        window.session.running.start()
        qtbot.waitUntil(lambda: "Looking" in window.run_bar.activity.text(), timeout=60_000)
        beat.begin()
        qtbot.wait(1500)
        held_up.append(beat.end())
        assert session.controller.discovery.is_busy, "it ended while it was measured"
        with qtbot.waitSignal(session.controller.discovery.ended, timeout=60_000):
            window.commands.actions.stop.trigger()
        if held_up[-1] < 0.15:
            return
    pytest.fail(f"the window stood still for these shares of the time: {held_up}")


def test_a_lane_speaks_only_once_and_on_the_main_thread(lane: Lane, qtbot) -> None:
    results = []
    lane.succeeded.connect(results.append)
    with qtbot.waitSignal(lane.ended):
        lane.start(lambda progress: 42)
    assert results == [42]
    assert lane.live_threads == 0


def test_late_results_of_abandoned_work_are_dropped(lane: Lane, qtbot) -> None:
    results, release = [], []

    def stubborn(progress) -> str:
        while not release:
            time.sleep(0.002)
        return "late"

    lane.succeeded.connect(results.append)
    lane.start(stubborn)
    lane.abandon()
    assert not lane.is_busy
    with qtbot.waitSignal(lane.succeeded):
        lane.start(lambda progress: "prompt")
    release.append(True)
    qtbot.waitUntil(lambda: lane.live_threads == 0)
    assert results == ["prompt"]


def test_stop_of_work_that_has_nothing_yet(lane: Lane, qtbot) -> None:
    results = []
    lane.succeeded.connect(results.append)
    lane.start(wait_until_stopped)
    with qtbot.waitSignal(lane.stopped):
        lane.stop()
    assert not lane.is_busy
    qtbot.waitUntil(lambda: lane.live_threads == 0)
    assert not results


def test_progress_reaches_the_listener_in_steps(lane: Lane, qtbot) -> None:
    standings = []
    lane.progressed.connect(standings.append)
    clock = QElapsedTimer()

    def chatty(progress) -> None:
        for place in range(200_000):
            progress.report(ProgressEvent("Counting", place, 200_000, tests=place))
            if place % 20_000 == 0:
                time.sleep(0.02)

    with qtbot.waitSignal(lane.ended):
        clock.start()
        lane.start(chatty)
    # A timer may come a twentieth too soon.
    assert 1 <= len(standings) <= 1 + clock.elapsed() / (0.95 * LOOK_MILLISECONDS)
    assert all(0.0 <= standing.share <= 1.0 for standing in standings)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            InvalidData("it is empty.", place="column 'x'", remedy="Fill it."),
            "column “x”: it is empty. Fill it.",
        ),
        (MemoryError(), "not enough memory"),
        (ZeroDivisionError("division by zero"), "division by zero"),
    ],
)
def test_every_error_becomes_a_sentence(lane: Lane, qtbot, error: Exception, words: str) -> None:

    def fail(progress) -> None:
        raise error

    with qtbot.waitSignal(lane.failed) as caught:
        lane.start(fail)
    assert words in caught.args[0].sentence


def test_a_run_that_fails_says_why_on_the_page(opened: Callable[[Path], MainWindow], qtbot, tmp_path) -> None:
    path = tmp_path / "hollow.csv"
    rows = [f"1,{row * 37 % 11}" for row in range(30)]
    path.write_text("ill,a\n" + "\n".join(rows) + "\n", encoding="utf-8")
    window = opened(path)
    window.session.document.set_labels(["ill"])
    with qtbot.waitSignal(window.session.running.failed, timeout=60_000):
        window.session.running.start()
    assert window.page("data").notice.isVisible()
    assert "“ill”" in window.page("data").notice.text
    assert window.session.document.result is None


def test_a_remedy_that_names_a_setting_is_one_click_away(
    opened: Callable[[Path], MainWindow], qtbot, tmp_path: Path
) -> None:
    path = tmp_path / "constant.csv"
    rows = [f"{row % 2},{row * 37 % 11},1" for row in range(60)]
    path.write_text("ill,a,never\n" + "\n".join(rows) + "\n", encoding="utf-8")
    window = opened(path)
    window.session.document.set_labels(["ill", "never"])
    with qtbot.waitSignal(window.session.running.failed, timeout=60_000):
        window.session.running.start()
    notice = window.page("data").notice
    assert "constant_labels" not in notice.text
    button = next(button for button in notice.findChildren(QPushButton) if "set them aside" in button.text())
    with qtbot.waitSignal(window.session.running.finished, timeout=60_000):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.session.document.result.dataset.labels == ("ill",)


def test_running_needs_no_table_read_twice(opened: Callable[[Path], MainWindow], qtbot) -> None:
    window = opened(examples()[0].path)
    window.session.document.set_labels(window.session.document.offer.names)
    for _ in range(2):
        with qtbot.waitSignal(window.session.running.finished, timeout=60_000):
            window.session.running.start()
    assert window.session.controller.discovery.live_threads == 0


def meka_file(folder: Path) -> Path:
    lines = ["@relation 'patients: -C 2'", *(f"@attribute {name} {{0,1}}" for name in "abcd"), "@data"]
    lines += [f"{row % 2},{row // 2 % 2},{row % 2},{row // 4 % 2}" for row in range(40)]
    path = folder / "patients.arff"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("follows_the_header", [True, False])
def test_result_says_what_was_guessed_about_the_labels_that_were_used(
    opened: Callable[[Path], MainWindow], qtbot, tmp_path: Path, follows_the_header: bool
) -> None:
    window = opened(meka_file(tmp_path))
    document = window.session.document
    document.set_labels(document.offer.names if follows_the_header else ["d"])
    with qtbot.waitSignal(window.session.running.finished, timeout=60_000):
        window.session.running.start()
    guesses = [note.message for note in document.result.dataset.notes if note.topic == "guess"]
    message = "The header says '-C 2': the first 2 columns are the labels."
    assert guesses == ([message] if follows_the_header else [])
    assert document.stale_reason is None


@pytest.fixture
def uncompiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which no search was compiled yet, as far as a new process can see."""
    # This process has its folder already; one small module is all that a new one has to compile.
    folder = tmp_path / "kernels"
    copy_all_but_the_tails(cache_folder(), folder / "clcd-kernels")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(
        "engine.boundaries.warm_up.is_compiled",
        lambda _, traits: not traits.incomplete and any(folder.rglob("*.compiled")),
    )
    # The window waits as it does for any search; this one is compiled sooner than the default.
    quick = DiscoverySettings(test="fisher-z")
    monkeypatch.setattr(
        "engine.boundaries.warm_up.start_compiling",
        lambda _settings, traits, calmly: start_compiling(quick, traits, calmly=calmly),
    )
    return folder


def test_a_run_waits_for_the_compilation_that_goes_on_and_the_window_stays_quick(
    opened: Callable[[Path], MainWindow], qtbot, small_table: Path, uncompiled: Path
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill"])
    controller = window.session.controller
    controller.warm_up()
    qtbot.waitUntil(lambda: controller.kernels.is_busy)
    qtbot.waitUntil(lambda: window.run_bar.activity.text() == COMPILING)
    assert not window.run_bar.stop.isVisible(), "nothing that the person began is going on"
    heart = Heartbeat()
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
        heart.begin()
        qtbot.waitUntil(lambda: window.run_bar.activity.text() == COMPILING)
        assert controller.discovery.is_busy
        # For as long as it is compiled, as any moment may be one in which others on the machine are at work.
        qtbot.waitUntil(lambda: not controller.kernels.is_busy)
        held_up = heart.end()
    assert held_up < 0.25
    assert any(uncompiled.rglob("*.compiled")), "another process compiled"
    assert window.session.document.result.boundaries


def test_waiting_for_the_compilation_can_be_stopped(
    opened: Callable[[Path], MainWindow], qtbot, small_table: Path, uncompiled: Path
) -> None:
    window = opened(small_table)
    window.session.document.set_labels(["ill"])
    controller = window.session.controller
    window.session.running.start()
    qtbot.waitUntil(lambda: controller.kernels.is_busy)
    qtbot.waitUntil(window.run_bar.stop.isVisible)
    QTest.mouseClick(window.run_bar.stop, Qt.MouseButton.LeftButton)
    assert not controller.discovery.is_busy
    qtbot.waitUntil(lambda: not controller.discovery.live_threads)
    assert not any(uncompiled.rglob("*.compiled"))


class EndlessCompilation:
    """Compiles until it is stopped."""

    def wait(self, timeout: float) -> bool:
        time.sleep(timeout)
        return False

    def end(self) -> None:
        pass


def test_what_is_compiled_does_not_wait_for_what_is_being_compiled(
    qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, there = TableTraits(numbers=True), TableTraits(numbers=False)
    monkeypatch.setattr("engine.boundaries.warm_up.is_compiled", lambda _, traits: traits == there)
    monkeypatch.setattr("engine.boundaries.warm_up.start_compiling", lambda *_, **__: EndlessCompilation())
    kernels, lane = Kernels(), Lane("compiling")
    lane.start(lambda progress: kernels.ensure(DiscoverySettings(), missing, progress))
    qtbot.waitUntil(lambda: kernels.is_busy)
    shared_progress = SharedProgress()
    # It would wait for as long as the other goes on.
    timer = threading.Timer(30.0, shared_progress.ask_to_stop)
    timer.start()
    kernels.ensure(DiscoverySettings(), there, shared_progress)
    timer.cancel()
    lane.shut_down()
    assert not shared_progress.should_stop()


def test_what_is_loaded_ahead_makes_way_for_what_a_person_waits_for(qtbot) -> None:
    is_at_work, lane = [True], Lane("warming")
    standings: list[Standing] = []
    lane.progressed.connect(standings.append)
    lane.start(WarmUp(Kernels(), LOADED_AHEAD, lambda: is_at_work[0]))
    qtbot.wait(1_500)
    assert lane.is_busy and not standings, "no tiny table is searched"
    is_at_work[0] = False
    qtbot.waitUntil(lambda: not lane.is_busy, timeout=120_000)


def test_what_is_loaded_ahead_ends_with_the_window(qtbot) -> None:
    lane = Lane("warming")
    lane.start(WarmUp(Kernels(), LOADED_AHEAD, lambda: True))
    qtbot.wait(100)
    # Left alone, it would wait without an end; what it does until it heeds the stop is its own work alone.
    began = time.process_time()
    lane.shut_down()
    assert time.process_time() - began < 5.0


def test_progress_waits_to_be_painted_with_all_else(qtbot) -> None:
    class Painted(QObject):
        count = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            self.count += event.type() == QEvent.Type.Paint
            return False

    run_bar, painted = RunBar(), Painted()
    qtbot.addWidget(run_bar)
    with qtbot.waitExposed(run_bar):
        run_bar.show()
    run_bar.set_working("Reading")
    run_bar.bar.installEventFilter(painted)
    for share in (None, 0.25, 0.5, None):
        run_bar.set_standing(Standing("Reading", "", share, 0, 1.0, None))
    assert painted.count == 0
    qtbot.waitUntil(lambda: painted.count > 0)
