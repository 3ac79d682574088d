"""Bayesian networks in files, told apart by their content: BIF and a JSON description.

BIF is the Interchange Format for Bayesian Networks (F. G. Cozman 1998, version 0.15). A file declares
variables with their levels, and gives for each its parents and its probabilities: one row a configuration of
the parents, or all in one ``table``. Commas between words may be left out, as the proposal of the format
allows.

A JSON description has ``states`` of each variable, and ``cpt``, its conditional tables. Each entry of ``cpt``
has ``parent`` (a name, or null) or ``parents`` (a list of names), and ``table``. With no parent the table has
one key, the empty text; with one it has a key a state of the parent; with several, the tables of the next
parent lie inside. Innermost stands the probability of each state; a state that is left out is impossible.
States may be texts or numbers::

    {"states": {"rain": [0, 1], "wet": ["no", "yes"]},
     "cpt": {"rain": {"parent": null, "table": {"": {"0": 0.8, "1": 0.2}}},
             "wet": {"parent": "rain", "table": {"0": {"no": 1.0}, "1": {"no": 0.2, "yes": 0.8}}}}}
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import InvalidData, UnreadableFile
from engine.parameters import required_path
from engine.readers.encodings import decode
from engine.readers.source import Source
from engine.simulation.bayesian_network import BayesianNetwork, ConditionalTable
from engine.translation import N_, _
from engine.wording.numbers import counted
from engine.wording.sentences import (
    CORRECT_LINE,
    CORRECT_NAME,
    NOT_JSON,
    REMOVE_ONE_OF_TWO,
    RENAME_ONE,
    TOO_DEEP,
)

_REMEDY = N_("Choose a network in the BIF or JSON format.")


def read_network(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Read a discrete Bayesian network from a file.

    Parameters
    ----------
    path : path-like
        A BIF file, as in public repositories, or a JSON description, possibly gzipped. The content shows
        which it is. No code in a file is ever run.

    Returns
    -------
    BayesianNetwork
        Nodes in the order of the file. Probabilities that were rounded are scaled to sum to 1.

    Raises
    ------
    UnreadableFile
        If the file does not exist, is damaged, or is not text.
    InvalidData
        If the file does not follow its format, or describes no network. The message names the line or the
        node.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "rain.bif"
    >>> _ = path.write_text('''
    ... network garden { }
    ... variable rain { type discrete [ 2 ] { no, yes }; }
    ... variable wet { type discrete [ 2 ] { no, yes }; }
    ... probability ( rain ) { table 0.8, 0.2; }
    ... probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.2, 0.8; }
    ... ''')
    >>> network = read_network(path)
    >>> network.edges, network.levels["wet"]
    ((('rain', 'wet'),), ('no', 'yes'))
    >>> folder.cleanup()
    """
    source = Source(required_path(path))
    raw, _is_whole = source.read()
    try:
        text, _guesses = decode(raw, None, source.place)
    except UnreadableFile as error:
        raise UnreadableFile(error.problem, place=error.place, remedy=_(_REMEDY)) from error
    beginning = text.lstrip()[:1]
    try:
        if beginning == "<":
            raise InvalidData(_("networks in XML cannot be read."), remedy=_("Save the network as BIF."))
        return parse_json(text) if beginning == "{" else parse_bif(text)
    except InvalidData as error:
        place = f"{source.place}, {error.place}" if error.place else source.place
        raise InvalidData(error.problem, place=place, remedy=error.remedy) from error


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
    "/": N_("a comment begins here and is not closed."),
    '"': N_("a quoted name begins here and is not closed."),
}
_OF_A_WORD = ("quoted", "word")


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of the text."""

    text: str  # what it says, without quotes; empty at the end of the text
    line: int  # that it begins on, from 1
    is_sign: bool  # one of { } ( ) [ ] ; , | or the end, and no name or number

    def __str__(self) -> str:
        return f"'{self.text}'" if self.text else _("the end of the file")


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
        is_next = self.next.is_sign and self.next.text == sign
        self._place += is_next
        return is_next

    def sign(self, sign: str) -> None:
        """Take this sign, or raise InvalidData."""
        if not self.take_if(sign):
            raise wrong(
                _("'{sign}' is expected, but {token} was found.", sign=sign, token=self.next),
                self.next.line,
            )

    def word(self, what: str) -> str:
        """Take a name or a number, or raise InvalidData that says what was expected."""
        token = self.next
        if token.is_sign:
            raise wrong(
                _("{expected} is expected, but {token} was found.", expected=what, token=token), token.line
            )
        self._place += 1
        return token.text

    def words_until(self, end: str) -> list[str]:
        """Take names up to a sign, with or without commas between them, and the sign."""
        names: list[str] = []
        while not self.take_if(end):
            if not self.take_if(","):
                names.append(self.word(_("a name or '{end}'", end=end)))
        return names

    def skip_past(self, sign: str) -> None:
        """Take everything up to a sign, and the sign."""
        start = self.next.line
        while not self.take_if(sign):
            if self.at_end:
                raise wrong(_("no '{sign}' follows.", sign=sign), start)
            self._place += 1


def wrong(problem: str, line: int, remedy: str = CORRECT_LINE) -> InvalidData:
    """Make the error about one line."""
    return InvalidData(problem, place=_("line {line}", line=line), remedy=_(remedy))


def _cut(text: str) -> list[Token]:
    breaks = [match.start() for match in re.finditer("\n", text)]
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        line = bisect_right(breaks, position - 1) + 1
        if token is None:
            raise wrong(_(_UNCLOSED[text[position]]), line, _("Close it."))
        kind = str(token.lastgroup)
        if kind != "blank":
            tokens.append(Token(token[kind], line, kind not in _OF_A_WORD))
        position = token.end()
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
        keyword = tokens.word(_("'variable' or 'probability'"))
        if keyword == "network":
            tokens.skip_past("{")
            tokens.skip_past("}")
        elif keyword == "variable":
            name, own = _variable(tokens)
            _refuse_second(name, levels, N_("variable '{name}' is declared a second time."), line)
            levels[name] = own
        elif keyword == "probability":
            block = _probability(tokens, line)
            _refuse_second(
                block.node, blocks, N_("variable '{name}' is given probabilities a second time."), line
            )
            blocks[block.node] = block
        else:
            raise wrong(
                _("'variable' or 'probability' is expected, but '{keyword}' was found.", keyword=keyword),
                line,
            )
    return _network(levels, blocks)


def _variable(tokens: Tokens) -> tuple[str, tuple[str, ...]]:
    name = tokens.word(_("the name of a variable"))
    tokens.sign("{")
    levels: tuple[str, ...] = ()
    while not tokens.take_if("}"):
        line = tokens.next.line
        keyword = tokens.word(_("'type' or '}'"))
        if keyword == "property":
            tokens.skip_past(";")
        elif keyword == "type":
            levels = _levels(tokens, name)
        else:
            raise wrong(
                _("'type', 'property' or '}}' is expected, but '{keyword}' was found.", keyword=keyword),
                line,
            )
    if not levels:
        raise wrong(
            _("variable '{name}' has no levels.", name=name),
            tokens.next.line,
            _("Add its type and its levels."),
        )
    return name, levels


def _levels(tokens: Tokens, name: str) -> tuple[str, ...]:
    line = tokens.next.line
    kind = tokens.word("'discrete'")
    if kind != "discrete":
        raise wrong(
            _("variable '{name}' is {kind}.", name=name, kind=kind),
            line,
            _("Use a network of discrete variables only."),
        )
    tokens.sign("[")
    stated = tokens.word(_("the number of levels"))
    tokens.sign("]")
    tokens.sign("{")
    levels = tuple(tokens.words_until("}"))
    tokens.take_if(";")
    if stated != str(len(levels)):
        raise wrong(
            _(
                "variable '{name}' announces {stated} and names {levels}.",
                name=name,
                stated=stated,
                levels=counted(len(levels), "level"),
            ),
            line,
        )
    if len(set(levels)) < len(levels):
        raise wrong(_("two levels of variable '{name}' have the same name.", name=name), line, _(RENAME_ONE))
    return levels


def _probability(tokens: Tokens, line: int) -> _ProbabilityBlock:
    tokens.sign("(")
    node = tokens.word(_("the name of a variable"))
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
        keyword = tokens.word(_("a row of probabilities or '}'"))
        if keyword == "property":
            tokens.skip_past(";")
        elif keyword in ("table", "default"):
            rows.append(_ProbabilityRow(keyword, (), _numbers(tokens), start))
        else:
            raise wrong(
                _("a row of probabilities is expected, but '{keyword}' was found.", keyword=keyword), start
            )
    return _ProbabilityBlock(node, parents, tuple(rows), line)


def _numbers(tokens: Tokens) -> tuple[float, ...]:
    line = tokens.next.line
    words = tokens.words_until(";")
    try:
        return tuple(map(float, words))
    except ValueError:
        shown = ", ".join(words[:6])
        raise wrong(_("one of {shown} is not a number.", shown=shown), line) from None


def _refuse_second(name: str, seen_names: object, problem: str, line: int) -> None:
    if name in seen_names:  # type: ignore[operator]
        raise wrong(_(problem, name=name), line, _(REMOVE_ONE_OF_TWO))


def _network(levels: dict[str, tuple[str, ...]], blocks: dict[str, _ProbabilityBlock]) -> BayesianNetwork:
    if not levels:
        raise InvalidData(
            _("no variable is declared."), remedy=_("Choose a file that holds a network in BIF.")
        )
    for block in blocks.values():
        for name in (block.node, *block.parents):
            if name not in levels:
                raise wrong(_("no variable '{name}' is declared.", name=name), block.line, _(CORRECT_NAME))
    for name in levels:
        if name not in blocks:
            raise InvalidData(
                _("the file gives no probabilities for it."),
                place=_("node '{name}'", name=name),
                remedy=_("Add them."),
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
        raise InvalidData(
            error.problem, place=_("line {line}, {place}", line=line, place=error.place), remedy=error.remedy
        ) from error


_TOO_LARGE = 1e300

_DESCRIBE_IT = N_("Describe the network by 'states' and 'cpt'.")


def parse_json(text: str) -> BayesianNetwork:
    """Read a network from its JSON description.

    >>> network = parse_json('{"states": {"a": [0, 1]}, "cpt": {"a": {"table": {"": {"0": 0.3, "1": 0.7}}}}}')
    >>> network.levels["a"], network.tables["a"]
    (('0', '1'), array([0.3, 0.7]))
    """
    description = _load(text)
    levels = {name: _states_of(name, states) for name, states in _object(description, "states", "").items()}
    entries = _object(description, "cpt", "")
    for name in levels.keys() ^ entries.keys():
        missing = "cpt" if name in levels else "states"
        raise InvalidData(
            _("it is not in '{missing}'.", missing=missing),
            place=_("node '{name}'", name=name),
            remedy=_(_DESCRIBE_IT),
        )
    parents = {name: _parents(name, entries[name], levels) for name in levels}
    tables = {}
    for name, own in levels.items():
        table = ConditionalTable(name, own, parents[name], [levels[parent] for parent in parents[name]])
        for configuration, probabilities in _rows(name, entries[name], len(parents[name])):
            table.set_row(configuration, _in_order(name, probabilities, own))
        tables[name] = table.finish()
    return BayesianNetwork(list(levels), parents, tables, levels)


def _load(text: str) -> dict[str, Any]:
    try:
        loaded = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise InvalidData(
            _(NOT_JSON),
            place=_("line {line}", line=error.lineno),
            remedy=_(CORRECT_LINE),
        ) from error
    except ValueError as error:
        raise InvalidData(_("a number has thousands of digits."), remedy=_(_DESCRIBE_IT)) from error
    except RecursionError:
        raise InvalidData(_(TOO_DEEP), remedy=_(_DESCRIBE_IT)) from None
    if not isinstance(loaded, dict):
        raise InvalidData(_("this does not describe a network."), remedy=_(_DESCRIBE_IT))
    return loaded


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise InvalidData(
            _("'{twice}' stands twice in the same object.", twice=twice), remedy=_(REMOVE_ONE_OF_TWO)
        )
    return members


def _object(holder: Any, key: str, place: str) -> dict[str, Any]:
    member = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(member, dict) or not member:
        raise InvalidData(
            _("'{key}' is missing or is not an object.", key=key), place=place, remedy=_(_DESCRIBE_IT)
        )
    return member


def _states_of(name: str, states: Any) -> tuple[str, ...]:
    usable = isinstance(states, list) and all(isinstance(state, str | int | float) for state in states)
    if not usable or not states or len(set(map(str, states))) < len(states):
        raise InvalidData(
            _("its states are not a list of different names."),
            place=_("node '{name}'", name=name),
            remedy=_("Name each state once."),
        )
    return tuple(map(str, states))


def _parents(name: str, entry: Any, levels: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    _object(entry, "table", _("node '{name}'", name=name))
    given = entry.get("parents", entry.get("parent"))
    listed = [] if given is None else given if isinstance(given, list) else [given]
    for parent in listed:
        if not isinstance(parent, str) or parent not in levels:
            raise InvalidData(
                _("its parent {parent!r} is not a variable.", parent=parent),
                place=_("node '{name}'", name=name),
                remedy=_(CORRECT_NAME),
            )
    return tuple(listed)


def _rows(name: str, entry: Any, depth: int) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Return each configuration of the parents with the probabilities that lie innermost."""
    table = entry["table"]
    waiting: list[tuple[tuple[str, ...], Any]] = [((), table if depth else table.get(""))]
    while waiting:
        configuration, inner = waiting.pop()
        if len(configuration) == depth:
            yield (
                configuration,
                _object({"probabilities": inner}, "probabilities", _("node '{name}'", name=name)),
            )
            continue
        for state in _object({"table": inner}, "table", _("node '{name}'", name=name)):
            waiting.append(((*configuration, state), inner[state]))


def _in_order(name: str, probabilities: dict[str, Any], levels: tuple[str, ...]) -> list[float]:
    for state, value in probabilities.items():
        if state not in levels:
            raise InvalidData(
                _("it has no state '{state}'.", state=state),
                place=_("node '{name}'", name=name),
                remedy=_("Its states are {levels}.", levels=levels),
            )
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        # A whole number of hundreds of digits is one that the machine cannot hold.
        if not is_number or not abs(value) < _TOO_LARGE:
            raise InvalidData(
                _("the probability of its state '{state}' is not a number.", state=state),
                place=_("node '{name}'", name=name),
                remedy=_("Correct it."),
            )
    return [float(probabilities.get(level, 0.0)) for level in levels]
