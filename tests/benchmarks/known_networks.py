"""How often findings are right on published networks, whose answer is known.

Run by hand, from the project's folder, with the folder of public data::

    python -m tests.benchmarks.known_networks ../shared/data --seeds 5

It prints the tables of ``tests/benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import engine
from engine.simulation import BayesianNetwork, PairScore, score
from tests.engine.boundary_samples import boundary_sample

ALGORITHMS = ("hiton-mb", "mmmb", "pcmb")
SAMPLES = (("ALARM", 5000), ("CHILD", 5000), ("ALARM", 500), ("CHILD", 500))
PUBLISHED = {"false_discovery": "none", "procedure": "as published"}
METHODS: Mapping[str, Mapping[str, Any]] = {
    "default (α 0.01, Benjamini-Hochberg)": {},
    "plain α 0.01": {**PUBLISHED},
    "plain α 0.05": {"alpha": 0.05, **PUBLISHED},
    "plain α 0.01, 5 rows a degree of freedom": {
        **PUBLISHED,
        "min_rows_per_dof": 5,
    },
    "plain α 0.05, 5 rows a degree of freedom": {
        "alpha": 0.05,
        **PUBLISHED,
        "min_rows_per_dof": 5,
    },
    "plain α 0.01, nominal degrees of freedom": {
        **PUBLISHED,
        "dof": "nominal",
    },
}
# Every third variable is a label, so that labels cause and share each other.
NETWORKS = ("alarm", "child", "sachs", "asia", "survey", "cancer", "earthquake")


def boundary_table(folder: Path) -> Iterator[str]:
    """Give the rows of the table of F1 on public samples."""
    yield "| settings | " + " | ".join(f"{network}, {rows} rows" for network, rows in SAMPLES) + " |"
    yield "| --- |" + " --- |" * len(SAMPLES)
    samples = [boundary_sample(folder / "boundary-samples", network, rows) for network, rows in SAMPLES]
    for name, method in METHODS.items():
        settings = engine.DiscoverySettings(**method)
        cells = [
            " / ".join(f"{sample.f1(settings, algorithm):.3f}" for algorithm in ALGORITHMS)
            for sample in samples
        ]
        yield f"| {name} | " + " | ".join(cells) + " |"
    cells = [
        " / ".join(
            f"{sample.f1_of_discovery(engine.DiscoverySettings(algorithm=algorithm)):.3f}"
            for algorithm in ALGORITHMS
        )
        for sample in samples
    ]
    yield "| default, as labels of CLCD | " + " | ".join(cells) + " |"


def label_table(folder: Path, seeds: int) -> Iterator[str]:
    """Give the rows of the table of label sets, sampled anew with each seed."""
    yield "| network | labels | 500 rows | 5000 rows |"
    yield "| --- | --- | --- | --- |"
    for name in NETWORKS:
        network = engine.read_network(folder / "networks" / f"{name}.bif.gz")
        labels = network.nodes[::3]
        cells = [precision_and_recall(network, labels, rows, seeds) for rows in (500, 5000)]
        yield f"| {name} | {len(labels)} of {len(network.nodes)} | " + " | ".join(cells) + " |"
    tied = engine.read_network(folder / "TIED" / "tied_network.json")
    cells = [precision_and_recall(tied, ("T",), rows, seeds) for rows in (500, 5000)]
    yield "| TIED, 30 variables | T | " + " | ".join(cells) + " |"


def precision_and_recall(network: BayesianNetwork, labels: tuple[str, ...], rows: int, seeds: int) -> str:
    """Precision and recall of (feature, label) pairs over the seeds, and how many were faultless."""
    pairs: list[PairScore] = []
    for seed in range(seeds):
        simulated = engine.simulate_network(network, labels, rows, seed)
        pairs.append(score(engine.discover(simulated.dataset).label_sets, simulated.truth).pairs)
    faultless = sum(pair_score.false_positives + pair_score.false_negatives == 0 for pair_score in pairs)
    precision, recall = (
        fmean(pair_score.precision for pair_score in pairs),
        fmean(pair_score.recall for pair_score in pairs),
    )
    return f"{precision:.3f} / {recall:.3f} ({faultless})"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="Accuracy on published networks.")
    parser.add_argument("folder", type=Path, help="folder with boundary-samples, networks and TIED")
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    for table in (boundary_table(arguments.folder), label_table(arguments.folder, arguments.seeds)):
        for line in table:
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
