"""Rows that are copies of others are noticed, and rows that agree by chance are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.table.dataset import Dataset
from engine.table.repeated_rows import REPEATED_ROWS, find_repeated_rows
from engine.table.variable import Kind, Role, Variable
from tests.effort import relative_effort

SHARED = Path(__file__).parents[3] / "shared" / "data"


def _noise(rows: int, columns: int, seed: int = 0) -> pandas.DataFrame:
    numbers = np.random.default_rng(seed).normal(size=(rows, columns))
    return pandas.DataFrame(numbers, columns=[f"x{place}" for place in range(columns)])


def _messages(dataset: Dataset) -> list[str]:
    return [note.message for note in dataset.notes if note.topic == REPEATED_ROWS]


@pytest.mark.parametrize("times", [2, 20])
@pytest.mark.parametrize("columns", [4, 40])
def test_repeated_noise_is_noticed(columns: int, times: int) -> None:
    frame = pandas.concat([_noise(300, columns)] * times, ignore_index=True)
    repeated_rows = find_repeated_rows(Dataset.from_frame(frame))
    assert (repeated_rows.copies, repeated_rows.columns, repeated_rows.by_chance) == (
        300 * (times - 1),
        columns,
        False,
    )


def test_categories_and_gaps_are_compared_too() -> None:
    generator = np.random.default_rng(1)
    frame = pandas.DataFrame({f"x{place}": generator.choice(list("abc"), 400) for place in range(40)})
    frame = frame.mask(generator.random(frame.shape) < 0.1)
    twice = Dataset.from_frame(pandas.concat([frame, frame[:25]], ignore_index=True))
    assert find_repeated_rows(twice).copies == 25 and not find_repeated_rows(twice).by_chance
    frame.iloc[:25, 7] = "d"
    changed = Dataset.from_frame(pandas.concat([frame.assign(x7="c"), frame[:25]], ignore_index=True))
    assert find_repeated_rows(changed).copies == 0


@pytest.mark.parametrize("seed", range(5))
def test_copies_are_counted_as_pandas_counts_them(seed: int) -> None:
    generator = np.random.default_rng(seed)
    frame = pandas.DataFrame(
        {
            "a": generator.integers(0, 4, 300) / 4.0,
            "b": generator.choice(["x", "y", None], 300),
            "c": generator.choice([0.0, -0.0, np.nan, 2.5, 1e300], 300),
            "d": generator.integers(0, 2, 300),
        }
    )
    assert find_repeated_rows(Dataset.from_frame(frame)).copies == int(frame.duplicated().sum())


@pytest.mark.parametrize("name", ["alarm", "child", "insurance", "hailfinder", "water", "win95pts"])
def test_rows_of_public_networks_agree_by_chance(name: str) -> None:
    path = SHARED / "networks" / f"{name}.bif.gz"
    if not path.exists():
        pytest.skip("the public networks are not beside the project")
    network = engine.read_network(path)
    for rows in (500, 20_000):
        dataset = engine.simulate_network(network, [network.nodes[0]], rows=rows, seed=3).dataset
        repeated_rows = find_repeated_rows(dataset)
        assert repeated_rows.copies == 0 or repeated_rows.by_chance
        assert name == "hailfinder" or repeated_rows.copies > 0


def test_copies_in_a_public_table_are_noticed() -> None:
    path = SHARED / "scene" / "scene.orig.arff.gz"
    if not path.exists():
        pytest.skip("the public tables are not beside the project")
    dataset = engine.read_dataset(path)
    assert find_repeated_rows(dataset).copies == int(dataset.frame.duplicated().sum()) == 7
    assert _messages(dataset)[0].startswith("7 rows of 2,407 are exact copies of earlier rows in 300 columns")


def test_numbers_of_rows_are_not_compared() -> None:
    frame = pandas.concat([_noise(100, 10)] * 2, ignore_index=True)
    frame.insert(0, "id", np.random.default_rng(0).permutation(200))
    frame.insert(0, "name", [f"case {row}" for row in range(200)])
    repeated_rows = find_repeated_rows(Dataset.from_frame(frame))
    assert (repeated_rows.copies, repeated_rows.columns) == (100, 10)


def test_it_is_said_when_a_table_is_read_and_when_it_is_prepared(tmp_path: Path) -> None:
    frame = pandas.concat([_noise(100, 10)] * 3, ignore_index=True)
    frame["ill"] = np.tile(np.arange(100) % 2, 3)
    frame["patient"] = np.tile(np.arange(100), 3)
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    dataset = engine.read_dataset(path, labels=["ill"])
    (message,) = _messages(dataset)
    assert message.startswith("200 rows of 300 are exact copies of earlier rows in 12 columns")
    assert _messages(engine.prepare(dataset)) == [message]
    assert len(_messages(engine.prepare(Dataset.from_frame(frame, labels=["ill"])))) == 1
    grouped = dataset.with_row_roles(groups="patient")
    assert _messages(engine.prepare(grouped)) == []
    assert not _messages(
        engine.prepare(Dataset.from_frame(_noise(100, 5).assign(y=[0, 1] * 50), labels=["y"]))
    )


def test_columns_behind_those_that_tell_rows_apart_take_no_time() -> None:
    generator = np.random.default_rng(0)
    columns = tuple(generator.integers(0, 3, 300_000).astype(np.int8) for _ in range(100))
    variables = tuple(
        Variable(f"v{place}", Kind.NOMINAL, Role.FEATURE, ("a", "b", "c")) for place in range(100)
    )

    def looking(count: int) -> Callable[[], object]:
        dataset = Dataset(variables[:count], columns[:count])
        assert find_repeated_rows(dataset).copies == 0
        return lambda: find_repeated_rows(dataset)

    # The first 28 columns tell these rows apart; four times as many would take four times as long.
    assert relative_effort(looking(100), looking(28), repeats=5) < 2
