"""Tables of which everything is known, for the tests of sizes."""

from __future__ import annotations

import numpy as np
import pandas

import engine


def expit(x: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-x))


def table(rows: int, seed: int, **kinds: bool) -> engine.Dataset:
    """A confounder z, a category c, a number x, labels of two levels, of three, and a number."""
    generator = np.random.default_rng(seed)
    z = generator.normal(size=rows)
    x = 0.6 * z + generator.normal(size=rows)
    c = (generator.random(rows) < expit(0.8 * z)).astype(int)
    score = -0.5 + 0.7 * x + 0.9 * c + 0.5 * z
    number = score + generator.normal(size=rows)
    three = (score + generator.logistic(size=rows) > 0).astype(int) + (generator.random(rows) < 0.3)
    frame = pandas.DataFrame(
        {
            "z": z,
            "x": x,
            "c": pandas.Categorical.from_codes(c, ["no", "yes"]),
            "two": pandas.Categorical.from_codes(
                (generator.random(rows) < expit(score)).astype(int), ["no", "yes"]
            ),
            "three": pandas.Categorical.from_codes(three, ["a", "b", "d"], ordered=True),
            "number": number,
            "w": generator.integers(1, 5, rows).astype(float),
            "g": generator.integers(0, rows // 4, rows),
        }
    )
    frame["g"] = frame["g"].astype(str)
    roles = {"weights": "w" if kinds.get("weights") else None, "groups": "g" if kinds.get("groups") else None}
    return engine.Dataset.from_frame(frame, labels=["two", "three", "number"], **roles)
