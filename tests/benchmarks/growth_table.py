"""Tables of any size whose cost is to be measured, made without more memory than the table itself."""

from __future__ import annotations

import numpy as np

from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

GROUP = 3
_FLIPPED = 0.2
# How probable a label is with none, one or both of its causes.
_RISKS = np.array([0.1, 0.45, 0.9], dtype=np.float32)
_LEVELS = ("no", "yes")


def growth_table(rows: int, features: int, labels: int, seed: int = 0) -> Dataset:
    """Make a binary table in which each label has a cause of its own, a shared one and an effect.

    Features come in chains of three, each a noisy copy of the one before. Around each label there is as
    much to find in a small table as in a large one, so that what is measured is the size.

    Parameters
    ----------
    rows, features, labels : int
        At least nine features a label.
    seed : int
        Start of the random numbers.

    Returns
    -------
    Dataset
        Features first, then labels; all columns are rows of one block of int8.
    """
    if features < GROUP * GROUP * labels:
        raise ValueError(f"{labels} labels need at least {GROUP * GROUP * labels} features, not {features}.")
    codes = np.empty((features + labels, rows), dtype=np.int8)
    for first in range(0, features, GROUP):
        random = np.random.default_rng([seed, first])
        codes[first] = random.integers(0, 2, rows, dtype=np.int8)
        _extend_chain(codes, first, features, random)
    for label in range(labels):
        random = np.random.default_rng([seed, features + label])
        own, shared, effect = (GROUP * head for head in (3 * label, 3 * (label // 2) + 1, 3 * label + 2))
        risk = _RISKS[codes[own] + codes[shared]]
        codes[features + label] = random.random(rows, dtype=np.float32) < risk
        codes[effect] = _noisy(codes[features + label], random)
        _extend_chain(codes, effect, features, random)
    codes.setflags(write=False)
    names = [f"F{place}" for place in range(features)] + [f"L{place}" for place in range(labels)]
    variables = tuple(
        Variable(name, Kind.NOMINAL, Role.FEATURE if place < features else Role.LABEL, _LEVELS)
        for place, name in enumerate(names)
    )
    return Dataset(variables, tuple(codes), "growth")


def _extend_chain(codes: np.ndarray, first: int, features: int, random: np.random.Generator) -> None:
    for place in range(first + 1, min(first + GROUP, features)):
        codes[place] = _noisy(codes[place - 1], random)


def _noisy(codes: np.ndarray, random: np.random.Generator) -> np.ndarray:
    flipped: np.ndarray = codes ^ (random.random(len(codes), dtype=np.float32) < _FLIPPED)
    return flipped
