"""Compiling the searches before they are needed, so that a person can be told what takes the time."""

from __future__ import annotations

from typing import Any

import numpy as np


def compile_searches(table: Any) -> None:
    """Compile every search for one kind of test data; at once when it was done before.

    The searches are called with the stop mark set, so that they return without work.

    Parameters
    ----------
    table : named tuple
        Registered test data.
    """
    from engine.boundaries.hiton import hiton_neighbours
    from engine.independence.interface import new_workspace, run_tests

    stop = np.ones(1, dtype=np.uint8)
    nobody = np.empty(0, dtype=np.int64)
    hiton_neighbours(table, 0, nobody, 1, True, stop)
    nothing = np.empty((0, 1), dtype=np.int64)
    run_tests(table, new_workspace(table, 1), nobody, nobody, nothing, nobody, stop)
