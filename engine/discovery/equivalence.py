"""Variables that tell the same about a target: Phase 3 of CLCD, for sets of one variable each.

S, a neighbour of X, and Z, a feature that is none, hold equivalent information about X when each makes
the other superfluous (Statnikov, Lytkin, Lemeire and Aliferis 2013, Algorithms for discovery of multiple
Markov boundaries, JMLR 14:499-566). As in the paper no further conditioning set is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.independence.batch import Question, ask

Indices = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EquivalentPair:
    """Set S in the neighbourhood of a target and set Z outside that tell the same about it."""

    target: int
    in_boundary: Indices
    equivalent: Indices


def equivalent_pairs(
    search: Neighbourhoods, target: int, members: Sequence[int], outsiders: Iterable[int]
) -> tuple[list[EquivalentPair], int]:
    """Find which outsiders tell the same about a target as one of its members.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    target : int
        Position of the target.
    members : sequence of int
        Members of its boundary that may be stood in for.
    outsiders : iterable of int
        Variables that may stand in; only those that depend on the target are tried.

    Returns
    -------
    pairs : list of EquivalentPair
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    passed = search.screen(target).passed
    candidates = [each for each in outsiders if passed[each]]
    forwards: list[Question] = [
        (target, outsider, (member,)) for outsider in candidates for member in members if member != outsider
    ]
    superfluous = ask(search.data, forwards, search.stop).independent
    backwards: list[Question] = [
        (target, given[0], (outsider,))
        for (_, outsider, given), independent in zip(forwards, superfluous, strict=True)
        if independent
    ]
    mutual = ask(search.data, backwards, search.stop).independent
    search.check_stop()
    pairs = [
        EquivalentPair(target, (member,), given)
        for (_, member, given), independent in zip(backwards, mutual, strict=True)
        if independent
    ]
    return pairs, len(forwards) + len(backwards)
