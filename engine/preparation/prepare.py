"""From a table as it was read to a table that can be analysed, with labels that differ between rows."""

from __future__ import annotations

import dataclasses
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.parameters import parameters_of, require_type
from engine.preparation.discretisation_methods import LEAVE_CONTINUOUS
from engine.preparation.discretise import discretise
from engine.preparation.imputation import impute
from engine.preparation.made_from_labels import remember_looked_at, set_aside_made_from_labels
from engine.preparation.missing import FEWEST_ROWS, treat_missing, with_missing_as_outcome
from engine.preparation.preparation_settings import PreparationSettings
from engine.preparation.useless import (
    are_borne,
    note_many_levels,
    set_aside_constant_by_now,
    set_aside_useless,
    value_count,
    why_not_borne,
)
from engine.progress import Progress
from engine.table.dataset import Dataset
from engine.table.identifiers import is_identifier_name
from engine.table.repeated_rows import with_note_on_repeated_rows
from engine.table.row_weights import observations_in, require_several_groups
from engine.table.variable import MISSING_CODE, Kind, Role, Variable, missing_mask
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed, notes_about
from engine.wording.numbers import count_text, counted
from engine.wording.sentences import MAKE_A_DATASET, choose_one, nearest_or
from engine.wording.setting_names import SettingName, SettingText, naming_settings, the_setting

_ROWS_LOOKED_AT_FIRST = 1 << 8


def check_weights(dataset: Dataset) -> Dataset:
    """Leave out the rows of weight 0, and say what the weights do."""
    weights = dataset.row_weights
    if weights is None:
        return dataset
    remaining = weights > 0.0
    notes = []
    if not remaining.all():
        lost = int((~remaining).sum())
        left_out = for_count(
            lost,
            "{count} row has weight 0 and was left out.",
            "{count} rows have weight 0 and were left out.",
        )
        notes.append(Note("weight-zero", left_out.format(count=count_text(lost))))
        dataset, weights = dataset.select_rows(remaining), weights[remaining]
    message = _(
        "'{name}' says how much each row represents: {least} to {most}, together {sum}. As sampling "
        "weights, {rows} carry as much information as {equal} of equal weight, if the weights are "
        "linked to no tested variable.",
        name=dataset.weight,
        least=_short(weights.min()),
        most=_short(weights.max()),
        sum=_short(weights.sum()),
        rows=counted(len(weights), "row"),
        equal=_short(observations_in(weights, True)),
    )
    notes.append(Note("row-weights", message))
    return dataset.with_notes(notes)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:.3g}"


def check_groups(dataset: Dataset) -> Dataset:
    """Refuse a table whose rows are all of one group, and say what the groups do."""
    name, groups = dataset.groups, dataset.row_groups
    if name is None or groups is None:
        return dataset
    require_several_groups(dataset.variable(name), groups)
    sizes = np.bincount(groups)
    if sizes.max() == 1:
        message = _(
            "'{name}' differs in every row, so each row is a group of its own and nothing is grouped.",
            name=name,
        )
    else:
        are_alike = sizes.min() == sizes.max()
        sizes_of_groups = (
            str(sizes[0])
            if are_alike
            else _("{least:,} to {most:,}", least=int(sizes.min()), most=int(sizes.max()))
        )
        message = _(
            "'{name}' says which rows belong together: {groups} of {sizes} rows. Groups are treated "
            "as independent of each other; rows of a group are not.",
            name=name,
            groups=counted(len(sizes), "group"),
            sizes=sizes_of_groups,
        )
    return dataset.with_notes([Note("row-groups", message)])


__all__ = ["FEWEST_ROWS", "prepare", "prepared_for_measuring"]


