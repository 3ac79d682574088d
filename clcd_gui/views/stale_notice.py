"""The notice that what is shown is from earlier settings, with the button that runs the analysis again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.views.notice import Notice


class StaleNotice(Notice):
    """Says which setting changed since the run.

    Parameters
    ----------
    what : str
        What is shown, as a sentence begins with it.
    """

    run_requested = Signal()

    def __init__(self, what: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._what = what
        self.button: QPushButton | None = None
        self._can_run, self._why_not = True, ""

    def set_reason(self, reason: str | None) -> None:
        """Say what changed; None takes the notice away."""
        if reason is None:
            self.button = None
            self.hide_text()
            return
        text = f"{self._what} from earlier settings. {reason}".strip()
        self.show_text(text, "warning", closable=False)
        self.button = self.add_action("Run again", self.run_requested.emit)
        self._allow_run()

    def set_can_run(self, possible: bool, reason: str = "") -> None:
        """Allow Run, or say what it waits for."""
        self._can_run, self._why_not = possible, reason
        self._allow_run()

    def _allow_run(self) -> None:
        if self.button is not None:
            self.button.setEnabled(self._can_run)
            set_tooltip(self.button, "" if self._can_run else self._why_not)
