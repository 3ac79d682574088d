"""Labels with dozens of neighbours: what it costs to form sets of the nearest of them only.

Run by hand, from the project's folder::

    python -m tests.benchmarks.hubs --seeds 5

It prints the table of ``tests/benchmarks/README.md``: networks whose truth is known, searched as the program
does and with all sets of neighbours.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas

import engine
from engine.boundaries import parents_children
from engine.boundaries.parents_children import Nearest, new_nearest
from engine.boundaries.settings import MOST_NEAR
from engine.table.dataset import Dataset

PARENTS, CHILDREN = 8, 62
ROWS = (2000, 10_000)
_LABELS = ("hub 1", "hub 2")
_ALL = 10_000

Edge = tuple[str, str]


def hub_network(rows: int, seed: int) -> tuple[Dataset, set[Edge]]:
    """Make a table of two-level variables around two labels of 70 neighbours each, and give its edges.

    Every neighbour has a further cause or effect of its own with probability a half; these, and the
    neighbours themselves, are what is to be told apart.
    """
    source = np.random.default_rng(seed)
    values: dict[str, np.ndarray] = {}
    edges: set[Edge] = set()

    def add(name: str, *causes: str, strength: float = 1.2) -> None:
        score = np.full(rows, source.normal(0, 0.3))
        for cause in causes:
            score += strength * source.uniform(0.7, 1.3) * source.choice((-1, 1)) * (2 * values[cause] - 1)
            edges.add((cause, name))
        values[name] = (source.random(rows) < 1 / (1 + np.exp(-score))).astype(int)

    for label in _LABELS:
        parents = [f"cause {place} of {label}" for place in range(PARENTS)]
        for parent in parents:
            before = []
            if source.random() < 0.5:
                add(f"before {parent}")
                before = [f"before {parent}"]
            add(parent, *before)
            if source.random() < 0.5:
                add(f"beside {parent}", parent)
        add(label, *parents, strength=0.8)
        for place in range(CHILDREN):
            child = f"effect {place} of {label}"
            others = []
            if source.random() < 0.5:
                add(f"with {child}")
                others = [f"with {child}"]
            add(child, label, *others)
            if source.random() < 0.5:
                add(f"after {child}", child)
    frame = pandas.DataFrame(values).astype(str)
    return Dataset.from_frame(frame, labels=list(_LABELS)), edges


def table(seeds: int) -> Iterator[str]:
    """Give the rows of the table."""
    yield "| rows | sets of two and more | CPU s | found of the true neighbours | false | directions, right |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for rows in ROWS:
        for most, words in ((MOST_NEAR, f"of the nearest {MOST_NEAR}"), (_ALL, "of all")):
            count = _counted(rows, seeds, most)
            yield (
                f"| {rows} | {words} | {count['seconds'] / seeds:.1f} | "
                f"{count['found']} of {count['true']} | {count['false']} | "
                f"{count['stated']}, {count['right']} |"
            )


def _counted(rows: int, seeds: int, most: int) -> Counter[str]:
    def of_most(candidates: int, variables: int) -> Nearest:
        return new_nearest(candidates, variables, min(most, candidates))

    before, parents_children.new_nearest = parents_children.new_nearest, of_most
    count: Counter[str] = Counter()
    try:
        engine.discover(hub_network(200, 0)[0])
        for seed in range(seeds):
            dataset, edges = hub_network(rows, seed)
            started = time.process_time()
            result = engine.discover(dataset)
            count["seconds"] += time.process_time() - started
            for label in _LABELS:
                true = {(set(edge) - {label}).pop() for edge in edges if label in edge}
                found = set(result.boundaries[label].parents_children)
                count["true"] += len(true)
                count["found"] += len(true & found)
                count["false"] += len(found - true)
            for each in result.orientation_records.values():
                if each.because is not None:
                    pair = (each.feature, each.label)
                    count["stated"] += 1
                    count["right"] += (pair if each.direction == "cause" else pair[::-1]) in edges
    finally:
        parents_children.new_nearest = before
    return count


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Labels with dozens of neighbours.")
    parser.add_argument("--seeds", type=int, default=5)
    for line in table(parser.parse_args().seeds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
