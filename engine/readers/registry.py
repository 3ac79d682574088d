"""Every file format that can be read, described once: for file dialogs, terminal and docs.

A new format is one module with a function ``read(source, options, row_limit) -> Table`` and one entry
here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from engine.parameters import Choice

if TYPE_CHECKING:
    from engine.readers.options import ReadingOptions
    from engine.readers.reading import Table
    from engine.readers.source import Source


@dataclass(frozen=True, slots=True)
class Format:
    """What a person needs to know about a format, and where its reader is.

    Attributes
    ----------
    name : str
        Value of ``ReadingOptions.format``.
    title : str
        Name for a person.
    extensions : tuple of str
        Lower case with the dot; each may be followed by ``.gz``.
    help : str
        One sentence.
    module : str
        Module with the function ``read``; imported when it is first used.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    help: str
    module: str

    def read(self, source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
        """Read a file of this format, or its first `row_limit` rows."""
        reader = cast("Callable[..., Table]", import_module(self.module).read)
        return reader(source, options, row_limit)


_FORMATS = (
    Format(
        "arff",
        "ARFF (Weka, Mulan, MEKA)",
        (".arff",),
        "Typed columns, dense or sparse; labels come from a Mulan XML file or a MEKA header.",
        "engine.readers.arff",
    ),
    Format(
        "delimited",
        "Text table (CSV, TSV)",
        (".csv", ".tsv", ".tab", ".txt", ".data", ".dat"),
        "One row a line; separator, decimal mark, encoding, header and missing codes are found out.",
        "engine.readers.delimited",
    ),
    Format(
        "coded",
        "Coded table (larger than memory)",
        (".coded",),
        "Categories as numbers, mapped from the file instead of read; made by engine.write_coded.",
        "engine.readers.coded",
    ),
)


def formats() -> dict[str, Format]:
    """Give every format by name, in the order in which they are offered.

    Examples
    --------
    >>> formats()["arff"].extensions
    ('.arff',)
    """
    return {each.name: each for each in _FORMATS}


def format_choices() -> tuple[Choice, ...]:
    """Give the formats as choices of a setting."""
    return tuple(Choice(each.name, each.title, each.help) for each in _FORMATS)


def format_of(source: Source, options: ReadingOptions) -> Format:
    """Tell the format of a file: as told, by its extension, or by its first lines."""
    if options.format is not None:
        return formats()[options.format]
    for each in _FORMATS:
        if source.extension in each.extensions and each.name != "delimited":
            return each
    beginning, _ = source.read(line_limit=1)
    return formats()["arff" if _begins_like_arff(beginning) else "delimited"]


def _begins_like_arff(content: bytes) -> bool:
    for line in content[: 1 << 16].removeprefix(b"\xef\xbb\xbf").splitlines():
        if line.strip() and not line.lstrip().startswith(b"%"):
            return line.lstrip().lower().startswith(b"@relation")
    return False
