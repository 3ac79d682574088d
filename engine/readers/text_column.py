"""Understanding a column that did not parse as numbers: codes for missing, hidden numbers, dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas

from engine.codes import MISSING_CODE
from engine.notes import Note
from engine.readers.cells import (
    ALWAYS_MISSING,
    MISSING_AMONG_NUMBERS,
    is_date_or_time,
    is_grouped,
    parse_number,
)
from engine.readers.words import counted

_ALMOST_ALL = 0.9
_EXAMPLES = 3
_LARGEST_EXACT = str(2**53)
_DATES_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column of text by its distinct values.

    Attributes
    ----------
    codes : ndarray of int, shape (rows,)
        Position in `texts`, -1 for missing.
    texts : tuple of str
        Distinct values without blanks around them.
    numbers : tuple of float or None
        The values as numbers when the column is numeric after all.
    codes_found : frozenset of str
        What stood for missing.
    notes : tuple of Note
    """

    codes: np.ndarray
    texts: tuple[str, ...]
    numbers: tuple[float, ...] | None = None
    codes_found: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = ()

    @property
    def as_numbers(self) -> np.ndarray:
        """The values as float64, NaN for missing; only for a numeric column."""
        return np.asarray(np.array([*(self.numbers or ()), np.nan])[self.codes])


def understand_text(
    name: str,
    series: pandas.Series,
    decimal: str,
    missing_codes: Sequence[str] | None,
    stays_text: bool,
) -> TextColumn:
    """Decide whether a column of text is numeric after all, and which cells are missing.

    Parameters
    ----------
    name : str
        Column name, for notes.
    series : pandas.Series of str, shape (rows,)
        NaN for cells that are already known to be missing.
    decimal : str
        ``"."`` or ``","``.
    missing_codes : sequence of str or None
        Exactly these mean missing; None: the customary codes do, those that could also be a level
        only where everything else is a number.
    stays_text : bool
        The column holds codes of digits, such as postcodes, and is not numeric.

    Returns
    -------
    TextColumn
    """
    codes, texts, trimmed = _distinct(series)
    certain = set(ALWAYS_MISSING if missing_codes is None else missing_codes) | {""}
    missing = {text for text in texts if text in certain}
    parsed = {text: parse_number(text, decimal) for text in texts if text not in missing}
    words = {text for text, number in parsed.items() if number is None}
    notes: list[Note] = []
    numeric = bool(parsed) and not words
    if missing_codes is None and words and words <= MISSING_AMONG_NUMBERS and len(parsed) - len(words) > 1:
        missing |= words
        numeric = True
    stays_text = stays_text or (numeric and any(_is_long_code(text) for text in parsed))
    numeric = numeric and not stays_text
    kept = tuple(text for text in texts if text not in missing)
    codes = _recode(codes, texts, kept)
    if numeric:
        grouped = next((text for text in kept if is_grouped(text, decimal)), None)
        if grouped:
            message = f"The marks between thousands in column '{name}' ('{grouped}') are taken out."
            notes.append(Note("thousands", message, name))
        numbers = tuple(number for text in kept if (number := parsed[text]) is not None)
        return TextColumn(codes, kept, numbers, frozenset(missing - {""}), tuple(notes))
    if trimmed:
        notes.append(Note("blanks", f"Blanks around the values of column '{name}' are ignored.", name))
    notes += _doubts(name, codes, kept, parsed, stays_text)
    return TextColumn(codes, kept, None, frozenset(missing - {""}), tuple(notes))


def _is_long_code(text: str) -> bool:
    """Tell whether digits are too many for a float64 to tell neighbours apart: an identifier."""
    digits = text.lstrip("0")
    return text.isdecimal() and (len(digits), digits) > (len(_LARGEST_EXACT), _LARGEST_EXACT)


def _distinct(series: pandas.Series) -> tuple[np.ndarray, list[str], bool]:
    """Give codes and distinct texts without blanks around them, and whether there were blanks."""
    codes, uniques = pandas.factorize(series)
    raw = [str(text) for text in uniques]
    stripped = [text.strip() for text in raw]
    texts = list(dict.fromkeys(stripped))
    position = {text: place for place, text in enumerate(texts)}
    table = np.array([*(position[text] for text in stripped), MISSING_CODE], dtype=np.int64)
    return np.asarray(table[codes]), texts, raw != stripped


def _recode(codes: np.ndarray, texts: Sequence[str], kept: Sequence[str]) -> np.ndarray:
    position = {text: place for place, text in enumerate(kept)}
    table = np.array([*(position.get(text, MISSING_CODE) for text in texts), MISSING_CODE], dtype=np.int64)
    return np.asarray(table[codes])


def _doubts(
    name: str,
    codes: np.ndarray,
    texts: Sequence[str],
    parsed: dict[str, float | None],
    stays_text: bool,
) -> list[Note]:
    """Say what a person should look at in a column that is read as categories."""
    if not texts:
        return []
    if stays_text:
        example = next((text for text in texts if text.startswith("0")), texts[0])
        message = f"Column '{name}' holds codes made of digits, such as '{example}', read as categories."
        return [Note("digit-codes", message, name)]
    if all(is_date_or_time(text) for text in texts[:_DATES_LOOKED_AT]):
        message = (
            f"Column '{name}' holds dates or times, read as categories. "
            "To use them, turn them into a number, such as days since a start."
        )
        return [Note("dates", message, name)]
    words = [text for text in texts if parsed[text] is None]
    is_word = np.array([parsed[text] is None for text in texts])
    present = codes[codes != MISSING_CODE]
    numbers = int((~is_word[present]).sum())
    if len(texts) - len(words) > 2 and numbers >= _ALMOST_ALL * len(present):
        examples = ", ".join(f"'{word}'" for word in words[:_EXAMPLES])
        message = (
            f"Column '{name}' holds numbers but for {counted(len(present) - numbers, 'cell')} ({examples}), "
            "so it is read as categories. If these mean missing, add them to the missing values."
        )
        return [Note("text-among-numbers", message, name)]
    return []
