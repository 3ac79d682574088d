"""Work that can wait a moment, one piece in a turn of the event loop.

Timers that are due together all come in one turn, with no event between them: pieces that are short each
would hold up the window together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot
from shiboken6 import isValid


class Turn(QObject):
    """Comes when the window has taken its events, and in no turn in which another of these comes."""

    due = Signal()  # now is the time for the next piece
    _waiting: ClassVar[list[Turn]] = []

    def __init__(self, parent: QObject, *, repeats: bool = False) -> None:
        super().__init__(parent)
        self._repeats = repeats

    def start(self) -> None:
        """Wait for a turn, unless it does already."""
        if self not in Turn._waiting:
            Turn._waiting.append(self)
            _clock().start()

    def stop(self) -> None:
        """Wait no longer."""
        if self in Turn._waiting:
            Turn._waiting.remove(self)

    @property
    def is_waiting(self) -> bool:
        """Whether it will come."""
        return self in Turn._waiting

    @staticmethod
    def take_next() -> None:
        """Give the one that has waited longest its turn."""
        Turn._waiting[:] = filter(isValid, Turn._waiting)
        if not Turn._waiting:
            return
        turn = Turn._waiting.pop(0)
        if turn._repeats:
            Turn._waiting.append(turn)
        if Turn._waiting:
            _clock().start()
        turn.due.emit()


def single_shot(parent: QObject, milliseconds: int, slot: Callable[[], object]) -> QTimer:
    """Return a timer that calls a slot once, some time after each start."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer


class _Clock(QTimer):
    """Asks for the next turn; as it is single-shot, it comes also within a turn that waits in a dialog."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(0)
        self.timeout.connect(self._on_time)

    @Slot()
    def _on_time(self) -> None:
        Turn.take_next()


def _clock() -> _Clock:
    application = QCoreApplication.instance()
    assert application is not None
    found = application.findChild(_Clock, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if found is not None else _Clock(application)
