"""Draws who causes whom: the neighbourhood of every label, features outside of all, or a random graph."""

from __future__ import annotations

import numpy as np

from engine.simulation.graph import Sketch


def draw_random_graph(sketch: Sketch, generator: np.random.Generator) -> None:
    """Draw the causes of every variable, in a causal order that is drawn first.

    Each variable has 0 to `max_parents` causes, every number equally likely where so many variables come
    before it, drawn evenly among these: boundaries then differ much in size, and labels lie anywhere.

    Parameters
    ----------
    sketch : Sketch
        Without arrows; is changed.
    generator : numpy.random.Generator
        Source of randomness.
    """
    settings = sketch.settings
    order = generator.permutation(settings.labels + settings.features)
    for position, effect in enumerate(order):
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
    for _ in range(connected):
        if roots and generator.random() < _ANCESTOR_SHARE:
            ancestors.append(_add_ancestor(sketch, roots, ancestors, generator))
        elif sketch.used:
            _add_descendant(sketch, sorted(sketch.used), generator)
    island: list[int] = []
    while sketch.free_count:
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


def _add_descendant(sketch: Sketch, candidates: list[int], generator: np.random.Generator) -> None:
    two = sketch.settings.max_parents > 1 and generator.random() < _SECOND_CAUSE
    count = min(1 + two, len(candidates))
    causes = generator.choice(candidates, size=count, replace=False)
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

    Parameters
    ----------
    sketch : Sketch
        Already with the relations between labels; is changed.
    reserve : int
        Number of features to leave free.
    generator : numpy.random.Generator
        Source of randomness.
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
