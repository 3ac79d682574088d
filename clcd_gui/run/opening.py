"""From a path to an open document: reads on a thread, and puts what it read into the document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from clcd_gui.document.document import Document
from clcd_gui.document.events import given_events
from clcd_gui.document.known_readings import KnownReading
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.lane import Lane
from clcd_gui.run.table_reading import (
    FirstRows,
    LabelNames,
    OpenedTable,
    OpenTable,
    PreviewTable,
    ReadingOutcome,
    ReadLabelNames,
    TablePreview,
    offer_of,
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


def _leave_at_once(take: Callable[[bool], None], _put_away: Callable[[], None], _is_again: bool) -> None:
    take(True)


class Opening(QObject):
    """Opens tables, shows beforehand what is in doubt, and reads the open one again in another way.

    Notes
    -----
    ``begun`` tells that the first rows of a large table can be shown, ``previewed`` that a person should look
    at a table before it is opened; ``opened``, ``failed`` or ``given_up`` follows. Where names of labels are
    read for the open table, that is ``labelled`` instead of ``opened``.
    """

    opened = Signal(OpenedTable)
    labelled = Signal()
    failed = Signal(RunFailure)
    begun = Signal(FirstRows)
    previewed = Signal(TablePreview)
    given_up = Signal()

    def __init__(self, document: Document, lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._lane = lane
        self._wanted: OpenTable | None = None
        self._first_rows: FirstRows | None = None
        self._preview: TablePreview | None = None
        self._taken: OpenedTable | None = None
        self._has_failed = False
        self._leave: Leave = _leave_at_once
        lane.given_early.connect(self._on_first_rows)
        lane.succeeded.connect(self._on_answer)
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

    @property
    def preview(self) -> TablePreview | None:
        """The file that a person is looking at before it is opened; None at any other time."""
        return self._preview

    def ask_before_taking(self, leave: Leave) -> None:
        """Ask before a table takes the place of what is open, which may have changed while it was read."""
        self._leave = leave

    def open(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        labels: Path | None = None,
        known: Mapping[str, KnownReading] | None = None,
        *,
        adds_features: bool = False,
    ) -> None:
        """Read a table; what is open stays until it has been read.

        Parameters
        ----------
        known : mapping of str to KnownReading, optional
            How files were read before, by their content. When given, a person is asked about any other file
            where something is in doubt.
        adds_features : bool
            The columns of the other table become features, and labels stay as they are.
        """
        reading = self._document.reading
        is_open = reading is not None and reading.path == path
        self._wanted = OpenTable(
            path,
            options or ReadingOptions(),
            labels,
            not is_open,
            known is not None,
            known or {},
            adds_features=adds_features,
        )
        self._preview = None
        self._lane.start(self._wanted)

    def take_labels(self, path: Path) -> None:
        """Make those columns of the open table the labels that an XML file names; nothing else changes."""
        self._preview = None
        self._lane.start(ReadLabelNames(path))

    def look_again(self) -> None:
        """Show how the open table was read, so that it can be read in another way."""
        reading = self._document.reading
        if reading is not None:
            options, labels = self._document.options, reading.labels_path
            # Which columns of the other table are labels was said; these stay as they are.
            self._wanted = OpenTable(reading.path, options, labels, adds_features=labels is not None)
            self._lane.start(PreviewTable(reading.path, options, labels))

    def change(self, options: ReadingOptions) -> None:
        """Show the file that is looked at as it would be read in another way."""
        if self._wanted is not None:
            self._wanted = replace(self._wanted, options=options)
            self._lane.start(PreviewTable(self._wanted.path, options, self._wanted.labels))

    def read_again(self, options: ReadingOptions) -> None:
        """Read the open table in another way; roles, steps and settings stay."""
        reading, analysis = self._document.reading, self._document.analysis
        if reading is None or analysis is None:
            return
        dataset, labels = analysis.dataset, reading.labels_path
        self._wanted = OpenTable(
            reading.path,
            options,
            labels,
            roles={each.name: each.role for each in dataset.variables if each.role is not Role.FEATURE},
            events=given_events(dataset),
            is_confirmed=True,
            adds_features=labels is not None,
        )
        self._preview = None
        self._lane.start(self._wanted)

    def take_advice(self, advised: SettingChange) -> None:
        """Read what could not be opened in the way that is advised, or else the open table."""
        failed = self._wanted if self._has_failed else None
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
        if self._wanted is not None:
            heeded = None if self._preview is None else self._preview.heeded
            self._wanted = replace(
                self._wanted,
                options=heeded or self._wanted.options,
                asks=False,
                roles=roles,
                events=events,
                gives_first_rows=True,
                is_confirmed=True,
            )
            self._lane.start(self._wanted)

    def put_away(self) -> None:
        """Do not open the file that is looked at."""
        self._preview = None
        self._lane.abandon()
        self.given_up.emit()

    @Slot(object)
    def _on_first_rows(self, first_rows: FirstRows) -> None:
        self._first_rows = first_rows
        self.begun.emit(first_rows)

    @Slot(object)
    def _on_answer(self, answer: ReadingOutcome) -> None:
        self._first_rows, self._preview = None, answer.preview
        if answer.preview is not None:
            self.previewed.emit(answer.preview)
        elif answer.labels is not None:
            self._set_labels(answer.labels)
        elif answer.table is not None and self._wanted is not None:
            take = partial(self._take, answer.table, self._wanted)
            self._leave(take, self.put_away, self._is_of_open_table(self._wanted))

    def _is_of_open_table(self, wanted: OpenTable) -> bool:
        """Tell whether the open table was read again, in another way."""
        reading = self._document.reading
        return reading is not None and reading.path == wanted.path

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
        self._give_roles(table.roles)
        self._document.take_events(table.events)
        # In a turn of its own: to show what was opened takes the window a moment as well.
        self._taken = table
        QTimer.singleShot(0, self, self._tell_opened)

    @Slot()
    def _tell_opened(self) -> None:
        table, self._taken = self._taken, None
        if table is not None:
            self.opened.emit(table)

    def _give_roles(self, roles: Mapping[str, Role]) -> None:
        analysis = self._document.analysis
        if analysis is None or not roles:
            return
        for role in Role:
            names = [name for name in analysis.dataset.names if roles.get(name) is role]
            if names:
                self._document.set_roles(names, role)

    @Slot(object)
    def _on_failed(self, failure: RunFailure) -> None:
        self._first_rows = self._preview = None
        self._has_failed = True
        self.failed.emit(failure)

    @Slot()
    def forget_failure(self) -> None:
        """Take advice for the open table again, whatever could not be opened before."""
        self._has_failed = False

    @Slot()
    def _on_stopped(self) -> None:
        self._first_rows = None
        self.given_up.emit()
