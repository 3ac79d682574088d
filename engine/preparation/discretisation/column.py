"""Turning one column of numbers into codes, and the names of its bins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.preparation.discretisation.method import Classes, DiscretisationMethod, SortedColumn
from engine.preparation.discretisation.unsupervised import median_cut
from engine.table.column_kinds import are_codes
from engine.table.variable import MISSING_CODE, code_dtype, free_name
from engine.wording.numbers import MOST_DIGITS, interval_names, number_text

_DIGITS_AT_LEAST = 3


def cut_texts(cuts: np.ndarray, values: np.ndarray) -> list[str]:
    """Write ascending cuts with just enough digits to part the ascending values as the cuts themselves do.

    >>> cut_texts(np.array([2.45, 4.75001]), np.array([1.9, 3.0, 4.7, 4.8]))
    ['2.45', '4.75']
    >>> cut_texts(np.array([0.123456, 0.123458]), np.array([0.123455, 0.123457, 0.123459]))
    ['0.123456', '0.123458']
    """
    counts = np.searchsorted(values, cuts, side="right")
    below, above = values[counts - 1], values[counts]
    return [
        _shortest(float(cut), float(low), float(high))
        for cut, low, high in zip(cuts, below, above, strict=True)
    ]


def _shortest(cut: float, low: float, high: float) -> str:
    for digits in range(_DIGITS_AT_LEAST, MOST_DIGITS):
        if low <= float(f"{cut:.{digits}g}") < high:
            return number_text(cut, digits)
    return number_text(cut)


def bin_names(cuts: np.ndarray, values: np.ndarray) -> tuple[str, ...]:
    """Name the bins between cuts; a value equal to a cut belongs to the bin below it.

    >>> bin_names(np.array([3.2, 7.1]), np.array([1.0, 5.0, 9.0]))
    ('≤ 3.2', '3.2 – 7.1', '> 7.1')
    """
    return interval_names(cut_texts(cuts, values))


MISSING_LEVEL = "missing"


@dataclass(frozen=True, slots=True)
class CutColumn:
    """What a column of numbers became."""

    codes: np.ndarray  # signed int: bin of each row
    # names of the bins; the last is "missing" when missing values got a level of their own
    levels: tuple[str, ...]
    different: int  # number of different values that were cut
    cuts: np.ndarray  # ascending: bin j holds the values above cuts[j - 1] and up to cuts[j]
    by_median: bool = False  # the method found no cut, so the column was split at its median
    by_value: bool = False  # each bin holds one value, and is named after it


def cut_column(
    values: np.ndarray,
    method: DiscretisationMethod,
    bins: int = 2,
    classes: Classes = (),
    *,
    missing_level: bool = True,
    weights: np.ndarray | None = None,
    keep_codes: bool = False,
) -> CutColumn:
    """Cut one column, with at least one value, into bins, none of them empty.

    A column with only two different values keeps these two, whatever the method. When the method's cuts
    separate nothing (most values are the same one, or MDL finds no cut that pays), the column is split at
    its median, so that no column becomes constant by being cut.

    For MDL that fallback is a decision of this program. MDL looks at a column and a label alone, but a
    spouse tells about a label only together with their common effect, and would be lost before the first
    test. Whether such a column has to do with a label is for the tests to say.

    With `keep_codes`, what looks like codes of a few categories (:func:`are_codes`) keeps its values.
    """
    known = ~np.isnan(values)
    present = values if known.all() else values[known]
    if classes or weights is not None:
        order = np.argsort(present, kind="stable")
        ascending = present[order]
        column = SortedColumn(
            ascending,
            bins,
            tuple(each[known][order] for each in classes),
            None if weights is None else weights[known][order],
        )
    else:
        ascending = np.sort(present)
        column = SortedColumn(ascending, bins)
    distinct = np.unique(ascending) if keep_codes else ascending
    if keep_codes and are_codes(distinct, len(ascending)):
        cuts, by_median = distinct[:-1], False
    else:
        cuts, by_median = _cuts_or_median(method, column)
    single = _single_values(ascending, cuts)
    levels = bin_names(cuts, ascending) if single is None else tuple(map(number_text, single.tolist()))
    # NaN sorts behind every cut, so it lands in the last bin before it is told apart.
    codes = np.searchsorted(cuts, values, side="left").astype(code_dtype(len(levels) + 1))
    codes[~known] = MISSING_CODE
    if missing_level:
        codes, levels = nominal_with_missing_level(codes, levels)
    different = 1 + int(np.count_nonzero(ascending[1:] != ascending[:-1]))
    return CutColumn(codes, levels, different, cuts, by_median, single is not None)


def _cuts_or_median(method: DiscretisationMethod, column: SortedColumn) -> tuple[np.ndarray, bool]:
    if column.values[0] == column.values[-1]:
        return np.empty(0), False
    second = column.values[np.searchsorted(column.values, column.values[0], side="right")]
    if second == column.values[-1]:
        return column.values[:1], False
    # Values near the largest float overflow on the way to a mean; such a cut is not finite and not used.
    with np.errstate(over="ignore", invalid="ignore"):
        cuts = separating_cuts(method.cut_points(column), column.values)
    if len(cuts):
        return cuts, False
    return median_cut(column), True


def separating_cuts(cuts: np.ndarray, ascending: np.ndarray) -> np.ndarray:
    """Keep the cuts that leave no bin empty, ascending; of several that part the rows alike, the lowest."""
    in_order = np.sort(cuts[np.isfinite(cuts)])
    counts = np.searchsorted(ascending, in_order, side="right")
    inside = (counts > 0) & (counts < len(ascending))
    in_order, counts = in_order[inside], counts[inside]
    first: np.ndarray = np.unique(counts, return_index=True)[1]
    picked: np.ndarray = in_order[first]
    return picked


def _single_values(ascending: np.ndarray, cuts: np.ndarray) -> np.ndarray | None:
    """Return the one value of each bin, or None when a bin holds several."""
    starts = np.searchsorted(ascending, cuts, side="right")
    lowest = ascending[np.concatenate(([0], starts))]
    highest = ascending[np.concatenate((starts - 1, [-1]))]
    return lowest if np.array_equal(lowest, highest) else None


def nominal_with_missing_level(
    codes: np.ndarray, levels: tuple[str, ...]
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Give the missing values of a nominal column a level of their own, the last."""
    missing = codes == MISSING_CODE
    if not missing.any():
        return codes, levels
    filled = codes.astype(code_dtype(len(levels) + 1))
    filled[missing] = len(levels)
    return filled, (*levels, free_name(MISSING_LEVEL, levels))
