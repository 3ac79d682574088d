"""A slider that stops at given values, on the scale of ratios where these rise so."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from clcd_gui.core.levels import nearest_step
from clcd_gui.style.literal_text import set_tooltip
from engine.parameters import Parameter

_STEPS_A_PAGE = 5


class StepSlider(QSlider):
    """Chooses one of the steps of a parameter.

    Each drag is a gesture of its own, and so is each stay with the keyboard: what belongs to one gesture is
    undone together.

    Parameters
    ----------
    parameter : Parameter
        With steps.
    """

    chosen = Signal(float, str)

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._steps = parameter.steps
        self._gestures = 0
        self._shown = parameter.default
        self.setRange(0, len(self._steps) - 1)
        self.setPageStep(_STEPS_A_PAGE)
        self.setAccessibleName(parameter.title)
        set_tooltip(self, f"{parameter.help}\nFrom {self._steps[0]:g} to {self._steps[-1]:g}.")
        self.set_value(parameter.default)
        self.sliderPressed.connect(self._begin_gesture)
        self.valueChanged.connect(self._on_moved)

    def set_value(self, value: float) -> None:
        """Show a value without saying that it was chosen; one between two steps is shown at the nearest."""
        self._shown = value
        self.blockSignals(True)
        self.setValue(nearest_step(self._steps, value))
        self.blockSignals(False)
        self.setAccessibleDescription(f"{value:g}")

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin a gesture of the keyboard."""
        super().focusInEvent(event)
        self._begin_gesture()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page: scrolling past must not change a setting."""
        event.ignore()

    def _begin_gesture(self) -> None:
        self._gestures += 1

    def _on_moved(self, place: int) -> None:
        value = self._steps[place]
        if value != self._shown:
            self._shown = value
            self.setAccessibleDescription(f"{value:g}")
            self.chosen.emit(value, f"#{id(self)}.{self._gestures}")
