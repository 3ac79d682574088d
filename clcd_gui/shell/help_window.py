"""The window of the help: contents or what was found at the left, the page at the right."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QImage,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from clcd_gui.resource_path import resource_path
from clcd_gui.shell.help_pages import HelpLibrary, sections_of
from clcd_gui.style import icons, themes
from clcd_gui.style.icons import FittedPicture
from clcd_gui.style.text import laid_out_once, literal, set_tooltip
from clcd_gui.style.themes import FollowsLook
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.turns import single_shot
from clcd_gui.widgets.help_links import topic_of
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.side_window import SideWindow
from clcd_gui.wording.text import counted
from engine.translation import N_, _

_SIZE = QSize(1000, 720)
_LINE_HEIGHT = 125.0
# What the document puts in the place of a picture.
_PICTURE = "\ufffc"
_TOPIC = Qt.ItemDataRole.UserRole
_NOTHING_FOUND = N_("No page contains these words.")


class HelpBrowser(QTextBrowser):
    """Shows one page of Markdown, with anchors at its headings and pictures that fit its width."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setAccessibleName(_("Help"))
        # Seen while a page is empty, as that of keys is until all pages of the window are there.
        self.setPlaceholderText(_("CLCD prepares this page …"))
        self._pictures: dict[str, FittedPicture] = {}
        self.setDocument(self._new_document())

    def show_text(self, text: str, folder: str) -> None:
        """Show Markdown, with ``<a id="…"></a>`` before some headings, and pictures from a folder."""
        self.setSearchPaths([folder])
        self._pictures.clear()
        before, document = self.document(), self._new_document()
        shown = "\n".join(line for line in text.splitlines() if not line.startswith("<a id="))
        # Laid out once, when all of it is there: what is shown is laid out at each change.
        document.setMarkdown(shown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        _name_headings(document, text)
        self._format(document)
        self._fit_pictures(document)
        document.setTextWidth(self.viewport().width())
        self.setDocument(document)
        before.deleteLater()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures to the width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            with laid_out_once(self.document()):
                self._fit_pictures(self.document())

    def _new_document(self) -> QTextDocument:
        document = QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(SPACE_LARGE)
        return document

    def _format(self, document: QTextDocument) -> None:
        """Give lines air, and tables thin lines."""
        chosen = themes.colours(self.palette())
        spaced = QTextBlockFormat()
        spaced.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        for block in _blocks(document):
            # Below a picture a quarter of its height would stay empty.
            if _PICTURE not in block.text():
                QTextCursor(block).mergeBlockFormat(spaced)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                look = frame.format()
                look.setCellPadding(SPACE_SMALL)
                look.setCellSpacing(0)
                look.setBorder(1)
                look.setBorderCollapse(True)
                look.setBorderBrush(QColor(chosen.border))
                look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
                frame.setFormat(look)

    def _fit_pictures(self, document: QTextDocument) -> None:
        room = self.viewport().width() - 2 * SPACE_LARGE - SPACE
        for block in _blocks(document):
            if _PICTURE not in block.text():
                continue
            parts = block.begin()
            while not parts.atEnd():
                fragment = parts.fragment()
                if fragment.charFormat().isImageFormat():
                    self._fit_picture(document, fragment.position(), room)
                parts += 1

    def _fit_picture(self, document: QTextDocument, position: int, room: int) -> None:
        cursor = QTextCursor(document)
        cursor.setPosition(position)
        cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
        shown = cursor.charFormat().toImageFormat()
        name = shown.name()
        if name not in self._pictures:
            self._pictures[name] = FittedPicture(QImage(posixpath.join(self.searchPaths()[0], name)))
        picture = self._pictures[name]
        width = min(picture.image.width(), room)
        if width <= 0 or width == shown.width():
            return
        scaled = picture.in_width(width, self.devicePixelRatioF())
        document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), scaled)
        shown.setWidth(width)
        shown.setHeight(picture.image.height() * width / picture.image.width())
        cursor.setCharFormat(shown)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _name_headings(document: QTextDocument, text: str) -> None:
    headings = (block for block in _blocks(document) if block.blockFormat().headingLevel())
    for block, section in zip(headings, sections_of(text), strict=False):
        named = QTextCharFormat()
        named.setAnchor(True)
        named.setAnchorNames(list(section.anchors))
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(named)
        apart = QTextBlockFormat()
        apart.setTopMargin(SPACE_LARGE if block.blockNumber() else 0)
        apart.setBottomMargin(SPACE_SMALL)
        cursor.mergeBlockFormat(apart)


