"""One search by threads here, and by clusters of 1, 2, 4 and 8 worker processes on this machine.

Run by hand, from the project's folder; dask.distributed must be there::

    python -m tests.benchmarks.cluster_of_processes

Prints a table in Markdown: whether the result is the same, time by the clock, processor time of all workers,
how often the table was sent and how many MB that was. Kernels are loaded before anything is timed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass

import distributed

import engine
from engine.boundaries.discovery_settings import arranged
from engine.discovery.remote.worker import SearchOrder
from engine.discovery.result import DiscoveryResult
from tests.benchmarks.cluster_point import bytes_to_send
from tests.benchmarks.growth_point import cpu_seconds, peak_memory
from tests.engine.discovery.remote_runs import everything, local_cluster, orders_sent

_MEGABYTE = 1e6
_SECONDS_TO_START = 120
_HEADS = (
    "searched by",
    "result",
    "by the clock, s",
    "of the workers' processors, s",
    "table sent, times",
    "MB",
    "MB/s from worker to worker",
    "most memory of a worker, MB",
)


@dataclass(frozen=True)
class Used:
    """What workers have used up so far.

    Attributes
    ----------
    processor : float
        Seconds.
    transfers : int
        How often the table was sent to another worker.
    sending_seconds : float
        How long these transfers took; those that were made side by side are added up.
    """

    processor: float
    transfers: int = 0
    sending_seconds: float = 0.0

    def since(self, before: Used) -> Used:
        """Return what was used up after an earlier moment."""
        return Used(*(now - then for now, then in zip(astuple(self), astuple(before), strict=True)))


def used_here(dask_worker: distributed.Worker) -> Used:
    """Return what this worker has used up; called in the worker."""
    tables = orders_sent(dask_worker)
    return Used(cpu_seconds(), len(tables), sum(table["duration"] for table in tables))


def used_by_all(client: distributed.Client) -> Used:
    """Return what all workers together have used up."""
    each_worker = [astuple(used) for used in client.run(used_here).values()]
    return Used(*map(sum, zip(*each_worker, strict=True)))


@dataclass(frozen=True)
class Searched:
    """What came of a search, and what it cost.

    Attributes
    ----------
    result : DiscoveryResult
    clock : float
        Seconds by the clock.
    used : Used
    peak_bytes : int
        Most memory that a worker has had.
    """

    result: DiscoveryResult
    clock: float
    used: Used
    peak_bytes: int


def searched_here(dataset: engine.Dataset) -> Searched:
    """Search by threads of this process."""
    engine.discover(_small())
    clock, before = time.perf_counter(), Used(cpu_seconds())
    result = engine.discover(dataset)
    clock, used = time.perf_counter() - clock, Used(cpu_seconds()).since(before)
    return Searched(result, clock, used, peak_memory())


def searched_by_processes(dataset: engine.Dataset, workers: int) -> Searched:
    """Search by a cluster of so many processes."""
    with _cluster(workers) as client:
        executor = client.get_executor()
        engine.discover(_small(), executor=executor)
        before, clock = used_by_all(client), time.perf_counter()
        result = engine.discover(dataset, executor=executor)
        clock = time.perf_counter() - clock
        used = used_by_all(client).since(before)
        return Searched(result, clock, used, max(client.run(peak_memory).values()))


@contextmanager
def _cluster(workers: int) -> Iterator[distributed.Client]:
    """Connect to a cluster when all of its workers are there."""
    with (
        local_cluster(workers) as address,
        distributed.Client(address, set_as_default=False) as client,
    ):
        client.wait_for_workers(workers, timeout=_SECONDS_TO_START)
        yield client


def _small() -> engine.Dataset:
    """Return a table whose search loads the kernels."""
    return engine.simulate(labels=4, features=100, rows=500).dataset


def _row(name: str, searched: Searched, expected: DiscoveryResult, sent: Sequence[str]) -> str:
    """Return a row of the table."""
    is_same = everything(searched.result) == everything(expected)
    cells = [
        name,
        "the same" if is_same else "ANOTHER",
        f"{searched.clock:.1f}",
        f"{searched.used.processor:.1f}",
        *sent,
        f"{searched.peak_bytes / _MEGABYTE:,.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _sent(used: Used, table_megabytes: float) -> list[str]:
    """Return how often the table was sent, by the client too, how many MB these are, and how fast it went.

    The library's own note of sizes counts nothing of what is inside an order.
    """
    times = 1 + used.transfers
    speed = f"{used.transfers * table_megabytes / used.sending_seconds:,.0f}" if used.transfers else ""
    return [str(times), f"{times * table_megabytes:,.0f}", speed]


def compare(dataset: engine.Dataset, workers: Sequence[int]) -> Iterator[str]:
    """Search a table in every way; give the lines of the table as they come."""
    data = arranged(dataset, engine.DiscoverySettings())
    labels = tuple(data.positions[label] for label in dataset.labels)
    table_megabytes = bytes_to_send(SearchOrder(data, engine.DiscoverySettings(), labels)) / _MEGABYTE
    yield (
        f"{len(dataset.labels)} labels, {len(dataset.features):,} features, {dataset.row_count:,} rows: "
        f"the table takes {table_megabytes:,.0f} MB on the network."
    )
    yield ""
    yield f"| {' | '.join(_HEADS)} |"
    yield "| --- | --- |" + " ---: |" * (len(_HEADS) - 2)
    here = searched_here(dataset)
    yield _row("threads here", here, here.result, ["0", "0", ""])
    for count in workers:
        name = "1 process" if count == 1 else f"{count} processes"
        away = searched_by_processes(dataset, count)
        yield _row(name, away, here.result, _sent(away.used, table_megabytes))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="One search by threads and by clusters of processes.")
    parser.add_argument("--labels", type=int, default=40)
    parser.add_argument("--features", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    arguments = parser.parse_args()
    network = engine.simulate(
        labels=arguments.labels, features=arguments.features, rows=arguments.rows, seed=arguments.seed
    )
    for line in compare(network.dataset, arguments.workers):
        print(line, flush=True)


if __name__ == "__main__":
    main()
