"""What pages are made of: frame, cards, folding parts, views, gradual filling, and empty pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QTextEdit,
    QToolButton,
    QWidget,
)

from clcd_gui.style import icons, themes
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, heading, muted, set_tooltip, title
from clcd_gui.style.themes import FollowsLook, colours
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.turns import Turn, WhenSeen
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, row, scroll_only_down
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.window_page import WindowPage
from engine.translation import _

_WIDTH = 520
# Text boxes and lists, and buttons that a person has gone to.
_ENTER_IS_THEIRS = (
    QLineEdit,
    QTextEdit,
    QPlainTextEdit,
    QAbstractSpinBox,
    QComboBox,
    QAbstractItemView,
    QAbstractButton,
)


class Page(WindowPage):
    """A page with a header; what it is about is laid out in ``body``."""

    def __init__(self, title: str, parent: QWidget | None = None, wraps: bool = False) -> None:
        super().__init__(parent)
        self.heading = heading(title) if wraps else ElidedLabel(title, mode=Qt.TextElideMode.ElideMiddle)
        self.heading.setProperty("look", "heading")
        self.heading.setWordWrap(wraps)
        self.subtitle = muted("")
        self.primary = QPushButton()
        self._by_enter = True
        set_look(self.primary, "primary")
        self.primary.setVisible(False)
        self.reason = ElidedLabel()
        set_look(self.reason, "muted")
        self.reason.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.reason.setVisible(False)
        # The reason stands beside the middle of the button.
        self._actions = row(
            (self.reason, 0, Qt.AlignmentFlag.AlignVCenter), (self.primary, 0, Qt.AlignmentFlag.AlignTop)
        )
        # Below both, so that it has the whole width and seldom takes a second line.
        header = column(row((self.heading, 1), self._actions), self.subtitle, spacing=SPACE_SMALL)
        self.body = column()
        column(header, (self.body, 1), on=self, margins=(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE))

    def set_subtitle(self, text: str, terms: str = "") -> None:
        """Say in plain words what the page rests on; its terms stand where the pointer rests."""
        self.subtitle.setText(text)
        set_tooltip(self.subtitle, terms)

    def set_primary(self, text: str, enabled: bool, reason: str = "", by_enter: bool = True) -> None:
        """Say what the primary button does, and beside it why it cannot be pressed, or not by Enter."""
        self._by_enter = by_enter
        self.primary.setVisible(True)
        self.primary.setText(text)
        self.primary.setEnabled(enabled)
        self.primary.setAccessibleDescription(reason)
        self.reason.setText("" if enabled else reason)
        self.reason.setVisible(bool(reason) and not enabled)

    def hide_primary(self) -> None:
        """Take the primary button away, where it has nothing to do."""
        self.primary.setVisible(False)
        self.reason.setVisible(False)

    def set_run(self, hindrance: str, is_live: bool) -> None:
        """Let the primary button run the analysis, or say why it cannot, or that no run is needed."""
        if is_live:
            self.set_primary(_("Live"), False, _("Results follow every change"))
        else:
            self.set_primary(_("Run"), not hindrance, hindrance, by_enter=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the primary button by Enter, except where Enter has a meaning of its own."""
        focused = QApplication.focusWidget()
        is_own = isinstance(focused, _ENTER_IS_THEIRS) and focused is not self.primary
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and self._by_enter and not is_own and self.primary.isVisible():
            self.primary.click()
        else:
            super().keyPressEvent(event)

    def add_secondary(self, button: QPushButton) -> None:
        """Put a quieter button to the left of the primary one."""
        actions = self._actions
        actions.insertWidget(actions.indexOf(self.primary), button, 0, Qt.AlignmentFlag.AlignTop)


def titled_card(
    caption: str, *parts: QWidget | QHBoxLayout, spacing: int = SPACE, parent: QWidget | None = None
) -> QFrame:
    """Make a card with a caption above its parts."""
    card = QFrame(parent)
    set_look(card, "card")
    column(title(caption), *parts, on=card, margins=SPACE_LARGE, spacing=spacing)
    return card


def scroll_column(area: QScrollArea, *parts: QWidget) -> None:
    """Show parts below each other in an area that scrolls up and down only."""
    inner = QWidget()
    column(*parts, 1, on=inner, margins=(0, SPACE, SPACE, 0), spacing=SPACE_LARGE)
    scroll_only_down(area)
    area.setWidget(inner)


