"""Light and dark, built from the tokens; follows the system until a person chooses.

Palette and font are the application's. The stylesheet is worn by parts of the window, each for itself: Qt
styles every widget under a stylesheet anew when it changes, and of the 1300 to 1800 that all pages have
together one sees some 100.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from clcd_gui.style import icons
from clcd_gui.style.stylesheet import stylesheet
from clcd_gui.style.text import scaled
from clcd_gui.style.tokens import DARK, LIGHT, Colours
from clcd_gui.turns import Turn

SMALLEST_ZOOM, LARGEST_ZOOM = 0.5, 3.0
# After so long the window takes its events, before more of it is styled.
_TURN_SECONDS = 0.02
# Properties: of the application, the stylesheet in force; of a part, that it wears it.
_STYLESHEET, _FOLLOWS = "stylesheetOfParts", "followsTheme"


class Scheme(StrEnum):
    """What a person may choose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


def follow_theme(part: QWidget) -> None:
    """Have a part of a window, or a window, wear the stylesheet in force, now and after each change.

    Parameters
    ----------
    part : QWidget
        With all that is in it. What is within a part that wears it needs none of its own: Qt would style
        its widgets twice.
    """
    if not _is_within_a_part(part):
        part.setProperty(_FOLLOWS, True)
        _put_on(part)


def _is_within_a_part(part: QWidget) -> bool:
    around = None if part.isWindow() else part.parentWidget()
    while around is not None and not _follows(around):
        around = None if around.isWindow() else around.parentWidget()
    return around is not None


def _put_on(part: QWidget) -> None:
    """Put the stylesheet in force on a part, unless it wears it."""
    if not _wears(part):
        part.setStyleSheet(_in_force())


def _wears(part: QWidget) -> bool:
    return part.styleSheet() == _in_force()


def _in_force() -> str:
    application = QApplication.instance()
    return "" if application is None else str(application.property(_STYLESHEET) or "")


class ThemeSwitcher(QObject):
    """Gives the application its colours and text size, and others when a choice or the system changes.

    What is seen of the window in use follows before it is painted again, in turns of its own, so that the
    window takes its events between them; the rest in the moments after.

    Parameters
    ----------
    application : QApplication
    scheme : Scheme
        The person's choice.
    zoom : float
        Text size as a share of the system's.
    """

    changed = Signal()

    def __init__(self, application: QApplication, scheme: Scheme = Scheme.SYSTEM, zoom: float = 1.0) -> None:
        super().__init__(application)
        self._application = application
        self._system_font = application.font()
        self._scheme = scheme
        self._zoom = _bounded(zoom)
        self._later = Turn(self, repeats=True)
        self._later.due.connect(self._refresh_next)
        self._waiting: list[QWidget] = []
        self._seen: list[QWidget] = []
        self._held: list[QWidget] = []
        self._chosen: Colours | None = None
        application.setStyle("Fusion")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_change)
        self._apply()

    @property
    def scheme(self) -> Scheme:
        """The choice in force."""
        return self._scheme

    def set_scheme(self, scheme: Scheme) -> None:
        """Choose a scheme and apply it at once."""
        if scheme is not self._scheme:
            self._scheme = scheme
            self._apply()

    @property
    def zoom(self) -> float:
        """Text size as a share of the system's."""
        return self._zoom

    def set_zoom(self, zoom: float) -> None:
        """Choose a text size between half and three times that of the system."""
        bounded = _bounded(zoom)
        if bounded != self._zoom:
            self._zoom = bounded
            self._apply()

    def _on_system_change(self) -> None:
        if self._scheme is Scheme.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        chosen = _colours_for(self._scheme)
        font = scaled(self._system_font, self._zoom)
        self._application.setFont(font)
        self._application.setPalette(palette_of(chosen))
        self._application.setProperty(_STYLESHEET, stylesheet(chosen, QFontInfo(font).pointSizeF()))
        windows = self._application.topLevelWidgets()
        if chosen is not self._chosen:
            icons.retint(windows, chosen)
            self._chosen = chosen
        self._waiting = []
        for window in windows:
            self._waiting += _parts_of(window)
        self._seen = sorted(filter(_is_seen_in_use, self._waiting), key=_size)
        self._hold_back()
        self._later.start()
        self.changed.emit()

    def _refresh_seen(self) -> None:
        """Put the stylesheet on the largest part that is seen, and on others while the turn is not over."""
        over = time.perf_counter() + _TURN_SECONDS
        while self._seen:
            part = self._seen.pop()
            if isValid(part):
                _put_on(part)
            if time.perf_counter() > over:
                return

    def _hold_back(self) -> None:
        """Have no window painted half in the old look and half in the new one."""
        for window in {part.window() for part in self._seen}.difference(self._held):
            window.setUpdatesEnabled(False)
            self._held.append(window)

    def _let_go(self) -> None:
        for window in filter(isValid, self._held):
            window.setUpdatesEnabled(True)
            # Qt takes what became due meanwhile for asked for, and would wait for it.
            window.repaint()
        self._held = []

    @Slot()
    def _refresh_next(self) -> None:
        if self._seen:
            self._refresh_seen()
            return
        self._let_go()
        # A window may have gone meanwhile, with its parts.
        self._waiting = [part for part in self._waiting if isValid(part) and not _wears(part)]
        if not self._waiting:
            self._later.stop()
            return
        _put_on(next((part for part in self._waiting if part.isVisible()), self._waiting[-1]))


