"""Rows of a table that are no cases: repeated headers, totals and the like, and trials of a survey."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pandas

from engine.readers.cell_text import ALWAYS_MISSING, is_missing, parse_number
from engine.readers.group_rows import summaries_of_groups
from engine.readers.lone_texts import section_headings
from engine.readers.missing_words import means_missing
from engine.readers.reading import NO_CASES, REPEATS
from engine.readers.records import Cells, is_empty
from engine.readers.summary_words import may_be_value, names_summary, names_test
from engine.table.survey_columns import STATUS, are_trials, survey_columns
from engine.table.variable import has_infinite, present_numbers
from engine.translation import N_, for_count
from engine.wording.notes import Note
from engine.wording.phrases import plain_listing

_EDGE_ROWS = 12
"""Last rows, and first ones, that may be summaries of all rows between."""

_SCREENED_COLUMNS = 8
_MOST_COLUMNS = 200
_FIRST_CELLS = 20
_MOSTLY = 0.8
_MOST_SUBTOTAL_ROWS = 5000
_COLUMNS_OF_WORDS = 3
_FEW_GROUPS = 12
_FEWEST_MEDIANS = 3
_COMPARED_COLUMNS = 40

# How likely as many equal values are by chance, at most: for a row that a word names, for such a row among
# cases, for a row that nothing but its values speaks of, and for one that is called as cases are.
_CHANCE_BESIDE_WORD = 0.2
_CHANCE_IN_BETWEEN = 0.001
_CHANCE_WITHOUT_WORD = 1e-5
_CHANCE_BESIDE_LEVEL = 1e-10
_LEAST_SHARE = 0.6
_HALF = 0.5
_FINE = 8
_LEAST_ROWS = 3
_STATISTICS = 18
"""So many are tried where a word names a row."""

_ROWS_AT_START = 4
_NAMES_SEEN = 300
_FEWEST_COUNTED = 5

_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class OtherRows:
    """Rows that are no cases, by position."""

    headers: tuple[int, ...] = ()  # they repeat a row of the header
    summaries: tuple[int, ...] = ()  # they hold sums, means and the like of other rows
    repeats: tuple[int, ...] = ()  # of a repeating instrument of REDCap, below the row of their record
    beside: tuple[int, ...] = ()  # they hold a title above a repeated header, or the units below it
    headings: tuple[int, ...] = ()  # they hold a single text and stand above the cases of a section
    trials: tuple[int, ...] = ()  # a survey was tried with them before it was sent out
    below: tuple[int, ...] = ()  # they are another table, with names of its own, below the cases

    def __bool__(self) -> bool:
        return any((self.headers, self.summaries, self.repeats, self.headings, self.trials, self.below))

    def is_case(self, rows: int) -> np.ndarray:
        """Tell of each row whether it stays, shape (rows,)."""
        kept = np.ones(rows, dtype=bool)
        groups = (self.headers, self.summaries, self.repeats, self.beside, self.headings, self.trials)
        for left_out in (*groups, self.below):
            kept[list(left_out)] = False
        return kept

    def values_left_out(self, cells: Sequence[Cells]) -> list[int]:
        """Count the rows left out that hold a value, by column."""
        gone = ~self.is_case(len(cells[0]))
        return [
            int((~np.isnan(column[gone])).sum())
            if isinstance(column, np.ndarray)
            else int(column[gone].notna().sum())
            for column in cells
        ]

    def notes(self, numbers: np.ndarray, unit: str) -> list[Note]:
        """Say what is left out, by the numbers of rows, which count a `unit`: "line" or "row"."""
        parts = []
        for kind in _SENTENCES:
            rows = getattr(self, kind)
            if rows:
                where = for_count(len(rows), *_WHERE[unit]).format(
                    numbers=plain_listing([str(numbers[row]) for row in rows], _MOST_NAMED)
                )
                left_out = for_count(len(rows), *_SENTENCES[kind])
                parts.append(left_out.format(count=len(rows), where=where))
        notes = [Note(NO_CASES, " ".join(parts))] if parts else []
        if self.repeats:
            repeats = for_count(len(self.repeats), _REPEAT, _REPEATS)
            notes.append(Note(REPEATS, repeats.format(count=len(self.repeats))))
        return notes


_WHERE = {
    "line": (N_("line {numbers}"), N_("lines {numbers}")),
    "row": (N_("row {numbers}"), N_("rows {numbers}")),
}
_REPEAT = N_("Left out: {count} row of a repeating instrument of REDCap; the row of its record stays.")
_REPEATS = N_("Left out: {count} rows of repeating instruments of REDCap; the rows of their records stay.")
_SENTENCES = {
    "headers": (
        N_("Left out: {count} row that repeats the names of the columns ({where})."),
        N_("Left out: {count} rows that repeat the names of the columns ({where})."),
    ),
    "beside": (
        N_("Left out: {count} row with a title or units beside such a row ({where})."),
        N_("Left out: {count} rows with titles or units beside such rows ({where})."),
    ),
    "headings": (
        N_("Left out: {count} row with one text alone, like the heading of a section ({where})."),
        N_("Left out: {count} rows with one text alone, like headings of sections ({where})."),
    ),
    "summaries": (
        N_("Left out: {count} row that by its name or values is a sum, a mean or the like ({where})."),
        N_("Left out: {count} rows that by name or values are sums, means or the like ({where})."),
    ),
    "trials": (
        N_("Left out: {count} answer to a preview or test of the survey, by its status ({where})."),
        N_("Left out: {count} answers to previews or tests of the survey, by their status ({where})."),
    ),
    "below": (
        N_("Left out: {count} row of another table below the cases ({where})."),
        N_("Left out: {count} rows of another table below the cases ({where})."),
    ),
}


def find_other_rows(
    cells: Sequence[Cells],
    header: Sequence[Sequence[str]],
    decimal: str,
    complete: bool,
    *,
    keeps_repeats: bool = False,
) -> OtherRows:
    """Find the rows of a table that are no cases.

    >>> ward = pandas.Series(["a", "b", "ward", "c", "d", "Total"], dtype="str")
    >>> beds = pandas.Series(["12", "30", "beds", "9", "20", "71"], dtype="str")
    >>> find_other_rows([ward, beds], [["ward", "beds"]], ".", True)
    OtherRows(headers=(2,), summaries=(5,), repeats=(), beside=(), headings=(), trials=(), below=())
    """
    headers = _repeated_headers(cells, header)
    repeats = () if keeps_repeats else _rows_of_instruments(cells, header)
    beside = _beside_headers(cells, headers, decimal) if headers else ()
    # Of some formats not all columns are given.
    headings = section_headings(cells, (*headers, *repeats, *beside), decimal) if header else ()
    trials = _trials_of_surveys(cells, header)
    below = _table_below(cells, decimal) if complete and header and not headers else ()
    other_rows = OtherRows(headers, (), repeats, beside, headings, trials, below)
    kept = other_rows.is_case(len(cells[0]))
    if not kept.any():
        return OtherRows()
    cases = [column[kept] for column in cells] if other_rows else cells
    # The sum of the largest numbers is infinite.
    with np.errstate(over="ignore", invalid="ignore"):
        summaries = _find_summaries(cases, decimal, complete)
    return replace(other_rows, summaries=tuple(np.flatnonzero(kept)[list(summaries)].tolist()))


_INSTRUMENT = ("redcap_repeat_instrument", "repeat instrument")


def _rows_of_instruments(cells: Sequence[Cells], header: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Find rows of repeating instruments in an export of REDCap that has a row a record, too."""
    names = [name.strip().casefold() for name in header[0]] if header else []
    position = next((names.index(name) for name in _INSTRUMENT if name in names), len(cells))
    column = cells[position] if position < len(cells) else None
    if not isinstance(column, pandas.Series):
        return ()
    rows = np.flatnonzero(column.notna())
    return tuple(rows.tolist()) if len(rows) < len(column) else ()


