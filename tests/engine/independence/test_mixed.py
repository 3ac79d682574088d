"""The likelihood-ratio test of mixed data against statsmodels, and what must not change its outcome."""

from __future__ import annotations

import functools
import itertools
import threading
import time
import warnings
from collections.abc import Iterator, Sequence

import numpy as np
import pandas
import pytest
import statsmodels.api
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.tools.sm_exceptions import ConvergenceWarning

from engine.errors import InvalidData
from engine.independence.arranging import ci_test, make_test_data
from engine.independence.record import TestRecord
from engine.table.dataset import Dataset
from engine.table.variable import Role
from tests.engine.independence.calibration import dataset_of, most_rejections, p_values_of
from tests.examples import examples

ROWS = 400


def _frame(seed: int, rows: int = ROWS) -> pandas.DataFrame:
    """Numbers and categories (two, two, three and five) that depend on each other, none decided by others."""
    generator = np.random.default_rng(seed)
    age = generator.normal(50.0, 12.0, rows)
    dose = 3.0 * (age / 12.0 + generator.normal(size=rows))
    sex = np.where(generator.random(rows) < 0.4, "f", "m")
    ill = np.where(generator.logistic(size=rows) + (age - 50.0) / 12.0 + (sex == "f") > 0.5, "yes", "no")
    stage = np.clip(np.round(dose / 8.0 + generator.normal(size=rows)), 0, 2).astype(int)
    region = (generator.integers(0, 5, rows) + (ill == "yes") * generator.integers(0, 2, rows)) % 5
    return pandas.DataFrame(
        {
            "age": age,
            "sex": sex,
            "dose": dose,
            "stage": [f"stage {stage_number}" for stage_number in stage],
            "ill": ill,
            "region": [f"region {region_number}" for region_number in region],
        }
    )


def _is_number(frame: pandas.DataFrame, name: str) -> bool:
    return frame[name].dtype.kind == "f"


def _design(frame: pandas.DataFrame, names: Sequence[str]) -> np.ndarray:
    blocks = [np.ones((len(frame), 1))]
    for name in names:
        if _is_number(frame, name):
            column = frame[[name]].to_numpy()
            blocks.append((column - column.mean()) / column.std())
        else:
            blocks.append(pandas.get_dummies(frame[name], drop_first=True).to_numpy(float))
    return np.hstack(blocks)


def _log_likelihood(frame: pandas.DataFrame, response: str, names: Sequence[str]) -> float:
    design = _design(frame, names)
    if _is_number(frame, response):
        return statsmodels.api.OLS(frame[response].to_numpy(), design).fit().llf
    codes = pandas.factorize(frame[response])[0]
    with warnings.catch_warnings():
        # It asks for more digits than there are, and says so when it has them all.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return statsmodels.api.MNLogit(codes, design).fit(method="newton", disp=0, maxiter=50, tol=1e-14).llf


def _likelihood_ratio(
    frame: pandas.DataFrame, response: str, predictor: str, given_names: Sequence[str]
) -> float:
    smaller = _log_likelihood(frame, response, given_names)
    return 2.0 * (_log_likelihood(frame, response, [*given_names, predictor]) - smaller)


def _test(frame: pandas.DataFrame, x: str, y: str, given_names: Sequence[str] = ()) -> TestRecord:
    return ci_test("mixed", Dataset.from_frame(frame), x, y, given_names)


def _questions() -> Iterator[tuple[str, str, list[str]]]:
    names = list(_frame(0, 10).columns)
    for x, y in itertools.combinations(names, 2):
        others = [name for name in names if name not in (x, y)]
        for size in range(4):
            for members in itertools.combinations(others, size):
                yield x, y, list(members)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_statistics_are_those_of_statsmodels(seed: int) -> None:
    frame = _frame(seed)
    table = Dataset.from_frame(frame)
    # Many questions share a model: each is fitted once, with its predictors in the order of the columns.
    fitted = functools.cache(functools.partial(_log_likelihood, frame))

    def ratio(response: str, predictor: str, members: list[str]) -> float:
        larger = tuple(column for column in frame.columns if column in (*members, predictor))
        return 2.0 * (fitted(response, larger) - fitted(response, tuple(members)))

    for x, y, members in _questions():
        outcome = ci_test("mixed", table, x, y, members)
        if _is_number(frame, x) or _is_number(frame, y):
            response, remaining = (x, y) if _is_number(frame, x) else (y, x)
            dof = _design(frame, [remaining]).shape[1] - 1
            residual_dof = len(frame) - _design(frame, [*members, remaining]).shape[1]
            bartlett = (residual_dof - 1 + dof / 2) / len(frame)
            expected = bartlett * ratio(response, remaining, members)
        else:
            dof = (frame[x].nunique() - 1) * (frame[y].nunique() - 1)
            expected = min(ratio(x, y, members), ratio(y, x, members))
            if not members:
                counts = pandas.crosstab(frame[x], frame[y])
                expected = min(expected, stats.chi2_contingency(counts, correction=False).statistic)
        assert outcome.statistic == pytest.approx(expected, rel=1e-9, abs=1e-9), (x, y, members)
        assert outcome.dof == dof
        assert outcome.log_p == pytest.approx(stats.chi2.logsf(expected, dof), rel=1e-9, abs=1e-9)
        assert 0.0 <= outcome.effect <= 1.0
        assert outcome.reliable


