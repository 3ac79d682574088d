"""Benjamini-Hochberg control of the share of false discoveries, on the log scale."""

from __future__ import annotations

import math

import numpy as np


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
        ordered = np.sort(log_p)
        bounds = threshold + np.log(np.arange(1, log_p.size + 1) / log_p.size)
        passing = np.flatnonzero(ordered <= bounds)
        threshold = ordered[passing[-1]] if passing.size else -np.inf
    significant: np.ndarray = log_p <= threshold
    return significant
