"""What became of files: of those that were open before, and of the one that the open table was read from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.document import Document
from clcd_gui.run.lane import Lane
from clcd_gui.run.opening import Opening
from clcd_gui.run.table_reading import OpenedTable
from engine.atomic import remove_abandoned
from engine.progress import SharedProgress
from engine.project.project import EXTENSION, Origin, OriginState


@dataclass(frozen=True, slots=True)
class RecentFile:
    """A file that was open before."""

    path: Path
    is_there: bool
    picture: bytes = b""  # of what was found in it, as PNG; may be empty


def recent_files(paths: tuple[Path, ...], progress: SharedProgress) -> tuple[RecentFile, ...]:
    """Look which files are there (fewer after a stop) and what is in them; clear up after killed writers."""
    files = tuple(_recent_file(path) for path in paths if not progress.should_stop())
    for folder in {file.path.parent for file in files if file.is_there}:
        remove_abandoned(folder)
    return files


def _recent_file(path: Path) -> RecentFile:
    try:
        is_there = path.is_file()
    except OSError:
        is_there = False
    if not is_there or path.suffix.lower() != EXTENSION:
        return RecentFile(path, is_there)
    from engine.table.archived import read_picture

    return RecentFile(path, is_there, read_picture(path))


def state_of_source(origin: Origin, folder: Path, _progress: SharedProgress) -> tuple[Origin, OriginState]:
    """Look what is in the file that a table was read from, or whether it is still the same."""
    if not origin.sha256:
        return Origin.of(Path(origin.path)), OriginState.SAME
    return origin, origin.state(folder)


class FileWatch(QObject):
    """Looks at files on threads, as disks may be slow or far away."""

    recent_seen = Signal(object)
    """What became of files that were open before: a tuple of RecentFile."""

    source_changed = Signal(Path)
    """The file that the open project's table was read from is another one by now."""

    def __init__(
        self, document: Document, opening: Opening, recent: Lane, source: Lane, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._recent, self._source = recent, source
        self._folder = Path()
        opening.opened.connect(self._on_opened)
        document.closed.connect(source.abandon)
        recent.succeeded.connect(self.recent_seen)
        source.succeeded.connect(self._on_source)

    def look_at_recent(self, paths: tuple[Path, ...]) -> None:
        """Look what became of files; ``recent_seen`` follows."""
        self._recent.start(partial(recent_files, paths))

    @Slot(object)
    def _on_opened(self, table: OpenedTable) -> None:
        origin = self._document.origin
        if table.project is None:
            origin = Origin(str(table.reading.path))
        elif origin is None or not origin.sha256:
            # Of a project that does not know, today's file says nothing.
            self._source.abandon()
            return
        project = self._document.project_path
        self._folder = Path(origin.path).parent if project is None else project.parent
        self._source.start(partial(state_of_source, origin, self._folder))

    @Slot(object)
    def _on_source(self, source_state: tuple[Origin, OriginState]) -> None:
        origin, state = source_state
        self._document.origin = origin
        path = origin.found(self._folder) if state is OriginState.CHANGED else None
        if path is not None:
            self.source_changed.emit(path)
