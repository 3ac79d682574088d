"""Columns of 21 to 100 categories: false findings where nothing is related, and a ward that matters.

Run by hand, from the project's folder::

    python -m tests.benchmarks.many_levels --levels 21 40 100 --tables 100 --first-seed 1000

*Null*: independent columns, of which three are of so many categories, evenly spread or skewed, beside
categories of a few levels, and in half of the tables numbers. Labels are yes/no, a number, or of so many
categories themselves. Counted are labels with a finding. *Ward*: a ward with so many levels, whose rates of
an outcome differ by a standard deviation of one on the logit scale, and eight columns that go along with
nothing. Counted is how often the ward is found, and false findings.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas

import engine

LEVELS = (21, 40, 70, 100)
LABELS = ("yes/no", "number", "many")
# Just as many rows for a category as are asked for, and twice as many.
ROWS_PER_LEVEL = (10, 20)
_SKEW = 0.7


def many(generator: np.random.Generator, levels: int, rows: int, skewed: bool) -> np.ndarray:
    """Draw names of categories, each at least twice."""
    shares = np.arange(1, levels + 1) ** (-_SKEW if skewed else 0.0)
    drawn = generator.choice(levels, rows, p=shares / shares.sum())
    drawn[: 2 * levels] = np.tile(np.arange(levels), 2)
    return np.char.add("level ", generator.permutation(drawn).astype(str))


def few(generator: np.random.Generator, levels: int, rows: int) -> np.ndarray:
    """Draw names of a few categories."""
    return np.char.add("kind ", generator.integers(levels, size=rows).astype(str))


def null_table(label: str, levels: int, rows: int, with_numbers: bool, seed: int) -> engine.Dataset:
    """Draw a table in which nothing is related."""
    generator = np.random.default_rng((seed, levels, rows, LABELS.index(label), with_numbers))
    drawn: dict[str, np.ndarray] = {
        "ward": many(generator, levels, rows, skewed=False),
        "street": many(generator, levels, rows, skewed=True),
        "doctor": many(generator, levels, rows, skewed=True),
        **{f"kind{place}": few(generator, 2 + place % 4, rows) for place in range(6)},
    }
    if with_numbers:
        drawn |= {f"number{place}": generator.normal(size=rows) for place in range(4)}
    if label == "number":
        drawn["outcome"] = generator.normal(size=rows)
    else:
        is_wide = label == "many"
        drawn["outcome"] = many(generator, levels, rows, True) if is_wide else few(generator, 2, rows)
    return engine.Dataset.from_frame(pandas.DataFrame(drawn), labels=["outcome"])


def ward_table(label: str, levels: int, rows: int, seed: int) -> engine.Dataset:
    """Draw a table in which the ward acts on the outcome."""
    generator = np.random.default_rng((seed, levels, rows, LABELS.index(label), 2))
    ward = many(generator, levels, rows, skewed=True)
    effects = dict(zip(np.unique(ward).tolist(), generator.normal(size=levels).tolist(), strict=True))
    score = np.array([effects[code] for code in ward.tolist()])
    if label == "number":
        outcome: np.ndarray = score + 2.0 * generator.normal(size=rows)
    else:
        outcome = np.where(generator.random(rows) < 1 / (1 + np.exp(-score)), "yes", "no")
    drawn: dict[str, np.ndarray] = {
        "ward": ward,
        **{f"kind{place}": few(generator, 2 + place % 4, rows) for place in range(4)},
        **{f"number{place}": generator.normal(size=rows) for place in range(4)},
        "outcome": outcome,
    }
    return engine.Dataset.from_frame(pandas.DataFrame(drawn), labels=["outcome"])


def found_in(table: engine.Dataset) -> set[str]:
    """Search a table, prepared as it is by default, and return what is linked to the outcome."""
    result = engine.discover(engine.prepare(table), engine.DiscoverySettings(workers=1), directions=False)
    return set(result.total_label_sets)


def null_counts(label: str, levels: int, rows: int, with_numbers: bool, seeds: Sequence[int]) -> Counter[str]:
    """Count labels with a finding."""
    counts: Counter[str] = Counter(labels=len(seeds))
    for seed in seeds:
        counts["found"] += bool(found_in(null_table(label, levels, rows, with_numbers, seed)))
    return counts


def ward_counts(label: str, levels: int, rows: int, seeds: Sequence[int]) -> Counter[str]:
    """Count how often the ward is found, and what is found besides."""
    counts: Counter[str] = Counter(tables=len(seeds))
    for seed in seeds:
        variables_found = found_in(ward_table(label, levels, rows, seed))
        counts["ward"] += "ward" in variables_found
        counts["false"] += len(variables_found - {"ward"})
    return counts


def main() -> None:
    """Print a line for each cell."""
    parser = argparse.ArgumentParser(description="Columns of many categories.")
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS)
    parser.add_argument("--labels", nargs="+", default=LABELS, choices=LABELS)
    parser.add_argument("--rows-per-level", type=int, nargs="+", default=ROWS_PER_LEVEL)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--parts", nargs="+", default=["null", "ward"], choices=["null", "ward"])
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.tables)
    print("| part | outcome | numbers | levels | rows | found | false | CPU s a table |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for levels in arguments.levels:
        for rows in (rows_per_level * levels for rows_per_level in arguments.rows_per_level):
            for label in arguments.labels:
                if "null" in arguments.parts:
                    for with_numbers in (False, True):
                        started = time.process_time()
                        counts = null_counts(label, levels, rows, with_numbers, seeds)
                        seconds = (time.process_time() - started) / len(seeds)
                        false = f"{counts['found']} of {counts['labels']}"
                        line = ("null", label, "yes" if with_numbers else "no", levels, rows, "", false)
                        print(f"| {' | '.join(map(str, line))} | {seconds:.2f} |", flush=True)
                if "ward" in arguments.parts and label != "many":
                    started = time.process_time()
                    counts = ward_counts(label, levels, rows, seeds)
                    seconds = (time.process_time() - started) / len(seeds)
                    tables_found = f"{counts['ward']} of {counts['tables']}"
                    line = ("ward", label, "yes", levels, rows, tables_found, str(counts["false"]))
                    print(f"| {' | '.join(map(str, line))} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
