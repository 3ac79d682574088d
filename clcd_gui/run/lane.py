"""One job at a time off the main thread: start, watch, stop, and never hear of it again once abandoned."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.memory import FreeMemory
from clcd_gui.turns import single_shot
from engine.errors import Cancelled
from engine.progress import SharedProgress

Job = Callable[[SharedProgress], object]
"""Work that takes a progress and gives a result; it must not touch anything of the window."""


class JobAtWork(QObject):
    """A job in a thread of its own, and how it ended."""

    ended = Signal(object)

    def __init__(self, job: Job, name: str) -> None:
        super().__init__()
        self._job = job
        self.progress = SharedProgress()
        self.has_ended = self.was_cancelled = False
        self.value: object = None
        self.failure: RunFailure | None = None
        self._thread = QThread()
        self._thread.setObjectName(name)
        self._thread.setStackSize(STACK_BYTES)
        self.moveToThread(self._thread)
        self._thread.started.connect(self.work)

    def start(self) -> None:
        """Begin it below the window's priority, so that the window stays quick on few cores."""
        self._thread.start(QThread.Priority.LowPriority)

    @Slot()
    def work(self) -> None:
        """Carry the job out and report that it ended, whatever happens."""
        try:
            self.value = self._job(self.progress)
        except Cancelled:
            self.was_cancelled = True
        except Exception as error:  # noqa: BLE001 - the boundary: beyond it an error would be lost
            self.failure = failure_of(error)
        self.has_ended = True
        self.ended.emit(self)
        # What the job needed besides its result is free now.
        _FREE_MEMORY.give_back()

    def wait(self) -> None:
        """Wait until its thread has ended."""
        self._thread.quit()
        self._thread.wait()


# One for all lanes, as the memory is that of the process.
_FREE_MEMORY = FreeMemory()

STACK_BYTES = 16 * 1024 * 1024
LOOK_MILLISECONDS = 80
NOTICE_MILLISECONDS = 200
GRACE_MILLISECONDS = 5000


_WINDOW_SECONDS = 20.0
_SETTLING_SECONDS = 1.5
_SMALLEST_SHARE = 0.02


