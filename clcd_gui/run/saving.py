"""From the open document to a project file: written on a thread, and what was saved is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from clcd_gui.document.document import Document
from clcd_gui.document.project import SavedState, project_of
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.lane import Lane
from clcd_gui.style.tokens import LIGHT
from engine.progress import SharedProgress
from engine.project.project import Project


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
    common = [each for each in findings.common if set(each.labels) & set(labels)][:_MOST_FEATURES]
    specific = [each for each in findings.label_specific if set(each.labels) & set(labels)]
    image = QImage(PICTURE_SIZE * _DENSITY, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(_DENSITY, _DENSITY)
    rows = (labels, common, specific[:_MOST_FEATURES])
    at = [_row(len(each), height) for each, height in zip(rows, (0.5, 0.14, 0.86), strict=True)]
    painter.setPen(QPen(QColor("#8c9099"), 0.8))
    for found, places in ((common, at[1]), (rows[2], at[2])):
        for finding, place in zip(found, places, strict=True):
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
