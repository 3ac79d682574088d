"""The comparison of selectors inside the window: made when somebody looks, and following the open table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from clcd_gui.run.session import Session

if TYPE_CHECKING:
    from clcd_gui.views.comparison_panel import ComparisonPanel


class ComparisonTab(QWidget):
    """Holds a :class:`ComparisonPanel` from the first time that it is shown.

    Parameters
    ----------
    session : Session
        Whose table is compared on.
    """

    step_requested = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._panel: ComparisonPanel | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        for signal in (session.document.analysis_changed, session.document.closed):
            signal.connect(self._follow)

    @property
    def panel(self) -> ComparisonPanel | None:
        """What is shown; None as long as nobody looked."""
        return self._panel

    def showEvent(self, event: QShowEvent) -> None:
        """Make the panel the first time: few people need it, and its parts take a moment to load."""
        if self._panel is None:
            from clcd_gui.views.comparison_panel import ComparisonPanel

            controller = self._session.controller
            self._panel = ComparisonPanel(controller.comparison, controller.kept_runs)
            self._panel.step_requested.connect(self.step_requested)
            self._layout.addWidget(self._panel)
            self._follow()
        super().showEvent(event)

    def _follow(self) -> None:
        if self._panel is not None:
            analysis = self._session.document.analysis
            self._panel.set_dataset(analysis.dataset if analysis is not None else None)
