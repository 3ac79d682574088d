"""A form for any settings class, built from what the class says about itself."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSlider,
    QSpinBox,
    QWidget,
)

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, plain, set_tooltip
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import CONTROL_HEIGHT, SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.controls import NamedComboBox
from clcd_gui.widgets.help_links import SETTINGS, HelpButton, set_topic, setting_anchor
from clcd_gui.widgets.layouts import column, row
from clcd_gui.wording.text import OwnKeys, spaced_once
from engine.errors import InvalidParameter
from engine.parameters import Parameter, parameters_of
from engine.translation import N_, _
from engine.wording.numbers import written_out

_CAPTION_LETTERS = 27
_EDITOR_LETTERS = 36
_NARROW_EDITOR_LETTERS = 32
_SLIDER_LETTERS = 24
_LEAST_HELP_LETTERS = 36
_STEPS_A_PAGE = 5


def nearest_step(steps: Sequence[float], value: float) -> int:
    """Return the place of the step that is nearest to a value, as ratios count.

    >>> nearest_step((0.001, 0.01, 0.1), 0.02)
    1
    """
    return min(range(len(steps)), key=lambda number: max(steps[number] / value, value / steps[number]))


class StepSlider(QSlider):
    """Chooses one of the steps of a parameter; a drag, or a stay with the keyboard, is undone as one."""

    OWN_KEYS = OwnKeys(
        N_("On the slider"),
        (
            (N_("Left, Right"), N_("The next step")),
            (N_("PgUp, PgDown"), N_("Five steps on")),
            (N_("Home, End"), N_("The first and the last step")),
        ),
    )

    chosen = Signal(float, str)

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._steps = parameter.steps
        self._gestures = 0
        self._shown = parameter.default
        self.setRange(0, len(self._steps) - 1)
        self.setPageStep(_STEPS_A_PAGE)
        self.setAccessibleName(_(parameter.title))
        low, high = written_out(self._steps[0]), written_out(self._steps[-1])
        span = _("From {low} to {high}.", low=low, high=high)
        set_tooltip(self, f"{_(parameter.help)}\n{span}")
        self.set_value(parameter.default)
        self.sliderPressed.connect(self._begin_gesture)
        self.valueChanged.connect(self._on_moved)

    def set_value(self, value: float) -> None:
        """Show a value without saying that it was chosen; one between two steps is shown at the nearest."""
        self._shown = value
        with QSignalBlocker(self):
            self.setValue(nearest_step(self._steps, value))
        self.setAccessibleDescription(written_out(value))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin a gesture of the keyboard."""
        super().focusInEvent(event)
        self._begin_gesture()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page: scrolling past must not change a setting."""
        event.ignore()

    def _begin_gesture(self) -> None:
        self._gestures += 1

    def _on_moved(self, index: int) -> None:
        value = self._steps[index]
        if value != self._shown:
            self._shown = value
            self.setAccessibleDescription(written_out(value))
            self.chosen.emit(value, f"#{id(self)}.{self._gestures}")


_AUTOMATIC = N_("Automatic")
_EXAMPLE_ADDRESS = "tcp://192.168.1.5:8786"
_LARGEST_SPIN = 2**31 - 1


class SettingEditor(QObject):
    """Edits one setting with a widget, and a number also by the slider shown beside that."""

    edited = Signal(object)  # the value that the person chose
    refused = Signal(str)  # why what was typed cannot be taken; empty when it can again

    def __init__(self, parameter: Parameter, widget: QWidget) -> None:
        super().__init__(widget)
        self.parameter = parameter
        self.widget = widget
        self.slider: StepSlider | None = None
        widget.setAccessibleName(_(parameter.title))
        widget.setAccessibleDescription(_(parameter.help))
        set_tooltip(widget, _(parameter.help))

    def set_value(self, value: Any) -> None:
        """Show a value without saying that it was edited."""
        raise TypeError(f"an editor of {self.parameter.name} must show values")

    def explanation(self, value: Any) -> str:
        """Return the help of a choice; empty when the help of the setting says it all."""
        return next((_(choice.help) for choice in self.parameter.choices if choice.value == value), "")

    def set_automatic(self, words: str) -> None:
        """Say what "automatic" comes to now."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the page: scrolling past must not change a setting."""
        if event.type() != QEvent.Type.Wheel:
            return False
        parent = watched.parent()
        if parent is not None:
            QApplication.sendEvent(parent, event)
        return True


class ChoiceEditor(SettingEditor):
    """A list to choose from; of a flag it holds automatic, yes and no."""

    def __init__(self, parameter: Parameter) -> None:
        self._combo = NamedComboBox()
        super().__init__(parameter, self._combo)
        if parameter.optional:
            self._combo.addItem(_(_AUTOMATIC), None)
        for choice in parameter.choices:
            self._combo.addItem(_(choice.title), choice.value)
            if choice.help:
                self._combo.setItemData(self._combo.count() - 1, _(choice.help), Qt.ItemDataRole.ToolTipRole)
        if parameter.kind == "flag":
            self._combo.addItem(_("Yes"), True)
            self._combo.addItem(_("No"), False)
        self._combo.installEventFilter(self)
        self._combo.activated.connect(self._on_activated)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._combo.setCurrentIndex(self._combo.findData(value))

    def set_automatic(self, words: str) -> None:
        """Say what "automatic" comes to now."""
        if self.parameter.optional:
            self._combo.setItemText(0, _automatically(words))

    def _on_activated(self, index: int) -> None:
        self.edited.emit(self._combo.itemData(index))


