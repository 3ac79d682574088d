"""Sentences that know which of their words are names, so that a view can make them links."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

_PLACE = re.compile(r"\{(\w+)\}")
_FEATURE_ANCHOR = "feature:"
_LABEL_ANCHOR = "label:"


@dataclass(frozen=True, slots=True)
class Name:
    """Name of a variable inside a sentence.

    Attributes
    ----------
    text : str
        The name.
    is_label : bool
        Whether it is that of a label.
    """

    text: str
    is_label: bool = False

    @property
    def anchor(self) -> str:
        """Address of a link that selects the variable; `name_of_anchor` reads it."""
        return (_LABEL_ANCHOR if self.is_label else _FEATURE_ANCHOR) + quote(self.text, safe="")


Phrase = tuple["str | Name", ...]


def name_of_anchor(anchor: str) -> Name | None:
    """Give the name that a link speaks of, or None when it is a link to something else."""
    for prefix in (_FEATURE_ANCHOR, _LABEL_ANCHOR):
        if anchor.startswith(prefix):
            return Name(unquote(anchor[len(prefix) :]), prefix == _LABEL_ANCHOR)
    return None


def phrase(template: str, **parts: str | Name | Phrase) -> Phrase:
    """Fill a sentence with names and further phrases.

    Examples
    --------
    >>> plain(phrase("{x} bears on {y}.", x=Name("dose"), y=Name("ill", is_label=True)))
    'dose bears on ill.'
    """
    pieces: list[str | Name] = []
    for place, text in enumerate(_PLACE.split(template)):
        if place % 2 == 0:
            if text:
                pieces.append(text)
            continue
        part = parts[text]
        if isinstance(part, tuple):
            pieces.extend(part)
        else:
            pieces.append(part)
    return tuple(pieces)


def join(sentences: Sequence[Phrase], separator: str = " ") -> Phrase:
    """Put phrases one after the other."""
    pieces: list[str | Name] = []
    for place, sentence in enumerate(sentences):
        if place:
            pieces.append(separator)
        pieces.extend(sentence)
    return tuple(pieces)


def listing(names: Sequence[Name], word: str = "and", most: int = 0) -> Phrase:
    """List names as a person does.

    Parameters
    ----------
    names : sequence of Name
        At least one.
    word : str
        What stands before the last one.
    most : int
        How many are written out; the rest is counted. 0 writes all.

    Examples
    --------
    >>> plain(listing([Name("a"), Name("b"), Name("c")]))
    'a, b and c'
    >>> plain(listing([Name("a"), Name("b"), Name("c"), Name("d")], most=2))
    'a, b and 2 more'
    """
    shown: list[str | Name] = list(names)
    if most and len(names) > most + 1:
        shown = [*names[:most], f"{len(names) - most} more"]
    pieces: list[str | Name] = []
    for place, item in enumerate(shown):
        if place:
            pieces.append(f" {word} " if place == len(shown) - 1 else ", ")
        pieces.append(item)
    return tuple(pieces)


def plain(sentence: Phrase) -> str:
    """Write a phrase as plain text."""
    return "".join(piece.text if isinstance(piece, Name) else piece for piece in sentence)


def rich(sentence: Phrase, links: bool = True) -> str:
    """Write a phrase as HTML, every name an italic link."""
    pieces = []
    for piece in sentence:
        if isinstance(piece, Name):
            text = f"<i>{html.escape(piece.text)}</i>"
            pieces.append(f'<a href="{html.escape(piece.anchor)}">{text}</a>' if links else text)
        else:
            pieces.append(html.escape(piece, quote=False))
    return "".join(pieces)
