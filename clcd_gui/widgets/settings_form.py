"""A form for any settings class, built from what the class says about itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import CONTROL_HEIGHT, SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.help_links import SETTINGS, HelpButton, set_topic, setting_anchor
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.setting_editors import SettingEditor, editor_for
from engine.parameters import parameters_of

_CAPTION_LETTERS = 27
_EDITOR_LETTERS = 36
_NARROW_EDITOR_LETTERS = 32
_SLIDER_LETTERS = 24
_LEAST_HELP_LETTERS = 36


class SettingsForm(FollowsLook, QWidget):
    """Rows of caption, editor and help (beneath or `beside`) for all settings of a class or some."""

    edited = Signal(str, object)
    slid = Signal(str, float, str)

    def __init__(
        self,
        settings_class: type,
        advanced: bool | None = None,
        beside: bool = False,
        names: Collection[str] | None = None,
    ) -> None:
        super().__init__()
        self.settings_class = settings_class
        self._beside = beside
        self._is_beneath = False
        self._editors: dict[str, SettingEditor] = {}
        self.helps: dict[str, QLabel] = {}
        self._captions: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setVerticalSpacing(SPACE_SMALL if beside else SPACE + SPACE_SMALL)
        self._grid.setColumnStretch(2 if beside else 1, 1)
        for parameter in parameters_of(settings_class):
            if advanced in (None, parameter.advanced) and (names is None or parameter.name in names):
                self._add(editor_for(parameter))
        self._follow_font()

    def editor(self, name: str) -> QWidget:
        """Return the widget that edits a setting."""
        return self._editors[name].widget

    def set_values(self, settings: Any, idle: Mapping[str, str] | None = None) -> None:
        """Show settings; those that make no difference now, with the reason, cannot be edited."""
        for name, editor in self._editors.items():
            value = getattr(settings, name)
            editor.set_value(value)
            reason = (idle or {}).get(name, "")
            for widget in _widgets(editor):
                widget.setEnabled(not reason)
            self._captions[name].setEnabled(not reason)
            self._show_help(name, reason or _help(editor, value))

    def add_editor(self, editor: SettingEditor) -> None:
        """Add a setting that is no parameter of the class, with an editor of its own."""
        self._add(editor)
        self._follow_font()

    def _add(self, editor: SettingEditor) -> None:
        # The row beneath is that of the help where there is no room beside.
        number, parameter = 2 * len(self._editors), editor.parameter
        caption = plain(parameter.title)
        caption.setBuddy(editor.widget)
        caption.setMinimumHeight(CONTROL_HEIGHT)
        topic = f"{SETTINGS}#{setting_anchor(self.settings_class, parameter.name)}"
        ask = HelpButton(parameter.title, topic)
        for widget in _widgets(editor):
            set_topic(widget, topic)
        named = row(caption, ask, 1, spacing=SPACE_SMALL)
        help_line = muted(parameter.help)
        self._grid.addLayout(named, number, 0, Qt.AlignmentFlag.AlignTop)
        if self._beside:
            self._grid.addWidget(editor.widget, number, 1, Qt.AlignmentFlag.AlignTop)
            self._place(help_line, number)
        else:
            line = row(*_widgets(editor), 1)
            self._grid.addLayout(column(line, help_line, spacing=SPACE_SMALL), number, 1)
        self._editors[parameter.name] = editor
        self.helps[parameter.name] = help_line
        self._captions[parameter.name] = caption
        if editor.slider is not None:
            editor.slider.chosen.connect(partial(self._on_slid, editor))
        editor.edited.connect(partial(self._on_edited, editor))
        editor.refused.connect(partial(self._on_refused, editor))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the help beneath the editors where it would be squeezed beside them, as in large text."""
        super().resizeEvent(event)
        self._place_helps()

    def _place_helps(self) -> None:
        letters = _CAPTION_LETTERS + _NARROW_EDITOR_LETTERS + _LEAST_HELP_LETTERS
        is_beneath = self._beside and self.width() < letters * self.fontMetrics().averageCharWidth()
        if is_beneath == self._is_beneath:
            return
        self._is_beneath = is_beneath
        for number, help_line in enumerate(self.helps.values()):
            self._grid.removeWidget(help_line)
            self._place(help_line, 2 * number)

    def _place(self, help_line: QLabel, number: int) -> None:
        help_line.setMinimumHeight(0 if self._is_beneath else CONTROL_HEIGHT)
        if self._is_beneath:
            self._grid.addWidget(help_line, number + 1, 1, 1, 2)
        else:
            self._grid.addWidget(help_line, number, 2)

    def _follow_font(self) -> None:
        letter = self.fontMetrics().averageCharWidth()
        self._grid.setColumnMinimumWidth(0, letter * _CAPTION_LETTERS)
        letters = _NARROW_EDITOR_LETTERS if self._beside else _EDITOR_LETTERS
        for editor in self._editors.values():
            beside = 0 if editor.slider is None else _SLIDER_LETTERS
            editor.widget.setFixedWidth(letter * (letters - beside) - (SPACE if beside else 0))
            if editor.slider is not None:
                editor.slider.setFixedWidth(letter * beside)
        self._place_helps()

    def _show_help(self, name: str, text: str, tone: str = "") -> None:
        label = self.helps[name]
        label.setText(text)
        if (label.property("tone") or "") != tone:
            set_look(label, "muted", tone=tone)

    def _on_edited(self, editor: SettingEditor, value: Any) -> None:
        self._show_help(editor.parameter.name, _help(editor, value))
        self.edited.emit(editor.parameter.name, value)

    def _on_slid(self, editor: SettingEditor, value: float, gesture: str) -> None:
        self.slid.emit(editor.parameter.name, value, gesture)

    def _on_refused(self, editor: SettingEditor, reason: str) -> None:
        tone = "error" if reason else ""
        self._show_help(editor.parameter.name, reason or editor.parameter.help, tone)


def _widgets(editor: SettingEditor) -> list[QWidget]:
    return [editor.widget] if editor.slider is None else [editor.widget, editor.slider]


def _help(editor: SettingEditor, value: Any) -> str:
    return editor.explanation(value) or editor.parameter.help
