"""Every way to cut numbers into bins, in the order in which they are offered.

Quantiles, median, mean and equal width look at no label. Fayyad and Irani's MDL method makes the cuts that
tell most about a label, or about all labels at once. With several labels, a column gets the cuts of all of
them, and so may have many bins. The cuts make column and label look as dependent as they can, so a test of
that pair on the same rows gives a p-value that is too small. What happens to a column without any cut that
pays is told in :func:`engine.preparation.discretise.cut_column`.

A combination that few rows have is part of one class for all such combinations (Read, Pfahringer and
Holmes 2008 prune them likewise). Otherwise, with a class for nearly every row, any cut would part the
classes perfectly and be accepted, down to single rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from engine.parameters import Choice
from engine.table.variable import MISSING_CODE
from engine.translation import N_, _

Classes = tuple[np.ndarray, ...]


@dataclass(frozen=True, slots=True)
class SortedColumn:
    """One column that is to be cut."""

    values: np.ndarray  # ascending, nothing missing, at least two different values
    bins: int  # that were asked for
    # each of shape (rows,), from 0, in the order of `values`; empty unless the method looks at labels
    classes: tuple[np.ndarray, ...] = ()
    # above 0, in the order of `values`; methods that look at labels count rows
    weights: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class DiscretisationMethod:
    """A way to cut numbers into bins, and what a person needs to know to choose it."""

    name: str  # value of `PreparationSettings.discretise`
    title: str
    help: str
    result: str  # how columns come out, to complete "72 numeric features were cut ..."
    source: str
    # in any order; the caller removes those that separate nothing
    cut_points: Callable[[SortedColumn], np.ndarray]
    uses_bins: bool = False  # the number of bins matters
    # of the codes of all labels; None when labels play no part
    classes_from_labels: Callable[[Classes], Classes] | None = None

    @property
    def uses_labels(self) -> bool:
        """Whether the cuts depend on the labels."""
        return self.classes_from_labels is not None


# Share of the rows by which sums of weights may be off.
_ROUNDING = 1e-9


def quantile_cuts(column: SortedColumn) -> np.ndarray:
    """Cut at the quantiles 1/bins, 2/bins, ..., interpolated linearly between neighbouring values.

    A row of weight w counts as w rows; weights with fractions are scaled to a mean of 1 before.
    Equal values are never torn apart, so bins of a column with many ties hold unequal numbers of rows.

    >>> quantile_cuts(SortedColumn(np.arange(1.0, 9.0), bins=4)).tolist()
    [2.75, 4.5, 6.25]
    """
    shares = np.arange(1, column.bins) / column.bins
    position = shares * (_rows(column) - 1)
    below, above = _values_at(column, np.floor(position)), _values_at(column, np.floor(position) + 1)
    part = position - np.floor(position)
    cuts = below * (1 - part) + above * part
    # Rounding must not carry a cut past the values between which it lies.
    within: np.ndarray = np.clip(cuts, below, above)
    return within


def _rows(column: SortedColumn) -> float:
    """Count the rows, a row of weight w as w rows."""
    if column.weights is None or (column.weights % 1 > 0).any():
        return len(column.values)
    return float(column.weights.sum())


def _values_at(column: SortedColumn, positions: np.ndarray) -> np.ndarray:
    """Return the values at some positions, counted from 0, of the rows that the weights stand for."""
    if column.weights is None:
        indices = positions.astype(np.intp)
    else:
        rows = _rows(column)
        ends = np.cumsum(column.weights) * (rows / column.weights.sum())
        # What rounding adds to a sum must not move a position to the value before.
        indices = np.searchsorted(ends, positions + _ROUNDING * rows, side="right")
    values: np.ndarray = column.values[np.minimum(indices, len(column.values) - 1)]
    return values


QUANTILE = DiscretisationMethod(
    name="quantile",
    title=N_("Equal counts"),
    help=N_("Each bin holds about as many rows; two bins split at the median."),
    result=N_("into {bins} bins with about as many rows each"),
    source=(
        "Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
        "features, ICML, 194-202"
    ),
    cut_points=quantile_cuts,
    uses_bins=True,
)


def median_cut(column: SortedColumn) -> np.ndarray:
    """Cut at the median, or below it when no value is above, as where most are "100 %"."""
    values = column.values
    median = quantile_cuts(replace(column, bins=2))
    if median[0] < values[-1]:
        return median
    return values[np.searchsorted(values, values[-1]) - 1 :][:1]


MEDIAN = DiscretisationMethod(
    name="median",
    title=N_("Median split"),
    help=N_("Two bins, up to the median and above it."),
    result=N_("in two at the median"),
    source=(
        "Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
        "features, ICML, 194-202"
    ),
    cut_points=median_cut,
)


def mean_cut(column: SortedColumn) -> np.ndarray:
    """Cut at the arithmetic mean."""
    return np.array([np.average(column.values, weights=column.weights)])


MEAN = DiscretisationMethod(
    name="mean",
    title=N_("Mean split"),
    help=N_("Two bins, up to the mean and above it; a few very large values move the cut."),
    result=N_("in two at the mean"),
    source=(
        "Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
        "features, ICML, 194-202"
    ),
    cut_points=mean_cut,
)


def width_cuts(column: SortedColumn) -> np.ndarray:
    """Cut the range into equal parts; the caller joins a part that holds no row with the part below it."""
    return np.linspace(column.values[0], column.values[-1], column.bins + 1)[1:-1]


WIDTH = DiscretisationMethod(
    name="width",
    title=N_("Equal width"),
    help=N_(
        "Bins of the same width between smallest and largest value; outliers leave most rows in one bin."
    ),
    result=N_("into up to {bins} bins of equal width"),
    source=(
        "Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
        "features, ICML, 194-202"
    ),
    cut_points=width_cuts,
    uses_bins=True,
)


# Code lengths of splits that differ by less than this many bits are equal but for rounding.
_EQUAL_BITS = 1e-7


def mdl_cuts(values: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Cut where the class entropy falls most, again and again, until the fall no longer pays for the cut.

    A set S of N rows with k classes and entropy E is cut into S1 and S2 when the gain of information is
    above ``(log2(N - 1) + log2(3^k - 2) - [k E - k1 E1 - k2 E2]) / N`` (Fayyad and Irani 1993,
    Multi-interval discretization of continuous-valued attributes for classification learning, IJCAI,
    1022-1027, section 3). A cut lies half-way between two neighbouring values, which are ascending. Of
    equally good cuts the lowest is taken.

    >>> mdl_cuts(np.arange(20.0), np.repeat([0, 1], 10)).tolist()
    [9.5]
    """
    rows = len(values)
    ends = np.flatnonzero(values[1:] != values[:-1]) + 1
    table = _ClassTable(classes)
    accepted: list[int] = []
    pending = [(0, rows)]
    while pending:
        first, last = pending.pop()
        inside = ends[np.searchsorted(ends, first, "right") : np.searchsorted(ends, last, "left")]
        cut = _paying_cut(table, first, last, inside)
        if cut is not None:
            accepted.append(cut)
            pending += [(first, cut), (cut, last)]
    upper = np.sort(np.array(accepted, dtype=np.intp))
    below, above = values[upper - 1], values[upper]
    middle = below / 2 + above / 2
    # Between neighbouring floating point numbers half-way rounds to one of them; it must not be the upper.
    return np.where(middle < above, middle, below)


