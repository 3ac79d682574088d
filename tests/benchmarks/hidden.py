"""How often graded directions are right where variables are hidden, and how many are stated.

Run by hand, from the project's folder::

    python -m tests.benchmarks.hidden --oracle 1000
    python -m tests.benchmarks.hidden --networks ../shared/data/networks --seeds 5 --tiers
    python -m tests.benchmarks.hidden --numbers --rows 2000 --seeds 20

The first compares exact tests on random graphs with the truth and with FCI, the second samples of known
networks, of which a fifth of the variables is hidden, with the truth; the third tables of numbers, which lack
half of the features with several effects. It prints tables of ``tests/benchmarks/DIRECTIONS.md``.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import engine
from engine.discovery.orientation.direction import ClaimKind, Grade, Orientation
from engine.discovery.result import DiscoveryResult
from engine.readers.networks import read_network
from engine.simulation import simulate_network
from engine.table.dataset import Dataset
from tests.benchmarks.mixed_networks.networks import SIMULATED, simulated, with_hidden_causes
from tests.engine.ancestral_graph import CIRCLE, HiddenGraph, PartialGraph
from tests.engine.hidden_cases import exact_result, random_case

NETWORKS = ("alarm", "insurance", "hailfinder")
_MOST_LABELS = 12
_HIDDEN_CAUSES = 0.5
_TIERS = 4


def is_right(orientation: Orientation, truth: HiddenGraph) -> bool:
    """Tell whether all that a graded direction says is true."""
    return all(
        truth.causes(claim.cause, claim.effect) is (claim.kind is ClaimKind.CAUSE)
        if claim.kind is not ClaimKind.NOTHING_HIDDEN
        else truth.is_visible(claim.cause, claim.effect)
        for claim in orientation.claims
    )


def graded_pairs(result: DiscoveryResult) -> Iterator[Orientation]:
    """Return each graded pair once, labels with labels too."""
    met = set()
    for orientation in result.orientation_records.values():
        if orientation.grade is not Grade.UNDECIDED and frozenset(orientation.pair) not in met:
            met.add(frozenset(orientation.pair))
            yield orientation


@dataclass(frozen=True)
class Sample:
    """Rows of a network of which some variables are hidden."""

    network: str
    dataset: Dataset
    truth: HiddenGraph


def samples(folder: Path, rows: int, seeds: range) -> Iterator[Sample]:
    """Draw labels, hidden variables and rows of each network."""
    for name in NETWORKS:
        network = read_network(folder / f"{name}.bif.gz")
        for seed in seeds:
            nodes = list(network.nodes)
            drawn = random.Random(seed)
            labels = drawn.sample(nodes, max(2, min(_MOST_LABELS, len(nodes) // 3)))
            hidden = drawn.sample([node for node in nodes if node not in labels], len(nodes) // 5)
            dataset = simulate_network(network, labels=labels, rows=rows, seed=seed).dataset
            seen = [variable for variable in dataset.names if variable not in hidden]
            prepared = engine.prepare(dataset.select_variables(seen), constant_labels="set-aside")
            yield Sample(name, prepared, HiddenGraph(network.edges, seen))


def samples_of_numbers(rows: int, seeds: range) -> Iterator[Sample]:
    """Draw tables of numbers of each kind, without half of the features that have several effects."""
    for kind in SIMULATED:
        for seed in seeds:
            drawn = with_hidden_causes(simulated(kind, "numbers", rows, seed), _HIDDEN_CAUSES)
            seen = drawn.dataset.names
            yield Sample(kind, engine.prepare(drawn.dataset), HiddenGraph(drawn.network.edges, seen))


def table_of(drawn: Iterable[Sample]) -> Iterator[str]:
    """Give the rows of a table: what is stated by each grade, and how much of it is right."""
    yield "| network | grade | stated | right | share |"
    yield "| --- | --- | --- | --- | --- |"
    counts: dict[str, Counter[tuple[str, bool]]] = {}
    for sample in drawn:
        for orientation in graded_pairs(engine.discover(sample.dataset)):
            for name in (sample.network, "all"):
                counts.setdefault(name, Counter())[
                    str(orientation.grade), is_right(orientation, sample.truth)
                ] += 1
    for name in sorted(counts, key=lambda name: name == "all"):
        yield from _lines(name.upper(), counts[name])


def with_tiers(folder: Path, rows: int, seeds: range) -> Iterator[str]:
    """Tell how much more is settled of the pairs that true tiers do not order, once the tiers are known."""
    counts: Counter[tuple[str, bool]] = Counter()
    pairs = objections = 0
    for sample in samples(folder, rows, seeds):
        tiers = true_tiers(sample.truth, _TIERS)
        knowledge = engine.Knowledge(tiers=tiers).restricted_to(sample.dataset.names)
        without = engine.discover(sample.dataset)
        with_knowledge = engine.discover(sample.dataset, knowledge=knowledge)
        objections += sum(not objection.is_possible for objection in with_knowledge.objections)
        for pair, orientation in with_knowledge.orientation_records.items():
            if knowledge.is_later(*pair) or knowledge.is_later(*pair[::-1]):
                continue
            pairs += 1
            for name, judged in (("with", orientation), ("without", without.orientation_records[pair])):
                if judged.grade is not Grade.UNDECIDED:
                    counts[name, is_right(judged, sample.truth)] += 1
    for name in ("without", "with"):
        stated = counts[name, True] + counts[name, False]
        yield (
            f"{name} {_TIERS} true tiers: {stated} of {pairs} pairs that they do not order settled "
            f"({stated / pairs:.3f}), {counts[name, True]} right ({counts[name, True] / stated:.3f})"
        )
    yield f"what the data said against the tiers, though these are true: {objections}"


def true_tiers(truth: HiddenGraph, count: int) -> list[list[str]]:
    """Divide the variables into tiers of equal size, none of which has a cause in a later one."""
    order: list[str] = []
    for name in sorted(truth.seen, key=lambda member: len(truth.ancestors_of([member]))):
        above = truth.ancestors_of([name]) - set(order)
        order += sorted(above, key=lambda member: len(truth.ancestors_of([member])))
        order += [name] if name not in order else []
    size = -(-len(order) // count)
    return [order[begin : begin + size] for begin in range(0, len(order), size)]


def _lines(name: str, counts: Counter[tuple[str, bool]]) -> Iterator[str]:
    for grade in (*map(str, Grade), "all"):
        stated = sum(count for (grade_stated, _), count in counts.items() if grade in (grade_stated, "all"))
        right = sum(
            count
            for (grade_stated, holds), count in counts.items()
            if grade in (grade_stated, "all") and holds
        )
        if stated:
            yield f"| {name} | {grade} | {stated} | {right} | {right / stated:.3f} |"


def on_exact_tests(graphs: int) -> Iterator[str]:
    """Compare with the truth, and count what is stated of the marks that FCI settles next to labels."""
    counts: Counter[str] = Counter()
    for seed in range(graphs):
        edges, seen, labels = random_case(seed)
        truth = HiddenGraph(edges, seen)
        settled = PartialGraph(truth)
        result = exact_result(edges, seen, labels)
        for orientation in graded_pairs(result):
            counts["pairs"] += 1
            counts["wrong"] += not is_right(orientation, truth)
            counts["nothing hidden"] += orientation.marks.nothing_hidden
        pairs = {(label, neighbour) for label in labels for neighbour in truth.next_to(label)}
        for label, neighbour in {tuple(sorted(pair)) for pair in pairs}:
            orientation = (
                result.orientation(neighbour, label)
                if label in labels
                else result.orientation(label, neighbour)
            )
            ends = {(claim.cause, claim.effect) for claim in (orientation.claims if orientation else ())}
            for end in ((label, neighbour), (neighbour, label)):
                counts["settled"] += settled.mark(*end) != CIRCLE
                counts["both"] += settled.mark(*end) != CIRCLE and end in ends
                counts["beyond"] += settled.mark(*end) == CIRCLE and end in ends
                counts["visible"] += settled.is_visible(*end)
    yield f"{graphs} random graphs, exact tests: {counts['pairs']} pairs stated, {counts['wrong']} wrong;"
    yield f"marks that FCI settles next to labels: {counts['both']} of {counts['settled']} stated"
    yield f"({counts['both'] / counts['settled']:.3f}), and {counts['beyond']} that FCI leaves open;"
    yield f"edges that FCI shows to be visible: {counts['visible']}, stated: {counts['nothing hidden']}"


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description="Graded directions where variables are hidden.")
    parser.add_argument("--oracle", type=int, default=0)
    parser.add_argument("--networks", type=Path)
    parser.add_argument("--numbers", action="store_true", help="tables of numbers")
    parser.add_argument("--tiers", action="store_true", help="also with true tiers")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.oracle:
        print("\n".join(on_exact_tests(arguments.oracle)))
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    if arguments.networks:
        for line in table_of(samples(arguments.networks, arguments.rows, seeds)):
            print(line, flush=True)
    if arguments.numbers:
        for line in table_of(samples_of_numbers(arguments.rows, seeds)):
            print(line, flush=True)
    if arguments.networks and arguments.tiers:
        for line in with_tiers(arguments.networks, arguments.rows, seeds):
            print(line, flush=True)


if __name__ == "__main__":
    main()
