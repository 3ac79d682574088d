"""Numbers as the engine's reports write them, in the digits and groups of the person's locale."""

from __future__ import annotations

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
