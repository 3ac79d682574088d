r"""The header of an ARFF file: relation, attributes and where the data begin.

The format is described in the Weka manual (Attribute-Relation File Format). Names and values may be
quoted with ``'`` or ``"``; a backslash protects the character behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import UnreadableFile

QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""

_DATA = re.compile(r"^[ \t]*@data\b[^\n]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_RELATION = re.compile(rf"@relation\s+({QUOTED}|.*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rf"@attribute\s+(?P<name>{QUOTED}|[^\s'\"{{][^\s]*?)(?:\s+|(?=\{{))(?P<type>\S.*)", re.IGNORECASE
)
_LEVEL = re.compile(rf"\s*({QUOTED}|[^,]*?)\s*(?:,|$)")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_NUMERIC = frozenset({"numeric", "real", "integer"})


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared column.

    Attributes
    ----------
    name : str
        Without quotes.
    type : str
        ``"numeric"``, ``"nominal"``, ``"string"`` or ``"date"``.
    levels : tuple of str
        Declared levels of a nominal attribute.
    """

    name: str
    type: str
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArffHeader:
    """What stands before the data.

    Attributes
    ----------
    relation : str
        Name of the relation; MEKA keeps options in it.
    attributes : tuple of Attribute
    data_offset : int
        Position in the text of the first character after the ``@data`` line.
    data_line : int
        Number of the line that begins there, counted from 1.
    """

    relation: str
    attributes: tuple[Attribute, ...]
    data_offset: int
    data_line: int


def parse_header(text: str, place: str) -> ArffHeader:
    """Read the header.

    Parameters
    ----------
    text : str
        The file, lines separated by line feeds.
    place : str
        The file as error messages name it.

    Returns
    -------
    ArffHeader

    Raises
    ------
    UnreadableFile
        When there is no ``@data`` line, no attribute, or a declaration that cannot be understood.
    """
    data = _DATA.search(text)
    end = data.start() if data else len(text)
    relation = ""
    attributes: list[Attribute] = []
    for number, line in enumerate(text[:end].split("\n"), start=1):
        line = line.strip()
        keyword = line[:10].lower()
        if keyword.startswith("@attribute"):
            attributes.append(_parse_attribute(line, f"{place}, line {number}"))
        elif keyword.startswith("@relation"):
            match = _RELATION.match(line)
            relation = unquote(match.group(1).strip()) if match else ""
        elif line and not line.startswith("%"):
            raise UnreadableFile(
                "this line belongs to no ARFF header.",
                place=f"{place}, line {number}",
                remedy="A header holds lines that begin with @relation, @attribute, @data or %.",
            )
    if data is None:
        raise UnreadableFile(
            "the line '@data' is missing, so the file is cut off or no ARFF file.",
            place=place,
            remedy="Download or copy it again.",
        )
    if not attributes:
        raise UnreadableFile("no attribute is declared.", place=place, remedy="Choose another file.")
    line_number = text.count("\n", 0, data.end()) + 1
    return ArffHeader(relation, tuple(attributes), data.end(), line_number)


def unquote(text: str) -> str:
    r"""Remove the quotes around a name or value and resolve its escapes.

    Examples
    --------
    >>> unquote(r"'Stellar\'s Jay'")
    "Stellar's Jay"
    """
    if len(text) >= 2 and text[0] in "'\"" and text[-1] == text[0]:
        return _ESCAPE.sub(_resolve, text[1:-1]) if "\\" in text else text[1:-1]
    return text


def _resolve(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return _ESCAPED.get(code, code)


def _parse_attribute(line: str, place: str) -> Attribute:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise UnreadableFile(
            "this attribute cannot be understood.",
            place=place,
            remedy="Write it as: @attribute name numeric, or: @attribute name {level, level}.",
        )
    name, kind = unquote(match["name"]), match["type"]
    if kind.startswith("{"):
        return Attribute(name, "nominal", _parse_levels(kind, place))
    word = kind.split()[0].lower()
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word in ("string", "date"):
        return Attribute(name, word)
    raise UnreadableFile(
        f"attributes of type '{word}' cannot be read.",
        place=place,
        remedy="Numeric, nominal, string and date attributes can.",
    )


def _parse_levels(declaration: str, place: str) -> tuple[str, ...]:
    end = declaration.rfind("}")
    if end < 0:
        raise UnreadableFile("the list of levels is not closed.", place=place, remedy="Add a '}'.")
    inner = declaration[1:end]
    levels: list[str] = []
    position = 0
    while position < len(inner):
        match = _LEVEL.match(inner, position)
        if match is None or match.end() == position:
            raise UnreadableFile(
                "the list of levels cannot be understood.",
                place=place,
                remedy="Quote levels that hold commas or quotes.",
            )
        levels.append(unquote(match.group(1)))
        position = match.end()
    return tuple(dict.fromkeys(level for level in levels if level != ""))
