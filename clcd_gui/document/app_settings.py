"""What the program remembers about a person's habits between two starts."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from clcd_gui.document.known_readings import KnownReading, readings_from_text, readings_to_text

MOST_RECENT_FILES = 8


class AppSettings(QObject):
    """Typed access to the stored settings."""

    recent_files_changed = Signal()
    shows_why_changed = Signal()

    def __init__(self, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store

    @property
    def scheme(self) -> str:
        """Light, dark, or as the system has it."""
        return self._text("appearance/scheme", "system")

    @scheme.setter
    def scheme(self, scheme: str) -> None:
        self._store.setValue("appearance/scheme", scheme)

    @property
    def zoom(self) -> float:
        """Text size as a share of the system's; that of the system where none is stored."""
        value: float = self._store.value("appearance/zoom", 1.0, type=float)  # type: ignore[assignment]
        return value if math.isfinite(value) else 1.0

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        self._store.setValue("appearance/zoom", zoom)

    @property
    def geometry(self) -> QByteArray:
        """Place and size of the window; empty at the first start."""
        value: QByteArray = self._store.value("window/geometry", QByteArray(), type=QByteArray)  # type: ignore[assignment]
        return value

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("window/geometry", geometry)

    @property
    def shows_why(self) -> bool:
        """Whether the panel with the evidence is open."""
        value: bool = self._store.value("window/why", True, type=bool)  # type: ignore[assignment]
        return value

    @shows_why.setter
    def shows_why(self, shown: bool) -> None:
        self._store.setValue("window/why", shown)
        self.shows_why_changed.emit()

    @property
    def knows_tour(self) -> bool:
        """Whether the tour was offered and taken, or put away."""
        value: bool = self._store.value("window/tour", False, type=bool)  # type: ignore[assignment]
        return value

    @knows_tour.setter
    def knows_tour(self, known: bool) -> None:
        self._store.setValue("window/tour", known)

    @property
    def live(self) -> bool:
        """Whether results follow every change by themselves, where that is quick."""
        value: bool = self._store.value("run/live", True, type=bool)  # type: ignore[assignment]
        return value

    @live.setter
    def live(self, wanted: bool) -> None:
        self._store.setValue("run/live", wanted)

    @property
    def folder(self) -> str:
        """Folder of the last file that was opened or saved."""
        return self._text("files/folder", str(Path.home()))

    @folder.setter
    def folder(self, folder: str) -> None:
        self._store.setValue("files/folder", folder)

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """Files that were open, the latest first."""
        text = self._text("files/recent", "")
        return tuple(Path(line) for line in text.splitlines() if line)

    def add_recent_file(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        self._set_recent([path, *(each for each in self.recent_files if each != path)])

    def forget_recent_file(self, path: Path) -> None:
        """Take a file off the recent ones, because it is gone."""
        self._set_recent([each for each in self.recent_files if each != path])

    @property
    def known_readings(self) -> dict[str, KnownReading]:
        """How files were read that a person looked at before they were opened, by what is in them."""
        return readings_from_text(self._text("files/readings", ""))

    def remember_reading(self, content: str, reading: KnownReading) -> None:
        """Remember how a file was read."""
        known = self.known_readings
        known.pop(content, None)
        self._store.setValue("files/readings", readings_to_text({**known, content: reading}))

    def save(self) -> None:
        """Write everything to disk now."""
        self._store.sync()

    def _set_recent(self, paths: list[Path]) -> None:
        self._store.setValue("files/recent", "\n".join(str(path) for path in paths[:MOST_RECENT_FILES]))
        self.recent_files_changed.emit()

    def _text(self, key: str, default: str) -> str:
        try:
            value: str = self._store.value(key, default, type=str)  # type: ignore[assignment]
        except UnicodeDecodeError:
            # Bytes that are no text, in a file that something else has damaged.
            return default
        return value
