"""Weights as counts are that many rows; equal sampling weights say nothing.

What unequal ones do to tables of categories is in ``test_sampled_rows.py``.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from engine.errors import InvalidData
from engine.independence.arranging import ci_test, make_test_data
from engine.independence.ci_tests import ci_tests
from engine.independence.record import TestRecord, make_records
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.examples import examples

LEVELS = (2, 3, 2, 4)
GIVEN = ["x2", "x3"]
CODED = ["g2", "x2"]


def _with_weights(dataset: Dataset, weights: np.ndarray) -> Dataset:
    variables = (*dataset.variables, Variable("w", Kind.CONTINUOUS, Role.WEIGHT))
    return Dataset(variables, (*dataset.columns, weights.astype(float)))


def _codes(seed: int, rows: int, missing: float = 0.0) -> Dataset:
    generator = np.random.default_rng(seed)
    hidden = generator.integers(0, 4, rows)
    columns = []
    for count in LEVELS:
        column = np.where(generator.random(rows) < 0.4, hidden, generator.integers(0, 4, rows)) % count
        columns.append(np.where(generator.random(rows) < missing, -1, column))
    return Dataset(
        tuple(
            Variable(f"x{place}", Kind.NOMINAL, levels=tuple("abcd"[:n])) for place, n in enumerate(LEVELS)
        ),
        tuple(columns),
    )


def _numbers(seed: int, rows: int, missing: float = 0.0) -> Dataset:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, 4)) @ generator.normal(size=(4, 4)) + 7.0
    values[generator.random(values.shape) < missing] = np.nan
    return Dataset(tuple(Variable(f"x{place}", Kind.CONTINUOUS) for place in range(4)), tuple(values.T))


def _table(test: str, seed: int, rows: int, missing: float) -> Dataset:
    return (_codes if test in CODED else _numbers)(seed, rows, missing)


def _repeated(dataset: Dataset, weights: np.ndarray) -> Dataset:
    return dataset.select_rows(np.repeat(np.arange(dataset.row_count), weights))


def _assert_same(actual: TestRecord, expected: TestRecord) -> None:
    for field in ("statistic", "dof", "log_p", "p_value", "effect"):
        assert getattr(actual, field) == pytest.approx(getattr(expected, field), rel=1e-9, abs=1e-9)
    assert actual.reliable == expected.reliable


@examples(60)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(30, 200),
    size=st.integers(0, 2),
    test=st.sampled_from(list(ci_tests())[:3]),
    dof=st.sampled_from(["effective", "adjusted", "nominal"]),
    missing=st.sampled_from([0.0, 0.1]),
)
def test_counts_are_repeated_rows(
    seed: int, rows: int, size: int, test: str, dof: str, missing: float
) -> None:
    dataset = _table(test, seed, rows, missing)
    weights = np.random.default_rng(seed).integers(0, 5, rows)
    question = ("x0", "x1", GIVEN[:size])
    result = ci_test(test, _with_weights(dataset, weights), *question, dof=dof, row_weights="counts")
    expected = ci_test(test, _repeated(dataset, weights), *question, dof=dof)
    _assert_same(result, expected)
    assert result.rows == expected.rows


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("test", ["g2", "x2", "fisher-z"])
def test_equal_weights_change_nothing(test: str, missing: float) -> None:
    dataset = _table(test, 5, 300, missing)
    expected = ci_test(test, dataset, "x0", "x1", GIVEN)
    for weight in (0.001, 1.0, 250.0):
        weighted = _with_weights(dataset, np.full(300, weight))
        result = ci_test(test, weighted, "x0", "x1", GIVEN)
        _assert_same(result, expected)
        assert result.rows == expected.rows


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_fisher_z_with_sampling_weights_is_that_of_weighted_residuals(missing: float) -> None:
    dataset = _numbers(3, 400, missing)
    weights = np.random.default_rng(1).lognormal(size=400)
    result = ci_test("fisher-z", _with_weights(dataset, weights), "x0", "x1", ["x2"])
    values = np.array(dataset.columns[:3])
    complete = ~np.isnan(values).any(axis=0)
    values, used = values[:, complete], weights[complete]
    roots = np.sqrt(used)
    design = np.column_stack([np.ones(used.size), values[2]]) * roots[:, np.newaxis]
    targets = (values[:2] * roots).T
    residuals = targets - design @ np.linalg.lstsq(design, targets, rcond=None)[0]
    correlation = residuals[:, 0] @ residuals[:, 1] / np.linalg.norm(residuals, axis=0).prod()
    # The linearised variance of the sum of the residuals' products, beside what equal weights would give.
    products = np.square(residuals.prod(axis=1) / used)
    effective = used.sum() * (used * products).sum() / (used**2 * products).sum()
    assert result.statistic == pytest.approx(np.arctanh(correlation) * np.sqrt(effective - 4), rel=1e-9)
    assert result.effect == pytest.approx(abs(correlation), rel=1e-9)


@pytest.mark.parametrize("grouped", [False, True])
def test_lines_with_sampling_weights_are_scaled_to_how_rows_or_groups_vary(grouped: bool) -> None:
    """Of a column each, the likelihood ratio over the mean of its law (Rao and Scott 1984) is one of F."""
    generator = np.random.default_rng(7)
    values = generator.uniform(size=(3, 400)) + 0.2 * generator.uniform(size=400)
    values[:2] += 0.1 * values[2]
    weights = generator.lognormal(size=400)
    groups = np.repeat(np.arange(100), 4) if grouped else np.arange(400)
    dataset = Dataset(
        tuple(Variable(f"x{place}", Kind.CONTINUOUS) for place in range(3)),
        tuple(values),
    )
    dataset = _with_weights(dataset, weights)
    if grouped:
        variable = Variable("who", Kind.CONTINUOUS, Role.GROUPS)
        dataset = Dataset((*dataset.variables, variable), (*dataset.columns, groups.astype(float)))
    result = ci_test("basis", dataset, "x0", "x1", ["x2"], degree=1)
    of_groups, sizes = np.bincount(groups, weights), np.bincount(groups)
    columns = [(column - np.average(column, weights=weights)) * np.sqrt(weights) for column in values]
    held = columns[2] / np.linalg.norm(columns[2])
    left = [column - held * (held @ column) for column in columns[:2]]
    left = [column / np.linalg.norm(column) for column in left]
    taken_up = [np.bincount(groups, column) ** 2 / sizes for column in (held, *left)]
    leverage = of_groups / weights.sum() + np.sum(taken_up, axis=0)
    power = np.where(sizes == 1, 0.75, 0.5)
    scores = np.bincount(groups, left[0] * left[1]) / (1.0 - leverage) ** power
    scores -= left[0] @ left[1] / len(sizes)
    mean = scores @ scores * len(sizes) / (len(sizes) - 1)
    freedom = of_groups.sum() ** 2 / (of_groups @ of_groups) - 1.0 - taken_up[0].sum()
    ratio = -np.log1p(-((left[0] @ left[1]) ** 2)) / mean
    assert result.statistic == pytest.approx((freedom - 0.5) * np.log1p(ratio / freedom), rel=1e-10)
    assert result.dof == pytest.approx(1.0)


def test_sampling_weights_keep_the_level_where_counting_them_does_not() -> None:
    generator = np.random.default_rng(0)
    rejected = {"sampling": 0, "counts": 0}
    for _ in range(300):
        weights = generator.lognormal(size=200)
        pair = Dataset(
            tuple(Variable(name, Kind.NOMINAL, levels=("a", "b")) for name in "xy"),
            tuple(generator.integers(0, 2, (2, 200))),
        )
        for meaning in rejected:
            outcome = ci_test("g2", _with_weights(pair, weights), "x", "y", row_weights=meaning)
            rejected[meaning] += outcome.p_value < 0.05
    assert stats.binomtest(rejected["sampling"], 300, 0.05).pvalue > 0.01
    assert rejected["counts"] > 2 * rejected["sampling"]


def test_joint_tests_add_up_with_weights_too() -> None:
    weights = np.random.default_rng(2).integers(1, 4, 150)
    dataset = _codes(4, 150)
    questions = [(0, (1, 2), (3,))]
    stop = np.zeros(1, dtype=np.uint8)
    weighted = make_test_data(_with_weights(dataset, weights), "g2", row_weights="counts").at_level(0.05)
    repeated = make_test_data(_repeated(dataset, weights), "g2").at_level(0.05)
    _assert_same(*make_records(weighted, questions, stop), *make_records(repeated, questions, stop))


def test_many_levels_are_numbered_as_they_occur() -> None:
    generator = np.random.default_rng(4)
    names = tuple(str(level) for level in range(60))
    columns = tuple(generator.integers(0, 3, 300) for _ in range(5))
    dataset = Dataset(tuple(Variable(f"x{place}", Kind.NOMINAL, levels=names) for place in range(5)), columns)
    weights = generator.integers(1, 4, 300)
    question = ("x0", "x1", ["x2", "x3", "x4"])
    result = ci_test("g2", _with_weights(dataset, weights), *question, row_weights="counts")
    _assert_same(result, ci_test("g2", _repeated(dataset, weights), *question))


def test_a_test_that_takes_no_weights_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    tests = ci_tests() | {"g2": replace(ci_tests()["g2"], takes_weights=False)}
    monkeypatch.setattr("engine.independence.arranging.chosen_test", lambda test, dataset: tests[test])
    with pytest.raises(InvalidData, match=r"column 'w'.*row weights.*ignored"):
        make_test_data(_with_weights(_codes(1, 50), np.ones(50)), "g2").at_level(0.05)


def test_the_weight_column_itself_cannot_be_tested() -> None:
    with pytest.raises(InvalidData, match=r"column 'w'.*takes no part"):
        ci_test("g2", _with_weights(_codes(1, 50), np.ones(50)), "x0", "w")
