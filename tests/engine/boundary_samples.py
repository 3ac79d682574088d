"""Public samples of ALARM and CHILD with the graphs that they were drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import networkx
import numpy as np
import pandas

import engine

_FILES = {
    ("ALARM", 500): "Alarm1_s500_v1.txt",
    ("ALARM", 5000): "Alarm1_s5000_v1.txt.gz",
    ("CHILD", 500): "Child_s500_v1.csv",
    ("CHILD", 5000): "Child_s5000_v1.csv.gz",
}
_GRAPHS = {"ALARM": "Alarm1_graph.txt", "CHILD": "Child_graph.txt"}


@dataclass(frozen=True)
class BoundarySample:
    """A sample, and the Markov boundary of each of its columns in the graph it was drawn from."""

    dataset: engine.Dataset
    boundaries: Mapping[str, frozenset[str]]

    def f1(self, settings: engine.DiscoverySettings, algorithm: str) -> float:
        """F1 of the boundaries that an algorithm finds, averaged over all columns as targets."""
        return fmean(
            f1(set(engine.markov_boundary(self.dataset, target, settings, algorithm=algorithm).members), true)
            for target, true in self.boundaries.items()
        )

    def f1_of_discovery(self, settings: engine.DiscoverySettings) -> float:
        """F1 of the boundaries of labels in two discoveries, with every second column as a label."""
        scores = []
        for first in (0, 1):
            roles = dict.fromkeys(self.dataset.names, engine.Role.FEATURE)
            roles |= dict.fromkeys(self.dataset.names[first::2], engine.Role.LABEL)
            result = engine.discover(self.dataset.with_roles(roles), settings)
            for label, boundary in result.boundaries.items():
                scores.append(f1(set(boundary.members), self.boundaries[label]))
        return fmean(scores)


def f1(discovered: Set[str], true: Set[str]) -> float:
    """Harmonic mean of precision and recall; no target of these networks has an empty boundary."""
    return 2 * len(discovered & true) / (len(discovered) + len(true))


def boundary_sample(folder: Path, network: str, rows: int) -> BoundarySample:
    """Read a sample of a network; the columns of the two networks have orders of their own."""
    path = folder / _FILES[network, rows]
    csv = ".csv" in path.suffixes
    table = (
        pandas.read_csv(path, sep="," if csv else r"\s+", header=0 if csv else None).astype(int).astype(str)
    )
    table.columns = [f"v{place}" for place in range(table.shape[1])]
    graph = networkx.from_numpy_array(np.loadtxt(folder / _GRAPHS[network]), create_using=networkx.DiGraph)
    moral = networkx.moral_graph(networkx.relabel_nodes(graph, lambda place: f"v{place}"))
    assert table.shape == (rows, len(moral))
    dataset = engine.Dataset.from_frame(table)
    return BoundarySample(dataset, {name: frozenset(moral[name]) for name in dataset.names})