class Folded(FollowsLook, QWidget):
    """A caption to click, a summary beside it, and the content beneath while unfolded."""

    def __init__(self, caption: str, content: QWidget) -> None:
        super().__init__()
        self.content = content
        self.button = QToolButton()
        self.button.setText(caption)
        self.button.setCheckable(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button.setIconSize(QSize(16, 16))
        self.button.setProperty("look", "fold")
        self.button.toggled.connect(self._on_toggled)
        self.summary = ElidedLabel()
        self.summary.setProperty("look", "muted")
        self._line = row(self.button, (self.summary, 1))
        column(self._line, column(content, margins=(SPACE_LARGE, 0, 0, 0)), on=self)
        content.setVisible(False)
        self._follow_colours()

    def add_beside(self, widget: QWidget) -> None:
        """Put a control at the end of the line, where it is seen while folded."""
        self._line.addWidget(widget)

    def set_summary(self, text: str) -> None:
        """Say in one line what is inside."""
        self.summary.setText(text)
        self.button.setAccessibleDescription(text)

    def unfold(self, unfolded: bool = True) -> None:
        """Show or hide the content."""
        self.button.setChecked(unfolded)

    def _on_toggled(self, unfolded: bool) -> None:
        self.content.setVisible(unfolded)
        self._follow_colours()

    def _follow_colours(self) -> None:
        name = "fold" if self.button.isChecked() else "unfold"
        icons.assign(self.button, name, themes.colours(self.palette()), "muted")


class Tabs(QTabWidget):
    """Views of which one is seen; each lays out what wraps in it by itself.

    Asked for the height of each width, those that are not seen would be measured thousands of times while the
    words beside them change.
    """

    def hasHeightForWidth(self) -> bool:
        """Take whatever height the page leaves."""
        return False


class ViewSwitch(QStackedWidget):
    """Shows one of its views; whoever holds it lays out ``bar`` where it is wanted."""

    shown = Signal(QWidget)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QWidget()
        self.bar.setAccessibleName(name)
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._row = row(on=self.bar)

    def add(self, name: str, title: str, view: QWidget) -> None:
        """Add a view behind the others."""
        button = QToolButton()
        button.setText(title)
        button.setCheckable(True)
        button.clicked.connect(partial(self.show_view, name))
        self._group.addButton(button)
        self._row.addWidget(button)
        self.buttons[name] = button
        self.addWidget(view)

    def show_view(self, name: str) -> None:
        """Show a view by name."""
        self.buttons[name].setChecked(True)
        self.setCurrentIndex(list(self.buttons).index(name))
        self.shown.emit(self.currentWidget())


def add_zoom_buttons(
    line: QHBoxLayout, zoom: Callable[[int], None], *others: tuple[str, str, Callable[[], None]]
) -> None:
    """Add buttons that make a picture smaller or larger, and others about it, to a row."""
    smaller = ("−", _("Zoom out"), partial(zoom, -1))
    larger = ("+", _("Zoom in"), partial(zoom, 1))
    for text, name, on_click in (smaller, larger, *others):
        button = QToolButton()
        button.setText(text)
        set_tooltip(button, name)
        button.setAccessibleName(name)
        # A click says whether the button is down, which is nothing to those.
        button.clicked.connect(lambda _, on_click=on_click: on_click())
        line.addWidget(button)


class GradualFilling(QObject):
    """Fills the panel that is looked at when it is looked at, and the others in turns of their own."""

    def __init__(self, tabs: QTabWidget, fill: Callable[[QWidget], None]) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._fill = fill
        self._due: list[QWidget] = []
        self._later = Turn(self, repeats=True)
        self._later.due.connect(self._fill_next)
        self._when_seen = WhenSeen(tabs)
        self._when_seen.due.connect(self._fill_current)
        tabs.currentChanged.connect(self._fill_current)

    @property
    def is_done(self) -> bool:
        """Whether every panel holds what it is to show."""
        return not self._due

    def is_due(self, panel: QWidget) -> bool:
        """Tell whether a panel still waits."""
        return panel in self._due

    def begin(self, panels: Sequence[QWidget]) -> None:
        """Fill these panels, that which is seen at once; others that were due are left as they are."""
        self._due = list(panels)
        self._when_seen.request()
        self._later.start()

    def begin_in_turns(self, panels: Sequence[QWidget]) -> None:
        """Fill these panels in turns, also the one seen: what makes them due is much work already."""
        self._due = list(panels)
        self._later.start()

    def fill(self, panel: QWidget) -> None:
        """Fill a panel now, unless that was done."""
        if panel in self._due:
            self._due.remove(panel)
            self._fill(panel)

    @Slot()
    def _fill_current(self) -> None:
        self.fill(self._tabs.currentWidget())

    def _fill_next(self) -> None:
        current = self._tabs.currentWidget()
        if self._due:
            self.fill(current if current in self._due else self._due[0])
        if not self._due:
            self._later.stop()


class EmptyPage(QWidget):
    """Teaches what a page is for, with the button that fills it."""

    requested = Signal()

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._text, self._hint = heading("", self), body("", self), muted("", self)
        for words in (self._title, self._text, self._hint):
            words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = QPushButton(self)
        icons.assign(self.button, "run", colours(), "accent_text")
        set_look(self.button, "primary")
        self.button.clicked.connect(self.requested)
        self.notice = Notice(self)
        # A column of its own: a wrapped label that is centred by its layout does not get its height.
        middle = QWidget(self)
        middle.setMaximumWidth(_WIDTH)
        inner = column(self.notice, self._title, self._text, on=middle)
        inner.addSpacing(SPACE_LARGE)
        inner.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addWidget(self._hint)
        column(2, row(1, (middle, 100), 1), 3, on=self, margins=None)
        self.set_words(title, text, _("Run"))

    @property
    def title(self) -> str:
        """What is missing."""
        return self._title.text()

    def set_words(self, title: str, text: str, button: str) -> None:
        """Say what is missing and what the page will show; an empty caption takes the button away."""
        self._title.setText(title)
        self._text.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))

    def set_hindrance(self, reason: str) -> None:
        """Say what the button waits for; empty allows it."""
        self.button.setEnabled(not reason)
        self._hint.setText(reason)
        self._hint.setVisible(bool(reason))
