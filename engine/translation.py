"""Messages in the language of the person: written in English, looked up in a catalogue when they are shown.

`_` and `N_` are gettext's names, which tools that collect messages know. A message is one literal with places
in braces, never an f-string: a translator gets whole sentences and may put their parts in another order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, Protocol

# A place without index, attribute or width, which a file from elsewhere may have filled.
_PLAIN_PLACE = re.compile(r"\{[a-z_]+(?:!r)?(?::,?(?:\.\d)?[fg%]?)?\}")
# What stays as it is in every language: places (of argparse, too), names in code, tags and signs of HTML.
_PLACE = re.compile(r"(\{[^{}]*\}|%(?:\(\w+\))?[rs]|`[^`]*`|</?[a-z][^<>]*>|&\w+;)")
_LETTERS = str.maketrans(
    "AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpRrSsTtUuVvWwXxYyZz", "ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀṁÑñÖöÞþŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž"
)


class Catalogue(Protocol):
    """Translations of messages, as `gettext.GNUTranslations` has them."""

    def gettext(self, message: str) -> str:
        """Translate a message, or return it as it is."""

    def ngettext(self, one: str, several: str, count: int) -> str:
        """Translate that of two messages which fits a number, or return it as it is."""

    def info(self) -> Mapping[str, str]:
        """Return what the catalogue says of itself, as ``{"language": "pt_BR"}``."""


class PseudoLanguage:
    """A language for tests: every letter of the messages that it knows accented, each a third longer.

    >>> PseudoLanguage({"{count} rows"}).gettext("{count} rows")
    '{count} ŕöŵš~'
    """

    def __init__(self, messages: Collection[str]) -> None:
        self._messages = messages

    def gettext(self, message: str) -> str:
        """Write a message in accented letters and lengthen it."""
        if message not in self._messages:
            return message
        parts = _PLACE.split(message)
        parts[::2] = [part.translate(_LETTERS) for part in parts[::2]]
        return "".join(parts) + "~" * (sum(map(len, parts[::2])) // 3)

    def ngettext(self, one: str, several: str, count: int) -> str:
        """Write the message that fits a number so."""
        return self.gettext(one if count == 1 else several)

    def info(self) -> Mapping[str, str]:
        """Name the language by a tag for private use."""
        return {"language": "x_pseudo"}


class Message(str):
    """A text in the language in which it was made, and what is needed to say it in another.

    >>> rows = _("{count} rows were left out.", count=3)
    >>> rows, rows.template, rows.values
    ('3 rows were left out.', '{count} rows were left out.', {'count': 3})
    """

    template: str
    values: Mapping[str, Any]
    several: str  # the form for several things; empty where no number decides
    number: int  # which decides

    def __new__(
        cls, text: str, template: str, values: Mapping[str, Any], several: str = "", number: int = 0
    ) -> Message:
        """Make the text, and keep what it is made of."""
        message = super().__new__(cls, text)
        message.template, message.values = template, values
        message.several, message.number = several, number
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process with what it is made of."""
        return Message, (str(self), self.template, self.values, self.several, self.number)


class _Chosen(str):
    """The form of a message that fits a number; what its places are filled with makes a Message of it."""

    one: str
    several: str
    number: int

    def __new__(cls, text: str, one: str, several: str, number: int) -> _Chosen:
        chosen = super().__new__(cls, text)
        chosen.one, chosen.several, chosen.number = one, several, number
        return chosen

    def __getnewargs__(self) -> tuple[str, str, str, int]:  # type: ignore[override]
        return str(self), self.one, self.several, self.number

    def format(self, *_nothing: object, **values: Any) -> Message:
        """Fill the places."""
        return Message(super().format(**values), self.one, values, self.several, self.number)


_catalogue: Catalogue | None = None


@contextmanager
def language(catalogue: Catalogue | None) -> Iterator[None]:
    """Write messages by a catalogue, None for English, until the block ends."""
    before = _catalogue
    set_language(catalogue)
    try:
        yield
    finally:
        set_language(before)


def set_language(catalogue: Catalogue | None) -> None:
    """Write messages by a catalogue from now on; None for English."""
    global _catalogue
    _catalogue = catalogue


def N_(message: str) -> str:  # noqa: N802 - gettext's name
    """Mark a constant as a message: it is translated when it is shown."""
    return message


def _(message: str, /, **values: Any) -> str:
    """Write a message in the language of the person, with its places filled.

    >>> _("{count} rows", count=3)
    '3 rows'
    """
    if isinstance(message, Message) and not values:
        # Made when a module was imported, before a language was chosen.
        return translated(message)
    text = _catalogue.gettext(message) if _catalogue is not None and message else message
    if values:
        text = text.format(**values)
    return text if text is message else Message(text, message, values)


def for_count(count: int, one: str, several: str) -> str:
    """Write the message that fits a number of things; its places are filled by the caller.

    >>> for_count(1, "{count} row was left out.", "{count} rows were left out.").format(count=1)
    '1 row was left out.'
    """
    if _catalogue is None:
        text = one if count == 1 else several
    else:
        text = _catalogue.ngettext(one, several, count)
    return _Chosen(text, one, several, int(count))


def language_tag() -> str:
    """Return the tag of the language in which messages are written, as HTML names it."""
    return "en" if _catalogue is None else _catalogue.info().get("language", "en").replace("_", "-")


def message_values(text: str) -> Any:
    """Return a text as JSON can hold it, with what it is made of.

    >>> message_values(_("{count} rows were left out.", count=3))
    {'text': '3 rows were left out.', 'template': '{count} rows were left out.', 'values': {'count': 3}}
    """
    if not isinstance(text, Message):
        return str(text)
    values = {name: _as_value(value) for name, value in text.values.items()}
    plain = {"text": str(text), "template": text.template, "values": values}
    return plain | {"several": text.several, "number": text.number} if text.several else plain


def _as_value(value: Any) -> Any:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    return message_values(value if isinstance(value, str) else str(value))


def message_of(values: Any) -> str:
    """Read what :func:`message_values` wrote; a template with other than plain places is left out."""
    if isinstance(values, str):
        return values
    text, template = str(values["text"]), str(values["template"])
    parts = {
        str(name): value if type(value) in (int, float) else message_of(value)
        for name, value in values["values"].items()
    }
    several, number = str(values.get("several", "")), int(values.get("number", 0))
    for form in filter(None, (template, several)):
        if "{" in _PLAIN_PLACE.sub("", form):
            return text
        try:
            form.format(**parts)
        except (ValueError, LookupError):
            return text
    return Message(text, template, parts, several, number)


def translated(text: str) -> str:
    """Say a text that was made earlier, perhaps in another language, in the language of the person."""
    if not isinstance(text, Message):
        return _(text)
    # A name from a table is no message, even where it is written as one.
    values = {
        name: translated(value) if isinstance(value, Message) else value
        for name, value in text.values.items()
    }
    if text.several:
        return for_count(text.number, text.template, text.several).format(**values)
    return _(text.template, **values)
