"""Draw the icons of the program and of its files in the sizes and formats that systems ask for.

There is one drawing of each; what is made of it is made anew for every installer.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PACKAGING = Path(__file__).resolve().parent
PROGRAM = PACKAGING.parent / "resources" / "icons" / "app.svg"
DOCUMENT = PACKAGING / "document.svg"

LINUX_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
WINDOWS_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)
MACOS_SIZES = (32, 64, 128, 256, 512, 1024)


def png(drawing: Path, size: int) -> bytes:
    """Return a drawing as a PNG of `size` by `size` points."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data())


def write_ico(drawing: Path, path: Path) -> None:
    """Write an icon for Windows, which holds every size."""
    _write(drawing, path, WINDOWS_SIZES, {"sizes": [(size, size) for size in WINDOWS_SIZES]})


def write_icns(drawing: Path, path: Path) -> None:
    """Write an icon for macOS, which holds every size."""
    _write(drawing, path, MACOS_SIZES, {})


def _write(drawing: Path, path: Path, sizes: tuple[int, ...], options: dict[str, object]) -> None:
    # Each size is drawn by itself: scaled from the largest, thin lines would be lost in the small ones.
    *smaller, largest = (Image.open(io.BytesIO(png(drawing, size))) for size in sizes)
    path.parent.mkdir(parents=True, exist_ok=True)
    largest.save(path, append_images=smaller, **options)
