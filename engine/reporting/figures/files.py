"""Charts as SVG, alone or inside a page, and as PDF and PNG.

The same chart gives the same bytes: no dates, no versions, and names that do not depend on chance.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.atomic import atomic_path, write_text
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.looks import colours
from engine.reporting.figures.sheet import Sheet, drawn
from engine.wording.phrases import visible

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_PIXELS_PER_POINT = 96 / 72
_FONTS = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_FONT = re.compile(r"'DejaVu Sans'(?:, [^;\"]+)?")


def finished(source: bytes, title: str, words: Mapping[str, Sequence[str]], name: str = "") -> str:
    """Return SVG that stands in a file of its own, or inside a page.

    Parameters
    ----------
    name : str
        What it is called inside a page; empty for a file of its own.
    """
    from xml.etree.ElementTree import register_namespace, tostring

    from defusedxml.ElementTree import fromstring

    register_namespace("", _SVG.strip("{}"))
    register_namespace("xlink", _XLINK.strip("{}"))
    root = fromstring(source)
    for each in root.findall(f"{_SVG}metadata"):
        root.remove(each)
    for group, texts in words.items():
        _say(root, group, texts)
    _head(root, title)
    for each in root.iter():
        _name_fonts(each)
        if name:
            _fit_into_page(each, name)
    text: str = tostring(root, encoding="unicode")
    return text + "\n"


def colour_variables(is_dark: bool) -> str:
    """Return the definitions by which a page gives the charts inside it their colours.

    Examples
    --------
    >>> colour_variables(is_dark=True).split(";")[0]
    '--chart-ffffff: #1b1e22'
    """
    pairs = colours().items()
    return " ".join(f"{_variable(light)}: {dark if is_dark else light};" for light, dark in pairs)


def _variable(colour: str) -> str:
    return f"--chart-{colour.removeprefix('#')}"


def _say(root: Any, group: str, texts: Sequence[str]) -> None:
    """Give each mark of a group what it says."""
    from xml.etree.ElementTree import SubElement

    found = root.find(f".//{_SVG}g[@id='{group}']")
    marks = [] if found is None else found.findall(f".//{_SVG}use")
    for mark, words in zip(marks, texts, strict=True):
        SubElement(mark, f"{_SVG}title").text = visible(words)


def _head(root: Any, title: str) -> None:
    """Give the whole its size in pixels, its role and title, and the style that matplotlib gives a page."""
    from xml.etree.ElementTree import Element

    for definitions in root.findall(f"{_SVG}defs"):
        for style in definitions.findall(f"{_SVG}style"):
            definitions.remove(style)
    root.set("stroke-linejoin", "round")

    for side in ("width", "height"):
        root.set(side, f"{float(root.get(side).removesuffix('pt')) * _PIXELS_PER_POINT:.0f}")
    root.set("role", "img")
    root.set("aria-label", visible(title))
    first = Element(f"{_SVG}title")
    first.text = visible(title)
    root.insert(0, first)


def _name_fonts(element: Any) -> None:
    """Name the fonts of the reader's system before the wide one that everything was measured in."""
    style = element.get("style")
    if style and "DejaVu Sans" in style:
        element.set("style", _FONT.sub(_FONTS, style))


def _fit_into_page(element: Any, name: str) -> None:
    """Take the colours of the page, and names that no other chart has."""
    for key, value in element.attrib.items():
        if key == "id":
            element.set(key, f"{name}-{value}")
        elif key == f"{_XLINK}href":
            element.set(key, value.replace("#", f"#{name}-", 1))
        elif key in ("style", "clip-path"):
            found = value.replace("url(#", f"url(#{name}-")
            element.set(key, _COLOUR.sub(_of_page, found))


def _of_page(found: re.Match[str]) -> str:
    return f"var({_variable(found[0])})" if found[0] in colours() else found[0]


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
    with drawn(chart) as sheet:
        return _svg_of(sheet, chart, name)


def svg_for_pages(chart: Chart) -> str:
    """Return a chart as SVG for what sets pages, which puts one letter after the other from the left.

    Where letters run from the right, and join, they are drawn as outlines instead.
    """
    with drawn(chart) as sheet, sheet.outlined_from_the_right():
        return _svg_of(sheet, chart)


def _svg_of(sheet: Sheet, chart: Chart, name: str = "") -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    sheet.figure.patch.set_visible(not name)
    target = io.BytesIO()
    canvas: Any = FigureCanvasSVG(sheet.figure)
    canvas.print_svg(target, metadata={"Date": None})
    return finished(target.getvalue(), chart.title, sheet.words, name)


def write_svg(chart: Chart, path: Path) -> None:
    """Write a chart as an SVG file."""
    with drawn(chart) as sheet:
        _write_svg_of(sheet, chart, path)


def _write_svg_of(sheet: Sheet, chart: Chart, path: Path) -> None:
    write_text(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{_svg_of(sheet, chart)}')


def write_pdf(chart: Chart, path: Path) -> None:
    """Write a chart as a PDF page of its own size, with the letters that occur embedded.

    Those that run from the right are drawn as outlines.
    """
    with drawn(chart) as sheet:
        _write_pdf_of(sheet, chart, path)


def _write_pdf_of(sheet: Sheet, chart: Chart, path: Path) -> None:
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    metadata = {"Title": chart.title, "CreationDate": None, "Creator": None, "Producer": None}
    with atomic_path(path) as draft, sheet.outlined_from_the_right():
        canvas: Any = FigureCanvasPdf(sheet.figure)
        canvas.print_pdf(draft, metadata=metadata)


def write_png(chart: Chart, path: Path) -> None:
    """Write a chart as PNG, three dots for every one of a usual screen so that it prints well."""
    with atomic_path(path) as draft:
        draft.write_bytes(png_bytes(chart))


_CENTIMETRES_PER_INCH = 2.54


def png_bytes(
    chart: Chart, dots_per_inch: int = _PNG_DOTS_PER_INCH, centimetres: float | None = None
) -> bytes:
    """Return a chart as PNG that says how large it is.

    Parameters
    ----------
    dots_per_inch : int
        Dots for every inch of its size; a usual screen has 96.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with drawn(chart) as sheet:
        own = sheet.figure.get_size_inches()[0]
        wanted = own if centimetres is None else centimetres / _CENTIMETRES_PER_INCH
        sheet.figure.set_dpi(dots_per_inch * wanted / own)
        canvas: Any = FigureCanvasAgg(sheet.figure)
        target = io.BytesIO()
        resolution = {"dpi": (dots_per_inch, dots_per_inch)}
        canvas.print_png(target, metadata={"Title": chart.title, "Software": None}, pil_kwargs=resolution)
        return target.getvalue()


CHART_WRITERS: Mapping[str, tuple[str, Callable[[Chart, Path], None]]] = {
    ".png": ("Picture (PNG)", write_png),
    ".svg": ("Drawing (SVG)", write_svg),
    ".pdf": ("Page (PDF)", write_pdf),
}
"""What each kind of picture file is called, and what writes it, by its ending."""

_OF_SHEET: Mapping[str, Callable[[Sheet, Chart, Path], None]] = {
    ".svg": _write_svg_of,
    ".pdf": _write_pdf_of,
}
PICTURE_ENDINGS = tuple(_OF_SHEET)
"""What a folder of results has of each of its charts."""


def write_pictures(chart: Chart, folder: Path, stem: str) -> None:
    """Write a chart, laid out once, into a folder in every kind that a folder of results has."""
    with drawn(chart) as sheet:
        for ending in PICTURE_ENDINGS:
            _OF_SHEET[ending](sheet, chart, folder / f"{stem}{ending}")
