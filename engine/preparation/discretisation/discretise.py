"""The step of preparation that turns every continuous label and feature into categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.dataset import Dataset
from engine.errors import Cancelled
from engine.preparation.discretisation.column import CutColumn, cut_column
from engine.preparation.discretisation.method import Classes, DiscretisationMethod
from engine.preparation.discretisation.registry import discretisation_methods
from engine.preparation.discretisation.telling import notes_about_features, notes_about_labels
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
