"""A text to read that scrolls, with links that select variables and lead on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QTextBrowser, QWidget

from clcd_gui.document.navigation import (
    SelectedPair,
    group_of_anchor,
    pair_of_anchor,
    preference_of_anchor,
    step_of_anchor,
)
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import read_from_the_left, tabular
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import TEXT_SMALL
from clcd_gui.widgets.when_seen import WhenSeen
from clcd_gui.wording.text import NO_BREAK, whole

_TITLE_SIZE = 1.2

_STYLE = """
a {{ color: {accent}; text-decoration: none; }}
p {{ margin: 0 0 8px 0; }}
.lead {{ font-size: {lead}pt; }}
.title {{ font-size: {lead}pt; font-weight: 600; margin: 0 0 4px 0; }}
.section {{ font-weight: 600; margin: 16px 0 4px 0; }}
.muted {{ color: {muted}; }}
.small {{ color: {muted}; font-size: {small}pt; }}
.label {{ color: {label}; }}
.common {{ color: {common}; }}
.specific {{ color: {label_specific}; }}
.test {{ color: {muted}; font-size: {small}pt; padding-top: 4px; }}
.gap {{ margin: 0; font-size: 4pt; }}
.caution {{ color: {warning}; }}
td {{ padding: 2px 6px 2px 0; }}
th {{ padding: 2px 6px 2px 0; color: {muted}; font-weight: 400; font-size: {small}pt; white-space: nowrap; }}
.first {{ padding-right: 0; }}
.behind {{ padding: 2px 0 2px 8px; }}
.apart {{ padding: 2px 0 2px 12px; }}
.figure {{ margin: 0; white-space: nowrap; text-align: right; }}
.whole {{ margin: 0; white-space: nowrap; }}
ul {{ margin: 0 0 0 -24px; }}
li {{ margin: 0 0 4px 0; }}
"""


class LinkedText(FollowsLook, QTextBrowser):
    """A read-only text whose links select variables, written anew with the theme and when it gets narrow."""

    followed = Signal(SelectedPair)
    step_followed = Signal(str)
    preferred = Signal(str)
    group_followed = Signal(str)
    left = Signal()

    def __init__(self, write: Callable[[], str], look: str = "card", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._write = write
        self.narrow_letters = 0
        self._was_narrow = False
        self._shown: tuple[str, str] | None = None
        self._look_when_seen = WhenSeen(self)
        self._look_when_seen.due.connect(self._write_in_look)
        self.setOpenLinks(False)
        set_look(self, look)
        self.setFont(tabular(self.font()))
        self.document().setDocumentMargin(16)
        read_from_the_left(self.document())
        self.anchorClicked.connect(self._on_anchor)
        self.refresh()

    @property
    def is_narrow(self) -> bool:
        """Whether a line is short beside a scroll bar, there or not; else the bar would come and go."""
        room = self.contentsRect().width() - self.verticalScrollBar().sizeHint().width()
        return room / max(self.fontMetrics().averageCharWidth(), 1) < self.narrow_letters

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Write the text anew where it became narrow, or is so no more."""
        super().resizeEvent(event)
        if self.is_narrow != self._was_narrow:
            self.refresh(stays=True)

    def refresh(self, stays: bool = False) -> None:
        """Write the text anew, from the top or where it `stays`; an equal one keeps what is selected."""
        scrolled = self.verticalScrollBar().value() if stays else 0
        self._was_narrow = self.is_narrow
        shown = self._style(), self._write()
        if shown != self._shown:
            self._shown = shown
            self.document().setDefaultStyleSheet(shown[0])
            self.setHtml(shown[1])
        # A text box that is still hidden and tiny brings the cursor's line to its lower edge.
        self.verticalScrollBar().setValue(scrolled)

    def _follow_look(self) -> None:
        self._look_when_seen.request()

    def _write_in_look(self) -> None:
        """Write the text anew; one change of the look comes as several, most of which change nothing here."""
        if self._shown is None or self._shown[0] != self._style() or self.is_narrow != self._was_narrow:
            self.refresh()

    def _style(self) -> str:
        chosen = colours(self.palette())
        size = self.font().pointSizeF()
        return _STYLE.format(lead=size * _TITLE_SIZE, small=size * TEXT_SMALL, **asdict(chosen))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Esc lead back to where the person came from."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def loadResource(self, kind: int, address: QUrl | str) -> None:
        """Open no file, whatever a text may ask for: none of ours holds a picture."""

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the names as they are, without the marks at which they may be broken."""
        # Qt's own object: one made here would outlive Python in the clipboard and crash the exit.
        data = super().createMimeDataFromSelection()
        text = data.text()
        data.clear()
        data.setText(whole(text).replace(NO_BREAK, " "))
        return data

    def _on_anchor(self, address: QUrl) -> None:
        text = address.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        for target, signal in (
            (pair_of_anchor(text), self.followed),
            (step_of_anchor(text), self.step_followed),
            (preference_of_anchor(text), self.preferred),
            (group_of_anchor(text), self.group_followed),
        ):
            if target is not None:
                signal.emit(target)
