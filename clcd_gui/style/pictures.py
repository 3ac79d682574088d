"""Pictures in the size in which they are shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage


def in_width(picture: QImage, width: float, ratio: float) -> QImage:
    """Make a picture as wide as it is shown: a text that did so itself would leave out parts of letters.

    Returns
    -------
    QImage
        It says itself how many of its pixels are one of these.
    """
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
