"""Headers of tables that are as high, or as wide, as one of their sections."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView


class EvenHeader(QHeaderView):
    """A header whose last section needs most room across: names have as many lines, and row numbers grow.

    Qt asks two hundred sections, of five roles each, whenever colours or text size change.

    Parameters
    ----------
    orientation : Qt.Orientation
    """

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def sizeHint(self) -> QSize:
        """Return the room for the last section."""
        model = self.model()
        if model is None:
            return super().sizeHint()
        is_across = self.orientation() is Qt.Orientation.Horizontal
        # While a model is reset, one header has as many sections as before when the other asks for its room.
        count = min(self.count(), model.columnCount() if is_across else model.rowCount())
        return self.sectionSizeFromContents(count - 1) if count else super().sizeHint()
