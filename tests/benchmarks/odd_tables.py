"""Precision and recall on tables that the simulator does not make: counts, grades, copies, steps, products.

Run by hand, from the project's folder, with ``OPENBLAS_NUM_THREADS=1``::

    python -m tests.benchmarks.odd_tables --seeds 10
    python -m tests.benchmarks.odd_tables --seeds 10 --number-labels
    git worktree add --detach BEFORE COMMIT && cp tests/benchmarks/odd_tables.py BEFORE/tests/benchmarks
    cd BEFORE && PYTHONPATH=. python -m tests.benchmarks.odd_tables --seeds 10

Random graphs of 60 features and 5 labels of two levels, in which each variable has up to three causes, 1.5 in
the mean. Effects are strong, 0.6 to 1.2 standard deviations a cause, so that nearly everything depends on
nearly everything and some labels are decided by their boundary: that is where a search by tests has its
difficulties. With ``--number-labels`` labels are numbers, made as features are. Settings of the search were
chosen on seeds from 1000 on.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import numpy as np
import pandas

import engine

FEATURES, LABELS = 60, 5
_VARIABLES = FEATURES + LABELS
_MOST_CAUSES, _MEAN_CAUSES = 3, 1.5

Generator = np.random.Generator
# Makes a feature of what its causes add up to.
Mechanism = Callable[[Generator, np.ndarray], np.ndarray]


def _noise(generator: Generator, like: np.ndarray, size: float = 0.7) -> np.ndarray:
    return size * generator.normal(size=len(like))


def _graded(generator: Generator, total: np.ndarray) -> np.ndarray:
    value = total + _noise(generator, total, 0.8)
    return np.digitize(value, np.quantile(value, (0.15, 0.4, 0.7, 0.9))).astype(float)


def _overdispersed(generator: Generator, total: np.ndarray) -> np.ndarray:
    mean = np.exp(np.clip(0.7 * total + 1.0, -4.0, 5.0))
    return generator.poisson(mean * generator.gamma(1.0, 1.0, len(total))).astype(float)


def _with_zeros(generator: Generator, total: np.ndarray) -> np.ndarray:
    is_zero = generator.random(len(total)) < 0.5 * (total < 0.0) + 0.2
    return np.where(is_zero, 0.0, np.exp(0.7 * total + _noise(generator, total, 0.5)))


def _two_humps(generator: Generator, total: np.ndarray) -> np.ndarray:
    humps = np.where(generator.random(len(total)) < 0.5, -1.5, 1.5)
    return total + humps + _noise(generator, total, 0.4)


MECHANISMS: Mapping[str, Mechanism] = {
    "straight lines": lambda g, total: total + _noise(g, total),
    "counts": lambda g, total: g.poisson(np.exp(np.clip(0.6 * total + 0.5, -4.0, 4.0))).astype(float),
    "overdispersed counts": _overdispersed,
    "five grades": _graded,
    "many zeros": _with_zeros,
    "noise grows with the mean": lambda g, total: (
        total + _noise(g, total, 1.0) * np.exp(0.5 * _scaled(total))
    ),
    "two humps": _two_humps,
    "lognormal": lambda g, total: np.exp(total + _noise(g, total)),
    "rounded": lambda g, total: np.round(total + _noise(g, total)),
    "floor and ceiling": lambda g, total: np.clip(total + _noise(g, total), -1.0, 1.0),
    "Cauchy noise": lambda g, total: total + 0.5 * g.standard_cauchy(len(total)),
}
# As straight lines, but: a third of the features has a copy with 15 % of noise, which is in no graph; or a
# label is there in one row of twenty.
COPIES, RARE = "noisy copies", "rare labels"
# As straight lines, but: a number acts by steps, one or three of them; or two causes act together as well.
STEP, STAIRS, PRODUCTS = "steps", "stairs", "products"
KINDS = (*MECHANISMS, COPIES, RARE, STEP, STAIRS, PRODUCTS)


def _scaled(values: np.ndarray) -> np.ndarray:
    spread = values.std()
    scaled: np.ndarray = (values - values.mean()) / (spread if spread > 0.0 else 1.0)
    return scaled


def _summed(kind: str, generator: Generator, causes: list[np.ndarray], rows: int) -> np.ndarray:
    """Add up causes, each with 0.6 to 1.2 standard deviations, up or down."""
    parts = causes
    if kind in (STEP, STAIRS):
        parts = [_stepped(generator, cause, 1 if kind == STEP else 3) for cause in causes]
    elif kind == PRODUCTS and len(causes) > 1:
        parts = [*causes, _scaled(causes[0]) * _scaled(causes[1])]
    total = np.zeros(rows)
    for part in parts:
        total += generator.choice((-1.0, 1.0)) * generator.uniform(0.6, 1.2) * _scaled(part)
    return total


def _stepped(generator: Generator, cause: np.ndarray, steps: int) -> np.ndarray:
    """Cut a number at as many places as it has steps; two levels stay."""
    if len(np.unique(cause)) <= 2:
        return cause
    stepped: np.ndarray = np.digitize(cause, np.sort(np.quantile(cause, generator.uniform(0.2, 0.8, steps))))
    return stepped


def _random_graph(generator: Generator) -> tuple[np.ndarray, list[list[int]]]:
    """Draw an order of the variables, and the causes of each."""
    order = generator.permutation(_VARIABLES)
    causes: list[list[int]] = [[] for _ in range(_VARIABLES)]
    for position in range(1, _VARIABLES):
        count = min(position, generator.binomial(_MOST_CAUSES, _MEAN_CAUSES / _MOST_CAUSES))
        causes[order[position]] = generator.choice(order[:position], count, replace=False).tolist()
    return order, causes


def _boundary(causes: list[list[int]], target: int) -> set[int]:
    children = [node for node in range(_VARIABLES) if target in causes[node]]
    return ({*causes[target], *children, *(cause for child in children for cause in causes[child])}) - {
        target
    }


def drawn(
    kind: str, seed: int, rows: int, *, number_labels: bool = False
) -> tuple[pandas.DataFrame, dict[str, set[str]]]:
    """Draw a table and the features in the boundary of each label.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    seed, rows : int
    number_labels : bool
        Labels are made as features are, and have no levels.
    """
    generator = np.random.default_rng([KINDS.index(kind), seed])
    order, causes = _random_graph(generator)
    labels = set(generator.choice(_VARIABLES, LABELS, replace=False).tolist())
    mechanism = MECHANISMS.get(kind, MECHANISMS["straight lines"])
    values = np.zeros((_VARIABLES, rows))
    for variable in order:
        total = _summed(kind, generator, [values[cause] for cause in causes[variable]], rows)
        if variable in labels and not number_labels:
            score = total + _noise(generator, total, 0.8)
            values[variable] = score > np.quantile(score, 0.95 if kind == RARE else 0.6)
        else:
            values[variable] = mechanism(generator, total)
    names = [f"{'L' if node in labels else 'F'}{node}" for node in range(_VARIABLES)]
    columns = {name: column for name, column in zip(names, values, strict=True) if name[0] == "F"}
    if kind == COPIES:
        for name in list(columns)[::3]:
            columns[f"C{name}"] = columns[name] + _noise(generator, total, 0.15 * columns[name].std())
    columns |= {
        names[label]: values[label] if number_labels else np.where(values[label] > 0.0, "yes", "no")
        for label in sorted(labels)
    }
    truth = {
        names[label]: {names[neighbour] for neighbour in _boundary(causes, label) if neighbour not in labels}
        for label in labels
    }
    return pandas.DataFrame(columns), truth


def compared(kind: str, seed: int, rows: int, number_labels: bool) -> tuple[int, int, int]:
    """Search a table by default; count pairs of a feature and a label: right, wrong and missed."""
    frame, truth = drawn(kind, seed, rows, number_labels=number_labels)
    result = engine.discover(engine.prepare(engine.Dataset.from_frame(frame, labels=list(truth))))
    pairs = {(feature, label) for feature, labels in result.label_sets.items() for label in labels}
    true = {(feature, label) for label, features in truth.items() for feature in features}
    pairs = {pair for pair in pairs if pair[0] not in truth}
    return len(pairs & true), len(pairs - true), len(true - pairs)


def main() -> None:
    """Print precision and recall of each kind."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--rows", type=int, nargs="+", default=(500, 2000))
    parser.add_argument("--number-labels", action="store_true")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    arguments = parser.parse_args()
    print(f"| precision / recall | {' | '.join(f'{rows} rows' for rows in arguments.rows)} |")
    print(f"| --- |{' --- |' * len(arguments.rows)}")
    for kind in arguments.kinds:
        cells = []
        for rows in arguments.rows:
            seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
            right, wrong, missed = np.sum(
                [compared(kind, seed, rows, arguments.number_labels) for seed in seeds], axis=0
            )
            cells.append(f"{right / max(right + wrong, 1):.2f} / {right / max(right + missed, 1):.2f}")
        print(f"| {kind} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
