"""A network of structural equations: a directed acyclic graph of numbers and categories, drawn at random.

Terms are standardised and signals brought to variance 1 on a reference sample, which belongs to the network
and not to the rows: the same seed gives the same equations for any number of rows. Signals of one variance
mean that `strength` is the same share of every variable, wherever it stands in the causal order (as in the
internally standardised models of Ormaniec et al. 2025), so that the order cannot be read from variances.

How the value of one variable comes about from its causes: terms, link, and noise.

A number is ``strength · signal + √(1 - strength²) · noise`` with ``signal = Σ weight · term``: where the
signal has variance 1, `strength` is the multiple correlation of the number with what its causes make of it.
A category is drawn by a multinomial logit: the log odds of its level k against its first level are
``intercept_k + steepness · Σ weight_k · term``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

import numpy as np

from engine.errors import InvalidData
from engine.progress import Progress
from engine.simulation.graph import DirectedGraph, until_stopped
from engine.simulation.simulation_settings import SimulationSettings
from engine.table.variable import code_dtype
from engine.translation import _

# Squares and products see no values beyond so many standard deviations: heavy tails would drown all else.
_ENDS = 3.0


class InfluenceShape(StrEnum):
    """A shape of a number's influence, as a function of the standardised number."""

    LINE = "line"
    CLIPPED_LINE = "clipped line"
    PARABOLA = "parabola"
    SINE = "sine"
    SATURATION = "saturation"
    THRESHOLD = "threshold"

    def of(self, values: np.ndarray) -> np.ndarray:
        """Follow the curve at each value."""
        return _CURVES[self](values)


SMOOTH_CURVES = (
    InfluenceShape.PARABOLA,
    InfluenceShape.SINE,
    InfluenceShape.SATURATION,
    InfluenceShape.THRESHOLD,
)


def _line(values: np.ndarray) -> np.ndarray:
    return values


def _clipped_line(values: np.ndarray) -> np.ndarray:
    clipped: np.ndarray = np.clip(values, -_ENDS, _ENDS)
    return clipped


def _parabola(values: np.ndarray) -> np.ndarray:
    """Return a parabola whose lowest point lies half a deviation below the mean: both sides are seen."""
    inside = _clipped_line(values)
    return inside * (inside + 1.0)


def _sine(values: np.ndarray) -> np.ndarray:
    return np.sin(1.5 * values)


def _saturation(values: np.ndarray) -> np.ndarray:
    return np.tanh(2.0 * values)


def _threshold(values: np.ndarray) -> np.ndarray:
    """Step up smoothly, half a standard deviation above the mean."""
    return 0.5 * (1.0 + np.tanh(3.0 * (values - 0.5)))


_CURVES: Mapping[InfluenceShape, Callable[[np.ndarray], np.ndarray]] = MappingProxyType(
    {
        InfluenceShape.LINE: _line,
        InfluenceShape.CLIPPED_LINE: _clipped_line,
        InfluenceShape.PARABOLA: _parabola,
        InfluenceShape.SINE: _sine,
        InfluenceShape.SATURATION: _saturation,
        InfluenceShape.THRESHOLD: _threshold,
    }
)


class Influence(Protocol):
    """What an effect sees of one cause."""

    @property
    def cause(self) -> str:
        """Name of the cause."""

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Turn the column of the cause into scores, float64 of shape (rows,)."""


@dataclass(frozen=True, slots=True)
class NumberCurve:
    """What an effect sees of a number: a curve, of the number or of its mirror image."""

    cause: str
    curve: InfluenceShape = InfluenceShape.LINE
    sign: int = 1
    centre: float = 0.0

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Follow the curve."""
        return self.curve.of(self.sign * column) - self.centre


@dataclass(frozen=True, slots=True)
class LevelScores:
    """What an effect sees of a category: one score for each level."""

    cause: str
    by_level: tuple[float, ...]

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Look up the score of each row's level."""
        values_of_level: np.ndarray = np.array(self.by_level)[column]
        return values_of_level


