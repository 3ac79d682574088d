"""Links through other labels on simulated outcomes that belong together.

Run by hand, from the project's folder::

    python -m tests.benchmarks.total_links --rows 300 2000 --first-seed 100 --tables 10

Each table has a treatment, an age, two causes of single outcomes, eight variables that nothing depends on,
and five outcomes. Scenarios: ``severity`` (treatment and age act on an unmeasured severity, and that on all
outcomes), ``chain`` (they act on the first outcome, and each outcome on the next), ``fork`` (they act on
every outcome) and ``none`` (outcomes share an unmeasured cause, and no variable acts on any). Outcomes are
yes/no, numbers or both.

``--cells`` draws the paper's networks instead (Tables 2 and 3), and holds label sets against the truth that
:mod:`engine.simulation` derives, as the paper counts::

    python -m tests.benchmarks.total_links --cells 0.5/0.5 1/0.5 --first-seed 100 --tables 1

A link is true if the feature is in the Markov boundary of the outcome among all variables, or among the
features alone; both by d-separation in the graph. The kind of a link is right if it is direct exactly where
the first holds. What is named as separating is right if it d-separates the two, and no set with fewer
outcomes does.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import networkx
import numpy as np
import pandas

import engine
from engine.comparison.networks.settings import cells
from engine.simulation import score

SCENARIOS = ("severity", "chain", "fork", "none")
KINDS = ("yes/no", "numbers", "both")
OUTCOMES = ("y1", "y2", "y3", "y4", "y5")
FEATURES = ("treatment", "age", "own2", "own4", *(f"x{number}" for number in range(8)))
_HIDDEN = "severity"
_WEIGHT = 0.9


def graph_of(scenario: str) -> networkx.DiGraph:
    """Return the causal graph of a scenario; severity is not in the table."""
    graph = networkx.DiGraph()
    graph.add_nodes_from((*FEATURES, *OUTCOMES))
    graph.add_edge("age", "x0")
    if scenario == "chain":
        graph.add_edges_from((cause, "y1") for cause in ("treatment", "age"))
        graph.add_edges_from(pairwise(OUTCOMES))
    elif scenario == "fork":
        graph.add_edges_from((cause, outcome) for cause in ("treatment", "age") for outcome in OUTCOMES)
    else:
        graph.add_edges_from((_HIDDEN, outcome) for outcome in OUTCOMES)
    if scenario == "severity":
        graph.add_edges_from((cause, _HIDDEN) for cause in ("treatment", "age"))
    if scenario != "none":
        graph.add_edges_from((("own2", "y2"), ("own4", "y4")))
    return graph


def table_of(scenario: str, kind: str, rows: int, seed: int) -> engine.Dataset:
    """Draw a table of a scenario."""
    generator = np.random.default_rng((seed, rows, SCENARIOS.index(scenario), KINDS.index(kind)))
    graph = graph_of(scenario)
    drawn: dict[str, np.ndarray] = {}
    for node in networkx.lexicographical_topological_sort(graph):
        causes = sum((_WEIGHT * _scaled(drawn[each]) for each in sorted(graph.predecessors(node))), 0.0)
        score = causes + generator.normal(size=rows)
        is_yes_no = node == "treatment" or (
            node in OUTCOMES and (kind == "yes/no" or (kind == "both" and node in OUTCOMES[::2]))
        )
        drawn[node] = (score > np.median(score)).astype(float) if is_yes_no else score
    frame = pandas.DataFrame({name: drawn[name] for name in (*FEATURES, *OUTCOMES)})
    for name in frame:
        if frame[name].nunique() == 2:
            frame[name] = frame[name].astype(int)
    return engine.Dataset.from_frame(frame, labels=list(OUTCOMES))


def _scaled(values: np.ndarray) -> np.ndarray:
    scaled: np.ndarray = (values - values.mean()) / values.std()
    return scaled


class Truth:
    """Links of a scenario, by d-separation."""

    def __init__(self, scenario: str) -> None:
        self._graph = graph_of(scenario)
        self.direct = self._linked((*FEATURES, *OUTCOMES))
        self.total = self.direct | self._linked(FEATURES)

    def _linked(self, observed: Sequence[str]) -> frozenset[tuple[str, str]]:
        return frozenset(
            (feature, label)
            for feature in FEATURES
            for label in OUTCOMES
            if not self.are_apart(feature, label, set(observed) - {feature, label})
        )

    def are_apart(self, feature: str, label: str, given: set[str]) -> bool:
        """Tell whether a set d-separates a feature from an outcome."""
        return bool(networkx.is_d_separator(self._graph, {feature}, {label}, given))

    def is_smallest(self, feature: str, label: str, given: Sequence[str]) -> bool:
        """Tell whether a set separates the two, and none with fewer outcomes does."""
        others = [each for each in OUTCOMES if each != label]
        causes = [each for each in ("treatment", "age", "own2", "own4") if each != feature]
        fewer = len(set(given).intersection(OUTCOMES))
        return self.are_apart(feature, label, set(given)) and not any(
            self.are_apart(feature, label, {*some, *beside})
            for count in range(fewer)
            for some in combinations(others, count)
            for size in range(3)
            for beside in combinations(causes, size)
        )


def counted(scenario: str, kind: str, rows: int, seed: int, truth: Truth) -> Counter[str]:
    """Count what one table shows."""
    result = engine.discover(table_of(scenario, kind, rows, seed), directions=False)
    links = {(feature, label) for feature, served in result.total_label_sets.items() for label in served}
    direct = {(feature, label) for feature, served in result.label_sets.items() for label in served}
    counts: Counter[str] = Counter(tables=1, stated=len(links), false=len(links - truth.total))
    counts["common"] = all(len(result.total_label_sets.get(each, ())) > 1 for each in ("treatment", "age"))
    counts["common directly"] = all(len(result.label_sets.get(each, ())) > 1 for each in ("treatment", "age"))
    counts["true"], counts["possible"] = len(links & truth.total), len(truth.total)
    for pair in links & truth.total:
        counts["kind right"] += (pair in direct) == (pair in truth.direct)
    for pair, link in result.links_through_labels.items():
        counts["through"] += 1
        counts["through right"] += link.separated is not None and truth.is_smallest(
            *pair, link.separated.given
        )
    return counts


def print_cells(chosen: Sequence[str], seeds: Sequence[int]) -> None:
    """Print precision and recall of direct and of all links for networks of the paper."""
    print("| p_c/p_m | seed | direct: precision | recall | total: precision | recall | kind right |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in chosen:
        for seed in seeds:
            network = engine.simulate(**cells()[name].simulation, seed=seed)
            truth, result = network.truth, engine.discover(network.dataset, directions=False)
            direct = score(result.label_sets, truth)
            total = score(result.total_label_sets, truth.total_label_sets)
            stated = result.links
            kinds = [
                (truth.links[feature, label], kind)
                for feature, label, kind in zip(
                    stated["feature"], stated["label"], stated["kind"], strict=True
                )
                if (feature, label) in truth.links
            ]
            right = sum(true == kind for true, kind in kinds)
            figures = (direct.precision, direct.recall, total.precision, total.recall)
            written = " | ".join(f"{figure:.3f}" for figure in figures)
            print(f"| {name} | {seed} | {written} | {right} of {len(kinds)} |", flush=True)


def main() -> None:
    """Print a line for each scenario, kind and number of rows; or for networks of the paper."""
    parser = argparse.ArgumentParser(description="Links through other labels on simulated outcomes.")
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 2000])
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--scenarios", nargs="+", default=SCENARIOS, choices=SCENARIOS)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--cells", nargs="+", default=[], choices=tuple(cells()))
    arguments = parser.parse_args()
    if arguments.cells:
        first = arguments.first_seed
        print_cells(arguments.cells, range(first, first + arguments.tables))
        return
    print("| scenario | outcomes | rows | common | directly | false | recall | kind right | through right |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for scenario in arguments.scenarios:
        truth = Truth(scenario)
        for rows in arguments.rows:
            for kind in arguments.kinds:
                counts: Counter[str] = Counter()
                for seed in range(arguments.first_seed, arguments.first_seed + arguments.tables):
                    counts += counted(scenario, kind, rows, seed, truth)
                print(_row(scenario, kind, rows, counts), flush=True)


def _row(scenario: str, kind: str, rows: int, counts: Counter[str]) -> str:
    def of(part: str, whole: str) -> str:
        return f"{counts[part]} of {counts[whole]}"

    cells = (
        scenario,
        kind,
        f"{rows:,}",
        of("common", "tables"),
        of("common directly", "tables"),
        of("false", "stated"),
        of("true", "possible"),
        of("kind right", "true"),
        of("through right", "through"),
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
