"""The text of a table, held in memory or left in its file, of which a part at a time is looked at."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.errors import UnreadableFile
from engine.readers.encodings import is_utf16, refuse_binary, utf8_guess
from engine.readers.reading import Guess
from engine.readers.source import CHUNK, MAX_BYTES, Source

_LEAST_LEFT_IN_FILE = 8 << 20
_END = b"\r\n\x1a"


class Content(Protocol):
    """Text in UTF-8, its lines separated by line feeds, none behind the last line."""

    def __len__(self) -> int:
        """Return the number of bytes."""

    def slice(self, start: int, end: int) -> bytes:
        """Return the text between two positions."""

    def behind(self, offset: int) -> Content:
        """Return the text behind a position."""


def parts_of(content: Content, size: int = CHUNK) -> Iterator[tuple[int, bytes]]:
    """Give the text part by part, each with its position."""
    for start in range(0, len(content), size):
        yield start, content.slice(start, min(start + size, len(content)))


@dataclass(frozen=True, slots=True)
class HeldText:
    """Text in memory.

    Attributes
    ----------
    text : bytes
    start : int
        Where it begins there.
    """

    text: bytes
    start: int = 0

    def __len__(self) -> int:
        return len(self.text) - self.start

    def slice(self, start: int, end: int) -> bytes:
        """Return the text between two positions."""
        return self.text[self.start + start : self.start + end]

    def behind(self, offset: int) -> HeldText:
        """Return the text behind a position."""
        return HeldText(self.text, self.start + offset)


@dataclass(frozen=True, slots=True)
class FileText:
    """Text that stays in its file, so that a table takes no more memory than its values.

    Attributes
    ----------
    source : Source
    start, end : int
        Where it begins and ends there.
    stamp : tuple of int
        Size and time of the file, by which a change is noticed.
    """

    source: Source
    start: int
    end: int
    stamp: tuple[int, int]

    def __len__(self) -> int:
        return self.end - self.start

    def slice(self, start: int, end: int) -> bytes:
        """Return the text between two positions.

        Raises
        ------
        UnreadableFile
            When the file is another one by now.
        """
        try:
            with self.source.path.open("rb") as file:
                if _stamp(file.fileno()) == self.stamp:
                    file.seek(self.start + start)
                    return file.read(end - start)
        except OSError:
            pass
        raise UnreadableFile(
            "it was changed while it was read.", place=self.source.place, remedy="Open it again."
        )

    def behind(self, offset: int) -> FileText:
        """Return the text behind a position."""
        return FileText(self.source, self.start + offset, self.end, self.stamp)


def left_in_file(source: Source, encoding: str | None) -> tuple[FileText, tuple[Guess, ...]] | None:
    """Leave the text of a large file where it is, if it can be read so.

    Parameters
    ----------
    source : Source
    encoding : str or None
        As it was told; None to infer it.

    Returns
    -------
    content : FileText
    guesses : tuple of Guess
        How the encoding was found; empty when it was given.

    None for a file that is small, packed, not in UTF-8, or has line ends of another kind.

    Raises
    ------
    UnreadableFile
        When the file is plainly not text.
    """
    if encoding not in (None, "utf-8"):
        return None
    try:
        size = source.path.stat().st_size if source.path.is_file() else 0
        if not _LEAST_LEFT_IN_FILE <= size <= MAX_BYTES or source.is_packed:
            return None
        with source.path.open("rb") as file:
            stamp = _stamp(file.fileno())
            head = file.read(CHUNK)
            if is_utf16(head):
                return None
            if encoding is None:
                refuse_binary(head, source.place)
            file.seek(0)
            is_ascii = _scan(iter(lambda: file.read(CHUNK), b""))
            end = _end_of_text(source.path, size)
    except (OSError, ValueError):
        # Whoever reads the whole file says what is wrong with it.
        return None
    if is_ascii is None or not end:
        return None
    marked = head.startswith(codecs.BOM_UTF8)
    start = len(codecs.BOM_UTF8) if marked else 0
    guesses = () if encoding is not None else (utf8_guess(marked, is_ascii),)
    return FileText(source, start, end, stamp), guesses


def _scan(parts: Iterator[bytes]) -> bool | None:
    """Tell whether text is plain ASCII; None where it is not UTF-8 or has carriage returns."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_ascii = True
    try:
        for part in parts:
            if b"\r" in part:
                return None
            if not (is_ascii and part.isascii()):
                is_ascii = False
                decoder.decode(part)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return None
    return is_ascii


def _end_of_text(path: Path, size: int) -> int:
    """Return where the text ends, without line ends and what DOS marks the end with."""
    with path.open("rb") as file:
        end = size
        while end:
            start = max(end - CHUNK, 0)
            file.seek(start)
            rest = file.read(end - start).rstrip(_END)
            if rest:
                return start + len(rest)
            end = start
    return 0


def _stamp(file: int) -> tuple[int, int]:
    found = os.fstat(file)
    return found.st_size, found.st_mtime_ns
