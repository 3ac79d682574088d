"""The bytes of a file, unpacked when gzipped, and the text that they encode."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import os
import re
import zipfile
import zlib
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import cast

from engine.errors import UnreadableFile
from engine.readers.reading import Guess
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
"""A gzip file that grows by more than this once past `RATIO_FROM` is taken for a bomb."""

RATIO_FROM = 256 << 20
"""Unpacked bytes up to which any ratio is accepted: 256 MiB hurt nobody."""

_GZIP_MAGIC = b"\x1f\x8b"
_PACKED = (".gz", ".zip")
_ENCRYPTED = 0x1
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Source:
    """One file on disk.

    Attributes
    ----------
    path : Path
        Its location.

    Examples
    --------
    >>> Source(Path("tables/emotions.arff.gz")).extension
    '.arff'
    """

    path: Path

    @property
    def place(self) -> str:
        """The file as error messages name it."""
        return f"file '{self.path.name}'"

    @property
    def extension(self) -> str:
        """Lower-case extension that tells the format; a trailing ``.gz`` or ``.zip`` is left out.

        Of a zip file whose own name tells nothing else it is that of the file inside.
        """
        suffixes = [suffix.lower() for suffix in self.path.suffixes[-2:]]
        if not suffixes or suffixes[-1] not in _PACKED:
            return suffixes[-1] if suffixes else ""
        if len(suffixes) > 1:
            return suffixes[0]
        return self._inner_extension() if suffixes == [".zip"] else ""

    def read(self, line_limit: int | None = None) -> tuple[bytes, bool]:
        """Read the whole file, or a beginning that holds at least `line_limit` whole lines.

        Parameters
        ----------
        line_limit : int, optional
            Stop early once this many lines are read; the cut falls behind a line.

        Returns
        -------
        content : bytes
        complete : bool
            Whether this is the whole file.

        Raises
        ------
        UnreadableFile
            When the file is absent, a directory, forbidden, empty, damaged or too large.
        """
        chunks: list[bytes] = []
        complete = True
        try:
            with self.path.open("rb") as file, ExitStack() as unpacking:
                is_zip = self.path.suffix.lower() == ".zip"
                packed = is_zip or file.peek(2)[:2] == _GZIP_MAGIC
                size = os.fstat(file.fileno()).st_size
                stream: BufferedIOBase = file
                if is_zip:
                    stream = self._inside(unpacking.enter_context(zipfile.ZipFile(file)), unpacking)
                elif packed:
                    stream = cast(BufferedIOBase, gzip.GzipFile(fileobj=file))
                total = lines = 0
                while chunk := stream.read(CHUNK):
                    chunks.append(chunk)
                    total += len(chunk)
                    self._check_size(total, size, packed)
                    if line_limit is not None:
                        lines += chunk.count(b"\n")
                        if lines >= line_limit and stream.read(1):
                            complete = False
                            break
        except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, NotImplementedError) as error:
            raise UnreadableFile(
                "the packed file is damaged or cut off.",
                place=self.place,
                remedy=FETCH_AGAIN,
            ) from error
        except OSError as error:
            raise self._explain(error) from error
        content = b"".join(chunks)
        if not content.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
            raise UnreadableFile(EMPTY, place=self.place, remedy="Choose a file that holds a table.")
        if not complete:
            content = content[: content.rfind(b"\n") + 1]
        return content, complete

    def beginning(self, length: int = 64) -> bytes:
        """Return the first bytes, unpacked; none where they cannot be read.

        Whoever reads the whole file meets what is wrong with it, and says so.
        """
        try:
            if self.path.suffix.lower() == ".zip":
                with zipfile.ZipFile(self.path) as archive, archive.open(self._only_file(archive)) as inner:
                    return inner.read(length)
            with self.path.open("rb") as file:
                start = file.read(length)
                if start[:2] != _GZIP_MAGIC:
                    return start
                file.seek(0)
                return gzip.GzipFile(fileobj=file).read(length)
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError):
            return b""

    def _inner_extension(self) -> str:
        try:
            with zipfile.ZipFile(self.path) as archive:
                return Path(self._only_file(archive).filename).suffix.lower()
        except (OSError, zipfile.BadZipFile):
            # Whoever reads it says what is wrong with it.
            return ""

    def _inside(self, archive: zipfile.ZipFile, unpacking: ExitStack) -> BufferedIOBase:
        """Open the file inside a zip file."""
        inner = self._only_file(archive)
        if inner.flag_bits & _ENCRYPTED:
            raise UnreadableFile(
                "the zip file is protected by a password.",
                place=self.place,
                remedy="Unpack it yourself and open what is inside.",
            )
        return cast(BufferedIOBase, unpacking.enter_context(archive.open(inner)))

    def _only_file(self, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
        """Return the one file that a zip file holds, beside what macOS adds.

        Raises
        ------
        UnreadableFile
            When it holds none, or several.
        """
        inner = [
            each
            for each in archive.infolist()
            if not each.is_dir()
            and not each.filename.startswith("__MACOSX/")
            and Path(each.filename).name != ".DS_Store"
        ]
        if len(inner) == 1:
            return inner[0]
        names = plain_listing([each.filename for each in inner], _MOST_NAMED)
        raise UnreadableFile(
            f"the zip file holds {len(inner)} files: {names}." if inner else "the zip file holds no file.",
            place=self.place,
            remedy="Unpack it and open the table inside.",
        )

    def _check_size(self, total: int, size: int, packed: bool) -> None:
        if packed and total > RATIO_FROM and total > size * MAX_RATIO:
            raise UnreadableFile(
                f"it unpacks to more than {MAX_RATIO} times its size, as no real table does.",
                place=self.place,
                remedy="If you trust it, unpack it yourself and open the result.",
            )
        if total > MAX_BYTES:
            raise UnreadableFile(
                f"the table is larger than {MAX_BYTES >> 30} GB.",
                place=self.place,
                remedy=OPEN_SMALLER_TABLE,
            )

    def _explain(self, error: OSError) -> UnreadableFile:
        if isinstance(error, FileNotFoundError):
            return UnreadableFile(NOT_THERE, place=self.place, remedy=CHECK_PATH.format(path=self.path))
        if isinstance(error, IsADirectoryError) or self.path.is_dir():
            return UnreadableFile(
                "this is a directory, not a file.",
                place=f"'{self.path}'",
                remedy="Choose a file inside it.",
            )
        if isinstance(error, PermissionError):
            return UnreadableFile(
                "it may not be read.",
                place=self.place,
                remedy="Ask its owner for the right to read it, or open a copy.",
            )
        reason = error.strerror or str(error)
        return UnreadableFile(
            COULD_NOT_BE_READ.format(reason=reason), place=self.place, remedy=COPY_TO_LOCAL_DISK
        )


def content_key(path: Path) -> str:
    """Return what tells a file from any other by what is in it: hash of its size, beginning and end.

    Raises
    ------
    OSError
        When the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     content_key(Path(file.name))
    '1240a4684403b160e6597a653a88f56c'
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        digest = hashlib.blake2b(str(size).encode(), digest_size=16)
        digest.update(file.read(_KEY_BYTES))
        file.seek(max(size - _KEY_BYTES, 0))
        digest.update(file.read(_KEY_BYTES))
    return digest.hexdigest()


