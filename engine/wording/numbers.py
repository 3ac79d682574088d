"""Numbers as a person reads them, and p-values that are never zero."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from engine.translation import _, for_count

NO_NUMBER = "–"
MINUS = "\N{MINUS SIGN}"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LN_10 = math.log(10.0)
# Numbers below this power of ten are written as one.
_SMALLEST_WRITTEN_OUT = -5


class NumberWriter:
    """Writes numbers with never more digits than mean something.

    Another language overrides :meth:`decimal`.
    """

    def decimal(self, value: float, places: int) -> str:
        """Write a number with fixed decimal places; what rounds to zero has no sign.

        >>> ENGLISH.decimal(1234.5678, 1), ENGLISH.decimal(float("inf"), 1), ENGLISH.decimal(-0.04, 1)
        ('1,234.6', '∞', '0.0')
        """
        if not math.isfinite(value):
            return "∞" if value == math.inf else NO_NUMBER
        return self.grouped(value if float(f"{value:.{places}f}") else 0.0, places)

    def rounded(self, value: float, digits: int = 3) -> str:
        """Write a number with so many digits that mean something; what is not zero is not written as zero.

        >>> ENGLISH.rounded(0.0123456), ENGLISH.rounded(-12345.6), ENGLISH.rounded(1.5e-9, 2)
        ('0.0123', '-12,346', '1.5 × 10⁻⁹')
        """
        if value == 0.0 or not math.isfinite(value):
            return self.decimal(value, 0)
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        exponent = int(power)
        if exponent < _SMALLEST_WRITTEN_OUT:
            return f"{self.decimal(float(mantissa), digits - 1)} × 10{str(exponent).translate(_SUPERSCRIPTS)}"
        return self.decimal(value, max(digits - 1 - exponent, 0))

    def grouped(self, value: float, places: int) -> str:
        """Write a finite number in the digits, marks and groups of a language."""
        return f"{value:,.{places}f}"

    def count(self, count: int) -> str:
        """Write a whole number."""
        return self.grouped(count, 0)

    def counted(self, count: int, singular: str, plural: str = "") -> str:
        """Write a number with its noun, in the regular plural when no other is given.

        >>> counted(1, "label"), counted(1200, "row"), counted(2, "category"), counted(2, "half", "halves")
        ('1 label', '1,200 rows', '2 categories', '2 halves')
        """
        return for_count(count, *counted_messages(singular, plural)).format(count=self.count(count))

    def strength(self, strength: float) -> str:
        """Write a strength between 0 and 1 with two decimals."""
        return self.decimal(strength, 2)

    def share(self, share: float) -> str:
        """Write a share between 0 and 1 as a percentage; a small one is not rounded to nothing.

        >>> ENGLISH.share(0.25), ENGLISH.share(0.0004), ENGLISH.share(0.0)
        ('25 %', '< 0.1 %', '0 %')
        """
        percent = 100.0 * share
        if 0.0 < percent < 0.1:
            return f"< {self.decimal(0.1, 1)} %"
        return f"{self.decimal(percent, 1 if 0.0 < percent < 9.95 else 0)} %"

    def statistic(self, statistic: float) -> str:
        """Write a test statistic with about three digits that mean something.

        >>> statistic_text(3.14159), statistic_text(31.4159), statistic_text(31415.9)
        ('3.14', '31.4', '31,416')
        """
        size = abs(statistic)
        return self.decimal(statistic, 2 if size < 10 else 1 if size < 1000 else 0)

    def degrees(self, degrees: float) -> str:
        """Write degrees of freedom; a test that has none (Fisher's z) shows a dash."""
        if degrees == 0:
            return NO_NUMBER
        return self.decimal(degrees, 0 if float(degrees).is_integer() else 1)

    def p(self, p_value: float, log_p: float) -> str:
        """Write a p-value; a tiny one from its logarithm, so that it is never zero.

        >>> p_text(0.0321, math.log(0.0321)), p_text(0.9999, 0.0), p_text(0.0, -26.5326)
        ('0.032', '> 0.99', '3 × 10⁻¹²')
        """
        if math.isnan(p_value):
            return NO_NUMBER
        if p_value > 0.99:
            return f"> {self.decimal(0.99, 2)}"
        if p_value >= 0.0001:
            return self.decimal(p_value, 2 if p_value >= 0.0995 else 3 if p_value >= 0.001 else 4)
        if not math.isfinite(log_p):
            return "< 10⁻³⁰⁰"
        mantissa, exponent = _scientific(log_p)
        leading = round(mantissa)
        if leading == 10:
            leading, exponent = 1, exponent + 1
        return f"{leading} × 10{str(exponent).translate(_SUPERSCRIPTS)}"

    def p_statement(self, p_value: float, log_p: float) -> str:
        """Say a p-value inside a sentence.

        >>> ENGLISH.p_statement(0.032, -3.44), ENGLISH.p_statement(0.9999, -0.0001)
        ('p = 0.032', 'p > 0.99')
        """
        text = self.p(p_value, log_p)
        return f"p {text}" if text[0] in "<>" else f"p = {text}"

    def duration(self, seconds: float) -> str:
        """Write a duration in the unit that suits it; a short one is not rounded to nothing.

        >>> duration_text(0.02), duration_text(0.42), duration_text(75), duration_text(7300)
        ('under 0.1 s', '0.4 s', '1 min 15 s', '2 h 1 min')
        """
        if seconds < 0.1:
            return _("under {seconds} s", seconds=self.decimal(0.1, 1))
        if seconds < 9.95:
            return f"{self.decimal(seconds, 1)} s"
        whole = round(seconds)
        if whole < 60:
            return f"{whole} s"
        if whole < 3600:
            return _("{minutes} min {seconds} s", minutes=whole // 60, seconds=whole % 60)
        return _("{hours} h {minutes} min", hours=whole // 3600, minutes=whole % 3600 // 60)


ENGLISH = NumberWriter()
"""The writer of reports, spreadsheets and the terminal."""

p_text, statistic_text, degrees_text = ENGLISH.p, ENGLISH.statistic, ENGLISH.degrees
count_text, counted, duration_text = ENGLISH.count, ENGLISH.counted, ENGLISH.duration


def with_minus(figure: str) -> str:
    """Write a figure with the sign of subtraction in the place of a hyphen.

    >>> with_minus("-12.5")
    '−12.5'
    >>> with_minus("-0.0")
    '0.0'
    """
    return figure.lstrip("-") if not figure.strip("-0.,") else figure.replace("-", MINUS)


def exact_p(p_value: float, log_p: float) -> float | str:
    """Return a p-value in full precision; one too small for a float as decimal text from its logarithm.

    >>> exact_p(0.03, math.log(0.03)), exact_p(0.0, -1000.0)
    (0.03, '5.07596e-435')
    """
    if p_value >= sys.float_info.min or math.isnan(p_value) or not math.isfinite(log_p):
        return p_value
    mantissa, exponent = _scientific(log_p)
    return f"{mantissa:.5f}e{exponent}"


MOST_DIGITS = 17


def number_text(value: float, digits: int = MOST_DIGITS) -> str:
    """Write a number with at most so many significant digits, without needless zeros.

    >>> number_text(0.30000000000000004, 3), number_text(1234567.0), number_text(0.0000012, 3)
    ('0.3', '1234567', '1.2e-06')
    """
    rounded = float(f"{value:.{digits}g}") if digits < MOST_DIGITS else float(value)
    if rounded == 0:
        return "0"
    if 1e-4 <= abs(rounded) < 1e16:
        return np.format_float_positional(rounded, trim="-")
    return np.format_float_scientific(rounded, trim="-", exp_digits=2)


def written_out(value: float) -> str:
    """Write the number of a setting in digits, because a person does not read 1e-06.

    >>> written_out(1e-06), written_out(0.05)
    ('0.000001', '0.05')
    """
    return format(Decimal(f"{value:g}"), "f")


def interval_names(cuts: Sequence[str], *, equal_goes_below: bool = True) -> tuple[str, ...]:
    """Name the intervals between cuts, which ascend; a value that equals a cut is below it, or above.

    >>> interval_names(["3.2", "7.1"]), interval_names(["30"], equal_goes_below=False)
    (('≤ 3.2', '3.2 – 7.1', '> 7.1'), ('< 30', '≥ 30'))
    """
    between = [f"{low} – {high}" for low, high in itertools.pairwise(cuts)]
    below, above = ("≤", ">") if equal_goes_below else ("<", "≥")
    return (f"{below} {cuts[0]}", *between, f"{above} {cuts[-1]}")


def _scientific(log_p: float) -> tuple[float, int]:
    """Split e to the power `log_p` into a mantissa from 1 to below 10 and a power of ten."""
    exponent = math.floor(log_p / _LN_10)
    return math.exp(log_p - exponent * _LN_10), exponent


def counted_messages(singular: str, plural: str = "") -> tuple[str, str]:
    """Return the two messages of a number with its noun.

    >>> counted_messages("category")
    ('{count} category', '{count} categories')
    """
    return f"{{count}} {singular}", f"{{count}} {plural or _plural(singular)}"


def _plural(singular: str) -> str:
    if singular.endswith("y") and singular[-2:-1] not in "aeiou":
        return f"{singular[:-1]}ies"
    return f"{singular}s"
