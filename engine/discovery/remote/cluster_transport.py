"""The order on the workers of a cluster of dask.distributed: sent to each once, renewed where it was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from threading import Thread
from typing import Any

from engine.discovery.remote.cluster_watch import ClusterWatch
from engine.discovery.remote.order import FoundLabel, SearchOrder
from engine.discovery.remote.station import search_labels, stop_run
from engine.discovery.remote.transport import LoadedParcel
from engine.errors import WorkersLost

# A worker that ended may be started again by its nanny, and a scheduler may come back.
_MOST_SECONDS_ALONE = 20.0
_SECONDS_TO_SEND = 120.0


@contextmanager
def cluster_transport(executor: Executor, order: SearchOrder) -> Iterator[ClusterTransport]:
    """Send an order to every worker, and watch over the cluster meanwhile.

    Parameters
    ----------
    executor : distributed.cfexecutor.ClientExecutor
        What ``Client.get_executor()`` gives.
    order : SearchOrder
    """
    client = executor._client  # type: ignore[attr-defined]
    watch = ClusterWatch(client)
    try:
        yield ClusterTransport(executor, client, watch, order)
    finally:
        watch.end()


class ClusterTransport:
    """For a cluster of dask.distributed, which gives the tasks of a lost worker to another one."""

    stops_workers = True
    carries_table = False

    def __init__(self, executor: Executor, client: Any, watch: ClusterWatch, order: SearchOrder) -> None:
        self._executor = executor
        self._client = client
        self._watch = watch
        self._parcel = LoadedParcel(order)
        self._sent: Any = None
        self._unsent: Exception | None = None
        self.repair()

    @property
    def capacity(self) -> int:
        """Groups of labels that the workers search at once, once they have the order; more when some join."""
        return 0 if self._sent is None else self._watch.threads

    def submit(self, places: tuple[int, ...]) -> Future[list[FoundLabel]]:
        """Have a group of labels searched."""
        # Not pure: a group that was lost must not be answered by its lost predecessor.
        return self._executor.submit(search_labels, self._sent, places, pure=False)  # type: ignore[call-arg]

    def ask_to_stop(self) -> None:
        """Call every worker outside its tasks, which are too busy to listen."""
        _beside(self._tell_all)

    def abandon(self, futures: Sequence[Future[list[FoundLabel]]]) -> None:
        """End what runs and take back what has not begun, without waiting for a cluster that may be gone."""
        self.ask_to_stop()
        for future in futures:
            _beside(future.cancel)

    def check(self) -> None:
        """Raise WorkersLost when scheduler or workers have been away for too long."""
        if self._unsent is not None or self._watch.seconds_alone > _MOST_SECONDS_ALONE:
            raise _nobody_left() from self._unsent

    def repair(self) -> None:
        """Send the order to every worker, beside the run, which may be stopped meanwhile."""
        self._sent = None
        _beside(self._send)

    def explained(self, error: BaseException) -> BaseException:
        """Say of a task that ended one worker after another what that means."""
        from distributed import KilledWorker

        if not isinstance(error, KilledWorker):
            return error
        return WorkersLost(
            "one worker after another ended while it searched around the same labels.",
            place="cluster",
            remedy="They may lack memory for the table: give them more, or fewer threads each.",
        )

    def _send(self) -> None:
        try:
            self._sent = self._client.scatter(
                self._parcel, broadcast=True, hash=False, timeout=_SECONDS_TO_SEND
            )
        except Exception as error:  # noqa: BLE001 - handed to the run, which raises it
            self._unsent = error

    def _tell_all(self) -> None:
        try:
            self._client.run(stop_run, self._parcel.token, on_error="ignore")
        except Exception:  # noqa: BLE001 - who cannot be told has ended, or what it finds is dropped
            return


def _beside(work: Callable[[], object]) -> None:
    Thread(target=work, name="clcd-cluster", daemon=True).start()


def _nobody_left() -> WorkersLost:
    return WorkersLost(
        "the cluster does not answer any more, or has no worker left.",
        place="cluster",
        remedy="Start its scheduler and workers again, or search on this machine.",
    )
