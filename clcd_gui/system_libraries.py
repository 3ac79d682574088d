"""Which libraries that Qt needs are missing on a Linux system, told before Qt is imported."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
_PLATFORM = "QT_QPA_PLATFORM"


class Purpose(Enum):
    """What a library of the system is needed for."""

    QT = "Qt in every case"
    X11 = "windows on an X server"
    PDF = "reports as PDF"


@dataclass(frozen=True, slots=True)
class SystemLibrary:
    """A library of the system."""

    file: str
    package: str
    purpose: Purpose

    def can_be_loaded(self) -> bool:
        """Tell whether the loader finds it, with all that it needs itself."""
        try:
            ctypes.CDLL(self.file)
        except OSError:
            return False
        return True


# In the order in which the README installs them.
SYSTEM_LIBRARIES = (
    SystemLibrary("libglib-2.0.so.0", "libglib2.0-0", Purpose.QT),
    SystemLibrary("libGL.so.1", "libgl1", Purpose.QT),
    SystemLibrary("libEGL.so.1", "libegl1", Purpose.QT),
    SystemLibrary("libfontconfig.so.1", "libfontconfig1", Purpose.QT),
    SystemLibrary("libxkbcommon.so.0", "libxkbcommon0", Purpose.QT),
    SystemLibrary("libdbus-1.so.3", "libdbus-1-3", Purpose.QT),
    SystemLibrary("libxcb-cursor.so.0", "libxcb-cursor0", Purpose.X11),
    SystemLibrary("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", Purpose.X11),
    SystemLibrary("libxcb-icccm.so.4", "libxcb-icccm4", Purpose.X11),
    SystemLibrary("libxcb-keysyms.so.1", "libxcb-keysyms1", Purpose.X11),
    SystemLibrary("libxcb-shape.so.0", "libxcb-shape0", Purpose.X11),
    SystemLibrary("libpangoft2-1.0.so.0", "libpangoft2-1.0-0", Purpose.PDF),
    SystemLibrary("libharfbuzz-subset.so.0", "libharfbuzz-subset0", Purpose.PDF),
)


def obstacle(environment: Mapping[str, str] = os.environ) -> str:
    """Say in sentences why no window can be opened on this system; empty where one can."""
    if not sys.platform.startswith("linux"):
        return ""
    platform = environment.get(_PLATFORM, "")
    is_on_x11 = platform.startswith("xcb") if platform else not environment.get("WAYLAND_DISPLAY")
    needed = (Purpose.QT, Purpose.X11) if is_on_x11 else (Purpose.QT,)
    libraries = [library for library in SYSTEM_LIBRARIES if library.purpose in needed]
    missing = [library for library in libraries if not library.can_be_loaded()]
    if missing:
        files = ", ".join(library.file for library in missing)
        packages = " ".join(library.package for library in missing)
        return _LIBRARIES_MISSING.format(files=files, packages=packages)
    if not platform and not any(environment.get(screen) for screen in _SCREENS):
        return _NO_SCREEN
    return ""


_LIBRARIES_MISSING = (
    "The window needs libraries that this system lacks: {files}. "
    "On Debian and Ubuntu they are installed by: sudo apt-get install {packages}"
)
_NO_SCREEN = (
    "There is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set. "
    "Start the window in a desktop session; the command clcd needs no screen."
)
