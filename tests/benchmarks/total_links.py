"""Links through other labels on simulated outcomes that belong together.

Run by hand, from the project's folder::

    python -m tests.benchmarks.total_links --rows 300 2000 --first-seed 100 --tables 10
    python -m tests.benchmarks.total_links --groups --first-seed 5000 --tables 20

Each table has a treatment, an age, two causes of single outcomes, eight variables that nothing depends on,
and five outcomes. Scenarios: ``severity`` (treatment and age act on an unmeasured severity, and that on all
outcomes), ``chain`` (they act on the first outcome, and each outcome on the next), ``fork`` (they act on
every outcome), ``none`` (outcomes share an unmeasured cause, and no variable acts on any) and ``unrelated``
(nothing acts on any outcome). Outcomes are yes/no, numbers or both.

With ``--groups`` tables have three to six outcomes, and counted are groups of outcomes: all outcomes should
be one in ``severity`` and ``none``, and there should be no group elsewhere. Counted too are links of features
with the group: treatment, age and the causes of single outcomes act on the score, but in ``none`` and
``unrelated``. Bounds were settled on seeds below 1000.

``--cells`` draws the paper's networks instead (Tables 2 and 3), and holds label sets against the truth that
:mod:`engine.simulation` derives, as the paper counts::

    python -m tests.benchmarks.total_links --cells 0.5/0.5 1/0.5 --first-seed 100 --tables 1

Where all labels are related, next to no variable is label-specific by total links, and the mean of the two
types that the paper computes says little: so links of both types together are counted too. The last line of a
cell is on all its tables.

A link is true if the feature is in the Markov boundary of the outcome among all variables, or among the
features alone; both by d-separation in the graph. The kind of a link is right if it is direct exactly where
the first holds. What is named as separating is right if it d-separates the two, and no set with fewer
outcomes does; that nothing is named is right if no set separates them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations, pairwise

import networkx
import numpy as np
import pandas

import engine
from engine.comparison.networks.benchmark_settings import cells
from engine.simulation import score
from engine.simulation.truth import PairScore

SCENARIOS = ("severity", "chain", "fork", "none", "unrelated")
KINDS = ("yes/no", "numbers", "both")
OUTCOMES = ("y1", "y2", "y3", "y4", "y5")
FEATURES = ("treatment", "age", "own2", "own4", *(f"x{number}" for number in range(8)))
OWN_CAUSES = (("own2", "y2"), ("own4", "y4"))
_HIDDEN = "severity"
_WEIGHT = 0.9


def graph_of(scenario: str, outcomes: Sequence[str] = OUTCOMES) -> networkx.DiGraph:
    """Return the causal graph of a scenario; severity is not in the table."""
    graph = networkx.DiGraph()
    graph.add_nodes_from((*FEATURES, *outcomes))
    graph.add_edge("age", "x0")
    if scenario == "chain":
        graph.add_edges_from((cause, "y1") for cause in ("treatment", "age"))
        graph.add_edges_from(pairwise(outcomes))
    elif scenario == "fork":
        graph.add_edges_from((cause, outcome) for cause in ("treatment", "age") for outcome in outcomes)
    elif scenario in ("severity", "none"):
        graph.add_edges_from((_HIDDEN, outcome) for outcome in outcomes)
    if scenario == "severity":
        graph.add_edges_from((cause, _HIDDEN) for cause in ("treatment", "age"))
    if scenario not in ("none", "unrelated"):
        graph.add_edges_from((cause, outcome) for cause, outcome in OWN_CAUSES if outcome in outcomes)
    return graph


def table_of(
    scenario: str, kind: str, rows: int, seed: int, outcomes: Sequence[str] = OUTCOMES
) -> engine.Dataset:
    """Draw a table of a scenario."""
    generator = np.random.default_rng((seed, rows, SCENARIOS.index(scenario), KINDS.index(kind)))
    graph = graph_of(scenario, outcomes)
    drawn: dict[str, np.ndarray] = {}
    for node in networkx.lexicographical_topological_sort(graph):
        causes = sum(
            (_WEIGHT * _scaled(drawn[predecessor]) for predecessor in sorted(graph.predecessors(node))), 0.0
        )
        score = causes + generator.normal(size=rows)
        is_yes_no = node == "treatment" or (
            node in outcomes and (kind == "yes/no" or (kind == "both" and node in outcomes[::2]))
        )
        drawn[node] = (score > np.median(score)).astype(float) if is_yes_no else score
    frame = pandas.DataFrame({name: drawn[name] for name in (*FEATURES, *outcomes)})
    for name in frame:
        if frame[name].nunique() == 2:
            frame[name] = frame[name].astype(int)
    return engine.Dataset.from_frame(frame, labels=list(outcomes))


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

    def is_separable(self, feature: str, label: str) -> bool:
        """Tell whether any set of the table's variables d-separates the two: then their ancestors do."""
        graph = self._graph
        ancestors = networkx.ancestors(graph, feature) | networkx.ancestors(graph, label)
        return self.are_apart(feature, label, ancestors & {*FEATURES, *OUTCOMES} - {feature, label})

    def is_smallest(self, feature: str, label: str, given: Sequence[str]) -> bool:
        """Tell whether a set separates the two, and none with fewer outcomes does."""
        others = [outcome for outcome in OUTCOMES if outcome != label]
        causes = [variable for variable in ("treatment", "age", "own2", "own4") if variable != feature]
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
    counts["common"] = all(
        len(result.total_label_sets.get(variable, ())) > 1 for variable in ("treatment", "age")
    )
    counts["common directly"] = all(
        len(result.label_sets.get(variable, ())) > 1 for variable in ("treatment", "age")
    )
    counts["true"], counts["possible"] = len(links & truth.total), len(truth.total)
    for pair in links & truth.total:
        counts["kind right"] += (pair in direct) == (pair in truth.direct)
    for pair, link in result.links_through_labels.items():
        counts["through"] += 1
        is_explained = link.separated is not None and not result.total_findings.is_shared(link)
        counts["through right"] += (
            truth.is_smallest(*pair, link.separated.given) if is_explained else not truth.is_separable(*pair)
        )
    return counts


