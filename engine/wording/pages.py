"""What pages of HTML are written with: messages, which may hold tags, and dates."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from engine.translation import N_, _, for_count, language_tag, translated
from engine.wording.numbers import ENGLISH

if TYPE_CHECKING:
    from markupsafe import Markup


def said(message: str, /, **values: Any) -> Markup:
    """Say a message of a page, which may hold tags; what fills its places is escaped.

    >>> said("<b>{name}</b> is a cause.", name="a < b")
    Markup('<b>a &lt; b</b> is a cause.')
    """
    from markupsafe import Markup

    text = Markup(translated(message))
    return text.format(**values) if values else text


def said_for_count(count: int, one: str, several: str, /, **values: Any) -> Markup:
    """Say that of two messages of a page which fits a number, `count` in their places."""
    from markupsafe import Markup

    return Markup(for_count(count, one, several)).format(**{"count": ENGLISH.count(count)} | values)


PAGE_WORDS = {"_": said, "for_count": said_for_count, "language_tag": language_tag}
"""How templates of pages say messages, and in which language."""

_MONTHS = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)


def date_text(day: datetime.date) -> str:
    """Write a date.

    >>> date_text(datetime.date(2026, 1, 2))
    '2 January 2026'
    """
    return _("{day} {month} {year}", day=day.day, month=_(_MONTHS[day.month - 1]), year=day.year)
