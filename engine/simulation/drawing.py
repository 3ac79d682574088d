"""Draws a network: who causes whom, and the conditional tables of categories.

Drawn is the neighbourhood of every label and the features outside of all, or a random graph.

Some labels get several Markov boundaries, through features that are interchangeable about them. A group of
interchangeable features shares a class: each member's level belongs to a class, the class is the same for all
members of a row, and everything that concerns the label depends on the class alone. Within its class a
member's level is drawn at random, so no member is a copy of another. This is how the TIED network obtains its
72 boundaries (Statnikov and Aliferis 2010).

The conditions checked here keep every equivalence *context-free*, as the paper assumes: with X and Y
in a group about T, T is independent of X given Y alone and of Y given X alone.

In the tables arrows show: effects are monotone, classes shared, and margins kept. A variable with causes has
two extreme distributions; its own is the mixture ``(1 - u) low + u high``. With scores s in 0 … 1 of the
causes' levels and powers q, either any cause suffices, ``u = 1 - Π(1 - q s)``, or all are needed, ``u = Π(1 -
q (1 - s))``: the noisy-OR of Pearl (1988) and its mirror image. Every cause moves the effect in the same
direction in every context, so there is no exclusive-or. All entries are positive except where a class is
handed on.

Faithfulness says that every arrow leaves a dependence; a finite sample shows it only when it is not
minute. Simulations therefore ask for a margin, in the spirit of strong faithfulness (Zhang and Spirtes
2003). Here it is measured within one family, with its causes taken as independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.simulation.bayesian_network import mutual_information
from engine.simulation.graph import Facet, Sketch, until_stopped
from engine.simulation.simulation_settings import SimulationSettings


def draw_random_graph(sketch: Sketch, generator: np.random.Generator) -> None:
    """Draw the causes of every variable, in a causal order that is drawn first.

    Each variable has 0 to `max_parents` causes, every number equally likely where so many variables come
    before it, drawn evenly among these: boundaries then differ much in size, and labels lie anywhere.
    """
    settings = sketch.settings
    order = generator.permutation(settings.labels + settings.features)
    for position, effect in until_stopped(enumerate(order), sketch.progress):
        count = min(int(generator.integers(settings.max_parents + 1)), position)
        for cause in generator.choice(order[:position], size=count, replace=False):
            sketch.connect(int(cause), int(effect))
    sketch.used.update(range(settings.labels, settings.labels + settings.features))


_ANCESTOR_SHARE = 0.2
_SECOND_CAUSE = 0.3
_SAME_ANCESTOR = 0.4
_ISLAND_ROOT = 0.25


def draw_bystanders(sketch: Sketch, generator: np.random.Generator) -> None:
    """Use up the free features.

    The connected share becomes ancestors of causes (some with several descendants, so that causes are
    correlated) and descendants of any feature in use; the rest forms islands that know nothing of any
    label. None of them enters a boundary: no label is their cause, and they cause no label nor effect
    of a label.
    """
    connected = round(sketch.settings.connected * sketch.free_count)
    roots = sorted(feature for feature in sketch.used if not sketch.causes[feature])
    generator.shuffle(roots)
    ancestors: list[int] = []
    for _ in until_stopped(range(connected), sketch.progress):
        if roots and generator.random() < _ANCESTOR_SHARE:
            ancestors.append(_add_ancestor(sketch, roots, ancestors, generator))
        elif sketch.used:
            _add_descendant(sketch, generator)
    island: list[int] = []
    for _ in until_stopped(range(sketch.free_count), sketch.progress):
        feature = sketch.new_feature()
        if island and generator.random() >= _ISLAND_ROOT:
            sketch.connect(island[int(generator.integers(len(island)))], feature)
        island.append(feature)


def _add_ancestor(
    sketch: Sketch, roots: list[int], ancestors: list[int], generator: np.random.Generator
) -> int:
    ancestor = sketch.new_feature()
    sketch.connect(ancestor, roots.pop())
    while roots and generator.random() < _SAME_ANCESTOR:
        sketch.connect(ancestor, roots.pop())
    if ancestors and generator.random() < _SAME_ANCESTOR:
        sketch.connect(ancestors[int(generator.integers(len(ancestors)))], ancestor)
    return ancestor


def _add_descendant(sketch: Sketch, generator: np.random.Generator) -> None:
    two = sketch.settings.max_parents > 1 and generator.random() < _SECOND_CAUSE
    # Features are taken in their order, so that those in use are the first ones.
    count = min(1 + two, len(sketch.used))
    causes = sketch.settings.labels + generator.choice(len(sketch.used), size=count, replace=False)
    feature = sketch.new_feature()
    for cause in causes:
        sketch.connect(int(cause), feature)


_TREE_SIZES = (2, 3, 4)
_SECOND_LABEL_CAUSE = 0.25
_SHARED_EFFECT = 0.15
# Shares of direct causes, direct effects and other causes of effects among what is added to a boundary.
_MOVES = ("cause", "effect", "spouse")
_MOVE_SHARES = (0.3, 0.35, 0.35)
# Published networks seldom give a variable more than two causes.
_THIRD_CAUSE = 0.5
_ATTEMPTS = 30


def relate_labels(sketch: Sketch, generator: np.random.Generator) -> None:
    """Join the asked share of labels into small trees of causes and effects.

    A label outside the trees is never in the boundary of another label, so that without label
    causality the Label-causality Hypothesis of the paper holds.
    """
    settings = sketch.settings
    wanted = round(settings.label_causality * settings.labels)
    if settings.label_causality > 0:
        wanted = max(wanted, 2)
    chosen = [int(label) for label in generator.permutation(settings.labels)[:wanted]]
    sketch.related.update(chosen)
    while chosen:
        size = int(generator.choice(_TREE_SIZES))
        if len(chosen) - size < 2:
            size = len(chosen)
        tree, chosen = chosen[:size], chosen[size:]
        for position in range(1, len(tree)):
            causes = 1
            if position > 1 and settings.max_parents > 1 and generator.random() < _SECOND_LABEL_CAUSE:
                causes = 2
            for earlier in generator.choice(position, size=causes, replace=False):
                sketch.connect(tree[int(earlier)], tree[position])


def draw_neighbourhoods(sketch: Sketch, reserve: int, generator: np.random.Generator) -> None:
    """Fill the boundary of every label to a size drawn for it.

    Every label begins with an effect of its own, for which interchangeable features can always be
    found. Then labels take turns, so that few features are shared out evenly. The aim is drawn
    between the smallest size and the middle of the allowed range, since causes of related labels
    and of shared effects enlarge a boundary further (the paper: 5 to 10 chosen, 5 to 15 in the end).
    """
    settings = sketch.settings
    middle = (settings.smallest_boundary + settings.largest_boundary) // 2
    aims = generator.integers(settings.smallest_boundary, middle + 1, size=settings.labels)
    for label in range(settings.labels):
        if sketch.free_count > reserve and sketch.has_room(label):
            sketch.connect(label, sketch.new_feature())
    open_labels = list(range(settings.labels))
    while open_labels and sketch.free_count > reserve:
        for label in list(open_labels):
            full = len(sketch.boundary(label)) >= aims[label]
            if full or sketch.free_count <= reserve or not _enlarge(sketch, label, generator):
                open_labels.remove(label)


def _enlarge(sketch: Sketch, label: int, generator: np.random.Generator) -> bool:
    """Add one member to the boundary of a label, if any way to do it is found."""
    for _ in range(_ATTEMPTS):
        move = generator.choice(_MOVES, p=_MOVE_SHARES)
        effects = sorted(effect for effect in sketch.effects[label] if not sketch.is_label(effect))
        if not effects or move == "effect":
            if _add_effect(sketch, label, generator):
                return True
        elif move == "cause":
            if _add_cause(sketch, label, generator):
                return True
        else:
            if _add_cause(sketch, int(generator.choice(effects)), generator):
                return True
    return False


def _add_effect(sketch: Sketch, label: int, generator: np.random.Generator) -> bool:
    """Give a label a new effect, now and then shared with a related label."""
    causes = [label]
    partners = sorted(
        partner
        for partner in sketch.boundary(label)
        if partner in sketch.related and sketch.settings.max_parents > 1
    )
    if partners and generator.random() < _SHARED_EFFECT:
        causes.append(int(generator.choice(partners)))
    if not all(sketch.has_room(cause) for cause in causes):
        return False
    effect = sketch.new_feature()
    for cause in causes:
        sketch.connect(cause, effect)
    return True


def _add_cause(sketch: Sketch, effect: int, generator: np.random.Generator) -> bool:
    """Return a label, or an effect of one, another cause: a new feature or one in use elsewhere."""
    count = len(sketch.causes[effect])
    if count >= sketch.settings.max_parents or (count >= 2 and generator.random() >= _THIRD_CAUSE):
        return False
    concerned = sketch.labels_of_family(effect)
    if not all(sketch.has_room(label) for label in concerned):
        return False
    if generator.random() < sketch.settings.shared:
        boundary_members = set().union(*(sketch.boundary(label) for label in concerned))
        candidates = sorted(sketch.used - boundary_members - {effect})
        generator.shuffle(candidates)
        for cause in candidates[:_ATTEMPTS]:
            if not sketch.reaches(effect, cause) and not _closes_a_loop(sketch, cause, concerned):
                sketch.connect(cause, effect)
                return True
    sketch.connect(sketch.new_feature(), effect)
    return True


def _closes_a_loop(sketch: Sketch, cause: int, concerned: set[int]) -> bool:
    """Tell whether the new arrow would put one label's effect above another label of the same family.

    An effect of a label that causes another member of the family would give the label two routes
    to it; each variable has one part in a neighbourhood.
    """
    return any(sketch.reaches(label, cause) for label in concerned)


_FROM_ELSEWHERE = 0.3
_SECOND_USE_THROUGH_CLASS = 0.5
_ENLARGING_ATTEMPTS = 60


def choose_multiple(sketch: Sketch, generator: np.random.Generator) -> set[int]:
    """Choose the labels that get several boundaries."""
    settings = sketch.settings
    wanted = round(settings.multiple_boundaries * settings.labels)
    if settings.multiple_boundaries > 0:
        wanted = max(wanted, 1)
    return {int(label) for label in generator.permutation(settings.labels)[:wanted]}


def draw_equivalents(sketch: Sketch, multiple: set[int], generator: np.random.Generator) -> None:
    """Add interchangeable features until every chosen label has enough boundaries."""
    builder = _SketchGroups(sketch, multiple)
    for label in sorted(multiple):
        if not builder.fill(label, generator) and sketch.free_count and sketch.has_room(label):
            # All groups are shared with labels that can take no more: an effect of its own always helps.
            sketch.connect(label, sketch.new_feature())
            builder.fill(label, generator)


class _SketchGroups:
    """The groups of a sketch, and the rules that a new member must obey."""

    def __init__(self, sketch: Sketch, multiple: set[int]) -> None:
        self.sketch = sketch
        self.multiple = multiple

    def boundary_count(self, label: int) -> int:
        """Count the boundaries of a label: the product of its group sizes."""
        return math.prod(
            len(group)
            for number, group in enumerate(self.sketch.groups)
            if label in self.labels_of_group(number)
        )

    def labels_of_group(self, number: int) -> set[int]:
        """Labels about which the members of a group are interchangeable."""
        return set().union(*(self._served_labels(member) for member in self.sketch.groups[number]))

    def fill(self, label: int, generator: np.random.Generator) -> bool:
        """Add members until a label has enough boundaries; tell whether it has."""
        for _ in range(_ENLARGING_ATTEMPTS):
            if self.boundary_count(label) >= self.sketch.settings.fewest_boundaries:
                return True
            self.extend(label, generator)
        return False

    def extend(self, label: int, generator: np.random.Generator) -> None:
        """Try to give one member of a label's boundary one more interchangeable feature."""
        members = sorted(
            variable for variable in self.sketch.boundary(label) if not self.sketch.is_label(variable)
        )
        member = int(generator.choice(members)) if members else -1
        if member < 0 or self.sketch.free_count == 0:
            return
        number = self.sketch.group_of.get(member)
        if number is None:
            self._found(label, member, generator)
        elif label in self.labels_of_group(number) and self._may_grow(number):
            self._add_member(number, generator)

    def _served_labels(self, member: int) -> set[int]:
        served: set[int] = set()
        for effect in self.sketch.effects[member]:
            if self.sketch.causes[effect][member] is Facet.CLASS:
                served |= self.sketch.labels_of_family(effect)
        if member not in self.sketch.model:
            served |= {cause for cause in self.sketch.causes[member] if self.sketch.is_label(cause)}
        return served

    def _concerned(self, number: int) -> set[int]:
        """Variables about which the members are interchangeable: labels and connecting effects."""
        concerned: set[int] = set()
        for member in self.sketch.groups[number]:
            concerned |= {
                effect
                for effect in self.sketch.effects[member]
                if self.sketch.causes[effect][member] is Facet.CLASS and effect not in self.sketch.model
            }
            if member not in self.sketch.model:
                concerned |= {cause for cause in self.sketch.causes[member] if self.sketch.is_label(cause)}
        return concerned

    def _fits(self, labels: Iterable[int], factor: float) -> bool:
        """Tell whether all labels may have several boundaries and stay below the limit."""
        limit = self.sketch.settings.most_boundaries
        return all(
            label in self.multiple and self.boundary_count(label) * factor <= limit + 1e-9 for label in labels
        )

    def _may_grow(self, number: int) -> bool:
        size = len(self.sketch.groups[number])
        return self._fits(self.labels_of_group(number), (size + 1) / size)

    def _found(self, label: int, member: int, generator: np.random.Generator) -> None:
        """Make a member of a boundary the first of a group, with the facets that this needs."""
        sketch = self.sketch
        own_labels = {cause for cause in sketch.causes[member] if sketch.is_label(cause)}
        served = set(own_labels)
        through_class: set[int] = set()
        for effect in sorted(sketch.effects[member]):
            family = sketch.labels_of_family(effect)
            through = bool(served & family) or label in family
            through = through or generator.random() < _SECOND_USE_THROUGH_CLASS
            if through and self._fits(family, 2):
                through_class.add(effect)
                served |= family
        if label not in served or not self._fits(served, 2):
            return
        for effect in sketch.effects[member]:
            sketch.causes[effect][member] = (
                Facet.CLASS if effect in through_class else self._rest_facet(generator)
            )
        sketch.groups.append([member])
        number = sketch.group_of[member] = len(sketch.groups) - 1
        if not self._keeps_rules(number) or not self._add_member(number, generator):
            for effect in sketch.effects[member]:
                sketch.causes[effect][member] = Facet.LEVEL
            sketch.groups.pop()
            del sketch.group_of[member]

    def _rest_facet(self, generator: np.random.Generator) -> Facet:
        """Choose how an effect outside the equivalence depends on a member."""
        if self.sketch.settings.max_levels >= 4 and generator.random() < 0.5:
            return Facet.PLACE
        return Facet.LEVEL

    def _keeps_rules(self, number: int) -> bool:
        """Check that what depends on more than the class keeps the equivalence exact and context-free.

        No such effect may touch a label that the group serves (the member would then be irreplaceable
        for it), nor lead to a variable about which the members are interchangeable.
        """
        sketch = self.sketch
        served, concerned = self.labels_of_group(number), self._concerned(number)
        for member in sketch.groups[number]:
            for effect in sketch.effects[member]:
                if sketch.causes[effect].get(member) is Facet.CLASS or sketch.model.get(effect) == member:
                    continue
                if sketch.labels_of_family(effect) & served:
                    return False
                if any(sketch.reaches(effect, variable) for variable in concerned):
                    return False
        return True

    def _add_member(self, number: int, generator: np.random.Generator) -> bool:
        """Append a feature that is new, or a cause from elsewhere that becomes interchangeable."""
        if generator.random() < _FROM_ELSEWHERE and self._adopt(number, generator):
            return True
        if self.sketch.free_count == 0:
            return False
        self._append(number, self.sketch.new_feature(), generator)
        return True

    def _append(self, number: int, feature: int, generator: np.random.Generator) -> None:
        group = self.sketch.groups[number]
        model = int(generator.choice(group))
        self.sketch.connect(model, feature, Facet.CLASS)
        self.sketch.model[feature] = model
        self.sketch.group_of[feature] = number
        group.append(feature)

    def _adopt(self, number: int, generator: np.random.Generator) -> bool:
        """Let a feature that causes something of another label take its class from the group."""
        sketch = self.sketch
        candidates = [
            feature
            for feature in sorted(sketch.used)
            if not sketch.causes[feature] and feature not in sketch.group_of and sketch.effects[feature]
        ]
        generator.shuffle(candidates)
        for feature in candidates[:_ENLARGING_ATTEMPTS]:
            if any(sketch.reaches(feature, member) for member in sketch.groups[number]):
                continue
            for effect in sketch.effects[feature]:
                sketch.causes[effect][feature] = self._rest_facet(generator)
            self._append(number, feature, generator)
            if self._keeps_rules(number):
                return True
            self._remove(number, feature)
        return False

    def _remove(self, number: int, feature: int) -> None:
        sketch = self.sketch
        model = sketch.model.pop(feature)
        sketch.effects[model].discard(feature)
        del sketch.causes[feature][model]
        del sketch.group_of[feature]
        sketch.groups[number].remove(feature)
        for effect in sketch.effects[feature]:
            sketch.causes[effect][feature] = Facet.LEVEL


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
    information = [
        mutual_information(joint, first, second, (effect,))
        for first, second in combinations(range(effect), 2)
    ]
    for axis in range(effect):
        others = [cause for cause in range(effect) if cause != axis]
        information.append(mutual_information(joint, axis, effect))
        information.append(mutual_information(joint, axis, effect, others))
        within = classes[axis]
        if within is not None:
            information.append(_information_beyond(joint, axis, effect, within))
    return min(information)


def _information_beyond(joint: np.ndarray, axis: int, effect: int, classes: np.ndarray) -> float:
    """Information of a cause about the effect that its class does not give."""
    others = tuple(cause for cause in range(joint.ndim) if cause not in (axis, effect))
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
_TABLE_ATTEMPTS = 40


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
    :func:`engine.simulation.drawing.family_margin`); after many attempts the best draw stands.
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
        cause_plan.classes if facet is not Facet.CLASS and cause in sketch.group_of else None
        for cause, cause_plan, facet in zip(causes, cause_plans, facets, strict=True)
    ]
    best, best_margin = np.empty(0), -1.0
    for _ in range(_TABLE_ATTEMPTS):
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
        if (
            sum(abs(probability - changed) for probability, changed in zip(low, high, strict=True)) / 2
            < strength
        ):
            lowest = middle
        else:
            highest = middle
    return np.array(low), np.array(high)


def _softmax(values: Sequence[float]) -> list[float]:
    largest = max(values)
    powers = [math.exp(value - largest) for value in values]
    total = sum(powers)
    return [power / total for power in powers]
