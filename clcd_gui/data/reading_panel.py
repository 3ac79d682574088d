"""How the open table was read: what was guessed and dropped in one line, and the way to read it otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from clcd_gui.document.doubts import (
    NOTHING_IN_DOUBT,
    automatic_words,
    chosen_options,
    option_title,
    value_words,
)
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, set_tooltip
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.page import Folded
from clcd_gui.wording.settings import lower_first
from clcd_gui.wording.text import counted, in_curved_marks
from engine.readers.reading import Guess, Reading
from engine.readers.registry import ReadingOptions, formats

_MOST_ISSUES = 30
_GREATEST_HEIGHT = 260
_GUESSED = "{option}: {value}. {reason}"
_IN_SUMMARY = ("delimiter", "decimal", "encoding", "sheet", "skip_lines", "missing_codes")


class ReadingPanel(Folded):
    """Folded to one quiet line, with a button beside it; unfolded it lists every remark."""

    change_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self._inner = QWidget()
        self._area = _LowArea(self._inner)
        super().__init__("How the file was read", self._area, parent)
        self.change = QPushButton("Change how it is read…")
        set_look(self.change, "quiet")
        set_tooltip(self.change, "Look at the first rows as they are written, and at every guess")
        self.change.clicked.connect(self.change_requested)
        self.add_beside(self.change)
        self._issues = body("")
        self._issues.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self._inner)
        layout.setContentsMargins(0, 0, SPACE, SPACE)
        layout.addWidget(self._issues)
        layout.addStretch(1)

    def set_reading(self, reading: Reading, options: ReadingOptions) -> None:
        """Show how a file was read, and what of it a person chose."""
        chosen = chosen_options(reading, options)
        self.set_summary(reading_summary(reading, [name for name, _ in chosen]))
        lines = [sentence for _, sentence in chosen]
        lines += [_guessed(guess) for guess in reading.guesses if not guess.certain]
        lines += [note.message for note in reading.issues[:_MOST_ISSUES]]
        if len(reading.issues) > _MOST_ISSUES:
            lines.append(f"And {len(reading.issues) - _MOST_ISSUES:,} more remarks of this kind.")
        text = "\n".join(f"• {line}" for line in lines)
        self._issues.setText(in_curved_marks(text) or NOTHING_IN_DOUBT)
        # What a project holds was read once; its file is no table.
        self.change.setVisible(reading.format != "project")
        self._area.updateGeometry()


class _LowArea(QScrollArea):
    """Scrolls rather than taking the page away from the table."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)
        self._content = content

    def sizeHint(self) -> QSize:
        """Ask for the height that the content needs in this width, up to a limit."""
        width = self.viewport().width()
        return QSize(width, min(self._content.heightForWidth(width), _GREATEST_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Do not let the page squeeze it."""
        return QSize(0, self.sizeHint().height())


def reading_summary(reading: Reading, chosen: Sequence[str] = ()) -> str:
    """Say in one line how a file was read, which options were chosen, and how much there is to know."""
    parts = [formats()[reading.format].title]
    if chosen:
        parts.append(f"chosen: {_titles(chosen)}")
    if reading.issues:
        parts.append(counted(len(reading.issues), "remark"))
    doubtful = [guess for guess in reading.guesses if not guess.certain]
    if doubtful:
        parts.append(f"to be checked: {_titles([guess.name for guess in doubtful])}")
    parts += [_part(guess) for guess in reading.guesses if guess.name in _IN_SUMMARY and guess.certain]
    return " · ".join(parts)


def _titles(options: Sequence[str]) -> str:
    return ", ".join(lower_first(option_title(name)) for name in options)


def _guessed(guess: Guess) -> str:
    """Say what was guessed, and why."""
    value = value_words(guess.name, guess.value)
    return _GUESSED.format(option=option_title(guess.name), value=value, reason=guess.reason)


def _part(guess: Guess) -> str:
    return f"{option_title(guess.name)} {automatic_words(guess.name, guess.value)}"
