"""What is known about one column of a table, its kind, its role, its levels, and how its values are coded."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.table.events import guessed_event
from engine.translation import _
from engine.wording.sentences import CODE_WITHOUT_LEVEL, CODES_NOT_WHOLE, RENAME_ONE, choose_one

_Choice = TypeVar("_Choice", bound=StrEnum)


class Kind(StrEnum):
    """Type of the values of a variable."""

    NOMINAL = "nominal"
    CONTINUOUS = "continuous"


class Role(StrEnum):
    """Purpose of a variable in an analysis."""

    LABEL = "label"
    FEATURE = "feature"
    IGNORED = "ignored"
    WEIGHT = "weight"
    GROUPS = "groups"

    @property
    def takes_part(self) -> bool:
        """Whether variables with this role are tested: labels and features."""
        return self in (Role.LABEL, Role.FEATURE)


class EventFrom(StrEnum):
    """How it was decided which level of a variable is its event."""

    GIVEN = "given"
    GUESSED = "guessed"
    EARLIER = "earlier version"


@dataclass(frozen=True, slots=True)
class Variable:
    """Description of one column: its name, kind, role and, if it is nominal, its levels.

    Attributes
    ----------
    name : str
        Name of the column, unique within a dataset.
    kind : Kind
        Nominal or continuous. Its text is accepted, too.
    role : Role
        Label, feature, ignored, weight (how many rows each row stands for) or groups (which rows belong
        together, such as several of one person). Its text is accepted, too.
    levels : tuple of str
        Names of the levels of a nominal variable, in the order of their codes. Empty if it is continuous.
    ordered : bool
        Whether the levels have an order, as bins of a number or a rating have.
    is_cut : bool
        Whether the levels are bins of a number. A test that conditions on bins removes only a part of what
        the number explains.
    unit : str
        Unit of the numbers, such as ``mmol/l``. It changes no analysis, and equal variables may differ in it.
    description : str
        What the column holds, in the words of a person. It changes no analysis, and equal variables may
        differ in it.
    event : str, optional
        The level to which directions and estimates of a variable with two levels refer, such as ``"yes"``. If
        it is left out, the names of the levels decide (:func:`engine.table.events.guessed_event`), or else
        their order. It is None if neither decides, and for numbers. With more than two levels, it is kept
        only if a person chose it. It changes no finding, and equal variables may differ in it.
    event_from : EventFrom, optional
        How the event was decided. None if there is no event.

    Raises
    ------
    InvalidData
        If the levels do not fit the kind, or are not unique.
    InvalidParameter
        If the kind or the role does not exist.

    Examples
    --------
    >>> smoker = Variable("smoker", Kind.NOMINAL, levels=("no", "yes"))
    >>> smoker.level_count, smoker.event
    (2, 'yes')
    """

    name: str
    kind: Kind
    role: Role = Role.FEATURE
    levels: tuple[str, ...] = ()
    ordered: bool = False
    is_cut: bool = False
    unit: str = field(default="", compare=False)
    description: str = field(default="", compare=False)
    event: str | None = field(default=None, compare=False)
    event_from: EventFrom | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        # Both are compared by identity everywhere, which a text that equals one would fail.
        object.__setattr__(self, "kind", known_kind(self.kind, self.name))
        object.__setattr__(self, "role", _known(Role, self.role, "role", self.name))
        object.__setattr__(self, "levels", tuple(self.levels))
        if self.kind is Kind.CONTINUOUS and self.levels:
            raise InvalidData(
                _("a continuous variable has no levels."), place=_("column '{name}'", name=self.name)
            )
        if len(set(self.levels)) != len(self.levels):
            raise InvalidData(
                _("two levels have the same name."),
                place=_("column '{name}'", name=self.name),
                remedy=_(RENAME_ONE),
            )
        self._settle_event()

    def _settle_event(self) -> None:
        """Keep an event that is one of the levels; else let two levels decide."""
        event, event_from = None, None
        if self.event in self.levels:
            event, event_from = self.event, EventFrom(self.event_from or EventFrom.GIVEN)
        if len(self.levels) != 2 and event_from is not EventFrom.GIVEN:
            event, event_from = None, None
        elif event is None and len(self.levels) == 2:
            event = default_event(self.levels, ordered=self.ordered)
            event_from = None if event is None else EventFrom.GUESSED
        object.__setattr__(self, "event", event)
        object.__setattr__(self, "event_from", event_from)

    def with_levels(
        self, levels: Sequence[str], renamed: Mapping[str, str | None], ordered: bool
    ) -> Variable:
        """Return the variable with other levels; an event that was decided goes by its new name.

        `renamed` has new names by old ones; None is missing, and others keep theirs.
        """
        event = None if self.event is None else renamed.get(self.event, self.event)
        if self.event_from is EventFrom.GUESSED and len(levels) == 2:
            # The new words or their order may say something else.
            event = default_event(levels, ordered=ordered) or (event if event != self.event else None)
        return replace(self, levels=tuple(levels), ordered=ordered, event=event)

    @property
    def lacks_event(self) -> bool:
        """Whether it has two levels and neither is known to be the event."""
        return len(self.levels) == 2 and self.event is None

    def told_level(self, levels: Sequence[str]) -> str:
        """Return which of two levels that occur directions speak of: the event, or else the last one."""
        if self.event in levels:
            return str(self.event)
        return default_event(levels, ordered=self.ordered) or levels[-1]

    @property
    def level_count(self) -> int:
        """Number of levels; 0 when continuous."""
        return len(self.levels)


def default_event(levels: Sequence[str], *, ordered: bool = False) -> str | None:
    """Return which of two levels is the event by their names, or the higher one of two in order.

    Numbers in order are not enough: 1 and 2 may be codes.

    >>> default_event(("ja", "nein")), default_event(("short", "long"), ordered=True)
    ('ja', 'long')
    >>> default_event(("short", "long")), default_event(("1", "2"), ordered=True)
    (None, None)
    """
    event = guessed_event(*levels)
    if event is None and ordered and not all(level.isdecimal() for level in levels):
        return levels[-1]
    return event


def known_kind(kind: str, variable: str) -> Kind:
    """Return the kind that has this text."""
    return _known(Kind, kind, _("kind of variable"), variable)


def _known(choices: type[_Choice], text: str, what: str, variable: str) -> _Choice:
    if isinstance(text, choices):
        return text
    try:
        return choices(text)
    except ValueError:
        problem = _("{text!r} is not a {what}.", text=text, what=what)
        raise InvalidParameter(
            problem, place=_("column '{variable}'", variable=variable), remedy=choose_one(choices)
        ) from None


def free_name(wanted: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the wanted one, or that with a number behind it.

    >>> free_name("dose", {"dose", "dose (2)"})
    'dose (3)'
    """
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} ({number})"
    return name