class _ClassTable:
    """The classes in the order of the values, and what finding a cut needs to know of them.

    The information is N log2 N - sum c log2 c bits; passing a row over a cut changes one term of each sum.
    """

    def __init__(self, classes: np.ndarray) -> None:
        rows = len(classes)
        self.class_count = int(classes.max()) + 1
        # Sixteen bits are sorted by radix, many times faster than more.
        order = np.argsort(classes.astype(np.int16) if self.class_count < 2**15 else classes, kind="stable")
        self.classes = classes.astype(np.intp)
        starts = np.cumsum(self.counts(0, rows)) - self.counts(0, rows)
        # How many rows of its own class lie before each row
        self.rank = np.empty(rows, dtype=np.intp)
        self.rank[order] = np.arange(rows) - starts[self.classes[order]]
        self.bits = _bits_table(rows)
        self.step = np.diff(self.bits)

    def counts(self, first: int, last: int) -> np.ndarray:
        """Count the rows of each class from `first` up to but without `last`."""
        return np.bincount(self.classes[first:last], minlength=self.class_count)

    def information(self, counts: np.ndarray) -> float:
        """Return rows times entropy, in bits, of a set with these class counts."""
        return float(self.bits[int(counts.sum())] - self.bits[counts].sum())

    def information_after_cuts(self, first: int, last: int) -> np.ndarray:
        """Add up the information left and right of a cut behind each row of an interval but the last."""
        classes = self.classes[first : last - 1]
        before, whole = self.counts(0, first), self.counts(first, last)
        rank = self.rank[first : last - 1] - before[classes]
        left = np.cumsum(self.step[rank])
        right = self.bits[whole].sum() - np.cumsum(self.step[whole[classes] - rank - 1])
        sizes = np.arange(1, last - first)
        total: np.ndarray = self.bits[sizes] + self.bits[last - first - sizes] - left - right
        return total


@lru_cache(maxsize=4)
def _bits_table(rows: int) -> np.ndarray:
    """Tabulate c log2 c for c = 0 ... rows; the same for every column of a table."""
    bits = np.arange(rows + 1, dtype=np.float64)
    bits[1:] *= np.log2(bits[1:])
    bits.setflags(write=False)
    return bits


