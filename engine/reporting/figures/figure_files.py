"""Charts as SVG, alone or inside a page, and as PDF and PNG.

The same chart gives the same bytes: no dates, no versions, and names that do not depend on chance.

Lays the panels of a chart out as one matplotlib figure, as large as they need.

Names and titles are measured before anything is placed, so that none is cut and none covers another.
"""

from __future__ import annotations

import io
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from engine.atomic import atomic_path, write_text
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.looks import INKS, colours, panel_title
from engine.reporting.figures.plots import LETTER_POINTS, PLOTS, Brush, line_of, panel_size
from engine.translation import N_
from engine.wording.phrases import has_letters_from_the_right, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_MARGIN, _GAP_ACROSS, _GAP_DOWN = 0.08, 0.16, 0.2
_LINE = 0.24
_WIDEST_LEGEND = 7.0
_DOTS_PER_INCH = 96
# Fonts with other scripts, of which those are asked that the machine has.
_OTHER_SCRIPTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Microsoft YaHei",
    "SimHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "clcd",
    "pdf.fonttype": 42,
    "lines.scale_dashes": False,
    "axes.unicode_minus": True,
    "text.usetex": False,
    # Names may hold dollar signs.
    "text.parse_math": False,
    "font.size": LETTER_POINTS,
}
_CONFIGURATION = "matplotlibrc"
_one_at_a_time = Lock()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A chart drawn, ready to be written."""

    figure: Figure
    words: dict[str, tuple[str, ...]]  # what the marks of each group say, by its name in the file

    @contextmanager
    def outlined_from_the_right(self) -> Iterator[None]:
        """Have texts in letters that run from the right drawn as outlines inside the block."""
        from matplotlib.patheffects import Normal
        from matplotlib.text import Text

        texts = [
            text for text in self.figure.findobj(Text) if has_letters_from_the_right(str(text.get_text()))
        ]
        for text in texts:
            text.set_path_effects([Normal()])
        try:
            yield
        finally:
            for text in texts:
                text.set_path_effects([])


@contextmanager
def drawn(chart: Chart) -> Iterator[Sheet]:
    """Draw a chart, to be written inside the block, whatever is set of matplotlib, which stays as it is."""
    # It tells of its caches, such as where the home folder cannot be written.
    with _one_at_a_time, quiet_log("matplotlib", logging.ERROR):
        import warnings

        with _ignoring_file_in_current_folder():
            import matplotlib

        with matplotlib.rc_context(), warnings.catch_warnings():
            # A letter that no font here has: the SVG is whole, and a reader of it may have the font.
            warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(_STYLE | {"font.family": _families()})
            yield _sheet(chart)


@contextmanager
def _ignoring_file_in_current_folder() -> Iterator[None]:
    """Have matplotlib, where it is imported inside the block, look for no settings in the current folder.

    A person's tables are there, and a broken file of that name among them would end every picture. It is the
    first that matplotlib asks for, whatever the environment says, so that it has to find that there is none.
    """
    exists = os.path.exists
    os.path.exists = lambda path: path != _CONFIGURATION and exists(path)
    try:
        yield
    finally:
        os.path.exists = exists


@contextmanager
def quiet_log(library: str, least: int) -> Iterator[None]:
    """Have a library say nothing below a level inside the block."""
    log = logging.getLogger(library)
    level = log.level
    log.setLevel(least)
    try:
        yield
    finally:
        log.setLevel(level)


def _families() -> list[str]:
    from matplotlib.font_manager import fontManager

    font_names = set(fontManager.get_font_names())
    return ["DejaVu Sans", *(name for name in _OTHER_SCRIPTS if name in font_names)]


def _sheet(chart: Chart) -> Sheet:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure, brush = Figure(figsize=(8.0, 6.0), dpi=_DOTS_PER_INCH), Brush()
    canvas: Any = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()
    boxes: list[list[_Box]] = []
    for row, panels in enumerate(chart.rows):
        boxes.append([])
        for column, panel in enumerate(panels):
            width, height = panel_size(panel, chart.columns)
            axes = figure.add_axes((0.0, 0.0, width / 8.0, height / 6.0))
            PLOTS[type(panel)](axes, panel, brush, chart.has_own_names(row, column))
            _set_title(axes, panel.title, is_strong=not chart.headings)
            boxes[-1].append(_Box.around(axes, width, height, renderer))
    _lay_out(figure, chart, boxes, renderer)
    return Sheet(figure, brush.words)


def _set_title(axes: Axes, title: str, is_strong: bool) -> None:
    axes.set_title(
        panel_title(title),
        loc="left",
        fontsize=LETTER_POINTS,
        fontweight="bold" if is_strong else "normal",
        color=INKS["ink" if is_strong else "quiet"].colour,
        pad=5.0,
    )


@dataclass(frozen=True, slots=True)
class _Box:
    """A panel's size, and how far its names and titles reach beyond it, in inches."""

    axes: Axes
    width: float
    height: float
    left: float
    right: float
    above: float
    below: float

    @staticmethod
    def around(axes: Axes, width: float, height: float, renderer: Any) -> _Box:
        """Measure a panel that stands at the lower left."""
        whole = axes.get_tightbbox(renderer)
        if whole is None:
            return _Box(axes, width, height, 0.0, 0.0, 0.0, 0.0)
        left, below, right, above = (edge / _DOTS_PER_INCH for edge in whole.extents)
        return _Box(
            axes,
            width,
            height,
            max(-left, 0.0),
            max(right - width, 0.0),
            max(above - height, 0.0),
            max(-below, 0.0),
        )


