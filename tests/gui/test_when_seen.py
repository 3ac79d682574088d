"""What a widget does at once where it is seen, and else once it is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from clcd_gui.turns import WhenSeen


class Follower(QWidget):
    """Remembers whether it was seen each time that it was to follow."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.followed: list[bool] = []
        self.when_seen = WhenSeen(self)
        self.when_seen.due.connect(self.follow)

    def follow(self) -> None:
        self.followed.append(self.isVisible())


def test_what_is_seen_follows_at_once(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    follower = Follower(window)
    window.show()
    follower.when_seen.request()
    follower.when_seen.request()
    assert follower.followed == [True, True]
    follower.hide()
    follower.show()
    assert follower.followed == [True, True], "nothing changed meanwhile"


def test_what_is_hidden_follows_once_when_it_is_shown(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    follower = Follower(window)
    follower.when_seen.request()
    follower.when_seen.request()
    follower.show()
    assert follower.followed == [], "the window around it is not there yet"
    for _ in range(2):
        window.show()
        assert follower.followed == [True]
        window.hide()


def test_what_has_followed_meanwhile_does_not_follow_again(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    follower = Follower(window)
    follower.when_seen.request()
    follower.when_seen.cancel()
    window.show()
    assert follower.followed == []
