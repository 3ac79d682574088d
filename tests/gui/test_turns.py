"""Pieces of work that can wait come one in a turn of the event loop."""

from __future__ import annotations

import time

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject

from clcd_gui.turns import Turn


class _Window(QObject):
    """Takes its events."""

    def __init__(self, taken: list[str]) -> None:
        super().__init__()
        self._taken = taken

    def customEvent(self, _event: QEvent) -> None:
        self._taken.append("event")


def test_no_two_come_in_one_turn_of_the_event_loop(qtbot) -> None:
    order: list[str] = []
    parent = _Window(order)
    for name in ("first", "second", "third"):
        turn = Turn(parent, repeats=True)
        turn.due.connect(lambda name=name: _work(order, name, parent))
        turn.start()
    qtbot.waitUntil(lambda: len(order) > 12)
    parent.deleteLater()
    assert order[:12] == ["first", "event", "second", "event", "third", "event"] * 2


def _work(order: list[str], name: str, window: QObject) -> None:
    """Work while an event comes, which is taken before the next piece."""
    order.append(name)
    QCoreApplication.postEvent(window, QEvent(QEvent.Type.User))
    time.sleep(0.005)


def test_it_comes_once_unless_it_repeats_and_not_after_it_was_stopped(qtbot) -> None:
    parent, came = QObject(), []
    once, stopped, again = Turn(parent), Turn(parent), Turn(parent, repeats=True)
    for name, turn in (("once", once), ("stopped", stopped), ("again", again)):
        turn.due.connect(lambda name=name: came.append(name))
        turn.start()
        turn.start()
    stopped.stop()
    qtbot.waitUntil(lambda: came.count("again") > 2)
    again.stop()
    assert came.count("once") == 1
    assert "stopped" not in came
    assert not again.is_waiting
    parent.deleteLater()


def test_it_comes_no_more_when_its_parent_is_gone_and_others_do(qtbot) -> None:
    parent, other_parent, came = QObject(), QObject(), []
    gone, stays = Turn(parent), Turn(other_parent)
    gone.due.connect(lambda: came.append("gone"))
    stays.due.connect(lambda: came.append("stays"))
    gone.start()
    stays.start()
    parent.deleteLater()
    QCoreApplication.sendPostedEvents(parent, 0)
    qtbot.waitUntil(lambda: bool(came))
    assert came == ["stays"]
    other_parent.deleteLater()


def test_others_come_while_one_waits_for_an_answer(qtbot) -> None:
    parent, came = QObject(), []
    answer = QEventLoop(parent)
    asking, other_turn = Turn(parent), Turn(parent)
    asking.due.connect(answer.exec)
    asking.due.connect(lambda: came.append("answered"))
    other_turn.due.connect(lambda: came.append("other"))
    other_turn.due.connect(answer.quit)
    asking.start()
    other_turn.start()
    qtbot.waitUntil(lambda: len(came) == 2)
    assert came == ["other", "answered"]
    parent.deleteLater()
