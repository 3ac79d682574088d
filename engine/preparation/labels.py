"""Checks of the labels: there must be some, and each must differ between rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.errors import InvalidData
from engine.preparation.level_counts import are_borne, why_not_borne
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.useless import value_count
from engine.table.dataset import Dataset
from engine.table.identifiers import is_identifier_name
from engine.table.variable import Kind, Role, missing_mask
from engine.wording.notes import listed, notes_about
from engine.wording.numbers import counted
from engine.wording.phrases import for_count
from engine.wording.setting_names import SettingName, SettingText, naming_settings

# With fewer rows than this outside its most frequent value, a label is said to be nearly constant.
_FEW_ROWS = 5
# A label with no more different whole numbers than this may hold codes of categories.
_FEW_VALUES = 10


def check_labels(dataset: Dataset, settings: PreparationSettings, *, after_dropping: bool = False) -> Dataset:
    """Refuse labels that nothing can be found for."""
    _require_labels(dataset, "no label was chosen.")
    constant = _constant_labels(dataset, settings)
    if constant and settings.constant_labels == "stop":
        raise _constant_error(constant, after_dropping, len(constant) == len(dataset.labels))
    dataset = dataset.with_roles(dict.fromkeys(constant, Role.IGNORED)).with_notes(
        notes_about(
            "constant-label",
            {name: sentence.set_aside for name, sentence in constant.items()},
            "{count} labels have no two different values and were set aside: {names}.",
        )
    )
    _require_labels(dataset, "no label is left that differs between rows.")
    _check_level_counts(dataset, settings)
    return dataset


def note_rare_labels(dataset: Dataset) -> Dataset:
    """Say which labels differ from their most frequent value in only a handful of rows."""
    sentences = {}
    for name in dataset.labels:
        variable, codes = dataset.variable(name), dataset.column(name)
        if variable.kind is Kind.CONTINUOUS:
            continue
        known = codes[~missing_mask(variable, codes)]
        counts = np.bincount(known, minlength=1)
        other = int(len(known) - counts.max())
        if other < _FEW_ROWS:
            usual = variable.levels[int(counts.argmax())]
            sentences[name] = (
                f"The label '{name}' is other than '{usual}' in only {other:,} of "
                f"{counted(len(known), 'row')}; hardly anything can be found for it."
            )
    together = (
        f"{{count}} labels are all but the same in every row (fewer than {_FEW_ROWS} rows differ): {{names}}."
    )
    return dataset.with_notes(notes_about("rare-label", sentences, together))


def note_coded_labels(dataset: Dataset) -> Dataset:
    """Say which labels stay numbers although they may be codes of categories."""
    sentences = {}
    for name in dataset.labels:
        variable, column = dataset.variable(name), dataset.column(name)
        if variable.kind is Kind.NOMINAL:
            continue
        distinct = np.unique(column[~missing_mask(variable, column)])
        if len(distinct) <= _FEW_VALUES and (distinct % 1 == 0).all():
            sentences[name] = (
                f"The label '{name}' has only {len(distinct)} different whole numbers and stays a number. "
                "If they stand for categories, read it as categories."
            )
    together = "{count} labels have only few different whole numbers and stay numbers; check them: {names}."
    return dataset.with_notes(notes_about("coded-label", sentences, together))


def _require_labels(dataset: Dataset, problem: str) -> None:
    if not dataset.labels:
        raise InvalidData(
            problem,
            place=dataset.name,
            remedy="Choose at least one column that differs between rows as a label.",
        )


class _Constant(NamedTuple):
    """What is wrong with a label that has no two values: as an error, and as a note when it was set aside."""

    problem: str
    problem_after_dropping: str
    set_aside: str
    may_be_ticks: bool = False


def _constant_labels(dataset: Dataset, settings: PreparationSettings) -> dict[str, _Constant]:
    """Say for each label without two values what is wrong with it."""
    found = {}
    for name in dataset.labels:
        variable, column = dataset.variable(name), dataset.column(name)
        missing = missing_mask(variable, column)
        if missing.all():
            found[name] = _Constant(
                "it is empty in every row.",
                "it is empty in every row in the rows without empty cells.",
                f"The label '{name}' is empty in every row and was set aside.",
            )
        elif value_count(variable, column, enough=2) < 2 and not (
            settings.missing == "own-level" and missing.any()
        ):
            first, is_gappy = column[~missing][0], bool(missing.any())
            value = f"'{variable.levels[first]}'" if variable.kind is Kind.NOMINAL else f"{first:g}"
            found[name] = _Constant(
                f"it has only the value {value} besides empty cells."
                if is_gappy
                else f"it has only the value {value}.",
                f"it has only the value {value} in the rows without empty cells.",
                f"The label '{name}' has only the value {value} besides empty cells and was set aside."
                if is_gappy
                else f"The label '{name}' has only the value {value} and was set aside.",
                is_gappy and variable.kind is Kind.NOMINAL,
            )
    return found


def _constant_error(constant: dict[str, _Constant], after_dropping: bool, are_all: bool) -> InvalidData:
    names = list(constant)
    remedy = _CHOOSE_OTHERS
    if not are_all:
        take_out = for_count(len(names), _TAKE_IT_OUT, _TAKE_THEM_OUT)
        remedy = naming_settings(take_out, setting=SettingName("constant_labels", "set-aside"))
    ticks = [name for name, each in constant.items() if each.may_be_ticks]
    if ticks:
        setting = SettingName("empty_means_no", columns=ticks)
        empty_is_no = naming_settings(for_count(len(ticks), _NAME_IT, _NAME_THEM), setting=setting)
        remedy = SettingText(empty_is_no, " ", remedy)
    if after_dropping:
        remedy = SettingText(remedy, " ", _KEEP_THE_ROWS)
    if len(names) == 1:
        (found,) = constant.values()
        problem = found.problem_after_dropping if after_dropping else found.problem
        return InvalidData(problem, place=f"label '{names[0]}'", remedy=remedy)
    several = _SEVERAL_CONSTANT_AFTER_DROPPING if after_dropping else _SEVERAL_CONSTANT
    return InvalidData(several.format(count=f"{len(names):,}", names=listed(names)), remedy=remedy)


_TAKE_IT_OUT = "Take it out of the labels, or set {setting} to go on with the others."
_TAKE_THEM_OUT = "Take them out of the labels, or set {setting} to go on with the others."
_CHOOSE_OTHERS = SettingText("Choose a label that differs between rows.")
_NAME_IT = "Where an empty cell means no, name the label in {setting} when the table is read."
_NAME_THEM = "Where an empty cell means no, name the labels in {setting} when the table is read."
_KEEP_THE_ROWS = naming_settings(
    "Or keep the rows with empty cells: set {setting}.",
    setting=SettingName("missing", "per-test", "most-frequent", "own-level"),
)
_SEVERAL_CONSTANT = "{count} labels have no two different values: {names}."
_SEVERAL_CONSTANT_AFTER_DROPPING = (
    "{count} labels have no two different values in the rows without empty cells: {names}."
)


def _check_level_counts(dataset: Dataset, settings: PreparationSettings) -> None:
    for name in dataset.labels:
        variable = dataset.variable(name)
        if variable.level_count <= settings.max_levels:
            continue
        column = dataset.column(name)
        different = value_count(variable, column)
        rows = dataset.row_count - int(missing_mask(variable, column).sum())
        # Names of persons are no outcome, however often each occurs.
        is_named = is_identifier_name(name) and different > settings.max_levels
        if is_named or not are_borne(different, rows, settings):
            raise InvalidData(
                f"it has {different:,} categories, like an identifier."
                if is_named
                else f"it has {why_not_borne(different, settings)}.",
                place=f"label '{name}'",
                remedy=naming_settings(
                    "Join some of them, take it out of the labels, or raise {setting}.",
                    setting=SettingName("max_levels"),
                ),
            )
