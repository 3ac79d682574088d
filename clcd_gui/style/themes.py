"""Light and dark, built from the tokens; follows the system until a person chooses.

Palette and font are the application's. Parts of the window follow one after the other: of the 1300 to 1800
widgets that all pages have together one sees some 100. The stylesheet stays the same in another look, which a
property of each part names; the widgets in a part are then styled one by one, in turns. A stylesheet that
changes would be put on all of them at once, and on each twice, as Qt goes through those in a widget both
before it and with it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from enum import StrEnum

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from clcd_gui.style import icons
from clcd_gui.style.stylesheet import THEME, look_in_force, stylesheet
from clcd_gui.style.text import scaled
from clcd_gui.style.tokens import DARK, LIGHT, Colours
from clcd_gui.turns import Turn

SMALLEST_ZOOM, LARGEST_ZOOM = 0.5, 3.0
_ZOOM_STEP = 1.1
# After so long the window takes its events, before more of it is styled.
_TURN_SECONDS = 0.02
# From the smallest to the largest text.
_STEPS = range(-8, 13)
# Properties: of the application, the stylesheet and the look in force; of a part, that it wears them.
_STYLESHEET, _LOOK, _FOLLOWS = "stylesheetOfParts", "lookOfParts", "followsTheme"


class Scheme(StrEnum):
    """What a person may choose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


def wear_stylesheet(area: QWidget) -> None:
    """Have the parts in an area of a window share its stylesheet: read by each, it would take a megabyte."""
    area.setStyleSheet(_in_force(_STYLESHEET))


def follow_theme(part: QWidget) -> None:
    """Have a part of a window with all in it follow the look; one within another would be styled twice."""
    if not any(map(_follows, _around(part))):
        part.setProperty(_FOLLOWS, True)
        if not _wears(part):
            for widget in reversed(_put_on(part)):
                _style(widget)


def stepped(zoom: float, steps: int) -> float:
    """Return the text size whole steps from another: Qt remembers the letters of every size."""
    return _bounded(_ZOOM_STEP ** (round(math.log(zoom, _ZOOM_STEP)) + steps))


def _around(part: QWidget) -> Iterator[QWidget]:
    """Go up from what a part is in to its window."""
    while not part.isWindow() and (around := part.parentWidget()) is not None:
        yield around
        part = around


def _put_on(part: QWidget) -> list[QWidget]:
    """Have a part wear the look in force; return what is still to be styled, the last of it first."""
    part.setProperty(THEME, _in_force(_LOOK))
    wearer = _wearer(part)
    if wearer.styleSheet() != _in_force(_STYLESHEET):
        # For the first time, or with a size of text that it does not have yet.
        wearer.setStyleSheet(_in_force(_STYLESHEET))
        return []
    return [part, *part.findChildren(QWidget)][::-1]


def _wearer(part: QWidget) -> QWidget:
    """Return the area whose stylesheet a part shares; itself where there is none."""
    return next((around for around in (part, *_around(part)) if around.styleSheet()), part)


def _style(widget: QWidget) -> None:
    widget.style().polish(widget)
    QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def _wears(part: QWidget) -> bool:
    return bool(part.property(THEME) == _in_force(_LOOK))


def _in_force(name: str) -> str:
    application = QApplication.instance()
    return "" if application is None else str(application.property(name) or "")


class FollowsLook:
    """Tells a widget of another theme or text size; stands before Qt's class in a list of bases."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the text size."""
        super().changeEvent(event)  # type: ignore[misc]
        if event.type() == QEvent.Type.PaletteChange:
            self._follow_colours()
        elif event.type() == QEvent.Type.FontChange:
            self._follow_font()

    def _follow_colours(self) -> None:
        self._follow_look()

    def _follow_font(self) -> None:
        self._follow_look()

    def _follow_look(self) -> None:
        pass


