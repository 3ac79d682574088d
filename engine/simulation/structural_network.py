"""A network of structural equations: a directed acyclic graph of numbers and categories, drawn at random.

Terms are standardised and signals brought to variance 1 on a reference sample, which belongs to the network
and not to the rows: the same seed gives the same equations for any number of rows. Signals of one variance
mean that `strength` is the same share of every variable, wherever it stands in the causal order (as in the
internally standardised models of Ormaniec et al. 2025), so that the order cannot be read from variances.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InvalidData
from engine.progress import Progress
from engine.simulation.equations import (
    HEAVY_TAILED,
    SMOOTH_CURVES,
    CategoryEquation,
    Curve,
    Equation,
    Influence,
    LevelScores,
    Noise,
    NumberCurve,
    NumberEquation,
    Term,
    causes_of,
)
from engine.simulation.graph import DirectedGraph, until_stopped
from engine.simulation.settings import SimulationSettings


@dataclass(frozen=True, eq=False)
class StructuralNetwork(DirectedGraph):
    """Nodes and the equations by which they follow from their causes.

    Examples
    --------
    >>> from engine.simulation.equations import NumberCurve, NumberEquation, Term
    >>> network = StructuralNetwork(
    ...     {
    ...         "dose": NumberEquation(),
    ...         "response": NumberEquation((Term((NumberCurve("dose"),)),), (1.0,), strength=0.8),
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
                    raise InvalidData(f"its cause {cause!r} has no equation.", place=f"node '{name}'")
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
    """Draw an equation for every variable of a graph.

    Parameters
    ----------
    parents : mapping of str to sequence of str
        Causes of every variable; its keys are in the order of the columns.
    """
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

    def _number(self, terms: tuple[Term, ...]) -> NumberEquation:
        noise = Noise.GAUSSIAN
        if self._settings.noise == "heavy-tailed":
            noise = HEAVY_TAILED[self._generator.integers(len(HEAVY_TAILED))]
        weights = self._weights(terms, self._generator.uniform(*_WEIGHTS, len(terms)))
        return NumberEquation(terms, weights, self._strength(terms), noise)

    def _category(self, terms: tuple[Term, ...], levels: int) -> CategoryEquation:
        shares = _EVEN_SHARE / levels + (1 - _EVEN_SHARE) * self._generator.dirichlet(np.full(levels, 3.0))
        sizes = self._generator.uniform(*_WEIGHTS, (levels - 1, len(terms)))
        # The second level follows the signs of the causes; further levels have no order and go their own way.
        sizes[1:] *= self._generator.choice((-1.0, 1.0), sizes[1:].shape)
        weights = tuple(self._weights(terms, each) for each in sizes)
        intercepts = tuple(map(float, np.log(shares[1:] / shares[0])))
        return CategoryEquation(terms, weights, intercepts, self._strength(terms))

    def _terms(self, name: str, causes: tuple[str, ...]) -> tuple[Term, ...]:
        """Draw how causes enter: each alone or, where there are interactions, two of them only together."""
        has_product = self._settings.relations == "interactions" and len(causes) > 1
        together = causes[:2] if has_product else ()
        product = tuple(self._influence(name, cause, Curve.CLIPPED_LINE) for cause in together)
        alone = [(self._influence(name, cause, self._curve()),) for cause in causes[len(together) :]]
        groups: list[tuple[Influence, ...]] = [product, *alone] if has_product else list(alone)
        return tuple(self._standardised(group) for group in groups)

    def _influence(self, name: str, cause: str, curve: Curve) -> Influence:
        """Draw what an effect sees of a cause: scores of mean 0, so that no part of a product acts alone."""
        levels = self._level_counts.get(cause, 0)
        column = self._columns[cause]
        sign = self._polarity[name] * self._polarity[cause] if self._settings.aligned else self._sign()
        if levels == 0:
            return NumberCurve(cause, curve, sign, float(curve.of(sign * column).mean()))
        scores = sign * np.arange(levels) if levels == 2 else self._generator.permutation(levels)
        standardised = (scores - scores[column].mean()) / _deviation(scores[column])
        return LevelScores(cause, tuple(map(float, standardised)))

    def _curve(self) -> Curve:
        if self._settings.relations != "smooth":
            return Curve.LINE
        return SMOOTH_CURVES[self._generator.integers(len(SMOOTH_CURVES))]

    def _standardised(self, influences: tuple[Influence, ...]) -> Term:
        seen = Term(influences).values(self._columns)
        return Term(influences, float(seen.mean()), _deviation(seen))

    def _weights(self, terms: tuple[Term, ...], sizes: np.ndarray) -> tuple[float, ...]:
        """Scale the weights of terms so that their sum has variance 1 in the reference sample."""
        if not terms:
            return ()
        signal = sum(weight * term.values(self._columns) for weight, term in zip(sizes, terms, strict=True))
        return tuple(map(float, sizes / _deviation(np.asarray(signal))))

    def _strength(self, terms: tuple[Term, ...]) -> float:
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
