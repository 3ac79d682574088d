"""The law of G² and X² in a table whose margins are kept, against all shuffles of small tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pandas
import pytest
from scipy import special, stats

import engine
from engine.independence.arranging import make_test_data
from engine.independence.chi_squared import critical_values
from engine.independence.discrete.contingency import discrete_table
from engine.independence.discrete.table import EXACT, G_SQUARED, PEARSON
from engine.independence.interface import placed_test, run_tests
from tests.engine.independence.calibration import dataset_of
from tests.with_each import with_each

NOTHING = np.zeros(1, dtype=np.int64)
NO_STOP = np.zeros(1, dtype=np.uint8)
LAMBDA = {G_SQUARED: 0, PEARSON: 1}
SMALL = {
    "two by two": ([0, 0, 0, 1, 1, 1, 1], [0, 1, 0, 1, 1, 1, 0]),
    "rare": ([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 1]),
    "two by three": ([0, 0, 0, 1, 1, 1, 1], [0, 1, 2, 0, 1, 1, 2]),
    "three by three": ([0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 2, 2, 0, 2]),
    "three by four": ([0, 0, 1, 1, 2, 2, 2, 0], [0, 1, 2, 3, 3, 3, 0, 1]),
    "two rows": ([0, 1], [1, 0]),
    "three rows": ([0, 1, 1], [1, 0, 0]),
}


def _law(x: Sequence[int], y: Sequence[int], statistic: int) -> np.ndarray:
    """Give the law that a test finds."""
    columns = [np.array(x, dtype=np.int8), np.array(y, dtype=np.int8)]
    levels = [max(x) + 1, max(y) + 1]
    table = discrete_table(columns, levels, statistic=statistic, effective=True)
    test = placed_test(table, 1)
    run_tests(test, NOTHING, np.ones(1, np.int64), NOTHING[:, None], NOTHING, NO_STOP)
    law: np.ndarray = test.workspace.law.copy()
    return law


def _of_scipy(x: Sequence[int], y: Sequence[int], statistic: int) -> float:
    table = np.zeros((max(x) + 1, max(y) + 1))
    np.add.at(table, (np.array(x), np.array(y)), 1)
    outcome = stats.chi2_contingency(table, correction=False, lambda_=LAMBDA[statistic])
    return float(outcome.statistic)


def _all_shuffled(x: Sequence[int], y: Sequence[int], statistic: int) -> np.ndarray:
    """Give the statistic of each arrangement of `y`, all of which equally many shuffles give."""
    return np.array([_of_scipy(x, permutation, statistic) for permutation in set(permutations(y))])


@pytest.mark.parametrize("statistic", LAMBDA)
@with_each("name", SMALL)
def test_mean_and_variance_are_those_of_all_shuffles(name: str, statistic: int) -> None:
    x, y = SMALL[name]
    shuffled = _all_shuffled(x, y, statistic)
    law = _law(x, y, statistic)
    # Degrees above two are put together as the third: exact where a side has two levels or few rows.
    assert law[0] == pytest.approx(shuffled.mean(), abs=1e-9)
    assert law[1] == pytest.approx(shuffled.var(), rel=0.01, abs=1e-9)


# As expected, in the diagonal, with a rare level, far out where cells expect many, with one mismatch, and
# with a long tail on the other side.
@with_each(
    "cells",
    [(1, 2, 3, 1), (4, 0, 0, 4), (30, 0, 3, 2), (20, 0, 0, 20), (49, 1, 0, 50), (60, 4, 9, 7)],
)
def test_two_binary_variables_have_the_mid_p_of_fishers_test(cells: tuple[int, ...]) -> None:
    where = np.repeat(np.arange(4), cells)
    law = _law((where // 2).tolist(), (where % 2).tolist(), G_SQUARED)
    table = np.reshape(cells, (2, 2))
    left, right, rows = table[1].sum(), table[:, 1].sum(), table.sum()
    chances = stats.hypergeom(rows, left, right).pmf(
        np.arange(max(0, left + right - rows), min(left, right) + 1)
    )
    at_hand = stats.hypergeom(rows, left, right).pmf(table[1, 1])
    as_likely = np.isclose(chances, at_hand, rtol=1e-6, atol=0.0)
    expected = chances[(chances < at_hand) & ~as_likely].sum() + 0.5 * chances[as_likely].sum()
    assert law[EXACT] == pytest.approx(np.log(expected), abs=1e-9)


@pytest.mark.parametrize("statistic", LAMBDA)
@pytest.mark.parametrize(
    ("rows", "x", "y"),
    [
        (90, (0.3, 0.3, 0.4), (0.2, 0.5, 0.3)),
        (300, (0.9, 0.06, 0.04), (0.5, 0.3, 0.2)),
        (1000, (0.98, 0.02), (0.25, 0.25, 0.5)),
        (60, (0.25,) * 4, (0.25,) * 4),
        (40, (0.1,) * 10, (0.1,) * 10),
    ],
)
def test_mean_and_variance_in_larger_tables(
    rows: int, x: tuple[float, ...], y: tuple[float, ...], statistic: int
) -> None:
    generator = np.random.default_rng(5)
    codes_x, codes_y = (generator.choice(len(shares), rows, p=shares) for shares in (x, y))
    codes_x, codes_y = (np.unique(codes, return_inverse=True)[1] for codes in (codes_x, codes_y))
    margins = np.bincount(codes_x), np.bincount(codes_y)
    tables = stats.random_table(*margins).rvs(20_000, random_state=6)
    expected = np.outer(*margins) / rows
    with np.errstate(divide="ignore", invalid="ignore"):
        deviances = np.where(tables > 0, 2 * tables * np.log(tables / expected), 0.0)
    terms = deviances if statistic == G_SQUARED else (tables - expected) ** 2 / expected
    sums = terms.sum(axis=(1, 2))
    law = _law(codes_x, codes_y, statistic)
    standard_error = sums.std() / np.sqrt(len(sums))
    # Besides chance, one part in a hundred: where cells are nearly full, a series stands for the sums.
    assert law[0] == pytest.approx(sums.mean(), abs=5 * standard_error + 0.01 * sums.mean())
    # The variance of the series errs to the safe side.
    assert 0.93 * sums.var() < law[1] < 1.12 * sums.var()


def test_what_is_remembered_of_earlier_tests_changes_no_answer() -> None:
    generator = np.random.default_rng(8)
    columns = [(generator.random(400) < share).astype(np.int8) for share in np.geomspace(0.004, 0.5, 40)]
    table = discrete_table(columns, [2] * 40, effective=True)
    triples = np.array([generator.permutation(40)[:3] for _ in range(6000)])
    size = generator.integers(0, 2, 6000)

    def answers(order: np.ndarray) -> np.ndarray:
        test = placed_test(table, 1, critical_values(0.05))
        x, y, given = (np.ascontiguousarray(triples[order, place]) for place in range(3))
        results = run_tests(test, x, y, given[:, None], size[order], NO_STOP)
        return np.array([results[0], results[1], results[2]])

    order = generator.permutation(6000)
    once = answers(np.arange(6000))
    np.testing.assert_array_equal(answers(order), once[:, order])
    alone = np.concatenate([answers(np.array([size_index])) for size_index in range(200)], axis=1)
    np.testing.assert_array_equal(alone, once[:, :200])


@pytest.mark.parametrize("levels", [(5, 5, 5), (5, 40), (2,)], ids=str)
def test_where_strata_have_rows_enough_both_ways_of_counting_give_the_same(levels: tuple[int, ...]) -> None:
    generator = np.random.default_rng(4)
    columns = {name: generator.integers(0, 2, 20_000) for name in ("x", "y")}
    held = {f"z{place}": generator.integers(0, count, 20_000) for place, count in enumerate(levels)}
    data = make_test_data(dataset_of(columns | held), "g2").at_level(0.05)
    x, y = data.positions["x"], data.positions["y"]
    given = tuple(data.positions[name] for name in held)
    stop = np.zeros(1, np.uint8)
    by_rows = data.ask_rows(np.array([x]), np.array([y]), np.array([given]), np.array([len(given)]), stop)
    by_set = data.ask_given(x, np.array([y]), [given], stop)
    assert by_set.statistic == pytest.approx(by_rows.statistic, rel=1e-12)
    assert by_set.dof == pytest.approx(by_rows.dof, rel=1e-12)
    assert by_set.log_p == pytest.approx(by_rows.log_p, rel=1e-9)


@pytest.mark.parametrize(
    ("rows", "share_of_x", "share_of_y"), [(400, 0.5, 0.5), (2000, 0.3, 0.12), (900, 0.2, 0.15)]
)
def test_with_many_rows_a_cell_the_mean_is_that_of_all_tables(
    rows: int, share_of_x: float, share_of_y: float
) -> None:
    # By scipy: G² of every table with these margins, by its chance.
    in_x, in_y = round(share_of_x * rows), round(share_of_y * rows)
    law = stats.hypergeom(rows, in_x, in_y)
    both = np.arange(max(0, in_x + in_y - rows), min(in_x, in_y) + 1)
    counts = np.array([both, in_x - both, in_y - both, rows - in_x - in_y + both])
    expected = np.outer([in_x, rows - in_x], [in_y, rows - in_y]).ravel()[:, None] / rows
    mean = float(law.pmf(both) @ (2.0 * special.xlogy(counts, counts / expected)).sum(axis=0))
    row = np.arange(rows)
    law = _law((row < in_x).astype(int), (row < in_y).astype(int), G_SQUARED)
    assert law[0] - 1.0 == pytest.approx(mean - 1.0, rel=0.1)


@pytest.mark.parametrize("count", [4, 5])
def test_one_stratum_that_varies_is_judged_alone_however_the_rows_are_divided(count: int) -> None:
    """With more than three conditioned on, rows are divided; most parts hold no stratum that varies."""
    random = np.random.default_rng(count)
    strata = random.integers(0, 2, (4000, count))
    here = ~strata.any(axis=1)
    frame = pandas.DataFrame(strata, columns=[f"s{number}" for number in range(count)])
    frame["x"] = np.where(here, random.random(4000) < 0.1, 0).astype(int)
    frame["y"] = np.where(here, (random.random(4000) < 0.05) | ((frame["x"] == 1) & (strata[:, 0] == 0)), 0)
    frame["y"] = frame["y"].astype(int)
    given = list(frame.columns[:count])
    whole = engine.ci_test("g2", engine.Dataset.from_frame(frame), "x", "y", given=given)
    alone = engine.ci_test("g2", engine.Dataset.from_frame(frame.loc[here, ["x", "y"]]), "x", "y")
    assert whole.statistic == pytest.approx(alone.statistic)
    assert whole.log_p == pytest.approx(alone.log_p, rel=1e-6)
