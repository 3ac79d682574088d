"""A table like those of annotated music: many related labels, few rows, continuous features.

Sizes are those of CAL500 (Turnbull, Barrington, Torres and Lanckriet 2008, Semantic annotation and retrieval
of music and sound effects, IEEE TASLP 16:467-476): 502 songs, 174 words of which a song has about 26, and
68 numbers that describe its sound.

The recipe: six hidden traits of each song are independent standard normal numbers. A label is given where a
normal number exceeds a threshold; one to three traits, drawn for each label, make up 60 % of its variance,
the rest is its own. Its share of songs follows a Beta(0.8, 4.5) distribution, scaled to the wanted labels a
song and cut to 1 to 90 %. Three features in four are the sum of one or two traits, up to two labels and
normal noise as large as all of these. The others are noise.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

_TRAITS = 6
_EXPLAINED = 0.6
_INFORMATIVE = 0.75


def music_table(
    rows: int = 502, labels: int = 174, features: int = 68, labels_a_row: float = 26.0, seed: int = 0
) -> Dataset:
    """Draw such a table.

    Parameters
    ----------
    rows, labels, features : int
        Its size.
    labels_a_row : float
        How many labels a row has on average, roughly.
    seed : int
        The same number gives the same table.

    Returns
    -------
    Dataset
        Nominal labels and continuous features, not yet prepared.

    Examples
    --------
    >>> table = music_table()
    >>> given = sum(int(table.column(label).sum()) for label in table.labels)
    >>> 24 < given / table.row_count < 28
    True
    """
    generator = np.random.default_rng(seed)
    traits = generator.standard_normal((rows, _TRAITS))
    loadings = np.array([_few(generator, _TRAITS, 3) for _ in range(labels)])
    own = generator.standard_normal((rows, labels))
    leaning = np.sqrt(_EXPLAINED) * traits @ loadings.T + np.sqrt(1.0 - _EXPLAINED) * own
    shares = generator.beta(0.8, 4.5, size=labels)
    shares = np.clip(shares * labels_a_row / shares.sum(), 0.01, 0.9)
    given = (leaning > norm.isf(shares)).astype(np.int8)
    columns = [_feature(generator, traits, given) for _ in range(features)]
    described = [
        *(Variable(f"word{place}", Kind.NOMINAL, Role.LABEL, levels=("0", "1")) for place in range(labels)),
        *(Variable(f"sound{place}", Kind.CONTINUOUS, Role.FEATURE) for place in range(features)),
    ]
    return Dataset(tuple(described), (*given.T, *columns))


def _few(generator: np.random.Generator, count: int, most: int) -> np.ndarray:
    """Draw weights of length 1 in which at most so many differ from zero."""
    weights = np.zeros(count)
    chosen = generator.choice(count, generator.integers(1, most + 1), replace=False)
    weights[chosen] = generator.standard_normal(len(chosen))
    unit: np.ndarray = weights / np.linalg.norm(weights)
    return unit


def _feature(generator: np.random.Generator, traits: np.ndarray, given: np.ndarray) -> np.ndarray:
    noise = generator.standard_normal(len(traits))
    if generator.random() > _INFORMATIVE:
        return noise
    signal = traits @ _few(generator, _TRAITS, 2)
    for label in generator.choice(given.shape[1], generator.integers(0, 3), replace=False):
        signal = signal + 0.7 * given[:, label]
    measured: np.ndarray = signal / signal.std() + noise
    return measured
