"""The step of preparation that turns every continuous label and feature into categories, and says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import Cancelled
from engine.preparation.discretisation.column import CutColumn, cut_column
from engine.preparation.discretisation.method import Classes, DiscretisationMethod
from engine.preparation.discretisation.registry import discretisation_methods
from engine.progress import Progress, ProgressEvent, SilentProgress
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.wording.notes import Note, listed, notes_about
from engine.wording.numbers import counted

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


_STAGE = "Cutting numbers into bins"


@dataclass
class _Table:
    """The columns while they are being cut."""

    variables: list[Variable]
    columns: list[np.ndarray]

    def put(self, place: int, cut: CutColumn) -> None:
        old = self.variables[place]
        ordered = len(cut.levels) == len(cut.cuts) + 1
        self.variables[place] = Variable(
            old.name, Kind.NOMINAL, old.role, cut.levels, ordered, not cut.by_value
        )
        self.columns[place] = cut.codes


def discretise(
    dataset: Dataset,
    name: str,
    bins: int,
    progress: Progress | None = None,
    *,
    missing_level: bool = True,
) -> Dataset:
    """Cut every continuous label and feature into bins.

    Labels come first: a method that looks at labels cannot look at the one that it cuts, so it splits a
    continuous label at its median. A label with few whole numbers, which may be codes, keeps each. A value
    equal to a cut belongs to the bin below it.

    Parameters
    ----------
    dataset : Dataset
        Each continuous label and feature has a value.
    name : str
        One of :func:`~engine.preparation.discretisation.registry.discretisation_methods`.
    bins : int
        Number of bins for methods that use it.
    progress : Progress, optional
    missing_level : bool
        Empty cells get a level of their own; otherwise they stay missing.

    Returns
    -------
    Dataset
        Labels and features nominal, with notes that say how they came about.

    Raises
    ------
    Cancelled
        When `progress` says stop.
    """
    method = discretisation_methods()[name]
    progress = progress or SilentProgress()
    table = _Table(list(dataset.variables), list(dataset.columns))
    labels = _continuous(dataset, Role.LABEL)
    features = _continuous(dataset, Role.FEATURE)
    if not labels and not features:
        return dataset
    how: dict[str, Any] = {"missing_level": missing_level, "weights": dataset.row_weights}
    cut_labels = _cut_labels(table, labels, method, bins, how)
    classes = _classes(table, method)
    cuts: dict[str, CutColumn] = {}
    for done, place in enumerate(features):
        if progress.should_stop():
            raise Cancelled("stopped while numbers were being cut into bins.")
        feature = table.variables[place].name
        progress.report(ProgressEvent(_STAGE, done, len(features), detail=feature))
        cuts[feature] = cut_column(table.columns[place], method, bins, classes, **how)
        table.put(place, cuts[feature])
    notes = notes_about_labels(cut_labels, method, bins) + notes_about_features(cuts, method, bins)
    return Dataset(tuple(table.variables), tuple(table.columns), dataset.name, dataset.notes).with_notes(
        notes
    )


def _continuous(dataset: Dataset, role: Role) -> list[int]:
    return [
        place
        for place, variable in enumerate(dataset.variables)
        if variable.role is role and variable.kind is Kind.CONTINUOUS
    ]


def _cut_labels(
    table: _Table, places: list[int], method: DiscretisationMethod, bins: int, how: dict[str, Any]
) -> dict[str, CutColumn]:
    used = discretisation_methods()["median"] if method.uses_labels else method
    cuts = {}
    for place in places:
        # Codes of categories have nothing between them to be cut, and a label is what everything rests on.
        cut = cut_column(table.columns[place], used, bins, keep_codes=True, **how)
        cuts[table.variables[place].name] = cut
        table.put(place, cut)
    return cuts


def _classes(table: _Table, method: DiscretisationMethod) -> Classes:
    if method.classes_from_labels is None:
        return ()
    labels = tuple(
        column
        for variable, column in zip(table.variables, table.columns, strict=True)
        if variable.role is Role.LABEL
    )
    return method.classes_from_labels(labels)