@dataclass(frozen=True, slots=True)
class InfluenceTerm:
    """The influence of one cause, or the product of several: these act only together."""

    influences: tuple[Influence, ...]
    centre: float = 0.0
    scale: float = 1.0

    @property
    def causes(self) -> tuple[str, ...]:
        """Names of the causes."""
        return tuple(influence.cause for influence in self.influences)

    def values(self, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Evaluate the term in every row, float64 of shape (rows,)."""
        product = np.ones(())
        for influence in self.influences:
            product = product * influence.scores(columns[influence.cause])
        return (product - self.centre) / self.scale


_DEGREES_OF_FREEDOM = 3.0
_LOG_DEVIATION = 0.7


class Noise(StrEnum):
    """A distribution, each with mean 0 and variance 1."""

    GAUSSIAN = "gaussian"
    STUDENT = "student"
    EXPONENTIAL = "exponential"
    LOGNORMAL = "lognormal"

    def draw(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """Draw values, float64 of shape (rows,)."""
        return _DRAWS[self](rows, generator)


HEAVY_TAILED = (Noise.STUDENT, Noise.EXPONENTIAL, Noise.LOGNORMAL)


def _gaussian(rows: int, generator: np.random.Generator) -> np.ndarray:
    return generator.standard_normal(rows)


def _student(rows: int, generator: np.random.Generator) -> np.ndarray:
    """Student's t with three degrees of freedom: its fourth moment is infinite."""
    variance = _DEGREES_OF_FREEDOM / (_DEGREES_OF_FREEDOM - 2)
    return generator.standard_t(_DEGREES_OF_FREEDOM, rows) / math.sqrt(variance)


def _exponential(rows: int, generator: np.random.Generator) -> np.ndarray:
    return generator.standard_exponential(rows) - 1.0


def _lognormal(rows: int, generator: np.random.Generator) -> np.ndarray:
    squared = _LOG_DEVIATION**2
    mean = math.exp(squared / 2)
    deviation = math.sqrt((math.exp(squared) - 1) * math.exp(squared))
    return (generator.lognormal(0.0, _LOG_DEVIATION, rows) - mean) / deviation


_DRAWS: Mapping[Noise, Callable[[int, np.random.Generator], np.ndarray]] = MappingProxyType(
    {
        Noise.GAUSSIAN: _gaussian,
        Noise.STUDENT: _student,
        Noise.EXPONENTIAL: _exponential,
        Noise.LOGNORMAL: _lognormal,
    }
)


_LOGISTIC_DEVIATION = math.pi / math.sqrt(3)


class Equation(Protocol):
    """How one variable follows from its causes."""

    @property
    def terms(self) -> tuple[InfluenceTerm, ...]:
        """The terms of the signal; none where nothing causes the variable."""

    @property
    def level_count(self) -> int:
        """Number of levels of a category; 0 for a number."""

    def draw(
        self, columns: Mapping[str, np.ndarray], rows: int, generator: np.random.Generator
    ) -> np.ndarray:
        """Draw the variable in every row, given the columns of its causes."""


def causes_of(equation: Equation) -> tuple[str, ...]:
    """Return the causes of a variable, each once, in the order in which they enter."""
    return tuple(dict.fromkeys(cause for term in equation.terms for cause in term.causes))


@dataclass(frozen=True, slots=True)
class NumberEquation:
    """A number: a weighted sum of terms, and noise."""

    terms: tuple[InfluenceTerm, ...] = ()
    weights: tuple[float, ...] = ()
    strength: float = 0.0
    noise: Noise = Noise.GAUSSIAN

    @property
    def level_count(self) -> int:
        """0: a number has no levels."""
        return 0

    def signal(self, columns: Mapping[str, np.ndarray], rows: int) -> np.ndarray:
        """Add up the terms, float64 of shape (rows,)."""
        return _weighted_sum(self.terms, self.weights, columns, rows)

    def draw(
        self, columns: Mapping[str, np.ndarray], rows: int, generator: np.random.Generator
    ) -> np.ndarray:
        """Draw the number in every row, float64 of shape (rows,)."""
        noise = math.sqrt(1.0 - self.strength**2) * self.noise.draw(rows, generator)
        values: np.ndarray = noise + self.strength * self.signal(columns, rows)
        return values


@dataclass(frozen=True, slots=True)
class CategoryEquation:
    """A category: a multinomial logit.

    With two levels, `strength` is the multiple correlation of causes and the number behind the category,
    which is whether ``strength · signal + √(1 - strength²) · noise`` exceeds a bound, with logistic noise.
    """

    terms: tuple[InfluenceTerm, ...]  # how its causes enter
    weights: tuple[tuple[float, ...], ...]  # of terms in the log odds of every level but the first
    intercepts: tuple[float, ...]  # log odds of every level but the first where all terms are 0
    strength: float = 0.0  # at least 0 and below 1

    @property
    def level_count(self) -> int:
        """Number of levels, at least 2."""
        return len(self.intercepts) + 1

    @property
    def steepness(self) -> float:
        """Log odds that one unit of signal is worth."""
        return self.strength / math.sqrt(1.0 - self.strength**2) * _LOGISTIC_DEVIATION

    def probabilities(self, columns: Mapping[str, np.ndarray], rows: int) -> np.ndarray:
        """Return the probability of each level in every row, float64 of shape (rows, levels)."""
        log_odds = np.zeros((rows, self.level_count))
        for level in range(1, self.level_count):
            signal = _weighted_sum(self.terms, self.weights[level - 1], columns, rows)
            log_odds[:, level] = self.intercepts[level - 1] + self.steepness * signal
        shares = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
        probabilities: np.ndarray = shares / shares.sum(axis=1, keepdims=True)
        return probabilities

    def draw(
        self, columns: Mapping[str, np.ndarray], rows: int, generator: np.random.Generator
    ) -> np.ndarray:
        """Draw the level in every row: codes, int8 (or wider) of shape (rows,)."""
        bounds = np.cumsum(self.probabilities(columns, rows)[:, :-1], axis=1)
        exceeded = generator.random(rows)[:, None] >= bounds
        codes: np.ndarray = exceeded.sum(axis=1).astype(code_dtype(self.level_count))
        return codes


def _weighted_sum(
    terms: tuple[InfluenceTerm, ...], weights: tuple[float, ...], columns: Mapping[str, np.ndarray], rows: int
) -> np.ndarray:
    total = np.zeros(rows)
    for term, weight in zip(terms, weights, strict=True):
        total += weight * term.values(columns)
    return total


@dataclass(frozen=True, eq=False)
class StructuralNetwork(DirectedGraph):
    """Nodes and the equations by which they follow from their causes.

    >>> from engine.simulation.structural_network import NumberCurve, NumberEquation, InfluenceTerm
    >>> network = StructuralNetwork(
    ...     {
    ...         "dose": NumberEquation(),
    ...         "response": NumberEquation((InfluenceTerm((NumberCurve("dose"),)),), (1.0,), strength=0.8),
    ...     }
    ... )
    >>> network.edges, sorted(network.sample(3, np.random.default_rng(0)))
    ((('dose', 'response'),), ['dose', 'response'])
    """

    nodes: tuple[str, ...]
    parents: Mapping[str, tuple[str, ...]]
    equations: Mapping[str, Equation]

    def __init__(self, equations: Mapping[str, Equation]) -> None:
        causes = {name: causes_of(equation) for name, equation in equations.items()}
        for name, of_name in causes.items():
            for cause in of_name:
                if cause not in equations:
                    raise InvalidData(
                        _("its cause {cause!r} has no equation.", cause=cause),
                        place=_("node '{name}'", name=name),
                    )
        object.__setattr__(self, "nodes", tuple(equations))
        object.__setattr__(self, "parents", causes)
        object.__setattr__(self, "equations", dict(equations))
        self.order  # noqa: B018 (raises when there is a cycle)

    @cached_property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """Names of the levels of every node: "0", "1", …; none for a number."""
        return {
            name: tuple(map(str, range(equation.level_count))) for name, equation in self.equations.items()
        }

    def _drawn(self, rows: int, generator: np.random.Generator, progress: Progress) -> dict[str, np.ndarray]:
        drawn: dict[str, np.ndarray] = {}
        for name in until_stopped(self.order, progress):
            drawn[name] = self.equations[name].draw(drawn, rows, generator)
        return {name: drawn[name] for name in self.nodes}

    def __repr__(self) -> str:
        return f"<StructuralNetwork: {len(self.nodes)} nodes, {len(self.edges)} edges>"


_REFERENCE_ROWS = 8192
_STRENGTH_SPREAD = 0.1
_LARGEST_STRENGTH = 0.98
# No arrow is minute beside the others that lead to the same effect.
_WEIGHTS = (0.6, 1.0)
_EVEN_SHARE = 0.6


def draw_structural_network(
    parents: Mapping[str, Sequence[str]],
    order: Iterable[str],
    level_counts: Mapping[str, int],
    settings: SimulationSettings,
    generator: np.random.Generator,
) -> StructuralNetwork:
    """Draw an equation for every variable of a graph; the keys of `parents` are in the order of columns."""
    drawing = _Drawing(settings, level_counts, generator)
    for name in order:
        drawing.add(name, tuple(parents[name]))
    return StructuralNetwork({name: drawing.equations[name] for name in parents})


class _Drawing:
    """Equations drawn so far, and the reference sample that they give."""

    def __init__(
        self,
        settings: SimulationSettings,
        level_counts: Mapping[str, int],
        generator: np.random.Generator,
    ) -> None:
        self.equations: dict[str, Equation] = {}
        self._settings = settings
        self._level_counts = level_counts
        self._generator = generator
        self._columns: dict[str, np.ndarray] = {}
        self._polarity: dict[str, int] = {}

    def add(self, name: str, causes: tuple[str, ...]) -> None:
        """Draw the equation of a variable whose causes are drawn."""
        self._polarity[name] = self._sign()
        terms = self._terms(name, causes)
        levels = self._level_counts.get(name, 0)
        self.equations[name] = self._category(terms, levels) if levels else self._number(terms)
        self._columns[name] = self.equations[name].draw(self._columns, _REFERENCE_ROWS, self._generator)

    def _number(self, terms: tuple[InfluenceTerm, ...]) -> NumberEquation:
        noise = Noise.GAUSSIAN
        if self._settings.noise == "heavy-tailed":
            noise = HEAVY_TAILED[self._generator.integers(len(HEAVY_TAILED))]
        weights = self._weights(terms, self._generator.uniform(*_WEIGHTS, len(terms)))
        return NumberEquation(terms, weights, self._strength(terms), noise)

    def _category(self, terms: tuple[InfluenceTerm, ...], levels: int) -> CategoryEquation:
        shares = _EVEN_SHARE / levels + (1 - _EVEN_SHARE) * self._generator.dirichlet(np.full(levels, 3.0))
        sizes = self._generator.uniform(*_WEIGHTS, (levels - 1, len(terms)))
        # The second level follows the signs of the causes; further levels have no order and go their own way.
        sizes[1:] *= self._generator.choice((-1.0, 1.0), sizes[1:].shape)
        weights = tuple(self._weights(terms, size) for size in sizes)
        intercepts = tuple(map(float, np.log(shares[1:] / shares[0])))
        return CategoryEquation(terms, weights, intercepts, self._strength(terms))

    def _terms(self, name: str, causes: tuple[str, ...]) -> tuple[InfluenceTerm, ...]:
        """Draw how causes enter: each alone or, where there are interactions, two of them only together."""
        has_product = self._settings.relations == "interactions" and len(causes) > 1
        together = causes[:2] if has_product else ()
        product = tuple(self._influence(name, cause, InfluenceShape.CLIPPED_LINE) for cause in together)
        alone = [(self._influence(name, cause, self._curve()),) for cause in causes[len(together) :]]
        groups: list[tuple[Influence, ...]] = [product, *alone] if has_product else list(alone)
        return tuple(self._standardised(group) for group in groups)

    def _influence(self, name: str, cause: str, curve: InfluenceShape) -> Influence:
        """Draw what an effect sees of a cause: scores of mean 0, so that no part of a product acts alone."""
        levels = self._level_counts.get(cause, 0)
        column = self._columns[cause]
        sign = self._polarity[name] * self._polarity[cause] if self._settings.aligned else self._sign()
        if levels == 0:
            return NumberCurve(cause, curve, sign, float(curve.of(sign * column).mean()))
        scores = sign * np.arange(levels) if levels == 2 else self._generator.permutation(levels)
        standardised = (scores - scores[column].mean()) / _deviation(scores[column])
        return LevelScores(cause, tuple(map(float, standardised)))

    def _curve(self) -> InfluenceShape:
        if self._settings.relations != "smooth":
            return InfluenceShape.LINE
        return SMOOTH_CURVES[self._generator.integers(len(SMOOTH_CURVES))]

    def _standardised(self, influences: tuple[Influence, ...]) -> InfluenceTerm:
        seen = InfluenceTerm(influences).values(self._columns)
        return InfluenceTerm(influences, float(seen.mean()), _deviation(seen))

    def _weights(self, terms: tuple[InfluenceTerm, ...], sizes: np.ndarray) -> tuple[float, ...]:
        """Scale the weights of terms so that their sum has variance 1 in the reference sample."""
        if not terms:
            return ()
        signal = sum(weight * term.values(self._columns) for weight, term in zip(sizes, terms, strict=True))
        return tuple(map(float, sizes / _deviation(np.asarray(signal))))

    def _strength(self, terms: tuple[InfluenceTerm, ...]) -> float:
        if not terms:
            return 0.0
        middle = self._settings.strength
        drawn = self._generator.uniform(middle - _STRENGTH_SPREAD, middle + _STRENGTH_SPREAD)
        return float(np.clip(drawn, 0.0, _LARGEST_STRENGTH))

    def _sign(self) -> int:
        return int(self._generator.choice((-1, 1)))


def _deviation(values: np.ndarray) -> float:
    """Return the standard deviation; 1 where nothing varies, so that it can be divided by."""
    return float(values.std()) or 1.0
