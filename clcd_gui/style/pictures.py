"""Pictures in the size in which they are shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage


def in_width(picture: QImage, width: float, ratio: float) -> QImage:
    """Make a picture as wide as it is shown: a text that did so itself would leave out parts of letters.

    Parameters
    ----------
    picture : QImage
    width : float
        In the pixels in which widgets are measured.
    ratio : float
        How many pixels of the screen are one of these.

    Returns
    -------
    QImage
        It says itself how many of its pixels are one of these.
    """
    scaled = picture.scaledToWidth(round(width * ratio), Qt.TransformationMode.SmoothTransformation)
    scaled.setDevicePixelRatio(ratio)
    return scaled
