"""Running a method once on a tiny network: whatever is compiled on first use is compiled then."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from engine.progress import SilentProgress

if TYPE_CHECKING:
    from engine.dataset import Dataset
    from engine.discovery.settings import DiscoverySettings
    from engine.evaluation.benchmark.methods import Method


def warm_up(method: Method, settings: DiscoverySettings) -> None:
    """Run a method on a tiny network, and forget what it finds."""
    method.find(_tiny_table(), settings, SilentProgress())


@functools.cache
def _tiny_table() -> Dataset:
    from engine.simulation.simulated import simulate

    return simulate(labels=4, features=30, rows=300, multiple_boundaries=1.0, seed=0).dataset
