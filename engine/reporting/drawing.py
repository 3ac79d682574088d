"""Files that libraries draw: what is in one is put together first, and drawn apart, in any process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.reporting.tables import Analysis


@dataclass(frozen=True, slots=True)
class DrawnFile:
    """How such a file is made.

    Attributes
    ----------
    content : callable
        Returns what is in the file of an analysis: small and plain, so that it travels to another process.
    draw : callable
        Writes that to a path; a function of a module, or a part of one.
    """

    content: Callable[[Analysis], Any]
    draw: Callable[[Any, Path], None]

    def write(self, analysis: Analysis, path: Path) -> None:
        """Write the file of an analysis, all of it here."""
        self.draw(self.content(analysis), path)
