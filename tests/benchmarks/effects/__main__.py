"""How often intervals of sizes hold the truth.

Run by hand, from the project's folder; what was measured before is read from the file and not made again::

    python -m tests.benchmarks.effects --networks 200 --out coverage.jsonl

It prints what ``tests/benchmarks/SIZES.md`` sums up. ``--cells`` names some of the
cells alone, ``--unsplit`` measures in the rows that were searched, ``--first`` is the first network's seed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.benchmarks.effects.coverage import CELLS, counted


def main() -> None:
    """Measure what is not measured yet, and print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=20)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--cells", nargs="*", default=list(CELLS))
    parser.add_argument("--unsplit", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.touch()
    known = [json.loads(line) for line in given.out.read_text().splitlines()]
    done = {tuple(each["case"]) for each in known}
    with given.out.open("a") as file:
        for seed in range(given.first, given.first + given.networks):
            for cell in given.cells:
                case = (cell, seed, given.tables, given.rows, given.unsplit)
                if case in done:
                    continue
                counts = counted(cell, seed, given.tables, given.rows, split=not given.unsplit)
                record = {"case": case, "counts": [[*key, number] for key, number in counts.items()]}
                file.write(json.dumps(record) + "\n")
                file.flush()
    records = [json.loads(line) for line in given.out.read_text().splitlines()]
    print(table(records))


def table(records: Iterable[Mapping[str, object]]) -> str:
    """Write what was counted as a table in Markdown."""
    totals: dict[tuple[str, bool, str, str], Counter[str]] = {}
    for record in records:
        cell, _, _, _, unsplit = record["case"]
        for estimand, measure, what, number in record["counts"]:
            totals.setdefault((cell, unsplit, estimand, measure), Counter())[what] += number
    lines = ["| cell | rows | estimand | measure | intervals | hold the truth | below | above |"]
    lines.append("| --- | --- | --- | --- | --: | --: | --: | --: |")
    for (cell, unsplit, estimand, measure), counts in totals.items():
        made = sum(counts.values())
        below, above = (counts[what] / made for what in ("below", "above"))
        rows = "same" if unsplit else "split"
        held = counts["held"] / made
        shares = f"{held:.3f} | {below:.3f} | {above:.3f}"
        lines.append(f"| {cell} | {rows} | {estimand} | {measure} | {made:,} | {shares} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
