"""Charts as SVG, PDF and PNG, drawn by matplotlib, always on a light ground.

The same chart gives the same bytes: no dates, no versions, and names that do not depend on chance.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.atomic import atomic_path, write_text
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.sheet import drawn
from engine.reporting.figures.svg import finished

_PNG_DOTS_PER_INCH = 288


def svg_text(chart: Chart, name: str = "") -> str:
    """Return a chart as SVG, its text as text, and each mark with what it says when the pointer rests on it.

    Parameters
    ----------
    chart : Chart
    name : str
        Empty for a file of its own, on a light ground. Otherwise a name that no other chart of a page has: it
        stands inside that page, whose style gives its colours in light and dark.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    with drawn(chart) as sheet:
        sheet.figure.patch.set_visible(not name)
        target = io.BytesIO()
        canvas: Any = FigureCanvasSVG(sheet.figure)
        canvas.print_svg(target, metadata={"Date": None})
        return finished(target.getvalue(), chart.title, sheet.words, name)


def write_svg(chart: Chart, path: Path) -> None:
    """Write a chart as an SVG file.

    Raises
    ------
    UnwritableFile
        When the file cannot be written.
    """
    write_text(path, '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_text(chart))


def write_pdf(chart: Chart, path: Path) -> None:
    """Write a chart as a PDF page of its own size, with the letters that occur embedded.

    Raises
    ------
    UnwritableFile
        When the file cannot be written.
    """
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    metadata = {"Title": chart.title, "CreationDate": None, "Creator": None, "Producer": None}
    with drawn(chart) as sheet, atomic_path(path) as draft:
        canvas: Any = FigureCanvasPdf(sheet.figure)
        canvas.print_pdf(draft, metadata=metadata)


def write_png(chart: Chart, path: Path) -> None:
    """Write a chart as PNG, three dots for every one of a usual screen so that it prints well.

    Raises
    ------
    UnwritableFile
        When the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with drawn(chart) as sheet, atomic_path(path) as draft:
        sheet.figure.set_dpi(_PNG_DOTS_PER_INCH)
        canvas: Any = FigureCanvasAgg(sheet.figure)
        canvas.print_png(draft, metadata={"Title": chart.title, "Software": None})


CHART_WRITERS: Mapping[str, tuple[str, Callable[[Chart, Path], None]]] = {
    ".png": ("Picture (PNG)", write_png),
    ".svg": ("Drawing (SVG)", write_svg),
    ".pdf": ("Page (PDF)", write_pdf),
}
"""What each kind of picture file is called, and what writes it, by its ending."""

PICTURE_ENDINGS = (".svg", ".pdf")
"""What a folder of results has of each of its charts."""


def write_pictures(chart: Chart, folder: Path, stem: str) -> None:
    """Write a chart into a folder in every kind that a folder of results has."""
    for ending in PICTURE_ENDINGS:
        _, write = CHART_WRITERS[ending]
        write(chart, folder / f"{stem}{ending}")
