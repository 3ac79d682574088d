"""Knowledge in files: JSON of our own, and the text of Tetrad.

Tetrad's programs read and write that text so (``SimpleDataLoader.loadKnowledge``,
``DataWriter.saveKnowledge``)::

    /knowledge
    addtemporal
    0 age sex
    1* smoking diet
    2 cough

    forbiddirect
    diet cough

    requiredirect
    smoking cough

A line of ``addtemporal`` is the number of a tier and what stands in it. A star after the number forbids
direct edges within the tier, a minus allows direct edges into the next tier only. The other sections have a
direct edge a line, from and to; in ``forbiddengroup`` and ``requiredgroup`` two lines together are all edges
from the variables of the first to those of the second. ``*`` within a name stands for any letters. Spaces
stand between names, a name may stand in double quotes, and Tetrad writes a period for a space in a name.
Lines that begin with ``//`` are comments.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from engine.atomic import check_openable, write_text
from engine.errors import EngineError, InvalidParameter, UnreadableFile
from engine.knowledge.knowledge import PLACE, STAR, Knowledge, Pair, names_like
from engine.parameters import require_type, required_path
from engine.translation import N_, _
from engine.wording.phrases import either
from engine.wording.sentences import (
    CANNOT_BE_OPENED,
    EMPTY,
    FROM_NEWER_PROGRAM,
    NOT_JSON_BECAUSE,
    NOT_THERE,
    REMOVE_ONE_OF_TWO,
    TOO_DEEP,
    choose_among,
)

HEADER = "/knowledge"
_TIERS, _FORBIDDEN, _REQUIRED = "addtemporal", "forbiddirect", "requiredirect"
_FORBIDDEN_GROUP, _REQUIRED_GROUP = "forbiddengroup", "requiredgroup"
SECTIONS = (_TIERS, _FORBIDDEN, _REQUIRED, _FORBIDDEN_GROUP, _REQUIRED_GROUP)
_COMMENT = "//"
_TIER = re.compile(r"(\d{1,9})([*-]{0,2})")
_TOKEN = re.compile(r'"([^"]*)"|([^\s"]\S*)')
_NEEDS_QUOTES = re.compile(r"\s")
# One pattern, and groups and tiers all the more, can stand for the square of the columns.
_MOST_EDGES = 1_000_000


def read_tetrad(text: str, names: Sequence[str] | None = None) -> Knowledge:
    r"""Read knowledge from Tetrad's text.

    Patterns, and periods for spaces, stand for `names`; names that are none are kept as they stand, to be
    told.

    >>> read_tetrad("/knowledge\naddtemporal\n0 age\n1* diet cough").forbidden
    (('diet', 'cough'), ('cough', 'diet'))
    """
    reader = _Reader(None if names is None else tuple(names))
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith(_COMMENT)
    ]
    if lines and lines[0][1].lower().startswith(HEADER):
        del lines[0]
    if not lines:
        raise UnreadableFile(
            _("the file holds no background knowledge."),
            remedy=_("Begin with '{header}' and '{tiers}'.", header=HEADER, tiers=_TIERS),
        )
    reader.read(lines)
    return reader.knowledge()


@dataclass
class _Reader:
    """Takes one section after another."""

    names: tuple[str, ...] | None
    tiers: dict[int, dict[str, None]] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    only_next: set[int] = field(default_factory=set)
    forbidden: dict[Pair, None] = field(default_factory=dict)
    required: dict[Pair, None] = field(default_factory=dict)

    def read(self, lines: list[tuple[int, str]]) -> None:
        section = ""
        waiting: tuple[int, list[str]] | None = None
        for number, line in lines:
            if line.lower() in SECTIONS:
                _refuse_half(waiting)
                section = line.lower()
            elif not section:
                raise _wrong(
                    number,
                    _("'{line}' begins no section.", line=line[:40]),
                    _("Begin with one of {sections}.", sections=_listed(SECTIONS)),
                )
            elif section == _TIERS:
                self._tier(number, line)
            elif section in (_FORBIDDEN, _REQUIRED):
                self._edge(number, line, self.forbidden if section == _FORBIDDEN else self.required)
            elif waiting is None:
                waiting = number, self._variables(number, _tokens(line))
            else:
                edges = self.forbidden if section == _FORBIDDEN_GROUP else self.required
                self._connect(number, waiting[1], self._variables(number, _tokens(line)), edges)
                waiting = None
        _refuse_half(waiting)

    def _tier(self, number: int, line: str) -> None:
        # A quotation mark alone is no name.
        first, *tokens = _tokens(line) or [line]
        match = _TIER.fullmatch(first)
        if match is None or len(set(match[2])) < len(match[2]):
            raise _wrong(
                number,
                _("'{word}' is neither the number of a tier nor a section.", word=first[:40]),
                _(
                    "A tier begins with a number such as 0 or 1*; sections are {sections}.",
                    sections=_listed(SECTIONS),
                ),
            )
        tier = int(match[1])
        if STAR in match[2]:
            self.closed.add(tier)
        if "-" in match[2]:
            self.only_next.add(tier)
        self.tiers.setdefault(tier, {}).update(dict.fromkeys(self._variables(number, tokens)))

    def _edge(self, number: int, line: str, edges: dict[Pair, None]) -> None:
        tokens = _tokens(line)
        if len(tokens) != 2:
            raise _wrong(
                number,
                _("there are {count} names in place of two.", count=len(tokens)),
                _("A line is an edge: from and to. Write names with spaces in double quotes."),
            )
        self._connect(number, self._variables(number, tokens[:1]), self._variables(number, tokens[1:]), edges)

    def _variables(self, number: int, tokens: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(name for token in tokens for name in self._resolved(number, token)))

    def _resolved(self, number: int, token: str) -> tuple[str, ...]:
        if STAR in token:
            if self.names is None:
                raise _wrong(
                    number,
                    _("what '{pattern}' stands for is not known without a table.", pattern=token),
                    _("Name the columns."),
                )
            names = names_like(token, self.names)
            if not names:
                raise _wrong(
                    number,
                    _("no variable is like '{pattern}'.", pattern=token),
                    _("Correct the pattern, or remove it."),
                )
            return names
        if self.names is None or token in self.names:
            return (token,)
        alike = [name for name in self.names if _with_periods(name) == _with_periods(token)]
        return tuple(alike) if len(alike) == 1 else (token,)

    def _connect(self, number: int, causes: list[str], effects: list[str], edges: dict[Pair, None]) -> None:
        if len(edges) + len(causes) * len(effects) > _MOST_EDGES:
            raise _wrong(
                number,
                _("there are more than {most:,} edges.", most=_MOST_EDGES),
                _("Say it by tiers."),
            )
        pairs = [(cause, effect) for cause in causes for effect in effects if cause != effect]
        if not pairs and len(causes) == 1:
            raise _wrong(number, _("'{name}' is paired with itself.", name=causes[0]), _("Remove the line."))
        edges.update(dict.fromkeys(pairs))

    def knowledge(self) -> Knowledge:
        """Put the sections together; a tier that is closed, or skips none, is written out in edges."""
        order = sorted(self.tiers)
        for position, tier in enumerate(order):
            inside = list(self.tiers[tier])
            if tier in self.closed and len(inside) > 1:
                self._connect(0, inside, inside, self.forbidden)
            if tier in self.only_next:
                for later in order[position + 2 :]:
                    self._connect(0, inside, list(self.tiers[later]), self.forbidden)
        return Knowledge(
            tiers=[tuple(self.tiers[tier]) for tier in order if self.tiers[tier]],
            forbidden=tuple(self.forbidden),
            required=tuple(self.required),
        )


def _refuse_half(waiting: tuple[int, list[str]] | None) -> None:
    if waiting is not None:
        raise _wrong(
            waiting[0], _("the group has no second line."), _("Give the variables that the edges lead to.")
        )


def _tokens(line: str) -> list[str]:
    return [quoted or plain for quoted, plain in _TOKEN.findall(line)]


def _with_periods(name: str) -> str:
    return name.replace(" ", ".")


def _wrong(number: int, problem: str, remedy: str) -> UnreadableFile:
    return UnreadableFile(problem, place=_("line {number:,}", number=number) if number else "", remedy=remedy)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def tetrad_text(knowledge: Knowledge) -> str:
    """Write knowledge as Tetrad reads it; a tier all of whose direct edges are forbidden gets a star.

    >>> print(tetrad_text(Knowledge(tiers=[["age"], ["work load"]], required=[("age", "work load")])), end="")
    /knowledge
    addtemporal
    0 age
    1 "work load"
    <BLANKLINE>
    forbiddirect
    <BLANKLINE>
    requiredirect
    age "work load"
    """
    _check_writable(knowledge)
    forbidden = dict.fromkeys(knowledge.forbidden)
    lines = [HEADER, _TIERS]
    for position, tier in enumerate(knowledge.tiers):
        within = [(cause, effect) for cause in tier for effect in tier if cause != effect]
        is_closed = bool(within) and all(pair in forbidden for pair in within)
        for pair in within if is_closed else ():
            del forbidden[pair]
        if tier:
            lines.append(" ".join([f"{position}{STAR if is_closed else ''}", *map(_quoted, tier)]))
    lines += ["", _FORBIDDEN, *_edges(forbidden), "", _REQUIRED, *_edges(knowledge.required)]
    return "\n".join(lines) + "\n"


def _edges(pairs: Iterable[Pair]) -> Iterator[str]:
    for cause, effect in pairs:
        yield f"{_quoted(cause)} {_quoted(effect)}"


def _quoted(name: str) -> str:
    is_plain = not _NEEDS_QUOTES.search(name) and not name.startswith(_COMMENT)
    return name if is_plain and name.lower() not in SECTIONS else f'"{name}"'


def _check_writable(knowledge: Knowledge) -> None:
    remedy = _("Write a file that ends in .json.")
    if knowledge.not_effects or knowledge.unconfounded:
        problem = (
            _("Tetrad's format cannot hold variables that cannot be effects.")
            if knowledge.not_effects
            else _("Tetrad's format cannot hold pairs without an unmeasured common cause.")
        )
        raise InvalidParameter(problem, place=PLACE, remedy=remedy)
    for name in knowledge.names:
        if any(character in name for character in ('"', STAR, "\n", "\r")) or len(name.splitlines()) > 1:
            raise InvalidParameter(
                _("Tetrad's format cannot hold the name {name!r}.", name=name), place=PLACE, remedy=remedy
            )


FORMAT = "clcd-knowledge"
SCHEMA_VERSION = 1
PARTS = ("tiers", "forbidden", "required", "not_effects", "unconfounded")
_HEAD = ("format", "schema_version")
# Knowledge is typed or drawn by people: a larger file is something else.
_MOST_BYTES = 16 << 20
_NO_KNOWLEDGE = N_("this is not a file of background knowledge.")
_REMEDY = N_("A file of knowledge is JSON with 'tiers', 'forbidden', 'required' and so on, or Tetrad's text.")
ENDINGS = {".json": "JSON", ".txt": N_("Tetrad's text")}


def knowledge_object(knowledge: Knowledge) -> dict[str, Any]:
    """Return knowledge as plain lists and texts, for JSON."""
    parts: dict[str, list[Any]] = {
        part: [entry if isinstance(entry, str) else list(entry) for entry in getattr(knowledge, part)]
        for part in PARTS
    }
    return {"format": FORMAT, "schema_version": SCHEMA_VERSION, **parts}


def knowledge_from_object(value: Any) -> Knowledge:
    """Make knowledge of what :func:`knowledge_object` returned, with every member checked."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise UnreadableFile(
            _(_NO_KNOWLEDGE), remedy=_('Give it the member "format": "{format}".', format=FORMAT)
        )
    version = value.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool | float):
        raise UnreadableFile(
            _(
                "its 'schema_version' is {version}, this program reads {known}.",
                version=_short(version),
                known=SCHEMA_VERSION,
            ),
            remedy=_(FROM_NEWER_PROGRAM),
        )
    for key in value:
        if key not in (*_HEAD, *PARTS):
            raise UnreadableFile(
                _("its member {member} is not known.", member=_short(key)), remedy=choose_among(PARTS)
            )
    return Knowledge(**{part: value[part] for part in PARTS if part in value})


