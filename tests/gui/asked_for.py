"""What tests ask a process of its own for: each such process imports no more than this."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from engine.errors import EngineError, InvalidData, WorkersLost
from engine.progress import ProgressEvent, SharedProgress


def lost(_status: int) -> EngineError:
    return WorkersLost("it is gone.")


def number_of_the_process() -> int:
    return os.getpid()


def say_and_wait(progress: SharedProgress, folder: Path) -> str:
    """Say how far it is and give something out, and go on when the folder is there."""
    progress.report(ProgressEvent("Waiting", 1, 2))
    progress.give_early("half")
    while not folder.exists():
        time.sleep(0.01)
    return "whole"


def refuse(progress: SharedProgress) -> None:
    raise InvalidData("it cannot be done.", place="here")


def be_killed(progress: SharedProgress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def report_for_ever(progress: SharedProgress, mark: Path) -> None:
    mark.write_text(str(os.getpid()))
    for step in range(10**9):
        progress.report(ProgressEvent("Waiting", step, 10**9))
        time.sleep(0.01)