class ThemeSwitcher(QObject):
    """Gives the application its colours and text size, and others when a choice or the system changes.

    What is seen of the window in use follows before it is painted again, in turns of its own, so that the
    window takes its events between them; the rest in the moments after.
    """

    changed = Signal()

    def __init__(self, application: QApplication, scheme: Scheme = Scheme.SYSTEM, zoom: float = 1.0) -> None:
        super().__init__(application)
        self._application = application
        self._system_font = application.font()
        self.scheme = scheme
        self.zoom = _bounded(zoom)
        self._later = Turn(self, repeats=True)
        self._later.due.connect(self._refresh_next)
        self._waiting: list[QWidget] = []
        self._seen: list[QWidget] = []
        self._held: list[QWidget] = []
        self._begun: list[QWidget] = []
        self._unstyled: list[QWidget] = []
        self._zooms = {self.zoom, *(stepped(1.0, steps) for steps in _STEPS)}
        self._chosen: Colours | None = None
        if application.property(_LOOK) is None:
            # Only once, as all widgets that are there are styled anew.
            application.setStyle("Fusion")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_change)
        self._apply()

    def set_scheme(self, scheme: Scheme) -> None:
        """Choose a scheme and apply it at once."""
        if scheme is not self.scheme:
            self.scheme = scheme
            self._apply()

    def set_zoom(self, zoom: float) -> None:
        """Choose a text size between half and three times that of the system."""
        bounded = _bounded(zoom)
        if bounded != self.zoom:
            self.zoom = bounded
            self._apply()

    def _on_system_change(self) -> None:
        if self.scheme is Scheme.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        chosen = _colours_for(self.scheme)
        font = scaled(self._system_font, self.zoom)
        self._application.setFont(font)
        self._application.setPalette(palette_of(chosen))
        self._zooms.add(self.zoom)
        self._application.setProperty(_STYLESHEET, stylesheet(sorted(map(self._points, self._zooms))))
        self._application.setProperty(_LOOK, look_in_force(chosen, self._points(self.zoom)))
        windows = self._application.topLevelWidgets()
        if chosen is not self._chosen:
            icons.retint(windows, chosen)
            self._chosen = chosen
        # Parts that are being styled, or wait, are styled anew, also where a look is taken back: Qt may have
        # given one that waits the other palette, and does not give a hidden one the first again.
        begun = self._begun if self._unstyled else []
        for part in filter(isValid, (*begun, *self._waiting)):
            part.setProperty(THEME, None)
        self._unstyled, self._waiting = [], []
        for window in windows:
            self._waiting += _parts_of(window)
        self._seen = sorted(
            filter(_is_seen_in_use, self._waiting), key=lambda part: len(part.findChildren(QWidget))
        )
        self._hold_back(self._seen)
        self._later.start()
        self.changed.emit()

    def _points(self, zoom: float) -> float:
        return QFontInfo(scaled(self._system_font, zoom)).pointSizeF()

    def _hold_back(self, parts: Iterable[QWidget]) -> None:
        """Have no window painted half in the old look and half in the new one."""
        for window in {part.window() for part in parts}.difference(self._held):
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
        """Style widget after widget until the turn is over; to paint them is a turn of its own."""
        if self._held and not self._seen and not self._unstyled:
            self._let_go()
            return
        if self._unstyled:
            # It may have been shown meanwhile.
            self._hold_back(part for part in self._begun if isValid(part) and part.isVisible())
        over = time.perf_counter() + _TURN_SECONDS
        while self._unstyled or self._begin_next():
            # It may have gone meanwhile, with the part that it was in.
            if self._unstyled and isValid(widget := self._unstyled.pop()):
                _style(widget)
            if time.perf_counter() > over:
                return
        if not self._held:
            self._later.stop()

    def _begin_next(self) -> bool:
        """Begin with the largest part that is seen, or with one that was shown meanwhile, or with any."""
        if self._seen:
            part = self._seen.pop()
        elif self._held:
            return False
        else:
            self._waiting = [widget for widget in self._waiting if isValid(widget) and not _wears(widget)]
            if not self._waiting:
                return False
            part = next((widget for widget in self._waiting if widget.isVisible()), self._waiting[-1])
        if isValid(part) and not _wears(part):
            self._begun = [part]
            if part.isVisible():
                self._hold_back(self._begun)
            self._unstyled = _put_on(part)
        return True


def colours(palette: QPalette | None = None) -> Colours:
    """Return the colours that belong to a palette, so that whatever is painted follows the theme."""
    chosen = palette if palette is not None else QGuiApplication.palette()
    # Of all roles, the stylesheet never touches this one; a transparent button has a black "window".
    return DARK if chosen.color(QPalette.ColorRole.Mid).lightness() < 128 else LIGHT


def _parts_of(widget: QWidget) -> Iterator[QWidget]:
    """Go down to the parts that follow the theme, none within another; a popup is a part or has none."""
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
    system_is_dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if scheme is Scheme.DARK or (scheme is Scheme.SYSTEM and system_is_dark) else LIGHT
