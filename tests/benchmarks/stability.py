"""How often findings that come back are true, on simulated networks whose truth is known.

Run by hand, from the project's folder::

    python -m tests.benchmarks.stability --seeds 4

It prints the tables of the section "How sure" of ``tests/benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import engine
from engine.discovery.stability.result import NEAR_MISS_SHARE

SIZE = {"labels": 20, "features": 400, "multiple_boundaries": 0.5, "margin": 0.0}
RESAMPLES = 50
BANDS = ((0.9, 1.01), (0.5, 0.9), (0.0, 0.5))
BAND_WORDS = ("in 9 of 10 or more", "in half to 9 of 10", "in fewer than half")
CELLS: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "default, 5000 rows": ({"rows": 5000}, {}),
    "default, 1000 rows": ({"rows": 1000}, {}),
    "default, 400 rows": ({"rows": 400}, {}),
    "as published (α 0.05), 1000 rows": (
        {"rows": 1000},
        {"alpha": 0.05, "false_discovery": "none", "procedure": "as published"},
    ),
}


@dataclass
class Tally:
    """Pairs by how often they came back, with how many of them are true.

    Attributes
    ----------
    findings, true : Counter
        By the number of the band, findings of the whole table and the true ones among them.
    near, near_true : int
        Near misses, and the true ones among them.
    never : int
        True pairs that neither the whole table nor half of the parts found.
    bounds : list of float
        For each network the bound of Shah and Samworth on chance findings at 0.9.
    """

    findings: Counter[int] = field(default_factory=Counter)
    true: Counter[int] = field(default_factory=Counter)
    near: int = 0
    near_true: int = 0
    never: int = 0
    bounds: list[float] = field(default_factory=list)

    def add(self, network: Any, settings: engine.DiscoverySettings) -> None:
        """Search one network, whole and in parts, and compare with its truth."""
        result = engine.discover(network.dataset, settings)
        stability = engine.stability(network.dataset, settings, resamples=RESAMPLES)
        truth = {(feature, label) for feature, labels in network.truth.label_sets.items() for label in labels}
        table = result.with_stability(stability).found_again
        for row in table.itertuples():
            is_true = (row.feature, row.label) in truth
            if not row.in_result:
                self.near += 1
                self.near_true += is_true
                continue
            band = next(place for place, (low, high) in enumerate(BANDS) if low <= row.found_again < high)
            self.findings[band] += 1
            self.true[band] += is_true
        self.never += len(truth - set(zip(table["feature"], table["label"], strict=True)))
        candidates = len(network.dataset.features) * len(network.dataset.labels)
        self.bounds.append(stability.chance_bound(0.9, candidates))


def rows(seeds: int) -> Iterator[str]:
    """Give the rows of the table, one a kind of network and settings."""
    near = f"not found, but in {NEAR_MISS_SHARE:.0%} of the parts or more"
    heads = ["", *BAND_WORDS, near, "true, found neither way", "bound for 9 of 10"]
    yield f"| {' | '.join(heads)} |"
    yield "| --- |" + " --- |" * (len(heads) - 1)
    for name, (simulation, method) in CELLS.items():
        tally = Tally()
        for seed in range(seeds):
            network = engine.simulate(**{**SIZE, **simulation}, seed=seed)
            tally.add(network, engine.DiscoverySettings(**method))
        cells = [_share(tally.true[place], tally.findings[place]) for place in range(len(BANDS))]
        cells += [_share(tally.near_true, tally.near), f"{tally.never}", f"{sum(tally.bounds):.1f}"]
        yield f"| {name} | {' | '.join(cells)} |"


def _share(true: int, all_of_them: int) -> str:
    return f"{true} of {all_of_them} ({true / all_of_them:.0%})" if all_of_them else "none"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How often findings that come back are true.")
    parser.add_argument("--seeds", type=int, default=4)
    for line in rows(parser.parse_args().seeds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
