"""The steps at the left: where one is, what is ready, and what waits for what."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.style import icons, themes
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.text import plain
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.views.elided_label import ElidedLabel

_RAIL_LETTERS = 27
_ICON_SIZE = 22


@dataclass(frozen=True, slots=True)
class StepDescription:
    """One step of the way.

    Attributes
    ----------
    name : str
        Key.
    title : str
        Caption.
    icon : str
        Name of its icon.
    """

    name: str
    title: str
    icon: str


class StepButton(QPushButton):
    """One step, with a line that says how it stands."""

    def __init__(self, step: StepDescription, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step = step
        self._ready = False
        self.setCheckable(True)
        self.setProperty("look", "step")
        self.setAccessibleName(step.title)
        self._mark = plain()
        self._title = ElidedLabel(step.title)
        self._standing = ElidedLabel()
        self._standing.setProperty("look", "muted")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._standing)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(SPACE)
        layout.addWidget(self._mark)
        layout.addLayout(words, 1)
        for child in (self._mark, self._title, self._standing):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._paint_mark()

    def set_standing(self, text: str, ready: bool) -> None:
        """Say how the step stands, and whether it is done."""
        if (text, ready) == (self._standing.text(), self._ready):
            return
        self._ready = ready
        self._standing.setText(text)
        self.setAccessibleDescription(text)
        set_tooltip(self, f"{self.step.title}: {text}" if text else self.step.title)
        self._paint_mark()

    def sizeHint(self) -> QSize:
        """Ask for the room that the two lines need."""
        return self.layout().sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_mark()

    def _paint_mark(self) -> None:
        chosen = themes.colours(self.palette())
        colour = chosen.accent if self._ready else chosen.muted
        name = "done" if self._ready else self.step.icon
        self._mark.setPixmap(icons.pixmap(name, colour, _ICON_SIZE, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(_ICON_SIZE, _ICON_SIZE))


class StepRail(QFrame):
    """All steps, one of them current.

    Parameters
    ----------
    steps : tuple of StepDescription
    """

    chosen = Signal(str)

    def __init__(self, steps: tuple[StepDescription, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "rail")
        self._fit()
        self.setAccessibleName("Steps")
        self._group = QButtonGroup(self)
        self._buttons: dict[str, StepButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(SPACE_SMALL)
        for step in steps:
            button = StepButton(step)
            self._buttons[step.name] = button
            self._group.addButton(button)
            layout.addWidget(button)
        layout.addStretch(1)
        self._group.buttonClicked.connect(self._on_clicked)

    def button(self, name: str) -> StepButton:
        """Give the button of a step."""
        return self._buttons[name]

    def set_current(self, name: str) -> None:
        """Mark where one is; a name that is no step marks none."""
        if name in self._buttons:
            self._buttons[name].setChecked(True)
            return
        self._group.setExclusive(False)
        for button in self._buttons.values():
            button.setChecked(False)
        self._group.setExclusive(True)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self.setFixedWidth(self.fontMetrics().averageCharWidth() * _RAIL_LETTERS)

    def _on_clicked(self, button: StepButton) -> None:
        self.chosen.emit(button.step.name)
