"""What this machine can do at most: words ANDed and counted a second, and bytes read from memory."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np

from engine.independence.discrete.table import population_count

_SECONDS = 0.2
_LARGE_BYTES = 1 << 28


@dataclass(frozen=True)
class Limits:
    """Rates of one core.

    Attributes
    ----------
    words_near, words_far : float
        64-bit words a second of which two are read, ANDed, and the ones counted: from sets of rows that stay
        in the first cache, and from a table's worth of sets.
    bytes_from_memory : float
        Bytes a second read from a block that no cache holds.
    """

    words_near: float
    words_far: float
    bytes_from_memory: float


def measure_limits(sets: int, words: int) -> Limits:
    """Measure the rates for tables with so many sets of rows, of so many words each."""
    generator = np.random.default_rng(0)
    table = generator.integers(2**63, size=(sets, words), dtype=np.uint64)
    order = generator.permutation(sets)
    few = order[:16]
    large = np.ones(_LARGE_BYTES // 8, dtype=np.uint64)
    return Limits(
        words_near=_rate(lambda: _count_pairs(table, few, 4000), 4000 * len(few) * words),
        words_far=_rate(lambda: _count_pairs(table, order, 20), 20 * sets * words),
        bytes_from_memory=_rate(lambda: int(_sum(large)), _LARGE_BYTES),
    )


def _rate(work: Callable[[], int], amount: int) -> float:
    """Amount done a second of the processor's time, in the best of many repeats."""
    work()
    best = np.inf
    until = time.perf_counter() + _SECONDS * 5
    while time.perf_counter() < until:
        started = time.thread_time()
        work()
        best = min(best, time.thread_time() - started)
    return float(amount / best)


@numba.njit(nogil=True)
def _count_pairs(table: np.ndarray, order: np.ndarray, repeats: int) -> int:
    total = np.uint64(0)
    for repeat in range(repeats):
        first = table[order[repeat % order.shape[0]]]
        for place in range(order.shape[0]):
            second = table[order[place]]
            for word in range(first.shape[0]):
                total += population_count(first[word] & second[word])
    return total


@numba.njit(nogil=True)
def _sum(numbers: np.ndarray) -> int:
    total = np.uint64(0)
    for place in range(numbers.shape[0]):
        total ^= numbers[place]
    return total


def machine() -> str:
    """Describe this machine: processor, cores, memory, versions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{_processor()}, {cores} cores, {_memory()} GB of memory, "
        f"Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}"
    )


def _processor() -> str:
    """Name the processor as Linux does, else as Python does."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text(encoding="utf-8").splitlines() if described.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _memory() -> str:
    """Give the memory in GB, where the system tells."""
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return "?"
    return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f}"
