"""Columns that may be more than they show: remarked on, and read so only where a person says it.

These are columns of ticks, in which an empty cell means no; columns that name a group in its first row alone;
whole numbers that may be codes of kinds, such as countries 1 to 12; and columns that say how much of a
population each row stands for, known by their names and their values.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from engine.errors import InvalidData
from engine.readers.reading import Table
from engine.table.column_kinds import (
    BY_COUNTS,
    BY_GAP,
    BY_NAME,
    TypedColumn,
    reason_for_kinds,
    typed_numbers,
)
from engine.table.dataset import Dataset
from engine.table.events import guessed_event
from engine.table.identifiers import are_whole_numbers, is_identifier_name, is_in_order
from engine.table.number_names import plain_text, words_of
from engine.table.row_weights import SURVEY_WEIGHTS
from engine.table.variable import MISSING_CODE, EventFrom, Kind, Variable, missing_mask
from engine.translation import N_, _
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted, number_text

TICKS = "ticks"
"""Topic of the notes about columns that hold one value or nothing."""
EMPTY_IS_NO = "empty-is-no"
"""Topic of the note that names columns whose empty cells were read as no."""

_NO, _ZERO = "no", "0"


def with_empty_as_no(dataset: Dataset, names: Sequence[str]) -> Dataset:
    """Read empty cells of some columns as "no", or as 0 beside the number 1."""
    changed = {}
    for name in names:
        variable, column = dataset.variable(name), dataset.column(name)
        if missing_mask(variable, column).all():
            # Of the first rows, none may have a tick.
            new_variable = replace(variable, kind=Kind.NOMINAL, levels=(_NO,), event=None, event_from=None)
            changed[name] = (new_variable, np.zeros(len(column), dtype=np.int8))
            continue
        if variable.kind is Kind.CONTINUOUS:
            raise InvalidData(
                _("an empty cell cannot mean “no” in a column with so many numbers."),
                place=_("column '{name}'", name=name),
                remedy=_("Leave it out of the columns in which an empty cell means “no”."),
            )
        changed[name] = _with_no(variable, column)
        dataset = dataset.without_notes(TICKS, name)
    if not changed:
        return dataset
    told = Note(
        EMPTY_IS_NO, _("Empty cells of {changed} are read as “no”, as stated.", changed=listed(list(changed)))
    )
    return dataset.with_columns(changed).with_notes((told,))


def _with_no(variable: Variable, column: np.ndarray) -> tuple[Variable, np.ndarray]:
    no = variable.levels[0] if len(variable.levels) == 1 and _says_no(variable.levels[0]) else _NO
    no = _ZERO if variable.levels == ("1",) else no
    if no in variable.levels:
        code = variable.levels.index(no)
        return variable, np.where(column == MISSING_CODE, code, column)
    levels = (no, *variable.levels)
    event, event_from = variable.event, variable.event_from
    if len(levels) == 2 and guessed_event(*levels) is None:
        # A tick is what happened, whatever it looks like.
        event, event_from = levels[1], EventFrom.GIVEN
    return replace(variable, levels=levels, event=event, event_from=event_from), column + 1


def _says_no(level: str) -> bool:
    """Tell whether a level means no, as "0" does: then an empty cell says something else."""
    return guessed_event(level, _UNKNOWN) == _UNKNOWN


_UNKNOWN = "\N{BULLET}"


def note_on_ticks(variable: Variable, column: np.ndarray) -> Note | None:
    """Say that a column holds one value or nothing; None where it does not."""
    if variable.kind is Kind.CONTINUOUS or variable.level_count != 1 or is_identifier_name(variable.name):
        return None
    filled = int(np.count_nonzero(column != MISSING_CODE))
    if not 0 < filled < len(column) or _says_no(variable.levels[0]):
        return None
    message = _(
        "Column '{name}' holds only '{level}', in {filled:,} of {rows}. If an empty cell means “no”, say so.",
        name=variable.name,
        level=variable.levels[0],
        filled=filled,
        rows=counted(len(column), "row"),
    )
    return Note(TICKS, message, variable.name, variable.levels)


NAMED_ONCE = "named-once"
"""Topic of the notes about columns that name a group in its first row alone."""

_FEWEST_ROWS = 20
# Chance lets a column with gaps look so in so many tables.
_BY_CHANCE = 0.05


def notes_on_groups_named_once(dataset: Dataset) -> list[Note]:
    """Say which columns seem to name groups, or parts of these, in their first rows alone."""
    notes: list[Note] = []
    groups: list[np.ndarray] = []
    for place, (variable, column) in enumerate(zip(dataset.variables, dataset.columns, strict=True)):
        rows = _first_rows(variable, column)
        if rows is None:
            continue
        shortest = int(np.diff(rows, append=len(column)).min())
        chances = [_chance_of_gaps(len(column), len(rows), shortest)]
        outer_rows = (outer for outer in groups if np.isin(outer, rows).all())
        chances += [_chance_to_hold(len(column), len(rows), len(outer)) for outer in outer_rows]
        with_gaps = 1 + sum(dataset.missing_count(name) > 0 for name in dataset.names[:place])
        if with_gaps * min(chances) > _BY_CHANCE:
            continue
        groups.append(rows)
        first, second = (
            f"{name:g}" if variable.kind is Kind.CONTINUOUS else variable.levels[name]
            for name in column[rows[:2]].tolist()
        )
        message = _(
            _SEEM_GROUPS,
            name=variable.name,
            filled=len(rows),
            rows=counted(len(column), "row"),
            first=first,
            second=second,
        )
        notes.append(Note(NAMED_ONCE, message, variable.name, (first, second)))
    return notes


def _first_rows(variable: Variable, column: np.ndarray) -> np.ndarray | None:
    """Return the rows that are filled, if they may be the first ones of groups; None where they may not."""
    is_number = variable.kind is Kind.CONTINUOUS
    # Most columns are left at once, as their second cell is filled.
    if len(column) < _FEWEST_ROWS or not (np.isnan(column[1]) if is_number else column[1] == MISSING_CODE):
        return None
    rows = np.flatnonzero(~missing_mask(variable, column))
    if len(rows) < 2 or rows[0] or np.diff(rows, append=len(column)).min() < 2:
        return None
    names = column[rows]
    if is_number:
        return rows if is_in_order(names) and are_whole_numbers(names) else None
    return rows if (np.diff(names) != 0).all() else None


def _chance_of_gaps(rows: int, filled: int, shortest: int) -> float:
    """Return how likely rows drawn at random begin with the first, each so far before the next or the end."""
    return math.exp(_log_ways(rows - filled * (shortest - 1) - 1, filled - 1) - _log_ways(rows, filled))


def _chance_to_hold(rows: int, filled: int, others: int) -> float:
    """Return how likely rows drawn at random hold all of so many others."""
    return math.exp(_log_ways(rows - others, filled - others) - _log_ways(rows, filled))


def _log_ways(count: int, chosen: int) -> float:
    return math.lgamma(count + 1) - math.lgamma(chosen + 1) - math.lgamma(count - chosen + 1)


_SEEM_GROUPS = N_(
    "Column '{name}' is filled in {filled:,} of {rows}, from the first on, as with '{first}' and '{second}'. "
    "If it names each group in its first row alone, fill it down."
)


def with_groups_in_each_row(table: Table, names: Collection[str]) -> Table:
    """Give each empty cell of some columns the value above it; names of other tables say nothing."""
    if table.coded is not None or not names:
        return table
    filled = [
        _filled(variable, column) if variable.name in names else TypedColumn(variable, column)
        for variable, column in zip(table.variables, table.columns, strict=True)
    ]
    return replace(
        table,
        variables=tuple(typed.variable for typed in filled),
        columns=tuple(typed.column for typed in filled),
    )


def _filled(variable: Variable, column: np.ndarray) -> TypedColumn:
    rows = np.where(missing_mask(variable, column), 0, np.arange(len(column)))
    column = column[np.maximum.accumulate(rows)]
    if variable.kind is not Kind.CONTINUOUS:
        return TypedColumn(variable, column)
    # The numbers of a few groups are categories.
    typed = typed_numbers(variable.name, column)
    return replace(typed, variable=replace(typed.variable, description=variable.description))


NOMINAL_CODES = "nominal-codes"
"""Topic of the notes about numbers that may be codes of kinds."""


def note_on_nominal_codes(variable: Variable, values: np.ndarray) -> Note | None:
    """Say that numbers may be codes of kinds; None where nothing speaks for it."""
    if variable.kind is not Kind.CONTINUOUS:
        return None
    reason = reason_for_kinds(variable.name, values)
    if reason is None:
        return None
    why, distinct = reason
    message = _(
        _MAY_BE_CODES,
        name=variable.name,
        count=len(distinct),
        low=f"{distinct[0]:.0f}",
        high=f"{distinct[-1]:.0f}",
        why=_(_REASONS[why]),
    )
    return Note(NOMINAL_CODES, message, variable.name)


_REASONS = {
    BY_NAME: N_("as the name suggests"),
    BY_GAP: N_("as some numbers between frequent ones never occur"),
    BY_COUNTS: N_("as their counts follow no order"),
}
_MAY_BE_CODES = N_(
    "'{name}' holds {count} whole numbers from {low} to {high} and stays a number. "
    "They may be codes of kinds, {why}. If so, they are categories."
)


_FEWEST_VALUES = 3
_HALF = 0.5
_ABOUT_ONE = 0.1
_SUMS = (1.0, 100.0)

# What they have in common with the weight of a body.
_WEIGHTS = frozenset(
    plain_text(
        """
