"""Rows that are exact copies of others: every test takes each row for another case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.table.dataset import Dataset
from engine.table.variable import MISSING_CODE, Kind, Variable, missing_mask
from engine.translation import N_, _, for_count
from engine.wording.notes import Note
from engine.wording.numbers import counted

REPEATED_ROWS = "repeated-rows"
"""Topic of the note about them."""

# Most rows of most tables differ within few columns, and need not be looked at further.
_FIRST_COLUMNS = 4
# Rows from which the chance of equal values in a column is estimated.
_SAMPLE = 5000
_FIRST_ROWS = 1000
_FEW_ROWS = 20
# Where independent columns would make this many equal pairs for each copy, chance is no explanation.
_FEW_PAIRS = 0.01
# Columns that are left out in turn to see whether rows agree in all others.
_LEFT_OUT = 8
# Rows that agree by chance are a tip: many more agree in all columns but one.
_FEW_NEAR = 0.1


@dataclass(frozen=True, slots=True)
class RepeatedRows:
    """What is known of equal rows."""

    copies: int  # rows that are equal to an earlier one
    columns: int  # that were compared
    by_chance: bool  # rows may agree by chance in so few columns, or many others nearly agree


def find_repeated_rows(dataset: Dataset) -> RepeatedRows:
    """Count the rows that are copies of others in all labels and features; two missing values are equal.

    Columns that number or name the rows are not compared. Rows of a table of a few categories agree by
    chance. That is so where columns that are independent of each other would make a notable share of such
    pairs; and where rows that agree in all columns but one are no rarity beside those that agree in all:
    columns that depend on each other make both likely, copying only the one.
    """
    positions = [
        position
        for position, (variable, column) in enumerate(zip(dataset.variables, dataset.columns, strict=True))
        if variable.role.takes_part and not _names_rows(variable, column)
    ]
    columns = [dataset.columns[position] for position in positions]
    if not _has_twins(columns, dataset.row_count):
        return RepeatedRows(0, len(columns), by_chance=False)
    marks = _marks(columns, np.arange(dataset.row_count))
    copies = dataset.row_count - len(np.unique(marks))
    return RepeatedRows(copies, len(columns), copies > 0 and _are_by_chance(columns, marks, copies))


def with_note_on_repeated_rows(dataset: Dataset) -> Dataset:
    """Say once that rows are copies of others where chance cannot explain it, and no groups do."""
    if dataset.groups is not None:
        return dataset.without_notes(REPEATED_ROWS)
    if any(note.topic == REPEATED_ROWS for note in dataset.notes):
        return dataset
    repeated = find_repeated_rows(dataset)
    if not repeated.copies or repeated.by_chance:
        return dataset
    return dataset.with_notes([Note(REPEATED_ROWS, repeated_rows_message(repeated, dataset.row_count))])


def repeated_rows_message(repeated: RepeatedRows, row_count: int) -> str:
    """Say how many rows are copies, what that does, and what helps."""
    copies = for_count(
        repeated.copies,
        "{count} row of {rows} is an exact copy of an earlier row in {columns}. This is not due to chance.",
        "{count} rows of {rows} are exact copies of earlier rows in {columns}. This is not due to chance.",
    ).format(count=f"{repeated.copies:,}", rows=f"{row_count:,}", columns=counted(repeated.columns, "column"))
    return f"{copies} {_(_WHAT_COPIES_DO)}"


_WHAT_COPIES_DO = N_(
    "Tests treat each row as an independent case, so p-values are too small. Leave the copies out, "
    "choose the column of groups of rows, or choose the column of frequency weights."
)


def _names_rows(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column differs in every row as a row number or a name does, but no measurement need."""
    beginning = column[:_FEW_ROWS].tolist()
    if variable.kind is Kind.NOMINAL:
        beginning = [code for code in beginning if code != MISSING_CODE]
    # Most columns are left at once; NaN differs from itself.
    if len(set(beginning)) < len(beginning) or (beginning and beginning[0] % 1 > 0):
        return False
    for count in sorted({min(length, len(column)) for length in (_FIRST_ROWS, len(column))}):
        part = column[:count]
        present = part[~missing_mask(variable, part)]
        if variable.kind is Kind.CONTINUOUS and (present % 1 != 0).any():
            return False
        if variable.kind is Kind.NOMINAL and variable.level_count < len(present):
            return False
        if len(np.unique(present)) < len(present):
            return False
    return True


