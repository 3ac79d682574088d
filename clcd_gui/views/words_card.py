"""The three words that everything is about, with the marks by which they are told apart."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from clcd_gui.graphs.marks import draw_feature_mark, draw_label_mark
from clcd_gui.style import themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, title
from clcd_gui.style.tokens import COMMON, LABEL, LABEL_SPECIFIC, SPACE, SPACE_LARGE, Colours, Meaning

_MARK = 20


class WordsCard(QFrame):
    """Label, common and label-specific side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "card")
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE_LARGE)
        row.setSpacing(2 * SPACE_LARGE)
        for meaning, draw in (
            (LABEL, draw_label_mark),
            (COMMON, _draw_common),
            (LABEL_SPECIFIC, _draw_specific),
        ):
            row.addLayout(_word(meaning, draw), 1)


class _Mark(QWidget):
    def __init__(self, draw: Callable[[QPainter, QRectF, Colours], None]) -> None:
        super().__init__()
        self._draw = draw
        self.setFixedSize(QSize(_MARK, _MARK))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        self._draw(painter, box, themes.colours(self.palette()))


def _word(meaning: Meaning, draw: Callable[[QPainter, QRectF, Colours], None]) -> QHBoxLayout:
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(title(meaning.title[:1].upper() + meaning.title[1:]))
    words.addWidget(muted(meaning.help))
    words.addStretch(1)
    row = QHBoxLayout()
    row.setSpacing(SPACE)
    mark = QVBoxLayout()
    mark.addWidget(_Mark(draw))
    mark.addStretch(1)
    row.addLayout(mark)
    row.addLayout(words, 1)
    return row


def _draw_common(painter: QPainter, box: QRectF, chosen: Colours) -> None:
    draw_feature_mark(painter, box, True, chosen)


def _draw_specific(painter: QPainter, box: QRectF, chosen: Colours) -> None:
    draw_feature_mark(painter, box, False, chosen)
