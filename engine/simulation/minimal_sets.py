"""All smallest sets that suffice for something, and how they are put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

Sets = tuple[frozenset[str], ...]


def minimal_sets(candidates: Sequence[str], suffices: Callable[[frozenset[str]], bool]) -> Sets:
    """Find every set that suffices and holds no smaller one that does.

    A first set is found by taking candidates away one at a time. Every other one lacks some member of it, so
    the search goes on without each of its members in turn, and so forth (Reiter's tree of hitting sets [1]_).

    Parameters
    ----------
    candidates : sequence of str
        What the sets may hold.
    suffices : callable
        Whether a set suffices; a set that holds one that suffices must suffice too.

    Returns
    -------
    tuple of frozenset of str
        Smallest first, then by name; empty when not even all candidates suffice.

    References
    ----------
    .. [1] Reiter (1987), A theory of diagnosis from first principles, Artificial Intelligence 32:57-95.

    Examples
    --------
    >>> [sorted(each) for each in minimal_sets("abc", lambda chosen: "a" in chosen or {"b", "c"} <= chosen)]
    [['a'], ['b', 'c']]
    """
    found: list[frozenset[str]] = []
    hopeless: list[frozenset[str]] = []
    waiting = [frozenset[str]()]
    seen = set(waiting)
    while waiting:
        without = waiting.pop()
        if any(known <= without for known in hopeless):
            continue
        known = next((each for each in found if not each & without), None)
        if known is None:
            allowed = frozenset(candidates) - without
            if not suffices(allowed):
                hopeless.append(without)
                continue
            known = _shrunk(allowed, candidates, suffices)
            found.append(known)
        for member in sorted(known):
            further = without | {member}
            if further not in seen:
                seen.add(further)
                waiting.append(further)
    return tuple(sorted(found, key=lambda each: (len(each), sorted(each))))


def independent_choices(sets: Sets) -> tuple[Sets, ...]:
    """Write sets as every combination of independent choices, if that can be done.

    Examples
    --------
    >>> choices = independent_choices((frozenset("ax"), frozenset("bx"), frozenset("ay"), frozenset("by")))
    >>> [[sorted(option) for option in choice] for choice in choices]
    [[['a'], ['b']], [['x'], ['y']]]
    """
    import networkx

    names = sorted(frozenset().union(*sets))
    related = networkx.Graph()
    related.add_nodes_from(names)
    for first, second in combinations(names, 2):
        pairs = {(first in each, second in each) for each in sets}
        if len(pairs) < len({pair[0] for pair in pairs}) * len({pair[1] for pair in pairs}):
            related.add_edge(first, second)
    blocks = [frozenset(block) for block in networkx.connected_components(related)]
    choices = [frozenset(each & block for each in sets) for block in blocks]
    together = {frozenset().union(*options) for options in product(*choices)}
    if together != set(sets):
        choices = [frozenset(sets)]
    return tuple(
        tuple(sorted(choice, key=lambda each: (len(each), sorted(each))))
        for choice in sorted(choices, key=lambda choice: min(map(sorted, choice)))
    )


def _shrunk(
    allowed: frozenset[str], order: Sequence[str], suffices: Callable[[frozenset[str]], bool]
) -> frozenset[str]:
    kept = allowed
    for candidate in order:
        if candidate in kept and suffices(kept - {candidate}):
            kept -= {candidate}
    return kept
