"""Notices on a page: what happened, where, what to do; what is stale; which files were written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QSizePolicy, QToolButton, QWidget

from clcd_gui.run.failure import RunFailure
from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, caption, plain, set_tooltip
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.controls import CardButton
from clcd_gui.widgets.layouts import delete_widgets, row
from clcd_gui.wording.setting_values import SettingChange
from clcd_gui.wording.text import count_text
from engine.translation import _, for_count

_ICON_SIZE = 20
_GREATEST_SHARE_OF_BUTTONS = 0.42
_ANYWHERE = Qt.AlignmentFlag(0)


class Notice(FollowsLook, QFrame):
    """One sentence or two in a tinted frame, in the page and never in the way."""

    closed = Signal()  # the person put it away

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = "info"
        # From the start, as a frame that comes later is not counted in its height.
        self.setProperty("look", "notice")
        self.setProperty("tone", self._tone)
        self._mark = plain()
        self._text = body("")
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._actions = row(spacing=SPACE_SMALL)
        self._close = QToolButton()
        self._close.setAccessibleName(_("Close this notice"))
        set_tooltip(self._close, _("Close this notice"))
        icons.assign(self._close, "close", themes.colours(), "muted")
        self._close.clicked.connect(self._put_away)
        self._middle = row((self._text, 1), self._actions, spacing=SPACE_SMALL)
        margins = SPACE, SPACE_SMALL, SPACE_SMALL, SPACE_SMALL
        row(self._mark, (self._middle, 1), self._close, on=self, margins=margins)
        self.setVisible(False)

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def show_text(self, text: str, tone: str = "info", closable: bool = True) -> None:
        """Say something."""
        self._tone = tone
        self.clear_actions()
        self._text.setText(text)
        self.setAccessibleName(text)
        set_look(self, "notice", tone=tone)
        self._close.setVisible(closable)
        self._follow_colours()
        self.setVisible(True)

    def show_failure(
        self, failure: RunFailure, change: Callable[[SettingChange], object] | None = None
    ) -> None:
        """Say what went wrong; offer changes of the remedy, and details of the program's own faults."""
        self.show_text(capital(failure.sentence), "error")
        if change is not None:
            for advised in failure.changes:
                self.add_action(advised.title, partial(change, advised))
        if failure.details:
            self.add_action(_("Copy details"), lambda: QGuiApplication.clipboard().setText(failure.details))

    def add_action(self, title: str, act: Callable[[], object]) -> QPushButton:
        """Add a button that does something about it."""
        button = CardButton(caption(title))
        button.clicked.connect(lambda: act())
        self._actions.addWidget(button)
        self._arrange()
        return button

    def clear_actions(self) -> None:
        """Take the buttons away."""
        delete_widgets(self._actions)

    def hide_text(self) -> None:
        """Say nothing any more."""
        self.clear_actions()
        self._text.setText("")
        self.setVisible(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the buttons a line of their own where they would leave no room for the text."""
        super().resizeEvent(event)
        self._arrange()

    def _follow_colours(self) -> None:
        colour = getattr(themes.colours(self.palette()), self._tone)
        self._mark.setPixmap(icons.pixmap(self._tone, colour, _ICON_SIZE, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(_ICON_SIZE, _ICON_SIZE))

    def _arrange(self) -> None:
        beside = self._actions.sizeHint().width() < _GREATEST_SHARE_OF_BUTTONS * self.width()
        wanted = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._middle.direction() is not wanted:
            self._middle.setDirection(wanted)
            # Below the text the buttons keep to the left.
            self._actions.setAlignment(Qt.AlignmentFlag.AlignLeft if not beside else _ANYWHERE)

    def _put_away(self) -> None:
        self.hide_text()
        self.closed.emit()


def capital(sentence: str) -> str:
    """Begin with a capital, unless it begins with a file."""
    is_word = sentence[:1].isalpha() and not {"/", "."} & set(sentence.partition(" ")[0].rstrip(".:"))
    return sentence[:1].upper() + sentence[1:] if is_word else sentence


class StaleNotice(Notice):
    """Says which setting changed since the run."""

    run_requested = Signal()

    def __init__(self, what: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._what = what
        self.button: QPushButton | None = None
        self._hindrance = ""

    def set_reason(self, reason: str | None) -> None:
        """Say what changed; None takes the notice away."""
        if reason is None:
            self.button = None
            self.hide_text()
            return
        text = f"{self._what} {reason}".strip()
        self.show_text(text, "warning", closable=False)
        self.button = self.add_action(_("Run again"), self.run_requested.emit)
        self.set_hindrance(self._hindrance)

    def set_hindrance(self, reason: str) -> None:
        """Say what a run waits for; empty allows it."""
        self._hindrance = reason
        if self.button is not None:
            self.button.setEnabled(not reason)
            set_tooltip(self.button, reason)


def show_written(notice: Notice, paths: Sequence[Path]) -> None:
    """Say which files were written; there is at least one, and all are in one folder."""
    folder = paths[0].parent
    notice.show_text(
        for_count(len(paths), "“{name}” written to {folder}.", "{count} files written to {folder}.").format(
            name=paths[0].name, count=count_text(len(paths)), folder=folder
        )
    )
    address = QUrl.fromLocalFile(str(folder))
    notice.add_action(_("Open folder"), partial(QDesktopServices.openUrl, address))
