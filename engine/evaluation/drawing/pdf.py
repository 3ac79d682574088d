"""Charts as PDF: lines and outlines that stay sharp at any size, and text that can be searched and copied.

Letters come from a font of the machine, of which the letters that occur are embedded. Where none is found,
Helvetica stands in, which every reader has: it knows the letters of western Europe alone, and others become
question marks; the SVG beside is whole.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from engine.atomic import atomic_path
from engine.errors import UnwritableFile
from engine.evaluation.drawing.chart import LETTER_SIZE, Chart, Line, Mark, Text
from engine.evaluation.drawing.looks import line_width, looks
from engine.evaluation.drawing.svg import light_colour

_POINTS_PER_PIXEL = 0.75
_MARGIN = 8.0
_EDGE = 1.3
# Where the letters of a cell stand, in heights of the cell from its top.
_BASELINE = 0.8
_TEXT, _OTHER_SCRIPTS, _STAND_IN = "text", "other", "helvetica"
# Files of a plain and a bold face, the most complete first.
_FACES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("segoeui.ttf", "segoeuib.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
)
# Fonts with the scripts of eastern Asia.
_WIDE_FACES = ("Arial Unicode.ttf", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf", "simhei.ttf")


def write_pdf(chart: Chart, path: Path) -> None:
    """Write a chart as a PDF page of its own size, on a light ground.

    Parameters
    ----------
    chart : Chart
    path : Path

    Raises
    ------
    UnwritableFile
        When the file cannot be written, or the package fpdf2 is not installed.
    """
    try:
        import fpdf
    except ModuleNotFoundError as error:
        raise UnwritableFile(
            "the package fpdf2 is not installed.",
            place=f"'{path}'",
            remedy="Install it with: pip install 'clcd[pdf]'. Or use the SVG.",
        ) from error

    width, height = chart.width + 2 * _MARGIN, chart.height + 2 * _MARGIN
    document = fpdf.FPDF(unit=_POINTS_PER_PIXEL, format=(width, height))
    document.set_title(chart.title)
    document.set_margin(0)
    document.c_margin = 0
    document.set_auto_page_break(False)
    document.add_page()
    try:
        family = _add_fonts(document, {sign for text in chart.texts for sign in text.text})
        for line in chart.lines:
            _draw_line(document, line)
        for mark in chart.marks:
            _draw_mark(document, mark)
        for text in chart.texts:
            _draw_text(document, text, family)
        content = bytes(document.output())
    finally:
        _close_fonts(document)
    with atomic_path(path) as draft:
        draft.write_bytes(content)


def _close_fonts(document: Any) -> None:
    """Close the files of fonts, which the document leaves open."""
    for font in document.fonts.values():
        if hasattr(font, "ttfont"):
            font.ttfont.close()


def _add_fonts(document: Any, signs: Collection[str]) -> str:
    """Embed fonts of this machine that have these signs; give the family to write with."""
    faces = _found_faces()
    if faces is None:
        return _STAND_IN
    for style, face in zip(("", "B"), faces, strict=True):
        document.add_font(_TEXT, style, face)
    known = document.fonts[_TEXT].cmap
    other = next((found for name in _WIDE_FACES if (found := _font_files().get(name))), None)
    # Reading such a large font takes a moment, so only where a sign needs it.
    if other is not None and any(ord(sign) not in known for sign in signs):
        for style in ("", "B"):
            document.add_font(_OTHER_SCRIPTS, style, other)
        document.set_fallback_fonts([_OTHER_SCRIPTS], exact_match=False)
    return _TEXT


def _draw_line(document: Any, line: Line) -> None:
    look = looks().get(line.look)
    with document.new_path() as path:
        path.style.stroke_color = light_colour(line.look)
        path.style.stroke_width = line_width(line.look)
        path.style.fill_color = None
        path.style.stroke_cap_style = "butt"
        if look is not None and look.dash:
            path.style.stroke_dash_pattern = list(look.dash)
        path.style.auto_close = False
        path.move_to(line.x1 + _MARGIN, line.y1 + _MARGIN)
        path.line_to(line.x2 + _MARGIN, line.y2 + _MARGIN)


def _draw_mark(document: Any, mark: Mark) -> None:
    look = looks()[mark.look]
    with document.new_path() as path:
        path.style.stroke_color = light_colour(mark.look)
        path.style.stroke_width = _EDGE
        path.style.fill_color = light_colour(mark.look if look.filled else "ground")
        corners = [(mark.x + across + _MARGIN, mark.y + down + _MARGIN) for across, down in look.outline]
        path.move_to(*corners[0])
        for corner in corners[1:]:
            path.line_to(*corner)
        path.close()


def _draw_text(document: Any, text: Text, family: str) -> None:
    document.set_font(family, "B" if text.look == "strong" else "", LETTER_SIZE * _POINTS_PER_PIXEL)
    colour = light_colour(text.look)
    document.set_text_color(*(int(colour[place : place + 2], 16) for place in (1, 3, 5)))
    written = text.text
    if family == _STAND_IN:
        written = written.encode("latin-1", errors="replace").decode("latin-1")
    width = document.get_string_width(written)
    left = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    # A cell, as only its letters may come from several fonts.
    document.set_xy(left + _MARGIN, text.y + _MARGIN - _BASELINE * LETTER_SIZE)
    document.cell(width, LETTER_SIZE, written)


@functools.cache
def _found_faces() -> tuple[Path, Path] | None:
    files = _font_files()
    return next(
        ((files[plain], files[bold]) for plain, bold in _FACES if {plain, bold} <= files.keys()), None
    )


@functools.cache
def _font_files() -> dict[str, Path]:
    """Find the fonts of this machine that are known here, by file name."""
    wanted = {*_WIDE_FACES, *(name for pair in _FACES for name in pair)}
    found: dict[str, Path] = {}
    for folder in _font_folders():
        for place, _, names in os.walk(folder):
            found = {name: Path(place, name) for name in names if name in wanted} | found
    return found


def _font_folders() -> Iterator[Path]:
    if sys.platform == "win32":
        yield Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")
    elif sys.platform == "darwin":
        yield from (Path("/System/Library/Fonts"), Path("/Library/Fonts"), Path.home() / "Library" / "Fonts")
    else:
        yield from (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
        yield Path.home() / ".local" / "share" / "fonts"
