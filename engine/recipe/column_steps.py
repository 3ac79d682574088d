"""Steps that change one column: its categories, its numbers, its name, and what it is said to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from engine.errors import InvalidData
from engine.recipe.step import (
    Applied,
    StepOfColumn,
    ascending_numbers,
    columns_named,
    name_of_column,
    one_of,
    replacements,
    stated,
    text,
    texts,
    truth,
    with_made_column,
)
from engine.table.column_kinds import as_categories, as_numbers
from engine.table.dataset import Dataset
from engine.table.look_alikes import SIMILAR_CATEGORIES, notes_about_similar_categories
from engine.table.variable import MISSING_CODE, Kind, Variable, missing_mask
from engine.translation import N_, _, for_count
from engine.wording.notes import listed
from engine.wording.numbers import interval_names, number_text
from engine.wording.phrases import plain_listing
from engine.wording.sentences import NUMBERS_HAVE_AN_ORDER


@dataclass(frozen=True)
class Recode(StepOfColumn):
    """Rename and merge categories, or make them missing.

    Two old categories with the same new one are merged. Of a number, values are given as texts.
    """

    kind: ClassVar[str] = "recode"
    column: str = stated(name_of_column)
    levels: Mapping[str, str | None] = stated(replacements)  # new by old; None is missing, and others stay

    @property
    def sentence(self) -> str:
        """What it does."""
        changes = [
            f"{old} → {_('missing') if new is None else new}"
            for old, new in self.levels.items()
            if old != new
        ]
        return _(_RECODED, column=self.column, changes=plain_listing(changes))

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable, column = dataset.variable(self.column), dataset.column(self.column)
        change = self._numbers if variable.kind is Kind.CONTINUOUS else self._categories
        changed, values, absent = change(variable, column)
        emptied = missing_mask(changed, values) & ~missing_mask(variable, column)
        remarks = []
        if absent:
            none_has = for_count(len(absent), _NO_SUCH_CATEGORY, _NO_SUCH_CATEGORIES)
            remarks.append(none_has.format(column=self.column, names=listed(absent, _FEW)))
        new_dataset = with_made_column(dataset, self.column, changed, values)
        if any(
            note.topic == SIMILAR_CATEGORIES and note.variable in (self.column, "")
            for note in new_dataset.notes
        ):
            notes = notes_about_similar_categories(new_dataset.variables)
            new_dataset = new_dataset.without_notes(SIMILAR_CATEGORIES).with_notes(notes)
        return Applied(new_dataset, (self.column,), int(emptied.sum()), tuple(remarks))

    def _categories(self, variable: Variable, column: np.ndarray) -> tuple[Variable, np.ndarray, list[str]]:
        absent = [old for old in self.levels if old not in variable.levels]
        new = [self.levels.get(level, level) for level in variable.levels]
        levels = tuple(dict.fromkeys(level for level in new if level is not None))
        position = {level: code for code, level in enumerate(levels)}
        codes = [MISSING_CODE if level is None else position[level] for level in new]
        # An order is kept where only neighbours were merged.
        present = [code for code in codes if code != MISSING_CODE]
        ordered = variable.ordered and present == sorted(present)
        changed = variable.with_levels(levels, self.levels, ordered)
        return changed, np.array([*codes, MISSING_CODE])[column], absent

    def _numbers(self, variable: Variable, column: np.ndarray) -> tuple[Variable, np.ndarray, list[str]]:
        values, absent = column.copy(), []
        for old, new in self.levels.items():
            where = column == self._number(old)
            if not where.any():
                absent.append(old)
            values[where] = np.nan if new is None else self._number(new)
        return variable, values, absent

    def _number(self, value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = np.nan
        if not np.isfinite(number):
            raise InvalidData(
                _("it holds numbers, but {value!r} is not a number.", value=value),
                place=_("column '{column}'", column=self.column),
                remedy=_("Read it as categories in a step before, or cut it."),
            )
        return number


_FEW = 5
_RECODED = N_("“{column}” is recoded: {changes}.")
_NO_SUCH_CATEGORY = N_("“{column}” has no value {names}, so the step did not change it.")
_NO_SUCH_CATEGORIES = N_("“{column}” has none of the values {names}, so the step did not change them.")


@dataclass(frozen=True)
class OrderLevels(StepOfColumn):
    """Put categories in an order, or say that they have none."""

    kind: ClassVar[str] = "order"
    column: str = stated(name_of_column)
    levels: tuple[str, ...] = stated(texts)  # the lowest first; others follow in the order that they had
    ordered: bool = stated(truth, True)  # the order means something

    @property
    def sentence(self) -> str:
        """What it does."""
        sentence = (
            _("The categories of “{column}” have the order {levels}.")
            if self.ordered
            else _("The categories of “{column}” are listed as {levels} and have no order.")
        )
        between = " < " if self.ordered else ", "
        return sentence.format(column=self.column, levels=between.join(self.levels))

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable, column = dataset.variable(self.column), dataset.column(self.column)
        if variable.kind is Kind.CONTINUOUS:
            raise InvalidData(
                _(NUMBERS_HAVE_AN_ORDER),
                place=_("column '{column}'", column=self.column),
                remedy=_("Leave the step out, or cut the numbers into categories before."),
            )
        levels = tuple(dict.fromkeys(level for level in self.levels if level in variable.levels))
        levels += tuple(level for level in variable.levels if level not in levels)
        codes = [levels.index(level) for level in variable.levels]
        changed = variable.with_levels(levels, {}, self.ordered)
        values = np.array([*codes, MISSING_CODE])[column]
        return Applied(with_made_column(dataset, self.column, changed, values), (self.column,))


BELOW, ABOVE = "below", "above"


@dataclass(frozen=True)
class Cut(StepOfColumn):
    """Cut a number into ordered categories."""

    kind: ClassVar[str] = "cut"
    column: str = stated(name_of_column)
    points: tuple[float, ...] = stated(ascending_numbers)
    names: tuple[str, ...] = stated(texts, ())  # the lowest first; named by the points when left out
    equal: str = stated(one_of(BELOW, ABOVE), BELOW)  # where a value that equals a point belongs
    into: str = stated(text, "")  # name of the new column; it takes the place of the number when left out

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.names and len(set(self.names)) != len(self.points) + 1:
            raise InvalidData(
                _("{count} different names are needed.", count=len(self.points) + 1),
                place="'names'",
                remedy=_("Give one name more than there are points, or none."),
            )

    @property
    def levels(self) -> tuple[str, ...]:
        """What the categories are called."""
        cuts = [number_text(point) for point in self.points]
        return self.names or interval_names(cuts, equal_goes_below=self.equal == BELOW)

    @property
    def sentence(self) -> str:
        """What it does."""
        return (_(_CUT_INTO) if self.into else _(_CUT)).format(
            column=self.column,
            points=plain_listing([number_text(point) for point in self.points]),
            levels=plain_listing(self.levels),
            into=self.into,
        )

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable, values = _number(dataset, self.column)
        side: Literal["left", "right"] = "left" if self.equal == BELOW else "right"
        codes = np.searchsorted(np.array(self.points), values, side=side)
        codes[np.isnan(values)] = MISSING_CODE
        rows = np.bincount(codes[codes >= 0], minlength=len(self.levels))
        empty = [level for level, count in zip(self.levels, rows, strict=True) if not count]
        remarks = []
        if empty:
            no_row_in = for_count(len(empty), _EMPTY_LEVEL, _EMPTY_LEVELS)
            remarks.append(no_row_in.format(names=listed(empty, _FEW)))
        new_variable = replace(
            variable,
            name=self.into or self.column,
            kind=Kind.NOMINAL,
            levels=self.levels,
            ordered=True,
            is_cut=True,
        )
        changed = with_made_column(dataset, self.column, new_variable, codes)
        return Applied(changed, (new_variable.name,), remarks=tuple(remarks))


_CUT = N_("“{column}” is cut at {points} into the categories {levels}.")
_CUT_INTO = N_("“{column}” is cut at {points} into the categories {levels} of the new column “{into}”.")
_EMPTY_LEVEL = N_("No row is in the category {names}.")
_EMPTY_LEVELS = N_("No row is in the categories {names}.")


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return average ranks from 1; missing values have none."""
    present = ~np.isnan(values)
    _, position, counts = np.unique(values[present], return_inverse=True, return_counts=True)
    ranks = np.full(len(values), np.nan)
    ranks[present] = (np.cumsum(counts) - (counts - 1) / 2)[position]
    return ranks


