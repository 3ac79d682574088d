"""Many tests given one set answer as the same tests one by one."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.independence.arranging import make_test_data
from engine.independence.batch import ask
from engine.independence.data import TestData
from engine.independence.discrete.counting import DIRECT_STRATA
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.with_each import with_each

ROWS = 700
LEVELS = (2, 3, 4, 2, 3, 2, 4, 3, 2, 5, 2, 3)


def table(test: str, missing: float = 0.0, **settings: object) -> TestData:
    """Columns that depend on each other, so that many strata hold one level of the first."""
    generator = np.random.default_rng(5)
    hidden = generator.random(ROWS)
    columns = [
        np.minimum(
            (np.where(generator.random(ROWS) < 0.3, generator.random(ROWS), hidden) * count), count - 1
        ).astype(np.int32)
        for count in LEVELS
    ]
    for column in columns:
        column[generator.random(ROWS) < missing] = -1
    variables = [
        Variable(f"x{place}", Kind.NOMINAL, Role.FEATURE, tuple(map(str, range(count))))
        for place, count in enumerate(LEVELS)
    ]
    return make_test_data(Dataset(tuple(variables), tuple(columns)), test, **settings).at_level(0.05)


def assert_equal_answers(data: TestData, given: tuple[int, ...]) -> None:
    others = np.array([place for place in range(1, len(LEVELS)) if place not in given], dtype=np.int64)
    stop = np.zeros(1, dtype=np.uint8)
    actual = data.ask_given(0, others, [given], stop)
    expected = ask(data, [(0, int(other_variable), given) for other_variable in others], stop)
    for name in ("statistic", "dof", "log_p", "dependent", "reliable"):
        np.testing.assert_array_equal(getattr(actual, name), getattr(expected, name), err_msg=name)


@with_each("size", range(8))
@pytest.mark.parametrize("test", ["g2", "x2"])
def test_sets_of_every_size(test: str, size: int) -> None:
    assert_equal_answers(table(test), tuple(range(2, 2 + size)))


def test_more_combinations_than_are_numbered_directly() -> None:
    given = (2, 4, 6, 7, 9)
    assert np.prod([LEVELS[place] for place in given]) < DIRECT_STRATA < np.prod([*LEVELS[1:8]])
    assert_equal_answers(table("g2"), given)
    assert_equal_answers(table("g2"), tuple(range(1, 8)))


@pytest.mark.parametrize(
    "settings", [{"dof": "nominal"}, {"min_rows_per_dof": 5.0}, {"min_rows_per_cell": 2.0}]
)
def test_other_settings(settings: dict[str, object]) -> None:
    assert_equal_answers(table("g2", **settings), (2, 4, 6, 7))


def test_incomplete_tables_are_tested_one_by_one() -> None:
    assert_equal_answers(table("g2", missing=0.1), (2, 4, 6))


def test_a_constant_variable_is_independent_of_all() -> None:
    frame = engine.simulate(labels=2, features=12, rows=50, seed=0).dataset.frame
    data = make_test_data(
        Dataset.from_frame(frame.assign(L1=frame["L1"].iloc[0]), labels=["L1"]), "g2"
    ).at_level(0.05)
    others = np.arange(5, 9, dtype=np.int64)
    answers = data.ask_given(data.positions["L1"], others, [(0, 1, 2)], np.zeros(1, dtype=np.uint8))
    assert not answers.dependent.any()
    assert (answers.statistic == 0.0).all() and (answers.dof == 0.0).all()


def test_a_stop_gives_nothing() -> None:
    others = np.arange(6, 9, dtype=np.int64)
    answers = table("g2").ask_given(0, others, [(1, 2, 3)], np.ones(1, dtype=np.uint8))
    assert (answers.statistic == 0.0).all()
