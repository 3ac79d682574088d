"""Results that follow the level while it is moved; the latest level wins; one can switch it off."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

import engine
from clcd_gui.document.examples import examples
from clcd_gui.plots.graph_view import lay_out_beside
from clcd_gui.results.results_page import LevelBar
from clcd_gui.run import live
from clcd_gui.run.live import LiveState
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.settings_form import nearest_step
from clcd_gui.wording.setting_values import rests_on
from clcd_gui.wording.text import NUMBERS
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.result import DiscoveryResult
from engine.discovery.session import DiscoverySession
from engine.parameters import parameter_of
from engine.reporting.figures.graph_layout import lay_out

pytestmark = pytest.mark.one_window

LEVELS = parameter_of(DiscoverySettings, "alpha").steps


@pytest.fixture(scope="module")
def network() -> engine.Dataset:
    return engine.simulate(labels=4, features=25, rows=500, seed=6).dataset


@pytest.fixture
def searched_window(
    opened: Callable[[Path], MainWindow],
    network: engine.Dataset,
    qtbot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> MainWindow:
    """A small table whose results are shown; how busy the machine is must not decide what is quick."""
    monkeypatch.setattr(live, "QUICK_SECONDS", 1e9)
    path = tmp_path / "network.csv"
    network.frame.to_csv(path, index=False)
    window = opened(path)
    window.session.document.set_labels(network.labels)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.live.is_following, timeout=60_000)
    return window


def wait_until_shown(window: MainWindow, qtbot, level: float) -> DiscoveryResult:
    document = window.session.document
    qtbot.waitUntil(
        lambda: document.result.settings.alpha == level and not window.session.controller.live.is_busy,
        timeout=60_000,
    )
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    return document.result


def press(slider: QSlider, key: Qt.Key, times: int = 1) -> None:
    slider.setFocus()
    for _ in range(times):
        QTest.keyClick(slider, key)


def handle(slider: QSlider, place: int | None = None) -> QPoint:
    """Where the handle is, or would be at another place."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    if place is not None:
        option.sliderPosition = place
    style, part = slider.style(), QStyle.SubControl.SC_SliderHandle
    return style.subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()


def drag(slider: QSlider, places: list[int]) -> None:
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=handle(slider))
    for place in places:
        QTest.mouseMove(slider, handle(slider, place))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=handle(slider))


