"""A random graph: every variable, label or not, gets causes among the variables before it."""

from __future__ import annotations

import numpy as np

from engine.simulation.sketch import Sketch


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
    for place, effect in enumerate(order):
        count = min(int(generator.integers(settings.max_parents + 1)), place)
        for cause in generator.choice(order[:place], size=count, replace=False):
            sketch.connect(int(cause), int(effect))
    sketch.used.update(range(settings.labels, settings.labels + settings.features))
