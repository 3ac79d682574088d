"""Boundaries on public networks with few and many rows, beside hill climbing over the network by BIC.

Run by hand, from the project's folder, with the folder of the networks::

    python -m tests.benchmarks.few_rows ../shared/data/networks --seeds 10
    python -m tests.benchmarks.few_rows ../shared/data/networks --seeds 5 --wide --rows 500 2000 5000
    python -m tests.benchmarks.few_rows FOLDER --seeds 3 --networks barley

A third of the variables are labels, another third with each seed. With ``--wide`` all networks stand side by
side in one table, with a shuffled copy of every column. It prints the tables of
``tests/benchmarks/FEW_ROWS.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import engine
from engine.simulation import BayesianNetwork
from engine.table.variable import Role
from tests.benchmarks.bic_climbing import BicClimb, boundaries_of

NETWORKS = ("insurance", "hailfinder", "alarm", "child", "win95pts", "water")
ROWS = (500, 2000, 5000, 20_000)
Counts = np.ndarray


def compared(marked: np.ndarray, true: np.ndarray) -> Counts:
    """Count members found rightly, found wrongly, and missed."""
    return np.array([(marked & true).sum(), (marked & ~true).sum(), (~marked & true).sum()])


def f1(counts: Counts) -> float:
    """F1 of pooled counts."""
    return float(2 * counts[0] / (2 * counts[0] + counts[1] + counts[2]))


@dataclass(frozen=True)
class Sample:
    """A table, and the arrows of the network that it was drawn from."""

    dataset: engine.Dataset
    arrows: list[tuple[str, str]]


def sample_of(network: BayesianNetwork, rows: int, seed: int, third: int) -> Sample:
    """Draw rows of a network."""
    return Sample(
        engine.simulate_network(network, network.nodes[third::3], rows, seed).dataset, network.edges
    )


def side_by_side(networks: Sequence[BayesianNetwork], rows: int, seed: int) -> Sample:
    """Draw rows of all networks into one table, and add a shuffled copy of each column."""
    generator = np.random.default_rng(seed)
    variables, columns, arrows = [], [], []
    for number, network in enumerate(networks):
        # Samples of their own, as the same seed would make the networks depend on each other.
        part = sample_of(network, rows, len(networks) * seed + number, seed % 3)
        arrows += [(f"{number}.{cause}", f"{number}.{effect}") for cause, effect in part.arrows]
        for name in part.dataset.names:
            variable, column = part.dataset.variable(name), part.dataset.column(name)
            variables.append(replace(variable, name=f"{number}.{name}"))
            variables.append(replace(variable, name=f"shuffled {number}.{name}", role=Role.FEATURE))
            columns += [column, generator.permutation(column)]
    return Sample(engine.Dataset(tuple(variables), tuple(columns)), arrows)


def compared_with_bic(sample: Sample) -> tuple[Counts, Counts]:
    """Search a table by this program and by BIC; compare both with the network."""
    dataset, names = sample.dataset, sample.dataset.names
    labels = list(dataset.labels)
    place = {name: number for number, name in enumerate(names)}
    arrows = np.zeros((len(place), len(place)), dtype=bool)
    for cause, effect in sample.arrows:
        arrows[place[cause], place[effect]] = True
    chosen = [place[label] for label in labels]
    true = boundaries_of(arrows)[chosen]
    ours = np.zeros_like(true)
    result = engine.discover(dataset, directions=False)
    for number, label in enumerate(labels):
        ours[number, [place[member] for member in result.boundaries[label].members]] = True
    seen = [np.unique(dataset.column(name), return_inverse=True)[1] for name in names]
    by_bic = boundaries_of(BicClimb(np.array(seen)).network())[chosen]
    return compared(ours, true), compared(by_bic, true)


def row_of_table(networks: Sequence[BayesianNetwork], rows: int, seeds: range, is_wide: bool) -> str:
    """Pool the networks; the interval is of the difference, paired by seed."""
    ours, by_bic = [], []
    for seed in seeds:
        if is_wide:
            samples = [side_by_side(networks, rows, seed)]
        else:
            samples = [sample_of(network, rows, seed, seed % 3) for network in networks]
        pairs = [compared_with_bic(sample) for sample in samples]
        ours.append(sum(pair[0] for pair in pairs))
        by_bic.append(sum(pair[1] for pair in pairs))
    differences = [f1(of_ours) - f1(of_bic) for of_ours, of_bic in zip(ours, by_bic, strict=True)]
    half = 1.96 * float(np.std(differences, ddof=1)) / len(differences) ** 0.5
    cells = []
    for counts in (sum(ours), sum(by_bic)):
        precision, recall = counts[0] / (counts[0] + counts[1]), counts[0] / (counts[0] + counts[2])
        cells.append(f"{f1(counts):.3f} ({precision:.3f} / {recall:.3f})")
    mean = float(np.mean(differences))
    return f"| {rows:,} | {' | '.join(cells)} | {mean:+.3f} ({mean - half:+.3f} to {mean + half:+.3f}) |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Boundaries with few rows, beside BIC.")
    parser.add_argument("folder", type=Path, help="folder with the networks as gzipped BIF files")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--networks", nargs="+", default=NETWORKS, help="names of the files without .bif.gz")
    parser.add_argument("--wide", action="store_true", help="all networks side by side in one table")
    parser.add_argument("--apart", action="store_true", help="each network by itself")
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    networks = {name: engine.read_network(arguments.folder / f"{name}.bif.gz") for name in arguments.networks}
    first, line = ("| network ", "| --- ") if arguments.apart else ("", "")
    print(f"{first}| rows | this program | hill climbing by BIC | difference |")
    print(f"{line}| ---: | --- | --- | --- |")
    for rows in arguments.rows:
        if not arguments.apart:
            print(row_of_table([*networks.values()], rows, seeds, arguments.wide), flush=True)
            continue
        for name, network in networks.items():
            print(f"| {name} {row_of_table([network], rows, seeds, False)}", flush=True)


if __name__ == "__main__":
    main()
