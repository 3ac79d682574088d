"""A cluster of dask.distributed: how an order reaches its workers, and what watches over them."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from engine.discovery.remote.worker import (
    FoundLabel,
    LoadedParcel,
    OrderMissing,
    SearchOrder,
    Transport,
    has_order,
    search_labels,
    stop_run,
    take_order,
)
from engine.errors import Cancelled, ClusterUnavailable, WorkersLost
from engine.progress import Progress
from engine.translation import _

_SECONDS_TO_ANSWER, _SECONDS_BETWEEN_LOOKS = 5.0, 0.1
_LENGTH_BYTES, _SHORT_GREETING = 8, 1 << 20


def wait_for_scheduler(address: str, progress: Progress) -> None:
    """Return when an address greets as a scheduler does: dask waits for ever for others.

    A scheduler begins with the length of its greeting. Addresses other than ``tcp`` are left to dask.
    """
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    try:
        if parts.scheme != "tcp" or not parts.hostname or not parts.port:
            return
        line = socket.create_connection((parts.hostname, parts.port), _SECONDS_TO_ANSWER)
    except (OSError, ValueError):
        return
    received, deadline = b"", time.monotonic() + _SECONDS_TO_ANSWER
    with line:
        line.settimeout(_SECONDS_BETWEEN_LOOKS)
        while len(received) < _LENGTH_BYTES and time.monotonic() < deadline:
            if progress.should_stop():
                raise Cancelled
            try:
                heard = line.recv(_LENGTH_BYTES - len(received))
            except TimeoutError:
                continue
            except OSError:
                # It was ended just now.
                break
            if not heard:
                break
            received += heard
    if len(received) < _LENGTH_BYTES or int.from_bytes(received, "little") > _SHORT_GREETING:
        raise ClusterUnavailable(
            _("this address is not that of a dask.distributed scheduler."),
            place=_("cluster {address}", address=address),
            remedy=_("Check the port: a scheduler says which one it listens at when it starts."),
        )


_SECONDS_BETWEEN = 1.0


class ClusterWatch:
    """Asks the scheduler for its workers, again and again, on a thread of its own."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._ended = Event()
        self._answered = time.monotonic()
        self._workers: Mapping[str, int] = {}
        Thread(target=self._ask_on, name="clcd-cluster-watch", daemon=True).start()

    @property
    def threads(self) -> int:
        """Tasks that the workers can do at once, as far as is known."""
        return sum(self._workers.values())

    @property
    def workers(self) -> Collection[str]:
        """Addresses of the workers, as far as is known."""
        return self._workers

    @property
    def has_ended(self) -> bool:
        """Whether the run is over."""
        return self._ended.is_set()

    @property
    def seconds_alone(self) -> float:
        """For how long there has been no scheduler, or one without workers."""
        return time.monotonic() - self._answered

    def end(self) -> None:
        """Ask no more."""
        self._ended.set()

    def _ask_on(self) -> None:
        while not self._ended.is_set():
            workers = self._ask()
            if workers:
                self._workers = workers
                self._answered = time.monotonic()
            self._ended.wait(_SECONDS_BETWEEN)

    def _ask(self) -> Mapping[str, int]:
        if self._client.status != "running":
            return {}
        try:
            return dict(self._client.nthreads())
        except Exception:  # noqa: BLE001 - whatever went wrong, it did not answer
            return {}


# A worker that ended may be started again by its nanny, and a scheduler may come back.
_MOST_SECONDS_ALONE = 20.0
_SECONDS_TO_SEND = 120.0


@dataclass(frozen=True)
class TakenParcel:
    """An order sent once to each worker: dask would send it again after putting its copy away."""

    token: str

    def open(self) -> tuple[SearchOrder, np.ndarray | None]:
        """Raise OrderMissing: who has the order does not ask for it."""
        raise OrderMissing(self.token)


@contextmanager
def cluster_transport(executor: Executor, order: SearchOrder) -> Iterator[ClusterTransport]:
    """Send an order to every worker, and watch over the cluster meanwhile."""
    client = executor._client  # type: ignore[attr-defined]
    watch = ClusterWatch(client)
    try:
        yield ClusterTransport(executor, client, watch, order)
    finally:
        watch.end()


