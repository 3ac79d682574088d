"""Timing several pieces of work in turn, so that what else the machine does falls on all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Times:
    """Seconds of each repeat of one piece of work.

    Attributes
    ----------
    wall, processor : tuple of float
        By the clock, and of all threads of this process.
    """

    wall: tuple[float, ...]
    processor: tuple[float, ...]

    @property
    def median_wall(self) -> float:
        """Median by the clock."""
        return median(self.wall)

    @property
    def median_processor(self) -> float:
        """Median of the processor's time."""
        return median(self.processor)

    @property
    def best_processor(self) -> float:
        """The least disturbed repeat."""
        return min(self.processor)


def time_in_turn(work: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, Times]:
    """Do each piece of work once to warm up, then all of them in turn, as often as asked.

    Parameters
    ----------
    work : mapping of str to callable
        What to time, by name.
    repeats : int
        How often each is timed.

    Returns
    -------
    dict of str to Times
    """
    for job in work.values():
        job()
    wall: dict[str, list[float]] = {name: [] for name in work}
    processor: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeats):
        for name, job in work.items():
            clock, used = time.perf_counter(), time.process_time()
            job()
            wall[name].append(time.perf_counter() - clock)
            processor[name].append(time.process_time() - used)
    return {name: Times(tuple(wall[name]), tuple(processor[name])) for name in work}
