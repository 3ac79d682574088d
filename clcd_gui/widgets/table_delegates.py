"""How a table draws labels as chips, strengths as bars, and names with the mark of their kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from clcd_gui.plots.marks import draw_feature_mark
from clcd_gui.style import icons
from clcd_gui.style.short_names import ShortNames
from clcd_gui.style.text import scaled
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_SMALL, TEXT_SMALL, Colours
from clcd_gui.widgets.figure_table import draw_ground
from clcd_gui.widgets.finding_table_model import (
    BAR_ROLE,
    DETAILS_ROLE,
    FINDING_ROLE,
    FOLD_ROLE,
    LABELS_ROLE,
    LINES_ROLE,
    MOST_LINES,
    NOTE_ROLE,
    THROUGH_ROLE,
    Bar,
    Fold,
)
from clcd_gui.wording.text import breakable
from engine.translation import _
from engine.wording.shown_names import shown_name

_Index = QModelIndex | QPersistentModelIndex
_CHIP_PADDING = 6
_CHIP_GROWTH = 4
# What stands below a chip comes nearer to it than the next line does.
_BELOW_CHIP = 1
_MOST_CHIP_LINES = 4
MOST_NAME_LINES = 3
# Reasons are told whole in the narrowest window; a row that is higher still could not be overlooked.
_MOST_TEXT_LINES = 7
# Of lines that end where words do, a part stays empty.
_FILLED = 0.8
# How much of two lines a long label is cut to, until it fits.
_SHARES_OF_TWO_LINES = (2.0, 1.6, 1.3)
_MARK = 11
_BAR = 60
_FOLD = 16
_NOTE = 14


class CellDelegate(QStyledItemDelegate):
    """Draws ground and text as the style does, then leaves room for a picture."""

    def __init__(self, selected_label: Callable[[], str | None], parent: QWidget) -> None:
        super().__init__(parent)
        self._selected_label = selected_label
        self._features: tuple[str, ...] = ()
        self._labels: tuple[str, ...] = ()
        self._short: dict[str, tuple[ShortNames, ShortNames]] = {}
        self._chip_widths: dict[str, int] = {}
        self._name_widths: dict[str, int] = {}
        self._blocks: dict[int, tuple[int, ...]] = {}
        self._beside: frozenset[int] = frozenset()

    def set_beside(self, columns: Collection[int]) -> None:
        """Tell in which columns what is smaller stands behind its line, and not below it."""
        self._beside = frozenset(columns)

    def set_blocks(self, row: int, heights: tuple[int, ...]) -> None:
        """Tell how high the line of each label is in a row."""
        self._blocks[row] = heights

    def set_names(self, features: Sequence[str], labels: Sequence[str]) -> None:
        """Tell which names are shown together, so that none of them is shortened to look like another."""
        self._features, self._labels = tuple(features), tuple(labels)
        self.forget_widths()

    def forget_widths(self) -> None:
        """Measure names anew: others are shown, or in another font."""
        self._short.clear()
        self._chip_widths.clear()
        self._name_widths.clear()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one cell."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = colours(option.palette)
        labels, bar = index.data(LABELS_ROLE), index.data(BAR_ROLE)
        draw_ground(self, painter, option, index)
        painter.setPen(QColor(chosen.border))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        if lines := index.data(LINES_ROLE):
            self._lines(painter, option, index, lines, chosen)
        elif labels is not None:
            self._chips(painter, option, labels, index.data(THROUGH_ROLE), chosen)
        elif bar is not None:
            _bar(painter, option.rect, option.fontMetrics, bar, str(index.data()), chosen)
        elif index.column() == 0:
            self._name(painter, option, index, chosen)
        else:
            rect, text = option.rect.adjusted(SPACE, 0, -SPACE, 0), str(index.data())
            if (in_lines := _in_lines(_line_a_part(text), rect, option.fontMetrics)) is not None:
                _text(painter, index, rect, in_lines, chosen, Qt.TextFlag.TextWordWrap)
            else:
                shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
                _text(painter, index, rect, shown, chosen)
        painter.restore()

    def chip_at(
        self, rect: QRect, index: _Index, labels: Sequence[str], metrics: QFontMetrics, position: QPoint
    ) -> str | None:
        """Return the label whose chip is at a position of a cell."""
        if index.data(LINES_ROLE):
            # Where labels have no line, the last line says how many, and is no chip.
            lines = self.lines_in(rect, index, labels)[: MOST_LINES - (len(labels) > MOST_LINES)]
            boxes = [(_chip_box(line, label, metrics), label) for line, label in lines]
        else:
            boxes, _hidden = _chip_boxes(rect, labels, metrics)
        for box, label in boxes:
            if box.contains(position.toPointF()):
                return label
        return None

    def row_height(self, labels: Sequence[str], width: int, metrics: QFontMetrics) -> int:
        """Return how high a row is that shows the chips of these labels in a column of a width."""
        line, left, room = 1, 0, width - SPACE - SPACE_SMALL
        for label in labels:
            if label not in self._chip_widths:
                self._chip_widths[label] = _chip_width(label, metrics)
            chip = self._chip_widths[label]
            if left and left + chip > room:
                line, left = line + 1, 0
            left += chip + SPACE_SMALL
        return min(line, _MOST_CHIP_LINES) * _chip_line(metrics) + _CHIP_GROWTH

    def block_heights(
        self,
        columns: Sequence[tuple[int, Sequence[str], Sequence[str], int]],
        labels: Sequence[str],
        font: QFont,
    ) -> tuple[int, ...]:
        """Return how high the line of each label is: of columns their place, texts, details and width."""
        metrics, shown = QFontMetrics(font), _shown_lines(labels)
        heights = [_chip_line(metrics)] * len(shown)
        for column, texts, details, width in columns:
            is_label = texts is labels
            for place, text in enumerate(texts[: len(shown)]):
                if is_label:
                    height = _chip_height(text, width, metrics) + _CHIP_GROWTH
                else:
                    height = self.text_height(text, width, metrics)
                if details and column not in self._beside:
                    height += _small_height(details[place], width, font)
                # Lines below one another are set off from those of the next label.
                lines = height - 2 * _CHIP_GROWTH > metrics.height()
                heights[place] = max(heights[place], height if lines else height - _CHIP_GROWTH)
        return tuple(heights)

    def name_height(self, name: str, index: _Index, width: int, metrics: QFontMetrics) -> int:
        """Return how high a row is that shows a name with what stands beside it: three lines at most."""
        if name not in self._name_widths:
            self._name_widths[name] = metrics.horizontalAdvance(name)
        room, needed = max(width - self.beside_name(index, metrics), 1), self._name_widths[name]
        lines = 1 if needed <= room else math.ceil(needed / (_FILLED * room))
        below = metrics.height() if self._below_name(index) else 0
        return metrics.height() * min(lines, MOST_NAME_LINES) + below + 2 * _CHIP_GROWTH

    def beside_name(self, index: _Index, metrics: QFontMetrics) -> int:
        """Return what a cell needs beside its name."""
        behind = "" if self._below_name(index) else _detail_of_name(index)
        return _room_before_name(index) + 2 * SPACE + _room_behind_name(index, behind, metrics)

    def _below_name(self, index: _Index) -> str:
        """Return what stands below a name, and not behind it."""
        return _detail_of_name(index) if index.column() not in self._beside else ""

    def text_height(self, text: str, width: int, metrics: QFontMetrics) -> int:
        """Return how high a row is that shows a text in a column of a width: seven lines at most."""
        room = width - 2 * SPACE
        lines = 1
        if metrics.horizontalAdvance(text) > room:
            box = metrics.boundingRect(QRect(0, 0, room, 0), Qt.TextFlag.TextWordWrap, _line_a_part(text))
            lines = min(round(box.height() / metrics.height()), _MOST_TEXT_LINES)
        return metrics.height() * lines + 2 * _CHIP_GROWTH

    def is_on_fold(self, rect: QRect, index: _Index, x: int) -> bool:
        """Tell whether a horizontal position of a cell is on the sign that opens or closes its row."""
        fold = index.data(FOLD_ROLE)
        return fold is not None and bool(fold.led) and x < rect.left() + SPACE + _FOLD

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the width that a cell would like to have."""
        metrics = option.fontMetrics
        bar = index.data(BAR_ROLE)
        labels = index.data(LABELS_ROLE)
        if (lines := index.data(LINES_ROLE)) and bar is None:
            around = _CHIP_PADDING * 2 + SPACE_SMALL if labels is not None else 0
            details = index.data(DETAILS_ROLE) or ("",) * len(lines)
            shown = map(shown_name, lines) if labels is not None else lines
            widest = max(
                metrics.horizontalAdvance(line) + _width_behind(detail, option.font)
                for line, detail in zip(shown, details, strict=True)
            )
            return QSize(widest + around + 2 * SPACE, metrics.height())
        if labels is not None:
            widths = [_chip_width(label, metrics) + SPACE_SMALL for label in labels]
            return QSize(sum(widths) + 2 * SPACE, metrics.height())
        if bar is not None:
            return QSize(_BAR + metrics.horizontalAdvance(bar.longest_text) + 3 * SPACE, metrics.height())
        hint = super().sizeHint(option, index)
        hint.setWidth(hint.width() + 2 * SPACE)
        if index.column() == 0:
            beside = _room_before_name(index) + _room_behind_name(index, _detail_of_name(index), metrics)
            hint.setWidth(hint.width() + beside)
        return hint

    def _name(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index, chosen: Colours) -> None:
        rect = QRectF(option.rect)
        is_common = index.data(FINDING_ROLE).is_common
        fold: Fold | None = index.data(FOLD_ROLE)
        left = rect.left() + _room_before_name(index)
        draw_feature_mark(
            painter, QRectF(left - _MARK, rect.center().y() - _MARK / 2, _MARK, _MARK), is_common, chosen
        )
        text_rect = option.rect.adjusted(round(left - rect.left()) + SPACE, 0, -SPACE, 0)
        if fold is not None and fold.led:
            _fold_sign(painter, QPointF(rect.left() + SPACE + _FOLD / 2, rect.center().y()), fold, chosen)
        metrics, below = option.fontMetrics, self._below_name(index)
        if below:
            text_rect.setBottom(text_rect.bottom() - metrics.height())
        elif behind := _detail_of_name(index):
            painter.setPen(_quiet(option, chosen))
            painter.drawText(text_rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, behind)
            text_rect.setRight(text_rect.right() - metrics.horizontalAdvance(behind) - SPACE)
        if index.data(NOTE_ROLE):
            _note_sign(painter, text_rect, chosen)
            text_rect.setRight(text_rect.right() - _NOTE - SPACE_SMALL)
        shown, flags = self._name_in_lines(option, str(index.data()), text_rect)
        _text(painter, index, text_rect, shown, chosen, flags)
        if below:
            used = painter.boundingRect(text_rect, Qt.AlignmentFlag.AlignVCenter | flags, shown)
            place = QRect(text_rect.left(), used.bottom() + 1, text_rect.width(), metrics.height())
            _detail(painter, option, index, place.adjusted(-SPACE, 0, SPACE, 0), below, chosen)

    def _name_in_lines(
        self, option: QStyleOptionViewItem, name: str, text_rect: QRect
    ) -> tuple[str, Qt.TextFlag]:
        """Return a name, or its short form, as it has room in a cell."""
        features, _ = self._short_names(option)
        room = text_rect.width()
        for lines in range(text_rect.height() // option.fontMetrics.height(), 1, -1):
            text = breakable(features.shown(name, (lines - 1 + _FILLED) * room))
            if not _wants_lines(text, text_rect, option.fontMetrics):
                continue
            if _fits_in_lines(text, text_rect, option.fontMetrics):
                return text, Qt.TextFlag.TextWordWrap
        return features.shown(name, room), Qt.TextFlag.TextSingleLine

    def _short_names(self, option: QStyleOptionViewItem) -> tuple[ShortNames, ShortNames]:
        """Return features and labels as they are shortened in the font of a cell."""
        font = option.font.key()
        if font not in self._short:
            width = QFontMetrics(option.font).horizontalAdvance
            features, labels = (map(shown_name, names) for names in (self._features, self._labels))
            self._short[font] = ShortNames(features, width), ShortNames(labels, width)
        return self._short[font]

    def lines_in(self, rect: QRect, index: _Index, texts: Sequence[str]) -> list[tuple[QRect, str]]:
        """Return the line of each label in a cell, with its text."""
        shown = _shown_lines(texts)
        heights = self._blocks.get(index.row(), ())
        if len(heights) != len(shown):
            heights = (rect.height() // len(shown),) * len(shown)
        top = rect.top() + (rect.height() - sum(heights)) // 2
        placed = []
        for height, text in zip(heights, shown, strict=True):
            placed.append((QRect(rect.left(), top, rect.width(), height), text))
            top += height
        return placed

    def _lines(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: _Index,
        lines: Sequence[str],
        chosen: Colours,
    ) -> None:
        """Draw a line for each label: as a chip, as a bar, or as a text."""
        bar: Bar | None = index.data(BAR_ROLE)
        is_label, metrics = index.data(LABELS_ROLE) is not None, option.fontMetrics
        through, details = index.data(THROUGH_ROLE), index.data(DETAILS_ROLE)
        hidden = len(lines) - len(_shown_lines(lines))
        for place, (block, text) in enumerate(self.lines_in(option.rect, index, lines)):
            # The first line of each column stands at the same height, beside the chip.
            first = _first_line(block, metrics)
            detail = details[place] if details else ""
            if hidden and place == MOST_LINES - 1:
                if is_label:
                    painter.setPen(QColor(chosen.muted))
                    more = _("{count} more", count=hidden + 1)
                    inside = first.adjusted(SPACE, 0, 0, 0)
                    painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, more)
            elif is_label:
                box = _chip_box(block, text, metrics)
                self._chip(painter, option, box, text, text in through, chosen)
                if index.column() in self._beside:
                    behind = first.adjusted(round(box.right()) - first.left() - SPACE_SMALL, 0, 0, 0)
                    _detail(painter, option, index, behind, detail, chosen)
                else:
                    below = block.adjusted(_CHIP_PADDING, 0, 0, 0)
                    below.setTop(round(box.bottom()) + _BELOW_CHIP)
                    _detail(painter, option, index, below, detail, chosen)
            elif bar is not None:
                shown = Bar(bar.line_shares[place], bar.longest_text) if bar.line_shares else bar
                _bar(painter, first, metrics, shown, text, chosen)
            else:
                self._text_of_line(painter, option, index, block, text, detail, chosen)

    def _text_of_line(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: _Index,
        block: QRect,
        text: str,
        detail: str,
        chosen: Colours,
    ) -> None:
        """Draw what is said of a label, and smaller what belongs to it."""
        metrics, side = option.fontMetrics, _side(index)
        inside, small = block.adjusted(SPACE, _CHIP_GROWTH, -SPACE, 0), 0
        if detail and index.column() in self._beside:
            behind = _first_line(block, metrics)
            if side & Qt.AlignmentFlag.AlignRight:
                inside.setRight(inside.right() - _width_behind(detail, option.font))
            else:
                behind.setLeft(behind.left() + metrics.horizontalAdvance(text) + SPACE_SMALL)
            _detail(painter, option, index, behind, detail, chosen)
        elif detail:
            small = _small_height(detail, block.width(), option.font)
            inside.setBottom(inside.bottom() - small)
        shown, flags = _in_lines(breakable(text), inside, metrics), Qt.TextFlag.TextWordWrap
        if shown is None:
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
            flags = Qt.TextFlag.TextSingleLine
        painter.setPen(QColor(chosen.text))
        how = side | Qt.AlignmentFlag.AlignTop | flags
        painter.drawText(inside, how, shown)
        if small:
            used = painter.boundingRect(inside, how, shown)
            below = QRect(block.left(), used.bottom() + 1, block.width(), small)
            _detail(painter, option, index, below, detail, chosen)

    def _chip(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        box: QRectF,
        label: str,
        is_through: bool,
        chosen: Colours,
    ) -> None:
        is_selected = label == self._selected_label() and bool(option.state & QStyle.StateFlag.State_Selected)
        pen = QPen(QColor(chosen.label), 2.0 if is_selected else 1.2)
        if is_through:
            pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(QColor(chosen.base))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(chosen.text))
        _features, shortened = self._short_names(option)
        inside = box.toRect().adjusted(_CHIP_PADDING, 0, -_CHIP_PADDING, 0)
        room, name = round(box.width() - 2 * _CHIP_PADDING) + 1, shown_name(label)
        for share in _SHARES_OF_TWO_LINES:
            text = breakable(shortened.shown(name, round(share * room)))
            is_long = _wants_lines(text, inside, option.fontMetrics)
            if is_long and _fits_in_lines(text, inside, option.fontMetrics):
                how = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
                painter.drawText(inside, how, text)
                return
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shortened.shown(name, room))

    def _chips(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        labels: Sequence[str],
        through: Collection[str],
        chosen: Colours,
    ) -> None:
        boxes, hidden = _chip_boxes(option.rect, labels, option.fontMetrics)
        for box, label in boxes:
            self._chip(painter, option, box, label, label in through, chosen)
        if hidden:
            painter.setPen(QColor(chosen.muted))
            rest = QRectF(option.rect).adjusted(SPACE + SPACE_SMALL, 0, 0, 0)
            if boxes:
                last = boxes[-1][0]
                rest = QRectF(last.right(), last.top(), option.rect.right() - last.right(), last.height())
                rest.setLeft(last.right() + SPACE_SMALL)
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, f"+{hidden}")


