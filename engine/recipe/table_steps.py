"""Steps that make a column of others, leave out rows, or make numbers and categories of dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from engine.errors import InvalidData, InvalidExpression, InvalidParameter
from engine.recipe.evaluation import computed_column, rows_where
from engine.recipe.expression import columns_of, parse
from engine.recipe.step import (
    Applied,
    StepOfColumn,
    columns_named,
    name_of_column,
    number,
    one_of,
    stated,
    text,
    texts,
    with_made_column,
)
from engine.table.dataset import Dataset
from engine.table.row_weights import FEWEST_GROUPS
from engine.table.scores import with_score
from engine.table.variable import MISSING_CODE, Kind, Role, Variable, missing_mask
from engine.translation import N_, _, for_count
from engine.wording.notes import listed
from engine.wording.numbers import count_text, counted
from engine.wording.phrases import plain_listing


@dataclass(frozen=True)
class Compute(StepOfColumn):
    """Compute a column of others."""

    kind: ClassVar[str] = "compute"
    column: str = stated(name_of_column)
    expression: str = stated(text)

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        return _columns_of(self.expression)

    @property
    def sentence(self) -> str:
        """What it does."""
        return _(
            "“{column}” is computed: {expression}.", column=self.column, expression=self.expression.strip()
        )

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable, column, unfit = computed_column(self.expression, self.column, dataset)
        return Applied(dataset.with_columns({}, [(variable, column)]), (self.column,), unfit)


_MEAN = N_("“{column}” is the mean of the standardised values of {columns}.")
_MEAN_WITH_REVERSED = N_(
    "“{column}” is the mean of the standardised values of {columns}, {reversed} reversed."
)


@dataclass(frozen=True)
class Score(StepOfColumn):
    """Make a score of several columns: the mean of their standardised values."""

    kind: ClassVar[str] = "score"
    column: str = stated(name_of_column)
    columns: tuple[str, ...] = stated(columns_named)
    reversed: tuple[str, ...] = stated(texts, ())

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        return self.columns

    @property
    def sentence(self) -> str:
        """What it does."""
        return _(
            _MEAN_WITH_REVERSED if self.reversed else _MEAN,
            column=self.column,
            columns=listed(self.columns, _FEW),
            reversed=listed(self.reversed, _FEW),
        )

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        return Applied(with_score(dataset, self.column, self.columns, self.reversed), (self.column,))


_FEW = 6


@dataclass(frozen=True)
class Filter(StepOfColumn):
    """Keep the rows in which a condition is known to hold; a missing value may leave that open."""

    kind: ClassVar[str] = "filter"
    expression: str = stated(text)  # in the language of engine.recipe.expression

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        return _columns_of(self.expression)

    @property
    def sentence(self) -> str:
        """What it does."""
        return _("Only rows are kept where {expression}.", expression=self.expression.strip())

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        condition = rows_where(self.expression, dataset)
        if not condition.holds.any():
            raise InvalidData(
                _("the condition holds in no row, so none would be left."),
                remedy=_("Change the condition, or leave the step out."),
            )
        unknown = int(condition.missing.sum())
        remarks: tuple[str, ...] = ()
        if unknown:
            left_out = for_count(unknown, _UNKNOWN_IN_ROW, _UNKNOWN_IN_ROWS)
            remarks = (left_out.format(count=count_text(unknown)),)
        if condition.holds.all():
            return Applied(dataset, remarks=remarks)
        return Applied(dataset.select_rows(condition.holds), remarks=remarks)


_UNKNOWN_IN_ROW = N_("In {count} row it is not known whether the condition holds, so it is left out.")
_UNKNOWN_IN_ROWS = N_("In {count} rows it is not known whether the condition holds, so they are left out.")


def _columns_of(expression: str) -> tuple[str, ...]:
    try:
        return columns_of(parse(expression))
    except InvalidExpression:
        # What is wrong with it is said when it is applied.
        return ()


DAY_FIRST, MONTH_FIRST, FOUND_OUT = "day-first", "month-first", "found-out"

_YEAR = r"(?P<year>\d{4}|\d{2})(?:[T :].*)?"
_NUMBERS = r"(?P<{first}>\d{{1,2}})(?P<mark>[-/.])(?P<{second}>\d{{1,2}})(?P=mark)"
_DAY, _NAMED_MONTH = r"(?P<day>\d{1,2})", r"(?P<month>[A-Za-z]{3,9})"
# Each gives year, month and day; of two that suit as many texts, the earlier one wins.
_PATTERNS = tuple(
    (order, re.compile(pattern))
    for order, pattern in (
        (FOUND_OUT, r"(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?:[T ].*)?"),
        (FOUND_OUT, r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"),
        (DAY_FIRST, _NUMBERS.format(first="day", second="month") + _YEAR),
        (MONTH_FIRST, _NUMBERS.format(first="month", second="day") + _YEAR),
        (FOUND_OUT, _DAY + r"\.?[- /]?" + _NAMED_MONTH + r"[- /,.]*" + _YEAR),
        (FOUND_OUT, _NAMED_MONTH + r"\.? " + _DAY + r",? " + _YEAR),
    )
)
_NO_DATE = np.datetime64("NaT", "D")
# Years of two digits up to this one are of this century, as a remark below says.
_LAST_SHORT_YEAR = 68
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Dates:
    """Days that texts name."""

    days: np.ndarray  # datetime64[D]; NaT where a text names none
    is_ambiguous: bool = False  # day and month might as well be the other way round
    has_short_years: bool = False  # some year has two digits


def dates_of(texts: tuple[str, ...], order: str = FOUND_OUT) -> Dates:
    """Read dates, all in the order of day, month and year that suits most of them.

    >>> dates_of(("2024-02-29", "2023-02-29", "soon")).days.astype(str).tolist()
    ['2024-02-29', 'NaT', 'NaT']
    """
    best, has_short_years = np.full(len(texts), _NO_DATE), False
    most, counts = 0, {DAY_FIRST: 0, MONTH_FIRST: 0}
    for needed, pattern in _PATTERNS:
        if needed in counts and order in counts and needed != order:
            continue
        matches = [pattern.fullmatch(cell.strip()) for cell in texts]
        days = np.array([_day(match) for match in matches], dtype="datetime64[D]")
        count = int((~np.isnat(days)).sum())
        if needed in counts:
            counts[needed] = count
        if count > most:
            best, most = days, count
            has_short_years = any(match is not None and len(match["year"]) == 2 for match in matches)
    return Dates(best, counts[DAY_FIRST] == counts[MONTH_FIRST] == most > 0, has_short_years)


def are_dates(texts: Sequence[str], most: int = 20) -> bool:
    """Tell whether several texts are dates, by about so many of them at most."""
    some = tuple(texts[:: max(1, len(texts) // most)])
    return len(some) > 1 and not np.isnat(dates_of(some).days).any()


def _day(match: re.Match[str] | None) -> np.datetime64:
    if match is None:
        return _NO_DATE
    month, year = match["month"], int(match["year"])
    if len(match["year"]) == 2:
        year += 2000 if year <= _LAST_SHORT_YEAR else 1900
    if not month.isdigit():
        named = [number for number, name in enumerate(MONTHS, 1) if name.lower().startswith(month.lower())]
        month = str(named[0]) if named else "0"
    try:
        return np.datetime64(f"{year:04d}-{int(month):02d}-{int(match['day']):02d}", "D")
    except ValueError:
        return _NO_DATE


_ELAPSED = {"days": 1.0, "weeks": 7.0, "years": 365.25}
_LEVELS: dict[str, tuple[tuple[str, ...], Callable[[np.ndarray], np.ndarray]]] = {
    "month": (MONTHS, lambda days: days.astype("datetime64[M]").astype(np.int64) % 12),
    # The first day of 1970 was a Thursday.
    "weekday": (WEEKDAYS, lambda days: (days.astype(np.int64) + 3) % 7),
}
PARTS = ("year", *_LEVELS, *_ELAPSED)
"""What can be taken of a date; days, weeks and years are those that passed since another date."""
_PART_WORDS = {
    "year": N_("year"),
    "month": N_("month"),
    "weekday": N_("weekday"),
    "days": N_("days"),
    "weeks": N_("weeks"),
    "years": N_("years"),
}


@dataclass(frozen=True)
class TakeDate(StepOfColumn):
    """Make a number, or categories, of the dates of a column."""

    kind: ClassVar[str] = "date"
    column: str = stated(name_of_column)
    part: str = stated(one_of(*PARTS))
    # for the time that passed: a date, or a column of dates; the column's earliest when left out
    since: str = stated(text, "")
    order: str = stated(one_of(FOUND_OUT, DAY_FIRST, MONTH_FIRST), FOUND_OUT)
    into: str = stated(text, "")  # name of the new column; it takes the place of the dates when left out

    @cached_property
    def _start(self) -> np.datetime64:
        return np.datetime64(dates_of((self.since,)).days[0]) if self.since else _NO_DATE

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        is_column = self.part in _ELAPSED and self.since and np.isnat(self._start)
        return (self.column, self.since) if is_column else (self.column,)

    @property
    def sentence(self) -> str:
        """What it does."""
        if self.part not in _ELAPSED:
            sentence = _("“{made}” is the {part} of the date “{column}”.")
        elif not self.since:
            sentence = _("“{made}” is the time since the earliest date of “{column}”, in {part}.")
        elif np.isnat(self._start):
            sentence = _("“{made}” is the time from “{since}” to “{column}”, in {part}.")
        else:
            sentence = _("“{made}” is the time from {since} to “{column}”, in {part}.")
        return sentence.format(
            made=self.into or self.column,
            part=_(_PART_WORDS[self.part]),
            column=self.column,
            since=self.since,
        )

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable = dataset.variable(self.column)
        dates = {name: self._dates(dataset, name) for name in dict.fromkeys(self.uses)}
        days = _days_in_rows(dates[self.column], dataset, self.column)
        new_variable = replace(
            variable,
            name=self.into or self.column,
            kind=Kind.CONTINUOUS,
            levels=(),
            ordered=False,
            is_cut=False,
            unit=self.part if self.part in _ELAPSED else "",
        )
        is_date = ~np.isnat(days)
        ambiguous = [
            _(_AMBIGUOUS, column=name)
            for name, dates_of_column in dates.items()
            if dates_of_column.is_ambiguous
        ]
        short = [
            _(_SHORT_YEARS, column=name)
            for name, dates_of_column in dates.items()
            if dates_of_column.has_short_years
        ]
        unfit = int((~is_date & ~missing_mask(variable, dataset.column(self.column))).sum())
        values: np.ndarray
        if self.part in _LEVELS:
            levels, code_of = _LEVELS[self.part]
            values = np.where(is_date, code_of(np.where(is_date, days, np.datetime64(0, "D"))), MISSING_CODE)
            new_variable = replace(new_variable, kind=Kind.NOMINAL, levels=levels)
        elif self.part == "year":
            values = np.where(is_date, days.astype("datetime64[Y]").astype(np.float64) + 1970, np.nan)
        else:
            passed = (days - self._since(dataset, days, dates)).astype("timedelta64[D]")
            values = np.where(np.isnat(passed), np.nan, passed.astype(np.float64) / _ELAPSED[self.part])
        return Applied(
            with_made_column(dataset, self.column, new_variable, values),
            (new_variable.name,),
            unfit,
            (*ambiguous, *short),
        )

    def _since(
        self, dataset: Dataset, days: np.ndarray, dates: Mapping[str, Dates]
    ) -> np.ndarray | np.datetime64:
        if not self.since:
            return np.datetime64(np.nanmin(days)) if (~np.isnat(days)).any() else _NO_DATE
        if not np.isnat(self._start):
            return self._start
        return _days_in_rows(dates[self.since], dataset, self.since)

    def _dates(self, dataset: Dataset, name: str) -> Dates:
        """Return the days that the categories of a column name."""
        variable = dataset.variable(name)
        place = _("column '{name}'", name=name)
        if variable.kind is Kind.CONTINUOUS:
            raise InvalidData(
                _("it holds numbers, not dates."),
                place=place,
                remedy=_("Read it as categories before, or leave it."),
            )
        dates = dates_of(variable.levels, self.order)
        if np.isnat(dates.days).all() and variable.levels:
            raise InvalidData(
                _("it holds no dates, but {levels}.", levels=listed(variable.levels, 2)),
                place=place,
                remedy=_("Write dates as 2024-01-31 or 31.1.2024."),
            )
        return dates


def _days_in_rows(dates: Dates, dataset: Dataset, name: str) -> np.ndarray:
    return np.asarray(np.append(dates.days, _NO_DATE)[dataset.column(name)])


_AMBIGUOUS = N_(
    "It is not clear whether day or month comes first in “{column}”. CLCD assumes the day. Say "
    "which comes first."
)
_SHORT_YEARS = N_("Years of two digits in “{column}” are read as 1969 to 2068.")


BLOCK_OF_ROWS = "block of rows"
"""What the column of blocks is called."""


@dataclass(frozen=True, eq=False)
class RowOrder:
    """An order of the rows."""

    rows: np.ndarray  # positions of the rows, series by series, the earliest first
    series: np.ndarray  # of each row in that order, ascending


def row_order(dataset: Dataset, along: str = "", series: Sequence[str] = ()) -> RowOrder:
    """Order the rows by dates or numbers, or as they stand, within series, which columns separate together.

    Rows with equal values keep the order in which they stand; those without come last. Rows that miss a
    column of the series are a series each.
    """
    rows = dataset.row_count
    places = np.arange(rows) if not along else places_of(dataset.variable(along), dataset.column(along))
    if not series:
        return RowOrder(np.argsort(places, kind="stable"), np.zeros(rows, dtype=np.int64))
    codes, missing = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.bool_)
    for name in series:
        values, own = np.unique(dataset.column(name), return_inverse=True)
        codes = np.unique(codes * len(values) + own, return_inverse=True)[1].astype(np.int64)
        missing |= missing_mask(dataset.variable(name), dataset.column(name))
    codes[missing] = codes.max(initial=0) + 1 + np.arange(int(missing.sum()))
    order = np.lexsort((places, codes))
    return RowOrder(order, codes[order])


def places_of(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Return numbers in the order of a column: of categories, that of their dates, or of the levels."""
    if variable.kind is Kind.CONTINUOUS:
        return np.where(np.isnan(column), np.inf, column)
    days = dates_of(variable.levels).days
    is_date = ~np.isnat(days)
    if is_date.sum() * 2 > len(days):
        # Of one day, texts of an hour sort as they are written.
        keys = zip(~is_date, days.astype(np.int64), variable.levels, range(len(days)), strict=True)
        order = [position for *_, position in sorted(keys)]
        rank = np.empty(len(days) + 1)
        rank[order] = np.arange(len(days))
    else:
        rank = np.arange(len(days) + 1, dtype=np.float64)
    rank[-1] = np.inf
    places: np.ndarray = rank[np.where(missing_mask(variable, column), -1, column)]
    return places


