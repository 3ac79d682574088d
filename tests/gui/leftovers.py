"""What work leaves behind that was ended in the middle: processes, threads, drafts of files."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.deadline import Deadline

CLOSED_WITHIN_SECONDS = 5.0
"""A window that is closed while it works has ended all of it by then, on a machine with little else to do.

On another one it may take as many times as long as work takes there: see :class:`~tests.deadline.Deadline`.
"""


WRITTEN_WITHIN_SECONDS = 20.0
"""So much later at most where files are to be written, for which libraries that draw are loaded first."""

# What Python calls a thread that another library began, such as Qt; it never learns of its end.
_BEGUN_ELSEWHERE = "Dummy-"


def at_work() -> frozenset[str]:
    """Return the names of the processes and threads that Python has begun and that are there.

    Threads of Qt are not among them: those that are left fail every test. Processes are told where the system
    lists them in files.
    """
    threads = {f"{thread.name} ({thread.native_id})" for thread in threading.enumerate()}
    processes = {f"process {child}" for child in children_of(os.getpid())}
    return frozenset(worker for worker in threads | processes if not worker.startswith(_BEGUN_ELSEWHERE))


def children_of(parent: int) -> list[int]:
    """Return the processes that a process has begun, apart from those that wait to be buried."""
    children = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        # Any may be gone by now.
        with suppress(OSError):
            state, begun_by = path.read_text().rpartition(")")[2].split()[:2]
            if int(begun_by) == parent and state != "Z":
                children.append(int(path.parent.name))
    return children


@contextmanager
def ends_all_that_it_begins() -> Iterator[None]:
    """Check that what is begun within has ended at the end, and that the end comes soon.

    The process that draws is shared by all tests, so it must be there before.
    """
    before = at_work()
    yield
    deadline = Deadline(CLOSED_WITHIN_SECONDS)
    while at_work() - before and not deadline.has_passed():
        time.sleep(0.01)
    left = at_work() - before
    assert not left, f"processes or threads are left: {left}"


def drafts_in(folder: Path) -> list[str]:
    """Return what in a folder, or below it, is hidden, as files are before they are whole."""
    return [str(path.relative_to(folder)) for path in folder.rglob(".*")]
