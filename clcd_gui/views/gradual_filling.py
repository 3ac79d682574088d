"""Fills the panels of a page one by one, so that much to show never holds up the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QTabWidget, QWidget


class GradualFilling(QObject):
    """Fills the panel that is looked at when it is looked at, and the others in quiet moments.

    Parameters
    ----------
    tabs : QTabWidget
        Holds the panels.
    fill : callable
        Fills one panel.
    """

    def __init__(self, tabs: QTabWidget, fill: Callable[[QWidget], None]) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._fill = fill
        self._due: list[QWidget] = []
        self._later = QTimer(self)
        self._later.setInterval(0)
        self._later.timeout.connect(self._fill_next)
        tabs.currentChanged.connect(lambda _place: self.fill(tabs.currentWidget()))

    @property
    def is_done(self) -> bool:
        """Whether every panel holds what it is to show."""
        return not self._due

    def is_due(self, panel: QWidget) -> bool:
        """Tell whether a panel still waits."""
        return panel in self._due

    def begin(self, panels: Sequence[QWidget]) -> None:
        """Fill these panels, that which is looked at first; others that were due are left as they are."""
        self._due = list(panels)
        self.fill(self._tabs.currentWidget())
        self._later.start()

    def fill(self, panel: QWidget) -> None:
        """Fill a panel now, unless that was done."""
        if panel in self._due:
            self._due.remove(panel)
            self._fill(panel)

    def _fill_next(self) -> None:
        if self._due:
            self.fill(self._due[0])
        if not self._due:
            self._later.stop()
