"""Background knowledge: typed, keyed and dragged, undone, kept in files, and used by the next run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from clcd_gui.data.knowledge_panel import STATEMENT_KINDS, KnowledgePanel
from clcd_gui.document.compatibility import idle_settings, problems
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import KnowledgeDialogs
from engine.knowledge.knowledge import Knowledge
from engine.table.variable import Role

pytestmark = pytest.mark.one_window

SURVEY = Path(__file__).resolve().parents[2] / "resources" / "examples" / "hospital-survey.csv"


class _OneFile(KnowledgeDialogs):
    def __init__(self, path: Path) -> None:
        self.path = path

    def choose_to_read(self, parent: QWidget) -> Path | None:
        return self.path

    def choose_to_write(self, parent: QWidget) -> Path | None:
        return self.path


@pytest.fixture
def window(opened: Callable[[Path], MainWindow]) -> Iterator[MainWindow]:
    survey_window = opened(SURVEY)
    document = survey_window.session.document
    document.set_labels(document.offer.names)
    survey_window.page("data").tabs.setCurrentWidget(survey_window.page("data").knowledge)
    yield survey_window


@pytest.fixture
def panel(window: MainWindow) -> KnowledgePanel:
    return window.page("data").knowledge


def type_into(box: QWidget, text: str) -> None:
    box.setFocus()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def is_taken(data: QMimeData, over: QWidget) -> bool:
    """Whether something is welcome where it is dragged over a widget, as the window system asks it."""
    handle = over.window().windowHandle()
    where = over.mapTo(over.window(), over.rect().center())
    enter = QDragEnterEvent(
        where, Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(handle, enter)
    QApplication.sendEvent(handle, QDragLeaveEvent())
    return enter.isAccepted()


def knowledge_of(window: MainWindow) -> Knowledge:
    return window.session.document.analysis.knowledge


def test_patterns_fill_tiers_and_each_step_is_undone(window: MainWindow, panel: KnowledgePanel) -> None:
    type_into(panel.patterns[1], "Age*, Sex")
    type_into(panel.patterns[2], "Headache")
    assert knowledge_of(window).tiers[1] == ("Headache",)
    assert "Age" in knowledge_of(window).tiers[0][0]
    assert panel.tiers[2].names == ["Headache"] and "Headache" not in panel.tiers[0].names
    window.session.document.undo_stack.undo()
    assert len(knowledge_of(window).tiers) == 1 and "Headache" in panel.tiers[0].names
    window.session.document.undo_stack.redo()
    assert panel.tiers[2].names == ["Headache"]
    type_into(panel.patterns[1], "nobody*")
    assert panel.notice.isVisible() and "nobody*" in panel.notice.text


def test_only_what_is_searched_is_put_in_order(window: MainWindow, panel: KnowledgePanel) -> None:
    document = window.session.document
    roles = {Role.WEIGHT: "Age (years)", Role.GROUPS: "Department", Role.IGNORED: "Sex"}
    type_into(panel.patterns[1], "Age*")
    for role, name in roles.items():
        document.set_roles([name], role)
    dataset = document.analysis.dataset
    searched = [name for name in dataset.names if name in dataset.labels + dataset.features]
    assert panel.tiers[0].names == searched and not set(roles.values()) & set(searched)
    # What was said before stays, as roles may be changed back.
    assert panel.tiers[1].names == ["Age (years)"]
    type_into(panel.patterns[2], "*")
    assert set(knowledge_of(window).tiers[1]) == set(searched)
    type_into(panel.patterns[1], "Department")
    assert panel.notice.isVisible() and "Department" in panel.notice.text


def test_tiers_are_as_wide_as_their_names_in_larger_text(
    window: MainWindow, panel: KnowledgePanel, qtbot
) -> None:
    window.resize(1024, 700)
    usual = panel.tiers[0].minimumWidth()
    window.theme.set_zoom(1.5)
    qtbot.waitUntil(lambda: panel.tiers[0].minimumWidth() > 1.3 * usual)
    qtbot.waitUntil(lambda: panel.tiers[0].width() >= panel.patterns[0].width())
    # The box below a tier is the way to fill it without a mouse.
    window.session.document.set_roles(["Sex"], Role.IGNORED)
    box = panel.patterns[1]
    qtbot.waitUntil(lambda: box.visibleRegion().boundingRect().height() == box.height())
    window.theme.set_zoom(1.0)


def test_tiers_share_the_room_that_there_is(window: MainWindow, panel: KnowledgePanel, qtbot) -> None:
    """Names were cut while half of the panel stayed empty beside them."""
    page = window.page("data")
    page.tabs.setCurrentWidget(panel)
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: panel.width() > 1000)
    shown = [tier for tier in panel.tiers if tier.isVisible()]
    qtbot.waitUntil(lambda: sum(tier.width() for tier in shown) > 0.9 * panel.width())
    assert max(tier.width() for tier in shown) - min(tier.width() for tier in shown) <= 2


def test_dragging_and_keys_move_variables(window: MainWindow, panel: KnowledgePanel) -> None:
    unordered, first = panel.tiers[0], panel.tiers[1]
    unordered.item(0).setSelected(True)
    assert is_taken(unordered.model().mimeData([unordered.model().index(0, 0)]), over=first)
    name = unordered.item(0).text()

    class Drop(QDropEvent):
        def source(self) -> QWidget:
            return unordered

    first.dropEvent(
        Drop(
            QPointF(5, 5),
            Qt.DropAction.MoveAction,
            QMimeData(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    assert knowledge_of(window).tiers == ((name,),)
    first.item(0).setSelected(True)
    QTest.keyClick(first, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert knowledge_of(window).tiers == ((), (name,))


def test_files_that_are_dragged_over_lists_and_boxes_are_the_windows(
    window: MainWindow, panel: KnowledgePanel
) -> None:
    file, text = QMimeData(), QMimeData()
    file.setUrls([QUrl.fromLocalFile(str(SURVEY))])
    text.setText("Age")
    for over in (panel.tiers[0], panel.tiers[1], panel.patterns[1], panel.first):
        assert is_taken(file, over)
        assert SURVEY.name in window.file_drop.caption.text()
        assert not is_taken(text, over)


def test_statements_are_said_checked_and_removed(window: MainWindow, panel: KnowledgePanel) -> None:
    assert not panel.statements.isVisible() and not panel.remove.isVisible()
    for row, kind in enumerate(STATEMENT_KINDS):
        panel.kinds.setCurrentIndex(row)
        panel.first.setText("Painkillers a month")
        panel.second.setText("Headache")
        if kind.part == "forbidden":
            panel.first.setText("Back pain")
        if kind.part == "not_effects":
            panel.first.setText("Age*")
        QTest.mouseClick(panel.add, Qt.MouseButton.LeftButton)
    assert panel.statements.count() >= 4 and panel.statements.isVisible()
    assert ("Back pain", "Headache") in knowledge_of(window).forbidden
    # The opposite of what is required would be a circle; it is refused, and nothing is changed.
    before = knowledge_of(window)
    panel.kinds.setCurrentIndex(1)
    panel.first.setText("Headache")
    panel.second.setText("Painkillers a month")
    QTest.mouseClick(panel.add, Qt.MouseButton.LeftButton)
    assert knowledge_of(window) is before and "circle" in panel.notice.text
    panel.statements.selectAll()
    QTest.mouseClick(panel.remove, Qt.MouseButton.LeftButton)
    assert knowledge_of(window).is_empty and not panel.remove.isVisible()


@pytest.mark.parametrize("name", ["known.json", "known.txt"])
def test_files_bring_back_what_was_saved(
    window: MainWindow, panel: KnowledgePanel, tmp_path: Path, name: str
) -> None:
    panel.dialogs = _OneFile(tmp_path / name)
    type_into(panel.patterns[1], "Age*")
    type_into(panel.patterns[2], "Headache")
    before = knowledge_of(window)
    QTest.mouseClick(panel.save, Qt.MouseButton.LeftButton)
    window.session.document.undo_stack.setIndex(window.session.document.undo_stack.index() - 2)
    assert knowledge_of(window).is_empty
    QTest.mouseClick(panel.read, Qt.MouseButton.LeftButton)
    assert knowledge_of(window) == before
    (tmp_path / name).write_text("nonsense {", encoding="utf-8")
    QTest.mouseClick(panel.read, Qt.MouseButton.LeftButton)
    assert knowledge_of(window) == before and panel.notice.isVisible()


def test_a_run_heeds_it_and_members_stay(window: MainWindow, panel: KnowledgePanel, qtbot) -> None:
    running, document = window.session.running, window.session.document
    with qtbot.waitSignal(running.finished, timeout=120_000):
        running.start()
    before = document.result
    type_into(panel.patterns[1], "Coffee*")
    type_into(panel.patterns[2], "Trouble sleeping")
    assert document.stale_reason == "Background knowledge was changed."
    with qtbot.waitSignal(running.finished, timeout=120_000):
        running.start()
    after = document.result
    assert after.knowledge == knowledge_of(window)
    members = {label: set(boundary.members) for label, boundary in after.boundaries.items()}
    assert members == {label: set(boundary.members) for label, boundary in before.boundaries.items()}
    assert after.label_sets == before.label_sets
    changed = [
        pair
        for pair, orientation in after.orientation_records.items()
        if orientation.grade is not before.orientation_records[pair].grade
    ]
    assert changed, "the order in time settles something here"


def test_without_tiers_the_time_order_cannot_steer(window: MainWindow, panel: KnowledgePanel) -> None:
    document = window.session.document
    assert not panel.steers.isEnabled() and panel.why_not.isVisibleTo(panel)
    assert idle_settings(document.analysis)["time_order"].startswith("There is no time order")
    type_into(panel.patterns[1], "Coffee*")
    assert not panel.steers.isEnabled()
    type_into(panel.patterns[2], "Trouble sleeping")
    assert panel.steers.isEnabled() and not panel.why_not.isVisibleTo(panel)
    assert "time_order" not in idle_settings(document.analysis)


def test_the_time_order_steers_a_run_and_is_undone(window: MainWindow, panel: KnowledgePanel, qtbot) -> None:
    running, document = window.session.running, window.session.document
    label = document.analysis.dataset.labels[0]
    with qtbot.waitSignal(running.finished, timeout=120_000):
        running.start()
    later = document.result.boundaries[label].members[0]
    panel.put_into_tier([label], 1)
    panel.put_into_tier([later], 2)
    panel.steers.click()
    assert document.analysis.discovery.time_order
    document.undo_stack.undo()
    assert not panel.steers.isChecked()
    panel.steers.click()
    with qtbot.waitSignal(running.finished, timeout=120_000):
        running.start()
    assert document.result.settings.time_order
    assert later not in document.result.boundaries[label].members
    assert "time order" in document.history.runs[-1].name


def test_a_search_in_time_order_does_not_start_when_its_tiers_are_gone(
    window: MainWindow, panel: KnowledgePanel
) -> None:
    document = window.session.document
    panel.put_into_tier(["Headache"], 1)
    panel.put_into_tier(["Trouble sleeping"], 2)
    panel.steers.click()
    panel.put_into_tier(["Headache", "Trouble sleeping"], 0)
    (problem,) = problems(document.analysis)
    assert problem.short == "No time order is given"
    # What is chosen can be taken back.
    assert panel.steers.isEnabled() and panel.steers.isChecked()
    document.change(problem.ways_out[0].applied_to(document.analysis), "search without time order")
    assert not problems(document.analysis) and not panel.steers.isChecked()
