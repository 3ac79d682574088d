"""A file to choose: icon, name, a line about it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.style import icons, themes
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.text import muted, plain
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.views.elided_label import ElidedLabel

_ICON_SIZE = 22


class FileRow(QPushButton):
    """A button over the whole row.

    Parameters
    ----------
    icon : str
        Name of its icon.
    name : str
        First line.
    about : str
        Second line.
    key : str
        What it stands for.
    """

    def __init__(self, icon: str, name: str, about: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self._icon_name = icon
        self.setProperty("look", "step")
        self.setAccessibleName(name)
        self.setAccessibleDescription(about)
        set_tooltip(self, key)
        self._mark = plain()
        self._about = muted(about) if icon == "example" else ElidedLabel(about)
        self._about.setProperty("look", "muted")
        caption = ElidedLabel(name)
        caption.setProperty("look", "title")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(caption)
        words.addWidget(self._about)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(SPACE)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        for child in (self._mark, caption, self._about):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._paint_mark()

    def sizeHint(self) -> QSize:
        """Ask for the room that the lines need."""
        return self.layout().sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Never be lower than its lines."""
        return QSize(SPACE * 10, self.layout().minimumSize().height())

    def hasHeightForWidth(self) -> bool:
        """Lines wrap, so the height depends on the width."""
        return self.layout().hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """Give the height that the wrapped lines need."""
        return self.layout().heightForWidth(width)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_mark()

    def _paint_mark(self) -> None:
        colour = themes.colours(self.palette()).muted
        self._mark.setPixmap(icons.pixmap(self._icon_name, colour, _ICON_SIZE, self.devicePixelRatioF()))
        self._mark.setFixedSize(QSize(_ICON_SIZE, _ICON_SIZE + SPACE_SMALL))
