"""Turns a sketch into conditional tables: additive, monotone effects and shared classes.

A variable with causes has two extreme distributions, one for all causes at their lowest and one for all
at their highest. With scores s in 0 … 1 of the causes' levels and weights w that sum to 1, its
distribution is the mixture ``(1 - u) low + u high`` with ``u = Σ w s``. Every cause therefore has an
effect of its own in every context (no exclusive-or), and every two causes of one effect are dependent
given that effect. All entries are positive except where a class is handed on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.simulation.sketch import Facet, Sketch

_LEVEL_SHARES = (0.5, 0.3, 0.2)
_THREE_CLASSES = 0.15
_EVEN_WEIGHT = 0.75
_STRENGTH_SPREAD = 0.05
_STRONGEST = 0.98
_TILT = 0.3


@dataclass(frozen=True, slots=True)
class LevelPlan:
    """Levels of one variable: how many, and the class that each belongs to.

    Attributes
    ----------
    classes : ndarray of int64, shape (levels,)
        Class of each level; all 0 … levels - 1 when each level is its own class.
    within : ndarray of float64, shape (levels,)
        Probability of each level given its class.
    """

    classes: np.ndarray
    within: np.ndarray

    @property
    def level_count(self) -> int:
        """Number of levels."""
        return len(self.classes)

    @property
    def class_count(self) -> int:
        """Number of classes."""
        return int(self.classes.max()) + 1

    def expand(self, class_table: np.ndarray) -> np.ndarray:
        """Turn a table over classes (last axis) into one over levels."""
        expanded: np.ndarray = class_table[..., self.classes] * self.within
        return expanded

    def places(self) -> np.ndarray:
        """Place of each level within its class, shape (levels,)."""
        return np.array([int((self.classes[:level] == own).sum()) for level, own in enumerate(self.classes)])


def draw_level_plans(sketch: Sketch, generator: np.random.Generator) -> list[LevelPlan]:
    """Draw the levels of every variable."""
    settings = sketch.settings
    class_counts = [_class_count(sketch, number, generator) for number in range(len(sketch.groups))]
    plans = []
    for variable in range(settings.labels + settings.features):
        if sketch.is_label(variable):
            plans.append(_plain_plan(settings.label_levels))
        elif variable in sketch.group_of:
            classes = class_counts[sketch.group_of[variable]]
            plans.append(_class_plan(sketch, variable, classes, generator))
        else:
            choices = np.arange(2, settings.max_levels + 1)
            shares = np.array([_LEVEL_SHARES[min(place, 2)] for place in range(len(choices))])
            plans.append(_plain_plan(int(generator.choice(choices, p=shares / shares.sum()))))
    return plans


def _class_count(sketch: Sketch, number: int, generator: np.random.Generator) -> int:
    by_place = any(_acts_by_place(sketch, member) for member in sketch.groups[number])
    three = sketch.settings.max_levels >= 4 and not by_place and generator.random() < _THREE_CLASSES
    return 3 if three else 2


def _acts_by_place(sketch: Sketch, member: int) -> bool:
    return any(sketch.causes[effect][member] is Facet.PLACE for effect in sketch.effects[member])


def _plain_plan(levels: int) -> LevelPlan:
    return LevelPlan(np.arange(levels), np.ones(levels))


def _class_plan(sketch: Sketch, member: int, classes: int, generator: np.random.Generator) -> LevelPlan:
    if _acts_by_place(sketch, member):
        sizes = np.array([2, 2])
    else:
        levels = int(generator.integers(classes + 1, min(4, sketch.settings.max_levels) + 1))
        sizes = np.ones(classes, dtype=np.int64)
        for _ in range(levels - classes):
            sizes[generator.integers(classes)] += 1
    within = np.concatenate([0.6 / size + 0.4 * generator.dirichlet(np.full(size, 3.0)) for size in sizes])
    return LevelPlan(np.repeat(np.arange(classes), sizes), within)


def draw_tables(
    sketch: Sketch, plans: list[LevelPlan], generator: np.random.Generator
) -> list[tuple[list[int], np.ndarray]]:
    """Draw the conditional table of every variable.

    Returns
    -------
    list of (causes, table)
        One a variable; `table` has one axis a cause, in the given order, and the levels last.
    """
    drawn = []
    for variable, plan in enumerate(plans):
        causes = sorted(sketch.causes[variable])
        if variable in sketch.model:
            model = sketch.model[variable]
            same_class = (plans[model].classes[:, None] == plan.classes[None, :]).astype(np.float64)
            drawn.append(([model], same_class * plan.within))
        elif causes:
            weights = _weights(len(causes), generator)
            scores = [
                _scores(plans[cause], sketch.causes[variable][cause], sketch.settings.aligned, generator)
                for cause in causes
            ]
            drawn.append((causes, _mixture(sketch, plan, weights, scores, generator)))
        else:
            drawn.append(([], plan.expand(_root_distribution(plan.class_count, generator))))
    return drawn


def _root_distribution(count: int, generator: np.random.Generator) -> np.ndarray:
    shares: np.ndarray = 0.5 / count + 0.5 * generator.dirichlet(np.full(count, 3.0))
    return shares


def _weights(count: int, generator: np.random.Generator) -> np.ndarray:
    """Draw weights that sum to 1, none below three quarters of an even share."""
    weights: np.ndarray = _EVEN_WEIGHT / count + (1 - _EVEN_WEIGHT) * generator.dirichlet(np.full(count, 2.0))
    return weights


def _scores(plan: LevelPlan, facet: Facet, aligned: bool, generator: np.random.Generator) -> np.ndarray:
    """Draw a score for each level that depends on the facet alone, rising from 0 to 1."""
    if facet is Facet.CLASS:
        key = plan.classes
    elif facet is Facet.PLACE:
        key = plan.places()
    else:
        key = np.arange(plan.level_count)
    count = int(key.max()) + 1
    steps = 0.5 / (count - 1) + 0.5 * generator.dirichlet(np.full(count - 1, 3.0))
    scores = np.concatenate(([0.0], np.cumsum(steps)))
    scores /= scores[-1]
    if not aligned and generator.random() < 0.5:
        scores = scores[::-1]
    result: np.ndarray = scores[key]
    return result


def _mixture(
    sketch: Sketch,
    plan: LevelPlan,
    weights: np.ndarray,
    scores: list[np.ndarray],
    generator: np.random.Generator,
) -> np.ndarray:
    position = np.zeros(())
    for weight, score in zip(weights, scores, strict=True):
        position = position[..., None] + weight * score
    strength = sketch.settings.strength + generator.uniform(-_STRENGTH_SPREAD, _STRENGTH_SPREAD)
    low, high = _extremes(plan.class_count, min(strength, _STRONGEST), generator)
    return plan.expand((1 - position[..., None]) * low + position[..., None] * high)


def _extremes(count: int, strength: float, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw two distributions whose total variation distance is `strength`.

    Their ratio rises strictly from level to level, so that no two levels say the same.
    """
    tilt = generator.uniform(-_TILT, _TILT) * np.arange(count)
    lowest, highest = 0.0, 60.0
    for _ in range(60):
        middle = (lowest + highest) / 2
        low, high = _softmax(tilt - middle * np.arange(count)), _softmax(tilt + middle * np.arange(count))
        if np.abs(low - high).sum() / 2 < strength:
            lowest = middle
        else:
            highest = middle
    return low, high


def _softmax(values: np.ndarray) -> np.ndarray:
    powers = np.exp(values - values.max())
    shares: np.ndarray = powers / powers.sum()
    return shares
