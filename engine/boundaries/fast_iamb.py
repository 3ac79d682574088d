"""Fast-IAMB: as many come in at once as the rows can bear, then all are re-tested, and again.

Yaramakala and Margaritis (2005), Speculative Markov blanket discovery for optimal feature selection,
ICDM 2005, 809-812.
"""

from __future__ import annotations

from engine.boundaries.growth import Growth
from engine.boundaries.search import SearchTask, UndividedSearch

_ROWS_PER_CELL = 5.0


def search(task: SearchTask) -> UndividedSearch:
    """Find a Markov boundary.

    Variables come in strongest first while a table of the target, the next variable and the members has
    five rows a cell on average. It ends when nobody depends on the target any more, when the rows cannot
    bear one more member, or when a set of members comes back.
    """
    growth = Growth(task)
    seen: set[frozenset[int]] = set()
    while frozenset(growth.members) not in seen:
        seen.add(frozenset(growth.members))
        entered = False
        for variable in growth.strongest_dependent():
            if not _bears(task, growth.members, int(variable)):
                break
            growth.members.append(int(variable))
            entered = True
        if entered:
            growth.shrink()
    return growth.result()


def _bears(task: SearchTask, members: list[int], variable: int) -> bool:
    """Tell whether the rows suffice to test a variable given the members; always so without categories."""
    levels = getattr(task.data.table, "levels", None)
    if levels is None:
        return True
    cells = 1.0
    for each in (task.target, variable, *members):
        cells *= float(levels[each])
    return task.data.observations >= _ROWS_PER_CELL * cells
