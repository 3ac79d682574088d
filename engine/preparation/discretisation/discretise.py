"""The step of preparation that turns every continuous label and feature into categories."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from engine.dataset import Dataset, Note
from engine.errors import Cancelled
from engine.preparation.discretisation.column import CutColumn, cut_column
from engine.preparation.discretisation.method import DiscretisationMethod
from engine.preparation.discretisation.registry import discretisation_methods
from engine.preparation.wording import counted, listed, notes_about
from engine.progress import Progress, ProgressEvent, SilentProgress
from engine.variable import Kind, Role, Variable

_STAGE = "Cutting numbers into bins"


@dataclass
class _Table:
    """The columns while they are being cut."""

    variables: list[Variable]
    columns: list[np.ndarray]

    def put(self, place: int, cut: CutColumn) -> None:
        old = self.variables[place]
        ordered = len(cut.levels) == len(cut.cuts) + 1
        self.variables[place] = Variable(old.name, Kind.NOMINAL, old.role, cut.levels, ordered)
        self.columns[place] = cut.codes


def discretise(dataset: Dataset, name: str, bins: int, progress: Progress | None = None) -> Dataset:
    """Cut every continuous label and feature into bins.

    Labels come first: a method that looks at labels cannot look at the one that it cuts, so it splits a
    continuous label at its median. A value equal to a cut belongs to the bin below it.

    Parameters
    ----------
    dataset : Dataset
        Each continuous label and feature has a value; empty cells get a level of their own.
    name : str
        One of :func:`~engine.preparation.discretisation.registry.discretisation_methods`.
    bins : int
        Number of bins for methods that use it.
    progress : Progress, optional

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
    cut_labels = _cut_labels(table, labels, method, bins)
    codes = _label_codes(table) if method.uses_labels else ()
    cuts: dict[str, CutColumn] = {}
    for done, place in enumerate(features):
        if progress.should_stop():
            raise Cancelled("stopped while numbers were being cut into bins.")
        feature = table.variables[place].name
        progress.report(ProgressEvent(_STAGE, done, len(features), detail=feature))
        cuts[feature] = cut_column(table.columns[place], method, bins, codes)
        table.put(place, cuts[feature])
    notes = _notes_about_labels(cut_labels, method, bins) + _notes_about_features(cuts, method, bins)
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
    table: _Table, places: list[int], method: DiscretisationMethod, bins: int
) -> dict[str, CutColumn]:
    used = discretisation_methods()["median"] if method.uses_labels else method
    cuts = {}
    for place in places:
        cuts[table.variables[place].name] = cut = cut_column(table.columns[place], used, bins)
        table.put(place, cut)
    return cuts


def _label_codes(table: _Table) -> tuple[np.ndarray, ...]:
    return tuple(
        column
        for variable, column in zip(table.variables, table.columns, strict=True)
        if variable.role is Role.LABEL
    )


def _notes_about_labels(cuts: dict[str, CutColumn], method: DiscretisationMethod, bins: int) -> list[Note]:
    if method.uses_labels:
        how = "split at the median, because labels cannot be cut by themselves"
    else:
        how = "cut " + method.result.format(bins=bins)
    sentences = {
        name: f"The label '{name}' is a number and was {how}: {', '.join(cut.levels)}."
        for name, cut in cuts.items()
    }
    return notes_about("discretised-label", sentences, f"labels are numbers and were {how}")


def _notes_about_features(cuts: dict[str, CutColumn], method: DiscretisationMethod, bins: int) -> list[Note]:
    two_values = [name for name, cut in cuts.items() if cut.by_value]
    by_median = [name for name, cut in cuts.items() if cut.by_median]
    by_method = {name: cut for name, cut in cuts.items() if name not in {*two_values, *by_median}}
    notes = []
    if by_method:
        message = f"{counted(len(by_method), 'numeric feature')} {_was(by_method)} cut "
        message += f"{method.result.format(bins=bins)}."
        if method.uses_labels:
            message += f" They have {_bin_range(by_method)}."
        notes.append(Note("discretised", message))
    if method.uses_bins and (fewer := [name for name, cut in by_method.items() if len(cut.cuts) < bins - 1]):
        message = f"Fewer than {bins} bins came about in {counted(len(fewer), 'feature')}, for want of "
        notes.append(Note("fewer-bins", f"{message}different values: {listed(fewer)}."))
    if by_median:
        notes.append(Note("median-fallback", _median_message(by_median, method)))
    if two_values:
        message = f"{counted(len(two_values), 'numeric feature')} with only two different values "
        notes.append(
            Note("two-values", f"{message}{_was(two_values)} taken as they are: {listed(two_values)}.")
        )
    return notes


def _median_message(names: list[str], method: DiscretisationMethod) -> str:
    many, them = counted(len(names), "numeric feature"), "it was" if len(names) == 1 else "they were"
    if method.uses_labels:
        return (
            f"For {many} no cut tells enough about the labels; {them} split at the median instead, "
            f"since a feature may still matter together with others: {listed(names)}."
        )
    return f"{many} {_was(names)} split next to the median, because most rows share a value: {listed(names)}."


def _was(names: list[str] | dict[str, CutColumn]) -> str:
    return "was" if len(names) == 1 else "were"


def _bin_range(cuts: dict[str, CutColumn]) -> str:
    sizes = Counter(len(cut.cuts) + 1 for cut in cuts.values())
    low, high = min(sizes), max(sizes)
    usual = sizes.most_common(1)[0][0]
    return f"{low} bins each" if low == high else f"{low} to {high} bins, most often {usual}"
