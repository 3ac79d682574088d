"""Compiling the searches before they are needed, so that a person can be told what takes the time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.compiled.cache import cache_folder
from engine.independence.registry import test_named

if TYPE_CHECKING:
    from engine.boundaries.settings import DiscoverySettings
    from engine.independence.data import TestData
    from engine.independence.traits import TableTraits


def compile_searches(data: TestData, settings: DiscoverySettings) -> None:
    """Compile what a run under some settings needs; at once when it was done before.

    Everything is called with the stop mark set, so that it returns without work.

    Parameters
    ----------
    data : TestData
        What will be tested.
    settings : DiscoverySettings
        Whose algorithm is compiled, and no other.
    """
    compile_tests(data)
    compile_search(data, settings)
    marker = _marker(settings, data.traits)
    # Without its folder, which a person may have emptied, there is nothing to mark.
    if marker is not None and marker.parent.is_dir():
        marker.touch()


def is_compiled(settings: DiscoverySettings, traits: TableTraits) -> bool:
    """Tell whether an earlier run compiled what these settings need for a table with these traits."""
    marker = _marker(settings, traits)
    return marker is not None and marker.exists()


def compile_tests(data: TestData) -> None:
    """Compile the tests that a run makes one by one."""
    from engine.independence.distributions import log_chi2_sf, log_chi2_sf_values
    from engine.independence.interface import new_workspace, run_tests

    log_chi2_sf(1.0, 1.0)
    log_chi2_sf_values(np.ones(1), np.ones(1))
    nobody = np.empty(0, dtype=np.int64)
    nothing = np.empty((0, 1), dtype=np.int64)
    run_tests(data.table, new_workspace(data.table, 1), nobody, nobody, nothing, nobody, _stopped())


def compile_search(data: TestData, settings: DiscoverySettings) -> None:
    """Compile the neighbour search of the chosen algorithm."""
    from engine.boundaries.registry import algorithms
    from engine.boundaries.search import SearchTask

    one = np.zeros(1, dtype=np.int64)
    algorithms()[settings.algorithm].load()(
        SearchTask(
            data=data,
            target=0,
            candidates=one,
            log_p=np.zeros(1),
            list_everyone=lambda: one,
            alpha=settings.alpha,
            false_discovery=settings.false_discovery,
            max_conditioning=1,
            most_dof=np.inf,
            stop=_stopped(),
        )
    )


def _stopped() -> np.ndarray:
    return np.ones(1, dtype=np.uint8)


def _marker(settings: DiscoverySettings, traits: TableTraits) -> Path | None:
    """Name the empty file that says, beside the kernels, that they are all there."""
    folder = cache_folder()
    if folder is None:
        return None
    test = test_named(settings.test, has_numbers=traits.numbers)
    weights = [settings.row_weights] if traits.weighted else []
    return folder / ".".join([settings.algorithm, test.name, *traits.words, *weights, "compiled"])
