"""The likelihood ratio with basis functions against Fisher's z, statsmodels and known truth."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import chi2
from statsmodels.multivariate.manova import MANOVA
from statsmodels.regression.linear_model import OLS

import engine
from engine.independence.arranging import make_test_data
from engine.independence.basis.arranging import basis_table, screened_products
from engine.independence.basis.blocks import (
    Block,
    category_block,
    most_columns_of_category,
    most_columns_of_number,
    number_block,
)
from engine.independence.basis.ratio import equivalents_of
from engine.independence.basis.table import BasisTable
from engine.independence.chi_squared import critical_values
from engine.independence.data import TestData
from engine.independence.interface import placed_test, run_tests
from tests.engine.independence.calibration import dataset_of_frame
from tests.with_each import with_each

HUGE = 1e308


def mixed_frame(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """A chain a → b → c → d with a category in it, and e beside it."""
    random = np.random.default_rng(seed)
    a = random.standard_normal(rows)
    b = (a + random.standard_normal(rows) > 0).astype(int) + (random.random(rows) < 0.3)
    c = b - 0.5 * b**2 + random.standard_t(4, rows)
    d = c**2 + random.standard_normal(rows)
    return pd.DataFrame({"a": a, "b": b.astype(int), "c": c, "d": d, "e": random.exponential(size=rows)})


def blocks_of(frame: pd.DataFrame, degree: int = 3) -> dict[str, Block]:
    blocks = {}
    for name in frame:
        values = frame[name].to_numpy()
        block = category_block(values, values.max() + 1) if values.dtype.kind == "i" else None
        blocks[str(name)] = block or number_block(values, degree)
    return blocks


@pytest.mark.parametrize("given", [(), ("c",), ("c", "d"), ("c", "d", "e")])
def test_degree_one_is_fishers_z_by_another_transformation(given: tuple[str, ...]) -> None:
    random = np.random.default_rng(1)
    rows = 300
    values = np.clip(random.standard_normal((rows, 5)), -3.0, 3.0)
    values[:, 1] += 0.4 * values[:, 0] + 0.3 * values[:, 2]
    values[:, 3] += 0.5 * values[:, 0]
    data = dataset_of_frame(pd.DataFrame(values, columns=list("abcde")))
    z = engine.ci_test("fisher-z", data, "a", "b", given).statistic
    result = engine.ci_test("basis", data, "a", "b", given, degree=1)
    correlation = math.tanh(abs(z) / math.sqrt(rows - len(given) - 3))
    from_ratio = math.sqrt(-math.expm1(-result.statistic / (rows - len(given) - 2.5)))
    assert result.dof == 1
    # With nothing held fixed the far tail is that over permutations of the rows, which is all but the same.
    assert from_ratio == pytest.approx(correlation, rel=1e-9 if given else 1e-4)


def wilks(x: np.ndarray, y: np.ndarray, given: list[np.ndarray]) -> float:
    """Wilks' lambda of y and x given others, by statsmodels."""
    if len(y) == 1:
        return left_by(y[0], [*given, x]) / left_by(y[0], given)
    held = np.concatenate([np.ones((1, x.shape[1])), *given]).T
    tested = np.zeros((len(x), held.shape[1] + len(x)))
    tested[:, held.shape[1] :] = np.eye(len(x))
    design = np.column_stack((held, x.T))
    answer = MANOVA(y.T, design).mv_test([("x", tested, None, np.zeros((len(x), len(y))))])
    return float(answer.results["x"]["stat"].loc["Wilks' lambda", "Value"])


def left_by(column: np.ndarray, held: list[np.ndarray]) -> float:
    """Share of the variance of a column that others leave."""
    fit = OLS(column, np.vstack((np.ones((1, len(column))), *held)).T).fit()
    return float(fit.ssr / fit.centered_tss)


