"""Writing charts, selected features and reduced tables; nothing in here knows of Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from clcd_gui.document.analysis import Analysis
from clcd_gui.run.reporting import DrawingProcess
from engine.discovery.run_comparison import RunComparison
from engine.progress import SharedProgress
from engine.reporting.figures.chart import Chart
from engine.reporting.selection_formats import ExportedSelection, SelectionFormat, TableLayout, write_formats
from engine.selection.result import Selection as FeatureSelection


def write_chart(
    chart: Chart, path: Path, process: DrawingProcess, progress: SharedProgress
) -> tuple[Path, ...]:
    """Write a chart in the format that the ending of a path names, and return the path."""
    from engine.reporting.figures.figure_files import CHART_WRITERS

    _, write = CHART_WRITERS[path.suffix.lower()]
    process.ask(write, chart, path, progress=progress)
    return (path,)


def write_drawing(write: Callable[[Path], None], path: Path, _progress: SharedProgress) -> tuple[Path, ...]:
    """Write a picture that the window has painted, and return its path."""
    write(path)
    return (path,)


def write_run_comparison(
    comparison: RunComparison, folder: Path, _progress: SharedProgress
) -> tuple[Path, ...]:
    """Write what differs between two runs, all files or none, and return their paths."""
    from engine.reporting.run_comparison import write_comparison

    return write_comparison(comparison, folder)


def write_selection(
    selection: FeatureSelection,
    searched: Analysis,
    folder: Path,
    formats: tuple[str, ...],
    layout: TableLayout,
    process: DrawingProcess,
    drawings: Iterable[Callable[[SharedProgress], tuple[Path, ...]]],
    progress: SharedProgress,
) -> tuple[Path, ...]:
    """Write the files that a person ticked, then pictures, all of them or none, and return their paths.

    `process` makes the formats that need a large library; `folder` is made when it does not exist.
    """
    content = ExportedSelection(selection, searched.preparation, searched.dataset, layout)

    def write(chosen: SelectionFormat, draft: Path) -> None:
        if chosen.drawn is None:
            chosen.write(content, draft)
        else:
            process.ask(chosen.drawn.draw, chosen.drawn.content(content), draft, progress=progress)

    paths = write_formats(content, folder, formats, write)
    return (*paths, *(path for write_picture in drawings for path in write_picture(progress)))
