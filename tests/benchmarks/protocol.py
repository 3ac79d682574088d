"""The table of the paper's protocol, on which searches are timed."""

from __future__ import annotations

import functools

import engine
from engine.table.dataset import Dataset


@functools.cache
def paper_table(rows: int = 5000) -> Dataset:
    """Draw rows of 50 labels and 1000 features of 2 to 4 levels, with p_c = p_m = 0.5."""
    return engine.simulate(
        labels=50, features=1000, rows=rows, label_causality=0.5, multiple_boundaries=0.5, seed=0
    ).dataset