class RemainingTime:
    """Estimates the seconds that are left from the steps done so far.

    Steps of a run differ in cost, so the pace is that of the last twenty seconds, and nothing is said
    before a second and a half or a fiftieth of the work: a guess that jumps is worse than none.
    """

    def __init__(self) -> None:
        self._points: deque[tuple[float, int]] = deque()
        self._total = 0
        self._began: float | None = None

    def update(self, done: int, total: int, now: float) -> float | None:
        """Take note of the steps done and give the seconds left, or None while too little is known."""
        if total != self._total:
            self._points.clear()
            self._total, self._began = total, now
        elif self._points:
            # Parallel searches may report out of turn.
            done = max(done, self._points[-1][1])
        self._points.append((now, done))
        while now - self._points[0][0] > _WINDOW_SECONDS and len(self._points) > 2:
            self._points.popleft()
        first_time, first_done = self._points[0]
        elapsed, steps = now - first_time, done - first_done
        settled = self._began is not None and now - self._began >= _SETTLING_SECONDS
        if not settled or steps <= 0 or done < _SMALLEST_SHARE * total:
            return None
        return (total - done) * elapsed / steps


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the running job is, as the window shows it."""

    stage: str
    detail: str
    share: float | None
    tests: int
    elapsed: float
    left: float | None


class Stop(Enum):
    """What becomes of a job when a person stops it."""

    FORGETS = auto()
    HANDS_OVER = auto()


class Lane(QObject):
    """Runs one job at a time and speaks only on the thread that it lives on.

    After :meth:`stop` the job may still hand over what it finished, for some seconds; then it is abandoned:
    its thread ends by itself and its late result is dropped. A job that has not ended after a moment is worth
    a word: it is noticed then, so that short ones make nothing flicker.
    """

    started = Signal()
    noticed = Signal()
    progressed = Signal(Standing)
    given_early = Signal(object)
    stopping = Signal()
    succeeded = Signal(object)
    failed = Signal(RunFailure)
    stopped = Signal()
    ended = Signal()

    def __init__(self, name: str, parent: QObject | None = None, at_stop: Stop | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.at_stop = at_stop
        """None where the window's command to stop is not about it."""
        self.is_shut_down = False
        """No job may begin any more: nothing would wait for its thread."""
        self._begun = 0
        self._current: JobAtWork | None = None
        self._running: set[JobAtWork] = set()
        self._stop_asked = False
        self._early: object = None
        self._began = 0.0
        self._remaining = RemainingTime()
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MILLISECONDS)
        self._look.timeout.connect(self._on_look)
        self.notice = single_shot(self, NOTICE_MILLISECONDS, self._on_notice)
        """How long a job runs before it is worth a word."""
        self._is_noticed = False
        self._grace = single_shot(self, GRACE_MILLISECONDS, self.abandon)

    @property
    def is_busy(self) -> bool:
        """Whether a job is running that has not been abandoned."""
        return self._current is not None

    @property
    def is_noticed(self) -> bool:
        """Whether a job has been running for so long that it is worth a word."""
        return self.is_busy and self._is_noticed

    @property
    def is_stopping(self) -> bool:
        """Whether a stop was asked for and the job has not ended yet."""
        return self.is_busy and self._stop_asked

    @property
    def live_threads(self) -> int:
        """Number of threads that have not ended, abandoned ones included."""
        return len(self._running)

    def start(self, job: Job) -> None:
        """Begin a job; one that still runs is abandoned."""
        self.abandon()
        self._begun += 1
        self._current = at_work = JobAtWork(job, f"{self.objectName()}-{self._begun}")
        at_work.ended.connect(self._on_ended)
        self._running.add(at_work)
        self._stop_asked = False
        self._began = time.monotonic()
        self._remaining = RemainingTime()
        self.started.emit()
        self._look.start()
        self.notice.start()
        at_work.start()

    @Slot()
    def stop(self) -> None:
        """Ask the running job to end; what it has finished by then, if anything, is still handed over."""
        if self._current is None or self._stop_asked:
            return
        progress = self._current.progress
        has_tested = progress.latest is not None and progress.latest.tests > 0
        if self.at_stop is Stop.FORGETS or (not has_tested and progress.early is None):
            # Before the first test there is nothing to hand over, so nothing is worth waiting for.
            self.abandon()
            return
        self._stop_asked = True
        progress.ask_to_stop()
        self._grace.start()
        self.stopping.emit()

    @Slot()
    def abandon(self) -> None:
        """Forget the running job at once; its result is dropped when it comes."""
        if self._current is None:
            return
        self._current.progress.ask_to_stop()
        self._clear()
        self.stopped.emit()
        self.ended.emit()

    def ask_to_end(self) -> None:
        """Tell all work that it will be ended, without waiting; nobody hears of it."""
        for at_work in self._running:
            at_work.progress.ask_to_stop()

    def shut_down(self) -> None:
        """Stop everything and wait until every thread has ended."""
        self.is_shut_down = True
        self._clear()
        self.ask_to_end()
        for at_work in self._running:
            at_work.wait()
        self._running.clear()

    @Slot(object)
    def _on_ended(self, at_work: JobAtWork) -> None:
        if at_work in self._running:
            # The work is over, so this takes no noticeable time.
            at_work.wait()
            self._running.remove(at_work)
        if at_work is not self._current:
            return
        self._clear()
        if at_work.failure is not None:
            self.failed.emit(at_work.failure)
        elif at_work.was_cancelled:
            self.stopped.emit()
        else:
            self.succeeded.emit(at_work.value)
        self.ended.emit()

    @Slot()
    def _on_look(self) -> None:
        if self._current is None:
            return
        progress = self._current.progress
        if progress.early is not None and progress.early is not self._early:
            self._early = progress.early
            self.given_early.emit(self._early)
            # In a turn of its own: to show what was given takes the window a moment as well.
            QTimer.singleShot(0, self, self._tell_progress)
        else:
            self._tell_progress()

    @Slot()
    def _tell_progress(self) -> None:
        if self._current is None:
            return
        event = self._current.progress.latest
        if event is None:
            return
        now = time.monotonic()
        is_counted = event.total > 1
        left = self._remaining.update(event.done, event.total, now) if is_counted else None
        share = event.done / event.total if is_counted else None
        self.progressed.emit(Standing(event.stage, event.detail, share, event.tests, now - self._began, left))

    @Slot()
    def _on_notice(self) -> None:
        self._is_noticed = True
        self.noticed.emit()

    def _clear(self) -> None:
        self._current = None
        self._is_noticed = False
        self.notice.stop()
        self._stop_asked = False
        self._early = None
        self._look.stop()
        self._grace.stop()


class WritingLane(Lane):
    """Writes one file after the other, none given up for the next or when the window closes."""

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(name, parent)
        self._waiting: deque[Job] = deque()
        self.untold: list[RunFailure] = []
        """What could not be written at the end, when pages that would tell of it are gone."""
        self.ended.connect(self._begin_next)

    def start(self, job: Job) -> None:
        """Begin a job, once those are done that were asked for before."""
        if self.is_busy:
            self._waiting.append(job)
        else:
            super().start(job)

    def shut_down(self) -> None:
        """Wait until everything is written."""
        while (at_work := self._current) is not None:
            at_work.wait()
            if not at_work.has_ended:
                # The system had no room for its thread.
                break
            if at_work.failure is not None:
                self.untold.append(at_work.failure)
            # What it sent is heard too late where no event is taken any more, and then for nothing.
            self._on_ended(at_work)
        super().shut_down()

    def ask_to_end(self) -> None:
        """Go on: what is being written is written."""

    @Slot()
    def _begin_next(self) -> None:
        if self._waiting and not self.is_busy:
            super().start(self._waiting.popleft())
