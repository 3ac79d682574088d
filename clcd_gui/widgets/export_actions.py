"""Export: one action for every kind of file, made from the engine's registry, and pictures of the views."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from clcd_gui.plots.figure import FIGURE_WRITERS, Figure
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.lane import Lane
from clcd_gui.run.progress import SharedProgress
from clcd_gui.style.text import set_tooltip
from clcd_gui.widgets.dialogs import ExportDialogs, documents_folder
from engine.discovery.result import DiscoveryResult
from engine.errors import EngineError
from engine.preparation.settings import PreparationSettings
from engine.reporting.registry import ExportFormat, export, export_file, export_formats
from engine.table.dataset import Dataset

FigureSource = Callable[[], Figure | None]
_FIGURE_TITLES = {"graph": "Graph", "grid": "Grid"}
_UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_STEM = 60


@dataclass(frozen=True, slots=True)
class _WriteFile:
    """A job: one file."""

    result: DiscoveryResult
    path: Path
    format_name: str
    preparation: PreparationSettings | None
    source: Dataset | None

    def __call__(self, _progress: SharedProgress) -> tuple[Path, ...]:
        path = export_file(
            self.result, self.path, self.format_name, preparation=self.preparation, source=self.source
        )
        return (path,)


@dataclass(frozen=True, slots=True)
class _WriteFolder:
    """A job: a whole folder."""

    result: DiscoveryResult
    folder: Path
    also: tuple[str, ...]
    preparation: PreparationSettings | None
    source: Dataset | None

    def __call__(self, _progress: SharedProgress) -> tuple[Path, ...]:
        return export(
            self.result, self.folder, preparation=self.preparation, source=self.source, also=self.also
        )


class ExportActions(QWidget):
    """Holds the export menu; it has no look of its own.

    Parameters
    ----------
    parent : QWidget
        Over which the file dialogs appear.
    dialogs : ExportDialogs, optional
        Asks for file names.
    """

    written = Signal(tuple)
    failed = Signal(RunFailure)

    def __init__(self, parent: QWidget, dialogs: ExportDialogs | None = None) -> None:
        super().__init__(parent)
        self.hide()
        self.dialogs = dialogs or ExportDialogs()
        self._result: DiscoveryResult | None = None
        self._preparation: PreparationSettings | None = None
        self._source: Dataset | None = None
        self._figures: dict[str, FigureSource] = {}
        self._folder = documents_folder()
        self._lane = Lane("export", self)
        self._lane.succeeded.connect(self.written)
        self._lane.failed.connect(self.failed)
        self.actions_by_name: dict[str, QAction] = {}
        self.menu = QMenu("Export", self)
        self.menu.setToolTipsVisible(True)
        self._fill_menu()
        self.set_result(None)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shut_down)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being written."""
        return self._lane.is_busy

    def set_result(
        self,
        result: DiscoveryResult | None,
        preparation: PreparationSettings | None = None,
        source: Dataset | None = None,
    ) -> None:
        """Export another result.

        Parameters
        ----------
        result : DiscoveryResult or None
            What was found.
        preparation : PreparationSettings, optional
            How the table was made ready, so that the files say so.
        source : Dataset, optional
            The table as it was read, whose values go into data files.
        """
        self._result, self._preparation, self._source = result, preparation, source
        formats = export_formats()
        for name, action in self.actions_by_name.items():
            has_content = name not in formats or (result is not None and formats[name].has_content(result))
            action.setEnabled(result is not None and has_content)

    def set_figures(self, sources: Mapping[str, FigureSource]) -> None:
        """Say where the pictures come from: ``"graph"`` and ``"grid"``."""
        self._figures = dict(sources)

    def shut_down(self) -> None:
        """Wait until a file that is being written is whole."""
        self._lane.shut_down()

    def _fill_menu(self) -> None:
        formats = export_formats()
        self._add("folder", self.menu, "Everything into a folder…", self._export_folder)
        self.menu.addSeparator()
        tables = self.menu.addMenu("Tables")
        pictures = {name: self.menu.addMenu(title) for name, title in _FIGURE_TITLES.items()}
        features = self.menu.addMenu("All linked variables")
        self.menu.addSeparator()
        menus = {"graph": pictures["graph"], "result": self.menu, "report": self.menu}
        for menu in (tables, features, *pictures.values()):
            menu.setToolTipsVisible(True)
        for name, menu in pictures.items():
            for ending, (title, _) in FIGURE_WRITERS.items():
                key = f"{name}{ending}"
                self._add(key, menu, f"{title}…", partial(self._export_figure, name, ending))
        for name, each in formats.items():
            parent_menu = menus.get(name, features if name.startswith(("features", "data")) else tables)
            action = self._add(name, parent_menu, f"{each.title}…", partial(self._export_format, each))
            set_tooltip(action, each.help)

    def _add(self, name: str, menu: QMenu, title: str, act: Callable[[], None]) -> QAction:
        action = QAction(title, self)
        action.triggered.connect(lambda _checked=False: act())
        menu.addAction(action)
        self.actions_by_name[name] = action
        return action

    def _export_format(self, chosen: ExportFormat) -> None:
        if self._result is None:
            return
        path = self._ask_file(chosen.title, chosen.file_name)
        if path is not None:
            self._lane.start(_WriteFile(self._result, path, chosen.name, self._preparation, self._source))

    def _export_folder(self) -> None:
        if self._result is None:
            return
        folder = self.dialogs.choose_folder(self._window(), "Everything into a folder", self._folder)
        if folder is None:
            return
        self._folder = folder
        self._lane.start(_WriteFolder(self._result, folder, ("tables",), self._preparation, self._source))

    def _export_figure(self, name: str, ending: str) -> None:
        figure = self._figures[name]() if name in self._figures else None
        if figure is None:
            error = EngineError(
                f"there is nothing in the {name} to draw.", remedy="Take filters away, or run again."
            )
            self.failed.emit(failure_of(error))
            return
        title, write = FIGURE_WRITERS[ending]
        path = self._ask_file(title, f"{name}{ending}")
        if path is None:
            return
        try:
            write(figure, path)
        except EngineError as error:
            self.failed.emit(failure_of(error))
        else:
            self.written.emit((path,))

    def _ask_file(self, title: str, file_name: str) -> Path | None:
        suggested = self._folder / f"{self._stem()}{file_name}"
        path = self.dialogs.choose_file(self._window(), title, suggested)
        if path is not None:
            self._folder = path.parent
        return path

    def _stem(self) -> str:
        stem = file_stem(self._result.dataset.name) if self._result is not None else ""
        return f"{stem} " if stem else ""

    def _window(self) -> QWidget | None:
        parent = self.parentWidget()
        return None if parent is None else parent.window()


def file_stem(name: str) -> str:
    """Make of a table's name the beginning of a file's name.

    Examples
    --------
    >>> file_stem("ward/3: emotions.arff")
    '3 emotions'
    """
    return " ".join(_UNSAFE.sub(" ", Path(name).stem).split())[:_LONGEST_STEM]
