"""Work that was not saved when the program ended: kept apart from the person's files, and found again."""

from __future__ import annotations

import json
import secrets
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from clcd_gui.document.project_lock import ProjectLock
from engine.atomic import folder_for, write_text

CONTENT = "recovery.clcd"
_ABOUT = "about.json"


@dataclass(frozen=True, slots=True, eq=False)
class Recovery:
    """What one window kept that ended without saving."""

    folder: Path  # holds it, and nothing else
    name: str  # of the project or the table that was open
    project: Path | None  # as it was saved last; None where it was never saved
    saved_at: datetime  # when it was written

    @property
    def path(self) -> Path:
        """The project file to be opened."""
        return self.folder / CONTENT


class RecoveryStore:
    """The folder in which every window of a person keeps what is not saved, each in a folder of its own."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._own: Path | None = None
        self._about: dict[str, Any] = {}
        self._locks: dict[Path, ProjectLock] = {}

    def begin(self, name: str, project: Path | None) -> Path:
        """Return the folder of this window, which says what is kept in it; called on any thread."""
        if self._own is None or not self._own.is_dir():
            # Nobody else of this computer shall read what a person works on.
            with folder_for(self._root, mode=0o700):
                self._own, self._about = self._made(), {}
        about = {"name": name, "project": None if project is None else str(project)}
        if about != self._about:
            write_text(self._own / _ABOUT, json.dumps(about))
            self._about = about
        return self._own

    def _made(self) -> Path:
        folder = self._root / secrets.token_hex(8)
        lock = ProjectLock(folder)
        lock.take()
        try:
            folder.mkdir(mode=0o700)
        except OSError:
            lock.release()
            raise
        self._locks[folder] = lock
        return folder

    def left_behind(self) -> tuple[Recovery, ...]:
        """Find what windows kept that are gone, the latest first, and remove what was never finished."""
        recoveries = []
        for folder in self._folders():
            if folder in self._locks:
                continue
            lock = ProjectLock(folder)
            if not lock.take():
                continue
            if (folder / CONTENT).is_file():
                self._locks[folder] = lock
                recoveries.append(_recovery(folder))
            else:
                shutil.rmtree(folder, ignore_errors=True)
                lock.release()
        return tuple(sorted(recoveries, key=lambda recovery: recovery.saved_at, reverse=True))

    def discard(self, recovery: Recovery) -> None:
        """Remove what was kept."""
        self._remove(recovery.folder)

    def clear(self) -> None:
        """Remove what this window kept, because it is saved or not wanted."""
        if self._own is not None:
            own, self._own = self._own, None
            self._remove(own)

    def abandon(self) -> None:
        """Let go of everything and leave it where it is, for the next start."""
        for lock in self._locks.values():
            lock.release()
        self._locks.clear()
        self._own = None

    def _folders(self) -> list[Path]:
        try:
            return sorted(folder for folder in self._root.iterdir() if folder.is_dir())
        except OSError:
            return []

    def _remove(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        lock = self._locks.pop(folder, None)
        if lock is not None:
            lock.release()


def _recovery(folder: Path) -> Recovery:
    """Describe what was kept; it can be opened even where this is damaged."""
    saved_at = datetime.fromtimestamp((folder / CONTENT).stat().st_mtime).astimezone()
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        name, project = str(about["name"]), about["project"]
        return Recovery(folder, name, None if project is None else Path(str(project)), saved_at)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Recovery(folder, "", None, saved_at)
