"""What is not saved is kept apart from the person's file, some seconds behind, on a thread of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from clcd_gui.document.document import Document
from clcd_gui.document.project import SavedState
from clcd_gui.document.recovery import CONTENT, Recovery, RecoveryStore
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Lane
from clcd_gui.run.saving import open_as_project
from engine.progress import SharedProgress
from engine.project.project import Project

if TYPE_CHECKING:
    from engine.project.project_files import Encoded

SECONDS_BETWEEN = 4.0
_MOST_SECONDS_BETWEEN = 15.0
# Of the time this share goes into keeping, at most: large analyses are kept less often, but within 30 s.
_LARGEST_SHARE = 0.25


@dataclass(slots=True)
class Memory:
    """What was written before, so that keeping again costs what changed since."""

    encoded: Encoded | None = None


@dataclass(frozen=True, slots=True)
class KeepProject:
    """Write a project into the folder of this window; tables that did not change are not written again."""

    project: Project
    store: RecoveryStore
    name: str
    path: Path | None
    memory: Memory

    def __call__(self, _progress: SharedProgress) -> float:
        """Write the file and return the seconds that it took."""
        from engine.project.project_files import Encoded, save_project

        began = time.monotonic()
        folder = self.store.begin(self.name, self.path)
        if self.memory.encoded is None:
            self.memory.encoded = Encoded()
        project = replace(self.project, is_data_beside=True)
        save_project(folder / CONTENT, project, self.memory.encoded)
        return time.monotonic() - began


@dataclass(frozen=True, slots=True)
class ForgetKept:
    """Remove what is kept.

    Attributes
    ----------
    store : RecoveryStore
    recovered : Recovery or None
        What this window was given back at its start, and has saved since.
    """

    store: RecoveryStore
    recovered: Recovery | None

    def __call__(self, _progress: SharedProgress) -> float:
        """Remove it and return 0.0."""
        self.store.clear()
        if self.recovered is not None:
            self.store.discard(self.recovered)
        return 0.0


@dataclass(frozen=True, slots=True)
class Discard:
    """Remove something left behind."""

    store: RecoveryStore
    recovery: Recovery

    def __call__(self, _progress: SharedProgress) -> None:
        """Remove it."""
        self.store.discard(self.recovery)


@dataclass(frozen=True, slots=True)
class FindLeftBehind:
    """Look for what windows kept that ended without saving."""

    store: RecoveryStore

    def __call__(self, _progress: SharedProgress) -> tuple[Recovery, ...]:
        """Return it, the latest first."""
        return self.store.left_behind()


class Autosave(QObject):
    """Keeps what is not saved, and gives back what other windows kept."""

    found = Signal()
    """There is something left behind, or no more."""

    failed = Signal(RunFailure)
    """What is not saved cannot be kept."""

    def __init__(self, document: Document, lane: Lane, search: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._lane, self._search = document, lane, search
        self._store: RecoveryStore | None = None
        self._written: SavedState | None = None
        self._asked: SavedState | None = None
        self._left_behind: tuple[Recovery, ...] = ()
        self._recovered: Recovery | None = None
        self._has_failed = False
        self._least = self._between = SECONDS_BETWEEN
        self._memory = Memory()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._keep)
        lane.succeeded.connect(self._on_done)
        lane.failed.connect(self._on_failed)
        search.succeeded.connect(self._on_found)
        for signal in (
            document.analysis_changed,
            document.result_changed,
            document.refined,
            document.history.changed,
            document.presentation.changed,
            document.notes.changed,
            document.modified_changed,
            document.closed,
        ):
            signal.connect(self._follow)

    @property
    def left_behind(self) -> tuple[Recovery, ...]:
        """What windows kept that are gone, and nobody has decided about."""
        return self._left_behind

    @property
    def is_kept(self) -> bool:
        """Whether all that is not saved is kept."""
        return not self._document.is_modified or self._is_as(self._written)

    def begin(self, store: RecoveryStore, seconds_between: float = SECONDS_BETWEEN) -> None:
        """Keep what is not saved from now on, and look for what was left behind."""
        self._store = store
        self._least = self._between = seconds_between
        self._search.start(FindLeftBehind(store))
        self._follow()

    def take_back(self, recovery: Recovery) -> None:
        """Say that something left behind is open again; it is removed when it is saved, or kept anew."""
        self._recovered = recovery
        self._decide(recovery)
        self._follow()

    def discard(self, recovery: Recovery) -> None:
        """Remove something left behind."""
        if self._store is not None:
            self._search.start(Discard(self._store, recovery))
        self._decide(recovery)

    def put_off(self) -> None:
        """Leave what was left behind for the next start."""
        self._left_behind = ()
        self.found.emit()

    def end(self) -> None:
        """Remove what is kept: the program ends as it should, and every thread of it has ended."""
        self._timer.stop()
        if self._store is not None:
            self._store.clear()
            if self._recovered is not None:
                self._store.discard(self._recovered)
            self._store.abandon()
            self._store = None

    @Slot()
    def _follow(self) -> None:
        """Keep what changed some seconds from now; what is saved need not be kept any more."""
        if self._store is None or self._timer.isActive():
            return
        if self._document.is_modified:
            if not self._is_as(self._written):
                self._timer.start(int(self._between * 1000))
        elif self._written is not None or self._recovered is not None:
            self._timer.start(0)

    @Slot()
    def _keep(self) -> None:
        if self._store is None:
            return
        if self._lane.is_busy:
            self._timer.start(int(self._least * 100))
        elif self._document.is_modified:
            project = open_as_project(self._document)
            if project is not None and not self._is_as(self._written):
                document = self._document
                self._asked = document.state
                path = document.project_path
                name = path.name if path is not None else _table_name(document)
                self._lane.start(KeepProject(project, self._store, name, path, self._memory))
        else:
            self._asked, self._memory = None, Memory()
            recovered, self._recovered = self._recovered, None
            self._lane.start(ForgetKept(self._store, recovered))

    def _is_as(self, state: SavedState | None) -> bool:
        return state is not None and self._document.state.is_same_as(state)

    @Slot(object)
    def _on_done(self, seconds: float) -> None:
        self._written, self._has_failed = self._asked, False
        if self._written is not None and self._recovered is not None and self._store is not None:
            # It is whole in the folder of this window by now.
            self._search.start(Discard(self._store, self._recovered))
            self._recovered = None
        self._between = min(max(self._least, seconds / _LARGEST_SHARE), _MOST_SECONDS_BETWEEN)
        self._follow()

    @Slot(object)
    def _on_failed(self, failure: RunFailure) -> None:
        if not self._has_failed:
            # Said once; it is tried again all the same, as room may be made.
            self._has_failed = True
            self.failed.emit(failure)
        self._timer.start(int(_MOST_SECONDS_BETWEEN * 1000))

    @Slot(object)
    def _on_found(self, recoveries: tuple[Recovery, ...] | None) -> None:
        if recoveries is not None:
            self._left_behind = recoveries
            self.found.emit()

    def _decide(self, recovery: Recovery) -> None:
        self._left_behind = tuple(each for each in self._left_behind if each is not recovery)
        self.found.emit()


def _table_name(document: Document) -> str:
    return "" if document.reading is None else document.reading.path.name
