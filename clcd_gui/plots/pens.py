"""How pyqtgraph draws the looks of series and the inks of a theme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen, QPixmap

from clcd_gui.style.tokens import Colours
from engine.reporting.figures.looks import Look, Marker, looks

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
_SAMPLE_WIDTH, _SAMPLE_HEIGHT = 30, 18


@dataclass(frozen=True, slots=True)
class Pens:
    """Pens, brushes and symbols of one theme.

    Attributes
    ----------
    colours : Colours
    font : QFont
        Of all text.
    """

    colours: Colours
    font: QFont

    @property
    def strong_font(self) -> QFont:
        """The same font, bold."""
        font = QFont(self.font)
        font.setBold(True)
        return font

    def colour(self, look: str) -> QColor:
        """Return the colour of a series."""
        known = looks()[look]
        return QColor(known.colour_on_dark if self.colours.dark else known.colour)

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
        known = looks()[look]
        pen = QPen(self.colour(look), known.width)
        pen.setCosmetic(True)
        if known.dash:
            # Qt counts dashes in widths of the pen.
            pen.setDashPattern([length / known.width for length in known.dash])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        return pen

    def marks(self, look: str) -> dict[str, Any]:
        """Return how pyqtgraph is told to draw the marks of a series."""
        known = looks()[look]
        colour = self.colour(look)
        # Symbols are drawn in units of their own size, which the edge must not follow.
        edge = QPen(colour, _EDGE)
        edge.setCosmetic(True)
        return {
            "symbol": _SYMBOLS[known.marker],
            "size": _size(known),
            "pen": edge,
            "brush": QBrush(colour if known.is_filled else self.ink("ground")),
        }

    def sample(self, look: str, ratio: float) -> QPixmap:
        """Return a line with a mark, as the legend shows a series, for a screen with so many dots a pixel."""
        picture = QPixmap(round(_SAMPLE_WIDTH * ratio), round(_SAMPLE_HEIGHT * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
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


def _size(look: Look) -> float:
    return look.size * _LARGER.get(look.marker, 1.0)
