"""In what two runs differ before anything is found: nothing that decides what is found is passed over.

Every field of tables, settings and results is gone through, so that a new one cannot be forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import engine
from engine.discovery.result import DiscoveryResult
from engine.discovery.row_split import RowSplit
from engine.parameters import Parameter, parameters_of
from engine.reporting.run_comparison import circumstance_phrases
from engine.table.dataset import Imputed
from engine.table.variable import EventFrom, Kind, Role
from engine.wording.phrases import plain

NAMES = ("one", "another")
RESULT = engine.discover(
    engine.simulate(labels=2, features=6, rows=200, seed=3).dataset, engine.DiscoverySettings(workers=1)
)
FEATURE = RESULT.dataset.features[0]


def differences(
    second: DiscoveryResult,
    preparations: tuple[Any, Any] = (None, None),
    first: DiscoveryResult = RESULT,
) -> list[str]:
    comparison = engine.compare_runs(first, second, NAMES, preparations)
    return [
        plain(circumstance_phrase)
        for circumstance_phrase in circumstance_phrases(comparison)
        if "not measured" not in plain(circumstance_phrase)
    ]


def another_value(parameter: Parameter, value: Any) -> Any:
    if parameter.kind == "choice":
        return next(choice.value for choice in parameter.choices if choice.value not in (value, "auto"))
    if parameter.kind == "flag":
        return not value
    if parameter.kind == "integer" and value is None:
        return parameter.minimum
    if parameter.kind == "integer":
        return value + 1 if value + 1 <= parameter.maximum else value - 1
    if parameter.kind == "texts":
        return ("another",)
    return value * 0.9 if value else parameter.minimum + 0.1


@pytest.mark.parametrize("name", [parameter.name for parameter in parameters_of(engine.DiscoverySettings)])
def test_every_setting_of_a_search_is_compared(name: str) -> None:
    (parameter,) = (
        parameter for parameter in parameters_of(engine.DiscoverySettings) if parameter.name == name
    )
    if not parameter.changes_result:
        return
    settings = RESULT.settings_used
    value = another_value(parameter, getattr(settings, name))
    told = differences(replace(RESULT, settings=replace(settings, **{name: value})))
    assert any(parameter.title in sentence for sentence in told)


@pytest.mark.parametrize("name", [parameter.name for parameter in parameters_of(engine.PreparationSettings)])
def test_every_setting_of_the_preparation_is_compared(name: str) -> None:
    (parameter,) = (
        parameter for parameter in parameters_of(engine.PreparationSettings) if parameter.name == name
    )
    settings = engine.PreparationSettings()
    value = another_value(parameter, getattr(settings, name))
    told = differences(RESULT, (settings, replace(settings, **{name: value})))
    assert any(parameter.title in sentence for sentence in told)


def with_table(**changes: Any) -> DiscoveryResult:
    return replace(RESULT, dataset=replace(RESULT.dataset, **changes))


def with_variable(name_of: str = FEATURE, **changes: Any) -> DiscoveryResult:
    variables = tuple(
        replace(variable, **changes) if variable.name == name_of else variable
        for variable in RESULT.dataset.variables
    )
    return with_table(variables=variables)


def as_numbers() -> DiscoveryResult:
    columns = tuple(
        column.astype(float) if variable.name == FEATURE else column
        for variable, column in zip(RESULT.dataset.variables, RESULT.dataset.columns, strict=True)
    )
    changed = with_variable(kind=Kind.CONTINUOUS, levels=()).dataset
    return replace(RESULT, dataset=replace(changed, columns=columns))


def with_other_values() -> DiscoveryResult:
    columns = tuple(
        column[::-1].copy() if variable.name == FEATURE else column
        for variable, column in zip(RESULT.dataset.variables, RESULT.dataset.columns, strict=True)
    )
    return with_table(columns=columns)


def with_other_event() -> DiscoveryResult:
    label = RESULT.dataset.labels[0]
    (variable,) = (variable for variable in RESULT.dataset.variables if variable.name == label)
    other_level = next(level for level in variable.levels if level != variable.event)
    return replace(RESULT, dataset=RESULT.dataset.with_events({label: other_level}))


NOTHING_FOUND_BY_IT = None
OF_A_VARIABLE: dict[str, Callable[[], DiscoveryResult] | None] = {
    "name": lambda: with_variable(name="renamed"),
    "kind": as_numbers,
    "role": lambda: with_variable(role=Role.IGNORED),
    "levels": lambda: with_variable(
        levels=tuple(f"{level} or so" for level in RESULT.dataset.variable(FEATURE).levels)
    ),
    "ordered": lambda: with_variable(ordered=True),
    "is_cut": lambda: with_variable(is_cut=True),
    "event": with_other_event,
    "event_from": lambda: with_variable(RESULT.dataset.labels[0], event_from=EventFrom.EARLIER),
    "unit": NOTHING_FOUND_BY_IT,
    "description": NOTHING_FOUND_BY_IT,
}
OF_A_TABLE: dict[str, Callable[[], DiscoveryResult] | None] = {
    "variables": lambda: with_variable(role=Role.IGNORED),
    "columns": with_other_values,
    "imputed": lambda: with_table(imputed=Imputed(1, 0, {})),
    "name": NOTHING_FOUND_BY_IT,
    "notes": NOTHING_FOUND_BY_IT,
    # In what form values are kept.
    "coded": NOTHING_FOUND_BY_IT,
}
FOUND = {
    *("boundaries", "equivalence_records", "undistinguished_records", "evidence", "label_evidence"),
    *("orientation_records", "local_edges", "objections", "log_q_values", "blocks", "departures"),
    *("links_through_labels", "determined_labels", "label_groups", "groups_finished"),
    *("unfinished_labels", "directions_finished", "bounded_labels", "unconfirmed_labels"),
    *("tests_made", "unreliable_tests", "seconds", "stability", "effects"),
    # It decides which of several interchangeable variables stands first, and not what is found.
    "preferred",
}
OF_A_RESULT: dict[str, Callable[[], DiscoveryResult] | None] = {
    "dataset": lambda: with_variable(role=Role.IGNORED),
    "settings": lambda: replace(RESULT, settings=replace(RESULT.settings, alpha=0.2)),
    "split": lambda: replace(RESULT, split=RowSplit(seed=1)),
    "counts_through_labels": lambda: replace(RESULT, counts_through_labels=False),
    "searched_through_labels": lambda: replace(RESULT, searched_through_labels=False),
    "knowledge": lambda: replace(RESULT, knowledge=engine.Knowledge(tiers=[[FEATURE]])),
} | dict.fromkeys(FOUND, NOTHING_FOUND_BY_IT)


@pytest.mark.parametrize(
    ("of", "changes"),
    [
        (engine.Variable, OF_A_VARIABLE),
        (engine.Dataset, OF_A_TABLE),
        (DiscoveryResult, OF_A_RESULT),
    ],
)
def test_every_field_is_compared_or_decides_nothing(
    of: type, changes: dict[str, Callable[[], DiscoveryResult] | None]
) -> None:
    assert {field.name for field in fields(of)} == set(changes)
    assert differences(RESULT) == []
    for name, change in changes.items():
        if change is not None:
            assert differences(change()), name


@pytest.mark.parametrize(
    ("role", "words"),
    [(Role.GROUPS, "Rows are grouped by patient"), (Role.WEIGHT, "Rows are weighted by patient")],
)
def test_groups_and_weights_are_compared(role: Role, words: str) -> None:
    def grouped(column: str, each_of: int) -> DiscoveryResult:
        table = RESULT.dataset
        variable = engine.Variable(column, Kind.CONTINUOUS, role)
        values = 1.0 + np.arange(table.row_count) // each_of
        return replace(
            RESULT,
            dataset=replace(table, variables=(*table.variables, variable), columns=(*table.columns, values)),
        )

    # The test may be another one too, where the settings leave the choice to the table.
    assert differences(grouped("patient", 2))[-1] == f"{words} in “another” only."
    assert differences(RESULT, first=grouped("patient", 2))[-1] == f"{words} in “one” only."
    (told,) = differences(grouped("ward", 2), first=grouped("patient", 2))
    assert told == f"{words} in “one” and by ward in “another”."
    # Such as blocks of rows, by a step with another number of them.
    (told,) = differences(grouped("patient", 4), first=grouped("patient", 2))
    assert told == "The runs use different values of patient."


def test_rows_that_cannot_be_compared_are_not_called_the_same() -> None:
    table = RESULT.dataset
    left, right = table.labels
    first = replace(RESULT, dataset=table.with_roles({right: Role.IGNORED}))
    second = replace(RESULT, dataset=table.with_roles({left: Role.FEATURE}))
    assert "CLCD does not know whether the runs searched the same rows." in differences(second, first=first)
