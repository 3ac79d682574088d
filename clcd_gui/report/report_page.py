"""The page of the report: what it holds, in which order, how it will read, and which files it becomes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QUrl,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from clcd_gui.run.failure import RunFailure
from clcd_gui.run.reporting import Preview, make_preview, write_files
from clcd_gui.style import icons, themes
from clcd_gui.style.icons import FittedPicture
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import laid_out_once, literal, muted, set_tooltip, title
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import LIGHT, SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.turns import Turn
from clcd_gui.widgets.controls import push_button
from clcd_gui.widgets.dialogs import SAVE_FOLDER, ExportDialogs, FileEntry, FilesDialog
from clcd_gui.widgets.export_actions import export_folder
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.notices import Notice, StaleNotice, show_written
from clcd_gui.widgets.page import EmptyPage, Page
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.setting_values import rests_on, search_details
from engine.execution.remembering import BoundedMemory
from engine.reporting.export_formats import ExportFormat, export_formats
from engine.reporting.figures.chart import Chart
from engine.reporting.report import chosen_parts, report_parts, standard_parts
from engine.reporting.report.blocks import TONE_COLOURS, Tone
from engine.reporting.tables import ResultContext as ReportedAnalysis
from engine.translation import N_, _
from engine.wording.shown_names import Naming

DOTS_PER_INCH = 192
_CONTENT = "report"
_USUAL_DOTS_PER_INCH = 96
_WIDEST_IN_PAPERS = 10
# The letter that stands in a text where a picture is.
_PICTURE_IN_TEXT = "\N{OBJECT REPLACEMENT CHARACTER}"

_STYLE = f"""
h1 {{ font-size: x-large; font-weight: 600; margin-bottom: 2px; }}
h2 {{ font-size: large; font-weight: 600; margin-top: 22px; margin-bottom: 4px; }}
h3 {{ font-weight: 600; margin-top: 12px; margin-bottom: 2px; }}
p {{ margin-top: 4px; margin-bottom: 4px; }}
.lead {{ font-size: large; }}
.warning {{ background-color: {LIGHT.warning_ground}; }}
.quiet {{ color: {TONE_COLOURS[Tone.QUIET]}; }}
.note {{ color: {LIGHT.muted}; font-size: small; }}
.wide {{ font-size: small; }}
.name {{ font-weight: 600; }}
.common {{ color: {TONE_COLOURS[Tone.COMMON]}; font-weight: 600; }}
.specific {{ color: {TONE_COLOURS[Tone.SPECIFIC]}; font-weight: 600; }}
.label {{ color: {TONE_COLOURS[Tone.LABEL]}; }}
th {{ color: {LIGHT.muted}; font-weight: 600; }}
.head {{ border-bottom: 1px solid {LIGHT.text}; }}
.last {{ border-bottom: 1px solid {LIGHT.border}; }}
"""


class _Picture(FittedPicture):
    """A figure of the report."""

    def __init__(self, source: bytes) -> None:
        super().__init__(QImage.fromData(source))
        self.source = source


class ReportPreview(QTextBrowser):
    """Shows a report while it is put together; reads and lays it out in turns of a tenth of a second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures: dict[str, _Picture] = {}
        self._steps: Iterator[None] = iter(())
        self._turn = Turn(self, repeats=True)
        self._turn.due.connect(self._take_step)
        self.setAccessibleName(_("Preview of the report"))
        self.setOpenLinks(False)
        set_look(self, "paper")
        self.setDocument(self._new_document())

    def show_preview(self, preview: Preview) -> None:
        """Show another state of the report at the place that is looked at, in a moment."""
        self._steps = self._showing(preview)
        self._turn.start()

    def clear_preview(self) -> None:
        """Show nothing, and hold no picture."""
        self._turn.stop()
        self._steps = iter(())
        self._pictures = {}
        self._replace_document(self._new_document())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    @Slot()
    def _take_step(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self._turn.stop()

    def _showing(self, preview: Preview) -> Iterator[None]:
        pictures = self._read(preview.pictures)
        yield
        document = self._new_document()
        document.setHtml(preview.html)
        yield
        place = self.verticalScrollBar().value()
        # A report is longer than its paper: a bar that came for it would have it laid out a second time.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._pictures = pictures
        self._fit_pictures(document)
        # Qt lays it out anew wherever it was shown or measured before.
        self._replace_document(document)
        self._fit_words()
        self.verticalScrollBar().setValue(place)

    def _replace_document(self, document: QTextDocument) -> None:
        before = self.document()
        document.setParent(self)
        self.setDocument(document)
        before.deleteLater()

    def _new_document(self) -> QTextDocument:
        # Without a parent till it is shown: one that is given up half done goes by itself.
        document = QTextDocument()
        document.setDefaultFont(self.font())
        document.setDefaultStyleSheet(_STYLE)
        document.setDocumentMargin(SPACE_LARGE)
        option = document.defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        document.setDefaultTextOption(option)
        return document

    def _read(self, pictures: Mapping[str, bytes]) -> dict[str, _Picture]:
        """Read the figures that are new; to read and to fit one takes a moment."""
        known_pictures, read = self._pictures, {}
        for name, source in pictures.items():
            address = f"figure:{name}"
            had = known_pictures.get(address)
            read[address] = had if had is not None and had.source == source else _Picture(source)
        return read

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let figures be no wider than the paper."""
        super().resizeEvent(event)
        # A bar that comes below while words are fitted changes the height alone; to fit again would take it
        # away, and so on without an end.
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        """Show figures and words in the width of the paper."""
        with laid_out_once(self.document()):
            self._fit_pictures(self.document())
        self._fit_words()

    def _fit_words(self) -> None:
        """Have a wide table scrolled, as words in pieces cannot be read; break them where it has no end."""
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        if self.document().size().width() > _WIDEST_IN_PAPERS * self.viewport().width():
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _fit_pictures(self, document: QTextDocument) -> None:
        """Show every figure in its own size, or as wide as there is room."""
        room = self.viewport().width() - 2 * document.documentMargin()
        # Tables alone are thousands of pieces of text, of which few are pictures.
        cursor = document.find(_PICTURE_IN_TEXT)
        while not cursor.isNull():
            if cursor.charFormat().isImageFormat():
                self._fit_picture(document, cursor, room)
            cursor = document.find(_PICTURE_IN_TEXT, cursor)

    def _fit_picture(self, document: QTextDocument, cursor: QTextCursor, room: float) -> None:
        shown = cursor.charFormat().toImageFormat()
        picture = self._pictures[shown.name()]
        image = picture.image
        width = max(min(image.width() * _USUAL_DOTS_PER_INCH / DOTS_PER_INCH, room), 1.0)
        if shown.width() != width:
            smaller = picture.in_width(width, self.devicePixelRatioF())
            document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(shown.name()), smaller)
            shown.setWidth(width)
            shown.setHeight(width * image.height() / image.width())
            cursor.setCharFormat(shown)


_NAME = Qt.ItemDataRole.UserRole
_IS_EMPTY = Qt.ItemDataRole.UserRole + 1
_NOTHING = N_("Empty so far")
_ROOM_BETWEEN = 1


def arranged(chosen: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Put what is not chosen behind what it stood behind before.

    >>> arranged(["c", "a"], ["a", "b", "c", "d"])
    ['c', 'd', 'a', 'b']
    """
    order = list(chosen)
    for place, name in enumerate(shown):
        if name not in order:
            before = next((earlier for earlier in reversed(shown[:place]) if earlier in order), None)
            order.insert(0 if before is None else order.index(before) + 1, name)
    return order


class _TitleDelegate(QStyledItemDelegate):
    """Gives a title the lines that it needs beside its tick, and the tick its height: Qt counts neither."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the room that a title would like to have."""
        hint, listing = super().sizeHint(option, index), self.parent()
        assert isinstance(listing, QListWidget)
        title_option = QStyleOptionViewItem(option)
        self.initStyleOption(title_option, index)
        width = listing.viewport().width() - 2 * listing.spacing()
        title_option.rect = QRect(0, 0, width, hint.height())
        style = listing.style()
        title = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, title_option, listing)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, listing) + 1
        room = QRect(0, 0, title.width() - 2 * margin, 0)
        lines = title_option.fontMetrics.boundingRect(room, Qt.TextFlag.TextWordWrap, title_option.text)
        tick = style.subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, title_option, listing)
        height = max(lines.height(), tick.height()) + 2 * _ROOM_BETWEEN
        return QSize(hint.width(), max(hint.height(), height))


