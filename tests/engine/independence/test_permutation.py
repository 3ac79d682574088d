"""Permutation p-values against full enumeration and scipy, within the error that chance allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pandas
import pytest
from scipy import stats

import engine
from engine.independence.arranging import ci_test
from engine.independence.record import TestRecord
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.engine.independence.calibration import dataset_of, p_values_of
from tests.with_each import with_each

# A test is over when so many shuffled tables are as extreme as the observed one.
ENOUGH = 20
SEEDS = range(40)
# The chance that a right program fails one of the comparisons.
FAILURE = 1e-6
STATISTICS = {"g2-permutation": "log-likelihood", "x2-permutation": "pearson"}

# Counts by stratum, x and y: small enough that every shuffle can be listed.
TABLES = {
    "2 by 2": [[[3, 5], [6, 2]]],
    "2 by 2, rare": [[[1, 2], [20, 3]]],
    "3 by 3": [[[2, 0, 1], [1, 3, 0], [0, 1, 3]]],
    "two strata": [[[3, 1], [1, 4]], [[2, 3], [4, 1]]],
    "strata of few rows": [[[1, 0], [0, 1]], [[1, 1], [0, 2]], [[2, 1], [1, 2]], [[0, 3], [0, 1]]],
    "levels that are absent": [[[2, 0, 3], [0, 0, 0], [4, 0, 1]], [[0, 0, 0], [0, 3, 0], [0, 1, 1]]],
}
Table = Sequence[Sequence[Sequence[int]]]


def _dataset(table: Table) -> Dataset:
    """Write a table of counts out row by row, in an order of chance."""
    counts = np.array(table)
    codes = np.array([np.repeat(index.ravel(), counts.ravel()) for index in np.indices(counts.shape)])
    codes = codes[:, np.random.default_rng(0).permutation(codes.shape[1])]
    variables = [
        Variable(name, Kind.NOMINAL, Role.FEATURE, tuple(f"level {level}" for level in range(levels)))
        for name, levels in zip("sxy", counts.shape, strict=True)
    ]
    return Dataset(tuple(variables), tuple(codes))


def _statistic(counts: np.ndarray, kind: str) -> float:
    """Statistic of one stratum by scipy, of the rows and columns that occur."""
    counts = counts[counts.any(axis=1)][:, counts.any(axis=0)]
    if min(counts.shape) < 2:
        return 0.0
    return float(stats.chi2_contingency(counts, correction=False, lambda_=kind).statistic)


def _tables_with_margins(rows: tuple[int, ...], columns: tuple[int, ...]) -> list[np.ndarray]:
    """List every table with these margins."""
    if len(rows) == 1:
        return [np.array([columns])]
    tables = []
    for first in product(*(range(count + 1) for count in columns)):
        if sum(first) == rows[0]:
            left = tuple(whole - part for whole, part in zip(columns, first, strict=True))
            tables += [np.vstack([first, rest]) for rest in _tables_with_margins(rows[1:], left)]
    return tables


def _law(stratum: np.ndarray, kind: str) -> list[tuple[float, float]]:
    """Statistic and chance of every table that shuffling can bring about."""
    margins = (tuple(map(int, stratum.sum(axis=side))) for side in (1, 0))
    tables = _tables_with_margins(*margins)
    # Shuffles that give a table, but for a factor that all tables share.
    weights = [1 / math.prod(math.factorial(int(count)) for count in table.ravel()) for table in tables]
    return [
        (_statistic(table, kind), weight / sum(weights))
        for table, weight in zip(tables, weights, strict=True)
    ]


def _exact_p(table: Table, kind: str) -> float:
    """Share of all shuffles within the strata whose statistic is at least the observed one."""
    law = {0.0: 1.0}
    for stratum in np.array(table):
        joined: dict[float, float] = {}
        for (before, chance), (statistic, share) in product(law.items(), _law(stratum, kind)):
            value = round(before + statistic, 8)
            joined[value] = joined.get(value, 0.0) + chance * share
        law = joined
    observed = sum(_statistic(stratum, kind) for stratum in np.array(table))
    return sum(chance for statistic, chance in law.items() if statistic >= observed - 1e-6)


def _shuffles_for_enough(outcomes: Sequence[TestRecord]) -> int:
    """Count the shuffles that were made, all of them until there were enough."""
    return sum(round(ENOUGH / outcome.p_value) for outcome in outcomes)


def _assert_is_p(outcomes: Sequence[TestRecord], exact: float) -> None:
    """Until enough are as extreme, shuffles are made as the negative binomial law says."""
    enough = ENOUGH * len(outcomes)
    beyond = _shuffles_for_enough(outcomes) - enough
    low, high = stats.nbinom.ppf([FAILURE / 2, 1 - FAILURE / 2], enough, exact)
    assert low <= beyond <= high


@with_each("name", TABLES)
@pytest.mark.parametrize("test", STATISTICS)
def test_p_is_that_of_full_enumeration(test: str, name: str) -> None:
    dataset = _dataset(TABLES[name])
    given = ["s"] if len(TABLES[name]) > 1 else []
    outcomes = [
        ci_test(test, dataset, "x", "y", given, permutations=1_000_000, permutation_seed=seed)
        for seed in SEEDS
    ]
    _assert_is_p(outcomes, _exact_p(TABLES[name], STATISTICS[test]))
    expected = sum(_statistic(stratum, STATISTICS[test]) for stratum in np.array(TABLES[name]))
    assert outcomes[0].statistic == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("table", [[[3, 9], [8, 4]], [[1, 14], [5, 10]], [[20, 11], [13, 18]]])
@pytest.mark.parametrize("test", STATISTICS)
def test_p_is_that_of_fisher_where_both_rows_are_as_long(test: str, table: list[list[int]]) -> None:
    # There every order of the tables by their distance from independence is the same.
    dataset = _dataset([table])
    outcomes = [
        ci_test(test, dataset, "x", "y", permutations=1_000_000, permutation_seed=seed) for seed in SEEDS
    ]
    _assert_is_p(outcomes, stats.fisher_exact(table).pvalue)


def test_p_is_that_of_the_permutations_of_scipy() -> None:
    table = [[4, 1, 7, 2], [9, 3, 2, 4], [3, 6, 5, 1]]
    shuffles = 20_000
    method = stats.PermutationMethod(n_resamples=shuffles, rng=np.random.default_rng(5))
    p = stats.chi2_contingency(table, correction=False, method=method).pvalue
    outcomes = [
        ci_test("x2-permutation", _dataset([table]), "x", "y", permutations=1_000_000, permutation_seed=seed)
        for seed in SEEDS
    ]
    # Both are estimates of one share: the difference of their logarithms has about this deviation.
    deviation = math.sqrt(1 / (ENOUGH * len(SEEDS)) + (1 - p) / (p * shuffles))
    ours = ENOUGH * len(SEEDS) / _shuffles_for_enough(outcomes)
    assert abs(math.log(ours / p)) < stats.norm.isf(FAILURE / 2) * deviation


@pytest.mark.parametrize("permutations", [99, 999])
def test_few_as_extreme_count_as_many_as_they_are(permutations: int) -> None:
    table = [[2, 14], [10, 6]]
    exact = stats.fisher_exact(table).pvalue
    as_extreme_count = 0
    for seed in SEEDS:
        p = ci_test(
            "g2-permutation",
            _dataset([table]),
            "x",
            "y",
            permutations=permutations,
            permutation_seed=seed,
        ).p_value
        as_extreme = p * (1 + permutations) - 1
        # None as extreme leaves the p-value to the fitted law, which is no larger than the floor.
        assert as_extreme <= 1e-6 or as_extreme == pytest.approx(round(as_extreme), abs=1e-6)
        as_extreme_count += max(round(as_extreme), 0)
    draws = permutations * len(SEEDS)
    assert (
        stats.binom.ppf(FAILURE / 2, draws, exact)
        <= as_extreme_count
        <= stats.binom.isf(FAILURE / 2, draws, exact)
    )


def test_clear_dependence_has_a_p_below_what_permutations_alone_can_give() -> None:
    table = [[90, 30], [35, 85]]
    for test, kind in STATISTICS.items():
        outcome = ci_test(test, _dataset([table]), "x", "y", permutations=99)
        expected = stats.chi2_contingency(table, correction=False, lambda_=kind)
        assert outcome.statistic == pytest.approx(expected.statistic, abs=1e-9)
        # Never smaller than the tail of chi-squared, and in a full table of its order.
        assert math.log(expected.pvalue) - 1e-9 <= outcome.log_p < 0.5 * math.log(expected.pvalue)


def test_effective_degrees_of_freedom_belong_to_the_p_value() -> None:
    for table in TABLES.values():
        outcome = ci_test("g2-permutation", _dataset(table), "x", "y", ["s"] if len(table) > 1 else [])
        expected = stats.chi2.logsf(outcome.statistic, outcome.dof)
        assert outcome.log_p == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_nothing_to_shuffle_is_no_evidence() -> None:
    dataset = _dataset([[[3, 2], [0, 0]], [[0, 0], [1, 4]]])
    outcome = ci_test("g2-permutation", dataset, "x", "y", ["s"])
    assert (outcome.statistic, outcome.p_value) == (0.0, 1.0)


def test_long_tables_compute_what_others_look_up() -> None:
    generator = np.random.default_rng(2)
    frame = pandas.DataFrame({name: generator.integers(0, 3, 140_000).astype(str) for name in "xys"})
    dataset = Dataset.from_frame(frame)
    outcome = ci_test("g2-permutation", dataset, "x", "y", ["s"], permutations=99)
    assert outcome.statistic == pytest.approx(ci_test("g2", dataset, "x", "y", ["s"]).statistic, abs=1e-9)


@pytest.mark.parametrize("test", STATISTICS)
def test_incomplete_rows_are_left_out(test: str) -> None:
    generator = np.random.default_rng(6)
    frame = pandas.DataFrame({name: generator.integers(0, 3, 200) for name in "xys"})
    frame["x"] = np.where(generator.random(200) < 0.2, frame["y"], frame["x"])
    frame = frame.astype(str).mask(generator.random(frame.shape) < 0.1)
    for given in ([], ["s"]):
        result = ci_test(test, Dataset.from_frame(frame), "x", "y", given)
        complete = frame.dropna(subset=["x", "y", *given])
        expected = ci_test(test, Dataset.from_frame(complete), "x", "y", given)
        assert result == expected
        assert result.rows == len(complete) < 200
    few = frame.assign(x=frame["x"].where(frame.index < 4))
    assert not ci_test(test, Dataset.from_frame(few), "x", "y").reliable


@pytest.fixture(scope="module")
def network() -> engine.simulation.SimulatedNetwork:
    return engine.simulate(labels=3, features=12, rows=300, seed=4)


def test_the_order_of_variables_and_columns_does_not_matter(
    network: engine.simulation.SimulatedNetwork,
) -> None:
    dataset = network.dataset
    x, y, first, second = dataset.features[:4]
    outcome = ci_test("g2-permutation", dataset, x, y, [first, second])
    assert 0 < outcome.p_value < 1
    for names in ((y, x, [first, second]), (x, y, [second, first])):
        assert ci_test("g2-permutation", dataset, *names).log_p == outcome.log_p
    turned = Dataset.from_frame(dataset.frame[list(reversed(dataset.frame.columns))], labels=dataset.labels)
    assert ci_test("g2-permutation", turned, x, y, [first, second]).log_p == outcome.log_p
    seeds = {ci_test("g2-permutation", dataset, x, y, permutation_seed=seed).log_p for seed in range(5)}
    assert len(seeds) > 1


@pytest.mark.parametrize("test", STATISTICS)
def test_a_run_is_the_same_for_any_number_of_workers(
    network: engine.simulation.SimulatedNetwork, test: str
) -> None:
    settings = engine.DiscoverySettings(test=test, alpha=0.05, workers=1)
    expected = engine.discover(network.dataset, settings)
    result = engine.discover(network.dataset, replace(settings, workers=3))
    assert (result.evidence, result.boundaries) == (expected.evidence, expected.boundaries)
    assert expected.evidence
    # A test that is made alone is the test of the run.
    for reasons in expected.evidence.values():
        for record in (test for reason in reasons for test in reason.tests if len(test.others) == 1):
            alone = ci_test(test, network.dataset, record.x, record.y, record.given)
            assert alone.log_p == record.log_p


@pytest.mark.parametrize("test", ["g2-permutation", "x2-permutation"])
@pytest.mark.parametrize(("in_x", "in_y"), [(30, 30), (40, 45)])
def test_fitted_tails_hold_where_a_cell_expects_few_rows(test: str, in_x: int, in_y: int) -> None:
    # Exactly: all tables that the margins allow, by their chances. A correction for many tests reads them.
    rows, most = 300, min(in_x, in_y)
    place = np.arange(rows)
    columns = {"x": (place < in_x).astype(np.int64)} | {
        f"y{both}": ((place >= in_x - both) & (place < in_x - both + in_y)).astype(np.int64)
        for both in range(most + 1)
    }
    p = p_values_of(test, dataset_of(columns), [("x", f"y{both}", ()) for both in range(most + 1)])
    chances = stats.hypergeom(rows, in_x, in_y).pmf(np.arange(most + 1))
    for alpha in (1e-3, 1e-4, 1e-5, 1e-6):
        # Between two tables there is no p.
        assert chances[p <= alpha].sum() <= 2.5 * alpha