def _room_before_name(index: _Index) -> int:
    """Return what the sign of a fold and the mark of a kind take in front of a name."""
    fold: Fold | None = index.data(FOLD_ROLE)
    if fold is None:
        return SPACE + _MARK
    return SPACE + _FOLD + _MARK + (_FOLD if fold.is_led else 0)


def _room_behind_name(index: _Index, behind: str, metrics: QFontMetrics) -> int:
    """Return what a text and the sign of a note take behind a name."""
    room = SPACE + metrics.horizontalAdvance(behind) if behind else 0
    return room + (_NOTE + SPACE_SMALL if index.data(NOTE_ROLE) else 0)


def _detail_of_name(index: _Index) -> str:
    """Return what stands quiet with a name: the level that is spoken of, and how many rows are under it."""
    fold: Fold | None = index.data(FOLD_ROLE)
    count = f"+{fold.led}" if fold is not None and fold.led else ""
    return " ".join((*index.data(DETAILS_ROLE), count)).strip()


def _fold_sign(painter: QPainter, centre: QPointF, fold: Fold, chosen: Colours) -> None:
    """Draw the triangle of a row that others stand under: to the right when they are folded, else down."""
    size = _FOLD / 4
    tips = [(-size / 2, -size), (size / 2, 0.0), (-size / 2, size)]
    if fold.is_open:
        tips = [(-size, -size / 2), (size, -size / 2), (0.0, size / 2)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(chosen.text))
    painter.drawPolygon([QPointF(centre.x() + x, centre.y() + y) for x, y in tips])


