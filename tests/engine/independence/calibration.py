"""Data in which independence is known to hold, and the bounds that chance sets on how often a test errs."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from engine.independence.arranging import make_test_data
from engine.independence.batch import ask
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

# The chance that a right program fails one comparison.
FAILURE = 1e-4
NO_STOP = np.zeros(1, dtype=np.uint8)


def most_rejections(replicates: int, alpha: float) -> int:
    """Largest number of rejections at a level that chance explains, when the level holds."""
    return int(stats.binom.isf(FAILURE, replicates, alpha))


def nominal(codes: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Number the values that occur from 0, as the program's tables have them."""
    values, numbered = np.unique(codes, return_inverse=True)
    return numbered, tuple(f"level {value}" for value in values)


def dataset_of(columns: dict[str, np.ndarray], labels: Sequence[str] = ()) -> Dataset:
    """Make a dataset: whole numbers are categories."""
    variables, values = [], []
    for name, column in columns.items():
        role = Role.LABEL if name in labels else Role.FEATURE
        if column.dtype.kind == "i":
            numbered, levels = nominal(column)
            variables.append(Variable(name, Kind.NOMINAL, role, levels))
            values.append(numbered)
        else:
            variables.append(Variable(name, Kind.CONTINUOUS, role))
            values.append(column)
    return Dataset(tuple(variables), tuple(values))


def dataset_of_frame(frame: pd.DataFrame, weight: str = "", groups: str = "") -> Dataset:
    """Make a table of a frame: integers are codes of levels."""
    variables, columns = [], []
    for name in frame:
        values = frame[name].to_numpy()
        if name in (weight, groups):
            variables.append(Variable(name, Kind.CONTINUOUS, Role.WEIGHT if name == weight else Role.GROUPS))
            values = values.astype(float)
        elif values.dtype.kind == "i":
            levels = tuple(str(level) for level in range(values.max() + 1))
            variables.append(Variable(str(name), Kind.NOMINAL, levels=levels))
        else:
            variables.append(Variable(str(name), Kind.CONTINUOUS))
        columns.append(values)
    return Dataset(tuple(variables), tuple(columns))


def draw(generator: np.random.Generator, kind: Kind, strength: np.ndarray, levels: int) -> np.ndarray:
    """Draw a column that depends on `strength` alone, row by row."""
    if kind is Kind.CONTINUOUS:
        noise: np.ndarray = strength + generator.normal(size=strength.size)
        return noise
    # Each level's chance follows a logistic law of the strength.
    steps = np.arange(levels) * strength[:, np.newaxis] * 0.6
    chances = np.exp(steps) / np.exp(steps).sum(axis=1, keepdims=True)
    drawn = (generator.random((strength.size, 1)) > np.cumsum(chances, axis=1)).sum(axis=1)
    return np.minimum(drawn, levels - 1)


@functools.lru_cache(maxsize=12)
def conditionally_independent(
    kinds: tuple[Kind, Kind, Kind], size: int, rows: int, replicates: int, seed: int
) -> Dataset:
    """Make many pairs of variables that depend on a shared set of `size` variables, and only through it.

    Parameters
    ----------
    kinds : (Kind, Kind, Kind)
        Of x, y and the members of the set.
    size, rows, replicates, seed : int

    Returns
    -------
    Dataset
        Columns ``s0``, ``s1`` …, and ``x0``, ``y0``, ``x1`` …
    """
    generator = np.random.default_rng(seed)
    shared = [draw(generator, kinds[2], np.zeros(rows), 2 + place) for place in range(size)]
    strength = sum((column - column.mean() for column in shared), np.zeros(rows))
    columns = {f"s{place}": column for place, column in enumerate(shared)}
    for replicate in range(replicates):
        columns[f"x{replicate}"] = draw(generator, kinds[0], strength, 2)
        columns[f"y{replicate}"] = draw(generator, kinds[1], -strength, 3)
    return dataset_of(columns)


def p_values(test: str, dataset: Dataset, size: int) -> np.ndarray:
    """Test every pair of :func:`conditionally_independent` given the shared set."""
    pairs = sum(name.startswith("x") for name in dataset.features)
    shared = tuple(f"s{place}" for place in range(size))
    return p_values_of(test, dataset, [(f"x{pair}", f"y{pair}", shared) for pair in range(pairs)])


def p_values_of(
    test: str, dataset: Dataset, questions: Sequence[tuple[str, str, tuple[str, ...]]], **options: str
) -> np.ndarray:
    """Test pairs of variables, each given a set."""
    data = make_test_data(dataset, test, **options).at_level(0.05)
    at = data.positions
    numbered = [(at[x], at[y], tuple(at[variable] for variable in given)) for x, y, given in questions]
    p: np.ndarray = np.exp(ask(data, numbered, NO_STOP).log_p)
    return p
