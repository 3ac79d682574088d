"""A menu that can no longer be used closes: one that stays open without hearing keys holds a person fast."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QMenu,
    QMenuBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.results.results_page import HowSureButton
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.controls import Menu


@pytest.mark.parametrize("make", [QPushButton, QToolButton])
@pytest.mark.parametrize("which", ["menu", "button", "what holds it"])
def test_a_menu_closes_when_it_is_disabled(
    make: Callable[[], QPushButton | QToolButton], which: str, qtbot
) -> None:
    part = QWidget()
    qtbot.addWidget(part)
    button = make()
    QVBoxLayout(part).addWidget(button)
    menu = Menu(button)
    menu.addAction("Something")
    button.setMenu(menu)
    part.show()
    menu.popup(part.mapToGlobal(part.rect().center()))
    assert QApplication.activePopupWidget() is menu
    {"menu": menu, "button": button, "what holds it": part}[which].setEnabled(False)
    assert QApplication.activePopupWidget() is None


def test_how_sure_it_is_cannot_be_asked_any_more_while_its_menu_is_open(qtbot) -> None:
    button = HowSureButton()
    qtbot.addWidget(button)
    button.show()
    button.repetitions.popup(button.mapToGlobal(button.rect().bottomLeft()))
    assert QApplication.activePopupWidget() is button.repetitions
    button.set_hindrance("It is being asked")
    assert QApplication.activePopupWidget() is None
    assert not button.repetitions.isEnabled()


def test_every_menu_does_so(window: MainWindow) -> None:
    """One that Qt makes itself would be taken for a deleted one that was at its place in memory before."""
    window.pages.make_all()
    menus = window.findChildren(QMenu)
    assert len([menu for menu in menus if isinstance(menu.parent(), QAbstractButton)]) > 2
    assert len([menu for menu in menus if isinstance(menu.parent(), QMenuBar | QMenu)]) > 10
    # What a bar that is too narrow cannot show goes into one of its own, which has no title.
    assert [menu.title() for menu in menus if menu.title() and not isinstance(menu, Menu)] == []
