"""KIAMB: as IAMB, but the strongest of a random share of the dependent variables comes in.

Peña, Nilsson, Björkegren and Tegnér (2007), Towards scalable and data efficient learning of Markov
boundaries, International Journal of Approximate Reasoning 45:211-232, Table 3.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.growth import Growth
from engine.boundaries.options import KiambOptions
from engine.boundaries.search import SearchTask, UndividedSearch


def search(task: SearchTask) -> UndividedSearch:
    """Find one of the Markov boundaries; which one depends on the seed where there are several."""
    options = task.options or KiambOptions()
    # The target belongs to the seed, so that searches of several targets draw independently.
    source = np.random.default_rng((options.seed, task.target))
    growth = Growth(task)
    while (dependent := growth.strongest_dependent()).size:
        count = max(1, int(dependent.size * options.share))
        # Strongest first, so that the smallest of the places drawn is the strongest variable drawn.
        drawn = source.choice(dependent.size, count, replace=False)
        growth.members.append(int(dependent[drawn.min()]))
    growth.shrink()
    return growth.result()
