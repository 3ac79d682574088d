"""Where independence holds, p-values are uniform, and levels and shares of false discoveries are kept.

Every bound follows from the law of chance and fails a right program once in ten thousand; the seeds are
fixed, so that a test either always passes or never.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from scipy import stats

import engine
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.independence.arranging import make_test_data
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from tests.engine.independence.calibration import (
    FAILURE,
    NO_STOP,
    conditionally_independent,
    dataset_of,
    draw,
    most_rejections,
    p_values,
    p_values_of,
)
from tests.examples import first_of

REPLICATES = 500
# Enough for the law of chi-squared to hold in every cell of the tables.
ROWS = 2000
LEVELS = (0.1, 0.05, 0.01)
SIZES = (0, 1, 2)
_NOMINAL, _NUMBER = Kind.NOMINAL, Kind.CONTINUOUS


def _case(test: str, kinds: tuple[Kind, Kind, Kind], size: int) -> object:
    """A case; of tests that take both kinds those of one kind, and one that has both, are the short form.

    Of a test that takes twenty times as long as others, one variable held fixed is left to two, and numbers
    held fixed where a number and a category are tested to those where two numbers are.
    """
    is_short = len(set(kinds)) == 1 or (size == 2 and kinds[0] != kinds[1] == kinds[2])
    is_short = is_short and not (test == "rcot" and (size == 1 or kinds == (_NOMINAL, _NUMBER, _NUMBER)))
    return pytest.param(test, kinds, size, marks=[] if is_short else [pytest.mark.long])


CASES = [
    _case(test, kinds, size)
    for test in engine.ci_tests()
    for kinds in product(engine.ci_tests()[test].data, repeat=3)
    for size in SIZES
    # Without a set its kind says nothing.
    if size or kinds[2] is engine.ci_tests()[test].data[0]
]


# What is left of a level, and of the square of a number, holds products of what is held fixed where both hang
# on a sum of it: the test supposes that what is held fixed adds up.
DOES_NOT_HOLD = (("basis", (_NUMBER, _NOMINAL, _NUMBER), 2),)
# Rows of those that are made for small tables, where few rows are what upsets them; those that permute rows
# need no law of chi-squared.
FEW_ROWS = {"rcot": 400, "g2-permutation": 400, "x2-permutation": 400}
# Its p-values are 1 wherever its approximation knows no better, so that they are no less than uniform.
CONSERVATIVE = ("rcot",)


def _name(part: object) -> str:
    return "-".join(kind.value for kind in part) if isinstance(part, tuple) else str(part)


@pytest.mark.parametrize(("test", "kinds", "size"), CASES, ids=_name)
def test_p_values_are_uniform_under_independence(
    request: pytest.FixtureRequest, test: str, kinds: tuple[Kind, Kind, Kind], size: int
) -> None:
    if (test, kinds, size) in DOES_NOT_HOLD:
        request.applymarker(pytest.mark.xfail(strict=True, reason="products of what is held fixed stay"))
    rows = FEW_ROWS.get(test, ROWS)
    dataset = conditionally_independent(kinds, size, rows, REPLICATES, seed=11 + size)
    p = p_values(test, dataset, size)
    if test in CONSERVATIVE:
        for alpha in LEVELS:
            assert (p <= alpha).sum() <= most_rejections(REPLICATES, alpha)
        return
    rejected = {alpha: int((p <= alpha).sum()) for alpha in LEVELS}
    said = f"{test}: of {REPLICATES} independent pairs, so many are rejected at each level: {rejected}"
    assert stats.kstest(p, "uniform").pvalue > FAILURE, said
    for alpha, count in rejected.items():
        assert stats.binomtest(count, REPLICATES, alpha).pvalue > FAILURE, said


@pytest.mark.parametrize("test", engine.ci_tests())
def test_the_set_is_what_makes_the_pairs_independent(test: str) -> None:
    # Else the test above would not show that conditioning works.
    dataset = conditionally_independent((engine.ci_tests()[test].data[0],) * 3, 2, ROWS, 100, seed=3)
    rejected = int((p_values(test, dataset, 2) <= 0.01).sum())
    said = f"{test}: of 100 pairs that the set makes independent, {rejected} are rejected at 0.01"
    assert rejected <= most_rejections(100, 0.01), said
    assert p_values_of(test, dataset, [("x0", "y0", ())]) < 0.01


# Rows, chances of the levels of x and of y, number of strata: few rows a cell, each in its own way.
SPARSE = {
    "many strata": (100, (0.5, 0.5), (0.7, 0.3), 32),
    "many levels": (100, (0.1,) * 10, (0.1,) * 10, 1),
    "many levels and strata": (150, (1 / 3,) * 3, (0.6, 0.3, 0.1), 9),
    "rare levels": (300, (0.99, 0.01), (0.9, 0.1), 1),
}
# Where few rows mislead the law of chi-squared into too small p-values.
MISLEADING = ("many strata", "many levels", "many levels and strata")
SPARSE_REPLICATES = 1000
TESTS_OF_TABLES = ("g2", "x2", "g2-permutation", "x2-permutation", "rcot")


@functools.lru_cache(maxsize=len(SPARSE))
def _sparse_table(name: str) -> Dataset:
    """Make many independent pairs, each with a variable of its own that divides the rows into strata."""
    rows, chances_x, chances_y, strata = SPARSE[name]
    generator = np.random.default_rng(21)
    columns = {}
    for pair in range(SPARSE_REPLICATES):
        columns[f"s{pair}"] = generator.integers(0, strata, rows)
        columns[f"x{pair}"] = generator.choice(len(chances_x), rows, p=chances_x)
        columns[f"y{pair}"] = generator.choice(len(chances_y), rows, p=chances_y)
    return dataset_of(columns)


def _sparse_p_values(test: str, name: str, **options: str) -> np.ndarray:
    """Test many independent pairs, each given a variable of its own."""
    pairs: Sequence[int] = range(SPARSE_REPLICATES)
    if test in FEWER_REPLICATES:
        pairs = first_of(pairs, 300)
    questions = [(f"x{pair}", f"y{pair}", (f"s{pair}",)) for pair in pairs]
    return p_values_of(test, _sparse_table(name), questions, **options)


@pytest.mark.parametrize("name", SPARSE)
@pytest.mark.parametrize("test", TESTS_OF_TABLES)
def test_sparse_tables_keep_their_level(test: str, name: str) -> None:
    """Of the slowest test, fewer pairs than with ``--long``."""
    p = _sparse_p_values(test, name)
    for alpha in (*LEVELS, 0.001):
        assert (p <= alpha).sum() <= most_rejections(len(p), alpha)


@pytest.mark.parametrize("name", MISLEADING)
def test_chi_squared_with_adjusted_degrees_of_freedom_does_not(name: str) -> None:
    # More than twice the level, by more than chance explains.
    rejected = int((_sparse_p_values("g2", name, dof="adjusted") <= 0.05).sum())
    assert stats.binomtest(rejected, SPARSE_REPLICATES, 2 * 0.05, alternative="greater").pvalue < FAILURE


@pytest.mark.parametrize(("in_x", "in_y"), [(30, 30), (40, 45), (60, 70)])
@pytest.mark.parametrize("test", ["g2", "x2"])
def test_far_tails_hold_where_a_cell_expects_few_rows(test: str, in_x: int, in_y: int) -> None:
    # Exactly: all tables that the margins allow, by their chances. A correction for many tests reads them.
    rows = 300
    columns = {"x": np.arange(rows) < in_x} | {
        f"y{both}": (np.arange(rows) >= in_x - both) & (np.arange(rows) < in_x - both + in_y)
        for both in range(min(in_x, in_y) + 1)
    }
    dataset = dataset_of({name: column.astype(np.int64) for name, column in columns.items()})
    p = p_values_of(test, dataset, [("x", f"y{both}", ()) for both in range(min(in_x, in_y) + 1)])
    chances = stats.hypergeom(rows, in_x, in_y).pmf(np.arange(len(p)))
    for alpha in (1e-3, 1e-4, 1e-5):
        # Between two tables there is no p: half of the chance of the last one may be beyond.
        assert chances[p <= alpha].sum() <= 2.5 * alpha


SCREEN_REPLICATES = (100, pytest.param(200, marks=pytest.mark.long))
# Of a test that takes twenty times as long as others.
FEWER_REPLICATES = {"rcot": 50}
FEATURES = 20
# Those with a relative that screens in the same way, by another statistic or by ranks, are left to --long.
_RELATIVES = ("x2-permutation", "fisher-z-rank")
SCREENED = [
    pytest.param(ci_test, marks=[pytest.mark.long] if ci_test in _RELATIVES else [])
    for ci_test in engine.ci_tests()
]
SCREEN_ROWS = 500


@functools.lru_cache(maxsize=4)
def _screened_tables(kind: Kind, related: int, replicates: int) -> list[Dataset]:
    """Make tables with a target that depends on the first features."""
    generator = np.random.default_rng(31)
    tables = []
    for _ in range(replicates):
        columns = {
            f"f{place}": draw(generator, kind, np.zeros(SCREEN_ROWS), 2 + place % 2)
            for place in range(FEATURES)
        }
        strength = sum((columns[f"f{place}"] for place in range(related)), np.zeros(SCREEN_ROWS))
        columns["t"] = draw(generator, kind, strength - strength.mean(), 2)
        tables.append(dataset_of(columns, labels=["t"]))
    return tables


def _false_shares(test: str, related: int, alpha: float, replicates: int) -> np.ndarray:
    """Share of false ones among what the screen lets in, of a target that depends on the first features."""
    settings = engine.DiscoverySettings(test=test, alpha=alpha)
    tables = _screened_tables(engine.ci_tests()[test].data[0], related, replicates)
    shares = []
    for table in tables[: FEWER_REPLICATES.get(test)]:
        data = make_test_data(table, test).at_level(alpha)
        passed = Neighbourhoods(data, settings, NO_STOP).screen(data.positions["t"]).candidates
        shares.append(float((passed >= related).mean()) if passed.size else 0.0)
    return np.array(shares)


@pytest.mark.parametrize("replicates", SCREEN_REPLICATES)
@pytest.mark.parametrize("test", SCREENED)
def test_false_discoveries_keep_their_level_when_nothing_is_related(test: str, replicates: int) -> None:
    alpha = 0.05
    assert engine.DiscoverySettings().false_discovery == "bh"
    shares = _false_shares(test, 0, alpha, replicates)
    assert set(np.unique(shares)) <= {0.0, 1.0}
    assert shares.sum() <= most_rejections(len(shares), alpha)


@pytest.mark.parametrize("replicates", SCREEN_REPLICATES)
@pytest.mark.parametrize("test", SCREENED)
def test_false_discoveries_keep_their_level_among_true_ones(test: str, replicates: int) -> None:
    alpha, related = 0.1, 6
    shares = _false_shares(test, related, alpha, replicates)
    # Of what Benjamini and Hochberg's theorem promises, the share of unrelated features.
    expected = alpha * (FEATURES - related) / FEATURES
    error = shares.std(ddof=1) / np.sqrt(len(shares))
    assert shares.mean() <= expected + stats.norm.isf(FAILURE) * error
    # And the level is used: the control is no blunter than it says.
    assert shares.mean() >= expected - stats.norm.isf(FAILURE) * error
