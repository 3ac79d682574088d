"""At how many features selectors are compared: percentages in one line."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtWidgets import QLineEdit

from clcd_gui.widgets.setting_editors import SettingEditor
from engine.comparison.selectors.settings import PERCENTAGES, SelectionComparisonSettings
from engine.errors import InvalidParameter
from engine.parameters import Parameter

_BETWEEN = re.compile(r"[^\d.]+")
PERCENTAGES_SETTING = Parameter(
    "percentages",
    "Percentages",
    "How many features the others are judged at, in percent of all; CLCD-FS says itself how many.",
    PERCENTAGES,
    "numbers",
)


class PercentagesEditor(SettingEditor):
    """Edits ``SelectionComparisonSettings.percentages``."""

    def __init__(self) -> None:
        self._line = QLineEdit()
        super().__init__(PERCENTAGES_SETTING, self._line)
        self._shown = ""
        self._line.editingFinished.connect(self._on_finished)
        self._line.textEdited.connect(self._on_typed)

    def set_value(self, value: Any) -> None:
        """Show a value."""
        self._shown = ", ".join(f"{each:g}" for each in value)
        if self._line.text() != self._shown:
            self._line.setText(self._shown)

    def _on_typed(self) -> None:
        self.refused.emit("" if self._percentages() else "Write numbers above 0 and at most 100: 5, 10, 20.")

    def _on_finished(self) -> None:
        if self._line.text() == self._shown:
            return
        found = self._percentages()
        if found:
            self.set_value(found)
            self.edited.emit(found)
        else:
            self._line.setText(self._shown)
            self.refused.emit("")

    def _percentages(self) -> tuple[float, ...]:
        """Return what is written; empty where it cannot be taken."""
        try:
            written = tuple(float(part) for part in _BETWEEN.split(self._line.text()) if part)
            return SelectionComparisonSettings(percentages=written).percentages
        except (ValueError, InvalidParameter):
            return ()
