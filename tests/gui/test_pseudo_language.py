"""The window in a language that nobody speaks: what is left in English cannot be translated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from clcd_gui.document.examples import examples
from clcd_gui.shell.main_window import MainWindow
from engine.translation import language
from tests.gui.conftest import AnsweringDialogs, close_for_good, open_as_found, shown_window
from tests.pseudo_language import pseudo_language
from tests.untranslated import english_in, texts_of_windows

_STILL_LEFT = 515


@pytest.fixture
def foreign_window(qapp: QApplication, qtbot, tmp_path) -> Iterator[MainWindow]:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    with language(pseudo_language()):
        window = shown_window(qapp, qtbot, store, AnsweringDialogs())
        yield window
        close_for_good(window)


def test_no_page_is_left_in_english(foreign_window: MainWindow, qtbot) -> None:
    window = foreign_window
    seen: dict[str, str] = {}

    def look(place: str) -> None:
        for kind, text in texts_of_windows():
            seen.setdefault(text, f"{place} {kind}")

    look("start")
    open_as_found(window, qtbot, examples()[0].path)
    look("opened")
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.page("data").primary.click()
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    for name in ("data", "method", "results", "selection", "report", "runs"):
        window.rail.button(name).click()
        qtbot.wait(200)
        look(name)
    table = document.analysis.dataset
    names = {*table.names, *(level for variable in table.variables for level in variable.levels), table.name}
    left = english_in(seen, names)
    assert len(left) <= _STILL_LEFT, "\n".join([f"{len(left)} of {len(seen)} texts are left", *left])
