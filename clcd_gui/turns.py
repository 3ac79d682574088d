"""Work that can wait: for a turn of the event loop, a quiet moment, or until a widget is seen.

Timers that are due together all come in one turn, with no event between them: pieces that are short each
would hold up the window together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

# Beside work that a person waits for: it has the processors, and yet all is there one day.
_BESIDE_WORK_MILLISECONDS = 1000


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
    clock = application.findChild(_Clock, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return clock if clock is not None else _Clock(application)


class QuietMoments(QObject):
    """Takes a step of an iterator, which others may share, whenever the window has nothing else to do."""

    completed = Signal()  # there is no step left

    def __init__(
        self,
        steps: Iterator[None],
        parent: QObject | None = None,
        is_at_work: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(parent)
        self._steps = steps
        self._is_at_work = is_at_work
        self._goes_on = False
        self._turn = Turn(self)
        self._turn.due.connect(self._on_turn)
        self._pause = single_shot(self, _BESIDE_WORK_MILLISECONDS, self._take_step)

    @Slot()
    def begin(self) -> None:
        """Begin, or go on."""
        self._goes_on = True
        if not self._pause.isActive():
            self._turn.start()

    @Slot()
    def stop(self) -> None:
        """Take no more steps."""
        self._goes_on = False
        self._turn.stop()
        self._pause.stop()

    @Slot()
    def _on_turn(self) -> None:
        if self._is_at_work():
            self._pause.start()
        else:
            self._take_step()

    @Slot()
    def _take_step(self) -> None:
        if next(self._steps, _NONE_LEFT) is _NONE_LEFT:
            self.stop()
            self.completed.emit()
        elif self._goes_on:
            self._turn.start()


_NONE_LEFT = object()


class WhenSeen(QObject):
    """Says when a widget is to follow a change: now where it is seen, or else once it is shown."""

    due = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)

    def request(self) -> None:
        """Emit ``due`` now if the widget is seen, and else once when it is shown next."""
        if self._widget.isVisible():
            self.due.emit()
        else:
            # Only as long as something waits: a filter is asked about every event of its widget.
            self._widget.installEventFilter(self)

    def cancel(self) -> None:
        """Wait no longer: the widget has followed meanwhile."""
        self._widget.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the widget to be shown."""
        if event.type() == QEvent.Type.Show:
            self.cancel()
            self.due.emit()
        return False

    @property
    def _widget(self) -> QWidget:
        widget = self.parent()
        assert isinstance(widget, QWidget)
        return widget
