"""What is found does not depend on the order of rows or columns, on the names of levels, or on units."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas
import pytest

import engine
from tests.benchmarks.odd_tables import drawn
from tests.examples import first_of
from tests.with_each import with_each

EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"
COPY = "copy of "


class Table(NamedTuple):
    """Rows, and which columns are labels."""

    frame: pandas.DataFrame
    labels: list[str]


Change = Callable[[np.random.Generator, pandas.DataFrame], pandas.DataFrame]


def _with_copies(dataset: engine.Dataset, copies: int) -> Table:
    frame = dataset.frame.copy()
    for name in dataset.features[:copies]:
        frame[COPY + name] = frame[name]
    return Table(frame, list(dataset.labels))


def _simulated(copies: int = 8) -> Table:
    return _with_copies(engine.simulate(labels=4, features=30, rows=800, seed=3).dataset, copies)


def _example(name: str, copies: int = 10) -> Table:
    labels = EXAMPLES / f"{name}.xml"
    return _with_copies(engine.read_dataset(EXAMPLES / f"{name}.csv", labels=labels), copies)


def _odd(kind: str, copies: int = 25) -> Table:
    frame, truth = drawn(kind, 1003, 600)
    return _with_copies(engine.Dataset.from_frame(frame, labels=list(truth)), copies)


def _real(folder: Path, name: str, labels: int) -> Table:
    dataset = engine.read_dataset(folder / name / f"{name}.arff", labels=folder / name / f"{name}.xml")
    chosen = list(dataset.labels[:labels])
    return Table(dataset.frame[[*dataset.features[:30], *chosen]], chosen)


TABLES: dict[str, Callable[[], Table]] = {
    "categories": _simulated,
    "survey": lambda: _example("hospital-survey"),
    "clinic": lambda: _example("diabetes-clinic", 6),
    "counts": lambda: _odd("counts"),
    "grades": lambda: _odd("five grades"),
}
WITHOUT_COPIES: dict[str, Callable[[], Table]] = {
    "categories": lambda: _simulated(0),
    "survey": lambda: _example("hospital-survey", 0),
    "counts": lambda: _odd("counts", 0),
}


def _found(frame: pandas.DataFrame, labels: list[str], **settings: object) -> dict[str, object]:
    """Search a table; return what is found by name, in no order."""
    dataset = engine.prepare(engine.Dataset.from_frame(frame, labels=labels))
    result = engine.discover(dataset, engine.DiscoverySettings(workers=1, **settings))
    pairs = result.equivalences[["target", "in_boundary", "equivalent"]]
    return {
        "label sets": dict(result.label_sets),
        "neighbours": {name: set(each.parents_children) for name, each in result.boundaries.items()},
        "spouses": {name: dict(each.spouses) for name, each in result.boundaries.items()},
        "interchangeable": set(pairs.astype(str).itertuples(index=False, name=None)),
        "leaders": {each.feature: each.led_by for each in result.findings.all},
    }


def _rows_shuffled(generator: np.random.Generator, frame: pandas.DataFrame) -> pandas.DataFrame:
    return frame.iloc[generator.permutation(len(frame))].reset_index(drop=True)


def _columns_shuffled(generator: np.random.Generator, frame: pandas.DataFrame) -> pandas.DataFrame:
    return frame[[frame.columns[place] for place in generator.permutation(frame.shape[1])]]


def _levels_renamed(generator: np.random.Generator, frame: pandas.DataFrame) -> pandas.DataFrame:
    """Give the levels of each column names of its own, so that they come in another order."""
    renamed = frame.copy()
    for name in frame.columns:
        if isinstance(frame[name].dtype, pandas.CategoricalDtype) and not frame[name].cat.ordered:
            levels = [f"level {number}" for number in generator.permutation(len(frame[name].cat.categories))]
            column = pandas.Categorical.from_codes(frame[name].cat.codes, categories=levels)
            renamed[name] = column.reorder_categories(sorted(levels))
    return renamed


def _in_other_units(generator: np.random.Generator, frame: pandas.DataFrame) -> pandas.DataFrame:
    """Multiply each number by a power of two, which changes none of its digits."""
    changed = frame.copy()
    for name in frame.columns:
        if pandas.api.types.is_float_dtype(frame[name].dtype):
            changed[name] = frame[name] * 2.0 ** float(generator.integers(-3, 4))
    return changed


@functools.lru_cache(maxsize=len(TABLES))
def _with_its_findings(table: str) -> tuple[pandas.DataFrame, list[str], dict[str, object]]:
    frame, labels = TABLES[table]()
    return frame, labels, _found(frame, labels)


@pytest.mark.parametrize("change", [_rows_shuffled, _levels_renamed, _in_other_units])
@pytest.mark.parametrize("table", TABLES)
@with_each("seed", first_of((1, 2), 1))
def test_findings_do_not_depend_on_how_the_table_is_written(table: str, change: Change, seed: int) -> None:
    """Exact copies among the columns: of these the one that stands first is found."""
    frame, labels, expected = _with_its_findings(table)
    assert expected["label sets"]
    assert _found(change(np.random.default_rng(seed), frame), labels) == expected


@pytest.mark.parametrize("table", WITHOUT_COPIES)
def test_findings_do_not_depend_on_the_order_of_columns(table: str) -> None:
    frame, labels = WITHOUT_COPIES[table]()
    expected = _found(frame, labels)
    assert _found(_columns_shuffled(np.random.default_rng(1), frame), labels) == expected


@pytest.mark.parametrize("algorithm", ["mmmb", "pcmb"])
def test_copies_do_not_take_turns_in_other_algorithms(algorithm: str) -> None:
    frame, labels = _simulated()
    expected = _found(frame, labels, algorithm=algorithm)
    for change in (_rows_shuffled, _levels_renamed):
        changed = change(np.random.default_rng(1), frame)
        assert _found(changed, labels, algorithm=algorithm) == expected


@pytest.mark.parametrize(("name", "labels"), [("flags", 7), ("emotions", 3)])
def test_findings_in_real_tables_do_not_depend_on_how_they_are_written(
    shared_data: Path, name: str, labels: int
) -> None:
    table = _real(shared_data, name, labels)
    expected = _found(*table)
    for change in (_rows_shuffled, _columns_shuffled, _levels_renamed, _in_other_units):
        assert _found(change(np.random.default_rng(1), table.frame), table.labels) == expected


@pytest.mark.parametrize("table", ["categories", "survey"])
def test_a_label_that_is_there_twice_has_the_same_features_both_times(table: str) -> None:
    frame, labels = WITHOUT_COPIES[table]()
    again = COPY + labels[0]
    found = _found(frame.assign(**{again: frame[labels[0]]}), [*labels, again])
    for feature, served in dict(found["label sets"]).items():  # type: ignore[call-overload]
        assert (labels[0] in served) == (again in served), feature