_KEY_BYTES = 4 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SAVE_AS_CSV = "Save the table as CSV (UTF-8) and open that."
_BINARY_BEGINNINGS = (
    (b"PK\x03\x04", "an Excel, LibreOffice or zip file"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"PAR1", "a Parquet file"),
    (b"$FL2", "an SPSS file"),
    (b"$FL3", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file"),
    (b"\x89HDF", "an HDF5 or MATLAB file"),
    (b"\x1f\x8b", "a file that was gzipped twice"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-zip archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x80\x04\x95", "a Python pickle, which is never opened because it can run code"),
)

_OTHER_SCRIPTS = {
    "cp1251": "cp1251",
    "cp1253": "cp1253",
    "gb18030": "gb18030",
    "big5": "big5",
    "cp932": "shift_jis",
    "shift_jis": "shift_jis",
    "euc_kr": "euc-kr",
    "cp949": "euc-kr",
}
"""Encodings that charset-normalizer tells apart well, with the names under which they are offered."""

_LATIN_LETTERS = re.compile(rb"[A-Za-z]")
_WIDTHS = {"utf-16": 2, "utf-32": 4}
_SAMPLE = 1 << 16
_UNDEFINED_IN_CP1252 = frozenset(b"\x81\x8d\x8f\x90\x9d")


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded content.

    Attributes
    ----------
    content : str
        The text without a byte order mark.
    guesses : tuple of Guess
        How the encoding was found; empty when it was given.
    """

    content: str
    guesses: tuple[Guess, ...] = ()


def decode(raw: bytes, encoding: str | None, place: str, complete: bool = True) -> Text:
    """Turn the bytes of a text file into text.

    Parameters
    ----------
    raw : bytes
        Content of the file.
    encoding : str or None
        Name of a Python codec, or None to infer it.
    place : str
        The file as error messages name it.
    complete : bool
        False for the beginning of a file, whose last wide character may be cut.

    Returns
    -------
    Text

    Raises
    ------
    UnreadableFile
        When the bytes are no text, or not text in the given encoding.
    """
    marked, mark = _byte_order_mark(raw)
    guesses: tuple[Guess, ...] = ()
    if encoding is None:
        refuse_binary(raw, place)
        guesses = (_infer(raw, marked),)
        encoding = guesses[0].value
    body = raw[len(mark) :] if marked == encoding else raw
    if not complete:
        body = body[: len(body) - len(body) % _WIDTHS.get(encoding[:6], 1)]
    try:
        return Text(body.decode(encoding), guesses)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            f"a character on line {line} cannot be read as {encoding}.",
            place=place,
            remedy="Choose another encoding, such as cp1252, or save the file as UTF-8.",
        ) from error


def refuse_binary(raw: bytes, place: str) -> None:
    """Raise UnreadableFile when the content is plainly not text."""
    for beginning, name in _BINARY_BEGINNINGS:
        if raw.startswith(beginning):
            raise UnreadableFile(
                f"this is {name}, not a text table.",
                place=place,
                remedy=_SAVE_AS_CSV,
            )
    if _byte_order_mark(raw)[0] or _looks_like_utf16(raw):
        return
    sample = raw[:_SAMPLE]
    control = sum(sample.count(code) for code in range(32) if code not in b"\t\n\r\f\x1a")
    if control > len(sample) // 200 or 0 in sample:
        raise UnreadableFile(
            "this is not a text file.",
            place=place,
            remedy=_SAVE_AS_CSV,
        )


def _byte_order_mark(raw: bytes) -> tuple[str, bytes]:
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return name, mark
    return "", b""


def _looks_like_utf16(raw: bytes) -> str:
    """Latin text in UTF-16 has a zero byte in every second place, and only there."""
    sample = raw[:_SAMPLE]
    if len(sample) < 4:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""


def _infer(raw: bytes, marked: str) -> Guess:
    if marked:
        return Guess("encoding", marked, "The file begins with a byte order mark.")
    if wide := _looks_like_utf16(raw):
        return Guess("encoding", wide, "Every second byte is zero, as in UTF-16.")
    if raw.isascii():
        return Guess("encoding", "utf-8", "The file holds plain ASCII characters only.")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return Guess("encoding", "utf-8", "All bytes form valid UTF-8.")
    return _infer_single_byte(raw)


def _infer_single_byte(raw: bytes) -> Guess:
    """Tell the old encodings apart; without a mark no more than a likelihood exists."""
    foreign = _infer_other_script(raw)
    if foreign:
        reason = "The bytes are not valid UTF-8 and most letters are not Latin."
        return Guess("encoding", foreign, reason, certain=False)
    high = set(raw) - set(range(128))
    if high & _UNDEFINED_IN_CP1252:
        reason = "The bytes are not valid UTF-8 and some have no meaning in Windows-1252."
        return Guess("encoding", "iso-8859-1", reason, certain=False)
    reason = "The bytes are not valid UTF-8; Windows-1252 is the usual western encoding."
    return Guess("encoding", "cp1252", reason, certain=False)


def _infer_other_script(raw: bytes) -> str:
    """Name the encoding of Cyrillic, Greek or East Asian text; empty when most letters are Latin."""
    lines = [line for line in raw[:_SAMPLE].splitlines() if not line.isascii()]
    sample = b"\n".join(lines) or raw[:_SAMPLE]
    latin = len(_LATIN_LETTERS.findall(sample))
    if 2 * sum(byte > 127 for byte in sample) <= latin:
        return ""
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=list(_OTHER_SCRIPTS)).best()
    return _OTHER_SCRIPTS.get(best.encoding, "") if best is not None else ""
