"""Whether every view comes to rest in a window of any size.

A scroll bar takes room from what it scrolls. Where that is laid out anew in the room left, and then needs no
bar, the bar goes, and all begins anew: the window lays itself out for ever and takes no key.
That hangs on single pixels, so that views are looked at in windows of many sizes.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QTabWidget, QWidget

from clcd_gui.shell.main_window import SMALLEST, MainWindow
from clcd_gui.shell.steps import STEPS

# Parts of a page are laid out from outside inwards, which takes some rounds.
_MOST_RESIZES = 40
_MOST_TURNS = 100


class LayoutWatch(QObject):
    """Counts how often widgets get another size, and ends what would go on for ever.

    Attributes
    ----------
    restless : list of str
        Widgets that were still given other sizes when they were stopped.
    """

    def __init__(self) -> None:
        super().__init__()
        self._resizes: Counter[QObject] = Counter()
        self.restless: list[str] = []

    def begin(self) -> None:
        """Count anew."""
        self._resizes.clear()
        self.restless = []

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing got another size since it began to count."""
        return not self._resizes

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Count, and keep from a restless widget what makes it go on."""
        kind = event.type()
        if kind not in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.MetaCall):
            return False
        if kind == QEvent.Type.Resize:
            self._resizes[watched] += 1
        is_restless = self._resizes[watched] > _MOST_RESIZES
        if is_restless and _describe(watched) not in self.restless:
            self.restless.append(_describe(watched))
        return is_restless and kind != QEvent.Type.Resize


def _describe(watched: QObject) -> str:
    names = []
    while watched is not None and not (isinstance(watched, QWidget) and watched.isWindow()):
        names.append(type(watched).__name__)
        watched = watched.parent()
    return " < ".join(names)


def views(window: MainWindow) -> Iterator[str]:
    """Show every page, and every view of a page with several; give their names."""
    for step in STEPS:
        window.go(step.name)
        page = window.page(step.name)
        switches = [tabs for tabs in page.findChildren(QTabWidget) if tabs.isVisible()]
        if not switches:
            yield step.name
        for switch in switches:
            for number in range(switch.count()):
                switch.setCurrentIndex(number)
                yield f"{step.name}, {switch.tabText(number)}"


def restless_views(window: MainWindow, sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Give for every view that does not come to rest its name, the window's size and what is restless."""
    for view in views(window):
        yield from (f"{view}, {wrong}" for wrong in restless(window, sizes))


def restless(widget: QWidget, sizes: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Give the sizes in which a widget does not come to rest, and what is restless in it."""
    watch, application = LayoutWatch(), QCoreApplication.instance()
    assert application is not None
    application.installEventFilter(watch)
    try:
        for size in sizes:
            widget.resize(*size)
            for _ in range(_MOST_TURNS):
                watch.begin()
                QCoreApplication.processEvents()
                if watch.is_at_rest or watch.restless:
                    break
            if not watch.is_at_rest:
                yield f"{size[0]} × {size[1]}: {watch.restless}"
    finally:
        application.removeEventFilter(watch)


def random_sizes(count: int, seed: int) -> list[tuple[int, int]]:
    """Give sizes that a window may have."""
    chance = random.Random(seed)
    return [
        (chance.randint(SMALLEST.width(), 1700), chance.randint(SMALLEST.height(), 1100))
        for _ in range(count)
    ]
