"""From a path to an open document: reads on a thread, and puts what it read into the document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from clcd_gui.document.app_settings import KnownReading
from clcd_gui.document.document import Document
from clcd_gui.document.events import given_events
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.lane import Lane
from clcd_gui.run.table_reading import (
    FirstRows,
    LabelNames,
    OpenedTable,
    OpenTable,
    ReadingOutcome,
    TablePreview,
    look_at_table,
    offer_of,
    read_label_names,
)
from clcd_gui.wording.setting_values import SettingChange
from engine.errors import EngineError
from engine.readers.options import ReadingOptions
from engine.table.variable import Role

Leave = Callable[[Callable[[bool], None], Callable[[], None], bool], None]
"""Goes on with the first once what is open may be left, and with the second where it is to stay.

The first is told whether roles and settings of the same file go on with it; the third argument, whether it is
the same file.
"""


class Opening(QObject):
    """Opens tables, shows beforehand what is in doubt, and reads the open one again in another way."""

    opened = Signal(OpenedTable)  # or `failed`, or `given_up`
    labelled = Signal()  # in place of `opened` where names of labels are read for the open table
    failed = Signal(RunFailure)
    begun = Signal(FirstRows)  # the first rows of a large table can be shown
    previewed = Signal(TablePreview)  # a person should look at a table before it is opened
    given_up = Signal()

    def __init__(self, document: Document, lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._lane = lane
        self.wanted: OpenTable | None = None
        self.first_rows: FirstRows | None = None
        self.preview: TablePreview | None = None
        self._has_failed = False
        self._leave: Leave = lambda take, _put_away, _is_again: take(True)
        lane.given_early.connect(self._on_first_rows)
        lane.succeeded.connect(self._on_answer)
        lane.failed.connect(self._on_failed)
        lane.stopped.connect(self._on_stopped)

    def ask_before_taking(self, leave: Leave) -> None:
        """Ask before a table takes the place of what is open, which may have changed while it was read."""
        self._leave = leave

    def open(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        labels: Path | None = None,
        known_readings: Mapping[str, KnownReading] | None = None,
        *,
        adds_features: bool = False,
    ) -> None:
        """Read a table; what is open stays until it has been read.

        With known readings, a person is asked about any other file in doubt. Columns of a second table become
        labels, or with `adds_features` features.
        """
        reading = self._document.reading
        is_open = reading is not None and reading.path == path
        self.wanted = OpenTable(
            path,
            options or ReadingOptions(),
            labels,
            not is_open,
            known_readings is not None,
            known_readings or {},
            adds_features=adds_features,
        )
        self.preview = None
        self._lane.start(self.wanted)

    def take_labels(self, path: Path) -> None:
        """Make those columns of the open table the labels that an XML file names; nothing else changes."""
        self.preview = None
        self._lane.start(partial(read_label_names, path))

    def look_again(self) -> None:
        """Show how the open table was read, so that it can be read in another way."""
        reading = self._document.reading
        if reading is not None:
            options, labels = self._document.options, reading.labels_path
            # Which columns of the other table are labels was said; these stay as they are.
            self.wanted = OpenTable(reading.path, options, labels, adds_features=labels is not None)
            self._lane.start(partial(look_at_table, reading.path, options, labels))

    def change(self, options: ReadingOptions) -> None:
        """Show the file that is looked at as it would be read in another way."""
        if self.wanted is not None:
            self.wanted = replace(self.wanted, options=options)
            self._lane.start(partial(look_at_table, self.wanted.path, options, self.wanted.labels))

    def read_again(self, options: ReadingOptions) -> None:
        """Read the open table in another way; roles, steps and settings stay."""
        reading, analysis = self._document.reading, self._document.analysis
        if reading is None or analysis is None:
            return
        dataset, labels = analysis.dataset, reading.labels_path
        self.wanted = OpenTable(
            reading.path,
            options,
            labels,
            roles={
                variable.name: variable.role
                for variable in dataset.variables
                if variable.role is not Role.FEATURE
            },
            events=given_events(dataset),
            is_confirmed=True,
            adds_features=labels is not None,
        )
        self.preview = None
        self._lane.start(self.wanted)

    def take_advice(self, advised: SettingChange) -> None:
        """Read what could not be opened in the way that is advised, or else the open table."""
        failed = self.wanted if self._has_failed else None
        options = self._document.options if failed is None else failed.options
        value = advised.value
        if isinstance(value, tuple):
            value = tuple(dict.fromkeys((*(getattr(options, advised.name) or ()), *value)))
        options = replace(options, **{advised.name: value})
        if failed is None:
            self.read_again(options)
        else:
            self.change(options)

    def accept(self, roles: Mapping[str, Role], events: Mapping[str, str]) -> None:
        """Open the file that is looked at."""
        if self.wanted is not None:
            heeded = None if self.preview is None else self.preview.heeded
            self.wanted = replace(
                self.wanted,
                options=heeded or self.wanted.options,
                asks=False,
                roles=roles,
                events=events,
                gives_first_rows=True,
                is_confirmed=True,
            )
            self._lane.start(self.wanted)

    def put_away(self) -> None:
        """Do not open the file that is looked at."""
        self.preview = None
        self._lane.abandon()
        self.given_up.emit()

    @Slot(object)
    def _on_first_rows(self, first_rows: FirstRows) -> None:
        self.first_rows = first_rows
        self.begun.emit(first_rows)

    @Slot(object)
    def _on_answer(self, answer: ReadingOutcome) -> None:
        self.first_rows, self.preview = None, answer.preview
        if answer.preview is not None:
            self.previewed.emit(answer.preview)
        elif answer.labels is not None:
            self._set_labels(answer.labels)
        elif answer.table is not None and self.wanted is not None:
            reading, wanted = self._document.reading, self.wanted
            is_again = reading is not None and reading.path == wanted.path
            self._leave(partial(self._take, answer.table, wanted), self.put_away, is_again)

    def _set_labels(self, named: LabelNames) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        try:
            offer = offer_of(named, analysis.dataset)
        except EngineError as error:
            self.failed.emit(failure_of(error))
            return
        self._document.set_offer(offer)
        self._document.set_labels(offer.names)
        self.labelled.emit()

    def _take(self, table: OpenedTable, wanted: OpenTable, goes_on: bool) -> None:
        self._has_failed = False
        self._document.open(table.reading, table.summaries, table.offer, table.options, goes_on)
        if table.project is not None:
            self._document.take_project(table.project, wanted.path)
        if table.offer is not None and wanted.labels is not None:
            # The person chose this label file, so there is nothing left to confirm.
            self._document.set_labels(table.offer.names)
        for role in Role:
            # Each is a step that can be undone.
            named = [name for name in self._document.dataset.names if table.roles.get(name) is role]
            if named:
                self._document.set_roles(named, role)
        self._document.take_events(table.events)
        # In a turn of its own: to show what was opened takes the window a moment as well.
        QTimer.singleShot(0, self, lambda: self.opened.emit(table))

    @Slot(object)
    def _on_failed(self, failure: RunFailure) -> None:
        self.first_rows = self.preview = None
        self._has_failed = True
        self.failed.emit(failure)

    @Slot()
    def forget_failure(self) -> None:
        """Take advice for the open table again, whatever could not be opened before."""
        self._has_failed = False

    @Slot()
    def _on_stopped(self) -> None:
        self.first_rows = None
        self.given_up.emit()
        if self.preview is not None:
            QTimer.singleShot(0, self, self._go_back_to_preview)

    def _go_back_to_preview(self) -> None:
        """Show the file as it was looked at last, where a person stopped that it is read in another way."""
        if self.preview is not None and self.wanted is not None and not self._lane.is_busy:
            self.wanted = replace(self.wanted, options=self.preview.options)
            self.previewed.emit(self.preview)
