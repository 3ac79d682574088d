"""How files were read that were looked at before they were opened, so that the next time asks nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import InvalidParameter
from engine.readers.options import ReadingOptions, make_options
from engine.table.variable import Role

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
                    name: value for name, value in each.options.as_dict().items() if value != plain[name]
                },
                "roles": {name: str(role) for name, role in each.roles.items()},
                "events": dict(each.events),
            }
            for content, each in latest
        }
    )


def readings_from_text(text: str) -> dict[str, KnownReading]:
    """Read what was written; what cannot be understood is left out, as it would only be found out again."""
    try:
        written = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found = written.items() if isinstance(written, dict) else ()
    readings = {content: _reading(each) for content, each in found}
    return {content: each for content, each in readings.items() if each is not None}


def _reading(written: Any) -> KnownReading | None:
    try:
        options = make_options(written["options"])
        roles = {name: Role(role) for name, role in written["roles"].items()}
        events = {name: str(level) for name, level in written.get("events", {}).items()}
        return KnownReading(options, roles, events)
    except (InvalidParameter, KeyError, TypeError, ValueError, AttributeError):
        return None
