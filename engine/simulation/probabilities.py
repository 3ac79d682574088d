"""Turns a sketch into conditional tables whose arrows show: monotone effects, shared classes, margins.

A variable with causes has two extreme distributions; its own is the mixture ``(1 - u) low + u high``.
With scores s in 0 … 1 of the causes' levels and powers q, either any cause suffices,
``u = 1 - Π(1 - q s)``, or all are needed, ``u = Π(1 - q (1 - s))``: the noisy-OR of Pearl (1988) and its
mirror image. Every cause moves the effect in the same direction in every context, so there is no
exclusive-or. All entries are positive except where a class is handed on.

Faithfulness says that every arrow leaves a dependence; a finite sample shows it only when it is not
minute. Simulations therefore ask for a margin, in the spirit of strong faithfulness (Zhang and Spirtes
2003). Here it is measured within one family, with its causes taken as independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.simulation.graph import Facet, Sketch, until_stopped
from engine.simulation.population import mutual_information
from engine.simulation.simulation_settings import SimulationSettings


def family_margin(
    table: np.ndarray, causes: Sequence[np.ndarray], classes: Sequence[np.ndarray | None]
) -> float:
    """Return the weakest of the dependences that a search has to see in a family.

    These are: effect and cause, alone and given all other causes; two causes given the effect; and,
    for a cause that acts through more than the class it shares with others, effect and cause given
    that class. `causes` are distributions; `classes` has the class of each level for a cause of that kind.

    >>> even = np.array([0.5, 0.5])
    >>> round(family_margin(np.array([[1.0, 0.0], [0.0, 1.0]]), [even], [None]), 4)
    0.6931
    """
    joint = table
    for axis, distribution in enumerate(causes):
        shape = [1] * table.ndim
        shape[axis] = len(distribution)
        joint = joint * distribution.reshape(shape)
    effect = table.ndim - 1
    found = [
        mutual_information(joint, first, second, (effect,))
        for first, second in combinations(range(effect), 2)
    ]
    for axis in range(effect):
        others = [other for other in range(effect) if other != axis]
        found.append(mutual_information(joint, axis, effect))
        found.append(mutual_information(joint, axis, effect, others))
        within = classes[axis]
        if within is not None:
            found.append(_information_beyond(joint, axis, effect, within))
    return min(found)


def _information_beyond(joint: np.ndarray, axis: int, effect: int, classes: np.ndarray) -> float:
    """Information of a cause about the effect that its class does not give."""
    others = tuple(other for other in range(joint.ndim) if other not in (axis, effect))
    pair = joint.sum(axis=others)
    by_class = np.zeros((int(classes.max()) + 1, pair.shape[1]))
    np.add.at(by_class, classes, pair)
    return mutual_information(pair, 0, 1) - mutual_information(by_class, 0, 1)


_LEVEL_SHARES = (0.5, 0.3, 0.2)
_THREE_CLASSES = 0.15
_EVEN_SHARE = 0.4
_STRENGTH_SPREAD = 0.1
_CLARITY = 0.93
_SHARE_OF_EFFECT = (0.2, 0.5)
_TILT = 0.3
_ATTEMPTS = 40


@dataclass(frozen=True, slots=True)
class LevelPlan:
    """Levels of one variable: how many, and the class that each belongs to."""

    classes: np.ndarray  # all 0 … levels - 1 when each level is its own class
    within: np.ndarray  # probability of each level given its class

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
            shares = np.array([_LEVEL_SHARES[min(position, 2)] for position in range(len(choices))])
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


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """Conditional table of one variable."""

    causes: tuple[int, ...]  # in the order of the axes
    table: np.ndarray  # (levels of each cause …, levels)


def draw_tables(sketch: Sketch, plans: list[LevelPlan], generator: np.random.Generator) -> list[DrawnTable]:
    """Draw the conditional table of every variable.

    Families around a label are drawn anew until their margin is kept (see
    :func:`engine.simulation.probabilities.family_margin`); after many attempts the best draw stands.
    """
    drawn: dict[int, DrawnTable] = {}
    shares: dict[int, np.ndarray] = {}
    for variable in until_stopped(sketch.order(), sketch.progress):
        table = _draw_table(sketch, plans, shares, variable, generator)
        drawn[variable] = table
        share = table.table
        for cause in table.causes:
            share = np.tensordot(shares[cause], share, axes=(0, 0))
        shares[variable] = share
    return [drawn[variable] for variable in range(len(plans))]


def _draw_table(
    sketch: Sketch,
    plans: list[LevelPlan],
    shares: dict[int, np.ndarray],
    variable: int,
    generator: np.random.Generator,
) -> DrawnTable:
    plan = plans[variable]
    if variable in sketch.model:
        model = sketch.model[variable]
        same_class = (plans[model].classes[:, None] == plan.classes[None, :]).astype(np.float64)
        return DrawnTable((model,), same_class * plan.within)
    causes = tuple(sorted(sketch.causes[variable]))
    if not causes:
        return DrawnTable((), plan.expand(_root_distribution(plan.class_count, generator)))
    facets = [sketch.causes[variable][cause] for cause in causes]
    margin = sketch.settings.margin if sketch.labels_of_family(variable) else 0.0
    cause_plans, cause_shares = [plans[cause] for cause in causes], [shares[cause] for cause in causes]
    classes = [
        each.classes if facet is not Facet.CLASS and cause in sketch.group_of else None
        for cause, each, facet in zip(causes, cause_plans, facets, strict=True)
    ]
    best, best_margin = np.empty(0), -1.0
    for _ in range(_ATTEMPTS):
        table = _mixture(sketch.settings, plan, cause_plans, facets, cause_shares, generator)
        if margin == 0.0:
            return DrawnTable(causes, table)
        reached = family_margin(table, cause_shares, classes)
        if reached > best_margin:
            best, best_margin = table, reached
        if reached >= margin:
            break
    return DrawnTable(causes, best)


def _root_distribution(count: int, generator: np.random.Generator) -> np.ndarray:
    """Draw a distribution in which higher levels are rarer."""
    shares: np.ndarray = _EVEN_SHARE / count + (1 - _EVEN_SHARE) * generator.dirichlet(np.full(count, 3.0))
    return np.sort(shares)[::-1]


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
    settings: SimulationSettings,
    plan: LevelPlan,
    causes: list[LevelPlan],
    facets: list[Facet],
    shares: list[np.ndarray],
    generator: np.random.Generator,
) -> np.ndarray:
    any_suffices, all_needed = np.ones(()), np.ones(())
    for cause, facet in zip(causes, facets, strict=True):
        power = min(settings.strength + generator.uniform(-_STRENGTH_SPREAD, _STRENGTH_SPREAD), 1.0)
        scores = _scores(cause, facet, settings.aligned, generator)
        any_suffices = any_suffices[..., None] * (1 - power * scores)
        all_needed = all_needed[..., None] * (1 - power * (1 - scores))
    position = _less_one_sided(1 - any_suffices, all_needed, shares, generator)[..., None]
    low, high = _extremes(plan.class_count, _CLARITY, generator)
    return plan.expand((1 - position) * low + position * high)


def _less_one_sided(
    first: np.ndarray, second: np.ndarray, shares: list[np.ndarray], generator: np.random.Generator
) -> np.ndarray:
    """Choose the form that brings the effect nearer to a share drawn for it."""
    aim = generator.uniform(*_SHARE_OF_EFFECT)
    return min(first, second, key=lambda position: abs(_mean(position, shares) - aim))


def _mean(position: np.ndarray, shares: list[np.ndarray]) -> float:
    for share in shares:
        position = np.tensordot(share, position, axes=(0, 0))
    return float(position)


def _extremes(count: int, strength: float, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw two distributions whose total variation distance is `strength`.

    Their ratio rises strictly from level to level, so that no two levels say the same.
    """
    tilt = generator.uniform(-_TILT, _TILT)
    lowest, highest = 0.0, 60.0
    # So few numbers are quicker one by one than as arrays.
    for _ in range(60):
        middle = (lowest + highest) / 2
        low = _softmax([tilt * level - middle * level for level in range(count)])
        high = _softmax([tilt * level + middle * level for level in range(count)])
        if sum(abs(one - other) for one, other in zip(low, high, strict=True)) / 2 < strength:
            lowest = middle
        else:
            highest = middle
    return np.array(low), np.array(high)


def _softmax(values: Sequence[float]) -> list[float]:
    largest = max(values)
    powers = [math.exp(value - largest) for value in values]
    total = sum(powers)
    return [power / total for power in powers]
