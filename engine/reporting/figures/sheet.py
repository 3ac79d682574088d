"""Lays the panels of a chart out as one matplotlib figure, as large as they need.

Names and titles are measured before anything is placed, so that none is cut and none covers another.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from engine.reporting.figures.chart import Chart
from engine.reporting.figures.looks import INKS
from engine.reporting.figures.names import panel_title
from engine.reporting.figures.plots import LETTER_POINTS, PLOTS, Brush, line_of, panel_size
from engine.wording.scripts import has_letters_from_the_right

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
    """A chart drawn, ready to be written.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
    words : dict of str to tuple of str
        What the marks of each group say, by the name of the group in the file.
    """

    figure: Figure
    words: dict[str, tuple[str, ...]]

    @contextmanager
    def outlined_from_the_right(self) -> Iterator[None]:
        """Have texts in letters that run from the right drawn as outlines inside the block."""
        from matplotlib.patheffects import Normal
        from matplotlib.text import Text

        found = [
            each for each in self.figure.findobj(Text) if has_letters_from_the_right(str(each.get_text()))
        ]
        for each in found:
            each.set_path_effects([Normal()])
        try:
            yield
        finally:
            for each in found:
                each.set_path_effects([])


@contextmanager
def drawn(chart: Chart) -> Iterator[Sheet]:
    """Draw a chart, to be written inside the block.

    Whatever a program that uses this engine has set of matplotlib holds neither here nor is it changed.
    """
    with _one_at_a_time, _quiet_log():
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
def _quiet_log() -> Iterator[None]:
    """Keep to itself what matplotlib says of its caches, such as where the home folder cannot be written."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def _families() -> list[str]:
    from matplotlib.font_manager import fontManager

    known = set(fontManager.get_font_names())
    return ["DejaVu Sans", *(name for name in _OTHER_SCRIPTS if name in known)]


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