@pytest.mark.usefixtures("looks_ahead")
def test_moving_the_slider_shows_what_run_shows_at_that_level(searched_window: MainWindow, qtbot) -> None:
    document, slider = searched_window.session.document, searched_window.page("results").level_bar.slider
    press(slider, Qt.Key.Key_Right, 4)
    level = document.analysis.discovery.alpha
    assert level == LEVELS[nearest_step(LEVELS, 0.01) + 4]
    followed = wait_until_shown(searched_window, qtbot, level)
    assert document.stale_reason is None
    assert not searched_window.page("results").stale_notice.isVisible()
    expected = engine.discover(followed.dataset, DiscoverySettings(alpha=level))
    for name in ("evidence", "boundaries", "equivalence_records", "label_evidence", "tests_made"):
        assert getattr(followed, name) == getattr(expected, name), name
    assert f"Common ({len(expected.total_common)})" in searched_window.page("results").tabs.tabText(1)
    searched_window.commands.actions.live.trigger()
    with qtbot.waitSignal(searched_window.session.running.finished, timeout=60_000):
        QTest.keyClick(searched_window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert document.result.evidence == followed.evidence


def test_estimates_stay_and_nothing_moves_while_the_level_is_moved(
    searched_window: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unadjusted estimates are of the same rows at every level; of a new pair a dash waits for its own."""
    page, document = searched_window.page("results"), searched_window.session.document
    searched_window.go("results")
    page.tabs.setCurrentWidget(page.common)
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    qtbot.waitUntil(lambda: page.is_filled)
    model, table = page.common.model, page.common.table
    place = [column.title for column in model.columns].index("Estimate")

    def estimates() -> dict[tuple[str, str], str]:
        return {
            (finding.feature, label): line
            for row in range(model.rowCount())
            for finding in [model.finding_at(row)]
            for label, line in zip(
                finding.labels, model.columns[place].whole_lines(finding, NUMBERS), strict=False
            )
        }

    before, seen = estimates(), []

    def look() -> None:
        assert document.result.effects is None
        seen.append((estimates(), table.isColumnHidden(place), page.tabs.y()))

    top = page.tabs.y()
    document.result_changed.connect(look)
    press(page.level_bar.slider, Qt.Key.Key_Left, 3)
    wait_until_shown(searched_window, qtbot, document.analysis.discovery.alpha)
    document.result_changed.disconnect(look)
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    qtbot.waitUntil(lambda: page.is_filled)
    assert seen and before
    after = estimates()
    for shown, is_hidden, y in seen:
        assert not is_hidden and y == top
        kept = shown.keys() & before.keys() & after.keys()
        assert kept and all(shown[pair] == before[pair] == after[pair] for pair in kept)


@pytest.mark.usefixtures("looks_ahead")
def test_the_latest_level_wins(searched_window: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    document, slider = searched_window.session.document, searched_window.page("results").level_bar.slider
    search = DiscoverySession.discover

    def slowly(self, settings, progress, *arguments):
        is_known = self.remembered(settings, *arguments) is not None
        while not is_known and settings.alpha != LEVELS[-1] and not progress.should_stop():
            time.sleep(0.002)
        return search(self, settings, progress, *arguments)

    monkeypatch.setattr(DiscoverySession, "discover", slowly)
    searched_window.session.controller.ahead.abandon()
    shown = []

    def note() -> None:
        shown.append(document.result.settings.alpha)

    document.result_changed.connect(note)
    press(slider, Qt.Key.Key_PageUp)
    press(slider, Qt.Key.Key_Left)
    qtbot.wait(50)
    assert shown == [], "an overtaken search was shown"
    press(slider, Qt.Key.Key_End)
    wait_until_shown(searched_window, qtbot, LEVELS[-1])
    assert shown == [LEVELS[-1]]
    qtbot.waitUntil(lambda: searched_window.session.controller.live.live_threads == 0)
    assert shown == [LEVELS[-1]]
    document.result_changed.disconnect(note)


@pytest.mark.usefixtures("looks_ahead")
def test_a_drag_is_one_step_that_can_be_undone(searched_window: MainWindow, qtbot) -> None:
    document, slider = searched_window.session.document, searched_window.page("results").level_bar.slider
    before, start = document.undo_stack.count(), slider.value()
    drag(slider, [start + 2, start + 3, start + 5])
    assert slider.value() == start + 5
    assert document.undo_stack.count() == before + 1
    wait_until_shown(searched_window, qtbot, LEVELS[start + 5])
    drag(slider, [start + 4, start - 3])
    assert document.undo_stack.count() == before + 2
    wait_until_shown(searched_window, qtbot, LEVELS[start - 3])
    document.undo_stack.undo()
    assert slider.value() == start + 5
    wait_until_shown(searched_window, qtbot, LEVELS[start + 5])
    document.undo_stack.undo()
    assert slider.value() == start
    wait_until_shown(searched_window, qtbot, 0.01)
    document.undo_stack.redo()
    wait_until_shown(searched_window, qtbot, LEVELS[start + 5])


def test_an_exact_level_is_typed_beside_the_slider(searched_window: MainWindow, qtbot) -> None:
    bar, document = searched_window.page("results").level_bar, searched_window.session.document
    bar.line.setFocus()
    bar.line.selectAll()
    QTest.keyClicks(bar.line, "2")
    assert "between 0 and 1" in bar.status.text()
    bar.line.selectAll()
    QTest.keyClicks(bar.line, "0.0137")
    QTest.keyClick(bar.line, Qt.Key.Key_Return)
    wait_until_shown(searched_window, qtbot, 0.0137)
    assert LEVELS[bar.slider.value()] == 0.015
    assert "0.0137" in bar.slider.accessibleDescription()
    assert bar.slider.accessibleName() == "Significance level (α)"
    assert bar.slider.width() >= 3 * bar.slider.height()
    assert document.analysis.discovery.alpha == 0.0137


def test_other_settings_are_followed_too_and_run_says_live(searched_window: MainWindow, qtbot) -> None:
    document, method = searched_window.session.document, searched_window.page("method")
    searched_window.go("method")
    assert method.primary.text() == "Live"
    assert not method.primary.isEnabled()
    spin = method.search.editor("max_conditioning")
    spin.setFocus()
    QTest.keyClick(spin, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: document.result.settings.max_conditioning == 2, timeout=60_000)
    assert searched_window.navigation.step == "method"
    assert document.stale_reason is None
    slider = method.search.findChild(QSlider)
    press(slider, Qt.Key.Key_Home)
    wait_until_shown(searched_window, qtbot, LEVELS[0])


def test_an_automatic_level_is_shown_until_another_is_chosen(searched_window: MainWindow, qtbot) -> None:
    document, page = searched_window.session.document, searched_window.page("results")
    document.change_discovery("automatic_alpha", True)
    followed = wait_until_shown(searched_window, qtbot, 0.02)
    assert document.stale_reason is None
    assert page.level_bar.line.text() == "0.02"
    assert "500 rows at α 0.02. Automatic α" in rests_on(followed)
    searched_window.go("method")
    editor = searched_window.page("method").search.editor("alpha")
    assert not editor.isEnabled()
    assert editor.text() == "0.02"
    searched_window.go("results")
    press(page.level_bar.slider, Qt.Key.Key_Home)
    wait_until_shown(searched_window, qtbot, LEVELS[0])
    assert not document.analysis.discovery.automatic_alpha
    document.undo_stack.undo()
    assert document.analysis.discovery.automatic_alpha


def test_it_can_be_switched_off_and_on(searched_window: MainWindow, qtbot) -> None:
    bar, document = searched_window.page("results").level_bar, searched_window.session.document
    assert bar.live.isChecked()
    QTest.mouseClick(bar.live, Qt.MouseButton.LeftButton, pos=QPoint(8, bar.live.height() // 2))
    assert not bar.live.isChecked()
    assert not searched_window.settings.live
    # Sizes may still come to what was found, which is another object then.
    found_before = document.result
    press(bar.slider, Qt.Key.Key_Right)
    qtbot.wait(100)
    assert document.result.settings == found_before.settings
    assert document.result.evidence == found_before.evidence
    assert searched_window.page("results").stale_notice.isVisible()
    assert searched_window.page("method").primary.text() == "Run"
    assert searched_window.page("method").primary.isEnabled()
    QTest.keyClick(searched_window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert bar.live.isChecked()
    wait_until_shown(searched_window, qtbot, LEVELS[bar.slider.value()])
    assert not searched_window.page("results").stale_notice.isVisible()


@pytest.mark.usefixtures("looks_ahead")
def test_tables_that_take_longer_wait_for_run(
    opened: Callable[[Path], MainWindow], qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "QUICK_SECONDS", 0.0)
    monkeypatch.setattr(live, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(live, "TRIAL_SECONDS", 0.0)
    window = opened(examples()[0].path)
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
    # Sizes may still come to what was found, which is another object then.
    found_before, bar = document.result, window.page("results").level_bar
    assert not bar.live.isEnabled()
    assert not bar.live.isChecked()
    assert bar.status.text() == "Waits for Run."
    assert "takes" in bar.live.toolTip()
    press(bar.slider, Qt.Key.Key_Right)
    qtbot.wait(100)
    assert document.result.settings == found_before.settings
    assert document.result.evidence == found_before.evidence
    assert not window.session.controller.live.is_busy
    assert not window.session.controller.ahead.is_busy
    assert window.page("results").stale_notice.button.isEnabled()
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(window.page("results").stale_notice.button, Qt.MouseButton.LeftButton)
    assert document.result.settings.alpha == LEVELS[bar.slider.value()]


def test_where_nothing_is_known_of_the_time_the_box_does_not_look_as_if_it_were_on(qtbot) -> None:
    """After a run that was stopped."""
    bar = LevelBar()
    qtbot.addWidget(bar)
    bar.set_live(LiveState(wanted=True, possible=False, seconds=None))
    bar.show()
    QTest.mouseClick(bar.live, Qt.MouseButton.LeftButton, pos=QPoint(8, bar.live.height() // 2))
    assert not bar.live.isChecked() and not bar.live.isEnabled()
    assert bar.status.text() == "Waits for Run."
    # What was switched off can be switched on all the same.
    bar.set_live(LiveState(wanted=False, possible=False, seconds=None))
    requests: list[bool] = []
    bar.live_requested.connect(requests.append)
    QTest.mouseClick(bar.live, Qt.MouseButton.LeftButton, pos=QPoint(8, bar.live.height() // 2))
    assert requests == [True]


def test_selection_order_and_place_stay(searched_window: MainWindow, qtbot) -> None:
    page, document = searched_window.page("results"), searched_window.session.document
    panel = page.common
    page.tabs.setCurrentWidget(panel)
    searched_window.resize(1024, 520)
    press(page.level_bar.slider, Qt.Key.Key_End)
    wait_until_shown(searched_window, qtbot, LEVELS[-1])
    panel.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    panel.table.selectRow(0)
    feature = searched_window.highlight.feature
    panel.table.verticalScrollBar().setValue(40)
    scrolled = panel.table.verticalScrollBar().value()
    assert document.result is not None
    press(page.level_bar.slider, Qt.Key.Key_Left)
    wait_until_shown(searched_window, qtbot, LEVELS[-2])
    names = [panel.model.finding_at(row).feature for row in range(panel.model.rowCount())]
    assert panel.table.horizontalHeader().sortIndicatorSection() == 0
    assert len(names) > 1
    assert panel.model.row_of(names[0]) == 0
    assert searched_window.highlight.feature == feature
    assert panel.table.verticalScrollBar().value() == min(scrolled, panel.table.verticalScrollBar().maximum())


def test_nodes_stay_where_they_are(searched_window: MainWindow, qtbot) -> None:
    page = searched_window.page("results")
    page.tabs.setCurrentWidget(page.graph)
    qtbot.waitUntil(lambda: bool(page.graph.view.graph.nodes))
    before = page.graph.view.graph.positions()
    press(page.level_bar.slider, Qt.Key.Key_Left)
    wait_until_shown(searched_window, qtbot, LEVELS[page.level_bar.slider.value()])
    names = {node.name for node in page.graph.content.nodes}
    qtbot.waitUntil(lambda: set(page.graph.view.graph.nodes) == names)
    after = page.graph.view.graph.positions()
    stayed = before.keys() & after.keys()
    assert stayed
    assert all(before[name] == after[name] for name in stayed)


def test_nodes_that_would_cover_each_other_are_placed_anew(searched_window: MainWindow, qtbot) -> None:
    graph = searched_window.page("results").graph
    searched_window.page("results").tabs.setCurrentWidget(graph)
    qtbot.waitUntil(lambda: bool(graph.view.graph.nodes))
    sizes = {node.name: (60.0, 20.0) for node in graph.content.nodes}
    fresh = lay_out(graph.content, sizes, {})
    assert lay_out_beside(graph.content, sizes, fresh, {}) == fresh
    heaped = dict.fromkeys(sizes, (0.0, 0.0))
    assert lay_out_beside(graph.content, sizes, heaped, {}) == fresh


def test_earlier_results_are_said_to_be_while_a_longer_search_runs(
    searched_window: MainWindow, qtbot
) -> None:
    lane, document = searched_window.session.controller.live, searched_window.session.document
    notice = searched_window.page("results").stale_notice
    assert not notice.text
    lane.notice.setInterval(0)
    with qtbot.waitSignal(lane.noticed):
        document.change_discovery("alpha", 0.05)
    assert notice.text.startswith("These results are from earlier settings. Significance level (α) was")
    wait_until_shown(searched_window, qtbot, 0.05)
    assert not notice.text


def test_a_short_search_makes_nothing_flicker(
    searched_window: MainWindow, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    lane, bar = searched_window.session.controller.live, searched_window.run_bar
    lane.notice.setInterval(100_000)
    texts = set()
    searched_window.session.changed.connect(
        lambda: texts.add(searched_window.rail.button("results").toolTip())
    )
    press(searched_window.page("results").level_bar.slider, Qt.Key.Key_Right)
    assert not bar.bar.isVisible()
    wait_until_shown(searched_window, qtbot, LEVELS[searched_window.page("results").level_bar.slider.value()])
    assert not bar.bar.isVisible()
    assert bar.activity.text().startswith("Done in")
    assert texts == {"Results: live"}


def test_a_level_that_is_chosen_during_the_first_run_is_followed(
    opened: Callable[[Path], MainWindow],
    network: engine.Dataset,
    qtbot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(live, "QUICK_SECONDS", 1e9)
    path = tmp_path / "network.csv"
    network.frame.to_csv(path, index=False)
    window = opened(path)
    document, running = window.session.document, window.session.running
    document.set_labels(network.labels)
    with qtbot.waitSignal(running.finished, timeout=120_000):
        running.start()
        document.change_discovery("alpha", 0.05)
    wait_until_shown(window, qtbot, 0.05)
    assert document.stale_reason is None
