"""Separator, quotation mark and decimal mark of a text table, and what a single cell looks like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.errors import UnreadableFile
from engine.readers.reading import Guess, Record
from engine.readers.records import Dialect, split_records
from engine.readers.registry import ReadingOptions
from engine.table.column_kinds import LARGEST_EXACT

ALWAYS_MISSING = (
    "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "NULL", "null", "?",
    "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
)  # fmt: skip
"""Codes that mean "missing" in any column, besides the empty cell."""

MISSING_AMONG_NUMBERS = frozenset(
    {
        "-", "--", "---", "----", ".", "..", "...", "*", "**", "***", "****", "*****", "??", "???",
        "none", "None", "NONE", "na", "Na", "n.a.", "N.A.", "nd", "ND", "n.d.", "N.D.", "N/D", "n/d",
        "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN", "nil", "Nil", "NIL",
        "x", "X", "#", "(null)", "undefined",
    }
)  # fmt: skip
"""Codes that mean "missing" where all other cells of the column are numbers; else they are levels."""

# Nothing that was taken is given back: what is tried again and again takes minutes on a long line of digits.
_POINT = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_COMMA = re.compile(r"[+-]?(?:\d++(?:,\d*+)?|,\d++)(?:[eE][+-]?\d++)?")
_GROUPED_POINT = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})++(?:\.\d++)?")
_GROUPED_COMMA = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})++(?:,\d++)?")

_LARGEST_EXACT = str(LARGEST_EXACT)

_ZONE = r"(?:Z| ?[+-]\d{2}:?\d{2}| ?(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?)"
_TIME = rf"\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}}(?:[.,]\d+)?)?(?: ?[AaPp][Mm])?{_ZONE}?"
_MONTH = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_NUMBERED_DAY = re.compile(
    rf"(?:(?P<year>\d{{4}})(?P<s>[-/.])(?P<b>\d{{1,2}})(?P=s)(?P<c>\d{{1,2}})"
    rf"|(?P<d>\d{{1,2}})(?P<t>[-/.])(?P<e>\d{{1,2}})(?P=t)(?:\d{{4}}|\d{{2}}))(?:[T ]{_TIME})?"
)
_NAMED_DAY = re.compile(
    rf"(?:\d{{1,2}}\.?[- /]?[A-Za-z]{{3,9}}[- /,]+\d{{2,4}}|\d{{1,2}}{_MONTH}\d{{4}}"
    rf"|[A-Za-z]{{3,9}} \d{{1,2}},? \d{{4}})(?:[ :]{_TIME})?"
)
_CLOCK = re.compile(r"\d{1,2}(?P<s>[:.])[0-5]\d(?P=s)[0-5]\d|\d{1,2}:[0-5]\d(?: ?[AaPp][Mm])?")


def parse_number(text: str, decimal: str = ".") -> float | None:
    """Read a number; None when the text is none.

    Parameters
    ----------
    text : str
        Without blanks around it.
    decimal : str
        ``"."`` or ``","``; the other one may group thousands.

    Returns
    -------
    float or None

    Examples
    --------
    >>> parse_number("1,5", ","), parse_number("1,234.5"), parse_number("1,5")
    (1.5, 1234.5, None)
    """
    plain, grouped = (_POINT, _GROUPED_POINT) if decimal == "." else (_COMMA, _GROUPED_COMMA)
    if plain.fullmatch(text):
        return float(text.replace(",", ".")) if decimal == "," else float(text)
    if grouped.fullmatch(text):
        if decimal == ".":
            return float(text.replace(",", ""))
        return float(text.replace(".", "").replace(",", "."))
    return None


def is_grouped(text: str, decimal: str = ".") -> bool:
    """Tell whether a number is written with marks between its thousands."""
    grouped = _GROUPED_POINT if decimal == "." else _GROUPED_COMMA
    return grouped.fullmatch(text) is not None


def _is_grouped_fraction(text: str, decimal: str) -> bool:
    return decimal in text and is_grouped(text, decimal)


def is_long_code(text: str) -> bool:
    """Tell whether a whole number is too long for a float64 to tell it from its neighbours: an identifier.

    Examples
    --------
    >>> is_long_code("9007199254740993"), is_long_code("9007199254740992"), is_long_code("1e300")
    (True, False, False)
    """
    digits = text.removeprefix("-").removeprefix("+")
    written = digits.lstrip("0")
    return digits.isdecimal() and (len(written), written) > (len(_LARGEST_EXACT), _LARGEST_EXACT)


def is_number(text: str) -> bool:
    """Tell whether a cell is a number with either decimal mark."""
    stripped = text.strip()
    return _POINT.fullmatch(stripped) is not None or _COMMA.fullmatch(stripped) is not None


def is_missing(text: str) -> bool:
    """Tell whether a cell is empty or holds a code that may mean "missing"."""
    stripped = text.strip()
    return not stripped or stripped in ALWAYS_MISSING or stripped in MISSING_AMONG_NUMBERS


def is_date_or_time(text: str) -> bool:
    """Tell whether a cell is a calendar date, with or without a time, or a time of day.

    Examples
    --------
    >>> is_date_or_time("10/03/2004"), is_date_or_time("2004-03-10T18:00:00Z"), is_date_or_time("3.14")
    (True, True, False)
    """
    stripped = text.strip()
    match = _NUMBERED_DAY.fullmatch(stripped)
    if match is None:
        return (_NAMED_DAY.fullmatch(stripped) or _CLOCK.fullmatch(stripped)) is not None
    first, second = (int(match[name] or match[other]) for name, other in (("b", "d"), ("c", "e")))
    is_day = 1 <= min(first, second) <= 12 and max(first, second) <= 31
    return is_day or _CLOCK.fullmatch(stripped) is not None


def has_either_order(texts: Iterable[str]) -> bool:
    """Tell whether day and month of dates in numbers could change places in every one of them.

    Examples
    --------
    >>> has_either_order(["10/03/2004", "11/03/2004"]), has_either_order(["10/03/2004", "25/03/2004"])
    (True, False)
    >>> has_either_order(["2004-03-10"])
    False
    """
    matches = [_NUMBERED_DAY.fullmatch(text.strip()) for text in texts]
    pairs = [(int(match["d"]), int(match["e"])) for match in matches if match is not None and match["d"]]
    return (
        bool(pairs) and all(max(pair) <= 12 for pair in pairs) and any(len(set(pair)) > 1 for pair in pairs)
    )


_PREFERENCE = ("tab", "semicolon", "bar", "comma", "space")
"""Of equally good separators the first is taken: a comma is also punctuation, a space above all."""

_FOREIGN = {
    "tab": re.compile(r"[;|]"),
    "semicolon": re.compile(r"[,\t|]"),
    "bar": re.compile(r"[,;\t]"),
    "comma": re.compile(r"[;\t|]"),
    "space": re.compile(r"[,;|]"),
}
_LEAST_QUALITY = 0.5
_SURE_QUALITY = 0.95
_LEAST_NUMBERS_BETWEEN_BLANKS = 0.3
_DECIMAL_COMMA = re.compile(r"[+-]?\d*+,\d++(?:[eE][+-]?\d++)?")
_BLANKS_IN_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?: \d{3})+(?:[.]\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})++")
_DECIMAL_POINT = re.compile(r"[+-]?\d*+\.\d++(?:[eE][+-]?\d++)?")


@dataclass(frozen=True, slots=True)
class _Trial:
    """How well a dialect fits: 1 when every row has the same cells and none looks torn."""

    dialect: Dialect
    records: tuple[Record, ...]
    width: int
    quality: float


def usual_width(records: Sequence[Record]) -> int:
    """Return the number of cells that most rows in the second half have; titles stand in the first."""
    counts = [len(record.cells) for record in _body(records)]
    if not counts:
        return 0
    tally = Counter(counts)
    most = max(tally.values())
    candidates = [count for count, times in tally.items() if times == most]
    first = len(records[0].cells)
    return first if first in candidates else max(candidates)


def sniff_dialect(
    lines: Sequence[str], options: ReadingOptions, first_line: int = 1
) -> tuple[Dialect, tuple[Record, ...], tuple[Guess, ...]]:
    """Find out how cells are written.

    Parameters
    ----------
    lines : sequence of str
        The first lines of the table.
    options : ReadingOptions
        What is given there is taken as it is.
    first_line : int
        Number of the first line in the file.

    Returns
    -------
    dialect : Dialect
    records : tuple of Record
        The lines cut by it.
    guesses : tuple of Guess
    """
    trial, guesses = _sniff_separator(lines, options)
    records = tuple(Record(record.line + first_line - 1, record.cells) for record in trial.records)
    decimal, decimal_guesses = _sniff_decimal(records, trial.dialect, options)
    return replace(trial.dialect, decimal=decimal), records, (*guesses, *decimal_guesses)


def _sniff_separator(lines: Sequence[str], options: ReadingOptions) -> tuple[_Trial, tuple[Guess, ...]]:
    names = (options.delimiter,) if options.delimiter else _PREFERENCE
    trials = [_try_separator(lines, name, options) for name in names]
    if options.delimiter:
        return trials[0], _quote_guesses(trials[0], lines, options)
    likely = [trial for trial in trials if trial.width > 1 and trial.quality >= _LEAST_QUALITY]
    if not likely:
        single = _try_separator(lines, "none", options)
        reason = "No separator cuts the rows into equally many cells, so there is one column."
        possible = any(Dialect(name).separator in line for name in _PREFERENCE for line in lines)
        return single, (Guess("delimiter", "none", reason, certain=not possible),)
    best = max(likely, key=lambda trial: trial.quality)
    alike = sum(len(record.cells) == best.width for record in _body(best.records))
    reason = f"{alike} of {len(_body(best.records))} rows looked at have {best.width} cells with it."
    sure = best.quality >= _SURE_QUALITY or (len(likely) == 1 and alike == len(_body(best.records)))
    guess = Guess("delimiter", best.dialect.delimiter, reason, certain=sure)
    return best, (guess, *_quote_guesses(best, lines, options))


def _try_separator(lines: Sequence[str], delimiter: str, options: ReadingOptions) -> _Trial:
    if options.quote:
        return _try(lines, Dialect(delimiter, options.quote))
    quote = "single" if _is_single_quoted(lines, delimiter) else "double"
    return _try(lines, Dialect(delimiter, quote))


def _quote_guesses(trial: _Trial, lines: Sequence[str], options: ReadingOptions) -> tuple[Guess, ...]:
    quote = trial.dialect.quote
    if options.quote or not any(trial.dialect.quote_character in line for line in lines):
        return ()
    reason = f"{quote.capitalize()} quotation marks stand around cells."
    return (Guess("quote", quote, reason, certain=quote == "double"),)


def _try(lines: Sequence[str], dialect: Dialect) -> _Trial:
    try:
        records = tuple(record for record in split_records(lines, dialect) if not record.is_blank)
    except UnreadableFile:
        # Only a wrong separator, or a quotation mark that is reported when the rows are read.
        return _Trial(dialect, (), 0, 0.0)
    width = usual_width(records)
    body = [record for record in _body(records) if len(record.cells) == width]
    if not body or dialect.delimiter == "none":
        return _Trial(dialect, records, width, 0.0)
    alike = len(body) / len(_body(records))
    cells = [cell for record in body for cell in record.cells]
    torn = sum(_is_torn(cell, dialect.delimiter) for cell in cells) / len(cells)
    if dialect.delimiter == "space":
        numbers = sum(is_number(cell) for cell in cells) / len(cells)
        if numbers < _LEAST_NUMBERS_BETWEEN_BLANKS:
            return _Trial(dialect, records, width, 0.0)
    return _Trial(dialect, records, width, alike - torn)


def _is_torn(cell: str, delimiter: str) -> bool:
    """Tell whether a cell may be two: it holds another separator that is no decimal comma.

    Between commas stand several numbers where blanks separate and commas are decimal marks.
    """
    if _FOREIGN[delimiter].search(cell) is not None and not is_number(cell):
        return True
    if delimiter != "comma" or " " not in cell or "\n" in cell:
        return False
    parts = cell.replace('"', " ").split()
    numbers = sum(map(is_number, parts))
    return numbers > 1 and 2 * numbers > len(parts) and not _BLANKS_IN_THOUSANDS.fullmatch(cell.strip())


def _is_single_quoted(lines: Sequence[str], delimiter: str) -> bool:
    """Single quotes count as quotation marks only when every opened one is closed."""
    if any('"' in line for line in lines) or not any("'" in line for line in lines):
        return False
    separator = re.escape(Dialect(delimiter).separator)
    text = re.sub(" ++", " ", "\n".join(lines))
    opened = len(re.findall(rf"(?:^|{separator}) ?'", text, re.MULTILINE))
    closed = len(re.findall(rf"' ?(?={separator}|$)", text, re.MULTILINE))
    return opened >= 2 and opened == closed


def _sniff_decimal(
    records: Sequence[Record], dialect: Dialect, options: ReadingOptions
) -> tuple[str, tuple[Guess, ...]]:
    if options.decimal:
        return options.decimal, ()
    marks = _Marks()
    count = marks.count
    for record in records:
        for cell in record.cells:
            if "." in cell or "," in cell:
                count(cell.strip(), dialect.delimiter)
    doubt = marks.doubt(dialect.delimiter)
    if marks.commas == marks.points == 0:
        # Numbers with a point are read alike by either mark but for these.
        return "point", (Guess("decimal", "point", doubt, certain=False),) if doubt else ()
    value, times = ("comma", marks.commas) if marks.commas > marks.points else ("point", marks.points)
    example = "1,5" if value == "comma" else "1.5"
    reasons = [f"{times} of {marks.commas + marks.points} fractions looked at are written like {example}."]
    certain = min(marks.commas, marks.points) == 0
    if value == "point" and doubt:
        reasons.append(doubt)
        certain = False
    return value, (Guess("decimal", value, " ".join(reasons), certain=certain),)


_BEHIND_POINT = "Each has three digits behind the point, which may as well stand between thousands."
_BEHIND_COMMA = (
    "Numbers such as {example} have three digits behind the comma, which is taken out here. It may be the "
    "decimal mark."
)


@dataclass(slots=True)
class _Marks:
    """How often points and commas are decimal marks for certain, and how often they may be either.

    Attributes
    ----------
    points, commas : int
    points_in_threes : int
        Points that may stand between thousands, as in 1.234.
    commas_in_threes : int
        Commas that may be decimal marks, as in 1,234.
    example : str
        One of these.
    """

    points: int = 0
    commas: int = 0
    points_in_threes: int = 0
    commas_in_threes: int = 0
    example: str = ""

    def count(self, text: str, delimiter: str) -> None:
        """Count a cell."""
        if _DECIMAL_POINT.fullmatch(text) or _is_grouped_fraction(text, "."):
            self.points += 1
            self.points_in_threes += text[-4:-3] == "." and is_grouped(text, ",")
        elif _is_grouped_fraction(text, ","):
            self.commas += 1
        elif _DECIMAL_COMMA.fullmatch(text):
            if delimiter == "semicolon" or not _THOUSANDS.fullmatch(text):
                self.commas += 1
            else:
                self.commas_in_threes += 1
                self.example = self.example or text

    def doubt(self, delimiter: str) -> str:
        """Say why a point as decimal mark is in doubt; empty where it is not.

        Where commas separate, numbers hardly have a decimal comma, or points between thousands.
        """
        if delimiter == "comma":
            return ""
        if self.points:
            return _BEHIND_POINT if self.points_in_threes == self.points else ""
        return _BEHIND_COMMA.format(example=self.example) if self.commas_in_threes and not self.commas else ""


def _body(records: Sequence[Record]) -> Sequence[Record]:
    return records[len(records) // 2 :]