def print_cells(chosen: Sequence[str], seeds: Sequence[int]) -> None:
    """Print precision and recall of direct and of all links for networks of the paper."""
    print(
        "| p_c/p_m | seed | direct: precision | recall | total: precision | recall "
        "| both types: precision | recall | kind right |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in chosen:
        means: list[tuple[float, ...]] = []
        together: Counter[str] = Counter()
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
            means.append((direct.precision, direct.recall, total.precision, total.recall))
            pairs = total.pairs
            _print_cell(
                name, str(seed), (*means[-1], pairs.precision, pairs.recall), f"{right} of {len(kinds)}"
            )
            together += Counter(asdict(pairs)) + Counter(right=right, kinds=len(kinds))
        kinds_right = f"{together.pop('right')} of {together.pop('kinds')}"
        counts = (together[part] for part in ("true_positives", "false_positives", "false_negatives"))
        all_pairs = PairScore(*counts)
        mean = np.mean(means, axis=0).tolist()
        _print_cell(name, "all", (*mean, all_pairs.precision, all_pairs.recall), kinds_right)


def _print_cell(name: str, seed: str, figures: Sequence[float], kind_right: str) -> None:
    written = " | ".join(f"{figure:.3f}" for figure in figures)
    print(f"| {name} | {seed} | {written} | {kind_right} |", flush=True)


def groups_counted(scenario: str, kind: str, rows: int, seed: int, outcomes: Sequence[str]) -> Counter[str]:
    """Count the groups of outcomes that one table shows, and what is linked to them."""
    result = engine.discover(table_of(scenario, kind, rows, seed, outcomes), directions=False)
    counts: Counter[str] = Counter(tables=1)
    true_links = {"treatment", "age"} if scenario not in ("none", "unrelated") else set()
    if true_links:
        true_links |= {cause for cause, outcome in OWN_CAUSES if outcome in outcomes}
    counts["any group"] = bool(result.label_groups)
    for group in result.label_groups:
        counts["whole group"] += group.members == tuple(outcomes)
        counts["both linked"] += {"treatment", "age"} <= set(group.features)
        counts["possible"] += len(FEATURES) - len(true_links)
        false = len(set(group.features) - true_links)
        counts["false links"] += false
        counts["with false links"] += false > 0
    return counts


def print_groups(arguments: argparse.Namespace) -> None:
    """Print a line for each scenario, number of rows and kind; counts are of three to six outcomes."""
    print(
        "| scenario | outcomes | rows | whole group | any group | both linked | false links | tables with |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for scenario in arguments.scenarios:
        for rows in arguments.rows:
            for kind in arguments.kinds:
                counts: Counter[str] = Counter()
                for count in (3, 4, 5, 6):
                    outcomes = tuple(f"y{number}" for number in range(1, count + 1))
                    for seed in range(arguments.first_seed, arguments.first_seed + arguments.tables):
                        counts += groups_counted(scenario, kind, rows, seed, outcomes)
                shown = [f"{counts[part]} of {counts['tables']}" for part in ("whole group", "any group")]
                shown += [f"{counts[part]} of {counts['any group']}" for part in ("both linked",)]
                shown += [f"{counts['false links']} of {counts['possible']}"]
                shown += [f"{counts['with false links']} of {counts['any group']}"]
                print(f"| {scenario} | {kind} | {rows:,} | {' | '.join(shown)} |", flush=True)


def main() -> None:
    """Print a line for each scenario, kind and number of rows; or for networks of the paper."""
    parser = argparse.ArgumentParser(description="Links through other labels on simulated outcomes.")
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 2000])
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--scenarios", nargs="+", default=SCENARIOS, choices=SCENARIOS)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--cells", nargs="+", default=[], choices=tuple(cells()))
    parser.add_argument("--groups", action="store_true", help="count groups of outcomes")
    arguments = parser.parse_args()
    if arguments.cells:
        first = arguments.first_seed
        print_cells(arguments.cells, range(first, first + arguments.tables))
        return
    if arguments.groups:
        print_groups(arguments)
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
