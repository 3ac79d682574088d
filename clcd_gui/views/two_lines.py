"""Cells of two lines: a figure, and beneath it, quieter, what it is held against."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from clcd_gui.style.text import scaled
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_SMALL, TEXT_SMALL

_Index = QModelIndex | QPersistentModelIndex


class TwoLines(QStyledItemDelegate):
    """Draws texts that hold a line break; others as usual."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Ask for the width of the longer line."""
        usual = super().sizeHint(option, index)
        first, broken, second = str(index.data() or "").partition("\n")
        if not broken:
            return usual
        filled = QStyleOptionViewItem(option)
        self.initStyleOption(filled, index)
        widths = [
            QFontMetrics(font).horizontalAdvance(text)
            for text, font in ((first, filled.font), (second, scaled(option.font, TEXT_SMALL)))
        ]
        return QSize(max(widths) + 2 * SPACE, usual.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw the ground of the cell, then both lines."""
        first, broken, second = str(index.data() or "").partition("\n")
        if not broken:
            super().paint(painter, option, index)
            return
        filled = QStyleOptionViewItem(option)
        self.initStyleOption(filled, index)
        filled.text = ""
        style = option.widget.style() if option.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, filled, painter, option.widget)
        chosen = colours(option.palette)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        strong, quiet = (
            (chosen.selection_text, chosen.selection_text) if is_selected else (chosen.text, chosen.muted)
        )
        painter.save()
        side = Qt.AlignmentFlag(filled.displayAlignment) & Qt.AlignmentFlag.AlignHorizontal_Mask
        box = option.rect.adjusted(SPACE_SMALL, SPACE, -SPACE_SMALL, -SPACE)
        small = scaled(option.font, TEXT_SMALL)
        for text, font, colour, edge in (
            (first, filled.font, strong, Qt.AlignmentFlag.AlignTop),
            (second, small, quiet, Qt.AlignmentFlag.AlignBottom),
        ):
            painter.setFont(QFont(font))
            painter.setPen(QColor(colour))
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, side | edge, shown)
        painter.restore()