class PartsList(FollowsLook, QWidget):
    """Lets a person choose and order the parts of a report."""

    edited = Signal(tuple)
    """The names of the chosen parts in their order."""

    looked_at = Signal(str)
    """The name of the part that a person points at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_filling = False
        self.list = QListWidget(self)
        self.list.setAccessibleName(_("Parts of the report"))
        self.list.setAccessibleDescription(_("Space ticks a part, Alt with an arrow key moves it."))
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.list.setWordWrap(True)
        self.list.setItemDelegate(_TitleDelegate(self.list))
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSpacing(_ROOM_BETWEEN)
        self.list.installEventFilter(self)
        self.up = self._move_button("move-up", _("Move up"), "Alt+Up", -1)
        self.down = self._move_button("move-down", _("Move down"), "Alt+Down", 1)
        usual = _("Tick the parts of most reports, in the usual order")
        self.usual = push_button(_("Usual parts"), self._on_usual, usual, "quiet")
        heading = title(_("Content"), self)
        about = muted(_("Tick the parts that you want. Drag a part to change the order."), self)
        buttons = row(self.up, self.down, 1, self.usual, spacing=SPACE_SMALL)
        column(heading, about, (self.list, 1), buttons, on=self)
        for name, part in report_parts().items():
            item = QListWidgetItem(_(part.title), self.list)
            item.setData(_NAME, name)
            item.setToolTip(literal(_(part.help)))
            is_usual = name in standard_parts()
            item.setCheckState(Qt.CheckState.Checked if is_usual else Qt.CheckState.Unchecked)
        self.list.itemChanged.connect(self._on_edited)
        self.list.model().rowsMoved.connect(self._on_edited)
        self.list.currentItemChanged.connect(self._on_current)
        self.list.setCurrentRow(0)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the parts that are ticked, in order."""
        return tuple(str(entry.data(_NAME)) for entry in self._items() if self._is_ticked(entry))

    def item(self, name: str) -> QListWidgetItem:
        """Return the entry of a part."""
        return next(entry for entry in self._items() if entry.data(_NAME) == name)

    def set_chosen(self, names: Sequence[str]) -> None:
        """Tick these parts, in this order; none means the usual ones."""
        chosen = tuple(chosen_part.name for chosen_part in chosen_parts(names))
        if chosen == self.chosen:
            return
        self._is_filling = True
        current = self.list.currentItem()
        items = {str(entry.data(_NAME)): entry for entry in self._items()}
        order = arranged(chosen, list(items if names else report_parts()))
        for place, name in enumerate(order):
            if self.list.row(items[name]) != place:
                self.list.insertItem(place, self.list.takeItem(self.list.row(items[name])))
            ticked = Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked
            items[name].setCheckState(ticked)
        self.list.setCurrentItem(current)
        self._is_filling = False

    def set_filled(self, names: Collection[str]) -> None:
        """Say which of the chosen parts the analysis has something for."""
        self._is_filling = True
        for entry in self._items():
            part = report_parts()[str(entry.data(_NAME))]
            is_empty = self._is_ticked(entry) and part.name not in names
            entry.setData(_IS_EMPTY, is_empty)
            part_title, about = _(part.title), _(part.help)
            entry.setText(_("{title} (empty so far)", title=part_title) if is_empty else part_title)
            entry.setToolTip(literal(f"{_(_NOTHING)}. {about}" if is_empty else about))
        self._is_filling = False
        self._follow_colours()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the current part with Alt and an arrow key."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
            if step is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._move(step)
                return True
        return super().eventFilter(watched, event)

    def _follow_colours(self) -> None:
        """Write in a muted colour what holds nothing yet; the others follow the theme by themselves."""
        self._is_filling = True
        muted_colour = QColor(themes.colours(self.palette()).muted)
        for entry in self._items():
            entry.setData(Qt.ItemDataRole.ForegroundRole, muted_colour if entry.data(_IS_EMPTY) else None)
        self._is_filling = False

    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(row) for row in range(self.list.count())]

    def _is_ticked(self, item: QListWidgetItem) -> bool:
        return item.checkState() == Qt.CheckState.Checked

    def _move_button(self, icon: str, words: str, key: str, step: int) -> QToolButton:
        button = QToolButton(self)
        icons.assign(button, icon, themes.colours(), "text")
        button.setAccessibleName(words)
        set_tooltip(button, f"{words} ({key})")
        button.clicked.connect(lambda: self._move(step))
        return button

    def _move(self, step: int) -> None:
        place = self.list.currentRow()
        if place >= 0 and 0 <= place + step < self.list.count():
            self._is_filling = True
            item = self.list.takeItem(place)
            self.list.insertItem(place + step, item)
            self.list.setCurrentItem(item)
            self._is_filling = False
            self._on_edited()

    def _on_edited(self) -> None:
        if not self._is_filling:
            self.edited.emit(self.chosen)

    def _on_usual(self) -> None:
        self.set_chosen(())
        self.edited.emit(self.chosen)

    def _on_current(self, item: QListWidgetItem | None) -> None:
        place = self.list.row(item) if item is not None else -1
        self.up.setEnabled(place > 0)
        self.down.setEnabled(0 <= place < self.list.count() - 1)
        if item is not None and not self._is_filling:
            self.looked_at.emit(str(item.data(_NAME)))