def _lay_out(figure: Figure, chart: Chart, boxes: Sequence[Sequence[_Box]], renderer: Any) -> None:
    """Give every panel its place, columns and rows in line, and the figure the size that this takes."""
    by_column = [[row[place] for row in boxes if place < len(row)] for place in range(chart.columns)]
    lefts, x = [], _MARGIN
    for column in by_column:
        lefts.append(x + max(box.left for box in column))
        x = lefts[-1] + max(box.width for box in column) + max(box.right for box in column) + _GAP_ACROSS
    width = max(x - _GAP_ACROSS + _MARGIN, 3.0)
    legend = _add_legend(figure, chart, width, renderer)
    legend_width, legend_height = (0.0, 0.0) if legend is None else _inches(legend, renderer)
    y = _MARGIN + legend_height + (_GAP_DOWN / 2 if legend_height else 0.0)
    headings, tops = [], []
    for row in boxes:
        headings.append(y + _LINE / 2)
        y += _LINE if chart.headings else 0.0
        tops.append(y + max(box.above for box in row))
        y = tops[-1] + max(box.height for box in row) + max(box.below for box in row) + _GAP_DOWN
    height = y - _GAP_DOWN + (_LINE + _GAP_DOWN / 2 if chart.note else 0.0) + _MARGIN
    width = max(width, legend_width + 2 * _MARGIN, *_text_widths(chart, renderer))
    figure.set_size_inches(width, height)
    for top, row in zip(tops, boxes, strict=True):
        for left, box in zip(lefts, row, strict=False):
            bottom = height - top - box.height
            box.axes.set_position((left / width, bottom / height, box.width / width, box.height / height))
    if legend is not None:
        legend.set_bbox_to_anchor((_MARGIN / width, 1.0 - _MARGIN / height))
    for heading, at in zip(chart.headings, headings, strict=False):
        style: dict[str, Any] = {"fontweight": "bold", "color": INKS["ink"].colour}
        figure.text(_MARGIN / width, 1.0 - at / height, heading, va="center_baseline", **style)
    if chart.note:
        at = (_MARGIN + _LINE / 2) / height
        figure.text(_MARGIN / width, at, chart.note, va="center_baseline", color=INKS["quiet"].colour)


def _text_widths(chart: Chart, renderer: Any) -> Iterator[float]:
    """Measure what stands over the whole width."""
    from matplotlib.font_manager import FontProperties

    for text in (chart.note, *chart.headings):
        across, _, _ = renderer.get_text_width_height_descent(text, FontProperties(weight="bold"), False)
        yield across / _DOTS_PER_INCH + 2 * _MARGIN


