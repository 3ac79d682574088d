"""Notes that say how numbers became categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from engine.notes import Note, counted, listed, notes_about
from engine.preparation.discretisation.column import CutColumn
from engine.preparation.discretisation.method import DiscretisationMethod

# With more bins than this, a word of warning: tests with few rows in a cell find little.
_MANY_BINS = 5
# A number with no more values than this may stand for categories.
_FEW_VALUES = 10


def notes_about_labels(cuts: Mapping[str, CutColumn], method: DiscretisationMethod, bins: int) -> list[Note]:
    """Say of each label that was a number how it was cut.

    Parameters
    ----------
    cuts : mapping of str to CutColumn
        By label.
    method : DiscretisationMethod
    bins : int
        Number of bins that was asked for.

    Returns
    -------
    list of Note
    """
    if method.uses_labels:
        how = "split at the median, as a label cannot guide its own cuts"
    else:
        how = f"cut {method.result.format(bins=bins)}"
    sentences = {
        name: f"The label '{name}' is a number; {_label_way(cut, how)}: {', '.join(cut.levels)}.{_doubt(cut)}"
        for name, cut in cuts.items()
    }
    together = (
        f"labels are numbers and were {how}; if their values stand for categories, make them nominal first"
    )
    return notes_about("discretised-label", sentences, together)


def notes_about_features(
    cuts: Mapping[str, CutColumn], method: DiscretisationMethod, bins: int
) -> list[Note]:
    """Say how the features that were numbers were cut, and which of them came out otherwise.

    Parameters
    ----------
    cuts : mapping of str to CutColumn
        By feature.
    method : DiscretisationMethod
    bins : int
        Number of bins that was asked for.

    Returns
    -------
    list of Note
    """
    by_value = [name for name, cut in cuts.items() if cut.by_value]
    by_median = [name for name, cut in cuts.items() if cut.by_median]
    by_method = {name: cut for name, cut in cuts.items() if not cut.by_value and not cut.by_median}
    fewer = [name for name, cut in by_method.items() if method.uses_bins and len(cut.cuts) < bins - 1]
    notes = []
    if by_method:
        notes.append(Note("discretised", _method_message(by_method, method, bins)))
    if fewer:
        message = (
            f"{counted(len(fewer), 'feature')} got fewer than {bins} bins, because a bin would have held "
        )
        notes.append(Note("fewer-bins", f"{message}no row: {listed(fewer)}."))
    if by_median:
        notes.append(Note("median-fallback", _median_message(by_median, method)))
    if by_value:
        message = f"{counted(len(by_value), 'numeric feature')} with few different values "
        message += f"{_was(by_value)} not cut; each value is a category: {listed(by_value)}."
        notes.append(Note("values-kept", message))
    return notes


def _label_way(cut: CutColumn, how: str) -> str:
    return "each of its values is a category" if cut.by_value else f"it was {how}"


def _doubt(cut: CutColumn) -> str:
    """Warn of a number with so few values that it may be a code."""
    if cut.by_value or cut.different > _FEW_VALUES:
        return ""
    return f" If its {cut.different} values stand for categories, make the column nominal first."


def _method_message(cuts: Mapping[str, CutColumn], method: DiscretisationMethod, bins: int) -> str:
    many = counted(len(cuts), "numeric feature")
    message = f"{many} {_was(cuts)} cut {method.result.format(bins=bins)}."
    if not method.uses_labels:
        return message
    sizes = Counter(len(cut.cuts) + 1 for cut in cuts.values())
    low, high, usual = min(sizes), max(sizes), sizes.most_common(1)[0][0]
    span = f"{low} bins each" if low == high else f"{low} to {high} bins, most often {usual}"
    message += f" They have {span}." if len(cuts) > 1 else f" It has {low} bins."
    if high > _MANY_BINS:
        message += " Many bins need many rows; a split at the median makes fewer."
    return message


def _median_message(names: Collection[str], method: DiscretisationMethod) -> str:
    many = counted(len(names), "numeric feature")
    if not method.uses_labels:
        many = f"{many} {_was(names)} split next to the median, because most rows share one value"
        return f"{many}: {listed(list(names))}."
    them = "it was" if len(names) == 1 else "they were"
    return (
        f"For {many} no cut tells enough about the labels; {them} split at the median instead, "
        f"since a feature may still matter together with others: {listed(list(names))}."
    )


def _was(names: Collection[str]) -> str:
    return "was" if len(names) == 1 else "were"
