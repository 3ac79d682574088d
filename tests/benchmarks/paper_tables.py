"""Tables 2 and 3 of the paper: ∩HITON-MB and CLCD by both procedures, beside what the paper reports.

Run by hand, from the project's folder::

    python -m tests.benchmarks.paper_tables --networks 1 --first-seed 40

Networks have 50 labels, 1000 features and 5000 rows, as in the paper, in two forms:

- ``own``: as :func:`engine.simulate` draws them by default. A label with several boundaries has 5 to 10 of
  them, the number of the paper: two or three of its members have one or two interchangeable features each.
- ``many equivalents``: 500 to 1000 boundaries a label, so that most of its members have interchangeable
  features. The paper's figures of ∩HITON-MB ask for as much: an algorithm that finds one boundary of each
  label has a recall of .15 there (p_m 1), so that a label has some six times as many causal variables as one
  of its boundaries has members.

A cell is precision / recall: the mean of those of common and of label-specific pairs, and of the networks.
∩HITON-MB has no false-discovery control here, as in the paper. CLCD as published has none either.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from statistics import fmean
from typing import Any

import engine
from engine.comparison.networks.benchmark_settings import PAPER_CELLS, cells, paper_figures
from engine.comparison.networks.methods import methods
from engine.discovery.discover import discover
from engine.progress import SilentProgress
from engine.simulation import Scores, score

FORMS: Mapping[str, Mapping[str, Any]] = {
    "own": {},
    "many equivalents": {"fewest_boundaries": 500, "most_boundaries": 1000},
}
_SIZE = {"labels": 50, "features": 1000, "rows": 5000}
_PLAIN: Mapping[str, Any] = {"false_discovery": "none", "procedure": "as published"}
_LEVELS = (0.05, 0.01)
LabelSets = Mapping[str, frozenset[str]]


def _searches() -> dict[str, Callable[[engine.Dataset], LabelSets]]:
    """Return what is compared, by its title."""
    searches: dict[str, Callable[[engine.Dataset], LabelSets]] = {}
    for alpha in _LEVELS:
        searches[f"∩HITON-MB, α {alpha:g}"] = _intersection(engine.DiscoverySettings(alpha=alpha, **_PLAIN))
    for alpha in _LEVELS:
        published = engine.DiscoverySettings(alpha=alpha, **_PLAIN)
        searches[f"CLCD as published, α {alpha:g}"] = _clcd(published)
    for alpha in _LEVELS:
        searches[f"CLCD controlled, α {alpha:g}"] = _clcd(engine.DiscoverySettings(alpha=alpha))
    return searches


def _intersection(settings: engine.DiscoverySettings) -> Callable[[engine.Dataset], LabelSets]:
    def find(dataset: engine.Dataset) -> LabelSets:
        return methods()["hiton-mb"].find(dataset, settings, SilentProgress()) or {}

    return find


def _clcd(settings: engine.DiscoverySettings) -> Callable[[engine.Dataset], LabelSets]:
    return lambda dataset: discover(dataset, settings, directions=False).label_sets


def measured(
    form: str,
    seeds: range,
    size: Mapping[str, int] = _SIZE,
    chosen: tuple[str, ...] = PAPER_CELLS,
    titles: tuple[str, ...] = tuple(_searches()),
) -> dict[tuple[str, str], list[Scores]]:
    """Return the scores of each search on each kind of network, one a seed."""
    scores_of_cell: dict[tuple[str, str], list[Scores]] = {}
    for cell in chosen:
        for seed in seeds:
            network = engine.simulate(**size, **cells()[cell].simulation, **FORMS[form], seed=seed)
            for title in titles:
                scores = score(_searches()[title](network.dataset), network.truth)
                scores_of_cell.setdefault((title, cell), []).append(scores)
    return scores_of_cell


def rows_of(scores_of_cell: Mapping[tuple[str, str], list[Scores]]) -> Iterator[str]:
    """Give the rows of a table: the paper's figures first."""
    yield "| search | " + " | ".join(cells()[cell].title for cell in PAPER_CELLS) + " |"
    yield "| --- |" + " --- |" * len(PAPER_CELLS)
    for title, method in (("paper: ∩HITON-MB", "hiton-mb"), ("paper: CLCD", "clcd")):
        figures = [paper_figures(cell, method) for cell in PAPER_CELLS]
        texts = [f"{figure.precision:.3f} / {figure.recall:.3f}" for figure in figures if figure is not None]
        yield f"| {title} | " + " | ".join(texts) + " |"
    for title in _searches():
        scores = [scores_of_cell[title, cell] for cell in PAPER_CELLS]
        texts = [
            f"{fmean(drawn.precision for drawn in some):.3f} / {fmean(drawn.recall for drawn in some):.3f}"
            for some in scores
        ]
        yield f"| {title} | " + " | ".join(texts) + " |"


def main() -> None:
    """Print a table for each form."""
    parser = argparse.ArgumentParser(description="Tables 2 and 3 of the paper.")
    parser.add_argument("--forms", nargs="+", choices=list(FORMS), default=list(FORMS))
    parser.add_argument("--networks", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=40)
    given = parser.parse_args()
    for form in given.forms:
        begun = time.process_time()
        scores_of_cell = measured(form, range(given.first_seed, given.first_seed + given.networks))
        print(f"{form}, {given.networks} networks a cell, {time.process_time() - begun:.0f} CPU s\n")
        print("\n".join(rows_of(scores_of_cell)), flush=True)


if __name__ == "__main__":
    main()
