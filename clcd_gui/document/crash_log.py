"""Where the program was when its process ended by a fault: functions and lines, nothing of the data."""

from __future__ import annotations

import faulthandler
import platform
import re
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import engine
from clcd_gui.document.project_lock import ProjectLock

_ENDING = ".txt"
# Where a program lies tells whose computer it is on.
_PATH = re.compile(r'File "(?P<path>[^"]*)"')
_LIBRARIES = ("site-packages", "dist-packages", "_internal")
_KEPT_PARTS = 3


class CrashLog:
    """The folder in which each process says where it was when it ended by a fault."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: TextIO | None = None
        self._lock: ProjectLock | None = None

    def begin(self) -> None:
        """Have faults of this process written; where nothing can be written, none is."""
        path = self._folder / f"{secrets.token_hex(8)}{_ENDING}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = path.open("w", encoding="utf-8")
        except OSError:
            return
        self._lock = ProjectLock(path)
        self._lock.take()
        faulthandler.enable(self._file)

    def end(self) -> None:
        """Remove what is empty, as the process ends well."""
        if self._file is None or self._lock is None:
            return
        faulthandler.disable()
        self._file.close()
        _remove(self._lock.path)
        self._lock.release()
        self._file = None

    def left_behind(self) -> tuple[str, ...]:
        """Return a report for each process that ended by a fault; each is told once."""
        reports = []
        for path in sorted(self._folder.glob(f"*{_ENDING}")) if self._folder.is_dir() else []:
            lock = ProjectLock(path)
            if not lock.take():
                continue
            with suppress(OSError):
                written = path.read_text(encoding="utf-8", errors="replace")
                if written.strip():
                    reports.append(_report(written))
            _remove(path)
            lock.release()
        return tuple(reports)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _report(written: str) -> str:
    """Return what a process wrote, with what it ran on, and paths that name nobody."""
    from importlib.metadata import version

    toolkit = version("PySide6-Essentials")
    lines = [
        f"CLCD {engine.__version__}, Python {platform.python_version()}, PySide6 {toolkit}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
        "",
        _PATH.sub(lambda match: f'File "{_without_place(match["path"])}"', written).rstrip(),
    ]
    return "\n".join(lines) + "\n"


def _without_place(path: str) -> str:
    parts = Path(path).parts
    for library in _LIBRARIES:
        if library in parts:
            return "/".join(parts[parts.index(library) + 1 :])
    for package in ("clcd_gui", "engine"):
        if package in parts:
            return "/".join(parts[parts.index(package) :])
    standard = Path(sys.base_prefix).parts
    own = parts[len(standard) :] if parts[: len(standard)] == standard else parts[-1:]
    return "/".join(own[-_KEPT_PARTS:])
