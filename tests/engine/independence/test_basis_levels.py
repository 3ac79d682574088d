"""Levels and power of the likelihood ratio with basis functions, on tables of many shapes."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import engine
from engine.independence.arranging import make_test_data
from engine.table.variable import Role
from tests.engine.independence.calibration import dataset_of, dataset_of_frame, most_rejections, p_values_of

NOISE = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "exponential": lambda random, shape: random.exponential(size=shape) - 1.0,
    "t(5)": lambda random, shape: random.standard_t(5, shape) / math.sqrt(5 / 3),
}


@pytest.mark.parametrize(
    ("noise", "size"),
    [
        ("normal", 3),
        ("exponential", 2),
        *(pytest.param(law, 2, marks=pytest.mark.long) for law in ("normal", "t(5)")),
    ],
)
def test_sums_of_what_is_held_fixed_are_independent(noise: str, size: int) -> None:
    # The square of a sum holds products of its terms, which no term holds.
    random = np.random.default_rng(11)
    columns, questions = {}, []
    for pair in range(300):
        held = NOISE[noise](random, (size, 1000))
        x, y = held.sum(axis=0) + NOISE[noise](random, (2, 1000))
        names = [f"{name} {pair}" for name in ("x", "y", *"abc"[:size])]
        columns |= dict(zip(names, (x, y, *held), strict=True))
        questions.append((names[0], names[1], tuple(names[2:])))
    p = p_values_of("basis", dataset_of(columns), questions)
    for alpha in (0.1, 0.05, 0.01):
        assert (p <= alpha).sum() <= most_rejections(300, alpha)


def test_what_grows_by_factors_is_compared_on_its_own_scale() -> None:
    random = np.random.default_rng(12)
    held = random.standard_normal((300, 500))
    x, y, near = (held[:, np.newaxis] + random.standard_normal((300, 3, 500))).transpose(1, 0, 2)
    near += 0.4 * (x - held)
    scales = ((lambda value: value), np.exp)
    shares = []
    for scale in scales:
        columns = {
            f"{name} {pair}": scale(values[pair])
            for name, values in (("x", x), ("y", y), ("near", near), ("held", held))
            for pair in range(300)
        }
        for partner in ("y", "near"):
            questions = [(f"x {pair}", f"{partner} {pair}", (f"held {pair}",)) for pair in range(300)]
            shares.append((p_values_of("basis", dataset_of(columns), questions) <= 0.01).mean())
    independent, dependent, independent_by_factors, dependent_by_factors = shares
    assert max(independent, independent_by_factors) <= most_rejections(300, 0.01) / 300
    assert min(dependent, dependent_by_factors) > 0.9


def sample(kind: str, random: np.random.Generator, rows: int) -> np.ndarray:
    if kind == "skewed category":
        return random.choice(4, size=rows, p=[0.85, 0.09, 0.04, 0.02])
    if kind == "two levels":
        return (random.random(rows) < 0.3).astype(int)
    numbers: dict[str, np.ndarray] = {
        "normal": random.standard_normal(rows),
        "t(2)": random.standard_t(2, rows),
        "lognormal": np.exp(1.5 * random.standard_normal(rows)),
        "Cauchy": random.standard_cauchy(rows),
        "zero-inflated": random.exponential(size=rows) * (random.random(rows) < 0.3),
    }
    return numbers[kind]


KINDS = ["normal", "t(2)", "lognormal", "Cauchy", "zero-inflated", "skewed category", "two levels"]


@pytest.mark.parametrize("rows", [100, 1000])
def test_keeps_its_level_among_independent_columns(rows: int) -> None:
    random = np.random.default_rng(8)
    columns = {f"{kind} {copy}": sample(kind, random, rows) for copy in range(12) for kind in KINDS}
    data = make_test_data(dataset_of_frame(pd.DataFrame(columns)), "basis").at_level(0.05)
    for size in (0, 2):
        questions = np.array([random.permutation(len(columns))[: 2 + size] for _ in range(4000)])
        given = questions[:, 2:] if size else np.zeros((4000, 1), dtype=np.int64)
        answers = data.ask_rows(
            questions[:, 0].copy(),
            questions[:, 1].copy(),
            np.ascontiguousarray(given),
            np.full(4000, size),
            np.zeros(1, np.uint8),
        )
        assert 0.035 < answers.dependent.mean() < 0.07


def share_significant(tables: list[engine.Dataset], x: str, y: str, given: tuple[str, ...] = ()) -> float:
    p_values = [engine.ci_test("basis", table, x, y, given).p_value for table in tables]
    return float((np.array(p_values) <= 0.05).mean())


def weighted_tables(slope: float) -> list[engine.Dataset]:
    """Rows of great weight where x is large, as where one half of the population was sampled thinly."""
    tables = []
    for seed in range(300):
        random = np.random.default_rng(seed)
        x, z = random.standard_normal((2, 200))
        y = slope * x + z + random.standard_normal(200)
        tables.append(
            dataset_of_frame(
                pd.DataFrame({"x": x, "y": y, "z": z, "w": np.where(x > 0, 4.0, 1.0)}), weight="w"
            )
        )
    return tables


def test_weights_that_go_with_a_variable_keep_the_level_and_cost_little() -> None:
    independent, dependent = weighted_tables(0.0), weighted_tables(0.3)
    for given in ((), ("z",)):
        assert 0.02 < share_significant(independent, "x", "y", given) < 0.08
    # One factor for all rows (Kish) would leave what 136 of the 200 are worth.
    kish = [table.select_rows(np.arange(200) < 136) for table in dependent]
    unweighted = [table.with_roles({"w": Role.IGNORED}) for table in kish]
    assert share_significant(dependent, "x", "y", ("z",)) > share_significant(unweighted, "x", "y", ("z",))


def grouped_tables(people: int, visits: int, count: int, slope: float = 0.0) -> list[engine.Dataset]:
    """Several rows a person, whose values are alike."""
    tables = []
    for seed in range(count):
        random = np.random.default_rng(seed)
        person = np.repeat(np.arange(people), visits)
        own, own_of_row = (
            random.standard_normal((3, people))[:, person],
            random.standard_normal((3, len(person))),
        )
        x, y, z = np.sqrt(0.7) * own + np.sqrt(0.3) * own_of_row
        y = y + slope * x
        tables.append(dataset_of_frame(pd.DataFrame({"x": x, "y": y, "z": z, "who": person}), groups="who"))
    return tables


def test_rows_of_one_person_are_not_taken_for_independent() -> None:
    # Fewer are enough for shares that are far from their bounds than for the level.
    independent, dependent = grouped_tables(30, 10, 300), grouped_tables(30, 10, 100, slope=0.7)
    for given in ((), ("z",)):
        assert 0.03 <= share_significant(independent, "x", "y", given) <= 0.07
        assert share_significant(dependent, "x", "y", given) > 0.7
    blind = [table.with_roles({"who": Role.IGNORED}) for table in independent[:100]]
    assert share_significant(blind, "x", "y") > 0.3


def test_few_groups_cannot_be_tested() -> None:
    (table,) = grouped_tables(8, 30, 1)
    result = engine.ci_test("basis", table, "x", "y")
    assert not result.reliable


def test_rare_values_raise_no_alarms_and_are_found_where_they_go_together() -> None:
    random = np.random.default_rng(13)
    rows, small, tests = 300, 0, 0
    for _ in range(4):
        columns = {f"rare {copy}": (random.random(rows) < 0.03).astype(int) for copy in range(60)}
        columns |= {f"zeros {copy}": sample("zero-inflated", random, rows) for copy in range(60)}
        columns |= {f"category {copy}": sample("skewed category", random, rows) for copy in range(60)}
        data = make_test_data(dataset_of_frame(pd.DataFrame(columns)), "basis").at_level(0.05)
        for x in range(0, 180, 6):
            log_p = data.ask_marginal(x, np.delete(np.arange(180), x), np.zeros(1, np.uint8)).log_p
            small, tests = small + int((log_p < math.log(1e-3)).sum()), tests + len(log_p)
    assert small / tests < 2e-3
    rare = (np.arange(rows) < 9).astype(int)
    together = dataset_of_frame(pd.DataFrame({"x": rare, "y": np.roll(rare, 1)}))
    assert engine.ci_test("basis", together, "x", "y").p_value < 1e-6


@pytest.mark.parametrize(
    ("rows", "first", "second"), [(1000, 2, 3), (1000, 2, 2), (300, 3, 3), (60, 2, 4), (40, 2, 2)]
)
def test_a_row_that_two_rare_levels_share_tells_what_its_exact_law_says(
    rows: int, first: int, second: int
) -> None:
    place = np.arange(rows)
    for shared in range(1, first + 1):
        start = first - shared
        columns = {"x": place < first, "y": (start <= place) & (place < start + second)}
        result = engine.ci_test("basis", dataset_of_frame(pd.DataFrame(columns).astype(int)), "x", "y")
        exact = scipy.stats.hypergeom.sf(shared - 1, rows, first, second)
        assert exact / 3 < result.p_value < 8 * exact


def test_rare_levels_beside_numbers_make_no_findings() -> None:
    random = np.random.default_rng(21)

    def rare(copies: int) -> np.ndarray:
        return np.array(
            [np.isin(np.arange(1000), random.choice(1000, 3, replace=False)) for _ in range(copies)]
        )

    columns = {f"label {place}": column for place, column in enumerate(rare(10))}
    columns |= {f"rare {place}": column for place, column in enumerate(rare(200))}
    columns |= {f"number {place}": random.standard_normal(1000) for place in range(5)}
    table = engine.Dataset.from_frame(pd.DataFrame(columns), labels=[f"label {place}" for place in range(10)])
    result = engine.discover(engine.prepare(table))
    assert sum(len(boundary.parents_children) for boundary in result.boundaries.values()) <= 1


def test_rare_values_that_never_go_together_raise_no_alarms_where_rows_have_weights() -> None:
    random = np.random.default_rng(5)
    rows, small, tests = 1000, 0, 0
    for _ in range(3):
        columns = {f"rare {copy}": (random.random(rows) < 0.03).astype(int) for copy in range(40)}
        zeros = (random.random((40, rows)) < 0.05) * random.exponential(size=(40, rows))
        columns |= {f"zeros {copy}": column for copy, column in enumerate(zeros)}
        columns["w"] = np.exp(0.7 * random.standard_normal(rows))
        data = make_test_data(dataset_of_frame(pd.DataFrame(columns), weight="w"), "basis").at_level(0.05)
        for x in range(0, 40, 4):
            log_p = data.ask_marginal(x, np.delete(np.arange(80), x), np.zeros(1, np.uint8)).log_p
            small, tests = small + int((log_p < math.log(1e-3)).sum()), tests + len(log_p)
    assert small / tests < 2e-3
