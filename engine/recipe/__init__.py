"""The recipe: steps from a table as it was read to the one that is analysed, each with a switch.

A recipe is made of plain values, so that a person can read and write it. In a file it is JSON: a list of
steps, each with ``step``, the name of its kind, and the values of that kind; ``"on": false`` switches it off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.atomic import opening, write_text
from engine.errors import EngineError, InvalidData, InvalidParameter, UnreadableFile
from engine.parameters import require_type, required_path
from engine.recipe.column_steps import Cut, Describe, OrderLevels, ReadAs, Recode, Rename, Rescale
from engine.recipe.step import Applied, PlainStep, Step, made_of, plain_values
from engine.recipe.table_steps import Compute, Filter, RowBlocks, Score, TakeDate
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from engine.translation import N_, _, for_count
from engine.wording.notes import Note
from engine.wording.numbers import count_text
from engine.wording.sentences import CHOOSE_ANOTHER_FILE, NOT_JSON, choose_one, nearest_or
from engine.wording.setting_names import the_setting

RECIPE = "recipe"
"""Topic of the notes that say what the steps did."""


@dataclass(frozen=True, slots=True)
class StepKind:
    """A kind of step."""

    make: type
    title: str

    @property
    def name(self) -> str:
        """Key in files."""
        return str(self.make.kind)  # type: ignore[attr-defined]


STEP_KINDS = {
    step_class.name: step_class
    for step_class in (
        StepKind(Recode, N_("Recode and merge categories")),
        StepKind(OrderLevels, N_("Order categories")),
        StepKind(Cut, N_("Cut a number")),
        StepKind(Rescale, N_("Another scale")),
        StepKind(Compute, N_("Compute a column")),
        StepKind(Score, N_("Score of columns")),
        StepKind(Filter, N_("Keep some rows")),
        StepKind(TakeDate, N_("Take from a date")),
        StepKind(ReadAs, N_("Read as categories or numbers")),
        StepKind(Describe, N_("Unit and description")),
        StepKind(Rename, N_("Rename")),
        StepKind(RowBlocks, N_("Group rows in blocks")),
    )
}
"""Every kind of step, by its key in files."""


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step did."""

    step: Step
    is_on: bool  # whether it was made at all
    rows: int  # that are left behind it
    left_out: int = 0
    # rows of each category of the column that it changed or made; empty for numbers
    counts: tuple[tuple[str, int], ...] = ()
    unfit: int = 0  # rows that had a value and have none now, because it did not fit
    remarks: tuple[str, ...] = ()  # what a person should know besides, as sentences

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was done and what came of it."""
        sentences = [self.step.sentence]
        if self.left_out:
            left = for_count(self.rows, "{rows} row is left.", "{rows} rows are left.")
            sentences.append(left.format(rows=count_text(self.rows)))
        if self.unfit:
            emptied = for_count(
                self.unfit,
                "In {count} row no value is left, since what was there does not fit.",
                "In {count} rows no value is left, since what was there does not fit.",
            )
            sentences.append(emptied.format(count=count_text(self.unfit)))
        return (*sentences, *self.remarks)


@dataclass(frozen=True, init=False)
class Recipe:
    """Steps from the table that was read to the table that is analysed.

    Parameters
    ----------
    steps : iterable of Step or mapping
        The steps in order. A mapping holds plain values, as in a file.
    off : iterable of int
        Positions of steps that are switched off, besides those with ``"on": False`` in their mapping.

    Raises
    ------
    InvalidParameter
        If there is no list of steps, or a step is of another type, of an unknown kind, or has impossible
        values.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"age": [30, 52, 71, 44], "arm": ["a", "b", "c", "b"]})
    >>> recipe = Recipe([
    ...     {"step": "filter", "expression": "age >= 40"},
    ...     {"step": "recode", "column": "arm", "levels": {"b": "drug", "c": "drug"}},
    ...     {"step": "cut", "column": "age", "points": [65], "into": "old"},
    ... ])
    >>> table = recipe.apply(Dataset.from_frame(frame))
    >>> table.names, table.row_count, table.variable("arm").levels
    (('age', 'arm', 'old'), 3, ('a', 'drug'))
    >>> for sentence in recipe.sentences():
    ...     print(sentence)
    Only rows are kept where age >= 40.
    “arm” is recoded: b → drug and c → drug.
    “age” is cut at 65 into the categories ≤ 65 and > 65 of the new column “old”.
    """

    steps: tuple[Step, ...]
    off: frozenset[int]

    def __init__(self, steps: Iterable[Step | PlainStep] = (), off: Iterable[int] = ()) -> None:
        if isinstance(steps, Mapping) or not isinstance(steps, Iterable):
            raise InvalidParameter(
                _("the steps are not a list."), place=the_setting("recipe"), remedy=_(_LIST_OF_STEPS)
            )
        read_steps: list[Step] = []
        switched_off = set(off)
        for position, entry in enumerate(steps):
            step, is_on = _read_step(entry, position)
            read_steps.append(step)
            if not is_on:
                switched_off.add(position)
        object.__setattr__(self, "steps", tuple(read_steps))
        object.__setattr__(self, "off", frozenset(switched_off & set(range(len(read_steps)))))

    @classmethod
    def among(cls, steps: Iterable[PlainStep]) -> Recipe:
        """Take the steps of columns and rows out of those of a project; others tell of reading and search.

        Raises
        ------
        InvalidParameter
            When a step has impossible values.
        """
        return cls(step for step in steps if step.get("step") in STEP_KINDS)

    @cached_property
    def active(self) -> tuple[Step, ...]:
        """The steps that are not switched off."""
        return tuple(step for position, step in enumerate(self.steps) if position not in self.off)

    def is_on(self, position: int) -> bool:
        """Tell whether a step is made."""
        return position not in self.off

    def as_plain(self) -> list[dict[str, Any]]:
        """Return the steps as plain values that JSON can hold.

        Examples
        --------
        >>> Recipe([{"step": "filter", "expression": "age > 40", "on": False}]).as_plain()
        [{'step': 'filter', 'expression': 'age > 40', 'on': False}]
        """
        return [
            {"step": step.kind, **plain_values(step), **({} if self.is_on(position) else {"on": False})}
            for position, step in enumerate(self.steps)
        ]

    def sentences(self) -> tuple[str, ...]:
        """Say what each step does that is not switched off."""
        return tuple(step.sentence for step in self.active)

    def apply(self, dataset: Dataset) -> Dataset:
        """Make every step that is not switched off.

        Parameters
        ----------
        dataset : Dataset
            As it was read. Roles stay with their columns; a column that is made is a feature.

        Returns
        -------
        Dataset
            With a note for each step that says what it did.

        Raises
        ------
        EngineError
            When a step cannot be made; its place names the step.
        """
        return self.followed(dataset)[0]

    def followed(self, dataset: Dataset, start: int = 0) -> tuple[Dataset, tuple[StepReport, ...]]:
        """Make every step that is not switched off, and tell what each did.

        Parameters
        ----------
        dataset : Dataset
        start : int
            Begin with the step at this position; those before are made already.

        Returns
        -------
        dataset : Dataset
            As of :meth:`apply`.
        reports : tuple of StepReport
            One a step, those that are switched off included.
        """
        if self.active and dataset.coded is not None:
            raise InvalidData(
                _("steps cannot change this table, because CLCD reads it in place from its file."),
                place=dataset.name,
                remedy=_("Make the steps in the table from which the file was written, and write it again."),
            )
        reports = []
        for position, step in enumerate(self.steps[start:], start):
            if not self.is_on(position):
                reports.append(StepReport(step, False, dataset.row_count))
                continue
            with _naming(
                _("step {position} ({title})", position=position + 1, title=_(STEP_KINDS[step.kind].title))
            ):
                applied = step.apply(dataset)
                _check_rows(dataset, applied.dataset)
            reports.append(_report(step, dataset, applied))
            about = applied.columns[0] if len(applied.columns) == 1 else ""
            note = Note(RECIPE, " ".join(reports[-1].sentences), about)
            dataset = applied.dataset.with_notes([note])
        return dataset, tuple(reports)

    def begins_with(self, other: Recipe) -> bool:
        """Tell whether this recipe is another one with further steps behind it, or the same."""
        count = len(other.steps)
        return (
            self.steps[:count] == other.steps
            and {position for position in self.off if position < count} == other.off
        )

    def with_step(self, step: Step | PlainStep, position: int | None = None) -> Recipe:
        """Put in a step, at the end where no position is named.

        Examples
        --------
        >>> Recipe().with_step({"step": "filter", "expression": "age > 40"}).sentences()
        ('Only rows are kept where age > 40.',)
        """
        at = len(self.steps) if position is None else position
        off = frozenset(off_position + (off_position >= at) for off_position in self.off)
        return Recipe((*self.steps[:at], step, *self.steps[at:]), off)

    def with_replaced(self, position: int, *steps: Step) -> Recipe:
        """Put another step in the place of one, or several; they are off where it was."""
        shift = len(steps) - 1
        off = {
            off_position + shift * (off_position > position)
            for off_position in self.off
            if off_position != position
        }
        if not self.is_on(position):
            off.update(range(position, position + len(steps)))
        return Recipe((*self.steps[:position], *steps, *self.steps[position + 1 :]), off)

    def before(self, position: int) -> Recipe:
        """Return the steps before one."""
        return Recipe(self.steps[:position], self.off)

    def without(self, position: int) -> Recipe:
        """Leave out a step."""
        return self.with_replaced(position)

    def moved(self, position: int, to: int) -> Recipe:
        """Make a step earlier or later, so that it is number `to` afterwards."""
        step, is_on = self.steps[position], self.is_on(position)
        moved = self.without(position).with_step(step, to)
        return moved if is_on else moved.switched(to, False)

    def switched(self, position: int, is_on: bool) -> Recipe:
        """Switch a step on or off."""
        return replace(self, off=self.off - {position} if is_on else self.off | {position})


def read_recipe(path: str | os.PathLike[str]) -> Recipe:
    """Read the steps of a recipe from a file.

    Parameters
    ----------
    path : path-like
        A JSON file, as :func:`write_recipe` writes it.

    Returns
    -------
    Recipe
        The steps, in order.

    Raises
    ------
    UnreadableFile
        If the file does not exist or is not JSON.
    InvalidParameter
        If the file does not hold a recipe.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> recipe = Recipe([{"step": "cut", "column": "age", "points": [40, 65]}])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_recipe(Path(folder) / "recipe.json", recipe)
    ...     read_recipe(Path(folder) / "recipe.json") == recipe
    True
    """
    file = required_path(path)
    place = f"'{file}'"
    try:
        with opening(file, place, _("Check the path."), _(CHOOSE_ANOTHER_FILE)):
            content = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        remedy = _("Correct it, or write it again.")
        raise UnreadableFile(_(NOT_JSON), place=place, remedy=remedy) from error
    if not isinstance(content, list) or not all(isinstance(step, dict) for step in content):
        remedy = _("Put the steps between [ and ], each between { and }.")
        raise InvalidParameter(_("a recipe is a list of steps."), place=place, remedy=remedy)
    try:
        return Recipe(content)
    except EngineError as error:
        raise InvalidParameter(error.problem, place=f"{place}, {error.place}", remedy=error.remedy) from error


def write_recipe(path: str | os.PathLike[str], recipe: Recipe) -> None:
    """Write the steps of a recipe to a file, completely or not at all.

    Parameters
    ----------
    path : path-like
        The file.
    recipe : Recipe
        The steps.

    Raises
    ------
    InvalidParameter
        If `recipe` is not a recipe.
    UnwritableFile
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> recipe = Recipe([{"step": "filter", "expression": "age > 40"}])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_recipe(Path(folder) / "recipe.json", recipe)
    ...     print((Path(folder) / "recipe.json").read_text())
    [
     {
      "step": "filter",
      "expression": "age > 40"
     }
    ]
    """
    require_type(recipe, Recipe, "recipe")
    write_text(path, json.dumps(recipe.as_plain(), ensure_ascii=False, indent=1))


def as_recipe(given: Recipe | Iterable[PlainStep] | str | os.PathLike[str] | None) -> Recipe:
    """Take a recipe as it is, from plain values, or from a file."""
    if given is None or isinstance(given, Recipe):
        return given or Recipe()
    return read_recipe(given) if isinstance(given, str | os.PathLike) else Recipe(given)


_LIST_OF_STEPS = N_("Give a list of steps, also when there is one alone.")


def _read_step(values: Step | PlainStep, position: int) -> tuple[Step, bool]:
    """Take a step as it is or make it of plain values, and tell whether it is on."""
    place = _("step {position}", position=position + 1)
    if not isinstance(values, Mapping):
        if not callable(getattr(values, "apply", None)):
            raise InvalidParameter(
                _("{given!r} is not a step.", given=values),
                place=place,
                remedy=_("Describe it by a mapping, such as {'step': 'filter', 'expression': 'age > 40'}."),
            )
        return values, True
    name = values.get("step")
    if not isinstance(name, str) or name not in STEP_KINDS:
        remedy = nearest_or(str(name), STEP_KINDS, choose_one(STEP_KINDS))
        raise InvalidParameter(_("there is no kind of step {name!r}.", name=name), place=place, remedy=remedy)
    is_on = values.get("on", True)
    if not isinstance(is_on, bool):
        raise InvalidParameter(
            _("'on' is neither true nor false."),
            place=place,
            remedy=_("Leave it out for a step that is made."),
        )
    own = {key: value for key, value in values.items() if key not in ("step", "on")}
    with _naming(place):
        step: Step = made_of(STEP_KINDS[name].make, own)
    return step, is_on


@contextmanager
def _naming(place: str) -> Iterator[None]:
    """Let an error say in which step it arose."""
    try:
        yield
    except EngineError as error:
        error.place = f"{place}, {error.place}" if error.place else place
        raise


def _check_rows(before: Dataset, after: Dataset) -> None:
    """Look whether weights and groups are still what they have to be."""
    names = [name for name in (after.weight, after.groups) if name is not None]
    is_same = after.row_count == before.row_count and all(
        name in before.names and after.column(name) is before.column(name) for name in names
    )
    if not is_same:
        after.with_row_roles(after.weight, after.groups)


def _report(step: Step, before: Dataset, applied: Applied) -> StepReport:
    after = applied.dataset
    counts: tuple[tuple[str, int], ...] = ()
    if len(applied.columns) == 1:
        variable, column = after.variable(applied.columns[0]), after.column(applied.columns[0])
        if variable.kind is Kind.NOMINAL:
            rows = np.bincount(column[column >= 0], minlength=variable.level_count)
            counts = tuple(zip(variable.levels, rows.tolist(), strict=True))
    return StepReport(
        step,
        True,
        after.row_count,
        before.row_count - after.row_count,
        counts,
        applied.unfit,
        applied.remarks,
    )
