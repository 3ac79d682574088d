"""Draws the panels of a chart, lays them out on the screen, and answers the pointer."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QGraphicsScene, QToolTip, QWidget

from clcd_gui.plots.axes import NamedAxis
from clcd_gui.plots.pens import Pens
from clcd_gui.style.short_names import ELLIPSIS, ShortNames
from clcd_gui.style.text import literal, read_from_the_left
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, Colours
from engine.reporting.figures.chart import (
    Axis,
    Chart,
    CurvePanel,
    Panel,
    RankPanel,
    RowPanel,
    SetPanel,
    SharePanel,
    WebPanel,
)
from engine.reporting.figures.looks import share_look
from engine.reporting.figures.plots import BAND_ALPHA, SET_BAR_WIDTH
from engine.wording.phrases import in_order

# Heights of panels, in lines of text.
_CURVES, _ROW, _LANE, _WEB, _RANKS, _CELL = 13.0, 1.5, 0.72, 15.0, 1.5, 1.6
# Room around what is drawn, as a share of it, so that marks at an end are whole.
_ROOM = 0.035
_WEB_ROOM, _NAMES_AT = 1.3, 1.07
_RANKS_ROOM = 0.85
_GRID_ALPHA = 255
_HALO = 18.0
_EMPTY_DOT = 6.0

# Beneath the box, which pyqtgraph puts beneath everything usual.
_BENEATH = -1000
_OF_TWO_LINES = 1.9
_LEAST_HEAD = 10

Ends = tuple[float, float, float, float]


class PanelPainter:
    """Draws into a box of its own, with scales beside it."""

    def __init__(
        self,
        pens: Pens,
        height: float,
        x: tuple[float, float],
        y: tuple[float, float],
        can_zoom: tuple[bool, bool] = (False, False),
        is_square: bool = False,
    ) -> None:
        self.pens = pens
        self.height = height * QFontMetricsF(pens.font).height()
        self.places: list[tuple[float, float]] = []
        self.words: list[str] = []
        self.left: pyqtgraph.AxisItem | None = None
        self.above: pyqtgraph.AxisItem | None = None
        self.below: pyqtgraph.AxisItem | None = None
        self.names_width = self._names_room = 0.0
        self._names: tuple[str, ...] = ()
        self._strong_names: tuple[str, ...] = ()
        self._short: ShortNames | None = None
        self._short_heads: ShortNames | None = None
        self.width = 0.0
        self._whole = x, y
        self.box = pyqtgraph.ViewBox(
            enableMenu=False, lockAspect=is_square, invertY=y[0] > y[1], enableMouse=any(can_zoom)
        )
        self.box.setMouseEnabled(*can_zoom)
        self.box.setMinimumHeight(self.height)
        self.halo = pyqtgraph.ScatterPlotItem(size=_HALO, pen=QPen(pens.ink("ink"), 1.5), brush=None)
        self.halo.setZValue(10)
        self.box.addItem(self.halo, ignoreBounds=True)
        self.show_whole()
        if any(can_zoom):
            low, high = min(y), max(y)
            self.box.setLimits(xMin=x[0], xMax=x[1], yMin=low, yMax=high)

    def show_whole(self) -> None:
        """Show everything from end to end."""
        x, y = self._whole
        self.box.setRange(QRectF(x[0], min(y), x[1] - x[0], abs(y[1] - y[0])), padding=0.0)

    def _in_room(self, name: str, room: float) -> str:
        """Shorten a name that ends with figures in brackets before them; in two lines where rows are high."""
        assert self._short is not None and self._short_heads is not None
        metrics = QFontMetricsF(self.pens.strong_font)
        head, bracket, tail = name.rpartition(" (")
        if not bracket or metrics.horizontalAdvance(name) <= room:
            return self._short.shown(name, room)
        if self.height >= _OF_TWO_LINES * metrics.height() * len(self._names):
            return f"{self._short_heads.shown(head, room)}\n{self._short.shown(f'({tail}', room)}"
        beside = room - metrics.horizontalAdvance(f" ({tail}")
        if beside >= _LEAST_HEAD * metrics.averageCharWidth():
            return f"{self._short_heads.shown(head, beside)} ({tail}"
        # A number without its first digits is another number; the mark shows it whole.
        return self._short_heads.shown(head, room)

    def highlight(self, words: str) -> None:
        """Put a ring around the marks that say this; none when empty."""
        pairs = zip(self.places, self.words, strict=True)
        places = [place for place, text in pairs if words and text == words]
        self.halo.setData(pos=np.array(places).reshape(-1, 2))

    def draw_marks(
        self,
        look: str,
        places: Sequence[tuple[float, float]],
        words: Sequence[str],
        joined: Sequence[tuple[float, float]] = (),
    ) -> None:
        """Draw marks of a series, and a line through some places."""
        if joined:
            x, y = zip(*joined, strict=True)
            self.box.addItem(pyqtgraph.PlotCurveItem(np.array(x), np.array(y), pen=self.pens.line(look)))
        if places:
            style = self.pens.marks(look)
            scatter = pyqtgraph.ScatterPlotItem(pos=np.array(places), pxMode=True, **style)
            scatter.setZValue(3)
            self.box.addItem(scatter)
            self.places += places
            self.words += words

    def draw_lines(self, pen: QPen, ends: Iterable[Ends], order: int = 2) -> None:
        """Draw straight lines: x and y of one end, then of the other."""
        corners = np.array(list(ends), dtype=float).reshape(-1, 2)
        if len(corners):
            lines = pyqtgraph.PlotCurveItem(corners[:, 0], corners[:, 1], pen=pen, connect="pairs")
            lines.setZValue(order)
            self.box.addItem(lines)

    def draw_band(self, look: str, ends: Sequence[Ends]) -> None:
        """Fill what lies between two curves, whose points stand above each other."""
        if not ends:
            return
        corners, none = np.array(ends, dtype=float), QPen(Qt.PenStyle.NoPen)
        low, high = (pyqtgraph.PlotCurveItem(corners[:, 0], corners[:, k], pen=none) for k in (1, 3))
        colour = QColor(self.pens.colour(look))
        colour.setAlphaF(BAND_ALPHA)
        band = pyqtgraph.FillBetweenItem(low, high, brush=colour)
        band.setZValue(1)
        self.box.addItem(band)

    def draw_bars(self, look: str, bars: Sequence[Ends]) -> None:
        """Draw filled bars: left and upper edge, width and height."""
        edges = np.array(bars, dtype=float).reshape(-1, 4)
        colour = self.pens.colour(look)
        drawn = pyqtgraph.BarGraphItem(
            x0=edges[:, 0], y0=edges[:, 1], width=edges[:, 2], height=edges[:, 3], brush=colour, pen=None
        )
        drawn.setZValue(2)
        self.box.addItem(drawn)

    def write(
        self,
        text: str,
        place: tuple[float, float],
        colour: QColor,
        anchor: tuple[float, float] = (0.0, 0.5),
        is_strong: bool = False,
    ) -> None:
        """Write a text; `anchor` is the part of it that stands at the place, from its upper left."""
        written = pyqtgraph.TextItem(text, color=colour, anchor=anchor)
        written.setFont(self.pens.strong_font if is_strong else self.pens.font)
        written.setZValue(4)
        self.box.addItem(written, ignoreBounds=True)
        written.setPos(*place)

    def add_axis(self, side: str, axis: Axis) -> pyqtgraph.AxisItem:
        """Put a scale beside the box."""
        axis_item = self._make_axis(side, axis.title)
        if axis.ticks:
            axis_item.setTicks([[(axis.place(figure), text) for figure, text in axis.ticks]])
        axis_item.setGrid(_GRID_ALPHA)
        return axis_item

    def add_names(self, side: str, names: Sequence[str], strong: Sequence[int] = ()) -> pyqtgraph.AxisItem:
        """Put the names of rows or columns beside the box."""
        axis_item = self._make_axis(side, "")
        axis_item.setStyle(tickAlpha=0)
        axis_item.strong = {names[number] for number in strong}
        axis_item.setTicks([[(number + 0.5, name) for number, name in enumerate(names)]])
        if side == "left":
            axis_item.setTextPen(self.pens.ink_pen("ink"))
            metrics = QFontMetricsF(self.pens.strong_font)
            self.names_width = max((metrics.horizontalAdvance(name) for name in names), default=0) + 2 * SPACE
            axis_item.setWidth(self.names_width)
            self._names, self._strong_names = tuple(names), tuple(names[number] for number in strong)
            self._short = ShortNames(names, metrics.horizontalAdvance)
            heads = [name.rpartition(" (")[0] or name for name in names]
            self._short_heads = ShortNames(heads, metrics.horizontalAdvance)
        return axis_item

    def fit_names(self, room: float) -> float:
        """Shorten the names at the left to the room that there is; return how much they take."""
        width = min(self.names_width, room)
        if self._short is None or self.left is None or width == self._names_room:
            return self.names_width if self._short is None else width
        self._names_room = width
        shown = {name: self._in_room(name, width - 2 * SPACE) for name in self._names}
        self.left.strong = {shown[name] for name in self._strong_names}
        self.left.setTicks([[(number + 0.5, shown[name]) for number, name in enumerate(self._names)]])
        self.left.setWidth(width)
        return width

    def leave_room_before(self, width: float) -> None:
        """Let the title of the scale beneath reach below the names at the left."""
        if self.below is not None:
            self.below.room_before = width
            self.below.resizeEvent()

    def _make_axis(self, side: str, title: str) -> Any:
        axis_item = NamedAxis(side, linkView=self.box, showValues=True, maxTickLength=0)
        axis_item.setTickFont(self.pens.font)
        axis_item.setStyle(tickTextOffset=SPACE, hideOverlappingLabels=False, maxTickLevel=0)
        axis_item.setPen(QPen(QColor(0, 0, 0, 0)))
        axis_item.setTickPen(self.pens.ink_pen("grid"))
        axis_item.setTextPen(self.pens.ink_pen("quiet"))
        axis_item.setZValue(_BENEATH)
        # Ticks say themselves in which unit they are.
        axis_item.enableAutoSIPrefix(False)
        line = QFontMetricsF(self.pens.font).height()
        if title:
            axis_item.set_title(title)
            axis_item.label.setFont(self.pens.font)
            axis_item.label.setDefaultTextColor(self.pens.ink("quiet"))
        if side != "left":
            axis_item.setHeight(line * (2.6 if title else 1.2) + SPACE)
        return axis_item


def _room(low: float, high: float) -> tuple[float, float]:
    room = _ROOM * (high - low)
    return low - room, high + room


def _draw_curves(panel: CurvePanel, pens: Pens, _has_names: bool) -> PanelPainter:
    x, y = panel.x, panel.y
    across, upwards = (x.place(x.low), x.place(x.high)), (y.place(y.low), y.place(y.high))
    painter = PanelPainter(pens, _CURVES, _room(*across), _room(*upwards), can_zoom=(True, True))
    painter.below = painter.add_axis("bottom", x)
    painter.left = painter.add_axis("left", y)
    painter.names_width = QFontMetricsF(pens.font).horizontalAdvance("0.0000") + 2 * SPACE
    painter.left.setWidth(painter.names_width)
    for curve in panel.curves:
        look = curve.series.look
        places = [(x.place(x.inside(point.x)), y.place(point.y)) for point in curve.points]
        ends = [
            (x.place(point.x), y.place(low), x.place(point.x), y.place(high))
            for point, low, high in curve.spread
        ]
        if curve.has_band:
            painter.draw_band(look, ends)
        else:
            painter.draw_lines(pens.line(look), ends)
        if curve.is_level:
            ends = [(across[0], place[1], across[1], place[1]) for place in places]
            painter.draw_lines(pens.line(look), ends, order=1)
        words = [point.words for point in curve.points]
        painter.draw_marks(look, places, words, joined=() if curve.is_level else places)
    return painter


def _draw_rows(panel: RowPanel, pens: Pens, has_names: bool) -> PanelPainter:
    axis, rows = panel.x, len(panel.rows)
    across = axis.place(axis.low), axis.place(axis.high)
    height = rows * max(_ROW, panel.lanes * _LANE)
    painter = PanelPainter(pens, height, _room(*across), (float(rows), 0.0), can_zoom=(True, False))
    painter.below = painter.add_axis("bottom", axis)
    if has_names:
        painter.left = painter.add_names("left", panel.rows, panel.strong_rows)
    beyond = _room(*across)
    painter.draw_lines(pens.ink_pen("grid"), [(beyond[0], row, beyond[1], row) for row in range(rows + 1)], 0)
    bounds = [(axis.place(bound), 0.0, axis.place(bound), float(rows)) for bound in panel.bounds]
    painter.draw_lines(pens.ink_pen("quiet"), bounds, 1)

    def at(figure: float) -> float:
        return axis.place(axis.inside(figure))

    for look, group in groupby(panel.marks, key=lambda mark: mark.series.look):
        marks = list(group)
        places = [(at(mark.value), panel.height(mark.row, mark.lane)) for mark in marks]
        ends = [
            (at(mark.low), place[1], at(mark.high), place[1])
            for mark, place in zip(marks, places, strict=True)
            if mark.low is not None and mark.high is not None
        ]
        painter.draw_lines(pens.line(look), ends)
        painter.draw_marks(look, places, [mark.words for mark in marks])
        for mark, place in zip(marks, places, strict=True):
            if mark.is_bound:
                painter.write(" →", place, pens.colour(look))
    for note in panel.notes:
        # Beside each other: lanes are closer than lines of text.
        text = " " * (1 + note.lane * (len(note.text) + 5)) + note.text
        place = (across[0], note.row + 0.5)
        painter.write(text, place, pens.colour(note.series.look))
    return painter


def _draw_ranks(panel: RankPanel, pens: Pens, _has_names: bool) -> PanelPainter:
    top, bottom = panel.heights
    span = panel.last - 1
    x = 1.0 - _RANKS_ROOM * span, panel.last + _RANKS_ROOM * span
    painter = PanelPainter(pens, (bottom - top) * _RANKS, x, (bottom, top))
    ink, faint, quiet = pens.ink_pen("ink"), pens.ink_pen("grid"), pens.ink("quiet")
    painter.write(panel.note, (1.0, panel.note_height), quiet)
    right, height = min(1.0 + panel.critical_difference, float(panel.last)), panel.difference_height
    marks: list[Ends] = [(1.0, height, right, height), (1.0, 0.0, float(panel.last), 0.0)]
    marks += [(end, height - 0.2, end, height + 0.2) for end in (1.0, right)]
    marks += [(float(rank), -0.25, float(rank), 0.0) for rank in range(1, panel.last + 1)]
    painter.draw_lines(ink, marks)
    for rank in range(1, panel.last + 1):
        painter.write(str(rank), (rank, -0.75), quiet, (0.5, 0.5))
    groups = [
        (low, panel.group_height(number), high, panel.group_height(number))
        for number, (low, high) in enumerate(panel.groups)
    ]
    painter.draw_lines(pens.ink_pen("ink", 3.0), groups)
    margin = 0.02 * span
    for number, method in enumerate(panel.methods):
        is_left, row = panel.side(number)
        height = panel.name_height(row)
        end = 1.0 - margin if is_left else panel.last + margin
        lead = [(method.rank, 0.0, method.rank, height), (method.rank, height, end, height)]
        painter.draw_lines(faint, lead, 1)
        anchor = (1.0, 0.5) if is_left else (0.0, 0.5)
        painter.write(method.words, (end, height), pens.ink("ink"), anchor, method.series.is_strong)
        painter.draw_marks(method.series.look, [(method.rank, 0.0)], [method.words])
    return painter


def _draw_web(panel: WebPanel, pens: Pens, _has_names: bool) -> PanelPainter:
    outermost = panel.rings[-1]
    reach = (-_WEB_ROOM * outermost, _WEB_ROOM * outermost)
    painter = PanelPainter(pens, _WEB, reach, reach, is_square=True)
    metrics = QFontMetricsF(pens.font)
    names = max(metrics.horizontalAdvance(name) for name in panel.corners)
    painter.width = painter.height / _WEB_ROOM * _NAMES_AT + 2 * (names + SPACE)
    faint = pens.ink_pen("grid")
    for ring in panel.rings:
        outline = np.array(panel.outline([ring] * len(panel.corners)))
        painter.box.addItem(pyqtgraph.PlotCurveItem(outline[:, 0], outline[:, 1], pen=faint))
    for number, name in enumerate(panel.corners):
        x, y = panel.corner(number, outermost)
        painter.draw_lines(faint, [(0.0, 0.0, x, y)], 0)
        side = 0.5 if abs(x) < 0.02 * outermost else 0.0 if x > 0 else 1.0
        height = 0.5 if side != 0.5 else 1.0 if y > 0 else 0.0
        painter.write(name, (_NAMES_AT * x, _NAMES_AT * y), pens.ink("quiet"), (side, height))
    for thread in panel.threads:
        corners = panel.outline(thread.values)
        painter.draw_marks(thread.series.look, corners[:-1], thread.words, joined=corners)
    return painter


def _draw_shares(panel: SharePanel, pens: Pens, _has_names: bool) -> PanelPainter:
    rows, columns = len(panel.rows), len(panel.columns)
    painter = PanelPainter(pens, rows * _CELL, (0.0, float(columns)), (float(rows), 0.0))
    painter.left = painter.add_names("left", panel.rows)
    painter.above = painter.add_names("top", panel.columns)
    lines = [(0.0, float(row), float(columns), float(row)) for row in range(rows + 1)]
    lines += [(float(column), 0.0, float(column), float(rows)) for column in range(columns + 1)]
    painter.draw_lines(pens.ink_pen("grid"), lines, 0)
    for look, group in groupby(
        sorted(panel.shares, key=lambda share: share_look(share.value)),
        key=lambda share: share_look(share.value),
    ):
        shares = list(group)
        places = [(share.column + 0.5, share.row + 0.5) for share in shares]
        painter.draw_marks(look, places, [share.words for share in shares])
    return painter


def _draw_sets(panel: SetPanel, pens: Pens, _has_names: bool) -> PanelPainter:
    rows, columns, look = len(panel.rows), len(panel.sets), panel.series.look
    height = (rows - panel.top) * _CELL
    painter = PanelPainter(pens, height, (0.0, float(columns)), (float(rows), panel.top))
    painter.left = painter.add_names("left", panel.rows)
    lines = [(0.0, float(row), float(columns), float(row)) for row in range(rows + 1)]
    painter.draw_lines(pens.ink_pen("grid"), lines, 0)
    bars: list[Ends] = []
    for column, set_ in enumerate(panel.sets):
        top = panel.bar_top(set_.count)
        bars.append((column + 0.5 * (1.0 - SET_BAR_WIDTH), top, SET_BAR_WIDTH, panel.bar_foot - top))
        painter.write(str(set_.count), (column + 0.5, top), pens.ink("ink"), (0.5, 1.0))
    painter.draw_bars(look, bars)
    places = np.array(panel.empty_dots(), dtype=float).reshape(-1, 2)
    empty = pyqtgraph.PlotDataItem(
        places, pen=None, symbol="o", symbolSize=_EMPTY_DOT, symbolBrush=pens.ink("grid"), symbolPen=None
    )
    painter.box.addItem(empty)
    painter.draw_lines(pens.line(look), panel.joins())
    dots = panel.dots()
    painter.draw_marks(look, [place for place, _ in dots], [words for _, words in dots])
    return painter


PAINTERS: Mapping[type[Panel], Callable[[Any, Pens, bool], PanelPainter]] = {
    CurvePanel: _draw_curves,
    RowPanel: _draw_rows,
    RankPanel: _draw_ranks,
    WebPanel: _draw_web,
    SharePanel: _draw_shares,
    SetPanel: _draw_sets,
}
"""What draws each kind of panel: with pens of a theme, and with the names of its rows or without."""


# Neither OpenGL nor kernels compiled for drawing, and no way of its own to end the program.
pyqtgraph.setConfigOptions(antialias=True, useOpenGL=False, useNumba=False, useCupy=False, exitCleanup=False)

_NEAR = 12.0
# Places in the grid that a row of panels takes: heading, title, scale above, panel, scale beneath.
_HEADING, _TITLE, _ABOVE, _PANEL, _BELOW, _ROWS_EACH = range(6)
_NARROWEST = 90.0
_LEAST_NAME = 14
_OF_PLOTS = 0.4


@dataclass(frozen=True, slots=True)
class Spot:
    """A mark where the pointer is."""

    words: str
    x: float
    y: float


def _escaped(text: str) -> str:
    return html.escape(in_order(text))


def _with_event(title: str, metrics: QFontMetricsF, room: float) -> str:
    """Shorten a title to its room: first the name of the label, as the event tells panels apart."""
    label, equals, event = title.rpartition(" = ")
    rest = room - metrics.horizontalAdvance(f"{equals}{event}")
    if equals and rest >= metrics.horizontalAdvance(f"{label[:1]}{ELLIPSIS}"):
        return f"{metrics.elidedText(label, Qt.TextElideMode.ElideRight, rest)}{equals}{event}"
    if equals:
        # The panels beside it have the same label, and its tooltip says it.
        return metrics.elidedText(f"= {event}", Qt.TextElideMode.ElideRight, room)
    return metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, room)


class _Title(pyqtgraph.LabelItem):  # type: ignore[misc]  # it comes without types
    """A title that is as wide as there is room, and shortened where that is too little."""

    # Asked for while it is being made.
    _whole = ""

    def __init__(self, text: str, font: QFont, **options: Any) -> None:
        super().__init__(_escaped(text), **options)
        self._whole, self._metrics = text, QFontMetricsF(font)
        read_from_the_left(self.item.document())

    def updateMin(self) -> None:
        """Ask for no width: the column that it stands in is the panel's."""
        super().updateMin()
        self.setMinimumWidth(0.0)

    def sizeHint(self, hint: Qt.SizeHint, constraint: QSizeF) -> QSizeF:
        """Ask for no width here either."""
        size: QSizeF = super().sizeHint(hint, constraint)
        return size if hint is Qt.SizeHint.MaximumSize else QSizeF(0.0, size.height())

    def resizeEvent(self, event: QEvent | None) -> None:
        """Show as much as there is room for."""
        if self._whole and event is not None:
            shown = _with_event(self._whole, self._metrics, self.width())
            if self.text != _escaped(shown):
                self.setText(_escaped(shown))
                self.setToolTip("" if shown == self._whole else literal(self._whole))
        super().resizeEvent(event)


