"""A real scheduler with three worker processes: same result, also when one is killed; stopping; addresses."""

from __future__ import annotations

import os
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Thread

import pytest

import engine
from engine.discovery.remote import cluster as of_cluster
from engine.discovery.remote import worker
from engine.discovery.remote.worker import LoadedParcel
from engine.discovery.result import DiscoveryResult
from engine.errors import ClusterUnavailable, InvalidParameter
from engine.execution import cluster as connecting
from engine.execution.cluster import cluster_executor
from engine.terminal import main
from tests.engine.discovery.remote_runs import (
    SETTINGS,
    Watcher,
    everything,
    local_cluster,
    orders_sent,
    table,
)

dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")

# What the library itself leaves open or warns of while processes come and go.
pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="workers are killed by signal"),
]


@pytest.fixture(scope="module")
def dataset() -> engine.Dataset:
    return table()


@pytest.fixture(scope="module")
def expected(dataset: engine.Dataset) -> DiscoveryResult:
    return engine.discover(dataset, SETTINGS)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of three workers, where dask puts away, all the time, copies that no task needs at that moment."""
    in_a_hurry = {"distributed.scheduler.active-memory-manager.interval": "20ms"}
    with dask.config.set(in_a_hurry), local_cluster(3) as there:
        yield there


@pytest.fixture
def client(address: str) -> Iterator[distributed.Client]:
    """Give a client of it, when all workers are there."""
    with distributed.Client(address, set_as_default=False) as there:
        there.wait_for_workers(3, timeout=60)
        yield there


def test_a_cluster_gives_the_same_by_its_address(
    dataset: engine.Dataset, expected: DiscoveryResult, address: str
) -> None:
    watcher = Watcher()
    result = engine.discover(dataset, replace(SETTINGS, cluster=address), watcher)
    assert everything(result) == everything(expected)
    assert watcher.labels_found == len(dataset.labels)


class _Killer(Watcher):
    """Kills a process when some labels are found."""

    def __init__(self, process: int) -> None:
        super().__init__()
        self._process = process

    def report(self, event: engine.ProgressEvent) -> None:
        super().report(event)
        if self.labels_found == 3:
            os.kill(self._process, signal.SIGKILL)


def test_a_worker_that_is_killed_changes_nothing(
    dataset: engine.Dataset, expected: DiscoveryResult, client: distributed.Client
) -> None:
    process = next(iter(client.run(os.getpid).values()))
    killer = _Killer(process)
    result = engine.discover(dataset, SETTINGS, killer, executor=client.get_executor())
    assert process not in client.run(os.getpid).values()
    assert everything(result) == everything(expected)


class _Orders(Watcher):
    """Notes under which keys the cluster holds the order of the run."""

    def __init__(self, client: distributed.Client) -> None:
        super().__init__()
        self._client = client
        self.keys: set[str] = set()

    def report(self, event: engine.ProgressEvent) -> None:
        super().report(event)
        # A list at once, since the client's own thread changes them meanwhile.
        self.keys |= {key for key in list(self._client.futures) if LoadedParcel.__name__ in key}


def test_a_table_travels_to_each_worker_once(
    dataset: engine.Dataset, expected: DiscoveryResult, client: distributed.Client
) -> None:
    orders = _Orders(client)
    result = engine.discover(dataset, SETTINGS, orders, executor=client.get_executor())
    assert everything(result) == everything(expected)
    assert len(orders.keys) == 1
    # A worker notes what it sent when the other one has opened it: for a run before this one, perhaps now.
    noted = chain.from_iterable(client.run(orders_sent).values())
    receivers = [entry["who"] for entry in noted if not orders.keys.isdisjoint(entry["keys"])]
    # The one that it was sent to has it from nobody here, or once, where dask put its copy away at once.
    assert len(set(receivers)) == len(receivers) >= 2


@pytest.mark.parametrize("forgetful", [pytest.param(1, marks=pytest.mark.long), 3])
def test_who_has_the_table_does_not_take_it_again(
    dataset: engine.Dataset, expected: DiscoveryResult, client: distributed.Client, forgetful: int
) -> None:
    workers = list(client.nthreads())[:forgetful]
    before = client.run(times_taken)
    watcher = _Forgetting(client, workers)
    result = engine.discover(dataset, SETTINGS, watcher, executor=client.get_executor())
    assert everything(result) == everything(expected)
    taken = {name: times - before[name] for name, times in client.run(times_taken).items()}
    assert {name for name, times in taken.items() if times > 1} == set(workers)
    assert max(taken.values()) == 2


def forget_orders() -> None:
    """Be a worker that has come just now."""
    worker._searches.__init__(worker._MOST_SEARCHES)


def times_taken(dask_worker: distributed.Worker) -> int:
    """Count how often this worker was asked to take an order; called in the worker."""
    log_entries = (entry for entry in dask_worker.state.log if entry[1] == "compute-task")
    return sum(key.startswith("take_order") for key, *_ in log_entries)


class _Forgetting(Watcher):
    """Has workers forget their orders when some labels are found."""

    def __init__(self, client: distributed.Client, workers: list[str]) -> None:
        super().__init__()
        self._client, self._workers = client, workers

    def report(self, event: engine.ProgressEvent) -> None:
        super().report(event)
        if self.labels_found == 3:
            self._client.run(forget_orders, workers=self._workers)


def test_a_stop_reaches_the_workers_and_keeps_what_is_finished(
    dataset: engine.Dataset, expected: DiscoveryResult, address: str
) -> None:
    with cluster_executor(address) as executor:
        result = engine.discover(dataset, SETTINGS, Watcher(labels_before_stop=3), executor=executor)
        assert result.is_partial
        assert 3 <= len(result.boundaries) < len(dataset.labels)
        assert all(boundary == expected.boundaries[label] for label, boundary in result.boundaries.items())
        assert executor.submit(int, "7").result(timeout=60) == 7


def test_the_terminal_searches_on_a_cluster(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Small, as sizes are measured of what is found, which takes longer than to find it.
    dataset = engine.simulate(labels=2, features=15, rows=600, seed=5).dataset
    table_file = tmp_path / "table.csv"
    dataset.frame.to_csv(table_file, index=False)
    words = ["discover", str(table_file), "--labels", ",".join(dataset.labels), "--quiet"]
    assert main([*words, "--out", str(tmp_path / "here")]) == 0
    assert main([*words, "--out", str(tmp_path / "there"), "--cluster", address]) == 0
    for name in ("common.csv", "label_specific.csv", "equivalences.csv", "graph.graphml"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    for path in (tmp_path / "there").iterdir():
        assert address.encode() not in path.read_bytes()


def test_an_address_where_nobody_answers_is_told_soon(
    dataset: engine.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert connecting._SECONDS_TO_CONNECT == 5
    monkeypatch.setattr(connecting, "_SECONDS_TO_CONNECT", 0.5)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(ClusterUnavailable, match=r"no scheduler|is not that of") as caught:
            engine.discover(dataset, replace(SETTINGS, cluster=address))
    assert caught.value.place == f"cluster {address}"


@pytest.mark.parametrize("address", ["somewhere", "tcp://machine", "tcp://a b:1", ""])
def test_what_is_no_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(InvalidParameter, match="such as tcp://"):
        engine.DiscoverySettings(cluster=address)


def test_a_scheduler_that_ends_while_it_is_greeted_is_told(
    dataset: engine.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "_SECONDS_TO_CONNECT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"

        def reset() -> None:
            line, _ = server.accept()
            # The system of a process that was killed answers so.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()

        Thread(target=reset, daemon=True).start()
        with pytest.raises(ClusterUnavailable, match=r"no scheduler|is not that of"):
            engine.discover(dataset, replace(SETTINGS, cluster=address))


@pytest.mark.parametrize(
    ("scheme", "greeting"),
    [("tcp", b""), ("tcp", b"SSH-2.0-x\r\n"), ("tls", b""), ("ws", b"")],
)
def test_what_is_no_scheduler_is_not_waited_for(
    scheme: str, greeting: bytes, dataset: engine.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of_cluster, "_SECONDS_TO_ANSWER", 0.3)
    monkeypatch.setattr(connecting, "_SECONDS_TO_CONNECT", 0.3)
    # A client that finds no scheduler complains after the error, when it is let go.
    monkeypatch.setattr(distributed, "Client", None)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"

        def greet() -> None:
            line, _ = server.accept()
            with line, suppress(OSError):
                line.sendall(greeting)
                line.recv(1)

        Thread(target=greet, daemon=True).start()
        with pytest.raises(ClusterUnavailable, match=r"no scheduler|is not that of"):
            engine.discover(dataset, replace(SETTINGS, cluster=address))
