"""Which old encodings a text may be in, by the letters of languages, with how its words read in each."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SAMPLE = 1 << 16
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_MOST_WORDS, _SHOWN = 200, 3
_MOST_CANDIDATES = 4

# Letters beyond ASCII of the languages that each encoding was made for.
_OF_WEST = (
    *("äöüßé", "éèêëàâçîïôöûùüœæÿ", "áéíóúüñçïàèò", "áàâãçéêíóôõú", "àèéìíòóùú", "äåöéü", "æøåäöé"),
    "ëïéèöüáóç",
)
_LETTERS = {
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ", "äöüß"),
    "cp1254": ("çğıiöşüâîû",),
}
# How frequent letters are, in thousandths, of those with 8 and more: counted in the Universal Declaration of
# Human Rights (United Nations, 1948) in each language.
_FREQUENT = {
    "ru": "о110 е88 и87 а76 н68 т59 в58 с56 р45 л37 д33 п27 м26 к25 я21 у21 б21 ы18 ь18 г15 ч15 ж14 "
    "й13 з12 х9 ю9",
    "el": "α113 ι83 ε74 τ70 ο66 ν63 κ51 ρ42 σ40 η39 π37 ς33 υ30 ί30 μ28 δ23 λ21 θ19 ω19 έ19 ά17 ή16 "
    "ό15 γ11 χ10 ώ8",
    "he": "ו138 י114 ה82 ל81 א61 ת61 ב50 ש39 ר39 כ39 ד33 מ33 ע29 ח29 ם28 נ27 ז20 פ18 ס14 ן12 ק11 ג11 צ9 ט8",
    "ar": "ا159 ل125 ي70 م64 و58 ت45 ن42 ة38 ر38 ع36 د32 ق30 أ29 ح27 ه26 ف24 ب22 س21 ك18 ج14 إ12 ش9 خ9 ض8 ص8",
}
_OF_SCRIPTS = {
    **dict.fromkeys(("cp1251", "koi8-r", "cp866", "iso-8859-5"), "ru"),
    **{"cp1253": "el", "cp1255": "he", "cp1256": "ar"},
}
_EAST_ASIAN = ("shift_jis", "euc_jp", "gb18030", "big5", "euc-kr")
_HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]+")
# In running text letters are as frequent on average as the sum of their squared shares, which is near 0.06.
_LIKE_A_LANGUAGE, _CLEARLY = 0.75, 1.2


def _frequencies(language: str) -> dict[str, float]:
    pairs = (entry[:1] + " " + entry[1:] for entry in _FREQUENT[language].split())
    counts = {letter: float(count) for letter, count in (pair.split() for pair in pairs)}
    total = sum(counts.values())
    return {letter: count / total for letter, count in counts.items()}


def words_of_text(raw: bytes) -> list[bytes]:
    """Return different words at the beginning of a text that are not plain ASCII."""
    words = (word for word in _WORD.findall(raw[:_SAMPLE]) if not word.isascii() and len(word) > 1)
    return list(dict.fromkeys(words))[:_MOST_WORDS]


def mended_guess(raw: bytes, guessed: str) -> str:
    """Return the encoding whose language has all letters of a text, or letters as frequent; else the guess.

    >>> mended_guess("płeć,ból głowy,choroba wieńcowa".encode("cp1250"), "cp1252")
    'cp1250'
    >>> mended_guess("Größe,Übelkeit".encode("cp1252"), "cp1252")
    'cp1252'
    """
    words = words_of_text(raw)
    if guessed in ("cp1252", "iso-8859-1"):
        if any(_has_letters(words, "cp1252", letters) for letters in _OF_WEST):
            return guessed
        fitting = [
            encoding
            for encoding, languages in _LETTERS.items()
            if any(_has_letters(words, encoding, letters, fewest=2) for letters in languages)
        ]
        return fitting[0] if len(fitting) == 1 else guessed
    if guessed in _OF_SCRIPTS or _is_half_width(words, guessed):
        scores = sorted(((_likeness(words, encoding), encoding) for encoding in _OF_SCRIPTS), reverse=True)
        (best, encoding), (second, _) = scores[:2]
        if best >= _LIKE_A_LANGUAGE and best >= _CLEARLY * second:
            return encoding
    return guessed


def _is_half_width(words: Sequence[bytes], guessed: str) -> bool:
    text = "".join(_decoded(word, guessed) or "?" for word in words)
    return guessed in ("shift_jis", "cp932") and _HALF_WIDTH_KANA.fullmatch(text) is not None


def _decoded(word: bytes, encoding: str) -> str | None:
    try:
        return word.decode(encoding)
    except UnicodeDecodeError:
        return None


def _has_letters(words: Sequence[bytes], encoding: str, letters: str, fewest: int = 1) -> bool:
    """Tell whether all words are of letters of a language, with so many different ones beyond ASCII."""
    texts = [_decoded(word, encoding) for word in words]
    allowed = set(letters)
    special = {letter.lower() for text in texts for letter in _within(text or "") if not letter.isascii()}
    return None not in texts and len(special) >= fewest and special <= allowed


def _within(text: str) -> str:
    """Return a word without signs at its ends, such as a degree sign or a superscript two."""
    start = next((at for at, character in enumerate(text) if character.isalpha()), len(text))
    end = next((at for at in range(len(text), 0, -1) if text[at - 1].isalpha()), start)
    return text[start:end]


def _likeness(words: Sequence[bytes], encoding: str) -> float:
    """Return how frequent the letters of a text are in the language of an encoding, 1 for running text."""
    texts = [_decoded(word, encoding) for word in words]
    if not words or None in texts:
        return 0.0
    shares = _frequencies(_OF_SCRIPTS[encoding])
    text = "".join(text or "" for text in texts)
    # Small letters come first in a word, or a single capital, or capitals alone.
    swapped = sum(word[:1].islower() and word[1:].isupper() for word in map(str, texts))
    letters = [character.lower() for character in text if not character.isascii()]
    expected = sum(share**2 for share in shares.values())
    mean = sum(shares.get(letter, 0.0) for letter in letters) / max(len(letters), 1)
    return mean / expected * (0.5 if 2 * swapped > len(texts) else 1.0)


def candidates(raw: bytes, guessed: str) -> tuple[tuple[str, str], ...]:
    """Return other encodings that can read a text, likely ones first, with how some of its words read."""
    words = words_of_text(raw)
    shown = sorted(words, key=lambda word: (-sum(byte > 127 for byte in word), word))[:_SHOWN]
    seen = {tuple(_decoded(word, guessed) for word in shown)}
    ranked = []
    for place, encoding in enumerate(("cp1252", *_LETTERS, *_OF_SCRIPTS, *_EAST_ASIAN)):
        texts = tuple(_decoded(word, encoding) for word in words)
        sample = tuple(_decoded(word, encoding) for word in shown)
        if encoding == guessed or None in texts or sample in seen or not words:
            continue
        seen.add(sample)
        of_letters = sum(_within(text or "").isalpha() for text in texts) / len(words)
        if encoding in _OF_SCRIPTS:
            fit = _likeness(words, encoding)
        else:
            languages = _OF_WEST if encoding == "cp1252" else _LETTERS.get(encoding, ())
            fit = 0.9 if any(_has_letters(words, encoding, letters) for letters in languages) else 0.4
        ranked.append((-fit * of_letters, place, encoding, ", ".join(map(str, sample))))
    return tuple((encoding, sample) for _, _, encoding, sample in sorted(ranked)[:_MOST_CANDIDATES])
