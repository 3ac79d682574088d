"""The text that the bytes of a file encode: as told, by a mark, or found out."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from engine.errors import UnreadableFile
from engine.readers.reading import Guess
from engine.readers.source import CHUNK

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

_MARKED = "The file begins with a byte order mark."
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


@dataclass(frozen=True, slots=True)
class EncodedText:
    """Content in UTF-8.

    Attributes
    ----------
    content : bytes
        Without a byte order mark.
    guesses : tuple of Guess
        How the encoding of the file was found; empty when it was given.
    """

    content: bytes
    guesses: tuple[Guess, ...] = ()


def as_utf8(raw: bytes, encoding: str | None, place: str, complete: bool = True) -> EncodedText:
    """Bring the bytes of a text file into UTF-8; most are in it already, and are not copied.

    The parameters are those of :func:`decode`.

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
    body = raw[len(mark) :] if marked == encoding and mark else raw
    if encoding == "utf-8" and (guesses or _is_utf8(body)):
        return EncodedText(body, guesses)
    if not complete:
        body = body[: len(body) - len(body) % _WIDTHS.get(encoding[:6], 1)]
    decoder = codecs.getincrementaldecoder(encoding)()
    parts = []
    try:
        for start in range(0, len(body), CHUNK):
            is_last = start + CHUNK >= len(body)
            parts.append(decoder.decode(body[start : start + CHUNK], is_last).encode())
    except UnicodeError:
        # To say on which line it is.
        return EncodedText(decode(raw, encoding, place, complete).content.encode(), guesses)
    return EncodedText(b"".join(parts), guesses)


def _is_utf8(raw: bytes) -> bool:
    """Tell whether bytes are valid UTF-8, without holding the text."""
    if raw.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(raw), CHUNK):
            decoder.decode(raw[start : start + CHUNK], start + CHUNK >= len(raw))
    except UnicodeDecodeError:
        return False
    return True


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
        return Guess("encoding", marked, _MARKED)
    if wide := _looks_like_utf16(raw):
        return Guess("encoding", wide, "Every second byte is zero, as in UTF-16.")
    if raw.isascii() or _is_utf8(raw):
        return utf8_guess(False, raw.isascii())
    return _infer_single_byte(raw)


def utf8_guess(marked: bool, is_ascii: bool) -> Guess:
    """Say why text is taken for UTF-8."""
    valid = "The file holds plain ASCII characters only." if is_ascii else "All bytes form valid UTF-8."
    return Guess("encoding", "utf-8", _MARKED if marked else valid)


def is_utf16(raw: bytes) -> bool:
    """Tell whether bytes have a mark of another encoding than UTF-8, or look like UTF-16."""
    return _byte_order_mark(raw)[0] not in ("", "utf-8") or bool(_looks_like_utf16(raw))


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
