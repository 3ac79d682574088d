"""Draws the small histogram in the list of columns."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from clcd_gui.models.columns_model import BARS_ROLE, VARIABLE_ROLE
from clcd_gui.style import themes
from clcd_gui.style.tokens import SPACE
from engine.table.variable import Kind, Role

_WIDEST_LEVEL = 18.0
_LOWEST_BAR = 1.0
_VERTICAL_MARGIN = 5


class BarsDelegate(QStyledItemDelegate):
    """Bars touch each other for numbers and stand apart for categories."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the ground as for any cell, then the bars."""
        super().paint(painter, option, index)
        bars = index.data(BARS_ROLE)
        if not bars:
            return
        variable = index.data(VARIABLE_ROLE)
        chosen = themes.colours(option.palette)
        colour = QColor(chosen.label if variable.role is Role.LABEL else chosen.muted)
        colour.setAlphaF(0.85 if variable.role.takes_part else 0.35)
        room = QRectF(option.rect).adjusted(SPACE, _VERTICAL_MARGIN, -SPACE, -_VERTICAL_MARGIN)
        gap = 0.0 if variable.kind is Kind.CONTINUOUS else 2.0
        width = room.width() / len(bars)
        if variable.kind is Kind.NOMINAL:
            width = min(width, _WIDEST_LEVEL)
        painter.save()
        for place, share in enumerate(bars):
            if share:
                height = max(share * room.height(), _LOWEST_BAR)
                left = room.left() + place * width
                painter.fillRect(QRectF(left, room.bottom() - height, max(width - gap, 1.0), height), colour)
        painter.restore()
