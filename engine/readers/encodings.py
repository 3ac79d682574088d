"""The text that the bytes of a file encode, as told, by a mark, or found out; held, or left in the file.

Which old encoding East Asian text is in, told by the characters of everyday use.

Each of these codes keeps the characters of everyday use together: kana and the first level of JIS X 0208,
the first level of GB 2312 and of Big5, the syllables of KS X 1001. Bytes that are read in a wrong code mostly
give rare characters.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import UnreadableFile
from engine.readers.encoding_candidates import candidates, mended_guess
from engine.readers.reading import Guess
from engine.readers.source import CHUNK, MAX_BYTES, Source
from engine.translation import N_, _

_NEARLY_AS_MANY = 0.1
_HALF_WIDTH = range(0xFF61, 0xFFA0)
_BETWEEN_CELLS = frozenset(',;|\t\n\r" ')


@dataclass(frozen=True, slots=True)
class _Code:
    """A code: its encodings, narrow before wide, and the first bytes of its everyday characters."""

    encodings: tuple[str, ...]
    first_bytes: tuple[range, ...]
    least_second: int = 0

    def is_everyday(self, character: str) -> bool:
        """Tell whether a character is in everyday use in texts of this code."""
        try:
            raw = character.encode(self.encodings[-1])
        except UnicodeEncodeError:
            return False
        return (
            len(raw) == 2
            and any(raw[0] in firsts for firsts in self.first_bytes)
            and raw[1] >= self.least_second
        )


_CODES = (
    _Code(("shift_jis", "cp932"), (range(0x81, 0x85), range(0x88, 0x99))),
    _Code(("euc_jp",), (range(0xA1, 0xA6), range(0xB0, 0xD0)), 0xA1),
    _Code(("gb18030",), (range(0xA1, 0xA4), range(0xB0, 0xD8)), 0xA1),
    _Code(("big5", "cp950"), (range(0xA1, 0xC7),)),
    _Code(("euc-kr", "cp949"), (range(0xA1, 0xA4), range(0xB0, 0xC9)), 0xA1),
)
EAST_ASIAN = frozenset(encoding for code in _CODES for encoding in code.encodings)


def east_asian_encodings(sample: bytes, likely: list[str]) -> list[str]:
    """Return the encodings of East Asian text, the one with most everyday characters first.

    Others follow that give nearly as many, narrow before wide.

    >>> east_asian_encodings("年齢,血圧".encode("shift_jis"), ["euc-kr"])[0]
    'shift_jis'
    """
    shares = []
    for place, code in enumerate(_CODES):
        readable = [encoding for encoding in code.encodings if can_read(sample, encoding)]
        if readable:
            share = _everyday_share(sample.decode(readable[-1]), code)
            rank = min((likely.index(name) for name in code.encodings if name in likely), default=len(likely))
            shares.append((-share, rank, place, readable))
    least = min(shares, default=(0.0,))[0] + _NEARLY_AS_MANY
    return [encoding for share, *_, readable in sorted(shares) if share <= least for encoding in readable]


def can_read(raw: bytes, encoding: str) -> bool:
    """Tell whether an encoding gives all bytes a meaning, without holding the text."""
    if raw.isascii() and encoding == "utf-8":
        return True
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(raw), CHUNK):
            decoder.decode(raw[start : start + CHUNK], start + CHUNK >= len(raw))
    except UnicodeDecodeError:
        return False
    return True


def _everyday_share(text: str, code: _Code) -> float:
    everyday = {character: code.is_everyday(character) for character in set(text) if not character.isascii()}
    count = usual = 0
    for before, character, after in zip("," + text, text, text[1:] + ",", strict=False):
        if character.isascii():
            continue
        count += 1
        if ord(character) in _HALF_WIDTH:
            # Half-width kana stand among themselves.
            usual += all(
                ord(neighbour) in _HALF_WIDTH or neighbour in _BETWEEN_CELLS for neighbour in (before, after)
            )
        else:
            usual += everyday[character]
    return usual / count if count else 0.0


_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SAVE_AS_CSV = N_("Save the table as CSV (UTF-8) and open that.")
_BINARY_BEGINNINGS = (
    (b"PK\x03\x04", N_("an Excel, LibreOffice or zip file")),
    (b"\xd0\xcf\x11\xe0", N_("an old Excel workbook")),
    (b"%PDF", N_("a PDF document")),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"PAR1", N_("a Parquet file")),
    (b"$FL2", N_("an SPSS file")),
    (b"$FL3", N_("an SPSS file")),
    (b"<stata_dta>", N_("a Stata file")),
    (b"MATLAB 5.0 MAT-file", N_("a MATLAB file")),
    (b"\x89HDF", N_("an HDF5 or MATLAB file")),
    (b"\x1f\x8b", N_("a file that was gzipped twice")),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf\x27\x1c", N_("a 7-zip archive")),
    (b"\xfd7zXZ", N_("an xz archive")),
    (b"SQLite format 3", N_("an SQLite database")),
    (b"\x80\x04\x95", N_("a Python pickle, which is never opened because it can run code")),
)

_OTHER_SCRIPTS = {
    "cp1251": "cp1251",
    "koi8_r": "koi8-r",
    "cp866": "cp866",
    "iso8859_5": "iso-8859-5",
    "cp1255": "cp1255",
    "cp1256": "cp1256",
    "euc_jp": "euc_jp",
    "cp1253": "cp1253",
    "gb18030": "gb18030",
    "big5": "big5",
    "cp932": "shift_jis",
    "shift_jis": "shift_jis",
    "euc_kr": "euc-kr",
    "cp949": "euc-kr",
}
"""Encodings that charset-normalizer tells apart well, with the names under which they are offered."""

_MARKED = N_("The file begins with a byte order mark.")
_LATIN_LETTERS = re.compile(rb"[A-Za-z]")
_WORDS = re.compile(rb"[A-Za-z\x80-\xff]++")
_WORD_OF_OTHERS = re.compile(rb"[\xa8\xb8\xc0-\xff]{2,}+")
# Signs of Windows-1252 that stand alone, as € behind a number; letters of other scripts stand in words.
# Behind the first of them no letter follows: in Shift JIS both may be one character.
_LONE_SIGNS = re.compile(
    rb"(?<![\x80-\xff])(?:[\x80\x85\x91-\x97\x99](?![@-~\x80-\xff])"
    rb"|[\xa3\xa7\xa9\xab\xae\xb0-\xb3\xb5\xb7\xbb-\xbe](?![\x80-\xff]))"
)
_UNBROKEN_BLANK = re.compile(rb"(?<=[0-9])\xa0(?=[0-9\x80])")
_WORD_BY_WORD = ("cp1251", "cp1253")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")
_WIDTHS = {"utf-16": 2, "utf-32": 4}
_SAMPLE = 1 << 16
_UNDEFINED_IN_CP1252 = frozenset(b"\x81\x8d\x8f\x90\x9d")


def decode(
    raw: bytes, encoding: str | None, place: str, complete: bool = True
) -> tuple[str, tuple[Guess, ...]]:
    """Turn the bytes of a text file into text, and tell how its encoding was found, unless it was given."""
    body, encoding, guesses = _behind_mark(raw, encoding, place)
    body = _whole_characters(body, encoding, complete)
    try:
        return body.decode(encoding), guesses
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        if guesses and not guesses[0].certain:
            raise UnreadableFile(
                _(
                    "it seems to be in {encoding}, but a character on line {line} is not.",
                    encoding=encoding,
                    line=line,
                ),
                place=place,
                remedy=_("Choose its encoding, or save the file as UTF-8."),
            ) from error
        raise UnreadableFile(
            _("a character on line {line} cannot be read as {encoding}.", line=line, encoding=encoding),
            place=place,
            remedy=_("Choose another encoding, such as cp1252, or save the file as UTF-8."),
        ) from error


def as_utf8(
    raw: bytes, encoding: str | None, place: str, complete: bool = True
) -> tuple[bytes, tuple[Guess, ...]]:
    """Return bytes in UTF-8, without a byte order mark, as :func:`decode` finds their encoding."""
    body, encoding, guesses = _behind_mark(raw, encoding, place)
    # To infer the encoding from the content, all of it was read.
    is_valid = bool(guesses) and len(body) == len(raw)
    if encoding == "utf-8" and (is_valid or can_read(body, "utf-8")):
        return body, guesses
    body = _whole_characters(body, encoding, complete)
    decoder = codecs.getincrementaldecoder(encoding)()
    parts = []
    try:
        for start in range(0, len(body), CHUNK):
            is_last = start + CHUNK >= len(body)
            parts.append(decoder.decode(body[start : start + CHUNK], is_last).encode())
    except UnicodeError:
        # To say on which line it is.
        given = None if guesses else encoding
        return decode(raw, given, place, complete)[0].encode(), guesses
    return b"".join(parts), guesses


def _behind_mark(raw: bytes, encoding: str | None, place: str) -> tuple[bytes, str, tuple[Guess, ...]]:
    """Return content without a byte order mark, its encoding, and how that was found if not given."""
    marked, mark = _byte_order_mark(raw)
    guesses: tuple[Guess, ...] = ()
    if encoding is None:
        refuse_binary(raw, place)
        guesses = (_infer(raw, marked),)
        encoding = guesses[0].value
    return raw[_end_of_marks(raw, mark) :] if marked == encoding else raw, encoding, guesses


def _end_of_marks(raw: bytes, mark: bytes) -> int:
    """Return where the text begins; programs that join or convert files may write the mark twice."""
    end = 0
    while mark and raw.startswith(mark, end):
        end += len(mark)
    return end


def _whole_characters(body: bytes, encoding: str, complete: bool) -> bytes:
    """Cut off what the beginning of a file has of a wide character."""
    return body if complete else body[: len(body) - len(body) % _WIDTHS.get(encoding[:6], 1)]


def whole_letters(text: str) -> str:
    r"""Join the halves of letters beyond the first 65,536, as Java writes them; a half alone is no letter.

    >>> whole_letters("\ud83d\ude00 and \ud83d") == "\U0001f600 and \ufffd"
    True
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def refuse_binary(raw: bytes, place: str) -> None:
    """Raise UnreadableFile when the content is plainly not text."""
    for beginning, name in _BINARY_BEGINNINGS:
        if raw.startswith(beginning):
            raise UnreadableFile(
                _("this is {kind}, not a text table.", kind=_(name)),
                place=place,
                remedy=_(_SAVE_AS_CSV),
            )
    if _byte_order_mark(raw)[0] or _looks_like_utf16(raw):
        return
    sample = raw[:_SAMPLE]
    control = sum(sample.count(code) for code in range(32) if code not in b"\t\n\r\f\x1a")
    if control > len(sample) // 200 or 0 in sample:
        first = _CONTROL.search(sample)
        line = sample.count(b"\n", 0, first.start() if first is not None else 0) + 1
        raise UnreadableFile(
            _("this is not a text file: line {line:,} holds characters that text does not have.", line=line),
            place=place,
            remedy=_(_SAVE_AS_CSV),
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
        return Guess("encoding", marked, _(_MARKED))
    if wide := _looks_like_utf16(raw):
        return Guess("encoding", wide, _("Every second byte is zero, as in UTF-16."))
    if can_read(raw, "utf-8"):
        return _utf8_guess(False, raw.isascii())
    guess = _infer_single_byte(raw)
    mended = mended_guess(raw, guess.value)
    if mended != guess.value and can_read(raw, mended):
        reason = _("The bytes are not valid UTF-8, and the letters are those of a language of this encoding.")
        guess = Guess("encoding", mended, reason, certain=False)
    return replace(guess, alternatives=candidates(raw, guess.value))


def _utf8_guess(marked: bool, is_ascii: bool) -> Guess:
    """Say why text is taken for UTF-8."""
    valid = _("The file holds plain ASCII characters only.") if is_ascii else _("All bytes form valid UTF-8.")
    return Guess("encoding", "utf-8", _(_MARKED) if marked else valid)


def _infer_single_byte(raw: bytes) -> Guess:
    """Tell the old encodings apart; without a mark no more than a likelihood exists."""
    if foreign := _infer_other_script(raw):
        reason = _("The bytes are not valid UTF-8 and most letters are not Latin.")
        return Guess("encoding", foreign, reason, certain=False)
    if foreign := _infer_other_words(raw):
        reason = _("The bytes are not valid UTF-8 and whole words between Latin ones are not Latin.")
        return Guess("encoding", foreign, reason, certain=False)
    high = set(raw) - set(range(128))
    if high & _UNDEFINED_IN_CP1252:
        reason = _("The bytes are not valid UTF-8 and some have no meaning in Windows-1252.")
        return Guess("encoding", "iso-8859-1", reason, certain=False)
    reason = _("The bytes are not valid UTF-8; Windows-1252 is the usual western encoding.")
    return Guess("encoding", "cp1252", reason, certain=False)


def _infer_other_script(raw: bytes) -> str:
    """Name the encoding of Cyrillic, Greek or East Asian text; empty when most letters are Latin."""
    head = raw[:_SAMPLE]
    if len(raw) > _SAMPLE and b"\n" in head:
        # A character at the end may be cut.
        head = head[: head.rindex(b"\n")]
    lines = [line for line in head.splitlines() if not line.isascii()]
    sample = b"\n".join(lines) or head
    latin = len(_LATIN_LETTERS.findall(sample))
    others = _LONE_SIGNS.sub(b"", _UNBROKEN_BLANK.sub(b" ", sample))
    if 2 * sum(byte > 127 for byte in others) <= latin:
        return ""
    likely = _likely(sample, list(_OTHER_SCRIPTS))
    if likely and likely[0] in EAST_ASIAN:
        likely = east_asian_encodings(sample, likely) or likely[:1]
    return _first_that_reads(raw, likely)


def _infer_other_words(raw: bytes) -> str:
    """Return the encoding of Cyrillic or Greek words in Latin text; empty where there are none."""
    words = {word for word in _WORDS.findall(raw[:_SAMPLE]) if not word.isascii()}
    others = sorted(word for word in words if _WORD_OF_OTHERS.fullmatch(word))
    if 2 * len(others) <= len(words):
        return ""
    return _first_that_reads(raw, _likely(b" ".join(others), list(_WORD_BY_WORD)))


def _likely(sample: bytes, encodings: list[str]) -> list[str]:
    """Return the encodings that text may be in, by the names under which they are offered."""
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, cp_isolation=encodings)
    return list(dict.fromkeys(_OTHER_SCRIPTS[match.encoding] for match in matches))


