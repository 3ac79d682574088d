"""Tests that are added: one file and one registry entry make them known everywhere."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.errors import InvalidData, InvalidParameter
from engine.independence import ci_tests
from engine.independence.ci_tests import ci_test_choices, register_ci_test, test_named
from engine.table.variable import Role
from tests.engine.independence.quadrant import DESCRIPTION

ROWS = 4000


@pytest.fixture
def added() -> Iterator[str]:
    register_ci_test(DESCRIPTION)
    yield DESCRIPTION.name
    del ci_tests._FURTHER[DESCRIPTION.name]


@pytest.fixture
def table() -> engine.Dataset:
    """Draw cause → label → effect ← other, with tails so heavy that they have no variance."""
    generator = np.random.default_rng(7)
    cause, other_cause, noise = generator.standard_cauchy((3, ROWS))
    label = np.sign(cause) + generator.normal(size=ROWS)
    effect = np.sign(label) + np.sign(other_cause) + generator.normal(size=ROWS)
    frame = pandas.DataFrame(
        {"cause": cause, "other": other_cause, "noise": noise, "effect": effect, "label": label}
    )
    return engine.Dataset.from_frame(frame, labels=["label"])


def test_it_is_asked_by_name_and_offered_as_a_choice(added: str, table: engine.Dataset) -> None:
    outcome = engine.ci_test(added, table, "cause", "label")
    above = {name: table.column(name) > np.median(table.column(name)) for name in ("cause", "label")}
    phi = np.corrcoef(above["cause"], above["label"])[0, 1]
    assert outcome.statistic == pytest.approx(-(ROWS - 2.5) * np.log1p(-(phi**2)), rel=1e-9)
    assert added in [ci_test_choice.value for ci_test_choice in ci_test_choices()]
    assert added in engine.ci_tests()


def test_a_whole_search_runs_on_it(added: str, table: engine.Dataset) -> None:
    result = engine.discover(table, DiscoverySettings(test=added))
    assert set(result.label_sets) == {"cause", "effect", "other"}
    assert result.boundaries["label"].spouses == {"other": frozenset({"effect"})}
    strict = engine.DiscoverySession(table).discover(DiscoverySettings(test=added, alpha=1e-12))
    assert set(strict.label_sets) <= set(result.label_sets)


def test_what_it_does_not_take_is_refused_by_its_name(added: str, table: engine.Dataset) -> None:
    grouped = table.with_roles({"noise": Role.GROUPS})
    with pytest.raises(InvalidData, match=r"column 'noise'.*Quadrant test treats all rows as independent"):
        engine.ci_test(added, grouped, "cause", "label")


def test_no_name_is_taken_twice(added: str) -> None:
    with pytest.raises(InvalidParameter, match="a test 'quadrant' already"):
        register_ci_test(DESCRIPTION)


def test_an_unknown_name_is_refused_with_those_that_exist() -> None:
    with pytest.raises(InvalidParameter, match=r"'gee-two' is not a test.*g2"):
        test_named("gee-two", has_numbers=False)
