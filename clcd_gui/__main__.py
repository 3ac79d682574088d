"""Where the window is started: by ``clcd-gui``, or by ``python -m clcd_gui``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from clcd_gui.system_libraries import obstacle
from engine.compiled.configuration import compile_always
from engine.translation import N_, _

_DESCRIPTION = N_(
    "Open the window of CLCD, which finds the common and label-specific causal variables of a table."
)
_PLATFORM = "-platform"
_CANNOT_START = 1
_PACKAGES_WITH_QT = frozenset({"clcd_gui", "pyqtgraph", "PySide6"})


def argument_parser() -> argparse.ArgumentParser:
    """Return what ``clcd-gui --help`` and the manual page are made of."""
    from engine.version import __version__

    parser = argparse.ArgumentParser(
        prog="clcd-gui",
        usage="clcd-gui [FILE] [OPTIONS]",
        description=_(_DESCRIPTION),
        epilog=_("Options of Qt, such as -style and -platform, work too."),
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help=_("A project (.clcd) or a table to open."))
    parser.add_argument(
        "--smoke-test",
        metavar="FOLDER",
        nargs="?",
        help=_("Analyse the bundled example, write all files into the folder, and quit."),
    )
    parser.add_argument("--version", action="version", version=f"clcd-gui {__version__}")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window, or say why none can be opened here."""
    given = list(sys.argv if arguments is None else arguments)
    argument_parser().parse_known_args(given[1:])
    reason = obstacle(_environment_with(given))
    if reason:
        # A window program on Windows has no standard error, and no obstacle either.
        sys.stderr.write(f"clcd-gui: {reason}\n")
        return _CANNOT_START
    leave_sources_unread()
    compile_always()
    from clcd_gui.app import main as open_window

    return open_window(given)


def leave_sources_unread(*further: str) -> None:
    """Have Qt for Python tell by their names which modules use it; called before these are imported.

    Else it reads the source of each module to find out: a fifth of the loading time, and 50 MB of lines.
    """
    # Brings along the part of it that is asked for after it.
    import_module("PySide6.QtCore")
    feature: Any = import_module("shibokensupport.feature")
    packages = _PACKAGES_WITH_QT.union(further)

    def uses_qt(module: ModuleType) -> bool:
        return module.__name__.partition(".")[0] in packages

    feature._mod_uses_pyside = uses_qt


def _environment_with(given: Sequence[str]) -> dict[str, str]:
    """Return the environment with the platform that Qt is asked for by the command line."""
    following = given[given.index(_PLATFORM) + 1 :] if _PLATFORM in given else ()
    return {**os.environ, **({"QT_QPA_PLATFORM": following[0]} if following else {})}


if __name__ == "__main__":
    sys.exit(main())
