"""What sizes are in truth, from the probabilities or the coefficients of a network, never from rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import product

import numpy as np

from engine.discovery.effects.estimates import Contrast, Measure
from engine.simulation import BayesianNetwork, StructuralNetwork, joint_distribution


def as_tables(network: StructuralNetwork) -> BayesianNetwork:
    """The same network of categories by its probability tables."""
    tables = {}
    for name in network.nodes:
        causes = network.parents[name]
        shape = tuple(len(network.levels[cause]) for cause in causes)
        grid = list(product(*map(range, shape)))
        columns = {cause: np.array([row[place] for row in grid]) for place, cause in enumerate(causes)}
        probabilities = network.equations[name].probabilities(columns, len(grid))
        tables[name] = probabilities.reshape(*shape, -1)
    return BayesianNetwork(network.nodes, network.parents, tables, network.levels)


class CategoryTruth:
    """The truth of a network of categories, by its joint distribution."""

    def __init__(self, network: BayesianNetwork) -> None:
        self._network = network
        self._joint = joint_distribution(network)

    def standardised(self, contrast: Contrast, feature: str, label: str, held: Sequence[str]) -> float:
        """The association with some variables held as they are; with none held the plain one."""
        rates = self._rates(self._joint, feature, label, tuple(held))
        return self._compared(rates, contrast, feature, label)

    def intervened(self, contrast: Contrast, feature: str, label: str) -> float:
        """The effect of setting a feature, whatever its causes say."""
        rates = self._rates(self._where_set(feature), feature, label, ())
        return self._compared(rates, contrast, feature, label)

    def is_cause(self, feature: str, label: str) -> bool:
        """Whether the label comes after the feature."""
        return comes_after(self._network, feature, label)

    def parents(self, feature: str) -> tuple[str, ...]:
        """Causes of the feature."""
        return self._network.parents[feature]

    def _where_set(self, feature: str) -> np.ndarray:
        return joint_distribution(where_set(self._network, feature))

    def _rates(self, joint: np.ndarray, feature: str, label: str, held: tuple[str, ...]) -> np.ndarray:
        """Rates of the label's levels by level of the feature, averaged over what is held."""
        place = {name: number for number, name in enumerate(self._network.nodes)}
        wanted = [place[name] for name in (feature, label, *held)]
        others = tuple(axis for axis in range(joint.ndim) if axis not in wanted)
        axes = sorted(wanted)
        table = joint.sum(axis=others).transpose([axes.index(name) for name in wanted])
        table = table.reshape(*table.shape[:2], -1)
        by_held = table.sum(axis=(0, 1))
        of_feature = table.sum(axis=1, keepdims=True)
        rates = np.divide(table, of_feature, out=np.full_like(table, np.nan), where=of_feature > 0)
        # What never occurs together needs no rate where nobody is like that.
        return np.where(by_held > 0, rates, 0.0) @ by_held

    def _compared(self, rates: np.ndarray, contrast: Contrast, feature: str, label: str) -> float:
        levels = self._network.levels
        column = rates[:, levels[label].index(str(contrast.label_level))]
        rate, reference_rate = (
            column[levels[feature].index(str(level))] for level in (contrast.at, contrast.reference)
        )
        return compared(contrast.measure, rate, reference_rate)


def comes_after(network: BayesianNetwork | StructuralNetwork, cause: str, effect: str) -> bool:
    """Whether a chain of arrows leads from one node to another."""
    waiting, seen = [cause], set()
    while waiting:
        for child in network.children[waiting.pop()]:
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    return effect in seen


def compared(measure: Measure, rate: float, reference_rate: float) -> float:
    """Compare two rates; not a number where one that divides is 0."""
    if measure is Measure.RATE_DIFFERENCE:
        return rate - reference_rate
    if measure is Measure.RATE_RATIO:
        return rate / reference_rate if reference_rate else math.nan
    return (
        rate / (1.0 - rate) / (reference_rate / (1.0 - reference_rate))
        if rate < 1.0 and 0.0 < reference_rate < 1.0
        else math.nan
    )


