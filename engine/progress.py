"""One protocol by which long work tells how far it is and asks whether to stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """How far a piece of work is.

    Attributes
    ----------
    stage : str
        What is being done, in words for a person, e.g. ``"Looking for direct neighbours"``.
    done, total : int
        Finished and planned steps of this stage; ``total`` is at least 1.
    tests : int
        Conditional-independence tests made since the run began.
    detail : str
        What the stage is at now, e.g. the name of a variable.

    Examples
    --------
    >>> ProgressEvent("Looking for direct neighbours", done=1, total=4, detail="age").total
    4
    """

    stage: str
    done: int
    total: int
    tests: int = 0
    detail: str = ""


class Progress(Protocol):
    """What long work calls; both methods may be called from any thread and must return at once."""

    def report(self, event: ProgressEvent) -> None:
        """Take note of how far the work is."""

    def should_stop(self) -> bool:
        """Tell whether the person asked to stop."""


class SilentProgress:
    """Progress that nobody watches and nobody stops."""

    def report(self, event: ProgressEvent) -> None:
        """Ignore the event."""

    def should_stop(self) -> bool:
        """Never ask to stop."""
        return False
