"""Where lines of text may end, and how long names are shortened."""

from __future__ import annotations

import re

BREAK = "\u200b"
NO_BREAK = "\u00a0"
# Between the parts of an equation, as in "p = 3 × 10⁻¹²", a line must not end.
_TOGETHER = re.compile(r"(?<=[=×<>]) | (?=[=×<>])")
_BREAK_AFTER = re.compile(r"(?<=[_./])(?=\w)")


def breakable(name: str) -> str:
    """Let a name be broken after an underscore, a point or a slash, invisibly."""
    return _BREAK_AFTER.sub(BREAK, name)


def unbroken(text: str) -> str:
    """Keep the parts of equations on one line."""
    return _TOGETHER.sub(NO_BREAK, text)


def in_one_line(text: str) -> str:
    """Keep a whole text on one line."""
    return text.replace(" ", NO_BREAK)


def shortened(name: str, longest: int) -> str:
    """Leave out the middle of a name that is longer than `longest`; 0 keeps every name whole.

    Examples
    --------
    >>> shortened("Mean_Acc1298_Std_MFCC_1", 12)
    'Mean_…MFCC_1'
    """
    if not longest or len(name) <= longest:
        return name
    # What tells names apart is often at their end.
    return f"{name[: longest // 2 - 1]}…{name[-longest // 2 :]}"


def with_ends(name: str, longest: int) -> str:
    """Leave out the middle of a long name, as much before it as behind it."""
    if len(name) <= longest:
        return name
    return f"{name[: longest // 2]}…{name[-longest // 2 + 1 :]}"
