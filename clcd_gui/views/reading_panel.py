"""How the file was read: what was guessed and dropped in one line, and the ways to read it otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from clcd_gui.core.number_format import counted
from clcd_gui.core.settings_words import lower_first, value_text
from clcd_gui.style.text import body, title
from clcd_gui.style.tokens import SPACE
from clcd_gui.views.folded import Folded
from clcd_gui.views.settings_form import SettingsForm
from engine.parameters import parameters_of
from engine.readers.options import ReadingOptions
from engine.readers.reading import Reading
from engine.readers.registry import formats

_MOST_ISSUES = 12


class ReadingPanel(Folded):
    """Folded to one quiet line; unfolded it lists remarks and offers the options of the reader."""

    read_again = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("How the file was read", QWidget(), parent)
        self._options = ReadingOptions()
        self._issues = body("")
        self._form_title = title("Read it otherwise")
        self.form = SettingsForm(ReadingOptions, advanced=False)
        self.form.edited.connect(self._on_edited)
        self._rare = SettingsForm(ReadingOptions, advanced=True)
        self._rare.edited.connect(self._on_edited)
        layout = QVBoxLayout(self.content)
        layout.setContentsMargins(0, 0, 0, SPACE)
        layout.setSpacing(SPACE)
        for widget in (self._issues, self._form_title, self.form, self._rare):
            layout.addWidget(widget)

    def set_reading(self, reading: Reading, options: ReadingOptions) -> None:
        """Show how a file was read.

        Parameters
        ----------
        reading : Reading
        options : ReadingOptions
            What was asked for; None in a field means that it was found out.
        """
        self._options = options
        self.set_summary(reading_summary(reading))
        lines = [f"• {note.message}" for note in reading.issues[:_MOST_ISSUES]]
        if len(reading.issues) > _MOST_ISSUES:
            lines.append(f"• and {len(reading.issues) - _MOST_ISSUES:,} more remarks of this kind")
        self._issues.setText("\n".join(lines))
        self._issues.setVisible(bool(lines))
        reasons = {guess.name: guess.reason for guess in reading.guesses}
        for form in (self.form, self._rare):
            form.set_values(options)
            form.explain(reasons)

    def _on_edited(self, name: str, value: Any) -> None:
        self.read_again.emit(replace(self._options, **{name: value}))


def reading_summary(reading: Reading) -> str:
    """Say in one line how a file was read and how much there is to know about it."""
    known = {parameter.name: parameter for parameter in parameters_of(ReadingOptions)}
    parts = [formats()[reading.format].title]
    for guess in reading.guesses:
        parameter = known.get(guess.name)
        if parameter is None or parameter.kind == "flag":
            continue
        value = guess.value if parameter.kind == "choice" else guess.value.replace("\t", "tab")
        text = value_text(parameter, value) if parameter.kind == "choice" else value
        parts.append(f"{lower_first(parameter.title)} {lower_first(text)}" if text else "")
    if reading.issues:
        parts.append(counted(len(reading.issues), "remark"))
    return ", ".join(part for part in parts if part)
