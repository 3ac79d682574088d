"""A place for what comparisons measured, as long as the program runs."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from threading import Lock


class KeptRuns:
    """A folder that is made when it is needed: whoever asks for more goes on from what is in it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._folder: Path | None = None

    @property
    def folder(self) -> Path:
        """Where; made when it is first asked for."""
        with self._lock:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="clcd-"))
            return self._folder

    def clear(self) -> None:
        """Delete it."""
        with self._lock:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
