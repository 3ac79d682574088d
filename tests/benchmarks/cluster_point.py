"""One search of one table in a process of its own, as a worker of a cluster makes it, part by part.

Prints its figures as JSON; ``tests.benchmarks.cluster_on_paper --measure`` starts it for every size.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import engine
from engine.boundaries.discovery_settings import arranged
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.remote.worker import LoadedParcel, SearchOrder, search_labels, take_order
from engine.progress import SilentProgress

_SMALL = {"labels": 4, "features": 100, "rows": 500}
# A short search is made again, as one alone says little.
_QUICK_SECONDS = 1.0
_REPEATS = 2


class OnlyWorker(Executor):
    """Does every task at once and in this thread, and notes what it cost.

    Attributes
    ----------
    seconds : float
        Processor time of all tasks.
    result_bytes : int
        Size of what the tasks found, as it would travel.
    order : SearchOrder
        What the tasks were to search.
    """

    _max_workers = 1

    def __init__(self) -> None:
        self.seconds = 0.0
        self.result_bytes = 0
        self.order: SearchOrder | None = None

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **more: Any) -> Future[Any]:
        """Do a task; its first argument is the parcel that every task carries."""
        self.order = arguments[0].order
        started = time.process_time()
        outcome = task(*arguments, **more)
        self.seconds += time.process_time() - started
        self.result_bytes += len(pickle.dumps(outcome))
        future: Future[Any] = Future()
        future.set_result(outcome)
        return future


def measure(labels: int, features: int, rows: int, seed: int) -> dict[str, Any]:
    """Search a simulated table of categories by default settings, and return what each part cost.

    Parameters
    ----------
    labels, features, rows, seed : int
        Of :func:`engine.simulate`.

    Returns
    -------
    dict
        The sizes, processor seconds and bytes: fields of :class:`tests.benchmarks.cluster_costs.Point`.
    """
    settings = engine.DiscoverySettings(workers=1)
    # Kernels are loaded before anything is timed.
    search_in_parts(engine.simulate(**_SMALL).dataset, settings)
    dataset = engine.simulate(labels=labels, features=features, rows=rows, seed=seed).dataset
    parts = [search_in_parts(dataset, settings)]
    if parts[0]["together_seconds"] < _QUICK_SECONDS:
        parts += [search_in_parts(dataset, settings) for _ in range(_REPEATS)]
    return {
        "labels": labels,
        "variables": labels + features,
        "rows": rows,
        "reading_seconds": seconds_of_reading(dataset),
        **{name: least([part[name] for part in parts]) for name in parts[0]},
    }


def least(measured: Sequence[Any]) -> Any:
    """Return the least of what was measured again and again, of lists at each place."""
    if isinstance(measured[0], list):
        return [min(times) for times in zip(*measured, strict=True)]
    return min(measured)


def seconds_of_reading(dataset: engine.Dataset) -> float:
    """Return the processor time of opening a table that was written in codes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.coded"
        engine.write_coded(dataset, path)
        started = time.process_time()
        engine.read_dataset(path)
        return time.process_time() - started


def search_in_parts(dataset: engine.Dataset, settings: engine.DiscoverySettings) -> dict[str, Any]:
    """Return what arranging, searching around labels and all that comes after cost."""
    started = time.process_time()
    data = arranged(dataset, settings)
    arranging = time.process_time() - started
    worker = OnlyWorker()
    started = time.process_time()
    search_data(data, dataset, SearchRequest(settings), SilentProgress(), worker)
    whole = time.process_time() - started
    order = worker.order
    assert order is not None
    return {
        "arranging_seconds": arranging,
        "together_seconds": worker.seconds,
        "after_seconds": whole - worker.seconds,
        "alone_seconds": [seconds_alone(order, place) for place in range(len(order.labels))],
        "order_bytes": bytes_to_send(order),
        "result_bytes": worker.result_bytes,
    }


def seconds_alone(order: SearchOrder, place: int) -> float:
    """Return the processor time of a label that finds nothing searched before it."""
    parcel = LoadedParcel(replace(order, token=f"{order.token} {place}"))
    take_order(parcel)
    started = time.process_time()
    search_labels(parcel, (place,))
    return time.process_time() - started


def bytes_to_send(order: SearchOrder) -> int:
    """Return the size of an order on the network, where arrays travel as they are."""
    buffers: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(LoadedParcel(order), protocol=5, buffer_callback=buffers.append)
    return len(rest) + sum(buffer.raw().nbytes for buffer in buffers)


def main() -> None:
    """Measure the size that the arguments name."""
    parser = argparse.ArgumentParser(description="Search one table and print what each part cost.")
    for name in ("labels", "features", "rows", "seed"):
        parser.add_argument(name, type=int)
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.labels, arguments.features, arguments.rows, arguments.seed)))


if __name__ == "__main__":
    main()
