"""Numbers in the digits and groups of the person's locale, and where lines of text may end."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QLocale

from engine.translation import N_, _
from engine.wording.numbers import NumberWriter
from engine.wording.phrases import APART, TOGETHER_AGAIN, has_letters_from_the_right
from engine.wording.phrases import in_curved_marks as in_curved_marks


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


_STATISTICS = {
    "G²": N_("likelihood-ratio statistic of counts"),
    "LR": N_("likelihood-ratio statistic"),
    "X²": N_("Pearson's chi-squared statistic"),
    "z": N_("Fisher's z of the partial correlation"),
    "RCoT": N_("statistic of the RCoT test"),
}
_OTHER_STATISTIC = N_("statistic of the test")


def statistic_text(symbol: str) -> str:
    """Say what the symbol of a test's statistic stands for.

    >>> statistic_text("LR")
    'LR: likelihood-ratio statistic'
    """
    return f"{symbol}: {_(_STATISTICS.get(symbol, _OTHER_STATISTIC))}"


class OwnKeys(NamedTuple):
    """Keys that a control answers itself, as its ``OWN_KEYS``: where it is, and what each key does there."""

    where: str
    keys: tuple[tuple[str, str], ...]


CHANGE_STEP = N_("Change the step")
"""What a button says that puts a step in the place of the one that is edited."""

BREAK = "\u200b"
NO_BREAK = "\u00a0"
# Between the parts of an equation, as in "p = 3 × 10⁻¹²", or of a share a line must not end.
_TOGETHER = re.compile(r"(?<=[=×<>]) | (?=[=×<>])|(?<=\d) (?=%)")
# No number is broken at its point, nor the ending of a file's name from the name.
_BREAK_AFTER = re.compile(r"(?<=[_/])(?=\w)|(?:(?<=\D\.)(?=\w)|(?<=\.)(?=[^\W\d]))(?!\w{1,4}(?![\w./]))")
_LONG_WORD = re.compile(r"\w{32}(?=\w)")
_UPRIGHT = re.compile("[\u0590-\u1dbf\u2e80-\ufefc\U00010000-\U0010ffff]")


def breakable(name: str) -> str:
    """Let a name be broken invisibly after an underscore, a point or a slash, and within a long word.

    One that is written from the right is set apart, so that a figure beside it is not read as a part of it.

    >>> breakable("heart.frequency, mean_of_2.5 in survey.csv").split(BREAK)
    ['heart.', 'frequency, mean_', 'of_', '2.5 in survey.csv']
    """
    broken = _BREAK_AFTER.sub(BREAK, _LONG_WORD.sub(rf"\g<0>{BREAK}", name))
    return f"{APART}{broken}{TOGETHER_AGAIN}" if has_letters_from_the_right(name) else broken


def whole(text: str) -> str:
    """Take out of a text what cannot be seen in it: where it may be broken, and what is set apart.

    >>> whole(breakable("heart_rate"))
    'heart_rate'
    """
    for mark in (BREAK, APART, TOGETHER_AGAIN):
        text = text.replace(mark, "")
    return text


def can_be_slanted(name: str) -> bool:
    """Tell whether a name is in letters of which there are slanted ones: others may be boxes in such a font.

    >>> can_be_slanted("Größe"), can_be_slanted("焦虑症"), can_be_slanted("عمر")
    (True, False, False)
    """
    return not _UPRIGHT.search(name)


def unbroken(text: str) -> str:
    """Keep the parts of equations on one line, and a number with its sign of per cent."""
    return _TOGETHER.sub(NO_BREAK, text)


def in_one_line(text: str) -> str:
    """Keep a whole text on one line."""
    return text.replace(" ", NO_BREAK)


def spaced_once(text: str) -> str:
    """Write a text with one space between its words and none around it: names of columns may hold line ends.

    >>> spaced_once(" Blood pressure  (mmHg) ")
    'Blood pressure (mmHg)'
    """
    return " ".join(text.split())