class ClusterTransport(Transport):
    """For a cluster of dask.distributed, which gives the tasks of a lost worker to another one."""

    stops_workers = True
    carries_table = False

    def __init__(self, executor: Executor, client: Any, watch: ClusterWatch, order: SearchOrder) -> None:
        super().__init__(executor, TakenParcel(order.token))
        self._client = client
        self._watch = watch
        self._order = LoadedParcel(order)
        self._held: Any = None
        self._is_taken = False
        self._sending = Lock()
        self._unsent: Exception | None = None
        self.repair()

    @property
    def capacity(self) -> int:
        """Groups of labels that the workers search at once, once they have the order; more when some join."""
        return self._watch.threads if self._is_taken else 0

    def submit(self, positions: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        # Not pure: a group that was lost must not be answered by its lost predecessor.
        return self._executor.submit(  # type: ignore[call-arg]
            search_labels, self._parcel, positions, pure=False
        )

    def ask_to_stop(self) -> None:
        """Call every worker outside its tasks, which are too busy to listen."""
        _beside(self._tell_all)

    def abandon(self, futures: Iterable[Future[list[FoundLabel]]]) -> None:
        """End what runs and take back what has not begun, without waiting for a cluster that may be gone."""
        self.ask_to_stop()
        for future in futures:
            _beside(future.cancel)

    def check(self) -> None:
        """Raise WorkersLost when scheduler or workers have been away for too long."""
        if self._unsent is not None or self._watch.seconds_alone > _MOST_SECONDS_ALONE:
            raise _nobody_left() from self._unsent

    def repair(self) -> None:
        """Have workers without the order take it, beside the run, which may be stopped meanwhile."""
        # Several tasks may come back from one worker that has no order: one round is for all of them.
        if self._sending.acquire(blocking=False):
            self._is_taken = False
            _beside(self._send)

    def explained(self, error: BaseException) -> BaseException:
        """Say of a task that ended one worker after another what that means."""
        from distributed import KilledWorker

        if not isinstance(error, KilledWorker):
            return error
        return WorkersLost(
            _("one worker after another ended while it searched around the same labels."),
            place=_("cluster"),
            remedy=_("They may lack memory for the table. Give them more memory, or fewer threads each."),
        )

    def _send(self) -> None:
        try:
            holds_order = self._client.run(has_order, self._order.token, on_error="ignore")
            without = [worker for worker, has in holds_order.items() if not has]
            if without and (self._held is None or self._held.status != "finished"):
                self._held = self._client.scatter(self._order, hash=False, timeout=_SECONDS_TO_SEND)
            self._have_taken(without)
            self._is_taken = True
        except Exception as error:  # noqa: BLE001 - handed to the run, which raises it
            self._unsent = error
        finally:
            self._sending.release()

    def _have_taken(self, workers: Sequence[str]) -> None:
        """Have workers get the order from one that has it, and wait for those that live."""
        taking = {
            worker: self._client.submit(
                take_order, self._held, workers=[worker], allow_other_workers=False, pure=False
            )
            for worker in workers
        }
        while not self._watch.has_ended:
            waiting = [future for worker, future in taking.items() if worker in self._watch.workers]
            if all(future.done() for future in waiting):
                break
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        for future in taking.values():
            if future.status == "error":
                raise future.exception()

    def _tell_all(self) -> None:
        try:
            self._client.run(stop_run, self._order.token, on_error="ignore")
        except Exception:  # noqa: BLE001 - who cannot be told has ended, or what it finds is dropped
            return


def _beside(work: Callable[[], object]) -> None:
    Thread(target=work, name="clcd-cluster", daemon=True).start()


def _nobody_left() -> WorkersLost:
    return WorkersLost(
        _("the cluster does not answer any more, or has no worker left."),
        place=_("cluster"),
        remedy=_("Start its scheduler and workers again, or search on this machine."),
    )
