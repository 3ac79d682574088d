"""Precision and recall on tables of categories, and mixed ones, that the simulator does not make.

Run by hand, from the project's folder, with ``OPENBLAS_NUM_THREADS=1``::

    python -m tests.benchmarks.odd_categories --seeds 12
    python -m tests.benchmarks.odd_categories --seeds 4 --methods "as published" BIC told

Random graphs of 60 features (200 where the kind says so) and 5 labels, in which each variable has up to three
causes, 1.5 in the mean. Settings of the search were chosen on seeds from 1000 on.
"""

from __future__ import annotations

import argparse

from tests.benchmarks.odd_categories.methods import METHODS
from tests.benchmarks.odd_categories.outcomes import Counts, compared, shares
from tests.benchmarks.odd_categories.tables import KINDS, drawn


def _pooled(kind: str, rows: int, seeds: range, method: str) -> Counts | None:
    total = Counts()
    for seed in seeds:
        table = drawn(kind, seed, rows)
        findings = METHODS[method](table)
        if findings is None:
            return None
        total += compared(findings, table)
    return total


def _cells(counts: Counts | None) -> list[str]:
    """Write pairs; common and label-specific ones; directions right of those stated."""
    if counts is None:
        return [""] * 4
    return [
        shares(counts.found_true, counts.found_false, counts.missed),
        shares(counts.common_true, counts.common_false, counts.common_missed),
        shares(counts.specific_true, counts.specific_false, counts.specific_missed),
        f"{counts.right} of {counts.stated}",
    ]


def main() -> None:
    """Print a row for each kind, number of rows and method."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--rows", type=int, nargs="+", default=(300, 2000, 20_000))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=["defaults"])
    arguments = parser.parse_args()
    print("| kind | rows | method | pairs | common | label-specific | directions right | s |")
    print("| --- | ---: | --- | --- | --- | --- | --- | ---: |")
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    for kind in arguments.kinds:
        for rows in arguments.rows:
            for method in arguments.methods:
                counts = _pooled(kind, rows, seeds, method)
                seconds = "" if counts is None else f"{counts.seconds / arguments.seeds:.1f}"
                cells = [kind, f"{rows:,}", method, *_cells(counts), seconds]
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
