"""From all candidates down: those that sets of growing size separate from the target leave.

Fu and Desmarais (2008), Fast Markov blanket discovery algorithm via local learning within single pass,
Canadian AI 2008, LNCS 5032:96-107 (IPC-MB, procedure RecognizePC). Bühlmann, Kalisch and Maathuis (2010),
Variable selection in high-dimensional linear models: partially faithful distributions and the PC-simple
algorithm, Biometrika 97:261-278.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.subset_tests import SubsetTests


def search(task: SearchTask) -> NeighbourSearch:
    """Find parents and children by removal alone; pairs were tested before, to find the candidates."""
    tests = SubsetTests(task)
    return tests.result([int(number) for number in remaining_after_removal(task, tests)])


def remaining_after_removal(task: SearchTask, tests: SubsetTests) -> np.ndarray:
    """Give the numbers of the candidates that no set of others separates from the target.

    Those that a size separates leave together, so that the order of candidates does not matter. Sets are
    formed in the order of columns.
    """
    remaining = np.arange(len(task.candidates))
    for size in range(1, task.max_conditioning + 1):
        if remaining.size <= size:
            break
        pool = np.sort(task.candidates[remaining])
        remaining = remaining[~tests.separated(remaining, pool, size=size)]
    return remaining
