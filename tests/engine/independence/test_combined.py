"""Categories beside numbers: they are tested as if nothing else were in the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import engine
from engine.independence.arranging import make_test_data
from engine.independence.batch import ask
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.engine.independence.calibration import NO_STOP, dataset_of

QUESTIONS = [(0, 1, ()), (1, 2, ()), (0, 3, ())]
ALL_GIVEN = [*QUESTIONS, (0, 1, (2,)), (1, 3, (0,)), (0, 1, (2, 3))]


def _columns(rows: int, seed: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    first = generator.integers(0, 2, rows)
    second = np.where(generator.random(rows) < 0.6, first, generator.integers(0, 2, rows))
    third = generator.choice(3, rows, p=(0.6, 0.3, 0.1))
    fourth = np.where(generator.random(rows) < 0.3, third, generator.integers(0, 3, rows))
    return {"a": first, "b": second, "c": third, "d": fourth}


def _beside_number(dataset: Dataset) -> Dataset:
    number = np.random.default_rng(1).normal(size=dataset.row_count)
    return replace(
        dataset,
        variables=(*dataset.variables, Variable("z", Kind.CONTINUOUS)),
        columns=(*dataset.columns, number),
    )


def _weighted(dataset: Dataset) -> Dataset:
    weights = np.random.default_rng(2).integers(1, 4, dataset.row_count).astype(np.float64)
    weight = Variable("weight", Kind.CONTINUOUS, Role.WEIGHT)
    return replace(
        dataset, variables=(*dataset.variables, weight), columns=(*dataset.columns, weights), coded=None
    )


def _with_gaps(dataset: Dataset) -> Dataset:
    columns = list(dataset.columns)
    columns[1] = np.where(np.arange(dataset.row_count) % 9 == 0, -1, columns[1])
    return replace(dataset, columns=tuple(columns))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("complete", {}),
        ("with gaps", {}),
        ("sampling weights", {}),
        ("counted rows", {"row_weights": "counts"}),
    ],
)
def test_a_number_in_the_table_changes_nothing_about_pairs_of_categories(
    name: str, options: dict[str, Any]
) -> None:
    dataset = dataset_of(_columns(40, 3), ["a"])
    if name == "with gaps":
        dataset = _with_gaps(dataset)
    elif name != "complete":
        dataset = _weighted(dataset)
    alone = make_test_data(dataset, "auto", **options).at_level(0.05)
    beside = make_test_data(_beside_number(dataset), "auto", **options).at_level(0.05)
    for first, second in (
        (alone, beside),
        (alone.at_level(0.01), beside.at_level(0.01)),
    ):
        expected, results = (ask(data, QUESTIONS, NO_STOP) for data in (first, second))
        np.testing.assert_allclose(results.statistic, expected.statistic, rtol=1e-12)
        np.testing.assert_allclose(results.log_p, expected.log_p, rtol=1e-12)
        np.testing.assert_array_equal(results.dependent, expected.dependent)
        assert second.effect(3.0, (0, 1), ()) == pytest.approx(first.effect(3.0, (0, 1), ()))
        others = np.array([1, 2, 3])
        screen = second.ask_marginal(0, others, NO_STOP)
        np.testing.assert_allclose(screen.log_p, first.ask_marginal(0, others, NO_STOP).log_p, rtol=1e-12)


def test_a_screen_of_products_counts_categories_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.independence.basis.arranging._MOST_MULTIPLICATIONS", 0)
    monkeypatch.setattr("engine.independence.basis.arranging._MOST_MULTIPLICATIONS_A_LABEL", 0)
    dataset = _beside_number(dataset_of(_columns(40, 4), ["a"]))
    data = make_test_data(dataset, "auto").at_level(0.05)
    others = np.array([1, 4, 2, 3])
    screen = data.ask_marginal(0, others, NO_STOP)
    single = ask(data, [(0, other_variable, ()) for other_variable in others], NO_STOP)
    np.testing.assert_allclose(screen.log_p, single.log_p, rtol=1e-5)
    np.testing.assert_array_equal(screen.dependent, single.dependent)


def test_single_tests_agree_with_searches_whatever_is_held_fixed() -> None:
    dataset = _beside_number(dataset_of(_columns(200, 5), ["a"]))
    searched = ask(make_test_data(dataset, "auto").at_level(0.05), ALL_GIVEN, NO_STOP)
    for (x, y, given), log_p in zip(ALL_GIVEN, searched.log_p, strict=True):
        names = [dataset.variables[place].name for place in (x, y, *given)]
        single = engine.ci_test("auto", dataset, names[0], names[1], names[2:])
        assert single.log_p == pytest.approx(log_p, rel=1e-9)


@pytest.mark.parametrize(
    "cells", [(4, 0, 0, 4), (49, 1, 0, 50), (20, 0, 0, 20), (2, 5, 9, 1), (180, 3, 40, 30)]
)
@pytest.mark.parametrize("beside", [False, True])
def test_p_of_two_yes_no_columns_is_that_of_fishers_test(cells: tuple[int, ...], beside: bool) -> None:
    where = np.repeat(np.arange(4), cells)
    dataset = dataset_of({"x": where // 2, "y": where % 2}, ["x"])
    if beside:
        dataset = _beside_number(dataset)
    p = engine.ci_test("auto", dataset, "x", "y").p_value
    fisher = stats.fisher_exact(np.reshape(cells, (2, 2))).pvalue
    assert fisher / 3.0 <= p <= 3.0 * fisher


@pytest.mark.parametrize("groups", [False, True])
def test_no_test_says_more_than_the_ways_to_arrange_the_rows(groups: bool) -> None:
    rows = 12
    label = np.arange(rows) % 2
    columns = {"label": label, "number": label + 1e-9 * np.random.default_rng(0).normal(size=rows)}
    dataset = dataset_of({**columns, "copy": label.astype(np.float64)}, ["label"])
    if groups:
        persons = Variable("person", Kind.CONTINUOUS, Role.GROUPS)
        dataset = replace(
            dataset,
            variables=(*dataset.variables, persons),
            columns=(*dataset.columns, np.arange(rows, dtype=np.float64)),
        )
    # Of 924 ways to put six of each level over the rows one is this.
    for first, second in (("label", "number"), ("number", "copy")):
        assert engine.ci_test("basis", dataset, first, second).p_value >= 0.99 / 924
