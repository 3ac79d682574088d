"""Everything that a run depends on, as one value that never changes; and what is stale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clcd_gui.document.events import given_events, with_events_of, with_given_events
from clcd_gui.wording.setting_values import changes
from clcd_gui.wording.text import count_text
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.row_split import RowSplit
from engine.errors import EngineError
from engine.knowledge.knowledge import Knowledge
from engine.parameters import parameters_of
from engine.preparation.preparation_settings import PreparationSettings
from engine.recipe import Recipe
from engine.recipe.column_steps import CATEGORIES, NUMBERS, ReadAs
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role
from engine.translation import _, for_count

NOTHING_KNOWN = Knowledge()
NO_STEPS = Recipe()
_KIND_WORDS = {Kind.NOMINAL: CATEGORIES, Kind.CONTINUOUS: NUMBERS}


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Analysis:
    """A table with its roles, and how it is prepared and searched."""

    dataset: Dataset  # after the steps of the recipe, with the roles that the person gave
    preparation: PreparationSettings
    discovery: DiscoverySettings
    knowledge: Knowledge = NOTHING_KNOWN
    # Which rows are searched, so that the others measure sizes; None where all do both.
    split: RowSplit | None = None
    # To what is interchangeable with them, the latest first; no result depends on them.
    preferred: tuple[str, ...] = ()
    recipe: Recipe = NO_STEPS  # the steps that lead from the table as it was read to `dataset`
    source: Dataset | None = None  # the table as it was read; None where no step stands between the two
    counts_through_labels: bool = True  # where findings are shown; no result depends on it
    confirmed: tuple[str, ...] = ()  # keys of the cards that a person left as they are

    @classmethod
    def of(cls, dataset: Dataset) -> Analysis:
        """Begin with the default settings."""
        return cls(dataset, PreparationSettings(), DiscoverySettings())

    @property
    def table_read(self) -> Dataset:
        """The table as it was read, before any step."""
        return self.dataset if self.source is None else self.source

    def with_recipe(self, recipe: Recipe, roles: Mapping[str, Role] | None = None) -> Analysis:
        """Make other steps in the table that was read; columns keep roles that `roles` does not give."""
        read, now = self.table_read, self.dataset.variables
        # Steps leave the columns that were read where they are, and put those that they make behind them.
        begun = read.with_roles(
            {before.name: after.role for before, after in zip(read.variables, now, strict=False)}
        )
        if recipe.begins_with(self.recipe):
            table, _ = recipe.followed(self.dataset, len(self.recipe.steps))
        else:
            table = recipe.apply(begun)
        roles_now = {variable.name: variable.role for variable in now[len(read.variables) :]}
        added = {name: roles_now[name] for name in table.names[len(read.variables) :] if name in roles_now}
        table = table.with_roles({**added, **(roles or {})})
        table.with_row_roles(table.weight, table.groups)
        table = with_given_events(table, given_events(self.dataset))
        after = replace(self, dataset=table, recipe=recipe, source=begun if recipe.steps else None)
        names = other_names(self, after)
        return replace(
            after,
            knowledge=self.knowledge.renamed(names) if names else self.knowledge,
            preferred=tuple(names.get(name, name) for name in self.preferred),
        )

    def table_before(self, step: int | None) -> Dataset:
        """Return the table as it is when a step begins, given by its position; None stands for the end."""
        return self.dataset if step is None else self.recipe.before(step).apply(self.table_read)

    def recipe_with_kind(self, names: Sequence[str], kind: Kind) -> Recipe:
        """Return the steps by which some columns are read as categories or as numbers."""
        if all(self.dataset.variable(name).kind is kind for name in names):
            return self.recipe
        recipe, step = self.recipe, ReadAs(tuple(names), _KIND_WORDS[kind])
        last = recipe.steps[-1] if recipe.steps else None
        if isinstance(last, ReadAs) and last.columns == step.columns:
            # To and fro is no step at all.
            recipe = recipe.without(len(recipe.steps) - 1)
            read = self.table_read
            if not recipe.steps and all(read.variable(name).kind is kind for name in names):
                return recipe
        return recipe.with_step(step)

    def with_roles(self, names: Iterable[str], role: Role) -> Analysis:
        """Give some variables a role."""
        return replace(self, dataset=self.dataset.with_roles(dict.fromkeys(names, role)))

    def keeping(self, feature: str, keeps: bool) -> Analysis:
        """Add a feature to those that are kept by name, or take it off."""
        others = tuple(name for name in self.preparation.keep or () if name != feature)
        return self.with_settings({"keep": ((*others, feature) if keeps else others) or None})

    def with_events(self, events: Mapping[str, str | None]) -> Analysis:
        """Say which level of two-valued columns is the event; None lets the names of the levels decide."""
        return replace(self, dataset=self.dataset.with_events(events))

    def told_of_events(self, dataset: Dataset) -> Analysis:
        """Return the same with the events in another table; itself where they are the same."""
        told = with_events_of(self.dataset, dataset)
        return self if told is self.dataset else replace(self, dataset=told)

    def with_labels(self, names: Iterable[str]) -> Analysis:
        """Make exactly these variables the labels."""
        return replace(self, dataset=self.dataset.with_labels(names))

    def with_settings(
        self, preparation: dict[str, Any] | None = None, discovery: dict[str, Any] | None = None
    ) -> Analysis:
        """Change some settings."""
        return replace(
            self,
            preparation=replace(self.preparation, **(preparation or {})),
            discovery=replace(self.discovery, **(discovery or {})),
        )

    def is_same_as(self, analysis: Analysis) -> bool:
        """Tell whether a run would give the same result, whoever does the work."""
        return (
            self.dataset.variables == analysis.dataset.variables
            and self._has_values_of(analysis)
            and self._has_settings_of(analysis)
        )

    def _has_settings_of(self, analysis: Analysis) -> bool:
        return (
            self.preparation == analysis.preparation
            and self.discovery.decisive() == analysis.discovery.decisive()
            and self.knowledge == analysis.knowledge
            and self.split == analysis.split
        )

    def adds_only_groups_to(self, analysis: Analysis) -> bool:
        """Tell whether rows are grouped here and not in another analysis, and all else is the same."""
        groups = self.dataset.groups
        mine, others = (
            {
                variable: id(column)
                for variable, column in zip(compared.dataset.variables, compared.dataset.columns, strict=True)
                if variable.role is not Role.IGNORED and variable.name != groups
            }
            for compared in (self, analysis)
        )
        return (
            groups is not None
            and analysis.dataset.groups is None
            and mine == others
            and self._has_settings_of(analysis)
        )

    def is_unchanged(self, analysis: Analysis) -> bool:
        """Tell whether nothing differs that a person chose, though a run would give the same result."""
        return (
            self.is_same_as(analysis)
            and self.discovery == analysis.discovery
            and self.preferred == analysis.preferred
            and self.counts_through_labels == analysis.counts_through_labels
            and self.confirmed == analysis.confirmed
            and self.recipe == analysis.recipe
            and _events(self.dataset) == _events(analysis.dataset)
        )

    def _has_values_of(self, analysis: Analysis) -> bool:
        """Tell whether the values are the same: the same arrays, or made of the same by the same steps."""
        if _are_identical(self.dataset.columns, analysis.dataset.columns):
            return True
        same_steps = self.recipe.active == analysis.recipe.active
        return same_steps and _are_identical(self.table_read.columns, analysis.table_read.columns)


def other_names(before: Analysis, after: Analysis) -> dict[str, str]:
    """Return how columns that were read are called after other steps, by the name that they had before."""
    count = len(before.table_read.variables)
    if len(after.table_read.variables) != count:
        return {}
    pairs = zip(before.dataset.names[:count], after.dataset.names[:count], strict=True)
    return {old: new for old, new in pairs if old != new}


def begun_on(dataset: Dataset, previous: Analysis | None, is_same_file: bool) -> Analysis:
    """Begin with a table that was just read; another file takes over only what says how this computer works.

    The same file keeps settings, roles and steps; steps that no longer fit are switched off.
    """
    begun = Analysis.of(dataset)
    if previous is None:
        return begun
    if not is_same_file:
        return replace(begun, discovery=_on_this_computer(previous.discovery))
    begun = replace(
        begun,
        preparation=previous.preparation,
        discovery=previous.discovery,
        split=previous.split,
        counts_through_labels=previous.counts_through_labels,
        confirmed=previous.confirmed,
    )
    # An identifier that a person took for a feature stays one.
    roles = {
        variable.name: variable.role
        for variable in previous.dataset.variables
        if variable.role is not Role.FEATURE or variable.name == dataset.groups
    }
    roles_there = {name: role for name, role in roles.items() if name in dataset.names}
    begun = replace(begun, dataset=dataset.with_roles(roles_there))
    if previous.recipe.steps:
        begun = _with_steps_that_fit(begun, previous.recipe, roles)
    names = set(begun.dataset.names)
    return replace(
        begun,
        dataset=with_given_events(begun.dataset, given_events(previous.dataset)),
        knowledge=previous.knowledge.restricted_to(names),
        preferred=tuple(name for name in previous.preferred if name in names),
    )


def _on_this_computer(settings: DiscoverySettings) -> DiscoverySettings:
    """Return the defaults, but for settings that say how the work is done and never change a result."""
    kept = [parameter.name for parameter in parameters_of(DiscoverySettings) if not parameter.changes_result]
    return DiscoverySettings(**{name: getattr(settings, name) for name in kept})


def _with_steps_that_fit(begun: Analysis, recipe: Recipe, roles: Mapping[str, Role]) -> Analysis:
    try:
        table = begun.with_recipe(recipe)
        return table.with_recipe(
            recipe, {name: role for name, role in roles.items() if name in table.dataset.names}
        )
    except EngineError:
        return begun.with_recipe(Recipe(recipe.steps, range(len(recipe.steps))))


def _events(dataset: Dataset) -> list[tuple[str | None, str | None]]:
    """Return the event of each column and how it was decided: two variables are the same without them."""
    return [(variable.event, variable.event_from) for variable in dataset.variables]


def _are_identical(columns: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> bool:
    return len(columns) == len(others) and all(mine is its for mine, its in zip(columns, others, strict=True))


def stale_reason(searched: Analysis, current: Analysis) -> str | None:
    """Say what changed since a run, as one sentence; None when nothing did."""
    if searched.is_same_as(current):
        return None
    other_steps = searched.recipe.active != current.recipe.active
    sentences = [
        *([_("the steps in the table differ")] if other_steps else []),
        *_role_changes(searched, current),
        *changes(searched.preparation, current.preparation),
        *changes(searched.discovery.decisive(), current.discovery.decisive()),
        *_split_changes(searched.split, current.split),
        *([_("background knowledge was changed")] if searched.knowledge != current.knowledge else []),
    ]
    text = "; ".join(sentences) or _("the table changed")
    return f"{text[:1].upper()}{text[1:]}."


def _split_changes(before: RowSplit | None, after: RowSplit | None) -> list[str]:
    if before is not None and after is not None:
        return changes(before, after)
    if before == after:
        return []
    return [_("the rows are no longer split") if after is None else _("the rows are now split")]


def _role_changes(searched: Analysis, current: Analysis) -> list[str]:
    before = {variable.name: variable for variable in searched.dataset.variables}
    after = {variable.name: variable for variable in current.dataset.variables}
    if searched.recipe.active != current.recipe.active:
        # Columns that a step makes or renames are no other table.
        after = {name: variable for name, variable in after.items() if name in before}
        before = {name: before[name] for name in after}
    elif before.keys() != after.keys():
        return [_("another table was opened")]
    roles = sum(before[name].role is not after[name].role for name in before)
    kinds = sum(before[name].kind is not after[name].kind for name in before)
    another_role = for_count(roles, "{count} column has another role", "{count} columns have another role")
    another_type = for_count(kinds, "{count} column has another type", "{count} columns have another type")
    sentences = ((roles, another_role), (kinds, another_type))
    return [sentence.format(count=count_text(count)) for count, sentence in sentences if count]
