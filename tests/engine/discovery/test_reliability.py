"""Tests with too few rows remove nothing, and are counted."""

from __future__ import annotations

import pytest
from scipy import stats

import engine

ALPHA = 0.01


@pytest.fixture(scope="module")
def network() -> engine.simulation.SimulatedNetwork:
    return engine.simulate(labels=3, features=20, rows=600, seed=5)


def _dependent(dataset: engine.Dataset, label: str) -> set[str]:
    """Variables whose table with the label scipy finds significant."""
    others = [name for name in (*dataset.labels, *dataset.features) if name != label]
    return {
        other_label
        for other_label in others
        if stats.chi2_contingency(
            stats.contingency.crosstab(dataset.column(label), dataset.column(other_label)).count,
            correction=False,
            lambda_="log-likelihood",
        ).pvalue
        < ALPHA
    }


@pytest.mark.parametrize("rule", ["min_rows_per_dof", "min_rows_per_cell"])
def test_where_no_test_is_reliable_all_that_depends_stays(
    network: engine.simulation.SimulatedNetwork, rule: str
) -> None:
    dataset = network.dataset
    settings = engine.DiscoverySettings(
        alpha=ALPHA, false_discovery="none", procedure="as published", **{rule: 1000.0}
    )
    result = engine.discover(dataset, settings)
    for label in dataset.labels:
        assert set(result.boundaries[label].parents_children) == _dependent(dataset, label)
    # The screens alone make so many tests.
    variables = len(dataset.labels) + len(dataset.features)
    assert result.unreliable_tests >= len(dataset.labels) * (variables - 1)


def test_without_a_rule_no_test_is_unreliable(network: engine.simulation.SimulatedNetwork) -> None:
    assert engine.discover(network.dataset).unreliable_tests == 0


def test_a_rule_that_every_test_meets_changes_nothing(network: engine.simulation.SimulatedNetwork) -> None:
    settings = engine.DiscoverySettings(max_conditioning=1)
    with_rule = engine.DiscoverySettings(max_conditioning=1, min_rows_per_cell=1.0, min_rows_per_dof=1.0)
    expected, result_with_rule = (
        engine.discover(network.dataset, settings),
        engine.discover(network.dataset, with_rule),
    )
    assert (result_with_rule.evidence, result_with_rule.boundaries) == (
        expected.evidence,
        expected.boundaries,
    )
    assert result_with_rule.unreliable_tests == 0