def _has_twins(columns: list[np.ndarray], row_count: int) -> bool:
    """Tell whether any rows seem equal, looking at ever more columns of ever fewer rows."""
    rows, marks = np.arange(row_count), np.zeros(row_count, dtype=np.uint64)
    start, end = 0, _FIRST_COLUMNS
    while start < len(columns):
        marks = marks + _marks(columns[start:end], rows, first=start)
        again = _occurs_again(marks)
        rows, marks = rows[again], marks[again]
        if not len(rows):
            return False
        start, end = end, 2 * end
    return bool(columns)


def _occurs_again(marks: np.ndarray) -> np.ndarray:
    """Tell which numbers occur more than once."""
    order = np.argsort(marks)
    in_order = marks[order]
    is_next_equal = np.append(in_order[1:] == in_order[:-1], False)
    again = np.empty(len(marks), dtype=np.bool_)
    again[order] = is_next_equal | np.append(False, is_next_equal[:-1])
    return again


_BITS = 2**64 - 1


def _marks(columns: list[np.ndarray], rows: np.ndarray, first: int = 0) -> np.ndarray:
    """Give each row a number that equal rows share, and different ones hardly ever."""
    marks = np.zeros(len(rows), dtype=np.uint64)
    everywhere = bool(columns) and len(rows) == len(columns[0])
    for position, column in enumerate(columns, start=first):
        marks += _mark_of_column(column if everywhere else column[rows], position)
    return marks


def _mark_of_column(column: np.ndarray, position: int) -> np.ndarray:
    """Return the share of one column in the numbers of the rows, which is a sum over the columns.

    Halves of 32 bits times random odd numbers: multiplied by them, two different sums of 64 bits are equal
    with a chance of 2⁻³³ at most (Dietzfelbinger 1996, Universal hashing and k-wise independent random
    variables via integer arithmetic without primes).
    """
    low, high = (_mixed(2 * position + half) | 1 for half in (0, 1))
    if column.dtype.kind != "f":
        return (column.astype(np.int64) + 2).view(np.uint64) * np.uint64(low)
    # There are many bit patterns for "not a number", and two for zero.
    halves = np.where(np.isnan(column), np.nan, column + 0.0).view(np.uint32)
    return halves[::2] * np.uint64(low) + halves[1::2] * np.uint64(high)


def _mixed(number: int) -> int:
    """Give 64 bits that look random (Steele, Lea, Flood 2014, Fast splittable random numbers)."""
    bits = ((number + 1) * 0x9E3779B97F4A7C15) & _BITS
    bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & _BITS
    bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & _BITS
    return bits ^ bits >> 31


def _are_by_chance(columns: list[np.ndarray], marks: np.ndarray, copies: int) -> bool:
    """Tell whether rows may agree by chance, from how alike the values of columns are."""
    sample = np.linspace(0, len(marks) - 1, min(len(marks), _SAMPLE)).astype(np.int64)
    alike = np.array([_chance_of_equal(column[sample]) for column in columns])
    pairs = np.log(len(marks)) * 2 - np.log(2) + np.log(alike).sum()
    if pairs > np.log(_FEW_PAIRS * copies):
        return True
    different = len(marks) - copies
    near = 0
    for position in np.argsort(alike, kind="stable")[:_LEFT_OUT]:
        without = marks - _mark_of_column(columns[position], int(position))
        near += different - len(np.unique(without))
    return near > _FEW_NEAR * min(copies, different)


def _chance_of_equal(values: np.ndarray) -> float:
    """Give the chance that two rows have the same value; no two rows need to, so a row counts for itself."""
    counts = np.unique(values, return_counts=True)[1]
    return float(np.square(counts / len(values)).sum())