class ChartCanvas(pyqtgraph.GraphicsLayoutWidget):  # type: ignore[misc]  # it comes without types
    """Draws one chart."""

    zoomed = Signal(bool)  # whether any panel shows a part only
    # Asked for while the canvas is being made.
    chart = Chart("", ())
    _is_whole = True
    _columns: Sequence[list[PanelPainter]] = ()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What pyqtgraph draws changes its bounds unsaid, and an index by places then keeps what has gone.
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.plots: list[PanelPainter] = []
        self._pens_font = self.font()
        self.ci.layout.setSpacing(0)
        self.ci.setContentsMargins(0, 0, 0, 0)
        self.setFrameShape(self.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def can_zoom(self) -> bool:
        """Whether any panel can be looked at closely."""
        return any(any(painter.box.state["mouseEnabled"]) for painter in self.plots)

    def set_chart(self, chart: Chart, chosen: Colours, font: QFont) -> None:
        """Show another chart, or the same in another theme."""
        for _ in self.draw(chart, chosen, font):
            pass

    def draw(self, chart: Chart, chosen: Colours, font: QFont) -> Iterator[None]:
        """Show another chart, with a pause after each row of panels; it is painted when all is there."""
        self._is_whole = False
        pens = Pens(chosen, font)
        # What was painted before stays till then, except that it would glare in another theme.
        self.setUpdatesEnabled(pens.ink("ground") != self.backgroundBrush().color())
        self.chart, self._pens_font = chart, font
        for painter in self.plots:
            painter.box.sigRangeChangedManually.disconnect(self._on_zoomed)
        self.ci.clear()
        self.setBackground(pens.ink("ground"))
        self.plots = []
        self._columns = [[] for _ in range(chart.columns)]
        line = QFontMetricsF(font).height()
        height = 0.0
        for row, panels in enumerate(chart.rows):
            height += self._add_heading(row, pens, line)
            parts = [self._add_panel(row, number, panel, pens) for number, panel in enumerate(panels)]
            for number, part in enumerate(map(max, zip(*parts, strict=True)), _TITLE):
                self.ci.layout.setRowFixedHeight(row * _ROWS_EACH + number, part)
                height += part
            yield
        self._is_whole = True
        self.setFixedHeight(round(height))
        self._share_width()
        self.zoomed.emit(False)
        self.setUpdatesEnabled(True)
        self.viewport().update()

    def show_whole(self) -> None:
        """Show every panel from end to end."""
        for painter in self.plots:
            painter.show_whole()
        self.zoomed.emit(False)

    def spot_at(self, position: QPointF) -> Spot | None:
        """Return the mark nearest to a place in the canvas; None where none is near."""
        for painter in self.plots:
            if painter.box.sceneBoundingRect().contains(self.mapToScene(position.toPoint())):
                return self._nearest(painter, position)
        return None

    def spots(self) -> Iterator[Spot]:
        """Yield every mark with its place in the canvas."""
        for painter in self.plots:
            places = self._places(painter)
            for (x, y), words in zip(places.tolist(), painter.words, strict=True):
                yield Spot(words, x, y)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the ground alone where a part of the chart is missing."""
        if self._is_whole:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.backgroundBrush())
        painter.end()

    def resizeEvent(self, event: QEvent) -> None:
        """Use the width."""
        super().resizeEvent(event)
        # What was painted before is lost with the size, and what is not painted would be black.
        self.setUpdatesEnabled(True)
        self._share_width()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the mark under the pointer is."""
        super().mouseMoveEvent(event)
        spot = self.spot_at(event.position()) if event.buttons() == Qt.MouseButton.NoButton else None
        for painter in self.plots:
            painter.highlight(spot.words if spot is not None else "")
        if spot is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), literal(spot.words), self)

    def leaveEvent(self, event: QEvent) -> None:
        """Say nothing any more."""
        super().leaveEvent(event)
        for painter in self.plots:
            painter.highlight("")

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; otherwise the page scrolls."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and self.can_zoom:
            super().wheelEvent(event)
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole again."""
        super().mouseDoubleClickEvent(event)
        self.show_whole()

    def _add_heading(self, row: int, pens: Pens, line: float) -> float:
        """Put a heading above a row of panels; give the height that it takes."""
        top = row * _ROWS_EACH + _HEADING
        height = SPACE_LARGE if row else 0.0
        if self.chart.headings:
            heading = self._label(self.chart.headings[row], pens, "ink", is_strong=True)
            self.ci.addItem(heading, top, 0, 1, 2 * self.chart.columns)
            self.ci.layout.setAlignment(heading, Qt.AlignmentFlag.AlignBottom)
            height += 1.4 * line
        self.ci.layout.setRowFixedHeight(top, height)
        return height

    def _add_panel(self, row: int, column: int, panel: Panel, pens: Pens) -> list[float]:
        """Draw a panel into its place; give how high title, scale above, panel and scale beneath are."""
        top, left, line = row * _ROWS_EACH, 2 * column, QFontMetricsF(pens.font).height()
        painter = PAINTERS[type(panel)](panel, pens, self.chart.has_own_names(row, column))
        painter.box.sigRangeChangedManually.connect(self._on_zoomed)
        self.plots.append(painter)
        self._columns[column].append(painter)
        title_height = 1.5 * line if panel.title else 0.0
        if panel.title:
            is_strong = not self.chart.headings
            label = self._label(panel.title, pens, "ink" if is_strong else "quiet", is_strong)
            if self.chart.columns == 1:
                # The room above the names is free.
                self.ci.addItem(label, top + _TITLE, left, 1, 2)
            else:
                self.ci.addItem(label, top + _TITLE, left + 1)
        for number, across, axis in (
            (_PANEL, left, painter.left),
            (_ABOVE, left + 1, painter.above),
            (_BELOW, left + 1, painter.below),
        ):
            if axis is not None:
                self.ci.addItem(axis, top + number, across)
        self.ci.addItem(painter.box, top + _PANEL, left + 1)
        return [
            title_height,
            painter.above.height() if painter.above is not None else 0.0,
            painter.height,
            painter.below.height() if painter.below is not None else 0.0,
        ]

    def _label(self, text: str, pens: Pens, ink: str, is_strong: bool) -> Any:
        label = _Title(
            text,
            pens.strong_font if is_strong else pens.font,
            justify="left",
            color=pens.ink(ink).name(),
            bold=is_strong,
            size=pens.font_size,
        )
        label.item.setFont(pens.font)
        label.setMaximumHeight(1.5 * QFontMetricsF(pens.font).height())
        return label

    def _share_width(self) -> None:
        """Give every column of panels the same width, beside the names that it has."""
        columns, painters = self.chart.columns, self._columns
        if not columns or not self._is_whole:
            return
        whole = [max(painter.names_width for painter in column) for column in painters]
        needed = [max(painter.width for painter in column) for column in painters]
        plots, gaps = sum(max(width, _NARROWEST) for width in needed), SPACE_LARGE * (columns + 1)
        letter = QFontMetricsF(self._pens_font).averageCharWidth()
        shortest = [min(width, _LEAST_NAME * letter) for width in whole]
        # Names are shortened before anything must be scrolled; the mark of each row says its whole name.
        spare = max(self.width() - gaps - max(plots, _OF_PLOTS * self.width()) - sum(shortest), 0.0)
        wanted = sum(whole) - sum(shortest)
        share = min(spare / wanted, 1.0) if wanted else 1.0
        names = [
            max(painter.fit_names(short + share * (width - short)) for painter in column)
            for column, width, short in zip(painters, whole, shortest, strict=True)
        ]
        room = self.width() - sum(names) - sum(needed) - SPACE_LARGE * columns - SPACE
        share = max(room / max(needed.count(0.0), 1), _NARROWEST)
        for column, width in zip(painters, names, strict=True):
            for painter in column:
                painter.leave_room_before(width)
        for number, width in enumerate(names):
            self.ci.layout.setColumnFixedWidth(2 * number, width + (SPACE_LARGE if number else 0.0))
            self.ci.layout.setColumnFixedWidth(2 * number + 1, needed[number] or share)
        self.setMinimumWidth(round(sum(shortest) + plots + gaps))

    def _nearest(self, painter: PanelPainter, position: QPointF) -> Spot | None:
        places = self._places(painter)
        if not len(places):
            return None
        distances = np.hypot(places[:, 0] - position.x(), places[:, 1] - position.y())
        nearest = int(distances.argmin())
        if distances[nearest] > _NEAR:
            return None
        x, y = places[nearest].tolist()
        return Spot(painter.words[nearest], x, y)

    def _places(self, painter: PanelPainter) -> np.ndarray:
        """Return where the marks of a panel are in the canvas, shape (marks, 2)."""
        transform = painter.box.childGroup.sceneTransform() * self.viewportTransform()
        return np.array([transform.map(x, y) for x, y in painter.places]).reshape(-1, 2)

    def _on_zoomed(self) -> None:
        self.zoomed.emit(True)
