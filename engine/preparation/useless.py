"""Features that can tell nothing, or nothing that holds for another table: found and set aside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.preparation.follow_up import FOLLOW_UP, Events, event_of_time
from engine.preparation.preparation_settings import PreparationSettings
from engine.table.column_kinds import EMPTY_COLUMN
from engine.table.dataset import Dataset
from engine.table.identifiers import (
    REPEATING_IDENTIFIER,
    are_whole_numbers,
    is_cluster_name,
    is_identifier,
    is_in_order,
    is_measured_name,
    is_nameless,
    is_rank_name,
    is_repeating_identifier,
    number_rows,
    repeating_identifier,
)
from engine.table.numbered_within import numbers_units_of_groups
from engine.table.survey_columns import SURVEY_PROGRAM, columns_of_survey_program
from engine.table.unit_numbers import number_of_units
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.translation import N_, _
from engine.wording.notes import Note, notes_about
from engine.wording.numbers import counted

# A text that differs in nearly every row names the row.
_NEARLY_UNIQUE = 0.9
IDENTIFIER = "identifier"
"""Topic of the note on columns that number or name the rows."""
# In fewer rows than this, all values may differ by chance.
_ROWS_FOR_IDENTIFIER = 8


@dataclass(frozen=True)
class _JudgedColumn:
    """A column that is judged, and what several judges ask about it."""

    variable: Variable
    values: np.ndarray
    missing_count: int
    labelled: np.ndarray | None  # rows in which a label has a value; None where these are all
    events: Events  # labels that a time may belong to
    is_nameless: bool  # a first column without a name, as names of rows are
    is_of_survey_program: bool  # such as the status and the progress of each case
    numbers_units: bool  # what is beside it, or the groups, shows that it numbers units of several rows

    @cached_property
    def present(self) -> np.ndarray:
        """The values that are not missing."""
        if not self.missing_count:
            return self.values
        present: np.ndarray = self.values[~missing_mask(self.variable, self.values)]
        return present

    @cached_property
    def different(self) -> int:
        """How many different values are present."""
        return _count_different(self.variable, self.present)


# Gives the sentence about a column, or nothing.
_Judge = Callable[[_JudgedColumn, PreparationSettings], str]
# Topic of the note, the sentence about many columns, and the judge of one.
_Check = tuple[str, str, _Judge]
_Checks = tuple[_Check, ...]


def set_aside_useless(dataset: Dataset, settings: PreparationSettings) -> Dataset:
    """Ignore the features that can take no part, and say which and why.

    Only empty and constant ones go whatever ``settings`` say. Exact copies stay: they are interchangeable.
    """
    return _without(dataset, _checks(settings), useless_features(dataset, settings))


def useless_features(dataset: Dataset, settings: PreparationSettings) -> dict[str, dict[str, str]]:
    """Return by topic the features that :func:`set_aside_useless` ignores, each with the reason."""
    return _sentences(dataset, settings, _checks(settings))


def set_aside_constant_by_now(dataset: Dataset, settings: PreparationSettings) -> Dataset:
    """Ignore the features that lost their other values with the rows that were left out, and say which."""
    return _without(dataset, _AFTER_DROPPING, _sentences(dataset, settings, _AFTER_DROPPING))


def _without(dataset: Dataset, checks: _Checks, sentences: dict[str, dict[str, str]]) -> Dataset:
    """Ignore features, and say why."""
    roles = {name: Role.IGNORED for of_topic in sentences.values() for name in of_topic}
    if not roles:
        return dataset
    # What a reader said of an empty column is said again, with what became of it.
    told_once = dataset.without_notes(EMPTY_COLUMN, *roles)
    return told_once.with_roles(roles).with_notes(_notes(checks, sentences))


def notes_on_useless(sentences: dict[str, dict[str, str]]) -> list[Note]:
    """Return notes on :func:`useless_features` with several values, one for all of a kind if many."""
    return _notes(_GUESSED, sentences)


def _notes(checks: Iterable[_Check], sentences: dict[str, dict[str, str]]) -> list[Note]:
    return [note for topic, together, _ in checks for note in notes_about(topic, sentences[topic], together)]


def _checks(settings: PreparationSettings) -> _Checks:
    return _ALWAYS + _GUESSED if settings.set_aside else _ALWAYS


def _sentences(dataset: Dataset, settings: PreparationSettings, checks: _Checks) -> dict[str, dict[str, str]]:
    """Return by topic what is said of each feature that is set aside."""
    sentences: dict[str, dict[str, str]] = {topic: {} for topic, _, _ in checks}
    for column in _features(dataset):
        is_kept = column.variable.name in settings.kept
        for topic, _together, judge in checks:
            if is_kept and topic not in ALWAYS_SET_ASIDE:
                continue
            sentence = judge(column, settings)
            if sentence:
                sentences[topic][column.variable.name] = sentence
                break
    return sentences


def _features(dataset: Dataset) -> Iterator[_JudgedColumn]:
    labelled = _rows_with_labels(dataset)
    labels = dataset.labels
    events = Events.of(list(map(dataset.variable, labels)), list(map(dataset.column, labels)))
    units = number_of_units(dataset.variables, dataset.columns)
    groups = dataset.groups or repeating_identifier(dataset)
    group_of = None if groups is None else np.unique(dataset.column(groups), return_inverse=True)[1]
    of_survey_program = columns_of_survey_program(dataset)
    for place, (variable, values) in enumerate(zip(dataset.variables, dataset.columns, strict=True)):
        if variable.role is Role.FEATURE:
            yield _JudgedColumn(
                variable,
                values,
                dataset.missing_count(variable.name),
                labelled,
                events,
                place == 0 and is_nameless(variable, dataset.notes),
                variable.name in of_survey_program,
                variable.name == units
                or (
                    group_of is not None
                    and variable.name != groups
                    and numbers_units_of_groups(variable, values, group_of)
                ),
            )


def _rows_with_labels(dataset: Dataset) -> np.ndarray | None:
    """Return the rows in which a label has a value; None where these are all, or none."""
    without = np.ones(dataset.row_count, dtype=bool)
    for name in dataset.labels:
        if not dataset.missing_count(name):
            return None
        without &= missing_mask(dataset.variable(name), dataset.column(name))
    return ~without if without.any() and not without.all() else None


def value_count(variable: Variable, column: np.ndarray, enough: int | None = None) -> int:
    """Count the different values that are present; with `enough` 2, only up to 2, which spares sorting."""
    present = column[~missing_mask(variable, column)]
    return _count_up_to_two(present) if enough == 2 else _count_different(variable, present)


def _count_up_to_two(present: np.ndarray) -> int:
    if not len(present):
        return 0
    return 1 if present.min() == present.max() else 2


def _count_different(variable: Variable, present: np.ndarray) -> int:
    if variable.kind is Kind.NOMINAL:
        return int(np.count_nonzero(np.bincount(present)))
    return len(np.unique(present))


def _empty(column: _JudgedColumn, settings: PreparationSettings) -> str:
    if not len(column.present):
        return _("'{name}' is empty in every row and was set aside.", name=column.variable.name)
    return ""


def _constant(column: _JudgedColumn, settings: PreparationSettings) -> str:
    if _count_up_to_two(column.present) > 1:
        return ""
    if not column.missing_count:
        return _("'{name}' has the same value in every row and was set aside.", name=column.variable.name)
    if settings.missing == "own-level":
        return ""  # present or missing is a difference too
    return _(
        "'{name}' has only one value besides missing values and was set aside.", name=column.variable.name
    )


def _constant_by_now(column: _JudgedColumn, settings: PreparationSettings) -> str:
    if not _constant(column, settings):
        return ""
    return _("'{name}' has one value in the rows that stayed and was set aside.", name=column.variable.name)


def _mostly_missing(column: _JudgedColumn, settings: PreparationSettings) -> str:
    if settings.missing == "own-level":
        return ""
    if column.labelled is None:
        rows, missing, sentence = len(column.values), column.missing_count, _MOSTLY_EMPTY
    else:
        rows = int(column.labelled.sum())
        missing = int(missing_mask(column.variable, column.values[column.labelled]).sum())
        sentence = _MOSTLY_EMPTY_WITH_LABEL
    if missing <= settings.max_missing * rows:
        return ""
    return _(sentence, name=column.variable.name, missing=missing, rows=counted(rows, "row"))


_MOSTLY_EMPTY = N_("'{name}' is empty in {missing:,} of {rows} and was set aside.")
_MOSTLY_EMPTY_WITH_LABEL = N_("'{name}' is empty in {missing:,} of {rows} with a label and was set aside.")


def _identifier(column: _JudgedColumn, settings: PreparationSettings) -> str:
    if len(column.values) < _ROWS_FOR_IDENTIFIER:
        return ""
    if column.variable.kind is Kind.CONTINUOUS:
        return _row_number(column)
    return _row_name(column, settings)


def _of_survey_program(column: _JudgedColumn, settings: PreparationSettings) -> str:
    if not column.is_of_survey_program:
        return ""
    return _(
        "'{name}' was written by the survey program, not answered, and was set aside. To analyse "
        "it, add it to the features to keep.",
        name=column.variable.name,
    )


def _follow_up(column: _JudgedColumn, settings: PreparationSettings) -> str:
    """Say of a time or date that it belongs to the event that is a label."""
    event = event_of_time(column.variable, column.values, column.events)
    is_number = column.variable.kind is Kind.CONTINUOUS
    if not event or (is_number and column.present.min(initial=0.0) < 0):
        return ""
    return _(
        "'{name}' seems to say when '{event}' happened, or how long each case was followed. It "
        "was set aside. To analyse it, add it to the features to keep.",
        name=column.variable.name,
        event=event,
    )


def _repeating(column: _JudgedColumn, settings: PreparationSettings) -> str:
    """Say of an identifier that repeats that it is no feature, and what to do with it."""
    variable = column.variable
    is_named = is_repeating_identifier(variable, column.present)
    if not (is_named or column.numbers_units):
        return ""
    rows = counted(len(column.values), "row")
    are_of_one_person = is_named and not is_cluster_name(variable.name)
    missing = column.missing_count
    told = [
        _(
            _OF_ONE_PERSON if are_of_one_person else _BELONG_TOGETHER,
            name=variable.name,
            different=column.different,
            rows=rows,
        )
    ]
    if missing:
        told.append(_("Before that, fill in its {values}.", values=counted(missing, "missing value")))
    return " ".join(told)


_OF_ONE_PERSON = N_(
    "'{name}' has {different:,} different values in {rows}, as an identifier, and was set aside. If rows "
    "with one value are of one person, choose it as the column of groups, as such rows are not independent."
)
_BELONG_TOGETHER = N_(
    "'{name}' has {different:,} different values in {rows}, as an identifier, and was set aside. If rows "
    "with one value belong together, choose it as the column of groups, as such rows are not independent."
)


def _row_number(column: _JudgedColumn) -> str:
    """Say of whole numbers that all differ and measure nothing that they name the rows."""
    name, present = column.variable.name, column.present
    if (
        len(present) < _ROWS_FOR_IDENTIFIER
        or not are_whole_numbers(present)
        or is_rank_name(name)
        or is_measured_name(name)
    ):
        return ""
    are_in_order = is_in_order(present)
    are_numbers = not column.missing_count and (number_rows(present) or (column.is_nameless and are_in_order))
    if are_numbers and are_in_order:
        return _("'{name}' numbers the rows and was set aside.", name=name)
    if are_numbers or is_identifier(name, present):
        return _(
            "'{name}' has another whole number in every row, like an identifier, and was set aside.",
            name=name,
        )
    return ""


def _row_name(column: _JudgedColumn, settings: PreparationSettings) -> str:
    name, present = column.variable.name, len(column.present)
    if column.variable.level_count < min(present, settings.max_levels + 1):
        return ""
    different = column.different
    if different == present >= _ROWS_FOR_IDENTIFIER:
        return _("'{name}' differs in every row, like an identifier, and was set aside.", name=name)
    if different > settings.max_levels and different >= _NEARLY_UNIQUE * present:
        return _(
            "'{name}' has {different:,} different texts in {rows}, like an identifier, and was set aside.",
            name=name,
            different=different,
            rows=counted(present, "row"),
        )
    return ""


def _too_many_levels(column: _JudgedColumn, settings: PreparationSettings) -> str:
    variable, rows = column.variable, len(column.present)
    if variable.kind is not Kind.NOMINAL or variable.level_count <= settings.max_levels:
        return ""
    if are_borne(column.different, rows, settings):
        return ""
    return _(
        "'{name}' has {categories}, and was set aside.",
        name=variable.name,
        categories=why_not_borne(column.different, settings),
    )


_ALWAYS: _Checks = (
    ("empty", N_("{count} features are empty in every row and were set aside: {names}."), _empty),
    (
        "constant",
        N_("{count} features have the same value in every row and were set aside: {names}."),
        _constant,
    ),
)
ALWAYS_SET_ASIDE = frozenset(topic for topic, _, _ in _ALWAYS)
"""Topics of features that are set aside even where they are kept by name."""
_AFTER_DROPPING: _Checks = (
    (
        "constant",
        N_("{count} features have one value in the rows that stayed and were set aside: {names}."),
        _constant_by_now,
    ),
)
_GUESSED: _Checks = (
    (
        SURVEY_PROGRAM,
        N_(
            "{count} features were written by the survey program, not answered, and were set aside: {names}. "
            "To analyse one, add it to the features to keep."
        ),
        _of_survey_program,
    ),
    (
        FOLLOW_UP,
        N_(
            "{count} features seem to be times or dates of follow-up and were set aside: {names}. To analyse "
            "one, add it to the features to keep."
        ),
        _follow_up,
    ),
    (IDENTIFIER, N_("{count} features number or name the rows and were set aside: {names}."), _identifier),
    (
        REPEATING_IDENTIFIER,
        N_(
            "{count} features are identifiers that repeat and were set aside: {names}. If rows with "
            "one value are of one person, choose the column of groups, as such rows are not "
            "independent."
        ),
        _repeating,
    ),
    (
        "many-missing",
        N_("{count} features are empty in too many rows and were set aside: {names}."),
        _mostly_missing,
    ),
    (
        "many-levels",
        N_("{count} features have too many categories and were set aside: {names}."),
        _too_many_levels,
    ),
)


# A category of few rows tells little, and a column of many asks many figures of the rows. Up to *Most
# categories* a column takes part whatever the rows. With more it does where there are rows enough for each,
# up to a hundred categories. Beyond, tests and regressions would take longer than all the rest.
MANY_LEVELS_SEARCHED = "many-levels-searched"
"""Topic of the note that says which columns of many categories take part."""

MOST_LEVELS_WITH_ROWS = 100


def are_borne(levels: int, rows: int, settings: PreparationSettings) -> bool:
    """Tell whether a column with so many categories in so many rows takes part.

    >>> usual = PreparationSettings()
    >>> are_borne(20, 60, usual), are_borne(40, 400, usual), are_borne(40, 399, usual)
    (True, True, False)
    """
    if levels <= settings.max_levels:
        return True
    return levels <= MOST_LEVELS_WITH_ROWS and rows >= settings.rows_per_level * levels


def why_not_borne(levels: int, settings: PreparationSettings) -> str:
    """Say why a column with so many categories takes no part, as the end of a sentence."""
    most = max(settings.max_levels, MOST_LEVELS_WITH_ROWS)
    if levels > most:
        return _("{levels:,} categories, more than {most:,}", levels=levels, most=most)
    return _(
        "{levels:,} categories, more than {max_levels:,}, with fewer than {rows_per_level:,} rows for each",
        levels=levels,
        max_levels=settings.max_levels,
        rows_per_level=settings.rows_per_level,
    )


def note_many_levels(dataset: Dataset, settings: PreparationSettings) -> Dataset:
    """Say which columns of many categories take part, and what they cost in rows."""
    sentences: dict[str, str] = {}
    for variable, column in zip(dataset.variables, dataset.columns, strict=True):
        is_wide = variable.kind is Kind.NOMINAL and variable.level_count > settings.max_levels
        if not is_wide or not variable.role.takes_part:
            continue
        rows = len(column) - int(missing_mask(variable, column).sum())
        sentences[variable.name] = _(
            _COSTS, name=variable.name, levels=variable.level_count, rows=rows // variable.level_count
        )
    if not sentences:
        return dataset
    return dataset.with_notes(notes_about(MANY_LEVELS_SEARCHED, sentences, _COST_TOGETHER))


_COSTS = N_(
    "'{name}' has {levels:,} categories, with {rows:,} rows per category on average. A test of it "
    "needs many rows, and a test that conditions on it needs even more. Weak links may be missed."
)
_COST_TOGETHER = N_(
    "{count} columns have many categories: {names}. Tests of them need many rows, and tests that "
    "condition on them need even more. Weak links may be missed."
)
