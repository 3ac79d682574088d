"""The open document with everything that works on it, apart from any window."""

from __future__ import annotations

from PySide6.QtCore import QObject

from clcd_gui.document.document import Document
from clcd_gui.run.controller import Controller
from clcd_gui.run.live import Live
from clcd_gui.run.opening import Opening
from clcd_gui.run.running import Repeating, Running
from clcd_gui.run.selecting import Selecting


class Session(QObject):
    """Owns document, threads, opening and running.

    Attributes
    ----------
    document : Document
    controller : Controller
    opening : Opening
    running : Running
    live : Live
    selecting : Selecting
    repeating : Repeating
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = Document(self)
        self.controller = Controller(self)
        self.opening = Opening(self.document, self.controller.files, self)
        self.running = Running(self.document, self.controller, self.opening, self)
        self.live = Live(self.document, self.controller, self.opening, self)
        self.selecting = Selecting(self.document, self.controller, self)
        self.repeating = Repeating(self.document, self.controller, self)
