"""Cuts a BIF text into words, numbers and signs, each with the line it stands on."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from engine.errors import InvalidData

_TOKEN = re.compile(
    r"""
    (?P<blank> \s+ | //[^\n]* | /\*.*?\*/ )
    | "(?P<quoted> [^"]* )"
    | (?P<sign> [{}()\[\];,|] )
    | (?P<word> (?: (?! // | /\* ) [^\s{}()\[\];,|"] )+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_UNCLOSED = {
    "/": "a comment begins here and is not closed.",
    '"': "a quoted name begins here and is not closed.",
}
_OF_A_WORD = ("quoted", "word")


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of the text.

    Attributes
    ----------
    text : str
        What it says, without quotes; empty at the end of the text.
    line : int
        Line that it begins on, from 1.
    is_sign : bool
        Whether it is one of ``{ } ( ) [ ] ; , |`` or the end, and no name or number.
    """

    text: str
    line: int
    is_sign: bool

    def __str__(self) -> str:
        return f"'{self.text}'" if self.text else "the end of the file"


class Tokens:
    """The tokens of a text, taken one after the other.

    Examples
    --------
    >>> tokens = Tokens("variable wet { // a comment")
    >>> tokens.word("a name"), tokens.word("a name"), tokens.take_if("{"), tokens.at_end
    ('variable', 'wet', True, True)
    """

    def __init__(self, text: str) -> None:
        self._tokens = _cut(text)
        self._place = 0

    @property
    def next(self) -> Token:
        """The token that is not yet taken."""
        return self._tokens[self._place]

    @property
    def at_end(self) -> bool:
        """Whether all tokens are taken."""
        return self._place == len(self._tokens) - 1

    def take_if(self, sign: str) -> bool:
        """Take the next token when it is this sign; tell whether it was."""
        found = self.next.is_sign and self.next.text == sign
        self._place += found
        return found

    def sign(self, sign: str) -> None:
        """Take this sign, or raise InvalidData."""
        if not self.take_if(sign):
            raise wrong(f"'{sign}' is expected, but {self.next} stands there.", self.next.line)

    def word(self, what: str) -> str:
        """Take a name or a number, or raise InvalidData that says what was expected."""
        token = self.next
        if token.is_sign:
            raise wrong(f"{what} is expected, but {token} stands there.", token.line)
        self._place += 1
        return token.text

    def words_until(self, end: str) -> list[str]:
        """Take names up to a sign, with or without commas between them, and the sign."""
        found: list[str] = []
        while not self.take_if(end):
            if not self.take_if(","):
                found.append(self.word(f"a name or '{end}'"))
        return found

    def skip_past(self, sign: str) -> None:
        """Take everything up to a sign, and the sign."""
        start = self.next.line
        while not self.take_if(sign):
            if self.at_end:
                raise wrong(f"no '{sign}' follows.", start)
            self._place += 1


def wrong(problem: str, line: int, remedy: str = "Correct the line, or get the file again.") -> InvalidData:
    """Make the error about one line."""
    return InvalidData(problem, place=f"line {line}", remedy=remedy)


def _cut(text: str) -> list[Token]:
    breaks = [found.start() for found in re.finditer("\n", text)]
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        line = bisect_right(breaks, place - 1) + 1
        if found is None:
            raise wrong(_UNCLOSED[text[place]], line, "Close it.")
        kind = str(found.lastgroup)
        if kind != "blank":
            tokens.append(Token(found[kind], line, kind not in _OF_A_WORD))
        place = found.end()
    tokens.append(Token("", len(breaks) + 1, True))
    return tokens
