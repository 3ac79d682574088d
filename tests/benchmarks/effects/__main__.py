"""How often intervals of sizes hold the truth.

Run by hand, from the project's folder; what was measured before is read from the file and not made again::

    python -m tests.benchmarks.effects --networks 200 --out coverage.jsonl
    python -m tests.benchmarks.effects --networks 1000 --intervals 2000 --out coverage.jsonl

It prints the tables of ``tests/benchmarks/SIZES.md``. ``--cells`` and ``--estimands`` name some alone,
``--published`` draws tables of known networks, ``--intervals`` leaves a cell's estimand as soon as it has so
many, ``--unsplit`` measures in the rows that were searched, ``--first`` is the first network's seed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.effects.coverage import CELLS, ESTIMANDS, counted


class Case(NamedTuple):
    """The tables of one network."""

    cell: str
    seed: int
    tables: int
    rows: int
    unsplit: bool


class Record(NamedTuple):
    """What was counted in the tables of a network."""

    case: Case
    estimands: tuple[str, ...]
    counts: Counter[tuple[str, str, str]]

    def written(self) -> str:
        """Return a line of JSON."""
        counts = [[*key, number] for key, number in self.counts.items()]
        return json.dumps({"case": self.case, "estimands": self.estimands, "counts": counts})

    @classmethod
    def read(cls, line: str) -> Record:
        """Read a line of JSON."""
        record = json.loads(line)
        counts = Counter({tuple(key): number for *key, number in record["counts"]})
        return cls(Case(*record["case"]), tuple(record.get("estimands", ESTIMANDS)), counts)


def main() -> None:
    """Measure what is not measured yet, and print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=20)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--cells", nargs="*", default=list(CELLS))
    parser.add_argument("--estimands", nargs="*", choices=ESTIMANDS, default=list(ESTIMANDS))
    parser.add_argument("--intervals", type=int)
    parser.add_argument("--published", type=Path, help="folder of networks, which --cells names then")
    parser.add_argument("--unsplit", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.touch()
    records = [Record.read(line) for line in given.out.read_text().splitlines()]
    with given.out.open("a") as file:
        for seed in range(given.first, given.first + given.networks):
            for cell in given.cells:
                case = Case(cell, seed, given.tables, given.rows, given.unsplit)
                missing = still_missing(records, case, given.estimands, given.intervals)
                if not missing:
                    continue
                how = {"split": not case.unsplit, "estimands": missing, "folder": given.published}
                records.append(Record(case, missing, counted(cell, seed, case.tables, case.rows, **how)))
                file.write(records[-1].written() + "\n")
                file.flush()
    print(table(records))


def still_missing(
    records: Sequence[Record], case: Case, estimands: Iterable[str], intervals: int | None
) -> tuple[str, ...]:
    """Return the estimands that a case was not measured by, and of which its cell has too few intervals."""
    done = {estimand for record in records if record.case == case for estimand in record.estimands}
    of_cell = [record for record in records if record.case._replace(seed=case.seed) == case]

    def is_short(estimand: str) -> bool:
        interval_counts: Counter[str] = Counter()
        for record in of_cell:
            for (estimand_counted, measure, _), number in record.counts.items():
                interval_counts[measure] += number if estimand_counted == estimand else 0
        return intervals is None or max(interval_counts.values(), default=0) < intervals

    return tuple(estimand for estimand in estimands if estimand not in done and is_short(estimand))


def table(records: Iterable[Record]) -> str:
    """Write what was counted as a table in Markdown."""
    totals: dict[tuple[str, bool, str, str], Counter[str]] = {}
    for record in records:
        for (estimand, measure, what), number in record.counts.items():
            key = record.case.cell, record.case.unsplit, estimand, measure
            totals.setdefault(key, Counter())[what] += number
    lines = ["| cell | rows | estimand | measure | intervals | hold the truth |"]
    lines.append("| --- | --- | --- | --- | --: | --: |")
    for (cell, unsplit, estimand, measure), counts in totals.items():
        intervals = sum(counts.values())
        rows = "same" if unsplit else "split"
        held = counts["held"] / intervals
        lines.append(f"| {cell} | {rows} | {estimand} | {measure} | {intervals:,} | {held:.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