def read_knowledge(path: str | Path, names: Sequence[str] | None = None) -> Knowledge:
    """Read background knowledge from a JSON file, or from a text file as Tetrad writes it.

    Parameters
    ----------
    path : str or path
        The file. Its content shows which format it has.
    names : sequence of str, optional
        Variables of the table, for example ``dataset.names``. The file may name no others. Patterns in a file
        of Tetrad are matched with these names.

    Returns
    -------
    Knowledge
        The background knowledge of the file.

    Raises
    ------
    UnreadableFile
        If the file cannot be opened, has neither format, contradicts itself, or names other variables.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_knowledge(Knowledge(tiers=[["age"], ["cough"]]), f"{folder}/order.txt")
    ...     read_knowledge(f"{folder}/order.txt", ["age", "cough", "sleep"]).tiers
    (('age',), ('cough',))
    """
    file = required_path(path)
    place = f"'{path}'"
    text = _text(file, place)
    try:
        knowledge = _parsed(text, file, names)
        if names is not None:
            knowledge.check_names(names)
    except EngineError as error:
        inside = f", {error.place}" if error.place.startswith("line ") else ""
        raise UnreadableFile(error.problem, place=place + inside, remedy=error.remedy) from error
    return knowledge


def write_knowledge(knowledge: Knowledge, path: str | Path) -> None:
    """Write background knowledge to a file, completely or not at all.

    Parameters
    ----------
    knowledge : Knowledge
        The background knowledge.
    path : str or path
        The file. Its name ends in ``.json``, or in ``.txt`` for the format of Tetrad.

    Raises
    ------
    InvalidParameter
        If the name ends otherwise, the format of Tetrad cannot hold the statements, or `knowledge` has
        another type.
    UnwritableFile
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_knowledge(Knowledge(not_effects=["age"]), f"{folder}/known.json")
    ...     read_knowledge(f"{folder}/known.json").not_effects
    ('age',)
    """
    require_type(knowledge, Knowledge, "knowledge")
    ending = required_path(path).suffix.lower()
    if ending not in ENDINGS:
        endings = either([f"{name_ending} ({_(title)})" for name_ending, title in ENDINGS.items()])
        raise InvalidParameter(
            _("it is not clear how to write it."),
            place=f"'{path}'",
            remedy=_("Let the name end in {endings}.", endings=endings),
        )
    if ending == ".json":
        write_text(path, _json_text(knowledge))
    else:
        write_text(path, tetrad_text(knowledge))