def _standardised(values: np.ndarray) -> np.ndarray:
    present = values[~np.isnan(values)]
    # Scaled before powers are taken: those of the largest floats overflow.
    largest = np.abs(present).max(initial=0.0) or 1.0
    centred = values / largest - (present / largest).mean() if len(present) else values
    spread = np.nanstd(centred) if len(present) else 0.0
    return np.asarray(centred / spread) if spread > 0 else centred


_SCALES: dict[str, tuple[Callable[[np.ndarray], np.ndarray], str]] = {
    "log": (np.log, N_("“{column}” is on a logarithmic scale (natural logarithm).")),
    "log10": (np.log10, N_("“{column}” is on a logarithmic scale (base 10).")),
    "log1p": (
        np.log1p,
        N_("“{column}” is on a logarithmic scale (natural logarithm of one plus the value)."),
    ),
    "sqrt": (np.sqrt, N_("Of “{column}”, the square root is taken.")),
    "rank": (_ranks, N_("'{column}' is replaced by its ranks, from 1; equal values share their mean rank.")),
    "standard": (_standardised, N_("“{column}” has mean 0 and standard deviation 1.")),
}
SCALES = tuple(_SCALES)
"""Scales that a number can be put on."""


@dataclass(frozen=True)
class Rescale(StepOfColumn):
    """Put a number on another scale."""

    kind: ClassVar[str] = "scale"
    column: str = stated(name_of_column)
    scale: str = stated(one_of(*SCALES))
    into: str = stated(text, "")  # name of the new column; it takes the place of the number when left out

    @property
    def sentence(self) -> str:
        """What it does."""
        return _(_SCALES[self.scale][1], column=self.into or self.column)

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable, values = _number(dataset, self.column)
        with np.errstate(all="ignore"):
            scaled = _SCALES[self.scale][0](values)
        scaled = np.where(np.isfinite(scaled), scaled, np.nan)
        new_variable = replace(variable, name=self.into or self.column, unit="")
        unfit = int((np.isnan(scaled) & ~np.isnan(values)).sum())
        return Applied(
            with_made_column(dataset, self.column, new_variable, scaled), (new_variable.name,), unfit
        )