def _first_that_reads(raw: bytes, encodings: list[str]) -> str:
    """Return the first encoding that can read all bytes; if none can, the first, of which an error tells."""
    return next((encoding for encoding in encodings if can_read(raw, encoding)), next(iter(encodings), ""))


_LEAST_LEFT_IN_FILE = 8 << 20
_END = b"\r\n\x1a"


@dataclass(frozen=True, slots=True)
class HeldText:
    """Text in memory."""

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
    """Text that stays in its file, so that a table takes no more memory than its values."""

    source: Source
    start: int  # where it begins in the file, and `end` where it ends
    end: int
    stamp: tuple[int, int]  # size and time of the file, by which a change is noticed

    def __len__(self) -> int:
        return self.end - self.start

    def slice(self, start: int, end: int) -> bytes:
        """Return the text between two positions."""
        try:
            with self.source.path.open("rb") as file:
                if _stamp(file.fileno()) == self.stamp:
                    file.seek(self.start + start)
                    return file.read(end - start)
        except OSError:
            pass
        raise UnreadableFile(
            _("it was changed while it was read."), place=self.source.place, remedy=_("Open it again.")
        )

    def behind(self, offset: int) -> FileText:
        """Return the text behind a position."""
        return FileText(self.source, self.start + offset, self.end, self.stamp)


Content = HeldText | FileText
"""Text in UTF-8, its lines separated by line feeds, none behind the last line."""


def parts_of(content: Content, size: int = CHUNK) -> Iterator[tuple[int, bytes]]:
    """Give the text part by part, each with its position."""
    for start in range(0, len(content), size):
        yield start, content.slice(start, min(start + size, len(content)))


def left_in_file(source: Source, encoding: str | None) -> tuple[FileText, tuple[Guess, ...]] | None:
    """Leave the text of a large file where it is, if it can be read so."""
    if encoding not in (None, "utf-8"):
        return None
    try:
        size = source.path.stat().st_size if source.path.is_file() else 0
        if not _LEAST_LEFT_IN_FILE <= size <= MAX_BYTES or source.is_packed:
            return None
        with source.path.open("rb") as file:
            stamp = _stamp(file.fileno())
            head = file.read(CHUNK)
            if _byte_order_mark(head)[0] not in ("", "utf-8") or _looks_like_utf16(head):
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
    start = _end_of_marks(head, codecs.BOM_UTF8)
    guesses = () if encoding is not None else (_utf8_guess(marked, is_ascii),)
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
    status = os.fstat(file)
    return status.st_size, status.st_mtime_ns
