"""Inter-IAMB: as IAMB, but members are re-tested after each growth, which keeps conditioning sets small.

Tsamardinos, Aliferis and Statnikov (2003), Algorithms for large scale Markov blanket discovery,
FLAIRS 2003, 376-381.
"""

from __future__ import annotations

from engine.boundaries.growth import Growth
from engine.boundaries.search import SearchTask, UndividedSearch


def search(task: SearchTask) -> UndividedSearch:
    """Find a Markov boundary.

    Errors of the tests can make two variables replace each other for ever: the search ends as soon as it
    comes back to a set of members that it had before.
    """
    growth = Growth(task)
    seen: set[frozenset[int]] = set()
    while frozenset(growth.members) not in seen:
        seen.add(frozenset(growth.members))
        dependent = growth.strongest_dependent()
        if dependent.size:
            growth.members.append(int(dependent[0]))
            growth.shrink()
    return growth.result()
