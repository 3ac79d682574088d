"""The version of the program, apart from the public names so that every part can tell it."""

from __future__ import annotations

__version__ = "0.1.0"
