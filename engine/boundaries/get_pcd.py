"""GetPCD: parents, children and some other descendants; PCMB keeps those that agree from both sides.

Peña, Nilsson, Björkegren and Tegnér (2007), Towards scalable and data efficient learning of Markov
boundaries, International Journal of Approximate Reasoning 45:211-232, Tables 4-6.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.subset_tests import SubsetTests


def search(task: SearchTask) -> NeighbourSearch:
    """Find candidates one at a time by the max-min heuristic, and prune after each.

    While no member leaves, only sets with the newest member need to be tried; once one has left, the
    association of what remains is measured anew with the members that are there.
    """
    tests = SubsetTests(task)
    members: list[int] = []
    remaining = np.arange(len(task.candidates))
    while remaining.size and not task.stop[0]:
        strongest = int(remaining[np.argmin(tests.association[remaining])])
        entered = int(task.candidates[strongest])
        members.append(strongest)
        remaining = remaining[remaining != strongest]
        older = members[:-1]
        for member in older:
            if tests.separated(np.array([member]), task.candidates[members], required=entered)[0]:
                members.remove(member)
        pool = task.candidates[members]
        if len(members) <= len(older):
            tests.forget_association(remaining)
            separated = tests.separated(remaining, pool)
        else:
            separated = tests.separated(remaining, pool, required=entered)
        remaining = remaining[~separated]
    return tests.result(members)