def _paying_cut(table: _ClassTable, first: int, last: int, ends: np.ndarray) -> int | None:
    """Find the best of the row positions `ends` to cut an interval, or None when it does not pay.

    The best cut lies between two classes (Fayyad and Irani 1993, theorem 1).
    """
    whole = table.counts(first, last)
    if len(ends) == 0 or np.count_nonzero(whole) < 2:
        return None
    after = table.information_after_cuts(first, last)[ends - first - 1]
    cut = int(ends[np.flatnonzero(after <= after.min() + _EQUAL_BITS)[0]])
    left = table.counts(first, cut)
    sets = [(counts, table.information(counts)) for counts in (whole, left, whole - left)]
    gain = sets[0][1] - sets[1][1] - sets[2][1]
    return cut if gain > math.log2(last - first - 1) + _model_bits(sets) else None


def _model_bits(sets: list[tuple[np.ndarray, float]]) -> float:
    """Return log2(3^k - 2) - [k E - k1 E1 - k2 E2] from counts and information of whole, left and right."""
    classes = [int(np.count_nonzero(counts)) for counts, _ in sets]
    entropies = [information / float(counts.sum()) for counts, information in sets]
    whole, left, right = (number * entropy for number, entropy in zip(classes, entropies, strict=True))
    # log2(3^k - 2) in a form that does not overflow for many classes
    patterns = classes[0] * math.log2(3) + math.log1p(-2 * 3.0 ** -classes[0]) / math.log(2)
    return patterns - (whole - left - right)


def cuts_for_all_classes(column: SortedColumn) -> np.ndarray:
    """Return the cuts that pay for any of the classes, each from the rows whose class is known."""
    cuts = [np.empty(0)]
    for classes in column.classes:
        present = classes >= 0
        if present.any():
            cuts.append(mdl_cuts(column.values[present], classes[present]))
    return np.concatenate(cuts)


MDL = DiscretisationMethod(
    name="mdl",
    title=N_("By each label (MDL)"),
    help=N_(
        "Cuts with most information about a single label. The labels are then used twice, so "
        "p-values are too small."
    ),
    result=N_("at the points with most information about a label"),
    source=(
        "Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes for "
        "classification learning, IJCAI, 1022-1027"
    ),
    cut_points=cuts_for_all_classes,
    classes_from_labels=lambda labels: labels,
)


# Combinations in fewer rows than this are one class together.
_RARE = 5


def label_combinations(labels: Classes) -> np.ndarray:
    """Give each row the number of its combination of label values, shape (rows,); -1 where one is missing."""
    combination = np.zeros(len(labels[0]), dtype=np.int64)
    for label in labels:
        # Numbered anew at each label, so that no product of level counts can overflow.
        pairs = combination * (int(label.max()) + 1) + label
        present = (combination >= 0) & (label >= 0)
        combination = np.full(len(label), MISSING_CODE, dtype=np.int64)
        combination[present] = np.unique(pairs[present], return_inverse=True)[1]
    return combination


def frequent_combinations(combinations: np.ndarray) -> np.ndarray:
    """Renumber the combinations: 0 for all that few rows have, 1 and more for the others; -1 stays."""
    present = combinations >= 0
    frequent = np.bincount(combinations[present]) >= _RARE
    classes = combinations.copy()
    classes[present] = np.where(frequent, np.cumsum(frequent), 0)[combinations[present]]
    return classes


JOINT_MDL = DiscretisationMethod(
    name="mdl-joint",
    title=N_("By all labels together (MDL)"),
    help=N_(
        "Cuts with most information about the combination of labels. This needs combinations that "
        "occur in many rows."
    ),
    result=N_("at the points with most information about the combination of labels"),
    source=(
        "Fayyad and Irani (1993), Multi-interval discretization of continuous-valued attributes for "
        "classification learning, IJCAI, 1022-1027; Read, Pfahringer and Holmes (2008), Multi-label "
        "classification using ensembles of pruned sets, ICDM, 995-1000"
    ),
    cut_points=cuts_for_all_classes,
    classes_from_labels=lambda labels: (frequent_combinations(label_combinations(labels)),),
)


LEAVE_CONTINUOUS = "none"

_METHODS = (QUANTILE, MEDIAN, MEAN, WIDTH, MDL, JOINT_MDL)


def discretisation_methods() -> dict[str, DiscretisationMethod]:
    """Return every method by name."""
    return {method.name: method for method in _METHODS}


def discretisation_choices() -> tuple[Choice, ...]:
    """Return not cutting at all, and the methods, as choices of a setting."""
    methods = tuple(Choice(method.name, method.title, method.help) for method in _METHODS)
    stay = Choice(
        LEAVE_CONTINUOUS,
        _("Leave continuous"),
        _("Numbers stay numbers. If the test needs categories, the search cuts them and says so."),
    )
    return (stay, *methods)
