"""How soon a table is searched at another level, when it was searched before.

Run by hand, from the project's folder, on an idle machine::

    python -m tests.benchmarks.live DATA

DATA is a folder with the tables emotions, birds, yeast and scene. Prints a table in Markdown: milliseconds by
the clock at levels that were not searched before, and at one that was.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

import engine

_TABLES = {
    "emotions": "emotions.arff",
    "birds": "birds.orig.arff.gz",
    "yeast": "yeast.arff.gz",
    "scene": "scene.orig.arff.gz",
}
_LEVELS = (0.001, 0.003, 0.01, 0.02, 0.05, 0.1)
_REPEATS = 5
# So little apart that the work is the same, and yet a level of its own.
_STEP = 1e-4


def milliseconds(session: engine.DiscoverySession, level: float) -> float:
    """Search at one level."""
    settings = engine.DiscoverySettings(alpha=level)
    started = time.perf_counter()
    session.discover(settings)
    return 1000.0 * (time.perf_counter() - started)


def row(name: str, folder: Path) -> str:
    """Measure one table."""
    place = folder / name
    dataset = engine.prepare(engine.read_dataset(place / _TABLES[name], labels=place / f"{name}.xml"))
    session = engine.DiscoverySession(dataset)
    milliseconds(session, 0.015)
    fresh = [
        median(milliseconds(session, level * (1.0 + _STEP * repeat)) for repeat in range(_REPEATS))
        for level in _LEVELS
    ]
    cached = median(milliseconds(session, 0.015) for _ in range(_REPEATS))
    figures = " | ".join(f"{fresh_milliseconds:.0f}" for fresh_milliseconds in fresh)
    return f"| {name}, {dataset.row_count} × {len(dataset.variables)} | {figures} | {cached:.1f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data
    print(f"| ms at α = | {' | '.join(str(level) for level in _LEVELS)} | searched before |")
    print("| --- |" + " ---: |" * (len(_LEVELS) + 1))
    for name in _TABLES:
        print(row(name, folder), flush=True)


if __name__ == "__main__":
    main()
