"""Writing charts, selected features and reduced tables; nothing in here knows of Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clcd_gui.document.analysis import Analysis
from clcd_gui.run.reporting import DrawingProcess
from engine.discovery.run_comparison import RunComparison
from engine.progress import SharedProgress
from engine.reporting.figures.chart import Chart
from engine.reporting.selection_formats import ExportedSelection, SelectionFormat, TableLayout, write_formats
from engine.selection.result import Selection as FeatureSelection


@dataclass(frozen=True, slots=True)
class WriteChart:
    """Write a chart in the format that the ending of a path names."""

    chart: Chart
    path: Path
    process: DrawingProcess

    def __call__(self, progress: SharedProgress) -> tuple[Path, ...]:
        """Write the picture and return its path."""
        from engine.reporting.figures.figure_files import CHART_WRITERS

        _, write = CHART_WRITERS[self.path.suffix.lower()]
        self.process.ask(write, self.chart, self.path, progress=progress)
        return (self.path,)


@dataclass(frozen=True, slots=True)
class WriteDrawing:
    """Write a picture that the window has painted."""

    write: Callable[[Path], None]
    path: Path

    def __call__(self, _progress: SharedProgress) -> tuple[Path, ...]:
        """Write the picture and return its path."""
        self.write(self.path)
        return (self.path,)


@dataclass(frozen=True, slots=True)
class WriteRunComparison:
    """Write what differs between two runs, all files or none."""

    comparison: RunComparison
    folder: Path

    def __call__(self, _progress: SharedProgress) -> tuple[Path, ...]:
        """Write the files and return their paths."""
        from engine.reporting.run_comparison import write_comparison

        return write_comparison(self.comparison, self.folder)


@dataclass(frozen=True, slots=True)
class WriteSelection:
    """Write the files that a person ticked, all of them or none.

    Attributes
    ----------
    selection : FeatureSelection
    searched : Analysis
        What the selection was made from: its table as it was read, and how that was prepared.
    folder : Path
        Made when it does not exist.
    formats : tuple of str
        Names of the files' formats; may be empty.
    layout : TableLayout
        Where the labels stand, and whether the ARFF file is sparse.
    process : DrawingProcess
        Makes those that a large library makes.
    drawings : tuple of WriteDrawing
        Pictures that are written after them.
    """

    selection: FeatureSelection
    searched: Analysis
    folder: Path
    formats: tuple[str, ...]
    layout: TableLayout
    process: DrawingProcess
    drawings: tuple[WriteDrawing, ...] = ()

    def __call__(self, progress: SharedProgress) -> tuple[Path, ...]:
        """Write the files and return their paths."""
        content = ExportedSelection(
            self.selection, self.searched.preparation, self.searched.dataset, self.layout
        )

        def write(chosen: SelectionFormat, draft: Path) -> None:
            if chosen.drawn is None:
                chosen.write(content, draft)
            else:
                self.process.ask(chosen.drawn.draw, chosen.drawn.content(content), draft, progress=progress)

        paths = write_formats(content, self.folder, self.formats, write)
        return (*paths, *(path for each in self.drawings for path in each(progress)))
