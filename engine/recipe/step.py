"""What every kind of step is: plain values that say what is done, applied to a table without changing it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from engine.errors import InvalidParameter
from engine.table.dataset import Dataset
from engine.table.variable import Role, Variable
from engine.translation import _
from engine.wording.sentences import choose_one, nearest_or

PlainStep = Mapping[str, Any]
"""A step as JSON holds it: ``step`` names its kind, and the other keys are the values of that kind."""

DATES = "dates"
"""Topic of the notes about columns of dates that were read as categories."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What a step made of a table."""

    dataset: Dataset
    columns: tuple[str, ...] = ()  # that it changed or made, by the names that they have now
    unfit: int = 0  # rows that had a value and have none now, because it did not fit
    remarks: tuple[str, ...] = ()  # what a person should know besides, as sentences


class Step(Protocol):
    """One step on the way from the table that was read to the one that is analysed."""

    kind: ClassVar[str]

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""

    @property
    def sentence(self) -> str:
        """What it does, as window, terminal, report and script say it."""

    def apply(self, dataset: Dataset) -> Applied:
        """Make the step: linear in the rows, whole columns at a time."""


Read = Callable[[Any], Any]
_READ = "read"
Described = TypeVar("Described")


def stated(read: Read, default: Any = MISSING) -> Any:
    """Describe a value of a step by what makes it of a value of JSON; without a default it must be there."""
    return field(default=default, metadata={_READ: read})


def plain_values(step: Any) -> dict[str, Any]:
    """Return the values of a step as JSON can hold them; those that are as by default are left out."""
    return {
        step_field.name: _plain(getattr(step, step_field.name))
        for step_field in fields(step)
        if step_field.default is MISSING or getattr(step, step_field.name) != step_field.default
    }


class StepOfColumn:
    """What steps of one column share: their values are read as soon as they are made."""

    column: str

    def __post_init__(self) -> None:
        for step_field in fields(self):  # type: ignore[arg-type]
            try:
                object.__setattr__(
                    self, step_field.name, step_field.metadata[_READ](getattr(self, step_field.name))
                )
            except InvalidParameter as error:
                raise InvalidParameter(
                    error.problem, place=f"'{step_field.name}'", remedy=error.remedy
                ) from error

    @property
    def uses(self) -> tuple[str, ...]:
        """Columns that it needs."""
        return (self.column,)


def made_of(kind: type[Described], values: Mapping[str, Any]) -> Described:
    """Make a step of plain values."""
    described: tuple[Field[Any], ...] = fields(kind)  # type: ignore[arg-type]
    names = [step_field.name for step_field in described]
    for name in values:
        if name not in names:
            raise InvalidParameter(
                _("such a step has no value {name!r}.", name=name),
                remedy=nearest_or(name, names, choose_one(names)),
            )
    for step_field in described:
        if step_field.default is MISSING and step_field.name not in values:
            raise InvalidParameter(
                _("the value {name!r} is not there.", name=step_field.name), remedy=_("Add it.")
            )
    return kind(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def text(value: Any) -> str:
    """Take a value as a text."""
    if not isinstance(value, str):
        raise InvalidParameter(_("a text is needed."), remedy=_("Put it between quotation marks."))
    return value


def name_of_column(value: Any) -> str:
    """Take a value as the name of a column."""
    if not text(value).strip():
        raise InvalidParameter(_("the name of a column is needed."), remedy=_("Write one letter at least."))
    return text(value)


def texts(value: Any) -> tuple[str, ...]:
    """Take a value as texts."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidParameter(_("a list of texts is needed."), remedy=_("Put them between [ and ]."))
    return tuple(text(entry) for entry in value)


def columns_named(value: Any) -> tuple[str, ...]:
    """Take a value as the names of some columns, one at least."""
    names = texts(value)
    if not names or len(set(names)) < len(names):
        raise InvalidParameter(_("names of different columns are needed."), remedy=_("Name each once."))
    return names


_LARGEST = sys.float_info.max


def number(value: Any) -> float:
    """Take a value as a finite number."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    # A whole number of hundreds of digits is none that a column could hold.
    if not is_number or not abs(value) <= _LARGEST:
        raise InvalidParameter(_("a number is needed."), remedy=_("Write it in digits, as 0.5."))
    return float(value)


def ascending_numbers(value: Any) -> tuple[float, ...]:
    """Take a value as different numbers, one at least, and sort them."""
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray) or not len(value):
        raise InvalidParameter(_("a list of numbers is needed."), remedy=_("Write one number at least."))
    numbers = sorted(number(entry) for entry in value)
    if len(set(numbers)) < len(numbers):
        raise InvalidParameter(_("two of the numbers are the same."), remedy=_("Write each once."))
    return tuple(numbers)


def truth(value: Any) -> bool:
    """Take a value as yes or no."""
    if not isinstance(value, bool):
        raise InvalidParameter(_("true or false is needed."), remedy=_("Write true or false."))
    return value


def one_of(*choices: str) -> Read:
    """Make what takes a value as one of some."""

    def read(value: Any) -> str:
        if value not in choices:
            raise InvalidParameter(_("{value!r} is not a choice.", value=value), remedy=choose_one(choices))
        return str(value)

    return read


def replacements(value: Any) -> Mapping[str, str | None]:
    """Take a value as what replaces what, where None is a missing value."""
    if not isinstance(value, Mapping) or not value:
        raise InvalidParameter(
            _("what replaces each category is needed."),
            remedy=_('Write it as {"old": "new"}, null for missing.'),
        )
    for new in value.values():
        if new is not None and not text(new).strip():
            raise InvalidParameter(_("a category has no name."), remedy=_("Use null for missing."))
    return MappingProxyType({text(old): new for old, new in value.items()})


def with_made_column(dataset: Dataset, source: str, variable: Variable, column: np.ndarray) -> Dataset:
    """Put a column in the place of `source`, of which it was made, or behind all others under its own name.

    In that place, doubts about the column end; behind the others, it is a feature.
    """
    if variable.name != source:
        return dataset.with_columns({}, [(replace(variable, role=Role.FEATURE), column)])
    settled = dataset.without_notes_on_kind(source)
    return settled.with_columns({source: (variable, column)})
