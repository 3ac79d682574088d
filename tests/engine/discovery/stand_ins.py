"""Tables of a label, its cause and a stand-in for the cause: true equivalents, and copies with errors."""

from __future__ import annotations

import numpy as np
import pandas

import engine


def proxy(rows: int, altered: float, seed: int) -> engine.Dataset:
    """Draw a stand-in that is the cause with a share of the rows altered to another level.

    The cause has two to four levels and any strength.
    """
    generator = np.random.default_rng((seed, rows))
    levels, cause = _classes(generator, rows)
    moved = (cause + generator.integers(1, levels, rows)) % levels
    stand_in = np.where(generator.random(rows) < altered, moved, cause)
    return _table(generator, levels, cause, cause, stand_in)


def drawn_within_a_class(rows: int, seed: int) -> engine.Dataset:
    """Draw cause and stand-in within a class on which alone the label depends: neither copies the other."""
    generator = np.random.default_rng((seed, rows))
    levels, cause = _classes(generator, rows)
    first, second = (2 * cause + generator.integers(0, 2, rows) for _ in range(2))
    return _table(generator, levels, cause, first, second)


def _classes(generator: np.random.Generator, rows: int) -> tuple[int, np.ndarray]:
    levels = int(generator.integers(2, 5))
    return levels, generator.choice(levels, rows, p=generator.dirichlet(np.full(levels, 5.0)))


def _table(
    generator: np.random.Generator, levels: int, acting: np.ndarray, cause: np.ndarray, stand_in: np.ndarray
) -> engine.Dataset:
    chances = 0.05 + np.linspace(0.0, 1.0, levels) * generator.uniform(0.5, 0.9)
    columns = {"label": (generator.random(rows := len(acting)) < chances[acting]).astype(int)}
    columns |= {"cause": cause, "stand-in": stand_in}
    columns |= {f"other {number}": generator.integers(0, 3, rows) for number in range(5)}
    return engine.Dataset.from_frame(pandas.DataFrame(columns).astype(str), labels=["label"])
