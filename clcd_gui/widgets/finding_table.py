"""A table of findings with copying, and one click from a row to its evidence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate, combinations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QWidget

from clcd_gui.document.document import PreferredVariables
from clcd_gui.document.listing import Listed
from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.style.text import caption, scaled
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL, TEXT_SMALL
from clcd_gui.turns import WhenSeen
from clcd_gui.widgets.controls import Menu, add_menu
from clcd_gui.widgets.figure_table import RowTable
from clcd_gui.widgets.finding_table_model import (
    DETAILS_ROLE,
    LABELS_ROLE,
    LINES_ROLE,
    FindingTableModel,
)
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.widgets.table_delegates import MOST_NAME_LINES, CellDelegate
from clcd_gui.wording.text import BREAK, OwnKeys, breakable
from engine.discovery.columns import ContentKind
from engine.translation import N_, _
from engine.wording.shown_names import shown_name


def show_no_selection(header: QHeaderView) -> None:
    """Let a header go by a selection of its own, in which nothing ever is.

    Else Qt asks, of every section painted, whether all cells beneath are selected: more than a second where
    100,000 rows are.
    """
    header.setHighlightSections(False)
    header.setSelectionModel(QItemSelectionModel(header.model(), header))


# In letters of average width, so that larger text is not cut off sooner.
_SHORTENED, _NAME_SHORTENED = 16, 26
_LEAST_WIDTHS = {ContentKind.SHARE: 15, ContentKind.LABELS: 21, ContentKind.NAMES: 12}
_NAME_NARROW, _LABELS_NARROW, _LABELS_WHOLE, _LONG_LABELS_WHOLE = 14, 15, 18, 23
_AROUND_LABEL = 3 * SPACE
_STEP = 8
# Widths of texts are rounded, and one that is too narrow by a part of a pixel is cut.
_ROUNDING = 2
# A word or a part of one, with what is behind it at the end of a line.
_PIECE = re.compile(rf"[^\s{BREAK}]+[\s{BREAK}]*")


def narrow_width(
    kind: ContentKind,
    is_name: bool,
    metrics: QFontMetrics,
    texts: Iterable[str],
    most_lines: int | None,
    whole_letters: int = _LABELS_WHOLE,
) -> int:
    """Return how narrow a column may be where there is no room for more: its longest word decides.

    `texts` are its heading and some cells, of labels these, which are whole up to so many letters; None for
    as many lines as a text has words.
    """
    letter = metrics.averageCharWidth()
    if is_name:
        return _NAME_NARROW * letter
    if kind is ContentKind.LABELS:
        longest = max(map(metrics.horizontalAdvance, texts), default=0) + _AROUND_LABEL
        # One that is shortened all the same may be a little shorter.
        return max(longest if longest <= whole_letters * letter else 0, _LABELS_NARROW * letter)
    # Of a bar the heading alone is measured, which stands nearer to the edges than cells do.
    around = SPACE if kind is ContentKind.SHARE else SPACE_LARGE
    return max((width_in_lines(text, metrics, most_lines) for text in texts), default=0) + around + _ROUNDING


def width_in_lines(text: str, metrics: QFontMetrics, most: int | None) -> int:
    """Return the least width of a text in at most so many lines; None for as many as it has words."""
    width = longest_word(text, metrics)
    if most is None:
        return width
    pieces = _PIECE.findall(text)
    lines = (pieces[first:last] for first, last in combinations(range(len(pieces) + 1), 2))
    widths = sorted({width, *(_line_width(line, metrics) for line in lines)})
    wide = widths[widths.index(width) :]
    return wide[
        bisect_left(wide, -most, key=lambda candidate_width: -_lines(pieces, candidate_width, metrics))
    ]


def _lines(pieces: Sequence[str], width: int, metrics: QFontMetrics) -> int:
    """Count the lines of pieces in a width that each of them fits in."""
    lines: list[list[str]] = []
    for piece in pieces:
        if lines and _line_width([*lines[-1], piece], metrics) <= width:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return len(lines)


def _line_width(pieces: Sequence[str], metrics: QFontMetrics) -> int:
    return metrics.horizontalAdvance("".join(pieces).replace(BREAK, "").rstrip())


def longest_word(text: str, metrics: QFontMetrics) -> int:
    """Return how wide the widest part of a text is that stands in one line."""
    return max(map(metrics.horizontalAdvance, text.replace(BREAK, " ").split()), default=0)


def count_in_room(widths: Sequence[int], room: int) -> int:
    """Count the first columns that have room together; the first is one of them in any case.

    >>> count_in_room([50, 40, 30], 100), count_in_room([50, 40], 20)
    (2, 1)
    """
    return max(sum(total <= room for total in accumulate(widths)), 1)


def shortened(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Shorten the widest columns until they fit, but none too far.

    >>> shortened([100, 60, 40], [50, 50, 40], 170), shortened([100, 60], [90, 60], 20)
    ([70, 60, 40], [90, 60])
    """
    shorter = list(widths)
    while sum(shorter) > room:
        spare = [width - floor for width, floor in zip(shorter, least, strict=True)]
        if not spare or max(spare) <= 0:
            break
        widest = spare.index(max(spare))
        shorter[widest] -= min(sum(shorter) - room, _STEP, spare[widest])
    return shorter