def _rows_of_block(value: Any) -> int:
    rows = number(value)
    if rows < 0 or rows % 1:
        raise InvalidParameter(
            _("a whole number of rows is needed."), remedy=_("0 leaves each series whole.")
        )
    return int(rows)


@dataclass(frozen=True)
class RowBlocks(StepOfColumn):
    """Group rows that follow each other, so that blocks and not rows count as independent."""

    kind: ClassVar[str] = "row-blocks"
    rows: int = stated(_rows_of_block)  # of a block, at least; 0 makes each series one block
    along: str = stated(text, "")  # dates or numbers; the order in which rows stand when left out
    # columns that separate series together; a block holds rows of one
    series: tuple[str, ...] = stated(texts, ())
    column: str = stated(name_of_column, BLOCK_OF_ROWS)  # what the column of blocks is called

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        return tuple(name for name in (self.along, *self.series) if name)

    @property
    def sentence(self) -> str:
        """What it does."""
        series = plain_listing([f"“{name}”" for name in self.series])
        if not self.rows and self.series:
            return _(_BY_SERIES, series=series)
        order = _(_ALONG, along=self.along) if self.along else _(_AS_THEY_STAND)
        blocks = _(_BLOCKS, rows=counted(self.rows, "row"), order=order)
        return f"{blocks} {_(_WITHIN, series=series)}" if self.series else blocks

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        order = row_order(dataset, self.along, self.series)
        blocks = np.empty(dataset.row_count, dtype=np.float64)
        blocks[order.rows] = _blocks(order.series, self.rows) + 1.0
        count = int(blocks.max(initial=0.0))
        if count < FEWEST_GROUPS:
            raise InvalidData(
                _("the table has {rows}, which make one block only.", rows=counted(dataset.row_count, "row")),
                remedy=_("Choose fewer rows for a block."),
            )
        variable = Variable(self.column, Kind.CONTINUOUS, Role.GROUPS)
        if dataset.groups is not None:
            dataset = dataset.with_roles({dataset.groups: Role.IGNORED})
        new_dataset = dataset.with_columns({}, [(variable, blocks)])
        remarks = (_(_COUNTED, count=count_text(count)), *([_(COURSE_REMAINS)] if self.rows else []))
        return Applied(new_dataset, (self.column,), remarks=remarks)


