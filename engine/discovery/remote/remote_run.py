"""The search around all labels by workers that share no memory with this process."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.label_outcome import LabelOutcome
from engine.discovery.label_search import LabelSearch
from engine.discovery.remote.groups import Groups
from engine.discovery.remote.order import SearchOrder, Tally
from engine.discovery.remote.transport import transport_to
from engine.discovery.steps import Steps
from engine.independence.data import TestData
from engine.progress import Progress

SEARCHING = "Searching around labels"


class RemoteRun:
    """Searches around every label by the workers of an executor.

    Parameters
    ----------
    data : TestData
        What is tested; the workers receive it.
    settings : DiscoverySettings
        How to search; the executor decides on the number of workers.
    labels : sequence of int
        Positions of all labels.
    progress : Progress
        Asked whether to stop.
    executor : concurrent.futures.Executor
    """

    STEPS_PER_LABEL = LabelSearch.STEPS

    def __init__(
        self,
        data: TestData,
        settings: DiscoverySettings,
        labels: Sequence[int],
        progress: Progress,
        executor: Executor,
    ) -> None:
        # Here it makes no search; the directions are told with its data.
        self.search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8))
        self._order = SearchOrder(data, settings, tuple(labels))
        self._progress = progress
        self._executor = executor
        self._tally = Tally()

    @property
    def tests_made(self) -> tuple[int, int]:
        """Tests that screens and searches of the finished labels needed, and the unreliable ones."""
        return self._tally.total

    def outcomes(self, steps: Steps) -> dict[int, LabelOutcome]:
        """Search around every label, by its place in the list; after a stop, those that were finished.

        Raises
        ------
        WorkersLost
            When nobody is left to finish the search.
        """
        found: dict[int, LabelOutcome] = {}
        with transport_to(self._executor, self._order) as transport:
            for label in Groups(transport, len(self._order.labels)).found(self._stops):
                found[label.place] = label.outcome
                self._tally.add(label.ledger)
                name = self.search.data.names[self._order.labels[label.place]]
                steps.finish(SEARCHING, self.STEPS_PER_LABEL, name)
        return found

    def _stops(self) -> bool:
        if self._progress.should_stop():
            self.search.stop[0] = 1
        return bool(self.search.stop[0])