_MEASURED_ROWS = 60
# Of more rows, texts are shown in the lines that there are: to read them all would take too long.
_MOST_READ_ROWS = 300
_NARROWEST, _WIDEST = 64, 380
_NEARLY, _ROOM_OF_NAMES, _SHARE_OF_TWO_LINES, _SHARE_OF_THREE_LINES = 0.2, 0.32, 0.65, 0.5
# Of texts, whose words are shorter than those of names.
_SHARE_OF_THREE_LINES_OF_TEXT = 0.4
# Where there is little room.
_LINES_OF_NUMBERS = (2, 3, 4, 5)
# Names, labels, directions of association, sizes and causal directions: for more, rows are not made higher.
_SEEN_FIRST = 6


class FindingTable(RowTable):
    """Shows findings; the current row is the shared selection."""

    OWN_KEYS = OwnKeys(
        N_("In a table of findings"),
        (
            (N_("Space, Return"), N_("Why?")),
            (N_("Right, Left"), N_("Open and fold what is interchangeable")),
            ("Ctrl+C", N_("Copy the selected rows")),
        ),
    )
    # It is given its font while it is being made.
    _is_made = False

    def __init__(
        self,
        model: FindingTableModel,
        highlight: Highlight,
        preferred: PreferredVariables,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(model, parent=parent)
        self._highlight = highlight
        self._preferred = preferred
        self._findings_model = model
        kinds = list(enumerate(column.kind for column in model.columns))
        pictures = ContentKind.LABELS, ContentKind.SHARE
        self._label_columns = [position for position, kind in kinds if kind is ContentKind.LABELS]
        # Columns that write something of each label; how high its line is, those decide that are seen first.
        has_lines = [
            position
            for position, column in enumerate(model.columns)
            if column.lines is not None and column.kind is not ContentKind.SHARE
        ]
        self._detail_columns = [place for place in has_lines if model.columns[place].details is not None]
        self._delegate = CellDelegate(lambda: highlight.label, self)
        self._delegate.set_beside((0, *self._detail_columns))
        self._all_line_columns = has_lines
        self._line_columns = [place for place in has_lines if place < model.essential_columns]
        self._text_columns = [
            position
            for position, kind in kinds[1:]
            if kind is ContentKind.TEXT or (position < model.essential_columns and kind not in pictures)
        ]
        self._is_following = False
        self._is_fitting = False
        self._fit_when_seen = WhenSeen(self)
        self._fit_when_seen.due.connect(self.fit_columns)
        self._has_own_widths = False
        # The width of the table, bars included, that columns were fitted in, and whether beside a new bar.
        self._fitted_in = -1
        self._made_room_for_bar = False
        self._measured: dict[int, int] = {}
        self._narrow: dict[tuple[int, int, int], int] = {}
        self.setItemDelegate(self._delegate)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        show_no_selection(header)
        header.setMinimumSectionSize(_NARROWEST)
        header.setStretchLastSection(True)
        header.sectionResized.connect(self._on_section_resized)
        header.setSortIndicatorClearable(True)
        self.heading_help = HeadingHelp(header)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.why_action, self.copy_action = QAction(_("Why?"), self), QAction(_("Copy rows"), self)
        self.why_action.triggered.connect(self._highlight.ask_why)
        self.copy_action.triggered.connect(self.copy)
        self.selectionModel().currentRowChanged.connect(self._select_row)
        model.modelReset.connect(self._on_reset)
        rearranged = (model.layoutChanged, model.rowsInserted, model.rowsRemoved)
        for changed in (*rearranged, model.dataChanged, model.headerDataChanged):
            changed.connect(self._forget_widths)
        for changed in rearranged:
            changed.connect(self.fit_rows)
        highlight.changed.connect(self._on_selection)
        self._is_made = True

    def set_findings(self, findings: Sequence[Listed]) -> None:
        """Show other findings, in columns that fit them, scrolled as far as before."""
        model, scrolled = self._findings_model, self.verticalScrollBar().value()
        # Rows are fitted with the columns.
        self._is_fitting = True
        model.set_findings(findings)
        self._is_fitting = False
        self._fitted_in, self._made_room_for_bar = self.width(), False
        # Also where the variable that is selected is folded under another one.
        self._on_selection(self._highlight.pair)
        for number, column in enumerate(model.columns):
            is_empty = bool(findings) and not any(column.cell_text(finding) for finding in findings)
            self.setColumnHidden(number, is_empty)
        self.fit_columns()
        # Until the new rows are laid out there is nothing to scroll.
        self.doItemsLayout()
        self.verticalScrollBar().setValue(scrolled)

    def fit_columns(self) -> None:
        """Give each column what its first rows need; what does not fit is shortened, last columns first."""
        self._fit_when_seen.cancel()
        wanted = [self._wanted_width(column) for column in range(self._findings_model.columnCount())]
        room = self.viewport().width()
        last = self._findings_model.essential_columns
        below = sum(wanted[:last]) > room
        if below:
            # What belongs to a line goes below it, rather than that any column is shortened.
            for column in self._detail_columns:
                wanted[column] = min(wanted[column], self._width_with_details_below(column))
        self._delegate.set_beside(() if below else (0, *self._detail_columns))
        least = [self._least_width(column, wanted[column]) for column in range(len(wanted))]
        # Names come first: what is left out of them may be what tells them apart.
        least[0] = max(least[0], min(wanted[0], round(_ROOM_OF_NAMES * room)))
        whole = wanted[0]
        if last == 1:
            # A name goes on in the next line, rather than that what is said of it is cut off.
            wanted[0] = min(whole, max(least[0], round(_SHARE_OF_TWO_LINES * whole)))
            self._widen_texts(least, wanted, room - max(round(_SHARE_OF_THREE_LINES * whole), _NARROWEST))
        wanted[last:] = shortened(wanted[last:], least[last:], room - sum(wanted[:last]))
        rest = sum(wanted[last:])
        # A little is taken from the first columns, rather than that the table must be scrolled for it; not
        # from the names alone, which are often told apart by what would be left out.
        is_near = last > 1 and sum(wanted) - room <= _NEARLY * room
        wanted[:last] = shortened(wanted[:last], least[:last], room - rest if is_near else room)
        if sum(wanted[:last]) > room:
            narrow = self._narrow_widths(least[:last], room)
            # What is scrolled to all the same need not be narrow.
            seen = count_in_room(narrow, room)
            wanted[:seen] = self._filled(narrow[:seen], wanted[:seen], room)
        if last == 1:
            wanted[0] = min(whole, max(round(_SHARE_OF_THREE_LINES * whole), room - rest))
        self._is_fitting = True
        for column, width in enumerate(wanted):
            if width:
                self.setColumnWidth(column, width)
        self._is_fitting = False
        self.fit_rows()

    def _filled(self, narrow: Sequence[int], wanted: Sequence[int], room: int) -> list[int]:
        """Widen narrow columns as far as there is room: labels and names first, then others."""
        widths, left = list(narrow), room - sum(narrow)
        for column in dict.fromkeys([*self._label_columns, *range(len(widths))]):
            if column < len(widths) and left > 0:
                more = min(left, max(wanted[column] - widths[column], 0))
                widths[column], left = widths[column] + more, left - more
        return widths

    def make_room(self) -> None:
        """Fit the columns to what they hold now, or rows alone where a person has chosen widths."""
        if self._has_own_widths:
            self.fit_rows()
        else:
            self.fit_columns()

    def fit_rows(self) -> None:
        """Make those rows higher whose names, labels or texts take more than a line."""
        model, header, metrics = self._findings_model, self.verticalHeader(), self.fontMetrics()
        usual = header.defaultSectionSize()
        widths = [self.columnWidth(position) for position in range(len(model.columns))]
        for row in range(model.rowCount()):
            height = max(usual, self._needed_height(row, widths, metrics))
            if height != header.sectionSize(row):
                header.resizeSection(row, height)

    def _needed_height(self, row: int, widths: Sequence[int], metrics: QFontMetrics) -> int:
        model, delegate = self._findings_model, self._delegate
        finding = model.finding_at(row)
        height = delegate.name_height(shown_name(finding.feature), model.index(row, 0), widths[0], metrics)
        if self._line_columns:
            columns = self._line_columns if finding.is_common else self._all_line_columns
            texts = [
                (position, index.data(LINES_ROLE), index.data(DETAILS_ROLE), widths[position])
                for position in columns
                if row < _MOST_READ_ROWS and widths[position] and (index := model.index(row, position))
            ]
            blocks = delegate.block_heights(texts, finding.labels, self.font())
            delegate.set_blocks(row, blocks)
            height = max(height, sum(blocks) + SPACE_SMALL)
        for position in () if self._line_columns else self._label_columns:
            height = max(height, delegate.row_height(finding.labels, widths[position], metrics))
        for position in self._text_columns if row < _MOST_READ_ROWS else ():
            is_said_once = (
                not (finding.is_common and self._line_columns) and position not in self._all_line_columns
            )
            if widths[position] and is_said_once:
                text = str(model.index(row, position).data())
                height = max(height, delegate.text_height(text, widths[position], metrics))
        return height

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width, unless a person has chosen widths.

        Columns that were fitted beside a scroll bar stay so when it goes: fitted without it, rows may become
        higher, so that it comes back, and so on for ever.
        """
        super().resizeEvent(event)
        if self._has_own_widths or event.size().width() == event.oldSize().width():
            return
        is_bar = self.width() == self._fitted_in
        if is_bar and self._made_room_for_bar and event.size().width() > event.oldSize().width():
            return
        self._made_room_for_bar = is_bar and event.size().width() < event.oldSize().width()
        self._fitted_in = self.width()
        self.fit_columns()

    def _follow_font(self) -> None:
        super()._follow_font()
        if self._is_made:
            self._delegate.forget_widths()
            self._forget_widths()
            self._fit_when_seen.request()

    def _forget_widths(self) -> None:
        """Measure columns anew: something else is in them, or it is told in another font."""
        self._measured.clear()
        self._narrow.clear()

    def _wanted_width(self, column: int) -> int:
        if self.isColumnHidden(column):
            return 0
        # The same for a table of any width, and asked for with each.
        if column not in self._measured:
            widths = [self.horizontalHeader().sectionSizeHint(column)]
            for row in range(min(self._findings_model.rowCount(), _MEASURED_ROWS)):
                widths.append(self.sizeHintForIndex(self._findings_model.index(row, column)).width())
            self._measured[column] = min(max(widths), _WIDEST)
        return self._measured[column]

    def _least_width(self, column: int, wanted: int) -> int:
        letters = _LEAST_WIDTHS.get(self._findings_model.columns[column].kind, _SHORTENED)
        letters = letters if column else _NAME_SHORTENED
        least = letters * self.fontMetrics().averageCharWidth()
        least = max(least, self.horizontalHeader().sectionSizeHint(column))
        if column in self._line_columns:
            least = max(least, min(self._narrow_width(column), wanted))
        if self._is_mostly_empty(column):
            least = min(least, wanted, max(self._narrow_width(column), _NARROWEST))
        return least

    def _widen_texts(self, least: list[int], wanted: Sequence[int], room: int) -> None:
        """Let texts beside the names have three lines, as far as the room beside the names allows."""
        for column in set(self._text_columns).difference([0]):
            spare = max(room - sum(least[1:]), 0)
            lines = round(_SHARE_OF_THREE_LINES_OF_TEXT * wanted[column])
            least[column] += min(max(lines - least[column], 0), spare)

    def _is_mostly_empty(self, column: int) -> bool:
        """Tell whether most of the first rows hold nothing in a column, which then gives way first."""
        rows = range(min(self._findings_model.rowCount(), _MEASURED_ROWS))
        filled = sum(bool(self._findings_model.index(row, column).data()) for row in rows)
        return 0 < filled < len(rows) / 2

    def _narrow_widths(self, least: Sequence[int], room: int) -> list[int]:
        """Return how narrow the first columns may be; numbers have another line where more is seen then."""
        widths = [
            [min(self._narrow_width(column, lines, whole), width) for column, width in enumerate(least)]
            # Longer labels are cut where more is seen then.
            for whole in (_LONG_LABELS_WHOLE, _LABELS_WHOLE)
            for lines in _LINES_OF_NUMBERS
        ]
        return max(widths, key=lambda narrow_widths: min(count_in_room(narrow_widths, room), _SEEN_FIRST))

    def _narrow_width(
        self, column: int, lines: int = _LINES_OF_NUMBERS[0], whole: int = _LABELS_WHOLE
    ) -> int:
        if self.isColumnHidden(column):
            return 0
        # The same for a table of any width, as the wanted one is.
        key = column, lines, whole
        if key not in self._narrow:
            self._narrow[key] = self._measured_narrow(*key)
        return self._narrow[key]

    def _measured_narrow(self, column: int, lines: int, whole: int) -> int:
        model = self._findings_model
        rows = range(min(model.rowCount(), _MEASURED_ROWS))
        kind = model.columns[column].kind
        texts, details = [model.columns[column].heading], []
        for row in rows:
            index = model.index(row, column)
            if kind is ContentKind.LABELS:
                texts += map(shown_name, model.finding_at(row).labels)
            else:
                texts += index.data(LINES_ROLE) or [str(index.data())]
            details += index.data(DETAILS_ROLE)
        # A text and what belongs to it have a line each where that has room; words of a direction, which are
        # longer in a few rows only, may have one more.
        has_details = any(details) and kind is not ContentKind.LABELS
        extra = -1 if has_details else 0 if column in self._detail_columns else 1
        if column not in self._line_columns and kind is not ContentKind.NUMBER:
            most_lines = None
        else:
            most_lines = lines + extra if lines < _LINES_OF_NUMBERS[-1] else None
        narrow = narrow_width(kind, column == 0, self.fontMetrics(), texts, most_lines, whole)
        if has_details:
            small = QFontMetrics(scaled(self.font(), TEXT_SMALL))
            narrow = max(narrow, narrow_width(kind, False, small, details, most_lines))
        narrow = max(narrow, self.horizontalHeader().minimumSectionSize())
        return narrow if column else max(narrow, *(self._narrow_name(row) for row in rows), 0)

    def _width_with_details_below(self, column: int) -> int:
        """Return the width of a column whose lines and details stand whole below one another."""
        model = self._findings_model
        small = QFontMetrics(scaled(self.font(), TEXT_SMALL))
        widths = [self.horizontalHeader().sectionSizeHint(column)]
        around = _AROUND_LABEL if model.columns[column].kind is ContentKind.LABELS else 0
        for row in range(min(model.rowCount(), _MEASURED_ROWS)):
            index = model.index(row, column)
            lines = map(shown_name, index.data(LINES_ROLE)) if around else index.data(LINES_ROLE)
            widths += [self.fontMetrics().horizontalAdvance(line) + around for line in lines]
            widths += map(small.horizontalAdvance, index.data(DETAILS_ROLE))
        return max(widths) + 2 * SPACE + _ROUNDING

    def _narrow_name(self, row: int) -> int:
        """Return how wide a name is that has as many lines as it may have, with what is beside it."""
        index, metrics = self._findings_model.index(row, 0), self.fontMetrics()
        name = str(index.data())
        beside = self._delegate.beside_name(index, metrics) + _ROUNDING
        return beside + width_in_lines(breakable(name), metrics, MOST_NAME_LINES)

    def _on_section_resized(self) -> None:
        # A person holds the mouse while dragging the edge of a heading; the layout does not.
        if not self._is_fitting and QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._has_own_widths = True
            self.fit_rows()

    def copy(self) -> None:
        """Copy the chosen rows, with a heading, as spreadsheets take it."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        if rows:
            QGuiApplication.clipboard().setText(self._findings_model.as_text(rows))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answer Space and Enter with the evidence; leave the rest to the table."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._select_row(self.currentIndex())
            self._highlight.ask_why()
        elif event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left) and self._folds(event.key()):
            self._findings_model.toggle(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _folds(self, key: int) -> bool:
        """Tell whether a key opens or closes the current row, as in a tree."""
        row = self.currentIndex().row()
        if row < 0:
            return False
        fold = self._findings_model.fold_at(row)
        return bool(fold.led) and fold.is_open is (key == Qt.Key.Key_Left)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the row, with a click on a chip its label too; on the sign of a fold open or close it."""
        super().mousePressEvent(event)
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        position = event.position().toPoint()
        index = self.indexAt(position)
        if self._delegate.is_on_fold(self.visualRect(index), index, position.x()):
            self._findings_model.toggle(index.row())
            return
        labels = index.data(LABELS_ROLE) if index.isValid() else None
        if labels is None:
            return
        label = self._delegate.chip_at(self.visualRect(index), index, labels, self.fontMetrics(), position)
        if label is not None:
            self._highlight.select(self._findings_model.finding_at(index.row()).feature, label)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Bring the evidence into view."""
        super().mouseDoubleClickEvent(event)
        self._highlight.ask_why()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the chosen rows."""
        menu = Menu(self)
        menu.addActions([self.why_action, self.copy_action])
        self._offer_choice(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _offer_choice(self, menu: QMenu) -> None:
        """Offer to prefer the current variable, or one that tells the same or may do so."""
        row = self.currentIndex().row()
        names = self._preferred.among(self._findings_model.finding_at(row).feature) if row >= 0 else ()
        if not names:
            return
        unknown = self._preferred.not_told_apart(names[0])
        choice = add_menu(_("Prefer…"), menu)
        group = QActionGroup(choice)
        for name in names:
            if unknown and name == unknown[0]:
                choice.addSection(_("Not distinguishable with these data"))
            chosen = choice.addAction(caption(name))
            chosen.triggered.connect(partial(self._preferred.prefer, name, names))
            _check(chosen, group, self._preferred.is_preferred(name))
        choice.addSeparator()
        none = choice.addAction(_("None in particular"))
        none.triggered.connect(partial(self._preferred.leave_to_data, names))
        _check(none, group, not any(map(self._preferred.is_preferred, names)))

    def _on_reset(self) -> None:
        findings = self._findings_model.findings
        labels = dict.fromkeys(label for finding in findings for label in finding.labels)
        self._delegate.set_names([finding.feature for finding in findings], list(labels))
        self._forget_widths()
        if not self._is_fitting:
            self.fit_rows()
        self._show_current(self._highlight.feature)

    def _select_row(self, index: QModelIndex) -> None:
        if self._is_following or not index.isValid():
            return
        finding = self._findings_model.finding_at(index.row())
        label: str | None = finding.labels[0]
        if finding.is_common:
            keeps = self._highlight.feature == finding.feature or self._highlight.label in finding.labels
            label = self._highlight.label if keeps else None
        self._highlight.select(finding.feature, label)

    def _on_selection(self, pair: SelectedPair) -> None:
        if pair.feature is not None:
            self._findings_model.unfold(pair.feature)
        self._show_current(pair.feature)

    def _show_current(self, feature: str | None) -> None:
        row = self._findings_model.row_of(feature)
        self._is_following = True
        if row < 0:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif row != self.currentIndex().row():
            index = self._findings_model.index(row, 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
            self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        self._is_following = False
        self.viewport().update()


def _check(action: QAction, group: QActionGroup, checked: bool) -> None:
    """Make an entry of a menu one of several of which one is chosen."""
    action.setCheckable(True)
    action.setChecked(checked)
    group.addAction(action)
