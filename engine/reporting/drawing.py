"""Files that large libraries make, such as figures, workbooks and networks.

What is in one is put together first, and made into a file apart, in any process: a window in which no such
library was loaded holds some 10 to 50 MB less of each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class DrawnFile:
    """How such a file is made."""

    # of an analysis or a selection: plain, so that it travels to another process
    content: Callable[[Any], Any]
    draw: Callable[[Any, Path], None]  # writes that to a path; a function of a module, or a part of one

    def write(self, source: Any, path: Path) -> None:
        """Write the file of an analysis or a selection, all of it here."""
        self.draw(self.content(source), path)
