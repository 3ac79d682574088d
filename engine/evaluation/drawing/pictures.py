"""The kinds of picture files that charts are written as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from engine.evaluation.drawing.chart import Chart
from engine.evaluation.drawing.pdf import write_pdf
from engine.evaluation.drawing.svg import write_svg

PictureWriter = Callable[[Chart, Path], None]

NO_PDF = "No PDF beside the SVG pictures: that needs the package fpdf2 (pip install 'clcd[pdf]')."


def picture_writers() -> Mapping[str, PictureWriter]:
    """Give what writes a chart, by the ending of its file: SVG, and PDF where ``clcd[pdf]`` is installed.

    Examples
    --------
    >>> next(iter(picture_writers()))
    '.svg'
    """
    writers: dict[str, PictureWriter] = {".svg": write_svg}
    if find_spec("fpdf") is not None:
        writers[".pdf"] = write_pdf
    return writers


def write_pictures(chart: Chart, folder: Path, stem: str, writers: Mapping[str, PictureWriter]) -> None:
    """Write a chart in every kind."""
    for ending, write in writers.items():
        write(chart, folder / f"{stem}{ending}")
