"""Members of a neighbourhood that only a spouse together with its child can separate.

An effect Y of both a child C and a spouse S of T looks like a neighbour of T to a search that conditions on
neighbours alone: C must be held fixed to close the path through it, and that opens the path over S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.independence.batch import Question, ask


def without_shielded(
    search: Neighbourhoods, neighbourhood: Neighbourhood, links: Sequence[SpouseLink]
) -> tuple[Neighbourhood, int]:
    """Take the members out that a spouse and its child separate from the target.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    neighbourhood : Neighbourhood
        Neighbours of the target.
    links : sequence of SpouseLink
        Its spouses, with their children.

    Returns
    -------
    neighbourhood : Neighbourhood
        Without those members; their separating sets are noted.
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    if search.settings.max_conditioning < 2:
        return neighbourhood, 0
    questions: list[Question] = [
        (neighbourhood.target, member, (link.child, link.spouse))
        for link in links
        if link.child in neighbourhood.member_set
        for member in neighbourhood.members
        if member not in (link.child, link.spouse)
    ]
    independent = ask(search.data, questions, search.stop).independent
    search.check_stop()
    separators = {
        member: given
        for (_, member, given), separated in zip(questions, independent, strict=True)
        if separated
    }
    kept = tuple(member for member in neighbourhood.members if member not in separators)
    found = replace(neighbourhood, members=kept, separators=neighbourhood.separators | separators)
    return found, len(questions)
