"""Opening and closing tables: what the person is asked, and which files are remembered."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.examples import examples
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.jobs import OpenedTable
from clcd_gui.run.session import Session
from clcd_gui.widgets.dialogs import Dialogs


class TableFiles(QObject):
    """Opens tables and label files by name or by asking, and keeps the list of recent files.

    Parameters
    ----------
    session : Session
    settings : AppSettings
        Where folder and recent files are remembered.
    dialogs : Dialogs, optional
        Asks for files; a test puts its own in place.
    """

    def __init__(
        self,
        session: Session,
        settings: AppSettings,
        dialogs: Dialogs | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        self._dialogs = dialogs or Dialogs()
        session.opening.opened.connect(self._on_opened)
        session.opening.failed.connect(self._on_failed)

    def open(self, path: Path) -> None:
        """Open a table."""
        self._session.opening.open(path)

    def take_labels(self, path: Path) -> None:
        """Read the open table again with the labels that a file names or holds."""
        document = self._session.document
        if document.reading is not None:
            self._session.opening.open(document.reading.path, document.options, path)

    def ask_for_table(self, parent: QWidget) -> None:
        """Ask which table to open, and open it."""
        path = self._dialogs.choose_table(parent, self._settings.folder)
        if path is not None:
            self.open(path)

    def ask_for_labels(self, parent: QWidget) -> None:
        """Ask which file names the labels, and read the table with it."""
        reading = self._session.document.reading
        if reading is None:
            return
        path = self._dialogs.choose_labels(parent, str(reading.path.parent))
        if path is not None:
            self.take_labels(path)

    def close(self) -> None:
        """Close the table, and forget what is being searched in it."""
        self._session.controller.discovery.abandon()
        self._session.document.close()

    def _on_opened(self, table: OpenedTable) -> None:
        if table.reading.path not in {example.path for example in examples()}:
            self._settings.add_recent_file(table.reading.path)
            self._settings.folder = str(table.reading.path.parent)

    def _on_failed(self, _failure: RunFailure) -> None:
        wanted = self._session.opening.wanted
        if wanted is not None and not wanted.path.is_file():
            self._settings.forget_recent_file(wanted.path)
