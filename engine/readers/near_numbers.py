"""Columns of which most texts are numbers, or would be but for how they are written: what is said of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import InvalidData
from engine.readers.cell_text import parse_number
from engine.readers.limits import LIMITS, MARKS, MARKS_READ, how_limits_are_read, is_limit, note_on_numbers
from engine.readers.missing_codes import FEW_OF_CELLS
from engine.readers.missing_words import means_missing
from engine.readers.written_codes import are_codes
from engine.table.dataset import Dataset
from engine.table.variable import MISSING_CODE, Kind
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing

_ALMOST_ALL = 0.9
_EXAMPLES = 3
_MOST_WORDS_GIVEN = 20
_LEAST_NUMBERS = 3
_LOOKED_AT = 200
"""Different texts by which it is told whether a column is one of numbers."""

_BETWEEN_THOUSANDS = " \u00a0\u2009\u202f"
_OTHER_MARK = {".": (",", N_("decimal commas")), ",": (".", N_("decimal points"))}


@dataclass(frozen=True, slots=True)
class _ForeignMark:
    """What stands in a number that is none for it, and what is put in its place."""

    words: str
    pattern: re.Pattern[str]
    replacement: str = ""


_MARKS = (
    _ForeignMark(N_("brackets in place of a minus sign"), re.compile(r"\A\(([^()]++)\)\Z"), r"-\1"),
    _ForeignMark(N_("signs such as '<'"), re.compile(r"\A[<>≤≥~] ?")),
    _ForeignMark(N_("apostrophes in front"), re.compile(r"\A['\u2019](?=[+-]?(?:[1-9]|0[.,]|0\Z))")),
    _ForeignMark(N_("spreads such as '± 2'"), re.compile(r"(?<=\d) ?(?:±|\+/?-) ?\d[\d.,]*\Z")),
    _ForeignMark(
        N_("numbers in brackets behind them"),
        re.compile(r"(?<=\d) ?[(\[]\d[\d.,]*(?: ?[-–;,] ?\d[\d.,]*)? ?%?[)\]]\Z"),
    ),
    _ForeignMark(N_("percent signs"), re.compile(r" ?%\Z")),
    _ForeignMark("asterisks", re.compile(r" ?\*{1,3}\Z")),
    _ForeignMark(N_("currency signs"), re.compile(r"(?:\A|(?<=\A[+-]))[$£¥€] ?| ?[$£¥€]\Z")),
    _ForeignMark(
        N_("blanks between thousands"), re.compile(rf"(?<=\d)[{_BETWEEN_THOUSANDS}](?=\d{{3}}(?!\d))")
    ),
    _ForeignMark(N_("apostrophes between thousands"), re.compile(r"(?<=\d)['\u2019](?=\d{3}(?!\d))")),
    _ForeignMark(
        N_("words such as 'about'"),
        re.compile(
            r"\A(?:ca\.?|c\.|circa|approx(?:\.|imately)?|about|around|roughly|etwa|ungefähr|rund|environ|vers|aprox\.?"
            r"|aproximadamente|alrededor de|cerca de|ongeveer|ok\.|około|約|约|大约|およそ) ?(?=\d)",
            re.IGNORECASE,
        ),
    ),
    _ForeignMark(N_("minus signs behind them"), re.compile(r"\A(\d[\d.,]*\d)-\Z"), r"-\1"),
    _ForeignMark(N_("the minus sign of typesetters ('\u2212')"), re.compile("\\A\u2212"), "-"),
)


_RANGE = _ForeignMark(
    N_("ranges such as '5-7'"),
    re.compile(r"\A(\d[\d.,]*) ?(?:-|–|—|to|bis|à|tot|do|~|〜|至) ?\d[\d.,]*\Z"),
    r"\1",
)
_LIMIT_OR_RANGE = re.compile(rf"[<>≤≥]|{_RANGE.pattern.pattern}")
_DIGIT = re.compile(r"\d")
# All of a column: +49 106 or 030 123 is no number with blanks between thousands.
_TELEPHONE = re.compile(rf"(?:\+|0)\d{{1,4}}[{_BETWEEN_THOUSANDS}]\d")


def marks_on_number(text: str, decimal: str) -> tuple[str, ...]:
    """Say what keeps a text from being a number; nothing where it is far from being one, or is one.

    >>> marks_on_number("<0.5", "."), marks_on_number("1 234,50 %", "."), marks_on_number("heavy", ".")
    (("signs such as '<'",), ('percent signs', 'blanks between thousands', 'decimal commas'), ())
    """
    marks = []
    for mark in (*_MARKS, _RANGE):
        text, times = mark.pattern.subn(mark.replacement, text)
        if times:
            marks.append(mark.words)
    if parse_number(text, decimal) is not None:
        return tuple(marks)
    other_mark, words = _OTHER_MARK[decimal]
    return (*marks, words) if parse_number(text, other_mark) is not None else ()


def bare_number(text: str, decimal: str) -> float | None:
    """Read a number without the marks on it and the unit behind it; None for a limit, a range, or no number.

    Examples
    --------
    >>> [bare_number(text, ".") for text in ("ca. 40", "12 h", "1 200 €", "19.9 ± 2.0", "CHF 4", "<5", "5-7")]
    [40.0, 12.0, 1200.0, 19.9, 4.0, None, None]
    """
    if _LIMIT_OR_RANGE.match(text):
        return None
    for mark in _MARKS:
        text = mark.pattern.sub(mark.replacement, text)
    if match := _with_unit(text, decimal):
        text = match["number"]
    number = parse_number(text, decimal)
    other_mark = _OTHER_MARK[decimal][0]
    return parse_number(text, other_mark) if number is None and text.count(other_mark) == 1 else number


def with_bare_numbers(dataset: Dataset, names: Sequence[str], decimal: str) -> Dataset:
    """Read columns of texts as numbers without their marks, where each is one then, of one unit at most.

    Examples
    --------
    >>> import pandas
    >>> table = Dataset.from_frame(pandas.DataFrame({"sleep": ["7 h", "ca. 6", "8", "7.5 h"]}))
    >>> with_bare_numbers(table, ["sleep"], ".").column("sleep").tolist()
    [7.0, 6.0, 8.0, 7.5]
    """
    for name in names:
        variable = dataset.variable(name)
        levels = variable.levels
        read = _bare_numbers(levels, decimal)
        marked = [(text, number) for text, number in read.items() if parse_number(text, decimal) is None]
        if not read and len(levels) < 2 * sum(bare_number(text, decimal) is not None for text in levels):
            others = [text for text in levels if bare_number(text, decimal) is None]
            raise InvalidData(
                _(_OTHERS, others=listed(others)) if others else _(_SEVERAL_UNITS),
                place=_("column '{name}'", name=name),
                remedy=_(_CORRECT_OR_LEAVE),
            )
        if marked:
            new_variable = replace(
                variable, kind=Kind.CONTINUOUS, levels=(), ordered=False, event=None, event_from=None
            )
            numbers = np.array([*read.values(), np.nan])[dataset.column(name)]
            dataset = dataset.without_notes_on_kind(name).with_columns({name: (new_variable, numbers)})
            dataset = dataset.with_notes([note_on_numbers(MARKS_READ, name, marked)])
    return dataset


def _bare_numbers(texts: Sequence[str], decimal: str) -> dict[str, float]:
    """Read each text as a number without its marks; nothing where one is none, or units differ."""
    units = {match["unit"] or match["close"] for text in texts if (match := _with_unit(text, decimal))}
    read = {text: number for text in texts if (number := bare_number(text, decimal)) is not None}
    return read if len(read) == len(texts) and len(units) < 2 else {}


_OTHERS = N_("it holds texts that are not single numbers: {others}.")
_SEVERAL_UNITS = N_("its numbers have different units.")
_CORRECT_OR_LEAVE = N_("Correct these cells in the file, or leave the column as it is.")
_SIGN = re.compile(r"(?:\A|(?<=\A[+-]))([$£¥€]) ?| ?([%$£¥€])\Z")


def all_with_one_sign(texts: Sequence[str]) -> list[str]:
    """Return texts without the currency or percent sign that each of them has, the same one; else none.

    >>> all_with_one_sign(["$10,459", "-$3"]), all_with_one_sign(["42 %", "7 €"]), all_with_one_sign(["4"])
    (['10,459', '-3'], [], [])
    """
    bare, sign = [], ""
    for text in texts:
        signs = _SIGN.findall(text)
        if len(signs) != 1 or (sign and "".join(signs[0]) != sign):
            return []
        sign = "".join(signs[0])
        bare.append(_SIGN.sub("", text))
    return bare


def notes_about_near_numbers(
    name: str, codes: np.ndarray, texts: Sequence[str], parsed: Mapping[str, float | None], decimal: str
) -> list[Note]:
    """Return notes that a column of categories seems to hold numbers, with marks or a few words."""
    looked_at = texts[:_LOOKED_AT]
    if not any(map(_DIGIT.search, looked_at)):
        return []
    if all(_TELEPHONE.match(text) for text in looked_at):
        return []
    if note := (
        _note_on_unit(name, codes, texts, looked_at, decimal)
        or _note_on_pairs(name, looked_at)
        or _note_on_titers(name, looked_at)
    ):
        return [note]
    if are_codes({text for text in looked_at if parsed[text] is not None}):
        return []
    has_unit = _tells_one_unit(looked_at, decimal)
    near = sum(
        parsed[text] is not None or bool(marks_on_number(text, decimal)) or has_unit(text)
        for text in looked_at
    )
    counts = np.bincount(codes[codes != MISSING_CODE], minlength=len(texts)).tolist()
    numbers = sum(count for text, count in zip(texts, counts, strict=True) if parsed[text] is not None)
    # Ranges are exceptions among numbers; bands of ages and codes of two parts are not.
    ranges = sum(count for text, count in zip(texts, counts, strict=True) if _RANGE.pattern.match(text))
    if 2 * ranges > numbers:
        return []
    if near < _LEAST_NUMBERS or (2 * near <= len(looked_at) and numbers < _ALMOST_ALL * sum(counts)):
        return []
    cells = dict(zip(texts, counts, strict=True))
    words = [text for text in texts if parsed[text] is None]
    marks = {text: marks_of_text for text in words if (marks_of_text := marks_on_number(text, decimal))}
    marks |= {text: (_ONE_UNIT,) for text in words if text not in marks and has_unit(text)}
    others = [text for text in words if text not in marks]
    notes = []
    limits = [text for text in words if is_limit(text)]
    other_mark, _words_of_mark = _OTHER_MARK[decimal]
    fractions = [
        text for text in words if parse_number(text, other_mark) is not None and text.count(other_mark) == 1
    ]
    if limits and len(limits) + len(fractions) == len(words):
        sentence = for_count(sum(cells[text] for text in limits), _LIMIT_CELL, _LIMIT_CELLS)
        message = sentence.format(
            name=name, cells=_with_examples(limits, cells), how=how_limits_are_read(limits, decimal)
        )
        return [Note(LIMITS, message, name, tuple(limits[:_MOST_WORDS_GIVEN]))]
    if marks:
        kinds = plain_listing(
            list(dict.fromkeys(_(kind) for marks_of_word in marks.values() for kind in marks_of_word))
        )
        sentence = for_count(sum(cells[text] for text in marks), _MARKED_CELL, _MARKED_CELLS)
        message = sentence.format(name=name, cells=_with_examples(list(marks), cells), kinds=kinds)
        notes.append(_note_on_marks(name, message, list(marks), texts, decimal))
    # Codes with letters beside numbers, as 207a and N100 are: none means missing.
    are_codes_beside = len(others) >= _LEAST_CODES and all(
        any(map(str.isdecimal, word)) and " " not in word for word in others
    )
    if others and not are_codes_beside:
        missing = _that_may_mean_missing(others, cells)
        if are_codes_beside_letters({text for text in texts if parsed[text] is not None}, others):
            missing = [word for word in missing if means_missing(word)]
        sentence = _(_TEXT_OR_MISSING) if missing else _(_TEXT)
        message = sentence.format(name=name, cells=_with_examples(others, cells))
        if not all(map(means_missing, others)):
            message = f"{message} {_(_RECODE)}"
        notes.append(Note("text-among-numbers", message, name, tuple(missing[:_MOST_WORDS_GIVEN])))
    return notes


def are_codes_beside_letters(numbers: Collection[str], words: Collection[str]) -> bool:
    """Tell whether X stands beside a few whole numbers: a chromosome, or another kind of its own."""
    return (
        not _LETTERS.isdisjoint(words)
        and len(numbers) <= _MOST_NUMBERS
        and all(text.isascii() and text.isdigit() for text in numbers)
    )


# Beside numbers from 1 to 22, X is a chromosome, and beside other codes a kind of its own, or missing.
_LETTERS = frozenset({"x", "X"})
_MOST_NUMBERS = 30


def _that_may_mean_missing(words: Sequence[str], cells: Mapping[str, int]) -> list[str]:
    """Return words among numbers that may mean missing: no codes with digits, and no third of all cells."""
    missing = [word for word in words if means_missing(word)]
    others = [word for word in words if word not in missing and not any(map(str.isdecimal, word))]
    are_many = FEW_OF_CELLS * sum(cells[word] for word in others) >= sum(cells.values())
    return missing if are_many else [word for word in words if word in missing or word in others]


_TEXT = N_("Column '{name}' holds numbers but for {cells}, so it is read as categories.")
_TEXT_OR_MISSING = N_(
    "Column '{name}' holds numbers but for {cells}, so it is read as categories. "
    "If these mean missing, add them to the missing values."
)
_RECODE = N_("If they mean numbers, recode these categories, and then read the column as numbers.")


def _note_on_unit(
    name: str, codes: np.ndarray, texts: Sequence[str], looked_at: Sequence[str], decimal: str
) -> Note | None:
    """Say that numbers of a column have a unit, as 3.2 mg/dl has, or several; None where they do not."""
    first = looked_at[0]
    may_have_unit = _with_unit(first, decimal) or parse_number(first, decimal) is not None
    if len(looked_at) < _FEWEST_WITH_UNIT or not may_have_unit:
        return None
    parts = [match for text in looked_at if (match := _with_unit(text, decimal))]
    units = {part["unit"] or part["close"] for part in parts}
    if not all(parse_number(part["number"], decimal) is not None for part in parts):
        return None
    counts = np.bincount(codes[codes != MISSING_CODE], minlength=len(texts)).tolist()
    cells = dict(zip(texts, counts, strict=True))
    if 1 < len(units) <= _MOST_UNITS and 2 * len(parts) >= len(looked_at):
        bare = sum(parse_number(text, decimal) is not None for text in looked_at)
        are_almost_all = len(parts) + bare >= _ALMOST_ALL * len(looked_at)
        return _note_on_units(name, cells, decimal) if are_almost_all else None
    if len(parts) < _ALMOST_ALL * len(looked_at) or len(units) != 1:
        return None
    unit = [text for text in texts if _with_unit(text, decimal)]
    message = _(_UNIT, name=name, cells=_with_examples(unit, cells), unit=units.pop())
    return _note_on_marks(name, message, unit, texts, decimal)


def _note_on_units(name: str, cells: Mapping[str, int], decimal: str) -> Note:
    """Say how many cells have each of several units, the most frequent first."""
    having: Counter[str] = Counter()
    for text, count in cells.items():
        if match := _with_unit(text, decimal):
            having[match["unit"] or match["close"]] += count
    units = [f"'{unit}' ({counted(count, 'cell')})" for unit, count in having.most_common(_MOST_UNITS)]
    return Note(MARKS, _(_UNITS, name=name, units=plain_listing(units)), name)


def _note_on_marks(
    name: str, message: str, marked: Sequence[str], texts: Sequence[str], decimal: str
) -> Note:
    """Add to what is said of marks that they can be left out, or that cells have to be corrected."""
    if _bare_numbers(texts, decimal):
        return Note(MARKS, f"{message} {_(_WITHOUT)}", name, tuple(marked[:_EXAMPLES]))
    return Note(MARKS, f"{message} {_(_CORRECT)}", name)


_ONE_UNIT = N_("a unit")
_WITHOUT = N_("It can be read as numbers without these marks.")
_CORRECT = N_("To read it as numbers, correct these cells in the file.")


def _tells_one_unit(texts: Sequence[str], decimal: str) -> Callable[[str], bool]:
    """Return a function that tells whether a text is a number with the one unit of all texts."""
    matches = [match for text in texts if (match := _with_unit(text, decimal))]
    units = {unit_match["unit"] or unit_match["close"] for unit_match in matches}
    are_all = len(matches) == len(texts)
    if (
        are_all
        or len(units) != 1
        or any(parse_number(unit_match["number"], decimal) is None for unit_match in matches)
    ):
        return lambda _: False
    return lambda text: bool(_with_unit(text, decimal))


def _note_on_pairs(name: str, looked_at: Sequence[str]) -> Note | None:
    """Say that cells hold two numbers, as 120/80 and 7/10 are; None where they do not."""
    if len(looked_at) < _FEWEST_PAIRS or not _PAIR.fullmatch(looked_at[0]):
        return None
    pairs = [(int(match[1]), int(match[2])) for text in looked_at if (match := _PAIR.fullmatch(text))]
    if len(pairs) < _ALMOST_ALL * len(looked_at) or max(map(max, pairs)) < _LEAST_OF_PAIR:
        return None
    example = looked_at[0]
    if len({second for _, second in pairs}) == 1:
        return Note(MARKS, _(_OUT_OF, name=name, example=example, second=pairs[0][1]), name)
    if all(first <= _DAYS and second <= _MONTHS for first, second in pairs):
        return None
    return Note(MARKS, _(_PAIRS, name=name, example=example), name)


def _note_on_titers(name: str, looked_at: Sequence[str]) -> Note | None:
    """Say that cells hold dilutions such as 1:160; None where they may be times."""
    dilutions = [int(match[1]) for text in looked_at if (match := _TITER.fullmatch(text))]
    if len(dilutions) < max(_FEWEST_PAIRS, _ALMOST_ALL * len(looked_at)) or max(dilutions) < _MINUTES:
        return None
    example = next(text for text in looked_at if _TITER.fullmatch(text))
    return Note(MARKS, _(_TITERS, name=name, example=example), name)


_TITER = re.compile(r"1 ?[:/] ?(\d{1,7})")
_MINUTES = 60
_TITERS = N_(
    "Column '{name}' holds dilutions such as '{example}', so it is read as categories. "
    "To read it as numbers, take the first number and the mark out of the cells in the file."
)
_FEWEST_PAIRS = 4
# Alleles are written as 0/1, too, and years have four digits.
_LEAST_OF_PAIR = 10
_PAIR = re.compile(r"(\d{1,3}) ?/ ?(\d{1,3})")
_DAYS, _MONTHS = 31, 12
_OUT_OF = N_(
    "Column '{name}' holds numbers out of {second} such as '{example}', so it is read as categories. "
    "To read it as numbers, take '/{second}' out of the cells in the file."
)
_PAIRS = N_(
    "Cells of column '{name}' hold two numbers such as '{example}', so it is read as categories. "
    "To use the numbers, split it into two columns in the file."
)
_FEWEST_WITH_UNIT = 5
_WITH_UNIT = re.compile(
    r"(?P<number>[-+]?\d[\d.,]*)(?:[ \u00a0\u202f]+(?P<unit>(?![%$£¥€])[^\W\d_][^\d\s]*(?:[23²³]|/[^\s]+)?)"
    r"|(?P<close>kg|mg|µg|ml|dl|cm|mm|km|bpm|mmHg|°C|min|yrs|years|歳|岁))"
)


_CURRENCIES = (
    "CHF|EUR|USD|GBP|INR|JPY|CNY|RMB|KRW|BRL|MXN|ARS|CLP|COP|PLN|CZK|HUF|RON|BGN|SEK|NOK|DKK|ISK|TRY|RUB|UAH"
    "|ILS|AED|SAR|EGP|ZAR|NGN|KES|AUD|CAD|NZD|SGD|HKD|TWD|THB|IDR|MYR|PHP|VND|PKR|BDT|LKR"
)
# Shorter ones may be something else where a number follows at once, as in rs123.
_CURRENCY_WORDS = "Rs|SFr|Fr|kr|Kr|zł|Kč|Ft|TL|Euro|Dollar"
_CURRENCY_SIGNS = dict(
    zip(
        ("₹", "₺", "₽", "₩", "₪", "₴", "R$", "US$"),
        ("INR", "TRY", "RUB", "KRW", "ILS", "UAH", "BRL", "USD"),
        strict=True,
    )
)
_SIGNS = "|".join(map(re.escape, _CURRENCY_SIGNS))
_CODE = f"(?P<code>{_CURRENCIES}|{_SIGNS})"
_WORD = f"(?P<word>{_CURRENCY_WORDS})"
_GAP = f"[{_BETWEEN_THOUSANDS}]"
_AMOUNT = rf"(?P<amount>\d(?:[\d.,'\u2019]|{_GAP}(?=\d))*)"
_IN_FRONT = re.compile(
    rf"(?P<minus>[-+]?)(?:{_CODE}{_GAP}*|{_WORD}(?:\.{_GAP}*|{_GAP}+))(?P<also>[-+]?){_AMOUNT}(?:[-–—])?"
)
_BEHIND = re.compile(rf"(?P<minus>[-+]?){_AMOUNT}{_GAP}*(?:{_CODE}|{_WORD}\.?)")
_IN_THOUSANDS = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*|\d{1,2}(?:,\d{2})*,\d{3}")
_WITH_CENTS = re.compile(
    r"(?P<whole>\d+|\d{1,3}(?:[.,]\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})[.,](?P<cents>\d{1,2})"
)
_BETWEEN_DIGITS = re.compile(rf"['\u2019{_BETWEEN_THOUSANDS}]")


def _money_behind(text: str, decimal: str) -> str:
    """Write an amount of money with its currency behind it and without marks between thousands.

    Cents have one digit or two, so that three digits behind a mark are thousands. A text without a currency
    stays as it is.

    >>> [_money_behind(text, ".") for text in ("CHF 1'043", "EUR 10,50", "Rs. 12,000", "R$ 1.250", "rs12")]
    ['1043 CHF', '10.50 EUR', '12000 Rs', '1250 BRL', 'rs12']
    """
    match = _IN_FRONT.fullmatch(text) or _BEHIND.fullmatch(text)
    if match is None:
        return text
    amount = _BETWEEN_DIGITS.sub("", match["amount"]).rstrip(".,")
    if _IN_THOUSANDS.fullmatch(amount):
        amount = re.sub("[.,]", "", amount)
    elif cents := _WITH_CENTS.fullmatch(amount):
        amount = f"{re.sub('[.,]', '', cents['whole'])}{decimal}{cents['cents']}"
    elif not amount.isdecimal():
        return text
    minus = match["minus"] or match.groupdict().get("also") or ""
    currency = match["word"] or _CURRENCY_SIGNS.get(match["code"], match["code"])
    return f"{minus}{amount} {currency}"


def _with_unit(text: str, decimal: str) -> re.Match[str] | None:
    """Take apart a number and its unit, which of money may stand in front."""
    return _WITH_UNIT.fullmatch(_money_behind(text, decimal))


_MOST_UNITS = 3
_UNITS = N_(
    "Column '{name}' holds numbers with the units {units}, so it is read as categories. "
    "To read it as numbers, write all of them in one unit in the file."
)
_UNIT = N_("Column '{name}' holds numbers, but {cells} have the unit '{unit}', so it is read as categories.")


_LEAST_CODES = 3
_LIMIT_CELL = N_(
    "Column '{name}' holds numbers, but {cells} gives only a limit, so it is read as categories. {how}"
)
_LIMIT_CELLS = N_(
    "Column '{name}' holds numbers, but {cells} give only a limit, so it is read as categories. {how}"
)
_MARKED_CELL = N_("Column '{name}' holds numbers, but {cells} has {kinds}, so it is read as categories.")
_MARKED_CELLS = N_("Column '{name}' holds numbers, but {cells} have {kinds}, so it is read as categories.")


def _with_examples(words: Sequence[str], cells: Mapping[str, int]) -> str:
    examples = ", ".join(f"'{word}'" for word in words[:_EXAMPLES])
    return f"{counted(sum(cells[word] for word in words), 'cell')} ({examples})"
