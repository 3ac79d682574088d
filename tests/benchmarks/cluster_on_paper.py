"""A search on clusters that are not here: costs are fitted to measured runs, and runs simulated by them.

Run by hand, from the project's folder::

    python -m tests.benchmarks.cluster_on_paper              # the tables, from what was measured
    python -m tests.benchmarks.cluster_on_paper --measure    # before that, what is not there yet: minutes

Each size is searched in a process of its own. Figures go to ``cluster_points.json`` beside this file as they
come; whoever wants them anew removes it. Printed are how well the model foretells the largest runs when it
has not seen them, what it makes of all runs, and how runs of any size go by it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

from tests.benchmarks.cluster_costs import (
    QUANTITIES,
    CostModel,
    Point,
    cells,
    fitted_model,
    predicted_by_measured,
)
from tests.benchmarks.cluster_simulation import simulated_run

FIGURES = Path(__file__).with_name("cluster_points.json")
_SEED = 0

Size = tuple[int, int, int]

# Labels, features and rows of what is measured.
_MEASURED = (
    (8, 300, 2000),
    (8, 1000, 2000),
    (8, 3000, 2000),
    (8, 10_000, 2000),
    (8, 30_000, 2000),
    (8, 300, 20_000),
    (8, 1000, 20_000),
    (8, 3000, 20_000),
    (8, 10_000, 20_000),
    (8, 20_000, 20_000),
    (8, 1000, 100_000),
    (8, 3000, 100_000),
    (8, 300, 200_000),
    (8, 3000, 300_000),
    (8, 300, 1_000_000),
    (8, 10_000, 100_000),
    (8, 100_000, 2000),
    (40, 1000, 5000),
    (200, 4000, 5000),
)
# Labels, variables and rows of what is simulated.
_ON_PAPER = (
    (50, 1050, 5000),
    (100, 10_000, 100_000),
    (1000, 100_000, 100_000),
    (1000, 100_000, 1_000_000),
)
_WORKERS = (1, 8, 64, 256)
_MEGABYTE, _GIGABYTE, _HOUR = 1e6, 1e9, 3600.0
# Interpreter, libraries, kernels and dask.distributed, whatever the table.
_FIXED_BYTES = 0.22e9
# While a worker takes the table or gives it to others; measured by ``cluster_of_processes``.
_COPIES_AT_PEAK = 3
_HEADS = (
    "labels × variables × rows",
    "workers",
    "by the clock",
    "of it sending the table",
    "of it before and after",
    "processors, h",
    "sent, GB",
    "most memory of a worker, GB",
    "efficiency",
    "of the search around labels",
)


def points_on_file() -> list[Point]:
    """Return what was measured."""
    return [Point(**point) for point in _on_file().values()]


def _on_file() -> dict[str, dict[str, object]]:
    figures: dict[str, dict[str, object]] = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    return figures


def measure_missing() -> None:
    """Measure each size that is not on file, in a process of its own."""
    figures = _on_file()
    for size in _MEASURED:
        key = " x ".join(map(str, size))
        if key in figures:
            continue
        command = [sys.executable, "-m", "tests.benchmarks.cluster_point", *map(str, (*size, _SEED))]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        figures[key] = json.loads(done.stdout)
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(point)}" for name, point in figures.items())
        FIGURES.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def hold_out_lines(points: Sequence[Point], held_out: int) -> Iterator[str]:
    """Give the table of what a model that has not seen the largest tables says of them."""
    by_size = sorted(points, key=cells)
    model = fitted_model(by_size[:-held_out])
    yield f"| labels × variables × rows | {' | '.join(QUANTITIES)} |"
    yield "| --- |" + " ---: |" * len(QUANTITIES)
    for point in by_size[-held_out:]:
        ratios = " | ".join(f"{ratio:.2f}" for ratio in predicted_by_measured(model, point).values())
        yield f"| {_size((point.labels, point.variables, point.rows))} | {ratios} |"


def paper_lines(model: CostModel, size: Size, workers: Sequence[int], bytes_a_second: float) -> Iterator[str]:
    """Give the rows of the table of simulated runs for one size; efficiency is against one worker."""
    alone = simulated_run(model.costs(*size, workers=1), 1, bytes_a_second)
    for count in workers:
        costs = model.costs(*size, workers=count)
        run = simulated_run(costs, count, bytes_a_second)
        row = (
            _size(size),
            str(count),
            _duration(run.clock),
            _duration(run.sending),
            _duration(costs.before + costs.after),
            f"{run.processor / _HOUR:,.3g}",
            f"{run.sent_bytes / _GIGABYTE:,.3g}",
            f"{(_FIXED_BYTES + _COPIES_AT_PEAK * costs.order_bytes) / _GIGABYTE:,.3g}",
            f"{alone.clock / run.clock / count:.0%}",
            f"{alone.searching / run.searching / count:.0%}",
        )
        yield f"| {' | '.join(row)} |"


def law_lines(model: CostModel) -> Iterator[str]:
    """Give the table of the coefficients."""
    yield "| | constant | a variable | a row | a cell | power of rows |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, law in model.laws.items():
        yield f"| {name} | {' | '.join(f'{coefficient:.3g}' for coefficient in astuple(law))} |"


def _size(size: Size) -> str:
    return " × ".join(f"{length:,}" for length in size)


def _duration(seconds: float) -> str:
    """Write a time in the largest unit of which there is one."""
    for unit, length in (("h", _HOUR), ("min", 60.0)):
        if seconds >= length:
            return f"{seconds / length:,.3g} {unit}"
    return f"{seconds:.2g} s"


def main() -> None:
    """Measure what is missing if asked to, fit, and print the tables."""
    parser = argparse.ArgumentParser(
        description="How long a search would take on clusters that are not here."
    )
    parser.add_argument("--measure", action="store_true", help="measure the sizes that are not on file")
    parser.add_argument("--held-out", type=int, default=4, help="how many of the largest runs to foretell")
    parser.add_argument(
        "--bandwidth", type=float, default=1000.0, help="what one line of the network carries, in MB/s"
    )
    parser.add_argument("--size", type=int, nargs=3, metavar=("LABELS", "VARIABLES", "ROWS"))
    parser.add_argument("--workers", type=int, nargs="+", default=_WORKERS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure_missing()
    points = points_on_file()
    model = fitted_model(points)
    print("\n".join(hold_out_lines(points, arguments.held_out)), end="\n\n")
    print("\n".join(law_lines(model)), end="\n\n")
    print(f"Saved by finding nothing twice: {model.shared:.0%}.", end="\n\n")
    print(f"| {' | '.join(_HEADS)} |")
    print("| --- |" + " ---: |" * (len(_HEADS) - 1))
    for size in [tuple(arguments.size)] if arguments.size else _ON_PAPER:
        print("\n".join(paper_lines(model, size, arguments.workers, arguments.bandwidth * _MEGABYTE)))


if __name__ == "__main__":
    main()
