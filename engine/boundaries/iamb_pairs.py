"""IAMB that goes on with pairs where no single variable is left: the single search within WLCMB.

IAMB and its kin stop when every other variable by itself is independent of the target given the members.
That is the end only if such variables are independent of it together, too (local composition); two that act
only in combination mask each other. Liu and Liu (2016), Swamping and masking in Markov boundary discovery,
Machine Learning 104:25-54, resume the stopped search so that a weaker condition suffices.

A reconstruction: the paper is known to us by its abstract alone. Assumed here: the search resumes with the
pair that depends most on the target, so that it finds a boundary where pairs obey composition.
"""

from __future__ import annotations

from engine.boundaries.growth import Growth
from engine.boundaries.options import PairOptions
from engine.boundaries.search import SearchTask, UndividedSearch


def search(task: SearchTask) -> UndividedSearch:
    """Find a Markov boundary."""
    options = task.options or PairOptions()
    growth = Growth(task)
    pair: tuple[int, ...] | None = ()
    while pair is not None:
        growth.members.extend(pair)
        while (dependent := growth.strongest_dependent()).size:
            growth.members.append(int(dependent[0]))
        pair = growth.strongest_pair(options.among)
    growth.shrink()
    return growth.result()
