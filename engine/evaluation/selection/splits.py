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


def split_rows(
    labels: np.ndarray, test_share: float, seed: tuple[int, ...], groups: np.ndarray | None = None
) -> Split:
    """Split rows at random, stratified by all labels at once.

    Parameters
    ----------
    labels : ndarray of bool, shape (rows, labels)
    test_share : float
        Share of rows for testing, between 0 and 1.
    seed : tuple of int
        Numbers from which the draw follows, such as the seed of a comparison and the number of the split.
    groups : ndarray of int64, shape (rows,), optional
        Group of each row, ``0 … groups - 1``. Rows of a group stay together, since what is learnt from some
        rows of a person would be tested on others of the same; the share is one of groups then, and a group
        counts for a label that any of its rows has.

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
    drawn = labels if groups is None else _labels_of_groups(labels, groups)
    training, testing = next(stratifier.split(np.zeros(len(drawn)), drawn.astype(np.int64)))
    if groups is None:
        return Split(np.sort(training), np.sort(testing))
    return Split(*(np.flatnonzero(np.isin(groups, part)) for part in (training, testing)))


def _labels_of_groups(labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Tell for each group which labels any of its rows has."""
    found = np.zeros((int(groups.max()) + 1, labels.shape[1]), dtype=bool)
    np.logical_or.at(found, groups, labels)
    return found
