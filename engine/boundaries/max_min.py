"""MMPC: the candidate whose least association is largest comes in next.

Tsamardinos, Aliferis and Statnikov (2003), Time and sample efficient discovery of Markov blankets and
direct causal relations, KDD 2003, 673-678; MMMB is this with a spouse step. CCMB (Wu, Jiang, Yu, Miao and
Chen, 2020, IEEE Transactions on Cybernetics 50:4983-4996) takes those whom either side finds by it.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.subset_tests import SubsetTests


def search(task: SearchTask) -> NeighbourSearch:
    """Find parents and children: grow by the max-min heuristic, then re-test every member once.

    The association is the p-value of the set that came nearest to separating the two. Only sets with the
    newest member are tried in the growing phase, for all others were tried before.
    """
    tests = SubsetTests(task)
    members: list[int] = []
    remaining = np.arange(len(task.candidates))
    while remaining.size and not task.stop[0]:
        strongest = int(remaining[np.argmin(tests.association[remaining])])
        members.append(strongest)
        remaining = remaining[remaining != strongest]
        separated = tests.separated(
            remaining, task.candidates[members], required=int(task.candidates[strongest])
        )
        remaining = remaining[~separated]
    for member in tuple(members):
        if tests.separated(np.array([member]), task.candidates[members])[0]:
            members.remove(member)
    return tests.result(members)