class FlagEditor(SettingEditor):
    """A tick."""

    def __init__(self, parameter: Parameter) -> None:
        self._box = QCheckBox(_("Yes"))
        super().__init__(parameter, self._box)
        self._box.clicked.connect(self._on_clicked)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._box.setChecked(bool(value))

    def _on_clicked(self, ticked: bool) -> None:
        self.edited.emit(ticked)


class IntegerEditor(SettingEditor):
    """A whole number; one step below the smallest stands for "automatic" where that is possible."""

    def __init__(self, parameter: Parameter) -> None:
        self._spin = QSpinBox()
        super().__init__(parameter, self._spin)
        lowest = int(parameter.minimum) if math.isfinite(parameter.minimum) else -_LARGEST_SPIN
        highest = int(parameter.maximum) if math.isfinite(parameter.maximum) else _LARGEST_SPIN
        self._automatic = lowest - 1 if parameter.optional else None
        self._spin.setRange(lowest - 1 if parameter.optional else lowest, highest)
        self._spin.setGroupSeparatorShown(True)
        self._spin.setKeyboardTracking(False)
        if parameter.optional:
            self._spin.setSpecialValueText(_(_AUTOMATIC))
        self._spin.installEventFilter(self)
        self._spin.valueChanged.connect(self._on_changed)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        with QSignalBlocker(self._spin):
            self._spin.setValue(self._automatic if value is None and self._automatic is not None else value)

    def set_automatic(self, words: str) -> None:
        """Say what "automatic" comes to now."""
        if self._automatic is not None:
            self._spin.setSpecialValueText(_automatically(words))

    def _on_changed(self, value: int) -> None:
        self.edited.emit(None if value == self._automatic else value)


class LineEditor(SettingEditor):
    """A line to write a value in; one that cannot be taken gives way to the value before."""

    def __init__(self, parameter: Parameter) -> None:
        self._line = QLineEdit()
        super().__init__(parameter, self._line)
        self._shown = ""
        self._line.editingFinished.connect(self._on_finished)
        self._line.textEdited.connect(self._on_typed)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._shown = self._text_of(value)
        if self._line.text() != self._shown:
            self._line.setText(self._shown)

    def _text_of(self, value: Any) -> str:
        return value or ""

    def _typed(self) -> str:
        return self._line.text().strip()

    def _value(self) -> Any:
        """Return what is typed as a value."""
        return self._typed() or None

    def _objection(self) -> str:
        """Say what to write instead; empty where what is typed can be taken."""
        try:
            self.parameter.check(self._value())
        except InvalidParameter as error:
            return error.remedy
        return ""

    def _on_typed(self) -> None:
        self.refused.emit(self._objection())

    def _on_finished(self) -> None:
        text = self._typed()
        if text == self._shown:
            return
        if self._objection():
            self._line.setText(self._shown)
            self.refused.emit("")
            return
        self._shown = text
        self.edited.emit(self._value())


class NumberEditor(LineEditor):
    """A number as a text, so that 0.01 and 1e-6 can both be written."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        if parameter.steps:
            self.slider = StepSlider(parameter)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        if self.slider is not None:
            self.slider.set_value(value)
        super().set_value(value)

    def _text_of(self, value: Any) -> str:
        return written_out(value) if value is not None else ""

    def _value(self) -> float | None:
        text = self._typed()
        for written in (text, text.replace(",", ".")):
            try:
                return float(written)
            except ValueError:
                continue
        return None

    def _objection(self) -> str:
        return _("Write a number, such as 0.01.") if self._value() is None else super()._objection()


class TextEditor(LineEditor):
    """A text, such as the address of a service in a network, or nothing."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self._line.setPlaceholderText(_EXAMPLE_ADDRESS if parameter.kind == "address" else _(_AUTOMATIC))

    def set_automatic(self, words: str) -> None:
        """Say what "automatic" comes to now."""
        self._line.setPlaceholderText(_automatically(words))


class TextsEditor(TextEditor):
    """Several texts in one line, separated by blanks; one that holds a blank stands between double quotes."""

    def _text_of(self, value: Any) -> str:
        return " ".join(f'"{text}"' if " " in text else text for text in value or ())

    def _typed(self) -> str:
        return spaced_once(self._line.text())

    def _value(self) -> tuple[str, ...] | None:
        return tuple(quoted or plain for quoted, plain in _TEXTS.findall(self._typed())) or None

    def _objection(self) -> str:
        return ""


_TEXTS = re.compile(r'"([^"]+)"|(\S+)')


def editor_for(parameter: Parameter) -> SettingEditor:
    """Make the editor that suits a setting."""
    makers = {
        "flag": ChoiceEditor if parameter.optional else FlagEditor,
        "choice": ChoiceEditor,
        "integer": IntegerEditor,
        "number": NumberEditor,
        "texts": TextsEditor,
        "text": TextEditor,
        "address": TextEditor,
    }
    return makers[parameter.kind](parameter)


def _automatically(words: str) -> str:
    return f"{_(_AUTOMATIC)}: {words}" if words else _(_AUTOMATIC)


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
        caption = plain(_(parameter.title))
        caption.setBuddy(editor.widget)
        caption.setMinimumHeight(CONTROL_HEIGHT)
        topic = f"{SETTINGS}#{setting_anchor(self.settings_class, parameter.name)}"
        ask = HelpButton(_(parameter.title), topic)
        for widget in _widgets(editor):
            set_topic(widget, topic)
        named = row(caption, ask, 1, spacing=SPACE_SMALL)
        help_line = muted(_(parameter.help))
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
        self._show_help(editor.parameter.name, reason or _(editor.parameter.help), tone)


def _widgets(editor: SettingEditor) -> list[QWidget]:
    return [editor.widget] if editor.slider is None else [editor.widget, editor.slider]


def _help(editor: SettingEditor, value: Any) -> str:
    return editor.explanation(value) or _(editor.parameter.help)
