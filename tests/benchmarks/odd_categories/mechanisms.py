"""How a variable follows from its causes: levels, as integers from 0 on, or numbers.

Each mechanism draws what it is made of from one generator, and chance from another, so that further rows of
the same network can be drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Generator = np.random.Generator
# Draws a variable: what it is made of, chance, its causes, rows.
Mechanism = Callable[[Generator, Generator, Sequence[np.ndarray], int], np.ndarray]


def scaled(values: np.ndarray) -> np.ndarray:
    """Return values of mean 0 and variance 1; of the codes of levels, too."""
    spread = values.std()
    result: np.ndarray = (values - values.mean()) / (spread if spread > 0.0 else 1.0)
    return result


def summed(structure: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Add up causes, each with 0.6 to 1.2 standard deviations, up or down; of levels the codes count."""
    total = np.zeros(rows)
    for cause in causes:
        total += structure.choice((-1.0, 1.0)) * structure.uniform(0.6, 1.2) * scaled(cause)
    return total


def cancelling(structure: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Add up causes such that the first one and the sum are not correlated, if others go along with it."""
    if len(causes) < 2:
        return summed(structure, causes, rows)
    first, rest = scaled(causes[0]), summed(structure, causes[1:], rows)
    weight = -float(np.mean(first * rest))
    return rest + weight * first


def graded(levels: int, add: Callable[..., np.ndarray] = summed) -> Mechanism:
    """Cut a sum with normal noise at uneven steps: ordered levels (ordinal probit)."""

    def draw(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
        total = add(structure, causes, rows) + 0.8 * chance.normal(size=rows)
        shares = structure.dirichlet(np.full(levels, 4.0))
        return np.digitize(total, np.quantile(total, np.cumsum(shares)[:-1]))

    return draw


def rare(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Draw two levels, of which one is there in 2 to 10 % of the rows (logistic)."""
    total = summed(structure, causes, rows) + 0.5 * chance.logistic(size=rows)
    return (total > np.quantile(total, 1.0 - structure.uniform(0.02, 0.1))).astype(np.int64)


def log_odds(fewest: int, most: int, size: float = 1.2, skew: float = 0.3) -> Mechanism:
    """Draw levels without order, whose log-odds are sums over causes: main effects alone."""

    def draw(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
        levels = int(structure.integers(fewest, most + 1))
        scores = np.tile(structure.normal(0.0, skew, levels), (rows, 1))
        for cause in causes:
            if cause.dtype.kind == "i":
                # As many levels as can occur, so that what is made does not hang on which do.
                effects = structure.normal(0.0, size, (16, levels))
                scores += effects[cause]
            else:
                scores += np.outer(scaled(cause), structure.normal(0.0, size, levels))
        scores += chance.gumbel(size=scores.shape)
        return scores.argmax(axis=1)

    return draw


def noisy_or(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Draw a gate that any cause may open, and each may fail to."""
    closed = np.full(rows, structure.uniform(0.8, 0.95) if causes else structure.uniform(0.5, 0.8))
    for cause in causes:
        closed *= np.where(cause > 0, structure.uniform(0.15, 0.6), 1.0)
    return (chance.random(rows) > closed).astype(np.int64)


def noisy_and(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Draw a gate that all causes together open."""
    opened = np.full(rows, structure.uniform(0.85, 0.97) if causes else structure.uniform(0.5, 0.8))
    for cause in causes:
        opened *= np.where(cause > 0, 1.0, structure.uniform(0.1, 0.5))
    return (chance.random(rows) < opened).astype(np.int64)


def conditional_table(concentration: float) -> Mechanism:
    """Draw a distribution for each combination of causes: nearly fixed where the concentration is small."""

    def draw(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
        levels = int(structure.integers(2, 5))
        of_row = np.zeros(rows, dtype=np.int64)
        for cause in causes:
            of_row = of_row * 4 + cause
        shares = structure.dirichlet(np.full(levels, concentration if causes else 4.0), 4 ** len(causes))
        above = chance.random((rows, 1)) > np.cumsum(shares, axis=1)[of_row, :-1]
        return above.sum(axis=1)

    return draw


def nearly_decided(
    structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int
) -> np.ndarray:
    """Count causes, up to two, but for 4 % of the rows."""
    by_chance = np.searchsorted(np.cumsum(structure.dirichlet(np.full(3, 4.0)))[:-1], chance.random(rows))
    if not causes:
        return by_chance
    total = np.minimum(np.sum([cause > 0 for cause in causes], axis=0), 2)
    return np.where(chance.random(rows) < 0.04, by_chance, total)


def line(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Draw a number: a sum over causes, each level of a category with an effect of its own, and noise."""
    total = np.zeros(rows)
    for cause in causes:
        if cause.dtype.kind == "i":
            total += structure.normal(0.0, 0.9, 16)[cause]
        else:
            total += structure.choice((-1.0, 1.0)) * structure.uniform(0.6, 1.2) * scaled(cause)
    return total + 0.8 * chance.normal(size=rows)


def curve(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Draw a number that bends: causes that are numbers act by a square beside the line."""
    bent = [
        scaled(cause) + 0.6 * scaled(cause) ** 2 if cause.dtype.kind == "f" else cause for cause in causes
    ]
    return line(structure, chance, bent, rows)


def few_counts(
    structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int
) -> np.ndarray:
    """Draw counts of which most are 0 to 3."""
    total = summed(structure, causes, rows)
    return chance.poisson(np.exp(np.clip(0.6 * total - 0.2, -4.0, 3.0))).astype(np.float64)


def either(first: Mechanism, second: Mechanism) -> Mechanism:
    """Draw by one of two mechanisms, one half of the variables by each."""

    def draw(structure: Generator, chance: Generator, causes: Sequence[np.ndarray], rows: int) -> np.ndarray:
        return (first if structure.random() < 0.5 else second)(structure, chance, causes, rows)

    return draw


def coarser(values: np.ndarray) -> np.ndarray:
    """Join neighbouring levels, two and two."""
    return values // 2
