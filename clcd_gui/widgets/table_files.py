"""Opening, saving and closing: what the person is asked, and which files are remembered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from clcd_gui.document.app_settings import AppSettings, KnownReading
from clcd_gui.document.examples import examples
from clcd_gui.document.project import SavedState
from clcd_gui.document.project_lock import ProjectLock
from clcd_gui.document.recovery import Recovery
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.session import Session
from clcd_gui.run.table_reading import OpenedTable, is_xml
from clcd_gui.widgets.dialogs import SAVE_FOLDER, Dialogs, Locked, Unsaved
from engine.project.project import EXTENSION


def _nothing() -> None:
    pass


def _take_over_what_is_typed() -> None:
    """Have a box that is being typed in tell its value, as when it is left."""
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()
        # An editor of a table goes when it is left.
        if isValid(focused):
            focused.setFocus()


class TableFiles(QObject):
    """Opens tables and label files by name or by asking, and keeps the list of recent files."""

    def __init__(self, session: Session, settings: AppSettings, dialogs: Dialogs, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        self._dialogs = dialogs
        # What is done once it is saved, and what where it cannot be.
        self._then: Callable[[], object] = _nothing
        self._otherwise: Callable[[], object] = _nothing
        # What a person said need not be saved.
        self._unwanted: SavedState | None = None
        self._is_beginning = False
        self._lock: ProjectLock | None = None
        self.is_read_only = False
        # Of a file that is being saved.
        self._saved_lock: ProjectLock | None = None
        # Of a project that is being opened.
        self._next_lock: ProjectLock | None = None
        self._is_next_read_only = False
        self._recovering: Recovery | None = None
        session.saving.saved.connect(self._on_saved)
        session.saving.failed.connect(self._on_save_failed)
        session.opening.opened.connect(self._on_opened)
        session.opening.failed.connect(self._on_failed)
        session.opening.given_up.connect(self._on_given_up)
        session.opening.ask_before_taking(self._leave)
        session.document.closed.connect(self._on_closed)

    def open(self, path: Path, otherwise: Callable[[], object] = _nothing) -> None:
        """Open a table or project once nothing unsaved stands in the way; otherwise do as told."""
        if not self.may_leave(partial(self.open, path, otherwise), otherwise):
            return
        if self._may_open(path):
            self._begin(
                partial(self._session.opening.open, path, known_readings=self._settings.known_readings)
            )
        else:
            self._unwanted = None
            otherwise()

    def open_afresh(self, table: OpenedTable) -> None:
        """Open a table again as if it had not been opened before."""
        self._settings.forget_reading(table.content)
        self.open(table.reading.path)

    def recover(self, recovery: Recovery) -> None:
        """Open what a window kept that ended without saving; it counts as not saved."""
        if self.may_leave(partial(self.recover, recovery)):
            self._let_go_of_next()
            if recovery.project is not None:
                self._next_lock = ProjectLock(recovery.project)
                # Where another window has the file, it is saved under another name.
                self._is_next_read_only = not self._next_lock.take()
            self._recovering = recovery
            self._begin(partial(self._session.opening.open, recovery.path))

    def _begin(self, begin: Callable[[], None]) -> None:
        """Begin to read, which gives up what is being read: what is kept for this is not let go then."""
        self._is_beginning = True
        begin()
        self._is_beginning = False

    def release(self) -> None:
        """Let other windows have the project that was open."""
        if self._lock is not None:
            self._lock.release()
        self._lock, self.is_read_only = None, False

    def _may_open(self, path: Path) -> bool:
        """Keep a project for this window, or ask how to open one that another window has."""
        self._let_go_of_next()
        self._recovering = None
        if path.suffix.lower() != EXTENSION:
            return True
        if self._lock is not None and self._lock.path == path:
            self._next_lock, self._is_next_read_only = self._lock, self.is_read_only
            return True
        lock, answer = ProjectLock(path), Locked.ANYWAY
        if not lock.take():
            answer = self._dialogs.ask_about_locked(QApplication.activeWindow(), path.name)
        self._next_lock, self._is_next_read_only = lock, answer is Locked.READ_ONLY
        return answer is not Locked.CANCEL

    def _let_go_of_next(self) -> None:
        if self._next_lock is not None and self._next_lock is not self._lock:
            self._next_lock.release()
        self._next_lock, self._is_next_read_only = None, False

    def may_leave(self, then: Callable[[], object], otherwise: Callable[[], object] = _nothing) -> bool:
        """Tell whether what is open may be left; call `then` when it is saved, `otherwise` when it stays."""
        document = self._session.document
        if self._session.saving.is_busy:
            self._wait(then, otherwise)
            return False
        _take_over_what_is_typed()
        if not document.is_modified or self._is_unwanted:
            return True
        parent = QApplication.activeWindow()
        answer = self._dialogs.ask_about_unsaved(parent, self._name)
        if answer is Unsaved.DISCARD:
            # It is still there, and not saved, until another table takes its place.
            self._unwanted = document.state
            return True
        if answer is Unsaved.SAVE and self.save(parent):
            self._wait(then, otherwise)
        else:
            otherwise()
        return False

    @property
    def _is_unwanted(self) -> bool:
        """Whether a person discarded what is open and did nothing with it since but end a search."""
        state = self._session.document.state
        return self._unwanted is not None and state.is_same_as(replace(self._unwanted, runs=state.runs))

    def _wait(self, then: Callable[[], object], otherwise: Callable[[], object]) -> None:
        """Wait until it is saved, with one thing: what waited before is given up."""
        given_up, self._then, self._otherwise = self._otherwise, then, otherwise
        given_up()

    def _leave(self, take: Callable[[bool], None], put_away: Callable[[], None], is_again: bool) -> None:
        """Let a table take the place of what is open, which may have changed while it was read."""
        document, is_saving = self._session.document, self._session.saving.is_busy
        is_kept = is_again and document.is_kept_when_read_again and not is_saving
        if is_kept or self.may_leave(partial(self._leave, take, put_away, is_again), put_away):
            take(not self._is_unwanted)

    def save(self, parent: QWidget | None) -> bool:
        """Save the project where it was saved before, or ask where; tell whether it is being saved."""
        path = self._session.document.project_path
        if path is None or self.is_read_only:
            return self.save_as(parent)
        self._session.saving.save(path)
        return True

    def save_as(self, parent: QWidget | None) -> bool:
        """Ask where to save the project, and save it there; tell whether it is being saved."""
        suggested = SAVE_FOLDER.path / f"{Path(self._name).stem}{EXTENSION}"
        document = self._session.document
        self._dialogs.is_data_beside = document.is_data_beside
        path = self._dialogs.choose_project_to_save(parent, suggested)
        if path is None or not self._may_save(parent, path):
            return False
        document.is_data_beside = self._dialogs.is_data_beside
        SAVE_FOLDER.remember(path.parent)
        self._session.saving.save(path)
        return True

    def _may_save(self, parent: QWidget | None, path: Path) -> bool:
        """Keep the file for this window, or ask where another window has it."""
        if self._lock is not None and self._lock.path == path and not self.is_read_only:
            return True
        lock = ProjectLock(path)
        if not lock.take() and not self._dialogs.ask_to_overwrite_locked(parent, path.name):
            return False
        self._saved_lock = lock
        return True

    @property
    def _name(self) -> str:
        document = self._session.document
        if document.project_path is not None:
            return document.project_path.name
        return "" if document.reading is None else document.reading.path.name

    def _on_saved(self) -> None:
        path = self._session.document.project_path
        if self._saved_lock is not None:
            self._take_lock(self._saved_lock, is_read_only=False)
            self._saved_lock = None
        if path is not None:
            self._settings.add_recent_file(path)
            self._settings.folder = str(path.parent)
        then, self._then, self._otherwise = self._then, _nothing, _nothing
        then()

    def _on_save_failed(self) -> None:
        otherwise, self._then, self._otherwise = self._otherwise, _nothing, _nothing
        if self._saved_lock is not None:
            self._saved_lock.release()
            self._saved_lock = None
        otherwise()

    def _on_given_up(self) -> None:
        if not self._is_beginning and self._session.opening.preview is None:
            self._let_go_of_next()
            self._unwanted = None

    def _on_closed(self) -> None:
        self.release()
        self._unwanted = None

    def _take_lock(self, lock: ProjectLock | None, is_read_only: bool) -> None:
        if self._lock is not None and self._lock is not lock and self._lock is not self._next_lock:
            self._lock.release()
        self._lock, self.is_read_only = lock, is_read_only

    def take_labels(self, path: Path) -> None:
        """Make columns the labels as a file names them, or read the table again with those that it holds."""
        document, opening = self._session.document, self._session.opening
        if document.reading is None:
            return
        if is_xml(path):
            opening.take_labels(path)
        else:
            opening.open(document.reading.path, document.options, path)

    def ask_for_table(self, parent: QWidget) -> None:
        """Ask which table to open, and open it."""
        path = self._dialogs.choose_table(parent, self._settings.folder)
        if path is not None:
            self.open(path)

    def ask_for_labels(self, parent: QWidget) -> None:
        """Ask which file names or holds the labels, and take them."""
        reading = self._session.document.reading
        if reading is None:
            return
        path = self._dialogs.choose_labels(parent, str(reading.path.parent))
        if path is not None:
            self.take_labels(path)

    def ask_for_columns(self, parent: QWidget) -> None:
        """Ask which table holds further columns, and join them to the open one by what names its rows."""
        document = self._session.document
        if document.reading is None:
            return
        path = self._dialogs.choose_columns(parent, str(document.reading.path.parent))
        if path is not None:
            self._session.opening.open(document.reading.path, document.options, path, adds_features=True)

    def close(self) -> None:
        """Close what is open, once it is saved or need not be, and forget what is being searched in it."""
        if not self.may_leave(self.close):
            return
        self._session.controller.discovery.abandon()
        self._session.document.close()

    def _on_opened(self, table: OpenedTable) -> None:
        lock, self._next_lock = self._next_lock, None
        self._take_lock(lock, self._is_next_read_only)
        self._is_next_read_only = False
        self._unwanted, self._then, self._otherwise = None, _nothing, _nothing
        document, recovering = self._session.document, self._recovering
        self._recovering = None
        if recovering is not None and document.project_path == recovering.path:
            document.mark_saved(recovering.project, SavedState())
            self._session.autosave.take_back(recovering)
        path = document.project_path or table.reading.path
        # A recovered analysis that was never saved is in a folder of the program, not one of the person.
        SAVE_FOLDER.begin(document.project_path if recovering is not None else path)
        if path not in {example.path for example in examples()}:
            self._settings.add_recent_file(path)
            self._settings.folder = str(path.parent)
        if table.content:
            self._settings.remember_reading(
                table.content, KnownReading(table.options, table.roles, table.events)
            )

    def _on_failed(self, _failure: RunFailure) -> None:
        self._let_go_of_next()
        self._recovering = self._unwanted = None
        wanted = self._session.opening.wanted
        if wanted is not None and not wanted.path.is_file():
            self._settings.forget_recent_file(wanted.path)
