"""How often findings are right, by settings, on simulated networks of the paper's size.

Run by hand, from the project's folder::

    python -m tests.benchmarks.accuracy --seeds 5
    python -m tests.benchmarks.accuracy --seeds 2 --first-seed 300    # other networks

It prints the tables of ``tests/benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

import engine
from engine.simulation import Scores, score

SIZE = {"labels": 50, "features": 1000, "rows": 5000}
CELLS = ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (0.0, 0.5), (1.0, 0.5))
METHODS: Mapping[str, Mapping[str, Any]] = {
    "default (α 0.01, Benjamini-Hochberg)": {},
    "α 0.001": {"alpha": 0.001},
    "α 0.02": {"alpha": 0.02},
    "α 0.05": {"alpha": 0.05},
    "at most 2 held fixed": {"max_conditioning": 2},
    "3 held fixed at any number of rows": {"large_set_rows": 0.0},
    "symmetry correction": {"symmetry": True},
    "as published (α 0.05)": {"alpha": 0.05, "false_discovery": "none", "procedure": "as published"},
    "as published (α 0.01)": {"alpha": 0.01, "false_discovery": "none", "procedure": "as published"},
}
HARDER: Mapping[str, Mapping[str, Any]] = {
    "as simulated by default": {},
    "no faithfulness margin": {"margin": 0.0},
    "no margin, paths may cancel": {"margin": 0.0, "aligned": False},
    "weaker effects, no margin": {"strength": 0.7, "margin": 0.0},
    "up to four causes": {"max_parents": 4},
    "every bystander connected": {"connected": 1.0},
    "1000 rows": {"rows": 1000},
    "20000 rows, 20 labels, 300 features": {"rows": 20_000, "labels": 20, "features": 300},
}


@dataclass(frozen=True)
class Cell:
    """Precision and recall over seeds."""

    scores: tuple[Scores, ...]

    def __str__(self) -> str:
        precision = [cell_score.precision for cell_score in self.scores]
        recall = [cell_score.recall for cell_score in self.scores]
        return (
            f"{fmean(precision):.3f} ± {pstdev(precision):.3f} / {fmean(recall):.3f} ± {pstdev(recall):.3f}"
        )


def measure(seeds: range, method: Mapping[str, Any], **simulation: Any) -> Cell:
    """Simulate with each seed, search, and compare with the truth."""
    settings = engine.DiscoverySettings(**method)
    scores = []
    for seed in seeds:
        network = engine.simulate(**{**SIZE, **simulation}, seed=seed)
        scores.append(score(engine.discover(network.dataset, settings).label_sets, network.truth))
    return Cell(tuple(scores))


def by_method(seeds: range) -> Iterator[str]:
    """Give the rows of the table of settings, one column a share of labels."""
    yield "| settings | " + " | ".join(f"p_c {c:g}, p_m {m:g}" for c, m in CELLS) + " |"
    yield "| --- |" + " --- |" * len(CELLS)
    for name, method in METHODS.items():
        cells = [measure(seeds, method, label_causality=c, multiple_boundaries=m) for c, m in CELLS]
        yield f"| {name} | " + " | ".join(str(cell) for cell in cells) + " |"


def by_difficulty(seeds: range) -> Iterator[str]:
    """Give the rows of the table of harder networks, under the default settings."""
    yield "| networks (p_c 0.5, p_m 0.5) | precision / recall |"
    yield "| --- | --- |"
    for name, simulation in HARDER.items():
        yield f"| {name} | {measure(seeds, {}, **simulation)} |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="Accuracy on simulated networks of the paper's size.")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    for table in (by_method(seeds), by_difficulty(seeds)):
        for line in table:
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
