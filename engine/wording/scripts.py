"""Words that are written from the right among words that are written from the left."""

from __future__ import annotations

import re

APART, TOGETHER_AGAIN = "\u2068", "\u2069"
"""Invisible marks around a part of a text that takes a direction of its own (Unicode's isolates)."""

_LETTER_FROM_THE_RIGHT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_FROM_THE_RIGHT = re.compile(_LETTER_FROM_THE_RIGHT)
_WORDS_FROM_THE_RIGHT = re.compile(
    rf"{_LETTER_FROM_THE_RIGHT}+(?:[^\w{APART}{TOGETHER_AGAIN}]{{1,3}}{_LETTER_FROM_THE_RIGHT}+)*(\)?)"
)


def has_letters_from_the_right(text: str) -> bool:
    """Tell whether a text holds letters of a script that is written from the right.

    >>> has_letters_from_the_right("עומס (0-10)"), has_letters_from_the_right("pain")
    (True, False)
    """
    return bool(_FROM_THE_RIGHT.search(text))


def in_order(text: str) -> str:
    """Set words apart that are written from the right, so that what is said of them stays behind them.

    >>> in_order("pain (3 against 0)")
    'pain (3 against 0)'
    >>> in_order("ألم (3 against 0)") == f"{APART}ألم{TOGETHER_AGAIN} (3 against 0)"
    True
    """

    def apart(found: re.Match[str]) -> str:
        words, bracket = found.group(), found.group(1)
        if words.count("(") == words.count(")"):
            return f"{APART}{words}{TOGETHER_AGAIN}"
        # It closes one that stands before these words.
        return f"{APART}{words.removesuffix(bracket)}{TOGETHER_AGAIN}{bracket}"

    return _WORDS_FROM_THE_RIGHT.sub(apart, text) if has_letters_from_the_right(text) else text
