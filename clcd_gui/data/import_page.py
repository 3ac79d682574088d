"""The page of a file that is not open yet: its first rows, what was found out, what is in doubt, roles."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QTabWidget,
    QWidget,
)

from clcd_gui.data.import_rows import MOST_ROWS, ImportRowsModel, ImportRowsView
from clcd_gui.data.names_panel import NamesPanel
from clcd_gui.document.doubts import NOTHING_IN_DOUBT, CellPlace, Doubt, automatic_words, left_out_rows
from clcd_gui.document.events import given_events
from clcd_gui.run.table_reading import TablePreview
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, caption, muted, set_tooltip, title
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.controls import CardButton, FocusLeader, push_button
from clcd_gui.widgets.layouts import column, replace_content, row, scroll_only_down
from clcd_gui.widgets.notices import capital
from clcd_gui.widgets.page import Folded, Page
from clcd_gui.widgets.settings_form import SettingEditor, editor_for
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.setting_values import SettingChange
from clcd_gui.wording.text import count_text, counted
from engine.parameters import Choice, parameters_of
from engine.readers.formats import formats
from engine.readers.options import ReadingOptions
from engine.readers.reading import Guess, Reading
from engine.table.variable import Kind, Role
from engine.translation import N_, _
from engine.wording.phrases import plain_listing

_LETTERS = 30
_FEWEST_BESIDE = 2

_TEXT = ("delimiter", "decimal", "header", "skip_lines", "encoding", "missing_codes", "also_missing")
_OF_FORMAT: Mapping[str, tuple[str, ...]] = {
    "delimited": _TEXT,
    "spreadsheet": ("sheet", "cells", "header", "skip_lines", "decimal", "missing_codes", "also_missing"),
    "statistics": ("encoding", "missing_codes", "also_missing"),
    "arff": ("encoding",),
    "project": (),
    "coded": (),
}
_OTHERS = ("missing_codes", "also_missing")
_PLACES = {parameter.name: place for place, parameter in enumerate(parameters_of(ReadingOptions))}
_NEVER = {"categories", "numbers"}
"""These name columns, and are chosen among the rows."""


class _CaptionedEditor(QWidget):
    """A caption above an editor."""

    def __init__(self, editor: SettingEditor) -> None:
        super().__init__()
        self.editor = editor
        caption: QLabel = muted(_(editor.parameter.title))
        caption.setWordWrap(False)
        caption.setBuddy(editor.widget)
        self.caption = caption
        column(caption, editor.widget, on=self, spacing=SPACE_SMALL)

    def set_doubted(self, doubted: bool) -> None:
        """Mark the caption of a guess that deserves a look, by a word and a colour."""
        title = _(self.editor.parameter.title)
        self.caption.setText(_("{title} · please check", title=title) if doubted else title)
        set_look(self.caption, "muted", tone="warning" if doubted else "")


class ReadingForm(FollowsLook, QWidget):
    """Offers what can be chosen about a file; what was found out is said by "automatic"."""

    edited = Signal(ReadingOptions)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = ReadingOptions()
        self._cells: dict[str, _CaptionedEditor] = {}
        self._usual: tuple[str, ...] = ()
        self._shown: tuple[str, ...] = ()
        self._choices: dict[str, tuple[str, ...]] = {}
        self._beside = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE)
        for parameter in parameters_of(ReadingOptions):
            if parameter.name not in _NEVER:
                self._add(_CaptionedEditor(editor_for(parameter)))

    def editor(self, name: str) -> QWidget:
        """Return the widget that edits an option."""
        return self._cells[name].editor.widget

    def set_reading(self, format_name: str, options: ReadingOptions, guesses: tuple[Guess, ...]) -> None:
        """Show how a file is read; an option that is None was found out."""
        self._options = options
        guess_of = {guess.name: guess for guess in guesses}
        for guess in guesses:
            self._offer(guess)
        for name, cell in self._cells.items():
            cell.editor.set_value(getattr(options, name))
            guess_made = guess_of.get(name)
            cell.editor.set_automatic(
                automatic_words(name, guess_made.value) if guess_made is not None else ""
            )
            cell.set_doubted(guess_made is not None and not guess_made.certain)
            reason = _(cell.editor.parameter.help) if guess_made is None else guess_made.reason
            set_tooltip(cell.editor.widget, reason)
            cell.editor.widget.setAccessibleDescription(reason)
        plain = ReadingOptions()
        self._usual = _OF_FORMAT.get(format_name, _OTHERS)
        chosen = [name for name in self._cells if getattr(options, name) != getattr(plain, name)]
        doubted = [name for name in self._cells if name in guess_of and not guess_of[name].certain]
        self._show((*chosen, *doubted))

    def show_also(self, name: str) -> None:
        """Show an option that is seldom needed."""
        if name in self._cells:
            self._show((*self._shown, name))

    def focus_option(self, name: str) -> None:
        """Put the keyboard where an option is changed."""
        if name in self._cells:
            self.show_also(name)
            self.editor(name).setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many beside each other as there is room for."""
        super().resizeEvent(event)
        self._arrange()

    def _follow_font(self) -> None:
        self._arrange()

    def _offer(self, guess: Guess) -> None:
        """Let a person choose among what the file lists, instead of writing it."""
        if not guess.choices or self._choices.get(guess.name) == guess.choices:
            return
        self._choices[guess.name] = guess.choices
        old = self._cells.pop(guess.name)
        choices = tuple(Choice(choice, choice) for choice in guess.choices)
        self._grid.removeWidget(old)
        old.deleteLater()
        self._add(_CaptionedEditor(editor_for(replace(old.editor.parameter, kind="choice", choices=choices))))
        self._beside = 0

    def _add(self, cell: _CaptionedEditor) -> None:
        self._cells[cell.editor.parameter.name] = cell
        cell.setParent(self)
        cell.setVisible(False)
        cell.editor.edited.connect(self._on_edited)

    def _show(self, names: tuple[str, ...]) -> None:
        # In one order, whatever was chosen first, so that nothing moves while doubts are settled.
        seldom = sorted({*names} - {*self._usual}, key=_PLACES.__getitem__)
        shown = (*self._usual, *seldom)
        if shown == self._shown and self._beside:
            return
        self._shown, self._beside = shown, 0
        self._arrange()

    def _arrange(self) -> None:
        cell_width = self.fontMetrics().averageCharWidth() * _LETTERS
        most = max(self.width() // cell_width, _FEWEST_BESIDE)
        # Lines of equal length: five and one look like a mistake.
        count = max(len(self._shown), 1)
        beside = math.ceil(count / math.ceil(count / most))
        if beside == self._beside:
            return
        self._beside = beside
        for name, cell in self._cells.items():
            self._grid.removeWidget(cell)
            cell.setVisible(name in self._shown)
        for place, name in enumerate(self._shown):
            self._grid.addWidget(self._cells[name], place // beside, place % beside)
        for place in range(self._grid.columnCount()):
            self._grid.setColumnStretch(place, 1 if place < beside else 0)

    def _on_edited(self, value: Any) -> None:
        editor = self.sender()
        if isinstance(editor, SettingEditor):
            self._options = replace(self._options, **{editor.parameter.name: value})
            self.edited.emit(self._options)


_LINE = re.compile(r"(?:line|row) (\d{1,9})")
_SIDE_LETTERS = 38
_MOST_NAMES = 200
_MNEMONIC = Qt.TextFlag.TextShowMnemonic.value


class DoubtList(QScrollArea):
    """What a person should look at or has decided, numbered; what is only to be known below it."""

    cell_requested = Signal(CellPlace)
    option_requested = Signal(str)
    change_requested = Signal(SettingChange)

    def __init__(self) -> None:
        super().__init__()
        scroll_only_down(self)
        self._shown: tuple[tuple[Doubt, ...], str] = (), ""
        self.rows: list[QFrame] = []

    def set_doubts(self, doubts: Sequence[Doubt], where: str = "") -> None:
        """List other doubts; `where` says in which rows they were looked for, if not in all."""
        if self.widget() is not None and self._shown == (tuple(doubts), where):
            return
        self._shown = tuple(doubts), where
        first = [doubt for doubt in doubts if doubt.stands_out]
        others = [doubt for doubt in doubts if not doubt.stands_out]
        self.rows = [self._row(number, doubt) for number, doubt in enumerate((*first, *others), start=1)]
        standing_out: Sequence[QWidget] = self.rows[: len(first)] or [muted(_(NOTHING_IN_DOUBT))]
        heading = [title(_("For information"))] if others else []
        inner = QWidget()
        counted_where = [muted(where)] if where and doubts else []
        column(
            *counted_where,
            *standing_out,
            *heading,
            *self.rows[len(first) :],
            1,
            on=inner,
            margins=(0, SPACE, SPACE, 0),
        )
        replace_content(self, inner)

    def _row(self, number: int, doubt: Doubt) -> QFrame:
        card = QFrame()
        set_look(card, "notice", tone="warning" if doubt.is_serious else "plain")
        heading = title(f"{count_text(number)}. {doubt.title}")
        heading.setWordWrap(True)
        margins = (SPACE, SPACE_SMALL, SPACE, SPACE_SMALL)
        layout = column(heading, body(doubt.text), on=card, margins=margins, spacing=SPACE_SMALL)
        if doubt.columns:
            layout.addWidget(
                Folded(_("Names of the columns"), body(plain_listing(doubt.columns, _MOST_NAMES)))
            )
        buttons = []
        if doubt.cell is not None:
            # Below the first rows, a cell cannot be shown.
            text = _("Show the column") if doubt.cell.row is None else _("Show")
            buttons.append(_button(text, doubt, partial(self.cell_requested.emit, doubt.cell)))
        if doubt.option and not doubt.changes:
            buttons.append(_button(_("Change"), doubt, partial(self.option_requested.emit, doubt.option)))
        if buttons:
            layout.addLayout(row(*buttons, 1, spacing=SPACE_SMALL))
        for alternative in doubt.changes:
            change = _button(alternative.title, doubt, partial(self.change_requested.emit, alternative))
            layout.addWidget(change, 0, Qt.AlignmentFlag.AlignLeft)
        return card


class _WrappedButton(CardButton):
    """A button of at most two lines that is never wider than the list: names of columns may be long."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        """Allow it to become narrow."""
        return QSize(self.fontMetrics().horizontalAdvance("…") * 3, super().minimumSizeHint().height())

    def heightForWidth(self, width: int) -> int:
        """Ask for a second line where one does not hold the text."""
        size = self.sizeHint()
        return size.height() + (self.fontMetrics().lineSpacing() if size.width() > width else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say the whole where it does not fit."""
        super().resizeEvent(event)
        first, second = self._lines()
        is_cut = self._width_of(second) > self._room() or self._width_of(first) > self._room()
        set_tooltip(self, self.text().replace("&&", "&") if is_cut else "")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        elide, room = Qt.TextElideMode.ElideMiddle, self._room()
        lines = (self.fontMetrics().elidedText(line, elide, room, _MNEMONIC) for line in self._lines())
        option.text = "\n".join(filter(None, lines))
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        # Whoever looks at this frame from another thread would keep the painter from ending with it.
        painter.end()

    def _lines(self) -> tuple[str, str]:
        """Break the text behind the last word that fits on the first line."""
        first, second = self.text(), ""
        while self._width_of(first) > self._room() and " " in first:
            first, _, word = first.rpartition(" ")
            second = f"{word} {second}".rstrip()
        return first, second

    def _room(self) -> int:
        return self.width() - self.sizeHint().width() + self._width_of(self.text())

    def _width_of(self, text: str) -> int:
        return self.fontMetrics().size(_MNEMONIC, text).width()


def _button(text: str, doubt: Doubt, act: partial[None]) -> QPushButton:
    button = _WrappedButton(caption(text))
    set_look(button, "link")
    button.setAccessibleDescription(doubt.title)
    button.clicked.connect(lambda _checked=False: act())
    return button


class ImportPage(Page):
    """Shows a file before it is opened; nothing is loaded whole until then."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(_("Open"), parent)
        self._opening, self._document = workspace.session.opening, workspace.session.document
        self._preview: TablePreview | None = None
        self._roles: dict[str, Role] = {}
        self._events: dict[str, str] = {}
        self.form = ReadingForm(self)
        self.model = ImportRowsModel(self)
        self.view = ImportRowsView(self.model)
        self.doubts = DoubtList()
        self.names = NamesPanel()
        tooltip = _("Close the preview; nothing was loaded")
        self.cancel = push_button(_("Cancel"), self._opening.put_away, tooltip, "quiet")
        self.add_secondary(self.cancel)
        self.body.addWidget(self.form)
        self.body.addWidget(self._middle(), 1)
        FocusLeader(self, self.primary)
        self._connect()
        self._set_primary()
        if self._opening.preview is not None:
            self._on_previewed(self._opening.preview)

    def _middle(self) -> QSplitter:
        roles = QWidget()
        column(self.names, 1, on=roles, margins=(0, SPACE, SPACE, 0), spacing=None)
        self.side = QTabWidget()
        self.side.setDocumentMode(True)
        self.side.setAccessibleName(_("Doubts and roles"))
        self.side.addTab(self.doubts, _("Doubts"))
        self.side.addTab(roles, _("Roles"))
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(2 * SPACE)
        splitter.addWidget(self.view)
        splitter.addWidget(self.side)
        splitter.setStretchFactor(0, 1)
        side = self.fontMetrics().averageCharWidth() * _SIDE_LETTERS
        splitter.setSizes([2 * side, side])
        return splitter

    def _connect(self) -> None:
        opening = self._opening
        opening.previewed.connect(self._on_previewed)
        opening.given_up.connect(self._on_left)
        opening.opened.connect(self._on_left)
        self.primary.clicked.connect(self._on_open)
        self.form.edited.connect(opening.change)
        self.doubts.cell_requested.connect(self.view.show_cell)
        self.doubts.option_requested.connect(self.form.focus_option)
        self.doubts.change_requested.connect(lambda change: self._change(**{change.name: change.value}))
        self.view.role_requested.connect(self._set_roles)
        self.view.kind_requested.connect(self._set_kind)
        self.view.event_requested.connect(self._set_event)
        self.view.begins_here.connect(lambda line: self._change(skip_lines=line - 1))
        self.names.role_requested.connect(self._set_roles)
        self.names.chosen_changed.connect(self.view.select_names)

    def _on_previewed(self, preview: TablePreview) -> None:
        is_new = self._preview is None or self._preview.path != preview.path
        reading, self._preview = preview.reading, preview
        if is_new:
            self._roles, self._events = {}, self._events_of_open(preview.path)
            self.names.forget_table()
            self.side.setTabText(1, _("Roles"))
            self.side.setCurrentIndex(0)
        bars = (self.view.horizontalScrollBar(), self.view.verticalScrollBar())
        places = [bar.value() for bar in bars]
        self.heading.setText(preview.path.name)
        set_tooltip(self.heading, str(preview.path))
        self.subtitle.setText(_summary(preview))
        self.form.set_reading(preview.format, preview.options, () if reading is None else reading.guesses)
        self.model.set_preview(preview)
        self.model.set_events(self._events)
        self.model.set_roles(self._roles)
        self.view.fit_columns()
        for bar, place in zip(bars, places, strict=True):
            bar.setValue(0 if is_new else place)
        if is_new:
            self.view.show_beginning()
        self.names.set_names(() if reading is None else reading.dataset.names)
        doubts = (*_failure_doubts(preview, self.model), *preview.doubts, *self._further_down(preview))
        for doubt in doubts:
            for change in doubt.changes:
                self.form.show_also(change.name)
        self.doubts.set_doubts(doubts, _counted_where(reading))
        if is_new:
            self.doubts.verticalScrollBar().setValue(0)
        serious = sum(doubt.is_serious for doubt in doubts)
        title = _("Doubts ({count})", count=count_text(serious)) if serious else _("Doubts")
        self.side.setTabText(0, title)
        self._set_primary()

    def _further_down(self, preview: TablePreview) -> tuple[Doubt, ...]:
        """Return what was left out of the open table below its first rows, which alone are looked at."""
        reading = self._document.reading
        if reading is None or reading.path != preview.path or preview.options.other_rows == "keep":
            return ()
        told = {doubt.title for doubt in preview.doubts}
        return tuple(doubt for doubt in left_out_rows(reading) if doubt.title not in told)

    def _events_of_open(self, path: Path) -> dict[str, str]:
        """Return the events that were chosen of the open table, which stay when it is read again."""
        reading, analysis = self._document.reading, self._document.analysis
        is_open = reading is not None and analysis is not None and reading.path == path
        return given_events(analysis.dataset) if is_open and analysis is not None else {}

    def _on_left(self) -> None:
        """Keep nothing of a file that is no longer looked at: looked at again, it is a new one."""
        if self._opening.preview is None:
            self._preview = None
        self._set_primary()

    def _set_primary(self) -> None:
        failed = self._preview is None or self._preview.reading is None
        self.set_primary(_("Open"), not failed, _("The file cannot be read in this way"))

    def _on_open(self) -> None:
        self.set_primary(_("Open"), False, _("Reading…"))
        self._opening.accept(dict(self._roles), dict(self._events))

    def _change(self, **options: Any) -> None:
        if self._preview is not None:
            self._opening.change(replace(self._preview.options, **options))

    def _set_roles(self, names: list[str], role: Role) -> None:
        self._roles.update(dict.fromkeys(names, role))
        self.model.set_roles(self._roles)
        labels = sum(role is Role.LABEL for role in self._roles.values())
        title = _("Roles ({labels})", labels=counted(labels, "label")) if labels else _("Roles")
        self.side.setTabText(1, title)

    def _set_event(self, names: list[str], level: str) -> None:
        self._events.update(dict.fromkeys(names, level))
        self.model.set_events(self._events)
        self.view.fit_columns()

    def _set_kind(self, names: list[str], kind: Kind) -> None:
        if self._preview is None:
            return
        options = self._preview.options
        wanted, opposite = ("categories", "numbers") if kind is Kind.NOMINAL else ("numbers", "categories")
        chosen = tuple(dict.fromkeys((*(getattr(options, wanted) or ()), *names)))
        left = tuple(name for name in getattr(options, opposite) or () if name not in names)
        self._change(**{wanted: chosen, opposite: left or None})


def _summary(preview: TablePreview) -> str:
    """Say what is seen."""
    reading = preview.reading
    if reading is None:
        return _("The first lines of the file")
    if preview.beginning is None:
        written = _("the first {rows}", rows=counted(min(reading.dataset.row_count, MOST_ROWS), "row"))
    else:
        rows, read = preview.beginning.rows_below_header, len(preview.beginning.data_rows)
        written = _(_ONE_ROW) if rows == 1 else _("the first {rows}, unchanged", rows=counted(rows, "row"))
        if rows > read:
            written = _("{written}, {count} of them left out", written=written, count=count_text(rows - read))
    parts = [_(formats()[reading.format].title), counted(len(reading.dataset.names), "column"), written]
    return " · ".join(parts)


def _counted_where(reading: Reading | None) -> str:
    """Say that cells are counted in the first rows alone, where that is so."""
    if reading is None or reading.complete:
        return ""
    rows = counted(reading.dataset.row_count, "row")
    return _("Cells are counted in the first {rows} only.", rows=rows)


def _failure_doubts(preview: TablePreview, model: ImportRowsModel) -> tuple[Doubt, ...]:
    """Say why the file cannot be read, with the row at fault."""
    failure = preview.failure
    if failure is None:
        return ()
    place = _LINE.search(failure.place)
    lines = [model.line(row) for row in range(model.rowCount())]
    line = int(place[1]) if place is not None else 0
    cell = CellPlace(lines.index(line), None) if line in lines else None
    return (
        Doubt(_("The file cannot be read in this way"), capital(failure.sentence), "", cell, failure.changes),
    )


_ONE_ROW = N_("its one row, unchanged")
