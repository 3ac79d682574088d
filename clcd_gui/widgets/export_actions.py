"""Export: one action for every kind of file, made from the engine's registry, and pictures of the views."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from clcd_gui.document.analysis import Analysis
from clcd_gui.plots.figure import FIGURE_FORMATS, Figure
from clcd_gui.run.reporting import DrawingProcess, write_files, write_format
from clcd_gui.style.text import set_tooltip
from clcd_gui.widgets.controls import Menu, add_menu
from clcd_gui.widgets.dialogs import SAVE_FOLDER
from clcd_gui.widgets.file_writer import FileWriter
from clcd_gui.wording.text import spaced_once
from engine.atomic import atomic_path
from engine.errors import EngineError
from engine.progress import SharedProgress
from engine.reporting.export_formats import ExportFormat, export_formats, folder_formats
from engine.reporting.tables import ResultContext
from engine.translation import N_, _

FigureSource = Callable[[], Figure | None]
_FIGURE_TITLES = {"graph": N_("Graph"), "grid": N_("Grid")}
_NOTHING_IN = {
    "graph": N_("there is nothing in the graph to draw."),
    "grid": N_("there is nothing in the grid to draw."),
}
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


class ExportActions(FileWriter):
    """Holds the export menu; it has no look of its own."""

    def __init__(self, parent: QWidget, process: DrawingProcess) -> None:
        super().__init__("export", parent)
        self.hide()
        self._process = process
        self._analysis: ResultContext | None = None
        self._figures: Mapping[str, FigureSource] = {}
        self.actions_by_name: dict[str, QAction] = {}
        self.menu = Menu(_("Export"), self)
        self.menu.setToolTipsVisible(True)
        self._fill_menu()
        self.set_analysis(None)

    def set_analysis(self, analysis: ResultContext | None) -> None:
        """Export another result, and what it was computed from."""
        self._analysis = analysis
        formats = export_formats()
        for name, action in self.actions_by_name.items():
            is_whole = name not in formats
            can = analysis is not None and (is_whole or formats[name].can_be_made_of(analysis))
            action.setEnabled(can)

    def set_figures(self, sources: Mapping[str, FigureSource]) -> None:
        """Say where the pictures come from: ``"graph"`` and ``"grid"``."""
        self._figures = sources

    def _fill_menu(self) -> None:
        formats = export_formats()
        self._add("folder", self.menu, _("Everything into a folder…"), self._export_folder)
        self.menu.addSeparator()
        tables = add_menu(_("Tables"), self.menu)
        pictures = {name: add_menu(_(title), self.menu) for name, title in _FIGURE_TITLES.items()}
        figures = add_menu(_("Figures"), self.menu)
        features = add_menu(_("All linked variables"), self.menu)
        paper = add_menu(_("For a paper"), self.menu)
        again = add_menu(_("To do it again"), self.menu)
        self.menu.addSeparator()
        menus = {"graph": pictures["graph"], **dict.fromkeys(_OF_THE_WHOLE, self.menu)}
        menus |= dict.fromkeys(_FOR_A_PAPER, paper) | dict.fromkeys(_AGAIN, again)
        menus |= {name: figures for name in formats if name.startswith(_FIGURES)}
        for menu in (tables, figures, features, paper, again, *pictures.values()):
            menu.setToolTipsVisible(True)
        for name, menu in pictures.items():
            for ending, (title, _write) in FIGURE_FORMATS.items():
                key = f"{name}{ending}"
                self._add(key, menu, f"{_(title)}…", partial(self._export_figure, name, ending))
        for name, export_format in formats.items():
            parent_menu = menus.get(name, features if name.startswith(("features", "data")) else tables)
            action = self._add(
                name, parent_menu, f"{export_format.title}…", partial(self._export_format, export_format)
            )
            set_tooltip(action, _(export_format.help))

    def _add(self, name: str, menu: QMenu, title: str, act: Callable[[], None]) -> QAction:
        action = QAction(title, self)
        action.triggered.connect(lambda _checked=False: act())
        menu.addAction(action)
        self.actions_by_name[name] = action
        return action

    def _export_format(self, chosen: ExportFormat) -> None:
        if self._analysis is None:
            return
        path = self._choose_file(chosen.title, chosen.file_name)
        if path is not None:
            self._lane.start(_WriteFile(self._analysis, path, chosen.name, self._process))

    def _export_folder(self) -> None:
        if self._analysis is None:
            return
        folder = self._choose_folder(_("Everything into a folder"))
        if folder is None:
            return
        names = tuple(
            folder_format.name for folder_format in folder_formats(self._analysis.result, also=("tables",))
        )
        there = [path for name in names if (path := folder / export_formats()[name].file_name).exists()]
        if not there or self.dialogs.may_replace(self.window(), there):
            self._lane.start(partial(write_files, self._analysis, folder, names, self._process))

    def _export_figure(self, name: str, ending: str) -> None:
        figure = self._figures[name]() if name in self._figures else None
        nothing = EngineError(_(_NOTHING_IN[name]), remedy=_("Remove the filters, or run again."))
        self._write_figure(figure, name, ending, nothing)

    def _choose_file(self, title: str, name: str) -> Path | None:
        stem = "" if self._analysis is None else file_stem(self._analysis.result.dataset.name)
        return super()._choose_file(title, f"{stem} {name}".lstrip())


def export_folder(searched: Analysis | None, content: str) -> Path:
    """Return the folder that is offered for files of a result, named by its table and what they hold."""
    stem = "" if searched is None else file_stem(searched.dataset.name)
    return SAVE_FOLDER.of_files(content, f"{stem} {content}".strip())


def file_stem(name: str) -> str:
    """Make of a table's name the beginning of a file's name.

    >>> file_stem("ward/3: emotions.arff")
    '3 emotions'
    """
    return spaced_once(_UNSAFE.sub(" ", Path(name).stem))[:_LONGEST_STEM]
