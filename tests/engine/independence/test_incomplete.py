"""Where values are missing, a test is that of the rows which are complete in its own variables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from engine.errors import InvalidData
from engine.independence.arranging import ci_test, make_test_data
from engine.independence.ci_tests import ci_tests
from engine.independence.data import TestData
from engine.independence.discrete.contingency import IncompleteTable, discrete_table, incomplete_table
from engine.independence.discrete.table import DiscreteTable
from engine.independence.interface import placed_test, run_tests
from engine.independence.record import TestRecord, make_records
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable
from tests.examples import examples

LEVELS = (2, 3, 2, 4, 2)


def _codes(seed: int, rows: int, missing: float, levels: tuple[int, ...] = LEVELS) -> Dataset:
    """Categories that hang together, each missing with some probability."""
    generator = np.random.default_rng(seed)
    hidden = generator.normal(size=rows)
    columns = []
    for count in levels:
        shifted = np.floor(stats.norm.cdf(hidden + generator.normal(size=rows)) * count).astype(int)
        columns.append(np.where(generator.random(rows) < missing, -1, np.clip(shifted, 0, count - 1)))
    variables = [
        Variable(f"x{place}", Kind.NOMINAL, levels=tuple("abcdef"[:count]))
        for place, count in enumerate(levels)
    ]
    return Dataset(tuple(variables), tuple(columns))


def _numbers(seed: int, rows: int, missing: float, count: int = 5) -> Dataset:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, count)) @ generator.normal(size=(count, count)) + 40.0
    values[generator.random(values.shape) < missing] = np.nan
    variables = [Variable(f"x{place}", Kind.CONTINUOUS) for place in range(count)]
    return Dataset(tuple(variables), tuple(values.T))


def _complete_in(dataset: Dataset, names: list[str]) -> Dataset:
    frame = dataset.frame[names].notna().all(axis=1).to_numpy()
    return dataset.select_rows(frame)


def _assert_same(actual: TestRecord, expected: TestRecord) -> None:
    for field in ("statistic", "dof", "log_p", "p_value", "effect"):
        assert getattr(actual, field) == pytest.approx(getattr(expected, field), rel=1e-9, abs=1e-9)
    assert actual.rows == expected.rows


@examples(40)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(40, 400),
    missing=st.floats(0.01, 0.5),
    size=st.integers(0, 3),
    test=st.sampled_from(["g2", "x2"]),
    dof=st.sampled_from(["adjusted", "nominal"]),
)
def test_discrete_tests_are_those_of_the_complete_rows(
    seed: int, rows: int, missing: float, size: int, test: str, dof: str
) -> None:
    dataset = _codes(seed, rows, missing)
    names = [f"x{place}" for place in range(2 + size)]
    result = ci_test(test, dataset, "x0", "x1", names[2:], dof=dof)
    complete = _complete_in(dataset, names)
    # A table without rows is refused.
    assume(complete.row_count > 0)
    _assert_same(result, ci_test(test, complete, "x0", "x1", names[2:], dof=dof))


@examples(40)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(40, 400),
    missing=st.floats(0.01, 0.3),
    size=st.integers(0, 3),
)
def test_fisher_z_is_that_of_the_complete_rows(seed: int, rows: int, missing: float, size: int) -> None:
    dataset = _numbers(seed, rows, missing)
    names = [f"x{place}" for place in range(2 + size)]
    result = ci_test("fisher-z", dataset, "x0", "x1", names[2:])
    complete = _complete_in(dataset, names)
    assume(complete.row_count > 0)
    expected = ci_test("fisher-z", complete, "x0", "x1", names[2:])
    if expected.reliable:
        _assert_same(result, expected)
    if size == 0 and complete.row_count > 3:
        assert np.tanh(result.statistic / np.sqrt(result.rows - 3)) == pytest.approx(
            stats.pearsonr(*complete.columns[:2]).statistic, abs=1e-9
        )


def test_marginal_g_squared_as_scipy() -> None:
    dataset = _codes(1, 500, 0.2)
    counts = dataset.frame.groupby(["x1", "x3"], observed=False).size().unstack().to_numpy()
    outcome = stats.chi2_contingency(counts, correction=False, lambda_="log-likelihood")
    result = ci_test("g2", dataset, "x1", "x3", dof="adjusted")
    assert result.rows == counts.sum() < 500
    assert (result.statistic, result.dof) == (pytest.approx(outcome.statistic, abs=1e-9), outcome.dof)
    assert result.p_value == pytest.approx(outcome.pvalue, rel=1e-9)


def _counted(table: IncompleteTable, size: int, **others: np.ndarray) -> tuple[float, float]:
    """Return statistic and degrees of freedom of the first two variables given some of those behind."""
    placed = placed_test(table._replace(counted=table.counted._replace(**others)), 3)
    given_set, sizes = np.arange(2, 5).reshape(1, -1), np.array([size])
    outcome = run_tests(placed, np.array([0]), np.array([1]), given_set, sizes, np.zeros(1, np.uint8))
    return float(outcome[0][0]), float(outcome[1][0])


@examples(40)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 700), size=st.integers(0, 3))
def test_bit_sets_and_row_scan_count_the_same(seed: int, rows: int, size: int) -> None:
    columns = _codes(seed, rows, 0.2).columns
    table = incomplete_table(columns, discrete_table(columns, LEVELS))
    codes, sets = table.counted.codes, table.counted.sets
    # What is empty and so long that the test goes the other way; this way it would find nothing.
    by_bits = _counted(table, size, sets=np.array(sets), codes=np.zeros((len(codes), 1 << 16), codes.dtype))
    by_rows = _counted(table, size, sets=np.zeros((len(sets), 1 << 14), sets.dtype), codes=np.array(codes))
    assert by_bits == by_rows
    # Few complete rows may leave no stratum with two levels of both.
    assert by_rows[1] > 0 or rows < 200


def test_strata_that_are_too_many_to_tabulate_are_numbered_as_they_occur() -> None:
    generator = np.random.default_rng(4)
    names = tuple(str(level) for level in range(60))
    columns = [generator.integers(0, 3, 900) for _ in range(5)]
    for column in columns:
        column[generator.random(900) < 0.1] = -1
    dataset = Dataset(tuple(Variable(f"x{place}", Kind.NOMINAL, levels=names) for place in range(5)), columns)
    given_names = ["x2", "x3", "x4"]
    result = ci_test("g2", dataset, "x0", "x1", given_names)
    _assert_same(result, ci_test("g2", _complete_in(dataset, list(dataset.names)), "x0", "x1", given_names))


def test_rows_follow_the_variables_of_each_test_also_of_a_joint_one() -> None:
    dataset = _codes(7, 300, 0.15)
    data = make_test_data(dataset, "g2").at_level(0.05)
    questions = [(0, (1,), ()), (0, (1,), (2, 3)), (0, (1, 2), (3,))]
    records = make_records(data, questions, np.zeros(1, dtype=np.uint8))
    frame = dataset.frame
    assert [record.rows for record in records] == [
        len(frame[["x0", "x1"]].dropna()),
        len(frame[["x0", "x1", "x2", "x3"]].dropna()),
        len(frame[["x0", "x1", "x2", "x3"]].dropna()),
    ]


def test_variables_that_are_hardly_ever_seen_together_are_not_called_independent() -> None:
    columns = [np.array([0, 1] * 50), np.array([0, 1] * 50)]
    columns[0][:48] = -1
    columns[1][52:] = -1
    pair = Dataset(tuple(Variable(name, Kind.NOMINAL, levels=("a", "b")) for name in "xy"), tuple(columns))
    result = ci_test("g2", pair, "x", "y")
    assert result.rows == 4
    assert not result.reliable


def test_reliability_rule_counts_the_complete_rows() -> None:
    dataset = _codes(3, 400, 0.2)
    rows = ci_test("g2", dataset, "x0", "x1").rows
    assert ci_test("g2", dataset, "x0", "x1", min_rows_per_dof=rows / 2).reliable
    assert not ci_test("g2", dataset, "x0", "x1", min_rows_per_dof=(rows + 1) / 2).reliable


def test_a_column_that_is_constant_where_it_is_seen_correlates_with_nothing() -> None:
    generator = np.random.default_rng(2)
    values = generator.normal(size=(3, 60)) + 1e6
    values[0, :30] = 1e6 + 0.1
    values[1, 30:] = np.nan
    dataset = Dataset(tuple(Variable(name, Kind.CONTINUOUS) for name in "xyz"), tuple(values))
    assert ci_test("fisher-z", dataset, "x", "y").statistic == 0.0
    assert ci_test("fisher-z", dataset, "y", "z", ["x"]).statistic == pytest.approx(
        np.arctanh(stats.pearsonr(values[1, :30], values[2, :30]).statistic) * np.sqrt(30 - 4), rel=1e-9
    )


def test_complete_tables_keep_the_tables_of_before() -> None:
    complete = _complete_in(_codes(5, 300, 0.1), ["x0", "x1"]).select_variables(["x0", "x1"])
    data: TestData = make_test_data(complete, "g2").at_level(0.05)
    assert type(data.table) is DiscreteTable


def test_a_column_without_any_value_is_refused() -> None:
    empty = Dataset(
        (Variable("x", Kind.CONTINUOUS), Variable("y", Kind.CONTINUOUS)), (np.full(9, np.nan), np.arange(9.0))
    )
    with pytest.raises(InvalidData, match=r"column 'x'.*every value is missing"):
        make_test_data(empty, "fisher-z").at_level(0.05)


def test_a_test_that_needs_every_value_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = ci_tests() | {"g2": replace(ci_tests()["g2"], takes_missing=False)}
    monkeypatch.setattr("engine.independence.ci_tests.ci_tests", lambda: tests)
    with pytest.raises(InvalidData, match=r"column 'x0'.*values are missing.*needs complete data"):
        make_test_data(_codes(1, 100, 0.1), "g2").at_level(0.05)
