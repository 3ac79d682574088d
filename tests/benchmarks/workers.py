"""How much sooner a search is done by two threads than by one, as tables grow longer.

Run by hand, from the project's folder, on an idle machine::

    python -m tests.benchmarks.workers

Prints a table in Markdown: the paper's protocol with more and more rows. Beside each figure stands what two
threads gain on the same machine at the same time in a compiled loop that shares nothing, which is the most
that can be had: machines that share their processors with others rarely give twice.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from statistics import median

import numba
import numpy as np

import engine
from tests.benchmarks.protocol import paper_table

_LOOP = 10_000_000


@numba.njit(nogil=True)
def _sum_of_sines(count: int) -> float:
    total = 0.0
    for number in range(count):
        total += np.sin(number)
    return total


def seconds(work: Callable[[], object]) -> float:
    """Give the time that a piece of work takes by the clock."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def gain_of_a_loop() -> float:
    """Tell how many times sooner two loops are done side by side than one after the other."""
    one_after_the_other = seconds(lambda: [_sum_of_sines(_LOOP) for _ in range(2)])
    with ThreadPoolExecutor(2) as threads:
        return one_after_the_other / seconds(lambda: list(threads.map(_sum_of_sines, [_LOOP] * 2)))


def compared(rows: int, repeats: int) -> str:
    """Search a table of the protocol by one thread and by two in turns; give a row of the table."""
    dataset = paper_table(rows)
    settings = engine.DiscoverySettings()
    engine.discover(dataset, settings)
    _sum_of_sines(1)
    times: dict[int, list[float]] = {1: [], 2: []}
    loops = []
    for _ in range(repeats):
        loops.append(gain_of_a_loop())
        for workers, taken in times.items():
            taken.append(seconds(lambda: engine.discover(dataset, replace(settings, workers=workers))))  # noqa: B023
    one, two = median(times[1]), median(times[2])
    return f"| {rows:,} | {one:.2f} | {two:.2f} | {one / two:.2f} × | {median(loops):.2f} × |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[5000, 20_000, 50_000, 100_000, 200_000])
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    print("| rows | 1 worker, s | 2 workers, s | gain | gain of a bare loop |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for rows in arguments.rows:
        print(compared(rows, arguments.repeats), flush=True)


if __name__ == "__main__":
    main()