def _note_sign(painter: QPainter, rect: QRect, chosen: Colours) -> None:
    """Draw the sign of a note at the right of a cell."""
    device = painter.device()
    sign = icons.pixmap("note", chosen.muted, _NOTE, device.devicePixelRatioF() if device else 1.0)
    painter.drawPixmap(QPoint(rect.right() - _NOTE, rect.center().y() - _NOTE // 2), sign)


def _line_a_part(text: str) -> str:
    """Let each part of a text that is too long for one line begin a line: what is said of each label."""
    return breakable(text).replace("; ", ";\n")


def _in_lines(text: str, rect: QRect, metrics: QFontMetrics) -> str | None:
    """Return a text, or its beginning, as it has room in several lines; None where it wants one."""
    if not _wants_lines(text, rect, metrics):
        return None
    if _fits_in_lines(text, rect, metrics):
        return text
    lines = rect.height() // metrics.height()
    beginning = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(_FILLED * lines * rect.width()))
    return beginning if _fits_in_lines(beginning, rect, metrics) else None


def _wants_lines(text: str, rect: QRect, metrics: QFontMetrics) -> bool:
    """Tell whether a text is too wide for one line, in a row that is high enough for several."""
    in_one = metrics.horizontalAdvance(text.replace("\n", " "))
    return in_one > rect.width() and rect.height() >= 2 * metrics.height()


def _fits_in_lines(text: str, rect: QRect, metrics: QFontMetrics) -> bool:
    """Tell whether a text has room when it is broken into lines."""
    needed = metrics.boundingRect(QRect(0, 0, rect.width(), 0), Qt.TextFlag.TextWordWrap, text)
    return needed.width() <= rect.width() and needed.height() <= rect.height()


def _text(
    painter: QPainter,
    index: _Index,
    rect: QRect,
    text: str,
    chosen: Colours,
    lines: Qt.TextFlag = Qt.TextFlag.TextSingleLine,
) -> None:
    painter.setPen(QColor(chosen.text))
    painter.drawText(rect, index.data(Qt.ItemDataRole.TextAlignmentRole) | lines, text)


def _detail(
    painter: QPainter, option: QStyleOptionViewItem, index: _Index, rect: QRect, text: str, chosen: Colours
) -> None:
    """Draw small and quiet what belongs to a line: behind it in its height, or from the top below it."""
    if not text:
        return
    painter.save()
    painter.setFont(scaled(option.font, TEXT_SMALL))
    painter.setPen(_quiet(option, chosen))
    inside, metrics = rect.adjusted(SPACE, 0, -SPACE, 0), painter.fontMetrics()
    is_behind = rect.height() == _chip_line(option.fontMetrics)
    edge = Qt.AlignmentFlag.AlignVCenter if is_behind else Qt.AlignmentFlag.AlignTop
    shown = _in_lines(breakable(text), inside, metrics)
    if shown is None:
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
    painter.drawText(inside, _side(index) | edge | Qt.TextFlag.TextWordWrap, shown)
    painter.restore()


def _quiet(option: QStyleOptionViewItem, chosen: Colours) -> QColor:
    """Return the colour of what is less than the text of a cell; on a selected ground that of its text."""
    is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
    return QColor(chosen.selection_text if is_selected else chosen.muted)


def _side(index: _Index) -> Qt.AlignmentFlag:
    """Return whether a cell begins at the left or ends at the right."""
    alignment = Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole))
    return alignment & Qt.AlignmentFlag.AlignHorizontal_Mask


