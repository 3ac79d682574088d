"""Words on a page: shortened lines, sentences in which every name is a link, and whole texts of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain

from PySide6.QtCore import QMimeData, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption, QTextBrowser, QWidget

from clcd_gui.document.navigation import (
    SelectedPair,
    group_of_anchor,
    pair_of_anchor,
    preference_of_anchor,
    step_of_anchor,
)
from clcd_gui.document.templates import filled
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import read_from_the_left, set_tooltip, tabular
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import TEXT_SMALL
from clcd_gui.turns import WhenSeen
from clcd_gui.wording.text import NO_BREAK, whole
from engine.wording.phrases import Name, Phrase, plain

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
.wrapped {{ white-space: normal; }}
.first {{ padding-right: 0; }}
.behind {{ padding: 2px 0 2px 8px; }}
.apart {{ padding: 2px 0 2px 12px; }}
.figure {{ margin: 0; white-space: nowrap; text-align: right; }}
.whole {{ margin: 0; white-space: nowrap; }}
ul {{ margin: 0 0 0 -24px; }}
li {{ margin: 0 0 4px 0; }}
"""


class ElidedLabel(QLabel):
    """A label that never asks for more width than there is."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self._explain()
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Allow it to become narrow."""
        return QSize(self.fontMetrics().horizontalAdvance("…") * 3, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for the whole text."""
        width = self.fontMetrics().horizontalAdvance(self.text()) + 2
        return QSize(width, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Decide anew whether the tooltip is needed."""
        super().resizeEvent(event)
        self._explain()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        text = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        self.style().drawItemText(
            painter,
            self.rect(),
            int(self.alignment()),
            option.palette,
            bool(option.state & QStyle.StateFlag.State_Enabled),
            text,
            self.foregroundRole(),
        )
        # Whoever looks at this frame from another thread would keep the painter from ending with it.
        painter.end()

    def _explain(self) -> None:
        fits = self.fontMetrics().horizontalAdvance(self.text()) <= self.width()
        set_tooltip(self, "" if fits else self.text())


_LETTERS_BEFORE_WRAPPING = 40
_LONGEST = 34


class PhraseLabel(FollowsLook, QLabel):
    """Shows sentences; it is written anew when the theme changes."""

    followed = Signal(SelectedPair)  # the pair that a link selects

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentences: tuple[Phrase, ...] = ()
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * _LETTERS_BEFORE_WRAPPING)
        self.linkActivated.connect(self._on_link)

    def set_sentences(self, sentences: Sequence[Phrase]) -> None:
        """Say other sentences; without any it takes no room."""
        self._sentences = tuple(sentences)
        whole = " ".join(map(plain, self._sentences))
        self.setAccessibleName(whole)
        is_shortened = any(
            isinstance(part, Name) and len(part.shown) > _LONGEST for part in chain(*sentences)
        )
        set_tooltip(self, whole if is_shortened else "")
        self.setVisible(bool(self._sentences))
        self._follow_colours()

    def _follow_colours(self) -> None:
        if not self._sentences:
            self.setText("")
            return
        accent = colours(self.palette()).accent
        names = ShortNames(part.shown for part in chain(*self._sentences) if isinstance(part, Name))
        shown = partial(names.shown, room=_LONGEST)
        self.setText(filled("sentences.html", sentences=self._sentences, accent=accent, shown=shown))

    def _on_link(self, address: str) -> None:
        pair = pair_of_anchor(address)
        if pair is not None:
            self.followed.emit(pair)


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
        """Write the text anew where the look changed it: Qt sends several events for one change."""
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
