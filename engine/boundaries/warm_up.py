"""Compiling the searches before they are needed, so that a person can be told what takes the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.discovery.settings import DiscoverySettings
    from engine.independence.data import TestData


def compile_searches(data: TestData, settings: DiscoverySettings) -> None:
    """Compile what a run under some settings needs; at once when it was done before.

    The searches are called with the stop mark set, so that they return without work.

    Parameters
    ----------
    data : TestData
        What will be tested.
    settings : DiscoverySettings
        Whose algorithm is compiled, and no other.
    """
    from engine.boundaries.registry import algorithms
    from engine.boundaries.search import SearchTask
    from engine.independence.interface import new_workspace, run_tests

    stop = np.ones(1, dtype=np.uint8)
    nobody = np.empty(0, dtype=np.int64)
    one = np.zeros(1, dtype=np.int64)
    algorithms()[settings.algorithm].load()(
        SearchTask(
            data=data,
            target=0,
            candidates=one,
            log_p=np.zeros(1),
            everyone=one,
            alpha=settings.alpha,
            false_discovery=settings.false_discovery,
            max_conditioning=1,
            stop=stop,
        )
    )
    nothing = np.empty((0, 1), dtype=np.int64)
    run_tests(data.table, new_workspace(data.table, 1), nobody, nobody, nothing, nobody, stop)
