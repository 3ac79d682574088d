"""What the program remembers between two starts: habits, and how files were read that a person looked at."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from engine.errors import InvalidParameter
from engine.readers.options import ReadingOptions, make_options
from engine.table.variable import Role
from engine.wording.shown_names import USUAL_NAMING, Naming

MOST_RECENT_FILES = 8

Value = TypeVar("Value")
_MOST = 200


@dataclass(frozen=True, slots=True)
class KnownReading:
    """What a person decided about a file before it was opened."""

    options: ReadingOptions = field(default_factory=ReadingOptions)  # what is None was found out rightly
    roles: Mapping[str, Role] = field(default_factory=dict)  # by name of the column
    # The level that is its event, by name of the column.
    events: Mapping[str, str] = field(default_factory=dict)


def readings_to_text(readings: Mapping[str, KnownReading]) -> str:
    """Write readings, the latest of them.

    >>> text = readings_to_text({"a1": KnownReading(ReadingOptions(delimiter=";"), {"ill": Role.LABEL})})
    >>> readings_from_text(text)["a1"].options.delimiter
    'semicolon'
    """
    plain = ReadingOptions().as_dict()
    latest = list(readings.items())[-_MOST:]
    return json.dumps(
        {
            content: {
                "options": {
                    name: value for name, value in reading.options.as_dict().items() if value != plain[name]
                },
                "roles": {name: str(role) for name, role in reading.roles.items()},
                "events": dict(reading.events),
            }
            for content, reading in latest
        }
    )


def readings_from_text(text: str) -> dict[str, KnownReading]:
    """Read what was written; what cannot be understood is left out, as it would only be found out again."""
    try:
        written = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    readings_written = written.items() if isinstance(written, dict) else ()
    readings = {content: _reading(reading_written) for content, reading_written in readings_written}
    return {content: reading for content, reading in readings.items() if reading is not None}


def _reading(written: Any) -> KnownReading | None:
    try:
        options = make_options(written["options"])
        roles = {name: Role(role) for name, role in written["roles"].items()}
        events = {name: str(level) for name, level in written.get("events", {}).items()}
        return KnownReading(options, roles, events)
    except (InvalidParameter, KeyError, TypeError, ValueError, AttributeError):
        return None


class _Stored(Generic[Value]):
    """A setting of the type of its usual value, which holds where none is stored."""

    def __init__(self, key: str, usual: Value) -> None:
        self._key, self._usual = key, usual

    def __get__(self, settings: AppSettings, _owner: type) -> Value:
        try:
            value: Value = settings.store.value(self._key, self._usual, type=type(self._usual))  # type: ignore[assignment]
        except UnicodeDecodeError:
            # Bytes that are no text, in a file that something else has damaged.
            return self._usual
        return value

    def __set__(self, settings: AppSettings, value: Value) -> None:
        settings.store.setValue(self._key, value)


class AppSettings(QObject):
    """Typed access to the stored settings."""

    recent_files_changed = Signal()
    shows_why_changed = Signal()
    naming_changed = Signal()

    scheme = _Stored("appearance/scheme", "system")  # light, dark, or as the system has it
    geometry = _Stored("window/geometry", QByteArray())  # empty at the first start
    knows_tour = _Stored("window/tour", False)  # it was offered and taken, or put away
    live = _Stored("run/live", True)  # results follow every change by themselves, where that is quick
    _naming = _Stored("appearance/names", str(USUAL_NAMING))
    _zoom = _Stored("appearance/zoom", 1.0)
    _shows_why = _Stored("window/why", True)
    _folder = _Stored("files/folder", "")
    _recent = _Stored("files/recent", "")
    _readings = _Stored("files/readings", "")

    def __init__(self, store: QSettings) -> None:
        super().__init__()
        self.store = store

    @property
    def zoom(self) -> float:
        """Text size as a share of the system's; that of the system where none is stored."""
        return self._zoom if math.isfinite(self._zoom) else 1.0

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        self._zoom = zoom

    @property
    def naming(self) -> Naming:
        """What is shown of variables that have a label: the default if no valid choice is stored."""
        return Naming(self._naming) if self._naming in set(Naming) else USUAL_NAMING

    @naming.setter
    def naming(self, naming: Naming) -> None:
        self._naming = str(naming)
        self.naming_changed.emit()

    @property
    def shows_why(self) -> bool:
        """Whether the panel with the evidence is open."""
        return self._shows_why

    @shows_why.setter
    def shows_why(self, shown: bool) -> None:
        self._shows_why = shown
        self.shows_why_changed.emit()

    @property
    def folder(self) -> str:
        """Folder of the last file that was opened or saved."""
        return self._folder or str(Path.home())

    @folder.setter
    def folder(self, folder: str) -> None:
        self._folder = folder

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """Files that were open, the latest first."""
        return tuple(Path(line) for line in self._recent.splitlines() if line)

    def add_recent_file(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        self._set_recent([path, *(recent_file for recent_file in self.recent_files if recent_file != path)])

    def forget_recent_file(self, path: Path) -> None:
        """Take a file off the recent ones, because it is gone."""
        self._set_recent([recent_file for recent_file in self.recent_files if recent_file != path])

    @property
    def known_readings(self) -> dict[str, KnownReading]:
        """How files were read that a person looked at before they were opened, by what is in them."""
        return readings_from_text(self._readings)

    def remember_reading(self, content: str, reading: KnownReading) -> None:
        """Remember how a file was read."""
        readings = self.known_readings
        readings.pop(content, None)
        self._readings = readings_to_text({**readings, content: reading})

    def forget_reading(self, content: str) -> None:
        """Read a file as any other that was not opened before."""
        self._readings = readings_to_text(
            {key: reading for key, reading in self.known_readings.items() if key != content}
        )

    def save(self) -> None:
        """Write everything to disk now."""
        self.store.sync()

    def _set_recent(self, paths: list[Path]) -> None:
        self._recent = "\n".join(str(path) for path in paths[:MOST_RECENT_FILES])
        self.recent_files_changed.emit()
