"""What speaks for it that whole numbers are codes of kinds, such as countries 1 to 12: name, gaps, counts."""

from __future__ import annotations

import numpy as np

from engine.table.number_names import counts_something, measures_something, named_as_kinds

_FEWEST, _MOST = 5, 60
_FEWEST_NAMED = 3
_LARGEST_GAP_SEARCHED = 60
_ROWS_PER_CODE = 3
_FIRST_ROWS = 100
# With so many rows on both sides, a value that never occurs is no chance.
_ROWS_BESIDE_GAP = 15
_FEWEST_INSIDE = 6
_ROUGH = 3.5
_FEWEST_BESIDE_PEAK = 3
# Of a normal variable, exceeded with a chance of 1 in 1000.
_IN_ORDER = 3.09

BY_NAME, BY_GAP, BY_COUNTS = "name", "gap", "counts"


def reason_for_kinds(name: str, values: np.ndarray) -> tuple[str, np.ndarray] | None:
    """Find what speaks for codes of kinds, and the different numbers; None where nothing does.

    Their name, numbers that are left out between frequent ones, and counts without any order speak for it.
    Counts that fall on both sides of the most frequent number speak against the name.

    Parameters
    ----------
    name : str
        Of the column.
    values : ndarray of float, shape (rows,)
        NaN for missing.

    Examples
    --------
    >>> values = np.tile(np.arange(1.0, 10.0), 20)
    >>> reason_for_kinds("country", values)[0], reason_for_kinds("pain", values)
    ('name', None)
    """
    if len(values) and values[0] % 1 > 0:
        return None
    # A missing value differs from itself.
    first = {value for value in values[:_FIRST_ROWS].tolist() if value == value}
    if len(first) > _MOST or len(values) < _ROWS_PER_CODE * len(first) or any(value % 1 for value in first):
        return None
    present = values[~np.isnan(values)]
    distinct, counts = np.unique(present, return_counts=True)
    if not _FEWEST_NAMED <= len(distinct) <= _MOST or len(present) < _ROWS_PER_CODE * len(distinct):
        return None
    if (distinct % 1 != 0).any() or distinct[0] < 0 or counts_something(name) or measures_something(name):
        return None
    if named_as_kinds(name):
        # School may be the years at school, too.
        return None if _fall_from_a_peak(counts) else (BY_NAME, distinct)
    # None is what most people have of what can be counted.
    if len(distinct) < _FEWEST or (distinct[0] == 0 and counts.argmax() == 0):
        return None
    if distinct[-1] <= _LARGEST_GAP_SEARCHED and _leaves_out(distinct, counts):
        return BY_GAP, distinct
    return (BY_COUNTS, distinct) if _are_without_order(distinct, counts) else None


def _fall_from_a_peak(counts: np.ndarray) -> bool:
    """Tell whether numbers get rarer the further they are from the most frequent one, on both sides.

    Those of kinds come in no order: their rank correlation is so large with a chance of 1 in 1000.
    """
    peak = int(counts.argmax())
    if min(peak, len(counts) - 1 - peak) < _FEWEST_BESIDE_PEAK:
        return False
    others = np.delete(np.abs(np.arange(len(counts)) - peak), peak)
    ranks = np.delete(counts, peak).argsort(kind="stable").argsort(kind="stable")
    # By Fisher's transformation.
    correlation = min(-float(np.corrcoef(others, ranks)[0, 1]), 0.999)
    return bool(np.arctanh(correlation) * np.sqrt(len(ranks) - 3) > _IN_ORDER)


def _leaves_out(distinct: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether a few whole numbers are left out here and there between frequent ones.

    Where the last numbers of a quantity become rare, one may be missing by chance.
    """
    steps = np.diff(distinct)
    if np.gcd.reduce(steps.astype(np.int64)) > 1 or 3 * len(distinct) < 2 * (distinct[-1] - distinct[0] + 1):
        return False
    gaps = np.flatnonzero(steps > 1)
    least = max(_ROWS_BESIDE_GAP, np.median(counts) / 2)
    return any(min(counts[gap], counts[gap + 1]) >= least for gap in gaps.tolist())


def _are_without_order(distinct: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether counts jump from nearly each number to the next, as those of no quantity do."""
    if distinct[-1] - distinct[0] != len(distinct) - 1 or len(distinct) < _FEWEST_INSIDE + 2:
        return False
    between = (counts[:-2] + counts[2:]) / 2
    jumps = np.abs(counts[1:-1] - between) / np.sqrt(counts[1:-1] + between / 2 + 1)
    return bool(np.median(jumps) >= _ROUGH)
