"""A paragraph of sentences in which every name is a link that selects it; long names are shortened."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from clcd_gui.core.anchors import pair_of_anchor
from clcd_gui.core.templates import filled
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.themes import colours
from engine.wording.phrases import Name, Phrase, plain

_LETTERS_BEFORE_WRAPPING = 40
_LONGEST = 34


class PhraseLabel(QLabel):
    """Shows sentences; it is written anew when the theme changes.

    Signals
    -------
    followed
        With the pair that a link selects.
    """

    followed = Signal(object)

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
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._write()

    def _write(self) -> None:
        if not self._sentences:
            self.setText("")
            return
        accent = colours(self.palette()).accent
        self.setText(filled("sentences.html", sentences=self._sentences, accent=accent, longest=_LONGEST))

    def _on_link(self, address: str) -> None:
        pair = pair_of_anchor(address)
        if pair is not None:
            self.followed.emit(pair)
