"""Qt for Python reads no sources of libraries: it would read those of all that is imported after it.

It looks in each for its own name, to know in which modules a switch of its holds that writes methods in
another way. Nothing here uses that switch. To read the sources of 1000 modules took a fifth of the time in
which they are loaded, and Python then kept 50 MB of their lines.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

_USES_QT = ("clcd_gui", "pyqtgraph", "PySide6", "tests")


def leave_sources_unread() -> None:
    """Have Qt for Python tell by their names which modules use it; called before these are imported."""
    # Brings along the part of it that is asked for after it.
    import_module("PySide6.QtCore")
    feature: Any = import_module("shibokensupport.feature")
    feature._mod_uses_pyside = _uses_qt


def _uses_qt(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] in _USES_QT
