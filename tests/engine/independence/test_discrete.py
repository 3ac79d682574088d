"""Contingency tables: both ways of counting agree with each other and with scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import engine
from engine.independence.chi_squared import log_chi2_sf_values
from engine.independence.discrete.contingency import discrete_table
from engine.independence.discrete.table import (
    G_SQUARED,
    PEARSON,
    DiscreteTable,
    new_discrete_workspace,
)
from engine.independence.interface import placed_test, run_tests
from tests.engine.independence.both_ways import both_ways
from tests.engine.independence.calibration import dataset_of
from tests.examples import examples

NO_STOP = np.zeros(1, dtype=np.uint8)


def _random_columns(seed: int, rows: int, levels: list[int]) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    return [generator.integers(0, count, rows) for count in levels]


def _one_test(table: DiscreteTable, given_size: int) -> tuple[float, float, float]:
    given = np.arange(2, 2 + max(given_size, 1)).reshape(1, -1)
    outcome = run_tests(
        placed_test(table, given.shape[1]),
        np.array([0]),
        np.array([1]),
        given,
        np.array([given_size]),
        NO_STOP,
    )
    return float(outcome[0][0]), float(outcome[1][0]), float(log_chi2_sf_values(outcome[0], outcome[1])[0])


def _by_scipy(columns: list[np.ndarray], method: str) -> tuple[float, int]:
    """Sum over the strata of scipy's statistic of the table without its empty rows and columns."""
    statistic, dof = 0.0, 0
    strata = {tuple(row) for row in np.array(columns[2:]).T} if len(columns) > 2 else {()}
    for stratum in strata:
        inside = np.ones(len(columns[0]), dtype=bool)
        for column, level in zip(columns[2:], stratum, strict=True):
            inside &= column == level
        counts = stats.contingency.crosstab(columns[0][inside], columns[1][inside]).count
        if min(counts.shape) > 1:
            outcome = stats.chi2_contingency(counts, correction=False, lambda_=method)
            statistic += outcome.statistic
            dof += outcome.dof
    return statistic, dof


@examples(60)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(5, 400),
    levels=st.lists(st.integers(2, 5), min_size=2, max_size=5),
    kind=st.sampled_from([(G_SQUARED, "log-likelihood"), (PEARSON, "pearson")]),
)
def test_statistic_and_adjusted_degrees_of_freedom_as_scipy(
    seed: int, rows: int, levels: list[int], kind: tuple[int, str]
) -> None:
    columns = _random_columns(seed, rows, levels)
    table = discrete_table(columns, levels, statistic=kind[0])
    statistic, dof, log_p = _one_test(table, len(levels) - 2)
    expected, expected_dof = _by_scipy(columns, kind[1])
    assert statistic == pytest.approx(expected, abs=1e-9)
    assert dof == expected_dof
    assert log_p == pytest.approx(stats.chi2.logsf(statistic, dof) if dof else 0.0, rel=1e-9, abs=1e-12)


@examples(60)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 700),
    levels=st.lists(st.integers(2, 6), min_size=2, max_size=7),
    kind=st.sampled_from([G_SQUARED, PEARSON]),
)
def test_conjunctions_and_row_scan_count_the_same(seed: int, rows: int, levels: list[int], kind: int) -> None:
    table = discrete_table(_random_columns(seed, rows, levels), levels, statistic=kind)
    size = len(levels) - 2
    workspace = new_discrete_workspace(table, max(size, 1))
    cost, by_rows, by_conjunctions = both_ways(table, workspace, 0, 1, np.arange(2, 2 + max(size, 1)), size)
    assert by_conjunctions == by_rows
    combined = levels[-min(size, 3) :] if size else []
    assert np.isfinite(cost) == (np.prod([*combined, *levels[:2]]) <= 4096)


