"""Loads what draws charts, on the window's own thread and in steps so short that nobody notices.

The types of Qt come into being when they are first named, and so do those of pyqtgraph, which names nearly
all of them. A type that comes into being on another thread shakes the tables in which Qt for Python looks
types up, while the window's thread reads them without holding Python's lock: the program then crashed, once
in some ten starts.
"""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec, module_from_spec
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets

from engine.collecting import without_collecting

_SLICE_SECONDS = 0.01
_CHARTS = "pyqtgraph"
_BEFORE = ("PySide6.QtSvg", "PySide6.QtTest", "numpy.ma", "pydoc", "colorama")
"""What pyqtgraph loads beside its own parts, and what takes long enough to be a step of its own."""
_AFTER = ("clcd_gui.plots.canvas", "clcd_gui.plots.histogram")


def chart_loading() -> Iterator[None]:
    """Return the steps by which all that charts need is loaded: one for the whole program."""
    return _steps


def load_charts() -> None:
    """Load at once whatever is not loaded yet; for whoever is about to draw a chart."""
    for _ in chart_loading():
        pass


def _load() -> Iterator[None]:
    began = time.perf_counter()
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
            if time.perf_counter() - began > _SLICE_SECONDS:
                yield
                began = time.perf_counter()
    for name in _BEFORE:
        # What charts can do without is not part of the program that needs no Python.
        if find_spec(name) is not None:
            yield from _load_module(name)
    if _CHARTS not in sys.modules:
        yield from _load_by_statements(_CHARTS)
    for name in _AFTER:
        yield from _load_module(name)


def _load_module(name: str) -> Iterator[None]:
    with without_collecting():
        import_module(name)
    yield


def _load_by_statements(name: str) -> Iterator[None]:
    """Load a package whose parts take 0.1 s together, one statement after the other with pauses between."""
    spec = find_spec(name)
    if spec is None or not isinstance(spec.loader, InspectLoader):
        return
    source = spec.loader.get_source(name)
    if source is None:
        return
    package = sys.modules[name] = module_from_spec(spec)
    try:
        for statement in ast.parse(source, spec.origin or name).body:
            began = time.perf_counter()
            _execute(statement, package)
            if time.perf_counter() - began > _SLICE_SECONDS / 10:
                yield
    except BaseException:
        del sys.modules[name]
        raise


def _execute(statement: ast.stmt, package: ModuleType) -> None:
    code = compile(ast.Module([statement], []), package.__file__ or package.__name__, "exec")
    with without_collecting():
        exec(code, package.__dict__)


_steps = _load()
