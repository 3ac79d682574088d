"""Networks from which tables are drawn, as they are, by persons with several rows, or by unequal chances.

The law of a single row is that of the network in all of them, so that the truth is the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

import engine
from engine.readers.networks import read_network
from engine.simulation import BayesianNetwork, SimulationSettings, StructuralNetwork
from engine.simulation.bayesian_network import dataset_variables
from engine.simulation.structural_network import draw_structural_network
from tests.benchmarks.effects.truths import CategoryTruth, DrawnTruth, LinearTruth, SampledTruth, as_tables

SIZE: dict[str, Any] = {"labels": 2, "features": 8, "rows": 10, "multiple_boundaries": 0.0}
ROWS_A_PERSON = 4
# Correlation of what makes two rows of a person, and least chance of a row to be drawn.
WITHIN = 0.6
LEAST_CHANCE = 0.2


class PersonDraws:
    """Random numbers that are alike in the rows of a person; each row's own follow the usual laws."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def standard_normal(self, rows: int) -> np.ndarray:
        """Standard normal numbers, correlated within persons."""
        persons = -(-rows // ROWS_A_PERSON)
        shared = np.repeat(self._generator.standard_normal(persons), ROWS_A_PERSON)[:rows]
        return np.sqrt(WITHIN) * shared + np.sqrt(1.0 - WITHIN) * self._generator.standard_normal(rows)

    def random(self, rows: int) -> np.ndarray:
        """Uniform numbers, likewise."""
        return ndtr(self.standard_normal(rows))


@dataclass(frozen=True, eq=False)
class World:
    """A network, its truth, and how rows are drawn from it.

    Attributes
    ----------
    network : BayesianNetwork or StructuralNetwork
    labels : tuple of str
    truth : CategoryTruth, LinearTruth or DrawnTruth
    by_persons, by_chance : bool
        Several rows a person; unequal chances to be drawn, which weights undo.
    """

    network: BayesianNetwork | StructuralNetwork
    labels: tuple[str, ...]
    truth: CategoryTruth | LinearTruth | DrawnTruth
    by_persons: bool = False
    by_chance: bool = False

    def table(self, rows: int, seed: int) -> engine.Dataset:
        """Draw a table."""
        generator = np.random.default_rng(seed)
        drawn = 4 * rows if self.by_chance else rows
        source: Any = PersonDraws(generator) if self.by_persons else generator
        columns = self.network.sample(drawn, source)
        variables = list(dataset_variables(self.network, self.labels))
        if self.by_persons:
            variables.append(engine.Variable("person", engine.Kind.CONTINUOUS, engine.Role.GROUPS))
            columns["person"] = np.arange(drawn) // ROWS_A_PERSON + 0.0
        if self.by_chance:
            chance = self._chances(columns, generator)
            taken = np.flatnonzero(generator.random(drawn) < chance)[:rows]
            columns = {name: column[taken] for name, column in columns.items()}
            columns["weight"] = 1.0 / chance[taken]
            variables.append(engine.Variable("weight", engine.Kind.CONTINUOUS, engine.Role.WEIGHT))
        return engine.Dataset(tuple(variables), tuple(columns.values()))

    def _chances(self, columns: dict[str, np.ndarray], generator: np.random.Generator) -> np.ndarray:
        """Chances to be drawn, which go with a label and a feature."""
        shares = [
            column.argsort().argsort() / len(column)
            for column in (
                columns[self.labels[0]] + 1e-6 * generator.random(len(columns["F1"])),
                columns["F1"],
            )
        ]
        return LEAST_CHANCE + (1.0 - LEAST_CHANCE) * 0.5 * (shares[0] + shares[1])


@dataclass(frozen=True, eq=False)
class PublishedWorld:
    """A published network of categories, some variables of which are labels."""

    network: BayesianNetwork
    labels: tuple[str, ...]
    truth: SampledTruth
    by_persons: bool = False

    def table(self, rows: int, seed: int) -> engine.Dataset:
        """Draw a table, without what is the same in all rows."""
        columns = self.network.sample(rows, np.random.default_rng(seed))
        variables = tuple(dataset_variables(self.network, self.labels))
        return engine.prepare(engine.Dataset(variables, tuple(columns.values())), constant_labels="set-aside")


def published(file: Path, seed: int) -> PublishedWorld:
    """Draw at most 12 labels of a network in a file."""
    network = read_network(file)
    nodes = list(network.nodes)
    labels = random.Random(seed).sample(nodes, max(2, min(12, len(nodes) // 3)))
    return PublishedWorld(network, tuple(labels), SampledTruth(network))


def logits(seed: int, strength: float = 0.5, **how: bool) -> World:
    """Categories of two and three levels, each a multinomial logit of its causes, as regressions suppose."""
    drawn = engine.simulate(**SIZE, variables="mixed", graph="random", seed=seed)
    generator = np.random.default_rng([seed, 1])
    network = drawn.network
    levels = {name: int(generator.integers(2, 4)) for name in network.nodes}
    levels |= dict.fromkeys(drawn.truth.labels, 2)
    settings = SimulationSettings(**SIZE, variables="mixed", strength=strength, seed=seed)
    network_of_tables = as_tables(
        draw_structural_network(dict(network.parents), network.order, levels, settings, generator)
    )
    return World(network_of_tables, drawn.truth.labels, CategoryTruth(network_of_tables), **how)


def noisy(seed: int, **how: bool) -> World:
    """Categories that follow a noisy OR and AND of their causes: not as the regressions suppose."""
    drawn = engine.simulate(**SIZE, max_levels=3, smallest_boundary=3, largest_boundary=6, seed=seed)
    return World(drawn.network, drawn.truth.labels, CategoryTruth(drawn.network), **how)


def lines(seed: int, strength: float = 0.6, **how: bool) -> World:
    """Numbers that follow straight lines, labels among them."""
    drawn = engine.simulate(
        **SIZE, variables="numbers", numeric_labels=True, graph="random", strength=strength, seed=seed
    )
    return World(drawn.network, drawn.truth.labels, LinearTruth(drawn.network), **how)


def products(seed: int, **how: bool) -> World:
    """Numbers of which two act only together, which no regression here supposes."""
    drawn = engine.simulate(
        **SIZE,
        variables="numbers",
        numeric_labels=True,
        graph="random",
        strength=0.6,
        relations="interactions",
        seed=seed,
    )
    return World(drawn.network, drawn.truth.labels, DrawnTruth(drawn.network), **how)
