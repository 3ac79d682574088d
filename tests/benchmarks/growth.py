"""How time and memory of a search grow with rows, features and labels.

Run by hand, from the project's folder::

    python -m tests.benchmarks.growth            # everything, some minutes
    python -m tests.benchmarks.growth --short    # smaller tables only, nothing is kept

Each size is searched in a process of its own. Figures go to ``growth.json`` beside this file as they come,
and sizes that are there already are not measured again; ``--again`` starts anew. The table of the section
"Growth" of ``tests/benchmarks/README.md`` is printed, and the picture written to ``growth.svg``.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.reporting.figures.figure_files import write_svg
from tests.benchmarks.growth_chart import growth_chart

HERE = Path(__file__).parent
FIGURES = HERE / "growth.json"
PICTURE = HERE / "growth.svg"
_SHORT_CODES = 10_000_000
_MEGABYTE = 1e6
_COLUMNS = (
    "CPU s",
    "tests",
    "µs a test",
    "coded MB",
    "peak MB",
    "peak / coded",
    "without fixed / coded",
)

Size = tuple[int, int, int]
Figures = dict[str, float]


@dataclass(frozen=True)
class Series:
    """Sizes along which one thing grows: rows, features or labels."""

    grows: str
    sizes: tuple[Size, ...]


SERIES = (
    Series("rows", tuple((rows, 500, 10) for rows in (1000, 3000, 10**4, 30_000, 10**5, 300_000, 10**6))),
    Series("features", tuple((2000, size, 10) for size in (100, 300, 1000, 3000, 10**4, 30_000, 10**5))),
    Series("labels", tuple((2000, 3000, labels) for labels in (1, 3, 10, 30, 100, 300))),
)


def measured(size: Size) -> Figures:
    """Search a table of a size in a new process."""
    command = [sys.executable, "-m", "tests.benchmarks.growth_point", *map(str, size)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def figures_of(series: Series, figures_on_file: dict[str, Figures], *, short: bool) -> list[Figures]:
    """Give the figures of each size, those that are known without measuring again."""
    figures = []
    for size in series.sizes:
        if short and size[0] * size[1] > _SHORT_CODES:
            continue
        key = " x ".join(map(str, size))
        if key not in figures_on_file:
            figures_on_file[key] = measured(size)
            if not short:
                FIGURES.write_text(json.dumps(figures_on_file, indent=1) + "\n", "utf-8")
        figures.append(figures_on_file[key])
    return figures


def slope(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Give the exponent of growth: the slope of the least-squares line in logarithms."""
    return float(
        np.polyfit([math.log(size) for size in sizes], [math.log(figure) for figure in values], 1)[0]
    )


def own_memory(point: Figures) -> float:
    """Give the peak beyond what interpreter, libraries and kernels took before the table was made."""
    return max(point["peak_bytes"] - point["fixed_bytes"], 1.0)


def lines(series: Series, points: Sequence[Figures]) -> Iterator[str]:
    """Give the table of one series, and the slopes of its last three sizes."""
    heads = [series.grows, *_COLUMNS]
    yield f"| {' | '.join(heads)} |"
    yield "| ---: |" + " ---: |" * (len(heads) - 1)
    for point in points:
        coded = point["coded_bytes"]
        cells = [
            f"{point[series.grows]:,}",
            f"{point['cpu_seconds']:.2f}",
            f"{point['tests']:,}",
            f"{point['cpu_seconds'] / point['tests'] * 1e6:.2f}",
            f"{coded / _MEGABYTE:,.1f}",
            f"{point['peak_bytes'] / _MEGABYTE:,.0f}",
            f"{point['peak_bytes'] / coded:,.2f}",
            f"{own_memory(point) / coded:,.2f}",
        ]
        yield f"| {' | '.join(cells)} |"
    last = points[-3:]
    sizes = [point[series.grows] for point in last]
    time = slope(sizes, [point["cpu_seconds"] for point in last])
    memory = slope(sizes, [own_memory(point) for point in last])
    yield ""
    yield f"Slope over the last three sizes: CPU time {time:.2f}, memory without the fixed part {memory:.2f}."
    yield ""


def main() -> None:
    """Measure, print the tables and draw the picture."""
    parser = argparse.ArgumentParser(description="How time and memory grow with the table.")
    parser.add_argument("--short", action="store_true", help="smaller tables only; nothing is kept")
    parser.add_argument("--again", action="store_true", help="measure everything again")
    arguments = parser.parse_args()
    fresh = arguments.short or arguments.again or not FIGURES.exists()
    figures_on_file: dict[str, Figures] = {} if fresh else json.loads(FIGURES.read_text("utf-8"))
    # Whoever compiles kernels needs more memory than who finds them compiled.
    measured((300, 90, 10))
    curves = []
    for series in SERIES:
        points = figures_of(series, figures_on_file, short=arguments.short)
        curves.append((series.grows, points))
        print("\n".join(lines(series, points)), flush=True)
    if not arguments.short:
        write_svg(growth_chart(curves), PICTURE)


if __name__ == "__main__":
    main()
