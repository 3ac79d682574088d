"""The ``clcd`` command: arguments in, the public API, files and plain sentences out."""

from __future__ import annotations

from engine.terminal.command_line import main

__all__ = ["main"]
