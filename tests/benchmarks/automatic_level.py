"""The automatic level beside fixed ones: members found rightly by rows, and findings where there is none.

Run by hand, from the project's folder, with the folder of the networks::

    python -m tests.benchmarks.automatic_level ../shared/data/networks --first-seed 700 --seeds 5

Tables of categories come from four public networks, tables of every kind from ``direction_tables``, sparse
and dense. It prints the table of ``tests/benchmarks/FEW_ROWS.md``; with ``--null`` the share of labels with a
finding among independent columns.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import engine
from engine.simulation import BayesianNetwork
from tests.benchmarks.bic_climbing import boundaries_of
from tests.benchmarks.direction_tables import KINDS, drawn
from tests.benchmarks.few_rows import Sample, compared, f1, sample_of
from tests.benchmarks.small_tables import KINDS as NULL_KINDS
from tests.benchmarks.small_tables import null_share

NETWORKS = ("insurance", "child", "win95pts", "alarm")
SHAPES = ("sparse", "dense")
ROWS = (100, 150, 300, 500, 2000, 20_000)
LEVELS = {
    "0.01": engine.DiscoverySettings(alpha=0.01),
    "automatic": engine.DiscoverySettings(automatic_alpha=True),
    "0.05": engine.DiscoverySettings(alpha=0.05),
}


def samples_of(networks: Iterable[BayesianNetwork], rows: int, seed: int) -> Iterator[Sample]:
    """Draw one table of each network and of each kind."""
    for network in networks:
        yield sample_of(network, rows, seed, seed % 3)
    for kind in KINDS:
        for shape in SHAPES:
            table = drawn(kind, shape, seed, rows)
            yield Sample(engine.Dataset.from_frame(table.frame, table.labels), sorted(table.edges))


def counted(sample: Sample, settings: engine.DiscoverySettings) -> np.ndarray:
    """Count members found rightly, found wrongly, and missed."""
    place = {name: number for number, name in enumerate(sample.dataset.names)}
    arrows = np.zeros((len(place), len(place)), dtype=bool)
    for cause, effect in sample.arrows:
        arrows[place[cause], place[effect]] = True
    labels = sample.dataset.labels
    true = boundaries_of(arrows)[[place[label] for label in labels]]
    ours = np.zeros_like(true)
    result = engine.discover(sample.dataset, settings, directions=False)
    for number, label in enumerate(labels):
        ours[number, [place[member] for member in result.boundaries[label].members]] = True
    return compared(ours, true)


def row_of_table(networks: list[BayesianNetwork], rows: int, seeds: range) -> str:
    """Pool all tables of one size."""
    counts_by_level = {name: np.zeros(3, dtype=int) for name in LEVELS}
    for seed in seeds:
        for sample in samples_of(networks, rows, seed):
            for name, settings in LEVELS.items():
                counts_by_level[name] += counted(sample, settings)
    cells = [
        f"{f1(tally):.3f} ({tally[0] / (tally[0] + tally[1]):.3f} / {tally[0] / (tally[0] + tally[2]):.3f})"
        for tally in counts_by_level.values()
    ]
    return f"| {rows:,} | {' | '.join(cells)} |"


def null_lines(seed: int, tables: int) -> Iterator[str]:
    """Search independent columns of few rows."""
    yield "| rows | " + " | ".join(NULL_KINDS) + " |"
    yield "| ---: |" + " --- |" * len(NULL_KINDS)
    for rows in (6, 12, 20, 40, 150):
        shares = [null_share(kind, rows, 50, tables, seed, LEVELS["automatic"]) for kind in NULL_KINDS]
        yield f"| {rows} | " + " | ".join(map(str, shares)) + " |"


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description="The automatic level beside fixed ones.")
    parser.add_argument("folder", type=Path, help="folder with the networks as gzipped BIF files")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=700)
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--null", type=int, default=0, help="tables of each cell without a link")
    arguments = parser.parse_args()
    if arguments.null:
        for line in null_lines(arguments.first_seed, arguments.null):
            print(line, flush=True)
        return
    networks = [engine.read_network(arguments.folder / f"{name}.bif.gz") for name in NETWORKS]
    print("| rows | " + " | ".join(LEVELS) + " |")
    print("| ---: |" + " --- |" * len(LEVELS))
    for rows in arguments.rows:
        print(
            row_of_table(networks, rows, range(arguments.first_seed, arguments.first_seed + arguments.seeds)),
            flush=True,
        )


if __name__ == "__main__":
    main()
