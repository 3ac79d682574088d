"""HITON-MB around every label of a table, with what is shared between labels searched once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.boundaries.spouses import spouse_links
from engine.execution.workers import run_all
from engine.independence.data import TestData
from engine.progress import SilentProgress

PUBLISHED = DiscoverySettings(
    algorithm="hiton-mb",
    alpha=0.05,
    max_conditioning=3,
    false_discovery="none",
    procedure="as published",
    dof="adjusted",
    large_set_rows=0.0,
)


@dataclass(frozen=True)
class FoundBoundary:
    """Neighbours of a target, what separated the others, and its spouses with their children."""

    target: int
    members: tuple[int, ...]
    separators: dict[int, tuple[int, ...]]
    links: tuple[SpouseLink, ...]


@dataclass(frozen=True)
class LabelBoundaries:
    """What was found around all targets, and how many tests that took."""

    boundaries: tuple[FoundBoundary, ...]
    tests: int


def label_boundaries(
    data: TestData, targets: Sequence[str], workers: int, settings: DiscoverySettings = PUBLISHED
) -> LabelBoundaries:
    """Search the Markov boundaries of some variables by HITON-MB.

    Parameters
    ----------
    data : TestData
        What is tested.
    targets : sequence of str
        Names of variables.
    workers : int
        Number of threads.
    settings : DiscoverySettings
        How to search.

    Returns
    -------
    LabelBoundaries
        In the order of the targets.
    """
    search = Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8))

    def boundary(target: int) -> tuple[Neighbourhood, list[SpouseLink], int]:
        around = search.neighbours(target)
        children = [search.neighbours(member) for member in around.members]
        spouses = spouse_links(search, around, children)
        return around, spouses.links, spouses.tests

    done = dict(
        run_all(
            boundary,
            [data.positions[target] for target in targets],
            workers=workers,
            progress=SilentProgress(),
            stop=search.stop,
        )
    )
    in_order = [done[place] for place in range(len(targets))]
    return LabelBoundaries(
        tuple(
            FoundBoundary(around.target, around.members, around.separators, tuple(links))
            for around, links, _ in in_order
        ),
        search.tests_made[0] + sum(tests for _, _, tests in in_order),
    )
