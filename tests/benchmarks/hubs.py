"""Labels with dozens of neighbours: what it costs to form sets of the nearest of them only.

Run by hand, from the project's folder::

    python -m tests.benchmarks.hubs --seeds 5

It prints the table of ``tests/benchmarks/DIRECTIONS.md``: networks whose truth is known, searched as the
program does and with all sets of neighbours. The second kind is like tables of words: each is rare, few
relations are strong, and what a label has are effects alone.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas

import engine
from engine.boundaries import parents_children
from engine.boundaries.parents_children import NearestMembers, new_nearest
from engine.boundaries.search import MOST_MEMBERS, MOST_NEAR
from engine.table.dataset import Dataset

PARENTS, CHILDREN = 8, 62
TOPICS, WORDS = 6, 300
ROWS = (5000, 20_000)
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


def word_network(rows: int, seed: int) -> tuple[Dataset, set[Edge]]:
    """Make a table of rare words and the topics, which are labels, that make them more or less frequent.

    A topic has some sixty words as effects, and a word up to two words before it as causes.
    """
    source = np.random.default_rng(seed)
    topics = [f"topic {place}" for place in range(TOPICS)]
    values = {topic: (source.random(rows) < 0.15).astype(int) for topic in topics}
    edges: set[Edge] = set()
    words: list[str] = []
    for place in range(WORDS):
        causes = [topic for topic in topics if source.random() < 0.2]
        for _ in range(source.integers(0, 3) if words else 0):
            before = words[int(len(words) * source.random() ** 2)]
            causes += [before] if before not in causes else []
        score = np.full(rows, source.normal(-3.0, 0.5))
        word = f"word {place}"
        for cause in causes:
            score += source.uniform(0.5, 2.0) * (1 if source.random() < 0.85 else -1) * values[cause]
            edges.add((cause, word))
        values[word] = (source.random(rows) < 1 / (1 + np.exp(-score))).astype(int)
        words.append(word)
    return Dataset.from_frame(pandas.DataFrame(values).astype(str), labels=topics), edges


NETWORKS: Mapping[str, Callable[[int, int], tuple[Dataset, set[Edge]]]] = {
    "two hubs": hub_network,
    "rare words": word_network,
}


def table(seeds: int) -> Iterator[str]:
    """Give the rows of the table."""
    yield (
        "| network | rows | sets of two and more | CPU s | found of the true neighbours | false | "
        "directions, right |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for network in NETWORKS:
        for rows in ROWS:
            for most, words in ((MOST_MEMBERS, f"of the nearest {MOST_NEAR}"), (_ALL, "of all")):
                count = _counted(network, rows, seeds, most)
                yield (
                    f"| {network} | {rows} | {words} | {count['seconds'] / seeds:.1f} | "
                    f"{count['found']} of {count['true']} | {count['false']} | "
                    f"{count['stated']}, {count['right']} |"
                )


def _counted(network: str, rows: int, seeds: int, most: int) -> Counter[str]:
    def of_most(candidates: int, variables: int) -> NearestMembers:
        return new_nearest(candidates, variables, most)

    before, parents_children.new_nearest = parents_children.new_nearest, of_most
    count: Counter[str] = Counter()
    try:
        engine.discover(hub_network(200, 0)[0])
        for seed in range(seeds):
            dataset, edges = NETWORKS[network](rows, seed)
            started = time.process_time()
            result = engine.discover(dataset)
            count["seconds"] += time.process_time() - started
            for label, boundary in result.boundaries.items():
                true = {(set(edge) - {label}).pop() for edge in edges if label in edge}
                members = set(boundary.parents_children)
                count["true"] += len(true)
                count["found"] += len(true & members)
                count["false"] += len(members - true)
            for orientation in result.orientation_records.values():
                if orientation.because is not None:
                    pair = (orientation.feature, orientation.label)
                    count["stated"] += 1
                    count["right"] += (pair if orientation.direction == "cause" else pair[::-1]) in edges
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
