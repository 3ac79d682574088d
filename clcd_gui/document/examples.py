"""The example tables that come with the program."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from clcd_gui.resource_path import resource_path


@dataclass(frozen=True, slots=True)
class Example:
    """One bundled table.

    Attributes
    ----------
    title : str
    summary : str
        One sentence on what it is about.
    path : Path
        The table; a label file beside it is found as for any other table.
    """

    title: str
    summary: str
    path: Path


def examples() -> tuple[Example, ...]:
    """List the bundled tables in the order in which they are offered.

    Examples
    --------
    >>> all(example.path.is_file() for example in examples())
    True
    """
    folder = resource_path("examples")
    index = tomllib.loads((folder / "index.toml").read_text(encoding="utf-8"))
    return tuple(
        Example(entry["title"], entry["summary"], folder / entry["table"]) for entry in index["example"]
    )