def _json_text(knowledge: Knowledge) -> str:
    """Write a member a line, so that two files can be compared."""
    members = (
        f"{json.dumps(key)}: {json.dumps(member, ensure_ascii=False)}"
        for key, member in knowledge_object(knowledge).items()
    )
    return "{\n" + ",\n".join(members) + "\n}\n"


def _text(file: Path, place: str) -> str:
    try:
        check_openable(file)
        with file.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except IsADirectoryError:
        raise UnreadableFile(_("this is a folder."), place=place, remedy=_("Name a file.")) from None
    except FileNotFoundError:
        raise UnreadableFile(_(NOT_THERE), place=place, remedy=_("Check the name.")) from None
    except OSError as error:
        raise UnreadableFile(_(CANNOT_BE_OPENED), place=place, remedy=_("Check the name.")) from error
    if len(content) > _MOST_BYTES:
        raise UnreadableFile(_("the file is too large for knowledge."), place=place, remedy=_(_REMEDY))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            _("the text is not UTF-8 (byte {byte:,}).", byte=error.start + 1),
            place=place,
            remedy=_("Save it as UTF-8."),
        ) from None
    if not text.strip():
        raise UnreadableFile(_(EMPTY), place=place, remedy=_(_REMEDY))
    return text


def _parsed(text: str, file: Path, names: Sequence[str] | None) -> Knowledge:
    begin = text.lstrip()
    if begin[0] in "{[" or file.suffix.lower() == ".json":
        return knowledge_from_object(_loaded(text))
    lines = (line.strip().lower() for line in begin.splitlines())
    first = next((line for line in lines if line and not line.startswith("//")), "")
    if first.startswith(HEADER) or first in SECTIONS:
        return read_tetrad(text, names)
    raise UnreadableFile(_(_NO_KNOWLEDGE), remedy=_(_REMEDY))


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            _(NOT_JSON_BECAUSE, reason=error.msg[:1].lower() + error.msg[1:]),
            place=_("line {number:,}", number=error.lineno),
            remedy=_("Correct the line."),
        ) from None
    except RecursionError:
        raise UnreadableFile(_(TOO_DEEP), remedy=_(_REMEDY)) from None
    except ValueError:
        # Python refuses to read whole numbers of thousands of digits.
        raise UnreadableFile(_("a number in it is too long."), remedy=_(_REMEDY)) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise UnreadableFile(
            _("its member {member} stands twice.", member=_short(twice)), remedy=_(REMOVE_ONE_OF_TWO)
        )
    return members


def _refuse_constant(text: str) -> NoReturn:
    raise UnreadableFile(_("{text} is not a value in JSON.", text=text), remedy=_("Remove it."))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
