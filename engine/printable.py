"""Names with characters that terminals, XML, HTML and spreadsheets cannot hold, made fit to be shown."""

from __future__ import annotations

import re

# Tabs and line breaks are among them, because XML attributes do not keep them.
_CONTROLS = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_NOT_A_CHARACTER = re.compile("[\x80-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"


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
