"""The networks: simulated ones, and Gaussian ones from the wheel of pgmpy."""

from __future__ import annotations

import functools
import json
import math
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx
import numpy as np

import engine
from engine.simulation import SimulatedNetwork, StructuralNetwork, answer_of_graph
from engine.simulation.bayesian_network import dataset_variables
from engine.simulation.graph import DirectedGraph
from engine.simulation.simulation_settings import SamplingSettings
from engine.simulation.structural_network import InfluenceTerm, NumberCurve, NumberEquation
from engine.table.dataset import Dataset

SIMULATED: Mapping[str, Mapping[str, Any]] = {
    "linear": {"relations": "linear"},
    "smooth": {"relations": "smooth"},
    "heavy-tailed": {"relations": "linear", "noise": "heavy-tailed"},
}
# With these strengths the defaults of commit 20fcb64, which cut numbers in two, have a precision below .6
# with 20 000 rows of every kind.
_SIZE: Mapping[str, Any] = {"features": 60, "labels": 5, "graph": "random", "max_parents": 3, "strength": 0.7}
PUBLISHED = ("ecoli70", "magic-niab", "arth150")
_PUBLISHED_LABELS = 5
_MODELS = (
    "from importlib.util import find_spec; from pathlib import Path; "
    "print(Path(find_spec('pgmpy').origin).parent / 'utils' / 'example_models')"
)


def simulated(kind: str, variables: str, rows: int, seed: int, **more: Any) -> SimulatedNetwork:
    """Draw a network of one kind: 60 features, 5 labels of two levels, at most three causes each."""
    settings = {**_SIZE, **SIMULATED[kind], "variables": variables, "rows": rows, "seed": seed, **more}
    return engine.simulate(**settings)


def with_hidden_causes(simulated: SimulatedNetwork, share: float) -> SimulatedNetwork:
    """Take a share of the features that have several effects out of a table, as if nobody had measured them.

    The truth stays that of the whole network.
    """
    arrows = networkx.DiGraph(simulated.network.edges)
    dataset = simulated.dataset
    shared = [
        variable.name
        for variable in dataset.variables
        if variable.name not in simulated.truth.labels
        and variable.name in arrows
        and arrows.out_degree(variable.name) > 1
    ]
    generator = np.random.default_rng(simulated.settings.seed)
    hidden = set(generator.choice(shared, size=int(share * len(shared)), replace=False))
    pairs = zip(dataset.variables, dataset.columns, strict=True)
    variables, columns = zip(*(pair for pair in pairs if pair[0].name not in hidden), strict=True)
    return replace(simulated, dataset=replace(dataset, variables=variables, columns=columns))


def published(file: Path, rows: int, seed: int) -> SimulatedNetwork:
    """Draw rows from a published network; five of its variables that have neighbours are labels.

    Parameters
    ----------
    file : Path
        A network of pgmpy's wheel, JSON.
    rows, seed : int
        The seed decides the labels and the rows.
    """
    network = read_gaussian(file)
    generator = np.random.default_rng(seed)
    near = [name for name in network.nodes if network.parents[name] or network.children[name]]
    chosen = set(generator.choice(near, size=_PUBLISHED_LABELS, replace=False))
    labels = tuple(name for name in network.nodes if name in chosen)
    columns = network.sample(rows, generator)
    dataset = Dataset(dataset_variables(network, labels), tuple(columns.values()), name=file.stem)
    return SimulatedNetwork(
        dataset, answer_of_graph(network, labels), network, SamplingSettings(labels, rows, seed)
    )


def example_models(python: str) -> Path:
    """Return the folder of networks that the pgmpy of an interpreter brings; pgmpy itself need not start."""
    command = [python, "-c", _MODELS]
    return Path(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip())


@functools.cache
def read_gaussian(file: Path) -> StructuralNetwork:
    """Read a linear Gaussian network, and give every variable mean 0 and variance 1: tests ignore scales."""
    content = json.loads(file.read_text("utf-8"))
    tables = content["cpds"]
    names = content["nodes"]
    place = {name: at for at, name in enumerate(names)}
    paths, noise = np.zeros((len(names), len(names))), np.zeros(len(names))
    for name in names:
        (noise[place[name]],) = tables[name]["variance"]
        for cause, (coefficient,) in tables[name]["coefficients"].items():
            if cause in place:
                paths[place[name], place[cause]] = coefficient
    through = np.linalg.inv(np.eye(len(names)) - paths)
    deviations = np.sqrt(np.diag(through @ np.diag(noise) @ through.T))
    return StructuralNetwork(
        {name: _equation(names, at, paths, noise, deviations) for at, name in enumerate(names)}
    )


def _equation(
    names: list[str], at: int, paths: np.ndarray, noise: np.ndarray, deviations: np.ndarray
) -> NumberEquation:
    causes = np.flatnonzero(paths[at])
    if len(causes) == 0:
        return NumberEquation()
    strength = math.sqrt(1.0 - noise[at] / deviations[at] ** 2)
    weights = paths[at, causes] * deviations[causes] / deviations[at] / strength
    terms = tuple(InfluenceTerm((NumberCurve(names[cause]),)) for cause in causes)
    return NumberEquation(terms, tuple(map(float, weights)), strength)


def settled_edges(graph: DirectedGraph) -> set[tuple[str, str]]:
    """Give the arrows that all graphs of the Markov equivalence class share.

    They are those of v-structures and what follows from them by the first three rules of Meek (1995); the
    fourth only serves background knowledge.
    """
    arrows = networkx.DiGraph(graph.edges)
    beside = arrows.to_undirected()
    settled = {
        (cause, effect)
        for effect in arrows
        for cause in arrows.predecessors(effect)
        for other_cause in arrows.predecessors(effect)
        if cause != other_cause and not beside.has_edge(cause, other_cause)
    }
    while True:
        fresh = {
            (start, end)
            for start, end in arrows.edges
            if (start, end) not in settled and _follows(start, end, settled, beside)
        }
        if not fresh:
            return settled
        settled |= fresh


def _follows(start: str, end: str, settled: set[tuple[str, str]], beside: networkx.Graph) -> bool:
    """Tell whether a rule of Meek makes ``start - end`` an arrow to `end`."""
    around = set(beside[start])
    into_end = {name for name in beside[end] if (name, end) in settled}
    no_collider = any((name, start) in settled and not beside.has_edge(name, end) for name in around)
    no_cycle = any((start, name) in settled for name in into_end)
    two_ways = any(
        not beside.has_edge(first, second)
        for first in into_end & around
        for second in into_end & around
        if first != second and (first, start) not in settled and (second, start) not in settled
    )
    return no_collider or no_cycle or two_ways
