"""What happens to empty cells: rows are left out, at once or per test, or filled in, or get a category.

Values that are drawn for them (multiple imputation) come last, when all else is done:
:mod:`engine.preparation.imputation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from engine.errors import InvalidData
from engine.preparation.discretisation_methods import LEAVE_CONTINUOUS, SortedColumn, quantile_cuts
from engine.preparation.discretise import nominal_with_missing_level
from engine.preparation.preparation_settings import PreparationSettings
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, missing_mask
from engine.translation import _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted
from engine.wording.phrases import plain_listing
from engine.wording.setting_names import SettingName, naming_settings

# The fewest rows in which two binary columns that agree in every row are dependent at the level 0.01:
# G² of 2 and 3 rows in the diagonal is 6.73.
FEWEST_ROWS = 5
# Below this share of the rows that are lost, no other way is suggested.
_NOTABLE_LOSS = 0.1


def treat_missing(dataset: Dataset, settings: PreparationSettings) -> Dataset:
    """Treat empty cells as the settings say; ``"own-level"`` of continuous columns comes with the cut."""
    counts = _missing_counts(dataset)
    if settings.missing == "drop-rows":
        dataset = _drop_rows(dataset, counts)
    elif counts and settings.missing == "most-frequent":
        dataset = _fill(dataset, counts)
    elif counts and settings.missing == "per-test":
        dataset = dataset.with_notes([_note_per_test(dataset, counts)])
    elif counts and settings.missing == "own-level":
        dataset = _own_level(dataset, counts, settings)
    if max(dataset.row_count, _weight(dataset)) < FEWEST_ROWS:
        raise InvalidData(
            _(
                "the table has {rows}; at least {fewest_rows} are needed.",
                rows=counted(dataset.row_count, "row"),
                fewest_rows=FEWEST_ROWS,
            ),
            place=dataset.name,
            remedy=_("Open a table with more rows."),
        )
    return dataset


def _weight(dataset: Dataset) -> float:
    """Add up the weights of the rows, where they have any."""
    weights = dataset.row_weights if dataset.row_count else None
    return 0.0 if weights is None else float(weights.sum())


def _missing_counts(dataset: Dataset) -> dict[str, int]:
    """Count the empty cells of the labels and features that have any, most first."""
    counts = {name: dataset.missing_count(name) for name in (*dataset.labels, *dataset.features)}
    return {name: count for name, count in sorted(counts.items(), key=lambda item: -item[1]) if count}


def _with_counts(counts: dict[str, int]) -> str:
    """Write the columns with most empty cells, e.g. ``'trig' (136), 'copper' (108) and 4 more``."""
    return plain_listing([f"'{name}' ({count:,})" for name, count in counts.items()], 3)


def _drop_rows(dataset: Dataset, counts: dict[str, int]) -> Dataset:
    if not counts:
        return dataset
    empty = {name: missing_mask(dataset.variable(name), dataset.column(name)) for name in counts}
    per_row = np.zeros(dataset.row_count, dtype=np.int64)
    for mask in empty.values():
        per_row += mask
    complete = per_row == 0
    complete_rows, lost = int(complete.sum()), int((~complete).sum())
    if max(complete_rows, _weight(dataset.select_rows(complete))) < FEWEST_ROWS:
        too_few = for_count(
            complete_rows,
            "only {count} of {rows} has no missing value; most missing values are in {columns}.",
            "only {count} of {rows} have no missing value; most missing values are in {columns}.",
        )
        raise InvalidData(
            too_few.format(
                count=f"{complete_rows:,}",
                rows=counted(dataset.row_count, "row"),
                columns=_with_counts(counts),
            ),
            place=dataset.name,
            remedy=naming_settings(
                _("Set those columns aside, or set {setting}."),
                setting=SettingName("missing", "per-test", "own-level"),
            ),
        )
    left_out = for_count(
        lost,
        "{count} row of {rows} had a missing value and was left out, so {remaining} stay.",
        "{count} rows of {rows} had a missing value and were left out, so {remaining} stay.",
    )
    sentences = [
        left_out.format(count=f"{lost:,}", rows=f"{dataset.row_count:,}", remaining=f"{complete_rows:,}"),
        _("The missing values are all in '{name}'.", name=next(iter(counts)))
        if len(counts) == 1
        else _("Most missing values are in {columns}.", columns=_with_counts(counts)),
        *_remedies(empty, per_row, lost, dataset.row_count),
    ]
    return dataset.select_rows(complete).with_notes([Note("rows-dropped", " ".join(sentences))])


def _remedies(empty: dict[str, np.ndarray], per_row: np.ndarray, lost: int, rows: int) -> Iterator[str]:
    """Say which one column would bring most rows back, or else what other way there is."""
    alone = {name: int((mask & (per_row == 1)).sum()) for name, mask in empty.items()}
    worst = max(alone, key=lambda name: alone[name])
    if len(alone) > 1 and 2 * alone[worst] > lost:
        yield _("Without '{name}', {rows} would come back.", name=worst, rows=counted(alone[worst], "row"))
    elif lost >= _NOTABLE_LOSS * rows:
        yield _("Leaving out per test, filling in, or a category for missing values would keep them.")


def _note_per_test(dataset: Dataset, counts: dict[str, int]) -> Note:
    complete = np.ones(dataset.row_count, dtype=bool)
    for name in counts:
        complete &= ~missing_mask(dataset.variable(name), dataset.column(name))
    complete_rows = int(complete.sum())
    have = for_count(
        len(counts),
        "{count} column has missing values: {columns}.",
        "{count} columns have missing values: {columns}.",
    )
    rows = counted(dataset.row_count, "row")
    sentences = [
        have.format(count=f"{len(counts):,}", columns=_with_counts(counts)),
        _(
            "Each test leaves out only the rows with missing values in its own variables, so tests "
            "use {fewest:,} to {rows}. This is valid if missingness does not depend on the "
            "variables tested.",
            fewest=complete_rows,
            rows=rows,
        ),
    ]
    return Note("per-test", " ".join(sentences))


def _fill(dataset: Dataset, counts: dict[str, int]) -> Dataset:
    filled = {name: (dataset.variable(name), _filled(dataset, name)) for name in counts}
    cells = sum(counts.values())
    filled_in = for_count(
        cells,
        "{count} missing value in {columns} was filled in with the most frequent category or the median: "
        "{names}.",
        "{count} missing values in {columns} were filled in with the most frequent category or the median: "
        "{names}.",
    )
    message = filled_in.format(
        count=f"{cells:,}", columns=counted(len(counts), "column"), names=_with_counts(counts)
    )
    return dataset.with_columns(filled).with_notes(
        [
            Note("filled-in", message),
            *_notes_about_labels(
                dataset,
                counts,
                _(
                    "Filled-in values of labels are guesses, so findings for these labels are less "
                    "certain: {labels}."
                ),
            ),
        ]
    )


def _filled(dataset: Dataset, name: str) -> np.ndarray:
    variable, column = dataset.variable(name), dataset.column(name)
    missing = missing_mask(variable, column)
    present = column[~missing]
    known_weights = None if dataset.row_weights is None else dataset.row_weights[~missing]
    if variable.kind is Kind.CONTINUOUS:
        return np.where(missing, _median(present, known_weights), column)
    most_frequent = np.bincount(present, known_weights).argmax()  # of equally frequent ones the first
    return np.where(missing, most_frequent, column)


def _median(values: np.ndarray, weights: np.ndarray | None) -> float:
    order = np.argsort(values, kind="stable")
    column = SortedColumn(values[order], bins=2, weights=None if weights is None else weights[order])
    return float(quantile_cuts(column)[0])


def _own_level(dataset: Dataset, counts: dict[str, int], settings: PreparationSettings) -> Dataset:
    numbers = [name for name in counts if dataset.variable(name).kind is Kind.CONTINUOUS]
    if numbers and settings.discretise == LEAVE_CONTINUOUS:
        raise InvalidData(
            _("missing cannot be a category of a column of numbers."),
            place=_("column {names}", names=listed(numbers)),
            remedy=naming_settings(
                _("Cut numbers into bins, or set {setting}."),
                setting=SettingName("missing", "most-frequent", "drop-rows"),
            ),
        )
    message = _(
        "Missing values became a category of their own in {columns}: {names}.",
        columns=counted(len(counts), "column"),
        names=_with_counts(counts),
    )
    return _with_missing_level(dataset, [name for name in counts if name not in numbers]).with_notes(
        [
            Note("own-level", message),
            *_notes_about_labels(
                dataset, counts, _("In these labels, missing counts as an outcome like any other: {labels}.")
            ),
        ]
    )


def with_missing_as_outcome(dataset: Dataset) -> Dataset:
    """Make missing a category of the labels that have one value besides, as ticks have."""
    ticks = []
    for name in dataset.labels:
        variable, column = dataset.variable(name), dataset.column(name)
        present = column[~missing_mask(variable, column)]
        if (
            variable.kind is Kind.NOMINAL
            and 0 < len(present) < len(column)
            and present.min() == present.max()
        ):
            ticks.append(name)
    return _with_missing_level(dataset, ticks) if ticks else dataset


def _with_missing_level(dataset: Dataset, names: Iterable[str]) -> Dataset:
    """Make missing a category of some nominal columns."""
    changed = {}
    for name in names:
        variable = dataset.variable(name)
        codes, levels = nominal_with_missing_level(dataset.column(name), variable.levels)
        changed[name] = (replace(variable, levels=levels, ordered=False, is_cut=False), codes)
    return dataset.with_columns(changed)


def _notes_about_labels(dataset: Dataset, counts: dict[str, int], consequence: str) -> list[Note]:
    labels = [name for name in counts if dataset.variable(name).role is Role.LABEL]
    return [Note("label-missing", consequence.format(labels=listed(labels)))] if labels else []
