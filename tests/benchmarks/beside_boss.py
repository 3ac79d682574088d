"""Boundaries beside other programs on the same rows: BOSS of causal-learn, and hill climbing by BIC.

Run by hand, from the project's folder; PEERS is an interpreter that has causal-learn and pgmpy::

    python -m tests.benchmarks.beside_boss --out boss.jsonl --folder FOLDER --peer PEERS --seeds 3
    python -m tests.benchmarks.beside_boss --out boss.jsonl --numbers --peer PEERS --seeds 3

The first searches networks of categories: of the files in order of their names the ones after the first 30,
``--half first`` the first 30, on which the program was settled. The second searches linear networks: drawn
ones of 60 variables with 4 to 8 weak causes each, and the Gaussian ones that pgmpy brings. Every third
variable is a label, which third changes with the seed. BOSS weighs categories by BDeu (both priors 1), and
numbers by the BIC of straight lines between normal scores at causal-learn's double penalty; its boundaries
are read off the class of graphs. Hill climbing is ``bic_climbing.py``, for categories alone.

Where nodes are functions of others, a label may have several Markov boundaries besides the causes, effects,
and other causes of effects in the graph: what is found is compared with the nearest of all of these
(``tests/functional_truth.py``), and with ``--truth graph`` with the latter alone.

What is in the file is not searched again; without ``--seeds`` only the tables are printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import compress, groupby, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

import engine
from engine.independence.tails import normal_scores
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.benchmarks.bic_climbing import BicClimb, boundaries_of
from tests.benchmarks.few_rows import Counts, f1
from tests.benchmarks.mixed_networks.networks import example_models, read_gaussian
from tests.functional_truth import FunctionalTruth

OURS, CLIMBING, BOSS = METHODS = ("this program", "hill climbing by BIC", "BOSS")
ROWS_OF_CATEGORIES, ROWS_OF_NUMBERS = (500, 2000, 10_000), (2000, 20_000)
HALF = 30
WEAK_CAUSES = "60 variables, 4 to 8 weak causes"
GAUSSIAN = ("ecoli70", "magic-niab", "magic-irri", "arth150")
# Networks of more nodes are pooled apart as well.
FEW_NODES = 10
_RESAMPLES = 2000
_SEARCH = Path(__file__).parent / "inside_boss.py"


@dataclass(frozen=True)
class Table:
    """Rows of a network, and what is true of them.

    Attributes
    ----------
    dataset : Dataset
    boundaries : mapping of str to sequence of set of str
        Of each label, its Markov boundaries, that of the graph among them.
    in_graph : mapping of str to set of str
        That of the graph.
    """

    dataset: Dataset
    boundaries: Mapping[str, Sequence[AbstractSet[str]]]
    in_graph: Mapping[str, AbstractSet[str]]


Draw = Callable[[int, int], Table]


class Key(NamedTuple):
    """One search: of how many rows of a network, with which seed, by whom."""

    network: str
    rows: int
    seed: int
    method: str


class Outcome(NamedTuple):
    """What came of one search: members found rightly, found wrongly and missed, by either truth.

    Counts are None where the search took too long.
    """

    nodes: int
    seconds: float
    nearest: list[int] | None
    graph: list[int] | None


class Outcomes:
    """What was counted, kept in a file, a search a line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.all: dict[Key, Outcome] = {}
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            key, outcome = json.loads(line)
            self.all[Key(*key)] = Outcome(*outcome)

    def add(self, key: Key, outcome: Outcome) -> None:
        """Keep one search."""
        self.all[key] = outcome
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, outcome]) + "\n")


def folder_draws(folder: Path, half: str) -> dict[str, Draw]:
    """Return how each network of one half of a folder is drawn, by name."""
    files = sorted(folder.glob("*.bif.gz"))
    chosen = files[:HALF] if half == "first" else files[HALF:]
    return {file.name.removesuffix(".bif.gz"): _drawing(file) for file in chosen}


