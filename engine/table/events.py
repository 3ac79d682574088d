"""Which of two levels is the event: what happened, what is there, who is ill.

Words of ten languages decide, and numbers such as 0 and 1. Neither the alphabet nor the order of codes does:
where nothing is known, nothing is said.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from engine.wording import data_words
from engine.wording.data_words import words_in

# What speaks for an event, from strong to weak; what speaks against it has a minus sign.
_EXACT, _BY_ENDING, _PART = 4.0, 3.0, 2.0
_NEGATED, _NEGATED_UNKNOWN = 3.5, 1.5

# Shorter words mean something else in another language.
_SHORTEST_PART = 4
_SHORTEST_STEM = 5
_SHORTEST_GLUED = 4
_ENDINGS = re.compile("(?:er|es|en|em|as|os|e|s|a|o|i|y)$")
_ACCENTS = re.compile("[\u0300-\u036f]")
_PLAIN_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "−": "-", "’": "'", "_": " "})
_CODE_BEFORE = re.compile(
    r"^[(\[]?[+-]?\d+[)\]]?\s*(?:[=:.)\]|]|-(?=\s)|–|—)\s*(?=\D)|^[(\[]\d+[)\]]\s*(?=\D)"
)
_CODE_BEHIND = re.compile(r"\s*[(\[]\s*[+-]?\d+\s*[)\]]$")
_HEAD_END = re.compile(r"\s*(?:[,;:(/|–—]|\s-\s)")
_OF_EAST_ASIA = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_BELOW, _ABOVE = re.compile(r"^(?:<=?|≤|⩽)\s*[-+]?[\d.]"), re.compile(r"^(?:>=?|≥|⩾)\s*[-+]?[\d.]")


@lru_cache(maxsize=4096)
def guessed_event(first: str, second: str) -> str | None:
    """Return the level that is the event, by what the levels are called; None where nothing decides.

    >>> guessed_event("yes", "no"), guessed_event("gesund", "erkrankt"), guessed_event("0", "1")
    ('yes', 'erkrankt', '1')
    """
    left, right = _plain(first), _plain(second)
    if left == right:
        return None
    lead = _lead(left, right)
    if not lead and not _are_numbers(left, right) and (bare := _without_common(left, right)):
        lead = _lead(*bare)
    return None if not lead else first if lead > 0.0 else second


def _lead(left: str, right: str) -> float:
    """Return what speaks for one of two levels: positive for the first, negative for the second."""
    if _are_numbers(left, right):
        return _by_numbers(left, right)
    return _by_letters(left, right) or _by_bounds(left, right) or _by_words(left, right)


def _plain(level: str) -> str:
    """Write a level in small letters without accents, codes and marks around it."""
    text = unicodedata.normalize("NFKC", level).casefold().translate(_PLAIN_LETTERS)
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    text = unicodedata.normalize("NFC", text)
    text = " ".join(text.split()).strip("\"'`.!?*„“”«» ")
    for code in (_CODE_BEFORE, _CODE_BEHIND):
        rest = code.sub("", text, count=1)
        text = rest if rest.strip() else text
    return text.strip("\"'`.!?*„“”«» ")


def _are_numbers(left: str, right: str) -> bool:
    return _number(left) is not None and _number(right) is not None


def _by_numbers(left: str, right: str) -> float:
    """Compare 0 with a positive number, and -1 with 1; other numbers say nothing."""
    first, second = _number(left) or 0.0, _number(right) or 0.0
    low, high = min(first, second), max(first, second)
    return first - second if high > 0.0 and low in (0.0, -high) else 0.0


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".")) if re.fullmatch(r"[-+]?[\d.,]+", text) else None
    except ValueError:
        return None


def _by_letters(left: str, right: str) -> float:
    """Compare single letters and signs, which say something in pairs only."""
    pairs = [tuple(pair.split()) for pair in data_words.LETTER_PAIRS.split(",")]
    return float(((left, right) in pairs) - ((right, left) in pairs))


def _by_bounds(left: str, right: str) -> float:
    """Compare what is above a number with what is below."""
    if _ABOVE.match(left) and _BELOW.match(right):
        return 1.0
    return -1.0 if _BELOW.match(left) and _ABOVE.match(right) else 0.0


def _by_words(left: str, right: str) -> float:
    """Compare what the words of both say."""
    is_opposite = _is_negation_of(left, right) or _is_negation_of(right, left)
    missing = _words().missing
    if not is_opposite and (left in missing or right in missing):
        # Beside "unknown", "no" says nothing, and "yes" does.
        present_word = right if left in missing else left
        lead = max(_said_by(present_word, ""), 0.0)
        return lead if present_word == left else -lead
    return _said_by(left, right) - _said_by(right, left)


def _is_negation_of(text: str, beside: str) -> bool:
    """Whether one level says no to the other, such as "no response" beside "response"."""
    return bool(beside) and _without_negation(text.replace("-", " "), beside) == beside


def _said_by(text: str, beside: str) -> float:
    """Return how much a level speaks for an event, positive, or against one, negative."""
    if not text:
        return 0.0
    if text == "0" and _number(beside) is None:
        return -_EXACT
    whole = _of_word(text)
    if whole:
        return whole
    head = _HEAD_END.split(text, maxsplit=1)[0]
    if head and head != text and (of_head := _of_word(head)):
        return of_head
    words = " ".join(text.replace("-", " ").split())
    if words != text and (whole := _of_word(words)):
        return whole
    rest = _without_negation(words, beside.replace("-", " "))
    if rest is not None:
        turned = _of_word(rest) or _of_parts(rest)
        if turned:
            return -_NEGATED if turned > 0 else _NEGATED
        return -_NEGATED if rest == beside else -_NEGATED_UNKNOWN
    return _of_parts(words)


def _of_word(text: str) -> float:
    """Look a level up as it is, then without its ending."""
    words = _words()
    if text in words.events:
        return _EXACT
    if text in words.others:
        return -_EXACT
    if len(text) < _SHORTEST_STEM or _OF_EAST_ASIA.search(text):
        return 0.0
    if text.startswith(_NORMAL):
        return -_BY_ENDING
    stem = _stem(text)
    return _BY_ENDING * ((stem in words.event_stems) - (stem in words.other_stems))


_NORMAL = "normo"


def _of_parts(text: str) -> float:
    """Look up the words of a level; where some speak for an event and some against it, nothing is said."""
    if _OF_EAST_ASIA.search(text):
        for_event, against = (
            any(len(word) > 1 and word in text for word in words)
            for words in (_words().events_of_east_asia, _words().others_of_east_asia)
        )
    else:
        parts = [word for word in re.split(r"[^\w+]+", text) if len(word) >= _SHORTEST_PART or word in _SHORT]
        leads = [_of_word(word) for word in parts]
        for_event, against = max(leads, default=0.0) > 0.0, min(leads, default=0.0) < 0.0
    return _PART * (for_event - against)


_SHORT = frozenset({"ill", "pos", "neg", "yes", "oui", "sim", "tak", "nee"})


def _without_negation(text: str, beside: str) -> str | None:
    """Return what a word of negation is said of; None where there is none."""
    words = _words()
    for before in words.negations:
        if text.startswith(f"{before} ") or (_OF_EAST_ASIA.search(before) and text.startswith(before)):
            return text.removeprefix(before).strip(" '") or None
    for behind in words.negations_behind:
        if text.endswith(f" {behind}") or (_OF_EAST_ASIA.search(behind) and text.endswith(behind)):
            return text.removesuffix(behind).strip() or None
    if text.startswith("pas d'"):
        return text.split("'", 1)[1]
    left = [word for word in text.replace("n'", "").split() if word not in words.negations]
    if beside and " ".join(left) == beside != text:
        return beside
    for glued in words.glued_negations:
        rest = text.removeprefix(glued)
        if rest != text and len(rest) >= _SHORTEST_GLUED and (rest == beside or _of_word(rest)):
            return rest
    rest = text.removesuffix("frei")
    return rest if rest != text and len(rest) >= _SHORTEST_GLUED else None


def _without_common(left: str, right: str) -> tuple[str, str] | None:
    """Take away the words with which both levels begin and end; None where one has no others."""
    first, second = (re.findall(r"[^\W\d]+|[\d.,]+|[-+](?![^\W\d])", text) for text in (left, right))
    if [left] == first and [right] == second:
        return None
    while first and second and first[0] == second[0]:
        first, second = first[1:], second[1:]
    while first and second and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    if not first or not second:
        return None
    return " ".join(first), " ".join(second)


def _stem(word: str) -> str:
    return _ENDINGS.sub("", word) if len(word) >= _SHORTEST_STEM else word


def _plain_words(lists: dict[str, str]) -> frozenset[str]:
    return frozenset(_plain(word) for word in words_in(lists))


def _longest_first(words: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


class _EventWords:
    """Words that speak for an event or against it, as they are compared."""

    def __init__(self) -> None:
        self.events = _plain_words(data_words.EVENT_WORDS)
        self.others = _plain_words(data_words.OTHER_WORDS)
        self.missing = _plain_words(data_words.MISSING_WORDS)
        self.events_of_east_asia = frozenset(filter(_OF_EAST_ASIA.search, self.events))
        self.others_of_east_asia = frozenset(filter(_OF_EAST_ASIA.search, self.others))
        self.event_stems = frozenset(map(_stem, self.events - self.events_of_east_asia))
        self.other_stems = frozenset(map(_stem, self.others - self.others_of_east_asia))
        self.negations = _longest_first(_plain_words(data_words.NEGATIONS))
        self.negations_behind = _longest_first(_plain_words(data_words.NEGATIONS_BEHIND))
        self.glued_negations = _longest_first(words_in(data_words.GLUED_NEGATIONS))


@cache
def _words() -> _EventWords:
    return _EventWords()