def _add_legend(figure: Figure, chart: Chart, width: float, renderer: Any) -> Any:
    """Put the legend at the top, in as many columns as find room; None when there is none."""
    if not chart.legend:
        return None
    room = max(width, _WIDEST_LEGEND) - 2 * _MARGIN
    for columns in range(len(chart.legend), 0, -1):
        legend = figure.legend(
            [line_of(series) for series in chart.legend],
            [series.name for series in chart.legend],
            loc="upper left",
            ncols=columns,
            frameon=False,
            borderpad=0.0,
            borderaxespad=0.0,
            handlelength=2.9,
            columnspacing=1.6,
            labelspacing=0.35,
            labelcolor=INKS["ink"].colour,
        )
        for series, text in zip(chart.legend, legend.get_texts(), strict=True):
            text.set_fontweight("bold" if series.is_strong else "normal")
        if columns == 1 or _inches(legend, renderer)[0] <= room:
            return legend
        legend.remove()
    return None


def _inches(legend: Any, renderer: Any) -> tuple[float, float]:
    box = legend.get_window_extent(renderer)
    return box.width / _DOTS_PER_INCH, box.height / _DOTS_PER_INCH


_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_PIXELS_PER_POINT = 96 / 72
_FONTS = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_FONT = re.compile(r"'DejaVu Sans'(?:, [^;\"]+)?")


def finished(source: bytes, title: str, words: Mapping[str, Sequence[str]], name: str = "") -> str:
    """Return SVG that stands in a file of its own, or under a name inside a page."""
    from xml.etree.ElementTree import register_namespace, tostring

    from defusedxml.ElementTree import fromstring

    register_namespace("", _SVG.strip("{}"))
    register_namespace("xlink", _XLINK.strip("{}"))
    root = fromstring(source)
    for metadata in root.findall(f"{_SVG}metadata"):
        root.remove(metadata)
    for group, texts in words.items():
        _say(root, group, texts)
    _head(root, title)
    for element in root.iter():
        _name_fonts(element)
        if name:
            _fit_into_page(element, name)
    text: str = tostring(root, encoding="unicode")
    return text + "\n"


def colour_variables(is_dark: bool) -> str:
    """Return the definitions by which a page gives the charts inside it their colours."""
    pairs = colours().items()
    return " ".join(f"{_variable(light)}: {dark if is_dark else light};" for light, dark in pairs)


def _variable(colour: str) -> str:
    return f"--chart-{colour.removeprefix('#')}"


def _say(root: Any, group: str, texts: Sequence[str]) -> None:
    """Give each mark of a group what it says."""
    from xml.etree.ElementTree import SubElement

    marks_of_group = root.find(f".//{_SVG}g[@id='{group}']")
    marks = [] if marks_of_group is None else marks_of_group.findall(f".//{_SVG}use")
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
            with_prefix = value.replace("url(#", f"url(#{name}-")
            element.set(key, _COLOUR.sub(_of_page, with_prefix))


def _of_page(match: re.Match[str]) -> str:
    return f"var({_variable(match[0])})" if match[0] in colours() else match[0]


_PNG_DOTS_PER_INCH = 288


def svg_text(chart: Chart, name: str = "") -> str:
    """Return a chart as SVG, its text as text, and each mark with what it says when the pointer rests on it.

    With a name, unique there, it stands inside a page, whose style gives its colours in light and dark;
    without, in a file of its own, on a light ground.
    """
    with drawn(chart) as sheet:
        return _svg_of(sheet, chart, name)


def svg_for_pages(chart: Chart) -> str:
    """Return a chart as SVG for what sets pages letter by letter; text from the right is outlined."""
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
    """Write a chart as a PDF page of its own size, with the letters that occur embedded, or as outlines."""
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
    """Return a chart as PNG that says how large it is; a usual screen has 96 dots per inch."""
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
    ".png": (N_("Picture (PNG)"), write_png),
    ".svg": (N_("Drawing (SVG)"), write_svg),
    ".pdf": (N_("Page (PDF)"), write_pdf),
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
