"""Labels in groups: handed to workers a few groups ahead, taken back as they are found, again where lost."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait

from engine.discovery.remote.order import FoundLabel
from engine.discovery.remote.transport import Transport
from engine.errors import WorkersLost

_POLL_SECONDS = 0.02
# Tasks this long make what it costs to send one count for little.
_TASK_SECONDS = 0.25
_GROUPS_A_WORKER = 2
# After a stop, for workers that can be told of it to hand over what they have finished.
_GRACE_SECONDS = 1.0
_MOST_LOSSES = 5


class Groups:
    """The labels of one run on their way to workers and back.

    Parameters
    ----------
    transport : Transport
        Which has the order already.
    labels : int
        Number of labels.
    """

    def __init__(self, transport: Transport, labels: int) -> None:
        self._transport = transport
        self._labels = labels
        self._open = deque(range(labels))
        self._running: dict[Future[list[FoundLabel]], tuple[int, ...]] = {}
        self._found = 0
        self._seconds = 0.0
        self._losses = 0

    def found(self, stops: Callable[[], bool]) -> Iterator[FoundLabel]:
        """Give labels as they come in, until all are there or the run is stopped.

        Parameters
        ----------
        stops : callable
            Asked often whether to stop.

        Raises
        ------
        WorkersLost
            When nobody is left to finish the search, or the same labels are lost again and again.
        """
        try:
            while self._open or self._running:
                if stops():
                    yield from self._last()
                    return
                self._transport.check()
                self._hand_out()
                done, _ = wait(self._running, _POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    yield from self._taken(future, self._running.pop(future))
        finally:
            if self._running:
                self._transport.abandon(list(self._running))

    def _hand_out(self) -> None:
        while self._open and len(self._running) < self._ahead:
            places = tuple(self._open.popleft() for _ in range(self._group_size()))
            try:
                future = self._transport.submit(places)
            except BrokenExecutor as error:
                raise _lost() from error
            self._running[future] = places

    @property
    def _ahead(self) -> int:
        return _GROUPS_A_WORKER * self._transport.capacity

    def _group_size(self) -> int:
        """Choose tasks that are long enough to be worth sending, and enough of them for every worker."""
        if self._transport.carries_table:
            return min(len(self._open), math.ceil(self._labels / self._ahead))
        seconds_each = self._seconds / self._found if self._found else _TASK_SECONDS
        worth_sending = int(_TASK_SECONDS / max(seconds_each, 1e-6))
        return max(1, min(worth_sending, len(self._open) // self._ahead))

    def _taken(self, future: Future[list[FoundLabel]], places: tuple[int, ...]) -> list[FoundLabel]:
        """Give what a task found; when it was lost with its worker, its labels are open again."""
        error = None if future.cancelled() else future.exception()
        if isinstance(error, BrokenExecutor):
            raise _lost() from error
        if error is not None:
            raise self._transport.explained(error) from error
        if future.cancelled():
            self._losses += 1
            if self._losses > _MOST_LOSSES:
                raise _lost()
            self._transport.repair()
            self._open.extendleft(reversed(places))
            return []
        labels = future.result()
        self._found += len(labels)
        self._seconds += sum(each.seconds for each in labels)
        return labels

    def _last(self) -> Iterator[FoundLabel]:
        """Take what is finished at a stop, and what workers that were told of it hand over soon."""
        self._transport.ask_to_stop()
        deadline = time.monotonic() + (_GRACE_SECONDS if self._transport.stops_workers else 0.0)
        while self._running:
            done, _ = wait(self._running, max(0.0, deadline - time.monotonic()), FIRST_COMPLETED)
            if not done:
                return
            for future in done:
                self._running.pop(future)
                if not future.cancelled() and future.exception() is None:
                    yield from future.result()


def _lost() -> WorkersLost:
    return WorkersLost(
        "workers ended before they had finished.",
        place="parallel search",
        remedy="They may lack memory: use fewer at once, or search without them.",
    )