def _table_below(cells: Sequence[Cells], decimal: str) -> tuple[int, ...]:
    """Find the rows of a small table at the end, from its names or its title on."""
    count = len(cells[0])
    first = max(count - _EDGE_ROWS, count - count // 4)
    texts: dict[int, list[str]] = defaultdict(list)
    numbers: set[int] = set()
    for column in cells[:_MOST_COLUMNS]:
        if isinstance(column, np.ndarray):
            numbers.update((first + np.flatnonzero(~np.isnan(column[first:]))).tolist())
        elif _begins_with_numbers(column, decimal):
            for row, text in enumerate(map(_plain, column.iloc[first:]), start=first):
                if _number_in(text, decimal) is not None:
                    numbers.add(row)
                elif text and not is_missing(text) and not means_missing(text):
                    texts[row].append(text)
    names = next((row for row in sorted(texts) if _are_names(texts[row]) and row not in numbers), count)
    if names + 1 >= count or not numbers.issuperset(range(names + 1, count)):
        return ()
    while names > first and sum(_is_filled(column, names - 1) for column in cells) == 1:
        names -= 1
    return tuple(range(names, count))


def _are_names(texts: Sequence[str]) -> bool:
    """Tell whether texts in columns of numbers are several different words."""
    return len(set(texts)) == len(texts) > 1 and all(any(map(str.isalpha, text)) for text in texts)


def _is_filled(column: Cells, row: int) -> bool:
    return not np.isnan(column[row]) if isinstance(column, np.ndarray) else bool(_plain(column.iat[row]))


def _trials_of_surveys(cells: Sequence[Cells], header: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Find answers that Qualtrics marks as those to a preview or a test of the survey."""
    places = survey_columns(header[0]) if header else {}
    status = next((places[name] for name in STATUS if name in places), len(cells))
    if status >= len(cells):
        return ()
    rows = np.flatnonzero(are_trials(cells[status].tolist()))
    return tuple(rows.tolist()) if len(rows) < len(cells[status]) else ()


def _repeated_headers(cells: Sequence[Cells], header: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Find rows that hold in every column what a row of the header holds there, whatever its case."""
    row_numbers: set[int] = set()
    # Of a single column "Ill" may be a name and "ill" a value.
    plain = plain_name if len(cells) > 1 else _plain
    for names in header:
        written = [name.strip() for name in names[: len(cells)]]
        if sum(map(bool, written)) < min(2, len(cells)):
            continue
        rows: np.ndarray | None = None
        # Most tables are settled by a column of numbers under a word.
        order = sorted(range(len(written)), key=lambda place: not isinstance(cells[place], np.ndarray))
        if are_words_but_for_the_first(written):
            # A block of statistics has a word of its own there.
            order.remove(0)
        for position in order:
            if rows is not None and not len(rows):
                break
            equal = _equal_to(cells[position], written[position], rows, plain)
            rows = equal if rows is None else rows[equal]
        if rows is None or not len(rows):
            continue
        # Ticks that are the name of their column stand together in a row by chance.
        if any(_only_there(cells[place], written[place], len(rows), plain) for place in order):
            row_numbers.update(rows.tolist())
    return tuple(sorted(row_numbers))


def _only_there(column: Cells, name: str, count: int, plain: Callable[[str], str]) -> bool:
    """Tell whether a column holds its name in so many rows alone, and values in others."""
    present = int((~pandas.isna(column)).sum())
    return present > count == len(_equal_to(column, name, None, plain))


def _beside_headers(cells: Sequence[Cells], headers: Sequence[int], decimal: str) -> tuple[int, ...]:
    """Find rows with nothing but a title directly above repeated headers, or with units directly below."""
    count = len(cells[0])
    above = sorted({row - 1 for row in headers if row > 0} - set(headers))
    below = sorted({row + 1 for row in headers if row + 1 < count} - set(headers))
    texts_above = _texts_in(cells, above, decimal) if len(cells) > 2 else {}
    titles = [row for row, filled in texts_above.items() if len(filled) == 1]
    units = [
        row
        for row, filled in _texts_in(cells, below, decimal).items()
        if any(_mostly_numbers(cells[place], decimal) is not None for place in filled)
    ]
    return tuple(sorted({*titles, *units}))


def _texts_in(cells: Sequence[Cells], rows: Sequence[int], decimal: str) -> dict[int, list[int]]:
    """Give of some rows those that hold texts which no other row has, and no number: with their columns."""
    filled: dict[int, list[int]] = {row: [] for row in rows}
    for place, column in enumerate(cells):
        at_rows = column[list(rows)] if isinstance(column, np.ndarray) else column.iloc[list(rows)]
        for row, cell in zip(rows, at_rows.tolist(), strict=True):
            if row not in filled or pandas.isna(cell):
                continue
            is_text = isinstance(cell, str) and parse_number(cell, decimal) is None
            if is_text and int((column == cell).sum()) == sum(at_rows == cell):
                filled[row].append(place)
            else:
                del filled[row]
    return filled


def are_words_but_for_the_first(names: Sequence[str]) -> bool:
    """Tell whether the names of the columns from the second on are words that differ."""
    others = names[1:]
    if not 2 <= len(others) <= _MOST_COLUMNS:
        return False
    return len(set(others)) == len(others) and not any(map(_may_be_value, others))


def _may_be_value(name: str) -> bool:
    return is_missing(name) or parse_number(name) is not None


def _equal_to(column: Cells, name: str, rows: np.ndarray | None, plain: Callable[[str], str]) -> np.ndarray:
    """Return which of some rows, or of all, hold a text; places among these rows."""
    if isinstance(column, np.ndarray):
        values = column if rows is None else column[rows]
        if not name or name in ALWAYS_MISSING:
            return np.flatnonzero(np.isnan(values))
        number = parse_number(name)
        return np.flatnonzero(values == number) if number is not None else np.empty(0, np.int64)
    series = column if rows is None else column.iloc[rows]
    name = plain(name)
    if not name:
        return np.flatnonzero(series.isna())
    alike = [text for text in series.unique().tolist() if isinstance(text, str) and plain(text) == name]
    return np.flatnonzero(series.isin(alike))


_AROUND_NAMES = "\ufeff\xa0 \t\"'"


def plain_name(text: str) -> str:
    """Write a name in small letters, without blanks and quotation marks around it."""
    return text.strip(_AROUND_NAMES).casefold()


def _plain(text: object) -> str:
    return text.strip("\ufeff \t") if isinstance(text, str) else ""


# Whole numbers, and codes of letters and digits.
_MAY_IDENTIFY = re.compile(r"\d+|(?=.*[^\W\d_])(?=.*\d)[\w/.-]+")


@dataclass(frozen=True, slots=True)
class _ColumnContents:
    """The columns of a table by what they hold; some of them where there are many."""

    numbers: list[np.ndarray]
    texts: list[pandas.Series]  # of which most cells are no numbers
    written: list[pandas.Series]  # the first ones that hold any text

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.numbers[0])

    def keep(self, rows: np.ndarray) -> _ColumnContents:
        """Keep some rows, and the columns that hold a number there."""
        numbers = [column[rows] for column in self.numbers]
        return _ColumnContents(
            [column for column in numbers if not is_empty(column)],
            [column.iloc[rows] for column in self.texts],
            [column.iloc[rows] for column in self.written],
        )

    def is_named(self, row: int) -> bool:
        """Tell whether a word that no other row holds says that a row is a summary."""
        for column in self.written:
            text = column.iat[row]
            if names_summary(_plain(text)) and int((column == text).sum()) == 1:
                return True
        return False

    def is_named_among_identifiers(self, row: int, base: slice) -> bool:
        """Tell whether a word for summaries stands where every case has a whole number or a code."""
        for column in self.written:
            text = _plain(column.iat[row])
            if names_summary(text) and not may_be_value(text):
                cases = [case for case in map(_plain, column.iloc[base]) if not is_missing(case)]
                if len(cases) >= _FEWEST_COUNTED and all(map(_MAY_IDENTIFY.fullmatch, cases)):
                    return True
        return False

    def is_test(self, row: int, base: slice) -> bool:
        """Tell whether a row is called as a statistical test is, where cases have one of a few groups."""
        for column in self.written:
            if names_test(_plain(column.iat[row])):
                cases = column.iloc[base].dropna()
                return len(cases) >= _FEWEST_COUNTED and 2 * cases.nunique() <= len(cases)
        return False

    def has_such_names(self, row: int, base: slice) -> bool:
        """Tell whether words for summaries begin names among the cases, too, as Max may."""
        for column in self.written:
            if names_summary(_plain(column.iat[row])):
                cases = column.iloc[base]
                places = np.linspace(0, len(cases) - 1, min(len(cases), _NAMES_SEEN)).astype(int)
                if any(names_summary(_plain(text)) for text in cases.iloc[places]):
                    return True
        return False

    def has_levels(self, row: int) -> bool:
        """Tell whether a row holds texts that other rows hold too, as a case does."""
        written = ((column, column.iloc[row]) for column in self.texts)
        return any(_plain(text) and int((column == text).sum()) > 1 for column, text in written)

    def is_empty(self, row: int) -> bool:
        """Tell whether a row holds nothing."""
        has_text = any(_plain(column.iloc[row]) for column in (*self.texts, *self.written))
        return not has_text and all(np.isnan(column[row]) for column in self.numbers)


def _find_summaries(cells: Sequence[Cells], decimal: str, complete: bool) -> tuple[int, ...]:
    """Find rows that hold sums, means and the like of other rows."""
    rows = len(cells[0])
    columns = _by_kind(cells, decimal)
    if rows < _LEAST_ROWS or not columns.numbers:
        return ()
    subtotals = _subtotals(columns) or _of_groups(columns) if rows <= _MOST_SUBTOTAL_ROWS else []
    left_out = list(subtotals)
    kept = np.delete(np.arange(rows), subtotals)
    if complete:
        rest = columns.keep(kept) if subtotals else columns
        tail = _summaries_at_edge(rest, at_end=True) if rest.numbers else []
        left_out += kept[tail].tolist()
        if tail:
            rest = rest.keep(np.arange(tail[0]))
        if rest.numbers:
            left_out += kept[_summaries_at_edge(rest, at_end=False)].tolist()
    return _with_gaps(columns, left_out)


def _of_groups(columns: _ColumnContents) -> list[int]:
    """Find rows that summarise a group each, which a column of words or of few numbers names."""
    few = (column for column in columns.numbers if len(np.unique(present_numbers(column))) <= _FEW_GROUPS)
    places = np.linspace(0, len(columns.numbers) - 1, min(len(columns.numbers), _COMPARED_COLUMNS)).astype(
        int
    )
    compared = _ColumnContents([columns.numbers[place] for place in places], [], [])

    def chance_of(row: int, base: np.ndarray) -> float:
        agreement = _agreement(compared, row, base, _all_statistics, _LEAST_SHARE)
        is_alike = agreement.equal > 1 and agreement.share >= _LEAST_SHARE and agreement.filled >= _HALF
        return agreement.chance * _STATISTICS if is_alike else np.inf

    def chance_of_means(row: int, base: np.ndarray) -> float:
        agreement = _agreement(compared, row, base, _mean, _MOSTLY)
        if agreement.equal < 2 or agreement.share < _MOSTLY or agreement.filled < _HALF:
            return np.inf
        finer = [_decimals(float(column[row])) > _places(column[base]) for column in compared.numbers]
        return agreement.chance if sum(finer) > 1 else np.inf

    def chance_of_medians(row: int, base: np.ndarray) -> float:
        agreement = _agreement(compared, row, base, _median, 1.0)
        is_alike = agreement.equal >= _FEWEST_MEDIANS and agreement.share == 1.0
        return agreement.chance if is_alike and agreement.filled >= _HALF else np.inf

    groups = (*columns.written[:_COLUMNS_OF_WORDS], *islice(few, _COLUMNS_OF_WORDS))
    return summaries_of_groups(groups, chance_of, (chance_of_means, chance_of_medians))


def _by_kind(cells: Sequence[Cells], decimal: str) -> _ColumnContents:
    numbers = [column for column in cells if isinstance(column, np.ndarray)]
    written = [column for column in cells if isinstance(column, pandas.Series)][:_MOST_COLUMNS]
    texts = []
    for column in written:
        values = _mostly_numbers(column, decimal)
        if values is None:
            texts.append(column)
        else:
            numbers.append(values)
    if len(numbers) > _MOST_COLUMNS:
        numbers = [numbers[place] for place in np.linspace(0, len(numbers) - 1, _MOST_COLUMNS).astype(int)]
    numbers = [column for column in numbers if not (is_empty(column) or has_infinite(column))]
    return _ColumnContents(numbers, texts, written[:_FIRST_CELLS])


def _begins_with_numbers(column: pandas.Series, decimal: str) -> bool:
    first = [text for text in map(_plain, column.iloc[:_FIRST_CELLS]) if not is_missing(text)]
    numbers = sum(parse_number(text, decimal) is not None for text in first)
    return bool(first) and numbers >= _MOSTLY * len(first)


def _mostly_numbers(column: pandas.Series, decimal: str) -> np.ndarray | None:
    """Read a column of text as numbers where but for some cells it holds these, NaN for others."""
    if not _begins_with_numbers(column, decimal):
        return None
    codes, texts = pandas.factorize(column)
    values = np.array([*(_number_in(_plain(text), decimal) for text in texts), None], dtype=np.float64)
    return np.asarray(values[codes])


_WITH_MORE = re.compile(r"([-+]?[0-9][0-9.,]*)\s*(?:%|[±(\[]|\+/?-).*")


def _number_in(text: str, decimal: str) -> float | None:
    """Read a number, also where a percent sign or a spread follows, as in 53.4 ± 18.0."""
    number = parse_number(text, decimal)
    if number is None and (match := _WITH_MORE.fullmatch(text)) is not None:
        value = parse_number(match[1], decimal)
        # Percentages may hold the only fractions of a table, whose decimal mark is not known then.
        return value if value is not None else parse_number(match[1].replace(",", "."))
    return number


Statistics = Callable[[np.ndarray], Iterable[float]]


def _sum_and_mean(values: np.ndarray) -> tuple[float, float]:
    total = float(values.sum())
    return total, total / len(values)


def _mean(values: np.ndarray) -> tuple[float]:
    return (float(values.mean()),)


def _median(values: np.ndarray) -> tuple[float]:
    return (float(np.median(values)),)


def _all_statistics(values: np.ndarray) -> tuple[float, ...]:
    """Give what is written below columns: sum, mean, spread, extremes, quartiles, number, percentage."""
    count = len(values)
    total, mean = _sum_and_mean(values)
    low, first, median, third, high = np.quantile(values, [0.0, 0.25, 0.5, 0.75, 1.0]).tolist()
    spread = float(values.std())
    sample = float(values.std(ddof=1)) if count > 1 else 0.0
    relative = sample / mean if mean else 0.0
    return (
        total, mean, spread, sample, spread**2, sample**2, sample / count**0.5, count, low, first, median,
        third, high, third - first, high - low, relative, 100 * relative, 100 * mean,
    )  # fmt: skip


def _number_of_values(values: np.ndarray) -> tuple[float, ...]:
    """Give how many values there are; of a few, as a case may well have that number."""
    return (float(len(values)),) if len(values) >= _FEWEST_COUNTED else ()


@dataclass(frozen=True, slots=True)
class _StatisticsFit:
    """How far a row agrees with statistics of other rows."""

    equal: int
    share: float
    filled: float
    chance: float


def _agreement(
    columns: _ColumnContents,
    row: int,
    base: slice | np.ndarray,
    statistics: Statistics,
    least_share: float = 0.0,
) -> _StatisticsFit:
    """Compare a row with statistics of others, until fewer than a `least_share` can be equal."""
    present = equal = 0
    evidence = 1.0
    most_unequal = (1 - least_share) * len(columns.numbers)
    for column in columns.numbers:
        if present - equal > most_unequal:
            break
        value = float(column[row])
        values = column[base]
        values = present_numbers(values)
        if np.isnan(value) or not len(values):
            continue
        present += 1
        tolerance = _tolerance(value, values, float(np.abs(values).sum()))
        is_equal = any(abs(value - statistic) <= tolerance for statistic in statistics(values))
        equal += is_equal
        evidence *= _ratio(value, values, tolerance) if is_equal else _UNEQUAL
    return _StatisticsFit(
        equal, equal / max(present, 1), present / len(columns.numbers), 1 / max(evidence, 1e-300)
    )


# What is likely of a number in a summary: it is equal to a statistic and inside what cases have, equal and
# beyond that, or not equal.
_INSIDE, _BEYOND, _UNEQUAL = 0.45, 0.45, 0.1


def _ratio(value: float, values: np.ndarray, tolerance: float) -> float:
    """Return how many times likelier a number is in a summary than in a case (an e-value)."""
    count, low, high = len(values), float(values.min()), float(values.max())
    if not low - tolerance <= value <= high + tolerance:
        return _BEYOND * (count + 1) ** 2 / 2
    near = int((np.abs(values - value) <= tolerance).sum())
    share = near / count if near else min(1 / (count + 1), 2 * tolerance / max(high - low, tolerance))
    return _INSIDE / share


def _tolerance(value: float, values: np.ndarray, size: float) -> float:
    """Return how far a rounded statistic may be from the true one; sums are of unrounded values."""
    is_sum = abs(value) * len(values) > 4 * size
    places = _places(values) if is_sum else 0
    of_values = 0.5 * 10.0**-places * len(values) ** 0.5 if places else 0.0
    return 0.5 * 10.0 ** -_decimals(value) * (1 + 1e-6) + of_values + 1e-9 * size


def _places(values: np.ndarray) -> int:
    """Return with how many decimals values are written, by the first ones."""
    return max(map(_decimals, values[:_FIRST_CELLS].tolist()), default=0)


def _decimals(value: float) -> int:
    text = repr(value)
    return 0 if "e" in text or text.endswith(".0") else len(text.partition(".")[2])


def _is_summary(columns: _ColumnContents, row: int, base: slice) -> bool:
    """Tell whether a row is a summary of others, by its values and by what it is called."""
    if columns.is_named(row) and not columns.has_such_names(row, base):
        is_named = columns.is_named_among_identifiers(row, base) or columns.is_test(row, base)
        return (
            is_named
            or _may_be_p_values(columns, row, base)
            or any(
                (agreement := _agreement(columns, row, base, statistics)).share >= _HALF
                and agreement.chance <= chance
                for statistics, chance in (
                    (_sum_and_mean, _CHANCE_BESIDE_WORD),
                    (_all_statistics, _CHANCE_BESIDE_WORD / _STATISTICS),
                )
            )
        )
    return _are_statistics(columns, row, base, _sum_and_mean, _LEAST_SHARE) or (
        _are_statistics(columns, row, base, _number_of_values, 1.0) and not _counts_on(columns, row, base)
    )


def _may_be_p_values(columns: _ColumnContents, row: int, base: slice) -> bool:
    """Tell whether all numbers of a row are between 0 and 1 beside columns of larger or of whole numbers."""
    present = [(column[row], column[base]) for column in columns.numbers if not np.isnan(column[row])]
    return all(0 <= value <= 1 for value, _ in present) and any(
        value % 1 > 0 and (np.nanmax(np.abs(values)) > 1 or not (values % 1 > 0).any())
        for value, values in present
    )


def _are_statistics(
    columns: _ColumnContents, row: int, base: slice, statistics: Statistics, least_share: float
) -> bool:
    """Tell whether the numbers of a row are statistics of others, though no word says so."""
    agreement = _agreement(columns, row, base, statistics)
    if agreement.equal < 2 or agreement.share < least_share or agreement.filled < _HALF:
        return False
    if agreement.chance > _CHANCE_WITHOUT_WORD:
        return False
    return (agreement.share == 1.0 and agreement.chance <= _CHANCE_BESIDE_LEVEL) or not columns.has_levels(
        row
    )


def _counts_on(columns: _ColumnContents, row: int, base: slice) -> bool:
    """Tell whether a row goes on with a column that numbers the rows."""
    for column in columns.numbers:
        values = column[base]
        steps = np.diff(values)
        is_numbering = len(steps) > 1 and bool((np.abs(steps) == 1).all() and (steps == steps[0]).all())
        if is_numbering and abs(column[row] - values[0 if base.start else -1]) == 1:
            return True
    return False


def _follows(columns: _ColumnContents, row: int, base: slice) -> bool:
    """Tell whether a row beside a summary is another one, or empty."""
    if columns.is_empty(row) or columns.is_named(row):
        return True
    agreement = _agreement(columns, row, base, _all_statistics)
    return (
        agreement.share >= _LEAST_SHARE
        and agreement.chance <= _CHANCE_IN_BETWEEN
        and not columns.has_levels(row)
    )


class _TableEnd:
    """Rows at the end or start of a table, in order from the cases outwards; plain cases are left out."""

    def __init__(self, columns: _ColumnContents, rows: range) -> None:
        places = np.linspace(0, len(columns.numbers) - 1, _SCREENED_COLUMNS).astype(int)
        numbers = [columns.numbers[place] for place in sorted(set(places.tolist()))]
        self._rows = rows
        self._values = np.array([column[rows] for column in numbers])
        self._named = np.zeros(len(rows), dtype=bool)
        for column in columns.written:
            # A slice, as pandas takes single rows at ten times the cost.
            texts = column.iloc[min(rows) : max(rows) + 1].tolist()[:: rows.step]
            names = {text: names_summary(_plain(text)) for text in set(texts)}
            self._named |= np.array([names[text] for text in texts])
        present = list(map(present_numbers, numbers))
        self._totals = np.array([values.sum() for values in present])
        self._counts = np.array([len(values) for values in present])
        sizes = [float(np.abs(values).sum()) for values in present]
        self._tolerances = np.array(
            [
                [_tolerance(value, values, size) for value in edge.tolist()]
                for edge, values, size in zip(self._values, present, sizes, strict=True)
            ]
        )
        low = np.array([[values.min()] for values in present])
        high = np.array([[values.max()] for values in present])
        # Elsewhere a mean that was rounded is near to most values.
        is_fine = _FINE * self._tolerances < high - low
        is_beyond = (self._values < low) | (self._values > high)
        self._telling = ~np.isnan(self._values) & (is_fine | is_beyond)

    def likely(self) -> list[list[int]]:
        """Return for each row those from it on that a word names, or that may be sums, means or counts."""
        present = ~np.isnan(self._values)
        # The sums and numbers of values from each row outwards, which are no part of what is summed up.
        outer = np.cumsum(np.where(present, self._values, 0.0)[:, ::-1], axis=1)[:, ::-1]
        outer_counts = np.cumsum(present[:, ::-1], axis=1)[:, ::-1]
        totals = (self._totals[:, np.newaxis] - outer)[:, :, np.newaxis]
        counts = np.maximum(self._counts[:, np.newaxis] - outer_counts, 1)[:, :, np.newaxis]
        values = self._values[:, np.newaxis, :]
        difference = np.fmin(np.abs(values - totals), np.abs(values - totals / counts))
        difference = np.fmin(difference, np.abs(values - counts))
        telling = self._telling[:, np.newaxis, :]
        equal = (telling & (difference <= self._tolerances[:, np.newaxis, :])).sum(axis=0)
        is_likely = self._named | (2 * equal >= np.maximum(self._telling.sum(axis=0), 1))
        return [
            [self._rows[start + place] for place in np.flatnonzero(places[start:]).tolist()]
            for start, places in enumerate(is_likely)
        ]


def _summaries_at_edge(columns: _ColumnContents, *, at_end: bool) -> list[int]:
    """Find rows at an edge of which one is a sum or mean of all cases, and the others likewise."""
    count = columns.rows
    rows = (
        range(max(count - _EDGE_ROWS, 2), count)
        if at_end
        else range(min(_ROWS_AT_START, count - 2) - 1, -1, -1)
    )
    if not rows:
        return []
    edge = _TableEnd(columns, rows)
    for nearest, likely in zip(rows, edge.likely(), strict=True):
        base = slice(0, nearest) if at_end else slice(nearest + 1, count)
        summary = next((row for row in likely if _is_summary(columns, row, base)), None)
        if summary is not None and (summary == nearest or _follows(columns, nearest, base)):
            outwards = rows[rows.index(nearest) :]
            return sorted(row for row in outwards if row == summary or _follows(columns, row, base))
    return []


def _with_gaps(columns: _ColumnContents, summaries: Iterable[int]) -> tuple[int, ...]:
    """Add the empty rows that set summaries off."""
    summary_rows = set(summaries)
    for row in sorted(summary_rows):
        for step in (-1, 1):
            beside = row + step
            while 0 <= beside < columns.rows and beside not in summary_rows and columns.is_empty(beside):
                summary_rows.add(beside)
                beside += step
    return tuple(sorted(summary_rows))


def _subtotals(columns: _ColumnContents) -> list[int]:
    """Find rows that a word names and that all sum up rows above, back to the one before or to the first."""
    for texts in columns.written[:_COLUMNS_OF_WORDS]:
        named = [text for text in texts.unique().tolist() if names_summary(_plain(text))]
        rows = np.flatnonzero(texts.isin(named)).tolist() if named else []
        if len(rows) < 2 or 2 * len(rows) > columns.rows or rows[0] == 0:
            continue
        chance, part = 1.0, np.empty(0, dtype=np.int64)
        cases = np.delete(np.arange(columns.rows), rows)
        for before, row in zip([-1, *rows], rows, strict=False):
            # A row directly below another summary is of the same part.
            part = np.arange(before + 1, row) if row - before > 1 else part
            bases = (part, cases[cases < row])
            agreements = [_agreement(columns, row, base, _all_statistics) for base in bases if len(base)]
            chances = [agreement.chance for agreement in agreements if agreement.share >= _LEAST_SHARE]
            chance = chance * min(chances) if chances else np.inf
        if chance <= _CHANCE_IN_BETWEEN:
            return rows
    return []
