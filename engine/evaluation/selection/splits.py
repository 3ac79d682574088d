"""Rows for training and for testing, split so that every label keeps its share in both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Positions of rows, rising, without any in both parts.

    Attributes
    ----------
    training, testing : ndarray of int64
    """

    training: np.ndarray
    testing: np.ndarray


def split_rows(labels: np.ndarray, test_share: float, seed: tuple[int, ...]) -> Split:
    """Split rows at random, stratified by all labels at once.

    Parameters
    ----------
    labels : ndarray of bool, shape (rows, labels)
    test_share : float
        Share of rows for testing, between 0 and 1.
    seed : tuple of int
        Numbers from which the draw follows, such as the seed of a comparison and the number of the split.

    Returns
    -------
    Split

    References
    ----------
    .. [1] Sechidis, Tsoumakas, Vlahavas (2011), On the stratification of multi-label data.

    Examples
    --------
    >>> labels = np.array([[True, False]] * 50 + [[False, True]] * 50)
    >>> split = split_rows(labels, 0.3, seed=(0, 1))
    >>> len(split.testing), labels[split.testing].sum(axis=0).tolist()
    (30, [15, 15])
    """
    from iterstrat.ml_stratifiers import MultilabelStratifiedShuffleSplit

    number = int(np.random.SeedSequence(seed).generate_state(1)[0])
    stratifier = MultilabelStratifiedShuffleSplit(n_splits=1, test_size=test_share, random_state=number)
    training, testing = next(stratifier.split(np.zeros(len(labels)), labels.astype(np.int64)))
    return Split(np.sort(training), np.sort(testing))