def split_columns(block: Block, values: np.ndarray, held: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Give the columns that stand for a variable itself, and the others, as they are compared given a set."""
    tested = block.columns[: block.tested]
    if not block.is_graded:
        return tested, tested[:0]
    if not held:
        return tested[:1], tested[1:]
    rest = block.columns[block.tested : block.tested + 1]
    scores = tested[0]
    itself = values if 0.9 * left_by(values, held) < left_by(scores, held) else scores
    is_rest_much = left_by(values, [tested]) >= 0.05
    return itself[np.newaxis], np.vstack((tested[1:], rest)) if is_rest_much else tested[1:]


def log_p_of_weighted_sum(leading: float, whole: float, leading_dof: int, dof: int) -> float:
    """Logarithm of the tail of chi-squared and half of another one, from the density of either."""
    total = leading + 0.5 * (whole - leading)
    rest = dof - leading_dof
    if rest == 0:
        return float(chi2.logsf(whole, dof))

    def density(first: float) -> float:
        return float(chi2.pdf(first, leading_dof) * chi2.sf(2.0 * (total - first), rest))

    # From the root on, as the density of one degree of freedom is infinite at 0.
    inner = quad(lambda root: 2.0 * root * density(root**2), 0.0, math.sqrt(total), epsabs=0.0, limit=500)[0]
    return math.log(inner + chi2.sf(total, leading_dof))


@pytest.mark.parametrize(
    ("x", "y", "given"),
    [
        # Not far in the tail, which is that over permutations of the rows where nothing is held fixed.
        ("a", "c", ()),
        ("b", "e", ()),
        ("a", "c", ("b",)),
        ("d", "e", ("a", "b")),
        ("b", "d", ("c", "a", "e")),
        ("a", "b", ("e",)),
        ("c", "d", ("a",)),
    ],
)
def test_agrees_with_wilks_lambda_of_statsmodels(x: str, y: str, given: tuple[str, ...]) -> None:
    frame = mixed_frame()
    blocks = blocks_of(frame)
    held = [blocks[name].columns for name in given]
    left = len(frame) - 1 - sum(len(block) for block in held)
    (first_x, rest_x), (first_y, rest_y) = (
        split_columns(blocks[name], frame[name].to_numpy(), held) for name in (x, y)
    )
    # All of y with x itself, and y itself with the rest of x, or all of it where nothing is held fixed.
    parts = [(first_x, np.vstack((first_y, rest_y)), held)]
    if len(rest_x):
        parts.append((rest_x, first_y if given else np.vstack((first_y, rest_y)), [*held, first_x]))
    dof = sum(len(first) * len(second) for first, second, _ in parts)
    taken = sum(
        len(first) * len(second) * (sum(map(len, others[len(held) :])) + (len(first) + len(second) + 1) / 2)
        for first, second, others in parts
    )
    whole = -(left - taken / dof) * sum(math.log(wilks(*part)) for part in parts)
    scale = left - (len(first_x) + len(first_y) + 1) / 2
    leading = -scale * math.log(wilks(first_x, first_y, held))
    result = engine.ci_test("basis", dataset_of_frame(frame), x, y, given)
    assert result.dof == dof
    expected = log_p_of_weighted_sum(leading, whole, len(first_x) * len(first_y), dof)
    assert result.log_p == pytest.approx(expected, rel=1e-4, abs=2e-3)
    assert result.log_p == pytest.approx(chi2.logsf(result.statistic, dof), rel=1e-9)


def test_a_two_level_response_is_the_likelihood_ratio_of_least_squares() -> None:
    frame = mixed_frame()
    frame["b"] = (frame["b"] > 0).astype(int)
    blocks = blocks_of(frame)
    held = np.vstack((np.ones(len(frame)), blocks["c"].columns)).T
    itself, rest = split_columns(blocks["a"], frame["a"].to_numpy(), [blocks["c"].columns])
    without, straight, curved = (
        OLS(frame["b"].to_numpy(), np.column_stack((held, *parts))).fit()
        for parts in ((), (itself.T,), (itself.T, rest.T))
    )
    result = engine.ci_test("basis", dataset_of_frame(frame), "a", "b", ["c"])
    left, dof = len(frame) - held.shape[1], 1 + len(rest)
    leading = straight.compare_lr_test(without)[0] / len(frame) * (left - 1.5)
    whole = curved.compare_lr_test(without)[0] / len(frame) * (left - (dof + 2) / 2)
    assert result.dof == dof
    assert result.log_p == pytest.approx(log_p_of_weighted_sum(leading, whole, 1, dof), rel=1e-4)


@pytest.mark.parametrize(("leading", "rest"), [(1, 1), (1, 8), (1, 35), (4, 12), (9, 27)])
def test_weighted_sums_are_as_unlikely_as_said(leading: int, rest: int) -> None:
    sums = np.linspace(0.3, 10.0, 12) ** 2
    values = equivalents_of(leading, 3, 35)[leading, rest // leading]
    steps = np.arange(len(values)) * 0.125
    log_p_values = chi2.logsf(np.interp(np.sqrt(sums), steps, values - steps**2) + sums, leading + rest)
    for total, log_p in zip(sums, log_p_values, strict=True):
        whole = 2.0 * total
        assert log_p == pytest.approx(log_p_of_weighted_sum(0.0, whole, leading, leading + rest), abs=2e-3)


def test_a_block_is_orthonormal_and_holds_what_it_should() -> None:
    random = np.random.default_rng(2)
    numbers = np.exp(2.0 * random.standard_normal(1000))
    block = number_block(numbers, degree=3)
    np.testing.assert_allclose(block.columns @ block.columns.T, np.eye(len(block.columns)), atol=1e-12)
    np.testing.assert_allclose(block.columns.sum(axis=1), 0.0, atol=1e-10)
    ranks = pd.Series(numbers).rank().to_numpy()
    design = np.vstack((np.ones(1000), block.columns)).T
    clipped = np.minimum(numbers, np.quantile(numbers, 0.6))
    for power in (ranks / 1000, (ranks / 1000) ** 2, (ranks / 1000) ** 3):
        assert OLS(power, design).fit().ssr < 1e-18
    assert OLS(clipped, design).fit().rsquared > 0.97
    np.testing.assert_allclose(OLS(numbers, design).fit().rsquared, 1.0)


@pytest.mark.parametrize(
    ("values", "columns"),
    [
        (np.repeat([0.0, 1.0], 50), 1),
        (np.repeat([0.0, 1.0, 7.0], 50), 2),
        (np.repeat([3.0], 50), 0),
        (np.r_[np.zeros(180), 1 + np.arange(20)], 3),
        (np.r_[-HUGE, np.arange(98.0), HUGE], 4),
    ],
)
def test_ties_lower_the_degree(values: np.ndarray, columns: int) -> None:
    block = number_block(values, degree=3)
    assert np.isfinite(block.columns).all()
    assert len(block.columns) in (columns, columns + 1)
    assert len(block.columns) < len(np.unique(values))


@pytest.mark.parametrize(("rows", "degree"), [(4095, 3), (4096, 4), (15_625, 5), (46_656, 6)])
def test_the_degree_follows_from_the_rows_unless_it_is_chosen(rows: int, degree: int) -> None:
    numbers = np.random.default_rng(rows).normal(size=rows)
    assert number_block(numbers).tested == degree == most_columns_of_number(None, rows)[0]
    assert number_block(numbers, degree=2).tested == 2
    # Groups of rows are so many cases.
    assert number_block(numbers, units=100).tested == 3


def test_rare_levels_are_taken_together() -> None:
    codes = np.r_[np.zeros(50, int), np.ones(40, int), [2, 2, 3, 3, 4]]
    assert len(category_block(codes, 5).columns) == 2
    assert len(category_block(codes[:-3], 5).columns) == 1
    assert len(category_block(np.r_[np.zeros(50, int), 1], 2).columns) == 1
    assert len(category_block(np.zeros(50, int), 3).columns) == 0


@with_each("degree", [1, 3, 5])
@pytest.mark.parametrize("draw", ["standard_normal", "standard_cauchy", "standard_exponential"])
def test_rows_that_occurred_once_each_are_as_good_as_without_counts(draw: str, degree: int) -> None:
    numbers = getattr(np.random.default_rng(11), draw)(400)
    plain, counted = number_block(numbers, degree), number_block(numbers, degree, times=np.ones(400))
    np.testing.assert_allclose(plain.columns, counted.columns, atol=1e-10)
    np.testing.assert_allclose(plain.itself, counted.itself, atol=1e-10)
    np.testing.assert_allclose(plain.carrying, counted.carrying, rtol=1e-10)
    shuffled = np.random.default_rng(12).permutation(400)
    np.testing.assert_allclose(number_block(numbers[shuffled], degree).columns, plain.columns[:, shuffled])


def test_room_is_enough_for_what_the_columns_of_a_variable_are() -> None:
    random = np.random.default_rng(13)
    for rows in (20, 299, 300, 12_000):
        codes = random.integers(0, 9, rows) * random.integers(0, 2, rows)
        block = category_block(codes, 9)
        assert (block.tested, 0) <= most_columns_of_category(codes, 9)
        for numbers in (random.standard_normal(rows), random.poisson(1.0, rows).astype(float)):
            for degree in (1, 3):
                block = number_block(numbers, degree)
                most = most_columns_of_number(degree, rows)
                assert block.tested <= most[0]
                assert len(block.columns) - block.tested <= most[1]


def test_columns_close_up_where_there_is_too_much_room() -> None:
    random = np.random.default_rng(14)
    blocks = [number_block(random.poisson(1.0, 400).astype(float), 3), category_block(np.arange(400) % 2, 2)]
    blocks += [number_block(random.standard_normal(400), 3), category_block(np.zeros(400, int), 1)]
    tight = basis_table(blocks, [(block.tested, len(block.columns) - block.tested) for block in blocks])
    wide = basis_table(iter(blocks), [(7, 5)] * 4)
    for tight_array, wide_array in zip(tight, wide, strict=True):
        np.testing.assert_array_equal(tight_array, wide_array)
    for place, block in enumerate(blocks):
        tested = wide.columns[wide.tested[place] : wide.tested[place + 1]]
        further = wide.columns[wide.further[place] : wide.further[place + 1]]
        np.testing.assert_array_equal(np.vstack((tested, further)), block.columns)


def random_table(variables: int, rows: int, seed: int) -> BasisTable:
    """Numbers, and every fourth a category with a rare level: a test leaves out what few rows carry."""
    random = np.random.default_rng(seed)
    values = random.standard_normal((variables, rows))
    values[1:] += 0.7 * values[:-1]
    blocks = [
        category_block(np.searchsorted([0.0, 2.2], column), 3) if place % 4 == 3 else number_block(column, 3)
        for place, column in enumerate(values)
    ]
    return basis_table(blocks, [(3, 2)] * len(blocks))


def outcomes(table: BasisTable, questions: np.ndarray, size: int) -> tuple[np.ndarray, ...]:
    x, y, given = questions[:, 0].copy(), questions[:, 1].copy(), questions[:, 2:].copy()
    sizes, stop = np.full(len(x), size), np.zeros(1, np.uint8)
    return run_tests(placed_test(table, given.shape[1], critical_values(0.05)), x, y, given, sizes, stop)


@pytest.mark.parametrize("size", [0, 1, 3])
def test_products_made_pair_by_pair_give_the_same(size: int) -> None:
    table = random_table(120, 200, seed=3)
    random = np.random.default_rng(4)
    questions = np.array([random.permutation(120)[:5] for _ in range(20_000)])
    at_once = outcomes(table, questions, size)
    by_pair = outcomes(table._replace(products=np.empty((0, 0))), questions, size)
    np.testing.assert_allclose(by_pair[0], at_once[0], rtol=1e-9, atol=1e-10)
    for first, second in zip(by_pair[1:2] + by_pair[3:], at_once[1:2] + at_once[3:], strict=True):
        np.testing.assert_array_equal(first, second)


def test_a_test_is_the_same_however_it_is_written() -> None:
    table = random_table(6, 300, seed=5)
    for given in itertools.permutations((1, 2, 4)):
        questions = np.array([(0, 3, *given), (3, 0, *given)])
        statistic = outcomes(table, questions, 3)[0]
        assert set(statistic) == {outcomes(table, np.array([(0, 3, 1, 2, 4)]), 3)[0][0]}


@pytest.mark.parametrize(
    "column",
    [
        np.r_[-HUGE, HUGE, np.linspace(-1, 1, 98)],
        np.r_[HUGE, np.zeros(99)],
        np.tile([-HUGE, HUGE], 50),
        np.full(100, HUGE) - np.r_[1e300, np.zeros(99)],
    ],
)
def test_huge_numbers_have_answers(column: np.ndarray) -> None:
    random = np.random.default_rng(6)
    data = dataset_of_frame(pd.DataFrame({"x": column, "y": random.standard_normal(100), "z": column}))
    for x, y, given in (("x", "y", []), ("x", "z", []), ("x", "z", ["y"]), ("x", "y", ["z"])):
        result = engine.ci_test("basis", data, x, y, given)
        assert 0.0 <= result.p_value <= 1.0
        assert math.isfinite(result.statistic)


def test_what_is_held_fixed_determines_nothing_is_left_to_test() -> None:
    frame = mixed_frame()
    frame["copy"] = frame["a"]
    frame["turned"] = -frame["a"]
    data = dataset_of_frame(frame)
    determined = engine.ci_test("basis", data, "a", "b", ["copy"])
    assert (determined.dof, determined.p_value) == (0, 1.0)
    copies = engine.ci_test("basis", data, "a", "turned")
    assert math.isfinite(copies.log_p)
    assert copies.log_p < -1000


def test_few_rows_are_too_few() -> None:
    frame = mixed_frame(rows=8)
    result = engine.ci_test("basis", dataset_of_frame(frame), "a", "c", ["b", "d", "e"])
    assert not result.reliable or 0.0 <= result.p_value <= 1.0
    assert not engine.ci_test("basis", dataset_of_frame(frame.head(4)), "a", "c", ["d", "e"]).reliable


def test_sees_what_no_straight_line_sees() -> None:
    random = np.random.default_rng(7)
    x = np.linspace(-2.0, 2.0, 300)
    data = dataset_of_frame(pd.DataFrame({"x": x, "y": x**2 + random.standard_normal(300)}))
    assert engine.ci_test("fisher-z", data, "x", "y").p_value > 0.01
    assert engine.ci_test("basis", data, "x", "y").p_value < 1e-10


def test_neighbours_on_curved_relations_are_found_and_no_others() -> None:
    found_members = true = right = 0
    for seed in (0, 1):
        network = engine.simulate(
            labels=5,
            features=40,
            rows=1500,
            variables="numbers",
            relations="smooth",
            graph="random",
            max_parents=3,
            seed=seed,
        )
        result = engine.discover(network.dataset, engine.DiscoverySettings(test="basis"))
        for label, boundary in result.boundaries.items():
            truth = network.truth.boundaries[label]
            true_members = {*truth.parents, *truth.children, *truth.spouses}
            members = {*boundary.parents_children, *boundary.spouses}
            found_members, true, right = (
                found_members + len(members),
                true + len(true_members),
                right + len(members & true_members),
            )
    assert right / found_members > 0.85
    assert right / true > 0.8


def with_gaps(frame: pd.DataFrame, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    gaps = frame.copy()
    for name in gaps:
        missing = random.random(len(gaps)) < 0.1
        gaps[name] = gaps[name].where(~missing, -1 if gaps[name].dtype.kind == "i" else np.nan)
    return gaps


@pytest.mark.parametrize(
    # Not far in the tail where nothing is held fixed: there it hangs on all values of either variable.
    ("x", "given"),
    [("e", ()), ("a", ("c",)), ("a", ("c", "e"))],
)
def test_gaps_leave_the_rows_that_are_complete_in_the_variables_of_a_test(
    x: str, given: tuple[str, ...]
) -> None:
    frame = np.clip(mixed_frame(), -2, 2)
    # Without rare levels, whose skewness is that of all rows.
    frame["b"] = np.minimum(frame["b"], 1)
    gaps = with_gaps(frame, seed=10)
    used = [x, "b", *given]
    complete = frame[((gaps[used].notna()) & (gaps[used] != -1)).all(axis=1)]
    # A straight line and categories are the same over any rows; ranks are those of the rows that there are.
    expected = engine.ci_test("basis", dataset_of_frame(complete[used]), x, "b", given, degree=1)
    result = engine.ci_test("basis", dataset_of_frame(gaps), x, "b", given, degree=1)
    assert (result.dof, result.rows) == (expected.dof, len(complete))
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9)
    curved = engine.ci_test("basis", dataset_of_frame(gaps), x, "b", given)
    nearly = engine.ci_test("basis", dataset_of_frame(complete[used]), x, "b", given)
    assert curved.statistic == pytest.approx(nearly.statistic, rel=0.1)


def test_a_row_that_counts_twice_is_two_rows() -> None:
    frame = np.clip(mixed_frame(rows=200), -2, 2)
    counts = np.arange(len(frame)) % 3 + 1
    repeated = frame.loc[np.repeat(frame.index, counts)].reset_index(drop=True)
    weighted = dataset_of_frame(frame.assign(w=counts), weight="w")
    for given in ((), ("c",), ("b", "d")):
        expected = engine.ci_test("basis", dataset_of_frame(repeated), "a", "e", given, degree=1)
        result = engine.ci_test("basis", weighted, "a", "e", given, degree=1, row_weights="counts")
        assert result.statistic == pytest.approx(expected.statistic, rel=0.02)


def test_groups_of_one_row_are_rows() -> None:
    frame = mixed_frame(rows=1000)
    alone = dataset_of_frame(frame.assign(who=np.arange(len(frame))), groups="who")
    for x, y, given in (("a", "c", ()), ("a", "e", ()), ("a", "c", ("b",))):
        plain = engine.ci_test("basis", dataset_of_frame(frame), x, y, given)
        result = engine.ci_test("basis", alone, x, y, given)
        assert result.log_p == pytest.approx(plain.log_p, rel=0.35, abs=0.5)


def test_a_straight_line_between_weighted_rows_is_tested_as_by_hand() -> None:
    generator = np.random.default_rng(3)
    z, x, y, own = generator.uniform(-1, 1, size=(4, 300))
    weights = np.exp(own + z)
    frame = pd.DataFrame({"x": x + z, "y": y + z, "z": z, "w": weights})
    result = engine.ci_test("basis", dataset_of_frame(frame, weight="w"), "x", "y", ("z",), degree=1)
    design = np.array([np.ones(300), z]) * np.sqrt(weights)
    held = np.linalg.qr(design.T)[0]
    left = frame[["x", "y"]].to_numpy().T * np.sqrt(weights)
    left -= left @ held @ held.T
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    r, taken_up = left[0] @ left[1], (held**2).sum(axis=1) + (left**2).sum(axis=0)
    scores = left[0] * left[1] * (1 - taken_up) ** -0.75 - r / 300
    mean, between = (scores**2).sum(), (scores**2).sum() ** 2 - (scores**4).sum()
    dof = 1 / min(1.0, max(1.0, between * 300 / 299 / (mean * 300 / 299) ** 2))
    free = dof * (weights.sum() ** 2 / (weights**2).sum() - 2)
    chi_squared = -np.log(1 - r * r) / (mean * 300 / 299)
    expected = (free + dof / 2 - 1) * np.log1p(chi_squared * dof / free)
    assert result.dof == pytest.approx(dof)
    assert result.statistic == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("column", ["weight", "groups"])
def test_what_was_tested_before_changes_no_test_of_weighted_rows(column: str) -> None:
    generator = np.random.default_rng(5)
    frame = mixed_frame(rows=400)
    frame["e"] = frame["e"].mask(generator.random(400) < 0.05)
    values = generator.integers(1, 80, size=400)
    table = dataset_of_frame(frame.assign(own=values), **{column: "own"})
    sets: list[tuple[str, ...]] = [(), ("d",), ("d", "e"), ("e",)]
    questions = [(x, y, given) for x, y in ("ab", "ac", "cb") for given in sets]
    data = make_test_data(table, "basis").at_level(0.05)

    def outcome(data: TestData, question: tuple[str, str, tuple[str, ...]]) -> tuple[float, ...]:
        x, y, given = question
        places = [data.positions[name] for name in (x, y, *given)]
        given_places, size = np.array([places[2:] or [0]]), np.array([len(given)])
        tested = np.array(places[:2]).reshape(2, 1)
        outcomes = data.outcomes(*tested, given_places, size, np.zeros(1, np.uint8))
        return tuple(float(value[0]) for value in outcomes)

    for question in (*questions, *reversed(questions)):
        alone = make_test_data(table, "basis").at_level(0.05)
        assert outcome(data, question) == outcome(alone, question)


def test_products_of_tested_columns_made_at_once_give_the_same() -> None:
    table = random_table(12, 400, seed=11)
    random = np.random.default_rng(12)
    questions = np.array([random.permutation(12)[:5] for _ in range(500)])
    tested = table.columns[: table.tested[-1]]
    # As the program makes them, in single precision, for which its kernel is there.
    some = table._replace(products=np.empty((0, 0)), screened=screened_products(tested))
    np.testing.assert_allclose(outcomes(some, questions, 3)[0], outcomes(table, questions, 3)[0], rtol=1e-9)


@pytest.mark.parametrize("given", [(), ("z",)])
def test_a_strength_does_not_fall_where_every_row_is_there_ten_times(given: tuple[str, ...]) -> None:
    generator = np.random.default_rng(8)
    z, x, noise = generator.normal(size=(3, 200))
    persons = pd.DataFrame({"x": x + z, "y": 0.7 * x + z + noise, "z": z})
    visits = persons.loc[persons.index.repeat(10)].assign(who=np.repeat(np.arange(200), 10))
    once = engine.ci_test("basis", dataset_of_frame(persons), "x", "y", given)
    grouped = engine.ci_test("basis", dataset_of_frame(visits, groups="who"), "x", "y", given)
    # No surer than it is, and no weaker.
    assert grouped.log_p >= 1.35 * once.log_p
    assert grouped.effect == pytest.approx(once.effect, abs=0.03)


def test_a_number_itself_is_on_its_own_scale() -> None:
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "skew": generator.gamma(2.0, size=2000),
            "normal": generator.normal(size=2000),
            "levels": generator.integers(0, 3, size=2000),
            # The last two are taken for one.
            "rare": np.repeat([0, 1, 2, 3], [1000, 994, 3, 3]),
        }
    )
    data = make_test_data(dataset_of_frame(frame), "basis").at_level(0.05)
    at = data.positions
    for name in ("skew", "normal"):
        predictors = data.predictors_of(at[name])
        (itself,) = data.itself_in_predictors(at[name], len(predictors), _all_left) @ predictors
        assert np.corrcoef(itself, frame[name])[0, 1] > 0.999
        assert itself.std() == pytest.approx(1.0)
    # Others explain clearly more of the first column.
    (first,) = data.itself_in_predictors(at["skew"], 6, lambda sums: 1.0 - 0.2 * (sums[:, 0] == 1.0))
    assert first.tolist() == np.eye(6)[0].tolist()
    for name in ("levels", "rare"):
        assert data.itself_in_predictors(at[name], 2, _all_left).tolist() == np.eye(2).tolist()


def _all_left(sums: np.ndarray) -> np.ndarray:
    """Say that others leave all of the variance of sums of columns."""
    return np.ones(len(sums))
