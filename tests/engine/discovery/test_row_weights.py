"""A whole run with row weights: counts as repeated rows, the same for any number of workers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.discovery.result import DiscoveryResult
from engine.preparation.discretisation_methods import discretisation_methods
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

WEIGHT = "weight"


def _with_weights(dataset: Dataset, weights: np.ndarray) -> Dataset:
    variables = (*dataset.variables, Variable(WEIGHT, Kind.CONTINUOUS, Role.WEIGHT))
    return Dataset(variables, (*dataset.columns, weights.astype(float)), dataset.name)


def _repeated(dataset: Dataset, weights: np.ndarray) -> Dataset:
    return dataset.select_rows(np.repeat(np.arange(dataset.row_count), weights))


def _findings(result: DiscoveryResult) -> tuple[object, ...]:
    boundaries: dict[str, MarkovBoundary] = dict(result.boundaries)
    return (
        result.label_sets,
        boundaries,
        {
            key: [(reason.rule, reason.partner, reason.children) for reason in reasons]
            for key, reasons in result.evidence.items()
        },
        [
            (equivalence.target, equivalence.in_boundary, equivalence.equivalent)
            for equivalence in result.equivalence_records
        ],
        result.tests_made,
    )


def _assert_same_run(actual: DiscoveryResult, expected: DiscoveryResult) -> None:
    assert expected.evidence
    assert _findings(actual) == _findings(expected)
    for key, reasons in expected.evidence.items():
        for reason, expected_reason in zip(actual.evidence[key], reasons, strict=True):
            for mine, theirs in zip(reason.tests, expected_reason.tests, strict=True):
                assert (mine.x, mine.y, mine.given, mine.dof) == (
                    theirs.x,
                    theirs.y,
                    theirs.given,
                    theirs.dof,
                )
                assert mine.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
                assert mine.log_p == pytest.approx(theirs.log_p, rel=1e-9, abs=1e-9)
                assert mine.effect == pytest.approx(theirs.effect, rel=1e-9, abs=1e-9)


@pytest.fixture(scope="module")
def table() -> Dataset:
    return engine.simulate(labels=4, features=20, rows=600, seed=1).dataset


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    # Repeated up to five times, nearly all would depend on all, and a search would make two million tests.
    return np.random.default_rng(1).integers(0, 3, 600)


@pytest.fixture(scope="module")
def numbers() -> Dataset:
    """A label and its causes as numbers, some missing, among others."""
    generator = np.random.default_rng(8)
    values = generator.normal(size=(12, 400))
    values[0] += values[1] + values[2] - values[3]
    values[4] += values[0] + values[5]
    values[generator.random(values.shape) < 0.03] = np.nan
    roles = [Role.LABEL] + [Role.FEATURE] * 11
    variables = tuple(Variable(f"x{place}", Kind.CONTINUOUS, role) for place, role in enumerate(roles))
    return Dataset(variables, tuple(np.round(values, 1)))


@pytest.mark.parametrize("test", ["g2", "x2"])
def test_counts_are_repeated_rows(table: Dataset, weights: np.ndarray, test: str) -> None:
    settings = engine.DiscoverySettings(test=test, row_weights="counts", alpha=0.05)
    result = engine.discover(engine.prepare(_with_weights(table, weights)), settings)
    _assert_same_run(result, engine.discover(engine.prepare(_repeated(table, weights)), settings))


@pytest.mark.parametrize(
    "missing",
    [
        "per-test",
        *(pytest.param(e, marks=pytest.mark.long) for e in ("drop-rows", "most-frequent", "own-level")),
    ],
)
@pytest.mark.parametrize(
    "discretise", [n for n, method in discretisation_methods().items() if not method.uses_labels]
)
def test_counts_are_repeated_rows_from_the_first_step_on(
    numbers: Dataset, discretise: str, missing: str
) -> None:
    weights = np.random.default_rng(2).integers(0, 4, 400)
    settings = engine.DiscoverySettings(row_weights="counts")
    preparation = engine.PreparationSettings(discretise=discretise, missing=missing, bins=3, set_aside=False)
    prepared = engine.prepare(_with_weights(numbers, weights), preparation)
    expected = engine.prepare(_repeated(numbers, weights), preparation)
    for name in expected.names:
        assert prepared.variable(name) == expected.variable(name)
    _assert_same_run(engine.discover(prepared, settings), engine.discover(expected, settings))


@pytest.mark.parametrize("test", ["fisher-z", "fisher-z-rank"])
@pytest.mark.parametrize("missing", ["drop-rows", "per-test", "most-frequent"])
def test_counts_are_repeated_rows_for_fisher_z(numbers: Dataset, missing: str, test: str) -> None:
    weights = np.random.default_rng(2).integers(0, 4, 400)
    settings = engine.DiscoverySettings(test=test, row_weights="counts")
    prepared = [
        engine.prepare(variant, discretise="none", missing=missing, set_aside=False)
        for variant in (_with_weights(numbers, weights), _repeated(numbers, weights))
    ]
    result, expected = (engine.discover(variant, settings) for variant in prepared)
    _assert_same_run(result, expected)


@pytest.mark.parametrize("missing", ["drop-rows", "per-test"])
def test_counts_are_repeated_rows_for_basis_functions(numbers: Dataset, missing: str) -> None:
    weights = np.random.default_rng(2).integers(0, 4, 400)
    settings = engine.DiscoverySettings(test="basis", row_weights="counts")
    result, expected = (
        engine.discover(engine.prepare(variant, missing=missing, set_aside=False), settings)
        for variant in (_with_weights(numbers, weights), _repeated(numbers, weights))
    )
    _assert_same_run(result, expected)


@pytest.mark.parametrize("test", ["g2", "fisher-z"])
def test_any_number_of_workers_gives_the_same_result(numbers: Dataset, test: str) -> None:
    weights = np.random.default_rng(3).lognormal(size=400)
    discretise = "none" if test == "fisher-z" else "quantile"
    prepared = engine.prepare(_with_weights(numbers, weights), discretise=discretise, missing="per-test")
    settings = engine.DiscoverySettings(test=test, workers=1)
    expected = engine.discover(prepared, settings)
    result = engine.discover(prepared, replace(settings, workers=3))
    assert _findings(result) == _findings(expected)
    assert result.evidence == expected.evidence


def test_weights_of_one_change_nothing(table: Dataset) -> None:
    usual = engine.discover(engine.prepare(table))
    for meaning in ("sampling", "counts"):
        weighted = engine.prepare(_with_weights(table, np.ones(600)))
        result = engine.discover(weighted, engine.DiscoverySettings(row_weights=meaning))
        _assert_same_run(result, usual)


def test_weights_as_a_sample_are_worth_less_than_as_counts(table: Dataset) -> None:
    prepared = engine.prepare(_with_weights(table, np.random.default_rng(3).lognormal(1.0, 1.0, 600)))
    sample, counts = (
        engine.discover(prepared, engine.DiscoverySettings(row_weights=meaning))
        for meaning in ("sampling", "counts")
    )
    assert sum(map(len, sample.label_sets.values())) < sum(map(len, counts.label_sets.values()))


def test_preparation_says_what_the_weights_are(table: Dataset, weights: np.ndarray) -> None:
    prepared = engine.prepare(_with_weights(table, weights))
    assert prepared.row_count == np.count_nonzero(weights)
    messages = {note.topic: note.message for note in prepared.notes}
    assert messages["weight-zero"].startswith(f"{np.count_nonzero(weights == 0)} rows have weight 0")
    assert f"{weights.sum():,}" in messages["row-weights"]
    assert WEIGHT not in (*prepared.features, *prepared.labels)
