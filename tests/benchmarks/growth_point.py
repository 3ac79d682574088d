"""One search of one table in a process of its own, so that its peak of memory is its own.

Prints its figures as JSON; ``tests.benchmarks.growth`` starts it for every size.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time

import engine
from tests.benchmarks.growth_table import growth_table

# ru_maxrss counts kilobytes on Linux, bytes on a Mac.
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_SMALL = (300, 90, 10)
_QUICK = 3.0
_REPEATS = 2


def peak_memory() -> int:
    """Give the most memory that this process has had so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_UNIT


def cpu_seconds() -> float:
    """Give the processor time of all threads of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(rows: int, features: int, labels: int) -> dict[str, float]:
    """Search a table of this size, and give time, memory and what was found.

    A small table is searched before, so that the time is without loading kernels, and the memory of the
    interpreter, the libraries and the kernels can be told from that of the table.
    """
    settings = engine.DiscoverySettings()
    engine.discover(growth_table(*_SMALL), settings)
    fixed = peak_memory()
    dataset = growth_table(rows, features, labels)
    cpu, wall = cpu_seconds(), time.perf_counter()
    result = engine.discover(dataset, settings)
    cpu, wall = cpu_seconds() - cpu, time.perf_counter() - wall
    peak = peak_memory()
    return {
        "rows": rows,
        "features": features,
        "labels": labels,
        "cpu_seconds": min([cpu, *_again(dataset, settings, _REPEATS if cpu < _QUICK else 0)]),
        "wall_seconds": wall,
        "tests": result.tests_made,
        "found": len(result.label_sets),
        "coded_bytes": sum(column.nbytes for column in dataset.columns),
        "fixed_bytes": fixed,
        "peak_bytes": peak,
    }


def _again(dataset: engine.Dataset, settings: engine.DiscoverySettings, repeats: int) -> list[float]:
    """Search again, and give the processor time of each search: a short one alone says little."""
    seconds = []
    for _ in range(repeats):
        before = cpu_seconds()
        engine.discover(dataset, settings)
        seconds.append(cpu_seconds() - before)
    return seconds


def main() -> None:
    """Measure the size that the arguments name."""
    parser = argparse.ArgumentParser(description="Search one table and print time and memory.")
    for name in ("rows", "features", "labels"):
        parser.add_argument(name, type=int)
    sizes = parser.parse_args()
    print(json.dumps(measure(sizes.rows, sizes.features, sizes.labels)))


if __name__ == "__main__":
    main()
