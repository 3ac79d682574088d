"""One job on a thread of its own, with every error caught at its edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.shared_progress import SharedProgress
from engine.errors import Cancelled

Job = Callable[[SharedProgress], object]
"""Work that takes a progress and gives a result; it must not touch anything of the window."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended.

    Attributes
    ----------
    ticket : int
        Which job it was.
    value : object
        Its result; None when it failed or was cancelled.
    failure : RunFailure or None
        Why there is no result.
    cancelled : bool
        It was stopped before anything was finished.
    """

    ticket: int
    value: object = None
    failure: RunFailure | None = None
    cancelled: bool = False


class Worker(QObject):
    """Carries out one job in the thread that it is moved to.

    Parameters
    ----------
    ticket : int
        Number by which the controller knows the job.
    job : callable
        The work.
    progress : SharedProgress
        Handed to the job.
    """

    ended = Signal(object)

    def __init__(self, ticket: int, job: Job, progress: SharedProgress) -> None:
        super().__init__()
        self._ticket = ticket
        self._job = job
        self._progress = progress

    @Slot()
    def work(self) -> None:
        """Do the job and report how it ended, whatever happens."""
        self.ended.emit(self._outcome())

    def _outcome(self) -> Outcome:
        try:
            return Outcome(self._ticket, self._job(self._progress))
        except Cancelled:
            return Outcome(self._ticket, cancelled=True)
        except Exception as error:  # noqa: BLE001 - the boundary: beyond it an error would be lost
            return Outcome(self._ticket, failure=failure_of(error))
