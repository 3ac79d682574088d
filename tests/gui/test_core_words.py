"""The examples in the docstrings of what the window works on hold."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest
from PySide6.QtCore import QLocale

import clcd_gui.core
import clcd_gui.run

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (clcd_gui.core, clcd_gui.run)
    for module in pkgutil.iter_modules(package.__path__)
]


@pytest.mark.parametrize("name", [*MODULES, "clcd_gui.resource_path", "clcd_gui.style.tokens"])
def test_examples_hold(name: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    try:
        results = doctest.testmod(import_module(name), report=True)
    finally:
        QLocale.setDefault(before)
    assert results.failed == 0
