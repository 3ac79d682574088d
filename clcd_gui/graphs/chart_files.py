"""A chart as a picture file: SVG as the engine writes it, PNG and PDF as the window paints it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFont, QPainter

from clcd_gui.graphs.chart_painter import paint_chart
from clcd_gui.graphs.figure import Figure
from clcd_gui.graphs.figure_files import FIGURE_WRITERS
from clcd_gui.style.tokens import LIGHT, SPACE
from engine.evaluation.drawing.chart import Chart
from engine.evaluation.drawing.svg import write_svg


def chart_figure(chart: Chart, font: QFont) -> Figure:
    """Give a chart as a picture in the light theme, with a margin around.

    Parameters
    ----------
    chart : Chart
    font : QFont
        Its size is the chart's own.
    """
    size = QSizeF(chart.width + 2 * SPACE, chart.height + 2 * SPACE)
    return Figure(chart.title, size, partial(_paint, chart, font))


def write_chart(chart: Chart, font: QFont, path: Path) -> None:
    """Write a chart in the format that the ending of a path names.

    Raises
    ------
    UnwritableFile
        When the file cannot be written.
    """
    CHART_WRITERS[path.suffix.lower()][1](chart, font, path)


def _paint(chart: Chart, font: QFont, painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(SPACE, SPACE)
    paint_chart(painter, chart, LIGHT, font)


def _write_svg(chart: Chart, _font: QFont, path: Path) -> None:
    write_svg(chart, path)


def _write_figure(ending: str, chart: Chart, font: QFont, path: Path) -> None:
    FIGURE_WRITERS[ending][1](chart_figure(chart, font), path)


CHART_WRITERS: dict[str, tuple[str, Callable[[Chart, QFont, Path], None]]] = {
    ending: (title, _write_svg if ending == ".svg" else partial(_write_figure, ending))
    for ending, (title, _) in FIGURE_WRITERS.items()
}
"""What each kind of picture file is called, and what writes it, by its ending."""


def folder_writers(font: QFont) -> dict[str, Callable[[Chart, Path], None]]:
    """Give what writes the pictures of a folder, by ending: SVG and PDF.

    Parameters
    ----------
    font : QFont
        Its size is the chart's own.
    """

    def write_pdf(chart: Chart, path: Path) -> None:
        write_chart(chart, font, path)

    return {".svg": write_svg, ".pdf": write_pdf}
