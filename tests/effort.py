"""What a call costs, to be compared with what another costs in the same process."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from tests.benchmarks.side_by_side import time_in_turn


def relative_effort(call: Callable[[], object], yardstick: Callable[[], object], repeats: int = 3) -> float:
    """Return how many times the processor time of a yardstick a call takes: the median of pairs in turn.

    What else the machine does makes both slower, whereas of two that are measured one after the other it may
    slow only one.
    """
    times = time_in_turn({"call": call, "yardstick": yardstick}, repeats)
    return median(
        mine / its for mine, its in zip(times["call"].processor, times["yardstick"].processor, strict=True)
    )
