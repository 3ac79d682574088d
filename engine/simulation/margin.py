"""How well the arrows of one family show: the faithfulness margin of a conditional table.

Faithfulness says that every arrow leaves a dependence; a finite sample shows it only when it is not
minute. Simulations therefore ask for a margin, in the spirit of strong faithfulness (Zhang and Spirtes
2003). Here it is measured within one family, with its causes taken as independent of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from engine.simulation.mutual_information import mutual_information


def family_margin(
    table: np.ndarray, causes: Sequence[np.ndarray], classes: Sequence[np.ndarray | None]
) -> float:
    """Give the weakest of the dependences that a search has to see in a family.

    These are: effect and cause, alone and given all other causes; two causes given the effect; and,
    for a cause that acts through more than the class it shares with others, effect and cause given
    that class.

    Parameters
    ----------
    table : ndarray of float64, shape (levels of each cause …, levels of the effect)
        Conditional table.
    causes : sequence of ndarray of float64
        Distribution of each cause.
    classes : sequence of ndarray of int, or None
        Class of each level, for a cause that acts through more than its class.

    Returns
    -------
    float
        Mutual information in nats.

    Examples
    --------
    >>> even = np.array([0.5, 0.5])
    >>> round(family_margin(np.array([[1.0, 0.0], [0.0, 1.0]]), [even], [None]), 4)
    0.6931
    """
    joint = table
    for axis, distribution in enumerate(causes):
        shape = [1] * table.ndim
        shape[axis] = len(distribution)
        joint = joint * distribution.reshape(shape)
    effect = table.ndim - 1
    found = [
        mutual_information(joint, first, second, (effect,))
        for first, second in combinations(range(effect), 2)
    ]
    for axis in range(effect):
        others = [other for other in range(effect) if other != axis]
        found.append(mutual_information(joint, axis, effect))
        found.append(mutual_information(joint, axis, effect, others))
        within = classes[axis]
        if within is not None:
            found.append(_information_beyond(joint, axis, effect, within))
    return min(found)


def _information_beyond(joint: np.ndarray, axis: int, effect: int, classes: np.ndarray) -> float:
    """Information of a cause about the effect that its class does not give."""
    others = tuple(other for other in range(joint.ndim) if other not in (axis, effect))
    pair = joint.sum(axis=others)
    by_class = np.zeros((int(classes.max()) + 1, pair.shape[1]))
    np.add.at(by_class, classes, pair)
    return mutual_information(pair, 0, 1) - mutual_information(by_class, 0, 1)
