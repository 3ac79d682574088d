"""Rows beside whose values a level of a cause hardly occurs.

What a label would be if these rows had the level is not in the data, and a regression extrapolates
(positivity: Petersen, Porter, Gruber, Wang and van der Laan 2012, Diagnosing and responding to violations in
the positivity assumption, Statistical Methods in Medical Research 21:31-54). All that is known is that it
lies between the smallest and the largest value that the label has at all (Manski 1990, Nonparametric bounds
on treatment effects, American Economic Review 80:319-323).

Rows are alike by their propensity, the chance of the level beside their values. Those below what the rows
with the level have are without alike (Dehejia and Wahba 1999, Causal effects in nonexperimental studies,
Journal of the American Statistical Association 94:1053-1062), if their chance is small besides (Crump, Hotz,
Imbens and Mitnik 2009, Dealing with limited overlap in estimation of average treatment effects, Biometrika
96:187-199): else every table with a number held would have such rows at its edge.
"""

from __future__ import annotations

import numpy as np

from engine.discovery.effects.design import Rows
from engine.independence.regressions import LogisticRegression

# Chance of a level below which it hardly occurs, and rows with the level that are enough all the same.
_SMALL_CHANCE = 0.02
_ENOUGH_ALIKE = 2
# A smaller share of the rows is the edge of what is held, about which no regression tells much.
_LEAST_SHARE = 0.02
# Fitted chances of rows that are alike differ by rounding.
_ROUNDING = 1e-6


def without_alike(codes: np.ndarray, at: np.ndarray, held: np.ndarray, rows: Rows) -> np.ndarray:
    """Tell for which rows hardly anybody alike has a level.

    Parameters
    ----------
    codes : ndarray of int, shape (rows,)
        Levels of the cause.
    at : ndarray of int
        Those that occur, ascending; two or more.
    held : ndarray of float64, shape (columns, rows)
        What is held, as the regression of the label holds it.
    rows : Rows

    Returns
    -------
    ndarray of bool, shape (levels, rows)
        Where the level is unlikely, and fewer than two rows that have it are as unlikely to; none where
        these rows are next to none.

    Examples
    --------
    Nobody of the second half, and every other one of the first, has the second level.

    >>> codes, second_half = np.array([0, 1] * 100 + [0, 0] * 100), np.repeat([[0.0, 1.0]], 200, axis=1)
    >>> rows = Rows(np.arange(400), None, None, False, 0)
    >>> without_alike(codes, np.array([0, 1]), second_half, rows).sum(axis=1).tolist()
    [0, 200]
    """
    if not len(held):
        return np.zeros((len(at), len(codes)), dtype=np.bool_)
    places = np.searchsorted(at, codes)
    regression = LogisticRegression(places, len(at), rows.shares * rows.worth)
    expected = regression.fit(np.vstack((np.ones((1, len(codes))), held))).expected
    chances = np.vstack((1.0 - expected.sum(axis=0), expected))
    found = np.empty(chances.shape, dtype=np.bool_)
    for place, chance in enumerate(chances):
        of_level = np.sort(chance[places == place])
        enough = float(of_level[_ENOUGH_ALIKE - 1]) if len(of_level) >= _ENOUGH_ALIKE else 1.0
        alone = chance < min(_SMALL_CHANCE, enough * (1.0 - _ROUNDING))
        found[place] = alone & (float(alone @ rows.shares) >= _LEAST_SHARE)
    return found
