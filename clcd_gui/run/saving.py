"""Writing the open document: to a project file when asked, and what is not saved now and then."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QObject, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from clcd_gui.document.document import Document
from clcd_gui.document.project import SavedState, project_of
from clcd_gui.document.recovery import CONTENT, Recovery, RecoveryStore
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Lane
from clcd_gui.style.tokens import LIGHT
from clcd_gui.turns import single_shot
from engine.progress import SharedProgress
from engine.project.project import Project

if TYPE_CHECKING:
    from engine.project.project_files import Encoded

SECONDS_BETWEEN = 4.0
_MOST_SECONDS_BETWEEN = 15.0
# Of the time this share goes into keeping, at most: large analyses are kept less often, but within 30 s.
_LARGEST_SHARE = 0.25


def write_project(project: Project, path: Path, _progress: SharedProgress) -> Path:
    """Write a project, whole or not at all, and return its path."""
    from engine.project.project_files import save_project

    try:
        picture = small_picture(project)
    except Exception:  # noqa: BLE001 - no picture is worth that work is not saved
        picture = b""
    save_project(path, replace(project, picture=picture))
    return path


PICTURE_SIZE = QSize(96, 60)
"""Logical size of the small picture."""
_DENSITY = 2
_MOST_LABELS, _MOST_FEATURES = 8, 12


def small_picture(project: Project) -> bytes:
    """Draw the run that is shown, if any, as PNG for light and dark ground, without names."""
    runs = {run.name: run for run in project.runs}
    if not runs:
        return b""
    findings = runs.get(project.shown, project.runs[-1]).result.counted_findings
    labels = findings.labels[:_MOST_LABELS]
    common = [finding for finding in findings.common if set(finding.labels) & set(labels)][:_MOST_FEATURES]
    specific = [finding for finding in findings.label_specific if set(finding.labels) & set(labels)]
    image = QImage(PICTURE_SIZE * _DENSITY, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(_DENSITY, _DENSITY)
    rows = (labels, common, specific[:_MOST_FEATURES])
    at = [_row(len(row), height) for row, height in zip(rows, (0.5, 0.14, 0.86), strict=True)]
    painter.setPen(QPen(QColor("#8c9099"), 0.8))
    for findings_of_row, places in ((common, at[1]), (rows[2], at[2])):
        for finding, place in zip(findings_of_row, places, strict=True):
            for label in set(finding.labels) & set(labels):
                painter.drawLine(place, at[0][labels.index(label)])
    _draw_marks(painter, at)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def _row(count: int, height: float) -> list[QPointF]:
    step = PICTURE_SIZE.width() / max(count, 1)
    return [QPointF((number + 0.5) * step, height * PICTURE_SIZE.height()) for number in range(count)]


def _draw_marks(painter: QPainter, rows: Sequence[Sequence[QPointF]]) -> None:
    labels, common, specific = rows
    for place in labels:
        painter.setPen(QPen(QColor(LIGHT.label), 1.4))
        painter.setBrush(QColor("#ffffff"))
        painter.drawRoundedRect(QRectF(place.x() - 4, place.y() - 4, 8, 8), 2, 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(LIGHT.common))
    for place in common:
        painter.drawEllipse(place, 3.2, 3.2)
    painter.setPen(QPen(QColor(LIGHT.label_specific), 1.4))
    painter.setBrush(QColor("#ffffff"))
    for place in specific:
        painter.drawEllipse(place, 2.7, 2.7)


def open_as_project(document: Document) -> Project | None:
    """Return everything that is open as a project; None where nothing is."""
    analysis, reading = document.analysis, document.reading
    if analysis is None or reading is None:
        return None
    project = project_of(
        analysis, reading, document.options, document.history, document.presentation, document.notes
    )
    origin = document.origin or project.origin
    return replace(project, origin=origin, is_data_beside=document.is_data_beside)


class Saving(QObject):
    """Saves what is open; one file at a time."""

    saved = Signal()
    failed = Signal(RunFailure)

    def __init__(self, document: Document, lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._lane = lane
        self._state: SavedState | None = None
        # Another document has nothing of what is being written.
        for signal in (document.opened, document.closed):
            signal.connect(self._forget)
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
            self._lane.start(partial(write_project, project, path))

    @Slot()
    def _forget(self) -> None:
        self._state = None

    @Slot(object)
    def _on_written(self, path: Path) -> None:
        if self._state is not None:
            self._document.mark_saved(path, self._state)
            self.saved.emit()


@dataclass(slots=True)
class Memory:
    """What was written before, so that keeping again costs what changed since."""

    encoded: Encoded | None = None


def keep_project(
    project: Project,
    store: RecoveryStore,
    name: str,
    path: Path | None,
    memory: Memory,
    _progress: SharedProgress,
) -> float:
    """Write a project into the folder of this window, and return the seconds; equal tables stay."""
    from engine.project.project_files import Encoded, save_project

    began = time.monotonic()
    folder = store.begin(name, path)
    if memory.encoded is None:
        memory.encoded = Encoded()
    save_project(folder / CONTENT, replace(project, is_data_beside=True), memory.encoded)
    return time.monotonic() - began


def forget_kept(store: RecoveryStore, recovered: Recovery | None) -> float:
    """Remove what is kept, and what was given back at the start and is saved since; return 0.0 seconds."""
    store.clear()
    if recovered is not None:
        store.discard(recovered)
    return 0.0


class Autosave(QObject):
    """Keeps what is not saved, and gives back what windows that are gone kept, undecided in `left_behind`."""

    left_behind_changed = Signal()
    """There is something left behind, or no more."""

    failed = Signal(RunFailure)
    """What is not saved cannot be kept."""

    def __init__(self, document: Document, lane: Lane, search: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._lane, self._search = document, lane, search
        self._store: RecoveryStore | None = None
        self._written: SavedState | None = None
        self._asked: SavedState | None = None
        self.left_behind: tuple[Recovery, ...] = ()
        self._recovered: Recovery | None = None
        self._has_failed = False
        self._least = self._between = SECONDS_BETWEEN
        self._memory = Memory()
        self._timer = single_shot(self, 0, self._keep)
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
    def is_kept(self) -> bool:
        """Whether all that is not saved is kept."""
        return not self._document.is_modified or self._is_as(self._written)

    def begin(self, store: RecoveryStore, seconds_between: float = SECONDS_BETWEEN) -> None:
        """Keep what is not saved from now on, and look for what was left behind."""
        self._store = store
        self._least = self._between = seconds_between
        self._search.start(lambda _progress: store.left_behind())
        self._follow()

    def take_back(self, recovery: Recovery) -> None:
        """Say that something left behind is open again; it is removed when it is saved, or kept anew."""
        self._recovered = recovery
        self._decide(recovery)
        self._follow()

    def discard(self, recovery: Recovery) -> None:
        """Remove something left behind."""
        if (store := self._store) is not None:
            self._search.start(lambda _progress: store.discard(recovery))
        self._decide(recovery)

    def put_off(self) -> None:
        """Leave what was left behind for the next start."""
        self.left_behind = ()
        self.left_behind_changed.emit()

    def end(self) -> None:
        """Remove what is kept: the program ends as it should, and every thread of it has ended."""
        self._timer.stop()
        if self._store is not None:
            forget_kept(self._store, self._recovered)
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
        store, document = self._store, self._document
        if store is None:
            return
        if self._lane.is_busy:
            self._timer.start(int(self._least * 100))
        elif document.is_modified:
            project = open_as_project(document)
            if project is not None and not self._is_as(self._written):
                self._asked = document.state
                path = document.project_path
                table = "" if document.reading is None else document.reading.path.name
                name = table if path is None else path.name
                self._lane.start(partial(keep_project, project, store, name, path, self._memory))
        else:
            self._asked, self._memory = None, Memory()
            recovered, self._recovered = self._recovered, None
            self._lane.start(lambda _progress: forget_kept(store, recovered))

    def _is_as(self, state: SavedState | None) -> bool:
        return state is not None and self._document.state.is_same_as(state)

    @Slot(object)
    def _on_done(self, seconds: float) -> None:
        self._written, self._has_failed = self._asked, False
        store, recovered = self._store, self._recovered
        if self._written is not None and recovered is not None and store is not None:
            # It is whole in the folder of this window by now.
            self._search.start(lambda _progress: store.discard(recovered))
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
            self.left_behind = recoveries
            self.left_behind_changed.emit()

    def _decide(self, recovery: Recovery) -> None:
        self.left_behind = tuple(left for left in self.left_behind if left is not recovery)
        self.left_behind_changed.emit()
