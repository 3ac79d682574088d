"""Numbers as a person reads them: never more digits than mean something, never a p-value of zero."""

from __future__ import annotations

import math

from PySide6.QtCore import QLocale

NO_NUMBER = "–"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LN_10 = math.log(10.0)
_SMALLEST_PLAIN_P = 1e-4


def count_text(count: int) -> str:
    """Write a whole number with the separators of the person's locale."""
    return QLocale().toString(count)


def counted(count: int, singular: str, plural: str = "") -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> counted(1, "label"), counted(3, "label"), counted(2, "boundary", "boundaries")
    ('1 label', '3 labels', '2 boundaries')
    """
    noun = singular if count == 1 else (plural or f"{singular}s")
    return f"{count_text(count)} {noun}"


def decimal_text(value: float, places: int) -> str:
    """Write a number with fixed decimal places, in the person's locale."""
    if not math.isfinite(value):
        return "∞" if value == math.inf else NO_NUMBER
    text: str = QLocale().toString(float(value), "f", places)
    return text


def strength_text(strength: float) -> str:
    """Write a strength between 0 and 1 with two decimals."""
    return decimal_text(strength, 2)


def share_text(share: float) -> str:
    """Write a share between 0 and 1 as a percentage; a small one is not rounded to nothing.

    Examples
    --------
    >>> share_text(0.25), share_text(0.0004), share_text(0.0)
    ('25 %', '< 0.1 %', '0 %')
    """
    percent = 100.0 * share
    if 0.0 < percent < 0.1:
        return f"< {decimal_text(0.1, 1)} %"
    return f"{decimal_text(percent, 1 if 0.0 < percent < 9.95 else 0)} %"


def statistic_text(statistic: float) -> str:
    """Write a test statistic with about three digits that mean something."""
    size = abs(statistic)
    return decimal_text(statistic, 2 if size < 10 else 1 if size < 1000 else 0)


def degrees_text(degrees: float) -> str:
    """Write degrees of freedom; a test that has none (Fisher's z) shows a dash."""
    if degrees == 0:
        return NO_NUMBER
    return decimal_text(degrees, 0 if float(degrees).is_integer() else 1)


def p_text(p_value: float) -> str:
    """Write a p-value for a table.

    Examples
    --------
    >>> p_text(0.0321), p_text(1e-9), p_text(0.4567), p_text(0.9999)
    ('0.032', '< 0.001', '0.46', '> 0.99')
    """
    if math.isnan(p_value):
        return NO_NUMBER
    if p_value < 0.001:
        return f"< {decimal_text(0.001, 3)}"
    if p_value < 0.0995:
        return decimal_text(p_value, 3)
    if p_value > 0.99:
        return f"> {decimal_text(0.99, 2)}"
    return decimal_text(p_value, 2)


def exact_p_text(p_value: float, log_p: float) -> str:
    """Write a p-value for details; a tiny one from its logarithm, so that it is never zero.

    Parameters
    ----------
    p_value : float
        Between 0 and 1; may have underflowed.
    log_p : float
        Its natural logarithm.

    Examples
    --------
    >>> exact_p_text(0.00081, -7.118), exact_p_text(0.0, -26.5326)
    ('0.0008', '3 × 10⁻¹²')
    """
    if math.isnan(p_value):
        return NO_NUMBER
    if p_value >= 0.001:
        return p_text(p_value)
    if p_value >= _SMALLEST_PLAIN_P:
        return decimal_text(p_value, 4)
    if not math.isfinite(log_p):
        return "< 10⁻³⁰⁰"
    exponent = math.floor(log_p / _LN_10)
    leading = round(10.0 ** (log_p / _LN_10 - exponent))
    if leading == 10:
        leading, exponent = 1, exponent + 1
    return f"{leading} × 10{str(exponent).translate(_SUPERSCRIPTS)}"


def p_statement(p_value: float, log_p: float) -> str:
    """Say a p-value inside a sentence.

    Examples
    --------
    >>> p_statement(0.032, -3.44), p_statement(0.9999, -0.0001)
    ('p = 0.032', 'p > 0.99')
    """
    text = exact_p_text(p_value, log_p)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def duration_text(seconds: float) -> str:
    """Write a duration in the unit that suits it.

    Examples
    --------
    >>> duration_text(0.42), duration_text(75), duration_text(7300)
    ('0.4 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 10:
        return f"{decimal_text(seconds, 1)} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
