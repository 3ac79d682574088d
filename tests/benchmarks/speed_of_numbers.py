"""What searches of tables of numbers cost, and single tests in them, in seconds of the processor.

Run by hand, from the project's folder, with ``OPENBLAS_NUM_THREADS=1``::

    python -m tests.benchmarks.speed_of_numbers --seeds 5
    python -m tests.benchmarks.speed_of_numbers --tests
    python -m tests.benchmarks.speed_of_numbers --file enron.arff --labels-file enron.xml

The first searches simulated tables of 50 labels, 1000 numbers and 5000 rows by one thread, default settings,
directions included; the second makes tests of two numbers inside searches, with none, two and three held
fixed; the third searches a file as the first does a table.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

import engine
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.benchmarks.cost_of_tests import microseconds_in_searches

LABELS, FEATURES, ROWS = 50, 1000, 5000
_ROUNDS = 3


def searched(dataset: Dataset) -> tuple[float, float]:
    """Give the seconds of preparing a table, and of searching it; the kernels have to be there."""
    started = time.process_time()
    prepared = engine.prepare(dataset)
    ready = time.process_time()
    engine.discover(prepared, engine.DiscoverySettings(workers=1))
    return ready - started, time.process_time() - ready


def measured(name: str, dataset: Dataset) -> str:
    """Give a line of the table: medians of some rounds after one that may compile."""
    searched(dataset)
    preparing, searching = zip(*(searched(dataset) for _ in range(_ROUNDS)), strict=True)
    return f"| {name} | {statistics.median(preparing):.2f} | {statistics.median(searching):.2f} |"


def independent_numbers(variables: int = 1050) -> Dataset:
    """Make a table of independent normal columns."""
    generator = np.random.default_rng(0)
    described = tuple(
        Variable(f"v{place}", Kind.CONTINUOUS, Role.LABEL if place == 0 else Role.FEATURE)
        for place in range(variables)
    )
    return Dataset(described, tuple(generator.normal(size=(variables, ROWS))))


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--file")
    parser.add_argument("--labels-file")
    arguments = parser.parse_args()
    if arguments.tests:
        costs = microseconds_in_searches(independent_numbers(), repeats=_ROUNDS)
        for size, cost in costs.items():
            print(f"| {size} held fixed | {cost:.2f} µs |")
        return
    print("| table | preparing, s | search, s |", "| --- | --- | --- |", sep="\n")
    if arguments.file:
        print(measured(arguments.file, engine.read_dataset(arguments.file, labels=arguments.labels_file)))
        return
    # A small table first, so that the kernels are there.
    searched(engine.simulate(labels=5, features=40, rows=ROWS, variables="numbers", seed=0).dataset)
    for seed in range(arguments.seeds):
        network = engine.simulate(labels=LABELS, features=FEATURES, rows=ROWS, variables="numbers", seed=seed)
        print(measured(f"{LABELS} labels × {FEATURES} numbers × {ROWS} rows, seed {seed}", network.dataset))


if __name__ == "__main__":
    main()
