"""A form for any settings class, built from what the class says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.views.setting_editors import SettingEditor, editor_for
from engine.parameters import Parameter, parameters_of

_CAPTION_LETTERS = 27


class SettingsForm(QWidget):
    """Rows of caption, editor and one line of help.

    Parameters
    ----------
    settings_class : type
        A dataclass of parameters.
    advanced : bool
        Show the advanced settings, or the others.
    """

    edited = Signal(str, object)

    def __init__(self, settings_class: type, advanced: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editors: dict[str, SettingEditor] = {}
        self._helps: dict[str, QLabel] = {}
        self._captions: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setVerticalSpacing(SPACE + SPACE_SMALL)
        self._grid.setColumnMinimumWidth(0, self.fontMetrics().averageCharWidth() * _CAPTION_LETTERS)
        self._grid.setColumnStretch(1, 1)
        for parameter in parameters_of(settings_class):
            if parameter.advanced == advanced:
                self._add(parameter)

    def editor(self, name: str) -> QWidget:
        """Give the widget that edits a setting."""
        return self._editors[name].widget

    def set_values(self, settings: Any, idle: Mapping[str, str] | None = None) -> None:
        """Show settings.

        Parameters
        ----------
        settings : object
            An instance of the settings class.
        idle : mapping of str to str, optional
            Settings that make no difference now, with the reason; they cannot be edited.
        """
        for name, editor in self._editors.items():
            value = getattr(settings, name)
            editor.set_value(value)
            reason = (idle or {}).get(name, "")
            editor.widget.setEnabled(not reason)
            self._captions[name].setEnabled(not reason)
            self._say(name, reason or self._help(editor, value))

    def explain(self, reasons: Mapping[str, str]) -> None:
        """Put other words beneath some settings, such as what was found out by itself."""
        for name, reason in reasons.items():
            if name in self._helps:
                self._say(name, reason)

    def _add(self, parameter: Parameter) -> None:
        row = self._grid.rowCount()
        editor = editor_for(parameter)
        caption = QLabel(parameter.title)
        caption.setBuddy(editor.widget)
        caption.setMinimumHeight(editor.widget.sizeHint().height())
        help_line = muted(parameter.help)
        editor.widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        cell = QVBoxLayout()
        cell.setSpacing(SPACE_SMALL)
        cell.addWidget(editor.widget, 0, Qt.AlignmentFlag.AlignLeft)
        cell.addWidget(help_line)
        self._grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(cell, row, 1)
        self._editors[parameter.name] = editor
        self._helps[parameter.name] = help_line
        self._captions[parameter.name] = caption
        editor.edited.connect(self._on_edited)
        editor.refused.connect(self._on_refused)

    def _help(self, editor: SettingEditor, value: Any) -> str:
        return editor.explanation(value) or editor.parameter.help

    def _say(self, name: str, text: str, tone: str = "") -> None:
        label = self._helps[name]
        label.setText(text)
        if label.property("tone") != tone:
            set_look(label, "muted", tone=tone)

    def _on_edited(self, value: Any) -> None:
        editor = self.sender()
        if isinstance(editor, SettingEditor):
            self._say(editor.parameter.name, self._help(editor, value))
            self.edited.emit(editor.parameter.name, value)

    def _on_refused(self, reason: str) -> None:
        editor = self.sender()
        if isinstance(editor, SettingEditor):
            tone = "error" if reason else ""
            self._say(editor.parameter.name, reason or editor.parameter.help, tone)
