"""Parents and children by the max-min heuristic: MMPC and GetPCD."""

from __future__ import annotations

import numpy as np

from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.subset_tests import SubsetTests


def max_min(task: SearchTask) -> NeighbourSearch:
    """MMPC: the candidate whose least association is largest comes in next.

    Tsamardinos, Aliferis and Statnikov (2003), Time and sample efficient discovery of Markov blankets and
    direct causal relations, KDD 2003, 673-678; MMMB is this with a spouse step. CCMB (Wu, Jiang, Yu, Miao and
    Chen, 2020, IEEE Transactions on Cybernetics 50:4983-4996) takes those whom either side finds by it.

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


def get_pcd(task: SearchTask) -> NeighbourSearch:
    """GetPCD: parents, children and some other descendants; PCMB keeps those that agree from both sides.

    Peña, Nilsson, Björkegren and Tegnér (2007), Towards scalable and data efficient learning of Markov
    boundaries, International Journal of Approximate Reasoning 45:211-232, Tables 4-6.

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
