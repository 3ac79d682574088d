"""One editor for each kind of setting, all alike from outside, and sliders that stop at given values."""

from __future__ import annotations

import math
import re
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QSlider, QSpinBox, QWidget

from clcd_gui.document.levels import nearest_step
from clcd_gui.style.text import set_tooltip
from clcd_gui.widgets.menus import NamedComboBox
from clcd_gui.wording.setting_values import lower_first, value_text
from clcd_gui.wording.text import OwnKeys, spaced_once
from engine.errors import InvalidParameter
from engine.parameters import Parameter
from engine.wording.numbers import written_out

_STEPS_A_PAGE = 5


class StepSlider(QSlider):
    """Chooses one of the steps of a parameter.

    Each drag is a gesture of its own, and so is each stay with the keyboard: what belongs to one gesture is
    undone together.
    """

    OWN_KEYS = OwnKeys(
        "On the slider",
        (
            ("Left, Right", "The next step"),
            ("PgUp, PgDown", "Five steps on"),
            ("Home, End", "The first and the last step"),
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
        self.setAccessibleName(parameter.title)
        low, high = written_out(self._steps[0]), written_out(self._steps[-1])
        set_tooltip(self, f"{parameter.help}\nFrom {low} to {high}.")
        self.set_value(parameter.default)
        self.sliderPressed.connect(self._begin_gesture)
        self.valueChanged.connect(self._on_moved)

    def set_value(self, value: float) -> None:
        """Show a value without saying that it was chosen; one between two steps is shown at the nearest."""
        self._shown = value
        self.blockSignals(True)
        self.setValue(nearest_step(self._steps, value))
        self.blockSignals(False)
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


_AUTOMATIC = "Automatic"
_EXAMPLE_ADDRESS = "tcp://192.168.1.5:8786"
_LARGEST_SPIN = 2**31 - 1


class SettingEditor(QObject):
    """Edits one setting with a widget.

    Signals
    -------
    edited(object)
        The person chose this value.
    refused(str)
        What was typed cannot be taken, and why; empty when it can again.

    Attributes
    ----------
    slider : StepSlider or None
        A second way to choose a number, to be shown beside the widget.
    """

    edited = Signal(object)
    refused = Signal(str)

    def __init__(self, parameter: Parameter, widget: QWidget) -> None:
        super().__init__(widget)
        self.parameter = parameter
        self.widget = widget
        self.slider: StepSlider | None = None
        widget.setAccessibleName(parameter.title)
        widget.setAccessibleDescription(parameter.help)
        set_tooltip(widget, parameter.help)

    def set_value(self, value: Any) -> None:
        """Show a value without saying that it was edited."""
        raise TypeError(f"an editor of {self.parameter.name} must show values")

    def explanation(self, value: Any) -> str:
        """Say what a value means; empty when the help of the setting says it all."""
        return ""

    def set_automatic(self, found: str) -> None:
        """Say what "automatic" comes to now."""


class ChoiceEditor(SettingEditor):
    """A list to choose from."""

    def __init__(self, parameter: Parameter) -> None:
        self._combo = NamedComboBox()
        super().__init__(parameter, self._combo)
        if parameter.optional:
            self._combo.addItem(_AUTOMATIC, None)
        for choice in parameter.choices:
            self._combo.addItem(choice.title, choice.value)
            if choice.help:
                self._combo.setItemData(self._combo.count() - 1, choice.help, Qt.ItemDataRole.ToolTipRole)
        self._combo.installEventFilter(self)
        self._combo.activated.connect(self._on_activated)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._combo.setCurrentIndex(self._combo.findData(value))

    def explanation(self, value: Any) -> str:
        """Return the help of the choice."""
        return next((each.help for each in self.parameter.choices if each.value == value), "")

    def set_automatic(self, found: str) -> None:
        """Say what "automatic" comes to now."""
        words = value_text(self.parameter, found)
        # What is called as in a file keeps its capitals.
        _name_automatic(self._combo, words if words == found else lower_first(words))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the page: scrolling past must not change a setting."""
        return _is_stray_wheel(watched, event)

    def _on_activated(self, index: int) -> None:
        self.edited.emit(self._combo.itemData(index))


class FlagEditor(SettingEditor):
    """A tick, or a list of three when "find out" is possible."""

    def __init__(self, parameter: Parameter) -> None:
        self._box = QCheckBox("Yes")
        super().__init__(parameter, self._box)
        self._box.clicked.connect(self._on_clicked)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._box.setChecked(bool(value))

    def _on_clicked(self, ticked: bool) -> None:
        self.edited.emit(ticked)


class OptionalFlagEditor(SettingEditor):
    """Automatic, yes or no."""

    def __init__(self, parameter: Parameter) -> None:
        self._combo = NamedComboBox()
        super().__init__(parameter, self._combo)
        for title, value in ((_AUTOMATIC, None), ("Yes", True), ("No", False)):
            self._combo.addItem(title, value)
        self._combo.installEventFilter(self)
        self._combo.activated.connect(self._on_activated)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._combo.setCurrentIndex(self._combo.findData(value))

    def set_automatic(self, found: str) -> None:
        """Say what "automatic" comes to now."""
        _name_automatic(self._combo, found)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the page."""
        return _is_stray_wheel(watched, event)

    def _on_activated(self, index: int) -> None:
        self.edited.emit(self._combo.itemData(index))


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
            self._spin.setSpecialValueText(_AUTOMATIC)
        self._spin.installEventFilter(self)
        self._spin.valueChanged.connect(self._on_changed)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._spin.blockSignals(True)
        self._spin.setValue(self._automatic if value is None and self._automatic is not None else value)
        self._spin.blockSignals(False)

    def set_automatic(self, found: str) -> None:
        """Say what "automatic" comes to now."""
        if self._automatic is not None:
            self._spin.setSpecialValueText(_automatically(found))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the page."""
        return _is_stray_wheel(watched, event)

    def _on_changed(self, value: int) -> None:
        self.edited.emit(None if value == self._automatic else value)


class NumberEditor(SettingEditor):
    """A number as a text, so that 0.01 and 1e-6 can both be written."""

    def __init__(self, parameter: Parameter) -> None:
        self._line = QLineEdit()
        super().__init__(parameter, self._line)
        self._shown = ""
        self._line.editingFinished.connect(self._on_finished)
        self._line.textEdited.connect(self._on_typed)
        if parameter.steps:
            self.slider = StepSlider(parameter)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        if self.slider is not None:
            self.slider.set_value(value)
        self._shown = written_out(value) if value is not None else ""
        if self._line.text() != self._shown:
            self._line.setText(self._shown)

    def _on_typed(self) -> None:
        self.refused.emit(self._objection())

    def _on_finished(self) -> None:
        if self._line.text() == self._shown:
            return
        if self._objection():
            self._line.setText(self._shown)
            self.refused.emit("")
            return
        self.edited.emit(self._number())

    def _objection(self) -> str:
        number = self._number()
        if number is None:
            return "Write a number, such as 0.01."
        try:
            self.parameter.check(number)
        except InvalidParameter as error:
            return error.remedy
        return ""

    def _number(self) -> float | None:
        text = self._line.text().strip()
        for written in (text, text.replace(",", ".")):
            try:
                return float(written)
            except ValueError:
                continue
        return None


class TextsEditor(SettingEditor):
    """Several texts in one line, separated by blanks; one that holds a blank stands between double quotes."""

    def __init__(self, parameter: Parameter) -> None:
        self._line = QLineEdit()
        super().__init__(parameter, self._line)
        self._shown = ""
        self._line.setPlaceholderText(_AUTOMATIC)
        self._line.editingFinished.connect(self._on_finished)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._shown = " ".join(f'"{each}"' if " " in each else each for each in value) if value else ""
        self._line.setText(self._shown)

    def set_automatic(self, found: str) -> None:
        """Say what "automatic" comes to now."""
        self._line.setPlaceholderText(_automatically(found))

    def _on_finished(self) -> None:
        text = spaced_once(self._line.text())
        if text != self._shown:
            self._shown = text
            found = _TEXTS.findall(text)
            self.edited.emit(tuple(quoted or plain for quoted, plain in found) if found else None)


_TEXTS = re.compile(r'"([^"]+)"|(\S+)')


class TextEditor(SettingEditor):
    """A text, such as the address of a service in a network, or nothing."""

    def __init__(self, parameter: Parameter) -> None:
        self._line = QLineEdit()
        super().__init__(parameter, self._line)
        self._shown = ""
        self._line.setPlaceholderText(_EXAMPLE_ADDRESS if parameter.kind == "address" else _AUTOMATIC)
        self._line.editingFinished.connect(self._on_finished)
        self._line.textEdited.connect(self._on_typed)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._shown = value or ""
        if self._line.text() != self._shown:
            self._line.setText(self._shown)

    def set_automatic(self, found: str) -> None:
        """Say what "automatic" comes to now."""
        self._line.setPlaceholderText(_automatically(found))

    def _on_typed(self) -> None:
        self.refused.emit(self._objection())

    def _on_finished(self) -> None:
        text = self._line.text().strip()
        if text == self._shown:
            return
        if self._objection():
            self._line.setText(self._shown)
            self.refused.emit("")
            return
        self._shown = text
        self.edited.emit(text or None)

    def _objection(self) -> str:
        try:
            self.parameter.check(self._line.text().strip() or None)
        except InvalidParameter as error:
            return error.remedy
        return ""


def editor_for(parameter: Parameter) -> SettingEditor:
    """Make the editor that suits a setting."""
    if parameter.kind == "flag":
        return OptionalFlagEditor(parameter) if parameter.optional else FlagEditor(parameter)
    makers = {
        "choice": ChoiceEditor,
        "integer": IntegerEditor,
        "number": NumberEditor,
        "texts": TextsEditor,
        "text": TextEditor,
        "address": TextEditor,
    }
    return makers[parameter.kind](parameter)


def _name_automatic(combo: QComboBox, found: str) -> None:
    if combo.itemData(0) is None:
        combo.setItemText(0, _automatically(found))


def _automatically(found: str) -> str:
    return f"{_AUTOMATIC}: {found}" if found else _AUTOMATIC


def _is_stray_wheel(watched: QObject, event: QEvent) -> bool:
    if event.type() != QEvent.Type.Wheel:
        return False
    parent = watched.parent()
    if parent is not None:
        QApplication.sendEvent(parent, event)
    return True