def _width_behind(detail: str, font: QFont) -> int:
    """Return what a detail needs behind its line."""
    return QFontMetrics(scaled(font, TEXT_SMALL)).horizontalAdvance(detail) + SPACE_SMALL if detail else 0


def _small_height(detail: str, width: int, font: QFont) -> int:
    """Return how high a detail is below its line, in a column of a width."""
    if not detail:
        return 0
    metrics = QFontMetrics(scaled(font, TEXT_SMALL))
    room = QRect(0, 0, width - 2 * SPACE, 0)
    box = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, breakable(detail))
    return min(round(box.height() / metrics.height()), _MOST_TEXT_LINES) * metrics.height()


def _bar(painter: QPainter, cell: QRect, metrics: QFontMetrics, bar: Bar, text: str, chosen: Colours) -> None:
    number = metrics.horizontalAdvance(bar.longest_text)
    rect = QRectF(cell).adjusted(SPACE, 0, -SPACE, 0)
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


def _shown_lines(texts: Sequence[str]) -> Sequence[str]:
    """Return the texts that have a line of their own; where there are more, the last says how many."""
    return texts[:MOST_LINES]


def _first_line(block: QRect, metrics: QFontMetrics) -> QRect:
    """Return the first line of what is said of a label, where its chip stands."""
    return QRect(block.left(), block.top(), block.width(), _chip_line(metrics))


