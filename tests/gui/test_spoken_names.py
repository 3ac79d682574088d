"""Every control that the keyboard reaches has a name for those who hear the window."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from clcd_gui.shell.main_window import MainWindow
from tests.gui.conftest import settle


def _spoken(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return "" if interface is None else interface.text(QAccessible.Text.Name).strip()


def _is_reached(widget: QWidget) -> bool:
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    # What holds a control speaks for it.
    return by_tab and widget.isVisible() and widget.focusProxy() is None


@pytest.mark.parametrize("step", ["data", "method", "results", "selection", "runs"])
def test_every_control_that_tab_reaches_has_a_name(surveyed: MainWindow, step: str) -> None:
    surveyed.go(step)
    reached: set[QWidget] = set()
    nameless = set()
    views = [tabs for tabs in surveyed.page(step).findChildren(QTabWidget) if tabs.isVisible()]
    for show in [partial(tabs.setCurrentIndex, place) for tabs in views for place in range(tabs.count())] or [
        settle
    ]:
        show()
        QApplication.processEvents()
        controls = [widget for widget in surveyed.findChildren(QWidget) if _is_reached(widget)]
        reached.update(controls)
        nameless |= {
            f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
            for widget in controls
            if not _spoken(widget)
        }
    assert len(reached) > 3
    assert nameless == set()
