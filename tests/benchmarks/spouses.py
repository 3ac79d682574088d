"""Spouses and boundaries in tables with numbers, beside the best graph of a peer (BOSS of causal-learn).

``python -m tests.benchmarks.spouses --rows 500 --seeds 4 --first-seed 3000``; with ``--peer PYTHON``, an
interpreter that has causal-learn, BOSS searches the same rows: BIC of straight lines between normal scores.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas

import engine
from engine.independence.tails import normal_scores
from tests.benchmarks.direction_tables import INTERACTIONS, KINDS, SHAPES, Drawn, drawn

NUMERIC = (*(kind for kind in KINDS if kind != "categories"), INTERACTIONS)
_SEARCH = Path(__file__).parent / "inside_boss.py"


@dataclass
class Tally:
    """Counts over labels: spouses and members that are true, found, and both."""

    true_spouses: int = 0
    spouses_found: int = 0
    spouses: int = 0
    right_spouses: int = 0
    true_members: int = 0
    members: int = 0
    right_members: int = 0
    seconds: float = 0.0

    def add(self, truth: tuple[set[str], set[str]], neighbours: set[str], spouses: set[str]) -> None:
        """Count one label; `truth` is its neighbours and its spouses."""
        true_neighbours, true_spouses = truth
        members, true = neighbours | spouses, true_neighbours | true_spouses
        self.true_spouses += len(true_spouses)
        self.spouses_found += len(true_spouses & members)
        self.spouses += len(spouses)
        self.right_spouses += len(spouses & true)
        self.true_members += len(true)
        self.members += len(members)
        self.right_members += len(members & true)

    def row(self) -> str:
        """Return recall and precision of spouses, precision, recall and F1 of all, and CPU seconds."""
        found_spouses = self.spouses_found / max(self.true_spouses, 1)
        right_spouses = self.right_spouses / max(self.spouses, 1)
        precision = self.right_members / max(self.members, 1)
        recall = self.right_members / max(self.true_members, 1)
        f1 = 2 * self.right_members / max(self.members + self.true_members, 1)
        return (
            f"{found_spouses:.3f} of {self.true_spouses} | {right_spouses:.3f} of {self.spouses} | "
            f"{precision:.3f} | {recall:.3f} | {f1:.3f} | {self.seconds:.1f}"
        )


def truth_of(table: Drawn, label: str) -> tuple[set[str], set[str]]:
    """Return the direct causes and effects of a label, and the other direct causes of these effects."""
    causes = {cause for cause, effect in table.edges if effect == label}
    effects = {effect for cause, effect in table.edges if cause == label}
    spouses = {cause for cause, effect in table.edges if effect in effects} - {label} - causes - effects
    return causes | effects, spouses


def searched(tables: Iterable[Drawn]) -> Tally:
    """Search tables by the default settings."""
    tally = Tally()
    for table in tables:
        dataset = engine.Dataset.from_frame(table.frame, labels=table.labels)
        began = time.process_time()
        result = engine.discover(dataset)
        tally.seconds += time.process_time() - began
        for label, boundary in result.boundaries.items():
            tally.add(truth_of(table, label), set(boundary.parents_children), set(boundary.spouses))
    return tally


def searched_by_peer(tables: list[Drawn], python: str) -> Tally:
    """Search the same tables by BOSS; in its class of graphs only arrows on which all agree tell a spouse."""
    tally = Tally()
    with TemporaryDirectory() as folder:
        rows, graphs = Path(folder) / "tables.npz", Path(folder) / "graphs.npz"
        np.savez(rows, *[_normal_scores(table.frame) for table in tables])
        began = time.perf_counter()
        subprocess.run([python, str(_SEARCH), str(rows), str(graphs)], check=True)
        tally.seconds = time.perf_counter() - began
        with np.load(graphs) as graph_file:
            marks = [graph_file[name] for name in graph_file.files]
    for table, ends in zip(tables, marks, strict=True):
        names = list(table.frame)
        # ends[u, v] is the mark at u of the edge between u and v: 1 an arrowhead, -1 a tail, 0 no edge.
        arrow = (ends.T == 1) & (ends == -1)
        for label in table.labels:
            place = names.index(label)
            neighbours = np.flatnonzero(ends[place])
            children = np.flatnonzero(arrow[place])
            parents = np.flatnonzero(arrow[:, children].any(axis=1))
            spouses = set(parents.tolist()) - {place} - set(neighbours.tolist())
            tally.add(
                truth_of(table, label),
                {names[neighbour] for neighbour in neighbours},
                {names[spouse] for spouse in spouses},
            )
    return tally


def _normal_scores(frame: pandas.DataFrame) -> np.ndarray:
    columns = [
        column.to_numpy(float) if column.dtype.kind == "f" else pandas.factorize(column, sort=True)[0]
        for _, column in frame.items()
    ]
    return normal_scores(np.array(columns, dtype=np.float64)).T


def drawn_tables(kind: str, rows: int, seeds: Iterable[int], shapes: Iterable[str]) -> Iterator[Drawn]:
    """Draw the tables of one kind."""
    shapes = tuple(shapes)
    return (drawn(kind, shape, seed, rows) for seed in seeds for shape in shapes)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 2000])
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first-seed", type=int, default=3000)
    parser.add_argument("--kinds", nargs="+", choices=NUMERIC, default=list(NUMERIC))
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--peer", metavar="PYTHON")
    options = parser.parse_args()
    print("| rows | kind | by | spouses found | spouses right | precision | recall | F1 | s |")
    print("| ---: | --- | --- | --- | --- | --- | --- | --- | ---: |")
    for rows in options.rows:
        for kind in options.kinds:
            seeds = range(options.first_seed, options.first_seed + options.seeds)
            tables = list(drawn_tables(kind, rows, seeds, options.shapes))
            print(f"| {rows} | {kind} | defaults | {searched(tables).row()} |", flush=True)
            if options.peer:
                by_peer = searched_by_peer(tables, options.peer)
                print(f"| {rows} | {kind} | BOSS | {by_peer.row()} |", flush=True)


if __name__ == "__main__":
    main()
