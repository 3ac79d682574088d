"""A search on a cluster by a clock of its own: labels take what they are said to take, nothing is searched.

Labels are handed out by :class:`engine.discovery.remote.remote_run.LabelBatches` itself, so that it is the
rule of the program that is tried.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, NamedTuple, cast
from unittest.mock import patch

from engine.discovery.label_outcome import LabelOutcome
from engine.discovery.remote import remote_run
from engine.discovery.remote.worker import FoundLabel, Transport

# What the scheduler and the network take for each task: handed to a worker when the one before is done.
SECONDS_A_TASK = 0.005
# To how many others a worker of dask.distributed sends at once.
COPIES_AT_ONCE = 50
_NOTHING_FOUND = cast("LabelOutcome", None)


@dataclass(frozen=True)
class RunCosts:
    """What the parts of a run cost.

    Attributes
    ----------
    before, after : float
        Seconds of the machine that asks, before labels are searched around and after.
    labels : tuple of float
        Seconds around each label.
    order_bytes : float
        What each worker is sent.
    result_bytes : float
        What comes back of all labels.
    """

    before: float
    labels: tuple[float, ...]
    after: float
    order_bytes: float
    result_bytes: float


@dataclass(frozen=True)
class SimulatedRun:
    """How a run went.

    Attributes
    ----------
    sending : float
        Seconds until the last worker had the table.
    searching : float
        Seconds from then on until the last label was there.
    clock : float
        Seconds of the whole.
    processor : float
        Seconds of all processors together.
    sent_bytes : float
        Everything that went over the network.
    """

    sending: float
    searching: float
    clock: float
    processor: float
    sent_bytes: float


class _Task(NamedTuple):
    """A group of labels that a worker has or waits for; those that end first come first."""

    end: float
    number: int
    future: Future[list[FoundLabel]]
    labels: list[FoundLabel]


class SimulatedWorkers:
    """Workers that only let time pass: what `Groups` needs of a transport when nothing is lost or stopped.

    Tasks begin in the order in which they came, each on the worker that is free first.

    Parameters
    ----------
    labels : sequence of float
        Seconds around each label.
    workers : int
    seconds_a_task : float
        What each task takes beside its labels.

    Attributes
    ----------
    now : float
        Seconds since the workers began.
    groups : list of tuple of int
        What was handed out, in this order.
    """

    carries_table = False

    def __init__(self, labels: Sequence[float], workers: int, seconds_a_task: float) -> None:
        self.capacity = workers
        self.now = 0.0
        self.groups: list[tuple[int, ...]] = []
        self._labels = labels
        self._seconds_a_task = seconds_a_task
        self._free_at = [0.0] * workers
        self._tasks: list[_Task] = []

    def submit(self, positions: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have the worker that is free first take a group of labels."""
        found_labels = [FoundLabel(place, _NOTHING_FOUND, {}, self._labels[place]) for place in positions]
        begin = max(self.now, heapq.heappop(self._free_at))
        end = begin + self._seconds_a_task + sum(found_label.seconds for found_label in found_labels)
        heapq.heappush(self._free_at, end)
        future: Future[list[FoundLabel]] = Future()
        heapq.heappush(self._tasks, _Task(end, len(self.groups), future, found_labels))
        self.groups.append(positions)
        return future

    def check(self) -> None:
        """Do nothing: these workers are never lost."""

    def wait(self, running: Iterable[Future[Any]], *_: object) -> tuple[set[Future[Any]], set[Future[Any]]]:
        """Let time pass until the next task ends; this stands for :func:`concurrent.futures.wait`."""
        task = heapq.heappop(self._tasks)
        self.now = task.end
        task.future.set_result(task.labels)
        return {task.future}, set(running) - {task.future}


def searched(
    labels: Sequence[float], workers: int, seconds_a_task: float = SECONDS_A_TASK
) -> SimulatedWorkers:
    """Hand all labels out to workers and take them back; return the workers after that.

    Parameters
    ----------
    labels : sequence of float
        Seconds around each label.
    workers : int
    seconds_a_task : float
    """
    simulated = SimulatedWorkers(labels, workers, seconds_a_task)
    with patch.object(remote_run, "wait", simulated.wait):
        groups = remote_run.LabelBatches(cast("Transport", simulated), len(labels))
        for _ in groups.finished(lambda: False):
            pass
    return simulated


def seconds_to_send(workers: int, seconds_each: float, copies_at_once: int = COPIES_AT_ONCE) -> float:
    """Return how long it takes until every worker has the table.

    One gets it from the machine that asks, by way of the scheduler. Those that have it then give it to the
    others, each to so many at once, which share the line of the sender.

    Parameters
    ----------
    workers : int
    seconds_each : float
        What one copy takes on one line.
    copies_at_once : int
    """
    seconds, have = 2 * seconds_each, 1
    while have < workers:
        copies = min(copies_at_once, math.ceil((workers - have) / have))
        seconds += copies * seconds_each
        have = min(workers, have * (1 + copies))
    return seconds


def simulated_run(costs: RunCosts, workers: int, bytes_a_second: float) -> SimulatedRun:
    """Return how a run on a cluster goes.

    Parameters
    ----------
    costs : RunCosts
    workers : int
        Processes with one thread each.
    bytes_a_second : float
        What one line of the network carries.
    """
    sending = seconds_to_send(workers, costs.order_bytes / bytes_a_second)
    searching = searched(costs.labels, workers).now
    return SimulatedRun(
        sending,
        searching,
        clock=costs.before + sending + searching + costs.after,
        processor=costs.before + sum(costs.labels) + costs.after,
        # By way of the scheduler: the first copy goes over the network twice.
        sent_bytes=(workers + 1) * costs.order_bytes + costs.result_bytes,
    )
