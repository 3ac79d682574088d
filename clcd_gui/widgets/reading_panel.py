"""How the file was read: what was guessed and dropped in one line, and the ways to read it otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from clcd_gui.style.text import body, title
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.page import Folded
from clcd_gui.widgets.settings_form import SettingsForm
from clcd_gui.wording.settings import lower_first, value_text
from clcd_gui.wording.text import counted
from engine.parameters import parameters_of
from engine.readers.reading import Guess, Reading
from engine.readers.registry import ReadingOptions, formats

_MOST_ISSUES = 30
_IN_SUMMARY = ("delimiter", "decimal", "encoding", "skip_lines", "missing_codes")
_FOR_ANY_TEXT = ("delimiter", "decimal", "encoding", "header", "skip_lines", "missing_codes", "ragged")


class ReadingPanel(Folded):
    """Folded to one quiet line; unfolded it lists remarks and offers the options of the reader.

    Parameters
    ----------
    greatest_height : int
        Beyond this many pixels it scrolls.
    """

    read_again = Signal(ReadingOptions)

    def __init__(self, greatest_height: int = 260, parent: QWidget | None = None) -> None:
        self._inner = QWidget()
        self._area = _LowArea(self._inner, greatest_height)
        super().__init__("How the file was read", self._area, parent)
        self._options = ReadingOptions()
        self._issues = body("")
        self._issues.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._form_title = title("Found out by itself; change what is wrong")
        self.form = SettingsForm(ReadingOptions, beside=True)
        self.form.edited.connect(self._on_edited)
        layout = QVBoxLayout(self._inner)
        layout.setContentsMargins(0, 0, SPACE, SPACE)
        layout.setSpacing(SPACE)
        for widget in (self._issues, self._form_title, self.form):
            layout.addWidget(widget)
        layout.addStretch(1)

    def set_reading(self, reading: Reading, options: ReadingOptions) -> None:
        """Show how a file was read.

        Parameters
        ----------
        reading : Reading
        options : ReadingOptions
            What was asked for; None in a field means that it was found out.
        """
        self.button.setText("How the file was read")
        self._options = options
        self.set_summary(reading_summary(reading))
        lines = [note.message for note in reading.issues[:_MOST_ISSUES]]
        if len(reading.issues) > _MOST_ISSUES:
            lines.append(f"And {len(reading.issues) - _MOST_ISSUES:,} more remarks of this kind.")
        self._issues.setText("\n".join(f"• {line}" for line in lines))
        self._issues.setVisible(bool(lines))
        self.form.set_values(options)
        self.form.set_found({guess.name: (_value_words(guess), _reason(guess)) for guess in reading.guesses})
        offered = {guess.name for guess in reading.guesses} | _chosen(options)
        if reading.format == "delimited":
            offered |= {"missing_codes", "header", "delimiter"}
        self.form.show_only(offered)
        self._area.updateGeometry()

    def set_unread(self, options: ReadingOptions) -> None:
        """Offer the options for a file that could not be read."""
        self.button.setText("Read it in another way")
        self._options = options
        self.set_summary("")
        self._area.updateGeometry()
        self._issues.setVisible(False)
        self.form.set_values(options)
        self.form.show_only({*_FOR_ANY_TEXT, *_chosen(options)})
        self._form_title.setText("What is not chosen here is found out")
        self.unfold()

    def _on_edited(self, name: str, value: Any) -> None:
        self._options = replace(self._options, **{name: value})
        self.read_again.emit(self._options)


class _LowArea(QScrollArea):
    """Scrolls rather than taking the page away from the table."""

    def __init__(self, content: QWidget, greatest_height: int) -> None:
        super().__init__()
        self._greatest_height = greatest_height
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)
        self._content = content

    def sizeHint(self) -> QSize:
        """Ask for the height of the content, up to a limit."""
        wanted = self._content.sizeHint()
        return QSize(wanted.width(), min(wanted.height(), self._greatest_height))

    def minimumSizeHint(self) -> QSize:
        """Do not let the page squeeze it."""
        return QSize(0, self.sizeHint().height())


def reading_summary(reading: Reading) -> str:
    """Say in one line how a file was read and how much there is to know about it."""
    parts = [formats()[reading.format].title]
    if reading.issues:
        parts.append(counted(len(reading.issues), "remark"))
    doubtful = [guess for guess in reading.guesses if not guess.certain]
    if doubtful:
        known = {parameter.name: parameter.title for parameter in parameters_of(ReadingOptions)}
        names = ", ".join(lower_first(known.get(guess.name, guess.name)) for guess in doubtful)
        parts.append(f"to be checked: {names}")
    parts += [_part(guess) for guess in reading.guesses if guess.name in _IN_SUMMARY and guess.certain]
    return " · ".join(parts)


def _part(guess: Guess) -> str:
    known = {parameter.name: parameter.title for parameter in parameters_of(ReadingOptions)}
    return f"{known[guess.name]} {lower_first(_value_words(guess))}"


def _value_words(guess: Guess) -> str:
    known = {parameter.name: parameter for parameter in parameters_of(ReadingOptions)}
    parameter = known.get(guess.name)
    if parameter is None or parameter.kind != "choice":
        return guess.value
    return value_text(parameter, guess.value)


def _reason(guess: Guess) -> str:
    return guess.reason if guess.certain else f"Please check. {guess.reason}"


def _chosen(options: ReadingOptions) -> set[str]:
    plain = ReadingOptions()
    return {
        each.name
        for each in parameters_of(ReadingOptions)
        if getattr(options, each.name) != getattr(plain, each.name)
    }
