"""Numbers as a person reads them, and p-values that are never zero."""

from __future__ import annotations

import math
import sys

NO_NUMBER = "–"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LN_10 = math.log(10.0)


def exact_p(p_value: float, log_p: float) -> float | str:
    """Give a p-value in full precision; one too small for a float as decimal text from its logarithm.

    Parameters
    ----------
    p_value : float
        Between 0 and 1; 0 when it underflowed.
    log_p : float
        Its natural logarithm.

    Examples
    --------
    >>> exact_p(0.03, math.log(0.03)), exact_p(0.0, -1000.0)
    (0.03, '5.07596e-435')
    """
    if p_value >= sys.float_info.min or math.isnan(p_value) or not math.isfinite(log_p):
        return p_value
    mantissa, exponent = _scientific(log_p)
    return f"{mantissa:.5f}e{exponent}"


def p_text(p_value: float, log_p: float) -> str:
    """Write a p-value for a person: never more digits than mean something, never zero.

    Examples
    --------
    >>> p_text(0.0321, math.log(0.0321)), p_text(0.9999, 0.0), p_text(0.0, -26.5326)
    ('0.032', '> 0.99', '3 × 10⁻¹²')
    """
    if math.isnan(p_value):
        return NO_NUMBER
    if p_value > 0.99:
        return "> 0.99"
    if p_value >= 0.0995:
        return f"{p_value:.2f}"
    if p_value >= 0.001:
        return f"{p_value:.3f}"
    if p_value >= 0.0001:
        return f"{p_value:.4f}"
    if not math.isfinite(log_p):
        return "< 10⁻³⁰⁰"
    mantissa, exponent = _scientific(log_p)
    leading = round(mantissa)
    if leading == 10:
        leading, exponent = 1, exponent + 1
    return f"{leading} × 10{str(exponent).translate(_SUPERSCRIPTS)}"


def statistic_text(statistic: float) -> str:
    """Write a test statistic with about three digits that mean something.

    Examples
    --------
    >>> statistic_text(3.14159), statistic_text(31.4159), statistic_text(31415.9)
    ('3.14', '31.4', '31,416')
    """
    if not math.isfinite(statistic):
        return "∞" if statistic > 0 else NO_NUMBER
    size = abs(statistic)
    return f"{statistic:.2f}" if size < 10 else f"{statistic:.1f}" if size < 1000 else f"{statistic:,.0f}"


def degrees_text(degrees: float) -> str:
    """Write degrees of freedom; a test that has none (Fisher's z) shows a dash."""
    if degrees == 0:
        return NO_NUMBER
    return f"{degrees:,.0f}" if float(degrees).is_integer() else f"{degrees:,.1f}"


def counted(count: int, singular: str, plural: str = "") -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> counted(1, "label"), counted(1200, "row"), counted(2, "boundary", "boundaries")
    ('1 label', '1,200 rows', '2 boundaries')
    """
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def duration_text(seconds: float) -> str:
    """Write a duration in the unit that suits it.

    Examples
    --------
    >>> duration_text(0.42), duration_text(75), duration_text(7300)
    ('0.4 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _scientific(log_p: float) -> tuple[float, int]:
    """Split e to the power `log_p` into a mantissa from 1 to below 10 and a power of ten."""
    exponent = math.floor(log_p / _LN_10)
    return math.exp(log_p - exponent * _LN_10), exponent
