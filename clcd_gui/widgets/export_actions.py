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

from clcd_gui.plots.figure import FIGURE_FORMATS, Figure
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.lane import WritingLane
from clcd_gui.run.reporting import DrawingProcess, WriteFiles, write_format
from clcd_gui.run.writing import WriteDrawing
from clcd_gui.style.text import set_tooltip
from clcd_gui.widgets.dialogs import ExportDialogs, documents_folder
from clcd_gui.widgets.menus import Menu, add_menu
from clcd_gui.wording.text import spaced_once
from engine.atomic import atomic_path
from engine.errors import EngineError
from engine.progress import SharedProgress
from engine.reporting.export_formats import ExportFormat, export_formats, folder_formats
from engine.reporting.tables import ResultContext

FigureSource = Callable[[], Figure | None]
_FIGURE_TITLES = {"graph": "Graph", "grid": "Grid"}
_OF_THE_WHOLE = ("result", "report", "report-pdf", "report-word")
_FOR_A_PAPER = ("methods", "bibtex", "latex")
_FIGURES = ("forest-plot", "label-sets")
_AGAIN = ("script", "command")
_UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_STEM = 60


@dataclass(frozen=True, slots=True)
class _WriteFile:
    """A job: one file."""

    analysis: ResultContext
    path: Path
    format_name: str
    process: DrawingProcess

    def __call__(self, progress: SharedProgress) -> tuple[Path, ...]:
        with atomic_path(self.path) as draft:
            write_format(self.analysis, draft, self.format_name, self.process, progress)
        return (self.path,)


class ExportActions(QWidget):
    """Holds the export menu; it has no look of its own."""

    written = Signal(tuple)
    failed = Signal(RunFailure)

    def __init__(
        self, parent: QWidget, process: DrawingProcess, dialogs: ExportDialogs | None = None
    ) -> None:
        super().__init__(parent)
        self.hide()
        self._process = process
        self.dialogs = dialogs or ExportDialogs()
        self._analysis: ResultContext | None = None
        self._figures: dict[str, FigureSource] = {}
        self._folder = documents_folder()
        self._lane = WritingLane("export", self)
        self._lane.succeeded.connect(self.written)
        self._lane.failed.connect(self.failed)
        self.actions_by_name: dict[str, QAction] = {}
        self.menu = Menu("Export", self)
        self.menu.setToolTipsVisible(True)
        self._fill_menu()
        self.set_analysis(None)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shut_down)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being written."""
        return self._lane.is_busy

    def set_analysis(self, analysis: ResultContext | None) -> None:
        """Export another result, and what it was computed from."""
        self._analysis = analysis
        formats = export_formats()
        for name, action in self.actions_by_name.items():
            has_content = name not in formats or (
                analysis is not None and formats[name].can_be_made_of(analysis)
            )
            action.setEnabled(analysis is not None and has_content)

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
        tables = add_menu("Tables", self.menu)
        pictures = {name: add_menu(title, self.menu) for name, title in _FIGURE_TITLES.items()}
        figures = add_menu("Figures", self.menu)
        features = add_menu("All linked variables", self.menu)
        paper = add_menu("For a paper", self.menu)
        again = add_menu("To do it again", self.menu)
        self.menu.addSeparator()
        menus = {"graph": pictures["graph"], **dict.fromkeys(_OF_THE_WHOLE, self.menu)}
        menus |= dict.fromkeys(_FOR_A_PAPER, paper) | dict.fromkeys(_AGAIN, again)
        menus |= {name: figures for name in formats if name.startswith(_FIGURES)}
        for menu in (tables, figures, features, paper, again, *pictures.values()):
            menu.setToolTipsVisible(True)
        for name, menu in pictures.items():
            for ending, (title, _) in FIGURE_FORMATS.items():
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
        if self._analysis is None:
            return
        path = self._ask_file(chosen.title, chosen.file_name)
        if path is not None:
            self._lane.start(_WriteFile(self._analysis, path, chosen.name, self._process))

    def _export_folder(self) -> None:
        if self._analysis is None:
            return
        folder = self.dialogs.choose_folder(self._window(), "Everything into a folder", self._folder)
        if folder is None:
            return
        self._folder = folder
        names = tuple(each.name for each in folder_formats(self._analysis.result, also=("tables",)))
        there = [path for name in names if (path := folder / export_formats()[name].file_name).exists()]
        if not there or self.dialogs.may_replace(self._window(), there):
            self._lane.start(WriteFiles(self._analysis, folder, names, self._process))

    def _export_figure(self, name: str, ending: str) -> None:
        figure = self._figures[name]() if name in self._figures else None
        if figure is None:
            error = EngineError(
                f"there is nothing in the {name} to draw.", remedy="Take filters away, or run again."
            )
            self.failed.emit(failure_of(error))
            return
        title, draw = FIGURE_FORMATS[ending]
        path = self._ask_file(title, f"{name}{ending}")
        if path is None:
            return
        try:
            self._lane.start(WriteDrawing(draw(figure), path))
        except EngineError as error:
            self.failed.emit(failure_of(error))

    def _ask_file(self, title: str, file_name: str) -> Path | None:
        suggested = self._folder / f"{self._stem()}{file_name}"
        path = self.dialogs.choose_file(self._window(), title, suggested)
        if path is not None:
            self._folder = path.parent
        return path

    def _stem(self) -> str:
        stem = "" if self._analysis is None else file_stem(self._analysis.result.dataset.name)
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
    return spaced_once(_UNSAFE.sub(" ", Path(name).stem))[:_LONGEST_STEM]
