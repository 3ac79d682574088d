"""From a table as it was read to a table that can be analysed."""

from __future__ import annotations

import dataclasses
import difflib
from typing import Any

import numpy as np

from engine.codes import MISSING_CODE, missing_mask
from engine.dataset import Dataset
from engine.errors import InvalidData, InvalidParameter
from engine.notes import listed, notes_about
from engine.parameters import parameters_of
from engine.preparation.discretisation.discretise import discretise
from engine.preparation.discretisation.registry import LEAVE_CONTINUOUS
from engine.preparation.groups import check_groups
from engine.preparation.labels import check_labels, note_coded_labels, note_rare_labels
from engine.preparation.missing import FEWEST_ROWS, treat_missing
from engine.preparation.settings import PreparationSettings
from engine.preparation.useless import set_aside_constant_by_now, set_aside_useless
from engine.preparation.weights import check_weights
from engine.progress import Progress
from engine.repeated_rows import with_note_on_repeated_rows
from engine.variable import Kind, Variable

__all__ = ["FEWEST_ROWS", "prepare"]


def prepare(
    dataset: Dataset,
    settings: PreparationSettings | None = None,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> Dataset:
    """Make a table ready for analysis, and say in notes what was done to it.

    In this order: rows of weight 0 are left out; useless features are set aside; rows that are copies of
    others are told; empty cells are treated; features that became constant are set aside; numbers are cut
    into bins where that is asked for; categories that occur in no row are forgotten. Columns that are exact
    copies of each other all stay: they are interchangeable, and that is a finding.

    Parameters
    ----------
    dataset : Dataset
        With at least one label and one feature.
    settings : PreparationSettings, optional
        Default: ``PreparationSettings()``.
    progress : Progress, optional
        Is told how far the cutting is, and can stop it.
    **changes
        Any field of PreparationSettings, e.g. ``discretise="mdl"``; changes `settings`.

    Returns
    -------
    Dataset
        The same columns, in the same order; fewer rows where incomplete ones were left out. Labels and
        features have at least two different values. What is missing stays missing, unless `missing` says
        otherwise, and numbers stay numbers, unless `discretise` does. What takes no part has the role
        ``ignored`` and its values as they were.

    Raises
    ------
    InvalidParameter
        When a setting is unknown or has an impossible value.
    InvalidData
        When no label or feature is left, a label has one value or too many, too few rows are complete, or
        these are all of one group.
    Cancelled
        When `progress` says stop.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"age": [30, 41, 52, 38, 67, 59], "ill": list("nnynyy")})
    >>> table = prepare(Dataset.from_frame(frame, labels=["ill"]), discretise="quantile")
    >>> table.variable("age").levels
    ('≤ 46.5', '> 46.5')
    >>> print(table.notes[0].message)
    1 numeric feature was cut into 2 bins with about as many rows each.
    """
    settings = _changed(settings or PreparationSettings(), changes)
    table = check_weights(dataset)
    table = check_labels(table, settings)
    table = set_aside_useless(table, settings)
    table = with_note_on_repeated_rows(table)
    _require_features(table)
    rows_before = table.row_count
    table = treat_missing(table, settings)
    if table.row_count < rows_before:
        table = check_labels(table, settings, after_dropping=True)
        table = set_aside_constant_by_now(table, settings)
        _require_features(table)
    if settings.discretise != LEAVE_CONTINUOUS:
        table = discretise(
            table,
            settings.discretise,
            settings.bins,
            progress,
            missing_level=settings.missing == "own-level",
        )
    return check_groups(note_coded_labels(note_rare_labels(_forget_unused_levels(table))))


def _changed(settings: PreparationSettings, changes: dict[str, Any]) -> PreparationSettings:
    known = [parameter.name for parameter in parameters_of(PreparationSettings)]
    for name in changes:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            remedy = f"Did you mean '{near[0]}'?" if near else f"Settings are: {', '.join(known)}."
            raise InvalidParameter("there is no such setting.", place=f"setting '{name}'", remedy=remedy)
    return dataclasses.replace(settings, **changes)


def _require_features(dataset: Dataset) -> None:
    if not dataset.features:
        raise InvalidData(
            "no feature is left in which anything could be found.",
            place=dataset.name,
            remedy="Besides the labels, the table needs at least one column that differs between rows.",
        )


def _forget_unused_levels(dataset: Dataset) -> Dataset:
    """Take away levels that occur in no row: they would only add degrees of freedom."""
    variables, columns = list(dataset.variables), list(dataset.columns)
    sentences: dict[str, str] = {}
    for place, variable in enumerate(variables):
        if not variable.role.takes_part or variable.kind is Kind.CONTINUOUS:
            continue
        missing = missing_mask(variable, columns[place])
        used = np.bincount(columns[place][~missing], minlength=variable.level_count) > 0
        if used.all():
            continue
        kept = tuple(level for level, is_used in zip(variable.levels, used, strict=True) if is_used)
        gone = [level for level in variable.levels if level not in kept]
        variables[place] = Variable(
            variable.name, Kind.NOMINAL, variable.role, kept, variable.ordered, variable.is_cut
        )
        columns[place] = np.where(missing, MISSING_CODE, (np.cumsum(used) - 1)[columns[place]])
        which, was = ("the category", "it was") if len(gone) == 1 else ("any of the categories", "they were")
        sentences[variable.name] = (
            f"No row has {which} {listed(gone)} of '{variable.name}', so {was} left out."
        )
    if not sentences:
        return dataset
    notes = notes_about(
        "unused-levels", sentences, "columns list categories that no row has; these were left out"
    )
    return Dataset(tuple(variables), tuple(columns), dataset.name, dataset.notes).with_notes(notes)
