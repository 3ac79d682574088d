"""Whether a cluster is still there: asked beside the run, which must not wait for an answer."""

from __future__ import annotations

import time
from threading import Event, Thread
from typing import Any

_SECONDS_BETWEEN = 1.0


class ClusterWatch:
    """Asks the scheduler for its workers, again and again, on a thread of its own.

    Parameters
    ----------
    client : distributed.Client
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._ended = Event()
        self._answered = time.monotonic()
        self._threads = 0
        Thread(target=self._ask_on, name="clcd-cluster-watch", daemon=True).start()

    @property
    def threads(self) -> int:
        """Tasks that the workers can do at once, as far as is known."""
        return self._threads

    @property
    def seconds_alone(self) -> float:
        """For how long there has been no scheduler, or one without workers."""
        return time.monotonic() - self._answered

    def end(self) -> None:
        """Ask no more."""
        self._ended.set()

    def _ask_on(self) -> None:
        while not self._ended.is_set():
            threads = self._ask()
            if threads:
                self._threads = threads
                self._answered = time.monotonic()
            self._ended.wait(_SECONDS_BETWEEN)

    def _ask(self) -> int:
        if self._client.status != "running":
            return 0
        try:
            return sum(self._client.nthreads().values())
        except Exception:  # noqa: BLE001 - whatever went wrong, it did not answer
            return 0
