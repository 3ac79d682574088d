"""Draws who causes whom: the neighbourhood of every label, features outside of all, or a random graph.

Some labels get several Markov boundaries, through features that are interchangeable about them. A group of
interchangeable features shares a class: each member's level belongs to a class, the class is the same for all
members of a row, and everything that concerns the label depends on the class alone. Within its class a
member's level is drawn at random, so no member is a copy of another. This is how the TIED network obtains its
72 boundaries (Statnikov and Aliferis 2010).

The conditions checked here keep every equivalence *context-free*, as the paper assumes: with X and Y
in a group about T, T is independent of X given Y alone and of Y given X alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from engine.simulation.graph import Facet, Sketch, until_stopped


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
        other
        for other in sketch.boundary(label)
        if other in sketch.related and sketch.settings.max_parents > 1
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
        known = set().union(*(sketch.boundary(label) for label in concerned))
        candidates = sorted(sketch.used - known - {effect})
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
        members = sorted(each for each in self.sketch.boundary(label) if not self.sketch.is_label(each))
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
        found: set[int] = set()
        for member in self.sketch.groups[number]:
            found |= {
                effect
                for effect in self.sketch.effects[member]
                if self.sketch.causes[effect][member] is Facet.CLASS and effect not in self.sketch.model
            }
            if member not in self.sketch.model:
                found |= {cause for cause in self.sketch.causes[member] if self.sketch.is_label(cause)}
        return found

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
