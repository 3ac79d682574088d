"""The example tables that come with the program."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from clcd_gui.resource_path import resource_path


@dataclass(frozen=True, slots=True)
class Example:
    """One bundled table."""

    title: str
    summary: str  # one sentence on what it is about
    path: Path  # a label file beside it is found as for any other table
    lesson: Path  # what it shows, and what is true of it

    @property
    def topic(self) -> str:
        """Its lesson as a page of the help."""
        return f"examples/{self.lesson.name}"


def examples() -> tuple[Example, ...]:
    """List the bundled tables in the order in which they are offered."""
    folder = resource_path("examples")
    index = tomllib.loads((folder / "index.toml").read_text(encoding="utf-8"))
    return tuple(
        Example(entry["title"], entry["summary"], folder / entry["table"], folder / entry["about"])
        for entry in index["example"]
    )


def example_at(path: Path) -> Example | None:
    """Return the bundled table that a path is; None for any other file."""
    return next((example for example in examples() if example.path == path), None)
