"""How often directions and their grades are right on six kinds of tables, by rows and by what may mislead.

Run by hand, from the project's folder, with ``OPENBLAS_NUM_THREADS=1``::

    python -m tests.benchmarks.direction_grades --rows 150 500 2000 --seeds 6
    python -m tests.benchmarks.direction_grades --rows 2000 --seeds 3 --trouble "hidden site"
    git worktree add --detach BEFORE f3cf583f
    cp tests/benchmarks/direction_*.py BEFORE/tests/benchmarks
    cd BEFORE && PYTHONPATH=. python -m tests.benchmarks.direction_grades --rows 500 --seeds 6

A direction is right where the network has that very arrow. A grade is true where every claim of it is,
of causes that are direct or not too. Settings were chosen on seeds from 100 to 499, 700 to 759, 5000 to
5002, and for categories on 20000 to 20003 and with ``odd_categories`` on 60 to 65.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

import engine
from engine.discovery.orientation.direction import ClaimKind, Direction, Grade, Orientation
from tests.benchmarks.direction_tables import KINDS, SHAPES, TROUBLES, Drawn, drawn

Counts = Counter[tuple[str, str]]


def count_of(table: Drawn, nothing_is_hidden: bool) -> Counts:
    """Search a table; count directions and grades, stated and right, by name."""
    dataset = engine.Dataset.from_frame(table.frame, labels=table.labels)
    result = engine.discover(engine.prepare(dataset, constant_labels="set-aside"))
    counts: Counts = Counter()
    met = set()
    for orientation in result.orientation_records.values():
        if frozenset(orientation.pair) in met:
            continue
        met.add(frozenset(orientation.pair))
        if orientation.direction is not Direction.UNDECIDED:
            arrow = orientation.pair if orientation.direction is Direction.CAUSE else orientation.pair[::-1]
            counts["directions", "stated"] += 1
            counts["directions", "right"] += arrow in table.edges
        if orientation.grade is not Grade.UNDECIDED:
            for name in ("grades", str(orientation.grade)):
                counts[name, "stated"] += 1
                counts[name, "right"] += _is_true(orientation, table, nothing_is_hidden)
    return counts


def _is_true(orientation: Orientation, table: Drawn, nothing_is_hidden: bool) -> bool:
    """Tell whether all that a grade says is true."""
    truth = table.truth
    if orientation.grade is Grade.HIDDEN_IN_COMMON and not truth.adjacent[frozenset(orientation.pair)]:
        return False
    return all(
        truth.causes(claim.cause, claim.effect) is (claim.kind is ClaimKind.CAUSE)
        if claim.kind is not ClaimKind.NOTHING_HIDDEN
        else truth.causes(claim.cause, claim.effect)
        and (nothing_is_hidden or truth.is_visible(claim.cause, claim.effect))
        for claim in orientation.claims
    )


def table_of(rows: int, seeds: range, kinds: list[str], shapes: list[str], trouble: str) -> Iterator[str]:
    """Give the rows of a table: directions and grades by kind, and all grades together."""
    everything: Counts = Counter()
    for kind in kinds:
        counts: Counts = Counter()
        for shape in shapes:
            for seed in seeds:
                counts += count_of(
                    drawn(kind, shape, seed, rows, trouble), trouble in ("none", "selected rows")
                )
        everything += counts
        yield f"| {rows} | {kind} | {_cell(counts, 'directions')} | {_cell(counts, 'grades')} |"
    yield f"| {rows} | all | {_cell(everything, 'directions')} | {_cell(everything, 'grades')} |"
    for grade in Grade:
        if everything[grade, "stated"]:
            yield f"| {rows} | {grade} | | {_cell(everything, str(grade))} |"


def _cell(counts: Counts, name: str) -> str:
    stated, right = counts[name, "stated"], counts[name, "right"]
    return f"{right} of {stated}, {right / stated:.3f}" if stated else "–"


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description="Directions and grades where every cause is known.")
    parser.add_argument("--rows", type=int, nargs="+", default=[500])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--trouble", choices=TROUBLES, default="none")
    given = parser.parse_args()
    print("| rows | kind or grade | directions right | grades true |")
    print("| --- | --- | --- | --- |")
    seeds = range(given.first_seed, given.first_seed + given.seeds)
    for rows in given.rows:
        for line in table_of(rows, seeds, given.kinds, given.shapes, given.trouble):
            print(line, flush=True)


if __name__ == "__main__":
    main()
