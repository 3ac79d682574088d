"""A session gives what single runs give, whatever was searched before, and by any number of threads."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.discover import ORIENTING
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidData, InvalidParameter
from engine.execution.remembering import BoundedMemory
from engine.independence.arranging import make_test_data
from tests.progress_watcher import ProgressWatcher

Alone = Callable[[engine.DiscoverySettings], DiscoveryResult]
LEVELS = (0.05, 0.001, 0.2, 0.01, 0.05, 0.0001)


def _assert_same(actual: DiscoveryResult, expected: DiscoveryResult) -> None:
    """Compare everything but the time it took."""
    for field in dataclasses.fields(DiscoveryResult):
        if field.name not in ("seconds", "dataset"):
            assert getattr(actual, field.name) == getattr(expected, field.name), field.name
    assert actual.dataset is expected.dataset


def _with_gaps(dataset: engine.Dataset) -> engine.Dataset:
    source = np.random.default_rng(5)
    frame = dataset.frame.astype(object)
    frame = frame.mask(source.random(frame.shape) < 0.03)
    return engine.prepare(engine.Dataset.from_frame(frame, labels=dataset.labels), missing="per-test")


def _numbers(rows: int = 300) -> engine.Dataset:
    source = np.random.default_rng(1)
    cause, other_cause = source.normal(size=rows), source.normal(size=rows)
    frame = pandas.DataFrame(
        {
            "cause": cause,
            "other": other_cause,
            "copy": cause + 0.1 * source.normal(size=rows),
            "group": np.where(source.random(rows) < 0.5, "a", "b"),
            "ill": np.where(cause + other_cause + source.normal(size=rows) > 0, "yes", "no"),
            "tired": np.where(cause - other_cause + source.normal(size=rows) > 0, "yes", "no"),
        }
    )
    return engine.Dataset.from_frame(frame, labels=["ill", "tired"])


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    return engine.simulate(labels=4, features=14, rows=400, seed=2).dataset


@pytest.fixture(scope="module")
def completed(table: engine.Dataset) -> engine.Dataset:
    return engine.prepare(_with_gaps(table), missing="imputed", imputations=2)


@pytest.fixture(scope="module")
def alone(table: engine.Dataset) -> Alone:
    """What a run of its own gives, made once for the settings that several tests compare with."""
    return functools.cache(functools.partial(engine.discover, table))


@pytest.mark.parametrize(
    "settings_given",
    [
        {},
        {"false_discovery": "none", "procedure": "as published", "max_conditioning": 2},
        {"algorithm": "mmmb"},
        {"test": "x2"},
        {"dof": "nominal", "min_rows_per_dof": 5.0},
        {"symmetry": True, "max_equivalence": 2},
    ],
)
def test_every_level_gives_what_a_run_of_its_own_gives(
    table: engine.Dataset, alone: Alone, settings_given: dict[str, Any]
) -> None:
    session = engine.DiscoverySession(table)
    for alpha in LEVELS:
        settings = engine.DiscoverySettings(alpha=alpha, **settings_given)
        _assert_same(session.discover(settings), alone(settings))


def test_settings_may_change_in_any_order(table: engine.Dataset, alone: Alone) -> None:
    session = engine.DiscoverySession(table)
    changes = (
        {},
        {"test": "x2"},
        {"min_rows_per_dof": 10.0},
        {"alpha": 0.1, "test": "x2"},
        {"max_conditioning": 1},
        {"alpha": 0.1},
        {"workers": 1},
        {},
    )
    for change in changes:
        settings = engine.DiscoverySettings(**change)
        _assert_same(session.discover(settings), alone(settings))


@pytest.mark.parametrize("test", ["g2", "x2", "fisher-z", "mixed", "g2-permutation", "rcot"])
def test_data_at_another_level_are_those_made_for_it(table: engine.Dataset, test: str) -> None:
    takes_numbers = test in ("fisher-z", "mixed", "rcot")
    for dataset in (_numbers(),) if takes_numbers else (table, _with_gaps(table)):
        data = make_test_data(dataset, test).at_level(0.05)
        wanted = make_test_data(dataset, test).at_level(0.003)
        _assert_equal_tables(data.at_level(0.003).table, wanted.table)
        _assert_equal_tables(data.at_level(0.003).critical, wanted.critical)


@pytest.mark.parametrize("test", ["g2", "basis"])
def test_completed_tables_at_another_level_are_those_made_for_it(
    completed: engine.Dataset, test: str
) -> None:
    data = make_test_data(completed, test).at_level(0.05)
    wanted = make_test_data(completed, test).at_level(0.003)
    _assert_equal_tables(data.at_level(0.003).table, wanted.table)
    _assert_equal_tables(data.at_level(0.003).critical, wanted.critical)


def _assert_equal_tables(actual: Any, wanted: Any) -> None:
    assert type(actual) is type(wanted)
    for name, actual_field, wanted_field in zip(wanted._fields, actual, wanted, strict=True):
        if hasattr(wanted_field, "_fields"):
            _assert_equal_tables(actual_field, wanted_field)
        else:
            # What a category does not have is NaN in either.
            has_gaps = isinstance(wanted_field, np.ndarray) and wanted_field.dtype.kind == "f"
            assert np.array_equal(actual_field, wanted_field, equal_nan=has_gaps), name


@pytest.mark.parametrize("test", ["fisher-z", "mixed"])
def test_numbers_at_every_level(test: str) -> None:
    dataset = _numbers()
    session = engine.DiscoverySession(dataset)
    for alpha in LEVELS:
        settings = engine.DiscoverySettings(alpha=alpha, test=test)
        _assert_same(session.discover(settings), engine.discover(dataset, settings))


def test_incomplete_rows_at_every_level(table: engine.Dataset) -> None:
    dataset = _with_gaps(table)
    session = engine.DiscoverySession(dataset)
    for alpha in LEVELS:
        settings = engine.DiscoverySettings(alpha=alpha)
        _assert_same(session.discover(settings), engine.discover(dataset, settings))


# Birds takes ten times as long as emotions; at a level of 0.1, as long as all the rest.
@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("emotions", (0.1, 0.001, 0.02)),
        pytest.param("birds", (0.02, 0.001, 0.005), marks=pytest.mark.long),
    ],
)
def test_public_tables_at_every_level(shared_data: Path, name: str, levels: tuple[float, ...]) -> None:
    table_file = next((shared_data / name).glob("*.arff*"))
    read = engine.read_dataset(table_file, labels=next((shared_data / name).glob("*.xml")))
    dataset = engine.prepare(read)
    session = engine.DiscoverySession(dataset)
    for alpha in levels:
        settings = engine.DiscoverySettings(alpha=alpha)
        _assert_same(session.discover(settings), engine.discover(dataset, settings))


def test_several_threads_may_ask_at_once(table: engine.Dataset, alone: Alone) -> None:
    session = engine.DiscoverySession(table)
    all_settings = [engine.DiscoverySettings(alpha=alpha) for alpha in LEVELS * 3]
    with ThreadPoolExecutor(6) as threads:
        results = list(threads.map(session.discover, all_settings))
    for settings, result in zip(all_settings, results, strict=True):
        _assert_same(result, alone(settings))


@pytest.mark.parametrize("reports", [1, 2, 5, 9])
def test_a_stopped_search_leaves_nothing_wrong_behind(
    table: engine.Dataset, alone: Alone, reports: int
) -> None:
    session = engine.DiscoverySession(table)
    settings = engine.DiscoverySettings(alpha=0.1)
    session.discover(settings, ProgressWatcher(stop_after=reports))
    _assert_same(session.discover(settings), alone(settings))


def test_after_a_stop_while_directions_are_told_a_new_run_tells_them(
    table: engine.Dataset, alone: Alone
) -> None:
    session = engine.DiscoverySession(table)
    assert not session.discover(progress=ProgressWatcher(stop_in=ORIENTING)).directions_finished
    assert session.remembered(engine.DiscoverySettings()) is None
    _assert_same(session.discover(), alone(engine.DiscoverySettings()))


def test_a_known_result_is_there_at_once(table: engine.Dataset) -> None:
    session = engine.DiscoverySession(table)
    settings = engine.DiscoverySettings(alpha=0.02)
    assert session.remembered(settings) is None
    result = session.discover(settings)
    assert session.remembered(settings) is result
    with_workers = session.remembered(engine.DiscoverySettings(alpha=0.02, workers=1))
    assert with_workers is not None
    assert with_workers.settings.workers == 1
    assert session.remembered(engine.DiscoverySettings(alpha=0.02, dof="nominal")) is None


def test_a_table_that_cannot_be_searched_is_refused_at_once() -> None:
    frame = pandas.DataFrame({"a": [1, 2, 3]})
    with pytest.raises(InvalidData, match="no label"):
        engine.DiscoverySession(engine.Dataset.from_frame(frame, labels=[]))


def test_what_is_kept_stays_within_its_bound() -> None:
    memory: BoundedMemory[int, str] = BoundedMemory(10.0, len)
    for number in range(20):
        memory.put(number, "abcd")
    memory.put(99, "far too long to be kept")
    assert [number for number in range(20) if memory.get(number)] == [18, 19]
    assert memory.get(99) is None
    memory.put(18, "abcdef")
    assert memory.get(18) == "abcdef"
    assert memory.get(19) == "abcd"
    memory.put(20, "ab")
    assert memory.get(18) is None


def test_what_is_known_changes_directions_and_keeps_results_apart() -> None:
    dataset = engine.simulate(labels=3, features=20, rows=2000, multiple_boundaries=0.0, seed=5).dataset
    knowledge = engine.Knowledge(tiers=[dataset.features, dataset.labels])
    session = engine.DiscoverySession(dataset)
    without, with_knowledge = session.discover(), session.discover(knowledge=knowledge)
    assert session.remembered(without.settings) is without
    assert session.remembered(without.settings, knowledge) is with_knowledge
    assert (
        with_knowledge.orientation_records
        == engine.discover(dataset, knowledge=knowledge).orientation_records
    )
    assert with_knowledge.orientation_records != without.orientation_records
    assert with_knowledge.evidence == without.evidence
    with pytest.raises(InvalidParameter, match="'nobody' is not a variable"):
        session.discover(knowledge=engine.Knowledge(not_effects=["nobody"]))


def test_what_is_known_at_other_levels_is_what_was_searched_there(table: engine.Dataset) -> None:
    session = engine.DiscoverySession(table)
    settings = engine.DiscoverySettings(alpha=0.05)
    assert session.at_levels(settings) == {}
    by_level = {level: session.discover(dataclasses.replace(settings, alpha=level)) for level in (0.01, 0.05)}
    session.discover(dataclasses.replace(settings, alpha=0.02, max_conditioning=1))
    session.discover(dataclasses.replace(settings, alpha=0.03), split=engine.RowSplit())
    # Who does the work makes no difference.
    assert session.at_levels(dataclasses.replace(settings, workers=1)) == by_level
    assert list(session.at_levels(settings, split=engine.RowSplit())) == [0.03]


def test_a_level_at_which_a_test_refuses_the_table_is_refused_whatever_ran_before() -> None:
    source = np.random.default_rng(3)
    cause, other_feature = source.exponential(size=(2, 300)) ** 2.1
    frame = pandas.DataFrame(
        {"cause": cause, "other": other_feature, "pain": cause + source.normal(size=300)}
    )
    dataset = engine.Dataset.from_frame(frame, labels=["pain"])
    session = engine.DiscoverySession(dataset)
    lenient = engine.DiscoverySettings(test="fisher-z", alpha=0.2)
    strict = dataclasses.replace(lenient, alpha=1e-4)
    with pytest.raises(InvalidData):
        engine.discover(dataset, strict)
    assert session.discover(lenient).dataset is dataset
    with pytest.raises(InvalidData):
        session.discover(strict)


def test_pairs_that_act_together_are_looked_for_at_each_level_anew() -> None:
    source = np.random.default_rng(6)
    first, second = source.integers(0, 2, (2, 400))
    pain = np.where(source.random(400) < 0.3, source.integers(0, 2, 400), first ^ second)
    frame = pandas.DataFrame({"one": first, "other": second, "pain": pain, "age": source.normal(size=400)})
    dataset = engine.prepare(engine.Dataset.from_frame(frame.astype({"age": float}), labels=["pain"]))
    session = engine.DiscoverySession(dataset)
    for alpha in (0.2, 1e-30, 0.01):
        settings = engine.DiscoverySettings(test="rcot", alpha=alpha)
        _assert_same(session.discover(settings), engine.discover(dataset, settings))
