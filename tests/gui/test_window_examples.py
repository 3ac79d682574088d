"""The examples in the docstrings of the window hold."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

from PySide6.QtCore import QLocale

import clcd_gui

_FEWEST_EXAMPLES = 20


def test_examples_hold() -> None:
    names = [module_info.name for module_info in pkgutil.walk_packages(clcd_gui.__path__, "clcd_gui.")]
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    try:
        results = {name: examples_of(name) for name in names if not name.endswith("__main__")}
    finally:
        QLocale.setDefault(before)
    assert [name for name, result in results.items() if result.failed] == []
    assert sum(result.attempted for result in results.values()) >= _FEWEST_EXAMPLES


def examples_of(module: str) -> doctest.TestResults:
    """Run the examples of a module, of those docstrings alone that have some.

    ``doctest.testmod`` sets up a debugger for every docstring, which looks at all files that were read.
    """
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(import_module(module)):
        if test.examples:
            runner.run(test)
    return runner.summarize()