def _figures(name: str) -> tuple[str, ...]:
    return name, f"{name}-pdf", f"{name}-png"


_WHAT = N_(
    "This page will show a report of the findings to print or share: sentences, tables, figures, "
    "methods and limits. You choose the parts and their order. The report can be written as PDF, "
    "Word or HTML."
)
_GROUPS = {
    N_("Report"): ("report-pdf", "report-word", "report"),
    N_("For a paper"): ("methods", "bibtex", "latex", *_figures("forest-plot"), *_figures("label-sets")),
    N_("To do it again"): ("script", "command"),
}
_FORMATS = tuple(name for names in _GROUPS.values() for name in names)
_TICKED = ("report-pdf",)
_NOT_MEASURED = N_("Estimates are not computed yet.")
_NO_ORIGIN = N_("CLCD does not know from which file the table came.")
_WIDTH_OF_PARTS = 250
_LEAD = N_("Writes the report as shown. All kinds of file have the same sentences, tables and figures.")
# Some hundred figures: runs that are gone back to are shown at once.
_MOST_BYTES_OF_FIGURES = 16_000_000


def _no_figures() -> BoundedMemory[Chart, bytes]:
    return BoundedMemory(_MOST_BYTES_OF_FIGURES, len)


class ReportPage(Page):
    """Shows the report of the result that is shown, and writes it."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(_("Report"), parent)
        self._session, self._document = workspace.session, workspace.session.document
        self._settings = workspace.settings
        self._controller = workspace.session.controller
        self.dialogs = ExportDialogs()
        self.dialog: FilesDialog | None = None
        self._ticks = {name: name in _TICKED for name in _FORMATS}
        self._made_of: tuple[object, ...] = ()
        self._drawn = _no_figures()
        self.stale_notice = StaleNotice(_("These findings are from earlier settings."), self)
        self.notice = Notice(self)
        self.parts = PartsList(self)
        self.preview = ReportPreview(self)
        self.empty = EmptyPage(_("No results yet"), _(_WHAT), self)
        self.empty.requested.connect(self._session.running.start)
        columns = QSplitter(Qt.Orientation.Horizontal, self, handleWidth=SPACE, childrenCollapsible=False)
        columns.addWidget(self.parts)
        columns.addWidget(self.preview)
        columns.setStretchFactor(1, 1)
        columns.setSizes([_WIDTH_OF_PARTS, 3 * _WIDTH_OF_PARTS])
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(columns)
        self.body.addWidget(self._stack, 1)
        # Below all else, so that nothing moves when one comes or goes.
        for notice in (self.stale_notice, self.notice):
            self.body.addWidget(notice)
        self.primary.clicked.connect(self.ask_export)
        self._connect()
        self._on_presentation()

    @property
    def can_export(self) -> bool:
        """Whether there is a report that says something."""
        return self._document.result is not None and bool(self.parts.chosen)

    def ask_export(self) -> None:
        """Ask which files to write, and where to."""
        if not self.can_export or self.dialog is not None or self._controller.report.is_busy:
            return
        reported = self._document.reported
        assert reported is not None
        groups = {
            _(heading): [self._entry(export_formats()[name], reported) for name in names]
            for heading, names in _GROUPS.items()
        }
        place = export_folder(self._document.searched, _CONTENT)
        self.dialog = FilesDialog(_("Export the report"), _(_LEAD), groups, place, self.dialogs, self)
        self.dialog.add_form(_("Options of the files"), reported.options).edited.connect(self._on_option)
        self.dialog.finished.connect(self._on_asked)
        self.dialog.open()

    def show_failure(self, failure: RunFailure) -> None:
        """Say why the report could not be put together or written."""
        self.notice.show_failure(failure)

    def shut_down(self) -> None:
        """Wait until the files that are being written are whole."""
        self._controller.report.shut_down()

    def showEvent(self, event: QShowEvent) -> None:
        """Put the report together when it is looked at, and have the sizes measured that it tells."""
        super().showEvent(event)
        self._session.measuring.set_wanted(True)
        self._make()

    def _connect(self) -> None:
        document, controller = self._document, self._controller
        self.parts.edited.connect(self._on_edited)
        self.parts.looked_at.connect(self.preview.scrollToAnchor)
        for signal in (document.result_changed, document.refined, document.rearranged):
            signal.connect(self._make)
        for signal in (document.opened, document.closed):
            signal.connect(self._let_go)
        document.presentation.changed.connect(self._on_presentation)
        document.notes.changed.connect(self._make)
        document.names_changed.connect(self._make)
        self._session.opening.opened.connect(self._on_presentation)
        self._session.changed.connect(self._on_session)
        controller.preview.given_early.connect(self._show)
        controller.preview.succeeded.connect(self._show)
        controller.preview.failed.connect(self.show_failure)
        controller.report.started.connect(self._on_session)
        controller.report.noticed.connect(self._on_session)
        controller.report.ended.connect(self._on_session)
        controller.report.succeeded.connect(self._on_written)
        controller.report.failed.connect(self.show_failure)
        self.stale_notice.run_requested.connect(self._session.running.start)

    def _let_go(self) -> None:
        """Hold nothing of a table that is no longer open, and none of its pictures."""
        self._controller.preview.abandon()
        self._made_of, self._drawn = (), _no_figures()
        self.preview.clear_preview()

    def _on_session(self) -> None:
        document, running = self._document, self._session.running
        self._stack.setCurrentIndex(0 if document.result is None else 1)
        self.empty.set_hindrance(running.hindrance)
        reason = self._session.live.stale_reason
        self.stale_notice.set_reason(reason if document.result is not None else None)
        self.stale_notice.set_hindrance(running.hindrance)
        if document.result is None:
            self.hide_primary()
            self.set_subtitle("")
            return
        self.set_subtitle(rests_on(document.result), search_details(document.result.settings_used))
        is_writing = self._controller.report.is_busy
        hindrance = _("The report is being written") if is_writing else _("Tick at least one part")
        self.set_primary(_("Export…"), self.can_export and not is_writing, hindrance)

    def _on_presentation(self) -> None:
        self.parts.set_chosen(self._document.presentation.report_parts)
        self._on_session()
        self._make()

    def _on_edited(self, parts: tuple[str, ...]) -> None:
        if parts:
            self._document.presentation.change_report_parts(parts)
        self._on_session()

    def _make(self) -> None:
        """Put the report together, where it is looked at and there is another to be shown."""
        reported = self._document.reported
        if reported is None or not self.isVisible():
            return
        runs = tuple((run.name, run.result) for run in reported.compared or ())
        made_of = (
            reported.result,
            reported.report_parts,
            reported.notes,
            reported.graph_places,
            runs,
            reported.shown_names,
        )
        if made_of != self._made_of:
            self._made_of = made_of
            job = partial(make_preview, reported, self._controller.drawing, DOTS_PER_INCH, self._drawn)
            self._controller.preview.start(job)

    def _show(self, preview: Preview) -> None:
        self.preview.show_preview(preview)
        self.parts.set_filled([section.name for section in preview.report.sections])

    def _entry(self, export_format: ExportFormat, reported: ReportedAnalysis) -> FileEntry:
        hindrance = ""
        if not export_format.can_be_made_of(reported):
            hindrance = _(_NO_ORIGIN) if export_format.needs_origin else _(_NOT_MEASURED)
        return FileEntry(
            export_format.name,
            export_format.title,
            export_format.file_name,
            _(export_format.help),
            self._ticks[export_format.name],
            hindrance,
        )

    def _on_option(self, name: str, value: Any) -> None:
        if name == "variable_names":
            self._settings.naming = Naming(value)
            return
        presentation = self._document.presentation
        presentation.change_export_options(replace(presentation.export_options, **{name: value}))

    def _on_asked(self, outcome: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            return
        names = tuple(entry.name for entry in dialog.files.chosen)
        self._ticks = {name: name in names for name in _FORMATS}
        reported = self._document.reported
        if outcome == QDialog.DialogCode.Accepted and reported is not None:
            SAVE_FOLDER.remember(dialog.folder, _CONTENT)
            self.notice.hide_text()
            self._controller.report.start(
                partial(write_files, reported, dialog.folder, names, self._controller.drawing)
            )
        dialog.deleteLater()

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        show_written(self.notice, paths)
