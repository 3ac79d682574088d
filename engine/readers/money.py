"""Amounts of money as they are written, with the currency in front of the number or behind it."""

from __future__ import annotations

import re

_CODES = (
    "CHF|EUR|USD|GBP|INR|JPY|CNY|RMB|KRW|BRL|MXN|ARS|CLP|COP|PLN|CZK|HUF|RON|BGN|SEK|NOK|DKK|ISK|TRY|RUB|UAH"
    "|ILS|AED|SAR|EGP|ZAR|NGN|KES|AUD|CAD|NZD|SGD|HKD|TWD|THB|IDR|MYR|PHP|VND|PKR|BDT|LKR"
)
# Shorter ones may be something else where a number follows at once, as in rs123.
_WORDS = "Rs|SFr|Fr|kr|Kr|zł|Kč|Ft|TL|Euro|Dollar"
_SIGNS = {"₹": "INR", "₺": "TRY", "₽": "RUB", "₩": "KRW", "₪": "ILS", "₴": "UAH", "R$": "BRL", "US$": "USD"}
_SIGN = "|".join(map(re.escape, _SIGNS))
_BLANKS = " \u00a0\u2009\u202f"
_AMOUNT = rf"\d[\d.,'\u2019{_BLANKS}]*(?<![{_BLANKS}])"
_IN_FRONT = re.compile(
    rf"(?P<minus>[-+]?)(?:(?P<code>{_CODES}|{_SIGN})[{_BLANKS}]*|(?P<word>{_WORDS})(?:\.[{_BLANKS}]*|[{_BLANKS}]+))"
    rf"(?P<also>[-+]?)(?P<amount>{_AMOUNT})(?:[.,]?[-–—])?"
)
_BEHIND = re.compile(
    rf"(?P<minus>[-+]?)(?P<amount>{_AMOUNT})[{_BLANKS}]*(?:(?P<code>{_CODES}|{_SIGN})|(?P<word>{_WORDS})\.?)"
)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*|\d{1,2}(?:,\d{2})*,\d{3}")
_WITH_CENTS = re.compile(
    r"(?P<whole>\d+|\d{1,3}(?:[.,]\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})[.,](?P<cents>\d{1,2})"
)
_APART = re.compile(rf"['\u2019{_BLANKS}]")


def money_behind(text: str, decimal: str) -> str:
    """Write an amount of money with its currency behind it and without marks between thousands.

    Cents have one digit or two, so that three digits behind a mark are thousands. A text without a currency
    stays as it is.

    >>> [money_behind(text, ".") for text in ("CHF 1'043", "EUR 10,50", "Rs. 12,000", "R$ 1.250", "rs12")]
    ['1043 CHF', '10.50 EUR', '12000 Rs', '1250 BRL', 'rs12']
    """
    match = _IN_FRONT.fullmatch(text) or _BEHIND.fullmatch(text)
    if match is None:
        return text
    amount = _APART.sub("", match["amount"]).rstrip(".,")
    if _GROUPED.fullmatch(amount):
        amount = re.sub("[.,]", "", amount)
    elif cents := _WITH_CENTS.fullmatch(amount):
        amount = f"{re.sub('[.,]', '', cents['whole'])}{decimal}{cents['cents']}"
    elif not amount.isdecimal():
        return text
    minus = match["minus"] or match.groupdict().get("also") or ""
    currency = match["word"] or _SIGNS.get(match["code"], match["code"])
    return f"{minus}{amount} {currency}"
