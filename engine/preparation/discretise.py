"""The step of preparation that turns every continuous label and feature into categories, and says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.errors import Cancelled
from engine.parameters import watched
from engine.preparation.discretisation_methods import (
    Classes,
    DiscretisationMethod,
    SortedColumn,
    discretisation_methods,
    median_cut,
)
from engine.progress import Progress, ProgressEvent
from engine.table.column_kinds import are_codes
from engine.table.dataset import Dataset, Imputed
from engine.table.variable import MISSING_CODE, Kind, Role, code_dtype, free_name
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed, notes_about
from engine.wording.numbers import MOST_DIGITS, counted, interval_names, number_text

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

    Two different values are kept. Where cuts separate nothing, the median does: for MDL that is this
    program's decision, as a spouse tells about a label only with their common effect. `keep_codes` keeps what
    :func:`are_codes` finds.
    """
    is_present = ~np.isnan(values)
    present = values if is_present.all() else values[is_present]
    if classes or weights is not None:
        order = np.argsort(present, kind="stable")
        ascending = present[order]
        column = SortedColumn(
            ascending,
            bins,
            tuple(class_codes[is_present][order] for class_codes in classes),
            None if weights is None else weights[is_present][order],
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
    codes[~is_present] = MISSING_CODE
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


# With more bins than this, a word of warning: tests with few rows in a cell find little.
_MANY_BINS = 5
# A number with no more values than this may stand for categories.
_FEW_VALUES = 10


def notes_about_labels(cuts: Mapping[str, CutColumn], method: DiscretisationMethod, bins: int) -> list[Note]:
    """Say of each label that was a number how it was cut."""
    how = "" if method.uses_labels else _(method.result, bins=bins)
    sentences = {name: " ".join(_label_sentences(name, cut, how)) for name, cut in cuts.items()}
    # The places that are left are filled where the sentence is needed.
    together = _(_LABELS_CUT if how else _LABELS_SPLIT, how=how, count="{count}", names="{names}")
    return notes_about("discretised-label", sentences, together)


_LABEL_CUT = N_("The label '{name}' is a number; it was cut {how}: {levels}.")
_LABEL_SPLIT = N_(
    "The label '{name}' is a number. It was split at the median, because a label cannot guide its "
    "own cuts: {levels}."
)
_LABELS_CUT = N_(
    "{count} labels are numbers and were cut {how}: {names}. If their values stand for categories, "
    "read them as categories first."
)
_LABELS_SPLIT = N_(
    "{count} labels are numbers. They were split at the median, because a label cannot guide its "
    "own cuts: {names}. If their values stand for categories, read them as categories first."
)


def notes_about_features(
    cuts: Mapping[str, CutColumn], method: DiscretisationMethod, bins: int
) -> Iterator[Note]:
    """Say how the features that were numbers were cut, and which of them came out otherwise."""
    by_value = [name for name, cut in cuts.items() if cut.by_value]
    by_median = [name for name, cut in cuts.items() if cut.by_median]
    by_method = {name: cut for name, cut in cuts.items() if not cut.by_value and not cut.by_median}
    fewer = [name for name, cut in by_method.items() if method.uses_bins and len(cut.cuts) < bins - 1]
    if by_method:
        yield Note("discretised", _method_message(by_method, method, bins))
    if fewer:
        message = _(
            "{features} got fewer than {bins} bins, because a bin would have had no row: {names}.",
            features=counted(len(fewer), "feature"),
            bins=bins,
            names=listed(fewer),
        )
        yield Note("fewer-bins", message)
    if by_median:
        split = for_count(len(by_median), *(_NO_TELLING_CUT if method.uses_labels else _NEXT_TO_MEDIAN))
        message = split.format(count=f"{len(by_median):,}", names=listed(by_median))
        yield Note("median-fallback", message)
    if by_value:
        kept = for_count(len(by_value), *_NOT_CUT)
        yield Note("values-kept", kept.format(count=f"{len(by_value):,}", names=listed(by_value)))


def _label_sentences(name: str, cut: CutColumn, how: str) -> Iterator[str]:
    """Yield the sentences about a label; of few values it is said that they may be codes."""
    levels = ", ".join(cut.levels)
    if cut.by_value:
        yield _(
            "The label '{name}' is a number; each of its values is a category: {levels}.",
            name=name,
            levels=levels,
        )
        return
    yield _(_LABEL_CUT if how else _LABEL_SPLIT, name=name, how=how, levels=levels)
    if cut.different <= _FEW_VALUES:
        yield _(
            "If its {count} values stand for categories, read the column as categories first.",
            count=cut.different,
        )


def _method_message(cuts: Mapping[str, CutColumn], method: DiscretisationMethod, bins: int) -> str:
    were_cut = for_count(len(cuts), *_CUT)
    sentences = [were_cut.format(count=f"{len(cuts):,}", how=_(method.result, bins=bins))]
    if method.uses_labels:
        sizes = Counter(len(cut.cuts) + 1 for cut in cuts.values())
        low, high, usual = min(sizes), max(sizes), sizes.most_common(1)[0][0]
        if len(cuts) == 1:
            sentences.append(_("It has {low} bins.", low=low))
        elif low == high:
            sentences.append(_("They have {low} bins each.", low=low))
        else:
            sentences.append(
                _("They have {low} to {high} bins, most often {usual}.", low=low, high=high, usual=usual)
            )
        if high > _MANY_BINS:
            sentences.append(_("Many bins need many rows; a split at the median makes fewer."))
    return " ".join(sentences)


_CUT = (N_("{count} numeric feature was cut {how}."), N_("{count} numeric features were cut {how}."))
_NOT_CUT = (
    N_("{count} numeric feature with few different values was not cut; each value is a category: {names}."),
    N_("{count} numeric features with few different values were not cut; each value is a category: {names}."),
)
_NEXT_TO_MEDIAN = (
    N_("{count} numeric feature was split next to the median, because most rows share one value: {names}."),
    N_("{count} numeric features were split next to the median, because most rows share one value: {names}."),
)
_NO_TELLING_CUT = (
    N_(
        "For {count} numeric feature, no cut has enough information about the labels. It was split "
        "at the median instead, because a feature may still matter together with others: {names}."
    ),
    N_(
        "For {count} numeric features, no cut has enough information about the labels. They were "
        "split at the median instead, because a feature may still matter together with others: "
        "{names}."
    ),
)


_STAGE = N_("Cutting numbers into bins")


def discretise(
    dataset: Dataset,
    name: str,
    bins: int,
    progress: Progress | None = None,
    *,
    missing_level: bool = True,
) -> Dataset:
    """Cut every continuous label and feature into bins, and say so in notes.

    Labels come first, at the median if a method looks at labels; few whole numbers stay. Cuts belong to the
    bin below.
    """
    method = discretisation_methods()[name]
    progress = watched(progress)
    labels, features = _continuous(dataset, Role.LABEL), _continuous(dataset, Role.FEATURE)
    if not labels and not features:
        return dataset
    how: dict[str, Any] = {"missing_level": missing_level, "weights": dataset.row_weights}
    of_labels = discretisation_methods()["median"] if method.uses_labels else method
    # Codes of categories have nothing between them to be cut, and a label is what everything rests on.
    cut_labels = {
        label: cut_column(dataset.column(label), of_labels, bins, keep_codes=True, **how) for label in labels
    }
    classes: Classes = ()
    if method.classes_from_labels is not None:
        classes = method.classes_from_labels(
            tuple(
                cut_labels[label].codes if label in cut_labels else dataset.column(label)
                for label in dataset.labels
            )
        )
    cuts: dict[str, CutColumn] = {}
    for done, feature in enumerate(features):
        if progress.should_stop():
            raise Cancelled(_("stopped while numbers were being cut into bins."))
        progress.report(ProgressEvent(_(_STAGE), done, len(features), detail=feature))
        cuts[feature] = cut_column(dataset.column(feature), method, bins, classes, **how)
    notes = (*notes_about_labels(cut_labels, method, bins), *notes_about_features(cuts, method, bins))
    variables, columns = list(dataset.variables), list(dataset.columns)
    for column, cut in {**cut_labels, **cuts}.items():
        position = dataset.index(column)
        columns[position] = cut.codes
        variables[position] = replace(
            variables[position],
            kind=Kind.NOMINAL,
            levels=cut.levels,
            ordered=len(cut.levels) == len(cut.cuts) + 1,
            is_cut=not cut.by_value,
        )
    table = Dataset(tuple(variables), tuple(columns), dataset.name, dataset.notes)
    return table.with_notes(notes).with_imputed(_cut_draws(dataset.imputed, {**cut_labels, **cuts}))


def _cut_draws(imputed: Imputed | None, cuts: Mapping[str, CutColumn]) -> Imputed | None:
    """Cut what was drawn for empty cells as the values of the other rows."""
    if imputed is None:
        return None
    codes = {
        name: np.searchsorted(cuts[name].cuts, drawn)
        for name, drawn in imputed.values.items()
        if name in cuts
    }
    return replace(imputed, values={**imputed.values, **codes})


def _continuous(dataset: Dataset, role: Role) -> list[str]:
    return [
        variable.name
        for variable in dataset.variables
        if variable.role is role and variable.kind is Kind.CONTINUOUS
    ]
