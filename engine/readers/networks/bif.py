"""BIF, the Interchange Format for Bayesian Networks.

A file declares variables with their levels, and gives for each its parents and its probabilities: one row a
configuration of the parents, or all in one ``table``. Commas between words may be left out, as the proposal
of the format allows.

References
----------
F. G. Cozman (1998), The Interchange Format for Bayesian Networks, version 0.15.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from engine.errors import InvalidData
from engine.simulation.bayesian_network import BayesianNetwork, ConditionalTable
from engine.wording.numbers import counted
from engine.wording.sentences import CORRECT_LINE, CORRECT_NAME, REMOVE_ONE_OF_TWO, RENAME_ONE

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
    """One piece of the text."""

    text: str  # what it says, without quotes; empty at the end of the text
    line: int  # that it begins on, from 1
    is_sign: bool  # one of { } ( ) [ ] ; , | or the end, and no name or number

    def __str__(self) -> str:
        return f"'{self.text}'" if self.text else "the end of the file"


class Tokens:
    """The tokens of a text, taken one after the other."""

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


def wrong(problem: str, line: int, remedy: str = CORRECT_LINE) -> InvalidData:
    """Make the error about one line."""
    return InvalidData(problem, place=f"line {line}", remedy=remedy)


def _cut(text: str) -> list[Token]:
    breaks = [found.start() for found in re.finditer("\n", text)]
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        line = bisect_right(breaks, position - 1) + 1
        if found is None:
            raise wrong(_UNCLOSED[text[position]], line, "Close it.")
        kind = str(found.lastgroup)
        if kind != "blank":
            tokens.append(Token(found[kind], line, kind not in _OF_A_WORD))
        position = found.end()
    tokens.append(Token("", len(breaks) + 1, True))
    return tokens


@dataclass(frozen=True, slots=True)
class _ProbabilityRow:
    """One statement of a probability block: ``table``, ``default``, or the levels of a configuration."""

    keyword: str
    configuration: tuple[str, ...]
    probabilities: tuple[float, ...]
    line: int


@dataclass(frozen=True, slots=True)
class _ProbabilityBlock:
    """A probability block, as it stands in the file."""

    node: str
    parents: tuple[str, ...]
    rows: tuple[_ProbabilityRow, ...]
    line: int


def parse_bif(text: str) -> BayesianNetwork:
    """Read a network from the text of a BIF file.

    >>> network = parse_bif('variable a { type discrete [2] {no, yes}; } probability (a) { table .3 .7; }')
    >>> network.levels["a"], network.tables["a"]
    (('no', 'yes'), array([0.3, 0.7]))
    """
    tokens = Tokens(text)
    levels: dict[str, tuple[str, ...]] = {}
    blocks: dict[str, _ProbabilityBlock] = {}
    while not tokens.at_end:
        line = tokens.next.line
        keyword = tokens.word("'variable' or 'probability'")
        if keyword == "network":
            tokens.skip_past("{")
            tokens.skip_past("}")
        elif keyword == "variable":
            name, own = _variable(tokens)
            _refuse_second(name, levels, "declared", line)
            levels[name] = own
        elif keyword == "probability":
            block = _probability(tokens, line)
            _refuse_second(block.node, blocks, "given probabilities", line)
            blocks[block.node] = block
        else:
            raise wrong(f"'variable' or 'probability' is expected, but '{keyword}' stands there.", line)
    return _network(levels, blocks)


def _variable(tokens: Tokens) -> tuple[str, tuple[str, ...]]:
    name = tokens.word("the name of a variable")
    tokens.sign("{")
    levels: tuple[str, ...] = ()
    while not tokens.take_if("}"):
        line = tokens.next.line
        keyword = tokens.word("'type' or '}'")
        if keyword == "property":
            tokens.skip_past(";")
        elif keyword == "type":
            levels = _levels(tokens, name)
        else:
            raise wrong(f"'type', 'property' or '}}' is expected, but '{keyword}' stands there.", line)
    if not levels:
        raise wrong(f"variable '{name}' has no levels.", tokens.next.line, "Add its type and its levels.")
    return name, levels


def _levels(tokens: Tokens, name: str) -> tuple[str, ...]:
    line = tokens.next.line
    kind = tokens.word("'discrete'")
    if kind != "discrete":
        raise wrong(f"variable '{name}' is {kind}.", line, "Use a network of discrete variables only.")
    tokens.sign("[")
    stated = tokens.word("the number of levels")
    tokens.sign("]")
    tokens.sign("{")
    levels = tuple(tokens.words_until("}"))
    tokens.take_if(";")
    if stated != str(len(levels)):
        raise wrong(f"variable '{name}' announces {stated} and names {counted(len(levels), 'level')}.", line)
    if len(set(levels)) < len(levels):
        raise wrong(f"two levels of variable '{name}' have the same name.", line, RENAME_ONE)
    return levels


def _probability(tokens: Tokens, line: int) -> _ProbabilityBlock:
    tokens.sign("(")
    node = tokens.word("the name of a variable")
    tokens.take_if("|")
    parents = tuple(tokens.words_until(")"))
    tokens.sign("{")
    rows: list[_ProbabilityRow] = []
    while not tokens.take_if("}"):
        start = tokens.next.line
        if tokens.take_if("("):
            configuration = tuple(tokens.words_until(")"))
            rows.append(_ProbabilityRow("", configuration, _numbers(tokens), start))
            continue
        keyword = tokens.word("a row of probabilities or '}'")
        if keyword == "property":
            tokens.skip_past(";")
        elif keyword in ("table", "default"):
            rows.append(_ProbabilityRow(keyword, (), _numbers(tokens), start))
        else:
            raise wrong(f"a row of probabilities is expected, but '{keyword}' stands there.", start)
    return _ProbabilityBlock(node, parents, tuple(rows), line)


def _numbers(tokens: Tokens) -> tuple[float, ...]:
    line = tokens.next.line
    words = tokens.words_until(";")
    try:
        return tuple(map(float, words))
    except ValueError:
        shown = ", ".join(words[:6])
        raise wrong(f"one of {shown} is no number.", line) from None


def _refuse_second(name: str, known: object, what: str, line: int) -> None:
    if name in known:  # type: ignore[operator]
        raise wrong(f"variable '{name}' is {what} a second time.", line, REMOVE_ONE_OF_TWO)


def _network(levels: dict[str, tuple[str, ...]], blocks: dict[str, _ProbabilityBlock]) -> BayesianNetwork:
    if not levels:
        raise InvalidData("no variable is declared.", remedy="Choose a file that holds a network in BIF.")
    for block in blocks.values():
        for name in (block.node, *block.parents):
            if name not in levels:
                raise wrong(f"no variable '{name}' is declared.", block.line, CORRECT_NAME)
    for name in levels:
        if name not in blocks:
            raise InvalidData(
                "the file gives no probabilities for it.",
                place=f"node '{name}'",
                remedy="Add them.",
            )
    parents = {name: blocks[name].parents for name in levels}
    return BayesianNetwork(
        list(levels), parents, {name: _table(blocks[name], levels) for name in levels}, levels
    )


def _table(block: _ProbabilityBlock, levels: dict[str, tuple[str, ...]]) -> np.ndarray:
    with _on_line(block.line):
        table = ConditionalTable(
            block.node, levels[block.node], block.parents, [levels[parent] for parent in block.parents]
        )
    # What is said of all other configurations comes last, wherever it stands.
    for row in sorted(block.rows, key=lambda row: row.keyword == "default"):
        with _on_line(row.line):
            if row.keyword == "table":
                table.set_all(row.probabilities)
            elif row.keyword == "default":
                table.set_others(row.probabilities)
            else:
                table.set_row(row.configuration, row.probabilities)
    with _on_line(block.line):
        return table.finish()


@contextmanager
def _on_line(line: int) -> Iterator[None]:
    """Add the line to what is wrong with a table."""
    try:
        yield
    except InvalidData as error:
        raise InvalidData(error.problem, place=f"line {line}, {error.place}", remedy=error.remedy) from error
