"""Names of bins: short, readable, and true for every row."""

from __future__ import annotations

import itertools

import numpy as np

_DIGITS_AT_LEAST = 3
_DIGITS_AT_MOST = 17


def number_text(value: float, digits: int = _DIGITS_AT_MOST) -> str:
    """Write a number with at most so many significant digits, without needless zeros.

    Examples
    --------
    >>> number_text(0.30000000000000004, 3), number_text(1234567.0), number_text(0.0000012, 3)
    ('0.3', '1234567', '1.2e-06')
    """
    rounded = float(f"{value:.{digits}g}") if digits < _DIGITS_AT_MOST else float(value)
    if rounded == 0:
        return "0"
    if 1e-4 <= abs(rounded) < 1e16:
        return np.format_float_positional(rounded, trim="-")
    return np.format_float_scientific(rounded, trim="-", exp_digits=2)


def cut_texts(cuts: np.ndarray, values: np.ndarray) -> list[str]:
    """Write each cut with just enough digits to part the rows as the cut itself does.

    Parameters
    ----------
    cuts : ndarray of float64, shape (cuts,)
        Ascending; at least one value lies between two of them, below the first and above the last.
    values : ndarray of float64, shape (rows,)
        The values that are cut, ascending.

    Returns
    -------
    list of str
        As long as `cuts`, all different.

    Examples
    --------
    >>> cut_texts(np.array([2.45, 4.75001]), np.array([1.9, 3.0, 4.7, 4.8]))
    ['2.45', '4.75']
    >>> cut_texts(np.array([0.123456, 0.123458]), np.array([0.123455, 0.123457, 0.123459]))
    ['0.123456', '0.123458']
    """
    counts = np.searchsorted(values, cuts, side="right")
    below, above = values[counts - 1], values[counts]
    return [
        _shortest(float(cut), float(low), float(high))
        for cut, low, high in zip(cuts, below, above, strict=True)
    ]


def _shortest(cut: float, low: float, high: float) -> str:
    for digits in range(_DIGITS_AT_LEAST, _DIGITS_AT_MOST):
        if low <= float(f"{cut:.{digits}g}") < high:
            return number_text(cut, digits)
    return number_text(cut)


def bin_names(cuts: np.ndarray, values: np.ndarray) -> tuple[str, ...]:
    """Name the bins between cuts; a value equal to a cut belongs to the bin below it.

    Parameters
    ----------
    cuts, values
        As in :func:`cut_texts`; at least one cut.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> bin_names(np.array([3.2, 7.1]), np.array([1.0, 5.0, 9.0]))
    ('≤ 3.2', '3.2 – 7.1', '> 7.1')
    """
    texts = cut_texts(cuts, values)
    between = [f"{low} – {high}" for low, high in itertools.pairwise(texts)]
    return (f"≤ {texts[0]}", *between, f"> {texts[-1]}")


def value_names(distinct: np.ndarray) -> tuple[str, ...]:
    """Name levels that are single values.

    Examples
    --------
    >>> value_names(np.array([0.0, 0.5]))
    ('0', '0.5')
    """
    return tuple(number_text(float(value)) for value in distinct)


def unique_name(wanted: str, taken: tuple[str, ...]) -> str:
    """Give a level name that is not taken.

    Examples
    --------
    >>> unique_name("missing", ("no", "missing"))
    'missing (2)'
    """
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} ({number})"
    return name
