"""The screen of one variable against many with basis functions, beside its tests one by one."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.independence.arranging import make_test_data
from engine.independence.basis.arranging import basis_table, screened_products
from engine.independence.basis.blocks import category_block
from engine.independence.basis.number_blocks import number_block
from engine.independence.basis.screen import marginal_tests
from engine.independence.interface import new_workspace, run_tests
from tests.engine.independence.calibration import dataset_of_frame
from tests.engine.independence.test_basis import mixed_frame


def test_a_screen_gives_what_single_tests_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.independence.basis.arranging._MOST_MULTIPLICATIONS", 0)
    frame = mixed_frame()
    x, others, stop = 1, np.array([0, 2, 3, 4]), np.zeros(1, np.uint8)
    for most in (1e9, 0):
        monkeypatch.setattr("engine.independence.basis.arranging._MOST_SCREENED", most)
        data = make_test_data(dataset_of_frame(frame), "basis", alpha=0.05)
        assert bool(data.table.screened.size) == bool(most)
        screen = data.ask_marginal(x, others, stop)
        for place, other in enumerate(others):
            single = engine.ci_test("basis", dataset_of_frame(frame), "b", data.names[other])
            # What is not remarkable is told by products in single precision.
            is_rough = most > 0 and single.statistic < single.dof + 4.0 * np.sqrt(2.0 * single.dof)
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
        number_block(each, 3)
        if (steps := edges[place % 5]) is None
        else category_block(np.searchsorted(steps, each), len(steps) + 1)
        for place, each in enumerate(values)
    ]
    table = basis_table(blocks, [(19, 2)] * 400, alpha=0.05, with_products=False)
    table = table._replace(screened=screened_products(table.columns[: table.tested[-1]]))
    others, stop = np.array([each for each in range(400) if each != x]), np.zeros(1, np.uint8)
    screen = marginal_tests(table, x, others, stop)
    nothing = np.zeros((399, 0), np.int64)
    single = run_tests(
        table, new_workspace(table, 1), np.full(399, x), others, nothing, np.zeros(399, np.int64), stop
    )
    np.testing.assert_allclose(screen[0], single[0], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(screen[2], single[2], rtol=1e-4, atol=1e-5)
    for one, other in ((screen[1], single[1]), (screen[3], single[3])):
        np.testing.assert_array_equal(one, other)
