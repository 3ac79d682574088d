"""From a path to an open document: reads on a thread, and puts what it read into the document."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.document import Document
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.jobs import FirstRows, OpenedTable, OpenTable
from clcd_gui.run.lane import Lane
from engine.readers.registry import ReadingOptions


class Opening(QObject):
    """Opens tables, and reads the open one again in another way.

    Parameters
    ----------
    document : Document
        What is opened into.
    lane : Lane
        Where the reading runs.

    Notes
    -----
    ``begun`` tells that the first rows of a large table can be shown; ``opened``, ``failed`` or
    ``given_up`` follows.
    """

    opened = Signal(OpenedTable)
    failed = Signal(RunFailure)
    begun = Signal(FirstRows)
    given_up = Signal()

    def __init__(self, document: Document, lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._lane = lane
        self._wanted: OpenTable | None = None
        self._first_rows: FirstRows | None = None
        lane.given_early.connect(self._on_first_rows)
        lane.succeeded.connect(self._on_read)
        lane.failed.connect(self._on_failed)
        lane.stopped.connect(self._on_stopped)

    @property
    def wanted(self) -> OpenTable | None:
        """What was asked for last."""
        return self._wanted

    @property
    def first_rows(self) -> FirstRows | None:
        """The beginning of a large table of which the rest is being read; None at any other time."""
        return self._first_rows

    def open_otherwise(self, options: ReadingOptions) -> None:
        """Read the table that was asked for last in another way."""
        if self._wanted is not None:
            self.open(self._wanted.path, options, self._wanted.labels)

    def open(self, path: Path, options: ReadingOptions | None = None, labels: Path | None = None) -> None:
        """Read a table; what is open stays until it has been read.

        Parameters
        ----------
        path : Path
        options : ReadingOptions, optional
            How to read it; found out when left out.
        labels : Path, optional
            A file that names its labels or holds them.
        """
        reading = self._document.reading
        is_open = reading is not None and reading.path == path
        self._wanted = OpenTable(path, options or ReadingOptions(), labels, gives_first_rows=not is_open)
        self._lane.start(self._wanted)

    @Slot(object)
    def _on_first_rows(self, first_rows: FirstRows) -> None:
        self._first_rows = first_rows
        self.begun.emit(first_rows)

    @Slot(object)
    def _on_read(self, table: OpenedTable) -> None:
        self._first_rows = None
        self._document.open(table.reading, table.summaries, table.offer, table.options)
        if table.project is not None and self._wanted is not None:
            self._document.take_project(table.project, self._wanted.path)
        if table.offer is not None and self._wanted is not None and self._wanted.labels is not None:
            # The person chose this label file, so there is nothing left to confirm.
            self._document.set_labels(table.offer.names)
        self.opened.emit(table)

    @Slot(object)
    def _on_failed(self, failure: RunFailure) -> None:
        self._first_rows = None
        self.failed.emit(failure)

    @Slot()
    def _on_stopped(self) -> None:
        self._first_rows = None
        self.given_up.emit()
