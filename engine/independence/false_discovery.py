"""Which of many tests are significant, as their p-values say together."""

from __future__ import annotations

import math

import numpy as np


def log_q_values(log_p: np.ndarray) -> np.ndarray:
    """Return the logarithms of the q-values (adjusted p-values) of Benjamini and Hochberg (1995)."""
    order = np.argsort(log_p)
    from_last = (log_p[order] + math.log(log_p.size) - np.log(np.arange(1, log_p.size + 1)))[::-1]
    adjusted = np.empty_like(log_p)
    adjusted[order] = np.minimum(np.minimum.accumulate(from_last), 0.0)[::-1]
    return adjusted


def discoveries(log_p: np.ndarray, alpha: float, control: str) -> np.ndarray:
    """Tell which tests are significant at `alpha` under a `control`: ``"bh"`` or ``"none"``.

    Benjamini and Hochberg (1995), Controlling the false discovery rate, J. R. Stat. Soc. B 57:289-300.
    """
    threshold = math.log(alpha)
    if control == "bh" and log_p.size:
        # No bound is above the level.
        ordered = np.sort(log_p[log_p <= threshold])
        bounds = threshold + np.log(np.arange(1, ordered.size + 1) / log_p.size)
        passing = np.flatnonzero(ordered <= bounds)
        threshold = ordered[passing[-1]] if passing.size else -np.inf
    return log_p <= threshold
