"""Which old encoding East Asian text is in, told by the characters of everyday use.

Each of these codes keeps the characters of everyday use together: kana and the first level of JIS X 0208,
the first level of GB 2312 and of Big5, the syllables of KS X 1001. Bytes that are read in a wrong code mostly
give rare characters.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from engine.readers.source import CHUNK

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

    Returns
    -------
    list of str
        Those that can read the sample and give nearly as many everyday characters as the first, narrow before
        wide.

    Examples
    --------
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
