"""Reports: put together on a thread, drawn and written in a process; nothing in here knows of Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.errors import Cancelled, UnwritableFile
from engine.execution.helper_process import HelperKind, HelperProcess
from engine.execution.remembering import BoundedMemory
from engine.progress import SharedProgress
from engine.reporting.figures.chart import Chart
from engine.reporting.report.blocks import FigureBlock, Report
from engine.reporting.tables import ResultContext
from engine.translation import _


class DrawingProcess(HelperProcess):
    """Draws and writes in a process of its own."""

    def __init__(self) -> None:
        ended, remedy = (
            _("the process that writes the report ended unexpectedly."),
            _("Try again with less in the report."),
        )
        super().__init__(HelperKind(), lambda _status: UnwritableFile(ended, remedy=remedy))


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """A report as it is looked at before it is written."""

    report: Report
    pictures: dict[str, bytes]
    html: str


def preview_of(report: Report, pictures: dict[str, bytes]) -> Preview:
    """Return a report as it is looked at, with those of its figures that are drawn."""
    from clcd_gui.document.templates import filled

    return Preview(report, pictures, filled("report_preview.html", report=report, pictures=pictures))


def make_preview(
    analysis: ResultContext,
    process: DrawingProcess,
    dots_per_inch: int,
    drawn: BoundedMemory[Chart, bytes],
    progress: SharedProgress,
) -> Preview:
    """Put a report together and draw its figures; the text is given out before the first figure is drawn."""
    from engine.reporting.figures.figure_files import png_bytes
    from engine.reporting.report import make_report

    report = make_report(analysis)
    figures = [
        block for section in report.sections for block in section.blocks if isinstance(block, FigureBlock)
    ]
    pictures = {figure.name: drawn.get(figure.chart) for figure in figures}
    drawn_pictures = {name: picture for name, picture in pictures.items() if picture is not None}
    preview = preview_of(report, drawn_pictures)
    progress.give_early(preview)
    for figure in figures:
        if figure.name not in drawn_pictures:
            picture = process.ask(png_bytes, figure.chart, dots_per_inch, progress=progress)
            drawn_pictures = drawn_pictures | {figure.name: picture}
            drawn.put(figure.chart, picture)
            preview = preview_of(report, drawn_pictures)
            progress.give_early(preview)
    return preview


def write_files(
    analysis: ResultContext,
    folder: Path,
    formats: tuple[str, ...],
    process: DrawingProcess,
    progress: SharedProgress,
) -> tuple[Path, ...]:
    """Write the files that a person ticked, all of them or none, and return their paths."""
    from engine.atomic import atomic_folder
    from engine.reporting.export_formats import find_format

    chosen = [find_format(name) for name in formats]
    with atomic_folder(folder) as drafts:
        for export_format in chosen:
            write_format(analysis, drafts / export_format.file_name, export_format.name, process, progress)
    return tuple(folder / export_format.file_name for export_format in chosen)


def write_format(
    analysis: ResultContext, path: Path, name: str, process: DrawingProcess, progress: SharedProgress
) -> None:
    """Write a file of an export format, in a process of its own where a large library makes it."""
    from engine.reporting.export_formats import find_format

    if progress.should_stop():
        raise Cancelled
    chosen = find_format(name)
    if chosen.drawn is None:
        chosen.write(analysis, path)
    else:
        process.ask(chosen.drawn.draw, chosen.drawn.content(analysis), path, progress=progress)
