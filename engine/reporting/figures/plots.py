"""Draws each kind of panel by matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from engine.reporting.figures.chart import (
    Axis,
    Curve,
    CurvePanel,
    Panel,
    RankPanel,
    RowPanel,
    Series,
    SetPanel,
    SharePanel,
    WebPanel,
)
from engine.reporting.figures.graph import (
    DIAMETER,
    LINE_HEIGHT,
    NAME_GAP,
    RING_RADIUS,
    EdgeKind,
    GraphFigure,
    NodeKind,
    node_sizes,
    node_words,
)
from engine.reporting.figures.looks import (
    INKS,
    Look,
    Marker,
    looks,
    name_lines,
    panel_title,
    row_name,
    share_look,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTER_POINTS = 9.0
_POINTS = 0.72
_EDGE_POINTS = 1.0
_MARKERS: dict[Marker, Any] = {
    Marker.CIRCLE: "o",
    Marker.SQUARE: "s",
    Marker.UP: "^",
    Marker.DOWN: "v",
    Marker.DIAMOND: "D",
    Marker.PLUS: "P",
    Marker.CROSS: "X",
    Marker.STAR: "*",
}
# These reach to the corners of their box, and would look larger than the others.
_SMALLER = {Marker.DIAMOND: 0.78, Marker.SQUARE: 0.88}
_LEVEL_LINE, _LINES, _MARKS, _TEXTS = 1.5, 2.0, 3.0, 4.0
_NAMES_AT = 1.13
_LARGEST_IN_LEGEND = 14.0

BAND_ALPHA = 0.18
"""How much of what lies beneath a band it covers."""

_DOTS_AN_INCH, _SCREEN_POINTS, _ROUND = 96.0, 0.75, 8.0
_RING: dict[str, Any] = {
    "markersize": 2 * RING_RADIUS * _SCREEN_POINTS,
    "markeredgewidth": 1.1,
    "zorder": 2.5,
}
_NAME_GROUND: dict[str, Any] = {
    "facecolor": INKS["ground"].colour,
    "alpha": 0.85,
    "linewidth": 0.0,
    "pad": 0.5,
}
_GRAPH_LINES: Mapping[EdgeKind, tuple[Any, str]] = {
    EdgeKind.NEIGHBOUR: ("solid", INKS["ink"].colour),
    EdgeKind.SPOUSE: ((0, (1.0, 1.4)), INKS["ink"].colour),
    EdgeKind.INTERCHANGEABLE: ((0, (3.0, 2.0)), INKS["quiet"].colour),
    EdgeKind.LABEL_RELATION: ("solid", "#b54a00"),
    EdgeKind.THROUGH_LABELS: ((0, (4.0, 1.6, 1.0, 1.6)), INKS["ink"].colour),
}

SET_BAR_WIDTH = 0.6
"""Width of a bar over a set, as a share of its column."""


@dataclass(slots=True)
class Brush:
    """Draws series into one figure, and keeps in mind what each of their marks says."""

    # by the name of a group of marks in the file, in their order
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def draw_marks(
        self,
        axes: Axes,
        look: str,
        places: Sequence[tuple[float, float]],
        words: Sequence[str],
        is_joined: bool = False,
    ) -> None:
        """Draw marks of a series, and the line through them when they are joined."""
        style, group = looks()[look], f"marks-{len(self.words) + 1}"
        self.words[group] = tuple(words)
        x, y = zip(*places, strict=True)
        axes.plot(
            x,
            y,
            **marker_style(style),
            linestyle=_line_style(style) if is_joined else "none",
            linewidth=style.width * _POINTS,
            color=style.colour,
            zorder=_MARKS,
            clip_on=False,
            gid=group,
        )

    def draw_lines(
        self, axes: Axes, look: str, ends: Sequence[tuple[float, float, float, float]], order: float = _LINES
    ) -> None:
        """Draw straight lines in the look of a series: x and y of one end, then of the other."""
        from matplotlib.collections import LineCollection

        style = looks()[look]
        lines = LineCollection(
            [((x1, y1), (x2, y2)) for x1, y1, x2, y2 in ends],
            linestyles=_line_style(style),
            linewidths=style.width * _POINTS,
            colors=style.colour,
            zorder=order,
            clip_on=False,
        )
        axes.add_collection(lines, autolim=False)


def marker_style(look: Look) -> dict[str, Any]:
    """Return how matplotlib is told to draw a mark."""
    return {
        "marker": _MARKERS[look.marker],
        "markersize": look.size * _SMALLER.get(look.marker, 1.0) * _POINTS,
        "markerfacecolor": look.colour if look.is_filled else INKS["ground"].colour,
        "markeredgecolor": look.colour,
        "markeredgewidth": _EDGE_POINTS * look.edge if not look.is_filled else 0.5,
    }


def line_of(series: Series) -> Any:
    """Return a line with a mark, as the legend shows a series."""
    from matplotlib.lines import Line2D

    look = looks()[series.look]
    # Larger ones would touch each other.
    look = replace(look, size=min(look.size, _LARGEST_IN_LEGEND))
    return Line2D(
        [],
        [],
        **marker_style(look),
        linestyle=_line_style(look),
        linewidth=look.width * _POINTS,
        color=look.colour,
    )


def _line_style(look: Look) -> Any:
    return (0, tuple(length * _POINTS for length in look.dash)) if look.dash else "solid"


def _ink(name: str) -> str:
    return INKS[name].colour


def _bare(axes: Axes) -> None:
    """Take away frame and scales."""
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=0, colors=_ink("quiet"), labelsize=LETTER_POINTS)
    # Far enough from the scale that the lowest figure at its side has room.
    axes.tick_params(axis="x", pad=7.0)
    axes.patch.set_visible(False)


def _draw_grid(axes: Axes, which: Any) -> None:
    axes.grid(True, axis=which, color=_ink("grid"), linewidth=0.75, linestyle="solid")
    axes.set_axisbelow(True)


def _set_x(axes: Axes, axis: Axis) -> None:
    if axis.is_logarithmic:
        axes.set_xscale("log")
    axes.set_xlim(axis.low, axis.high)
    axes.set_xlabel(panel_title(axis.title), color=_ink("quiet"), fontsize=LETTER_POINTS)
    _set_ticks(axes.xaxis, axis)


def _set_y(axes: Axes, axis: Axis) -> None:
    if axis.is_logarithmic:
        axes.set_yscale("log")
    axes.set_ylim(axis.low, axis.high)
    axes.set_ylabel(panel_title(axis.title), color=_ink("quiet"), fontsize=LETTER_POINTS)
    _set_ticks(axes.yaxis, axis)


def _set_ticks(scale: Any, axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator

    if axis.ticks:
        scale.set_ticks([figure for figure, _ in axis.ticks], [text for _, text in axis.ticks])
        scale.set_ticks([], minor=True)
    else:
        scale.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))


def _draw_curves(axes: Axes, panel: CurvePanel, brush: Brush, _has_names: bool) -> None:
    _bare(axes)
    _set_x(axes, panel.x)
    _set_y(axes, panel.y)
    _draw_grid(axes, "both")
    for curve in panel.curves:
        look, points = curve.series.look, curve.points
        if curve.is_level:
            ends = [(panel.x.low, point.y, panel.x.high, point.y) for point in points]
            brush.draw_lines(axes, look, ends, _LEVEL_LINE)
        if curve.has_band:
            _draw_band(axes, curve)
        else:
            spread = [(point.x, low, point.x, high) for point, low, high in curve.spread]
            brush.draw_lines(axes, look, spread)
        places = [(panel.x.inside(point.x), point.y) for point in points]
        words = [point.words for point in points]
        brush.draw_marks(axes, look, places, words, is_joined=not curve.is_level)


def _draw_band(axes: Axes, curve: Curve) -> None:
    if curve.spread:
        across, low, high = zip(*((point.x, low, high) for point, low, high in curve.spread), strict=True)
        colour = looks()[curve.series.look].colour
        axes.fill_between(
            across, low, high, color=colour, alpha=BAND_ALPHA, linewidth=0.0, zorder=_LEVEL_LINE
        )


def _draw_rows(axes: Axes, panel: RowPanel, brush: Brush, has_names: bool) -> None:
    _bare(axes)
    _set_x(axes, panel.x)
    rows = len(panel.rows)
    axes.set_ylim(rows, 0)
    names = map(row_name, panel.rows) if has_names else [""] * rows
    axes.set_yticks([row + 0.5 for row in range(rows)], list(names))
    # A mark at zero needs half its width beside the scale.
    axes.tick_params(axis="y", pad=7.0)
    for row, name in enumerate(axes.get_yticklabels()):
        name.set_color(_ink("ink"))
        name.set_fontweight("bold" if row in panel.strong_rows else "normal")
    _draw_grid(axes, "x")
    axes.hlines(range(rows + 1), panel.x.low, panel.x.high, color=_ink("grid"), linewidth=0.75, zorder=0.5)
    for bound in panel.bounds:
        axes.axvline(bound, color=_ink("quiet"), linewidth=1.0, zorder=1.0)
    inside = panel.x.inside
    for look, marks_of_look in groupby(panel.marks, key=lambda mark: mark.series.look):
        marks = list(marks_of_look)
        heights = [panel.height(mark.row, mark.lane) for mark in marks]
        ends = [
            (inside(mark.low), height, inside(mark.high), height)
            for mark, height in zip(marks, heights, strict=True)
            if mark.low is not None and mark.high is not None
        ]
        brush.draw_lines(axes, look, ends)
        places = [(inside(mark.value), height) for mark, height in zip(marks, heights, strict=True)]
        brush.draw_marks(axes, look, places, [mark.words for mark in marks])
        for mark, place in zip(marks, places, strict=True):
            if mark.is_bound:
                _point_onwards(axes, place, looks()[look].colour)
    for note in panel.notes:
        # Beside each other: lanes are closer than lines of text.
        place, away = (panel.x.low, note.row + 0.5), 5.0 + note.lane * LETTER_POINTS * 2.2
        axes.annotate(
            note.text,
            place,
            (away, 0.0),
            textcoords="offset points",
            va="center_baseline",
            color=looks()[note.series.look].colour,
            fontsize=LETTER_POINTS * 0.9,
        )


def _point_onwards(axes: Axes, place: tuple[float, float], colour: str) -> None:
    """Draw a short arrow that leads away from a mark, to the right."""
    arrow = {"arrowstyle": "<-", "color": colour, "linewidth": 1.0, "shrinkA": 0.0, "shrinkB": 5.0}
    axes.annotate("", place, (15.0, 0.0), textcoords="offset points", arrowprops=arrow)


def _draw_ranks(axes: Axes, panel: RankPanel, brush: Brush, _has_names: bool) -> None:
    axes.set_axis_off()
    axes.set_xlim(1.0, panel.last)
    top, bottom = panel.heights
    axes.set_ylim(bottom, top)
    style: dict[str, Any] = {"color": _ink("ink"), "linewidth": 1.1, "clip_on": False}
    note: dict[str, Any] = {"color": _ink("quiet"), "fontsize": LETTER_POINTS}
    axes.text(1.0, panel.note_height, panel.note, va="center_baseline", **note)
    right = min(1.0 + panel.critical_difference, float(panel.last))
    height = panel.difference_height
    axes.plot((1.0, right), (height, height), **style)
    axes.plot((1.0, 1.0), (height - 0.2, height + 0.2), **style)
    axes.plot((right, right), (height - 0.2, height + 0.2), **style)
    axes.plot((1.0, panel.last), (0.0, 0.0), **style)
    for rank in range(1, panel.last + 1):
        axes.plot((rank, rank), (-0.25, 0.0), **style)
        axes.text(rank, -0.7, str(rank), ha="center", va="center_baseline", **note)
    for place, (low, high) in enumerate(panel.groups):
        at = panel.group_height(place)
        axes.plot((low, high), (at, at), **style | {"linewidth": 2.6, "solid_capstyle": "round"})
    margin = 0.02 * (panel.last - 1)
    for place, method in enumerate(panel.methods):
        is_left, row = panel.side(place)
        height = panel.name_height(row)
        end = 1.0 - margin if is_left else panel.last + margin
        lead = style | {"color": _ink("grid"), "linewidth": 0.9, "zorder": 1.0}
        axes.plot((method.rank, method.rank, end), (0.0, height, height), **lead)
        axes.text(
            end + (-margin if is_left else margin) / 2,
            height,
            method.words,
            ha="right" if is_left else "left",
            va="center_baseline",
            color=_ink("ink"),
            fontsize=LETTER_POINTS,
            fontweight="bold" if method.series.is_strong else "normal",
        )
        brush.draw_marks(axes, method.series.look, [(method.rank, 0.0)], [method.words])


def _draw_web(axes: Axes, panel: WebPanel, brush: Brush, _has_names: bool) -> None:
    axes.set_axis_off()
    outermost = panel.rings[-1]
    axes.set_xlim(-outermost, outermost)
    axes.set_ylim(-outermost, outermost)
    grid: dict[str, Any] = {"color": _ink("grid"), "linewidth": 0.75, "zorder": 1.0, "clip_on": False}
    for ring in panel.rings:
        axes.plot(*zip(*panel.outline([ring] * len(panel.corners)), strict=True), **grid)
    for place, name in enumerate(panel.corners):
        x, y = panel.corner(place, outermost)
        axes.plot((0.0, x), (0.0, y), **grid)
        side = 0 if abs(x) < outermost * 0.02 else 1 if x > 0 else -1
        axes.text(
            x * _NAMES_AT,
            y * _NAMES_AT,
            name,
            ha=("center", "left", "right")[side],
            va="center" if side else "bottom" if y > 0 else "top",
            color=_ink("quiet"),
            fontsize=LETTER_POINTS,
        )
    for thread in panel.threads:
        outline = panel.outline(thread.values)
        brush.draw_marks(axes, thread.series.look, outline, [*thread.words, thread.words[0]], is_joined=True)


def _draw_shares(axes: Axes, panel: SharePanel, brush: Brush, _has_names: bool) -> None:
    _bare(axes)
    rows, columns = len(panel.rows), len(panel.columns)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    axes.xaxis.tick_top()
    axes.set_xticks([column + 0.5 for column in range(columns)], panel.columns)
    axes.set_yticks([row + 0.5 for row in range(rows)], panel.rows)
    axes.tick_params(axis="y", labelcolor=_ink("ink"))
    line: dict[str, Any] = {"color": _ink("grid"), "linewidth": 0.75, "zorder": 0.5}
    axes.hlines(range(rows + 1), 0, columns, **line)
    axes.vlines(range(columns + 1), 0, rows, **line)
    for share in panel.shares:
        place = (share.column + 0.5, share.row + 0.5)
        brush.draw_marks(axes, share_look(share.value), [place], [share.words])


def _draw_sets(axes: Axes, panel: SetPanel, brush: Brush, _has_names: bool) -> None:
    _bare(axes)
    rows, columns = len(panel.rows), len(panel.sets)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, panel.top)
    axes.set_xticks([])
    axes.set_yticks([row + 0.5 for row in range(rows)], list(map(row_name, panel.rows)))
    axes.tick_params(axis="y", labelcolor=_ink("ink"))
    line: dict[str, Any] = {"color": _ink("grid"), "linewidth": 0.75, "zorder": 0.5}
    axes.hlines(range(rows + 1), 0, columns, **line)
    look = panel.series.look
    for column, label_set in enumerate(panel.sets):
        middle, top = column + 0.5, panel.bar_top(label_set.count)
        axes.bar(middle, panel.bar_foot - top, SET_BAR_WIDTH, top, color=looks()[look].colour, zorder=_LINES)
        style: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": LETTER_POINTS}
        axes.text(middle, top, str(label_set.count), color=_ink("ink"), **style)
    empty = panel.empty_dots()
    if empty:
        x, y = zip(*empty, strict=True)
        axes.plot(x, y, "o", color=_ink("grid"), markersize=LETTER_POINTS * 0.5, zorder=_LEVEL_LINE)
    brush.draw_lines(axes, look, panel.joins())
    dots = panel.dots()
    if dots:
        brush.draw_marks(axes, look, [place for place, _ in dots], [words for _, words in dots])


def _draw_graph(axes: Axes, panel: GraphFigure, brush: Brush, _has_names: bool) -> None:
    axes.set_axis_off()
    left, top, right, bottom = panel.bounds
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    for line in panel.lines():
        style, ink = _GRAPH_LINES[line.kind]
        for way in line.paths:
            across, down = zip(*way, strict=True)
            pen: dict[str, Any] = {"color": ink, "linewidth": line.width * _SCREEN_POINTS}
            axes.plot(across, down, linestyle=style, solid_capstyle="butt", zorder=_LINES, **pen)
        outline: dict[str, Any] = {"edgecolor": ink, "linewidth": _SCREEN_POINTS, "zorder": _LINES}
        for head in line.heads:
            inside = _ink("ground") if line.is_assumed else ink
            axes.fill(*zip(*head, strict=True), facecolor=inside, **outline)
        if line.ring is not None:
            axes.plot(*line.ring, "o", color=_ink("ground"), markeredgecolor=ink, **_RING)
    for node, (x, y) in zip(panel.content.nodes, panel.places, strict=True):
        lines = name_lines(node.name)
        below = 0.0
        if node.kind is NodeKind.LABEL:
            _draw_box(axes, x, y, node_sizes([node])[node.name])
        else:
            below = DIAMETER / 2 + NAME_GAP + len(lines) * LINE_HEIGHT / 2
            brush.draw_marks(axes, node.kind, [(x, y)], [node_words(node)])
        axes.text(
            x,
            y + below,
            "\n".join(lines),
            ha="center",
            va="center",
            color=_ink("ink"),
            fontsize=LETTER_POINTS,
            linespacing=1.1,
            zorder=_TEXTS,
            bbox=None if node.kind is NodeKind.LABEL else _NAME_GROUND,
        )


def _draw_box(axes: Axes, x: float, y: float, size: tuple[float, float]) -> None:
    from matplotlib.patches import FancyBboxPatch

    width, height = size
    style: dict[str, Any] = {"facecolor": _ink("ground"), "edgecolor": looks()["label"].colour}
    corner = (x - width / 2 + _ROUND, y - height / 2 + _ROUND)
    sides = (width - 2 * _ROUND, height - 2 * _ROUND)
    axes.add_patch(
        FancyBboxPatch(
            corner,
            *sides,
            boxstyle=f"round,pad={_ROUND}",
            linewidth=1.5,
            zorder=_MARKS,
            **style,
        )
    )


PLOTS: Mapping[type[Panel], Callable[[Axes, Any, Brush, bool], None]] = {
    CurvePanel: _draw_curves,
    RowPanel: _draw_rows,
    RankPanel: _draw_ranks,
    WebPanel: _draw_web,
    SharePanel: _draw_shares,
    SetPanel: _draw_sets,
    GraphFigure: _draw_graph,
}
"""What draws each kind of panel: into axes, by a brush, with the names of its rows or without."""


_ROW, _LANE, _CELL, _NAME_LINE = 0.21, 0.095, 0.25, 0.16
_SIZES: Mapping[type[Panel], Callable[[Any, int], tuple[float, float]]] = {
    CurvePanel: lambda panel, columns: (max(2.4, min(3.5, 7.6 / columns)), 2.0),
    RowPanel: lambda panel, columns: (
        max(1.6, min(4.2, 7.6 / columns)),
        len(panel.rows) * max(_ROW, panel.lanes * _LANE, _names_height(panel)),
    ),
    RankPanel: lambda panel, columns: (4.0, (panel.heights[1] - panel.heights[0]) * _ROW),
    WebPanel: lambda panel, columns: (2.0, 2.0),
    SharePanel: lambda panel, columns: (len(panel.columns) * _CELL, len(panel.rows) * _CELL),
    SetPanel: lambda panel, columns: (
        max(len(panel.sets), 2) * _CELL,
        (len(panel.rows) - panel.top) * max(_CELL, _names_height(panel)),
    ),
    GraphFigure: lambda panel, _columns: (
        (panel.bounds[2] - panel.bounds[0]) / _DOTS_AN_INCH,
        (panel.bounds[3] - panel.bounds[1]) / _DOTS_AN_INCH,
    ),
}


def _names_height(panel: RowPanel | SetPanel) -> float:
    """Return the height of the name with most lines, in inches; one line needs no more than its row."""
    lines = max((row_name(name).count("\n") + 1 for name in panel.rows), default=1)
    return lines * _NAME_LINE if lines > 1 else 0.0


def panel_size(panel: Panel, columns: int) -> tuple[float, float]:
    """Return width and height of a panel without its names and titles, in inches."""
    return _SIZES[type(panel)](panel, columns)
