"""G² and X² with sampling weights: the linearised law, levels and power where weights go with variables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from engine.independence.arranging import ci_test, make_test_data
from engine.independence.batch import ask
from engine.independence.record import TestRecord
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

NO_STOP = np.zeros(1, dtype=np.uint8)
NAMES = "xyuv"


def _table(columns: list[np.ndarray], levels: tuple[int, ...], weights: np.ndarray | None) -> Dataset:
    variables = tuple(
        Variable(name, Kind.NOMINAL, levels=tuple("abcd"[:count]))
        for name, count in zip(NAMES, levels, strict=False)
    )
    if weights is None:
        return Dataset(variables, tuple(columns))
    weight = Variable("w", Kind.CONTINUOUS, Role.WEIGHT)
    return Dataset((*variables, weight), (*columns, weights.astype(float)))


def _population(
    generator: np.random.Generator, rows: int, levels: tuple[int, ...], copied: float = 0.0
) -> list[np.ndarray]:
    """Draw x and y that depend on all others, and on each other where a share of y is copied from x."""
    held = [generator.integers(0, count, rows) for count in levels[2:]]
    shift = sum(held, np.zeros(rows, dtype=np.int64))
    x, y = (
        np.minimum((generator.random(rows) ** (1.2 + 0.3 * (shift % 2)) * count).astype(int), count - 1)
        for count in levels[:2]
    )
    y = np.where(generator.random(rows) < copied, np.minimum(x, levels[1] - 1), y)
    return [x, y, *held]


def _sample(
    generator: np.random.Generator, rows: int, levels: tuple[int, ...], kind: str, copied: float = 0.0
) -> tuple[list[np.ndarray], np.ndarray]:
    """Draw rows of a population, those of great weight the more rarely."""
    columns = _population(generator, 8 * rows, levels, copied)
    x, y = columns[:2]
    weights = {
        "x": lambda: np.where(x == 0, 4.0, 1.0),
        "y": lambda: np.where(y == 0, 4.0, 1.0),
        "both": lambda: np.where(x == 0, 3.0, 1.0) * np.where(y == 0, 3.0, 1.0),
        "agreement": lambda: np.where((x == 0) == (y == 0), 4.0, 1.0),
        "nothing": lambda: np.clip(generator.lognormal(0.0, 0.7, len(x)), 0.1, 10.0),
    }[kind]()
    drawn = np.flatnonzero(generator.random(len(x)) < weights.min() / weights)[:rows]
    if len(drawn) < rows:
        # Where few rows have the smallest weights, in proportion to one over the weights.
        drawn = generator.choice(len(x), rows, replace=False, p=1.0 / weights / (1.0 / weights).sum())
    return [column[drawn] for column in columns], weights[drawn]


def _share_significant(
    test: str, levels: tuple[int, ...], kind: str, replicates: int, copied: float = 0.0
) -> float:
    rejections = 0
    for seed in range(replicates):
        columns, weights = _sample(np.random.default_rng([31, seed]), 500, levels, kind, copied)
        data = make_test_data(_table(columns, levels, weights), test).at_level(0.05)
        question = (0, 1, tuple(range(2, len(levels))))
        rejections += ask(data, [question], NO_STOP).log_p[0] <= math.log(0.05)
    return rejections / replicates


def _test(table: Dataset, test: str = "g2", given: tuple[str, ...] = ()) -> TestRecord:
    return ci_test(test, table, "x", "y", list(given))


def _assert_same(actual: TestRecord, expected: TestRecord, rel: float = 1e-9) -> None:
    for field in ("statistic", "dof", "log_p", "effect"):
        assert getattr(actual, field) == pytest.approx(getattr(expected, field), rel=rel), field


LEVELS = [
    (2, 3, 2),
    *(
        pytest.param(case, marks=pytest.mark.long)
        for case in ((2, 2), (3, 3), (3, 3, 3), (2, 2, 2, 3), (3, 3, 2, 2))
    ),
]


# Which of the two comes first changes nothing: x alone is left to --long.
@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("kind", [pytest.param("x", marks=pytest.mark.long), "y", "both"])
def test_weights_that_go_with_tested_variables_keep_the_level(kind: str, levels: tuple[int, ...]) -> None:
    # Of two dozen cases one would else be outside by chance, as one was that keeps its level.
    replicates = 1000 if levels == (2, 3, 2) else 4000
    assert 0.03 <= _share_significant("g2", levels, kind, replicates) <= 0.07


@pytest.mark.parametrize(("test", "kind"), [("x2", "both"), ("g2", "agreement"), ("g2", "nothing")])
@pytest.mark.parametrize("levels", [(2, 3, 2), pytest.param((3, 3), marks=pytest.mark.long)])
def test_so_do_others_and_pearson(test: str, kind: str, levels: tuple[int, ...]) -> None:
    assert 0.03 <= _share_significant(test, levels, kind, 1000) <= 0.07


@pytest.mark.parametrize("test", ["g2", "x2"])
@pytest.mark.parametrize("levels", [(3, 4, 2), (2, 3, 2, 2), (2, 2, 3, 3)])
def test_weights_that_go_with_what_is_held_fixed_change_nothing(test: str, levels: tuple[int, ...]) -> None:
    columns = _population(np.random.default_rng(4), 300, levels, copied=0.1)
    weights = 1.0 + 3.0 * columns[2] + (0.7 * columns[3] if len(levels) > 3 else 0.0)
    given = tuple(NAMES[2 : len(levels)])
    result = _test(_table(columns, levels, weights), test, given)
    expected = _test(_table(columns, levels, None), test, given)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert result.dof == pytest.approx(expected.dof, rel=1e-6)
    assert result.log_p == pytest.approx(expected.log_p, rel=1e-6)


@pytest.mark.parametrize("test", ["g2", "x2"])
@pytest.mark.parametrize("levels", [(3, 3), (2, 4, 2), (3, 3, 3, 3)])
def test_nearly_equal_weights_change_next_to_nothing(test: str, levels: tuple[int, ...]) -> None:
    columns = _population(np.random.default_rng(5), 150, levels, copied=0.1)
    weights = 7.0 + 1e-7 * (np.arange(150) % 2)
    given = tuple(NAMES[2 : len(levels)])
    expected = _test(_table(columns, levels, None), test, given)
    result = _test(_table(columns, levels, weights), test, given)
    _assert_same(result, expected, rel=1e-5)


def _linearised(counts: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weighted table, and the eigenvalues of Rao and Scott's matrix by its definition.

    The covariance of the table's residuals is that of independent cells with the weights of their rows, seen
    through what is left when both margins are fitted; the statistic's metric is one over the expectations.
    """
    table = counts * weights
    total = table.sum()
    p, q = table.sum(axis=1) / total, table.sum(axis=0) / total
    expected = total * np.outer(p, q)
    residual = np.kron(
        np.eye(len(p)) - np.outer(p, np.ones(len(p))), np.eye(len(q)) - np.outer(q, np.ones(len(q)))
    )
    covariance = residual @ np.diag((weights * expected).ravel()) @ residual.T
    matrix = covariance / np.sqrt(np.outer(expected.ravel(), expected.ravel()))
    eigenvalues = np.sort(np.linalg.eigvalsh(matrix))[::-1]
    return table, eigenvalues[: (len(p) - 1) * (len(q) - 1)]


