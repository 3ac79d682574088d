"""The search around all labels on threads that share screens and neighbour searches."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.neighbourhoods import Marginals, Neighbourhoods
from engine.boundaries.warm_up import compile_searches
from engine.discovery.label_outcome import LabelOutcome, search_label
from engine.execution.workers import run_all
from engine.independence.data import TestData
from engine.progress import Progress, Steps

# Measured on two cores: at 5000 rows two threads were slower than one, at 20 000 quicker.
_ROWS_WORTH_THREADS = 10_000


class SharedRun:
    """Searches around every label on this machine, in one process.

    Marginal tests of the same data may be shared with runs at other levels; what `search` holds of the same
    data and settings is not searched again.
    """

    def __init__(
        self,
        data: TestData,
        settings: DiscoverySettings,
        labels: Sequence[int],
        progress: Progress,
        marginals: Marginals | None = None,
        executor: ThreadPoolExecutor | None = None,
        search: Neighbourhoods | None = None,
    ) -> None:
        self.search = search or Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8), marginals)
        self._labels = labels
        self._progress = progress
        self._executor = executor

    @property
    def tests_made(self) -> tuple[int, int]:
        """Tests that screens and neighbour searches needed so far, and the unreliable ones among them."""
        return self.search.tests_made

    def outcomes(self, steps: Steps) -> dict[int, LabelOutcome]:
        """Search around every label, by its place in the list; after a stop, those that were finished."""
        search = self.search
        compile_searches(search.data, search.settings)

        def announce(stage: str, label: int) -> None:
            steps.begin(stage, search.data.names[label])

        return dict(
            run_all(
                partial(search_label, search, self._labels, announce),
                self._labels,
                workers=_threads(search.data, search.settings.workers),
                progress=self._progress,
                stop=search.stop,
                executor=self._executor,
            )
        )


def _threads(data: TestData, workers: int | None) -> int | None:
    """Give the number of threads as asked; when nothing is asked, one where tests are over too soon for more.

    A thread that comes back from a test waits for Python's lock. Where a test takes a fraction of a
    microsecond, two threads spend more time on that than they save.
    """
    if workers is None and data.is_quick and data.rows < _ROWS_WORTH_THREADS:
        return 1
    return workers