def prepare(
    dataset: Dataset,
    settings: PreparationSettings | None = None,
    *,
    progress: Progress | None = None,
    **changes: Any,
) -> Dataset:
    """Prepare a table for the analysis, and describe the changes in notes.

    The steps are made in this order:

    1. Leave out rows of weight 0.
    2. Set aside useless features, and those that are computed from labels.
    3. Note rows that are copies of others.
    4. Treat missing values.
    5. Set aside features that became constant.
    6. Cut numbers into bins, if the settings ask for it.
    7. Remove categories that no row has.
    8. Impute each missing value several times, if the settings ask for it.

    Columns that are exact copies of each other all stay. They are interchangeable, which is a finding.

    Parameters
    ----------
    dataset : Dataset
        A table with at least one label and one feature.
    settings : PreparationSettings, optional
        Settings of the preparation. Default: ``PreparationSettings()``.
    progress : Progress, optional
        Receives the progress of cutting and imputing, and can stop them.
    **changes
        Fields of PreparationSettings that replace those of `settings`, such as ``discretise="mdl"``.

    Returns
    -------
    Dataset
        The same columns in the same order, with fewer rows if incomplete ones were left out. Labels and
        features have at least two different values. Missing values stay, unless `missing` says otherwise.
        Numbers stay numbers, unless `discretise` says otherwise. Columns that take no part have the role
        ``ignored`` and keep their values.

    Raises
    ------
    InvalidParameter
        If a setting does not exist or has an impossible value, or `dataset` is not a dataset.
    InvalidData
        If no label or feature is left, a label has one value or too many, or the complete rows are too few or
        form one group.
    Cancelled
        If `progress` stops the work.

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
    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    settings = PreparationSettings() if settings is None else settings
    require_type(settings, PreparationSettings, "settings")
    settings = _changed(settings, changes)
    table = check_weights(dataset)
    table = check_labels(table, settings)
    table = set_aside_useless(table, settings)
    table = set_aside_made_from_labels(table, settings)
    table = with_note_on_repeated_rows(table)
    _require_features(table, dataset, settings)
    rows_before = table.row_count
    table = treat_missing(table, settings)
    if table.row_count < rows_before:
        table = check_labels(table, settings, after_dropping=True)
        table = set_aside_constant_by_now(table, settings)
        _require_features(table, dataset, settings)
    if settings.discretise != LEAVE_CONTINUOUS:
        table = discretise(
            table,
            settings.discretise,
            settings.bins,
            progress,
            missing_level=settings.missing == "own-level",
        )
    table = note_many_levels(_forget_unused_levels(table), settings)
    table = check_groups(note_coded_labels(note_rare_labels(table)))
    return remember_looked_at(impute(table, settings, progress) if settings.missing == "imputed" else table)


def prepared_for_measuring(
    dataset: Dataset, prepared: Dataset, settings: PreparationSettings, progress: Progress | None = None
) -> Dataset:
    """Return the table in which effects are estimated: numbers uncut, no missing value filled in."""
    measured = settings.for_measuring()
    if measured == settings:
        return prepared
    if settings.missing == "own-level":
        dataset = with_missing_as_outcome(dataset)
    return prepare(dataset, measured, progress=progress)


def _changed(settings: PreparationSettings, changes: dict[str, Any]) -> PreparationSettings:
    names = [parameter.name for parameter in parameters_of(PreparationSettings)]
    for name in changes:
        if name not in names:
            remedy = nearest_or(name, names, choose_one(names))
            raise InvalidParameter(_("there is no such setting."), place=the_setting(name), remedy=remedy)
    return dataclasses.replace(settings, **changes)


def _require_features(table: Dataset, given: Dataset, settings: PreparationSettings) -> None:
    if table.features:
        return
    remedy: str = _(
        "In addition to the labels, the table needs at least one column that differs between rows."
    )
    differing = set_aside_useless(given, dataclasses.replace(settings, set_aside=False)).features
    if settings.set_aside and differing:
        remedy = naming_settings(
            _(
                "Identifiers, mostly empty columns and those of too many categories were set aside: {names}. "
                "Correct what keeps numbers from being read, or set {setting} to keep them."
            ),
            names=listed(differing),
            setting=SettingName("set_aside", "no"),
        )
    raise InvalidData(
        _("no feature is left in which anything could be found."), place=table.name, remedy=remedy
    )


def _used_levels(variable: Variable, codes: np.ndarray) -> np.ndarray:
    """Tell of each level whether it occurs in a row."""
    used = np.zeros(variable.level_count + 1, dtype=bool)
    levels = used[:-1]
    # Most columns have all of their levels in the first rows. What is missing is noted in the last entry.
    for some in (codes[:_ROWS_LOOKED_AT_FIRST], codes):
        used[some] = True
        if levels.all():
            break
    return levels


def _forget_unused_levels(dataset: Dataset) -> Dataset:
    """Take away levels that occur in no row: they would only add degrees of freedom."""
    variables, columns = list(dataset.variables), list(dataset.columns)
    sentences: dict[str, str] = {}
    for position, (variable, codes) in enumerate(zip(variables, columns, strict=True)):
        if not variable.role.takes_part or variable.kind is Kind.CONTINUOUS:
            continue
        used = _used_levels(variable, codes)
        if used.all():
            continue
        gone = list(compress(variable.levels, ~used))
        variables[position] = dataclasses.replace(variable, levels=tuple(compress(variable.levels, used)))
        columns[position] = np.where(codes == MISSING_CODE, codes, (np.cumsum(used) - 1)[codes])
        no_row_has = for_count(
            len(gone),
            "No row has the category {gone} of '{name}', so it was left out.",
            "No row has any of the categories {gone} of '{name}', so they were left out.",
        )
        sentences[variable.name] = no_row_has.format(gone=listed(gone), name=variable.name)
    if not sentences:
        return dataset
    notes = notes_about(
        "unused-levels",
        sentences,
        _("{count} columns list categories that no row has; these were left out: {names}."),
    )
    return Dataset(tuple(variables), tuple(columns), dataset.name, dataset.notes).with_notes(notes)


# With fewer rows than this outside its most frequent value, a label is said to be nearly constant.
_FEW_ROWS = 5
# A label with no more different whole numbers than this may hold codes of categories.
_FEW_VALUES = 10


def check_labels(dataset: Dataset, settings: PreparationSettings, *, after_dropping: bool = False) -> Dataset:
    """Refuse labels that nothing can be found for."""
    _require_labels(dataset, _("no label was chosen."))
    constant = _constant_labels(dataset, settings)
    if constant and settings.constant_labels == "stop":
        raise _constant_error(constant, after_dropping, len(constant) == len(dataset.labels))
    dataset = dataset.with_roles(dict.fromkeys(constant, Role.IGNORED)).with_notes(
        notes_about(
            "constant-label",
            {name: sentence.set_aside for name, sentence in constant.items()},
            _("{count} labels have no two different values and were set aside: {names}."),
        )
    )
    _require_labels(dataset, _("no label is left that differs between rows."))
    _check_level_counts(dataset, settings)
    return dataset


def note_rare_labels(dataset: Dataset) -> Dataset:
    """Say which labels differ from their most frequent value in only a handful of rows."""
    sentences = {}
    for name in dataset.labels:
        variable, codes = dataset.variable(name), dataset.column(name)
        if variable.kind is Kind.CONTINUOUS:
            continue
        present = codes[~missing_mask(variable, codes)]
        counts = np.bincount(present, minlength=1)
        deviating = int(len(present) - counts.max())
        if deviating < _FEW_ROWS:
            usual = variable.levels[int(counts.argmax())]
            sentences[name] = _(
                "The label '{name}' differs from '{usual}' in only {deviating:,} of {rows}, so "
                "hardly anything can be found for it.",
                name=name,
                usual=usual,
                deviating=deviating,
                rows=counted(len(present), "row"),
            )
    # The places that are left are filled where the sentence is needed.
    together = _(
        "{count} labels are nearly the same in every row (fewer than {rows} rows differ): {names}.",
        rows=_FEW_ROWS,
        count="{count}",
        names="{names}",
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
            sentences[name] = _(
                "The label '{name}' has only {count} different whole numbers and stays a number. "
                "If they stand for categories, read it as categories.",
                name=name,
                count=len(distinct),
            )
    together = _(
        "{count} labels have only few different whole numbers and stay numbers; check them: {names}."
    )
    return dataset.with_notes(notes_about("coded-label", sentences, together))


def _require_labels(dataset: Dataset, problem: str) -> None:
    if not dataset.labels:
        raise InvalidData(
            problem,
            place=dataset.name,
            remedy=_("Choose at least one column that differs between rows as a label."),
        )


class _Constant(NamedTuple):
    """What is wrong with a label that has no two values: as an error, and as a note when it was set aside."""

    problem: str
    problem_after_dropping: str
    set_aside: str
    may_be_ticks: bool = False


def _constant_labels(dataset: Dataset, settings: PreparationSettings) -> dict[str, _Constant]:
    """Say for each label without two values what is wrong with it."""
    constants = {}
    for name in dataset.labels:
        variable, column = dataset.variable(name), dataset.column(name)
        missing = missing_mask(variable, column)
        if missing.all():
            constants[name] = _Constant(
                _("it is empty in every row."),
                _("it is empty in every row that has no other missing value."),
                _("The label '{name}' is empty in every row and was set aside.", name=name),
            )
        elif value_count(variable, column, enough=2) < 2 and not (
            settings.missing == "own-level" and missing.any()
        ):
            first, is_gappy = column[~missing][0], bool(missing.any())
            value = f"'{variable.levels[first]}'" if variable.kind is Kind.NOMINAL else f"{first:g}"
            constants[name] = _Constant(
                _("it has only the value {value} besides missing values.", value=value)
                if is_gappy
                else _("it has only the value {value}.", value=value),
                _("it has only the value {value} in the rows without missing values.", value=value),
                _(
                    "The label '{name}' has only the value {value} besides missing values and was set aside.",
                    name=name,
                    value=value,
                )
                if is_gappy
                else _(
                    "The label '{name}' has only the value {value} and was set aside.", name=name, value=value
                ),
                is_gappy and variable.kind is Kind.NOMINAL,
            )
    return constants


def _constant_error(constant: dict[str, _Constant], after_dropping: bool, are_all: bool) -> InvalidData:
    names = list(constant)
    remedy = SettingText(_("Choose a label that differs between rows."))
    if not are_all:
        take_out = for_count(len(names), _TAKE_IT_OUT, _TAKE_THEM_OUT)
        remedy = naming_settings(take_out, setting=SettingName("constant_labels", "set-aside"))
    ticks = [name for name, column in constant.items() if column.may_be_ticks]
    if ticks:
        setting = SettingName("empty_means_no", columns=ticks)
        empty_is_no = naming_settings(for_count(len(ticks), _NAME_IT, _NAME_THEM), setting=setting)
        remedy = SettingText(empty_is_no, " ", remedy)
    if after_dropping:
        keep_the_rows = naming_settings(
            _("Or keep the rows with missing values: set {setting}."),
            setting=SettingName("missing", "per-test", "most-frequent", "own-level"),
        )
        remedy = SettingText(remedy, " ", keep_the_rows)
    if len(names) == 1:
        (only,) = constant.values()
        problem = only.problem_after_dropping if after_dropping else only.problem
        return InvalidData(problem, place=_("label '{name}'", name=names[0]), remedy=remedy)
    several = _(_SEVERAL_CONSTANT_AFTER_DROPPING) if after_dropping else _(_SEVERAL_CONSTANT)
    return InvalidData(several.format(count=f"{len(names):,}", names=listed(names)), remedy=remedy)


_TAKE_IT_OUT = N_("Take it out of the labels, or set {setting} to go on with the others.")
_TAKE_THEM_OUT = N_("Take them out of the labels, or set {setting} to go on with the others.")
_NAME_IT = N_("If an empty cell means “no”, name the label in {setting} when the table is read.")
_NAME_THEM = N_("If an empty cell means “no”, name the labels in {setting} when the table is read.")
_SEVERAL_CONSTANT = N_("{count} labels have no two different values: {names}.")
_SEVERAL_CONSTANT_AFTER_DROPPING = N_(
    "{count} labels have no two different values in the rows without missing values: {names}."
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
                _("it has {different:,} categories, like an identifier.", different=different)
                if is_named
                else _("it has {categories}.", categories=why_not_borne(different, settings)),
                place=_("label '{name}'", name=name),
                remedy=naming_settings(
                    _("Join some of them, take it out of the labels, or raise {setting}."),
                    setting=SettingName("max_levels"),
                ),
            )
