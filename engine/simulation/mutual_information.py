"""Entropies and mutual information of exact joint distributions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def entropy(joint: np.ndarray, axes: Iterable[int]) -> float:
    """Entropy of some axes of a joint distribution together, in nats.

    Parameters
    ----------
    joint : ndarray of float64
        One axis a variable; sums to 1.
    axes : iterable of int
        Axes whose joint entropy is wanted.

    Returns
    -------
    float

    Examples
    --------
    >>> round(entropy(np.array([[0.25, 0.25], [0.25, 0.25]]), [0]), 4)
    0.6931
    """
    kept = frozenset(axes)
    summed = joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis not in kept))
    positive = summed[summed > 0]
    return float(-(positive * np.log(positive)).sum())


def mutual_information(joint: np.ndarray, first: int, second: int, given: Iterable[int] = ()) -> float:
    """Mutual information of two axes of a joint distribution given other axes, in nats.

    Examples
    --------
    >>> round(mutual_information(np.array([[0.5, 0.0], [0.0, 0.5]]), 0, 1), 4)
    0.6931
    """
    fixed = frozenset(given)
    with_first, with_second = entropy(joint, fixed | {first}), entropy(joint, fixed | {second})
    return max(
        0.0, with_first + with_second - entropy(joint, fixed | {first, second}) - entropy(joint, fixed)
    )
