"""The choice of the level that counts as the event of a column."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from clcd_gui.document.columns import event_tooltip
from clcd_gui.style.text import muted, plain, set_tooltip
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.named_combo_box import NamedComboBox
from engine.table.variable import EventFrom, Variable

_QUESTION = "What counts as the event"
_UNKNOWN = "Not decided"
_NOT_KNOWN = "The names of the levels do not tell."
_BY_NAMES = "As the names of the levels say"


class EventChoiceRow(QWidget):
    """Offers the two levels of a column; hidden for any other column.

    Signals
    -------
    chosen
        With the level; empty lets the names of the levels decide.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = NamedComboBox()
        self.box.setAccessibleName(_QUESTION)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.reason = muted("")
        self.reason.setWordWrap(False)
        name = plain(_QUESTION)
        name.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(name)
        row.addWidget(self.box)
        row.addWidget(self.reason, 1)
        self.box.activated.connect(self._on_chosen)
        self.setVisible(False)

    def set_variable(self, variable: Variable | None) -> None:
        """Show the event of a column; None hides the choice."""
        has_two = variable is not None and len(variable.levels) == 2
        self.setVisible(has_two)
        if variable is None or not has_two:
            return
        with QSignalBlocker(self.box):
            self.box.clear()
            if variable.event is None:
                self.box.addItem(_UNKNOWN, "")
            for level in variable.levels:
                self.box.addItem(level, level)
            if variable.event_from is EventFrom.GIVEN:
                self.box.addItem(_BY_NAMES, "")
            self.box.setCurrentIndex(max(self.box.findData(variable.event or ""), 0))
        self.reason.setText(_NOT_KNOWN if variable.event is None else event_tooltip(variable))
        set_tooltip(self.box, "Directions and estimates speak of this level")

    def _on_chosen(self) -> None:
        self.chosen.emit(str(self.box.currentData()))