CATEGORIES, NUMBERS = "categories", "numbers"
_KINDS = {CATEGORIES: Kind.NOMINAL, NUMBERS: Kind.CONTINUOUS}


@dataclass(frozen=True)
class ReadAs(StepOfColumn):
    """Read columns of numbers as categories, or categories that are numbers as numbers."""

    kind: ClassVar[str] = "read-as"
    columns: tuple[str, ...] = stated(columns_named)
    values: str = stated(one_of(*_KINDS))

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        return self.columns

    @property
    def sentence(self) -> str:
        """What it does."""
        names = listed(self.columns, _FEW)
        if self.values == CATEGORIES:
            return _(_AS_CATEGORIES, names=names)
        return _(_AS_NUMBERS, names=names)

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        kind = _KINDS[self.values]
        change = as_categories if kind is Kind.NOMINAL else as_numbers
        changed = {}
        for name in self.columns:
            variable, column = dataset.variable(name), dataset.column(name)
            dataset = dataset.without_notes_on_kind(name)
            if variable.kind is not kind:
                changed[name] = change(variable, column)
        return Applied(dataset.with_columns(changed), self.columns)


_AS_CATEGORIES = N_("The values of {names} are read as categories.")
_AS_NUMBERS = N_("The values of {names} are read as numbers.")


@dataclass(frozen=True)
class Describe(StepOfColumn):
    """Say what a column holds, and in which unit."""

    kind: ClassVar[str] = "describe"
    column: str = stated(name_of_column)
    unit: str = stated(text, "")
    description: str = stated(text, "")

    @property
    def sentence(self) -> str:
        """What it does."""
        if self.unit and self.description:
            sentence = _("“{column}” is measured in {unit} and holds: {description}.")
        elif self.unit:
            sentence = _("“{column}” is measured in {unit}.")
        else:
            sentence = _("“{column}” holds: {description}.")
        return sentence.format(
            column=self.column, unit=self.unit, description=self.description.rstrip(".") or "–"
        )

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable = replace(dataset.variable(self.column), unit=self.unit, description=self.description)
        return Applied(dataset.with_column(variable, dataset.column(self.column)), (self.column,))


@dataclass(frozen=True)
class Rename(StepOfColumn):
    """Give a column another name."""

    kind: ClassVar[str] = "rename"
    column: str = stated(name_of_column)
    name: str = stated(name_of_column)

    @property
    def sentence(self) -> str:
        """What it does."""
        return _("“{column}” is called “{name}”.", column=self.column, name=self.name)

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step."""
        variable = replace(dataset.variable(self.column), name=self.name)
        renamed = dataset.with_columns({self.column: (variable, dataset.column(self.column))})
        return Applied(renamed, (self.name,))


def _number(dataset: Dataset, name: str) -> tuple[Variable, np.ndarray]:
    """Return a column of numbers, or of categories that are written as numbers."""
    variable, column = dataset.variable(name), dataset.column(name)
    return (variable, column) if variable.kind is Kind.CONTINUOUS else as_numbers(variable, column)