@pytest.mark.parametrize("rows", [25, 60, 400])
def test_p_values_of_linear_models_are_near_those_of_the_exact_f_test(rows: int) -> None:
    frame = _frame(3, rows)
    for y, members in (("dose", ["stage", "ill"]), ("stage", ["ill"]), ("region", ["dose", "stage", "sex"])):
        larger = statsmodels.api.OLS(frame["age"].to_numpy(), _design(frame, [*members, y])).fit()
        smaller = statsmodels.api.OLS(frame["age"].to_numpy(), _design(frame, members)).fit()
        _, exact, _ = larger.compare_f_test(smaller)
        # Bartlett's factor leaves an error of the order of 1 / rows².
        assert _test(frame, "age", y, members).log_p == pytest.approx(np.log(exact), rel=0.02, abs=0.02)


def test_two_categories_without_a_set_are_a_contingency_table() -> None:
    frame = _frame(4)
    for x, y in itertools.combinations(["sex", "stage", "ill", "region"], 2):
        g_squared = ci_test("g2", Dataset.from_frame(frame[[x, y]]), x, y)
        x_squared = ci_test("x2", Dataset.from_frame(frame[[x, y]]), x, y)
        weaker = min((g_squared, x_squared), key=lambda test_of_response: test_of_response.statistic)
        assert _test(frame, x, y).statistic == pytest.approx(weaker.statistic, rel=1e-9, abs=1e-9)
        assert _test(frame, x, y).effect == pytest.approx(weaker.effect, rel=1e-9, abs=1e-9)


def test_two_categories_in_a_sparse_table_keep_their_level() -> None:
    generator = np.random.default_rng(5)
    columns = {f"{name} {pair}": generator.integers(0, 10, 100) for pair in range(500) for name in "xy"}
    questions = [(f"x {pair}", f"y {pair}", ()) for pair in range(500)]
    p = p_values_of("mixed", dataset_of(columns), questions)
    for alpha in (0.1, 0.05, 0.01):
        assert (p <= alpha).sum() <= most_rejections(500, alpha)


@examples(20)
@given(seed=st.integers(0, 10_000), data=st.data())
def test_order_of_the_variables_makes_no_difference_at_all(seed: int, data: st.DataObject) -> None:
    frame = _frame(seed, 120)
    x, y, *members = data.draw(st.permutations(list(frame.columns)))[: data.draw(st.integers(2, 5))]
    there, back = _test(frame, x, y, members), _test(frame, y, x, members[::-1])
    assert (there.statistic, there.dof, there.log_p) == (back.statistic, back.dof, back.log_p)
    turned = _test(frame[frame.columns[::-1]], x, y, members)
    assert turned.statistic == pytest.approx(there.statistic, rel=1e-9, abs=1e-9)


@examples(20)
@given(
    seed=st.integers(0, 10_000),
    factor=st.floats(-1e6, 1e6).filter(lambda number: abs(number) > 1e-6),
    data=st.data(),
)
def test_units_names_of_categories_and_order_of_rows_do_not_count(
    seed: int, factor: float, data: st.DataObject
) -> None:
    frame = _frame(seed, 120)
    names = data.draw(st.permutations(["region", "stage", "ill", "sex"]))
    changed = frame.copy()
    changed["dose"] = factor * (frame["dose"] + 20.0)
    for column in names:
        levels = sorted(set(frame[column]))
        changed[column] = frame[column].map(
            dict(zip(levels, data.draw(st.permutations(levels)), strict=True))
        )
    changed = changed.sample(frac=1.0, random_state=seed)
    x, y, *members = data.draw(st.permutations(list(frame.columns)))[:4]
    expected, outcome = _test(frame, x, y, members), _test(changed, x, y, members)
    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-8, abs=1e-8)
    assert outcome.dof == expected.dof


def test_a_copy_is_dependent_and_explains_its_original_away() -> None:
    frame = _frame(5)
    for name in ("age", "ill", "region"):
        frame["copy"] = frame[name]
        assert _test(frame, name, "copy").log_p < -50.0
        assert np.isfinite(_test(frame, name, "copy").statistic)
        assert _test(frame, name, "copy", ["sex", "dose"]).log_p < -50.0
        assert _test(frame, name, "stage", ["copy"]).p_value == 1.0
        assert _test(frame, name, "dose", ["copy", "sex"]).p_value == 1.0


