"""Gives the features outside every boundary a place: ancestors, descendants, and islands of their own."""

from __future__ import annotations

import numpy as np

from engine.simulation.sketch import Sketch

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
