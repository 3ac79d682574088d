"""What is told in single precision, screens and tests with basis functions, beside tests in double."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.independence.arranging import make_test_data
from engine.independence.basis.arranging import basis_table, screened_products
from engine.independence.basis.blocks import category_block, number_block
from engine.independence.basis.data import marginal_tests
from engine.independence.chi_squared import critical_values
from engine.independence.interface import placed_test, run_tests
from tests.engine.independence.calibration import dataset_of_frame
from tests.engine.independence.test_basis import mixed_frame

LEVEL = critical_values(0.05)


def test_a_screen_gives_what_single_tests_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.independence.basis.arranging._MOST_MULTIPLICATIONS", 0)
    frame = mixed_frame()
    x, others, stop = 1, np.array([0, 2, 3, 4]), np.zeros(1, np.uint8)
    for most in (1e9, 0):
        monkeypatch.setattr("engine.independence.basis.arranging._MOST_SCREENED", most)
        data = make_test_data(dataset_of_frame(frame), "basis").at_level(0.05)
        assert bool(data.table.screened.size) == bool(most)
        screen = data.ask_marginal(x, others, stop)
        for place, other_variable in enumerate(others):
            single = engine.ci_test("basis", dataset_of_frame(frame), "b", data.names[other_variable])
            # What is not remarkable is told by products in single precision.
            is_rough = most > 0 and single.statistic < single.dof + 4.0 * np.sqrt(2.0 * single.dof)
            # Of two categories by counts.
            near = 1e-4 if is_rough else 1e-9
            assert screen.statistic[place] == pytest.approx(single.statistic, rel=near)
            assert screen.dof[place] == single.dof
            assert screen.log_p[place] == pytest.approx(single.log_p, rel=near)


@pytest.mark.parametrize("x", [0, 1, 2, 3, 4])
def test_pairs_of_a_screen_that_go_side_by_side_are_those_of_single_tests(x: int) -> None:
    # Numbers, and categories of two, four and twenty levels, and of which one is rare: more than go at once.
    generator = np.random.default_rng(x)
    values = generator.standard_normal((400, 300))
    values[::2] += 0.3 * values[0]
    edges = [None, [0.0], [-0.7, 0.0, 0.7], np.linspace(-1.6, 1.6, 19), [0.0, 2.3]]
    blocks = [
        number_block(column, 3)
        if (steps := edges[place % 5]) is None
        else category_block(np.searchsorted(steps, column), len(steps) + 1)
        for place, column in enumerate(values)
    ]
    table = basis_table(blocks, [(19, 2)] * 400, with_products=False)
    table = table._replace(screened=screened_products(table.columns[: table.tested[-1]]))
    others, stop = np.array([variable for variable in range(400) if variable != x]), np.zeros(1, np.uint8)
    screen = marginal_tests(table, LEVEL, x, others, stop)
    nothing = np.zeros((399, 0), np.int64)
    single = run_tests(
        placed_test(table, 1, LEVEL), np.full(399, x), others, nothing, np.zeros(399, np.int64), stop
    )
    np.testing.assert_allclose(screen[0], single[0], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(screen[2], single[2], rtol=1e-4, atol=1e-5)
    for first, second in ((screen[1], single[1]), (screen[3], single[3])):
        np.testing.assert_array_equal(first, second)
    # Who asked looks whether it was stopped, and until then takes as many answers as there are questions.
    questions = np.full(399, x), others, nothing, np.zeros(399, np.int64)
    stopped = run_tests(placed_test(table, 1), *questions, np.ones(1, np.uint8))
    assert [len(results) for results in stopped] == [399] * 4


def test_single_precision_decides_as_double_does() -> None:
    # Numbers that hang together, copies, sums, and what others nearly determine.
    generator = np.random.default_rng(3)
    values = generator.standard_normal((40, 3000))
    for place in range(10, 25):
        values[place] += values[place - 10] + 0.5 * values[place - 9] ** 2
    for place, (first, second) in enumerate(generator.integers(0, 25, size=(15, 2)), start=25):
        nearly = (0.0, 1e-9, 1e-5, 1e-3, 0.03)[place % 5]
        kind = (values[first], values[first] + 2.0 * values[second], -values[first])[place % 3]
        values[place] = kind + nearly * generator.standard_normal(3000)
    blocks = [number_block(column, 3) for column in values]
    double = basis_table(blocks, [(3, 2)] * 40, with_products=False)
    single = double._replace(single=double.columns.astype(np.float32))
    chosen = np.array([generator.permutation(40)[:5] for _ in range(12_000)])
    # Laid out as by the engine, for which the kernel is compiled already.
    x, y, given = chosen[:, 0].copy(), chosen[:, 1].copy(), chosen[:, 2:].copy()
    sizes = np.arange(12_000) % 4
    nothing_stops = np.zeros(1, np.uint8)
    actual, expected = (
        run_tests(placed_test(table, 3, LEVEL), x, y, given, sizes, nothing_stops)
        for table in (single, double)
    )
    for first, second in zip(actual[1::2], expected[1::2], strict=True):
        np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(actual[2] > 1.0, expected[2] > 1.0)
    np.testing.assert_allclose(actual[0], expected[0], rtol=1e-5, atol=3e-5)
    # Where there is any doubt they are the same, and else not made once more.
    is_same = actual[0] == expected[0]
    is_close = np.abs(expected[2] - 1.0) < 0.9e-3
    assert is_same[is_close].all() and is_close.any()
    assert 0.02 < is_same.mean() < 0.5
