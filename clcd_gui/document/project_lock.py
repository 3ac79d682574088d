"""Which window a project is open in, on this computer or on another one that sees the same folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock


class ProjectLock:
    """Keeps a file for one window, until that lets go of it or its process ends, however it ends.

    What is locked is a hidden file beside it, which is gone when nobody has the project open. Where a folder
    or a disk allows no locks, every window is given what it asks for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: BaseFileLock | None = None

    def take(self) -> bool:
        """Keep the file for this window; tell whether no other one has it."""
        from filelock import FileLock, Timeout

        if self._lock is not None:
            return True
        real = self.path.resolve()
        lock = FileLock(real.with_name(f".{real.name}.lock"), timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            return False
        except (OSError, NotImplementedError):
            # No lock can be made there: nobody is kept from working.
            return True
        self._lock = lock
        return True

    def release(self) -> None:
        """Let other windows have it."""
        lock, self._lock = self._lock, None
        if lock is None:
            return
        # While it is still held, so that nobody else's is removed; whoever just opened it looks again.
        with suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()
