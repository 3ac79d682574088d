"""What levels of one variable tell, read off the tables of a network: partitions of levels.

A *partition* is an integer array with the block of each level. Two levels are in one block when
nothing that matters tells them apart. Two neighbours *share* a partition when the tables let certain
levels occur only together, as interchangeable variables do.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork

_TOLERANCE = 1e-9


def refine(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Give the coarsest partition that tells apart whatever either tells apart.

    Examples
    --------
    >>> refine(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    array([0, 1, 2, 2])
    """
    return _numbered(zip(first.tolist(), second.tolist(), strict=True))


def determines(finer: np.ndarray, coarser: np.ndarray) -> bool:
    """Tell whether the block in the second partition follows from the block in the first."""
    return len(set(finer.tolist())) == len(set(zip(finer.tolist(), coarser.tolist(), strict=True)))


def is_trivial(partition: np.ndarray) -> bool:
    """Tell whether all levels are in one block, so that nothing is told."""
    return bool((partition == partition[0]).all())


def effect_of_cause(network: BayesianNetwork, cause: str, effect: str) -> np.ndarray:
    """Partition the levels of a cause by the distribution that they give to its effect."""
    table = network.tables[effect]
    rows = np.moveaxis(table, network.parents[effect].index(cause), 0)
    return _blocks_of_rows(rows.reshape(rows.shape[0], -1))


def evidence_of_effect(network: BayesianNetwork, target: str, effect: str) -> np.ndarray:
    """Partition the levels of an effect by what they say about its cause `target`."""
    relative = _relative_likelihood(network, target, effect)
    rows = np.moveaxis(relative, -1, 0)
    return _blocks_of_rows(rows.reshape(rows.shape[0], -1))


def relevance_of_spouse(network: BayesianNetwork, target: str, effect: str, spouse: str) -> np.ndarray:
    """Partition the levels of another cause by how they change what the effect says about `target`."""
    relative = _relative_likelihood(network, target, effect)
    rows = np.moveaxis(relative, network.parents[effect].index(spouse), 0)
    return _blocks_of_rows(rows.reshape(rows.shape[0], -1))


def shared_partitions(network: BayesianNetwork) -> dict[str, dict[str, np.ndarray]]:
    """Find for each variable which others fix a part of its level with certainty.

    Certainty is passed on along chains of such neighbours: a variable with one cause may take a class of
    its levels from it. Other impossible events would let several variables together fix a third.

    Returns
    -------
    dict of str to dict of str to ndarray of int64
        ``result[x][y]`` is the finest partition of the levels of x that y determines; only where it is
        not trivial.

    Raises
    ------
    InvalidParameter
        When a table holds a probability of 0 for any other reason.
    """
    neighbours: dict[str, dict[str, np.ndarray]] = {}
    for effect in network.nodes:
        possible = network.tables[effect] > 0
        if possible.all():
            continue
        if len(network.parents[effect]) != 1 or not _hands_on_a_class(possible):
            raise InvalidParameter(
                "some of its levels are impossible in a way that is no shared class.",
                place=f"node '{effect}'",
                remedy="Use exhaustive_boundaries, which handles any small network.",
            )
        cause = network.parents[effect][0]
        neighbours.setdefault(cause, {})[effect] = possible
        neighbours.setdefault(effect, {})[cause] = possible.T
    return {name: _fixed_by_others(name, neighbours) for name in neighbours}


def _fixed_by_others(name: str, neighbours: dict[str, dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    levels = next(iter(neighbours[name].values())).shape[0]
    relations = {name: np.eye(levels, dtype=np.bool_)}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        for other, possible in neighbours[current].items():
            if other in relations:
                continue
            relation = relations[current] @ possible
            blocks = _blocks_of_relation(relation)
            if not is_trivial(blocks):
                relations[other] = relation
                found[other] = blocks
                waiting.append(other)
    return found


def _hands_on_a_class(possible: np.ndarray) -> bool:
    """Tell whether rows with a possible level in common have all of them in common."""
    blocks = _blocks_of_relation(possible)
    return all((possible[blocks == block] == possible[blocks == block][0]).all() for block in set(blocks))


def _relative_likelihood(network: BayesianNetwork, target: str, effect: str) -> np.ndarray:
    """Table of the effect, scaled so that only its proportions over the levels of `target` remain."""
    table = network.tables[effect]
    total = table.sum(axis=network.parents[effect].index(target), keepdims=True)
    relative: np.ndarray = np.divide(table, total, out=np.zeros_like(table), where=total > 0)
    return relative


def _blocks_of_rows(rows: np.ndarray) -> np.ndarray:
    blocks = np.full(len(rows), -1, dtype=np.int64)
    found = 0
    for place in range(len(rows)):
        if blocks[place] < 0:
            same = np.abs(rows - rows[place]).max(axis=1, initial=0.0) <= _TOLERANCE
            blocks[same & (blocks < 0)] = found
            found += 1
    return blocks


def _blocks_of_relation(possible: np.ndarray) -> np.ndarray:
    """Join the rows of a boolean matrix that are linked through columns."""
    linked = (possible.astype(np.int64) @ possible.T.astype(np.int64)) > 0
    for _ in range(len(linked)):
        linked = (linked.astype(np.int64) @ linked.astype(np.int64)) > 0
    return _numbered(map(tuple, linked.tolist()))


def _numbered(keys: Iterable[object]) -> np.ndarray:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
