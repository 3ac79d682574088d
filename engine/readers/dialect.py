"""Separator, quotation mark and decimal mark of a text table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.errors import UnreadableFile
from engine.readers.cell_text import is_grouped, is_number, plain_minus
from engine.readers.options import DECIMAL_MARKS, ReadingOptions
from engine.readers.reading import Guess, Record
from engine.readers.records import Dialect, split_records
from engine.translation import N_, _

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
_COMMA_BESIDE_TEXT = re.compile(r"(?<!\d),|,(?!\d)")
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
    """Find out how cells are written."""
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
    if likely and likely[0].dialect.delimiter == "tab":
        # Blanks cut at tabs too, and within cells.
        likely = [trial for trial in likely if trial.dialect.delimiter != "space"]
    if not likely:
        single = _try_separator(lines, "none", options)
        reason = _("No separator divides the rows into equal numbers of cells, so there is one column.")
        possible = any(Dialect(name).separator in line for name in _PREFERENCE for line in lines)
        return single, (Guess("delimiter", "none", reason, certain=not possible),)
    best = max(likely, key=lambda trial: trial.quality)
    blanks = likely[-1]
    may_be_blanks = best.dialect.delimiter == "comma" and _may_have_decimal_commas(blanks, lines)
    if may_be_blanks and not any("," in name for name in blanks.records[0].cells):
        best, may_be_blanks = blanks, False
    rows = _body(best.records)
    if len(rows[-1].cells) != best.width and " " in rows[-1].cells[0].strip():
        # A sentence may stand below the table.
        rows = rows[:-1]
    alike = sum(len(record.cells) == best.width for record in rows)
    reason = _(
        "With it, {alike} of {rows} rows examined have {cells} cells.",
        alike=alike,
        rows=len(rows),
        cells=best.width,
    )
    sure = best.quality >= _SURE_QUALITY or (len(likely) == 1 and alike == len(rows))
    guess = Guess("delimiter", best.dialect.delimiter, reason, certain=sure and not may_be_blanks)
    return best, (guess, *_quote_guesses(best, lines, options))


def _may_have_decimal_commas(trial: _Trial, lines: Sequence[str]) -> bool:
    """Tell whether blanks cut every row into equally many cells, and commas stand between digits."""
    if trial.dialect.delimiter != "space" or any(_COMMA_BESIDE_TEXT.search(line) for line in lines):
        return False
    widths = [len(record.cells) for record in trial.records]
    first = widths[0] + 1 if widths[0] > 1 else widths[0]
    return set(widths[1:]) == {trial.width} and trial.width in (widths[0], first)


def _try_separator(lines: Sequence[str], delimiter: str, options: ReadingOptions) -> _Trial:
    quote = options.quote or ("single" if _is_single_quoted(lines, delimiter) else "double")
    return _try(lines, Dialect(delimiter, quote))


def _quote_guesses(trial: _Trial, lines: Sequence[str], options: ReadingOptions) -> tuple[Guess, ...]:
    quote = trial.dialect.quote
    if options.quote or not any(trial.dialect.quote_character in line for line in lines):
        return ()
    reason = (
        _("Double quotation marks stand around cells.")
        if quote == "double"
        else _("Single quotation marks stand around cells.")
    )
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
        if numbers < _LEAST_NUMBERS_BETWEEN_BLANKS and not _are_written_by_r(lines, records, width):
            return _Trial(dialect, records, width, 0.0)
    return _Trial(dialect, records, width, alike - torn)


def _are_written_by_r(lines: Sequence[str], records: Sequence[Record], width: int) -> bool:
    """Tell whether rows between blanks have the form of R's write.table, so that texts may prevail.

    All rows have as many cells as there are names, or one more. The names are in quotation marks, or
    a column holds numbers alone.
    """
    names, *rows = records
    if len(rows) < _FEWEST_ROWS_OF_R or any(len(row.cells) != width for row in rows):
        return False
    without_name = width - len(names.cells)
    if _QUOTED_NAMES.fullmatch(next(line for line in lines if line.strip()).strip()):
        return without_name in (0, 1)
    return (
        without_name == 1
        and width >= _FEWEST_CELLS_OF_R
        and any(all(is_number(row.cells[place]) for row in rows) for place in range(width))
    )


_QUOTED_NAMES = re.compile('"[^"]*"(?: "[^"]*")+')
_FEWEST_ROWS_OF_R, _FEWEST_CELLS_OF_R = 10, 4

_AROUND_NUMBERS = " \u00a0\u202f%$£¥€"


def _is_torn(cell: str, delimiter: str) -> bool:
    """Tell whether a cell may be two: it holds another separator that is no decimal comma."""
    if _FOREIGN[delimiter].search(cell) is not None and not is_number(cell.strip(_AROUND_NUMBERS)):
        return True
    if delimiter != "comma" or " " not in cell or "\n" in cell:
        return False
    parts = cell.replace('"', " ").split()
    numbers = sum(map(is_number, parts))
    return numbers > 1 and 2 * numbers > len(parts) and not _BLANKS_IN_THOUSANDS.fullmatch(cell.strip())


def _is_grouped_fraction(text: str, decimal: str) -> bool:
    return decimal in text and is_grouped(text, decimal)


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
    marks = _DecimalMarkCounts()
    count = marks.count
    for record in records:
        for cell in record.cells:
            if "." in cell or "," in cell:
                count(plain_minus(cell.strip()), dialect.delimiter)
    doubt = marks.doubt(dialect.delimiter)
    if marks.commas == marks.points == 0:
        # Numbers with a point are read alike by either mark but for these.
        guess = Guess("decimal", "point", doubt, certain=False, example=marks.example)
        return "point", (guess,) if doubt else ()
    value, times = ("comma", marks.commas) if marks.commas > marks.points else ("point", marks.points)
    example = "1,5" if value == "comma" else "1.5"
    if doubt and (value == "point" or not marks.points):
        return value, (Guess("decimal", value, doubt, certain=False, example=marks.example),)
    in_threes = marks.points_in_threes if value == "point" else marks.commas_in_threes
    if in_threes and (cell := _in_threes_beside_whole_numbers(records, DECIMAL_MARKS[value])):
        reason = _(BEHIND_POINT if value == "point" else _COMMA_AS_DECIMAL, example=cell)
        return value, (Guess("decimal", value, reason, certain=False, example=cell),)
    reason = _(
        "{times} of {count} fractions examined are written like {example}.",
        times=times,
        count=marks.commas + marks.points,
        example=example,
    )
    return value, (Guess("decimal", value, reason, certain=min(marks.commas, marks.points) == 0),)


def _in_threes_beside_whole_numbers(records: Sequence[Record], mark: str) -> str:
    """Return a cell such as 5.166 of a column with whole numbers below 1,000 and no other fractions."""
    width = max((len(record.cells) for record in records), default=0)
    for position in range(min(width, _MOST_COLUMNS_LOOKED_AT)):
        example, in_threes, whole = "", 0, 0
        for record in records:
            cell = record.cells[position].strip() if position < len(record.cells) else ""
            if _ONE_THREE[mark].fullmatch(cell):
                example, in_threes = example or cell, in_threes + 1
            elif cell.isdecimal() and len(cell) < _FOUR_DIGITS:
                whole += cell != "0"
            elif is_number(cell):
                break
        else:
            if in_threes >= _LEAST_IN_THREES and whole:
                return example
    return ""


_MOST_COLUMNS_LOOKED_AT = 1000
_ONE_THREE = {mark: re.compile(rf"[1-9]\d{{0,2}}[{mark}]\d{{3}}") for mark in ".,"}
_FOUR_DIGITS, _LEAST_IN_THREES = 4, 10

BEHIND_POINT = N_(
    "The point in numbers such as {example} is read as the decimal mark. It may stand between thousands."
)
_COMMA_AS_DECIMAL = N_(
    "The comma in numbers such as {example} is read as the decimal mark. It may stand between thousands."
)
_BEHIND_COMMA = N_(
    "The comma in numbers such as {example} is read as a mark between thousands. It may be the decimal mark."
)


@dataclass(slots=True)
class _DecimalMarkCounts:
    """How often points and commas are decimal marks for certain, and how often they may be either."""

    points: int = 0
    commas: int = 0
    points_in_threes: int = 0
    commas_in_threes: int = 0
    example: str = ""

    def count(self, text: str, delimiter: str) -> None:
        """Count a cell."""
        if _DECIMAL_POINT.fullmatch(text) or _is_grouped_fraction(text, "."):
            self.points += 1
            # It matters whether some are in threes, and whether all are.
            is_settled = 0 < self.points_in_threes < self.points - 1
            if not is_settled and text[-4:-3] == "." and is_grouped(text, ","):
                self.points_in_threes += 1
                self.example = self.example or text
        elif _DECIMAL_COMMA.fullmatch(text):
            is_in_threes = _THOUSANDS.fullmatch(text) is not None
            # Where semicolons separate, a comma is hardly anything but the decimal mark.
            self.commas += delimiter == "semicolon" or not is_in_threes
            if is_in_threes:
                self.commas_in_threes += 1
                self.example = self.example or text
        elif _is_grouped_fraction(text, ","):
            self.commas += 1

    def doubt(self, delimiter: str) -> str:
        """Say why the decimal mark is in doubt; empty where it is not."""
        if delimiter == "comma":
            return ""
        if self.points:
            is_doubt = self.points_in_threes == self.points
            return _(BEHIND_POINT, example=self.example) if is_doubt else ""
        if delimiter == "semicolon":
            is_doubt = 0 < self.commas == self.commas_in_threes
            return _(_COMMA_AS_DECIMAL, example=self.example) if is_doubt else ""
        return _(_BEHIND_COMMA, example=self.example) if self.commas_in_threes and not self.commas else ""


def _body(records: Sequence[Record]) -> Sequence[Record]:
    return records[len(records) // 2 :]
