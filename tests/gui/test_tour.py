"""The tour: every step points at a control that is there, by keyboard alone, and it ends at any time."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from clcd_gui.document.examples import examples
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.shell.tour import STEPS, place_beside


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
    qtbot.waitUntil(lambda: tour.bubble.next.hasFocus(), timeout=30_000)
    columns.setFocus()
    assert columns.hasFocus()
    qtbot.waitUntil(lambda: tour.bubble.next.hasFocus())
    window.workspace.files.close()
    assert not tour.bubble.next.isEnabled()
    with qtbot.waitSignal(window.session.opening.opened, timeout=30_000):
        window.workspace.files.open(examples()[0].path)
    qtbot.waitUntil(lambda: tour.bubble.next.hasFocus(), timeout=30_000)
    columns.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.qWait(50)
    assert columns.hasFocus()


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


def test_a_bubble_hides_nothing_of_what_it_points_at() -> None:
    room = QRect(0, 0, 1024, 700)
    for target in (QRect(20, 20, 200, 30), QRect(800, 650, 200, 40), QRect(10, 100, 140, 500)):
        size = QRect(0, 0, 380, 170).size()
        placed = QRect(place_beside(target, size, room), size)
        assert room.contains(placed) and not placed.intersects(target)
