"""From the open document to a project file: written on a thread, and what was saved is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.document import Document, SavedState
from clcd_gui.document.project import project_of
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Lane
from clcd_gui.run.progress import SharedProgress
from engine.project.project import Project


@dataclass(frozen=True, slots=True)
class WriteProject:
    """Write a project, whole or not at all.

    Attributes
    ----------
    project : Project
    path : Path
    """

    project: Project
    path: Path

    def __call__(self, _progress: SharedProgress) -> Path:
        """Write the file and return its path."""
        from engine.project.files import save_project

        save_project(self.path, self.project)
        return self.path


def open_as_project(document: Document) -> Project | None:
    """Return everything that is open as a project; None where nothing is."""
    analysis, reading = document.analysis, document.reading
    if analysis is None or reading is None:
        return None
    return project_of(analysis, reading, document.options, document.history, document.presentation)


class Saving(QObject):
    """Saves what is open; one file at a time.

    Parameters
    ----------
    document : Document
    lane : Lane
        Where the writing runs.
    """

    saved = Signal()
    failed = Signal(RunFailure)

    def __init__(self, document: Document, lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._lane = lane
        self._state: SavedState | None = None
        lane.succeeded.connect(self._on_written)
        lane.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being written."""
        return self._lane.is_busy

    def save(self, path: Path) -> None:
        """Write what is open into a file, unless one is being written."""
        project = open_as_project(self._document)
        if project is not None and not self._lane.is_busy:
            self._state = self._document.state
            self._lane.start(WriteProject(project, path))

    @Slot(object)
    def _on_written(self, path: Path) -> None:
        if self._state is not None:
            self._document.mark_saved(path, self._state)
        self.saved.emit()