def _chip_box(block: QRect, label: str, metrics: QFontMetrics) -> QRectF:
    """Return where the chip of a label stands in what is said of it: at the top."""
    height = min(_chip_height(label, block.width(), metrics), block.height() - _CHIP_GROWTH)
    width = min(_chip_width(label, metrics), block.width() - SPACE - SPACE_SMALL)
    return QRectF(block.left() + SPACE, block.top() + _CHIP_GROWTH / 2, width, height)


def _chip_height(label: str, width: int, metrics: QFontMetrics) -> int:
    """Return how high the chip of a label is in a column of a width: a long label has a second line."""
    is_cut = _chip_width(label, metrics) > width - SPACE - SPACE_SMALL
    return metrics.height() * (2 if is_cut else 1) + _CHIP_GROWTH


def _chip_width(label: str, metrics: QFontMetrics) -> int:
    return metrics.horizontalAdvance(shown_name(label)) + 2 * _CHIP_PADDING


def _chip_line(metrics: QFontMetrics) -> int:
    return metrics.height() + 4 + _CHIP_GROWTH


def _chip_boxes(
    rect: QRect, labels: Sequence[str], metrics: QFontMetrics
) -> tuple[list[tuple[QRectF, str]], int]:
    """Place as many chips as fit, in lines below one another; also count those that do not."""
    height = min(metrics.height() + 4, rect.height() - _CHIP_GROWTH)
    lines = max((rect.height() - _CHIP_GROWTH) // _chip_line(metrics), 1)
    start, right = rect.left() + SPACE, rect.right() - SPACE_SMALL
    placed: list[tuple[int, int, int, str]] = []
    left, line = start, 0
    for number, label in enumerate(labels):
        remaining = len(labels) - number - 1
        width = min(_chip_width(label, metrics), right - start)
        if left > start and width > right - left and line + 1 < lines:
            left, line = start, line + 1
        # On the last line there must be room for the number of those that have none.
        count_room = metrics.horizontalAdvance(f"+{remaining}") + SPACE if remaining else 0
        room = right - left - (count_room if line + 1 == lines else 0)
        if width > room:
            if left > start or room < 4 * _CHIP_PADDING:
                break
            width = room
        placed.append((line, left, width, label))
        left += width + SPACE_SMALL
    used = placed[-1][0] + 1 if placed else 1
    top = rect.center().y() + 0.5 - (used * _chip_line(metrics) - _CHIP_GROWTH) / 2
    boxes = [
        (QRectF(left, top + line * _chip_line(metrics), width, height), label)
        for line, left, width, label in placed
    ]
    return boxes, len(labels) - len(boxes)
