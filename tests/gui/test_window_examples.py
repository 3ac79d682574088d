"""The examples in the docstrings of the window hold."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

from PySide6.QtCore import QLocale

import clcd_gui

_FEWEST_EXAMPLES = 20


def test_examples_hold() -> None:
    names = [each.name for each in pkgutil.walk_packages(clcd_gui.__path__, "clcd_gui.")]
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    try:
        results = {
            name: doctest.testmod(import_module(name), report=True)
            for name in names
            if not name.endswith("__main__")
        }
    finally:
        QLocale.setDefault(before)
    assert [name for name, result in results.items() if result.failed] == []
    assert sum(result.attempted for result in results.values()) >= _FEWEST_EXAMPLES
