"""Ticks for names, of which a person chooses several."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from clcd_gui.style.text import set_tooltip
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
        """Make the ticks."""
        super().__init__(parent)
        self.setAccessibleName(title)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setColumnStretch(_COLUMNS, 1)
        self._columns = _COLUMNS
        self._boxes: dict[str, QCheckBox] = {}
        for name, text, help_text in entries:
            box = QCheckBox(text)
            set_tooltip(box, help_text)
            box.setAccessibleDescription(help_text)
            box.setChecked(ticked is None or name in ticked)
            box.toggled.connect(self.changed)
            self._boxes[name] = box
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """Allow it to become as narrow as its longest name."""
        return QSize(self._widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many side by side as there is room for."""
        super().resizeEvent(event)
        fitting = min(max(self.width() // (self._widest + SPACE_LARGE), 1), _COLUMNS)
        if fitting != self._columns:
            self._columns = fitting
            self._arrange()

    @property
    def _widest(self) -> int:
        return max((box.sizeHint().width() for box in self._boxes.values()), default=0)

    def _arrange(self) -> None:
        for number, box in enumerate(self._boxes.values()):
            self._grid.addWidget(box, number // self._columns, number % self._columns)

    def box(self, name: str) -> QCheckBox:
        """Return the tick of a name."""
        return self._boxes[name]

    def tick_all(self) -> None:
        """Tick every name."""
        for box in self._boxes.values():
            box.setChecked(True)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names that are ticked, in order."""
        return tuple(name for name, box in self._boxes.items() if box.isChecked())