def colours(palette: QPalette | None = None) -> Colours:
    """Return the colours that belong to a palette, so that whatever is painted follows the theme.

    Parameters
    ----------
    palette : QPalette, optional
        A widget's palette; the application's when left out.

    Returns
    -------
    Colours
    """
    chosen = palette if palette is not None else QGuiApplication.palette()
    # Of all roles, the stylesheet never touches this one; a transparent button has a black "window".
    return DARK if chosen.color(QPalette.ColorRole.Mid).lightness() < 128 else LIGHT


def _parts_of(widget: QWidget) -> Iterator[QWidget]:
    """Go down to the parts that follow the theme: few widgets are above them, none of them is in another.

    A popup, such as the list of a box, of which there are many, is a part or has none.
    """
    is_part = _follows(widget)
    if is_part:
        yield widget
    if is_part or widget.windowType() == Qt.WindowType.Popup:
        return
    for child in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not child.isWindow():
            yield from _parts_of(child)


def _follows(part: QWidget) -> bool:
    return bool(part.property(_FOLLOWS))


def _is_seen_in_use(part: QWidget) -> bool:
    """Tell whether a part is seen in the window that takes the keys, or in any where none does."""
    return part.isVisible() and (part.isActiveWindow() or QApplication.activeWindow() is None)


def _size(part: QWidget) -> int:
    return len(part.findChildren(QWidget))


def _bounded(zoom: float) -> float:
    return min(max(zoom, SMALLEST_ZOOM), LARGEST_ZOOM)


def palette_of(chosen: Colours) -> QPalette:
    """Build the Qt palette of a theme."""
    roles = {
        QPalette.ColorRole.Window: chosen.window,
        QPalette.ColorRole.WindowText: chosen.text,
        QPalette.ColorRole.Base: chosen.base,
        QPalette.ColorRole.AlternateBase: chosen.sunken,
        QPalette.ColorRole.Text: chosen.text,
        QPalette.ColorRole.PlaceholderText: chosen.muted,
        QPalette.ColorRole.Button: chosen.base,
        QPalette.ColorRole.ButtonText: chosen.text,
        QPalette.ColorRole.BrightText: chosen.accent_text,
        QPalette.ColorRole.Highlight: chosen.accent_fill,
        QPalette.ColorRole.HighlightedText: chosen.accent_text,
        QPalette.ColorRole.Accent: chosen.accent_fill,
        QPalette.ColorRole.Link: chosen.accent,
        QPalette.ColorRole.LinkVisited: chosen.accent,
        QPalette.ColorRole.ToolTipBase: chosen.base,
        QPalette.ColorRole.ToolTipText: chosen.text,
        QPalette.ColorRole.Mid: chosen.border,
        QPalette.ColorRole.Midlight: chosen.hover,
        QPalette.ColorRole.Dark: chosen.border,
        QPalette.ColorRole.Light: chosen.base,
        QPalette.ColorRole.Shadow: chosen.sunken,
    }
    palette = QPalette()
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    faint = QColor(chosen.muted)
    faint.setAlpha(150)
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
        QPalette.ColorRole.HighlightedText,
    ):
        palette.setColor(QPalette.ColorGroup.Disabled, role, faint)
    palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, QColor(chosen.hover))
    return palette


def _colours_for(scheme: Scheme) -> Colours:
    if scheme is Scheme.SYSTEM:
        wants_dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return DARK if wants_dark else LIGHT
    return DARK if scheme is Scheme.DARK else LIGHT
