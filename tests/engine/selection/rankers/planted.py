"""Tables of which it is known what the labels depend on."""

from __future__ import annotations

import numpy as np


def planted(
    *, rows: int = 120, features: int = 20, labels: int = 3, noise: float = 0.3, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Give normal features and labels of which each depends on the feature in the same place."""
    source = np.random.default_rng(seed)
    values = source.normal(size=(rows, features))
    outcomes = values[:, :labels] + noise * source.normal(size=(rows, labels)) > 0.3
    return values, outcomes
