"""A row of ticks, one a name of a registry."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.tokens import SPACE_LARGE

_COLUMNS = 3


class NameBoxes(QWidget):
    """Lets a person choose several of some names."""

    changed = Signal()

    def __init__(
        self,
        title: str,
        entries: Iterable[tuple[str, str, str]],
        parent: QWidget | None = None,
        ticked: Collection[str] | None = None,
    ):
        """Make the ticks.

        Parameters
        ----------
        title : str
            What is chosen, for screen readers.
        entries : iterable of (str, str, str)
            Name, title and help of each.
        parent : QWidget, optional
        ticked : collection of str, optional
            Names that are ticked at first; all, unless said.
        """
        super().__init__(parent)
        self.setAccessibleName(title)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE_LARGE)
        grid.setColumnStretch(_COLUMNS, 1)
        self._boxes: dict[str, QCheckBox] = {}
        for place, (name, text, help_text) in enumerate(entries):
            box = QCheckBox(text)
            set_tooltip(box, help_text)
            box.setAccessibleDescription(help_text)
            box.setChecked(ticked is None or name in ticked)
            box.toggled.connect(self.changed)
            grid.addWidget(box, place // _COLUMNS, place % _COLUMNS)
            self._boxes[name] = box

    def box(self, name: str) -> QCheckBox:
        """Give the tick of a name."""
        return self._boxes[name]

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names that are ticked, in order."""
        return tuple(name for name, box in self._boxes.items() if box.isChecked())