weight weights wt wts wgt wgts wght gewicht gewichte gewichten poids peso pesos pesi waga wagi vaha vahy
vikt vikter vekt vekter vægt paino painot súly súlyok ağırlık вес веса вага ваги 重量
"""
    ).split()
)
# They name weights of rows alone.
_ROW_WEIGHTS = frozenset(
    plain_text(
        """
pweight pweights pwt pwgt pspwght pspwgt pspweight dweight dwght dwgt anweight aweight fnlwgt finalwgt
finalwt finalweight perwt hhwt asecwt wtsupp wtfinl wtss wtssall wtssps wtssnr wtssnrps wtmec wtint wtfinal
wtdrd rakewt rakedwt ipw iptw ipcw svyweight svyweights svywt svywgt sampweight sampwt samplewt samplewgt
sampleweight samplingweight surveyweight surveywt designweight designwt baseweight basewt popweight popwt
llcpwt wghtp wghtpew weighting fexp facexp ponderador hochrechnungsfaktor hochrechnung gewichtung
gewichtungsfaktor designgewicht personengewicht haushaltsgewicht querschnittsgewicht
längsschnittgewicht phrf hhrf pondération ponderación ponderazione ponderação weegfactor wegingsfactor weging
ważenie súlyozás ağırlıklandırma взвешивание 权重 加权 ウェイト 重み ウエイト 가중치
"""
    ).split()
)
# Beside a word for weights, they tell of a survey.
_OF_SURVEYS = frozenset(
    plain_text(
        """
