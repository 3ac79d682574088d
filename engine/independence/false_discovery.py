"""Which of many tests are significant, as their p-values say together."""

from __future__ import annotations

import math

import numpy as np


def log_q_values(log_p: np.ndarray) -> np.ndarray:
    """Return the least levels at which tests are discoveries when the share of false ones is controlled.

    Parameters
    ----------
    log_p : ndarray of float64, shape (tests,)
        Natural logarithms of the p-values of a family of tests.

    Returns
    -------
    ndarray of float64, shape (tests,)
        Natural logarithms of the q-values, or adjusted p-values, of Benjamini and Hochberg (1995).

    Examples
    --------
    >>> np.exp(log_q_values(np.log([0.01, 0.5, 0.03]))).round(3).tolist()
    [0.03, 0.5, 0.045]
    """
    order = np.argsort(log_p)
    from_last = (log_p[order] + math.log(log_p.size) - np.log(np.arange(1, log_p.size + 1)))[::-1]
    found = np.empty_like(log_p)
    found[order] = np.minimum(np.minimum.accumulate(from_last), 0.0)[::-1]
    return found


def discoveries(log_p: np.ndarray, alpha: float, control: str) -> np.ndarray:
    """Tell which tests are significant.

    Parameters
    ----------
    log_p : ndarray of float64, shape (tests,)
        Natural logarithms of the p-values.
    alpha : float
        Level: of each test, or of the share of false discoveries.
    control : str
        ``"bh"`` (Benjamini and Hochberg 1995, Controlling the false discovery rate, J. R. Stat. Soc. B
        57:289-300) or ``"none"``.

    Returns
    -------
    ndarray of bool, shape (tests,)

    Examples
    --------
    >>> discoveries(np.log([0.001, 0.02, 0.04, 0.9]), 0.05, "bh").tolist()
    [True, True, False, False]
    """
    threshold = math.log(alpha)
    if control == "bh" and log_p.size:
        # No bound is above the level.
        ordered = np.sort(log_p[log_p <= threshold])
        bounds = threshold + np.log(np.arange(1, ordered.size + 1) / log_p.size)
        passing = np.flatnonzero(ordered <= bounds)
        threshold = ordered[passing[-1]] if passing.size else -np.inf
    significant: np.ndarray = log_p <= threshold
    return significant
