"""How a file is read: every guess as a setting that can be changed, side by side above the rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from clcd_gui.document.doubts import automatic_words
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.setting_editors import SettingEditor, editor_for
from engine.parameters import Choice, parameters_of
from engine.readers.reading import Guess
from engine.readers.registry import ReadingOptions

_LETTERS = 30
_FEWEST_BESIDE = 2

_TEXT = ("delimiter", "decimal", "header", "skip_lines", "encoding", "missing_codes", "also_missing")
_OF_FORMAT: Mapping[str, tuple[str, ...]] = {
    "delimited": _TEXT,
    "spreadsheet": ("sheet", "cells", "header", "skip_lines", "decimal", "missing_codes", "also_missing"),
    "statistics": ("encoding", "missing_codes", "also_missing"),
    "arff": ("encoding",),
    "project": (),
    "coded": (),
}
_OTHERS = ("missing_codes", "also_missing")
_PLACES = {parameter.name: place for place, parameter in enumerate(parameters_of(ReadingOptions))}
_NEVER = {"categories", "numbers"}
"""These name columns, and are chosen among the rows."""


class _Cell(QWidget):
    """A caption above an editor."""

    def __init__(self, editor: SettingEditor) -> None:
        super().__init__()
        self.editor = editor
        caption: QLabel = muted(editor.parameter.title)
        caption.setWordWrap(False)
        caption.setBuddy(editor.widget)
        self.caption = caption
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_SMALL)
        layout.addWidget(caption)
        layout.addWidget(editor.widget)

    def set_doubted(self, doubted: bool) -> None:
        """Mark the caption of a guess that deserves a look, by a word and a colour."""
        title = self.editor.parameter.title
        self.caption.setText(f"{title} · please check" if doubted else title)
        set_look(self.caption, "muted", tone="warning" if doubted else "")


class ReadingForm(QWidget):
    """Offers what can be chosen about a file; what was found out is said by "automatic"."""

    edited = Signal(ReadingOptions)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = ReadingOptions()
        self._cells: dict[str, _Cell] = {}
        self._usual: tuple[str, ...] = ()
        self._shown: tuple[str, ...] = ()
        self._choices: dict[str, tuple[str, ...]] = {}
        self._beside = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE)
        self._grid.setVerticalSpacing(SPACE)
        for parameter in parameters_of(ReadingOptions):
            if parameter.name not in _NEVER:
                self._add(_Cell(editor_for(parameter)))

    def editor(self, name: str) -> QWidget:
        """Return the widget that edits an option."""
        return self._cells[name].editor.widget

    def set_reading(self, format_name: str, options: ReadingOptions, guesses: tuple[Guess, ...]) -> None:
        """Show how a file is read.

        Parameters
        ----------
        options : ReadingOptions
            What was asked for; None in a field means that it was found out.
        """
        self._options = options
        found = {guess.name: guess for guess in guesses}
        for guess in guesses:
            self._offer(guess)
        for name, cell in self._cells.items():
            cell.editor.set_value(getattr(options, name))
            known = found.get(name)
            cell.editor.set_automatic(automatic_words(name, known.value) if known is not None else "")
            cell.set_doubted(known is not None and not known.certain)
            reason = cell.editor.parameter.help if known is None else known.reason
            set_tooltip(cell.editor.widget, reason)
            cell.editor.widget.setAccessibleDescription(reason)
        plain = ReadingOptions()
        self._usual = _OF_FORMAT.get(format_name, _OTHERS)
        chosen = [name for name in self._cells if getattr(options, name) != getattr(plain, name)]
        doubted = [name for name in self._cells if name in found and not found[name].certain]
        self._show((*chosen, *doubted))

    def show_also(self, name: str) -> None:
        """Show an option that is seldom needed."""
        if name in self._cells:
            self._show((*self._shown, name))

    def focus_option(self, name: str) -> None:
        """Put the keyboard where an option is changed."""
        if name in self._cells:
            self.show_also(name)
            self.editor(name).setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many beside each other as there is room for."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def _offer(self, guess: Guess) -> None:
        """Let a person choose among what the file lists, instead of writing it."""
        if not guess.choices or self._choices.get(guess.name) == guess.choices:
            return
        self._choices[guess.name] = guess.choices
        old = self._cells.pop(guess.name)
        choices = tuple(Choice(each, each) for each in guess.choices)
        self._grid.removeWidget(old)
        old.deleteLater()
        self._add(_Cell(editor_for(replace(old.editor.parameter, kind="choice", choices=choices))))
        self._beside = 0

    def _add(self, cell: _Cell) -> None:
        self._cells[cell.editor.parameter.name] = cell
        cell.setParent(self)
        cell.setVisible(False)
        cell.editor.edited.connect(self._on_edited)

    def _show(self, names: tuple[str, ...]) -> None:
        # In one order, whatever was chosen first, so that nothing moves while doubts are settled.
        seldom = sorted({*names} - {*self._usual}, key=_PLACES.__getitem__)
        shown = (*self._usual, *seldom)
        if shown == self._shown and self._beside:
            return
        self._shown, self._beside = shown, 0
        self._arrange()

    def _arrange(self) -> None:
        cell_width = self.fontMetrics().averageCharWidth() * _LETTERS
        most = max(self.width() // cell_width, _FEWEST_BESIDE)
        # Lines of equal length: five and one look like a mistake.
        count = max(len(self._shown), 1)
        beside = math.ceil(count / math.ceil(count / most))
        if beside == self._beside:
            return
        self._beside = beside
        for name, cell in self._cells.items():
            self._grid.removeWidget(cell)
            cell.setVisible(name in self._shown)
        for place, name in enumerate(self._shown):
            self._grid.addWidget(self._cells[name], place // beside, place % beside)
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 1 if column < beside else 0)

    def _on_edited(self, value: Any) -> None:
        editor = self.sender()
        if isinstance(editor, SettingEditor):
            self._options = replace(self._options, **{editor.parameter.name: value})
            self.edited.emit(self._options)