survey sampling svy design poststrat poststratification stratification calibrated calibration trimmed raked
rake raking nonresponse inverse probability prob propensity befragung enquête encuesta indagine выборки
"""
    ).split()
)
# What is weighed in a laboratory may be called so, too.
_BESIDE = frozenset(
    plain_text(
        """
sample samp final person household hh population pop post strat normalised normalized scaled statistical
cross sectional longitudinal respondent analysis case row adult base factor w yr year years the of for in
stichprobe muestra muestral campione amostra steekproef próby de des del der die da do
"""
    ).split()
)


def note_on_survey_weights(variable: Variable, values: np.ndarray) -> Note | None:
    """Say that a column seems to weight the rows; None where its name or its values speak against it."""
    if variable.kind is not Kind.CONTINUOUS:
        return None
    words = frozenset(words_of(variable.name))
    if not words or not words <= _WEIGHTS | _ROW_WEIGHTS | _OF_SURVEYS | _BESIDE:
        return None
    weighs = bool(words & _WEIGHTS)
    is_certain = bool(words & _ROW_WEIGHTS) or (weighs and bool(words & _OF_SURVEYS))
    if not (is_certain or weighs) or not _look_like_weights(values, is_certain=is_certain):
        return None
    message = _(_SEEM_WEIGHTS, name=variable.name, mean=number_text(float(values.mean()), 3))
    return Note(SURVEY_WEIGHTS, message, variable.name)


def _look_like_weights(values: np.ndarray, *, is_certain: bool) -> bool:
    """Tell whether numbers may be weights; where the name may mean a body's, their scale decides."""
    if len(values) < _FEWEST_ROWS or not np.isfinite(values).all() or (values < 0).any():
        return False
    if len(np.unique(values)) < _FEWEST_VALUES:
        return False
    if is_certain:
        return bool(values.any())
    total = float(values.sum())
    is_scaled = abs(total / len(values) - 1) <= _ABOUT_ONE or any(np.isclose(total, _SUMS, rtol=1e-3))
    return is_scaled and bool((values > 0).all()) and float((values % 1 > 0).mean()) >= _HALF


_SEEM_WEIGHTS = N_(
    "Column '{name}' looks like survey weights: all its values are positive, and their mean is {mean}. "
    "If it says how much of the population each row stands for, make it the row weight."
)
