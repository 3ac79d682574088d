"""How pyqtgraph draws the looks of series and the inks of a theme, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL, Colours
from engine.reporting.figures.chart import Series
from engine.reporting.figures.looks import Marker, looks

# Lengths of looks are in hundredths of an inch, which is about a pixel of a usual screen.
_SYMBOLS = {
    Marker.CIRCLE: "o",
    Marker.SQUARE: "s",
    Marker.UP: "t1",
    Marker.DOWN: "t",
    Marker.DIAMOND: "d",
    Marker.PLUS: "+",
    Marker.CROSS: "x",
    Marker.STAR: "star",
}
_INKS = {"ground": "base", "grid": "border", "ink": "text", "quiet": "muted"}
# Its symbol fills the box of its size less than the others do.
_LARGER = {Marker.DIAMOND: 1.25, Marker.CROSS: 1.1, Marker.PLUS: 1.1}
_EDGE = 1.3
# Lines in the ground's colour tell bars apart where colours do not; the first series has none.
_HATCHES = (
    Qt.BrushStyle.NoBrush,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.DiagCrossPattern,
    Qt.BrushStyle.VerPattern,
    Qt.BrushStyle.CrossPattern,
)
_SAMPLE_WIDTH, _SAMPLE_HEIGHT = 30, 18


@dataclass(frozen=True, slots=True)
class Pens:
    """Pens, brushes and symbols of one theme."""

    colours: Colours
    font: QFont

    @property
    def font_size(self) -> str:
        """Size of the font, as HTML has it."""
        font = self.font
        return f"{font.pointSizeF():g}pt" if font.pointSizeF() > 0 else f"{font.pixelSize()}px"

    @property
    def strong_font(self) -> QFont:
        """The same font, bold."""
        font = QFont(self.font)
        font.setBold(True)
        return font

    def colour(self, look: str) -> QColor:
        """Return the colour of a series."""
        series_look = looks()[look]
        return QColor(series_look.colour_on_dark if self.colours.dark else series_look.colour)

    def ink(self, name: str) -> QColor:
        """Return the colour of what is no series: ``"ground"``, ``"grid"``, ``"ink"`` or ``"quiet"``."""
        return QColor(getattr(self.colours, _INKS[name]))

    def ink_pen(self, name: str, width: float = 1.0) -> QPen:
        """Return the pen of what is no series."""
        pen = QPen(self.ink(name), width)
        pen.setCosmetic(True)
        return pen

    def line(self, look: str) -> QPen:
        """Return the pen of the lines of a series."""
        series_look = looks()[look]
        pen = QPen(self.colour(look), series_look.width)
        pen.setCosmetic(True)
        if series_look.dash:
            # Qt counts dashes in widths of the pen.
            pen.setDashPattern([length / series_look.width for length in series_look.dash])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        return pen

    def marks(self, look: str) -> dict[str, Any]:
        """Return how pyqtgraph is told to draw the marks of a series."""
        series_look = looks()[look]
        colour = self.colour(look)
        # Symbols are drawn in units of their own size, which the edge must not follow.
        edge = QPen(colour, _EDGE)
        edge.setCosmetic(True)
        return {
            "symbol": _SYMBOLS[series_look.marker],
            "size": series_look.size * _LARGER.get(series_look.marker, 1.0),
            "pen": edge,
            "brush": QBrush(colour if series_look.is_filled else self.ink("ground")),
        }

    def fills(self, look: str) -> tuple[QBrush, ...]:
        """Return the brushes of the bars of a series, one above the other."""
        colour = QBrush(self.colour(look))
        hatch = _HATCHES[list(looks()).index(look) % len(_HATCHES)]
        return (colour,) if hatch is Qt.BrushStyle.NoBrush else (colour, QBrush(self.ink("ground"), hatch))

    def bar_sample(self, look: str, ratio: float) -> QPixmap:
        """Return a piece of a bar, as the legend shows a series, for a screen with so many dots a pixel."""
        picture = _transparent(_SAMPLE_HEIGHT, ratio)
        painter = QPainter(picture)
        for brush in self.fills(look):
            painter.fillRect(1, 1, _SAMPLE_HEIGHT - 2, _SAMPLE_HEIGHT - 2, brush)
        painter.end()
        return picture

    def sample(self, look: str, ratio: float) -> QPixmap:
        """Return a line with a mark, as the legend shows a series, for a screen with so many dots a pixel."""
        picture = _transparent(_SAMPLE_WIDTH, ratio)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = _SAMPLE_HEIGHT / 2
        painter.setPen(self.line(look))
        painter.drawLine(0, round(middle), _SAMPLE_WIDTH, round(middle))
        painter.translate(_SAMPLE_WIDTH / 2, round(middle))
        style = self.marks(look)
        drawSymbol(painter, style["symbol"], style["size"], style["pen"], style["brush"])
        painter.end()
        return picture


def _transparent(width: int, ratio: float) -> QPixmap:
    picture = QPixmap(round(width * ratio), round(_SAMPLE_HEIGHT * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


class SeriesLegend(QWidget):
    """Shows which colour, mark and dash stand for what."""

    def __init__(self, parent: QWidget | None = None, is_of_bars: bool = False) -> None:
        super().__init__(parent)
        self._is_of_bars = is_of_bars
        self.entries: list[QWidget] = []
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setVerticalSpacing(SPACE_SMALL)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        # As narrow as a single column, so that it never makes the page wider.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def set_series(self, series: Sequence[Series], chosen: Colours, font: QFont) -> None:
        """Show other series, or the same in another theme."""
        for entry in self.entries:
            self._grid.removeWidget(entry)
            entry.hide()
            entry.deleteLater()
        pens = Pens(chosen, font)
        draw = pens.bar_sample if self._is_of_bars else pens.sample
        samples = [draw(one_series.look, self.devicePixelRatioF()) for one_series in series]
        self.entries = [
            _Entry(one_series, sample, pens, self) for one_series, sample in zip(series, samples, strict=True)
        ]
        self._columns = 0
        self.setVisible(bool(self.entries))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        widths = [entry.sizeHint().width() for entry in self.entries]
        columns = next(
            (count for count in range(len(widths), 1, -1) if _width(widths, count) <= self.width()), 1
        )
        if columns == self._columns:
            return
        self._columns = columns
        for number, entry in enumerate(self.entries):
            self._grid.addWidget(entry, number // columns, number % columns, Qt.AlignmentFlag.AlignLeft)
        self.setMinimumHeight(self._grid.sizeHint().height())


def _width(widths: Sequence[int], columns: int) -> int:
    """Return how wide so many columns are."""
    return sum(max(widths[column::columns]) for column in range(columns)) + SPACE_LARGE * (columns - 1)


class _Entry(QWidget):
    def __init__(self, series: Series, picture: QPixmap, pens: Pens, parent: QWidget) -> None:
        super().__init__(parent)
        name = QLabel(series.name, self)
        name.setTextFormat(Qt.TextFormat.PlainText)
        font = pens.strong_font if series.is_strong else pens.font
        name.setFont(font)
        sample = QLabel(self)
        sample.setPixmap(picture)
        row = QGridLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(SPACE)
        row.addWidget(sample, 0, 0)
        row.addWidget(name, 0, 1)
        name.setMinimumWidth(QFontMetrics(font).horizontalAdvance(series.name))
