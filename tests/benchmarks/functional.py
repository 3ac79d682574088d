"""Boundaries on published networks in which some nodes are exact functions of their parents.

Run by hand, from the project's folder, with the folder of the networks::

    python -m tests.benchmarks.functional ../shared/data/networks-bnrep --seeds 0 1 2
    python -m tests.benchmarks.functional --drawn 0 1 2 3 4
    python -m tests.benchmarks.functional --many-levels 0 1 2 3 4

The second draws networks of 8 nodes at random, as others than the published ones. There each node is a label
by itself, and truth is enumerated from the joint distribution. The third draws networks of 5 to 40 nodes of 2
to 5 levels with coarser forms, sums, maxima and gates; labels and truth are as for the published ones.

A network is functional if at least one node with parents has a conditional table of 0 and 1 only: 18 of the
60 are. Every third variable is a label, from the first or the second on. A finding is a (feature, label)
pair of ``label_sets``; it is right if the feature is in some Markov boundary of the label
(:mod:`tests.functional_truth`). Recall is the share of those right pairs that are found.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import engine
from engine.simulation import BayesianNetwork
from engine.simulation.bayesian_network import exhaustive_boundaries
from tests.functional_truth import (
    FunctionalTruth,
    drawn_network,
    drawn_of_many_levels,
    functional_nodes,
)

ROWS = (2000, 10_000, 50_000)
_DRAWN_NODES = 8
_RESAMPLES = 2000


def functional_networks(folder: Path) -> Iterator[tuple[str, BayesianNetwork]]:
    """Give the networks of a folder with an exact function, by name."""
    for path in sorted(folder.glob("*.bif.gz")):
        network = engine.read_network(path)
        if functional_nodes(network):
            yield path.name.removesuffix(".bif.gz"), network


def counted(
    network: BayesianNetwork,
    right: dict[str, frozenset[str]],
    rows: int,
    seed: int,
    labels: Sequence[str],
) -> np.ndarray:
    """Count the pairs found, found rightly, and right."""
    result = engine.discover(engine.simulate_network(network, labels, rows, seed).dataset, directions=False)
    pairs = {(feature, label) for feature, served in result.label_sets.items() for label in served}
    true = {(feature, label) for label in labels for feature in right[label] if feature not in labels}
    return np.array([len(pairs), len(pairs & true), len(true)])


def counted_in_drawn(network_seed: int, rows: int, seed: int) -> np.ndarray:
    """Count the pairs found, found rightly, and right in a drawn network, one label at a time."""
    network = drawn_network(network_seed, _DRAWN_NODES)
    counts = np.zeros(3, dtype=np.int64)
    for label in network.nodes:
        right = frozenset[str]().union(*exhaustive_boundaries(network, label))
        counts += counted(network, {label: right}, rows, seed, [label])
    return counts


def main() -> None:
    """Print a line a network, and one for all together."""
    parser = argparse.ArgumentParser(description="Boundaries where some nodes are functions of others.")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--drawn", type=int, nargs="+", default=[], help="seeds of networks to draw")
    parser.add_argument("--many-levels", type=int, nargs="+", default=[], help="seeds of networks to draw")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--first-label", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--networks", nargs="+", help="names of some networks; all when left out")
    arguments = parser.parse_args()
    print("| network | rows | precision | recall | found |")
    print("| --- | ---: | ---: | ---: | ---: |")
    pooled: dict[int, list[np.ndarray]] = {rows: [] for rows in arguments.rows}
    for drawn in arguments.drawn:
        for rows in arguments.rows:
            counts = np.sum([counted_in_drawn(drawn, rows, seed) for seed in arguments.seeds], axis=0)
            pooled[rows].append(counts)
            print(_row(f"drawn {drawn}", rows, counts), flush=True)
    networks = [(f"many levels {drawn}", drawn_of_many_levels(drawn)) for drawn in arguments.many_levels]
    if arguments.folder is not None:
        networks += functional_networks(arguments.folder)
    for name, network in networks:
        if arguments.networks and name not in arguments.networks:
            continue
        truth = FunctionalTruth(network)
        right = {
            label: truth.in_some_boundary(label)
            for first in arguments.first_label
            for label in network.nodes[first::3]
        }
        for rows in arguments.rows:
            counts = np.zeros(3, dtype=np.int64)
            for seed in arguments.seeds:
                for first in arguments.first_label:
                    counts += counted(network, right, rows, seed, network.nodes[first::3])
            pooled[rows].append(counts)
            print(_row(name, rows, counts), flush=True)
    for rows, of_networks in pooled.items():
        print(_row("all", rows, np.sum(of_networks, axis=0)))
    fewest = arguments.rows[0]
    for rows in arguments.rows[1:]:
        print(_gain(f"{rows:,} rows, precision minus that with {fewest:,}", pooled[rows], pooled[fewest]))


def _row(name: str, rows: int, counts: np.ndarray) -> str:
    stated, rightly, right = counts.tolist()
    return (
        f"| {name} | {rows:,} | {rightly / max(stated, 1):.3f} | {rightly / max(right, 1):.3f} | {stated} |"
    )


def _gain(title: str, of_more: Sequence[np.ndarray], of_fewer: Sequence[np.ndarray]) -> str:
    """Say by how much pooled precision is higher, with an interval over networks, drawn anew in pairs."""
    pairs = np.array([of_more, of_fewer], dtype=float)[:, :, :2]
    drawn = np.random.default_rng(0).integers(pairs.shape[1], size=(_RESAMPLES, pairs.shape[1]))
    stated, rightly = np.moveaxis(pairs[:, drawn].sum(axis=2), -1, 0)
    low, high = np.quantile(np.subtract(*(rightly / np.maximum(stated, 1.0))), [0.025, 0.975])
    stated, rightly = pairs.sum(axis=1).T
    gain = np.subtract(*(rightly / stated))
    return f"{title}: {gain:+.3f} (95 % of resampled networks {low:+.3f} to {high:+.3f})"


if __name__ == "__main__":
    main()
