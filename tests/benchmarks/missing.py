"""Tests and sizes where 30 % of the cells are missing at random: multiple imputation beside the other ways.

Each table has three parts of four columns. In each, z acts on x and on y, and a, which is never missing,
comes of x and y. Of x, y and z 30 % are missing, and whether they are depends on a. So rows that are complete
in x, y and z are chosen by an effect of x and y, and in these x and y go together given z where they do not.
In two of the parts x and y are independent given z, in the third x acts on y.

    python -m tests.benchmarks.missing --tables 80 --first-seed 5000
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import expit
from scipy.stats import f

import engine
from engine.discovery.effects.all_effects import adjusted_association
from engine.discovery.effects.estimates import Measure
from engine.table.variable import Kind, Role, Variable

ROWS = 500
PARTS = 3
SHARE = 0.3
ALPHA = 0.05
DRAWS = 10
IMPUTED = "10 draws"

Columns = dict[str, tuple[np.ndarray, int]]


def categories(random: np.random.Generator, rows: int, strength: float) -> Columns:
    z = random.integers(0, 3, rows)
    x = _level(random, np.array([-0.8, 0.0, 0.8])[z][:, np.newaxis] * np.array([0.0, 0.7, 1.4]))
    y = _level(random, (np.array([0.8, -0.2, -0.8])[z] + strength * (x - 1))[:, np.newaxis] * [0.0, 1.2])
    a = _level(random, (1.2 * (x - 1) + 1.6 * (y - 0.5))[:, np.newaxis] * [0.0, 1.0])
    return {"z": (z, 3), "x": (x, 3), "y": (y, 2), "a": (a, 2)}


def numbers(random: np.random.Generator, rows: int, strength: float) -> Columns:
    z = random.normal(size=rows)
    x = z + 0.4 * (z**2 - 1.0) + random.normal(size=rows)
    y = -0.8 * z + 0.3 * strength * x + random.normal(size=rows)
    a = 0.8 * x + 0.8 * y + random.normal(size=rows)
    return {"z": (z, 0), "x": (x, 0), "y": (y, 0), "a": (a, 0)}


def mixed(random: np.random.Generator, rows: int, strength: float) -> Columns:
    z = random.normal(size=rows)
    x = _level(random, z[:, np.newaxis] * np.array([0.0, 0.8, 1.6]))
    y = z + 0.5 * strength * (x - 1) + random.normal(size=rows)
    a = 0.8 * (x - 1) + 0.8 * y + random.normal(size=rows)
    return {"z": (z, 0), "x": (x, 3), "y": (y, 0), "a": (a, 0)}


def skewed(random: np.random.Generator, rows: int, strength: float) -> Columns:
    z = random.normal(size=rows)
    x = np.exp(0.5 * (z + random.normal(size=rows))).round(2)
    y = -0.8 * z + 0.3 * strength * x + random.normal(size=rows)
    a = np.exp(0.3 * (x + y + random.normal(size=rows))).round(2)
    return {name: (column, 0) for name, column in zip("zxya", (z, x, y, a), strict=True)}


def counts(random: np.random.Generator, rows: int, strength: float) -> Columns:
    z = random.poisson(2.0, rows)
    x = random.poisson(np.exp(0.2 * z))
    y = random.poisson(np.exp(1.2 - 0.15 * z + 0.06 * strength * x))
    a = random.poisson(np.exp(0.2 * np.minimum(x, 8) + 0.15 * np.minimum(y, 8)))
    return {name: (column.astype(np.float64), 0) for name, column in zip("zxya", (z, x, y, a), strict=True)}


KINDS: dict[str, Callable[[np.random.Generator, int, float], Columns]] = {
    "categories": categories,
    "numbers": numbers,
    "mixed": mixed,
    "skewed": skewed,
    "counts": counts,
}


def _level(random: np.random.Generator, scores: np.ndarray) -> np.ndarray:
    """Draw levels whose log odds are given, of shape (rows, levels)."""
    reached = np.cumsum(np.exp(scores), axis=1)
    return (random.random((len(scores), 1)) * reached[:, -1:] >= reached).sum(axis=1)


def table(kind: str, seed: int, rows: int = ROWS) -> tuple[engine.Dataset, engine.Dataset]:
    """Make a table, complete and with gaps."""
    random = np.random.default_rng([seed, list(KINDS).index(kind)])
    variables, complete, gappy = [], [], []
    for part in range(PARTS):
        columns = KINDS[kind](random, rows, 1.0 if part == PARTS - 1 else 0.0)
        cause = columns["a"][0].astype(np.float64)
        cause = (cause - cause.mean()) / cause.std()
        for name, (values, levels) in columns.items():
            role = Role.LABEL if name == "y" else Role.FEATURE
            names = tuple("pqrs"[:levels])
            variables.append(
                Variable(f"{name}{part}", Kind.NOMINAL if levels else Kind.CONTINUOUS, role, names)
            )
            complete.append(values)
            holes = values.copy()
            if name != "a":
                slope = 1.5 if name != "z" else -1.0
                gaps = random.random(rows) < expit(np.log(SHARE / (1.0 - SHARE)) - 0.2 + slope * cause)
                holes[gaps] = -1 if levels else np.nan
            gappy.append(holes)
    return tuple(engine.Dataset(tuple(variables), tuple(columns)) for columns in (complete, gappy))  # type: ignore[return-value]


def d2(statistics: np.ndarray, dof: float) -> float:
    """Return p by the rule D2 of Li, Meng, Raghunathan and Rubin (1991)."""
    draws = len(statistics)
    relative = (1.0 + 1.0 / draws) * np.sqrt(statistics).var(ddof=1)
    value = (statistics.mean() / dof - (draws + 1) / (draws - 1) * relative) / (1.0 + relative)
    denominator = dof ** (-3.0 / draws) * (draws - 1) * (1.0 + 1.0 / relative) ** 2
    return float(f.sf(max(value, 0.0), dof, denominator))


def with_draws(dataset: engine.Dataset, draws: int) -> engine.Dataset:
    """Keep the first draws."""
    imputed = dataset.imputed
    values = {name: drawn_values[:draws] for name, drawn_values in imputed.values.items()}
    return dataset.with_imputed(replace(imputed, draws=draws, values=values))


Tables = dict[str, engine.Dataset]


def tested(kind: str, tables: Tables, part: int) -> dict[str, bool]:
    """Say by each way whether x and y of a part are called dependent given z."""
    test = "g2" if kind == "categories" else "basis"
    question = (f"x{part}", f"y{part}", [f"z{part}"])
    p_values = {name: engine.ci_test(test, dataset, *question).p_value for name, dataset in tables.items()}
    imputed = tables[IMPUTED]
    draws = [engine.ci_test(test, imputed.completed(draw), *question) for draw in range(DRAWS)]
    dof = float(np.mean([draw.dof for draw in draws]))
    p_values["one draw"] = draws[0].p_value
    p_values["10 draws, D2"] = d2(np.array([draw.statistic for draw in draws]), dof)
    p_values["5 draws"] = engine.ci_test(test, with_draws(imputed, 5), *question).p_value
    return {name: p < ALPHA for name, p in p_values.items()}


def size(dataset: engine.Dataset, part: int) -> tuple[float, float, float]:
    """Measure y by x with z held: the slope of a number, or level r against level p."""
    association = adjusted_association(dataset, f"x{part}", f"y{part}", [f"z{part}"])
    for contrast in association.contrasts:
        if contrast.measure is Measure.SLOPE:
            return contrast.estimate, contrast.low, contrast.high
        if contrast.measure in (Measure.RATE_DIFFERENCE, Measure.MEAN_DIFFERENCE):
            if (contrast.at, contrast.reference) == ("r", "p"):
                return contrast.estimate, contrast.low, contrast.high
            if (contrast.at, contrast.reference) == ("p", "r"):
                return -contrast.estimate, -contrast.high, -contrast.low
    return np.nan, np.nan, np.nan


def proof(kinds: list[str], tables: int, first_seed: int) -> None:
    """Print how often x and y are called dependent, and how often intervals hold the truth."""
    print("| table | way | level at .05 | power | intervals that hold the truth | their width |")
    print("|---|---|---:|---:|---:|---:|")
    for kind in kinds:
        large = table(kind, 10**6, rows=100_000)[0]
        truth = [size(large, part)[0] for part in range(PARTS)]
        rejected: dict[str, dict[bool, list[bool]]] = {}
        held: dict[str, list[tuple[bool, float]]] = {}
        for seed in range(first_seed, first_seed + tables):
            complete, gappy = table(kind, seed)
            imputed = engine.prepare(gappy, missing="imputed", imputations=DRAWS, imputation_seed=seed)
            filled = engine.prepare(gappy, missing="most-frequent")
            ways = {"complete": complete, "per test": gappy, "filled in": filled, IMPUTED: imputed}
            for part in range(PARTS):
                for name, is_dependent in tested(kind, ways, part).items():
                    rejections = rejected.setdefault(name, {False: [], True: []})
                    rejections[part == PARTS - 1].append(is_dependent)
                for name, dataset in ways.items():
                    _, low, high = size(dataset, part)
                    # Where another level is the reference, nothing compares these two.
                    if not np.isnan(low):
                        held.setdefault(name, []).append((low <= truth[part] <= high, high - low))
        for name, rejections in rejected.items():
            line = [kind, name, f"{np.mean(rejections[False]):.3f}", f"{np.mean(rejections[True]):.3f}"]
            covered, width = np.mean(held[name], axis=0) if name in held else (np.nan, np.nan)
            line += [f"{covered:.3f}", f"{width:.2f}"] if name in held else ["", ""]
            print(f"| {' | '.join(line)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--tables", type=int, default=80)
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    proof(arguments.kinds, arguments.tables, arguments.first_seed)


if __name__ == "__main__":
    main()
