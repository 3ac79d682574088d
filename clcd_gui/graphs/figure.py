"""A picture that can be painted anywhere: on the screen, or into a PNG, SVG or PDF file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFont, QFontInfo, QPainter


@dataclass(frozen=True, slots=True)
class Figure:
    """A finished picture in the light theme, with its legend.

    Attributes
    ----------
    title : str
        What it shows.
    size : QSizeF
        Width and height in logical pixels.
    paint : callable
        Paints it with the upper left corner at the origin.
    """

    title: str
    size: QSizeF
    paint: Callable[[QPainter], None]


def device_font(font: QFont) -> QFont:
    """Give the same font with its size in pixels, so that no device makes it larger or smaller."""
    fixed = QFont(font)
    fixed.setPixelSize(QFontInfo(font).pixelSize())
    return fixed
