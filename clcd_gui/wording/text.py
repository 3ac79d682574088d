"""Numbers in the digits and groups of the person's locale, and where lines of text may end."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QLocale

from engine.wording.numbers import NumberWriter


class LocaleNumbers(NumberWriter):
    """Writes numbers in the locale that is in force when they are written."""

    def grouped(self, value: float, places: int) -> str:
        """Write a finite number in the digits, marks and groups of the locale."""
        text: str = QLocale().toString(float(value), "f", places)
        return text


NUMBERS = LocaleNumbers()
"""The writer of every number in the window."""

count_text, counted = NUMBERS.count, NUMBERS.counted
share_text, strength_text = NUMBERS.share, NUMBERS.strength
duration_text = NUMBERS.duration


class OwnKeys(NamedTuple):
    """Keys that a control answers itself, as its ``OWN_KEYS``: where it is, and what each key does there."""

    where: str
    keys: tuple[tuple[str, str], ...]


CHANGE_STEP = "Change the step"
"""What a button says that puts a step in the place of the one that is edited."""

BREAK = "\u200b"
NO_BREAK = "\u00a0"
# Between the parts of an equation, as in "p = 3 × 10⁻¹²", or of a share a line must not end.
_TOGETHER = re.compile(r"(?<=[=×<>]) | (?=[=×<>])|(?<=\d) (?=%)")
_BREAK_AFTER = re.compile(r"(?<=[_./])(?=\w)")
_LONG_WORD = re.compile(r"\w{32}(?=\w)")


def breakable(name: str) -> str:
    """Let a name be broken after an underscore, a point or a slash, and within a long word, invisibly."""
    return _BREAK_AFTER.sub(BREAK, _LONG_WORD.sub(rf"\g<0>{BREAK}", name))


def unbroken(text: str) -> str:
    """Keep the parts of equations on one line, and a number with its sign of per cent."""
    return _TOGETHER.sub(NO_BREAK, text)


def in_one_line(text: str) -> str:
    """Keep a whole text on one line."""
    return text.replace(" ", NO_BREAK)
