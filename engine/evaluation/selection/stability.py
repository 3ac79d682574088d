"""How much the same features are selected from other rows of the same table."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

_FEWEST_SETS = 2


def selection_stability(selections: Sequence[Collection[int]], features: int) -> float | None:
    """Measure how stable a selection is over several samples of rows.

    It is 1 when every sample gives the same features, about 0 when each gives features drawn at random, and
    allows sets of different sizes.

    Parameters
    ----------
    selections : sequence of collections of int
        Positions of the selected features, one collection a sample.
    features : int
        How many there are to select from.

    Returns
    -------
    float or None
        At most 1; None with fewer than two samples, or when every sample gives none or all of the features.

    References
    ----------
    .. [1] Nogueira, Sechidis, Brown (2018), On the stability of feature selection algorithms, Journal of
       Machine Learning Research 18(174):1-54, definition 4.1.

    Examples
    --------
    >>> selection_stability([{0, 1}, {0, 1}, {0, 1}], features=5)
    1.0
    """
    samples = len(selections)
    if samples < _FEWEST_SETS:
        return None
    chosen = np.zeros((samples, features))
    for row, selection in enumerate(selections):
        chosen[row, list(selection)] = 1.0
    mean_share = chosen.mean()
    if mean_share in (0.0, 1.0):
        return None
    variances = chosen.var(axis=0, ddof=1)
    return float(1.0 - variances.mean() / (mean_share * (1.0 - mean_share)))
