"""Sentences that know which of their words are names, so that a view can make them links."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from clcd_gui.core.anchors import anchor
from clcd_gui.core.selection import SelectedPair

_PLACE = re.compile(r"\{(\w+)\}")


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
    def pair(self) -> SelectedPair:
        """What is selected when the name is clicked."""
        return SelectedPair(label=self.text) if self.is_label else SelectedPair(feature=self.text)


Phrase = tuple["str | Name", ...]


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


BREAK = "\u200b"
NO_BREAK = "\u00a0"
# Between the parts of an equation, as in "p = 3 × 10⁻¹²", a line must not end.
_TOGETHER = re.compile(r"(?<=[=×<>]) | (?=[=×<>])")


def breakable(name: str) -> str:
    """Write a name as HTML that may be broken after an underscore, a point or a slash, invisibly."""
    return html.escape(re.sub(r"(?<=[_./])(?=\w)", BREAK, name))


def rich(sentence: Phrase, links: bool = True) -> str:
    """Write a phrase as HTML, every name an italic link."""
    pieces = []
    for piece in sentence:
        if isinstance(piece, Name):
            text = f"<i>{breakable(piece.text)}</i>"
            pieces.append(f'<a href="{html.escape(anchor(piece.pair))}">{text}</a>' if links else text)
        else:
            pieces.append(_TOGETHER.sub(NO_BREAK, html.escape(piece, quote=False)))
    return "".join(pieces)
