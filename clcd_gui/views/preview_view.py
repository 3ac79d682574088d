"""The cells of the table as a grid that scrolls through any number of rows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractItemView, QStyle, QTableView, QWidget

from clcd_gui.models.preview_model import PreviewModel
from clcd_gui.style import themes
from engine.table.dataset import Dataset

_FITTED_COLUMNS = 40
_FITTED_ROWS = 20
_NARROWEST, _WIDEST = 8, 26
_BOLD = 1.12


class PreviewView(QTableView):
    """Shows a :class:`PreviewModel`.

    Parameters
    ----------
    model : PreviewModel
    """

    def __init__(self, model: PreviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setAccessibleName("Rows of the table")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._fit()

    def show_column(self, dataset: Dataset, name: str) -> None:
        """Bring a column into view, without moving the rows."""
        row = max(self.rowAt(0), 0)
        if dataset.row_count:
            self.scrollTo(self._model.index(row, dataset.index(name)))

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme and text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._model.set_colours(themes.colours(self.palette()))
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def fit_columns(self) -> None:
        """Give the first columns the width that their names and first values need."""
        metrics = self.fontMetrics()
        letter = metrics.averageCharWidth()
        header = self.horizontalHeader()
        # Any column may become a label, which has a sign before its name.
        room_for_sign = self.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize) + letter
        for column in range(min(self._model.columnCount(), _FITTED_COLUMNS)):
            texts = [self._model.index(row, column).data() for row in range(_FITTED_ROWS)]
            name = self._model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            widest = max((metrics.horizontalAdvance(text) for text in texts if text), default=0)
            titled = round(_BOLD * metrics.horizontalAdvance(name)) + room_for_sign
            needed = max(widest, titled) + 3 * letter
            header.resizeSection(column, min(max(needed, _NARROWEST * letter), _WIDEST * letter))

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 8)
        self.horizontalHeader().setDefaultSectionSize(metrics.averageCharWidth() * 16)
