"""The tour: every step points at a control that is there, by keyboard alone, and it ends at any time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from clcd_gui.document.examples import examples
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.shell.tour import STEPS, TourBubble, place_beside
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.dialogs import Unsaved
from tests.gui.conftest import AnsweringDialogs

pytestmark = pytest.mark.one_window


def test_the_tour_is_taken_by_keyboard_on_the_example(window: MainWindow, qtbot) -> None:
    assert window.start_page.tour_notice.isVisible()
    window.start_page.tour_notice.findChild(QPushButton).click()
    tour = window.tour
    for step in STEPS:
        assert tour.step is step
        qtbot.waitUntil(tour.bubble.next.isEnabled, timeout=120_000)
        qtbot.waitUntil(step.target(tour.places).isVisible)
        assert tour.bubble.text == step.text
        assert window.rect().contains(tour.bubble.geometry())
        qtbot.waitUntil(tour.bubble.next.hasFocus)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert tour.step is None and tour.bubble is None
    assert window.session.document.reading.path == examples()[0].path
    assert window.settings.knows_tour


def test_the_tour_keeps_the_keys_unless_a_person_takes_them(window: MainWindow, qtbot) -> None:
    window.commands.actions.tour.trigger()
    tour, columns = window.tour, window.page("data").columns
    qtbot.waitUntil(lambda: tour.bubble.next.hasFocus())
    columns.setFocus()
    assert columns.hasFocus()
    qtbot.waitUntil(lambda: tour.bubble.next.hasFocus())
    window.workspace.files.close()
    assert not tour.bubble.next.isEnabled()
    with qtbot.waitSignal(window.session.opening.opened):
        window.workspace.files.open(examples()[0].path)
    qtbot.waitUntil(lambda: tour.bubble.next.hasFocus())
    columns.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.qWait(50)
    assert columns.hasFocus()


@pytest.mark.parametrize("answer", [Unsaved.CANCEL, Unsaved.SAVE, Unsaved.DISCARD])
def test_the_tour_is_of_the_example_and_not_of_a_table_of_ones_own(
    opened: Callable[[Path], MainWindow],
    small_table: Path,
    dialogs: AnsweringDialogs,
    answer: Unsaved,
    tmp_path: Path,
    qtbot,
) -> None:
    window = opened(small_table)
    document = window.session.document
    document.set_labels(["ill"])
    (tmp_path / "nowhere").write_text("a file")
    dialogs.unsaved, dialogs.project = answer, tmp_path / "nowhere" / "study.clcd"
    window.go("method")
    window.commands.actions.tour.trigger()
    dialogs.unsaved = Unsaved.DISCARD
    if answer is Unsaved.DISCARD:
        qtbot.waitUntil(lambda: window.tour.bubble.next.isEnabled())
        assert document.reading.path == examples()[0].path
        window.open_path(small_table)
        qtbot.waitUntil(lambda: document.reading.path == small_table)
    else:
        # What cannot be saved stays as well.
        qtbot.waitUntil(lambda: window.tour.bubble is None)
        assert document.analysis.dataset.labels == ("ill",) and document.is_modified
    assert document.reading.path == small_table and window.tour.step is None
    assert not any(bubble.isVisible() for bubble in window.findChildren(TourBubble))


def test_the_tour_ends_where_the_example_is_not_opened(window: MainWindow) -> None:
    window.commands.actions.tour.trigger()
    assert window.tour.step is STEPS[0] and not window.tour.bubble.next.isEnabled()
    window.session.stop()
    assert window.tour.step is None and window.start_page.isVisible()


def test_the_tour_ends_by_esc_and_is_offered_once(window: MainWindow, qtbot) -> None:
    window.commands.actions.tour.trigger()
    assert not window.start_page.tour_notice.isVisible()
    qtbot.waitUntil(window.tour.bubble.next.isEnabled)
    QTest.keyClick(window.tour.bubble.next, Qt.Key.Key_Right)
    assert window.tour.step is STEPS[1]
    QTest.keyClick(window.tour.bubble.next, Qt.Key.Key_Left)
    assert window.tour.step is STEPS[0]
    QTest.keyClick(window.tour.bubble.next, Qt.Key.Key_Escape)
    assert window.tour.bubble is None


def test_the_tour_says_all_in_another_size_of_text(window: MainWindow, qtbot) -> None:
    window.resize(1024, 700)
    window.commands.actions.tour.trigger()
    bubble = window.tour.bubble
    qtbot.waitUntil(bubble.next.hasFocus, timeout=30_000)
    usual = bubble.height()

    def says_all() -> bool:
        texts = [bubble._title, bubble._text]
        return all(text.height() >= text.heightForWidth(text.width()) for text in texts) and all(
            button.width() >= button.sizeHint().width() for button in (bubble.end, bubble.back, bubble.next)
        )

    assert says_all()
    gap = bubble._text.y() - bubble._title.geometry().bottom()
    assert gap <= 2 * SPACE and bubble._title.height() == bubble._title.heightForWidth(bubble._title.width())
    window.theme.set_zoom(1.5)
    qtbot.waitUntil(says_all)
    qtbot.waitUntil(lambda: window.rect().contains(bubble.geometry()))
    window.theme.set_zoom(1.0)
    qtbot.waitUntil(lambda: bubble.height() == usual)


def test_a_bubble_hides_nothing_of_what_it_points_at() -> None:
    room = QRect(0, 0, 1024, 700)
    for target in (QRect(20, 20, 200, 30), QRect(800, 650, 200, 40), QRect(10, 100, 140, 500)):
        size = QRect(0, 0, 380, 170).size()
        placed = QRect(place_beside(target, size, room), size)
        assert room.contains(placed) and not placed.intersects(target)