MISSING_CODE = -1


def missing_mask(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Tell for each row whether the value is missing, as a boolean array of shape (rows,)."""
    if variable.kind is Kind.CONTINUOUS:
        missing: np.ndarray = np.isnan(column)
    else:
        missing = column == MISSING_CODE
    return missing


def present_numbers(values: np.ndarray) -> np.ndarray:
    """Return the numbers that are not missing: the array itself where none is, as copying takes time."""
    # The least of some numbers is NaN where one of them is.
    return values[~np.isnan(values)] if np.isnan(values.min(initial=0)) else values


def has_infinite(values: np.ndarray) -> bool:
    """Tell whether a number is infinite."""
    least, greatest = np.fmin.reduce(values, initial=0.0), np.fmax.reduce(values, initial=0.0)
    return bool(np.isinf(least) or np.isinf(greatest))


def code_dtype(level_count: int) -> np.dtype:
    """Return the smallest signed integer type that holds the codes of `level_count` levels."""
    for dtype in (np.int8, np.int16, np.int32):
        if level_count - 1 <= np.iinfo(dtype).max:
            return np.dtype(dtype)
    raise InvalidData(_("{level_count} levels are too many for one variable.", level_count=level_count))


def checked_column(variable: Variable, column: np.ndarray, rows: int) -> np.ndarray:
    """Return the values of a column, after looking whether they fit its description."""
    array = np.asarray(column)
    place = _("column '{name}'", name=variable.name)
    if array.ndim != 1 or array.shape[0] != rows:
        raise InvalidData(
            _("it has shape {shape}, expected ({rows},).", shape=array.shape, rows=rows), place=place
        )
    if variable.kind is Kind.CONTINUOUS:
        try:
            array = array.astype(np.float64, copy=False)
        except (TypeError, ValueError) as error:
            raise InvalidData(
                _("not everything in it is a number: {error}.", error=error),
                place=place,
                remedy=_("Give numbers, or codes of levels."),
            ) from error
        if has_infinite(array):
            row = int(np.flatnonzero(np.isinf(array))[0]) + 1
            raise InvalidData(
                _("the value is infinite."),
                place=_("{place}, row {row}", place=place, row=row),
                remedy=_("Correct or empty it."),
            )
        return array
    if array.dtype.kind not in "iub":
        raise InvalidData(_(CODES_NOT_WHOLE, kind=array.dtype), place=place)
    levels = variable.level_count
    if rows and (array.min() < MISSING_CODE or array.max() >= levels):
        row = int(np.flatnonzero((array < MISSING_CODE) | (array >= levels))[0])
        raise InvalidData(
            _(CODE_WITHOUT_LEVEL, code=array[row], levels=levels),
            place=_("{place}, row {row}", place=place, row=row + 1),
        )
    return array


def stored_dtype(variable: Variable) -> np.dtype:
    """Return the type in which the values of a variable are held."""
    return np.dtype(np.float64) if variable.kind is Kind.CONTINUOUS else code_dtype(variable.level_count)


def canonical(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Write equal values in equal bytes, whatever the type and machine."""
    if variable.kind is Kind.NOMINAL:
        return np.ascontiguousarray(column, dtype="<i4")
    # There are many bit patterns for "not a number", and two for zero.
    values: np.ndarray = np.where(np.isnan(column), np.nan, column + 0.0).astype("<f8")
    return values
