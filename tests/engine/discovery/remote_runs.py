"""What runs on executors share: a table, a cluster, what it has sent, and a watcher that stops."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import engine
from engine.discovery.result import DiscoveryResult
from engine.progress import ProgressEvent

SETTINGS = engine.DiscoverySettings(alpha=0.05, false_discovery="none", procedure="as published", workers=1)


def table() -> engine.Dataset:
    """Give a table of which a run takes about a second."""
    return engine.simulate(labels=16, features=150, rows=2000, multiple_boundaries=0.5, seed=5).dataset


def everything(result: DiscoveryResult) -> dict[str, Any]:
    """Give all fields of a result but its duration and what was asked, in their order."""
    fields = [field.name for field in dataclasses.fields(result)]
    values = {
        name: getattr(result, name) for name in fields if name not in ("seconds", "settings", "dataset")
    }
    return {name: list(value.items()) if isinstance(value, dict) else value for name, value in values.items()}


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """Start a scheduler with worker processes of one thread each; give its address.

    A nanny replaces a process that ends.
    """
    import distributed

    with distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
    ) as cluster:
        yield cluster.scheduler_address


def orders_sent(dask_worker: Any) -> list[dict[str, Any]]:
    """List what this worker noted of each order that it sent to another one; called in the worker."""
    return [
        entry
        for entry in dask_worker.transfer_outgoing_log
        if any("LoadedParcel" in key for key in entry["keys"])
    ]


class Watcher:
    """Notes progress, and asks to stop once some labels are found."""

    def __init__(self, labels_before_stop: int | None = None) -> None:
        self.events: list[ProgressEvent] = []
        self._before_stop = labels_before_stop

    def report(self, event: ProgressEvent) -> None:
        self.events.append(event)

    def should_stop(self) -> bool:
        return self._before_stop is not None and self.labels_found >= self._before_stop

    @property
    def labels_found(self) -> int:
        """Number of labels that were told of so far."""
        return sum(event.stage == "Searching around labels" for event in self.events)
