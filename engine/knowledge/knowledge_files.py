"""Knowledge in files: JSON of our own, and the text of Tetrad."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from engine.atomic import check_openable, write_text
from engine.errors import EngineError, InvalidParameter, UnreadableFile
from engine.knowledge.knowledge import Knowledge
from engine.knowledge.tetrad import HEADER, SECTIONS, read_tetrad, tetrad_text
from engine.parameters import require_type, required_path
from engine.wording.sentences import (
    CANNOT_BE_OPENED,
    EMPTY,
    FROM_NEWER_PROGRAM,
    NOT_THERE,
    REMOVE_ONE_OF_TWO,
    TOO_DEEP,
    choose_among,
)

FORMAT = "clcd-knowledge"
SCHEMA_VERSION = 1
PARTS = ("tiers", "forbidden", "required", "not_effects", "unconfounded")
_HEAD = ("format", "schema_version")
# Knowledge is typed or drawn by people: a larger file is something else.
_MOST_BYTES = 16 << 20
_NO_KNOWLEDGE = "this is no file of knowledge."
_REMEDY = "A file of knowledge is JSON with 'tiers', 'forbidden', 'required' and so on, or Tetrad's text."
ENDINGS = {".json": "JSON", ".txt": "Tetrad's text"}


def knowledge_object(knowledge: Knowledge) -> dict[str, Any]:
    """Return knowledge as plain lists and texts, for JSON."""
    parts: dict[str, list[Any]] = {
        part: [each if isinstance(each, str) else list(each) for each in getattr(knowledge, part)]
        for part in PARTS
    }
    return {"format": FORMAT, "schema_version": SCHEMA_VERSION, **parts}


def knowledge_from_object(value: Any) -> Knowledge:
    """Make knowledge of what :func:`knowledge_object` returned, with every member checked."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise UnreadableFile(_NO_KNOWLEDGE, remedy=f'Give it the member "format": "{FORMAT}".')
    version = value.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool | float):
        raise UnreadableFile(
            f"its 'schema_version' is {_short(version)}, this program reads {SCHEMA_VERSION}.",
            remedy=FROM_NEWER_PROGRAM,
        )
    for key in value:
        if key not in (*_HEAD, *PARTS):
            raise UnreadableFile(f"its member {_short(key)} is not known.", remedy=choose_among(PARTS))
    return Knowledge(**{part: value[part] for part in PARTS if part in value})


def read_knowledge(path: str | Path, names: Sequence[str] | None = None) -> Knowledge:
    """Read a file of knowledge, in JSON or in Tetrad's text, whichever it is.

    Parameters
    ----------
    path : str or path
    names : sequence of str, optional
        The variables of the table, for example ``dataset.names``. What the file names must be among them, and
        patterns in Tetrad's text are resolved by them.

    Returns
    -------
    Knowledge

    Raises
    ------
    UnreadableFile
        When the file cannot be opened, is in no such format, contradicts itself, or names other variables.

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
    """Write knowledge to a file, whole or not at all.

    Parameters
    ----------
    knowledge : Knowledge
    path : str or path
        A name that ends in ``.json``, or in ``.txt`` for Tetrad's text.

    Raises
    ------
    InvalidParameter
        When the name ends otherwise, Tetrad's text cannot hold what is said, or this is no knowledge.
    UnwritableFile
        When the file cannot be written.

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
        known = " or ".join(f"{each} ({title})" for each, title in ENDINGS.items())
        raise InvalidParameter(
            "it is not clear how to write it.", place=f"'{path}'", remedy=f"Let the name end in {known}."
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
            found = opened.read(_MOST_BYTES + 1)
    except IsADirectoryError:
        raise UnreadableFile("this is a folder.", place=place, remedy="Name a file.") from None
    except FileNotFoundError:
        raise UnreadableFile(NOT_THERE, place=place, remedy="Check the name.") from None
    except OSError as error:
        raise UnreadableFile(CANNOT_BE_OPENED, place=place, remedy="Check the name.") from error
    if len(found) > _MOST_BYTES:
        raise UnreadableFile("the file is too large for knowledge.", place=place, remedy=_REMEDY)
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            f"the text is not UTF-8 (byte {error.start + 1:,}).", place=place, remedy="Save it as UTF-8."
        ) from None
    if not text.strip():
        raise UnreadableFile(EMPTY, place=place, remedy=_REMEDY)
    return text


def _parsed(text: str, file: Path, names: Sequence[str] | None) -> Knowledge:
    begin = text.lstrip()
    if begin[0] in "{[" or file.suffix.lower() == ".json":
        return knowledge_from_object(_loaded(text))
    lines = (line.strip().lower() for line in begin.splitlines())
    first = next((line for line in lines if line and not line.startswith("//")), "")
    if first.startswith(HEADER) or first in SECTIONS:
        return read_tetrad(text, names)
    raise UnreadableFile(_NO_KNOWLEDGE, remedy=_REMEDY)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            f"this is not JSON ({error.msg[:1].lower()}{error.msg[1:]}).",
            place=f"line {error.lineno:,}",
            remedy="Correct the line.",
        ) from None
    except RecursionError:
        raise UnreadableFile(TOO_DEEP, remedy=_REMEDY) from None
    except ValueError:
        # Python refuses to read whole numbers of thousands of digits.
        raise UnreadableFile("a number in it is too long.", remedy=_REMEDY) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise UnreadableFile(f"its member {_short(twice)} stands twice.", remedy=REMOVE_ONE_OF_TWO)
    return found


def _refuse_constant(text: str) -> NoReturn:
    raise UnreadableFile(f"{text} is no value in JSON.", remedy="Remove it.")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
