r"""Names in files: several in one cell, and names with characters that a format cannot hold.

Several names in one cell are separated by ``"; "``. A name that itself holds a semicolon, a double quote
or a line break, begins or ends with a space, or is empty, stands between double quotes, and a double
quote inside it is doubled, as RFC 4180 does for cells. :func:`split_names` reads such a cell back.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable

SEPARATOR = "; "

_NEEDS_QUOTES = re.compile(r'[;"\r\n]|^\s|\s$|^$')
# Tabs and line breaks are among them, because XML attributes do not keep them.
_CONTROLS = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_NOT_A_CHARACTER = re.compile("[\x80-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"


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


def visible(name: str) -> str:
    r"""Replace characters that XML, HTML and spreadsheets cannot hold by signs that can be seen.

    A control character becomes its picture (a tab ␉, a line break ␊), any other impossible one the
    replacement character.

    Examples
    --------
    >>> visible("dose\tper day")
    'dose␉per day'
    """
    return _NOT_A_CHARACTER.sub(_REPLACEMENT, name.translate(_CONTROLS))


def _quoted(name: str) -> str:
    if not _NEEDS_QUOTES.search(name):
        return name
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
