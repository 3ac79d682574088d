"""Icons by name, drawn from bundled SVG files and tinted to the theme."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QImage, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QWidget

from clcd_gui.resource_path import resource_path
from clcd_gui.style.tokens import Colours


def in_width(picture: QImage, width: float, ratio: float) -> QImage:
    """Make a picture as wide as it is shown, with its pixel ratio: Qt's text would drop parts of letters."""
    scaled = picture.scaledToWidth(round(width * ratio), Qt.TransformationMode.SmoothTransformation)
    scaled.setDevicePixelRatio(ratio)
    return scaled


class FittedPicture:
    """A picture in its own size, and as it was shown last."""

    def __init__(self, image: QImage) -> None:
        self.image = image
        self._shown: tuple[float, float, QImage] | None = None

    def in_width(self, width: float, ratio: float) -> QImage:
        """Return it as wide as it is shown, as :func:`in_width` makes it."""
        if self._shown is None or self._shown[:2] != (width, ratio):
            self._shown = (width, ratio, in_width(self.image, width, ratio))
        return self._shown[2]


_SIZES = (16, 20, 24, 32, 48)
# The icons of two themes take up 3 MB. Qt draws them once more for each palette that there was, of which each
# change of the theme makes another, and would keep 10 MB.
_MOST_KILOBYTES = 4096


def hold_few_pictures() -> None:
    """Have Qt keep little more of what is drawn once than the icons of two themes, until the program ends."""
    QPixmapCache.setCacheLimit(_MOST_KILOBYTES)


def icon(name: str, colour: str, when_disabled: str = "") -> QIcon:
    """Return an icon in one colour, with a faint version, or that of another icon, for disabled controls."""
    faint = QColor(when_disabled or colour)
    faint.setAlphaF(0.4)
    coloured_icon = QIcon()
    for size in _SIZES:
        coloured_icon.addPixmap(pixmap(name, colour, size), QIcon.Mode.Normal)
        coloured_icon.addPixmap(
            pixmap(name, faint.name(QColor.NameFormat.HexArgb), size), QIcon.Mode.Disabled
        )
    return coloured_icon


def pixmap(name: str, colour: str, size: int, device_ratio: float = 1.0) -> QPixmap:
    """Draw an icon into a square of `size` logical pixels; it is kept, since many controls have the same."""
    key = f"{name} {colour} {size} {device_ratio:g}"
    cached = QPixmap()
    if QPixmapCache.find(key, cached):
        return cached
    pixels, tint = round(size * device_ratio), QColor(colour)
    if "#" in _source(name):
        picture = QPixmap.fromImage(_drawn(name, pixels, tint))
    else:
        # Of one colour alone, it is drawn once and filled with this one, which takes a fifth of the time.
        picture = QPixmap.fromImage(_filled(_shape(name, pixels), tint))
    picture.setDevicePixelRatio(device_ratio)
    QPixmapCache.insert(key, picture)
    return picture


def assign(target: QAbstractButton | QAction, name: str, chosen: Colours, tone: str = "text") -> None:
    """Give a button or an action an icon that is tinted anew when the theme changes."""
    target.setProperty("iconName", name)
    target.setProperty("iconTone", tone)
    target.setIcon(_tinted(name, chosen, tone))


def retint(windows: Iterable[QWidget], chosen: Colours) -> None:
    """Tint every icon given by :func:`assign` in some windows in other colours."""
    tinted: dict[tuple[str, str], QIcon] = {}
    for window in windows:
        children: list[QAbstractButton | QAction] = [
            *window.findChildren(QAbstractButton),
            *window.findChildren(QAction),
        ]
        for child in children:
            name = child.property("iconName")
            # Only what was given an icon has the property.
            if name:
                key = str(name), str(child.property("iconTone"))
                if key not in tinted:
                    tinted[key] = _tinted(key[0], chosen, key[1])
                child.setIcon(tinted[key])


def _tinted(name: str, chosen: Colours, tone: str) -> QIcon:
    # The ground of a disabled control is another one, on which white would not be seen.
    return icon(name, getattr(chosen, tone), chosen.text)


def _drawn(name: str, pixels: int, tint: QColor) -> QImage:
    picture = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    text = _source(name).replace("currentColor", tint.name(QColor.NameFormat.HexRgb))
    renderer = QSvgRenderer(QByteArray(text.encode()))
    painter = QPainter(picture)
    painter.setOpacity(tint.alphaF())
    renderer.render(painter, QRectF(picture.rect()))
    painter.end()
    return picture


@cache
def _shape(name: str, pixels: int) -> QImage:
    return _drawn(name, pixels, QColor(Qt.GlobalColor.black))


def _filled(shape: QImage, tint: QColor) -> QImage:
    picture = shape.copy()
    painter = QPainter(picture)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(picture.rect(), tint)
    painter.end()
    return picture


@cache
def _source(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
