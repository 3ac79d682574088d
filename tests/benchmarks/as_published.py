"""The procedure "as published" against a plain transcription of Algorithm 1 of the paper.

Run by hand, from the project's folder::

    python -m tests.benchmarks.as_published --tables 200 --first-seed 1000

The transcription is ``tests/engine/algorithm_1.py``. Both get PC, SP and C of line 3 from one algorithm 𝔸,
HITON-MB, and the same significance level and bounds on sets. Three kinds of small tables: ``graph`` (random
graphs, and d-separation in the place of tests), ``probabilities`` (networks with copies, functions and
interchangeable variables, and G² of their exact probabilities), ``rows`` (150 to 600 rows drawn from such
networks, and G² at α = .05). Compared are PC after Phase 2, SP with C, the pairs of EI that Equation 9 may
use, the common variables of every set of labels, and the label-specific ones.

Printed for each kind: tables, tables that differ, and how much there was to compare.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx
import numpy as np

import engine
from engine.boundaries.discovery_settings import DiscoverySettings, arranged
from engine.boundaries.markov_boundary import MarkovBoundary, boundary_in
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.result import DiscoveryResult
from engine.independence.data import TestData
from engine.independence.discrete.contingency import ContingencyData
from engine.independence.discrete.weighted import weighted_table
from engine.progress import SilentProgress
from engine.simulation import BayesianNetwork, population_dataset
from tests.engine.algorithm_1 import LogP, Outcome, algorithm_1, g2_log_p
from tests.engine.oracle import discovered, oracle_data

KINDS = ("graph", "probabilities", "rows")
_NODES = 8
_ENDLESS = 1e9
_CERTAIN = -1e6


@dataclass(frozen=True)
class Case:
    """A table with what the program and the transcription make of it."""

    program: DiscoveryResult
    paper: Outcome


def case_of(kind: str, seed: int) -> Case:
    """Draw a table and search it twice."""
    return {"graph": _on_graph, "probabilities": _on_probabilities, "rows": _on_rows}[kind](seed)


def differences(case: Case) -> list[str]:
    """Say in what the program and the transcription differ."""
    program, paper = case.program, case.paper
    labels, others = program.dataset.labels, program.dataset.features
    disagreements = []
    for label in labels:
        boundary = program.boundaries[label]
        if set(boundary.parents_children) != paper.pc[label]:
            disagreements.append(f"PC of {label}: {boundary.parents_children}, {sorted(paper.pc[label])}")
        if dict(boundary.spouses) != paper.sp[label]:
            disagreements.append(f"SP of {label}: {boundary.spouses}, {paper.sp[label]}")
    pairs: dict[str, set[tuple[frozenset[str], frozenset[str]]]] = {}
    for record in program.equivalence_records:
        pairs.setdefault(record.target, set()).add(
            (frozenset(record.in_boundary), frozenset(record.equivalent))
        )
    for variable in sorted({*pairs, *paper.ei}):
        used = {pair for pair in paper.ei.get(variable, set()) if _is_used(paper, labels, variable, pair[0])}
        if pairs.get(variable, set()) != used:
            disagreements.append(f"EI of {variable}: {pairs.get(variable)}, {used}")
    if program.label_sets != {feature: causal for feature, causal in paper.causal.items() if causal}:
        disagreements.append(f"labels: {program.label_sets}, {paper.causal}")
    if program.settings.max_equivalence == 1:
        disagreements += _line_19(case, labels, others)
    return disagreements


def _is_used(paper: Outcome, labels: Sequence[str], variable: str, s: frozenset[str]) -> bool:
    """Tell whether θ2 or θ3 may use a pair: X is a label, or connects all of S with one."""
    if variable in labels:
        return True
    return any(all(variable in paper.sp[label].get(member, ()) for member in s) for label in labels)


def _line_19(case: Case, labels: Sequence[str], others: Sequence[str]) -> list[str]:
    """Compare the common variables of every set of labels, and the label-specific ones."""
    counts = case.program.label_sets
    disagreements = []
    for size in range(2, len(labels) + 1):
        for some in combinations(labels, size):
            common = {name for name in others if counts.get(name, frozenset()).issuperset(some)}
            if common != case.paper.ccv[frozenset(some)]:
                disagreements.append(f"common to {some}: {common}, {case.paper.ccv[frozenset(some)]}")
    for label in labels:
        specific = {name for name in others if counts.get(name, frozenset()) == frozenset({label})}
        if specific != case.paper.tcv[label]:
            disagreements.append(f"specific to {label}: {specific}, {case.paper.tcv[label]}")
    return disagreements


def compared(case: Case) -> Counter[str]:
    """Count what there was to compare."""
    program = case.program
    reasons = [reason for every in program.evidence.values() for reason in every]
    return Counter(
        members=sum(len(boundary.members) for boundary in program.boundaries.values()),
        spouses=sum(len(boundary.spouses) for boundary in program.boundaries.values()),
        ignored=sum(reason.recovered for reason in reasons),
        equivalents=sum(reason.rule.symbol == "θ2" for reason in reasons),
        spouse_equivalents=sum(reason.rule.symbol == "θ3" for reason in reasons),
        common=len(program.common),
    )


def _settings(seed: int, alpha: float) -> DiscoverySettings:
    return DiscoverySettings(
        test="g2",
        dof="nominal",
        false_discovery="none",
        procedure="as published",
        max_conditioning=2 + seed % 2,
        max_equivalence=1 + (seed % 4 == 0),
        alpha=alpha,
    )


def _transcribed(
    dataset: engine.Dataset,
    boundary_of: Callable[[str], MarkovBoundary],
    log_p: LogP,
    settings: DiscoverySettings,
) -> Outcome:
    def mine(name: str) -> tuple[tuple[str, ...], dict[str, frozenset[str]]]:
        boundary = boundary_of(name)
        return boundary.parents_children, dict(boundary.spouses)

    return algorithm_1(
        dataset.labels,
        dataset.features,
        mine,
        log_p,
        settings.alpha,
        settings.max_conditioning,
        settings.max_equivalence,
    )


def _within(data: TestData, settings: DiscoverySettings) -> Callable[[str], MarkovBoundary]:
    return lambda name: boundary_in(data, data.positions[name], settings)


def _on_graph(seed: int) -> Case:
    generator = np.random.default_rng(seed)
    order = [f"v{number}" for number in generator.permutation(_NODES)]
    edges = [
        (order[cause], order[effect])
        for effect in range(1, _NODES)
        for cause in generator.choice(effect, min(effect, int(generator.integers(1, 4))), replace=False)
    ]
    names = sorted(order)
    settings = _settings(seed, alpha=0.05)
    program = discovered(edges, order[: 2 + seed % 3], settings)
    graph = networkx.DiGraph(edges)

    def log_p(x: str, y: Sequence[str], given: Sequence[str]) -> float:
        apart = {*y} - {*given}
        is_separated = not apart or networkx.is_d_separator(graph, {x}, apart, {*given})
        return 0.0 if is_separated else _CERTAIN

    data = oracle_data(edges, names)
    return Case(program, _transcribed(program.dataset, _within(data, settings), log_p, settings))


def drawn_network(seed: int) -> tuple[BayesianNetwork, list[str]]:
    """Draw a network with copies, functions and interchangeable variables, and choose its labels."""
    generator = np.random.default_rng(seed)
    names = [f"v{number}" for number in generator.permutation(_NODES)]
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    levels: dict[str, int] = {}
    for position, name in enumerate(names):
        earlier = [*names[:position]]
        how = generator.choice(["root", "noisy", "copy", "refined", "merged"], p=[0.1, 0.55, 0.1, 0.15, 0.1])
        single = str(generator.choice(earlier)) if earlier else ""
        if not earlier or how == "root":
            levels[name] = int(generator.integers(2, 4))
            tables[name] = generator.dirichlet(np.full(levels[name], 4.0))
        elif how == "noisy":
            count = min(position, int(generator.integers(1, 3)))
            parents[name] = [
                str(earlier_parent) for earlier_parent in generator.choice(earlier, count, replace=False)
            ]
            levels[name] = int(generator.integers(2, 4))
            shape = [levels[parent] for parent in parents[name]]
            tables[name] = generator.dirichlet(np.full(levels[name], 0.6), size=shape)
        elif how == "refined" and levels[single] == 2:
            # Two levels for each of the other's: the class is the same, the rest is chance.
            parents[name], levels[name] = [single], 4
            share = generator.uniform(0.3, 0.7, size=2)
            tables[name] = np.array([[share[0], 1 - share[0], 0, 0], [0, 0, share[1], 1 - share[1]]])
        else:
            parents[name] = [single]
            classes = np.arange(levels[single]) if how == "copy" else np.arange(levels[single]) // 2
            if how != "copy" and levels[single] == 2:
                classes = np.array([1, 0])
            levels[name] = int(classes.max()) + 1
            tables[name] = np.eye(levels[name])[classes]
    network = BayesianNetwork(names, parents, tables)
    labels = [str(label) for label in generator.choice(names, 2 + seed % 3, replace=False)]
    return network, labels


def _on_probabilities(seed: int) -> Case:
    network, labels = drawn_network(seed)
    dataset, weights = population_dataset(network, labels)
    settings = _settings(seed, alpha=1e-6)
    levels = [variable.level_count for variable in dataset.variables]
    table = weighted_table(dataset.columns, levels, weights * _ENDLESS)
    data = ContingencyData(table, dataset.names, int(_ENDLESS)).at_level(settings.alpha)
    program = search_data(data, dataset, SearchRequest(settings), SilentProgress())
    log_p = _g2(dataset, weights * _ENDLESS)
    return Case(program, _transcribed(dataset, _within(data, settings), log_p, settings))


def _on_rows(seed: int) -> Case:
    network, labels = drawn_network(seed)
    rows = int(np.random.default_rng(seed).choice([150, 300, 600]))
    dataset = engine.simulate_network(network, labels=labels, rows=rows, seed=seed).dataset
    settings = _settings(seed, alpha=0.05)
    program = engine.discover(dataset, settings)
    data = arranged(dataset, settings)
    log_p = _g2(dataset, np.ones(rows))
    return Case(program, _transcribed(dataset, _within(data, settings), log_p, settings))


def _g2(dataset: engine.Dataset, weights: np.ndarray) -> LogP:
    columns = dict(zip(dataset.names, map(np.asarray, dataset.columns), strict=True))
    levels = {variable.name: variable.level_count for variable in dataset.variables}
    return g2_log_p(columns, levels, weights)


def main() -> None:
    """Compare as asked."""
    parser = argparse.ArgumentParser(description="The procedure as published against Algorithm 1.")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=1000)
    given = parser.parse_args()
    for kind in given.kinds:
        differing, total = [], Counter[str]()
        for seed in range(given.first_seed, given.first_seed + given.tables):
            case = case_of(kind, seed)
            total += compared(case)
            if disagreements := differences(case):
                differing.append(seed)
                print(f"{kind} {seed}: " + "; ".join(disagreements[:3]))
        print(f"{kind}: {given.tables} tables, {len(differing)} differ; {dict(total)}")


if __name__ == "__main__":
    main()
