"""A picture that can be painted anywhere: on the screen, or into a PNG, SVG or PDF file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QImage,
    QImageWriter,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator

from clcd_gui.style.tokens import LIGHT
from engine.atomic import atomic_path
from engine.errors import EngineError
from engine.translation import N_, _


@dataclass(frozen=True, slots=True)
class Figure:
    """A finished picture in the light theme, with its legend."""

    title: str
    size: QSizeF
    paint: Callable[[QPainter], None]


def device_font(font: QFont) -> QFont:
    """Return the same font with its size in pixels, so that no device makes it larger or smaller."""
    fixed = QFont(font)
    fixed.setPixelSize(QFontInfo(font).pixelSize())
    return fixed


_PNG_SCALE = 3.0
_LARGEST_SIDE = 16000
_DOTS_PER_INCH = 96
_DOTS_PER_METRE = round(_DOTS_PER_INCH / 0.0254)
_POINTS_PER_INCH = 72


Drawing = Callable[[Path], None]
"""Writes a picture that is painted already, on any thread."""


def draw_png(figure: Figure) -> Drawing:
    """Paint a picture for a PNG file, three dots for every pixel of the screen so that it prints well."""
    scale = min(_PNG_SCALE, _LARGEST_SIDE / max(figure.size.width(), figure.size.height()))
    size = QSize(math.ceil(figure.size.width() * scale), math.ceil(figure.size.height() * scale))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.base))
    painter = QPainter(image)
    painter.scale(scale, scale)
    figure.paint(painter)
    painter.end()
    image.setDotsPerMeterX(round(_DOTS_PER_METRE * scale))
    image.setDotsPerMeterY(round(_DOTS_PER_METRE * scale))
    image.setText("Title", figure.title)
    return partial(_write_image, image)


def draw_svg(figure: Figure) -> Drawing:
    """Paint a picture for an SVG file, which can be edited and printed at any size."""
    drawn = _opened_buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(drawn)
    generator.setSize(figure.size.toSize())
    generator.setViewBox(QRectF(0, 0, figure.size.width(), figure.size.height()))
    generator.setResolution(_DOTS_PER_INCH)
    generator.setTitle(figure.title)
    painter = QPainter()
    _check(painter.begin(generator))
    painter.fillRect(QRectF(0, 0, figure.size.width(), figure.size.height()), QColor(LIGHT.base))
    figure.paint(painter)
    painter.end()
    return partial(_write_bytes, _taken_from(drawn))


def draw_pdf(figure: Figure) -> Drawing:
    """Paint a picture for a PDF file, on a page of its own size."""
    points = _POINTS_PER_INCH / _DOTS_PER_INCH
    drawn = _opened_buffer()
    writer = QPdfWriter(drawn)
    writer.setTitle(figure.title)
    writer.setResolution(_DOTS_PER_INCH)
    page = QPageSize(
        QSizeF(figure.size.width() * points, figure.size.height() * points),
        QPageSize.Unit.Point,
        "",
        QPageSize.SizeMatchPolicy.ExactMatch,
    )
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    painter = QPainter()
    _check(painter.begin(writer))
    figure.paint(painter)
    _check(painter.end())
    return partial(_write_bytes, _taken_from(drawn))


FIGURE_FORMATS: dict[str, tuple[str, Callable[[Figure], Drawing]]] = {
    ".png": (N_("Picture (PNG)"), draw_png),
    ".svg": (N_("Drawing (SVG)"), draw_svg),
    ".pdf": (N_("Page (PDF)"), draw_pdf),
}
"""What each kind of picture file is called, and what paints it on the window's thread, by its ending."""


def _opened_buffer() -> QBuffer:
    # Qt does not say that a file it draws into found no room.
    drawn = QBuffer()
    drawn.open(QIODevice.OpenModeFlag.WriteOnly)
    return drawn


def _taken_from(drawn: QBuffer) -> bytes:
    return bytes(drawn.data().data())


def _write_image(image: QImage, path: Path) -> None:
    """Compress what was painted, which takes longer than to paint it."""
    compressed = _opened_buffer()
    _check(QImageWriter(compressed, QByteArray(b"PNG")).write(image))
    _write_bytes(_taken_from(compressed), path)


def _write_bytes(drawn: bytes, path: Path) -> None:
    with atomic_path(path) as draft:
        draft.write_bytes(drawn)


def _check(done: bool) -> None:
    if not done:
        raise EngineError(_("the picture cannot be drawn."), remedy=_("Show less in it, or make it smaller."))