def _drawing(file: Path) -> Draw:
    def draw(rows: int, seed: int) -> Table:
        network = engine.read_network(file)
        labels = network.nodes[seed % 3 % len(network.nodes) :: 3]
        truth = FunctionalTruth(network)
        in_graph = _in_graph(labels, network.edges)
        boundaries = {label: [in_graph[label], *truth.boundaries(label)] for label in labels}
        dataset = engine.simulate_network(network, labels, rows, seed).dataset
        return Table(dataset, boundaries, in_graph)

    return draw


def weak_causes(rows: int, seed: int) -> Table:
    """Draw a linear network of 60 variables, each with 4 to 8 causes of weight .1 to .4 beside noise of 1."""
    generator = np.random.default_rng(seed)
    count = 60
    columns, arrows = np.empty((count, rows)), []
    for number in range(count):
        causes = generator.choice(number, min(number, int(generator.integers(4, 9))), replace=False)
        columns[number] = generator.normal(size=rows)
        for cause in causes.tolist():
            columns[number] += generator.choice((-1, 1)) * generator.uniform(0.1, 0.4) * columns[cause]
            arrows.append((f"V{cause}", f"V{number}"))
        columns[number] /= columns[number].std()
    order = generator.permutation(count)
    return _of_numbers({f"V{number}": columns[number] for number in order.tolist()}, arrows, seed)


def gaussian_draws(folder: Path) -> dict[str, Draw]:
    """Return how each Gaussian network of pgmpy is drawn."""

    def drawing(file: Path) -> Draw:
        def draw(rows: int, seed: int) -> Table:
            network = read_gaussian(file)
            return _of_numbers(network.sample(rows, np.random.default_rng(seed)), network.edges, seed)

        return draw

    return {name: drawing(folder / f"{name}.json") for name in GAUSSIAN}


def _of_numbers(columns: Mapping[str, np.ndarray], arrows: Sequence[tuple[str, str]], seed: int) -> Table:
    """Make a table of numbers in which every third variable is a label."""
    labels = list(columns)[seed % 3 :: 3]
    variables = tuple(
        Variable(name, Kind.CONTINUOUS, Role.LABEL if name in labels else Role.FEATURE) for name in columns
    )
    in_graph = _in_graph(labels, arrows)
    boundaries = {label: [members] for label, members in in_graph.items()}
    return Table(Dataset(variables, tuple(columns.values())), boundaries, in_graph)