def test_a_category_that_predictors_decide_has_the_bound_of_its_likelihood() -> None:
    """Where the largest likelihood is at infinity, that of the other rows alone is its least upper bound."""
    generator = np.random.default_rng(6)
    place = generator.integers(0, 3, ROWS)
    x = np.where(place == 0, 1, generator.integers(0, 2, ROWS))
    y = (generator.random(ROWS) < 0.3 + 0.3 * x).astype(int)
    frame = pandas.DataFrame(
        {"place": [f"p{place_number}" for place_number in place], "x": x, "y": y}
    ).astype("category")
    remaining = frame[frame["place"] != "p0"]
    free = pandas.DataFrame({name: remaining[name].astype(str).to_numpy() for name in ("place", "x", "y")})
    expected = min(
        _likelihood_ratio(free, "x", "y", ["place"]),
        _likelihood_ratio(frame.astype(str), "y", "x", ["place"]),
    )
    outcome = ci_test("mixed", Dataset.from_frame(frame), "x", "y", ["place"])
    assert outcome.statistic == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_columns_that_the_set_determines_have_no_degrees_of_freedom() -> None:
    frame = _frame(7)
    frame["dose in grams"] = frame["dose"] / 1000.0
    frame["late"] = np.where(frame["stage"] == "stage 2", "late", "early")
    assert _test(frame, "age", "dose", ["dose in grams"]).dof == 0
    assert _test(frame, "age", "stage", ["late"]).dof == 1
    assert _test(frame, "ill", "late", ["stage", "age"]).p_value == 1.0
    twice = _test(frame, "age", "ill", ["dose", "dose in grams"])
    assert twice.statistic == pytest.approx(_test(frame, "age", "ill", ["dose"]).statistic, rel=1e-9)


def test_too_few_rows_for_the_coefficients_are_no_evidence() -> None:
    frame = _frame(8, 9)
    outcome = _test(frame, "age", "dose", ["region", "stage", "sex", "ill"])
    assert not outcome.reliable
    dataset = Dataset.from_frame(_frame(8, 60))
    assert ci_test("mixed", dataset, "age", "dose", ["stage"], min_rows_per_dof=15).reliable
    assert not ci_test("mixed", dataset, "age", "dose", ["stage"], min_rows_per_dof=16).reliable


def _of_levels(rows: int, levels: int) -> Dataset:
    chance = np.random.default_rng(0)
    columns = {name: chance.integers(0, levels, rows).astype(str) for name in ("x", "y", "z")}
    return Dataset.from_frame(pandas.DataFrame(columns), labels=["y"])


def test_with_a_coefficient_a_row_there_is_no_test() -> None:
    """19 models of 39 coefficients fit 300 rows whatever these are, and took minutes."""
    # What this test is compiled to is there afterwards.
    assert ci_test("mixed", _of_levels(300, 10), "x", "y", ["z"]).reliable
    began = time.process_time()
    outcome = ci_test("mixed", _of_levels(300, 20), "x", "y", ["z"])
    assert not outcome.reliable and outcome.p_value == 1.0
    assert time.process_time() - began < 1.0


def test_a_stop_is_heeded_within_one_test() -> None:
    """One test of these levels takes some seconds."""
    data = make_test_data(_of_levels(3000, 22), "mixed").at_level(0.05)
    one, size, stop = np.ones(1, np.int64), np.ones(1, np.int64), np.ones(1, np.uint8)
    # Nothing is tested, but the kernel is there.
    data.ask_rows(0 * one, one, np.full((1, 1), 2), size, stop)
    stop[0] = 0
    calls = []

    def ask_to_stop() -> None:
        stop[0] = 1
        # Of the processor, as others may be at work on the machine; nothing else is in this process.
        calls.append(time.process_time())

    timer = threading.Timer(0.2, ask_to_stop)
    timer.start()
    answers = data.ask_rows(0 * one, one, np.full((1, 1), 2), size, stop)
    ended = time.process_time()
    timer.join()
    assert len(answers.reliable) == 1
    assert 0.0 <= ended - calls[0] < 0.5


def test_columns_that_do_not_suit_are_named() -> None:
    frame = pandas.DataFrame({"a": ["u", "v", None] * 9, "b": range(27), "c": 5.5})
    with pytest.raises(InvalidData, match=r"column 'a'.*9 values are missing"):
        _test(frame, "a", "b")
    frame["c"] = [5.5] * 26 + [np.nan]
    with pytest.raises(InvalidData, match=r"column 'c'.*1 values are missing"):
        _test(frame, "c", "b")
    weighted = Dataset.from_frame(_frame(9).assign(dose=2.5)).with_roles({"dose": Role.WEIGHT})
    with pytest.raises(InvalidData, match=r"column 'dose'.*cannot use row weights"):
        ci_test("mixed", weighted, "age", "ill")
    with pytest.raises(InvalidData, match="the table has no rows"):
        _test(_frame(9).iloc[:0], "age", "ill")
