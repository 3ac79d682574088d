"""Lines of text: shortened with the whole in a tooltip, or sentences in which every name is a link."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption, QWidget

from clcd_gui.document.navigation import SelectedPair, pair_of_anchor
from clcd_gui.document.templates import filled
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.themes import FollowsLook, colours
from engine.wording.phrases import Name, Phrase, plain


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
        is_shortened = any(isinstance(each, Name) and len(each.text) > _LONGEST for each in chain(*sentences))
        set_tooltip(self, whole if is_shortened else "")
        self.setVisible(bool(self._sentences))
        self._follow_colours()

    def _follow_colours(self) -> None:
        if not self._sentences:
            self.setText("")
            return
        accent = colours(self.palette()).accent
        names = ShortNames(each.text for each in chain(*self._sentences) if isinstance(each, Name))
        shown = partial(names.shown, room=_LONGEST)
        self.setText(filled("sentences.html", sentences=self._sentences, accent=accent, shown=shown))

    def _on_link(self, address: str) -> None:
        pair = pair_of_anchor(address)
        if pair is not None:
            self.followed.emit(pair)
