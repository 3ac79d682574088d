"""The bytes of a file, unpacked when packed, and the text that they encode."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import lzma
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedIOBase, BufferedReader, BytesIO
from pathlib import Path
from typing import Any, cast

from engine.atomic import is_pipe_or_device
from engine.errors import UnreadableFile
from engine.table.zip_damage import DAMAGED_ENTRY, DAMAGED_ZIP
from engine.translation import _
from engine.wording.phrases import plain_listing
from engine.wording.sentences import (
    CHECK_PATH,
    COPY_TO_LOCAL_DISK,
    COULD_NOT_BE_READ,
    EMPTY,
    FETCH_AGAIN,
    NOT_THERE,
    OPEN_SMALLER_TABLE,
)

CHUNK = 1 << 20
"""Bytes read at once."""

MAX_BYTES = 2 << 30
"""Largest table, unpacked, that is taken into memory: 2 GiB."""

MAX_RATIO = 250
"""A packed file that grows by more than this once past `RATIO_FROM` is taken for a bomb."""

RATIO_FROM = 256 << 20
"""Unpacked bytes up to which any ratio is accepted: 256 MiB hurt nobody."""

MAX_LINES = 20_000_000
"""Most lines of a text table that is taken into memory."""

LONGEST_LINE = 16 << 20
"""Bytes of a line of a text table: a million cells."""

PACKED = (".gz", ".bz2", ".xz", ".zip")
"""Endings of files that are unpacked when they are read."""

_NOTHING = b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"
# What packed files begin with, and what unpacks them as they are read.
_UNPACKED_BY: tuple[tuple[re.Pattern[bytes], Callable[[Any], Any]], ...] = (
    (re.compile(b"\x1f\x8b"), lambda file: gzip.GzipFile(fileobj=file)),
    (re.compile(b"BZh[1-9]1AY&SY"), bz2.BZ2File),
    (re.compile(b"\xfd7zXZ\x00"), lzma.LZMAFile),
)
_LONGEST_MAGIC = 10
_ENCRYPTED = 0x1
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Source:
    """One file on disk."""

    path: Path

    @property
    def place(self) -> str:
        """The file as error messages name it."""
        return _("file '{name}'", name=self.path.name)

    @property
    def extension(self) -> str:
        """Return the lower-case extension of the format, without ``.gz``, ``.zip`` or the like."""
        suffixes = [suffix.lower() for suffix in self.path.suffixes[-2:]]
        if not suffixes or suffixes[-1] not in PACKED:
            return suffixes[-1] if suffixes else ""
        if len(suffixes) > 1:
            return suffixes[0]
        if suffixes != [".zip"]:
            return ""
        try:
            self._refuse_what_is_no_file()
            with zipfile.ZipFile(self.path) as archive:
                return Path(self._only_file(archive).filename).suffix.lower()
        except (*DAMAGED_ZIP, OSError):
            # Whoever reads it says what is wrong with it.
            return ""

    @property
    def is_packed(self) -> bool:
        """Whether the file is unpacked as it is read; raises OSError where it cannot be read."""
        if self.path.suffix.lower() == ".zip":
            return True
        with self.path.open("rb") as file:
            return _unpacked(file, file.peek(_LONGEST_MAGIC)) is not None

    def read(self, line_limit: int | None = None) -> tuple[bytes, bool]:
        """Read the file, or a beginning of at least `line_limit` whole lines, or of few very long ones."""
        with self._explaining():
            self._refuse_what_is_no_file()
            with self.path.open("rb") as file, ExitStack() as unpacking:
                chunks, complete = self._chunks(file, unpacking, line_limit)
        content = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        if not content[:CHUNK].strip(_NOTHING) and not content.strip(_NOTHING):
            raise UnreadableFile(_(EMPTY), place=self.place, remedy=_("Choose a file that holds a table."))
        if not complete:
            content = content[: content.rfind(b"\n") + 1]
        return content, complete

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say what is wrong with the file where it cannot be read or unpacked."""
        try:
            yield
        except (
            EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile, NotImplementedError,
            UnicodeDecodeError,
        ) as error:  # fmt: skip
            raise UnreadableFile(
                _("the packed file is damaged or cut off."),
                place=self.place,
                remedy=_(FETCH_AGAIN),
            ) from error
        except OSError as error:
            raise self._explain(error) from error
        except ValueError as error:
            # A path with the character 0 in it.
            raise self._explain(FileNotFoundError()) from error

    def unpacked(self, content: bytes) -> bytes:
        """Unpack content that is packed in itself, as R saves it, within the bounds of packed files."""
        with self._explaining():
            stream = _unpacked(BytesIO(content), content)
            if stream is None:
                return content
            total, chunks = 0, []
            while chunk := stream.read(CHUNK):
                chunks.append(chunk)
                total += len(chunk)
                self._check_size(total, len(content), packed=True)
        inner = b"".join(chunks)
        if _unpacked(BytesIO(inner), inner) is not None:
            raise UnreadableFile(
                _("it is packed several times."),
                place=self.place,
                remedy=_("Unpack it, and open the result."),
            )
        return inner

    def _chunks(
        self, file: BufferedReader, unpacking: ExitStack, line_limit: int | None
    ) -> tuple[list[bytes], bool]:
        """Return the content of an open file, unpacked, up to a number of lines, and whether that is all."""
        size = os.fstat(file.fileno()).st_size
        if self.path.suffix.lower() == ".zip":
            stream = self._inside(unpacking.enter_context(zipfile.ZipFile(file)), unpacking)
        else:
            stream = _unpacked(file, file.peek(_LONGEST_MAGIC)) or file
        packed = stream is not file
        chunks: list[bytes] = []
        if not packed and line_limit is None:
            self._check_size(size, size, packed)
            # In one piece, so that it is held once.
            chunks.append(stream.read())
        total = lines = 0
        while chunk := stream.read(CHUNK):
            chunks.append(chunk)
            total += len(chunk)
            self._check_size(total, size, packed)
            if line_limit is not None:
                lines += chunk.count(b"\n")
                # Of lines of many thousands of cells a few are enough.
                is_long = lines >= _FEWEST_LONG and total > max(lines * _LONG_LINE, _MOST_OF_LONG)
                if (lines >= line_limit or is_long) and stream.read(1):
                    return chunks, False
        return chunks, True

    def _refuse_what_is_no_file(self) -> None:
        """Open no pipe and no device: whoever reads from them may wait for ever."""
        if is_pipe_or_device(self.path):
            raise UnreadableFile(
                _("this is a pipe or a device, not a file."),
                place=self.place,
                remedy=_("Save what comes from it to a file, and open that."),
            )

    def beginning(self, length: int = 64) -> bytes:
        """Return the first bytes, unpacked; none where they cannot be read (the reader says why)."""
        try:
            self._refuse_what_is_no_file()
            if self.path.suffix.lower() == ".zip":
                with zipfile.ZipFile(self.path) as archive, archive.open(self._only_file(archive)) as inner:
                    return inner.read(length)
            with self.path.open("rb") as file:
                return (_unpacked(file, file.peek(_LONGEST_MAGIC)) or file).read(length)
        except (*DAMAGED_ENTRY, UnreadableFile):
            return b""

    def _inside(self, archive: zipfile.ZipFile, unpacking: ExitStack) -> BufferedIOBase:
        """Open the file inside a zip file."""
        inner = self._only_file(archive)
        if inner.flag_bits & _ENCRYPTED:
            raise UnreadableFile(
                _("the zip file is protected by a password."),
                place=self.place,
                remedy=_("Unpack it yourself and open what is inside."),
            )
        return cast(BufferedIOBase, unpacking.enter_context(archive.open(inner)))

    def _only_file(self, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
        """Return the one file that a zip file holds, beside what macOS adds."""
        inner = [
            entry
            for entry in archive.infolist()
            if not entry.is_dir()
            and not entry.filename.startswith("__MACOSX/")
            and Path(entry.filename).name != ".DS_Store"
        ]
        if len(inner) == 1:
            return inner[0]
        names = plain_listing([entry.filename for entry in inner], _MOST_NAMED)
        raise UnreadableFile(
            _("the zip file holds {count} files: {names}.", count=len(inner), names=names)
            if inner
            else _("the zip file holds no file."),
            place=self.place,
            remedy=_("Unpack it and open the table inside."),
        )

    def check_unpacked(self, total: int, size: int) -> None:
        """Refuse what grows by unpacking as no real table does."""
        if total > RATIO_FROM and total > size * MAX_RATIO:
            raise UnreadableFile(
                _(
                    "it unpacks to more than {max_ratio} times its size, which a real table does not.",
                    max_ratio=MAX_RATIO,
                ),
                place=self.place,
                remedy=_("If you trust it, unpack it yourself and open the result."),
            )

    def _check_size(self, total: int, size: int, packed: bool) -> None:
        if packed:
            self.check_unpacked(total, size)
        if total > MAX_BYTES:
            raise UnreadableFile(
                _("the table is larger than {max_bytes} GB.", max_bytes=MAX_BYTES >> 30),
                place=self.place,
                remedy=_(OPEN_SMALLER_TABLE),
            )

    def _explain(self, error: OSError) -> UnreadableFile:
        if isinstance(error, FileNotFoundError):
            return UnreadableFile(_(NOT_THERE), place=self.place, remedy=_(CHECK_PATH, path=self.path))
        if isinstance(error, IsADirectoryError) or (error.errno == errno.EACCES and self.path.is_dir()):
            return UnreadableFile(
                _("this is a directory, not a file."),
                place=f"'{self.path}'",
                remedy=_("Choose a file inside it."),
            )
        if isinstance(error, PermissionError):
            return UnreadableFile(
                _("it may not be read."),
                place=self.place,
                remedy=_("Ask its owner for the right to read it, or open a copy."),
            )
        reason = error.strerror or str(error)
        return UnreadableFile(
            _(COULD_NOT_BE_READ, reason=reason), place=self.place, remedy=_(COPY_TO_LOCAL_DISK)
        )


def _unpacked(file: BufferedReader | BytesIO, beginning: bytes) -> BufferedIOBase | None:
    """Return what unpacks an open file as it is read; None where it is not packed."""
    unpackers = (unpack for magic, unpack in _UNPACKED_BY if magic.match(beginning))
    unpack = next(unpackers, None)
    return None if unpack is None else cast(BufferedIOBase, unpack(file))


def refuse_unusual_lines(content: bytes, place: str) -> None:
    """Refuse text of too many lines, or with one that is too long, before work is begun on it."""
    if content.count(b"\n") > MAX_LINES:
        raise too_many_lines(place)
    begin = 0
    while len(content) - begin > LONGEST_LINE:
        feed = content.rfind(b"\n", begin, begin + LONGEST_LINE + 1)
        if feed < 0:
            raise line_too_long(place)
        begin = feed + 1


def too_many_lines(place: str) -> UnreadableFile:
    """Make the error for text of more lines than are taken into memory."""
    return UnreadableFile(
        _("it has more than {max_lines:,} lines.", max_lines=MAX_LINES),
        place=place,
        remedy=_("Open a sample of its rows."),
    )


def line_too_long(place: str) -> UnreadableFile:
    """Make the error for a line that no table has."""
    return UnreadableFile(
        _("a line is longer than {longest_line} MB.", longest_line=LONGEST_LINE >> 20),
        place=place,
        remedy=_("Save the table with one row a line, and its variables as columns."),
    )


_FEWEST_LONG, _LONG_LINE, _MOST_OF_LONG = 20, 1 << 14, 4 << 20

# A declaration or a comment, or the tag of an element: closed, or with an attribute.
_MARKUP = re.compile(rb"<(?:[!?][A-Za-z-]|[A-Za-z][\w.:-]{0,99}(?P<tag>\s*/?>|\s+[\w.:-]{1,99}\s*=))")


def begins_like_markup(content: bytes) -> bool:
    """Tell whether a file begins as XML and HTML do.

    A heading may begin with the same character: "<5 mg", or "<none>", which closes nothing further on.

    >>> begins_like_markup(b"<html><body></body></html>"), begins_like_markup(b"<5 mg,age")
    (True, False)
    """
    match = _MARKUP.match(content.lstrip(b"\xef\xbb\xbf \t\r\n"))
    return match is not None and (match["tag"] is None or b"</" in content or b"/>" in content)


_KEY_BYTES = 4 << 20


def content_key(path: Path) -> str:
    """Return what tells a file from any other by what is in it: hash of its size, beginning and end."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        digest = hashlib.blake2b(str(size).encode(), digest_size=16)
        digest.update(file.read(_KEY_BYTES))
        file.seek(max(size - _KEY_BYTES, 0))
        digest.update(file.read(_KEY_BYTES))
    return digest.hexdigest()
