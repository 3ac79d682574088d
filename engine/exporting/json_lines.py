"""JSON files that can be compared line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_LISTS_OF_RECORDS = ("variables", "notes", "pairs", "types", "relations")


def json_lines(value: Mapping[str, Any]) -> Iterator[str]:
    """Write an object so that every record in it stands on a line of its own.

    Yields
    ------
    str
        Pieces of the file, line breaks included.

    Examples
    --------
    >>> print("".join(json_lines({"format": "x", "common": [{"feature": "a"}, {"feature": "b"}]})), end="")
    {
    "format": "x",
    "common": [
     {"feature": "a"},
     {"feature": "b"}
    ]
    }
    """
    yield "{\n"
    for place, (key, member) in enumerate(value.items()):
        ending = "\n" if place == len(value) - 1 else ",\n"
        yield f"{_compact(key)}: "
        yield from _member_lines(member)
        yield ending
    yield "}\n"


def _member_lines(member: Any) -> Iterator[str]:
    """Write a list of records a record a line, an object a member a line, all else on one line."""
    if isinstance(member, Sequence) and not isinstance(member, str) and member:
        yield "[\n"
        yield ",\n".join(f" {_compact(each)}" for each in member)
        yield "\n]"
    elif isinstance(member, Mapping) and member:
        yield "{\n"
        for place, (key, each) in enumerate(member.items()):
            yield f" {_compact(key)}: "
            if key in _LISTS_OF_RECORDS and each:
                yield "[\n"
                yield ",\n".join(f"  {_compact(record)}" for record in each)
                yield "\n ]"
            else:
                yield _compact(each)
            yield "\n" if place == len(member) - 1 else ",\n"
        yield "}"
    else:
        yield _compact(member)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
