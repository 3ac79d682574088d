"""Several names in one cell of a table.

They are separated by ``"; "``. A name that itself holds a semicolon, a double quote
or a line break, begins or ends with a space, or is empty, stands between double quotes, and a double
quote inside it is doubled, as RFC 4180 does for cells. :func:`split_names` reads such a cell back.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable

SEPARATOR = "; "

_NEEDS_QUOTES = re.compile(r'[;"\r\n]|^\s|\s$|^$')


def join_names(names: Iterable[str]) -> str:
    """Put several names into one cell.

    Examples
    --------
    >>> join_names(["happy", "quiet; still"])
    'happy; "quiet; still"'
    """
    return SEPARATOR.join(_quoted(name) for name in names)


def split_names(cell: str) -> tuple[str, ...]:
    """Read the names of a cell that :func:`join_names` wrote.

    Examples
    --------
    >>> split_names('happy; "quiet; still"')
    ('happy', 'quiet; still')
    """
    if not cell:
        return ()
    (names,) = csv.reader([cell], delimiter=";", skipinitialspace=True, strict=True)
    return tuple(names)


def _quoted(name: str) -> str:
    if not _NEEDS_QUOTES.search(name):
        return name
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
