"""Cuts that tell most about one label, as many as the data support: Fayyad and Irani's MDL method."""

from __future__ import annotations

import math

import numpy as np

from engine.preparation.discretisation.method import DiscretisationMethod, SortedColumn

# Code lengths of splits that differ by less than this many bits are equal but for rounding.
_EQUAL_BITS = 1e-9


def mdl_cuts(values: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Cut where the class entropy falls most, again and again, until the fall no longer pays for the cut.

    A set S of N rows with k classes and entropy E is cut into S1 and S2 when the gain of information is
    above ``(log2(N - 1) + log2(3^k - 2) - [k E - k1 E1 - k2 E2]) / N`` (Fayyad and Irani 1993, section 3).
    A cut lies half-way between two neighbouring values. Of equally good cuts the lowest is taken.

    Parameters
    ----------
    values : ndarray of float64, shape (rows,)
        Ascending.
    classes : ndarray of int, shape (rows,)
        Class of each row, counted from 0.

    Returns
    -------
    ndarray of float64, shape (cuts,)
        Ascending; empty when no cut pays.

    References
    ----------
    Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes for
    classification learning, IJCAI, 1022-1027.

    Examples
    --------
    >>> mdl_cuts(np.arange(20.0), np.repeat([0, 1], 10)).tolist()
    [9.5]
    >>> mdl_cuts(np.arange(20.0), np.tile([0, 1], 10)).tolist()
    []
    """
    rows = len(values)
    starts = np.flatnonzero(values[1:] != values[:-1]) + 1
    edges = np.concatenate(([0], starts, [rows]))
    counts = _cumulative_counts(classes, edges)
    bits = _bits_table(rows)
    accepted = []
    pending = [(0, len(edges) - 1)]
    while pending:
        first, last = pending.pop()
        split = _accepted_split(counts[first : last + 1], bits)
        if split is None:
            continue
        place = first + split
        accepted.append(edges[place])
        pending += [(first, place), (place, last)]
    upper = np.sort(np.array(accepted, dtype=np.intp))
    return _half_way(values[upper - 1], values[upper])


def _cumulative_counts(classes: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Count the rows of each class before each edge, shape (edges, classes)."""
    rows = len(classes)
    counts = np.empty((len(edges), int(classes.max()) + 1), dtype=np.int64)
    for code in range(counts.shape[1]):
        running = np.zeros(rows + 1, dtype=np.int64)
        np.cumsum(classes == code, out=running[1:])
        counts[:, code] = running[edges]
    return counts


def _bits_table(rows: int) -> np.ndarray:
    """Tabulate c log2 c for c = 0 ... rows."""
    numbers = np.arange(rows + 1, dtype=np.float64)
    numbers[1:] *= np.log2(numbers[1:])
    return numbers


def _accepted_split(counts: np.ndarray, bits: np.ndarray) -> int | None:
    """Find the edge at which an interval is cut best, or None when no cut pays.

    The best cut lies between two classes (Fayyad and Irani 1992, theorem 1), so looking at every edge
    finds the same cut as looking at those boundaries alone.
    """
    if len(counts) < 3:
        return None
    whole = counts[-1] - counts[0]
    present = whole > 0
    if np.count_nonzero(present) < 2:
        return None
    left = counts[1:-1, present] - counts[0, present]
    right = whole[present] - left
    left_bits = bits[left.sum(axis=1)] - bits[left].sum(axis=1)
    right_bits = bits[right.sum(axis=1)] - bits[right].sum(axis=1)
    total = left_bits + right_bits
    best = int(np.flatnonzero(total <= total.min() + _EQUAL_BITS)[0])
    rows = int(whole.sum())
    whole_bits = float(bits[rows] - bits[whole].sum())
    gain = whole_bits - float(total[best])
    price = math.log2(rows - 1) + _model_bits(
        (whole[present], whole_bits),
        (left[best], float(left_bits[best])),
        (right[best], float(right_bits[best])),
    )
    return best + 1 if gain > price else None


def _model_bits(*sets: tuple[np.ndarray, float]) -> float:
    """Price the change of the class codes by a cut: log2(3^k - 2) - [k E - k1 E1 - k2 E2]."""
    classes = [int(np.count_nonzero(counts)) for counts, _ in sets]
    entropies = [set_bits / float(counts.sum()) for counts, set_bits in sets]
    whole, left, right = (number * entropy for number, entropy in zip(classes, entropies, strict=True))
    # log2(3^k - 2) in a form that does not overflow for many classes
    patterns = classes[0] * math.log2(3) + math.log1p(-2 * 3.0 ** -classes[0]) / math.log(2)
    return patterns - (whole - left - right)


def _half_way(below: np.ndarray, above: np.ndarray) -> np.ndarray:
    middle = below / 2 + above / 2
    # Between neighbouring floating point numbers half-way rounds to one of them; it must not be the upper.
    return np.where(middle < above, middle, below)


def _cuts_for_every_label(column: SortedColumn) -> np.ndarray:
    """Give the cuts for any of the labels."""
    return np.concatenate([mdl_cuts(column.values, label) for label in column.labels])


METHOD = DiscretisationMethod(
    name="mdl",
    title="By each label (MDL)",
    help="Cuts that tell most about any single label; many labels make many bins.",
    result="where they tell most about a label",
    source="Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes for "
    "classification learning, IJCAI, 1022-1027",
    cut_points=_cuts_for_every_label,
    uses_labels=True,
)