_ALONG = N_("in the order of “{along}”")
_AS_THEY_STAND = N_("in the order of the table")
_BLOCKS = N_("Rows are grouped in blocks of about {rows}, {order}.")
_WITHIN = N_("Each block holds rows of one {series}.")
_BY_SERIES = N_("Rows are grouped by {series}; a row without a value is a group of its own.")
COURSE_REMAINS = N_("Blocks do not remove a season or a trend that columns share.")
"""What is left when rows are grouped in blocks."""
_COUNTED = N_("There are {count} blocks.")


def _blocks(series: np.ndarray, rows: int) -> np.ndarray:
    """Return the block of each row in order; blocks of one series are as equal in size as can be."""
    if not len(series):
        return np.zeros(0)
    starts = np.flatnonzero(np.append(True, series[1:] != series[:-1]))
    sizes = np.diff(np.append(starts, len(series)))
    # A block of more rows than there are is one of all of them.
    least = min(rows, len(series))
    counts = np.maximum(sizes // least, 1) if rows else np.ones(len(sizes), dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(counts[:-1])])
    within = np.arange(len(series)) - np.repeat(starts, sizes)
    blocks: np.ndarray = np.repeat(first, sizes) + within * np.repeat(counts, sizes) // np.repeat(
        sizes, sizes
    )
    return blocks