@examples(30)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 300), most_levels=st.integers(2, 5))
def test_what_was_counted_before_never_shows(seed: int, rows: int, most_levels: int) -> None:
    """Tests in any order, with one memory for all, against a pass over the rows for each."""
    generator = np.random.default_rng(seed)
    levels = generator.integers(2, most_levels + 1, 9).tolist()
    table = discrete_table(_random_columns(seed, rows, levels), levels)
    workspace = new_discrete_workspace(table, 4)
    for _ in range(200):
        x, y, *given_set = generator.permutation(9)[: generator.integers(2, 7)].tolist()
        members = np.array([*given_set, 0, 0, 0, 0])
        _, by_rows, by_conjunctions = both_ways(table, workspace, x, y, members, len(given_set))
        assert by_conjunctions == by_rows


def test_more_levels_than_keys_can_tell_apart_are_counted_by_rows() -> None:
    table = discrete_table(_random_columns(1, 64, [2, 2, 2]), [2, 2, 2])
    before = np.zeros((1 << 21, table.sets.shape[1]), dtype=np.uint64)
    sets = np.vstack((before, table.sets))
    # As those of every table are, so that nothing is compiled again.
    sets.flags.writeable = table.sets.flags.writeable
    wide = table._replace(sets=sets, offsets=table.offsets + len(before))
    workspace = new_discrete_workspace(wide, 1)
    cost, by_rows, _ = both_ways(wide, workspace, 0, 1, np.array([2]), 1)
    assert cost == np.inf
    assert by_rows == both_ways(table, workspace, 0, 1, np.array([2]), 1)[2]


def test_strata_that_are_too_many_to_tabulate_are_numbered_as_they_occur() -> None:
    levels = [3, 3, 60, 60, 60]
    columns = _random_columns(3, 900, levels)
    # Few different strata, so that they hold enough rows to have degrees of freedom.
    columns[2:] = [column % 3 for column in columns[2:]]
    table = discrete_table(columns, levels)
    statistic, dof, _ = _one_test(table, 3)
    expected, expected_dof = _by_scipy(columns, "log-likelihood")
    assert (statistic, dof) == (pytest.approx(expected, abs=1e-9), expected_dof)


def test_long_tables_use_the_definition_instead_of_differences() -> None:
    columns = _random_columns(5, 140_000, [2, 3, 2])
    statistic, _, _ = _one_test(discrete_table(columns, [2, 3, 2]), 1)
    assert statistic == pytest.approx(_by_scipy(columns, "log-likelihood")[0], abs=1e-9)


def test_reliability_rules_mark_tests_with_too_few_rows() -> None:
    columns = _random_columns(7, 100, [3, 3, 5])
    questions = (np.array([0, 0]), np.array([1, 1]), np.array([[2], [2]]), np.array([0, 1]))
    # Nominal degrees of freedom are 4 and 20; 100 rows give 25 and 5 rows for each.
    for rule, expected in ((5.0, [True, True]), (5.1, [True, False]), (26.0, [False, False])):
        table = discrete_table(columns, [3, 3, 5], min_rows_per_dof=rule)
        reliable = run_tests(placed_test(table, 1), *questions, NO_STOP)[3]
        assert reliable.tolist() == expected
    # The tables have 9 and 45 cells, so that 90 rows give 10 and 2 rows for each.
    columns = [column[:90] for column in columns]
    for rule, expected in ((2.0, [True, True]), (2.1, [True, False]), (10.1, [False, False])):
        table = discrete_table(columns, [3, 3, 5], min_rows_per_cell=rule)
        reliable = run_tests(placed_test(table, 1), *questions, NO_STOP)[3]
        assert reliable.tolist() == expected


@pytest.mark.parametrize("test", ["g2", "x2", "basis", "mixed"])
def test_what_never_varies_depends_on_nothing(test: str) -> None:
    """Its table has as many cells as that of two binary variables, and no counts of a second level."""
    generator = np.random.default_rng(5)
    levels = {"x": 4, "a": 2, "b": 3, "c": 5}
    codes = {name: generator.integers(0, count, 300) for name, count in levels.items()}
    data = dataset_of({**codes, "constant": np.zeros(300, np.int64)})
    for held in ((), ("a",), ("b", "c"), ("a", "b", "c")):
        for x, y in (("x", "constant"), ("constant", "x")):
            outcome = engine.ci_test(test, data, x, y, held)
            assert (outcome.statistic, outcome.dof, outcome.p_value, outcome.reliable) == (0.0, 0, 1.0, True)
