"""Any executor gives the result of plain threads: counts, directions and order included; stopping; losses."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import arranged
from engine.discovery.remote.remote_run import write_order
from engine.discovery.remote.worker import SearchOrder
from engine.discovery.result import DiscoveryResult
from engine.errors import WorkersLost
from tests.engine.discovery.remote_runs import SETTINGS, Watcher, everything, table


@pytest.fixture(scope="module")
def dataset() -> engine.Dataset:
    return table()


@pytest.fixture(scope="module")
def expected(dataset: engine.Dataset) -> DiscoveryResult:
    return engine.discover(dataset, SETTINGS)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables for processes are kept meanwhile."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


class _Elsewhere(Executor):
    """An executor of a kind that is not known, and that says nothing of its workers."""

    def __init__(self) -> None:
        self.tasks = 0
        self._threads = ThreadPoolExecutor(2)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        return self._threads.submit(work, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)


def test_threads_of_the_caller_are_used_and_left_open(
    dataset: engine.Dataset, expected: DiscoveryResult
) -> None:
    with ThreadPoolExecutor(3) as threads:
        result = engine.discover(dataset, SETTINGS, executor=threads)
        assert threads.submit(int, "7").result() == 7
    assert everything(result) == everything(expected)


def test_an_unknown_executor_gives_the_same_in_few_tasks(
    dataset: engine.Dataset, expected: DiscoveryResult
) -> None:
    with _Elsewhere() as executor:
        result = engine.discover(dataset, SETTINGS, executor=executor)
        assert executor.tasks <= 2 * (os.cpu_count() or 1)
    assert everything(result) == everything(expected)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"false_discovery": "bh", "symmetry": True},
        {"algorithm": "mmmb", "max_equivalence": 0, "min_rows_per_dof": 5.0},
    ],
)
def test_processes_give_the_same(
    dataset: engine.Dataset, processes: ProcessPoolExecutor, temporary: Path, changes: dict[str, Any]
) -> None:
    settings = engine.DiscoverySettings(**(SETTINGS.as_dict() | changes))
    watcher = Watcher()
    result = engine.discover(dataset, settings, watcher, executor=processes)
    assert everything(result) == everything(engine.discover(dataset, settings))
    assert watcher.labels_found == len(dataset.labels)
    assert [event.done for event in watcher.events] == sorted(event.done for event in watcher.events)
    assert {event.detail for event in watcher.events} >= set(dataset.labels)
    assert list(temporary.iterdir()) == []


def test_a_table_of_numbers_reaches_processes(processes: ProcessPoolExecutor, temporary: Path) -> None:
    noise = np.random.default_rng(0).normal(size=(5, 500))
    values = {"a": noise[0], "b": noise[1], "c": noise[0] + noise[2], "ill": noise[0] + noise[1] + noise[3]}
    dataset = engine.Dataset.from_frame(pandas.DataFrame(values | {"x": noise[4]}), labels=["ill", "c"])
    settings = engine.DiscoverySettings(test="fisher-z")
    result = engine.discover(dataset, settings, executor=processes)
    assert result.label_sets
    assert everything(result) == everything(engine.discover(dataset, settings))


def test_screens_that_directions_need_are_counted_wherever_labels_are_searched(
    processes: ProcessPoolExecutor,
) -> None:
    dataset = engine.simulate(labels=4, features=24, rows=800, variables="numbers", seed=3).dataset
    result = engine.discover(dataset, executor=processes)
    assert everything(result) == everything(engine.discover(dataset))


def arrays_in(value: object) -> Iterator[np.ndarray]:
    """Give the arrays of a table, those of tables in it included."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays_in(part)


@pytest.mark.parametrize("has_gaps", [False, True], ids=["complete", "with gaps"])
@pytest.mark.parametrize("test", ["g2", "x2", "mixed", "basis", "fisher-z", "g2-permutation"])
def test_an_order_in_a_file_is_read_as_it_was_written(tmp_path: Path, test: str, has_gaps: bool) -> None:
    if test == "mixed" and has_gaps:
        pytest.skip("it takes no gaps")
    frame = engine.simulate(labels=2, features=8, rows=1500, seed=2).dataset.frame
    generator = np.random.default_rng(1)
    if test in ("basis", "fisher-z"):
        frame = pandas.DataFrame(generator.normal(size=frame.shape), columns=frame.columns)
    if has_gaps:
        frame = frame.astype(object).mask(generator.random(frame.shape) < 0.05)
        frame = frame.astype(float) if test in ("basis", "fisher-z") else frame
    dataset = engine.Dataset.from_frame(frame, labels=list(frame.columns[:2]))
    settings = engine.DiscoverySettings(test=test, permutations=99)
    data = arranged(dataset, settings)
    order = SearchOrder(data, settings, (0, 1))
    parcel = write_order(order, tmp_path)
    # This is what every task carries, whatever the number of rows.
    assert len(pickle.dumps(parcel)) < 10_000
    read, stop = parcel.open()
    assert (read.settings, read.labels, read.token) == (order.settings, order.labels, order.token)
    assert read.data.names == data.names
    assert stop is not None
    assert not stop[0]
    assert type(read.data.table) is type(data.table)
    for written, mapped in zip(arrays_in(data.table), arrays_in(read.data.table), strict=True):
        np.testing.assert_array_equal(mapped, written)
        # As the kernels were compiled for.
        assert mapped.dtype == written.dtype
        assert mapped.flags.aligned
        assert mapped.flags.writeable == written.flags.writeable
        assert mapped.flags.c_contiguous == written.flags.c_contiguous


def test_a_stop_reaches_processes_and_keeps_what_is_finished(
    dataset: engine.Dataset, expected: DiscoveryResult, processes: ProcessPoolExecutor, temporary: Path
) -> None:
    result = engine.discover(dataset, SETTINGS, Watcher(labels_before_stop=3), executor=processes)
    assert result.is_partial
    assert len(result.boundaries) >= 3
    assert set(result.boundaries) | set(result.unfinished_labels) == set(dataset.labels)
    assert set(result.boundaries).isdisjoint(result.unfinished_labels)
    for label, boundary in result.boundaries.items():
        assert boundary == expected.boundaries[label]
    assert list(temporary.iterdir()) == []
    # The pool is fit for another run.
    again = engine.discover(dataset, SETTINGS, executor=processes)
    assert everything(again) == everything(expected)


class _Killer(Watcher):
    """Ends a process when some labels are found."""

    def __init__(self, process: Callable[[], int]) -> None:
        super().__init__()
        self._process = process

    def report(self, event: engine.ProgressEvent) -> None:
        super().report(event)
        if self.labels_found == 2:
            os.kill(self._process(), signal.SIGKILL)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed by signal")
def test_a_process_that_ends_is_told_clearly(dataset: engine.Dataset, temporary: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        killer = _Killer(lambda: next(iter(pool._processes)))
        with pytest.raises(WorkersLost, match="ended before they had finished") as caught:
            engine.discover(dataset, SETTINGS, killer, executor=pool)
    assert caught.value.remedy
    assert list(temporary.iterdir()) == []
