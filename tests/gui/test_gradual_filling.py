"""Panels of a page are filled where they are seen, and else in turns of their own."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QTabWidget, QWidget

from clcd_gui.widgets.page import GradualFilling


@pytest.fixture
def tabs(qtbot) -> QTabWidget:
    tab_pages = QTabWidget()
    qtbot.addWidget(tab_pages)
    for name in ("first", "second", "third"):
        panel = QWidget()
        panel.setObjectName(name)
        tab_pages.addTab(panel, name)
    tab_pages.setCurrentIndex(1)
    return tab_pages


@pytest.fixture
def filled() -> list[str]:
    return []


@pytest.fixture
def filling(tabs: QTabWidget, filled: list[str]) -> GradualFilling:
    return GradualFilling(tabs, lambda panel: filled.append(panel.objectName()))


def panels_of(tabs: QTabWidget) -> list[QWidget]:
    return [tabs.widget(place) for place in range(tabs.count())]


def test_what_is_seen_is_filled_at_once_and_the_rest_a_panel_in_a_turn(
    tabs: QTabWidget, filling: GradualFilling, filled: list[str]
) -> None:
    tabs.show()
    filling.begin(panels_of(tabs))
    assert filled == ["second"]
    filling._later.due.emit()
    assert filled == ["second", "first"]
    filling._later.due.emit()
    assert filled == ["second", "first", "third"]
    assert filling.is_done


def test_on_a_page_that_is_not_seen_nothing_is_filled_at_once(
    tabs: QTabWidget, filling: GradualFilling, filled: list[str]
) -> None:
    filling.begin(panels_of(tabs))
    assert filled == []
    filling._later.due.emit()
    assert filled == ["second"]


def test_a_page_that_is_shown_before_its_turn_is_filled_then(
    tabs: QTabWidget, filling: GradualFilling, filled: list[str]
) -> None:
    filling.begin(panels_of(tabs))
    tabs.show()
    assert filled == ["second"]


def test_what_is_refined_follows_in_turns_also_where_it_is_seen(
    tabs: QTabWidget, filling: GradualFilling, filled: list[str]
) -> None:
    tabs.show()
    filling.begin_in_turns(panels_of(tabs))
    assert filled == []
    filling._later.due.emit()
    assert filled == ["second"]
