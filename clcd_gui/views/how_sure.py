"""The button that asks how sure the findings are, with how often the search is to be repeated."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from clcd_gui.core.number_format import count_text
from clcd_gui.style import icons
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.themes import colours
from engine.discovery.stability.settings import StabilitySettings

_HELP = (
    "Search random halves of the rows again and count how often each variable is found again.\n"
    "What comes back whichever rows are drawn does not hang on a few of them."
)
_HEADING = "Search random halves of the rows again"
_CHOICES = {20: "for a first look", 50: "as usual", 200: "for fine differences"}


class HowSureButton(QPushButton):
    """Opens a menu of how often to repeat the search.

    Signals
    -------
    chosen
        With the settings of the repetition.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("How sure?", parent)
        self.repetitions = QMenu("How sure?", self)
        self.repetitions.setToolTipsVisible(True)
        heading = self.repetitions.addAction(_HEADING)
        heading.setEnabled(False)
        self.actions_by_number: dict[int, QAction] = {}
        for number, purpose in _CHOICES.items():
            action = self.repetitions.addAction(f"{count_text(number)} times, {purpose}")
            action.triggered.connect(partial(self._choose, number))
            self.actions_by_number[number] = action
        self.setMenu(self.repetitions)
        icons.assign(self, "repeat", colours(), "text")
        self.set_hindrance("")

    def set_hindrance(self, reason: str) -> None:
        """Say what it waits for; empty allows it."""
        self.setEnabled(not reason)
        set_tooltip(self, reason or _HELP)
        self.setAccessibleDescription(reason or _HELP)
        self.repetitions.setEnabled(not reason)

    def _choose(self, number: int, _checked: bool = False) -> None:
        self.chosen.emit(StabilitySettings(resamples=number))
