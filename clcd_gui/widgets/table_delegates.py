"""How a table draws labels as chips, strengths as bars, and names with the mark of their kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from clcd_gui.plots.marks import draw_feature_mark
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_SMALL, Colours
from clcd_gui.widgets.finding_table_model import BAR_ROLE, FINDING_ROLE, LABELS_ROLE, Bar

_Index = QModelIndex | QPersistentModelIndex
_CHIP_PADDING = 6
_CHIP_LETTERS = 24
_MARK = 11
_BAR = 60


class CellDelegate(QStyledItemDelegate):
    """Draws the ground and the text as the style does, then leaves room for a picture.

    Parameters
    ----------
    selected_label : callable
        Gives the label that is selected, if any; its chip is filled.
    """

    def __init__(self, selected_label: Callable[[], str | None], parent: QWidget) -> None:
        super().__init__(parent)
        self._selected_label = selected_label

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one cell."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = colours(option.palette)
        labels, bar = index.data(LABELS_ROLE), index.data(BAR_ROLE)
        if labels is not None:
            self._ground(painter, option, index)
            self._chips(painter, option, labels, chosen)
        elif bar is not None:
            self._ground(painter, option, index)
            _bar(painter, option, bar, str(index.data()), chosen)
        elif index.column() == 0:
            self._name(painter, option, index, chosen)
        else:
            self._ground(painter, option, index)
            _text(painter, option, index, option.rect.adjusted(SPACE, 0, -SPACE, 0), chosen)
        painter.restore()

    def chip_at(self, rect: QRect, labels: Sequence[str], metrics: QFontMetrics, x: int) -> str | None:
        """Return the label whose chip is at a horizontal position of a cell."""
        for box, label in _chip_boxes(rect, labels, metrics)[0]:
            if box.left() <= x <= box.right():
                return label
        return None

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the width that a cell would like to have."""
        hint = super().sizeHint(option, index)
        labels = index.data(LABELS_ROLE)
        if labels is not None:
            widths = [_chip_width(label, option.fontMetrics) + SPACE_SMALL for label in labels]
            hint.setWidth(sum(widths) + 2 * SPACE)
        elif (bar := index.data(BAR_ROLE)) is not None:
            hint.setWidth(_BAR + option.fontMetrics.horizontalAdvance(bar.longest_text) + 3 * SPACE)
        else:
            hint.setWidth(hint.width() + 2 * SPACE + (_MARK + SPACE if index.column() == 0 else 0))
        return hint

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        ground.text = ""
        _style(option).drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, option.widget)

    def _name(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index, chosen: Colours) -> None:
        self._ground(painter, option, index)
        rect = QRectF(option.rect)
        is_common = index.data(FINDING_ROLE).is_common
        box = QRectF(rect.left() + SPACE, rect.center().y() - _MARK / 2, _MARK, _MARK)
        draw_feature_mark(painter, box, is_common, chosen)
        text_rect = option.rect.adjusted(_MARK + 2 * SPACE, 0, -SPACE, 0)
        _text(painter, option, index, text_rect, chosen)

    def _chips(
        self, painter: QPainter, option: QStyleOptionViewItem, labels: Sequence[str], chosen: Colours
    ) -> None:
        boxes, hidden = _chip_boxes(option.rect, labels, option.fontMetrics)
        selected = self._selected_label()
        for box, label in boxes:
            is_selected = label == selected and bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setPen(QPen(QColor(chosen.label), 2.0 if is_selected else 1.2))
            painter.setBrush(QColor(chosen.base))
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(QColor(chosen.text))
            inner = round(box.width() - 2 * _CHIP_PADDING) + 1
            text = option.fontMetrics.elidedText(label, Qt.TextElideMode.ElideMiddle, inner)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if hidden:
            left = round(boxes[-1][0].right()) + SPACE_SMALL if boxes else option.rect.left() + SPACE
            painter.setPen(QColor(chosen.muted))
            rest = QRect(option.rect)
            rest.setLeft(left)
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, f"+{hidden}")


def _text(
    painter: QPainter, option: QStyleOptionViewItem, index: _Index, rect: QRect, chosen: Colours
) -> None:
    # What tells names apart is often at their end; what a sentence says, at its beginning.
    mode = Qt.TextElideMode.ElideMiddle if index.column() == 0 else Qt.TextElideMode.ElideRight
    text = option.fontMetrics.elidedText(str(index.data()), mode, rect.width())
    painter.setPen(QColor(chosen.text))
    painter.drawText(rect, Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole)), text)


def _bar(painter: QPainter, option: QStyleOptionViewItem, bar: Bar, text: str, chosen: Colours) -> None:
    number = option.fontMetrics.horizontalAdvance(bar.longest_text)
    rect = QRectF(option.rect).adjusted(SPACE, 0, -SPACE, 0)
    track = QRectF(rect.left(), rect.center().y() - 4, max(rect.width() - number - SPACE, 8), 8)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(chosen.hover))
    painter.drawRoundedRect(track, 4, 4)
    filled = QRectF(track)
    filled.setWidth(max(track.width() * min(max(bar.share, 0.0), 1.0), 3))
    painter.setBrush(QColor(chosen.muted))
    painter.drawRoundedRect(filled, 4, 4)
    painter.setPen(QColor(chosen.text))
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)


def _chip_width(label: str, metrics: QFontMetrics) -> int:
    return min(
        metrics.horizontalAdvance(label) + 2 * _CHIP_PADDING, _CHIP_LETTERS * metrics.averageCharWidth()
    )


def _chip_boxes(
    rect: QRect, labels: Sequence[str], metrics: QFontMetrics
) -> tuple[list[tuple[QRectF, str]], int]:
    """Place as many chips as fit; also count those that do not."""
    boxes: list[tuple[QRectF, str]] = []
    height = min(metrics.height() + 4, rect.height() - 4)
    left, right = rect.left() + SPACE, rect.right() - SPACE_SMALL
    for number, label in enumerate(labels):
        remaining = len(labels) - number - 1
        room = right - left - (metrics.horizontalAdvance(f"+{remaining}") + SPACE if remaining else 0)
        width = _chip_width(label, metrics)
        if width > room:
            if boxes or room < 4 * _CHIP_PADDING:
                break
            width = room
        top = QPointF(left, rect.center().y() - height / 2 + 0.5)
        boxes.append((QRectF(top.x(), top.y(), width, height), label))
        left += width + SPACE_SMALL
    return boxes, len(labels) - len(boxes)


def _style(option: QStyleOptionViewItem) -> QStyle:
    return option.widget.style() if option.widget is not None else QApplication.style()
