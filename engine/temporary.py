"""What a process works on for a while: it holds that, and what a killed one left is known and removed."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import UnwritableFile

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

_BEFORE_IT_IS_HELD = 2.0
_A_DAY = 86_400.0
_LONGEST_WAIT = 60.0
_SECONDS_BETWEEN_LOOKS = 0.01
_PREFIX = "clcd-work-"


def hold(path: Path) -> int | None:
    """Keep a file or folder for this process until :func:`let_go` or its end; None where that cannot be."""
    if fcntl is None:
        return None
    descriptor = None
    try:
        descriptor = os.open(path, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        let_go(descriptor)
        return None
    return descriptor


def let_go(held: int | None) -> None:
    """Keep something no longer."""
    if held is not None:
        os.close(held)


def is_abandoned(path: Path) -> bool:
    """Tell whether nobody holds something any more; where nobody can hold it, when it is a day old.

    >>> with TemporaryFolder() as folder:
    ...     is_abandoned(folder)
    False
    """
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return False
    if fcntl is None:
        return age > _A_DAY
    held = hold(path) if age > _BEFORE_IT_IS_HELD else None
    let_go(held)
    return held is not None


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep other processes from the same in a folder while the block runs; wait a minute for one at most.

    Where nobody can hold a folder, nobody is waited for. A folder that this process holds itself, as a
    :class:`TemporaryFolder` does its own, is waited for in vain.

    >>> with tempfile.TemporaryDirectory() as folder, one_at_a_time(Path(folder)):
    ...     Path(folder, "a").touch()
    """
    descriptor = None
    deadline = time.monotonic() + _LONGEST_WAIT
    try:
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            while fcntl is not None:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        break
                    time.sleep(_SECONDS_BETWEEN_LOOKS)
        yield
    finally:
        let_go(descriptor)


def no_temporary_file(error: BaseException) -> UnwritableFile:
    """Return what is said where the system refuses temporary files.

    >>> "TMPDIR" in str(no_temporary_file(OSError(28, "No space left on device")))
    True
    """
    try:
        place = f"folder '{tempfile.gettempdir()}'"
    except FileNotFoundError:
        return UnwritableFile(
            "no folder takes temporary files.",
            remedy="Free some space, or set TMPDIR to a folder that can be written to.",
        )
    if isinstance(error, PermissionError):
        return UnwritableFile(
            "temporary files may not be written.",
            place=place,
            remedy="Set TMPDIR to a folder that can be written to.",
        )
    return UnwritableFile(
        "there is no room left for temporary files.",
        place=place,
        remedy="Free some space there, or set TMPDIR to a folder that has some.",
    )


class TemporaryFolder:
    """A folder among the temporary files for a block; who makes one removes those of killed processes."""

    def __init__(self) -> None:
        try:
            _remove_abandoned(Path(tempfile.gettempdir()))
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        except OSError as error:
            raise no_temporary_file(error) from error
        self._held = hold(self.path)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove it, with all that is in it."""
        # Where a file that is mapped cannot be removed, the system clears it away with others.
        shutil.rmtree(self.path, ignore_errors=True)
        let_go(self._held)
        self._held = None


def _remove_abandoned(among: Path) -> None:
    if fcntl is None:
        # How old a folder is does not tell whether somebody still works with it.
        return
    with suppress(OSError), os.scandir(among) as entries:
        for each in entries:
            # A link, or what another person made, is nothing to follow.
            if (
                each.name.startswith(_PREFIX)
                and each.is_dir(follow_symlinks=False)
                and each.stat(follow_symlinks=False).st_uid == os.getuid()
                and is_abandoned(Path(each.path))
            ):
                shutil.rmtree(each.path, ignore_errors=True)
