"""A picture that can be painted anywhere: on the screen, or into a PNG, SVG or PDF file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
from engine.errors import UnwritableFile
from engine.wording.sentences import CHOOSE_ANOTHER_PLACE


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
    """Return the same font with its size in pixels, so that no device makes it larger or smaller."""
    fixed = QFont(font)
    fixed.setPixelSize(QFontInfo(font).pixelSize())
    return fixed


_PNG_SCALE = 3.0
_LARGEST_SIDE = 16000
_DOTS_PER_INCH = 96
_DOTS_PER_METRE = round(_DOTS_PER_INCH / 0.0254)
_POINTS_PER_INCH = 72


def write_png(figure: Figure, path: Path) -> None:
    """Write a picture as PNG, three dots for every pixel of the screen so that it prints well."""
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
    with _written(path) as device:
        _check(QImageWriter(device, QByteArray(b"PNG")).write(image), path)


def write_svg(figure: Figure, path: Path) -> None:
    """Write a picture as SVG, which can be edited and printed at any size."""
    with _written(path) as device:
        generator = QSvgGenerator()
        generator.setOutputDevice(device)
        generator.setSize(figure.size.toSize())
        generator.setViewBox(QRectF(0, 0, figure.size.width(), figure.size.height()))
        generator.setResolution(_DOTS_PER_INCH)
        generator.setTitle(figure.title)
        painter = QPainter()
        _check(painter.begin(generator), path)
        painter.fillRect(QRectF(0, 0, figure.size.width(), figure.size.height()), QColor(LIGHT.base))
        figure.paint(painter)
        painter.end()


def write_pdf(figure: Figure, path: Path) -> None:
    """Write a picture as a PDF page of its own size."""
    points = _POINTS_PER_INCH / _DOTS_PER_INCH
    with _written(path) as device:
        writer = QPdfWriter(device)
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
        _check(painter.begin(writer), path)
        figure.paint(painter)
        _check(painter.end(), path)


FIGURE_WRITERS: dict[str, tuple[str, Callable[[Figure, Path], None]]] = {
    ".png": ("Picture (PNG)", write_png),
    ".svg": ("Drawing (SVG)", write_svg),
    ".pdf": ("Page (PDF)", write_pdf),
}
"""What each kind of picture file is called, and what writes it, by its ending."""


@contextmanager
def _written(path: Path) -> Iterator[QBuffer]:
    """Take what is drawn and write it whole: Qt does not say that a file it draws into found no room."""
    drawn = QBuffer()
    drawn.open(QIODevice.OpenModeFlag.WriteOnly)
    yield drawn
    with atomic_path(path) as draft:
        draft.write_bytes(drawn.data().data())


def _check(done: bool, path: Path) -> None:
    if not done:
        raise UnwritableFile("the picture cannot be written.", place=f"'{path}'", remedy=CHOOSE_ANOTHER_PLACE)
