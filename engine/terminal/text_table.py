"""Tables of text whose columns line up, with letters of any width."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from engine.printable import visible

_GAP = "  "
_WIDEST_COLUMN = 60


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """Lay out rows as lines.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        Their cells; long ones are shortened, control characters made visible.
    right : sequence of str
        Names of columns that are aligned at the right.

    Returns
    -------
    list of str
        One line a row, after one for the header.

    Examples
    --------
    >>> text_table(["name", "rows"], [["a", "10"], ["long", "5"]], right=["rows"])
    ['name  rows', 'a       10', 'long     5']
    """
    lines = [list(header), *([shortened(visible(cell)) for cell in row] for row in rows)]
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    places = {header.index(name) for name in right}
    return [
        _GAP.join(
            _padded(cell, width, place in places)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def display_width(text: str) -> int:
    """Count the places that a text takes on a terminal: two for a Chinese letter, none for an accent.

    Examples
    --------
    >>> display_width("abc"), display_width("高血压")
    (3, 6)
    """
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def shortened(text: str, most: int = _WIDEST_COLUMN) -> str:
    """Cut a text that takes more than `most` places."""
    if display_width(text) <= most:
        return text
    kept = ""
    width = 1
    for letter in text:
        width += display_width(letter)
        if width > most:
            break
        kept += letter
    return kept + "…"


def _padded(cell: str, width: int, at_right: bool) -> str:
    space = " " * (width - display_width(cell))
    return space + cell if at_right else cell + space