def _in_graph(labels: Sequence[str], arrows: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    """Return causes and effects of each label, and the other causes of these effects."""
    inside: dict[str, set[str]] = {}
    for label in labels:
        effects = {effect for cause, effect in arrows if cause == label}
        causes = {cause for cause, effect in arrows if effect == label or effect in effects}
        inside[label] = (effects | causes) - {label}
    return inside


def compared(
    boundaries: Mapping[str, AbstractSet[str]], true: Mapping[str, Sequence[AbstractSet[str]]]
) -> list[int]:
    """Count members found rightly, found wrongly and missed, beside the nearest boundary of each label."""
    counts = np.zeros(3, dtype=np.int64)
    for label, members in boundaries.items():
        nearest = min(true[label], key=lambda boundary: (len(members ^ boundary), len(boundary)))
        counts += len(members & nearest), len(members - nearest), len(nearest - members)
    return [int(count) for count in counts]


Found = Mapping[str, AbstractSet[str]]


def by_this_program(dataset: Dataset) -> Found:
    """Return the boundaries of the labels at the defaults."""
    result = engine.discover(dataset, directions=False)
    return {label: set(boundary.members) for label, boundary in result.boundaries.items()}


def by_climbing(dataset: Dataset) -> Found:
    """Return the boundaries of the labels by hill climbing."""
    return _by_name(dataset, boundaries_of(BicClimb(_codes(dataset)).network()))


def by_boss(dataset: Dataset, python: str, seconds: int) -> Found | None:
    """Return the boundaries of the labels by BOSS; None where it takes too long."""
    are_numbers = dataset.variables[0].kind is Kind.CONTINUOUS
    with TemporaryDirectory() as folder:
        rows, graphs = Path(folder) / "tables.npz", Path(folder) / "graphs.npz"
        np.savez(rows, normal_scores(np.array(dataset.columns)).T if are_numbers else _codes(dataset).T)
        subprocess.run([python, str(_SEARCH), str(rows), str(graphs), str(seconds)], check=True)
        with np.load(graphs) as graph_file:
            marks = graph_file["arr_0"]
    return _by_name(dataset, boundaries_of_class(marks)) if marks.size else None


def boundaries_of_class(marks: np.ndarray) -> np.ndarray:
    """Mark who is in whose boundary in a class of graphs.

    ``marks[u, v]`` is the mark at u of the edge between u and v: 1 an arrowhead, -1 a tail, 0 no edge.
    """
    arrows = (marks.T == 1) & (marks == -1)
    boundaries: np.ndarray = (marks != 0) | boundaries_of(arrows)
    np.fill_diagonal(boundaries, False)
    return boundaries


def _codes(dataset: Dataset) -> np.ndarray:
    return np.array([np.unique(column, return_inverse=True)[1] for column in dataset.columns])


def _by_name(dataset: Dataset, boundaries: np.ndarray) -> Found:
    return {
        name: set(compress(dataset.names, boundaries[place]))
        for place, name in enumerate(dataset.names)
        if name in dataset.labels
    }


@dataclass(frozen=True)
class Others:
    """How the other programs are run: an interpreter, and for how many seconds at most."""

    python: str | None
    seconds: int

    def boundaries(self, method: str, dataset: Dataset) -> Found | None:
        """Search a table by one method."""
        if method == OURS:
            return by_this_program(dataset)
        if method == CLIMBING:
            return by_climbing(dataset)
        assert self.python is not None
        return by_boss(dataset, self.python, self.seconds)


def measure(outcomes: Outcomes, draws: Mapping[str, Draw], keys: Iterable[Key], others: Others) -> None:
    """Search what is not in the file."""
    missing = sorted((key for key in keys if key not in outcomes.all), key=lambda key: (key.seed, key[:2]))
    for (_, (network, rows)), together in groupby(missing, key=lambda key: (key.seed, key[:2])):
        listed = list(together)
        table = draws[network](rows, listed[0].seed)
        for key in listed:
            began = time.process_time() if key.method != BOSS else time.perf_counter()
            boundaries = others.boundaries(key.method, table.dataset)
            ended = time.process_time() if key.method != BOSS else time.perf_counter()
            counted = (
                [None, None]
                if boundaries is None
                else [
                    compared(boundaries, table.boundaries),
                    compared(boundaries, {label: [members] for label, members in table.in_graph.items()}),
                ]
            )
            outcomes.add(key, Outcome(len(table.dataset.names), round(ended - began, 2), *counted))


class Report:
    """Tables of some networks."""

    def __init__(self, outcomes: Outcomes, networks: Sequence[str], truth: str) -> None:
        self._all = {key: outcome for key, outcome in outcomes.all.items() if key.network in networks}
        self._truth = truth
        self._networks = networks
        self._methods = [method for method in METHODS if any(key.method == method for key in self._all)]

    def lines(self, rows: Sequence[int], are_apart: bool) -> Iterator[str]:
        """Give the lines of the table: a network each, or all together and those of more nodes."""
        others = self._methods[1:]
        header = [
            "networks",
            "rows",
            "tables",
            *self._methods,
            *(f"difference to {method}" for method in others),
        ]
        yield f"| {' | '.join(header)} |"
        yield "| --- | ---: | ---: |" + " --- |" * (len(header) - 3)
        if are_apart:
            groups = {name: [name] for name in self._networks}
        else:
            nodes = {key.network: outcome.nodes for key, outcome in self._all.items()}
            large = [name for name in self._networks if nodes.get(name, 0) > FEW_NODES]
            groups = {"all": list(self._networks), f"more than {FEW_NODES} nodes": large}
        for title, names in groups.items():
            for count in rows:
                yield from self._line(title, names, count)
        late = [key for key, outcome in self._all.items() if outcome.nearest is None]
        if late:
            listed = (f"{key.network} ({key.rows:,} rows, seed {key.seed})" for key in late)
            yield f"\nTook too long: {', '.join(listed)}."

    def _line(self, title: str, networks: Sequence[str], rows: int) -> Iterator[str]:
        """Give a line with all tables that every method has searched."""
        searched = {key[:3] for key in self._all if key.rows == rows and key.network in networks}
        counts = {
            table: [self._counts(Key(*table, method)) for method in self._methods]
            for table in sorted(searched)
        }
        complete = {table: count for table, count in counts.items() if None not in count}
        if complete:
            pooled = np.array(list(complete.values()), dtype=np.int64)
            names = [network for network, _, _ in complete]
            cells = [_cell(counts_of_method) for counts_of_method in pooled.sum(axis=0)]
            cells += [
                _difference(pooled[:, 0], pooled[:, number], names) for number in range(1, len(self._methods))
            ]
            yield f"| {title} | {rows:,} | {len(complete)} | {' | '.join(cells)} |"

    def _counts(self, key: Key) -> list[int] | None:
        outcome = self._all.get(key)
        if outcome is None:
            return None
        return outcome.graph if self._truth == "graph" else outcome.nearest


def _cell(counts: Counts) -> str:
    precision, recall = counts[0] / max(counts[0] + counts[1], 1), counts[0] / max(counts[0] + counts[2], 1)
    return f"{f1(counts):.3f} ({precision:.3f} / {recall:.3f})"


def _difference(ours: np.ndarray, theirs: np.ndarray, networks: Sequence[str]) -> str:
    """Say by how much pooled F1 is higher, with its 95 % interval over resampled tables."""
    generator = np.random.default_rng(0)
    # Tables are drawn anew within each network, so that each network counts as much as it does.
    groups = [np.flatnonzero(np.array(networks) == name) for name in dict.fromkeys(networks)]
    mean = f1(ours.sum(axis=0)) - f1(theirs.sum(axis=0))
    if max(map(len, groups)) == 1:
        return f"{mean:+.3f} (one table each, no interval)"
    drawn = []
    for _ in range(_RESAMPLES):
        places = np.concatenate([generator.choice(group, len(group)) for group in groups])
        drawn.append(f1(ours[places].sum(axis=0)) - f1(theirs[places].sum(axis=0)))
    low, high = np.quantile(drawn, (0.025, 0.975))
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"


def main() -> None:
    """Search what is asked for, and print the tables."""
    arguments = _arguments()
    draws: dict[str, Draw] = {}
    if arguments.folder:
        draws |= folder_draws(arguments.folder, arguments.half)
    if arguments.numbers:
        draws[WEAK_CAUSES] = weak_causes
        if arguments.peer:
            draws |= gaussian_draws(example_models(arguments.peer))
    if arguments.networks:
        draws = {name: draw for name, draw in draws.items() if name in arguments.networks}
    methods = arguments.methods or [
        method for method in METHODS if method != CLIMBING or not arguments.numbers
    ]
    if BOSS in methods and not arguments.peer:
        print("BOSS is left out: name an interpreter that has causal-learn (--peer).\n")
        methods = [method for method in methods if method != BOSS]
    rows = arguments.rows or (ROWS_OF_NUMBERS if arguments.numbers else ROWS_OF_CATEGORIES)
    outcomes = Outcomes(arguments.out)
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    keys = (Key(*key_parts) for key_parts in product(draws, rows, seeds, methods))
    measure(outcomes, draws, keys, Others(arguments.peer, arguments.most_seconds))
    for line in Report(outcomes, list(draws), arguments.truth).lines(rows, arguments.numbers):
        print(line)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="file of outcomes")
    parser.add_argument("--folder", type=Path, help="folder of networks of categories, gzipped BIF files")
    parser.add_argument("--half", choices=("first", "second"), default="second")
    parser.add_argument("--numbers", action="store_true", help="linear networks")
    parser.add_argument("--networks", nargs="+", help="names of some networks; all when left out")
    parser.add_argument("--rows", type=int, nargs="+")
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--methods", nargs="+", choices=METHODS)
    parser.add_argument("--peer", metavar="PYTHON", help="an interpreter with causal-learn and pgmpy")
    parser.add_argument("--most-seconds", type=int, default=600, help="for BOSS and a table")
    parser.add_argument("--truth", choices=("nearest", "graph"), default="nearest")
    return parser.parse_args()


if __name__ == "__main__":
    main()