class HelpWindow(FollowsLook, SideWindow):
    """Contents, search, and the page that is read, with the place in it; Back leads to the one before."""

    def __init__(self, library: HelpLibrary) -> None:
        super().__init__()
        self.setWindowTitle(_("CLCD help"))
        self._library = library
        self._past: list[str] = []
        self._future: list[str] = []
        self.topic = ""
        self._drawn_for: tuple[str, str] | None = None
        self._again = single_shot(self, 0, self._show_again)
        self.browser = HelpBrowser()
        self.browser.anchorClicked.connect(self._follow)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search the help"))
        self.search.setAccessibleName(_("Search the help"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._list)
        self.search.returnPressed.connect(self._open_first)
        self.contents = QListWidget()
        self.contents.setAccessibleName(_("Contents"))
        self.contents.setWordWrap(True)
        # A long title goes on in the next line.
        self.contents.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.contents.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.contents.setSpacing(SPACE_SMALL // 2)
        self.contents.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.contents.itemActivated.connect(self._open_item)
        self.contents.itemClicked.connect(self._open_item)
        self._found = QLabel()
        self._found.setProperty("look", "muted")
        self.back = self._button("back", _("Back"), "Alt+Left")
        self.forward = self._button("forward", _("Forward"), "Alt+Right")
        self.back.clicked.connect(self.go_back)
        self.forward.clicked.connect(self.go_forward)
        find = QAction(self)
        find.setShortcut(QKeySequence.StandardKey.Find)
        find.triggered.connect(self._find)
        self.addAction(find)
        self._lay_out()
        themes.follow_theme(self)
        self._list("")
        self.browser.setFocus()

    def show_topic(self, topic: str) -> None:
        """Show a page, or a place in it; what was shown before is one step back."""
        if self.topic and topic != self.topic:
            self._past.append(self.topic)
            self._future.clear()
        self._show(topic)

    def go_back(self) -> None:
        """Show what was shown before."""
        if self._past:
            self._future.append(self.topic)
            self._show(self._past.pop())

    def go_forward(self) -> None:
        """Take back a step back."""
        if self._future:
            self._past.append(self.topic)
            self._show(self._future.pop())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc and on the key that closes windows."""
        if event.key() == Qt.Key.Key_Escape or event.matches(QKeySequence.StandardKey.Close):
            self.close()
        else:
            super().keyPressEvent(event)

    def _follow_look(self) -> None:
        # Several such events come for one change.
        self._again.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Follow what changed while the window was closed."""
        super().showEvent(event)
        self._again.start()

    def _show_again(self) -> None:
        """Show the page in the colours and text size in force, unless it is in them or nobody sees it."""
        if self.topic and self.isVisible() and self._drawn_for != self._look:
            place = self.browser.verticalScrollBar().value()
            self._show(self.topic)
            self.browser.verticalScrollBar().setValue(place)

    @property
    def _look(self) -> tuple[str, str]:
        """What a page was written for."""
        return themes.colours(self.palette()).text, self.font().toString()

    def _show(self, topic: str) -> None:
        page, _, anchor = topic.partition("#")
        try:
            text = self._library.text(page)
        except KeyError:
            return
        self.topic = topic
        folder = resource_path("help", posixpath.dirname(page))
        self.browser.show_text(text, str(folder))
        self._drawn_for = self._look
        if anchor:
            self.browser.scrollToAnchor(anchor)
        else:
            self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        self.back.setEnabled(bool(self._past))
        self.forward.setEnabled(bool(self._future))
        self._mark(page)

    def _mark(self, page: str) -> None:
        for item in self._items:
            if item.data(_TOPIC) == page:
                self.contents.setCurrentItem(item)

    def _follow(self, link: QUrl) -> None:
        """Follow a link to another page or place; nothing outside the help is opened."""
        page = self.topic.partition("#")[0]
        target, _, anchor = topic_of(link).partition("#")
        if link.scheme():
            return
        if target:
            page = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        self.show_topic(f"{page}#{anchor}" if anchor else page)

    def _list(self, words: str) -> None:
        """List the contents, or the sections that hold what is looked for."""
        self.contents.clear()
        if not words.strip():
            self._found.hide()
            group = ""
            for page in self._library.pages:
                if page.group != group:
                    group = page.group
                    self._add_heading(group)
                self._add(page.title, page.name, page.title)
            self._mark(self.topic.partition("#")[0])
            return
        hits = self._library.search(words)
        self._found.setText(counted(len(hits), "place") if hits else _(_NOTHING_FOUND))
        self._found.show()
        for hit in hits:
            self._add(f"{hit.section.heading}\n{hit.page.title}", hit.topic, hit.excerpt)

    def _add(self, text: str, topic: str, tooltip: str) -> None:
        item = QListWidgetItem(text, self.contents)
        item.setData(_TOPIC, topic)
        item.setToolTip(literal(tooltip))

    def _add_heading(self, text: str) -> None:
        item = QListWidgetItem(text, self.contents)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = QFont(self.contents.font())
        font.setBold(True)
        item.setFont(font)

    def _open_item(self, item: QListWidgetItem) -> None:
        topic = item.data(_TOPIC)
        if topic:
            self.show_topic(str(topic))

    @property
    def _items(self) -> list[QListWidgetItem]:
        return [self.contents.item(place) for place in range(self.contents.count())]

    def _open_first(self) -> None:
        for item in self._items:
            if item.data(_TOPIC):
                self._open_item(item)
                return

    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _button(self, icon: str, name: str, key: str) -> QToolButton:
        button = QToolButton()
        icons.assign(button, icon, themes.colours())
        button.setShortcut(QKeySequence(key))
        button.setAccessibleName(name)
        set_tooltip(button, f"{name} ({button.shortcut().toString()})")
        button.setEnabled(False)
        return button

    def _lay_out(self) -> None:
        tools = row(self.back, self.forward, (self.search, 1), spacing=SPACE_SMALL)
        left = QWidget()
        margins = (SPACE, SPACE, SPACE_SMALL, SPACE)
        column(tools, self._found, (self.contents, 1), on=left, margins=margins)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(self.browser)
        splitter.setStretchFactor(1, 1)
        # Titles stay on one line, unless they would take the room of the page.
        titles = max(self.fontMetrics().horizontalAdvance(page.title) for page in self._library.pages)
        bar = self.contents.verticalScrollBar().sizeHint().width()
        width = min(titles + bar + 5 * SPACE, _SIZE.width() // 3)
        splitter.setSizes([width, _SIZE.width() - width])
        column(splitter, on=self)
        self.resize(_SIZE)
