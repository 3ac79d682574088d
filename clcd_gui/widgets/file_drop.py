"""Files that are dragged over the window: anywhere they are welcome, and it can be seen where they land."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import title
from clcd_gui.style.themes import follow_theme
from clcd_gui.widgets.layouts import column
from clcd_gui.widgets.window_page import Workspace
from engine.translation import _


class FileDrop(QObject):
    """Opens files dropped anywhere in a window, or label files of the open table; marks the page."""

    def __init__(self, window: QWidget, page: QWidget, workspace: Workspace) -> None:
        super().__init__(window)
        self._page = page
        self._files, self._document = workspace.files, workspace.session.document
        self.mark = QFrame(page)
        set_look(self.mark, "dropping")
        follow_theme(self.mark)
        self.caption = title("")
        self.caption.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        caption = self.caption, 0, Qt.AlignmentFlag.AlignCenter
        column(caption, on=self.mark, margins=None)
        self.mark.hide()
        self.take_from(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    @Slot(QWidget)
    def take_from(self, part: QWidget) -> None:
        """Keep files from what is in a part of the window: text boxes would take their names as text."""
        for child in part.findChildren(QWidget):
            if not _is_of_item_view(child):
                child.setAcceptDrops(False)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follow what is dragged over the window."""
        if event.type() == QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            path = dropped_path(event)
            if path is not None:
                event.acceptProposedAction()
                self._show_mark(path)
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.mark.hide()
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.mark.hide()
            path = dropped_path(event)
            if path is not None:
                event.acceptProposedAction()
                if self._takes_labels_from(path):
                    self._files.take_labels(path)
                else:
                    self._files.open(path)
            return True
        return False

    def _takes_labels_from(self, path: Path) -> bool:
        return self._document.reading is not None and path.suffix.lower() == ".xml"

    def _show_mark(self, path: Path) -> None:
        if self._takes_labels_from(path):
            text = _("Drop to take the labels from {name}", name=path.name)
        else:
            text = _("Drop to open {name}", name=path.name)
        self.caption.setText(text)
        self.mark.setGeometry(self._page.rect())
        self.mark.raise_()
        self.mark.show()


def _is_of_item_view(widget: QWidget) -> bool:
    """Whether it is a list, a table or a tree, or what one shows its items on."""
    if isinstance(widget, QAbstractItemView):
        return True
    view = widget.parentWidget()
    return isinstance(view, QAbstractItemView) and widget is view.viewport()


def dropped_path(event: QDropEvent) -> Path | None:
    """Return the first local file that is dragged, or None."""
    for url in event.mimeData().urls():
        if url.isLocalFile():
            return Path(url.toLocalFile())
    return None
