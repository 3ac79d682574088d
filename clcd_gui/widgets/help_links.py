"""The sign "?" and links to pages of the help, of the scheme ``clcd-help``, for its window to open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QMouseEvent
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QToolButton, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import set_tooltip
from clcd_gui.widgets.controls import Menu
from engine.translation import _

SCHEME = "clcd-help"
COLUMNS, SETTINGS, GLOSSARY = "columns.md", "settings.md", "guide/glossary.md"
_TOPIC = "helpTopic"
_NO_WORD = re.compile(r"[^\w]+")


def show_help(topic: str) -> None:
    """Open a page of the help, or an entry of it: ``settings.md#discoverysettings.alpha``."""
    address = QUrl()
    address.setScheme(SCHEME)
    page, _, anchor = topic.partition("#")
    address.setPath(page)
    address.setFragment(anchor)
    QDesktopServices.openUrl(address)


def topic_of(address: QUrl) -> str:
    """Return the topic that an address asks for.

    >>> topic_of(QUrl("clcd-help:guide/glossary.md#label"))
    'guide/glossary.md#label'
    """
    page, anchor = address.path(), address.fragment(QUrl.ComponentFormattingOption.FullyDecoded)
    return f"{page}#{anchor}" if anchor else page


def setting_anchor(settings_class: type, name: str) -> str:
    """Return where a setting is explained on the page of settings.

    >>> from engine.boundaries.discovery_settings import DiscoverySettings
    >>> setting_anchor(DiscoverySettings, "alpha")
    'discoverysettings.alpha'
    """
    return f"{settings_class.__name__}.{name}".lower()


def column_anchor(title: str) -> str:
    """Return where a column of a table is explained on the page of columns.

    >>> column_anchor("Linked to")
    'column.linked-to'
    """
    return f"column.{_NO_WORD.sub('-', title.casefold()).strip('-')}"


def set_topic(widget: QWidget, topic: str) -> None:
    """Let help on what has the focus begin with an entry of the help."""
    widget.setProperty(_TOPIC, topic)


def topic_at(widget: QWidget | None) -> str:
    """Return the topic of a widget, or of what it is part of; empty when there is none."""
    while widget is not None:
        topic = widget.property(_TOPIC)
        if topic:
            return str(topic)
        widget = widget.parentWidget()
    return ""


class HelpButton(QToolButton):
    """A quiet "?" that opens an entry of the help; by keyboard the same is asked of the control beside it."""

    def __init__(self, title: str, topic: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.topic = topic
        self.setText("?")
        set_look(self, "ask")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(_("Help on {title}", title=title))
        set_tooltip(self, _("What is “{title}”? (Shift+F1)", title=title))
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        show_help(self.topic)


class HeadingHelp(QObject):
    """Shows "?" over a heading under the pointer, and in its menu; its title has an entry in the help."""

    def __init__(self, header: QHeaderView) -> None:
        super().__init__(header)
        self._header = header
        self._section = -1
        self.button = HelpButton(_("column"), COLUMNS, header.viewport())
        self.button.hide()
        header.viewport().setMouseTracking(True)
        header.viewport().installEventFilter(self)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._offer)

    @property
    def table_name(self) -> str:
        """What the table is called."""
        table = self._header.parentWidget()
        return table.accessibleName() if table is not None else ""

    def explained(self) -> list[tuple[str, str]]:
        """Return heading and explanation of every column."""
        explanations = []
        for section in range(self._header.count()):
            role = Qt.ItemDataRole.ToolTipRole
            text = self._header.model().headerData(section, Qt.Orientation.Horizontal, role)
            explanations.append((self._title(section), str(text or "")))
        return explanations

    def topic(self, section: int) -> str:
        """Return where a column is explained."""
        return f"{COLUMNS}#{column_anchor(self._title(section))}"

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._show_over(self._header.logicalIndexAt(event.position().toPoint()))
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.Resize, QEvent.Type.MouseButtonPress):
            self._show_over(-1)
        return False

    def _show_over(self, section: int) -> None:
        if section == self._section:
            return
        self._section = section
        title = self._title(section) if section >= 0 else ""
        self.button.setVisible(bool(title))
        if not title:
            return
        self.button.topic = self.topic(section)
        self.button.setAccessibleName(_("Help on {title}", title=title))
        set_tooltip(self.button, _("What is “{title}”?", title=title))
        header, size = self._header, self.button.sizeHint()
        right = header.sectionViewportPosition(section) + header.sectionSize(section)
        right = min(right, header.viewport().width())
        self.button.setGeometry(right - size.width(), (header.height() - size.height()) // 2, *size.toTuple())

    def _title(self, section: int) -> str:
        model = self._header.model()
        return str(model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) or "")

    def _offer(self, place: QPoint) -> None:
        section = self._header.logicalIndexAt(place)
        if section < 0:
            return
        menu = Menu(self._header)
        explain = QAction(_("What is “{title}”?", title=self._title(section)), menu)
        explain.triggered.connect(partial(show_help, self.topic(section)))
        menu.addAction(explain)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._header.viewport().mapToGlobal(place))


def explain_columns(table: QTableWidget, columns: Mapping[str, str]) -> HeadingHelp:
    """Give a small table its headings, each with what it means and its "?"."""
    for section, (heading, text) in enumerate(columns.items()):
        item = QTableWidgetItem(_(heading))
        item.setToolTip(_(text))
        # Above its cells: counts stand at the right, as the last column.
        side = Qt.AlignmentFlag.AlignRight if section == len(columns) - 1 else Qt.AlignmentFlag.AlignLeft
        item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.setHorizontalHeaderItem(section, item)
    return HeadingHelp(table.horizontalHeader())
