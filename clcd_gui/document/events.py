"""Which level of a two-valued column is its event: carried from table to table, and told anew of results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.discovery.result import DiscoveryResult
from engine.table.dataset import Dataset
from engine.table.variable import EventFrom


def given_events(dataset: Dataset) -> dict[str, str]:
    """Return the events that a person chose, by column."""
    return {
        variable.name: variable.event
        for variable in dataset.variables
        if variable.event is not None and variable.event_from is EventFrom.GIVEN
    }


def with_given_events(dataset: Dataset, events: Mapping[str, str]) -> Dataset:
    """Return a table with those events that still are one of two levels of their column."""
    variables = {variable.name: variable for variable in dataset.variables if variable.name in events}
    fitting = {
        name: events[name]
        for name, variable in variables.items()
        if len(variable.levels) == 2 and events[name] in variable.levels and variable.event != events[name]
    }
    return dataset.with_events(fitting)


def with_events_of(dataset: Dataset, current: Dataset) -> Dataset:
    """Return a table with the events that its columns have in another one; the same where they have them."""
    now = {variable.name: variable for variable in current.variables}
    changed = {
        variable.name: now[variable.name].event
        for variable in dataset.variables
        if variable.name in now
        and now[variable.name].levels == variable.levels
        and now[variable.name].event != variable.event
    }
    return dataset.with_events(changed) if changed else dataset


def told_of_events(result: DiscoveryResult, current: Dataset) -> DiscoveryResult:
    """Return a result that speaks of the events in a table, measured anew where they changed."""
    dataset = with_events_of(result.dataset, current)
    return result if dataset is result.dataset else replace(result, dataset=dataset, effects=None)
