"""A part of a page that writes files: it asks where to, and tells what came of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from clcd_gui.plots.figure import FIGURE_FORMATS, Figure
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.lane import WritingLane
from clcd_gui.run.writing import write_drawing
from clcd_gui.widgets.dialogs import SAVE_FOLDER, ExportDialogs
from engine.errors import EngineError
from engine.translation import _


class FileWriter(QWidget):
    """Writes files beside the window."""

    written = Signal(tuple)
    failed = Signal(RunFailure)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dialogs = ExportDialogs()
        self._lane = WritingLane(name, self)
        self._lane.succeeded.connect(self._on_written)
        self._lane.failed.connect(self.failed)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shut_down)

    def shut_down(self) -> None:
        """Wait until a file that is being written is whole."""
        self._lane.shut_down()

    def _choose_file(self, title: str, name: str) -> Path | None:
        """Ask for a file."""
        path = self.dialogs.choose_file(self.window(), title, SAVE_FOLDER.path / name)
        if path is not None:
            SAVE_FOLDER.remember(path.parent)
        return path

    def _choose_folder(self, title: str) -> Path | None:
        """Ask for a folder."""
        folder = self.dialogs.choose_folder(self.window(), title, SAVE_FOLDER.path)
        if folder is not None:
            SAVE_FOLDER.remember(folder)
        return folder

    def _write_figure(self, figure: Figure | None, name: str, ending: str, nothing: EngineError) -> None:
        """Paint a picture and write it in the format that an ending names, or say why there is none."""
        if figure is None:
            self.failed.emit(failure_of(nothing))
            return
        title, draw = FIGURE_FORMATS[ending]
        path = self._choose_file(_(title), f"{name}{ending}")
        if path is None:
            return
        try:
            self._lane.start(partial(write_drawing, draw(figure), path))
        except EngineError as error:
            self.failed.emit(failure_of(error))

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        if paths:
            self.written.emit(paths)
