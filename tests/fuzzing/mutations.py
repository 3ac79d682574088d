"""Damages files: bytes, words and lines of any, values of JSON, and what lies inside packed files."""

from __future__ import annotations

import bz2
import contextlib
import copy
import gzip
import io
import json
import lzma
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

HUGE = "9" * 5000
_DEEP = 3000
_NASTY = (
    "NaN", "nan", "inf", "-Infinity", "1e400", "-1e400", "1e-400", "1e308", "-0", "0", "-1", "1.5", "0x10",
    "1_000", "१२", "1" + "0" * 20, "9" * 400, HUGE, "2147483648", "-9223372036854775809", "4294967296",
    '"', "'", '""', "\\", "\\'", "\\u0000", "\\ud800", "\0", "\ufeff", "\u2028", "\x1a", "\r", "\n", "\r\n",
    "\t", " ", "", ",", ";", "|", ":", "=", "?", "%", "#", "&", "&amp;", "&#0;", "<", ">", "<!--", "]]>",
    "{", "}", "[", "]", "(", ")", "{}", "[]", "()", "[" * _DEEP, "{" * 50, "(" * _DEEP, "<a>" * _DEEP,
    "../", "../../x", "C:\\x", "nul\0.csv", "x" * 300, "é", "\u202e", "😀", "null", "true", "false", "None",
    "2024-02-30", "12:61", "1,5", "1.000,5", "@data", "@attribute a {x}", "@relation", "-C 99999999999",
    "<!DOCTYPE x [<!ENTITY e 'x'>]>", "&e;", "__class__", "__proto__", "%s", "{0}", "$(x)", "a b", "a,b",
)  # fmt: skip
NASTY = (*(text.encode() for text in _NASTY), b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xed\xa0\x80", b"\x80")
"""What readers stumble over: numbers of any size, marks, halves of letters, depth, paths, other notations."""

_SLIGHT = 0.3
"""Share of files that are only slightly changed, so that what comes behind the first check is tried too."""

_DIGIT = re.compile(rb"[0-9]")
_GAP = re.compile(rb"(?<=[>,;{}\[\]\n])")
_WORD = re.compile(rb"[^\s,;:=<>{}()\[\]\"'|]+|[,;:=<>{}()\[\]\"'|]")
_LONGEST = 1 << 17
_BIG = "\0 a number that JSON of Python will not write \0"
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 0.5, 1e308, -1e-320, float("nan"), float("inf"), -float("inf"), 10**20,
    10**400, -(2**63) - 1, _BIG, "", "a", "\0", "\ud800", "😀", "NaN", "../x", "/", "x" * 300, "0", "1e999",
    [], {}, [[]], [None], {"": ""}, [0, 0], ["a", "a"], {"a": None},
)  # fmt: skip

Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def damaged(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """Return a file with one to several faults.

    Parameters
    ----------
    chance : Random
    content : bytes
        A file that is whole.
    others : sequence of bytes
        Files from which parts are taken.
    """
    is_slight = chance.random() < _SLIGHT
    if is_slight and not _is_packed(content):
        return _slightly(chance, content)
    structured = _structured(chance, content, others) if is_slight or chance.random() < 0.7 else None
    if structured is not None:
        return structured[: 2 * _LONGEST]
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        content = chance.choice(_BYTES)(chance, content, others)[:_LONGEST]
    return content


def _structured(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes | None:
    """Damage what is inside of a file whose outside is kept; None where it has no inside."""
    if content[:2] == b"PK":
        return _in_zip(chance, content, others)
    for magic, packed, unpacked in _PACKED:
        if content.startswith(magic):
            return packed(damaged(chance, unpacked(content), [unpacked(content)]))
    if content.lstrip()[:1] in (b"{", b"["):
        return _in_json(chance, content, others)
    return None


def _fast_gzip(content: bytes) -> bytes:
    return gzip.compress(content, 1)


_PACKED: tuple[tuple[bytes, Callable[[bytes], bytes], Callable[[bytes], bytes]], ...] = (
    (b"\x1f\x8b", _fast_gzip, gzip.decompress),
    (b"BZh", bz2.compress, bz2.decompress),
    (b"\xfd7zXZ", lzma.compress, lzma.decompress),
)


def _is_packed(content: bytes) -> bool:
    return content.startswith((b"PK", *(magic for magic, _, _ in _PACKED)))


def _slightly(chance: random.Random, content: bytes) -> bytes:
    """Change a digit, a bit of no great weight or a gap: what results is often a whole file."""
    if b"\0" in content:
        changed = bytearray(content)
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(4)
        return bytes(changed)
    digits = [match.start() for match in _DIGIT.finditer(content)]
    if digits and chance.random() < 0.5:
        place = chance.choice(digits)
        return content[:place] + str(chance.randrange(10)).encode() + content[place + 1 :]
    gaps = [match.start() for match in _GAP.finditer(content)] or [len(content)]
    place = chance.choice(gaps)
    return content[:place] + chance.choice((b" ", b"\n", b"\r\n", b"  ", b"\t")) + content[place:]


def _in_zip(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes | None:
    packed = io.BytesIO()
    with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        which = chance.choice(names)
        with zipfile.ZipFile(packed, "w") as new:
            for name in names:
                member = archive.read(name)
                if name != which:
                    new.writestr(name, member)
                elif (deed := chance.random()) < 0.9:
                    new.writestr(name, damaged(chance, member, [archive.read(entry) for entry in names]))
                elif deed < 0.95:
                    new.writestr(f"../{name}", member)
        return packed.getvalue()
    return None


def _in_json(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        places = list(_places(value))
        if not places:
            return None
        holder, key = chance.choice(places)
        deed = chance.random()
        if deed < 0.55:
            holder[key] = copy.deepcopy(chance.choice(_VALUES))
        elif deed < 0.7:
            source, at = chance.choice(places)
            # A copy, as a value that holds itself cannot be written.
            holder[key] = copy.deepcopy(source[at])
        elif deed < 0.8:
            del holder[key]
        elif deed < 0.9 and isinstance(holder, dict):
            holder[chance.choice(("", "a", "\0", "\ud800", "__class__", "1e400", *holder))] = holder.pop(key)
        else:
            holder[key] = [holder[key], holder[key]]
    return json.dumps(value).replace(json.dumps(_BIG), HUGE).encode()


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every value inside a value, as what holds it and the key there."""
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict | list):
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            places += [(holder, key) for key in keys]
            waiting += [holder[key] for key in keys]
    return places


def _span(chance: random.Random, content: bytes) -> tuple[int, int]:
    start = chance.randrange(len(content) + 1)
    return start, min(len(content), start + int(2 ** (chance.random() * 9)))


def _flip(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 4, 16)) if content else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _random_bytes(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _span(chance, content)
    return content[:start] + chance.randbytes(min(end - start, 16)) + content[end:]


def _delete(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _span(chance, content)
    return content[:start] + content[end:]


def _duplicate(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _span(chance, content)
    return content[:end] + content[start:end] * chance.choice((1, 1, 2, 10, 100)) + content[end:]


def _truncate(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _splice(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    source = chance.choice(others)
    start, end = _span(chance, source)
    at, until = _span(chance, content)
    return content[:at] + source[start:end] + content[chance.choice((at, until)) :]


def _nasty(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(NASTY) + content[at:]


def _swap_word(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    words = [match.span() for match in _WORD.finditer(content)]
    if not words:
        return content
    start, end = chance.choice(words)
    first, last = chance.choice(words)
    new = chance.choice((chance.choice(NASTY), chance.choice(NASTY), content[first:last]))
    return content[:start] + new + content[end:]


def _move_line(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    lines = content.split(b"\n")
    line = lines.pop(chance.randrange(len(lines)))
    for _ in range(chance.choice((1, 1, 2, 50))):
        lines.insert(chance.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


_BYTES: tuple[Mutation, ...] = (
    _flip, _random_bytes, _delete, _duplicate, _truncate, _splice, _nasty, _swap_word, _swap_word, _swap_word,
    _move_line,
)  # fmt: skip
