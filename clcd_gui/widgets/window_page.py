"""What a page of the window is: what it is given, and what the window asks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from clcd_gui.document.app_settings import AppSettings
from clcd_gui.document.document import PreferredVariables
from clcd_gui.document.navigation import Highlight, Navigation
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.session import Session
from clcd_gui.style.themes import follow_theme
from clcd_gui.widgets.dialogs import Dialogs
from clcd_gui.widgets.table_files import TableFiles


class Workspace(QObject):
    """What pages observe and act on; they know of each other only by what is in here."""

    def __init__(
        self,
        session: Session,
        settings: AppSettings,
        dialogs: Dialogs | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.settings = settings
        self.highlight = Highlight(session.document, self)
        self.preferred = PreferredVariables(session.document, self)
        self.navigation = Navigation(session.document, self)
        session.document.set_naming(settings.naming)
        settings.naming_changed.connect(self._follow_naming)
        self.files = TableFiles(session, settings, dialogs or Dialogs(), self)

    def _follow_naming(self) -> None:
        self.session.document.set_naming(self.settings.naming)


class WindowPage(QWidget):
    """A page in the middle of the window, which observes the workspace and overrides what it can do."""

    can_find = False  # it has something that can be looked for
    shows_live_failures = False  # it says itself what went wrong with results that follow every change

    can_explain_changed = Signal()

    part_made = Signal(QWidget)
    """A part of it is there that is made later than the page itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Before there is anything in it, whose size is then reckoned once.
        follow_theme(self)

    @property
    def can_explain(self) -> bool:
        """Whether "Why?" has an answer to what it shows."""
        return False

    @property
    def can_export(self) -> bool:
        """Whether it shows something that can be exported."""
        return False

    @property
    def menu_entries(self) -> Mapping[str, Sequence[QAction | QMenu]]:
        """Commands of its own, by the title of the menu in which they stand."""
        return {}

    def find_text(self) -> None:
        """Put the keyboard where something is looked for."""

    def ask_export(self) -> None:
        """Ask what to export, and where to."""

    def show_failure(self, failure: RunFailure) -> None:
        """Say why something did not work, and offer the changes that help."""

    def shut_down(self) -> None:
        """Wait until files that are being written are whole."""


class ForTable:
    """A part of a page whose entries, filters or settings end with the table that they were made for."""

    def forget_table(self) -> None:
        """Return to what a new window shows."""
        raise NotImplementedError


def forget_table(whole: QWidget) -> None:
    """Let every part inside a widget forget what was entered for the table before."""
    for part in whole.findChildren(QWidget):
        if isinstance(part, ForTable):
            part.forget_table()
