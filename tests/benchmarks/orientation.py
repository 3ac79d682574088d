"""How often stated directions are right, and how many are stated, where the network is known.

Run by hand, from the project's folder, with the folder of the networks (gzipped BIF files)::

    python -m tests.benchmarks.orientation ../shared/data/networks --seeds 5

It prints the tables of ``tests/benchmarks/DIRECTIONS.md``.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import engine
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.label_outcome import announce_nothing
from engine.discovery.orientation.direction import Because, Direction
from engine.discovery.orientation.orient import orient
from engine.discovery.refinement.controlled import ControlledSearch
from engine.discovery.result import DiscoveryResult
from engine.progress import SilentProgress
from engine.readers.networks import read_network
from engine.simulation import simulate_network
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.engine.equivalence_class import compelled_edges
from tests.engine.oracle import oracle_data

NETWORKS = ("alarm", "child", "sachs", "water", "win95pts", "asia")
ROWS = (5000, 20000)
_MOST_LABELS = 12

Edge = tuple[str, str]


@dataclass
class Count:
    """Neighbours seen, directions stated, and those of them that the network has.

    Attributes
    ----------
    neighbours, stated, right : int
        Pairs of a label and a neighbour.
    kinds : dict of Because to list of int
        Stated and right, by what told the direction.
    """

    neighbours: int = 0
    stated: int = 0
    right: int = 0
    kinds: dict[Because, list[int]] = field(default_factory=dict)

    def add(self, result: DiscoveryResult, edges: Iterable[Edge]) -> None:
        """Compare what a result states with the edges of the true network."""
        true = set(edges)
        for orientation in result.orientation_records.values():
            self.neighbours += 1
            if orientation.because is not None:
                is_right = stated_edge(orientation.feature, orientation.label, orientation.direction) in true
                self.stated += 1
                self.right += is_right
                kind = self.kinds.setdefault(orientation.because, [0, 0])
                kind[0] += 1
                kind[1] += is_right

    def __str__(self) -> str:
        precision = f"{self.right / self.stated:.3f}" if self.stated else "–"
        share = self.stated / max(self.neighbours, 1)
        return f"{self.neighbours} | {share:.2f} | {precision} ({self.right} of {self.stated})"


def stated_edge(feature: str, label: str, direction: Direction) -> Edge:
    """Give a stated direction as an edge from cause to effect."""
    return (feature, label) if direction is Direction.CAUSE else (label, feature)


def by_network(folder: Path, seeds: int, total: Count) -> Iterator[str]:
    """Give the rows of the table of known networks and simulations."""
    yield "| data | rows | neighbours | share stated | precision |"
    yield "| --- | --- | --- | --- | --- |"
    for name in NETWORKS:
        network = read_network(folder / f"{name}.bif.gz")
        for rows in ROWS:
            count = Count()
            for seed in range(seeds):
                nodes = list(network.nodes)
                most = max(2, min(_MOST_LABELS, len(nodes) // 3))
                labels = random.Random(seed).sample(nodes, most)
                sampled = simulate_network(network, labels=labels, rows=rows, seed=seed)
                dataset = engine.prepare(sampled.dataset, constant_labels="set-aside")
                _add(engine.discover(dataset), network.edges, count, total)
            yield f"| {name.upper()} | {rows} | {count} |"
    for rows in ROWS:
        count = Count()
        for seed in range(seeds):
            simulated = engine.simulate(labels=20, features=300, rows=rows, seed=seed)
            _add(engine.discover(simulated.dataset), simulated.network.edges, count, total)
        yield f"| simulated | {rows} | {count} |"
    yield f"| all | | {total} |"


def _add(result: DiscoveryResult, edges: Iterable[Edge], *counts: Count) -> None:
    for count in counts:
        count.add(result, edges)


def by_kind(total: Count) -> Iterator[str]:
    """Give the rows of the table of what told the directions."""
    yield "| what tells the direction | stated | precision |"
    yield "| --- | --- | --- |"
    for kind, (stated, right) in sorted(
        total.kinds.items(), key=lambda kind_and_counts: -kind_and_counts[1][0]
    ):
        yield f"| {kind} | {stated} | {right / stated:.3f} |"


def on_exact_tests(graphs: int) -> Iterator[str]:
    """Count, where no test errs, what is stated of all that the equivalence class decides next to labels."""
    stated = wrong = decided = 0
    for seed in range(graphs):
        edges = _random_edges(seed)
        names = sorted({name for edge in edges for name in edge})
        labels = names[:2]
        wanted = {edge for edge in compelled_edges(edges) if set(edge) & set(labels)}
        stated_edges = {
            stated_edge(orientation.feature, orientation.label, orientation.direction)
            for orientation in _exact(edges, names, labels).orientation_records.values()
            if orientation.because is not None
        }
        stated += len(stated_edges & wanted)
        wrong += len(stated_edges - wanted)
        decided += len(wanted)
    yield f"{graphs} random graphs, exact tests: {stated} of {decided} stated, {wrong} wrong"


def _exact(edges: list[Edge], names: list[str], labels: list[str]) -> DiscoveryResult:
    roles = {name: Role.LABEL if name in labels else Role.FEATURE for name in names}
    dataset = Dataset(
        tuple(Variable(name, Kind.NOMINAL, roles[name], levels=("no", "yes")) for name in names),
        tuple(np.zeros(1, dtype=np.int8) for _ in names),
    )
    settings = engine.DiscoverySettings(max_conditioning=5)
    return search_data(oracle_data(edges, names), dataset, SearchRequest(settings), SilentProgress())


def _random_edges(seed: int) -> list[Edge]:
    generator = np.random.default_rng(seed)
    names = [f"v{place}" for place in generator.permutation(8)]
    pairs = [(names[cause], names[effect]) for effect in range(8) for cause in range(effect)]
    count = int(generator.integers(7, 11))
    return [pairs[place] for place in generator.choice(len(pairs), count, replace=False)]


def time_share() -> str:
    """Say which share of a search of the paper's size the directions take, on one thread."""
    from engine.boundaries.neighbourhoods import Neighbourhoods
    from engine.independence.arranging import make_test_data

    dataset = engine.simulate(seed=0).dataset
    settings = engine.DiscoverySettings(workers=1)
    engine.discover(dataset, settings)
    started = time.process_time()
    engine.discover(dataset, settings)
    whole = time.process_time() - started
    data = make_test_data(dataset, settings.test).at_level(settings.alpha)
    search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8))
    labels = [data.positions[label] for label in dataset.labels]
    around = ControlledSearch(search, labels, announce_nothing)
    findings = {label: around.find(label) for label in labels}
    members = {member for boundary in findings.values() for member in boundary.neighbourhood.members}
    started = time.process_time()
    orient(search, findings, {member: search.neighbours(member) for member in members})
    own = time.process_time() - started
    rest = whole - own
    return f"Directions take {own:.2f} s besides the {rest:.2f} s of the search: {own / rest:.0%} more"


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description="Precision of the directions that are stated.")
    parser.add_argument("networks", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--graphs", type=int, default=150)
    arguments = parser.parse_args()
    total = Count()
    for line in by_network(arguments.networks, arguments.seeds, total):
        print(line, flush=True)
    print()
    for line in (*by_kind(total), "", *on_exact_tests(arguments.graphs), time_share()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