class SampledTruth:
    """The truth of a large network of categories about interventions: rows are drawn with a variable set."""

    ROWS = 200_000

    def __init__(self, network: BayesianNetwork) -> None:
        self._network = network
        self._drawn: dict[str, dict[str, np.ndarray]] = {}

    def standardised(self, contrast: Contrast, feature: str, label: str, held: Sequence[str]) -> float:
        """Nothing that is known exactly."""
        return float("nan")

    def intervened(self, contrast: Contrast, feature: str, label: str) -> float:
        """The effect of setting a feature, whatever its causes say; none where the label is not after it."""
        if not self.is_cause(feature, label):
            return contrast.measure.without_link
        if feature not in self._drawn:
            drawn = where_set(self._network, feature).sample(self.ROWS, np.random.default_rng(0))
            self._drawn[feature] = drawn
        columns, levels = self._drawn[feature], self._network.levels
        is_level = columns[label] == levels[label].index(str(contrast.label_level))
        rate, reference_rate = (
            float(is_level[columns[feature] == levels[feature].index(str(level))].mean())
            for level in (contrast.at, contrast.reference)
        )
        return compared(contrast.measure, rate, reference_rate)

    def is_cause(self, feature: str, label: str) -> bool:
        """Whether the label comes after the feature."""
        return comes_after(self._network, feature, label)

    def parents(self, feature: str) -> tuple[str, ...]:
        """Causes of the feature."""
        return self._network.parents[feature]


def where_set(network: BayesianNetwork, feature: str) -> BayesianNetwork:
    """The same network where somebody sets a variable, to each level equally often."""
    count = network.level_count(feature)
    parents = {**network.parents, feature: ()}
    tables = {**network.tables, feature: np.full(count, 1.0 / count)}
    return BayesianNetwork(network.nodes, parents, tables, network.levels)


class LinearTruth:
    """The truth of a network of numbers that follow straight lines, by its coefficients."""

    def __init__(self, network: StructuralNetwork) -> None:
        self._network = network
        self._place = {name: number for number, name in enumerate(network.nodes)}

    @cached_property
    def _coefficients(self) -> np.ndarray:
        count = len(self._place)
        coefficients = np.zeros((count, count))
        for name, equation in self._network.equations.items():
            for term, weight in zip(equation.terms, equation.weights, strict=True):
                (influence,) = term.influences
                coefficients[self._place[name], self._place[influence.cause]] = (
                    equation.strength * weight * influence.sign / term.scale
                )
        return coefficients

    @cached_property
    def _totals(self) -> np.ndarray:
        return np.linalg.inv(np.eye(len(self._place)) - self._coefficients)

    @cached_property
    def _covariance(self) -> np.ndarray:
        noise = [1.0 - self._network.equations[name].strength ** 2 for name in self._place]
        return self._totals @ np.diag(noise) @ self._totals.T

    def standardised(self, contrast: Contrast, feature: str, label: str, held: Sequence[str]) -> float:
        """The slope of the feature beside what is held, over the distance that is compared."""
        columns = [self._place[name] for name in (feature, *held)]
        within = self._covariance[np.ix_(columns, columns)]
        slopes = np.linalg.solve(within, self._covariance[columns, self._place[label]])
        return float(slopes[0]) * (float(contrast.at) - float(contrast.reference))

    def intervened(self, contrast: Contrast, feature: str, label: str) -> float:
        """The total effect over the distance that is compared."""
        total = self._totals[self._place[label], self._place[feature]]
        return float(total) * (float(contrast.at) - float(contrast.reference))

    def is_cause(self, feature: str, label: str) -> bool:
        """Whether the label comes after the feature."""
        return comes_after(self._network, feature, label)

    def parents(self, feature: str) -> tuple[str, ...]:
        """Causes of the feature."""
        return self._network.parents[feature]


class DrawnTruth:
    """The truth of any network of numbers about interventions: rows are drawn with a number set by hand."""

    ROWS = 100_000

    def __init__(self, network: StructuralNetwork) -> None:
        self._network = network

    def standardised(self, contrast: Contrast, feature: str, label: str, held: Sequence[str]) -> float:
        """Nothing that is known exactly."""
        return float("nan")

    def intervened(self, contrast: Contrast, feature: str, label: str) -> float:
        """The difference of means where the feature is set to either value, from the same random numbers."""
        if contrast.measure is Measure.SLOPE:
            return float("nan")
        means = [
            self._mean_where(feature, float(value), label) for value in (contrast.at, contrast.reference)
        ]
        return means[0] - means[1]

    def _mean_where(self, feature: str, value: float, label: str) -> float:
        generator = np.random.default_rng(0)
        columns: dict[str, np.ndarray] = {}
        for name in self._network.order:
            drawn = self._network.equations[name].draw(columns, self.ROWS, generator)
            columns[name] = np.full(self.ROWS, value) if name == feature else drawn
        return float(columns[label].mean())

    def is_cause(self, feature: str, label: str) -> bool:
        """Whether the label comes after the feature."""
        return comes_after(self._network, feature, label)

    def parents(self, feature: str) -> tuple[str, ...]:
        """Causes of the feature."""
        return self._network.parents[feature]
