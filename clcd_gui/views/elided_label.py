"""One line of text that shortens itself, with the whole of it in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOption, QWidget

from clcd_gui.style.literal_text import set_tooltip


class ElidedLabel(QLabel):
    """A label that never asks for more width than there is.

    Parameters
    ----------
    text : str
    mode : Qt.TextElideMode
        Where it is shortened.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self._explain()
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Allow it to become narrow."""
        return QSize(self.fontMetrics().horizontalAdvance("…") * 3, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for the whole text."""
        width = self.fontMetrics().horizontalAdvance(self.text()) + 2
        return QSize(width, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Decide anew whether the tooltip is needed."""
        super().resizeEvent(event)
        self._explain()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        text = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        self.style().drawItemText(
            painter,
            self.rect(),
            int(self.alignment()),
            option.palette,
            bool(option.state & QStyle.StateFlag.State_Enabled),
            text,
            self.foregroundRole(),
        )

    def _explain(self) -> None:
        fits = self.fontMetrics().horizontalAdvance(self.text()) <= self.width()
        set_tooltip(self, "" if fits else self.text())
