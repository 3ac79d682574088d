"""IAMB: what depends most strongly on the target given the members comes in next; then all are re-tested.

Tsamardinos, Aliferis and Statnikov (2003), Algorithms for large scale Markov blanket discovery,
FLAIRS 2003, 376-381, Figure 2.
"""

from __future__ import annotations

from engine.boundaries.growth import Growth
from engine.boundaries.search import SearchTask, UndividedSearch


def search(task: SearchTask) -> UndividedSearch:
    """Find a Markov boundary."""
    growth = Growth(task)
    while (dependent := growth.strongest_dependent()).size:
        growth.members.append(int(dependent[0]))
    growth.shrink()
    return growth.result()