@pytest.mark.parametrize("test", ["g2", "x2"])
def test_statistic_and_law_are_those_of_the_linearised_covariance(test: str) -> None:
    weights = np.array([[1.0, 3.0, 0.5, 1.0], [2.0, 6.0, 1.0, 2.0], [1.0, 1.0, 4.0, 9.0]])
    generator = np.random.default_rng(6)
    # So many rows that sparse cells are none.
    counts = generator.multinomial(60_000, (1.0 / weights / (1.0 / weights).sum()).ravel()).reshape(3, 4)
    x, y = (np.repeat(index.ravel(), counts.ravel()) for index in np.indices(counts.shape))
    result = _test(_table([x, y], (3, 4), np.repeat(weights.ravel(), counts.ravel())), test)
    table, eigenvalues = _linearised(counts, weights)
    whole = stats.chi2_contingency(
        table, correction=False, lambda_="log-likelihood" if test == "g2" else "pearson"
    )
    assert result.statistic == pytest.approx(whole.statistic / eigenvalues.mean(), rel=1e-9)
    satterthwaite = eigenvalues.sum() ** 2 / np.square(eigenvalues).sum()
    assert satterthwaite < 4.5
    p_value = stats.chi2.sf(whole.statistic * satterthwaite / eigenvalues.sum(), satterthwaite)
    assert result.p_value == pytest.approx(p_value, rel=0.01)
    assert result.effect == pytest.approx(math.sqrt(-math.expm1(-whole.statistic / table.sum())), rel=1e-9)


