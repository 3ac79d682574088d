"""Sentences that know which of their words are names: plain text for a file, links for a window.

Where a number decides, one of two sentences is chosen: each is written whole, since languages differ in more
than an "s".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.translation import N_, _
from engine.wording.shown_names import shown_name

_PLACE = re.compile(r"\{(\w+)\}")
_FULL_STOP = re.compile(r"\.(?=\s|$)")
# A quote between letters is an apostrophe.
_STRAIGHT = re.compile(r"(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w)")


@dataclass(frozen=True, slots=True)
class Name:
    """Name of a variable inside a sentence."""

    text: str
    is_label: bool = False

    @property
    def shown(self) -> str:
        """What a person sees of it."""
        return shown_name(self.text)


Phrase = tuple["str | Name", ...]
Piece = TypeVar("Piece")

_BETWEEN = N_(", ")
_AND = N_(" and ")
_OR = N_(" or ")


def phrase(template: str, **parts: str | Name | Phrase) -> Phrase:
    """Fill a sentence with names and further phrases.

    >>> plain(phrase("{x} is linked to {y}.", x=Name("dose"), y=Name("ill", is_label=True)))
    'dose is linked to ill.'
    >>> plain(phrase("{x} is linked to {y}.", x=Name("dose"), y=Name("Resp.")))
    'dose is linked to Resp.'
    """
    pieces: list[str | Name] = []
    for piece in pieces_of(_(template), parts):
        if isinstance(piece, str) and pieces and plain((pieces[-1],)).endswith("."):
            # The point of a name ends the sentence, too.
            piece = piece[1:] if _FULL_STOP.match(piece) else piece
        pieces.extend(piece if isinstance(piece, tuple) else (piece,))
    return tuple(filter(None, pieces))


def pieces_of(template: str, parts: Mapping[str, Piece]) -> Iterator[str | Piece]:
    """Yield the text of a sentence and, where it names a part in braces, that part.

    >>> list(pieces_of("{x} is a cause.", {"x": Name("dose")}))
    [Name(text='dose', is_label=False), ' is a cause.']
    """
    for position, text in enumerate(_PLACE.split(template)):
        if position % 2:
            yield parts[text]
        elif text:
            yield text


def listing(names: Sequence[str | Name | Phrase], most: int = 0) -> Phrase:
    """List names, or phrases about them, as a person does; of more than `most` (0: all) the rest is counted.

    >>> plain(listing([Name("a"), Name("b"), Name("c")]))
    'a, b and c'
    >>> plain(listing(["a", "b", "c", "d"], most=2))
    'a, b and 2 more'
    """
    shown = list(names)
    if most and len(names) > most + 1:
        shown = [*names[:most], _("{count:,} more", count=len(names) - most)]
    pieces: list[str | Name] = []
    for item in as_listed(shown):
        pieces.extend(item if isinstance(item, tuple) else (item,))
    return tuple(pieces)


def as_listed(items: Sequence[Piece], before_last: str = _AND) -> Iterator[str | Piece]:
    """Yield items, and what stands between them where a person lists them.

    >>> "".join(as_listed(["a", "b", "c"]))
    'a, b and c'
    """
    for position, item in enumerate(items):
        if position:
            yield _(before_last if position == len(items) - 1 else _BETWEEN)
        yield item


def plain(sentence: Phrase) -> str:
    """Write a phrase as plain text."""
    return "".join(piece.shown if isinstance(piece, Name) else piece for piece in sentence)


def plain_listing(names: Sequence[str], most: int = 0) -> str:
    """List names as :func:`listing` does, as plain text.

    >>> plain_listing(["a", "b", "c"]), plain_listing(["a", "b", "c", "d"], most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    return plain(listing(names, most))


def names_listing(names: Iterable[str], most: int = 0) -> str:
    """List variables likewise, as a person sees them."""
    return plain_listing(list(map(shown_name, names)), most)


def sentence_case(text: str) -> str:
    """Begin a text with a capital letter.

    >>> sentence_case("effect of changing it")
    'Effect of changing it'
    """
    return text[:1].upper() + text[1:]


def ended(sentence: str) -> str:
    """End a sentence with one full stop, also behind a name that ends in a point.

    >>> ended("It has the labels dose and Resp.."), ended("It has the label dose.")
    ('It has the labels dose and Resp.', 'It has the label dose.')
    """
    return f"{sentence.rstrip('.')}."


def either(names: Sequence[str]) -> str:
    """List names any of which will do.

    >>> either(["a"]), either(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    return "".join(as_listed(names, _(_OR)))


# Tabs and line breaks are among them, because XML attributes do not keep them.
_CONTROLS = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_NOT_A_CHARACTER = re.compile("[\x80-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"


def visible(name: str) -> str:
    """Replace characters that XML, HTML and spreadsheets cannot hold by signs that can be seen.

    A control character becomes its picture (a tab ␉, a line break ␊), any other impossible one the
    replacement character.
    """
    return _NOT_A_CHARACTER.sub(_REPLACEMENT, name.translate(_CONTROLS))


def in_curved_marks(text: str) -> str:
    """Put names that stand in straight quotes into those of window and report.

    >>> print(in_curved_marks("the label 'ill' is no column. Did you mean 'Swainson's Thrush'?"))
    the label “ill” is no column. Did you mean “Swainson's Thrush”?
    >>> in_curved_marks("the label's boundary")
    "the label's boundary"
    """
    return _STRAIGHT.sub(r"“\1”", text)


APART, TOGETHER_AGAIN = "\u2068", "\u2069"
"""Invisible marks around a part of a text that takes a direction of its own (Unicode's isolates)."""

_LETTER_FROM_THE_RIGHT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_FROM_THE_RIGHT = re.compile(_LETTER_FROM_THE_RIGHT)
_WORDS_FROM_THE_RIGHT = re.compile(
    rf"{_LETTER_FROM_THE_RIGHT}+(?:[^\w{APART}{TOGETHER_AGAIN}]{{1,3}}{_LETTER_FROM_THE_RIGHT}+)*(\)?)"
)


def has_letters_from_the_right(text: str) -> bool:
    """Tell whether a text holds letters of a script that is written from the right.

    >>> has_letters_from_the_right("עומס (0-10)"), has_letters_from_the_right("pain")
    (True, False)
    """
    return bool(_FROM_THE_RIGHT.search(text))


def in_order(text: str) -> str:
    """Set words apart that are written from the right, so that what is said of them stays behind them.

    >>> in_order("pain (3 against 0)")
    'pain (3 against 0)'
    >>> in_order("ألم (3 against 0)") == f"{APART}ألم{TOGETHER_AGAIN} (3 against 0)"
    True
    """

    def apart(match: re.Match[str]) -> str:
        words, bracket = match.group(), match.group(1)
        if words.count("(") == words.count(")"):
            return f"{APART}{words}{TOGETHER_AGAIN}"
        # It closes one that stands before these words.
        return f"{APART}{words.removesuffix(bracket)}{TOGETHER_AGAIN}{bracket}"

    return _WORDS_FROM_THE_RIGHT.sub(apart, text) if has_letters_from_the_right(text) else text