def test_two_by_two_is_nearly_the_robust_wald_test_of_a_weighted_logistic_regression() -> None:
    import statsmodels.api as sm

    # Where the effect is small, Wald's and the score test agree.
    columns, weights = _sample(np.random.default_rng(7), 50_000, (2, 2), "agreement", copied=0.02)
    x, y = columns
    result = _test(_table(columns, (2, 2), weights), "x2")
    design = sm.add_constant(x.astype(float))
    fitted = sm.GLM(y, design, family=sm.families.Binomial(), var_weights=weights).fit(cov_type="HC0")
    wald = float(fitted.tvalues[1]) ** 2
    assert wald > 8.0
    assert result.statistic == pytest.approx(wald, rel=0.02)


@pytest.mark.parametrize(("kind", "levels"), [("x", (2, 3, 2)), ("both", (3, 3, 2, 2))])
def test_more_is_found_than_with_one_factor_for_all_rows(kind: str, levels: tuple[int, ...]) -> None:
    """Kish's effective number in place of the rows, as for weights that go with nothing."""
    rejections, by_one_factor = 0, 0
    for seed in range(200):
        columns, weights = _sample(np.random.default_rng([32, seed]), 500, levels, kind, copied=0.14)
        factor = weights.sum() / np.square(weights).sum()
        strata = np.ravel_multi_index(columns[2:], levels[2:])
        statistic, dof = 0.0, 0
        for stratum in np.unique(strata):
            inside = strata == stratum
            table = np.zeros(levels[:2])
            np.add.at(table, (columns[0][inside], columns[1][inside]), weights[inside] * factor)
            table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
            outcome = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
            statistic, dof = statistic + outcome.statistic, dof + outcome.dof
        by_one_factor += stats.chi2.sf(statistic, dof) <= 0.05
        rejections += (
            _test(_table(columns, levels, weights), "g2", tuple(NAMES[2 : len(levels)])).p_value <= 0.05
        )
    assert rejections >= by_one_factor + 20


def test_weights_that_go_with_nothing_cost_what_the_effective_number_of_rows_says() -> None:
    generator = np.random.default_rng(8)
    columns = _population(generator, 20_000, (3, 3), copied=0.1)
    weights = generator.lognormal(0.0, 0.5, 20_000)
    result = _test(_table(columns, (3, 3), weights))
    table = np.zeros((3, 3))
    np.add.at(table, (columns[0], columns[1]), weights * weights.sum() / np.square(weights).sum())
    expected = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
    assert result.statistic == pytest.approx(expected, rel=0.03)


def test_rows_with_gaps_are_left_out() -> None:
    columns, weights = _sample(np.random.default_rng(9), 400, (3, 3, 2), "both", copied=0.2)
    gaps = np.random.default_rng(10).random((3, 400)) < 0.1
    with_gaps = [np.where(missing, -1, column) for missing, column in zip(gaps, columns, strict=True)]
    whole = ~gaps.any(axis=0)
    result = _test(_table(with_gaps, (3, 3, 2), weights), given=("u",))
    complete = _table([column[whole] for column in columns], (3, 3, 2), weights[whole])
    _assert_same(result, _test(complete, given=("u",)))
    assert result.rows == whole.sum()
